"""Pages with several views: the current view, its query parameter, and the switch."""

from collections.abc import Mapping, Sequence

import streamlit as st

from playground.ui.parts.runs import sharing
from playground.ui.session.address import QueryParam, QueryParams, one_of
from playground.ui.session.session_keys import CHECKPOINTS_VIEW, EXPERIMENT_VIEW, LEARN_VIEW, SHARED, TRAIN_VIEW, Key


class Views:
    """The views of one page; the first is the default. `labels` replace names in the switch."""

    def __init__(self, page: str, key: Key[str], names: Sequence[str], labels: Mapping[str, str] | None = None) -> None:
        self.key, self.names, self.labels = key, tuple(names), labels or {}
        self.view = QueryParams(page, QueryParam("view", key, one_of(self.names)))

    def switch(self) -> None:
        """Draw the switch."""
        st.segmented_control(
            "View",
            self.names,
            key=self.key.name,
            required=True,
            persist_state="session",
            format_func=self.label,
            label_visibility="collapsed",
        )
        self.view.keep()

    def label(self, name: str) -> str:
        """Label of a view in the switch."""
        return self.labels.get(name, name.capitalize())

    def shown(self) -> str:
        """The current view."""
        return self.key.get()

    def turn(self, name: str) -> None:
        """Open another view: in a callback, or before the switch is drawn."""
        self.key.set(name)

    def share(self, message: str, words: Mapping[str, str]) -> None:
        """Draw Share with a link to the current view, with these query parameters."""
        SHARED.set(dict(words))
        with st.popover("Share", icon=":material/share:", key="share"):
            given = {word: text for word, text in words.items() if text}
            sharing.tell(message, sharing.address({"view": self.shown()} | given))

    def share_anew(self, words: Mapping[str, str]) -> None:
        """Rerun the page if its link, which is outside the fragment, is outdated."""
        if SHARED.get() != words:
            st.rerun()


TRAIN = Views("train", TRAIN_VIEW, ("run", "compare", "sweep"))
LEARN = Views(
    "learn",
    LEARN_VIEW,
    ("lessons", "formulas", "pitfalls", "hunt", "check"),
    {"hunt": "Bug hunt", "check": "Check my code"},
)
EXPERIMENT = Views(
    "experiment",
    EXPERIMENT_VIEW,
    ("heads", "change", "read", "circuits", "training"),
    {"change": "Interventions", "read": "Logits", "training": "What if"},
)
CHECKPOINTS = Views("checkpoints", CHECKPOINTS_VIEW, ("library", "hub"))

"""What a lecture needs on every page: the presenter view with its slides, the keys, and the code of the address."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import streamlit as st

from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.shell import keys

_presenter = st.components.v2.component("playground_presenter", js=loader("shell/presenter.js"))
_listen = st.components.v2.component("playground_listen", js=loader("shell/presenter.js", "listen"))

ACTIONS = ("run", "step")
"""What keys ask of a run: to go on or to rest, and to take one step."""


@dataclass(frozen=True)
class Slide:
    """What the presenter view shows at a time."""

    name: str  # in the address
    title: str
    parts: tuple[str, ...]  # keys of containers and components; without the last one there is no such slide
    panels: tuple[str, ...] = ()  # of the last part, where it is the charts: `charts.PANELS`


SLIDES: dict[str, tuple[Slide, ...]] = {
    "": (Slide("model", "The model", ("architecture",)),),
    "train": (
        Slide("loss", "Loss", ("slide-progress", "charts"), ("loss",)),
        Slide("accuracy", "Accuracy", ("charts",), ("accuracy",)),
        Slide("predictions", "Predictions", ("charts",), ("examples",)),
        Slide("said", "The chosen answer over time", ("charts",), ("said",)),
        Slide("attention", "Attention", ("charts",), ("attention",)),
        Slide("entropy", "Entropy of attention", ("charts",), ("entropy",)),
        Slide("places", "Accuracy by place", ("charts",), ("places",)),
        Slide("rate", "Learning rate", ("charts",), ("learning_rate",)),
        Slide("gradient", "Gradient norm", ("charts",), ("gradient_norm",)),
        Slide("slow", "Slow motion", ("slow",)),
        Slide("compared-loss", "Training loss", ("compared-charts",), ("loss",)),
        Slide("compared-held-out", "Held-out loss", ("compared-charts",), ("validation_loss",)),
        Slide("compared-exact", "Exact match", ("compared-charts",), ("exact_match", "accuracy")),
        Slide("compared-tokens", "Token accuracy", ("compared-charts",), ("token_accuracy",)),
        Slide("compared-rate", "Learning rate", ("compared-charts",), ("learning_rate",)),
        Slide("compared-gradient", "Gradient norm", ("compared-charts",), ("gradient_norm",)),
        Slide("runs", "The runs", ("runs",)),
        Slide("multiples", "The sweep", ("multiples",)),
        Slide("summary", "The sweep in numbers", ("summary",)),
    ),
    "step_through": (Slide("operation", "One operation", ("slide-operation", "tensor")),),
    "checkpoints": (),
}
"""By the path of a page, in the order in which one goes through them."""


def show(path: str) -> None:
    """The buttons at the top of the page with this path, the keys of the presenter view and the view itself."""
    with st.container(horizontal=True, gap="xsmall", key="presenter", width="content"):
        keys.help_button(path)
        data = {
            "page": path,
            "pages": list(SLIDES),
            "slides": [asdict(slide) for slide in SLIDES[path]],
            "keys": [key for row in keys.table(path)["Present"] for key in row.keys],
        }
        _presenter(data=data, key="present")


def listen(words: Mapping[str, str], on_keys: Callable[[Mapping[str, int]], None]) -> None:
    """Says by which words of the address others find what is shown here, and hears the keys that steer it.

    Drawn in what moves. Calls `on_keys` with how often each of `ACTIONS` was asked for.
    """

    def hear() -> None:
        if presses := acts.presses("listen", ACTIONS):
            on_keys(presses)

    _listen(data={"link": dict(words), **acts.answer("listen")}, key="listen", on_acts_change=hear)

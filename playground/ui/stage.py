"""What a lecture needs on every page: the presenter view with its slides, the keys, and the code of the address."""

from dataclasses import asdict, dataclass

import streamlit as st

from playground.ui import keys
from playground.ui.assets import loader

_stage = st.components.v2.component("playground_stage", js=loader("stage.js"))
_share = st.components.v2.component("playground_share", js=loader("stage.js", "share"))


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
        Slide("loss", "Loss", ("stage-progress", "stage-numbers", "charts"), ("loss",)),
        Slide("accuracy", "Accuracy", ("charts",), ("accuracy",)),
        Slide("predictions", "Predictions", ("charts",), ("examples", "said")),
        Slide("attention", "Attention", ("charts",), ("attention", "entropy")),
        Slide("places", "Accuracy by place", ("charts",), ("places",)),
    ),
    "step_through": (Slide("operation", "One operation", ("stage-operation", "tensor")),),
    "checkpoints": (),
}
"""By the path of a page, in the order in which one goes through them."""


def stage(path: str) -> None:
    """The buttons at the top of the page with this path, the keys of the presenter view and the view itself."""
    with st.container(horizontal=True, gap="xsmall", key="stage", width="content"):
        keys.help_button(path)
        data = {
            "page": path,
            "pages": list(SLIDES),
            "slides": [asdict(slide) for slide in SLIDES[path]],
            "keys": [key for row in keys.table(path)["Present"] for key in row.keys],
        }
        _stage(data=data, key="present")


def share(**words: str) -> None:
    """Says by which words of the address others find what is shown here, where the address has them not itself."""
    _share(data=words, key="share")

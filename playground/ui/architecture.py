"""The architecture diagram on a page: a picture whose parts can be pointed at and opened."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import streamlit as st

from playground.config import RunConfig
from playground.diagram import architecture_diagram, part_of
from playground.ui.assets import loader

# st.html drops SVG. The picture is ours from end to end, so it may go into the page as it is.
_picture = st.components.v2.component(
    "playground_architecture",
    html='<div class="picture"></div>',
    js=loader("diagram.js"),
)
_follow = st.components.v2.component("playground_follow", js=loader("diagram.js", "follow"))


def architecture(
    config: RunConfig, *, action: str, tokens: Mapping[str, Sequence[str]] | None = None, key: str = "architecture"
) -> str | None:
    """Draws the model of `config`, reading `tokens`, and returns the part that was just clicked, if one was.

    `action` tells in the tooltip what a click does. Where `follow` stands on the same page, clicks go there.
    """
    read = tuple((letter, tuple(names)) for letter, names in (tokens or {}).items())
    clicked = _picture(data={"svg": _svg(config, read), "action": action}, key=key, on_part_change=lambda: None)
    return clicked.part


def follow(lit: str, on_part: Callable[[str], None]) -> None:
    """Lights the part of this page's picture that shows the tap `lit` and names its layer.

    Calls `on_part` with a part that is clicked. The picture can then stand outside the fragment that this call is in,
    and is not sent again at each step.
    """
    layer = re.match(r"(\w+)\.layers\.(\d+)\.", lit)
    data = {"part": part_of(lit), "stack": layer and layer[1], "layer": layer and int(layer[2]) + 1}
    _follow(data=data, key="follow", on_part_change=lambda: on_part(st.session_state["follow"]["part"]))


@lru_cache(maxsize=32)
def _svg(config: RunConfig, tokens: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return architecture_diagram(config, tokens=dict(tokens))

"""The interactive architecture diagram: its parts have tooltips and can be opened."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from playground.explain.outline import around
from playground.pictures.diagram import along, architecture_diagram, part_of
from playground.settings.config import RunConfig
from playground.ui.server.assets import loader
from playground.ui.session.session_keys import Key

# st.html drops SVG. The diagram has no content from outside, so it needs no sanitizing.
_picture = st.components.v2.component(
    "playground_architecture",
    html='<div class="picture"></div>',
    js=loader("parts/map/diagram.ts"),
)


def architecture(
    config: RunConfig, *, action: str, tokens: Mapping[str, Sequence[str]] | None = None, key: str = "architecture"
) -> str | None:
    """Draw the model of `config` with `tokens` as its input; returns the part that was just clicked, or None.

    The tooltip shows `action`, what a click does. If `navigator.follow` is on the same page, it receives the clicks.
    """
    read = tuple((letter, tuple(names)) for letter, names in (tokens or {}).items())
    clicked = _picture(data={"svg": _svg(config, read), "action": action}, key=key, on_part_change=lambda: None)
    return clicked.part


def drawing(svg: str, action: str, key: Key[Any], on_part: Callable[[], None]) -> None:
    """Draw an SVG whose parts are marked as in `architecture_diagram`; `on_part` is called after a click on one.

    The text in `svg` must be escaped. The tooltip shows `action`; the value of `key` has the `part` that was clicked.
    """
    _picture(data={"svg": svg, "action": action}, key=key.name, on_part_change=on_part)


def lit(name: str) -> dict[str, Any]:
    """Data that marks the operation `name` in the diagram."""
    parts = around(name)
    in_layer = parts[1].partition("layer ")[2] if len(parts) > 2 else ""
    return {
        "part": part_of(name),
        "along": along(name),
        "joined": name.endswith("_add_norm.sum"),
        "stack": parts[0] if in_layer else None,
        "layer": in_layer or None,
    }


@lru_cache(maxsize=32)
def _svg(config: RunConfig, tokens: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return architecture_diagram(config, tokens=dict(tokens))

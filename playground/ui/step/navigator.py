"""Navigation in a pass: outline of all operations, breadcrumbs of the current one, and keys."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from playground.explain.outline import Moves, OutlineItem, Stop
from playground.explain.outline import crumbs as crumbs_of
from playground.explain.outline import outline as tree_of
from playground.pictures.diagram import PART_COLOURS, tap_of
from playground.ui.parts.map import model_map
from playground.ui.parts.style import TENSOR_ROLES
from playground.ui.passes.tensors import Way
from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.session import session_keys as keys

_outline = st.components.v2.component("playground_outline", js=loader("step/outline.ts"))
_crumbs = st.components.v2.component("playground_crumbs", js=loader("parts/map/follow.ts"))

_MOVES = ("operation", "sublayer", "time", "gradient")


def opening(names: Sequence[str]) -> str:
    """The initial operation: the first cross-attention weights, or else the first attention weights."""
    weights = [name for name in names if name.endswith("attention.weights")]
    return next((name for name in weights if "cross_attention" in name), (weights or names)[0])


def crumbs() -> None:
    """Draw the breadcrumbs once, outside the fragment of the operation."""
    _crumbs(key="crumbs")


def outline(names: Sequence[str], *, key: str = "outline") -> None:
    """Draw all operations of a pass, `names` in execution order, as a foldable tree, once, outside the fragment.

    `follow` on the same page marks the current one and receives the clicks.
    """
    _outline(data={"parts": [_plain(part) for part in tree_of(names)], "colours": PART_COLOURS}, key=key)


def follow(
    lit: str,
    names: Sequence[str],
    *,
    on_go: Callable[[str], None],
    on_keys: Callable[[Moves], None],
    order: Sequence[str] | None = None,
    tour: Sequence[Stop] = (),
    on_tour_end: Callable[[], None] | None = None,
) -> Way:
    """Data that marks the operation `lit` in breadcrumbs, diagram and outline, for `tensors.show`.

    `names` are all operations in execution order; `order` is the order of navigation, if it differs (backward). Calls
    `on_go` with the operation of a click, and `on_keys` with the moves of keys. `tour` has the stops
    of a short tour, shown above the breadcrumbs until `on_tour_end` is called. The marked components are outside the
    fragment of the tensors, so they are not sent again at each step.
    """
    walked = names if order is None else order
    data = {
        **marks(lit, walked),
        "stops": list(tour),
        **acts.answer(keys.TENSOR),
    }
    if order is not None:
        walks = set(order)
        data["without"] = [index for index, name in enumerate(names) if name not in walks]

    def go(verb: str, where: Any) -> None:
        if verb != "go" or not isinstance(where, dict):
            return
        if where.get("ends") and on_tour_end:
            on_tour_end()
        name: str | None = tap_of(where["part"], walked, lit) if "part" in where else where.get("name")
        if name is not None and name in walked:
            on_go(name)

    def listen() -> None:
        if presses := acts.presses(keys.TENSOR, _MOVES, go):
            on_keys(Moves(**presses))

    return Way(data, listen)


def marks(lit: str, walked: Sequence[str]) -> dict[str, Any]:
    """What marks the operation `lit` among those of a way."""
    return {
        **model_map.lit(lit),
        "lit": lit,
        "first": lit == walked[0],
        "last": lit == walked[-1],
        "crumbs": [[part.label, part.name] for part in crumbs_of(lit, walked)],
    }


def _plain(part: OutlineItem) -> dict[str, Any]:
    fields: dict[str, Any] = {"label": part.label, "name": part.name}
    if part.parts:
        return fields | {"parts": [_plain(inner) for inner in part.parts]}
    letter, role = TENSOR_ROLES.get(part.label.split()[0], ("", ""))
    return fields | ({"letter": letter, "role": role} if letter else {})

"""The way through a pass: the outline of all operations, the way to the one that is shown, and the keys."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from playground.diagram import COLOURS, tap_of
from playground.explain.outline import Moves, Part, crumbs
from playground.explain.outline import outline as tree_of
from playground.ui.parts.map import model_map
from playground.ui.parts.style import ROLES
from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.session import session_keys as keys

_outline = st.components.v2.component("playground_outline", js=loader("step/outline.js"))
_follow = st.components.v2.component("playground_follow", js=loader("parts/map/follow.js"))

_MOVES = ("operation", "sublayer", "time", "gradient")


def outline(names: Sequence[str], *, key: str = "outline") -> None:
    """All operations of a pass, `names` in execution order, as a tree that folds; drawn once, where nothing steps.

    `follow` on the same page says which one is lit, and is told of clicks.
    """
    _outline(data={"parts": [_plain(part) for part in tree_of(names)], "colours": COLOURS}, key=key)


def follow(
    lit: str,
    names: Sequence[str],
    *,
    on_go: Callable[[str], None],
    on_keys: Callable[[Moves], None],
    order: Sequence[str] | None = None,
) -> None:
    """Shows the way to the operation `lit`, lights it in this page's picture and outline, and listens to keys.

    `names` are all operations in execution order; `order` is the order in which one walks them, where it is another
    (backward). Calls `on_go` with the operation that a click asks for, and `on_keys` with the moves that keys ask for.
    Picture and outline can then stand outside the fragment that this call is in, and are not sent again at each step.
    """
    walked = names if order is None else order
    data = {
        **model_map.lit(lit),
        "lit": lit,
        "crumbs": [[part.label, part.name] for part in crumbs(lit, walked)],
        **acts.answer(keys.FOLLOW),
    }
    if order is not None:
        walks = set(order)
        data["without"] = [at for at, name in enumerate(names) if name not in walks]

    def go() -> None:
        told = keys.FOLLOW.get()["go"]
        name: str | None = tap_of(told["part"], walked, lit) if "part" in told else told.get("name")
        if name is not None and name in walked:
            on_go(name)

    def listen() -> None:
        moves = Moves(**acts.presses(keys.FOLLOW, _MOVES))
        if moves != Moves():
            on_keys(moves)

    _follow(data=data, key=keys.FOLLOW.name, on_go_change=go, on_acts_change=listen)


def _plain(part: Part) -> dict[str, Any]:
    told: dict[str, Any] = {"label": part.label, "name": part.name}
    if part.parts:
        return told | {"parts": [_plain(inner) for inner in part.parts]}
    letter, role = ROLES.get(part.label.split()[0], ("", ""))
    return told | ({"letter": letter, "role": role} if letter else {})

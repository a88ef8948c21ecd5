"""Linked charts over training steps: pointing at a step in one marks it in all.

Drawn by charts.ts.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from playground.ui.parts.charts import vega
from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.session.session_keys import Key

_charts = st.components.v2.component(
    "playground_charts", html='<div class="charts framed"></div>', js=loader("parts/charts/charts.ts")
)

_prepare = st.components.v2.component("playground_charts_soon", js=loader("parts/charts/charts.ts", "prepare"))


def prepare() -> None:
    """Let the browser load what charts need, on a page that will have some."""
    _prepare(data={"program": vega.PROGRAM, "specs": vega.SPECS}, key="charts-soon")


def mount(data: dict[str, Any], *, key: Key[Any], **on: Any) -> None:
    """Draw charts from data for charts.ts; `on` are callbacks for the person's acts."""
    _charts(data={"program": vega.PROGRAM, "specs": vega.SPECS, **data}, key=key.name, height="content", **on)


def kept_charts(names: Sequence[str], steps: Sequence[int], *, key: Key[Any]) -> None:
    """Draw the histories of checkpoints in this visitor's library, overlaid.

    `steps` is the last step of each.
    """
    data = {
        "panels": ["loss", "validation_loss", "exact_match"],
        "runs": [
            {"id": name, "shelf": "library", "name": name, "colour": colour, "step": step, "ended": True}
            for colour, (name, step) in enumerate(zip(names, steps, strict=True))
        ],
        "beside": None,
        "opens": False,
        "observes": None,
        "observed": False,
        **acts.answer(key),
    }
    mount(data, key=key)

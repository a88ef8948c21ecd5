"""Lines of few points in one chart."""

from html import escape
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from playground.lessons.live_parts import Curves
from playground.pictures.charts import PERCENT, SERIES_DASHES

_BAND = {
    "mark": {"type": "area", "opacity": 0.15},
    "encoding": {
        "y": {"field": "low", "type": "quantitative"},
        "y2": {"field": "high"},
        "strokeDash": {"value": [1, 0]},
    },
}


def show(curves: Curves, *, still: bool = False) -> None:
    """Draw lines in one chart.

    New rows don't redraw the chart. With `still`, for constant lines, the axes have the extent of the rows:
    Streamlit draws a chart before it inserts them, and Vega warns of an infinite extent.
    """
    rows: list[dict[str, Any]] = [
        {"x": x, "y": y, "line": line}
        | (dict(zip(("low", "high"), curves.bands[line][at])) if line in curves.bands else {})
        for line, values in curves.lines.items()
        for at, (x, y) in enumerate(zip(curves.points, values, strict=True))
        if np.isfinite(y)
    ]
    x_scale: dict[str, Any] = {"type": "log", "nice": False} if curves.log_x else {"zero": False}
    y_scale: dict[str, Any] = {"type": "log"} if curves.log_y else {"zero": False}
    if still and rows:
        for scale, name in ((x_scale, "x"), (y_scale, "y")):
            numbers = [row[name] for row in rows]
            scale |= {"domain": [min(numbers), max(numbers)], "nice": True}
    if curves.shares and not curves.log_y:
        y_scale = {"domain": [0, 1]}
    large = any(y >= 1e5 for line in curves.lines.values() for y in line)  # axis labels such as 10M for ten million
    figures = {"labelExpr": PERCENT} if curves.shares else {"format": "~s"} if large else {}
    line = {"field": "line", "type": "nominal", "title": None, "sort": list(curves.lines)}
    axis = {"titlePadding": 6, "tickMinStep": 1 if all(float(x).is_integer() for x in curves.points) else 0}
    st.html(f'<b class="small">{escape(curves.title)}</b>')  # a title inside the chart would not scale with the page
    st.vega_lite_chart(
        pd.DataFrame(rows),
        {
            "description": f"{curves.title}: {curves.y} by {curves.x}, {len(curves.lines)} lines",
            "layer": [
                *([_BAND] if curves.bands else []),
                {"mark": {"type": "line", "point": curves.marks, "tooltip": True}},
            ],
            "height": 320,
            "encoding": {
                "x": {"field": "x", "type": "quantitative", "title": curves.x, "scale": x_scale, "axis": axis},
                "y": {
                    "field": "y",
                    "type": "quantitative",
                    "title": curves.y,
                    "scale": y_scale,
                    "axis": {"titlePadding": 6, "tickCount": 5} | figures,
                },
                "color": line
                | {
                    "scale": {"scheme": "tableau10"} if len(curves.lines) > 4 else {},  # the theme has four colours
                    "legend": {"orient": "bottom", "columns": 3, "offset": 4, "padding": 0, "labelLimit": 0}
                    if len(curves.lines) > 1
                    else None,
                },
                # Equal lines overlap; the gaps in one show the other.
                "strokeDash": line | {"scale": {"range": SERIES_DASHES}},
            },
        },
        width="stretch",
    )

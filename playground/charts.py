"""Charts as data: Altair builds each specification once, pages put new rows into it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pyarrow as pa

HEIGHT = 240

PICKED = "picked"
"""Name of the selection that holds the `step` of the point that was clicked, or of the nearest one."""


@lru_cache
def loss() -> dict[str, Any]:
    """Rows: step, training loss, held-out loss."""
    return _lines(("training", "held out"), "loss", zero=False)


@lru_cache
def accuracy(names: tuple[str, ...]) -> dict[str, Any]:
    """Rows: step and one column of shares a name."""
    return _lines(names, "share right", domain=(0, 1), percent=True)


@lru_cache
def rate() -> dict[str, Any]:
    """Rows: step, learning rate."""
    return _lines(("learning rate",), "learning rate")


def rows(records: Sequence[dict[str, Any]], names: dict[str, str]) -> list[dict[str, Any]]:
    """Long rows (step, value, series) of the named measures: {"exact_match": "exact match"}."""
    return [
        {"step": record["step"], "value": record[measure], "series": series}
        for record in records
        for measure, series in names.items()
        if measure in record
    ]


def table(rows: Sequence[dict[str, Any]]) -> pa.Table:
    """Rows in the form in which they travel to the browser."""
    return pa.Table.from_pylist(list(rows), schema=_SCHEMA)


_SCHEMA = pa.schema([("step", pa.int64()), ("value", pa.float64()), ("series", pa.string())])


def _lines(
    series: Sequence[str],
    title: str,
    *,
    domain: tuple[float, float] | None = None,
    percent: bool = False,
    zero: bool = True,
) -> dict[str, Any]:
    scale = alt.Scale(domain=list(domain)) if domain else alt.Scale(zero=zero)
    axis = alt.Axis(format="%") if percent else alt.Axis(tickCount=5)
    color = alt.Color(
        "series:N",
        scale=alt.Scale(domain=list(series)),
        legend=alt.Legend(orient="top", title=None, offset=4, symbolType="stroke", columns=2)
        if len(series) > 1
        else None,
    )
    base = alt.Chart(alt.Data(name="source")).encode(
        x=alt.X("step:Q", title="step", axis=alt.Axis(tickMinStep=1, grid=False, labelFlush=True)),
        y=alt.Y("value:Q", title=title, scale=scale, axis=axis),
        color=color,
        tooltip=[
            alt.Tooltip("step:Q"),
            alt.Tooltip("series:N", title="measure"),
            alt.Tooltip("value:Q", title=title, format=".2%" if percent else ".4g"),
        ],
    )
    # Dashes tell the second line from the first where colours do not; points make a single value visible.
    dash = alt.StrokeDash("series:N", scale=alt.Scale(domain=list(series)), legend=None)
    picked = alt.selection_point(name=PICKED, fields=["step"], nearest=True, on="click", toggle=False, clear=False)
    points = base.mark_point(filled=True, size=22, opacity=0.9, cursor="pointer").add_params(picked)
    chart = base.mark_line(strokeWidth=2).encode(strokeDash=dash) + points
    spec = chart.properties(height=HEIGHT).to_dict()
    spec.pop("$schema", None)
    spec.pop("config", None)
    for layer in spec["layer"]:
        layer.pop("data", None)
    spec.pop("data", None)
    return spec

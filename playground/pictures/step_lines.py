"""Charts of a development as data: lines over training steps with marked transitions, and a Fourier spectrum."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from playground.pictures.charts import NUMBER, PERCENT, SERIES_DASHES

_LABEL_WIDTH = 38  # pixels, of two numbers of two digits
_LABEL_HEIGHT = 13
_LEGEND: dict[str, Any] = {
    "orient": "bottom",
    "labelLimit": 0,
    "symbolType": "stroke",
    "symbolSize": 500,
    "symbolStrokeWidth": 2,
    "padding": 0,
    "offset": 4,
    "rowPadding": 2,
}
_PADDING = {"left": 0, "top": 2, "right": 8, "bottom": 2}


class Mark(NamedTuple):
    """A transition between two steps, and its number in the list."""

    first: int
    last: int
    number: int
    row: int = 0  # of its number above the plot, from below; numbers of a row rise with the steps, without a gap


def step_lines(
    lines: Mapping[str, Sequence[tuple[int, float]]],
    *,
    title: str,
    unit: str,
    last: int,
    colours: Sequence[str],
    share: bool = False,
    marks: Sequence[Mark] = (),
) -> dict[str, Any]:
    """Lines by name over the steps 0 to `last`, each a list of (step, value); NaN is left out.

    With `share`, values are from 0 to 1 and shown in percent. Marks are grey bands with their numbers above the plot.
    Numbers that would overlap share a label, such as 3-6. Each line has its own dash, too.
    """
    rows = [
        {"line": name, "step": step, "value": value}
        for name, points in lines.items()
        for step, value in points
        if math.isfinite(value)
    ]
    values = [value for points in lines.values() for _, value in points if math.isfinite(value)] or [0.0, 1.0]
    ends = [min(values), max(values)]
    across: dict[str, Any] = {
        "title": "step",
        "scale": alt.Scale(domain=[0, max(1, last)], nice=False),
        "axis": alt.Axis(grid=False, tickCount=5, labelFlush=True, titlePadding=2, labelPadding=4),
    }
    names = list(lines)
    colour = alt.Color(
        "line:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=names, range=[colours[index % len(colours)] for index in range(len(names))]),
        legend=None if len(names) < 2 else alt.Legend(columns=_columns(names), **_LEGEND),
    )
    dash = alt.StrokeDash(
        "line:N",
        title=None,
        sort=None,
        scale=alt.Scale(
            domain=names,
            range=[SERIES_DASHES[(index + index // len(colours)) % len(SERIES_DASHES)] for index in range(len(names))],
        ),
    )
    y = alt.Y(
        "value:Q",
        title=unit,
        # Vega would warn of an infinite extent before it has the rows.
        scale=alt.Scale(domain=[0, 1]) if share else alt.Scale(domain=ends, nice=True, zero=False),
        axis=alt.Axis(labelExpr=PERCENT if share else NUMBER, tickCount=4),
    )
    tooltip: Any = ["line:N", "step:Q", alt.Tooltip("value:Q", format=".1%" if share else ".4~g")]
    drawn = alt.Chart(alt.Data(values=rows)).mark_line(point=alt.OverlayMarkDef(size=14), strokeWidth=1.75)
    drawn = drawn.encode(x=alt.X("step:Q", **across), y=y, color=colour, strokeDash=dash, tooltip=tooltip)
    bands = [{"first": mark.first, "end": mark.last} for mark in marks]
    band = alt.Chart(alt.Data(values=bands)).mark_rect(opacity=0.25, color="#888888", stroke="#888888")
    layers = [band.encode(x=alt.X("first:Q", **across), x2="end:Q"), *_numbers(marks, last, across), drawn]
    description = f"{title}: {unit} by step, {len(names)} lines" + f", {len(marks)} transitions" * bool(marks)
    return alt.layer(*layers).properties(padding=_PADDING, description=description).to_dict()


def spectrum(powers: Sequence[float], *, colour: str) -> dict[str, Any]:
    """Shares of the power by frequency, from 1."""
    total = sum(powers) or 1.0
    rows = [{"frequency": index, "share": power / total} for index, power in enumerate(powers, 1)]
    tooltip: Any = ["frequency:Q", alt.Tooltip("share:Q", format=".1%")]
    bars = alt.Chart(alt.Data(values=rows)).mark_bar(color=colour)
    bars = bars.encode(
        x=alt.X(
            "frequency:O",
            title="frequency: periods in all symbols",
            axis=alt.Axis(labelAngle=0, labelOverlap=True, titlePadding=2, labelPadding=4),
        ),
        y=alt.Y(
            "share:Q",
            title="% of the power",
            scale=alt.Scale(domain=[0, max(powers, default=1.0) / total], nice=True),
            axis=alt.Axis(labelExpr=PERCENT, tickCount=4),
        ),
        tooltip=tooltip,
    )
    description = f"Share of the embedding's power by frequency, {len(rows)} bars"
    return bars.properties(padding=_PADDING, description=description).to_dict()


def _columns(names: Sequence[str]) -> alt.ExprRef:
    """As many columns of a legend as the chart has room for."""
    return alt.ExprRef(f"max(1, floor(width / {40 + 7 * max(map(len, names))}))")


def _numbers(marks: Sequence[Mark], last: int, across: Mapping[str, Any]) -> list[alt.Chart]:
    """A layer for each row of numbers. The browser knows how wide the axis is, and so which ones would overlap."""
    layers = []
    for row in sorted({mark.row for mark in marks}):
        rows = [{"step": mark.last, "number": mark.number} for mark in marks if mark.row == row]
        layers.append(
            alt.Chart(alt.Data(values=rows))
            .transform_window(before="lag(step)", sort=[alt.SortField("step"), alt.SortField("number")])
            .transform_calculate(begins=f"(datum.step - datum.before) * width > {_LABEL_WIDTH * max(1, last)} ? 1 : 0")
            .transform_window(label="sum(begins)", sort=[alt.SortField("step"), alt.SortField("number")])
            .transform_aggregate(
                step="min(step)", end="max(step)", first="min(number)", final="max(number)", groupby=["label"]
            )
            .transform_calculate(
                middle="(datum.step + datum.end) / 2",
                text="datum.first + (datum.final > datum.first ? '-' + datum.final : '')",
            )
            .mark_text(baseline="bottom", dy=-2 - _LABEL_HEIGHT * row, color="#888888")
            .encode(x=alt.X("middle:Q", **across), y=alt.value(0), text="text:N")
        )
    return layers

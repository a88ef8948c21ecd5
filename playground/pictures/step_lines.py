"""Charts of a development as data: lines over training steps with marked transitions, and a Fourier spectrum."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from playground.pictures.charts import NUMBER, PERCENT

_DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3])
_NEAR = 0.02  # part of the axis within which marks share their words


class Mark(NamedTuple):
    """A transition between two steps, and what the chart calls it."""

    first: int
    last: int
    label: str


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

    With `share`, values are from 0 to 1 and shown in percent. Marks are grey bands with their words above the plot.
    More lines than colours differ in their dashes, too.
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
        "axis": alt.Axis(grid=False, tickCount=5, labelFlush=True),
    }
    names = list(lines)
    colour = alt.Color(
        "line:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=names, range=[colours[index % len(colours)] for index in range(len(names))]),
        legend=alt.Legend(orient="bottom", columns=4, labelLimit=0, symbolType="stroke") if len(names) > 1 else None,
    )
    dash = alt.StrokeDash(
        "line:N",
        title=None,
        sort=None,
        scale=alt.Scale(
            domain=names, range=[_DASHES[index // len(colours) % len(_DASHES)] for index in range(len(names))]
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
    words = alt.Chart(alt.Data(values=_words(marks, last))).mark_text(baseline="bottom", dy=-2, color="#888888")
    layers = [
        band.encode(x=alt.X("first:Q", **across), x2="end:Q"),
        words.encode(x=alt.X("step:Q", **across), y=alt.value(0), text="label:N"),
        drawn,
    ]
    description = f"{title}: {unit} by step, {len(names)} lines" + f", {len(marks)} transitions" * bool(marks)
    return alt.layer(*layers).properties(height=300, description=description).to_dict()


def spectrum(powers: Sequence[float], *, colour: str) -> dict[str, Any]:
    """Shares of the power by frequency, from 1."""
    total = sum(powers) or 1.0
    rows = [{"frequency": index, "share": power / total} for index, power in enumerate(powers, 1)]
    tooltip: Any = ["frequency:Q", alt.Tooltip("share:Q", format=".1%")]
    bars = alt.Chart(alt.Data(values=rows)).mark_bar(color=colour)
    bars = bars.encode(
        x=alt.X(
            "frequency:O", title="frequency: periods in all symbols", axis=alt.Axis(labelAngle=0, labelOverlap=True)
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
    return bars.properties(height=300, description=description).to_dict()


def _words(marks: Sequence[Mark], last: int) -> list[dict[str, Any]]:
    """The words of marks, those of near ones together."""
    groups: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda each: each.last):
        if groups and mark.last - groups[-1][-1].last <= _NEAR * last:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return [{"step": group[0].last, "label": ", ".join(mark.label for mark in group)} for group in groups]

"""Charts of what was measured of one model, with their rows: to be drawn once and kept as a file."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from playground.pictures.charts import NUMBER, PERCENT, SERIES_COLOURS

STYLE: dict[str, Any] = {"background": "white", "padding": 12, "config": {"font": "sans-serif"}}
"""Of a chart that is a file."""

_ROW = 18  # pixels
_LABEL = 420  # pixels that the name of a part may take


def by_part(groups: Mapping[str, Sequence[Mapping[str, Any]]], intact: float, *, share: bool) -> dict[str, Any]:
    """How good a model is without each part: one group of bars for each name in `groups`, in their order.

    Rows have `part`, `value` and, if `share`, `low` and `high`, the 95 % interval of the exact match; otherwise the
    value is the loss in nats. The dashed line is the intact model.
    """
    title = "exact match without it (% of inputs)" if share else "loss without it (nats per token)"
    scale = alt.Scale(domain=[0, 1]) if share else alt.Scale(zero=True)
    axis = alt.Axis(labelExpr=PERCENT if share else NUMBER, tickCount=5)
    line = alt.Chart(alt.Data(values=[{"intact": intact}])).mark_rule(strokeDash=[4, 3]).encode(x="intact:Q")
    drawn = []
    for colour, (name, rows) in zip(SERIES_COLOURS["light"], groups.items()):
        base = alt.Chart(alt.Data(values=[*rows])).encode(
            y=alt.Y("part:N", sort=None, title=None, axis=alt.Axis(labelLimit=_LABEL, ticks=False))
        )
        bars = base.mark_bar(color=colour, opacity=0.8).encode(x=alt.X("value:Q", title=title, scale=scale, axis=axis))
        ends = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=title), x2="high:Q")
        layers = [bars, *([ends] if share else []), line]
        drawn.append(alt.layer(*layers).properties(title=name, width=380, height=_ROW * max(1, len(rows))))
    return alt.vconcat(*drawn).to_dict() | STYLE


def by_role(rows: Sequence[Mapping[str, Any]], heads: Sequence[str], roles: Sequence[str]) -> dict[str, Any]:
    """How much of its attention each head puts on positions of each kind, as a heatmap with its numbers.

    Rows have `head`, `role` and `weight`, from 0 to 1; a role without positions has no row.
    """
    base = alt.Chart(alt.Data(values=[*rows]), width=44 * len(roles), height=_ROW * len(heads)).encode(
        x=alt.X("role:N", sort=[*roles], title=None, axis=alt.Axis(orient="top", labelAngle=-35, labelLimit=_LABEL)),
        y=alt.Y("head:N", sort=[*heads], title=None, axis=alt.Axis(labelLimit=_LABEL, ticks=False)),
    )
    scale = alt.Scale(domain=[0, 1], scheme="purples")
    cells = base.mark_rect(stroke="#d5d8e3", strokeWidth=0.5).encode(
        color=alt.Color("weight:Q", title="mean weight", scale=scale)
    )
    ink = alt.condition("datum.weight > 0.6", alt.value("#fff"), alt.value("#1b1f2e"))
    numbers = base.mark_text(fontSize=10).encode(text=alt.Text("weight:Q", format=".2f"), color=ink)
    return alt.layer(cells, numbers).to_dict() | STYLE

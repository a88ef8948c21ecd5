"""Pictures: all heads of a pass, one of its tensors, or the architecture."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.common.numbers import counted
from playground.explain.inspection import Walk
from playground.export.attention_json import READS, Attention, of
from playground.export.format import FIGURES, Export
from playground.pictures import charts
from playground.pictures.diagram import architecture_diagram, standalone
from playground.settings.config import RunConfig, parameter_counts

MAX_CELLS = 20_000
_TITLES = {
    "encoder_self": "Encoder self-attention: rows are queries, columns keys",
    "decoder_self": "Decoder self-attention: rows are queries, columns keys, masked cells are blank",
    "decoder_cross": "Cross-attention: rows are target tokens, columns source tokens",
}
_CELL = 22  # pixels, room for BOS


class FigureError(PlaygroundError, ValueError):
    """A figure that this model does not have, or that would be too large."""


def content(export: Export) -> bytes:
    """A figure as .svg, .png or .pdf; raises `FigureError`, and for one of `FIGURES` as its function does."""
    known = FIGURES.get(export.figure)
    drawing = known.drawing(export) if known else tensor(export.walk, export.figure).to_dict()
    if not isinstance(drawing, str):
        drawing = with_model(drawing, export.checkpoint.config)
    kind = export.suffix.removeprefix(".")
    if isinstance(drawing, str):
        drawn = drawing.encode() if kind == "svg" else charts.converted(drawing, kind)
    else:
        drawn = charts.drawn(json.dumps(drawing), kind)
    if drawn is None:
        limit = f"less than {charts.DRAW_SECONDS:g} s"
        raise FigureError(f"The figure could not be drawn: it needs the package vl-convert-python and {limit}.")
    return drawn


def with_model(drawing: dict[str, Any], config: RunConfig) -> dict[str, Any]:
    """The specification with a line that names the model: its task, its size and the seed."""
    model, parameters = config.model, sum(parameter_counts(config).values())
    sizes = ", ".join(
        counted(number, noun)
        for number, noun in ((model.n_layers, "layer"), (model.n_heads, "head"), (parameters, "parameter"))
    )
    line = f"{config.task.name}, {model.architecture}, {sizes}, seed {config.seed}"
    above = drawing.get("title", "")
    style = {"anchor": "start", "fontWeight": "bold" if above else "normal"}
    return drawing | {"title": {"text": above, "subtitle": line} | style if above else {"text": line} | style}


def attention(export: Export) -> dict[str, Any]:
    """All heads of the pass, as `heads` draws them."""
    return heads(of(export.walk)).to_dict()


def architecture(export: Export) -> str:
    """The architecture as an SVG without style sheets."""
    return standalone(architecture_diagram(export.checkpoint.config))


def heads(attention: Attention) -> alt.VConcatChart:
    """All heads as an Altair chart, one row a layer: of those that `MAX_CELLS` has room for.

    Raises `FigureError` if there is no room for one head.
    """
    parts = []
    for kind, every in attention.attentions.items():
        weights = _fitting(every)
        rows = [
            {"layer": f"layer {layer + 1}", "head": f"head {head + 1}", **cell}
            for layer in range(len(weights))
            for head in range(weights.shape[1])
            for cell in _cells(_without_masked(kind, weights[layer, head]))
        ]
        colour = alt.Color(
            "value:Q", title="weight", scale=alt.Scale(domain=[0, 1], scheme="purples"), legend=_legend(kind)
        )
        chart = _heatmap(rows, attention.queries(kind), attention.keys(kind), colour)
        facets: Any = {"title": None, "sort": None}
        parts.append(
            chart.facet(row=alt.Row("layer:N", **facets), column=alt.Column("head:N", **facets), spacing=8).properties(
                title=f"{_TITLES[kind]}{_part_of(weights, every)}"
            )
        )
    return _finished(alt.vconcat(*parts))


def tensor(walk: Walk, name: str) -> alt.VConcatChart:
    """One recorded tensor, without its batch; a third axis (heads) becomes one picture for each.

    Raises `FigureError` for an unknown operation and for too many numbers.
    """
    try:
        step = walk[name]
    except KeyError:
        raise FigureError(
            f"This model has no figure {name!r}. Name {', '.join(FIGURES)} or an operation, for example "
            f"{walk.steps[0].name}."
        ) from None
    values, dims = step.value.double(), step.dims
    while dims[:1] in (("B",), ("1",)):  # one sequence, and what serves all sequences or heads, such as a mask
        values, dims = values[0], dims[1:]
    if values.numel() == 1:
        raise FigureError(
            f"{name} is one number, {float(values):.4f}, which makes no figure.", "Name another operation."
        )
    _bound(values)
    values = values.reshape((1,) * (3 - values.ndim) + tuple(values.shape))
    rows, columns = ["", "", *dims][-2:]
    down, across = _names(walk, rows, values.shape[1]), _names(walk, columns, values.shape[2])
    finite = values[torch.isfinite(values)]
    reach = float(finite.abs().max()) if len(finite) else 1.0
    signed = bool((finite < 0).any())
    scale = (
        alt.Scale(domain=[-reach, reach], scheme="blueorange")
        if signed
        else alt.Scale(domain=[0, reach], scheme="purples")
    )
    colour = alt.Color("value:Q", title="value", scale=scale)
    parts = [
        _heatmap([*_cells(part)], down, across, colour, title=f"head {index + 1}" if len(values) > 1 else "")
        for index, part in enumerate(values)
    ]
    shape = " × ".join(map(str, step.value.shape))
    title = f"{step.document.title}: {name}, {shape}"
    return _finished(alt.vconcat(alt.hconcat(*parts), title=title))


def _bound(values: Tensor) -> None:
    if values.ndim > 4 or values.numel() > MAX_CELLS:
        problem = f"The figure would have {values.numel():,} cells. At most {MAX_CELLS:,} are drawn."
        raise FigureError(problem, "Use a shorter input.")


def _fitting(weights: Tensor) -> Tensor:
    """The first layers, or of the first one the first heads, that have at most `MAX_CELLS` numbers together."""
    _bound(weights[0, 0])
    room = MAX_CELLS // weights[0, 0].numel()
    layers = room // weights.size(1)
    return weights[:layers] if layers else weights[:1, :room]


def _without_masked(kind: str, weights: Tensor) -> Tensor:
    """The weights (T, S) of one head, NaN for later keys with weight 0, which a causal mask hides."""
    if kind != "decoder_self":
        return weights
    later = torch.ones_like(weights, dtype=torch.bool).triu(1)
    return weights.masked_fill(later & (weights == 0), torch.nan)


def _part_of(drawn: Tensor, every: Tensor) -> str:
    """Which layers and heads are drawn, unless all are."""
    words = ""
    for axis, what in enumerate(("layer", "head")):
        of, most = drawn.size(axis), every.size(axis)
        if of < most:
            words += f", {what} 1 of {most}" if of == 1 else f", {what}s 1 to {of} of {most}"
    return words


def _names(walk: Walk, letter: str, size: int) -> Sequence[str]:
    """Labels of an axis: its tokens if there are as many, otherwise numbers from 1."""
    tokens = walk.tokens.get(letter, [])
    return tokens if len(tokens) == size else [str(index + 1) for index in range(size)]


def _cells(values: Tensor) -> list[dict[str, Any]]:
    """Rows of data; a number that isn't finite is null, which is drawn as nothing."""
    return [
        {"row": row, "column": column, "value": value if torch.isfinite(torch.tensor(value)) else None}
        for row, numbers in enumerate(values.tolist())
        for column, value in enumerate(numbers)
    ]


def _heatmap(
    data: list[dict[str, Any]], rows: Sequence[str], columns: Sequence[str], colour: alt.Color, title: str = ""
) -> alt.Chart:
    def axis(names: Sequence[str], orient: Any) -> alt.Axis:
        text = f"{json.dumps([*names])}[datum.value]"
        return alt.Axis(orient=orient, labelExpr=text, labelAngle=0, ticks=False, domain=False, labelOverlap=True)

    chart = alt.Chart(alt.Data(values=data), width=_CELL * len(columns), height=_CELL * len(rows))
    chart = chart.properties(title=title) if title else chart
    return chart.mark_rect(stroke="#d5d8e3", strokeWidth=0.5).encode(
        x=alt.X("column:O", title=None, axis=axis(columns, "top")),
        y=alt.Y("row:O", title=None, axis=axis(rows, "left")),
        color=colour,
    )


def _legend(kind: str) -> alt.Legend | None:
    return alt.Legend() if kind == next(iter(READS)) else None


def _finished(chart: alt.VConcatChart) -> alt.VConcatChart:
    return chart.resolve_scale(color="independent").configure(font="sans-serif", background="white", padding=12)

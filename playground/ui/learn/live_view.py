"""Live parts of lessons: widgets for their controls, and their outputs."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from playground.lessons.formula_table import Row
from playground.lessons.lesson import Embedded, Lesson
from playground.lessons.live_parts import (
    Choice,
    Code,
    Control,
    Curves,
    Numbers,
    OperationLink,
    Output,
    Slider,
    Strip,
    Table,
    TableInput,
    Toggle,
    Tokens,
    pass_of,
)
from playground.pictures.charts import PERCENT
from playground.ui.learn import formula_rows
from playground.ui.parts import style
from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, Side, message, pack
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key
from playground.ui.step import tensors

LESSON_CONTROL = Key[Any]("lesson control {} {} {} {}", None, "Widget: control of a live part")
LESSON_OUTPUTS = Key[Any]("lesson outputs {}", None, "Component: matrices of a live part")

_DASHES = [[1, 0], [6, 3], [2, 2], [9, 3, 2, 3]]

_matrices = st.components.v2.component(
    "playground_matrices", html='<div class="matrices"></div>', js=loader("learn/matrices.ts")
)
_grid = st.components.v2.component("playground_grid", html='<div class="grid"></div>', js=loader("learn/grid.ts"))


def show(lesson: Lesson, embedded: Embedded, seed: int, where: str) -> None:
    """Draw a live part: its controls in a row, and its outputs below. `where` is unique on the page."""
    part = lesson.live[embedded.name]
    with st.container(border=True):
        st.html(f'<div class="live-title small soft">{escape(embedded.title)}</div>')
        values = _controls(part.controls, part.start(seed), f"{lesson.name} {embedded.name} {where}", seed)
        outputs = part(seed, **values)
        index = 0
        while index < len(outputs):
            together = [outputs[index]]
            kind = type(outputs[index])
            while kind in (Numbers, Curves) and index + 1 < len(outputs) and isinstance(outputs[index + 1], kind):
                index += 1
                together.append(outputs[index])
            _draw(together, f"{lesson.name} {embedded.name} {where} {index}")
            index += 1


def _controls(controls: Mapping[str, Control], start: dict[str, Any], name: str, seed: int) -> dict[str, Any]:
    grids = {word: control for word, control in controls.items() if isinstance(control, TableInput)}
    others = {word: control for word, control in controls.items() if word not in grids}
    values: dict[str, Any] = {}
    for group in (grids, others):
        if not group:
            continue
        with st.container(horizontal=True, gap="medium"):
            for word, control in group.items():
                key = LESSON_CONTROL.of(name, word, seed, "").name
                values[word] = _widget(control, start[word], key)
    return values


def _widget(control: Control, start: Any, key: str) -> Any:
    if isinstance(control, Slider):
        return st.slider(
            control.label, control.low, control.high, start, control.step, key=key, help=control.help or None
        )
    if isinstance(control, Choice):
        return st.segmented_control(
            control.label, control.options, default=start, key=key, help=control.help or None, required=True
        )
    if isinstance(control, Toggle):
        return st.toggle(control.label, start, key=key, help=control.help or None)
    data = {"label": control.label, "rows": control.rows, "values": start, "bound": control.bound}
    typed = _grid(data=data, key=key, width="content", height="content", on_cells_change=lambda: None).cells
    return typed if _is_like(typed, start) else start


def _is_like(values: Any, start: list[list[float]]) -> bool:
    """True if the browser sent numbers of the same shape."""
    return isinstance(values, list) and [
        [type(cell) in (int, float) for cell in row] if isinstance(row, list) else None for row in values
    ] == [[True] * len(row) for row in start]


def _draw(outputs: Sequence[Output], name: str) -> None:
    """Draw one output, or several matrices or charts side by side."""
    output = outputs[0]
    if isinstance(output, Numbers):
        draw_matrices([output for output in outputs if isinstance(output, Numbers)], name)
    elif isinstance(output, Curves):
        for column, chart in zip(st.columns(len(outputs)), outputs, strict=True):
            assert isinstance(chart, Curves)
            with column:
                draw_curves(chart)
    elif isinstance(output, Table):
        rows = [[escape(cell) for cell in row] for row in output.rows]
        st.html(style.table(output.head, rows, explains=False))
    elif isinstance(output, Code):
        st.code(output.text, language="python", wrap_lines=True)
        if output.where:
            style.caption(output.where)
    elif isinstance(output, Tokens):
        st.html(f'<div class="small soft">{escape(output.title)}</div>{style.tokens(output.names, right=output.right)}')
    elif isinstance(output, Strip):
        st.html(style.strip(output.title, output.cells, output.groups, output.colours))
    elif isinstance(output, OperationLink):
        _draw_operation(output, name)
    else:
        st.markdown(output.text)


def draw_matrices(matrices: Sequence[Numbers], name: str) -> None:
    """Draw matrices side by side. `name` is unique on the page."""
    labels: dict[str, tuple[int, Sequence[str]]] = {}
    pictures, styles = [], []
    for index, matrix in enumerate(matrices):
        values = matrix.values.detach().numpy()
        heads = values.shape[0] if values.ndim == 3 else None
        values = values.reshape(heads or 1, -1, values.shape[-1])
        sides = []
        for axis, letter, names in (
            ("rows", matrix.dims[-2], matrix.rows),
            ("columns", matrix.dims[-1], matrix.columns),
        ):
            size = values.shape[1 if axis == "rows" else 2]
            if names:
                labels[f"{axis} {index}"] = 0, list(names)
            sides.append(Side(letter, Span(0, size, size), f"{axis} {index}" if names else ""))
        pictures.append(
            Heatmap(
                name=matrix.title,
                title=matrix.title,
                values=values,
                axes=("head", "row", "column") if heads else ("row", "column"),
                heads=Span(0, heads, heads) if heads else None,
                rows=sides[0],
                columns=sides[1],
                kind=matrix.kind,
                undefined=True,
            )
        )
        letter = matrix.dims[0] if len(matrix.dims) == 3 else ""
        styles.append({"digits": matrix.digits, "names": list(matrix.names), "letter": letter})
    data = message(pack(pictures, labels), {"styles": styles})
    _matrices(data=data, key=LESSON_OUTPUTS.of(name).name, height="content")


def draw_curves(curves: Curves, *, still: bool = False) -> None:
    """Draw lines in one chart.

    New rows don't redraw the chart. With `still`, for constant lines, the axes have the extent of the rows:
    Streamlit draws a chart before it inserts them, and Vega warns of an infinite extent.
    """
    rows: list[dict[str, Any]] = [
        {"x": x, "y": y, "line": line}
        for line, values in curves.lines.items()
        for x, y in zip(curves.points, values, strict=True)
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
            "mark": {"type": "line", "point": curves.marks, "tooltip": True},
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
                "strokeDash": line | {"scale": {"range": _DASHES}},
            },
        },
        width="stretch",
    )


def _draw_operation(shown: OperationLink, name: str) -> None:
    """Draw the row of an operation; a click opens it in Step through, with the lesson's model and input."""
    walk = pass_of(shown.model, shown.input)
    step = walk[shown.tap]
    picture = tensors.thumbnail(walk, step, *formula_rows.SMALL)
    if opened := formula_rows.show_rows([Row(step, 1)], [picture], name):
        keys.SOURCE.set(shown.model)
        keys.INPUT.set(shown.input)
        keys.OPERATION.set(opened)
        st.switch_page(STEP_THROUGH.file)

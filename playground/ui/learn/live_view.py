"""Live parts of lessons: widgets for their controls, and their outputs."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

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
from playground.ui.learn import formula_rows
from playground.ui.parts import style
from playground.ui.parts.charts import line_chart
from playground.ui.passes import matrices, tensors
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key

LESSON_CONTROL = Key[Any]("lesson control {} {} {} {}", None, "Widget: control of a live part")

_grid = st.components.v2.component("playground_grid", html='<div class="grid"></div>', js=loader("learn/grid.ts"))


def show(lesson: Lesson, embedded: Embedded, seed: int, where: str) -> None:
    """Draw a live part: its controls in a row, and its outputs below. `where` is unique on the page."""
    part = lesson.live[embedded.name]
    with st.container(border=True, key=f"live-{lesson.name}-{embedded.name}-{where}"):
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
        matrices.show([output for output in outputs if isinstance(output, Numbers)], name)
    elif isinstance(output, Curves):
        for column, chart in zip(st.columns(len(outputs)), outputs, strict=True):
            assert isinstance(chart, Curves)
            with column:
                line_chart.show(chart)
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

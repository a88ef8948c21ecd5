"""The tensors of one operation: inputs, output, and how each cell was computed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from torch import Tensor

from playground.common.bounded_cache import BoundedCache
from playground.explain.inspection import NotFiniteError, Step, Walk
from playground.explain.words import parameter_symbol, title_beside
from playground.tasks import decode, token_names
from playground.ui.parts.heatmaps.folding import Extent, Span, fold, span
from playground.ui.parts.heatmaps.heatmap import LONGEST_LABEL, Heatmap, HeatmapKind, Side, message, pack
from playground.ui.parts.style import role
from playground.ui.passes import statement
from playground.ui.server.assets import loader
from playground.ui.session import at_step, walks
from playground.ui.session import session_keys as keys

MAX_MESSAGE_BYTES = 90_000
"""Maximum bytes of the tensors in one message to the browser, besides its statement and names."""

_KINDS: dict[str, HeatmapKind] = {
    "tokens": "tokens",
    "labels": "tokens",
    "padding_mask": "mask",
    "causal_mask": "mask",
    "mask": "mask",
    "window_mask": "mask",
    "weights": "probability",
    "probabilities": "probability",
    "router_probabilities": "probability",
    "chosen": "probability",
    "gates": "probability",
    "load": "probability",
}


class Way(NamedTuple):
    """Data about the current operation for a component, see `navigator.follow`, and its callback."""

    data: dict[str, Any]
    on_acts: Callable[[], None]


@dataclass(frozen=True)
class Look:
    """The visible part of a tensor. Indices count from 0."""

    cell: tuple[int, ...] | None = None  # locked cell: (head, row, column) or (row, column)
    head: int | None = None  # the only visible head
    heads: int = 0  # first head of the fold
    columns: int = 0  # first column of the fold
    marked_row: int | None = None  # the marked row of the answer, in every tensor that has it
    gradient: bool = False
    table: bool = False
    gradient_of: str = ""  # the tensor whose gradient has the locked cell; else it is one of the output


@dataclass(frozen=True)
class _Layout:
    """Assignment of a recorded tensor's axes to heads, rows and columns."""

    axes: tuple[str, ...]
    letters: tuple[str, str, str]  # of heads, rows and columns; empty for an axis without one
    shape: tuple[int, int, int]  # (heads or 1, rows, columns)

    @property
    def has_heads(self) -> bool:
        return "head" in self.axes

    @property
    def cell(self) -> tuple[int, ...]:
        """Sizes of the axes of a cell's index."""
        return self.shape if self.has_heads else self.shape[1:]


def _layout(step: Step) -> _Layout:
    dims, sizes = step.dims, tuple(step.value.shape)
    kept = [axis for axis, letter in enumerate(dims) if axis > 0 or letter not in ("B", "1")]
    if len(kept) == 3 and dims[kept[0]] == "1":
        kept = kept[1:]  # a mask is the same for all heads
    names = ("head", "row", "column")[3 - len(kept) :]
    by_name = dict(zip(names, kept, strict=True))
    axes = tuple({axis: name for name, axis in by_name.items()}.get(axis, "") for axis in range(len(dims)))
    letters = tuple("" if (axis := by_name.get(name)) is None else dims[axis] for name in ("head", "row", "column"))
    shape = tuple(1 if (axis := by_name.get(name)) is None else sizes[axis] for name in ("head", "row", "column"))
    head, row, column = ("" if letter == "1" else letter for letter in letters)
    return _Layout(axes, (head, row, column), (shape[0], shape[1], shape[2]))


def cells(step: Step) -> tuple[str, Tensor]:
    """The letters of the axes of a cell's index, " " for an axis without one, and the values by this index.

    Shape (heads, rows, columns) or (rows, columns), as the page counts them; a tensor may have one axis only.
    """
    layout = _layout(step)
    letters = layout.letters if layout.has_heads else layout.letters[1:]
    return "".join(letter or " " for letter in letters), step.value.reshape(layout.cell)


def show(
    walk: Walk,
    step: Step,
    look: Look,
    *,
    on_look: Callable[[Look], None],
    on_gone: Callable[[], None],
    way: Way,
) -> None:
    """Draw inputs and output of `step`; mark it in the source box, breadcrumbs, diagram and outline.

    One component for all, because each further one slows every click.

    `look` must be valid (see `fitted`). `on_look` is called with the new look before the page reruns. `walk` must come
    from `walks.walk_of`, which caches it for the cells that the browser requests; `on_gone` is called when it is no
    longer cached.
    """
    problem = ""
    if look.gradient:
        try:
            walk.gradients()
        except NotFiniteError as error:
            look, problem = replace(look, gradient=False), str(error)
    more = {
        "most": {"T": walk.model.config.max_target_length} if at_step.is_playing() else {},
        "reads": [keys.SOURCE.get(), keys.INPUT.get(), keys.TARGET.get(), keys.PREFIX_LENGTH.get(), keys.PADDING.get()],
        "problem": problem,
        "way": way.data,
    }
    data = operation_message(walk, step, look, more)

    def looked() -> None:
        if sent := keys.TENSOR.get().get("look"):
            on_look(read_look(sent, look))

    _component(
        key=keys.TENSOR.name,
        data=data,
        height="content",
        on_look_change=looked,
        on_gone_change=on_gone,
        on_acts_change=way.on_acts,
    )


def operation_message(walk: Walk, step: Step, look: Look, more: Mapping[str, Any]) -> bytes:
    """The tensors of `step` with what is known of it for every visitor, and `more`."""
    name = walks.name_of(walk)
    fields = {
        "walk": name,
        "operation": step.name,
        "title": step.document.title,
        "look": {**vars(look), "cell": look.cell and list(look.cell)},
        "parameters": [{"name": path, "title": parameter_symbol(path)} for path in step.operation.parameters],
        "fold": dict(zip(("heads", "columns"), _fold(walk, step, look.gradient), strict=True)),
        "statement": statement.shown(step.operation.source, step.operation.tap, step.operation.named_by),
    }
    return message(_packed(walk, step, look, name), fields | dict(more))


def read_look(sent: Mapping[str, Any], before: Look) -> Look:
    """The look that the browser reports; invalid parts stay as before."""

    def number(name: str) -> int | None:
        value = sent.get(name)
        return value if type(value) is int and 0 <= value < 2**31 else None

    cell = sent.get("cell")
    right = isinstance(cell, list) and len(cell) in (2, 3) and all(type(n) is int and 0 <= n < 2**31 for n in cell)
    return replace(
        before,
        cell=tuple(cell or ()) if right else None,
        gradient_of=str(sent.get("gradient_of") or "")[:200],
        head=number("head"),
        heads=number("heads") or 0,
        columns=number("columns") or 0,
        table=sent.get("table") is True,
    )


def fitted(walk: Walk, step: Step, look: Look) -> tuple[Look, str]:
    """The nearest valid look for this operation, and a message if it differs from the requested one."""
    cell, head, row, of = look.cell, look.head, look.marked_row, look.gradient_of
    gradients = walk.gradients() if look.gradient else {}
    with_gradient = {shown.name: shown for shown in _shown(walk, step) if shown.name in gradients}
    if of not in with_gradient:
        of = step.name if of and step.name in with_gradient else ""
    layout, problems = _layout(with_gradient.get(of, step)), []
    heads, title = _layout(step).shape[0], step.document.title
    if cell is not None:
        if len(cell) != len(layout.cell):
            needed = "a head, a row and a column" if layout.has_heads else "a row and a column"
            problems.append(f"a cell of it is {needed}, so none is pinned")
            cell = None
        elif any(index >= size for index, size in zip(cell, layout.cell, strict=True)) or min(cell) < 0:
            cell = tuple(max(0, min(index, size - 1)) for index, size in zip(cell, layout.cell, strict=True))
            problems.append(f"its shape is {layout.cell}, so the nearest cell is pinned")
    if head is not None and not _layout(step).has_heads:
        head = None  # it applies to operations that have heads
    elif head is not None and not 0 <= head < heads:
        head = None
        problems.append(f"it has {heads} heads, so all are shown")
    if row is not None and not 0 <= row < _answer_rows(walk):
        row = max(0, min(row, _answer_rows(walk) - 1))
        problems.append(f"the answer has {_answer_rows(walk)} rows, so the nearest is marked")
    look = replace(look, cell=cell, gradient_of=of if cell else "", head=head, marked_row=row)
    at_a_time, width = _fold(walk, step, look.gradient)
    if head is not None:
        first_head = head
    elif cell is not None and layout.has_heads:
        first_head = cell[0]
    else:
        first_head = look.heads
    widest = max(_layout(recorded).shape[2] for recorded in _shown(walk, step))
    first_column = look.columns if cell is None else cell[-1]
    look = replace(
        look,
        heads=span(first_head, at_a_time, max(_layout(recorded).shape[0] for recorded in _shown(walk, step))).first,
        columns=span(first_column, width, widest).first,
    )
    return look, f"{title}: {'; '.join(problems)}." if problems else ""


def _answer_rows(walk: Walk) -> int:
    return len(walk.tokens.get("T") or walk.tokens["S"])


def _shown(walk: Walk, step: Step) -> list[Step]:
    """The visible tensors: inputs, masks last, and the output."""
    inputs = [walk[name] for name in step.operation.inputs]
    return [*sorted(inputs, key=lambda recorded: _KINDS.get(recorded.operation.tap) == "mask"), step]


def _fold(walk: Walk, step: Step, gradient: bool) -> tuple[int, int]:
    """Number of heads and columns shown at a time."""
    shown, extents, room = _shown(walk, step), [], MAX_MESSAGE_BYTES - 3_000
    letters: set[str] = set()
    slopes = walk.gradients() if gradient else {}
    for recorded in shown:
        layout = _layout(recorded)
        cell = 1 if _KINDS.get(recorded.operation.tap) == "mask" else 4
        hidden = walk.hidden(recorded.name) is not None or cell == 1
        extents.append(Extent(*layout.shape, cell=cell + 4 * (recorded.name in slopes) + hidden))
        letters |= set(layout.letters[1:])
        room -= 700
    for letter in letters:
        names = sorted((_bytes(name) for name in _names(walk, step, letter)), reverse=True)
        room -= sum(names[:128] if letter == "V" else names)
    return fold(extents, room)


def _bytes(name: str) -> int:
    return len(name[:LONGEST_LABEL].encode()) + 3


def _names(walk: Walk, step: Step, letter: str) -> Sequence[str]:
    """Key of the tokens along an axis: a sequence or the vocabulary; empty for other axes."""
    if letter == "V":
        return token_names(walk.model.config.task)
    return walk.tokens.get(letter, ())


def _packed(walk: Walk, step: Step, look: Look, name: str) -> tuple[bytes, bytes]:
    """The packed tensors for this look, shared by all visitors."""
    key = (name, step.name, look.heads, look.columns, look.gradient, look.marked_row)
    if name and (known := _packs.get(key)):
        return known
    made = pack(*heatmaps(walk, step, look))
    if name:
        _packs.put(key, made)
    return made


_packs: BoundedCache[tuple[object, ...], tuple[bytes, bytes]] = BoundedCache(18_000_000, lambda two: sum(map(len, two)))


def heatmaps(walk: Walk, step: Step, look: Look) -> tuple[list[Heatmap], dict[str, tuple[int, Sequence[str]]]]:
    """Heatmaps and their labels by letter: the first named index, and the names."""
    at_a_time, width = _fold(walk, step, look.gradient)
    slopes = walk.gradients() if look.gradient else {}
    labels: dict[str, tuple[int, Sequence[str]]] = {}
    drawn = []
    for recorded in _shown(walk, step):
        layout = _layout(recorded)
        heads, rows, columns = layout.shape
        head_span = span(look.heads, at_a_time, heads)
        column_span = span(look.columns, width, columns)
        head_letter, row_letter, column_letter = layout.letters
        row_labels, column_labels = row_letter, column_letter
        tap = recorded.operation.tap
        if tap == "labels":  # labels have the positions of the tokens read, but are other tokens
            column_labels = "labels"
            labels["labels"] = (0, decode(recorded.value[0].tolist(), walk.model.config.task))
        for letter in (row_labels, column_labels):
            if letter == "V":
                labels["V"] = (column_span.first, _names(walk, step, "V")[column_span.part])
            elif names := _names(walk, step, letter):
                labels[letter] = (0, names)

        spans = (layout.shape, head_span, column_span)
        slope, hidden = slopes.get(recorded.name), walk.hidden(recorded.name)
        drawn.append(
            Heatmap(
                name=recorded.name,
                title=title_beside(recorded.name, step.name),
                values=_part(recorded.value, *spans),
                axes=layout.axes,
                heads=head_span if layout.has_heads else None,
                head_axis=head_letter,
                rows=Side(row_letter, Span(0, rows, rows), row_labels if row_labels in labels else ""),
                columns=Side(column_letter, column_span, column_labels if column_labels in labels else ""),
                kind=_KINDS.get(tap, "signed"),
                role=role(tap),
                output=recorded is step,
                marked=look.marked_row if row_letter == ("T" if "T" in walk.tokens else "S") else None,
                gradient=None if slope is None else _part(slope, *spans),
                hidden=None if hidden is None else _part(hidden, *spans),
            )
        )
    return drawn, labels


def thumbnail(walk: Walk, step: Step, rows: int, columns: int) -> Heatmap:
    """A cut of the first head of a tensor: at most so many rows and columns."""
    layout = _layout(step)
    have = layout.shape[1:]
    tall = min(rows, have[0])
    across = Span(0, min(columns, have[1]), have[1])
    spans = (layout.shape, Span(0, 1, layout.shape[0]), across)
    hidden = walk.hidden(step.name)
    return Heatmap(
        name=step.name,
        title=title_beside(step.name, step.name),
        values=_part(step.value, *spans)[:, :tall],
        axes=layout.axes,
        heads=Span(0, 1, layout.shape[0]) if layout.has_heads else None,
        rows=Side(layout.letters[1], Span(0, tall, tall)),
        columns=Side(layout.letters[2], across),
        kind=_KINDS.get(step.operation.tap, "signed"),
        hidden=None if hidden is None else _part(hidden, *spans)[:, :tall],
    )


def _part(tensor: Tensor, shape: tuple[int, int, int], heads: Span, columns: Span) -> np.ndarray:
    """The visible values (heads, rows, columns); values shared by all heads come once."""
    values = tensor.numpy().reshape(-1, *shape[1:])
    return values[heads.part if len(values) > 1 else slice(None), :, columns.part]


_component = st.components.v2.component(
    "playground_tensors", html='<div class="tensors framed"></div>', js=loader("passes/tensors.ts")
)

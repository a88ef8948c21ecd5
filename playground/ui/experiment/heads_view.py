"""Heads view: the attention weights of all heads, averages, roles, and single scores."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from playground.explain.inspection import Walk
from playground.interpret import heads as interpret
from playground.interpret.heads import Grid, Pair
from playground.model import head_paths
from playground.model.head_paths import Head
from playground.settings.config import TaskConfig
from playground.tasks import PAD
from playground.tasks.batches import Sequences
from playground.training import roles
from playground.ui.parts import measurements, style
from playground.ui.parts.heatmaps.heatmap import Heatmap
from playground.ui.passes import maps
from playground.ui.passes.frame import Pass
from playground.ui.session import at_step
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, flag, number
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key

HEADS_AVERAGE = Key[int]("heads average", 0, "Widget: input length to average over; 0: own input")
HEADS_KIND = Key[str]("heads kind", "all", "Widget: kind of attention that is shown")
HEADS_PAIR = Key[str | None]("heads pair", None, "Head, query and key that are compared: PATH.head.N.QUERY.KEY")
HEADS_ROLES = Key[bool]("heads roles", False, "Widget: roles of heads are measured")

ADDRESS = QueryParams(
    "heads_view",
    QueryParam("kind", HEADS_KIND),
    QueryParam("average", HEADS_AVERAGE, number(4)),
    QueryParam("roles", HEADS_ROLES, flag),
    QueryParam("pair", HEADS_PAIR),
)

MAX_WEIGHT_BYTES = 1_000_000
"""Maximum size of the weights of all kinds in one message; larger models show one kind at a time."""

_WHERE = "heads"
_ALL = "all"


def draw(shown: Pass) -> None:
    """Draw the view."""
    walk = shown.walk
    if walk.overflow:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="heads-choice"):
        length = _choose_weights(walk)
        grids = interpret.grids(walk.values, walk.model.config.model)
        kind = _choose_kind(grids)
        st.toggle(
            "Show roles",
            help="Measures on held-out inputs which positions each head attends to. Pauses while training steps play.",
            **HEADS_ROLES.widget,
        )
    pair, problem = _pair(walk) if not length else (None, "")
    if problem:
        style.message(problem, "wrong")
    container = st.container(key="heads")
    notes = _roles(shown)
    caption = "Point at a token or a cell to see its weights. Click a cell to see how its score is computed."
    if length:
        averaged = measurements.show("average", (shown.identity, length), interpret.average_grids, walk.model, length)
        if averaged is None:
            return
        grids = averaged
        inputs = f"{_lengths(walk.model.config.task)[length]:,} held-out inputs of length {length}"
        caption = f"Averaged over {inputs}. The decoder reads the right answers."
    grids = [grid for grid in grids if kind in (_ALL, grid.kind)]
    with container:
        style.caption(
            f"{caption} Rows (↓) are queries, columns (→) are keys. {_AXES[walk.model.config.model.architecture]} "
            "Layers, heads and positions are counted from 1."
        )
        if notes:
            style.caption(f"Roles: {roles.ROLE_LETTERS}")
        opened = _maps(walk, grids, pair, notes, average=bool(length))
    if head := _head(walk, opened):
        keys.OPERATION.set(head_paths.weights_tap(head.attention))
        keys.HEAD.set(head.number)
        keys.CELL.set(None)
        st.switch_page(STEP_THROUGH.file)
    if pair:
        _unfold(walk, *pair)


_SOURCE, _TARGET = "S: positions of the input.", "T: positions of the decoder's input."
_AXES = {"encoder-decoder": f"{_SOURCE} {_TARGET}", "encoder-only": _SOURCE, "decoder-only": _TARGET}


def _choose_weights(walk: Walk) -> int:
    """Draw the selector of weights; returns the input length to average over, 0 for the visitor's input."""
    lengths = _lengths(walk.model.config.task)
    if (wanted := HEADS_AVERAGE.get()) not in (0, *lengths):
        style.message(f"No held-out input has length {wanted}. Your input is shown.", "care")
        HEADS_AVERAGE.set(0)
    chosen: int = st.selectbox(
        "Attention weights",
        (0, *lengths),
        format_func=lambda length: f"Average, length {length}" if length else "Your input",
        width=220,
        help="Of your input, or averaged over the held-out inputs of one length.",
        **HEADS_AVERAGE.widget,
    )
    return chosen


def _lengths(task: TaskConfig) -> dict[int, int]:
    """Number of held-out inputs by their length."""
    lengths = (Sequences.of(task).held_out() != PAD).sum(1)
    return {length: count for length, count in enumerate(lengths.bincount().tolist()) if count}


def _choose_kind(grids: Sequence[Grid]) -> str:
    kinds = [grid.kind for grid in grids]
    if len(kinds) > 1 and sum(grid.weights.nbytes for grid in grids) <= MAX_WEIGHT_BYTES:
        kinds.insert(0, _ALL)
    if HEADS_KIND.get() not in kinds:
        HEADS_KIND.set(kinds[0])
    if len(kinds) == 1:
        return kinds[0]
    st.segmented_control("Attention type", kinds, required=True, format_func=str.capitalize, **HEADS_KIND.widget)
    return HEADS_KIND.get()


def _maps(
    walk: Walk, grids: Sequence[Grid], pair: "_Pair | None", notes: dict[Head, maps.Note], *, average: bool
) -> Any:
    """Draw all heads, a tensor for each attention; returns the head that was just opened, as the browser sent it."""
    pictures: list[Heatmap] = []
    below: list[list[maps.Note]] = []
    chosen: maps.HeadCell | None = None
    for grid in grids:
        for layer, path in enumerate(grid.attentions):
            letters = maps.letters(path)
            if pair and pair[0].attention == path:
                chosen = (len(pictures), pair[0].number, *pair[1:])
            title = f"{grid.kind.capitalize()}, layer {layer + 1}"
            pictures.append(
                maps.heatmap(
                    path,
                    title,
                    grid.weights[layer],
                    letters,
                    ("", "") if average else letters,
                    kind="probability",
                    hidden=None if average else walk.hidden(head_paths.weights_tap(path)),
                )
            )
            below.append([notes[head] for head in _heads(walk, path) if head in notes])
    return maps.show(
        _WHERE,
        pictures,
        {} if average else walk.tokens,
        words=("query", "key", "weight"),
        notes=below,
        opens=True,
        chosen=chosen,
        on_pair=None if average else _keep_pair,
    )


def _heads(walk: Walk, path: str) -> list[Head]:
    return [Head(path, number) for number in range(walk.model.config.model.n_heads)]


# ---- roles


def _roles(shown: Pass) -> dict[Head, maps.Note]:
    """The role of each head, if Roles is on; empty until measured."""
    if not HEADS_ROLES.get():
        return {}
    model = shown.walk.model
    measured = None
    if not at_step.is_playing():
        measured = measurements.show("roles", shown.identity, roles.measure_roles, model)
    if measured is None:
        return dict.fromkeys(head_paths.heads(model.config.model), ("", ""))
    sequences = len(Sequences.of(model.config.task).held_out())
    return {head: _note(scores, sequences) for head, scores in measured.items()}


def _note(scores: list[roles.RoleScore], sequences: int) -> maps.Note:
    """The role of a head with its score, and how the score was computed."""
    if best := roles.role(scores):
        return f"{roles.ROLES[best.role].words}: {best.weight:.2f}", roles.how(best, sequences)
    nearest = max(scores, key=lambda score: score.above)
    return "no role", (
        f"No role gets half of this head's weight. The nearest is {roles.ROLES[nearest.role].words}: "
        f"{nearest.weight:.2f}. {roles.how(nearest, sequences)}"
    )


# ---- a pair

_Pair = tuple[Head, int, int]


def _keep_pair() -> None:
    """Store the cell that the browser reports; `_pair` validates it."""
    sent = keys.MAPS.of(_WHERE).get().get("pair")
    if isinstance(sent, list) and len(sent) == 4 and isinstance(sent[0], str):
        HEADS_PAIR.set(f"{sent[0]}.head." + ".".join(map(str, sent[1:])))


def _close_pair() -> None:
    HEADS_PAIR.set(None)


def _head(walk: Walk, sent: Any) -> Head | None:
    """The head that the browser reports; None if this model doesn't have it."""
    if not isinstance(sent, list) or len(sent) != 2:
        return None
    return next((head for head in head_paths.heads(walk.model.config.model) if [*head] == sent), None)


def _pair(walk: Walk) -> tuple[_Pair | None, str]:
    """The chosen head, query and key (from 0), and an error message if a link names an invalid one."""
    text = HEADS_PAIR.get()
    if not text:
        return None, ""
    path, _, numbers = text.rpartition(".head.")
    indices = [int(part) for part in numbers.split(".") if part.isdecimal() and len(part) < 5]
    if len(indices) != 3 or numbers.count(".") != 2 or path not in head_paths.attentions(walk.model.config.model):
        return None, f"This model has no head, query and key “{text[:80]}”. Click a cell."
    weights = walk[head_paths.weights_tap(path)].value[0]
    if any(number >= size for number, size in zip(indices, weights.shape, strict=True)):
        heads, queries, of_keys = weights.shape
        there = f"This pass has {heads} heads, {queries} queries and {of_keys} keys."
        return None, f"The chosen pair doesn't exist. {there} Click a cell."
    return (Head(path, indices[0]), indices[1], indices[2]), ""


def scaling(pair: Pair) -> str:
    """The recorded change of a score before softmax, as a sentence: a run with a pitfall may not divide it."""
    width = len(pair.terms)
    divided = math.isclose(pair.scaled_score, pair.score / math.sqrt(width), rel_tol=1e-4, abs_tol=1e-6)
    return f" Before softmax it becomes {pair.scaled_score:.4f}{f', divided by √{width}' if divided else ''}."


def _unfold(walk: Walk, head: Head, query: int, key: int) -> None:
    """Draw the score of one query and one key as a sum over the head width."""
    pair = interpret.pair(walk.values, head, query, key)
    row, column = maps.letters(head.attention)
    names = [
        f"“{walk.tokens[letter][position]}” ({letter} {position + 1})"
        for letter, position in ((row, query), (column, key))
    ]
    width = len(pair.terms)
    with st.container(border=True, key="pair"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.html(f"<b>Query {escape(names[0])}, key {escape(names[1])}: {escape(head.words)}</b>", width="content")
            st.button("Close", key="close pair", icon=":material/close:", shortcut="Esc", on_click=_close_pair)
        settings = walk.model.config.model
        scaled = scaling(pair) if settings.scale_scores or settings.logit_cap else ""
        hidden = " A mask hides this key from the query." if pair.masked_score == float("-inf") else ""
        style.caption(
            f"The score {pair.score:.4f} is the sum of {width} products.{scaled}{hidden} "
            f"Attention weight: {pair.weight:.4f}."
        )
        rows = [
            {"dimension": dimension + 1, "query": q, "key": k, "product": product}
            for dimension, (q, k, product) in enumerate(
                zip(pair.query.tolist(), pair.key.tolist(), pair.terms.tolist(), strict=True)
            )
        ]
        ends = [min(0.0, float(pair.terms.min())), max(0.0, float(pair.terms.max())) or 1.0]
        tooltip = [{"field": "dimension", "type": "quantitative", "title": "dimension"}]
        tooltip += [
            {"field": name, "type": "quantitative", "title": name, "format": ".4f"}
            for name in ("query", "key", "product")
        ]
        st.vega_lite_chart(
            {
                "data": {"values": rows},
                "description": f"Products of query and key in {width} dimensions; they sum to {pair.score:.4f}.",
                "mark": "bar",
                "height": 130,
                "encoding": {
                    "x": {"field": "dimension", "type": "ordinal", "title": "dimension of the head, from 1",
                          "axis": {"labelAngle": 0, "labelOverlap": True}},
                    "y": {"field": "product", "type": "quantitative", "title": "product",
                          "scale": {"domain": ends}},
                    "tooltip": tooltip,
                },
            },
            width="stretch",
        )  # fmt: skip
        with st.expander("Numbers"):
            cells = [
                [str(term["dimension"]), *(f"{term[name]:.4f}" for name in ("query", "key", "product"))]
                for term in rows
            ]
            total = ["<b>sum</b>", "", "", f"<b>{pair.score:.4f}</b>"]
            st.html(style.table(["dimension", "query", "key", "product"], [*cells, total]))

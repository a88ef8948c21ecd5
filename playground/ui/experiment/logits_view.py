"""Logits view: logit lens, contributions to one logit, norms of the residual vectors."""

from collections.abc import Sequence
from html import escape

import streamlit as st
import torch

from playground.common.numbers import percent
from playground.explain.inspection import Walk
from playground.interpret.contributions import Contributions, contributions, residual_norms
from playground.interpret.lens import Lens, lens
from playground.interpret.sites import words
from playground.lessons.live_parts import Numbers
from playground.tasks import PAD, decode, token_names
from playground.ui.parts import style
from playground.ui.passes import matrices
from playground.ui.passes.frame import Pass
from playground.ui.session.address import QueryParam, QueryParams, number
from playground.ui.session.session_keys import Key

LOGIT_POSITION = Key[int]("logit position", 1, "Widget: position of the answer, from 1")
LOGIT_TOKEN = Key[int | None]("logit token", None, "Widget: id of the token of a logit")

ADDRESS = QueryParams(
    "logits_view",
    QueryParam("position", LOGIT_POSITION, number(4)),
    QueryParam("token", LOGIT_TOKEN, number(6)),
)


def draw(shown: Pass) -> None:
    """Draw the view."""
    walk = shown.walk
    if walk.overflow:
        return  # the page's frame shows a message
    with st.container(key="reading-lens"):
        seen = lens(walk.model, walk.batch)
        st.markdown("**Logit lens: the prediction after each sublayer**")
        st.html(lens_table(walk, seen))
        style.caption(
            "Each column is a position in the answer, counted from 1, with its right token. Each cell shows the most "
            f"probable token. Bar and percentage show the right token's probability. {seen.caveat}"
        )
    left, right = st.columns(2, gap="large")
    with left:
        _draw_contributions(walk, seen)
    with right:
        st.markdown("**Norm of the residual vectors**")
        matrices.show(norm_matrices(walk), "norms")
        style.caption("L2 norm at each position, after each sublayer. Equal norms have the same colour.")


def lens_table(walk: Walk, seen: Lens) -> str:
    """Table: a row for each depth, last layer first; a column for each position that predicts a token."""
    task = walk.model.config.task
    asked = _asked(walk)
    names = [decode(row, task) for row in seen.top.tolist()]
    right = [decode([token], task)[0] if token != PAD else "" for token in seen.right.tolist()]
    rows = []
    for depth in reversed(range(len(seen.depths))):
        cells = [f"<b>{escape(_depth(seen.depths[depth]))}</b>"]
        for index in asked:
            probability = float(seen.right_probability[depth, index])
            score = percent(probability) if right[index] else "–"
            shown = style.tokens([names[depth][index]], right=[right[index]] if right[index] else None)
            cells.append(
                f'{shown}{style.bar(0, probability if right[index] else 0)}<div class="small soft">{score}</div>'
            )
        rows.append(cells)
    head = ["After", *(f"{count + 1}: {right[index] or '–'}" for count, index in enumerate(asked))]
    return style.table(head, rows, scrolls="Logit lens")


def _depth(path: str) -> str:
    return "embeddings" if path.endswith(".embeddings") else words(path)


def _asked(walk: Walk) -> list[int]:
    """Positions of the pass, from 0, that predict a token."""
    return (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()


def _draw_contributions(walk: Walk, seen: Lens) -> None:
    """Draw the choice of a logit, and its terms and their sum as bars."""
    st.markdown("**Contributions to one logit**")
    asked, names = _asked(walk), token_names(walk.model.config.task)
    if LOGIT_POSITION.get() not in range(1, len(asked) + 1):
        LOGIT_POSITION.set(1)
    with st.container(horizontal=True, gap="small"):
        position = st.number_input(
            "Position of the answer",
            min_value=1,
            max_value=len(asked),
            help="Counted from 1.",
            width=180,
            **LOGIT_POSITION.widget,
        )
        index = asked[(position or 1) - 1]
        own = int(seen.top[-1, index])
        right = int(seen.right[index])
        if LOGIT_TOKEN.get() not in range(-1, len(names)):
            LOGIT_TOKEN.set(None)
        chosen = st.selectbox(
            "Token",
            range(len(names)),
            index=None,
            placeholder=f"{names[own]} (predicted)",
            format_func=names.__getitem__,
            help="Default: the token predicted at this position.",
            width=180,
            **LOGIT_TOKEN.widget,
        )
    token = own if chosen is None else chosen
    verdict = "right token" if token == right else "not the right token" if right != PAD else "no right token here"
    title = f'Logit of {style.tokens([names[token]])} <span class="small soft">({verdict})</span>'
    with style.error_messages():
        measured = contributions(walk.model, walk.batch, index, token)
        st.html(f'<div class="toks">{title}</div>')
        st.html(contribution_table(measured))
        style.caption(measured.note)


def contribution_table(measured: Contributions) -> str:
    """Table of the terms of a logit and their sum, with bars from zero on one scale."""
    total = sum(term.value for term in measured.terms)
    values = [*(term.value for term in measured.terms), total, 0.0]
    low, high = min(values), max(values)
    rows = [[escape(_term(term.path, term.kind)), *_from_zero(term.value, low, high)] for term in measured.terms]
    rows += [["<b>sum</b>", *_from_zero(total, low, high)]]
    rows += [["<b>logit in this forward pass</b>", f"<b>{measured.logit:+.4f}</b>", ""]]
    return style.table(["Part", "Contribution", ""], rows, scrolls="Contributions")


def _from_zero(value: float, low: float, high: float) -> list[str]:
    """A value and a bar from zero to it."""
    start, end = ((bound - low) / ((high - low) or 1.0) for bound in sorted((0.0, value)))
    return [f"{value:+.4f}", style.bar(start, end, positive=value > 0)]


def _term(path: str, kind: str) -> str:
    if path == "head.bias":
        return "output layer bias"
    return {"embedding": "token embedding", "positions": "position"}.get(kind) or words(path)


def norm_matrices(walk: Walk) -> list[Numbers]:
    """Norms of the residual vectors: a matrix for each stack, a row for each depth, a column for each token."""
    by_path = residual_norms(walk.model, walk.batch)
    matrices = []
    for stack in dict.fromkeys(path.partition(".")[0] for path in by_path):
        rows = {path: norms for path, norms in by_path.items() if path.startswith(f"{stack}.")}
        tokens: Sequence[str] = walk.tokens["S" if stack == "encoder" and "S" in walk.tokens else "T"]
        names = [_short(path) for path in rows]
        matrices.append(Numbers(stack.capitalize(), torch.stack([*rows.values()]), ("", ""), names, tokens, digits=1))
    return matrices


def _short(path: str) -> str:
    """Label of a depth, such as "1 cross-attention"."""
    if path.endswith(".embeddings"):
        return "embeddings"
    _, _, layer, name = path.split(".")
    return f"{int(layer) + 1} {name.replace('_', '-')}"

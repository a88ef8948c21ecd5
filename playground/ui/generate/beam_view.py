"""Beam search as a tree: a column for each round, with the prefixes that it keeps and those that it drops."""

import math
from collections.abc import Sequence
from html import escape

import streamlit as st

from playground.config import TaskConfig
from playground.decoding import Beam, Round, rounds
from playground.figures import counted, percent
from playground.inspection import Walk
from playground.tasks import decode
from playground.ui.parts import style
from playground.ui.session import session_keys as keys
from playground.ui.session.view import Field
from playground.ui.step import subject

MAX_WIDTH = 8
MAX_DROPPED = 12
"""Dropped prefixes of a round in the tree; the table has all."""

_COLUMN, _ROW, _NODE, _TOP = 116, 34, 92, 26
"""Pixels: from column to column, from row to row, width of a node, and height of the head."""


def _width(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 3 and 1 <= int(text) <= MAX_WIDTH else None


FIELDS = (Field("beams", keys.BEAMS, _width),)


def choose_width() -> None:
    """Draws the setting of beam search."""
    st.number_input(
        "Beams",
        min_value=1,
        max_value=MAX_WIDTH,
        key=keys.BEAMS.name,
        persist_state="session",
        width=130,
        help="Prefixes that are kept in each round. One beam is greedy decoding.",
    )


def draw(walk: Walk) -> None:
    """Draws the tree, the answers, and every prefix as a table."""
    task, width = walk.model.config.task, keys.BEAMS.get()
    found = list(rounds(walk.model, subject.source_tokens(walk), width))
    with st.container(key="beams"):
        st.html(tree(found, task))
        style.caption(
            f"Each round extends every open prefix by its {counted(width, 'most probable token')} and keeps "
            f"{counted(width, 'prefix') if width == 1 else f'the {width} best prefixes'}. A number is the sum of the "
            "logarithms of the probabilities. The thick path is the answer; dashed prefixes are dropped."
        )
        st.html(answer_table(found[-1].kept, task))
    with st.expander("All prefixes"):
        st.html(round_table(found, task))


def answer_table(beams: Sequence[Beam], task: TaskConfig) -> str:
    """The answers that are kept at the end, the most probable first."""
    rows = [
        [
            str(rank),
            style.tokens(_names(beam, task)),
            f"{beam.log_probability:.4f}",
            percent(math.exp(beam.log_probability)),
            "yes" if beam.ended else "no, too long",
        ]
        for rank, beam in enumerate(beams, 1)
    ]
    return style.table(["Rank", "Answer", "Log probability", "Probability", "Complete"], rows, scrolls="Answers")


def round_table(found: Sequence[Round], task: TaskConfig) -> str:
    """Every prefix that a round compared."""
    rows = [
        [str(number), "kept" if kept else "dropped", style.tokens(_names(beam, task)), f"{beam.log_probability:.4f}"]
        for number, each in enumerate(found, 1)
        for kept, beams in ((True, each.kept), (False, each.dropped))
        for beam in beams
    ]
    return style.table(["Round", "", "Prefix", "Log probability"], rows, scrolls="All prefixes")


def tree(found: Sequence[Round], task: TaskConfig) -> str:
    """The rounds as an SVG. A node is the last token of a prefix, with its log probability."""
    best, links, nodes = found[-1].kept[0], list[str](), list[str]()
    before: Sequence[Beam] = [Beam((), 0.0)]
    for column, each in enumerate(found, 1):
        shown = [*each.kept, *each.dropped[:MAX_DROPPED]]
        for row, beam in enumerate(shown):
            parent = before.index(_parent(beam, before))
            kind = "kept" if row < len(each.kept) else "dropped"
            if kind == "kept" and _leads_to(beam, best):
                kind = "best"
            links.append(_link(column, parent, row, kind))
            nodes.append(_node(column, row, kind, beam, task))
        if hidden := len(each.dropped) - MAX_DROPPED:
            nodes += [_text(column, len(shown), f"{hidden} more")] if hidden > 0 else []
        nodes.append(f'<text class="head" x="{column * _COLUMN + 8}" y="16">Round {column}</text>')
        before = each.kept
    rows = max(len(each.kept) + min(len(each.dropped), MAX_DROPPED + 1) for each in found)
    wide, high = (len(found) + 1) * _COLUMN, rows * _ROW + _TOP
    told = (
        f"Beam search, {counted(len(found), 'round')}. The answer is {' '.join(_names(best, task))}, "
        f"log probability {best.log_probability:.4f}."
    )
    start = f'<text class="head" x="8" y="{_TOP + _ROW // 2 + 5}">start</text>'
    return (
        '<div class="table-wrap beam-tree" tabindex="0" role="region" aria-label="Tree of beam search">'
        f'<svg role="img" aria-label="{escape(told)}" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f"{''.join(links)}{start}{''.join(nodes)}</svg></div>"
    )


def _parent(beam: Beam, before: Sequence[Beam]) -> Beam:
    """The prefix of the round before that this one extends; an ended one stays as it is."""
    if beam in before:
        return beam
    wanted = beam.tokens if beam.ended else beam.tokens[:-1]
    return next(each for each in before if not each.ended and each.tokens == wanted)


def _leads_to(beam: Beam, best: Beam) -> bool:
    return beam == best or (not beam.ended and best.tokens[: len(beam.tokens)] == beam.tokens)


def _names(beam: Beam, task: TaskConfig) -> list[str]:
    return decode([*beam.tokens, *([] if beam.end is None else [beam.end])], task)


def _corner(column: int, row: int) -> tuple[int, int]:
    """The left upper corner of a node."""
    return column * _COLUMN + 8, _TOP + row * _ROW


def _link(column: int, parent: int, row: int, kind: str) -> str:
    """A line from a prefix to one that extends it."""
    start = (
        (46, _TOP + 14) if column == 1 else (_corner(column - 1, parent)[0] + _NODE, _corner(column, parent)[1] + 14)
    )
    end = (_corner(column, row)[0], _corner(column, row)[1] + 14)
    middle = (start[0] + end[0]) // 2
    return (
        f'<path class="link {escape(kind)}" d="M{start[0]} {start[1]}C{middle} {start[1]} {middle} {end[1]} '
        f'{end[0]} {end[1]}"/>'
    )


def _node(column: int, row: int, kind: str, beam: Beam, task: TaskConfig) -> str:
    left, top = _corner(column, row)
    names = _names(beam, task)
    told = f"{' '.join(names)}: {beam.log_probability:.4f}, {kind}"
    return (
        f'<g class="node {escape(kind)}"><title>{escape(told)}</title>'
        f'<rect x="{left}" y="{top}" width="{_NODE}" height="28" rx="6"/>'
        f'<text class="token" x="{left + 8}" y="{top + 19}">{escape(names[-1])}</text>'
        f'<text class="sum" x="{left + _NODE - 6}" y="{top + 18}">{beam.log_probability:.3f}</text></g>'
    )


def _text(column: int, row: int, text: str) -> str:
    left, top = _corner(column, row)
    return f'<text class="sum more" x="{left + _NODE - 6}" y="{top + 18}">{escape(text)}</text>'

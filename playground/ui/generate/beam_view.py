"""Beam search as a tree: a column for each round, with its kept and dropped prefixes.

Drawn by beam_tree.ts.
"""

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from playground.common.numbers import counted, percent
from playground.decoding import Beam, Round, rounds
from playground.explain.inspection import Walk
from playground.settings.config import TaskConfig
from playground.tasks import decode
from playground.ui.parts import style
from playground.ui.passes import subject
from playground.ui.server.assets import loader
from playground.ui.session.address import QueryParam
from playground.ui.session.session_keys import Key

BEAM_TREE = Key[Any]("beam tree", None, "Component: rounds of beam search")
BEAMS = Key[int]("beam width", 3, "Widget: beams that beam search keeps")

MAX_WIDTH = 8
MAX_DROPPED = 12
"""Maximum number of dropped prefixes per round in the tree; the table has all."""

_tree = st.components.v2.component(
    "playground_beam_tree", html='<div class="beam-tree"></div>', js=loader("generate/beam_tree.ts")
)


def _width(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 3 and 1 <= int(text) <= MAX_WIDTH else None


PARAMS = (QueryParam("beams", BEAMS, _width),)


def choose_width() -> None:
    """Draw the setting of beam search."""
    st.number_input(
        "Beams",
        min_value=1,
        max_value=MAX_WIDTH,
        width=130,
        help="Prefixes that are kept in each round. One beam is greedy decoding.",
        **BEAMS.widget,
    )


def draw(walk: Walk) -> None:
    """Draw the tree, the answers, and a table of all prefixes."""
    task, width = walk.model.config.task, BEAMS.get()
    beam_rounds = list(rounds(walk.model, subject.source_tokens(walk), width))
    with st.container(key="beams"):
        _tree(key=BEAM_TREE.name, data=tree(beam_rounds, task), height="content")
        style.caption(
            f"Each round extends every prefix without EOS by its {counted(width, 'most probable token')}. Then it "
            f"keeps {'the best prefix' if width == 1 else f'the {width} best prefixes'}, complete ones included. "
            "Numbers are log probabilities, summed over the prefix. The thick path is the answer. Dashed prefixes are "
            "dropped."
        )
        st.html(answer_table(beam_rounds[-1].kept, task))
    with st.expander("All prefixes"):
        st.html(round_table(beam_rounds, task))


def answer_table(beams: Sequence[Beam], task: TaskConfig) -> str:
    """Table of the final answers, most probable first."""
    rows = [
        [
            str(rank),
            style.tokens(_names(beam, task)),
            f"{beam.log_probability:z.4f}",
            percent(math.exp(beam.log_probability)),
            "yes" if beam.ended else "no: maximum length reached",
        ]
        for rank, beam in enumerate(beams, 1)
    ]
    return style.table(["Rank", "Answer", "Log probability", "Probability", "Complete"], rows, scrolls="Answers")


def round_table(beam_rounds: Sequence[Round], task: TaskConfig) -> str:
    """Table of all prefixes of each round."""
    rows = [
        [str(number), "kept" if kept else "dropped", style.tokens(_names(beam, task)), f"{beam.log_probability:z.4f}"]
        for number, beam_round in enumerate(beam_rounds, 1)
        for kept, beams in ((True, beam_round.kept), (False, beam_round.dropped))
        for beam in beams
    ]
    return style.table(["Round", "", "Prefix", "Log probability"], rows, scrolls="All prefixes")


def tree(beam_rounds: Sequence[Round], task: TaskConfig) -> dict[str, Any]:
    """Data for beam_tree.ts: columns of nodes, each with the row of its parent in the previous column."""
    best = beam_rounds[-1].kept[0]
    before: Sequence[Beam] = [Beam((), 0.0)]
    columns = []
    for beam_round in beam_rounds:
        nodes = []
        for row, beam in enumerate([*beam_round.kept, *beam_round.dropped[:MAX_DROPPED]]):
            names = _names(beam, task)
            word = "kept" if row < len(beam_round.kept) else "dropped"
            kind = "best" if word == "kept" and _leads_to(beam, best) else word
            nodes.append(
                {
                    "parent": before.index(_parent(beam, before)),
                    "kind": kind,
                    "label": names[-1],
                    "sum": f"{beam.log_probability:z.3f}",
                    "description": f"{' '.join(names)}: {beam.log_probability:z.4f}, {word}",
                }
            )
        columns.append({"nodes": nodes, "more": max(0, len(beam_round.dropped) - MAX_DROPPED)})
        before = beam_round.kept
    description = (
        f"Beam search, {counted(len(beam_rounds), 'round')}. The answer is {' '.join(_names(best, task))}, "
        f"log probability {best.log_probability:z.4f}."
    )
    return {"columns": columns, "description": description}


def _parent(beam: Beam, before: Sequence[Beam]) -> Beam:
    """The prefix of the previous round that this one extends; a complete answer is its own parent."""
    if beam in before:
        return beam
    wanted = beam.tokens if beam.ended else beam.tokens[:-1]
    return next(prefix for prefix in before if not prefix.ended and prefix.tokens == wanted)


def _leads_to(beam: Beam, best: Beam) -> bool:
    return beam == best or (not beam.ended and best.tokens[: len(beam.tokens)] == beam.tokens)


def _names(beam: Beam, task: TaskConfig) -> list[str]:
    return decode([*beam.tokens, *([] if beam.end is None else [beam.end])], task)

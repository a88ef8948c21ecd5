"""Charts of the development of one run or of several, on the same axis of steps."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from playground.interpret.development import Development, HeadState, ModelState, effective_rank
from playground.interpret.transitions import Transition
from playground.model.head_paths import Head, heads
from playground.pictures import charts
from playground.pictures.step_lines import Mark, spectrum, step_lines
from playground.settings.config import ModelConfig
from playground.training.roles import ROLES

RANK = (
    "Effective rank: e to the entropy of the singular values divided by their sum (Roy & Vetterli 2007). It is at most "
    "the head width."
)


def weights_words(settings: ModelConfig) -> str:
    """What QK and OV are in a model with these settings, in sentences."""
    sentence = "QK is W_Q transposed times W_K, OV is W_O times W_V."
    if settings.attention == "grouped_query":
        return f"{sentence} The heads of a group have the same W_K and W_V."
    if settings.attention == "latent":
        turned = ", without the rotary part" * (settings.positions == "rotary")
        return f"{sentence} W_K is W_UK times W_DKV, and W_V is W_UV times W_DKV{turned}."
    return sentence


_Curves = Mapping[str, Sequence[tuple[int, float]]]
"""Points (step, value) by the name of their line."""


class _Panel(NamedTuple):
    """A chart of lines over steps."""

    title: str
    curves: _Curves
    unit: str
    marked: Sequence[Mark] = ()
    share: bool = False


_KINDS = {"encoder self-attention": "encoder", "decoder self-attention": "decoder", "cross-attention": "cross"}


def label(head: Head, settings: ModelConfig) -> str:
    """A head in a legend, its layer and its number from 1: "2.4", in an encoder-decoder model "cross 2.4"."""
    layer = head.words.rpartition(" ")[2]
    kind = f"{_KINDS[head.kind]} " if settings.architecture == "encoder-decoder" else ""
    return f"{kind}{layer}.{head.number + 1}"


def colours() -> Sequence[str]:
    """Colours of lines for the theme."""
    return charts.SERIES_COLOURS["dark" if st.context.theme.type == "dark" else "light"]


def listed(found: Development) -> list[Transition]:
    """The transitions as they are numbered from 1: those of the entropy, which are many, are the last."""
    return sorted(found.transitions, key=lambda each: each.kind == "entropy")


def marks(found: Development, *, entropy: bool = False) -> list[Mark]:
    """The transitions with their numbers; those of the entropy, in a row of their own, only on request."""
    return [
        Mark(each.first, each.last, number, row=int(each.kind == "entropy"))
        for number, each in enumerate(listed(found), 1)
        if entropy or each.kind != "entropy"
    ]


def draw(found: Development, role: str) -> None:
    """Draw all charts of one run. `role` is that of the lines of heads; empty: the nearest role of each head."""
    settings, marked = found.config.model, marks(found)
    every = {head: label(head, settings) for head in heads(settings)}

    def of_heads(value: Callable[[HeadState], float]) -> _Curves:
        return {
            name: [(state.step, value(state.heads[head])) for state in found.states] for head, name in every.items()
        }

    def of_states(values: Mapping[str, Callable[[ModelState], float]]) -> _Curves:
        return {name: [(state.step, value(state)) for state in found.states] for name, value in values.items()}

    roles = {head: role or found.nearest_role(head) for head in every}
    to_roles = {
        name if role else f"{name} {ROLES[roles[head]].short}": [
            (state.step, state.heads[head].weight(roles[head])) for state in found.states
        ]
        for head, name in every.items()
    }
    norms = {part: partial(_norm, part) for part in found.states[-1].weight_norm}
    loss = {"training": lambda state: state.training.loss, "held out": lambda state: state.held_out.loss}
    exact = {"training": lambda state: state.training.exact_match, "held out": lambda state: state.held_out.exact_match}
    sharp = marks(found, entropy=True)
    attention = f"Attention to {ROLES[role].words}" if role else "Attention to the nearest role of each head"
    panels = [
        _Panel("Loss", of_states(loss), "nats per token", marked),
        _Panel("Exact match", of_states(exact), "% right", marked, share=True),
        _Panel(attention, to_roles, "% of the attention weight", marked, share=True),
        _Panel("Entropy of attention", of_heads(lambda state: state.entropy), "bits", sharp),
        _Panel("Rank of QK", of_heads(lambda state: effective_rank(state.qk)), "effective rank", marked),
        _Panel("Rank of OV", of_heads(lambda state: effective_rank(state.ov)), "effective rank", marked),
        _Panel("Weight norm", of_states(norms), "L2 norm", marked),
    ]
    if found.states[-1].spectrum:
        peaks = of_states({"peaks": lambda state: state.peak_share})
        panels.append(_Panel("Power in the five strongest frequencies", peaks, "% of the power", marked, share=True))
    _draw(panels, found.steps[-1], colours())


def draw_compared(every: Mapping[str, Development], head: Head, role: str, of_runs: Sequence[str]) -> None:
    """Draw charts with a line for each run, in the colours `of_runs`: of one head, and of the whole model.

    `role` is that of the head; empty: its nearest role in the first run.
    """
    asked = role or next(iter(every.values())).nearest_role(head)

    def of(value: Callable[[ModelState], float]) -> _Curves:
        return {name: [(state.step, value(state)) for state in found.states] for name, found in every.items()}

    attention, known = f"Attention to {ROLES[asked].words}", "Exact match on training inputs"
    panels = [
        _Panel(known, of(lambda state: state.training.exact_match), "% right", share=True),
        _Panel("Exact match on held-out inputs", of(lambda state: state.held_out.exact_match), "% right", share=True),
        _Panel(attention, of(lambda state: state.heads[head].weight(asked)), "% of the attention weight", share=True),
        _Panel("Entropy of attention", of(lambda state: state.heads[head].entropy), "bits"),
        _Panel("Rank of QK", of(lambda state: effective_rank(state.heads[head].qk)), "effective rank"),
        _Panel("Rank of OV", of(lambda state: effective_rank(state.heads[head].ov)), "effective rank"),
        _Panel("Weight norm of the model", of(lambda state: state.total_norm), "L2 norm"),
        _Panel("Held-out loss", of(lambda state: state.held_out.loss), "nats per token"),
    ]
    _draw(panels, max(found.steps[-1] for found in every.values()), of_runs)


def draw_spectrum(powers: Sequence[float]) -> None:
    """Draw the power of the token embedding by frequency."""
    _chart("Fourier spectrum of the token embedding", spectrum(powers, colour=colours()[0]))


def _norm(part: str, state: ModelState) -> float:
    return state.weight_norm[part]


def _draw(panels: Sequence[_Panel], last: int, of_lines: Sequence[str]) -> None:
    """Draw charts over the steps 0 to `last`, two in a row."""
    for first in range(0, len(panels), 2):
        for column, panel in zip(st.columns(2, gap="medium"), panels[first : first + 2]):
            with column:
                spec = step_lines(
                    panel.curves,
                    title=panel.title,
                    unit=panel.unit,
                    last=last,
                    colours=of_lines,
                    share=panel.share,
                    marks=panel.marked,
                )
                _chart(panel.title, spec)


def _chart(title: str, spec: dict[str, Any]) -> None:
    st.html(f'<b class="small">{escape(title)}</b>')  # a title inside the chart would not scale with the page
    with st.container(key=f"over-steps {title}"):  # has a height that scales with the page
        st.vega_lite_chart(spec, width="stretch", height="stretch")

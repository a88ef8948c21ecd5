"""Exact match by input length: a chart with the trained lengths shaded, and its numbers."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from playground.common.numbers import percent
from playground.experiments.lengths import SEQUENCES, LengthScore, points
from playground.pictures import charts
from playground.settings.config import RunConfig
from playground.ui.parts import style

MISTAKE = "This run has a classic mistake in its code, so it isn't measured on other lengths."


def draw(configs: Mapping[str, RunConfig], measured: Sequence[Sequence[LengthScore]], colours: Sequence[int]) -> None:
    """Draw the models of these names: a line for each, of a colour in `charts.SERIES_COLOURS`, and a table."""
    palette = charts.SERIES_COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    curves = {name: points(scores) for name, scores in zip(configs, measured, strict=True)}
    trained = {(config.task.min_length, config.task.max_length) for config in configs.values()}
    st.vega_lite_chart(charts.by_length(curves, trained, [palette[colour] for colour in colours]), width="stretch")
    style.caption(
        f"Trained lengths are shaded. Each point is measured on at most {SEQUENCES} inputs. Vertical lines are 95 % "
        "intervals. Training used none of these inputs."
    )
    with st.expander("Numbers"):
        lengths = sorted({score.length for scores in measured for score in scores})
        rows = [[str(length), *(_exact(scores, length) for scores in measured)] for length in lengths]
        st.html(style.table(["length", *map(escape, configs)], rows))


def _exact(scores: Sequence[LengthScore], length: int) -> str:
    match = next((score.exact_match for score in scores if score.length == length), None)
    return "" if match is None else percent(match)

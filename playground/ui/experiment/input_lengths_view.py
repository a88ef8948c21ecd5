"""Lengths view: exact match by input length, also beyond the trained lengths."""

import streamlit as st

from playground.decoding.long_inputs import MAX_FACTOR, end_of
from playground.experiments.lengths import SEQUENCES, LengthError, each_by_length, longest
from playground.ui.parts import measurements, style
from playground.ui.parts.charts import length_chart
from playground.ui.passes.frame import Pass
from playground.ui.session.address import QueryParams

ADDRESS = QueryParams("input_lengths_view")


def draw(shown: Pass) -> None:
    """Draw the view."""
    model = shown.walk.model
    with st.container(key="input-lengths"):
        st.markdown("**Exact match by length**")
        style.caption(
            f"This tests the model on {SEQUENCES} inputs per length, up to {MAX_FACTOR} times as long as in training "
            "where the positions allow it. The input above isn't used."
        )
        if shown.run and shown.run.metadata.pitfall:
            style.message(length_chart.MISTAKE, "note")
            return
        try:
            most = longest(model.config)
        except LengthError as error:
            style.message(str(error), "note")
            return
        if end := end_of(model.config):
            style.message(f"This model reads inputs up to length {most}. {end}", "note")
        measured = measurements.show(
            "lengths",
            ("model", shown.identity),
            each_by_length,
            [model],
            button="Measure",
            help="Takes seconds to minutes, depending on the model's size.",
        )
        if measured is not None:
            length_chart.draw({"exact match": model.config}, measured, [0])

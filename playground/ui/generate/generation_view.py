"""Choice of the decoding method, and the view that belongs to it."""

import streamlit as st

from playground.ui.generate import beam_view, token_view
from playground.ui.parts import style
from playground.ui.passes.frame import Pass, frame
from playground.ui.session.address import QueryParam, one_of
from playground.ui.session.pages import GENERATE
from playground.ui.session.session_keys import Key

DECODING = Key[str]("decoding", "greedy", "Widget: how tokens are chosen")

DECODINGS = {"greedy": "Greedy", "sampling": "Sampling", "beams": "Beam search"}

PARAMS = (QueryParam("decoding", DECODING, one_of(DECODINGS)), *token_view.PARAMS, *beam_view.PARAMS)


def show() -> None:
    """Draw the page."""
    frame(GENERATE, _draw, None, *PARAMS, generates=True)


def _draw(shown: Pass) -> None:
    config = shown.walk.model.config
    if config.model.architecture == "encoder-only":
        sentence = "An encoder-only model predicts its whole answer at once. Choose a model with a decoder."
        style.message(sentence, "note")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="decoding-choice"):
        st.segmented_control(
            "Decoding",
            list(DECODINGS),
            required=True,
            format_func=DECODINGS.__getitem__,
            on_change=token_view.keep_whole,
            help="Greedy takes the most probable token. Sampling draws one. Beam search compares several answers.",
            **DECODING.widget,
        )
        decoding = DECODING.get()
        if decoding == "sampling":
            token_view.choose_sampling(config)
        elif decoding == "beams":
            beam_view.choose_width()
    with style.error_messages():
        if decoding == "beams":
            beam_view.draw(shown.walk)
        else:
            token_view.draw(shown.walk, sampled=decoding == "sampling")

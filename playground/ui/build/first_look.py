"""First look: a shipped model answers the visitor's input, and a short tour leads through its forward pass."""

from html import escape

import numpy as np
import streamlit as st

from playground.common.numbers import percent
from playground.explain.outline import stops
from playground.storage.checkpoint import load
from playground.tasks import decode, example_text
from playground.ui.parts.computed import drawn, looked_at, why
from playground.ui.parts.heatmaps.heatmap import message, pack
from playground.ui.server.assets import loader
from playground.ui.session import pages, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.first_lesson import open_first_lesson

MODEL = "reverse-1-16"
"""The shipped checkpoint that answers."""

_FAINT = 0.02  # weights below are not drawn, as in first_look.ts
_LESSON = "Start with lesson 1"


def _section(state: str, lesson: str, tour: str = "", value: str = "", answer: str = "", status: str = "") -> str:
    return f"""
<section class="first wrap" aria-label="Try a trained model" {state}>
  <div class="words">
    <h2 class="name">Transformer Playground</h2>
    <p class="promise">Build a tiny transformer, watch it learn, and inspect every number inside it.</p>
    <p class="new">New here? {lesson}</p>
    <p class="new">Or follow one input through the model, from its tokens to the loss:</p>
    <div class="stops wrap" role="group" aria-label="Stops">{tour}</div>
  </div>
  <div class="demo">
    <label class="wrap">
      This trained model reverses digits. Type your own digits:
      <input maxlength="47" inputmode="numeric" spellcheck="false" autocomplete="off" value="{escape(value)}">
    </label>
    <div class="plot"{answer}</div>
    <p class="status" role="status">{escape(status)}</p>
  </div>
</section>
"""


_HTML = _section("hidden", f'<button type="button" class="stop lesson">{_LESSON}</button>', answer=">")
_first_look = st.components.v2.component("playground_first_look", html=_HTML, js=loader("build/first_look.ts"))


def show() -> None:
    """Draw the live model; a stop opens Step through at its operation, a button opens the first lesson."""
    entry = next((entry for entry in sources.library().entries() if entry.name == MODEL), None)
    if entry is None or entry.summary is None:
        return
    config = entry.summary.config
    tour = stops(config.model)
    data = {
        "name": MODEL,
        "stamp": f"{entry.modified:.6f}-{entry.bytes}",
        "input": example_text(config.task),
        "stops": {stop.title: stop.name for stop in tour},
    }
    pressed = _first_look(
        data=data, key="first-look", height="content", on_stop_change=lambda: None, on_lesson_change=lambda: None
    )
    if pressed.lesson:
        open_first_lesson()
    asked = pressed.stop
    if asked and asked.get("tap") in {stop.name for stop in tour}:
        keys.SOURCE.set(MODEL)
        keys.INPUT.set(str(asked.get("input"))[:100])
        keys.OPERATION.set(asked["tap"])
        keys.TOUR.set(True)
        st.switch_page(pages.STEP_THROUGH.file)


def opening() -> tuple[str, bytes]:
    """The first look as HTML that needs no script, and the weights that it shows, packed as for the component.

    It has the model's answer to the example, and what the answer's first token read. Raises `CheckpointError`.
    """
    folder = sources.library_of("").path(MODEL)
    model = load(folder).model
    config, tap = model.config, why(model.config)
    text = example_text(config.task)
    arrays = looked_at(model, text, [tap])
    read, written = (decode(arrays[letter].tolist(), config.task) for letter in ("S", "T"))
    heads = len(arrays[tap])
    weights = arrays[tap][:, 0].mean(0)  # of the position that predicts the first token
    most = int(np.argmax(weights))
    inputs = "".join(
        f'<span class="token{" most" * (at == most)}" style="--weight: {weight:.4f}">{escape(token)}</span>'
        for at, (token, weight) in enumerate(zip(read, weights))
    )
    outputs = "".join(
        f'<button type="button" aria-disabled="true" class="token{" shown" * (not at)}">{escape(token)}</button>'
        for at, token in enumerate(written[1:])
    )
    lines = "".join(
        f'<path d="M0.5 1 C0.5 0.4 {at + 0.5} 0.6 {at + 0.5} 0" style="--weight: {weight:.4f}" />'
        for at, weight in enumerate(weights)
        if weight >= _FAINT
    )
    picture = (
        f' style="--columns: {len(read)}"><div class="row">{inputs}</div><svg viewBox="0 0 {len(read)} 1" '
        f'preserveAspectRatio="none" aria-hidden="true">{lines}</svg><div class="row">{outputs}</div>'
    )
    tour = "".join(
        f'<button type="button" aria-disabled="true" class="stop">{at} {escape(stop.title)}</button>'
        for at, stop in enumerate(stops(config.model), start=1)
    )
    status = (
        f"When the model predicts “{written[1]}”, {percent(weights[most])} of its attention to the input goes to the "
        f"marked “{read[most]}” (cross-attention, mean of {heads} heads)."
    )
    lesson = f'<a class="stop lesson" href="./{pages.LEARN.path}">{_LESSON}</a>'
    packed = message(pack(*drawn(config, tap, arrays)), {})
    return _section("", lesson, tour, text, picture, status), packed

"""First look: a shipped model answers the visitor's input, and a short tour leads through its forward pass."""

import streamlit as st

from playground.explain.outline import stops
from playground.tasks import example_text
from playground.ui.server.assets import loader
from playground.ui.session import pages, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.first_lesson import open_first_lesson

MODEL = "reverse-1-16"
"""The shipped checkpoint that answers."""

_HTML = """
<section class="first wrap" aria-label="Try a trained model" hidden>
  <div class="words">
    <h2 class="name">Transformer Playground</h2>
    <p class="promise">Build a tiny transformer, watch it learn, and inspect every number inside it.</p>
    <p class="new">New here? <button type="button" class="stop lesson">Start with lesson 1</button></p>
    <p class="new">Or follow one input through the model, from its tokens to the loss:</p>
    <div class="stops wrap" role="group" aria-label="Stops"></div>
  </div>
  <div class="demo">
    <label class="wrap">
      This trained model reverses digits. Type your own digits:
      <input maxlength="47" spellcheck="false" autocomplete="off">
    </label>
    <div class="plot"></div>
    <p class="status" role="status"></p>
  </div>
</section>
"""

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

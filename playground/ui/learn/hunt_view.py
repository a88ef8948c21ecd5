"""Bug hunt view: find a hidden mistake in a model from its numbers."""

from secrets import randbelow
from typing import Any

import streamlit as st

from playground.common.numbers import counted
from playground.lessons import hunts
from playground.lessons.mistakes.table import MISTAKES, PITFALLS
from playground.runs import Hunt, Run
from playground.ui.learn import pitfall_parts
from playground.ui.parts import style
from playground.ui.runs import run_view, sharing
from playground.ui.session import identity, tab_run
from playground.ui.session.address import QueryParam, QueryParams, number
from playground.ui.session.pages import LEARN, TRAIN
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

BUG = Key[int]("bug", 1, "Widget: number of the bug hunt")
HUNT_CAUSE = Key[str | None]("hunt cause", None, "Widget: name of the mistake in the answer")
HUNT_CHARTS = Key[Any]("hunt-charts", None, "Component: charts of the hunt's run")
HUNT_MESSAGE = Key[tuple[str, str] | None]("hunt message", None, "Last result, and the id of its run")
HUNT_PART = Key[str | None]("hunt part", None, "Widget: part of the model in the answer")

ADDRESS = QueryParams("hunt", QueryParam("bug", BUG, number(4)))


def show() -> None:
    """Draw the view; live values come from the event stream."""
    st.fragment(_draw)()


def run_of(seed: int) -> Run | None:
    """This visitor's newest run of the hunt with this seed."""
    own = tab_run.mine()
    return next((run for run in own if run.metadata.hunt is not None and run.metadata.hunt.seed == seed), None)


def _draw() -> None:
    st.caption(
        "A model trains with one hidden mistake. Use the model's numbers to find it. The page **Step through** shows "
        "every operation beside the correct formula. The code is hidden."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input("Bug number", min_value=0, max_value=9999, step=1, width=140, **BUG.widget)
        st.button("New bug", icon=":material/casino:", on_click=lambda: BUG.set(1 + randbelow(9999)))
        run = run_of(seed)
        again = run is not None and run.ended and run.status in ("failed", "stopped") and run.metadata.hides_pitfall
        if run is None or again:
            st.button("Start", type="primary", icon=":material/play_arrow:", on_click=_start, args=(seed, run))
        sharing.view(LEARN, "This link opens the same bug for everybody.", {"bug": str(seed)})
    _tell_score()
    style.flashed("hunt")
    if run is None:
        st.info("**Start** trains the model, which takes a few seconds.", icon=":material/info:")
    else:
        _hunt(run)
    ADDRESS.keep()


def _start(seed: int, before: Run | None) -> None:
    """Train the model of a hunt; a hunt that was started before keeps its score."""
    hunt = (before and before.metadata.hunt) or Hunt(seed=seed)
    name, pitfall = f"Bug hunt {seed}", before.metadata.pitfall if before else hunts.hidden(seed)
    with style.error_messages("hunt"):
        run = services().runs.start(identity.visitor(), hunts.config(seed), name=name, pitfall=pitfall, hunt=hunt)
        tab_run.look_at(run)
        HUNT_MESSAGE.forget()


def _tell_score() -> None:
    """This visitor's finished hunts, one for each bug number."""
    done: dict[int, Hunt] = {}
    for run in tab_run.mine():
        if run.metadata.hunt is not None and run.metadata.hunt.over:
            done.setdefault(run.metadata.hunt.seed, run.metadata.hunt)
    if done:
        bugs = sum(hunt.found for hunt in done.values())
        style.caption(f"So far: {counted(bugs, 'bug')} found, {sum(map(hunts.points, done.values()))} points.")


def _hunt(run: Run) -> None:
    """Draw the run, links to its operations, and the answer form."""
    pitfall_parts.redraw_with([run])
    run_view.progress(run)
    run_view.live_charts([run], panels=("loss", "accuracy", "entropy"), key=HUNT_CHARTS, opens=False)
    pitfall_parts.resume([run])
    with st.container(horizontal=True):
        if st.button("Step through this model", icon=":material/footprint:", disabled=not run.step):
            pitfall_parts.step_through(run, "encoder.tokens")  # the first operation, which gives no hint
        if st.button("All charts", icon=":material/trending_down:"):
            tab_run.look_at(run)
            TRAIN.turn("run")
            st.switch_page(TRAIN.file)
    if run.message and run.ended:
        style.message(run.message, "wrong" if run.status == "failed" else "care")
    if run.metadata.hunt is not None and run.metadata.hunt.over:
        _solution(run, run.metadata.hunt)
    elif run.metadata.hunt is not None and run.status in ("finished", "solved"):
        _question(run, run.metadata.hunt)


def _question(run: Run, hunt: Hunt) -> None:
    """Draw the answer form and the hints."""
    style.heading("What is wrong?")
    left, right = st.columns([5, 4], gap="large")
    with left:
        st.selectbox(
            "Part", list(hunts.PARTS), index=None, format_func=lambda part: hunts.PARTS[part], **HUNT_PART.widget
        )
        st.selectbox(
            "Mistake",
            list(hunts.CHOICES),
            index=None,
            format_func=lambda name: MISTAKES[name].title,
            **HUNT_CAUSE.widget,
        )
        with st.container(horizontal=True):
            st.button(
                "Check answer",
                type="primary",
                icon=":material/check:",
                on_click=_check,
                args=(run,),
            )
            st.button("Give up", icon=":material/flag:", on_click=_give_up, args=(run,))
        message, of = HUNT_MESSAGE.get() or ("", "")
        if of == run.id:
            style.message(message, "care")
    with right:
        style.caption(
            f"{hunts.points(hunt)} of {hunts.MAX_POINTS} points left. A wrong answer costs "
            f"{hunts.WRONG_COSTS}, a hint {hunts.HINT_COSTS}."
        )
        hints = hunts.hints(hunt)
        for kind in hints[: hunt.hints]:
            _hint(run, kind)
        if hunt.hints < len(hints):
            st.button(
                f"Hint {hunt.hints + 1:d} of {len(hints):d}",
                icon=":material/lightbulb:",
                on_click=_ask,
                args=(run,),
            )


def _hint(run: Run, kind: hunts.HintKind) -> None:
    with style.error_messages():
        measured = _measured(run) if kind == "measure" else (0.0, 0.0)
        style.message(hunts.hint(kind, PITFALLS[run.metadata.pitfall], *measured), "note")


def _measured(run: Run) -> tuple[float, float]:
    """The pitfall's measure for the correct model and for this one."""
    with st.spinner("Training the correct model …"):
        return pitfall_parts.measure_of_right_model(run.metadata.pitfall, run.config), pitfall_parts.measure_of(
            run.metadata.pitfall, run
        )


def _check(run: Run) -> None:
    """Mark the answer; callbacks can arrive twice, or after the hunt has ended."""
    hunt, part, cause = run.metadata.hunt, HUNT_PART.get(), HUNT_CAUSE.get()
    if hunt is None or hunt.over:
        return
    if part is None or cause is None:
        HUNT_MESSAGE.set(("Choose a part and a mistake.", run.id))
        return
    right = part == hunts.part_of(PITFALLS[run.metadata.pitfall]), cause == run.metadata.pitfall
    if all(right):
        run.score(hunt.model_copy(update={"found": True}))
        HUNT_MESSAGE.forget()
        return
    run.score(hunt.model_copy(update={"wrong": hunt.wrong + 1, "part_found": hunt.part_found or right[0]}))
    words = ["right" if is_right else "wrong" for is_right in right]
    HUNT_MESSAGE.set((f"The part is {words[0]}, the mistake is {words[1]}.", run.id))


def _ask(run: Run) -> None:
    if (hunt := run.metadata.hunt) and not hunt.over and hunt.hints < len(hunts.hints(hunt)):
        run.score(hunt.model_copy(update={"hints": hunt.hints + 1}))


def _give_up(run: Run) -> None:
    if (hunt := run.metadata.hunt) and not hunt.over:
        run.score(hunt.model_copy(update={"given_up": True}))


def _solution(run: Run, hunt: Hunt) -> None:
    """Draw the hidden mistake and the result."""
    pitfall = PITFALLS[run.metadata.pitfall]
    style.message(hunts.result(hunt), "good" if hunt.found else "note")
    pitfall_parts.show_mistake(run.metadata.pitfall)
    with style.error_messages():
        pitfall_parts.show_measure(pitfall, *_measured(run))
    if st.button("See where it shows", icon=":material/search:"):
        pitfall_parts.step_through(run, pitfall.operation)

"""Links that lead others here: to watch a run, and to begin a lesson with it; and the code of a link."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st

from playground.config import RunConfig, setting_paths
from playground.runs import Run, RunError
from playground.ui import state, style

LESSON, PACE = "lesson", "pace"
"""Words of a lesson's address besides its settings."""


def popover(run: Run) -> None:
    """The button that tells the links to one's own run."""
    with st.popover("Share", icon=":material/share:", help="Links to this run, and the code of one."):
        tell("Who opens this link watches the run and steps through it, but cannot control it.", watch_link(run))
        st.markdown("**Lesson link**: begins a run of these settings anew, paused at step 0, whenever it is opened.")
        st.code(lesson_link(run.config, state.pace_name(run)), language=None, wrap_lines=True)
        left_out = " It has the settings of the beginning, not what was changed on the way." if run.changes else ""
        style.caption(f"What was trained before stays in the list of runs.{left_out}")


def tell(told: str, link: str) -> None:
    """A link and its code, and what it is good for."""
    st.markdown(told)
    st.code(link, language=None, wrap_lines=True)
    st.html(f'<img class="qr" src="./qr?text={quote(link, safe="")}" alt="QR code of this link">')


def watch_link(run: Run) -> str:
    """Address of the page as it is now, showing this run to anybody."""
    words = {word: value for word, value in st.query_params.to_dict().items() if word != state.PRESENT}
    return address(words | {state.RUN: run.id})


def lesson_link(config: RunConfig, pace: str | None) -> str:
    """Address that opens a new paused run of these settings and this pace, as `open_lesson` reads it."""
    words = {LESSON: "1"} | state.link_words(config)
    return address(words | ({PACE: pace} if pace not in (None, state.USUAL_PACE) else {}))


def address(words: Mapping[str, str]) -> str:
    """The page's address with these words."""
    page = (st.context.url or "").split("?")[0]
    return f"{page}?{urlencode(words, quote_via=quote)}" if words else page


def app_url() -> str:
    """Where people reach this app, without a path: as the host was told, else as this person's browser says."""
    parts = urlsplit(st.context.url or "")
    return state.HOST.url or (f"{parts.scheme}://{parts.netloc}" if parts.netloc else "")


def open_lesson() -> None:
    """Where the address asks for a lesson: a run of its settings, paused at step 0, is the one that is looked at.

    The address loses the words that asked, so that a page loaded again in the middle of a lesson goes on with it.
    """
    told = st.query_params.to_dict()
    if LESSON not in told:
        return
    rest = {word: value for word, value in told.items() if word not in {LESSON, PACE, state.RUN, *setting_paths()}}
    st.query_params.from_dict(rest)
    problem = state.read_link(told)
    pace = told.get(PACE, state.USUAL_PACE)
    if pace not in state.PACES:
        problem += f" The link's pace “{pace[:40]}” is none of {', '.join(state.PACES)}."
        pace = state.USUAL_PACE
    st.session_state["pace"] = pace
    config, problems = state.checked_settings()
    if config is None:
        problem += f" The lesson's settings do not make a model: {' '.join(problems.values())}"
    else:
        problem += _begin(config)
    if problem:
        st.session_state["link_problem"] = problem.strip()


def _begin(config: RunConfig) -> str:
    """Looks at a run that is paused at the beginning, a new one if there is none; a sentence if the host refuses."""
    own = state.RUNS.of(state.visitor())
    for run in own:
        if run.status == "paused" and run.has_worker and run.step:
            run.lay_aside()  # or it would keep the lesson from its place; Resume goes on where it was
    for run in own:
        if run.status == "paused" and not run.step and run.config == config:
            run.set_pace(state.pace_of(config, st.session_state["pace"]))
            state.look_at(run)
            return ""
    try:
        run = state.start_run(config, paused=True)
    except RunError as error:
        return f" {error}"
    if run.status == "queued":
        run.pause()  # it needs no place before somebody presses Train
    return ""

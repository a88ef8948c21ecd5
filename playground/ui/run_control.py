"""The buttons that start and steer a run."""

import streamlit as st

from playground.config import RunConfig
from playground.runs import Run, RunError
from playground.ui import state


def controls(run: Run | None, config: RunConfig | None) -> None:
    """Buttons and pace for the visitor's run, or for a first one with the settings `config`."""
    alive, paused = run is not None and not run.ended, run is not None and run.status == "paused"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Train",
            icon=":material/play_arrow:",
            type="primary",
            disabled=alive and not (run is not None and _at_start(run)),
            on_click=_start,
            args=(config, run),
        )
        st.button("Pause", icon=":material/pause:", disabled=not alive or paused, on_click=_tell, args=("pause",))
        st.button("Resume", icon=":material/resume:", disabled=not paused, on_click=_tell, args=("resume",))
        st.button(
            "Step",
            icon=":material/step:",
            disabled=run is not None and not paused,
            help="One optimiser step.",
            on_click=_take_one_step,
            args=(config,),
        )
        st.button("Stop", icon=":material/stop:", disabled=not alive, on_click=_tell, args=("stop",))
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            disabled=run is None,
            help="Back to step 0: same seed, same initial weights.",
            on_click=_start,
            args=(run.config if run else None, run),
            kwargs={"paused": True},
        )
        st.segmented_control(
            "Pace",
            state.PACES,
            required=True,
            key="pace",
            persist_state="session",
            help="Watch stretches a run so that it is solved in about ten seconds.",
            on_change=_change_pace,
        )


def _start(config: RunConfig | None, seen: Run | None, *, paused: bool = False) -> None:
    """Starts a run with these settings; what stands in the way is shown on the next drawing.

    `seen` is the run that the button's page showed: a newer one, begun elsewhere or by a second click, stays.
    """
    run = state.current_run()
    if run is not None and run is not seen and not run.ended:
        return
    if config is None:
        st.session_state["notice"] = "These settings do not make a model yet; the Build page says what is wrong."
    elif run is not None and config == run.config and _at_start(run) and not paused:
        run.resume()
    else:
        try:
            state.start_run(config, paused=paused)
        except RunError as error:
            st.session_state["notice"] = str(error)


def _at_start(run: Run) -> bool:
    return run.status == "paused" and run.step == 0


def _take_one_step(config: RunConfig | None) -> None:
    if state.current_run() is None:
        _start(config, None, paused=True)
    _tell("step_once")


def _tell(verb: str) -> None:
    """Passes a button on to the visitor's run as it is now, not as it was when the button was drawn."""
    run = state.current_run()
    if run is not None:
        getattr(run, verb)()


def _change_pace() -> None:
    run = state.current_run()
    if run is not None:
        run.set_pace(state.pace_of(run.config, st.session_state["pace"]))

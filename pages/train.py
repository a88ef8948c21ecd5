"""Train: run control, live charts, held-out examples; comparison of runs; sweeps."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from playground.runs import Playback, Run
from playground.settings.config import RunConfig
from playground.tasks import task_of
from playground.ui.parts import computed, confirmation, style
from playground.ui.parts.charts import linked_charts
from playground.ui.runs import playback_control, run_view, steering
from playground.ui.session import at_step, form_settings, setting_words, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import STEP_THROUGH, TRAIN
from playground.ui.shell import presenter, views
from playground.ui.train import run_control, settings_link, slow_motion_view


def head(run: Run | Playback | None) -> None:
    """Draw the progress of the run and, on the same line, the actions on its model."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="under-way"):
        with st.container(key="slide-progress"):
            run_view.progress(run)
        if run is None:
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="next"):
            # Buttons that appear later are last, so that nothing moves; CSS reverses the row.
            st.page_link(STEP_THROUGH.file, label="Step through this model", icon=":material/footprint:")
            run_control.save_button(run)
            if not tab_run.is_mine(run):
                playback_control.button(run)
            learned = f"It has learned to {task_of(run.config.task).goal}. Opens Step through with a short tour."
            if run.status == "solved" and st.button(
                "See why it works", type="primary", icon=":material/lightbulb:", help=learned
            ):
                keys.OPERATION.set(computed.why(run.config))
                keys.SOURCE.set(sources.RUN)
                keys.TOUR.set(True)
                st.switch_page(STEP_THROUGH.file)
            if run_view.failed_midway(run) and st.button(
                f"Look at step {run.step:,}", type="primary", icon=":material/search:", help=run_view.OVERFLOW
            ):
                at_step.move(run.step)
                keys.SOURCE.set(sources.RUN)
                st.switch_page(STEP_THROUGH.file)


def next_settings(run: Run, config: RunConfig | None) -> None:
    if config is None:
        st.caption(":orange[The settings on the Build page can't be used. This run continues with its own.]")
    elif config != run.config:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            differing = setting_words.differences(run.config, config)
            new = setting_words.needs_new_run(run.config, config)
            why = "Some can't change mid-run. Start a new run." if new else "They are for the next run."
            style.caption(f"The Build page has other settings: {differing}. {why}", width="content")
            st.button(
                "Start a new run with these",
                icon=":material/add:",
                type="tertiary",
                help="This run stays as it is.",
                on_click=run_control.start_beside,
                args=(config,),
            )


def show(drawn: str) -> None:
    if keys.LEAVING.take():
        st.switch_page(STEP_THROUGH.file)
    confirmation.open_asked()
    run = playback_control.instead_of(tab_run.shown())
    if (run.id if run else "") != drawn:
        st.rerun()  # the selector of runs is outside this fragment
    config, _ = form_settings.checked()
    presenter.listen(others_words(run, config), partial(pressed, run, config))
    run_view.redraw_with(run)  # before anything is drawn, so that later changes cause a redraw
    with st.container(gap="xsmall", key="run"):
        draw(run, config)


def draw(run: Run | Playback | None, config: RunConfig | None) -> None:
    """Draw the run; the rows at the top always exist, so that nothing moves."""
    if isinstance(run, Playback):
        playback_control.controls(run)
    elif run is None or tab_run.is_mine(run):
        run_control.controls(run, config)
    linked = run is None and config is not None and keys.SETTINGS_LINK.get()
    if not linked:
        head(run)
    with st.container():  # always drawn, so that elements below keep their index
        remarks(run, config)
    if run is None:
        linked_charts.prepare()
    if linked and config is not None:
        settings_link.show(config)
    elif run is None:
        with st.container(key="nothing"):
            st.info(
                "No model yet. Press **Train** to train one with the Build page's settings. Watch the loss fall and "
                "the predictions become right.",
                icon=":material/info:",
            )
    else:
        if slow_motion_view.is_shown(run):
            slow_motion_view.show(run)
        run_view.plots(run)


def remarks(run: Run | Playback | None, config: RunConfig | None) -> None:
    """Draw error messages, events of the run, and how the Build page's settings differ from it."""
    style.flashed("run")
    if run is None:
        return
    if isinstance(run, Playback):
        style.message(
            f"{run.metadata.name} as it was recorded. Nothing is trained, and nothing of it can change.", "note"
        )
    elif not tab_run.is_mine(run):
        style.message(f"You are watching {run.metadata.name}. Only its owner can control it.", "note", "visibility")
    else:
        steering.problems(run)
        next_settings(run, config)
    run_control.notices(run)


def pressed(run: Run | Playback | None, config: RunConfig | None, presses: Mapping[str, int]) -> None:
    """Handle the presenter view's keys."""
    if isinstance(run, Playback):
        playback_control.press(run, presses)
    elif run is None or tab_run.is_mine(run):
        run_control.press(run, config, presses)


def others_words(run: Run | Playback | None, config: RunConfig | None) -> dict[str, str]:
    """Query parameters of a link to what is shown here."""
    if run is not None:
        return {sources.RUN: run.id}
    if config is None or not keys.SETTINGS_LINK.get():
        return {}
    return form_settings.settings_link_words(config, keys.PACE.get())


view, heading = views.choose(TRAIN)
run_view.redraw_with_list()
chosen = tab_run.shown()
run = playback_control.instead_of(chosen)
with heading:
    right = st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center")
style.flashed("run link")
if view.module:
    module = views.module(view)
    with right:
        module.head()
    st.fragment(module.show)()
else:
    with right:
        run_control.choice(chosen)
    st.fragment(show)(run.id if run else "")

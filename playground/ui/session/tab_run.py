"""The run of this tab: the visitor's own or, by a link, another visitor's."""

import sys
from collections.abc import Mapping
from typing import Any

import streamlit as st

from playground.runs import Run, RunView
from playground.settings.config import RunConfig, setting_paths
from playground.storage.checkpoint import read_summary
from playground.training import SOLVED_AT
from playground.ui.session import form_settings, identity, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.flash import flash
from playground.ui.session.form_settings import PACE, SETTINGS_LINK
from playground.ui.session.paces import pace_of
from playground.ui.session.services import services
from playground.ui.session.sources import RUN


def mine() -> list[Run]:
    """All runs of this visitor, newest first."""
    return services().runs.of(identity.visitor())


def current() -> Run | None:
    """The visitor's own run in this tab: the one chosen here, or else the one started last.

    None while this tab shows a settings link that has not started.
    """
    if keys.SETTINGS_LINK.get():
        return None
    run = services().runs.owned(identity.visitor(), keys.RUN.get()) or services().runs.current(identity.visitor())
    if run is not None:
        run.mark_seen()
    return run


def with_own_settings() -> Run | None:
    """The visitor's run in this tab, or else the newest one, whose settings are their own: no pitfall and no hunt."""
    runs = [run for run in (current(), *mine()) if run is not None]
    return next((run for run in runs if not (run.metadata.pitfall or run.metadata.hunt)), None)


def shown() -> Run | None:
    """The run on the page: the visitor's own or, by a link, another visitor's, which they can only watch.

    None while this tab shows a settings link that has not started.
    """
    if keys.SETTINGS_LINK.get():
        return None
    wanted = st.query_params.get(RUN) or keys.RUN.get()
    if wanted and services().runs.owned(identity.visitor(), wanted) is None:
        if run := services().runs.watched(wanted):
            keys.RUN.set(wanted)
            return run
        look_at(None)
        flash("run link", "This run no longer exists, or the link is wrong.", "care")
    elif wanted:
        keys.RUN.set(wanted)
    return current()


def look_at(run: Run | None) -> None:
    """Show a run in this tab; None: the one started last. Closes a settings link that has not started."""
    leave_settings_link()
    if RUN in st.query_params:
        del st.query_params[RUN]
    if run is None:
        keys.RUN.forget()
    else:
        form_settings.own()
        keys.RUN.set(run.id)
        services().runs.choose(identity.visitor(), run.id)


def look_at_model(run: Run) -> None:
    """Show a run in this tab, and its model on pages about a forward pass."""
    look_at(run)
    keys.SOURCE.set(RUN)


def leave_settings_link() -> None:
    """Close the settings link in this tab: its run has started, or something else is shown."""
    keys.SETTINGS_LINK.forget()
    if SETTINGS_LINK in st.query_params:
        asked = {SETTINGS_LINK, PACE, *setting_paths()}
        st.query_params.from_dict(
            {word: value for word, value in st.query_params.to_dict().items() if word not in asked}
        )


def is_mine(run: RunView) -> bool:
    """True if this visitor may control the run."""
    return run.owner == identity.visitor()


def start(config: RunConfig, *, paused: bool = False) -> Run:
    """Start or queue a run and show it; raises `RunError` if the host refuses it."""
    gpu = keys.DEVICE.get() == "GPU" and services().runs.backend.has_gpu
    pace = pace_of(config, keys.PACE.get())
    run = services().runs.start(identity.visitor(), config, pace, paused=paused, device="cuda" if gpu else "cpu")
    look_at_model(run)
    return run


def continue_training(name: str) -> Run:
    """Continue a checkpoint's training in a new run that starts with its weights, and show it.

    It has the checkpoint's final settings and the next seed, so that no batch is repeated. A solved model doesn't stop
    at once. Raises `CheckpointError`, or `RunError` if the host refuses it.
    """
    path = sources.library().path(name)
    checkpoint, measured = sources.load_cached(path, sources.stamp_of(path)), read_summary(path).measured
    config = checkpoint.config.after(checkpoint.changes, sys.maxsize)
    config = config.updated({"seed": (config.seed + 1) % 2**31})
    if measured.get("exact_match", 0) >= SOLVED_AT:
        config = config.updated({"training.stop_when_solved": False})
    pace = pace_of(config, keys.PACE.get())
    run = services().runs.start(identity.visitor(), config, pace, checkpoint=(name, checkpoint.model))
    form_settings.fill(config)
    look_at_model(run)
    return run


def branch(run: Run, step: int, settings: Mapping[str, Any] | None) -> Run:
    """Continue from a step of a run in a new run of this visitor, and show it; see `Runs.branch`.

    Raises `RunError` or ValueError.
    """
    continued = services().runs.branch(identity.visitor(), run, step, settings, pace=run.pace)
    look_at_model(continued)
    return continued

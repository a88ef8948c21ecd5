"""Everything that outlives one run of a page: in this session, and for this visitor in this process."""

import os
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from playground.checkpoints import Checkpoint
from playground.config import ConfigError, RunConfig, setting_paths
from playground.library import Library
from playground.model import Transformer
from playground.presets import DEFAULT_PRESET, PRESETS, Preset
from playground.recording import REPOSITORY
from playground.runs import Run, Runs

RUNS = Runs()
LIBRARY = Library()

VISITOR_COOKIE = "playground_visitor"

RUN = "run"
"""Name of the source that is the visitor's own current run, among the names of checkpoints."""

_USUAL_PACE = 15.0


def visitor() -> str:
    """Who this is: the browser's cookie or, where there is none (tests), a name for this session alone."""
    cookie = st.context.cookies.get(VISITOR_COOKIE)
    if isinstance(cookie, str) and len(cookie) == len(new_visitor()):
        return cookie
    return st.session_state.setdefault("visitor", new_visitor())


def new_visitor() -> str:
    """A name nobody can guess."""
    return secrets.token_urlsafe(24)


def current_run() -> Run | None:
    """The run this visitor started last."""
    return RUNS.current(visitor())


def start_run(config: RunConfig, *, paused: bool = False) -> Run:
    """Replaces the visitor's current run; raises `RunError`, and then leaves the current run as it is."""
    run = RUNS.start(visitor(), config, pace_of(config, st.session_state["pace"]), paused=paused)
    st.session_state["source"] = RUN
    return run


def open_settings() -> None:
    """Fills the settings once a session: with those of the current run or, without one, the first preset."""
    if "seed" not in st.session_state:
        run = current_run()
        set_settings(run.config if run else PRESETS[DEFAULT_PRESET].config)
        same = [name for name in PACES if run and pace_of(run.config, name) == run.pace]
        st.session_state.setdefault("pace", same[0] if same else "Watch")


def set_settings(config: RunConfig) -> None:
    """Puts a whole config into the settings form."""
    for path in setting_paths():
        st.session_state[path] = _at(config, path)


def settings() -> dict[str, Any]:
    """What stands in the settings form, right or wrong, nested as a config."""
    data: dict[str, Any] = {}
    for path in setting_paths():
        *group, name = path.split(".")
        place = data.setdefault(group[0], {}) if group else data
        place[name] = st.session_state[path]
    return data


def checked_settings() -> tuple[RunConfig | None, dict[str, str]]:
    """The config that the form stands for, or None and what is wrong with it, by path."""
    try:
        return RunConfig.parse(settings()), {}
    except ConfigError as error:
        return None, error.problems


def differences(before: RunConfig, after: RunConfig) -> str:
    """One line: "n_heads 4 → 1, norm_position pre → post"; empty if there is none."""
    changes = ((path, _at(before, path), _at(after, path)) for path in setting_paths())
    return ", ".join(f"{path.rpartition('.')[2]} {a} → {b}" for path, a, b in changes if a != b)


def preset_of(config: RunConfig) -> Preset | None:
    """The preset with these settings, whatever the seed."""
    for preset in PRESETS.values():
        if preset.config == config.updated({"seed": preset.config.seed}):
            return preset
    return None


PACES = ("1 step/s", "Watch", "Fast", "Full speed")


def pace_of(config: RunConfig, name: str) -> float | None:
    """Optimiser steps per second of the pace with this name; "Watch" stretches solving to about ten seconds."""
    preset = preset_of(config)
    watch = preset.usual_steps / 10 if preset else _USUAL_PACE
    return {"1 step/s": 1.0, "Watch": watch, "Fast": 4 * watch, "Full speed": None}[name]


def plain(error: Exception | str) -> str:
    """An error as a visitor may read it: without the folders of this machine."""
    return str(error).replace(f"{LIBRARY.root}{os.sep}", "").replace(f"{REPOSITORY}{os.sep}", "")


@dataclass(frozen=True)
class Source:
    """A model to look at: the current run at a step, or a checkpoint."""

    name: str
    identity: tuple[object, ...]  # changes when the weights do
    model: Transformer


def run_source(run: Run, step: int | None) -> Source:
    """The run's model at the newest kept step up to `step`; None is the newest of all."""
    kept = [kept for kept in run.snapshot_steps() if step is None or kept <= step]
    at = max(kept, default=0)
    return Source(RUN, (run.id, at), _run_model(run, at))


def checkpoint_source(name: str) -> Source:
    """A checkpoint of the library; raises `CheckpointError`."""
    modified = (LIBRARY.path(name) / "config.json").stat().st_mtime_ns if LIBRARY.path(name).is_dir() else 0
    return Source(name, (name, modified), load_checkpoint(name, modified).model)


@lru_cache(maxsize=16)
def load_checkpoint(name: str, modified: int) -> Checkpoint:
    """A checkpoint, kept in memory until its folder changes. Nothing writes to a loaded model."""
    return LIBRARY.load(name)


@lru_cache(maxsize=16)
def _run_model(run: Run, step: int) -> Transformer:
    return run.model_at(step)


def _at(config: RunConfig, path: str) -> Any:
    value: Any = config
    for part in path.split("."):
        value = getattr(value, part)
    return value

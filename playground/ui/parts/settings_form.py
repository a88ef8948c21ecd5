"""The settings form: a widget for every field of the config, made from the field's own bounds and words."""

import re
from collections.abc import Iterable
from typing import Any

import streamlit as st

from playground.config import allowed, choices, setting_paths
from playground.presets import PRESETS, Preset
from playground.ui.parts import style
from playground.ui.session import session_keys as keys
from playground.ui.session import state

_STEPS: dict[str, float] = {
    "model.d_model": 8,
    "model.d_ff": 32,
    "model.dropout": 0.05,
    "training.steps": 100,
    "training.batch_size": 8,
    "training.learning_rate": 0.001,
    "training.weight_decay": 0.01,
    "training.warmup_steps": 10,
    "training.label_smoothing": 0.05,
    "training.clip_grad_norm": 0.5,
    "training.eval_every": 5,
}
_FORMATS = {"training.learning_rate": "%g", "training.weight_decay": "%g"}


def presets(active: Preset | None) -> None:
    """Buttons that fill the whole form, the active one ticked."""
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name, preset in PRESETS.items():
            st.button(
                preset.title,
                key=f"preset {name}",
                icon=":material/check_circle:" if preset is active else ":material/circle:",
                help=preset.sentence,
                on_click=state.set_settings,
                args=(preset.config,),
            )


def fields(paths: Iterable[str], problems: dict[str, str]) -> None:
    """Widgets for these settings, each with its problem below it."""
    for path in paths:
        _field(path)
        if path in problems:
            style.told(problems[path], "wrong")


def widget(path: str, *, key: keys.Key[Any], value: Any, width: int) -> Any:
    """A widget for one setting away from the form, which begins with `value`."""
    key.begin(value)
    return _field(path, key=key, width=width, title="Value")


def _field(path: str, *, key: keys.Key[Any] | None = None, title: str = "", **options: Any) -> Any:
    field = setting_paths()[path]
    name = path.rpartition(".")[2]
    if not title:
        title = field.title or name
        if name not in re.sub(r"\W+", "_", title.lower()):
            title += f" :small[:gray[{name}]]"  # messages, files and the command line call it so
    name = (key or keys.SETTING.of(path)).name
    common: dict[str, Any] = {"key": name, "help": field.description, "persist_state": "session", **options}
    if choices(field):
        if len(choices(field)) <= 3:
            return st.segmented_control(title, choices(field), required=True, **common)
        return st.selectbox(title, choices(field), **common)
    if field.annotation is bool:
        return st.toggle(title, **common)
    return number(path, title, **common)


def number(path: str, title: str, **options: Any) -> int | float:
    """A field for a setting that is a number."""
    field = setting_paths()[path]
    # No bounds here: the browser would silently refuse what the config answers with a sentence.
    options["help"] = f"{field.description} Use {allowed(field)}."
    if field.annotation is int:
        return st.number_input(title, step=int(_STEPS.get(path, 1)), **options)
    return st.number_input(title, step=float(_STEPS.get(path, 0.1)), format=_FORMATS.get(path, "%.2f"), **options)

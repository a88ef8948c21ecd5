"""The settings form: a widget for every field of the config, built from the field's bounds and texts."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from playground.explain.glossary import choice
from playground.settings.applies import applies
from playground.settings.config import TaskConfig, allowed, choices, names_of, setting_paths
from playground.settings.presets import PRESETS, Preset
from playground.tasks import TASKS
from playground.ui.parts import style
from playground.ui.runs import text_field
from playground.ui.runs.fixes import fixes
from playground.ui.session import form_settings
from playground.ui.session import session_keys as keys
from playground.ui.session.session_keys import Key

PRESET = Key[str | None]("preset", None, "Widget: name of the preset")

_STEPS: dict[str, float] = {
    "model.d_model": 8,
    "model.d_ff": 32,
    "model.dropout": 0.05,
    "model.d_latent": 4,
    "model.d_rope": 2,
    "model.logit_cap": 5,
    "model.balance": 0.01,
    "training.steps": 100,
    "training.batch_size": 8,
    "training.learning_rate": 0.001,
    "training.weight_decay": 0.01,
    "training.warmup_steps": 10,
    "training.label_smoothing": 0.05,
    "training.clip_grad_norm": 0.5,
    "training.eval_every": 5,
    "training.eval_sequences": 100,
    "task.held_out": 0.05,
}
_FORMATS = {
    "model.logit_cap": "%g",
    "model.balance": "%g",
    "training.learning_rate": "%g",
    "training.weight_decay": "%g",
    "task.held_out": "%g",
}


def presets(active: Preset | None) -> None:
    """Draw radio buttons that fill the whole form; none is selected if the settings match no preset."""
    PRESET.set(next((name for name, preset in PRESETS.items() if preset is active), None))
    st.radio(
        "Preset",
        list(PRESETS),
        key=PRESET.name,
        format_func=lambda name: PRESETS[name].title,
        on_change=_fill,
        horizontal=True,
        label_visibility="collapsed",
    )


def _fill() -> None:
    if name := PRESET.get():
        form_settings.fill(PRESETS[name].config)


def task_fields(problems: dict[str, str]) -> None:
    """Draw `fields` for the task, with its own help texts."""
    name = keys.SETTING.of("task.name").get()
    uses = TASKS[name].uses if name in TASKS else {}
    paths = [f"task.{field}" for field in TaskConfig.model_fields]
    fields(paths, problems, {f"task.{field}": text for field, text in uses.items()})


def fields(
    paths: Iterable[str], problems: dict[str, str], descriptions: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Draw widgets for these settings, each with its problem below it and buttons that solve it.

    Settings without effect are left out, unless they have a problem. `descriptions` are help texts by path that replace
    the general ones.
    """
    for path in paths:
        if path not in problems and not applies(path, value):
            continue
        _field(path, description=descriptions.get(path, ""))
        if path not in problems:
            continue
        style.message(problems[path], "wrong")
        settings = {setting: value(setting) for setting in setting_paths()}
        with st.container(horizontal=True, gap="xsmall"):
            for setting, fix in fixes(settings, path):
                shown = words(fix)
                st.button(
                    f"Use {shown}" if setting == path else f"Use {_title(setting)} {shown}",
                    key=f"fix {path} {setting} {fix}",
                    on_click=keys.SETTING.of(setting).set,
                    args=(fix,),
                )


def value(path: str) -> Any:
    """The value of a setting in the form, valid or not."""
    return keys.SETTING.of(path).get()


def words(value: Any) -> str:
    """Label of a setting's value."""
    return choice(value) if isinstance(value, str) else str(value)


def widget(path: str, *, key: keys.Key[Any], value: Any, width: int) -> Any:
    """Draw a widget for one setting outside the form, with the initial `value`."""
    key.begin(value)
    return _field(path, key=key, width=width, title="Value")


def _title(path: str) -> str:
    return setting_paths()[path].title or path.rpartition(".")[2]


def _help(path: str, description: str) -> str:
    """The effect of a setting, and its name in files, messages and on the command line."""
    return f"{description or setting_paths()[path].description} Setting: `{path.rpartition('.')[2]}`."


def _field(
    path: str, *, key: keys.Key[Any] | None = None, title: str = "", description: str = "", **options: Any
) -> Any:
    field = setting_paths()[path]
    title = title or _title(path)
    name = (key or keys.SETTING.of(path)).name
    common: dict[str, Any] = {"key": name, "help": _help(path, description), "persist_state": "session", **options}
    if choices(field):
        common["format_func"] = words
        if len(choices(field)) <= 3:
            return st.segmented_control(title, choices(field), required=True, **common)
        return st.selectbox(title, choices(field), **common)
    if names_of(field):
        return st.multiselect(title, names_of(field), format_func=words, placeholder="None", **common)
    if field.annotation is bool:
        return st.toggle(title, **common)
    if field.annotation is str:
        return text_field.show(keys.SETTING.of(path), **common)
    return number(path, title, **common)


def number(path: str, title: str, **options: Any) -> int | float:
    """Draw a field for a numeric setting."""
    field = setting_paths()[path]
    # No bounds here: the browser would reject invalid values without an error message, which the config has.
    options["help"] = f"{options.get('help') or _help(path, '')} Use {allowed(field)}."
    if field.annotation is int:
        return st.number_input(title, step=int(_STEPS.get(path, 1)), **options)
    return st.number_input(title, step=float(_STEPS.get(path, 0.1)), format=_FORMATS.get(path, "%.2f"), **options)

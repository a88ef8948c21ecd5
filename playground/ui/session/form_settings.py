"""The settings form: its content, which outlives pages and sessions, and links with settings."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.runs import Run
from playground.settings.config import ConfigError, RunConfig, allowed, parse_value, setting_paths, typed, value_at
from playground.settings.config import differences as setting_differences
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.tasks.cleaning import cleaned
from playground.ui.session import identity
from playground.ui.session import session_keys as keys
from playground.ui.session.address import KEPT, LONGEST, QueryParam, QueryParams, opened_anew
from playground.ui.session.flash import flash
from playground.ui.session.paces import USUAL_PACE, pace_name
from playground.ui.session.session_keys import Key
from playground.ui.session.setting_words import in_labels

LINKED_SETTINGS = Key[dict[str, Any] | None](
    "settings of a link", None, "Settings of a link, while nobody has changed them"
)

SETTINGS_LINK = "lesson"
"""Query parameter of a settings link, which Train shows at step 0; older links have it, so the name stays."""

PACE = "pace"
"""Query parameter of a settings link's pace."""

_REMEMBERED_VISITORS = 10_000
_REMEMBERED_CHARACTERS = 20_000

_remembered: BoundedCache[str, list[tuple[keys.Key[Any], Any]]] = BoundedCache(_REMEMBERED_VISITORS, lambda _: 1)
"""Last content of each visitor's settings form."""


def own() -> None:
    """Treat the form as the visitor's own from now on, even if a link filled it in."""
    LINKED_SETTINGS.forget()


def remember() -> None:
    """Store the form for this visitor's next session: a reload, or another tab.

    Settings from a link are stored only after the person has changed them or trained with them.
    """
    linked = LINKED_SETTINGS.get()
    kept = {
        key.name: key
        for key in (*(param.key for param in SETTINGS.params), keys.PACE, keys.LAST_FORM_TAB)
        if key.is_set()
    }
    if linked and all(kept[path].get() == value for path, value in linked.items() if path in kept):
        return
    own()
    _remembered.put(identity.visitor(), [(key, key.get()) for key in kept.values() if _is_short(key.get())])


def _is_short(value: object) -> bool:
    """True if a value is small enough to store for thousands of visitors; a long text is stored with its run."""
    return not isinstance(value, str) or len(value) <= _REMEMBERED_CHARACTERS


def begin(own_run: Callable[[], Run | None]) -> None:
    """Fill the form once per session: from the link, the visitor's last form, their run, or a preset.

    Where a lesson plan or a room opens an address, its settings replace the form's.
    """
    if not keys.SETTING.of("seed").is_set():
        run = own_run()
        fill(run.config if run else PRESETS[DEFAULT_PRESET].config)
        keys.PACE.begin((pace_name(run) if run else None) or USUAL_PACE)
        for key, value in _remembered.get(identity.visitor()) or ():
            key.set(value)
    elif not opened_anew():
        return
    if set(setting_paths()) & set(st.query_params) and (problem := read_link(st.query_params.to_dict())):
        flash("link", problem, "care")


def read_link(words: Mapping[str, str]) -> str:
    """Fill the form with the settings in query parameters; others get the defaults of an empty link.

    Returns two sentences for each invalid setting; empty if all are valid.
    """
    wrong = SETTINGS.apply(words)
    LINKED_SETTINGS.set({param.word: param.key.get() for param in SETTINGS.params})
    return " ".join(f"The link's {path} is invalid. Use {allowed(setting_paths()[path])}." for path in wrong)


def _step_0_words(pace: str | None) -> dict[str, str]:
    """Query parameters of a settings link besides the settings."""
    return {SETTINGS_LINK: "1"} | ({PACE: pace} if pace not in (None, USUAL_PACE) else {})


def settings_link_words(config: RunConfig, pace: str | None) -> dict[str, str]:
    """All query parameters of a settings link, always with the seed; without settings it has the default preset."""
    return _step_0_words(pace) | {"seed": str(config.seed)} | link_words(config)


def link_words(config: RunConfig) -> dict[str, str]:
    """Query parameters that `read_link` turns back into this config: differences from an empty link, no long text."""
    words = {path: typed(value) for path, _, value in setting_differences(RunConfig(), config)}
    return {path: word for path, word in words.items() if len(word) <= LONGEST}


def _read_setting(path: str, text: str) -> Any:
    """The value of a setting in a link; None if it has the wrong type. Bounds are checked later."""
    try:
        value = parse_value(path, text)
    except ConfigError:
        return None
    if isinstance(value, str):
        return cleaned(value)
    return value if isinstance(value, tuple) or abs(value) < 2**53 else None  # a browser's field can't hold more


SETTINGS = QueryParams(
    "form",
    *(
        QueryParam(path, keys.SETTING.of(path), partial(_read_setting, path), value_at(RunConfig(), path), write=typed)
        for path in setting_paths()
    ),
)
"""Query parameters of the settings form: differences from an empty link."""


def write_address() -> None:
    """Write the form into the address, and remove query parameters of other pages."""
    if not all(param.key.is_set() for param in SETTINGS.params):
        return
    words = {word: text for word, text in st.query_params.to_dict().items() if word in KEPT}
    if keys.SETTINGS_LINK.get():
        words |= _step_0_words(keys.PACE.get()) | {"seed": str(keys.SETTING.of("seed").get())}
    words |= SETTINGS.words()
    if words != st.query_params.to_dict():
        st.query_params.from_dict(words)


def fill(config: RunConfig) -> None:
    """Fill the settings form with a config."""
    for param in SETTINGS.params:
        param.key.set(value_at(config, param.word))


def content() -> dict[str, Any]:
    """Content of the settings form, valid or not, nested like a config."""
    data: dict[str, Any] = {}
    for param in SETTINGS.params:
        *group, name = param.word.split(".")
        section = data.setdefault(group[0], {}) if group else data
        section[name] = param.key.get()
    return data


def checked() -> tuple[RunConfig | None, dict[str, str]]:
    """The config in the form, or None and its problems by path."""
    try:
        return RunConfig.parse(content()), {}
    except ConfigError as error:
        return None, {path: in_labels(sentence) for path, sentence in error.problems.items()}

"""Settings as JSON: a file to download, and a text to paste. The command line reads the same with `train --config`."""

import streamlit as st

from playground.config import ConfigError, RunConfig
from playground.storage.validation import parse_settings
from playground.ui.parts import style
from playground.ui.session import session_keys as keys
from playground.ui.session import state


def show(config: RunConfig | None) -> None:
    """The box; `config` is None while the settings in the form are not valid."""
    text = config.model_dump_json(indent=2) if config else ""
    st.download_button(
        "Download settings.json",
        data=text,
        file_name="settings.json",
        mime="application/json",
        icon=":material/download:",
        disabled=config is None,
        help="`python -m playground train --config settings.json` trains the same model.",
        on_click="ignore",
    )
    # A text and not a file: inside the frame of a Space Streamlit's uploads are refused.
    st.text_area(
        "Settings to use",
        key=keys.SETTINGS_TEXT.name,
        placeholder=RunConfig().model_dump_json(indent=2)[:90] + "...",
        help="Paste a settings.json, or a checkpoint's config.json. Settings that are missing have their defaults.",
        height=140,
    )
    st.button("Use these settings", icon=":material/check:", on_click=_use)
    if told := keys.SETTINGS_TOLD.take():
        style.message(told[1], "good" if told[0] else "wrong")


def _use() -> None:
    """Fills the form as a preset does. What does not work stays in the box, and the form as it is."""
    text = keys.SETTINGS_TEXT.get()
    if not text.strip():
        keys.SETTINGS_TOLD.set((False, "Paste the settings first."))
        return
    before, _ = state.checked_settings()
    try:
        config, changes = parse_settings(text.encode(errors="replace"), "The text")
    except ConfigError as error:
        keys.SETTINGS_TOLD.set((False, f"Nothing has changed. {error}"))
        return
    state.set_settings(config)
    changed = state.differences(before, config) if before else "the whole form is replaced"
    left_out = " The changes during training are left out." * bool(changes)
    keys.SETTINGS_TOLD.set((True, f"Settings used: {changed or 'they are those of the form'}.{left_out}"))

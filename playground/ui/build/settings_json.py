"""Settings as JSON: download a file or paste text. `train --config` on the command line reads the same format."""

import streamlit as st

from playground.settings.config import ConfigError, RunConfig
from playground.storage.validation import parse_settings
from playground.tasks.cleaning import changes as changes_of_text
from playground.ui.parts import style
from playground.ui.session import form_settings, setting_words
from playground.ui.session import session_keys as keys
from playground.ui.session.flash import flash, taken
from playground.ui.session.session_keys import Key

SETTINGS_TEXT = Key[str]("settings text", "", "Widget: settings as JSON, pasted")


def show(config: RunConfig | None) -> None:
    """Draw the box; `config` is None while the settings in the form are invalid."""
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
    # Text instead of a file: Streamlit's uploads are refused inside the frame of a Space.
    st.text_area(
        "Settings to use",
        key=SETTINGS_TEXT.name,
        max_chars=SETTINGS_TEXT.max_chars,
        placeholder=f"{(text or RunConfig().model_dump_json(indent=2))[:90]}...",
        help="Paste a settings.json, or a checkpoint's config.json. Missing settings get their default values.",
        height=140,
    )
    st.button("Use these settings", icon=":material/check:", on_click=_use)
    if used := taken("settings used")[0]:  # the page above has changed, so a message here may be out of sight
        st.toast(style.code(used), icon=":material/check:")
    style.flashed("settings")


def _use() -> None:
    """Fill the form as a preset does. If the text is invalid, it stays in the box and the form doesn't change."""
    text = SETTINGS_TEXT.get()
    if not text.strip():
        flash("settings", "Paste the settings first.")
        return
    before, _ = form_settings.checked()
    try:
        texts: list[str] = []
        config, changes = parse_settings(text.encode(errors="replace"), "The text", texts.append)
    except ConfigError as error:
        flash("settings", f"Settings not used. {error}")
        return
    form_settings.fill(config)
    changed = setting_words.differences(before, config) if before else "all settings are replaced"
    left_out = " Mid-run changes are left out." * bool(changes)
    flash("settings used", f"Settings used: {changed or 'nothing differs from the form'}.{left_out}")
    keys.TEXT_CHANGES.set("".join(map(changes_of_text, texts)))

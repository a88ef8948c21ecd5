"""The text that a model learns: pasted, from a .txt file, or generated sentences."""

import base64
import binascii
from functools import partial
from typing import Any

import streamlit as st

from playground.common.numbers import counted
from playground.tasks import InputError
from playground.tasks.cleaning import changes, cleaned
from playground.tasks.text import MAX_FILE_BYTES, TOO_LARGE, made_up_sentences, read_file
from playground.ui.parts import style
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session.address import LONGEST
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

TEXT_FILE = Key[Any]("text file", None, "Component: a text file that was chosen")

# A component instead of Streamlit's uploader, whose requests are refused inside the frame of a Space.
_file = st.components.v2.component(
    "playground_text_file", html='<div class="text-file large"></div>', js=loader("runs/text_file.ts")
)


def show(setting: keys.Key[Any], **options: Any) -> None:
    """Draw the field of a text setting, a file button, and a summary of the text."""
    st.text_area(
        "Text",
        height=160,
        max_chars=setting.max_chars,
        placeholder=made_up_sentences()[:200] + "…",
        on_change=partial(_clean, setting),
        **options,
    )
    _file(
        key=TEXT_FILE.name,
        data={"most": MAX_FILE_BYTES},
        height="content",
        on_file_change=partial(_read, setting),
    )
    style.flashed("text")
    if changed := keys.TEXT_CHANGES.take():
        style.caption(changed)
    text = setting.get() or ""
    if text:
        left_out = f" Links leave it out, since it is longer than {LONGEST} characters." * (len(text) > LONGEST)
        different = counted(len({*text}), "different one")
        style.caption(f"{len(text):,} characters, {different}. The checkpoint will contain the text.{left_out}")
    else:
        style.caption("Empty: generated sentences, as the field shows.")


def _clean(setting: keys.Key[Any]) -> None:
    _set(setting, setting.get() or "")


def _set(setting: keys.Key[Any], text: str) -> None:
    """Put a clean text into the field, and store what was changed in it."""
    setting.set(cleaned(text))
    keys.TEXT_CHANGES.set(changes(text))


def _read(setting: keys.Key[Any]) -> None:
    """Put a file's text into the field, or keep the field and store an error message."""
    given = TEXT_FILE.get().file
    if not isinstance(given, dict):
        return
    try:
        size, content = given.get("size"), str(given.get("content", ""))
        if isinstance(size, int) and size > MAX_FILE_BYTES:
            raise InputError(TOO_LARGE)
        _set(setting, read_file(base64.b64decode(content, validate=True)))
    except InputError as error:
        flash("text", f"{error} The text hasn't changed.")
    except binascii.Error:
        flash("text", "The upload was damaged. Choose the file again.")

"""Unexpected errors: the person gets a message with a number, and the log has the traceback with the same number.

Error texts and paths are not shown, because they can contain other people's data.
"""

import logging
import secrets
import traceback
from html import escape

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

from playground.common.errors import CheckpointError
from playground.ui.server.refusal import Refused
from playground.ui.session.session_keys import Key

ERROR_IN_CALLBACK = Key[str]("error in a callback", "", "Number of an unforeseen error")
ERROR_NUMBERS = Key[dict[str, str]]("numbers of errors", dict, "Number by kind of error")

_log = logging.getLogger(__name__)
_STREAMLITS = logging.getLogger("streamlit.error_util")
_DOWNLOADS = logging.getLogger("streamlit.runtime.backend_operation_handler")


def begin() -> None:
    """Leave tracebacks to this module's log, which adds the number; called at server start."""
    _STREAMLITS.addFilter(_is_not_logged_here)
    _DOWNLOADS.addFilter(_is_unforeseen)


def show(error: Exception) -> bool:
    """Draw the message in place of the failed page or fragment; for `st.App(on_script_error=...)`."""
    number = _numbered(error)
    _tell(f"This page failed (error {number}). Your input is kept. Try again.", number)
    st.button("Try again", key=f"try again {number}", icon=":material/refresh:")
    return True


def keep(error: Exception) -> None:
    """Store an error of a callback for the next script run."""
    ERROR_IN_CALLBACK.set(_numbered(error))
    st.rerun()


def tell_kept() -> None:
    """Draw the message about a failed callback at the top of the page."""
    if number := ERROR_IN_CALLBACK.take():
        _tell(
            f"The last action failed (error {number}). Check the page, then try again.",
            number,
        )


async def answer(request: Request, error: Exception) -> Response:
    """Response to a failed request; for `st.App(exception_handlers=...)`."""
    number = secrets.token_hex(4)
    _log.error("Error %s in %s %s", number, request.method, request.url.path, exc_info=error)
    return Refused(
        500,
        f"The server could not answer this request (error {number}). Try again. If it fails again, report this number "
        "to the operator of this app.",
    ).response()


def _tell(sentence: str, number: str) -> None:
    report = f"If it fails again, report number {number} to the operator of this app."
    st.html(
        f'<div class="message wrong" role="alert">{escape(sentence)} {escape(report)} '
        '<a href="">Reload this page</a> or <a href="./">go to Build</a>.</div>'
    )


def _numbered(error: Exception) -> str:
    """Number of an error; its traceback is logged once per session, because a fragment can fail repeatedly."""
    where = "".join(f"{frame.filename}:{frame.lineno} " for frame in traceback.extract_tb(error.__traceback__))
    numbers = ERROR_NUMBERS.get()
    kind = f"{type(error).__name__} {where}"
    if kind not in numbers:
        numbers[kind] = secrets.token_hex(4)
        _log.error("Error %s on a page", numbers[kind], exc_info=error)
    return numbers[kind]


def _is_unforeseen(record: logging.LogRecord) -> bool:
    """True if a download failed for another reason than a deleted or damaged checkpoint."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error.__cause__ if error else None, CheckpointError)


def _is_not_logged_here(record: logging.LogRecord) -> bool:
    return record.msg != "Uncaught app execution"

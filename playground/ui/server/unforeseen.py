"""Errors that nobody foresaw: the person reads a sentence and a number, the log has the traceback with that number.

Neither the text of an error nor a path is shown: both may hold what belongs to others.
"""

import logging
import secrets
import traceback
from html import escape

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

from playground.errors import CheckpointError
from playground.ui.server.refusal import Refused
from playground.ui.session import session_keys as keys

_log = logging.getLogger(__name__)
_STREAMLITS = logging.getLogger("streamlit.error_util")
_DOWNLOADS = logging.getLogger("streamlit.runtime.backend_operation_handler")


def begin() -> None:
    """Leaves tracebacks to this module's log, which has the number too; for the start of the server."""
    _STREAMLITS.addFilter(_is_not_logged_here)
    _DOWNLOADS.addFilter(_is_unforeseen)


def show(error: Exception) -> bool:
    """Draws the answer in place of what has failed, a page or a part of one; for `st.App(on_script_error=...)`."""
    number = _numbered(error)
    _tell(f"This page failed (error {number}). Your input is kept. Try again.", number)
    st.button("Try again", key=f"try again {number}", icon=":material/refresh:")
    return True


def keep(error: Exception) -> None:
    """Keeps an error of a callback for the page that is drawn next."""
    keys.ERROR_IN_CALLBACK.set(_numbered(error))
    st.rerun()


def tell_kept() -> None:
    """Says at the top of a page what has gone wrong in a callback."""
    if number := keys.ERROR_IN_CALLBACK.take():
        _tell(
            f"The last action failed (error {number}). Check the page, then try again.",
            number,
        )


async def answer(request: Request, error: Exception) -> Response:
    """The answer to a request that has failed; for `st.App(exception_handlers=...)`."""
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
        f'<div class="told wrong" role="alert">{escape(sentence)} {escape(report)} '
        '<a href="">Reload this page</a> or <a href="./">go to Build</a>.</div>'
    )


def _numbered(error: Exception) -> str:
    """The number of an error, logged with its traceback once a session: a part of a page may fail again and again."""
    where = "".join(f"{each.filename}:{each.lineno} " for each in traceback.extract_tb(error.__traceback__))
    numbers = keys.ERROR_NUMBERS.get()
    kind = f"{type(error).__name__} {where}"
    if kind not in numbers:
        numbers[kind] = secrets.token_hex(4)
        _log.error("Error %s on a page", numbers[kind], exc_info=error)
    return numbers[kind]


def _is_unforeseen(record: logging.LogRecord) -> bool:
    """Whether a download failed for another reason than its checkpoint, which was deleted or damaged meanwhile."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error.__cause__ if error else None, CheckpointError)


def _is_not_logged_here(record: logging.LogRecord) -> bool:
    return record.msg != "Uncaught app execution"

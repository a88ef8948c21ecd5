"""Checks of a visitor's code in a separate process, only for browsers of the account that runs the server."""

import io
import secrets
import threading
import tokenize
from collections import OrderedDict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.lessons.check import confinement
from playground.lessons.check.checking import CheckProcess
from playground.lessons.check.verdict import CheckError, Verdict
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.server import channels, peers
from playground.ui.session import identity
from playground.ui.session.services import services
from playground.ui.session.session_keys import CHECK_CODE

FILE_NAME = "my_file.py"
"""Name of the file with the code."""

MAX_BYTES = CHECK_CODE.max_chars
"""Maximum size of the code."""

CHANNEL = "visitor/check"
"""Event stream channel of the visitor's active check."""

_KEPT = 100  # visitors whose code and last check are stored

TERMINAL_CODE = secrets.token_urlsafe(9)
"""Printed at the start where the system doesn't say which account a browser belongs to."""

_proven: set[str] = set()  # visitors who have shown it

_codes: BoundedCache[str, str] = BoundedCache(_KEPT, lambda _: 1)  # by visitor
_checks: "OrderedDict[str, Check]" = OrderedDict()  # by visitor, the newest last


class Check:
    """One check, running or ended."""

    def __init__(self, code: str, part: str, mask: str | None) -> None:
        """Start the process."""
        self.code, self.part, self.mask = code, part, mask
        self.began = monotonic()
        self.cancelled = False
        self.verdict: Verdict | None = None
        self._folder = TemporaryDirectory(prefix="check-")
        file = Path(self._folder.name) / FILE_NAME
        file.write_bytes(_as_python_reads(code))
        self._process = CheckProcess(file, part, mask)
        threading.Thread(target=self._follow, name="check", daemon=True).start()

    @property
    def running(self) -> bool:
        return self.verdict is None and not self.cancelled

    @property
    def progress(self) -> str:
        """Sentence with its running time."""
        part, seconds = self.part.replace("-", " "), int(monotonic() - self.began)
        return f"Checking {part}: {seconds} s. The limit is {MAX_SECONDS:g} s."

    def cancel(self) -> None:
        """End the process without a verdict."""
        self.cancelled = self.verdict is None
        if self.cancelled:
            self._process.end()

    def _follow(self) -> None:
        verdict = self._process.wait()
        self._folder.cleanup()
        self.verdict = None if self.cancelled else verdict


def _as_python_reads(code: str) -> bytes:
    """The code in the encoding that its coding cookie names, UTF-8 without one or where that can't write it."""
    content = code.encode()
    try:
        return code.encode(tokenize.detect_encoding(io.BytesIO(content).readline)[0])
    except (SyntaxError, UnicodeEncodeError):
        return content


def permitted() -> bool:
    """True if this browser's code may run: only on one's own machine, for the account that runs the server."""
    return _is_own_machine() and _is_here()


def needs_code() -> bool:
    """True if `TERMINAL_CODE` would permit it: the system doesn't say which account the browser belongs to."""
    return _is_own_machine() and not _is_here() and peers.account(st.context.headers) == "unknown"


def prove(code: str) -> bool:
    """Permit this browser's code to run if `code` is the one in the terminal."""
    if right := needs_code() and secrets.compare_digest(code.strip().encode(), TERMINAL_CODE.encode()):
        _proven.add(identity.visitor())
    return right


def _is_own_machine() -> bool:
    host = services().host
    return not host.shared and not host.url and not host.allowed_hosts


def _is_here() -> bool:
    """True if the connection comes from the server's account on this machine."""
    account = peers.account(st.context.headers)
    return account == "own" or (account == "unknown" and identity.visitor() in _proven)


def begin(code: str, part: str, mask: str | None) -> Check:
    """Start a check of this visitor's code and cancel an earlier one. Raises `CheckError` if that isn't allowed."""
    if not permitted():
        raise CheckError("This server doesn't run visitors' code.", "Check it on your own machine.")
    if len(code.encode("utf-8", "replace")) > MAX_BYTES:
        raise CheckError("The code is longer than 1 MB.", "Keep only the part to check.")
    if not code.strip():
        raise CheckError("There is no code yet.", "Write or paste some, or choose a file.")
    if earlier := _checks.pop(identity.visitor(), None):
        earlier.cancel()
    confinement.hide()
    try:
        check = _checks[identity.visitor()] = Check(code, part, mask)
    except (OSError, UnicodeEncodeError) as error:
        raise CheckError("The check could not be started.", "Try again.") from error
    while len(_checks) > _KEPT:
        _checks.popitem(last=False)[1].cancel()
    return check


def keep(code: str) -> None:
    """Store this visitor's code, so that a reload doesn't lose it."""
    if permitted() and len(code) <= MAX_BYTES:
        _codes.put(identity.visitor(), code)


def kept() -> str:
    """This visitor's stored code."""
    return _codes.get(identity.visitor()) or ""


def latest() -> Check | None:
    """This visitor's last check, available after a reload."""
    return _checks.get(identity.visitor())


def fields(visitor: str) -> dict[str, Any]:
    """Channel fields of a visitor's running check; empty if there is none."""
    check = _checks.get(visitor)
    return {"check": check.began, "progress": check.progress} if check and check.running else {}


channels.own_channel("check", fields, lambda visitor: bool(fields(visitor)))

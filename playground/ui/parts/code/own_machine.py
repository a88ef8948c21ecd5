"""Who may run code: only the account that runs the server, on its own machine. A shared host runs no visitor's code."""

import secrets

import streamlit as st

from playground.ui.parts import style
from playground.ui.server import peers
from playground.ui.session import identity
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

TERMINAL_CODE = secrets.token_urlsafe(9)
"""Printed at the start where the system doesn't say which account a browser belongs to."""

TYPED_CODE = Key[str]("terminal code", "", "Widget: code from the terminal")
PROBLEM = Key[str]("terminal code problem", "", "Why that code doesn't permit anything")

_proven: set[str] = set()  # visitors who have shown it


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


def refusal(what: str) -> None:
    """Draw that no code runs here and, where the code from the terminal would permit it, a field for that."""
    if needs_code():
        st.text_input(
            "Code from the terminal",
            key=TYPED_CODE.name,
            max_chars=TYPED_CODE.max_chars,
            type="password",
            on_change=_prove,
            width=280,
            help="The terminal in which the app was started shows it. It permits this browser to run code.",
        )
        if problem := PROBLEM.get():
            style.message(problem, "wrong", "error")
    style.message(
        f"This server never runs visitors' code. Install the project on your own machine and {what} your file there.",
        "note",
        "shield",
    )


def limits(seconds: float, megabytes: int) -> None:
    """Draw what running one's own code means."""
    style.notice(
        f"Your code runs in a separate process on the machine that runs this app. Limits: {seconds:g} seconds "
        f"and {megabytes:,} MB of memory. This is no sandbox: run only code that you trust with your files."
    )


def _prove() -> None:
    PROBLEM.set("" if prove(TYPED_CODE.get()) else "This isn't the code from the terminal. Copy it from there.")


def _is_own_machine() -> bool:
    host = services().host
    return not host.shared and not host.url and not host.allowed_hosts


def _is_here() -> bool:
    """True if the connection comes from the server's account on this machine."""
    account = peers.account(st.context.headers)
    return account == "own" or (account == "unknown" and identity.visitor() in _proven)

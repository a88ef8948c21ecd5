"""The visitor: a random name in a signed cookie of the browser, or one for this session only."""

import hashlib
import re
import secrets

import streamlit as st
from itsdangerous import BadSignature, Signer

from playground.common.signing import signer
from playground.runs.visitor_data import subfolders
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

VISITOR = Key[str]("visitor", lambda: secrets.token_urlsafe(24), "Name of a visitor without a cookie")

VISITOR_COOKIE = "playground_visitor"
"""Name of the visitor's cookie inside the app; browsers use a longer name, see `cookies`."""

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")  # of a visitor, as `new_visitor` makes them
_FOLDER = re.compile(r"[0-9a-f]{32}")  # of a visitor, see `_digest`
_SIGNED = re.compile(r"[A-Za-z0-9_-]{32}\.[A-Za-z0-9_-]{43}")


def visitor() -> str:
    """Key of this visitor: from the browser's cookie or, without one (tests), for this session only.

    A digest, so that the cookie itself, which gives control, is in no folder name and no log.
    """
    return visitor_of(st.context.cookies.get(VISITOR_COOKIE)) or _digest(VISITOR.get())


def others_were_here() -> bool:
    """True if another browser has runs or answers on this host."""
    here = subfolders(services().host.private_folder)
    return any(_FOLDER.fullmatch(folder.name) and folder.name != visitor() for folder in here)


def visitor_of(cookie: object) -> str:
    """The same for an HTTP request, from its cookie; empty if this server did not sign it."""
    if not isinstance(cookie, str) or not _SIGNED.fullmatch(cookie):
        return ""
    try:
        return _digest(_signer().unsign(cookie).decode())
    except BadSignature:
        return ""


def new_visitor() -> str:
    """Cookie of a new visitor: an unguessable name, signed by this server."""
    return _signer().sign(secrets.token_urlsafe(24)).decode()


def adopted(cookie: str) -> str:
    """A signed cookie for an old unsigned one; empty if its visitor has no folder.

    An existing folder proves that the cookie is genuine: its name has 128 bits, which can't be guessed.
    """
    known = _NAME.fullmatch(cookie) and (services().host.private_folder / _digest(cookie)).is_dir()
    return _signer().sign(cookie).decode() if known else ""


def _signer() -> Signer:
    return signer(services().host.private_folder, "visitor")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]

"""Sign-ins of visitors, shared by tabs, questions and pushes, and the record of sign-outs.

Code that works for a visitor holds a `SignIn`, which returns the token until the sign-in ends, in all tabs at once. A
saved copy of a browser cookie could bring a token back, so its digest is stored on disk at sign-out. The key that signs
the cookies is in the same file: if the file is lost, all earlier cookies are invalid. No token is ever written.
"""

import hashlib
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Set
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal
from weakref import WeakSet

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from playground.common.errors import HubError, reason
from playground.common.files import write_whole
from playground.hub.account import Account
from playground.hub.calls import Token

EndOfSignIn = Literal["signed out", "expired"]

KEPT_DAYS = 31
"""Days a cookie can be valid: Streamlit accepts it for 30 days plus one."""

MAX_KEPT = 10_000
"""Maximum digests on disk, about 1 MB. Beyond that, sign-ins older than the oldest digest count as ended, too."""

_MAX_BYTES = 4_000_000
_WORDS: dict[EndOfSignIn, str] = {
    "signed out": "You have signed out. Sign in again to continue.",
    "expired": "Your sign-in has expired. Sign in again.",
}
_log = logging.getLogger(__name__)


class SignIn(SecretStr):
    """A token that can be read until the sign-in ends; after that reading raises `HubError` of kind `signed_out`."""

    def __init__(self, visitor: str, token: SecretStr, digest: str) -> None:
        super().__init__(token.get_secret_value())
        self.visitor = visitor
        self.digest = digest  # of a token in a browser cookie; empty for a pasted one
        self.account: Account | None = None  # None until the Hub has confirmed the token
        self.ended: EndOfSignIn | None = None
        self.name = secrets.token_hex(8)  # says nothing about the token

    @property
    def from_cookie(self) -> bool:
        """True if it comes from a browser cookie and survives a reload."""
        return bool(self.digest)

    def get_secret_value(self) -> str:
        value = self._secret_value
        if self.ended is not None:
            raise HubError("signed_out", _WORDS[self.ended])
        return value

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def _end(self, why: EndOfSignIn) -> None:
        self.ended = self.ended or why
        self._secret_value, self.account = "", None


_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Kept(BaseModel):
    """The file: a key and the sign-outs since its creation. Times in seconds since the epoch."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    key: _Digest = Field(default_factory=lambda: secrets.token_hex(32))
    before: float = 0.0  # sign-ins before this time have ended, too
    signed_out: dict[_Digest, float] = Field(default_factory=dict)  # digest -> time, oldest first


class SignIns:
    """All sign-ins of this server by visitor. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        """`folder` is read at the first sign-in with a cookie, and created at the first sign-out."""
        self.on_change: Callable[[str], None] = lambda _visitor: None
        """Called with a visitor one of whose sign-ins has begun or ended, in any thread; must not block."""
        self._path = folder / "signed_out.json"
        self._lock = threading.RLock()
        self._live: WeakSet[SignIn] = WeakSet()  # a token is dropped with the last tab or job that holds it
        self._cookies: OrderedDict[str, set[str]] = OrderedDict()  # visitor -> digests, newest visitor last
        self._kept: _Kept | None = None

    def key(self) -> str:
        """The key to sign cookies with, besides the host's secret; a new one if the file was lost."""
        return self._read().key

    def begin(self, visitor: str, token: SecretStr, *, from_cookie: bool = False) -> SignIn:
        """Start a visitor's sign-in with a token; with `from_cookie` all tabs share it.

        The caller sets its account once the Hub has confirmed the token. Check a token from a cookie with `has_ended`.
        """
        digest = _digest(token) if from_cookie else ""
        with self._lock:
            for sign_in in self._live:
                if from_cookie and (sign_in.visitor, sign_in.digest, sign_in.ended) == (visitor, digest, None):
                    return sign_in
            begun = SignIn(visitor, token, digest)
            if from_cookie and digest in self._read().signed_out:
                begun._end("signed out")
            elif from_cookie:
                self._cookies.setdefault(visitor, set()).add(digest)
                self._cookies.move_to_end(visitor)
                while len(self._cookies) > MAX_KEPT:
                    self._cookies.popitem(last=False)
            self._live.add(begun)
        self.on_change(visitor)
        return begun

    def active(self, visitor: str) -> list[SignIn]:
        """A visitor's sign-ins that have not ended."""
        if not self._live:
            return []  # without the lock: every tab asks for this
        with self._lock:
            return [sign_in for sign_in in self._live if sign_in.visitor == visitor and sign_in.ended is None]

    def has_ended(self, token: SecretStr, issued: float = 0.0) -> bool:
        """True if a token from a cookie was signed out; `issued` is in seconds since the epoch."""
        kept = self._read()
        return issued < kept.before or _digest(token) in kept.signed_out

    def sign_out(self, visitor: str, token: Token = False) -> None:
        """End all sign-ins of a visitor and others with the same cookies.

        `token` comes from a browser cookie and may belong to none of them.
        """
        with self._lock:
            if token is not False:
                self.begin(visitor, token, from_cookie=True)
            mine = [sign_in for sign_in in self._live if sign_in.visitor == visitor]
            cookies = self._cookies.pop(visitor, set())
        self._end(mine, "signed out", cookies)

    def expire(self, sign_in: SignIn) -> None:
        """End a sign-in whose token the Hub refused, in all tabs."""
        self._end([sign_in], "expired")

    def _end(self, sign_ins: list[SignIn], why: EndOfSignIn, closed: Set[str] = frozenset()) -> None:
        """`closed` are digests of cookies that no open tab may hold."""
        with self._lock:
            digests = {sign_in.digest for sign_in in sign_ins if sign_in.from_cookie and sign_in.ended is None} | closed
            ended = [
                sign_in
                for sign_in in self._live
                if sign_in.ended is None and (sign_in in sign_ins or sign_in.digest in digests)
            ]
            for sign_in in ended:
                sign_in._end(why)
            if digests:
                self._keep(digests)
        for visitor in {sign_in.visitor for sign_in in ended}:
            self.on_change(visitor)

    # --- on disk ---

    def _read(self) -> _Kept:
        with self._lock:
            if self._kept is None:
                kept = self._found()
                self._kept = kept or _Kept()
                if kept is None:
                    self._write()
            return self._kept

    def _found(self) -> _Kept | None:
        """The content of the file; None if missing or damaged, which makes all earlier cookies invalid."""
        try:
            with self._path.open("rb") as file:
                return _Kept.model_validate_json(file.read(_MAX_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            _log.warning("%s cannot be read. All visitors must sign in again.", self._path.name)
            return None

    def _keep(self, digests: set[str]) -> None:
        kept, now = self._read(), time.time()
        other = self._found()  # may be written by another server on this folder
        if other is not None and other.key == kept.key:
            kept.before = max(kept.before, other.before)
            kept.signed_out = dict(sorted({**other.signed_out, **kept.signed_out}.items(), key=lambda each: each[1]))
        kept.signed_out.update(dict.fromkeys(sorted(digests), now))
        for digest, ended in list(kept.signed_out.items()):
            if len(kept.signed_out) <= MAX_KEPT and now - ended < KEPT_DAYS * 86400:
                break
            kept.before = max(kept.before, ended)  # stays true if the clock was wrong
            del kept.signed_out[digest]
        self._write()

    def _write(self) -> None:
        """Replace the file atomically, readable by this user only.

        If that fails, delete the file: the next start creates a new key, which makes all cookies invalid.
        """
        kept = self._kept
        assert kept is not None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, kept.model_dump_json().encode(), durable=True, mode=0o600)
        except OSError as error:
            _log.warning(
                "Sign-outs cannot be saved: %s. After a restart all visitors must sign in again.", reason(error)
            )
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _digest(token: SecretStr) -> str:
    return hashlib.sha256(token.get_secret_value().encode()).hexdigest()

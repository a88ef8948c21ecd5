"""Who is signed in: the one place that every tab, question and push asks, and that remembers who has signed out.

Whoever works for a person holds a `SignIn`. It hands out the token at each use until the sign-in ends, in all tabs at
once. A token that lies in a cookie of the browser could come back with a saved copy of that cookie, so its digest is
kept on disk when somebody signs out. The key that signs the cookies lies in the same file: where the file is lost, as
on a disk that is emptied at each restart, no earlier cookie is valid any more. No token is ever written.
"""

import hashlib
import logging
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Set
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal
from weakref import WeakSet

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from playground.errors import HubError, reason
from playground.hub.account import Account
from playground.hub.client import Token

Ended = Literal["signed out", "expired"]

KEPT_DAYS = 31
"""How long a cookie can be read after it was made: Streamlit gives it 30 days and a day of grace."""

MAX_KEPT = 10_000
"""Digests on disk, about 1 MB. Beyond that, sign-ins older than the oldest of them count as ended as well."""

_MAX_BYTES = 4_000_000
_WORDS: dict[Ended, str] = {
    "signed out": "You have signed out; sign in to go on.",
    "expired": "The Hub no longer accepts this sign-in; sign in again.",
}
_log = logging.getLogger(__name__)


class SignIn(SecretStr):
    """A token that can be read until the sign-in ends; then reading it raises `HubError` of kind `signed_out`."""

    def __init__(self, visitor: str, token: SecretStr, digest: str) -> None:
        super().__init__(token.get_secret_value())
        self.visitor = visitor
        self.digest = digest  # of a token that the browser keeps in a cookie; empty for a pasted one
        self.account: Account | None = None  # None until the Hub has said whose token it is
        self.ended: Ended | None = None
        self.tabs: set[str] = set()  # ids of the sessions that hold it, to be drawn again when it ends

    @property
    def lasting(self) -> bool:
        """Whether the browser keeps it in a cookie, so that a reload does not end it."""
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

    def _end(self, why: Ended) -> None:
        self.ended = self.ended or why
        self._secret_value, self.account = "", None


_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Kept(BaseModel):
    """The file: a key, and who has signed out since it was made. Times in seconds since the epoch."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    key: _Digest = Field(default_factory=lambda: secrets.token_hex(32))
    before: float = 0.0  # sign-ins from before this time have ended, too
    signed_out: dict[_Digest, float] = Field(default_factory=dict)  # when, the oldest first


class SignIns:
    """All sign-ins of this server, by visitor; threads may share it."""

    def __init__(self, folder: Path) -> None:
        """`folder` is read when a sign-in with a cookie is first asked about, and made when there is one to end."""
        self._path = folder / "signed_out.json"
        self._lock = threading.RLock()
        self._live: WeakSet[SignIn] = WeakSet()  # a token goes with the last tab and job that hold it
        self._cookies: OrderedDict[str, set[str]] = OrderedDict()  # digests by visitor, the newest visitor last
        self._kept: _Kept | None = None

    def key(self) -> str:
        """What cookies are to be signed with, beside the host's own secret; another one where the file was lost."""
        return self._read().key

    def begin(self, visitor: str, token: SecretStr, *, lasting: bool = False) -> SignIn:
        """The sign-in of a visitor by this token; `lasting` where it comes from a cookie, which all tabs share.

        Its account is to be set once the Hub has said whose token it is. See `has_ended` for what comes from a cookie.
        """
        digest = _digest(token) if lasting else ""
        with self._lock:
            for each in self._live:
                if lasting and (each.visitor, each.digest, each.ended) == (visitor, digest, None):
                    return each
            begun = SignIn(visitor, token, digest)
            if lasting and digest in self._read().signed_out:
                begun._end("signed out")
            elif lasting:
                self._cookies.setdefault(visitor, set()).add(digest)
                self._cookies.move_to_end(visitor)
                while len(self._cookies) > MAX_KEPT:
                    self._cookies.popitem(last=False)
            self._live.add(begun)
            return begun

    def has_ended(self, token: SecretStr, issued: float = 0.0) -> bool:
        """Whether somebody has signed out from a token that came from a cookie; `issued` in seconds since the epoch."""
        kept = self._read()
        return issued < kept.before or _digest(token) in kept.signed_out

    def sign_out(self, visitor: str, token: Token = False) -> list[SignIn]:
        """Ends all sign-ins of a visitor, and those with the same cookies elsewhere; gives those that have ended.

        `token` is one that came from a cookie of the browser and may belong to none of them.
        """
        with self._lock:
            if token is not False:
                self.begin(visitor, token, lasting=True)
            mine = [each for each in self._live if each.visitor == visitor]
            return self._end(mine, "signed out", self._cookies.pop(visitor, set()))

    def expire(self, sign_in: SignIn) -> list[SignIn]:
        """Ends a sign-in that the Hub has refused; gives all that have ended with it."""
        return self._end([sign_in], "expired")

    def _end(self, sign_ins: list[SignIn], why: Ended, closed: Set[str] = frozenset()) -> list[SignIn]:
        """`closed` has digests of cookies that no open tab may hold any more."""
        with self._lock:
            digests = {each.digest for each in sign_ins if each.lasting and each.ended is None} | closed
            ended = [each for each in self._live if each.ended is None and (each in sign_ins or each.digest in digests)]
            for each in ended:
                each._end(why)
            if digests:
                self._keep(digests)
            return ended

    # --- on disk ---

    def _read(self) -> _Kept:
        with self._lock:
            if self._kept is None:
                found = self._found()
                self._kept = found or _Kept()
                if found is None:
                    self._write()
            return self._kept

    def _found(self) -> _Kept | None:
        """What the file holds; None where it is missing or damaged, so that no earlier cookie is valid."""
        try:
            with self._path.open("rb") as file:
                return _Kept.model_validate_json(file.read(_MAX_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            _log.warning("%s cannot be read, so everybody has to sign in again.", self._path.name)
            return None

    def _keep(self, digests: set[str]) -> None:
        kept, now = self._read(), time.time()
        there = self._found()  # of another server on this folder
        if there is not None and there.key == kept.key:
            kept.before = max(kept.before, there.before)
            kept.signed_out = dict(sorted({**there.signed_out, **kept.signed_out}.items(), key=lambda each: each[1]))
        kept.signed_out.update(dict.fromkeys(sorted(digests), now))
        for digest, ended in list(kept.signed_out.items()):
            if len(kept.signed_out) > MAX_KEPT:
                kept.before = max(kept.before, ended)
            elif now - ended < KEPT_DAYS * 86400:
                break
            del kept.signed_out[digest]
        self._write()

    def _write(self) -> None:
        """Writes beside the file, for this user alone, and renames.

        Where that fails the file is deleted: the next start makes another key, and every cookie of now is invalid.
        """
        kept, half = self._kept, self._path.with_suffix(f".{os.getpid()}.partial")
        assert kept is not None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            half.unlink(missing_ok=True)
            with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(kept.model_dump_json().encode())
                file.flush()
                os.fsync(file.fileno())
            half.replace(self._path)
        except OSError as error:
            _log.warning("Sign-outs cannot be saved: %s. After a restart everybody signs in again.", reason(error))
            for path in (half, self._path):
                with suppress(OSError):
                    path.unlink(missing_ok=True)


def _digest(token: SecretStr) -> str:
    return hashlib.sha256(token.get_secret_value().encode()).hexdigest()

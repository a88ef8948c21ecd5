"""The way to the Hub: one HTTP client with limits on everything, and one sentence for all that can go wrong.

The Hub's own client waits without end, tries again for minutes, keeps cookies and falls back to the host's token. Here
each request has a time limit, an answer that is an error is told at once, no cookie is kept, a token is always given.
"""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
from huggingface_hub import HfApi, set_client_factory
from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError, OfflineModeIsEnabled
from huggingface_hub.utils import build_hf_headers, get_session
from huggingface_hub.utils._http import default_client_factory
from pydantic import SecretStr

from playground.gate import CheckpointError, one_line, reason
from playground.hub.errors import UNREACHABLE, HubError, Kind

__all__ = ["UNREACHABLE", "HubError", "Kind", "Token", "api", "calling", "endpoint", "headers", "secret", "session"]

Token = SecretStr | Literal[False]
"""A visitor's token, or False: without an account. There is no default, so that nobody forgets whose it is."""

LIBRARY = "transformer-playground"

_CONNECT, _READ = 5.0, 15.0  # seconds until a connection stands, and without a byte of an answer
_DEADLINE = 120.0  # seconds for all calls that belong together, however slowly an answer drips
_SLOWEST = 20_000.0  # bytes a second at which a file still may come or go
_MAX_ANSWER = 16_000_000  # bytes of an answer that is no file
_MAX_MESSAGE = 64_000


class _Refused(Exception):
    """An answer that is an error, before the Hub's own client makes something of it or tries again."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(response.status_code)
        self.status = response.status_code
        self.code = response.headers.get("X-Error-Code", "")
        self.invalid_token = "invalid credentials" in response.headers.get("X-Error-Message", "").lower()
        self.retry_after = _retry_after(response.headers)
        self.message = _message(response)


class _Broken(Exception):
    """No answer, or half of one."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind: Kind = kind


@dataclass(frozen=True)
class _Call:
    deadline: float  # on the monotonic clock


_call: ContextVar[_Call | None] = ContextVar("_call", default=None)


class _Client(httpx2.Client):
    """Within `calling`, limits the time of every request and tells errors at once instead of trying for minutes."""

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        call = _call.get()
        if call is None:
            return super().send(request, **options)
        left = max(0.1, call.deadline - time.monotonic())
        given = request.extensions.get("timeout") or {}
        limits = {"connect": _CONNECT, "read": _READ, "write": _READ, "pool": _CONNECT}
        request.extensions["timeout"] = {
            name: min(given.get(name) or most, most, left) for name, most in limits.items()
        }
        request.extensions["deadline"] = call.deadline
        try:
            return super().send(request, **options)
        except httpx2.TransportError as error:
            raise _Broken(_broken(error)) from None


def _look_at_answer(response: httpx2.Response) -> None:
    deadline = response.request.extensions.get("deadline")
    if deadline is None:
        return
    path = urlsplit(str(response.request.url)).path
    is_file = not path.startswith("/api/") or path.startswith("/api/resolve-cache/")
    response.stream = _Bounded(response.stream, deadline, None if is_file else _MAX_ANSWER)
    if response.status_code >= 400:
        raise _Refused(response)


class _Bounded(httpx2.SyncByteStream):
    """The body of an answer, until its time or its size is over."""

    def __init__(self, stream: Any, deadline: float, most: int | None) -> None:
        self._stream, self._deadline, self._most = stream, deadline, most

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        try:
            for chunk in self._stream:
                size += len(chunk)
                if self._most is not None and size > self._most:
                    raise _Broken("server")
                if time.monotonic() > self._deadline:
                    raise _Broken("timeout")
                yield chunk
        except httpx2.TransportError as error:
            raise _Broken(_broken(error)) from None

    def close(self) -> None:
        self._stream.close()


def _make_client() -> httpx2.Client:
    standard = default_client_factory()
    hooks = standard.event_hooks
    standard.close()
    # No cookie that one visitor's call brings may ride on another's.
    jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    hooks = {"request": hooks["request"], "response": [*hooks["response"], _look_at_answer]}
    return _Client(event_hooks=hooks, follow_redirects=True, timeout=httpx2.Timeout(_READ), cookies=jar)


set_client_factory(_make_client)


def endpoint() -> str:
    """The address of the Hub, read each time from `HF_ENDPOINT`."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def api(token: Token) -> HfApi:
    """The Hub's client for this token and no other; to be used within `calling`."""
    return HfApi(endpoint=endpoint(), token=secret(token), library_name=LIBRARY, library_version="0.1")


def headers(token: Token) -> dict[str, str]:
    """For a request of our own; to be used within `calling`."""
    return build_hf_headers(token=secret(token), library_name=LIBRARY, library_version="0.1")


def session() -> httpx2.Client:
    """For a request of our own; to be used within `calling`."""
    return get_session()


def secret(token: Token) -> str | Literal[False]:
    """What goes to the Hub and nowhere else; raises `HubError` for what can be no token."""
    if token is False:
        return False
    value = token.get_secret_value()
    # Anything else would end up in the message of an error when the header is made.
    if not value or len(value) > 4096 or not all("!" <= sign <= "~" for sign in value):
        raise HubError("signed_out", "That is no access token; make one in the Hub's settings and paste it whole.")
    return value


@contextmanager
def calling(what: str, token: Token, *, seconds: float = _DEADLINE, size: int = 0) -> Iterator[None]:
    """Calls to the Hub about `what` (a repository's name, or "the Hub"); raises `HubError` for all that goes wrong.

    They may take `seconds` in all, and longer where files of `size` bytes go back or forth.
    """
    mark = _call.set(_Call(time.monotonic() + seconds + size / _SLOWEST))
    try:
        yield
    except (HubError, CheckpointError):
        raise
    except Exception as error:
        told = _told(error, what, token)
        if told is None:
            raise
        raise told from None
    finally:
        _call.reset(mark)


def _told(error: BaseException, what: str, token: Token) -> HubError | None:
    """The error in one sentence; None for what is none of the Hub's."""
    seen: BaseException | None = error
    while seen is not None:  # the Hub's client wraps what happens in an upload
        if isinstance(seen, HubError):
            return seen
        if isinstance(seen, _Refused):
            return _told_refusal(seen, what, token)
        if isinstance(seen, _Broken):
            return HubError(seen.kind, _BROKEN[seen.kind])
        if isinstance(seen, httpx2.TransportError):
            kind = _broken(seen)
            return HubError(kind, _BROKEN[kind])
        if isinstance(seen, OfflineModeIsEnabled | LocalEntryNotFoundError):
            return HubError("offline", _BROKEN["offline"])
        if isinstance(seen, HFValidationError):
            return HubError("invalid", f"“{one_line(what, 100)}” is no name of a repository; write it as owner/name.")
        if isinstance(seen, OSError) and seen.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return HubError("disk", f"The disk here takes no more: {what} could not be kept, and nothing is left.")
        if isinstance(seen, OSError) and seen.errno is not None and not isinstance(seen, ConnectionError):
            return HubError("disk", f"The disk here does not take {what}: {reason(seen)}.")
        if isinstance(seen, OSError) and "Consistency check" in str(seen):
            return HubError("cut", _BROKEN["cut"])
        seen = seen.__cause__ or seen.__context__
    if isinstance(error, ValueError | KeyError | TypeError | AttributeError | httpx2.HTTPError):
        return HubError("server", "The Hub answered with something that this app does not understand; try again later.")
    return None


_BROKEN: dict[str, str] = {
    "offline": "The Hub cannot be reached; look at the network and try again.",
    "timeout": "The Hub did not answer in time; try again.",
    "cut": "The connection to the Hub broke off in the middle; try again.",
    "server": "The Hub answered with something that this app does not understand; try again later.",
}


def _broken(error: BaseException) -> Kind:
    if isinstance(error, httpx2.TimeoutException):
        return "timeout"
    if isinstance(error, httpx2.ConnectError | httpx2.ProxyError | httpx2.UnsupportedProtocol):
        return "offline"
    return "cut"


def _told_refusal(refused: _Refused, what: str, token: Token) -> HubError:
    """What an answer with an error's number means."""
    status, code = refused.status, refused.code
    said = refused.message
    if token is not False:
        try:
            said = said.replace(token.get_secret_value(), "…")
        except HubError:  # signed out meanwhile: without the token its copies cannot be found
            said = ""
    reason = f": {said.rstrip('.')}" if said else ""
    if code == "GatedRepo":
        return HubError("gated", f"{what} is gated: ask for access on its page on the Hub, then try again.")
    if code == "RevisionNotFound":
        return HubError("revision", f"{what} has no such revision; choose another branch, tag or commit.")
    if code == "EntryNotFound":
        return HubError("not_found", f"A file of {what} is missing on the Hub; look at it again.")
    if status == 401 and token is not False and (refused.invalid_token or code != "RepoNotFound"):
        return HubError("signed_out", "The Hub does not accept the token: it is wrong or has expired; sign in again.")
    if status == 401 and code != "RepoNotFound":
        return HubError("signed_out", f"The Hub wants to know who asks for {what}; sign in first.")
    if code == "RepoNotFound" or status in (401, 404):
        seen = "nobody is signed in to see it" if token is False else "this account may not see it"
        return HubError("not_found", f"There is no {what} on the Hub, or it is private and {seen}.")
    if status in (402, 413, 507) or (status == 403 and "storage" in said.lower()):
        return HubError("quota", f"The Hub has no more room for this{reason}.")
    if status == 403:
        return HubError("forbidden", f"This token may not do that with {what}; use one that may write there.")
    if status == 409:
        return HubError("taken", f"{what} exists already or is being changed; choose another name or try again.")
    if status == 412:
        return HubError("stale", f"Somebody else has pushed to {what} in between.")
    if status == 429:
        when = f"in {_duration(refused.retry_after)}" if refused.retry_after else "in a few minutes"
        return HubError(
            "rate", f"The Hub asks for a pause: too many calls came from here; try again {when}.",
            retry_after=refused.retry_after,
        )  # fmt: skip
    if status >= 500 or status == 408:
        return HubError("server", f"The Hub has a fault of its own just now (error {status}); try again in a while.")
    return HubError("invalid", f"The Hub refused this for {what} (error {status}){reason}.")


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds until the Hub wants to be asked again, from either of the two headers that it uses."""
    text = headers.get("Retry-After", "")
    for part in headers.get("RateLimit", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == "t" and not text:
            text = value
    return float(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _message(response: httpx2.Response) -> str:
    """What the Hub itself said, on one line; empty where it said nothing short."""
    said = response.headers.get("X-Error-Message", "")
    if not said:
        body = b""
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _MAX_MESSAGE:
                    return ""
            data = httpx2.Response(200, content=body).json()
            said = data.get("error") or data.get("message") or "" if isinstance(data, dict) else ""
        except (ValueError, httpx2.HTTPError, httpx2.StreamError, _Broken):
            return ""
    return one_line(said, 160) if isinstance(said, str) else ""

"""HTTP requests to the Hub: an own client with limits on everything, and one place for the sentences of errors.

The Hub's library has one HTTP client for the whole process and settings that it reads from the environment, both of
which belong to the program that this package is used in. It also waits without end, retries for minutes, uploads by
Xet outside of that client, and falls back to the host's token. So requests are made here, each with its token and its
limits; nothing outlives a `calling` block, and an answer that is an error is raised at once.
"""

import errno
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ssl import SSLContext
from typing import Any, Literal

import httpx2
from huggingface_hub.constants import is_offline_mode
from pydantic import SecretStr

from playground.errors import CheckpointError, HubError, Kind, one_line, reason

Token = SecretStr | Literal[False]
"""A visitor's token, or False: without an account. There is no default, so that nobody forgets whose it is."""

_AGENT = "transformer-playground/0.1"
_ACCEPT = "application/json, application/vnd.git-lfs+json"
_CONNECT, _READ = 5.0, 15.0  # seconds until a connection stands, and without a byte of an answer
_DEADLINE = 120.0  # seconds for all calls that belong together, however slowly an answer drips
_SLOWEST = 20_000.0  # bytes a second at which a file still may come or go
_MAX_ANSWER = 16_000_000  # bytes of an answer that is no file
_MAX_MESSAGE = 64_000
_PIECE = 64 * 1024  # bytes of an upload between two looks at the clock


class _Refused(Exception):
    """An answer that is an error."""

    def __init__(self, response: httpx2.Response, message: str, *, storage: bool) -> None:
        super().__init__(response.status_code)
        self.status = response.status_code
        self.code = response.headers.get("X-Error-Code", "")
        self.invalid_token = "invalid credentials" in response.headers.get("X-Error-Message", "").lower()
        self.retry_after = _retry_after(response.headers)
        self.message = message
        self.reading = response.request.method == "GET"
        self.storage = storage  # it came from the storage of large files, which knows no accounts


class _Broken(Exception):
    """No answer, or half of one."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind: Kind = kind


class _Bounded(httpx2.SyncByteStream):
    """The body of an answer as it comes, until its time is over."""

    def __init__(self, stream: Any, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._deadline:
                raise _Broken("timeout")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class _Body:
    """What is uploaded, piece by piece until its time is over; read once more where the Hub redirects."""

    def __init__(self, content: bytes, deadline: float) -> None:
        self._content, self._deadline = content, deadline

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self._content), _PIECE):
            if time.monotonic() > self._deadline:
                raise _Broken("timeout")
            yield self._content[start : start + _PIECE]


class Session:
    """Requests that belong together: with one token and one deadline. Made by `calling`, whose errors they raise."""

    def __init__(self, client: httpx2.Client, secret: str | Literal[False], deadline: float) -> None:
        self._client, self._secret, self._deadline = client, secret, deadline

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """The JSON at a path of the Hub."""
        return self.page(path, params)[0]

    def page(self, url: str, params: Mapping[str, Any] | None = None) -> tuple[Any, str | None]:
        """The JSON at a path or an address of the Hub, and the address of the next page if there is one."""
        with self.request("GET", url, params=params) as answer:
            following = answer.links.get("next", {}).get("url")
            if following and not _is_own(following):
                raise ValueError
            return json.loads(b"".join(self.chunks(answer))), following

    def post(
        self,
        url: str,
        data: Any,
        params: Mapping[str, Any] | None = None,
        content_type: str = "application/json",
    ) -> Any:
        """The JSON that answers `data`, which is sent as JSON unless it is bytes; None for an answer without JSON."""
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        headers = {"Content-Type": content_type, "Accept": _ACCEPT}
        with self.request("POST", url, params=params, content=content, headers=headers) as answer:
            body = b"".join(self.chunks(answer))
            return json.loads(body) if "json" in answer.headers.get("Content-Type", "") else None

    def put(self, url: str, content: bytes) -> None:
        """Uploads to an address that the Hub gave, without the token."""
        with self.request("PUT", url, content=content) as answer:
            for _chunk in self.chunks(answer):
                pass

    @contextmanager
    def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[httpx2.Response]:
        """The answer to a request, with its body still to be read. Only the Hub itself gets the token."""
        if is_offline_mode():
            raise HubError("offline", "Offline mode is on (HF_HUB_OFFLINE).", "Turn it off to reach the Hub.")
        url = f"{endpoint()}{url}" if url.startswith("/") else url
        sent = {"User-Agent": _AGENT, **(headers or {})}
        if self._secret and _is_own(url):
            sent["Authorization"] = f"Bearer {self._secret}"
        if content is not None:
            sent["Content-Length"] = str(len(content))
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _Broken("timeout")
        limits = {"connect": _CONNECT, "read": _READ, "write": _READ, "pool": _CONNECT}
        timeout = httpx2.Timeout(**{name: min(limit, left) for name, limit in limits.items()})
        body = None if content is None else _Body(content, self._deadline)
        with self._client.stream(method, url, params=params, content=body, headers=sent, timeout=timeout) as answer:
            answer.stream = _Bounded(answer.stream, self._deadline)
            if answer.status_code >= 400:
                raise _Refused(answer, self._message(answer), storage=not _is_own(str(answer.url)))
            yield answer

    def chunks(self, answer: httpx2.Response, limit: int = _MAX_ANSWER) -> Iterator[bytes]:
        """The body of an answer, of `limit` bytes at most."""
        size = 0
        for chunk in answer.iter_bytes():
            size += len(chunk)
            if size > limit:
                raise _Broken("server")
            yield chunk

    def _message(self, answer: httpx2.Response) -> str:
        """What the Hub itself said, on one line and without the token; empty where it said nothing short."""
        said = answer.headers.get("X-Error-Message", "")
        if not said:
            try:
                data = json.loads(b"".join(self.chunks(answer, _MAX_MESSAGE)))
                said = data.get("error") or data.get("message") or "" if isinstance(data, dict) else ""
            except (ValueError, RecursionError, httpx2.HTTPError, httpx2.StreamError, _Broken):
                return ""
        if not isinstance(said, str):
            return ""
        return one_line(said.replace(self._secret, "…") if self._secret else said, 160)


def endpoint() -> str:
    """The address of the Hub, read each time from `HF_ENDPOINT`."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def _is_own(url: str) -> bool:
    return url.startswith(f"{endpoint()}/")


@lru_cache(maxsize=1)
def _certificates() -> SSLContext:
    try:
        return httpx2.create_ssl_context()  # takes 150 ms
    except OSError as error:
        problem = f"The certificates for HTTPS cannot be read: {reason(error)}."
        raise HubError("offline", problem, "Correct SSL_CERT_FILE or SSL_CERT_DIR.") from None


def _make_client() -> httpx2.Client:
    jar = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx2.Client(follow_redirects=True, cookies=jar, verify=_certificates())


def _checked(token: Token) -> str | Literal[False]:
    """What goes to the Hub and nowhere else; raises `HubError` for what can be no token."""
    if token is False:
        return False
    value = token.get_secret_value()
    # Anything else would end up in the message of an error when the header is made.
    if not value or len(value) > 4096 or not all("!" <= sign <= "~" for sign in value):
        raise HubError(
            "signed_out", "That is not an access token.", "Create one in the Hub's settings and paste all of it."
        )
    return value


@contextmanager
def calling(what: str, token: Token, *, seconds: float | None = None, size: int = 0) -> Iterator[Session]:
    """Calls to the Hub about `what` (a repository's name, or "the Hub"); raises `HubError` for all that goes wrong.

    They may take `seconds` in all, and longer where files of `size` bytes go back or forth.
    """
    secret = _checked(token)
    deadline = time.monotonic() + (_DEADLINE if seconds is None else seconds) + size / _SLOWEST
    try:
        with _make_client() as client:
            yield Session(client, secret, deadline)
    except CheckpointError:
        raise
    except _Refused as refused:
        raise _told_refusal(refused, what, signed_in=token is not False) from None
    except _Broken as broken:
        raise HubError(broken.kind, *_BROKEN[broken.kind]) from None
    except httpx2.TransportError as error:
        kind = _broken(error)
        raise HubError(kind, *_BROKEN[kind]) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            told = HubError("disk", f"The disk is full: {what} could not be saved.", "Free some space, then try again.")
        else:
            told = HubError("disk", f"{what} could not be saved: {reason(error)}.")
        raise told from None
    except (
        *(ValueError, KeyError, TypeError, AttributeError, RecursionError),
        *(httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError),
    ):
        raise HubError("server", *_BROKEN["server"]) from None


_BROKEN: dict[str, tuple[str, str]] = {
    "offline": ("The Hub cannot be reached.", "Check the network, then try again."),
    "timeout": ("The Hub did not answer in time.", "Try again."),
    "cut": ("The connection to the Hub broke off.", "Try again."),
    "server": ("The Hub sent an answer that this app does not understand.", "Try again later."),
}


def _broken(error: httpx2.TransportError) -> Kind:
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError | httpx2.UnsupportedProtocol):
        return "offline"  # no request was sent
    return "timeout" if isinstance(error, httpx2.TimeoutException) else "cut"


def _told_refusal(refused: _Refused, what: str, *, signed_in: bool) -> HubError:
    """What an answer with an error's number means."""
    status, code, said = refused.status, refused.code, refused.message
    reason = f": {said.rstrip('.')}" if said else ""
    if refused.storage and status < 500 and status not in (408, 413, 429):
        return HubError("server", f"The Hub's file storage refused a file of {what} (error {status}).", "Try again.")
    if code == "GatedRepo":
        return HubError("gated", f"{what} is gated.", "On its page on the Hub, ask for access. Then try again.")
    if code == "RevisionNotFound":
        return HubError("revision", f"{what} has no such revision.", "Choose another branch, tag or commit.")
    if code == "EntryNotFound":
        return HubError("not_found", f"The Hub does not find a file of {what}.", "Look at the model again.")
    if status == 401 and signed_in and (refused.invalid_token or code != "RepoNotFound"):
        return HubError(
            "signed_out", "The Hub does not accept the token: it is wrong or has expired.", "Sign in again."
        )
    if status == 401 and code != "RepoNotFound":
        return HubError("signed_out", f"The Hub wants to know who asks for {what}.", "Sign in first.")
    if code == "RepoNotFound" or status in (401, 404):
        seen = "this account may not see it" if signed_in else "nobody is signed in to see it"
        return HubError("not_found", f"There is no {what} on the Hub, or it is private and {seen}.")
    if status in (402, 413, 507) or (status == 403 and "storage" in said.lower()):
        return HubError("quota", f"The Hub has no room for this{reason}.")
    if status == 403 and refused.reading:
        who = "This account or token" if signed_in else "Nobody is signed in, and an anonymous visitor"
        return HubError("forbidden", f"{who} may not read {what}.", "Sign in with a token that may read it.")
    if status == 403:
        return HubError("forbidden", f"This token may not write to {what}.", "Use a token with write access to it.")
    if status == 409:
        return HubError("taken", f"{what} exists already or is being changed.", "Choose another name, or try again.")
    if status == 412:
        return HubError("stale", f"{what} has changed since this push looked at it.", "Look at it, then push again.")
    if status == 429:
        when = f"in {_duration(refused.retry_after)}" if refused.retry_after else "in a few minutes"
        return HubError(
            "rate", "The Hub received too many requests from here.", f"Try again {when}.",
            retry_after=refused.retry_after,
        )  # fmt: skip
    if status >= 500 or status == 408:
        return HubError("server", f"The Hub reported an internal error ({status}).", "Try again later.")
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

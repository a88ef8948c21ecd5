"""HTTP requests to the Hub with limits on time and size, and the messages of all Hub errors.

`huggingface_hub` has one HTTP client per process and reads settings from the environment; both belong to the program
that uses this package. It also waits without limit, retries for minutes, uploads by Xet outside of that client, and
falls back to the host's token. So this module makes the requests, each with its own token and limits. Nothing outlives
a `hub_session` block, and an error response raises at once.
"""

import errno
import json
import os
import re
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
"""A visitor's token, or False for no account. No function has a default, so every call names its token."""

_AGENT = "transformer-playground/0.1"
_ACCEPT = "application/json, application/vnd.git-lfs+json"
_CONNECT, _READ = 5.0, 15.0  # seconds to connect, and to wait for a byte of a response
_DEADLINE = 120.0  # seconds for all calls of a session
_MIN_BYTES_PER_SECOND = 20_000.0  # added to the deadline of file transfers
_MAX_RESPONSE = 16_000_000  # bytes of a response that is not a file
_MAX_MESSAGE = 64_000
_CHUNK_BYTES = 64 * 1024  # bytes of an upload between two deadline checks


class _ErrorResponse(Exception):
    """An error response."""

    def __init__(self, response: httpx2.Response, message: str, *, storage: bool) -> None:
        super().__init__(response.status_code)
        self.status = response.status_code
        self.code = response.headers.get("X-Error-Code", "")
        self.invalid_token = "invalid credentials" in response.headers.get("X-Error-Message", "").lower()
        self.retry_after = _retry_after(response.headers)
        self.message = message
        self.reading = response.request.method == "GET"
        self.storage = storage  # from the storage of large files, which knows no accounts


class _NoResponse(Exception):
    """No response, or an incomplete one."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind: Kind = kind


class _TimedStream(httpx2.SyncByteStream):
    """The body of a response, with a deadline."""

    def __init__(self, stream: Any, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._deadline:
                raise _NoResponse("timeout")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class _TimedUpload:
    """The body of an upload in chunks, with a deadline. It is read again if the Hub redirects."""

    def __init__(self, content: bytes, deadline: float) -> None:
        self._content, self._deadline = content, deadline

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self._content), _CHUNK_BYTES):
            if time.monotonic() > self._deadline:
                raise _NoResponse("timeout")
            yield self._content[start : start + _CHUNK_BYTES]


class Session:
    """Requests with one token and one deadline. Made by `hub_session`, which raises their errors."""

    def __init__(self, client: httpx2.Client, secret: str | Literal[False], deadline: float) -> None:
        self._client, self._secret, self._deadline = client, secret, deadline

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Get the JSON at a path of the Hub."""
        return self.page(path, params)[0]

    def page(self, url: str, params: Mapping[str, Any] | None = None) -> tuple[Any, str | None]:
        """Get the JSON at a path or URL of the Hub, and the URL of the next page if there is one."""
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
        """Post `data`, as JSON unless it is bytes; return the JSON response, None if it has none."""
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        headers = {"Content-Type": content_type, "Accept": _ACCEPT}
        with self.request("POST", url, params=params, content=content, headers=headers) as answer:
            body = b"".join(self.chunks(answer))
            return json.loads(body) if "json" in answer.headers.get("Content-Type", "") else None

    def put(self, url: str, content: bytes) -> None:
        """Upload to a URL that the Hub returned, without the token."""
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
        """Send a request; yield the response with its body unread. Only the Hub itself gets the token."""
        if is_offline_mode():
            raise HubError("offline", "Offline mode is on (HF_HUB_OFFLINE).", "Unset it to use the Hub.")
        url = f"{endpoint()}{url}" if url.startswith("/") else url
        sent = {"User-Agent": _AGENT, **(headers or {})}
        if self._secret and _is_own(url):
            sent["Authorization"] = f"Bearer {self._secret}"
        if content is not None:
            sent["Content-Length"] = str(len(content))
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _NoResponse("timeout")
        limits = {"connect": _CONNECT, "read": _READ, "write": _READ, "pool": _CONNECT}
        timeout = httpx2.Timeout(**{name: min(limit, left) for name, limit in limits.items()})
        body = None if content is None else _TimedUpload(content, self._deadline)
        with self._client.stream(method, url, params=params, content=body, headers=sent, timeout=timeout) as answer:
            answer.stream = _TimedStream(answer.stream, self._deadline)
            if answer.status_code >= 400:
                raise _ErrorResponse(answer, self._message(answer), storage=not _is_own(str(answer.url)))
            yield answer

    def chunks(self, answer: httpx2.Response, limit: int = _MAX_RESPONSE) -> Iterator[bytes]:
        """The body of a response, at most `limit` bytes."""
        size = 0
        for chunk in answer.iter_bytes():
            size += len(chunk)
            if size > limit:
                raise _NoResponse("server")
            yield chunk

    def _message(self, answer: httpx2.Response) -> str:
        """The Hub's error message on one line, without the token; empty if it sent none."""
        message = answer.headers.get("X-Error-Message", "")
        if not message:
            try:
                data = json.loads(b"".join(self.chunks(answer, _MAX_MESSAGE)))
                message = data.get("error") or data.get("message") or "" if isinstance(data, dict) else ""
            except (ValueError, RecursionError, httpx2.HTTPError, httpx2.StreamError, _NoResponse):
                return ""
        if not isinstance(message, str):
            return ""
        return one_line(message.replace(self._secret, "…") if self._secret else message, 160)


def endpoint() -> str:
    """The URL of the Hub, read from `HF_ENDPOINT` at each call."""
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
    certificates = _certificates()
    try:
        return httpx2.Client(follow_redirects=True, cookies=jar, verify=certificates)
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        proxies = [name for name, url in os.environ.items() if name.lower() in _PROXIES and not _WEB.match(url)]
        problem = f"The proxy in {' or '.join(proxies or _PROXIES)} can't be used."
        advice = "Begin it with http://, or unset the variable."
        if isinstance(error, ImportError):
            advice = "For a SOCKS proxy, install socksio. Otherwise use an http:// proxy, or unset the variable."
        raise HubError("offline", problem, advice) from None


_PROXIES = ("https_proxy", "http_proxy", "all_proxy")
_WEB = re.compile(r"https?://[^/]")


def _check_endpoint() -> None:
    if not _WEB.match(endpoint()):
        problem = "HF_ENDPOINT does not begin with http:// or https://."
        raise HubError("offline", problem, "Write it like https://hub.example.org, or unset it.")


def _checked(token: Token) -> str | Literal[False]:
    """The plain token; raises `HubError` for an invalid one."""
    if token is False:
        return False
    value = token.get_secret_value()
    # An invalid header value would appear in an error message.
    if not value or len(value) > 4096 or not all("!" <= sign <= "~" for sign in value):
        raise HubError("signed_out", "Invalid access token.", "Create one in your Hub settings and paste all of it.")
    return value


@contextmanager
def hub_session(what: str, token: Token, *, seconds: float | None = None, size: int = 0) -> Iterator[Session]:
    """A session for calls to the Hub about `what`, a repository name or "the Hub"; raises `HubError` for all failures.

    All calls together may take `seconds`, and longer to transfer `size` bytes.
    """
    secret = _checked(token)
    _check_endpoint()
    deadline = time.monotonic() + (_DEADLINE if seconds is None else seconds) + size / _MIN_BYTES_PER_SECOND
    try:
        with _make_client() as client:
            yield Session(client, secret, deadline)
    except CheckpointError:
        raise
    except _ErrorResponse as refused:
        raise _error_of_response(refused, what, signed_in=token is not False) from None
    except _NoResponse as broken:
        raise HubError(broken.kind, *_NO_RESPONSE[broken.kind]) from None
    except httpx2.TransportError as error:
        kind = _kind_of_failure(error)
        raise HubError(kind, *_NO_RESPONSE[kind]) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            failure = HubError(
                "disk", f"The disk is full: {what} could not be saved.", "Free some space and try again."
            )
        else:
            failure = HubError("disk", f"{what} could not be saved: {reason(error)}.")
        raise failure from None
    except (
        *(ValueError, KeyError, TypeError, AttributeError, RecursionError),
        *(httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError),
    ):
        raise HubError("server", *_NO_RESPONSE["server"]) from None


_NO_RESPONSE: dict[str, tuple[str, str]] = {
    "offline": ("Can't reach the Hub.", "Check the network connection and try again."),
    "timeout": ("The Hub did not respond in time.", "Try again."),
    "cut": ("The connection to the Hub was lost.", "Try again."),
    "server": ("The Hub sent an invalid response.", "Try again later."),
}


def _kind_of_failure(error: httpx2.TransportError) -> Kind:
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError | httpx2.UnsupportedProtocol):
        return "offline"  # no request was sent
    return "timeout" if isinstance(error, httpx2.TimeoutException) else "cut"


def _error_of_response(refused: _ErrorResponse, what: str, *, signed_in: bool) -> HubError:
    """The error for an error response."""
    status, code, message = refused.status, refused.code, refused.message
    reason = f": {message.rstrip('.')}" if message else ""
    if refused.storage and status < 500 and status not in (408, 413, 429):
        return HubError("server", f"The Hub's file storage refused a file of {what} (error {status}).", "Try again.")
    if code == "GatedRepo":
        return HubError("gated", f"{what} is gated.", "Request access on its Hub page, then try again.")
    if code == "RevisionNotFound":
        return HubError("revision", f"{what} does not have this revision.", "Choose another branch, tag or commit.")
    if code == "EntryNotFound":
        return HubError("not_found", f"A file of {what} is missing on the Hub.", "Reload the model.")
    if status == 401 and signed_in and (refused.invalid_token or code != "RepoNotFound"):
        return HubError("signed_out", "The Hub refused the token: it is invalid or has expired.", "Sign in again.")
    if status == 401 and code != "RepoNotFound":
        return HubError("signed_out", f"The Hub requires a login for {what}.", "Sign in first.")
    if code == "RepoNotFound" or status in (401, 404):
        if signed_in:
            return HubError("not_found", f"{what} does not exist on the Hub, or this account cannot see it.")
        return HubError("not_found", f"{what} does not exist on the Hub, or it is private and you are not signed in.")
    if status in (402, 413, 507) or (status == 403 and "storage" in message.lower()):
        return HubError("quota", f"The storage limit on the Hub is reached{reason}.")
    if status == 403 and refused.reading:
        problem = f"This token cannot read {what}." if signed_in else f"You cannot read {what} without a login."
        return HubError("forbidden", problem, "Sign in with a token that has read access to it.")
    if status == 403:
        return HubError("forbidden", f"This token cannot write to {what}.", "Use a token with write access to it.")
    if status == 409:
        return HubError("taken", f"{what} already exists or is being changed.", "Choose another name, or try again.")
    if status == 412:
        return HubError("stale", f"{what} has changed since this push started.", "Check the changes, then push again.")
    if status == 429:
        when = f"in {_duration(refused.retry_after)}" if refused.retry_after else "in a few minutes"
        return HubError(
            "rate", "The Hub received too many requests.", f"Try again {when}.",
            retry_after=refused.retry_after,
        )  # fmt: skip
    if status >= 500 or status == 408:
        return HubError("server", f"The Hub had an internal error ({status}).", "Try again later.")
    return HubError("invalid", f"The Hub refused the request for {what} (error {status}){reason}.")


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds to wait before the next request, from either of the Hub's two headers."""
    text = headers.get("Retry-After", "")
    for part in headers.get("RateLimit", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == "t" and not text:
            text = value
    return float(text) if text.isascii() and text.isdigit() and len(text) < 7 else None

"""Calls to the Hub by its own library, `huggingface_hub`, and the messages of all their errors.

From Python and on the command line, the library is used as the person has configured it. The app's server configures
it once, see `playground.ui.server.hub_client`: there each call keeps the limits that `hub_call` sets.
"""

import errno
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

import httpx2
from huggingface_hub import HfApi, constants, get_session
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import build_hf_headers, parse_ratelimit_headers
from pydantic import SecretStr

from playground.common.errors import CheckpointError, HubError, HubErrorKind, one_line, reason

Token = SecretStr | Literal[False]
"""A visitor's token, or False for no account. No function has a default, so every call names its token."""

_SECONDS = 120.0
_MAX_BYTES = 16_000_000  # of a response that is not a file
_MIN_BYTES_PER_SECOND = 20_000.0  # added to the deadline of file transfers
_PROXIES = ("https_proxy", "http_proxy", "all_proxy")
_WEB = re.compile(r"https?://[^/]")


class CallLimits(NamedTuple):
    """Limits of the current call, for a client that keeps them."""

    deadline: float  # as `time.monotonic`
    max_bytes: int  # of a response


_limits: ContextVar[CallLimits | None] = ContextVar("limits", default=None)


class NoResponse(Exception):
    """No response, or an incomplete one. `huggingface_hub` doesn't know it, so it doesn't retry."""

    def __init__(self, kind: HubErrorKind) -> None:
        super().__init__(kind)
        self.kind: HubErrorKind = kind


_FAILURES = (
    *(NoResponse, httpx2.HTTPError, httpx2.InvalidURL, OSError, RuntimeError, ValueError),
    *(LookupError, TypeError, AttributeError),  # the library's, for a response of another form
)


@contextmanager
def hub_call(
    what: str, token: Token, *, seconds: float = _SECONDS, size: int = 0, max_bytes: int = _MAX_BYTES
) -> Iterator[HfApi]:
    """Calls to the Hub about `what`, a repository name or "the Hub"; raises `HubError` for all failures.

    In the app, all calls together may take `seconds`, and longer to transfer `size` bytes; a response may have
    `max_bytes`.
    """
    secret = _checked(token)
    _check_settings()
    before = _limits.set(CallLimits(time.monotonic() + seconds + size / _MIN_BYTES_PER_SECOND, max_bytes))
    try:
        yield HfApi(token=secret, library_name="transformer-playground", library_version="0.1")
    except CheckpointError:
        raise
    except _FAILURES as error:
        raise _error(error, what, secret) from None
    finally:
        _limits.reset(before)


def limits() -> CallLimits:
    """Limits of the current call; outside of `hub_call`, and in threads that the library starts, the usual ones."""
    return _limits.get() or CallLimits(time.monotonic() + _SECONDS, _MAX_BYTES)


def endpoint() -> str:
    """The URL of the Hub, from `HF_ENDPOINT`."""
    return constants.ENDPOINT


def is_own(url: httpx2.URL) -> bool:
    """True for a URL of the Hub itself, False for its storage of large files."""
    return str(url).startswith(f"{endpoint()}/")


def headers(hub: HfApi, **more: str) -> dict[str, str]:
    """Headers of a request that `HfApi` has no function for."""
    return build_hf_headers(
        token=hub.token, library_name=hub.library_name, library_version=hub.library_version, headers=more
    )


def _checked(token: Token) -> str | Literal[False]:
    """The plain token; raises `HubError` for an invalid one."""
    if token is False:
        return False
    value = token.get_secret_value()
    # An invalid header value would appear in an error message.
    if not value or len(value) > 4096 or not all("!" <= sign <= "~" for sign in value):
        raise HubError("signed_out", "Invalid access token.", "Create one in your Hub settings and paste all of it.")
    return value


def _check_settings() -> None:
    """Raises `HubError` for settings of this machine with which no call can be made."""
    if constants.is_offline_mode():
        raise HubError("offline", "Offline mode is on (HF_HUB_OFFLINE).", "Unset it to use the Hub.")
    if not _WEB.match(endpoint()):
        problem = "HF_ENDPOINT does not begin with http:// or https://."
        raise HubError("offline", problem, "Write it like https://hub.example.org, or unset it.")
    try:
        get_session()
    except OSError as error:
        problem = f"The certificates for HTTPS cannot be read: {reason(error)}."
        raise HubError("offline", problem, "Correct SSL_CERT_FILE or SSL_CERT_DIR.") from None
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        proxies = [name for name, url in os.environ.items() if name.lower() in _PROXIES and not _WEB.match(url)]
        advice = "Begin it with http://, or unset the variable."
        if isinstance(error, ImportError):
            advice = "For a SOCKS proxy, install socksio. Otherwise use an http:// proxy, or unset the variable."
        raise HubError("offline", f"The proxy in {' or '.join(proxies or _PROXIES)} can't be used.", advice) from None


# --- errors ---------------------------------------------------------------------------------------

_NO_RESPONSE: dict[str, tuple[str, str]] = {
    "offline": ("Can't reach the Hub.", "Check the network connection and try again."),
    "timeout": ("The Hub did not respond in time.", "Try again."),
    "cut": ("The connection to the Hub was lost.", "Try again."),
    "server": ("The Hub sent an invalid response.", "Try again later."),
}


def _error(error: BaseException, what: str, secret: str | Literal[False]) -> HubError:
    cause: BaseException | None = error
    while cause and not _is_telling(cause):  # the library raises its own errors from the one that says what happened
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, HfHubHTTPError):
        message = cause.server_message or ""
        message = one_line(message.replace(secret, "…") if secret else message, 160)
        return _error_of_response(cause.response, message, what, signed_in=bool(secret))
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return HubError("disk", f"The disk is full: {what} could not be saved.", "Free some space and try again.")
    if isinstance(cause, OSError):
        return HubError("disk", f"{what} could not be saved: {reason(cause)}.")
    kind: HubErrorKind = "cut" if type(error) is OSError else "server"  # the library's for a file of another size
    if isinstance(cause, NoResponse):
        kind = cause.kind
    elif isinstance(cause, httpx2.TransportError):
        kind = kind_of_failure(cause)
    return HubError(kind, *_NO_RESPONSE[kind])


def _is_telling(error: BaseException) -> bool:
    if isinstance(error, NoResponse | HfHubHTTPError | httpx2.TransportError):
        return True
    return isinstance(error, OSError) and error.errno is not None


def kind_of_failure(error: httpx2.TransportError) -> HubErrorKind:
    """The kind of error if no response came."""
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError | httpx2.UnsupportedProtocol):
        return "offline"  # no request was sent
    return "timeout" if isinstance(error, httpx2.TimeoutException) else "cut"


def _error_of_response(response: httpx2.Response, message: str, what: str, *, signed_in: bool) -> HubError:
    status, code = response.status_code, response.headers.get("X-Error-Code", "")
    invalid_token = "invalid credentials" in response.headers.get("X-Error-Message", "").lower()
    why = f": {message.rstrip('.')}" if message else ""
    if not is_own(response.url) and status < 500 and status not in (408, 413, 429):  # it knows no accounts
        return HubError("server", f"The Hub's file storage refused a file of {what} (error {status}).", "Try again.")
    if code == "GatedRepo":
        return HubError("gated", f"{what} is gated.", "Request access on its Hub page, then try again.")
    if code == "RevisionNotFound":
        return HubError("revision", f"{what} does not have this revision.", "Choose another branch, tag or commit.")
    if code == "EntryNotFound":
        return HubError("not_found", f"A file of {what} is missing on the Hub.", "Reload the model.")
    if status == 401 and signed_in and (invalid_token or code != "RepoNotFound"):
        return HubError("signed_out", "The Hub refused the token: it is invalid or has expired.", "Sign in again.")
    if status == 401 and code != "RepoNotFound":
        return HubError("signed_out", f"The Hub requires a login for {what}.", "Sign in first.")
    if code == "RepoNotFound" or status in (401, 404):
        if signed_in:
            return HubError("not_found", f"{what} does not exist on the Hub, or this account cannot see it.")
        return HubError("not_found", f"{what} does not exist on the Hub, or it is private and you are not signed in.")
    if status in (402, 413, 507) or (status == 403 and "storage" in message.lower()):
        return HubError("quota", f"The storage limit on the Hub is reached{why}.")
    if status == 403 and response.request.method in ("GET", "HEAD"):
        problem = f"This token cannot read {what}." if signed_in else f"You cannot read {what} without a login."
        return HubError("forbidden", problem, "Sign in with a token that has read access to it.")
    if status == 403:
        return HubError("forbidden", f"This token cannot write to {what}.", "Use a token with write access to it.")
    if status == 409:
        return HubError("taken", f"{what} already exists or is being changed.", "Choose another name, or try again.")
    if status == 412:
        return HubError("stale", f"{what} has changed since this push started.", "Check the changes, then push again.")
    if status == 429:
        seconds = _retry_after(response.headers)
        when = "in a few minutes"
        if seconds:
            when = f"in {seconds:.0f} seconds" if seconds < 120 else f"in {seconds / 60:.0f} minutes"
        return HubError("rate", "The Hub received too many requests.", f"Try again {when}.", retry_after=seconds)
    if status >= 500 or status == 408:
        return HubError("server", f"The Hub had an internal error ({status}).", "Try again later.")
    return HubError("invalid", f"The Hub refused the request for {what} (error {status}){why}.")


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds to wait before the next request, from either of the Hub's two headers."""
    text = headers.get("Retry-After", "")
    if text.isascii() and text.isdigit() and len(text) < 7:
        return float(text)
    rate = parse_ratelimit_headers(headers)
    return float(rate.reset_in_seconds) if rate else None

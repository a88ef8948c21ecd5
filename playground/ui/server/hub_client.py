"""The settings of `huggingface_hub` in this process: limits on time and size, no retries, cookies or implicit token.

By default the library waits without limit, retries for minutes, transfers files by Xet outside of its HTTP client,
falls back to the token of the machine, and says what runs there. A server with many visitors can do none of that.
"""

import math
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2
from huggingface_hub import constants, set_client_factory
from huggingface_hub.utils import hf_raise_for_status

from playground.hub.calls import NoResponse, is_own, kind_of_failure, limits

CONNECT_SECONDS, READ_SECONDS = 5.0, 15.0
"""Limits to connect, and to wait for a byte of a response."""

_MAX_MESSAGE = 64_000  # bytes of an error or a redirection; the rest is not read
_CHUNK_BYTES = 64 * 1024  # between two deadline checks


def configure() -> None:
    """Configure the library for this process."""
    constants.HF_HUB_DISABLE_XET = constants.HF_HUB_DISABLE_IMPLICIT_TOKEN = True
    constants.HF_HUB_DISABLE_TELEMETRY = True
    set_client_factory(Client)


class Client(httpx2.Client):
    """A client that keeps the limits of `hub_call`, also after redirects, and raises errors that are not retried."""

    # A transport of our own would do the same, but with it a client ignores the proxies in the environment.

    def __init__(self) -> None:
        super().__init__(
            follow_redirects=True,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            event_hooks={"request": [_limit_request], "response": [_limit_response]},
        )

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        try:
            return super().send(request, **options)
        except httpx2.TransportError as error:
            raise NoResponse(kind_of_failure(error)) from error


def _limit_request(request: httpx2.Request) -> None:
    deadline = limits().deadline
    left = deadline - time.monotonic()
    if left <= 0:
        raise NoResponse("timeout")
    connect, read = min(CONNECT_SECONDS, left), min(READ_SECONDS, left)
    request.extensions = request.extensions | {"timeout": httpx2.Timeout(read, connect=connect, pool=connect).as_dict()}
    request.headers["Accept-Encoding"] = "identity"
    if not is_own(request.url):
        request.headers.pop("Authorization", None)
    if isinstance(request.stream, httpx2.SyncByteStream):
        request.stream = _Limited(request.stream, deadline, math.inf)


def _limit_response(response: httpx2.Response) -> None:
    deadline, max_bytes = limits()
    other = not response.is_success
    response.headers.pop("Content-Encoding", None)  # not requested: a small response could become a large one
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Limited(response.stream, deadline, _MAX_MESSAGE if other else max_bytes, cut=other)
    hf_raise_for_status(response)  # before the library retries


class _Limited(httpx2.SyncByteStream):
    """The body of a request or response with a deadline and a size limit, at which it ends if `cut`."""

    def __init__(self, stream: httpx2.SyncByteStream, deadline: float, max_bytes: float, *, cut: bool = False) -> None:
        self._stream, self._deadline, self._max_bytes, self._cut = stream, deadline, max_bytes, cut

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        try:
            for content in self._stream:
                for start in range(0, len(content), _CHUNK_BYTES):
                    chunk = content[start : start + _CHUNK_BYTES]
                    size += len(chunk)
                    if time.monotonic() > self._deadline:
                        raise NoResponse("timeout")
                    if size > self._max_bytes:
                        if self._cut:
                            return
                        raise NoResponse("server")
                    yield chunk
        except httpx2.TransportError as error:
            raise NoResponse(kind_of_failure(error)) from error

    def close(self) -> None:
        self._stream.close()

"""Files that browsers send, each as the body of its own request: bounded in size, rate and number.

Streamlit's uploads are refused inside the frame of a Space.
"""

import asyncio
from dataclasses import dataclass
from typing import IO
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request

from playground.ui.server import work
from playground.ui.server.refusal import Refused

GRACE = 5.0
"""Seconds after which the average rate must be at least `MIN_RATE`."""

MIN_RATE = 20_000
"""Bytes per second."""

MAX_SILENCE = 15.0
"""Maximum seconds between two parts of a file."""

MAX_UPLOADS = 100
"""Simultaneous uploads of all visitors together. Each is stored on disk until it is complete."""

MAX_UPLOAD_BYTES = 1_000_000_000
"""Maximum bytes of all simultaneous uploads."""


@dataclass
class _Upload:
    """An active upload."""

    limit: asyncio.Timeout
    began: float  # event loop time, like all times here
    received: int = 0  # bytes
    ended: bool = False  # cancelled in favour of another upload

    def rate(self, now: float) -> float:
        """Average bytes per second so far."""
        return self.received / max(now - self.began, GRACE)

    def take(self, size: int) -> None:
        """Count received bytes; returns the deadline for more. Raises TimeoutError if the upload was cancelled."""
        if self.ended:
            raise TimeoutError
        now = asyncio.get_running_loop().time()
        self.received += size
        self.limit.reschedule(min(self.began + GRACE + self.received / MIN_RATE, now + MAX_SILENCE))


_uploads: dict[str, _Upload] = {}  # by visitor


async def receive(request: Request, file: IO[bytes], most: int, too_large: str) -> str:
    """Write the body of a request of at most `most` bytes to a file; returns the visitor.

    Raises `Refused`, with the sentence `too_large` if that is so.
    """
    if not _is_our_page(request):
        raise Refused(403, "Upload refused: the request comes from another site.")
    visitor = work.visitor_of(request)
    if visitor in _uploads:
        raise Refused(429, "Another upload of yours is running. Wait until it ends.")
    if not _makes_room():
        raise Refused(429, "Too many files are being uploaded. Try again in a minute.")
    upload: _Upload | None = None
    try:
        async with asyncio.timeout(GRACE) as limit:
            upload = _uploads[visitor] = _Upload(limit, asyncio.get_running_loop().time())
            complete = await _body(request, file, upload, most)
    except (TimeoutError, ClientDisconnect):
        raise Refused(408, f"The upload was slower than {MIN_RATE // 1000} kB/s and was stopped. Try again.") from None
    except OSError:
        raise Refused(507, "This host's disk is full. Try again later.") from None
    finally:
        if _uploads.get(visitor) is upload:
            del _uploads[visitor]
    if not complete:
        raise Refused(413, too_large)
    return visitor


def _makes_room() -> bool:
    """True if another upload may start. If all slots are in use, the slowest upload past its minimum time is cancelled.

    So a client that sends a byte now and then can't block others.
    """
    now = asyncio.get_running_loop().time()
    if len(_uploads) < MAX_UPLOADS and sum(upload.received for upload in _uploads.values()) < MAX_UPLOAD_BYTES:
        return True
    slow = [visitor for visitor, upload in _uploads.items() if now - upload.began >= GRACE]
    if not slow:
        return False
    slowest = _uploads.pop(min(slow, key=lambda visitor: _uploads[visitor].rate(now)))
    slowest.ended = True
    slowest.limit.reschedule(now)
    return True


async def _body(request: Request, file: IO[bytes], upload: _Upload, most: int) -> bool:
    """Write the body to a file; False if it is too large."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:20]) > most:
        return False
    async for chunk in request.stream():
        upload.take(len(chunk))
        if upload.received > most:
            return False
        file.write(chunk)
    return True


def _is_our_page(request: Request) -> bool:
    """True if a page of this server sent the request; cookies also come with requests from other sites."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""

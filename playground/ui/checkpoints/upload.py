"""Upload of a checkpoint: a file dropped on any page opens in Step through, a chosen one is added to the library.

The file has its own request, because Streamlit's uploads are refused inside the frame of a Space.
"""

import asyncio
import json
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from playground.common.errors import CheckpointError
from playground.storage.archive import MAX_ZIP_BYTES, from_zip
from playground.storage.library import SHIPPED, Library, valid_name
from playground.storage.validation import CONFIG, parse_config
from playground.ui.server import work
from playground.ui.server.assets import loader
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import route
from playground.ui.session import sources
from playground.ui.session.flash import flash
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key

DROPPED = Key[bool]("dropped", False, "A dropped file was loaded")
DROPPED_FILE = Key[Any]("dropped file", None, "Component: takes dropped files")

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

_drop = st.components.v2.component("playground_drop", js=loader("checkpoints/drop.ts"))


def dropped(path: str) -> None:
    """Draw the component that accepts files dropped on the page at `path`; Step through opens with what was loaded."""
    if DROPPED.take() and path != STEP_THROUGH.path:
        st.switch_page(STEP_THROUGH.file)
    _drop(key=DROPPED_FILE.name, data={"most": MAX_ZIP_BYTES}, on_kept_change=_open)


def _open() -> None:
    """Load the checkpoint that the browser reports as stored."""
    name = DROPPED_FILE.get().kept
    try:
        sources.load_checkpoint(str(name))
    except CheckpointError as error:
        flash("link", sources.plain(error), "care")
    else:
        DROPPED.set(True)


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


@route("checkpoint", "POST")
async def _receive(request: Request) -> Response:
    """Add a zip file to the visitor's library; responds with its name and a message, or with an error message."""
    try:
        name, message = await _taken(request)
        return JSONResponse({"name": name, "message": message})
    except Refused as refused:
        return JSONResponse({"problem": refused.detail}, refused.status_code, refused.headers)


async def _taken(request: Request) -> tuple[str, str]:
    """The name of the added checkpoint, and a message for the visitor; raises `Refused`."""
    if not _is_our_page(request):
        raise Refused(403, "Upload refused: the request comes from another site.")
    visitor = work.visitor_of(request)
    if visitor in _uploads:
        raise Refused(429, "Another upload of yours is running. Wait until it ends.")
    if not _makes_room():
        raise Refused(429, "Too many files are being uploaded. Try again in a minute.")
    upload: _Upload | None = None
    with tempfile.TemporaryFile() as file:
        try:
            async with asyncio.timeout(GRACE) as limit:
                upload = _uploads[visitor] = _Upload(limit, asyncio.get_running_loop().time())
                complete = await _body(request, file, upload)
        except (TimeoutError, ClientDisconnect):
            raise Refused(
                408, f"The upload was slower than {MIN_RATE // 1000} kB/s and was stopped. Try again."
            ) from None
        except OSError:
            raise Refused(507, "This host's disk is full. Try again later.") from None
        finally:
            if _uploads.get(visitor) is upload:
                del _uploads[visitor]
        if not complete:
            raise Refused(413, f"The file is too large. A checkpoint has at most {MAX_ZIP_BYTES / 1e6:,.0f} MB.")
        library = sources.library_of(visitor)
        asked_name = PurePosixPath(request.query_params.get("name", "")[:200]).name.removesuffix(".zip")
        taken = {*SHIPPED, *(entry.name for entry in library.entries())}
        try:
            name = (await work.COMPUTING.ask(request, None, partial(_add, library, asked_name, file))).decode()
        except CheckpointError as error:
            raise Refused(422, sources.plain(error, library)) from error
    if name in taken:
        return name, f"This checkpoint is already in your library, as {name}."
    if (wanted := valid_name(asked_name)) in taken:
        return name, f"Your library already has another checkpoint named {wanted}. The file was added as {name}."
    return name, f"The file was added to your library as {name}."


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


def _add(library: Library, name: str, file: IO[bytes]) -> bytes:
    """Add the checkpoint in a zip file to a library; returns its name there. Raises `CheckpointError`."""
    file.seek(0)
    return library.add(name, _without_origin(from_zip(file.read()))).encode()


def _without_origin(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files without their Hub origin, which is reliable only for pulled checkpoints."""
    if parse_config(files[CONFIG], Path(CONFIG)).origin is None:
        return files
    header = json.loads(files[CONFIG])
    del header["origin"]
    return files | {CONFIG: json.dumps(header, indent=2).encode() + b"\n"}


async def _body(request: Request, file: IO[bytes], upload: _Upload) -> bool:
    """Write the body to a file; False if it is too large."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length[:20]) > MAX_ZIP_BYTES:
        return False
    async for chunk in request.stream():
        upload.take(len(chunk))
        if upload.received > MAX_ZIP_BYTES:
            return False
        file.write(chunk)
    return True


def _is_our_page(request: Request) -> bool:
    """True if a page of this server sent the request; cookies also come with requests from other sites."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""

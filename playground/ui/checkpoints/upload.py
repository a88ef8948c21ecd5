"""A checkpoint from a person's own disk: dropped on any page it is opened in Step through, chosen on one it is kept.

The file comes by a request of its own: inside the frame of a Space Streamlit's uploads are refused.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.errors import CheckpointError
from playground.storage.archive import MAX_ZIP_BYTES, from_zip
from playground.storage.library import SHIPPED, Library, valid_name
from playground.storage.validation import CONFIG, parse_config
from playground.ui.server import work
from playground.ui.server.assets import below_base, loader
from playground.ui.server.refusal import Refused
from playground.ui.session import session_keys as keys
from playground.ui.session import state

GRACE = 5.0
"""Seconds after which a file must come at `MIN_RATE`, on average."""

MIN_RATE = 20_000
"""Bytes a second."""

MAX_SILENCE = 15.0
"""Seconds in which something of a file must come."""

MAX_UPLOADS = 100
"""Files that come at a time, of all visitors together. Each is kept on disk until it is complete."""

MAX_UPLOAD_BYTES = 1_000_000_000
"""What they may take together."""

_drop = st.components.v2.component("playground_drop", js=loader("checkpoints/drop.js"))


def routes() -> list[Route]:
    """Where the browser sends a checkpoint."""
    return [Route(below_base("checkpoint"), _receive, methods=["POST"])]


def dropped(go: Callable[[], str]) -> None:
    """Takes a file that is dropped anywhere on the page; `go` says where the page's own link then leads.

    Drawn outside of what moves by itself.
    """
    to = go() if keys.DROPPED.take() else ""
    serial = keys.DROPS.get() + bool(to)
    keys.DROPS.set(serial)
    _drop(key=keys.DROPPED_FILE.name, data={"to": to, "serial": serial, "most": MAX_ZIP_BYTES}, on_kept_change=_open)


def _open() -> None:
    """Loads what the browser says was kept."""
    name = keys.DROPPED_FILE.get().kept
    try:
        state.load_checkpoint(str(name))
    except CheckpointError as error:
        keys.LINK_PROBLEM.set(state.plain(error))
    else:
        keys.DROPPED.set(True)


@dataclass
class _Upload:
    """A file on its way."""

    limit: asyncio.Timeout
    began: float  # by the clock of the event loop, as all times here
    received: int = 0  # bytes
    ended: bool = False  # for the sake of another file

    def rate(self, now: float) -> float:
        """Bytes a second so far."""
        return self.received / max(now - self.began, GRACE)

    def take(self, size: int) -> None:
        """Counts what has come, and says until when more must; raises TimeoutError for a file that was ended."""
        if self.ended:
            raise TimeoutError
        now = asyncio.get_running_loop().time()
        self.received += size
        self.limit.reschedule(min(self.began + GRACE + self.received / MIN_RATE, now + MAX_SILENCE))


_uploads: dict[str, _Upload] = {}  # by visitor


async def _receive(request: Request) -> Response:
    """Puts a zip file into the visitor's library; answers with its name there and a message, or with a problem."""
    try:
        name, message = await _taken(request)
        return JSONResponse({"name": name, "message": message}, headers=_FRESH)
    except Refused as refused:
        return JSONResponse({"problem": refused.detail}, refused.status_code, refused.headers)


async def _taken(request: Request) -> tuple[str, str]:
    """The name of the file's checkpoint in the visitor's library, and what to tell the person; raises `Refused`."""
    if not _is_our_page(request):
        raise Refused(403, "Upload refused: the request comes from another site.")
    visitor = state.visitor_of(request.cookies.get(state.VISITOR_COOKIE))
    if not visitor:
        raise Refused(403, "Your browser sent no cookie of this app. Allow cookies and reload the page.")
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
        library = state.library_of(visitor)
        asked_name = PurePosixPath(request.query_params.get("name", "")[:200]).name.removesuffix(".zip")
        taken = {*SHIPPED, *(entry.name for entry in library.entries())}
        try:
            name = (await work.COMPUTING.ask(request, None, partial(_add, library, asked_name, file))).decode()
        except CheckpointError as error:
            raise Refused(422, state.plain(error, library)) from error
    if name in taken:
        return name, f"This checkpoint is already in your library, as {name}."
    if (wanted := valid_name(asked_name)) in taken:
        return name, f"Your library already has another checkpoint named {wanted}. The file was added as {name}."
    return name, f"The file was added to your library as {name}."


def _makes_room() -> bool:
    """Whether one more file may come. Where all places are taken, the slowest file that had its time gives up its own.

    A client that sends a byte now and then keeps nobody out.
    """
    now = asyncio.get_running_loop().time()
    if len(_uploads) < MAX_UPLOADS and sum(each.received for each in _uploads.values()) < MAX_UPLOAD_BYTES:
        return True
    slow = [visitor for visitor, each in _uploads.items() if now - each.began >= GRACE]
    if not slow:
        return False
    slowest = _uploads.pop(min(slow, key=lambda visitor: _uploads[visitor].rate(now)))
    slowest.ended = True
    slowest.limit.reschedule(now)
    return True


def _add(library: Library, name: str, file: IO[bytes]) -> bytes:
    """Takes the checkpoint in a zip file into a library; returns its name there. Raises `CheckpointError`."""
    file.seek(0)
    return library.add(name, _without_origin(from_zip(file.read()))).encode()


def _without_origin(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files as nobody's: that they come from a place on the Hub is true only of what was pulled from there."""
    if parse_config(files[CONFIG], Path(CONFIG)).origin is None:
        return files
    header = json.loads(files[CONFIG])
    del header["origin"]
    return files | {CONFIG: json.dumps(header, indent=2).encode() + b"\n"}


async def _body(request: Request, file: IO[bytes], upload: _Upload) -> bool:
    """Writes the body to a file; False as soon as it is too large."""
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
    """Whether a page of this very server asks: the visitor's cookie comes with what other sites send, too."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""


_FRESH = {"Cache-Control": "no-store"}

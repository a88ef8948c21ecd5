"""Upload of a checkpoint: a file dropped on any page opens in Step through, a chosen one is added to the library.

The file has its own request, see `server.file_upload`.
"""

import json
import tempfile
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from playground.common.errors import CheckpointError
from playground.storage.archive import MAX_ZIP_BYTES, from_zip
from playground.storage.library import SHIPPED, Library, valid_name
from playground.storage.validation import CONFIG, parse_config
from playground.ui.server import file_upload, work
from playground.ui.server.assets import loader
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import route
from playground.ui.session import sources
from playground.ui.session.flash import flash
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key

DROPPED = Key[bool]("dropped", False, "A dropped file was loaded")
DROPPED_FILE = Key[Any]("dropped file", None, "Component: takes dropped files")

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
    too_large = f"The file is too large. A checkpoint has at most {MAX_ZIP_BYTES / 1e6:,.0f} MB."
    with tempfile.TemporaryFile() as file:
        visitor = await file_upload.receive(request, file, MAX_ZIP_BYTES, too_large)
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

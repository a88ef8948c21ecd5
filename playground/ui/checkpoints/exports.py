"""Exported files: on disk for half an hour, for the browser of the visitor who asked for them.

An export can have hundreds of megabytes, which Streamlit's download button would keep in memory for each tab.
"""

import re
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from playground import export
from playground.runs.visitor_data import subfolders
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import visitor_route
from playground.ui.session.services import services

KEPT_SECONDS = 30 * 60.0
MAX_FILES = 3
"""Files kept for a visitor; the oldest make room for a new one."""

EXPIRED = "This file has expired. Export it again."

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")  # as `export.made` makes them


def address(file: str, name: str) -> str:
    """Address of an exported file, relative to a page; `name` is its name for the visitor."""
    return f"./exports/{file}/{quote(name, safe='')}"


def exists(visitor: str, file: str) -> bool:
    """True if a file has not expired."""
    return (_folder(visitor) / file).is_file()


def make_room(visitor: str) -> tuple[Path, int]:
    """The folder for a new file, and its maximum size in bytes, 0 for any; raises `export.ExportError` if it is full.

    Counts towards the limits of this host like a visitor's library.
    """
    folder, host = _folder(visitor), services().host
    if refused := services().runs.reserve_space(visitor):
        raise export.ExportError(refused)
    folder.mkdir(parents=True, exist_ok=True)
    for old in sorted(folder.iterdir(), key=_age)[MAX_FILES - 1 :]:
        old.unlink(missing_ok=True)
    return folder, host.quota_mb * 1_000_000


def expire() -> None:
    """Delete the files of all visitors that are too old."""
    for visitor in subfolders(services().host.private_folder):
        with suppress(OSError):
            for path in _folder(visitor.name).iterdir():
                if _age(path) > KEPT_SECONDS:
                    path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since a file was written."""
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _folder(visitor: str) -> Path:
    return services().host.private_folder / visitor / "exports"


@visitor_route("exports/{file}/{name}")
async def _serve(request: Request, visitor: str) -> Response:
    file = request.path_params["file"]
    if not _NAME.fullmatch(file) or not exists(visitor, file):
        raise Refused(410, EXPIRED)
    return FileResponse(_folder(visitor) / file, filename=request.path_params["name"][:200])

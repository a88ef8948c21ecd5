"""Receipts that a lecturer's browser sends: in memory until they are graded, never on disk.

They come in one request: a line of JSON with the name and the bytes of each file, then their contents.
"""

import asyncio
import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from secrets import token_urlsafe
from typing import Annotated, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import one_line
from playground.lessons.assignments.receipt import MAX_BYTES
from playground.ui.server import file_upload
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import route
from playground.ui.session import identity

MAX_FILES = 500
MAX_TOTAL_BYTES = 20_000_000
"""Of all files of a request, packed or not."""

TOO_MANY = (
    f"At most {MAX_FILES} receipts of {MAX_TOTAL_BYTES // 1_000_000} MB together can be graded here. Grade them in "
    "parts, or with python -m playground grade."
)

_MAX_HEAD = 200_000  # bytes of the first line, and of the directory of a zip file
_HEAD = TypeAdapter(
    Annotated[
        list[tuple[Annotated[str, Field(max_length=300)], Annotated[int, Field(ge=0)]]], Field(max_length=MAX_FILES)
    ]
)
_ZIP_END = 22  # bytes of the end-of-archive record


class ReceiptFiles(NamedTuple):
    """The files of one request."""

    visitor: str
    files: tuple[tuple[str, bytes], ...]  # name and contents


_kept: BoundedCache[str, ReceiptFiles] = BoundedCache(
    3 * MAX_TOTAL_BYTES, lambda kept: sum(len(content) for _, content in kept.files)
)


def find(batch: str) -> tuple[tuple[str, bytes], ...]:
    """This visitor's files of a request; none if they were dropped to make room for those of others."""
    kept = _kept.get(batch)
    return kept.files if kept is not None and kept.visitor == identity.visitor() else ()


def drop(batch: str) -> None:
    """Forget the files."""
    if find(batch):
        _kept.drop(batch)


@route("receipts", "POST")
async def _receive(request: Request) -> Response:
    """Keep the files of a request; responds with their id, or with an error message."""
    try:
        with tempfile.SpooledTemporaryFile(MAX_TOTAL_BYTES + _MAX_HEAD) as file:
            visitor = await file_upload.receive(request, file, MAX_TOTAL_BYTES + _MAX_HEAD, TOO_MANY)
            file.seek(0)
            files = await asyncio.to_thread(lambda: tuple(read(file.read())))
    except Refused as refused:
        return JSONResponse({"problem": refused.detail}, refused.status_code, refused.headers)
    batch = token_urlsafe(16)
    for old, kept in _kept.items():
        if kept.visitor == visitor:
            _kept.drop(old)
    _kept.put(batch, ReceiptFiles(visitor, files))
    return JSONResponse({"batch": batch})


def read(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a request, of zip files what is in them. Raises `Refused`."""
    head, _, rest = content.partition(b"\n")
    damaged = Refused(422, "The upload was damaged. Choose the files again.")
    if len(head) > _MAX_HEAD:
        raise Refused(413, TOO_MANY)
    try:
        sizes = _HEAD.validate_json(head)
    except ValidationError:
        raise damaged from None
    if sum(size for _, size in sizes) != len(rest):
        raise damaged
    found, total, start = 0, 0, 0
    for name, size in sizes:
        own = rest[start : start + size]
        start += size
        for each, inside in _unpacked(name, own) if name.lower().endswith(".zip") else [(name, own)]:
            found, total = found + 1, total + len(inside)
            if found > MAX_FILES or total > MAX_TOTAL_BYTES:
                raise Refused(413, TOO_MANY)
            yield each, inside


def _unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The receipts in a zip file, as learning platforms pack what was handed in; each at most one byte too long."""
    end = content[-_ZIP_END:]
    if not end.startswith(b"PK\5\6") or int.from_bytes(end[12:16], "little") > _MAX_HEAD:
        raise Refused(422, f"{one_line(name, 60)} isn't a zip file of receipts. Unpack it and choose the receipts.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                if info.filename.lower().endswith(".json") and "__MACOSX" not in info.filename:
                    with archive.open(info) as member:
                        yield info.filename[:300], member.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, RuntimeError, ValueError):
        raise Refused(422, f"{one_line(name, 60)} is damaged. Unpack it and choose the receipts.") from None

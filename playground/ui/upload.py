"""A checkpoint from a person's own disk: dropped on any page it is opened in Step through, chosen on one it is kept.

The file comes by a request of its own: inside the frame of a Space Streamlit's uploads are refused.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.checkpoints import MAX_ZIP_BYTES, from_zip
from playground.gate import CONFIG, CheckpointError, parse_config
from playground.ui import state
from playground.ui.assets import below_base, loader

PATIENCE = 120.0
"""Seconds in which a file must have come."""

AT_ONCE = 3
"""Files that are read at a time, of all visitors together: each is held in memory."""

_drop = st.components.v2.component("playground_drop", js=loader("drop.js"))
_reading: set[str] = set()  # keys of visitors
_counting = threading.Lock()


def routes() -> list[Route]:
    """Where the browser sends a checkpoint."""
    return [Route(below_base("checkpoint"), _receive, methods=["POST"])]


def dropped(go: Callable[[], str]) -> None:
    """Takes a file that is dropped anywhere on the page; `go` says where the page's own link then leads.

    Drawn outside of what moves by itself.
    """
    to = go() if st.session_state.pop("dropped", False) else ""
    serial = st.session_state["drops"] = st.session_state.get("drops", 0) + bool(to)
    _drop(key="dropped file", data={"to": to, "serial": serial, "most": MAX_ZIP_BYTES}, on_kept_change=_open)


def _open() -> None:
    """Loads what the browser says was kept."""
    name = st.session_state["dropped file"].kept
    try:
        state.load_checkpoint(str(name))
    except CheckpointError as error:
        st.session_state["link_problem"] = state.plain(error)
    else:
        st.session_state["dropped"] = True


async def _receive(request: Request) -> Response:
    """Puts a zip file into the visitor's library and answers with the name it has there, or why not."""
    if not _is_our_page(request):
        return _refused("A checkpoint is taken from the app's own page alone.", 403)
    visitor = state.visitor_of(request.cookies.get(state.VISITOR_COOKIE))
    if not visitor:
        return _refused("Your browser keeps no cookie of this page, so the file would not be found again.", 403)
    with _turn(visitor) as refusal:
        if refusal:
            return _refused(refusal, 429)
        try:
            async with asyncio.timeout(PATIENCE):
                content = await _body(request)
        except (TimeoutError, ClientDisconnect):
            return _refused("The file did not come to its end.", 408)
        if content is None:
            return _refused(f"The file is larger than the {MAX_ZIP_BYTES / 1e6:,.0f} MB a checkpoint may have.", 413)
        library = state.library_of(visitor)
        told = PurePosixPath(request.query_params.get("name", "")[:200]).name.removesuffix(".zip")
        try:
            name = await run_in_threadpool(lambda: library.add(told, _without_origin(from_zip(content))))
        except CheckpointError as error:
            return _refused(state.plain(error, library), 422)
    return JSONResponse({"name": name}, headers=_FRESH)


def _without_origin(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files as nobody's: that they come from a place on the Hub is true only of what was pulled from there."""
    if parse_config(files[CONFIG], Path(CONFIG)).origin is None:
        return files
    header = json.loads(files[CONFIG])
    del header["origin"]
    return files | {CONFIG: json.dumps(header, indent=2).encode() + b"\n"}


@contextmanager
def _turn(visitor: str) -> Iterator[str]:
    """While a visitor's file is read, their only one; gives a sentence where it is not their turn."""
    with _counting:
        refusal = ""
        if visitor in _reading:
            refusal = "Another file of yours is being read; drop this one when it is done."
        elif len(_reading) >= AT_ONCE:
            refusal = "Several people are sending files at the moment; try again in a moment."
        else:
            _reading.add(visitor)
    try:
        yield refusal
    finally:
        if not refusal:
            with _counting:
                _reading.discard(visitor)


async def _body(request: Request) -> bytes | None:
    """None as soon as it is too large."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_ZIP_BYTES:
            return None
    return bytes(content)


def _is_our_page(request: Request) -> bool:
    """Whether a page of this very server asks: the visitor's cookie comes with what other sites send, too."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host") != ""


def _refused(sentence: str, status: int) -> Response:
    told: dict[str, Any] = {"problem": sentence}
    return JSONResponse(told, status, headers=_FRESH)


_FRESH = {"Cache-Control": "no-store"}

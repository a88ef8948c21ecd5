"""What the server does besides pages: a warm start, an orderly end, and what every request passes through."""

import asyncio
import ctypes
import gc
import itertools
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any

import torch
from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server import server_util

from playground.errors import CheckpointError
from playground.inspection import walk
from playground.runs import calibration
from playground.runs.backends.processes import warm_up
from playground.storage.library import SHIPPED, Library
from playground.tasks import example_text
from playground.ui.checkpoints import oauth
from playground.ui.http import channels
from playground.ui.parts.charts import vega
from playground.ui.server import cookies, guard, page_sessions, patches, scheduler, unforeseen, work
from playground.ui.server.addresses import PageAddresses
from playground.ui.server.assets import Compression, PageStyle
from playground.ui.server.security_headers import SecurityHeaders
from playground.ui.session import state
from playground.ui.session.secret import server_secret
from playground.ui.session.state import HOST, RUNS

_log = logging.getLogger(__name__)
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
COLLECT_EVERY = 60  # seconds
MAX_GROWTH = 1.05
"""Memory in use, relative to the least since the last collection: a thousand idle pages make no garbage, and to search
their objects takes a second under the global lock."""

REQUESTS = "uvicorn.access"
"""The log with a line for each request, and its address. Streamlit turns it off, and on again with new settings."""


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[dict[str, Any]]:
    """Does once, before the first visitor, what the first visitor would wait for; ends all workers at the end."""
    # st.navigation sets this too, but until it has run once, a visit to /train would run pages/train.py on its own.
    PagesManager.uses_pages_directory = False
    if "SPACE_ID" in os.environ:
        # Streamlit's own uploads are refused in a Space's frame where this cookie does not come along.
        config.set_option("server.xsrfCookieSameSite", "none")
    patches.apply()
    logging.getLogger(REQUESTS).disabled = True
    set_tcp_nodelay()
    on_termination(channels.STREAM.close)
    channels.begin()
    unforeseen.begin()
    server_secret(HOST.private_folder)  # made once, and a folder that can't keep it is said at the start
    RUNS.claim()
    if RUNS.folder_owner is not None:
        _log.warning(state.not_kept())
    set_up_threads()
    warm_up()
    RUNS.open()
    vega.program.begin()
    for name in SHIPPED:
        try:
            model = Library(HOST.checkpoints).load(name).model
            walk(model, example_text(model.config.task))
        except CheckpointError:
            pass  # its page will say so
    calibration.begin()
    import_module("pandas")  # by Streamlit on first use, when it is too late to freeze it
    collect_all()
    over = threading.Event()
    threading.Thread(target=_tick, args=(over,), name="host", daemon=True).start()
    print(f"Transformer Playground: {_address()}", flush=True)
    try:
        yield {}
    finally:
        over.set()
        work.PROCESS.end()
        RUNS.close()


def set_tcp_nodelay() -> None:
    """Sets TCP_NODELAY for all connections to this server, which take it over from the socket that listens.

    Streamlit opens the socket without saying that it speaks TCP, so asyncio does not set it: the end of nearly every
    answer would wait some 40 ms for the browser to acknowledge its beginning.
    """
    for name in os.listdir("/dev/fd") if os.path.isdir("/dev/fd") else ():
        with suppress(OSError), socket.socket(fileno=os.dup(int(name))) as each:
            if each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) and each.family != socket.AF_UNIX:
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def set_up_threads() -> None:
    """Lets the threads of the server take turns often, and each compute alone.

    The event loop needs the global lock several times for each message, while visitors' scripts compute. After Python's
    usual 5 ms, twenty who experiment make a rerun of ten others take three times as long as after half a millisecond.
    """
    sys.setswitchinterval(0.0005)
    torch.set_num_threads(1)  # a second thread gains little alone and costs much beside others


def on_termination(act: Callable[[], None]) -> None:
    """Calls `act` in the event loop when a signal ends the server, before the server waits for its connections."""
    if threading.current_thread() is not threading.main_thread():
        return  # signals are for the main thread, where a server that is run by a command has its loop
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        known = signal.getsignal(number)

        def end(number: int, frame: FrameType | None, known: Any = known) -> None:
            loop.call_soon_threadsafe(act)
            if callable(known):
                known(number, frame)

        signal.signal(number, end)


def _address() -> str:
    """Where to open the app. Streamlit's own announcement asks a public service for the address of this machine."""
    return HOST.url or server_util.get_url(
        server_util.get_display_address(config.get_option("server.address") or "localhost")
    )


def collect_all() -> int:
    """Frees all unreachable objects, and keeps what lives on out of later collections. Returns `_size()` after it.

    Streamlit collects all garbage after every run of a script, under the global lock: what torch has loaded would cost
    130 ms each time, and sixty open pages as much again. So everything is frozen, every second. What is frozen and then
    dies in a cycle waits for the next call of this function.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return _size()


def collect_if_grown(least: int) -> int:
    """`collect_all`, if the process is clearly larger than it was at its least. Returns the new least."""
    size = _size()
    return collect_all() if size > MAX_GROWTH * least else min(size, least)


def _size() -> int:
    """Blocks of memory in use: known in 0.4 ms, where to count the frozen objects takes 80 ms under the global lock."""
    return sys.getallocatedblocks()


def _tick(over: threading.Event) -> None:
    least = _size()
    for second in itertools.count(1):
        if over.wait(1.0):
            return
        gc.freeze()
        if second % COLLECT_EVERY == 0:
            least = collect_if_grown(least)
            if trim := getattr(_libc, "malloc_trim", None):
                trim(0)  # what many short threads have freed goes back to the system
        try:
            RUNS.tick()
        except Exception:  # the next tick may do better; without ticks nobody would get a turn again
            _log.exception("A tick of the host failed.")


MIDDLEWARE = (
    Middleware(SecurityHeaders, host=HOST),
    guard.MIDDLEWARE,
    *cookies.MIDDLEWARE,
    scheduler.MIDDLEWARE,  # knows a visitor by the cookie
    page_sessions.MIDDLEWARE,
    oauth.MIDDLEWARE,
    Middleware(PageStyle),
    Middleware(PageAddresses),
    Middleware(Compression),
)

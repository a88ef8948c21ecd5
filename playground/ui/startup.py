"""The server's start and end, the middleware of every request, and the routes of all rooms."""

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
from stat import S_ISSOCK
from types import FrameType
from typing import Any

import torch
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server import server_util

from playground.common.errors import CheckpointError
from playground.common.signing import server_secret
from playground.explain.inspection import walk
from playground.processes import warm_up
from playground.runs import calibration
from playground.settings.host import Host, HostError, is_loopback
from playground.storage.library import SHIPPED, Library
from playground.tasks import example_text
from playground.ui.checkpoints import checkpoint_route, exports, upload
from playground.ui.hub import oauth
from playground.ui.learn.assignments import receipt_files
from playground.ui.learn.check import own_code, own_tests
from playground.ui.parts.charts import answer_route, attention_route, curves_route, vega
from playground.ui.parts.code import own_machine
from playground.ui.parts.live import job_channel
from playground.ui.passes import training_step
from playground.ui.passes.cell import cell_route
from playground.ui.room import room_channel, room_route, tries_route
from playground.ui.runs import qr_route, run_view
from playground.ui.server import (
    assets,
    channels,
    connections,
    cookies,
    guard,
    hub_client,
    message_limits,
    page_sessions,
    patches,
    peers,
    routing,
    scheduler,
    unforeseen,
    work,
)
from playground.ui.server.addresses import PageAddresses
from playground.ui.server.assets import Compression, PageStyle
from playground.ui.server.security_headers import SecurityHeaders
from playground.ui.session.services import Services, begin, services
from playground.ui.shell import opening
from playground.ui.step import operation_route, own_pass
from playground.ui.train import slow_motion_view, sweep_picture

_log = logging.getLogger(__name__)
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # M_ARENA_MAX and M_MMAP_THRESHOLD of malloc.h
COLLECT_EVERY = 60  # seconds
MAX_GROWTH = 1.05
"""Growth of memory, relative to the minimum since the last collection, that triggers a collection. A thousand idle
pages make no garbage, and searching their objects takes a second while the GIL is held."""

REACHED_BY_OTHERS = (
    "The server listens on %s. Everybody who reaches it has your library and can train. Keep it inside a network that "
    "you trust, or set PLAYGROUND_MODE=shared."
)
"""Log message."""

REQUESTS = "uvicorn.access"
"""Access log of requests. Streamlit disables it, and enables it again with new settings."""


REGISTERED = (
    *(answer_route, attention_route, cell_route, checkpoint_route, curves_route, exports, qr_route, upload, vega),
    *(job_channel, own_code, own_pass, own_tests, run_view, slow_motion_view, sweep_picture, training_step),
    *(operation_route, receipt_files, room_channel, room_route, tries_route),
)
"""Modules that register routes and channels of the event stream as they are imported."""


def routes() -> list[Route]:
    """All routes besides pages."""
    return [*assets.routes(), *channels.STREAM.routes(), *routing.routes()]


def begin_services() -> None:
    """Make the services of this server; ends its start with a message if a variable of the environment is invalid."""
    try:
        begin(Services.of(Host.from_environment()))
    except HostError as error:
        sys.exit(str(error))


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[dict[str, Any]]:
    """Lifespan: do slow first-time work before the first visitor; end all workers at shutdown."""
    # st.navigation sets this too, but before its first run a visit to /train would run pages/train.py alone.
    PagesManager.uses_pages_directory = False
    if "SPACE_ID" in os.environ:
        # Streamlit's own uploads are refused in a Space's frame, where browsers don't send this cookie.
        config.set_option("server.xsrfCookieSameSite", "none")
    patches.apply()
    hub_client.configure()
    logging.getLogger(REQUESTS).disabled = True
    limit_heaps()
    set_tcp_nodelay()
    connections.Connections(connections.raise_descriptor_limit()).limit(asyncio.get_running_loop())
    on_termination(channels.STREAM.close)
    channels.begin()
    room_channel.begin()
    unforeseen.begin()
    server_secret(services().host.private_folder)  # created once; logs a warning at start if the folder isn't writable
    services().runs.data.claim()
    if services().runs.data.folder_owner is not None:
        _log.warning(services().not_kept())
    set_up_threads()
    warm_up()
    services().runs.open()
    if services().runs.data.folder_owner is None:
        services().rooms.load()
    vega.program.begin()
    for name in SHIPPED:
        try:
            model = Library(services().host.checkpoints).load(name).model
            walk(model, example_text(model.config.task))
        except CheckpointError:
            pass  # its page shows the error
    calibration.begin()
    import_module("pandas")  # Streamlit would import it on first use, after the freeze
    collect_all()
    over = threading.Event()
    threading.Thread(target=_tick, args=(over,), name="host", daemon=True).start()
    print(f"Transformer Playground: {_address()}", flush=True)
    if not services().host.shared and not is_loopback(listening := str(config.get_option("server.address") or "")):
        _log.warning(REACHED_BY_OTHERS, listening or "all addresses")
    if not peers.CONNECTION_TABLES[0].exists():
        print(f"Code for views that run your own code: {own_machine.TERMINAL_CODE}", flush=True)
    try:
        yield {}
    finally:
        over.set()
        work.close()
        services().runs.close()


def limit_heaps() -> None:
    """Let all threads allocate from two heaps, 16 on two cores without this, and large blocks outside of them.

    Each script run has its own thread, and weights that stay keep all that was freed below them.
    """
    if limit := getattr(_libc, "mallopt", None):  # glibc
        limit(_ARENA_MAX, 2)
        limit(_MMAP_THRESHOLD, 128 * 1024)  # its first value, which it would raise to 32 MB


def set_tcp_nodelay() -> None:
    """Set TCP_NODELAY for all connections, which inherit it from the listening socket.

    Streamlit opens the socket without protocol TCP, so asyncio doesn't set the option. Without it, the end of nearly
    every response waits about 40 ms for the browser to acknowledge its beginning.
    """
    for name in os.listdir("/dev/fd") if os.path.isdir("/dev/fd") else ():
        with suppress(OSError):
            if not S_ISSOCK(os.fstat(int(name)).st_mode):
                continue  # a socket can't be made of its duplicate, which would stay open
            with socket.socket(fileno=os.dup(int(name))) as sock:
                if sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) and sock.family != socket.AF_UNIX:
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def set_up_threads() -> None:
    """Switch threads of the server often, and let each compute on one core.

    The event loop takes the global lock several times for each message, while scripts of visitors compute. With
    Python's default of 5 ms, reruns beside twenty people who experiment take three times as long (median).
    """
    sys.setswitchinterval(0.0005)
    torch.set_num_threads(1)  # a second thread gains little on an idle machine and costs much on a busy one


def on_termination(act: Callable[[], None]) -> None:
    """Call `act` in the event loop when a signal stops the server, before it waits for open connections."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread can handle signals; `streamlit run` has its loop there
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        known = signal.getsignal(number)

        def end(number: int, frame: FrameType | None, known: Any = known) -> None:
            loop.call_soon_threadsafe(act)
            if callable(known):
                known(number, frame)

        signal.signal(number, end)


def _address() -> str:
    """Address to open. Streamlit's own message would ask a public service for this machine's address."""
    return services().host.url or server_util.get_url(
        server_util.get_display_address(config.get_option("server.address") or "localhost")
    )


def collect_all() -> int:
    """Collect garbage, then freeze all live objects. Returns `_size()` afterwards.

    Streamlit runs a full collection after every script run, holding the GIL. Torch's objects would cost 130 ms each
    time, and sixty open pages as much again, so all objects are frozen every second. Frozen cyclic garbage is freed by
    the next call of this function.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return _size()


def collect_if_grown(least: int) -> int:
    """Call `collect_all` if the process has grown clearly above its minimum. Returns the new minimum."""
    size = _size()
    return collect_all() if size > MAX_GROWTH * least else min(size, least)


def _size() -> int:
    """Allocated memory blocks: takes 0.4 ms, while counting the frozen objects takes 80 ms holding the GIL."""
    return sys.getallocatedblocks()


def _tick(over: threading.Event) -> None:
    least = _size()
    for second in itertools.count(1):
        if over.wait(1.0):
            return
        gc.freeze()
        if second % COLLECT_EVERY == 0:
            exports.expire()
            least = collect_if_grown(least)
            if trim := getattr(_libc, "malloc_trim", None):
                trim(0)  # return memory freed by short-lived threads to the system
        try:
            services().rooms.tick()
            services().runs.tick()
        except Exception:  # go on: without ticks no waiting run would start again
            _log.exception("The scheduler's tick failed.")


def middleware() -> tuple[Middleware, ...]:
    """The middleware of every request, outermost first."""
    return (
        Middleware(SecurityHeaders, host=services().host),
        guard.MIDDLEWARE,
        *cookies.MIDDLEWARE,
        scheduler.MIDDLEWARE,  # identifies a visitor by the cookie
        message_limits.MIDDLEWARE,
        page_sessions.MIDDLEWARE,
        oauth.MIDDLEWARE,
        Middleware(PageStyle, opens=opening.html),
        Middleware(PageAddresses),
        Middleware(Compression),
    )

"""What the server does besides pages: a warm start, an orderly end, and a cookie that tells visitors apart."""

import ctypes
import gc
import itertools
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import torch
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.server import server_util

from playground.checkpoints import CheckpointError
from playground.inspection import walk
from playground.library import SHIPPED, Library
from playground.runs.processes import warm_up
from playground.tasks import example_text
from playground.ui import guard, oauth, repairs, vega
from playground.ui.assets import PageStyle
from playground.ui.state import HOST, RUNS, VISITOR_COOKIE, new_visitor, visitor_of

_log = logging.getLogger(__name__)
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
THOROUGH_EVERY = 60  # seconds
_COOKIE_SECONDS = int(86400 * max(30, HOST.expiry_days or 400))  # at least as long as what is kept for a visitor


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[dict[str, Any]]:
    """Does once, before the first visitor, what the first visitor would wait for; ends all workers at the end."""
    # st.navigation sets this too, but until it has run once, a visit to /train would run pages/train.py on its own.
    PagesManager.uses_pages_directory = False
    if "SPACE_ID" in os.environ:
        # Streamlit's own uploads are refused in a Space's frame where this cookie does not come along.
        config.set_option("server.xsrfCookieSameSite", "none")
    repairs.put_right()
    torch.set_num_threads(1)  # a second thread gains little alone and costs much beside others
    warm_up()
    vega.begin()
    for name in SHIPPED:
        try:
            model = Library(HOST.checkpoints).load(name).model
            walk(model, example_text(model.config.task))
        except CheckpointError:
            pass  # its page will say so
    import_module("pandas")  # by Streamlit on first use, when it is too late to freeze it
    spare_the_collector(0)
    over = threading.Event()
    threading.Thread(target=_tick, args=(over,), name="host", daemon=True).start()
    print(f"Transformer Playground: {_address()}", flush=True)
    try:
        yield {}
    finally:
        over.set()
        RUNS.close()


def _address() -> str:
    """Where to open the app. Streamlit's own announcement asks a public service for the address of this machine."""
    return HOST.url or server_util.get_url(
        server_util.get_display_address(config.get_option("server.address") or "localhost")
    )


def spare_the_collector(second: int) -> None:
    """Keeps what lives on out of the search for garbage, called every second.

    Streamlit collects all garbage after every run of a script, under the global lock: what torch has loaded would cost
    130 ms each time, and sixty open pages as much again. What is frozen and then dies in a cycle waits for the next
    thorough search.
    """
    if second % THOROUGH_EVERY == 0:
        gc.unfreeze()
        gc.collect()
        if trim := getattr(_libc, "malloc_trim", None):
            trim(0)  # what many short threads have freed goes back to the system
    gc.freeze()


def _tick(over: threading.Event) -> None:
    for second in itertools.count(1):
        if over.wait(1.0):
            return
        spare_the_collector(second)
        try:
            RUNS.tick()
        except Exception:  # the next tick may do better; without ticks nobody would get a turn again
            _log.exception("A tick of the host failed.")


_FRAMED = f"{VISITOR_COOKIE}_framed"
"""The visitor's cookie once more, kept apart for each site that frames the app: browsers that take no cookies of
another site's page take this one."""


class VisitorCookie:
    """Gives every browser a random name of its own, which no script in the page can read.

    It is kept for a month or more from the last visit on: each page that is loaded gives it anew.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = _cookies(scope) if scope["type"] in ("http", "websocket") else {}
        if VISITOR_COOKIE not in known and (framed := known.get(_FRAMED)):
            known[VISITOR_COOKIE] = framed
            scope = {
                **scope,
                "headers": [*scope["headers"], (b"cookie", f"{VISITOR_COOKIE}={framed}".encode("latin-1"))],
            }
        name = known.get(VISITOR_COOKIE, "")
        name = name if visitor_of(name) else ""
        if scope["type"] != "http" or scope["path"].startswith("/_stcore") or (name and not _asks_for_a_page(scope)):
            await self.app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                given = f"={name or new_visitor()}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; "
                # Inside the frame of a Hugging Face Space a cookie only lives with SameSite=None, which needs https.
                if scope["scheme"] == "https" or "SPACE_ID" in os.environ:
                    headers.append("set-cookie", f"{VISITOR_COOKIE}{given}SameSite=None; Secure")
                    headers.append("set-cookie", f"{_FRAMED}{given}SameSite=None; Secure; Partitioned")
                else:
                    headers.append("set-cookie", f"{VISITOR_COOKIE}{given}SameSite=Lax")
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _asks_for_a_page(scope: Scope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _cookies(scope: Scope) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        if name == b"cookie":
            found |= cookie_parser(value.decode("latin-1"))
    return found


MIDDLEWARE = (guard.MIDDLEWARE, Middleware(VisitorCookie), oauth.MIDDLEWARE, Middleware(PageStyle))

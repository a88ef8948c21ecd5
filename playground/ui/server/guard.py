"""What is asked of every request before the app sees it: an own name of the server, an open path, no foreign page."""

import logging
from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from playground.host import host_name
from playground.ui.server.assets import below_base
from playground.ui.server.refusal import Refused
from playground.ui.session import state

_log = logging.getLogger(__name__)

HEALTH = "_stcore/health"
"""Open under any name: the probes of containers ask for an IP address, and the answer is "ok" for everybody."""

CLOSED = ("_stcore/metrics", "_stcore/agent", "_stcore/upload_file", "_stcore/script-health-check")
"""Streamlit's routes that the app does not use, closed on a shared host with all below them.

They tell how many people are here, walk all caches for it, run the app for programs, and keep files in memory.
"""

UNKNOWN_NAME = "Unknown host name: open the app by its own address, or add this name to PLAYGROUND_ALLOWED_HOSTS."
FOREIGN_PAGE = "Refused: this request comes from a page of another site."
REFUSED = (
    "Refused a request from a page of another site. If it was the app's own page behind a proxy, "
    "set PLAYGROUND_URL to the address people open."
)
"""For the log, once."""


class Guard:
    """Answers requests that no page of this app makes, so that nothing else has to expect them.

    The name in the Host header protects against DNS rebinding: a foreign site whose name leads to this machine has the
    browser's trust, but its name stays its own. Origin protects against pages that connect from elsewhere; programs
    send none. Streamlit's own check comes after this one and finds what it would accept at once: for any other Origin
    it asks a public service for the address of this machine, and everybody waits.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._health = below_base(HEALTH)
        self._closed = tuple(map(below_base, CLOSED))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
        except Refused as refused:
            if refused.status_code == 403 and scope["type"] == "websocket":
                await send({"type": "websocket.close"})  # a 403 without words; with words uvicorn logs each as an error
            else:
                await refused.response()(scope, receive, send)
            return
        if scope["type"] == "websocket":
            scope = _with_host_of_page(scope)
        await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raises `Refused` for a request that may not pass."""
        headers, path = Headers(scope=scope), scope["path"]
        if path != self._health or scope["type"] != "http":
            hosts = headers.getlist("host")
            if len(hosts) != 1 or not _is_own_name(hosts[0]):
                raise Refused(400, UNKNOWN_NAME)
            if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                origins = headers.getlist("origin")
                if origins and not (len(origins) == 1 and _is_own_page(origins[0], hosts[0])):
                    _say_once()
                    raise Refused(403, FOREIGN_PAGE)
        if state.HOST.shared and any(path == closed or path.startswith(f"{closed}/") for closed in self._closed):
            raise Refused(404, "Not found.")


def _is_own_name(host: str) -> bool:
    """Also the address the server listens on, unless that stands for all addresses."""
    bound = str(config.get_option("server.address") or "")
    return state.HOST.is_own_name(host) or (
        bound not in ("", "0.0.0.0", "::") and host_name(host) == host_name(f"[{bound}]" if ":" in bound else bound)
    )


def _is_own_page(origin: str, host: str) -> bool:
    """Whether a page with this origin is one of the server's: of the host it asks, or of what a proxy before it has."""
    return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}", state.HOST.url.lower()} - {""}


def _with_host_of_page(scope: Scope) -> Scope:
    """With the Host that the page itself has, which a proxy may have changed: Streamlit compares it with the Origin."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    if origin := headers.get("origin"):
        headers["host"] = origin.partition("://")[2]
    return {**scope, "headers": headers.raw}


@cache
def _say_once() -> None:
    _log.warning(REFUSED)


MIDDLEWARE = Middleware(Guard)

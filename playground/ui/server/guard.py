"""Checks of every request before the app sees it: known host name, open path, same origin."""

import logging
from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from playground.settings.host import host_name
from playground.ui.server import peers
from playground.ui.server.assets import below_base
from playground.ui.server.refusal import Refused
from playground.ui.session.services import services

_log = logging.getLogger(__name__)

HEALTH = "_stcore/health"
"""Allowed under any host name: container probes use an IP address, and the response "ok" is not sensitive."""

CLOSED = ("_stcore/metrics", "_stcore/agent", "_stcore/upload_file", "_stcore/script-health-check")
"""Streamlit's unused routes, closed on a shared host with all paths below them.

They report the number of sessions (which scans all caches), run the app for programs, and keep files in memory.
"""

UNKNOWN_NAME = "Unknown host name: open the app by its own address, or add this name to PLAYGROUND_ALLOWED_HOSTS."
FOREIGN_PAGE = "Refused: this request comes from a page of another site."
REFUSED = (
    "Refused a request from a page of another site. If it was the app's own page behind a proxy, "
    "set PLAYGROUND_URL to the address people open."
)
"""Log message, once."""


class Guard:
    """Middleware: refuse requests that no page of this app sends.

    Checking the Host header prevents DNS rebinding: a foreign site can resolve to this machine, but sends its own name.
    Checking Origin prevents requests from other sites' pages; programs send none. Streamlit's own check follows and
    must succeed at once: for any other Origin it would ask a public service for this machine's address, and block
    everybody.
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
                await send({"type": "websocket.close"})  # a 403 without a body, since uvicorn logs a body as an error
            else:
                await refused.response()(scope, receive, send)
            return
        if scope["type"] == "websocket":
            scope = peers.with_connection(_with_host_of_page(scope))
        await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raise `Refused` if the request is not allowed."""
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
        if services().host.shared and any(path == closed or path.startswith(f"{closed}/") for closed in self._closed):
            raise Refused(404, "Not found.")


def _is_own_name(host: str) -> bool:
    """True for a name of this host, and for the address the server listens on, unless that means all addresses."""
    bound = str(config.get_option("server.address") or "")
    return services().host.is_own_name(host) or (
        bound not in ("", "0.0.0.0", "::") and host_name(host) == host_name(f"[{bound}]" if ":" in bound else bound)
    )


def _is_own_page(origin: str, host: str) -> bool:
    """True if the origin belongs to this server: the requested host, or the host reported by a proxy."""
    return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}", services().host.url.lower()} - {""}


def _with_host_of_page(scope: Scope) -> Scope:
    """The scope with the page's own Host, which a proxy may have changed: Streamlit compares it with Origin."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    if origin := headers.get("origin"):
        headers["host"] = origin.partition("://")[2]
    return {**scope, "headers": headers.raw}


@cache
def _say_once() -> None:
    _log.warning(REFUSED)


MIDDLEWARE = Middleware(Guard)

"""Cookies: a signed one for each visitor, and names that don't collide with other apps on the same host."""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.ui.session import identity
from playground.ui.session.identity import VISITOR_COOKIE
from playground.ui.session.services import services

_FRAMED = "_framed"
FRAMED = f"{VISITOR_COOKIE}{_FRAMED}"
"""Partitioned copy of the visitor's cookie, for use inside the frame of another site: browsers that block third-party
cookies accept it."""

XSRF = b"_streamlit_xsrf"
"""Streamlit's script reads this cookie by its name. Apps can share it: it only has to be returned unchanged."""


class OwnCookies:
    """Middleware: add a suffix to the names of this app's cookies, and drop other cookies.

    Browsers send a host's cookies to all its ports, so two apps on one machine would overwrite each other's. In the
    browser each name ends with a suffix of this app; inside the app all cookies, also Streamlit's, have plain names.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        mark = own_mark()
        cookies = list(_cookies(scope))
        own = [(name.removesuffix(mark), value) for name, value in cookies if name.endswith(mark) or name == XSRF]
        if not {name for name, _ in own} & {VISITOR_COOKIE.encode(), FRAMED.encode()}:
            own += _adopted(cookies)
        headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
        if own:
            headers.append((b"cookie", b"; ".join(name + b"=" + value for name, value in own)))

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    (name, _marked(value, mark) if name.lower() == b"set-cookie" else value)
                    for name, value in message.get("headers", [])
                ]
            await send(message)

        await self.app({**scope, "headers": headers}, receive, send_marked)


def own_mark() -> bytes:
    """Suffix of this app's cookie names, from its folder and address, not from its port."""
    return _mark(services().host.checkpoints, services().host.url)


@cache
def _mark(folder: Path, url: str) -> bytes:
    return b"_" + hashlib.sha256(f"{folder.resolve()}\n{url}".encode()).hexdigest()[:8].encode()


def _marked(cookie: bytes, mark: bytes) -> bytes:
    name, equals, rest = cookie.partition(b"=")
    return cookie if name == XSRF else name + mark + equals + rest


def _cookies(scope: Scope) -> Iterator[tuple[bytes, bytes]]:
    """Names and values as received, not decoded."""
    for header, content in scope["headers"]:
        if header == b"cookie":
            for cookie in content.split(b";"):
                name, equals, value = cookie.strip().partition(b"=")
                if equals:
                    yield name, value


def _adopted(cookies: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A signed cookie for an old unsigned one; empty if no data exist for that visitor."""
    for name, value in cookies:
        if name in (VISITOR_COOKIE.encode(), FRAMED.encode()) and (signed := identity.adopted(value.decode("latin-1"))):
            return [(VISITOR_COOKIE.encode(), signed.encode())]
    return []


class VisitorCookie:
    """Middleware: give every browser a random, signed, HttpOnly cookie.

    It expires a month or more after the last visit: each page load renews it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        known = HTTPConnection(scope).cookies
        cookie = next((known[name] for name in (VISITOR_COOKIE, FRAMED) if identity.visitor_of(known.get(name))), "")
        if cookie and known.get(VISITOR_COOKIE) != cookie:
            pair = (b"cookie", f"{VISITOR_COOKIE}={cookie}".encode("latin-1"))
            scope = {**scope, "headers": [*scope["headers"], pair]}
        if scope["type"] != "http" or scope["path"].startswith("/_stcore") or (cookie and not _asks_for_a_page(scope)):
            await self.app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                set_cookie(
                    MutableHeaders(scope=message), scope, VISITOR_COOKIE, cookie or identity.new_visitor(), _seconds()
                )
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def set_cookie(headers: MutableHeaders, scope: Scope, name: str, value: str, seconds: int) -> None:
    """Set an HttpOnly cookie for so many seconds, also inside the frame of a Space."""
    given = f"={value}; Path=/; Max-Age={seconds}; HttpOnly; "
    if "SPACE_ID" in os.environ:
        # Inside the frame of a Space a cookie needs SameSite=None, which requires https.
        headers.append("set-cookie", f"{name}{given}SameSite=None; Secure")
        headers.append("set-cookie", f"{name}{_FRAMED}{given}SameSite=None; Secure; Partitioned")
    else:
        secure = "; Secure" if _is_https(scope) else ""
        headers.append("set-cookie", f"{name}{given}SameSite=Lax{secure}")


def cookie_of(connection: HTTPConnection, name: str) -> str:
    """The value of a cookie of `set_cookie`; empty without one."""
    return connection.cookies.get(name) or connection.cookies.get(f"{name}{_FRAMED}") or ""


def _seconds() -> int:
    """Life of the visitor's cookie: at least as long as that of the visitor's data."""
    return int(86400 * max(30, services().host.expiry_days or 400))


def _is_https(scope: Scope) -> bool:
    """True if the browser uses https, possibly to a proxy that doesn't report it."""
    return scope["scheme"] == "https" or services().host.url == f"https://{Headers(scope=scope).get('host')}"


def _asks_for_a_page(scope: Scope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


MIDDLEWARE = (Middleware(OwnCookies), Middleware(VisitorCookie))

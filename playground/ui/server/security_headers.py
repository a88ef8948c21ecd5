"""Security headers of every response: content security policy, frame ancestors, permissions."""

import base64
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.settings.host import Host
from playground.ui.server import unforeseen
from playground.ui.server.assets import START


def headers(host: Host) -> Mapping[str, str]:
    """Name and value of each header."""
    return {
        "Content-Security-Policy": "; ".join(f"{name} {' '.join(sources)}" for name, sources in policy(host).items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # sign-in needs the referrer of the app's own pages, see oauth.py
        "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


def policy(host: Host) -> Mapping[str, tuple[str, ...]]:
    """The directives of the content security policy (W3C, Content Security Policy Level 3) and their sources.

    The browser connects to this server only; the server connects to the Hub. `'self'` in connect-src includes
    WebSockets from Chrome 54, Firefox 50 and Safari 15.4 on.
    """
    return {
        "default-src": ("'self'",),
        # Streamlit imports the script of a component from a blob: address, which only a running script can create.
        "script-src": ("'self'", "blob:", *inline_scripts()),
        # Streamlit writes its styles into the page. An injected style could change only the look of the page, because
        # it can't load anything from other hosts.
        "style-src": ("'self'", "'unsafe-inline'"),
        "img-src": ("'self'", "blob:", "data:"),
        "font-src": ("'self'", "data:"),
        "connect-src": ("'self'",),
        "worker-src": ("'none'",),
        "frame-src": ("'none'",),
        "object-src": ("'none'",),
        "base-uri": ("'self'",),
        "form-action": ("'self'",),
        "frame-ancestors": ("'self'", "https://huggingface.co", *host.frame_ancestors),
    }


def inline_scripts() -> list[str]:
    """Hashes of the inline scripts of a page: Streamlit's, and `assets.START`."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" for text in (*scripts, START)]


class SecurityHeaders:
    """Middleware: add the headers to every response; must be the outermost one."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self.app = app
        self.headers = headers(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                answer = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    answer[name] = value
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception as error:
            # Starlette responds to uncaught errors outside all middleware, where the headers would be missing.
            if started:
                raise
            await (await unforeseen.answer(Request(scope), error))(scope, receive, send_with_headers)

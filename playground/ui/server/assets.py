"""The scripts of the components: files that a browser fetches once and keeps, not text in every message.

Streamlit sends a component's script again whenever its data change. Here a message holds one line that imports the
script from an address that changes with its content, so the browser may keep the file for ever.
"""

from hashlib import sha256
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.ui.server.refusal import Refused

_TYPES = {".js": "text/javascript", ".css": "text/css"}
_ROOMS = Path(__file__).parent.parent
_FILES = {
    path.relative_to(_ROOMS).as_posix(): path.read_bytes()
    for path in sorted(_ROOMS.rglob("*"))
    if path.suffix in _TYPES
}
"""By their paths below playground/ui, which are also those of their addresses: scripts import each other by them."""
_FOLDER = f"components/{sha256(b''.join(_FILES.values())).hexdigest()[:12]}"
# Streamlit's script, a module, comes after backend.js, which is none. The presenter view begins with the page, or a
# link to it would show everything else first.
_HEAD = (
    f'<script src="./{_FOLDER}/shell/backend.js"></script><link rel="stylesheet" href="./{_FOLDER}/parts/page.css" />'
    f'<script type="module" src="./{_FOLDER}/shell/presenter.js"></script>'
).encode()
_YEAR = 365 * 24 * 3600


def loader(name: str, export: str = "default") -> str:
    """The script of a component whose work is done by `export` of the file with this path below playground/ui."""
    if name not in _FILES:
        raise KeyError(f"{name} is no script of playground/ui.")
    # Pages stand one level below the server's base path, as Streamlit's own relative addresses take for granted.
    address = f'new URL("./{_FOLDER}/{name}", document.baseURI)'
    return f"const {{ {export}: draw }} = await import({address});\nexport default draw;\n"


def routes() -> list[Route]:
    """What the server must serve for `loader` to work."""
    return [Route(below_base(f"{_FOLDER}/{{name:path}}"), _serve)]


def below_base(path: str) -> str:
    """The path of a route that pages reach as "./path"."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


class PageStyle:
    """Puts what every page needs first in its head: as a part of the page's content it would come later."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if scope["type"] != "http" or scope["method"] != "GET" or "text/html" not in headers.get("accept", ""):
            await self.app(scope, receive, send)
            return
        # As it is and whole: neither compressed nor "not modified", since what is modified is added here.
        dropped = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        plain = {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() not in dropped]}
        start: Message = {}
        body = b""

        async def send_with_link(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            answer = MutableHeaders(scope=start)
            if answer.get("content-type", "").startswith("text/html"):
                body = body.replace(b"</head>", _HEAD + b"</head>", 1)
                answer["content-length"] = str(len(body))
                del answer["etag"]
            await send(start)
            await send({**message, "body": body})

        await self.app(plain, receive, send_with_link)


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        raise Refused(404, "There is no such file.")
    # Private: a shared cache would hand one visitor's cookie, which may ride on this answer, to others.
    headers = {"Cache-Control": f"private, max-age={_YEAR}, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(_FILES[name], media_type=_TYPES[Path(name).suffix], headers=headers)

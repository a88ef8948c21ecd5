"""Scripts and styles as immutable files, and the tags that a page needs first.

Streamlit sends a component's script again whenever its data change. Here a message has two lines that import the script
from one file for all, which browsers keep: its name has the hash of its content.
"""

import asyncio
import gzip
import posixpath
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from playground.common.bounded_cache import BoundedCache
from playground.ui.server.refusal import Refused
from playground.ui.session.pages import PAGES

_FILES = {path.name: path.read_bytes() for path in (Path(__file__).parent / "static").iterdir()}
"""Files for browsers, as `python3 -m tests.scripts` builds them; each name has the hash of its content."""
_START, _PAGE, _SCRIPTS = (
    next(f"components/{file}" for file in _FILES if file.startswith(f"{name}-"))
    for name in ("start", "page", "scripts")
)
START = _FILES[_START.removeprefix("components/")].decode()
"""The script that runs before Streamlit's. It stands in the page: as a file it would wait for sixty others."""
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_YEAR = 365 * 24 * 3600

MAX_CACHE_BYTES = 32_000_000
"""Maximum size of all compressed files in memory, several times what Streamlit and this app have."""

STREAMLITS = (
    *("BidiComponent", "PageLink", "Html", "Button", "ButtonGroup"),
    *("NumberInput", "Radio", "Selectbox", "Checkbox", "Metric"),
)
"""Streamlit's scripts for elements of Build, which it would request only after the page's first message."""


def _with_imports(names: Iterable[str], folder: Path) -> list[str]:
    """Names of the scripts in a folder and of all their imports."""
    known: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in known:
            known[name] = None
            waiting += re.findall(r"""(?:from|import)\s*["']\./([^"']+)["']""", (folder / name).read_text("utf-8"))
    return list(known)


def _head() -> str:
    """Tags for the head of every page.

    Streamlit's script is a module, so it runs after start.ts, which is not. The other files are fetched together once
    Streamlit's script runs, see start.ts. Fetching them earlier delays that script: with 60 ms latency the first text
    comes after 2.0 s instead of 1.4 s, and the diagram after 2.2 s instead of 2.0 s.
    """
    static = Path(file_util.get_static_dir())
    page, js = (static / "index.html").read_text("utf-8"), static / "static" / "js"
    chunks = [file.name for name in STREAMLITS for file in js.glob(f"{name}.*.js")]
    scripts = [f"./static/js/{name}" for name in _with_imports(chunks, js) if name not in page]
    icons = [f"./static/media/{file.name}" for file in static.glob("static/media/MaterialSymbols-Rounded.*.woff2")]
    tags = (
        f"<script>{START}</script>",
        f'<script type="module" src="./{_SCRIPTS}"></script>',
        '<template id="soon">',
        *(f'<link rel="modulepreload" href="{script}" />' for script in scripts),
        *(f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{icon}" />' for icon in icons),
        "</template>",
    )
    return "".join(tags)


_HEAD = _head()
_SHEET = re.compile(r'<link rel="stylesheet"[^>]*>')
_TITLE = "<title>Transformer Playground</title>"


def loader(name: str, export: str = "default") -> str:
    """Script of a component that calls `export` of the script with this path below playground/ui."""
    # Pages are one level below the server's base path, as Streamlit's own relative addresses assume.
    address = f'new URL("./{_SCRIPTS}", document.baseURI)'
    load = f'load("{name.removesuffix(".ts")}")'
    return f"const {{ default: load }} = await import({address});\nexport default (await {load}).{export};\n"


def routes() -> list[Route]:
    """Routes that `loader` needs."""
    return [Route(below_base("components/{name}"), _serve)]


def below_base(path: str) -> str:
    """The path of a route that pages reach as "./path"."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


def _dressed(page: str, opening: str) -> str:
    """A page with its tags. The style sheets stand behind its opening, which is drawn before they have arrived."""
    sheets = [*_SHEET.findall(page), f'<link rel="stylesheet" href="./{_PAGE}" />']
    page = _SHEET.sub("", page).replace("<title>Streamlit</title>", _TITLE, 1)
    return page.replace("</head>", f"{_HEAD}</head>", 1).replace("<body>", f"<body>{opening}{''.join(sheets)}", 1)


class PageStyle:
    """Middleware: add to every page what it `opens` with, by its path, and the tags that it needs first.

    As page content they would arrive later. A page is the same file for all, so it is made once.
    """

    def __init__(self, app: ASGIApp, opens: Callable[[str], str] = lambda path: "") -> None:
        self.app = app
        self.opens = opens
        self._pages: dict[tuple[str, bool], tuple[Message, bytes]] = {}  # by path, and whether it is compressed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if scope["type"] != "http" or scope["method"] != "GET" or "text/html" not in headers.get("accept", ""):
            await self.app(scope, receive, send)
            return
        path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").removeprefix(below_base(""))
        packs = "gzip" in headers.get("accept-encoding", "")
        if made := self._pages.get((path, packs)):
            await _answer(send, *made)
            return
        # Request the page uncompressed and without "not modified", because tags are inserted here.
        dropped = (b"accept-encoding", b"if-none-match", b"if-modified-since")
        plain = {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() not in dropped]}
        if (collected := await _collected(self.app, plain, receive, send, lambda start: True)) is None:
            return
        start, body = collected
        answer = MutableHeaders(scope=start)
        if answer.get("content-type", "").startswith("text/html"):
            is_page = path in PAGES and start["status"] == 200
            opening = await asyncio.to_thread(self.opens, path) if is_page else ""
            body = _dressed(body.decode(), opening).encode()
            answer["content-length"] = str(len(body))
            del answer["etag"]
            if packs:
                body = await _packed(answer, body)
            if is_page and "set-cookie" not in answer:
                self._pages[path, packs] = start, body
        await _answer(send, start, body)


class Compression:
    """Middleware: compress immutable text files. Each file is compressed once and cached in memory.

    Clients can spell the path of a file in any number of ways; only its plain path is compressed and cached.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: BoundedCache[str, tuple[Message, bytes]] = BoundedCache(MAX_CACHE_BYTES, lambda kept: len(kept[1]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or "gzip" not in headers.get("accept-encoding", "")
            or {"range", "if-none-match", "if-modified-since"} & set(headers)
            or posixpath.normpath(scope["path"]) != scope["path"]
        ):
            await self.app(scope, receive, send)
            return
        if kept := self._kept.get(scope["path"]):
            await _answer(send, *kept)
            return
        if (collected := await _collected(self.app, scope, receive, send, _keeps)) is None:
            return
        start, body = collected
        answer = MutableHeaders(scope=start)
        if "content-encoding" not in answer:  # Streamlit compresses some responses itself, at each request
            body = await _packed(answer, body)
            del answer["accept-ranges"]
            del answer["etag"]
        self._kept.put(scope["path"], (start, body))
        await _answer(send, start, body)


def _keeps(start: Message) -> bool:
    """True if a response with this start is immutable text."""
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0]
    text = kind.startswith("text/") or kind == "application/javascript"
    return start["status"] == 200 and text and "immutable" in headers.get("cache-control", "")


async def _collected(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, wanted: Callable[[Message], bool]
) -> tuple[Message, bytes] | None:
    """The start and the whole body of a response; None if its start isn't `wanted` (it is sent on) or its end missing.

    A client that leaves can cut a response short: kept, everyone would get it.
    """
    start: Message | None = None
    body = b""
    whole = False

    async def collect(message: Message) -> None:
        nonlocal start, body, whole
        if message["type"] == "http.response.start" and wanted(message):
            start = message
        elif start is None:
            await send(message)
        else:
            body += message.get("body", b"")
            whole = not message.get("more_body", False)

    await app(scope, receive, collect)
    return (start, body) if start and whole else None


async def _packed(answer: MutableHeaders, body: bytes) -> bytes:
    """The body, compressed; the headers say so."""
    body = await asyncio.to_thread(gzip.compress, body, 9, mtime=0)
    answer["content-encoding"] = "gzip"
    answer["content-length"] = str(len(body))
    answer.add_vary_header("Accept-Encoding")
    return body


async def _answer(send: Send, start: Message, body: bytes) -> None:
    await send({**start, "headers": list(start["headers"])})  # a proxy may add to them
    await send({"type": "http.response.body", "body": body})


async def _serve(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        raise Refused(404, "File not found.")
    # Private: a shared cache could pass on one visitor's cookie, which this response may set, to others.
    headers = {"Cache-Control": f"private, max-age={_YEAR}, immutable"}
    return Response(_FILES[name], media_type=_TYPES[Path(name).suffix], headers=headers)

"""Component scripts: a short line in each message, and a file that the browser may keep."""

import asyncio
import gzip
import re
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import file_util

from playground.recording import REPOSITORY
from playground.ui.server.assets import MAX_CACHE_BYTES, START, STREAMLITS, Compression, PageStyle, loader, routes

UI = REPOSITORY / "playground" / "ui"
FILES = sorted(path for kind in ("ts", "css") for path in UI.rglob(f"*.{kind}") if path.parent.name != "static")
SERVED = sorted((UI / "server" / "static").iterdir())
SCRIPTS = re.search(r'new URL\("\.(/[^"]+)"', loader("learn/grid.ts"))[1]
TYPES = {".js": "text/javascript", ".css": "text/css"}


def module(name: str) -> str:
    """The exports of a script, as an expression for an asynchronous function on a page."""
    load = f'(await import(new URL(".{SCRIPTS}", document.baseURI))).default'
    return f'(await {load}("{name.removesuffix(".ts")}"))'


@pytest.fixture
def client():
    return TestClient(Starlette(routes=routes()))


@pytest.mark.parametrize("path", SERVED, ids=lambda path: path.name)
def test_each_file_is_served_whole_to_keep_and_to_one_browser_alone(client, path):
    answer = client.get(f"/components/{path.name}")
    assert answer.status_code == 200
    assert answer.content == path.read_bytes()
    assert answer.headers["content-type"].split(";")[0] == TYPES[path.suffix]
    assert "immutable" in answer.headers["cache-control"]
    assert "private" in answer.headers["cache-control"]


def test_every_component_has_its_script():
    named = [name for path in UI.rglob("*.py") for name in re.findall(r'\bloader\("([^"]+)"', path.read_text("utf-8"))]
    assert len(named) > 20
    assert not [name for name in named if not (UI / name).is_file()]


def test_a_script_is_found_by_its_name_alone():
    names = [path.name for path in FILES]
    assert sorted(set(names)) == sorted(names)


def test_one_function_alone_writes_shares():
    """Rounded by hand, 99.97 % would read as all."""
    for path in FILES:
        assert path.name == "words.ts" or not re.search(r"toFixed\([^)]*\)\}? ?%", path.read_text()), path.name


def test_nothing_else_is_served(client):
    name = SERVED[0].name
    for other in ("assets.py", "..%2fassets.py", f"../static/{name}", f"static/{name}", "", name.replace("-", "-0")):
        assert client.get(f"/components/{other}").status_code == 404


def test_the_address_stands_below_the_server_s_base_path(monkeypatch):
    monkeypatch.setattr(st, "get_option", lambda name: "/some/base/" if name == "server.baseUrlPath" else None)
    client = TestClient(Starlette(routes=routes()))
    assert client.get(f"/some/base{SCRIPTS}").status_code == 200
    assert client.get(SCRIPTS).status_code == 404


def test_a_loader_is_short():
    assert len(loader("passes/tensors.ts")) < 200


PAGE = '<html><head><title>x</title><link rel="stylesheet" href="./a.css"></head><body></head></body></html>'


def served(answer) -> TestClient:
    return TestClient(
        PageStyle(Starlette(routes=[Route("/{path:path}", lambda request: answer)]), opens="opening of {}".format)
    )


def test_every_page_has_its_style_and_its_presenter_view_before_anything_is_drawn():
    answer = HTMLResponse(PAGE, headers={"etag": '"1"'})
    for path in ("/", "/train"):
        got = served(answer).get(
            path, headers={"accept": "text/html", "if-none-match": '"1"', "accept-encoding": "identity"}
        )
        head = re.search(
            r'<script type="module" src="\.(/[^"]+scripts-\w+\.js)"></script>'
            r'<template id="soon">(?:<link[^>]+>)+</template></head><body>opening of \w*'
            r'<link rel="stylesheet" href="./a.css"><link rel="stylesheet" href="\.(/[^"]+page-\w+\.css)" />',
            got.text,
        )
        shown = got.text.replace(head[0], "</head><body>").replace(f"<script>{START}</script>", "")
        assert shown == PAGE.replace('<link rel="stylesheet" href="./a.css">', "")
        assert int(got.headers["content-length"]) == len(got.content)
        assert "etag" not in got.headers
        for link in head.groups():
            assert TestClient(Starlette(routes=routes())).get(link).status_code == 200


def test_the_file_of_a_page_is_read_once_and_only_for_pages():
    asked: list[str] = []

    def serve(request):
        asked.append(request.url.path)
        cookie = {"set-cookie": "a=b"} if request.query_params else {}
        return HTMLResponse(f"<head></head>{len(asked)}", 404 if "none" in request.url.path else 200, cookie)

    client = TestClient(PageStyle(Starlette(routes=[Route("/{path:path}", serve)])), headers={"accept": "text/html"})
    assert client.get("/?cookie").text.endswith("</head>1"), "with a cookie for one browser: not kept"
    assert [client.get(path).status_code for path in ("/none", "/train/none")] == [404, 404]
    texts = [client.get(path).text for path in ("/train", "/", "/train?view=compare", "/")]
    assert [text[-1] for text in texts] == ["4", "5", "4", "5"]
    assert client.get("/trai%6e").text.endswith("</head>6"), "another spelling is for the server to judge"
    assert client.get("/train").headers["content-type"].startswith("text/html")
    plain = client.get("/train", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text.endswith("</head>7")
    assert len(asked) == 7


def test_what_is_no_page_passes_as_it_is():
    answer = PlainTextResponse("</head>", headers={"etag": '"1"'})
    for accept in ("text/html", "*/*"):
        got = served(answer).get("/file", headers={"accept": accept})
        assert got.text == "</head>"
        assert got.headers["etag"] == '"1"'
    assert served(HTMLResponse(PAGE)).get("/", headers={"accept": "*/*"}).text == PAGE


def preloaded(path: str = "/") -> list[str]:
    """Addresses that a page fetches once Streamlit's own script runs: none of them may hold that one up."""
    page = served(HTMLResponse(PAGE)).get(path, headers={"accept": "text/html"}).text
    [waiting] = re.findall(r'<template id="soon">(.*?)</template>', page)
    assert "preload" not in page.replace(waiting, "")
    return re.findall(r'<link rel="(?:module)?preload" [^>]*href="\.(/[^"]+)"', waiting)


def test_a_page_fetches_together_what_its_parts_will_import():
    addresses = preloaded()
    assert len(set(addresses)) == len(addresses)
    for name in STREAMLITS:
        assert any(f"/static/js/{name}." in each for each in addresses), name
    for each in addresses:
        assert (Path(file_util.get_static_dir()) / each[1:]).is_file(), each


def compressing(answer: Response) -> tuple[TestClient, list[str]]:
    """A client of a server with one answer, and the paths that reached it."""
    asked: list[str] = []

    def serve(request):
        asked.append(request.url.path)
        return answer

    return TestClient(Compression(Starlette(routes=[Route("/{path:path}", serve)]))), asked


FOREVER = {"cache-control": "public, immutable, max-age=31536000", "etag": '"1"', "accept-ranges": "bytes"}


def test_a_file_to_keep_is_compressed_once():
    client, asked = compressing(Response("let x;" * 1000, media_type="application/javascript", headers=FOREVER))
    for _ in range(3):
        got = client.get("/static/js/x.js", headers={"accept-encoding": "br, gzip"})
        assert got.text == "let x;" * 1000
        assert got.headers["content-encoding"] == "gzip"
        assert int(got.headers["content-length"]) < 200
        assert got.headers["vary"] == "Accept-Encoding"
        assert not {"etag", "accept-ranges"} & set(got.headers)
    assert asked == ["/static/js/x.js"]
    got = client.get("/static/js/x.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in got.headers
    assert got.text == "let x;" * 1000


def test_no_other_spelling_of_a_path_is_kept_and_what_is_kept_is_bounded():
    client, asked = compressing(Response("let x;" * 1000, media_type="application/javascript", headers=FOREVER))
    for path in ("/static//js/x.js", "/static/js%2fx.js", "/static/js/%2e/x.js", "/static/js/x.js"):
        for _ in range(2):
            assert client.get(path, headers={"accept-encoding": "gzip"}).text == "let x;" * 1000
    kept = client.app._kept
    assert [key for key, _ in kept.items()] == ["/static/js/x.js"]
    assert len(asked) == 2 + 2 + 1, "the encoded slash is the plain path"
    for number in range(50):
        kept.put(f"/{number}.js", ({}, bytes(1_000_000)))
    assert kept.size <= MAX_CACHE_BYTES


@pytest.mark.parametrize("middleware", [Compression, PageStyle])
def test_a_response_that_ends_early_is_not_kept(middleware):
    """A visitor who left while a file was read had everyone get an empty one."""
    whole = False

    async def app(scope, receive, send):
        kind = b"text/html" if middleware is PageStyle else b"text/javascript"
        start = [(b"content-type", kind), (b"cache-control", b"immutable")]
        await send({"type": "http.response.start", "status": 200, "headers": start})
        if whole:
            await send({"type": "http.response.body", "body": b"let x", "more_body": True})
            await send({"type": "http.response.body", "body": b" = 1;"})

    async def leave(_message):
        pass

    scope = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/"}
    asked = {**scope, "headers": [(b"accept", b"text/html"), (b"accept-encoding", b"gzip")]}
    middle = middleware(app)
    asyncio.run(middle(asked, None, leave))
    whole = True
    got = TestClient(middle).get("/", headers={"accept": "text/html", "accept-encoding": "gzip"})
    assert got.text == "let x = 1;"


def test_what_is_compressed_already_stays_as_it_is():
    packed = gzip.compress(b"let x;")
    client, asked = compressing(
        Response(packed, media_type="text/javascript", headers=FOREVER | {"content-encoding": "gzip"})
    )
    assert [client.get("/x.js").text for _ in range(2)] == ["let x;"] * 2
    assert asked == ["/x.js"]


@pytest.mark.parametrize(
    "answer",
    [
        Response("live", media_type="text/event-stream", headers={"cache-control": "no-store"}),
        Response(b"font", media_type="font/woff2", headers=FOREVER),
        Response("none", 404, media_type="text/plain", headers=FOREVER),
    ],
    ids=["stream", "font", "missing"],
)
def test_other_answers_pass_as_they_are(answer):
    client, asked = compressing(answer)
    for _ in range(2):
        got = client.get("/x")
        assert "content-encoding" not in got.headers
        assert got.content == answer.body
    assert len(asked) == 2


def test_a_part_of_a_file_is_not_compressed():
    client, _ = compressing(Response("part", media_type="text/javascript", headers=FOREVER))
    for header in ({"range": "bytes=0-3"}, {"if-none-match": '"1"', "accept-encoding": "identity"}):
        assert "content-encoding" not in client.get("/x.js", headers=header).headers

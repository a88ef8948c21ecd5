"""Every response carries the security headers, whatever it is and whoever made it."""

import base64
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from playground.settings.host import Host, HostError
from playground.ui import startup
from playground.ui.server.security_headers import SecurityHeaders, headers, policy


async def fail(_request: Request) -> Response:
    raise RuntimeError("nobody foresaw this")


async def refuse(_request: Request) -> Response:
    raise HTTPException(403)


def client(host: Host) -> TestClient:
    app = Starlette(
        routes=[
            Route("/text", lambda _request: PlainTextResponse("text", headers={"Referrer-Policy": "unsafe-url"})),
            Route("/elsewhere", lambda _request: RedirectResponse("/text")),
            Route("/refused", refuse),
            Route("/fails", fail),
        ],
        middleware=[Middleware(SecurityHeaders, host=host)],
    )
    return TestClient(app, follow_redirects=False)


@pytest.mark.parametrize(
    ("path", "status"), [("/text", 200), ("/elsewhere", 307), ("/refused", 403), ("/missing", 404), ("/fails", 500)]
)
def test_every_response_has_each_header_once(path, status):
    answer = client(Host()).get(path)
    assert answer.status_code == status
    for name, value in headers(Host()).items():
        assert answer.headers.get_list(name) == [value]


def test_it_is_the_outermost_part_of_the_server():
    assert startup.middleware()[0].cls is SecurityHeaders


def test_nothing_comes_from_other_sites_and_no_text_is_run_as_code():
    for name, sources in policy(Host()).items():
        if name != "frame-ancestors":
            assert not [each for each in sources if "//" in each or "*" in each], name
        assert "'unsafe-eval'" not in sources
        assert "'unsafe-inline'" not in sources or name == "style-src"
    assert policy(Host())["object-src"] == policy(Host())["frame-src"] == ("'none'",)


class Scripts(HTMLParser):
    """The scripts that stand in a page itself."""

    inside = False

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "script" and "src" not in dict(attributes)

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def test_the_scripts_in_streamlits_own_page_may_run():
    page = Scripts()
    page.feed((Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8"))
    assert page.found
    for script in page.found:
        assert f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'" in policy(Host())["script-src"]


def test_who_may_frame_the_app():
    assert policy(Host())["frame-ancestors"] == ("'self'", "https://huggingface.co")
    variables = {"PLAYGROUND_FRAME_ANCESTORS": " https://moodle.example.org, https://*.school.test:8443"}
    host = Host.from_environment(variables)
    assert policy(host)["frame-ancestors"][2:] == ("https://moodle.example.org", "https://*.school.test:8443")


@pytest.mark.parametrize(
    "wrong",
    [
        *("*", "https:", "https://*", "school.test", "https://school.test/course", "javascript://x", "'unsafe-inline'"),
        *("https://a.test; script-src *", "https://a.test https://b.test", "https://a.test\r\nX-Other:1"),
    ],
)
def test_what_is_no_address_of_a_site_is_refused_at_the_start(wrong):
    with pytest.raises(HostError) as caught:
        Host.from_environment({"PLAYGROUND_FRAME_ANCESTORS": wrong})
    assert str(caught.value) == (
        f"PLAYGROUND_FRAME_ANCESTORS is {wrong!r}, which is not allowed: "
        f"{wrong!r} is not an origin; use addresses like https://example.org without a path."
    )

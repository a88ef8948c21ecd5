"""Who may speak to the server: under its own names, from pages of its own; and it speaks to nobody by itself."""

import ast
import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit
import websockets
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit import config
from websockets.asyncio.client import connect

from playground.settings.host import Host
from playground.ui.server import guard, message_limits
from playground.ui.session.services import services
from tests.helpers import HANG, live
from tests.load.app import App, application, paths
from tests.load.client import Visitor

ROOT = Path(__file__).parent.parent
OFFLINE = Path(__file__).parent / "offline"
URL = "https://playground.test"
SHARED = {"PLAYGROUND_MODE": "shared", "PLAYGROUND_URL": URL, "PLAYGROUND_ALLOWED_HOSTS": "lecture.local, 192.168.7.9"}


@pytest.fixture(scope="module")
def outbound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that lists what the server tried to reach on other machines."""
    return tmp_path_factory.mktemp("outbound") / "log"


@pytest.fixture(scope="module")
def app(outbound: Path) -> Iterator[App]:
    """A shared host without a network."""
    with application(SHARED | offline(outbound)) as running:
        yield running


def offline(outbound: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(OFFLINE), "PLAYGROUND_TEST_OUTBOUND": str(outbound)}


def attempts(outbound: Path) -> list[str]:
    return outbound.read_text(encoding="utf-8").splitlines() if outbound.exists() else []


def answer(app: App, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    """Status and text."""
    with closing(http.client.HTTPConnection(urlsplit(app.address).netloc, timeout=HANG)) as connection:
        connection.request(method, path, headers=headers)
        got = connection.getresponse()
        return got.status, got.read().decode(errors="replace")


def handshake(app: App, host: str = "", **headers: str) -> int:
    """Status of a websocket handshake; 101 if the server agrees."""
    here = urlsplit(app.address)

    async def attempt() -> int:
        address = f"ws://{host or here.netloc}/_stcore/stream"
        words = [websockets.Subprotocol("streamlit")]
        server = {"host": here.hostname, "port": here.port}  # whatever the address says
        try:
            async with connect(address, subprotocols=words, additional_headers=headers, proxy=None, **server):
                return 101
        except websockets.InvalidStatus as refused:
            return refused.response.status_code

    return live(attempt())


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "playground.test", "LECTURE.local.", "192.168.7.9"])
def test_every_own_name_reaches_the_server(app, name):
    assert answer(app, "/train", Host=f"{name}:8501")[0] == 200
    assert handshake(app, f"{name}:8501") == 101


@pytest.mark.parametrize("name", ["evil.test", "192.168.7.8", "localhost.evil.test"])
def test_no_other_name_reaches_the_server(app, name):
    for path in ("/", "/train", "/_stcore/host-config", "/qr?text=http://a"):
        assert answer(app, path, Host=name) == (400, guard.UNKNOWN_NAME)
    assert answer(app, "/checkpoint", "POST", Host=name)[0] == 400
    assert handshake(app, name) == 400
    assert handshake(app, name, Origin=f"http://{name}") == 400


@pytest.mark.parametrize("hosts", ["", "Host: localhost\r\nHost: evil.test\r\n", "Host: localhost, evil.test\r\n"])
def test_a_request_names_exactly_one_host(app, hosts):
    with socket.create_connection((urlsplit(app.address).hostname, urlsplit(app.address).port)) as line:
        version = "1.1" if hosts else "1.0"  # which alone may have none
        line.sendall(f"GET / HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n".encode())
        assert b" 400 " in line.makefile("rb").readline()


def test_the_health_of_the_server_is_for_every_name(app):
    assert answer(app, "/_stcore/health", Host="10.0.0.7:8501") == (200, "ok")


FOREIGN = ["https://evil.test", "null", "", "http://localhost:3000", "https://playground.test:8443", "file://", "x"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_site_neither_connects_nor_makes_the_server_ask_who_it_is(app, outbound, origin):
    assert handshake(app, Origin=origin) == 403
    assert handshake(app, "playground.test", Origin=origin) == 403
    assert answer(app, "/checkpoint", "POST", Origin=origin) == (403, guard.FOREIGN_PAGE)
    assert attempts(outbound) == []
    assert app.log.count(guard.REFUSED) == 1, "or anybody could fill the log"


def test_own_pages_connect_also_through_a_proxy_that_changes_the_host(app, outbound):
    here = urlsplit(app.address).netloc
    assert handshake(app, Origin=app.address) == 101
    assert handshake(app, Origin=URL) == 101
    assert handshake(app, "lecture.local", Origin="https://lecture.local") == 101
    assert handshake(app, here.upper(), Origin=f"HTTP://{here}") == 101
    assert handshake(app) == 101, "a program has no page"
    assert attempts(outbound) == []


def test_nothing_leaves_your_machine(app, outbound):
    """From the server's start, on every page, and when another site's page connects."""

    async def visit() -> None:
        async with Visitor(app.address) as visitor:
            for path in paths():
                await visitor.page(path)
                await visitor.reload()
            assert not visitor.errors

    live(visit())
    assert handshake(app, Origin="https://evil.test") == 403
    assert attempts(outbound) == []


def test_the_start_says_where_the_app_is_without_asking_a_public_service(app, tmp_path):
    """Streamlit's announcement as in a container, on all addresses, but without a server; and the app's own."""
    code = """
from streamlit import config
config._main_script_path = "app.py"
from streamlit.web import bootstrap
bootstrap.load_config_options({"server.headless": True, "server.address": "0.0.0.0"})
bootstrap._print_url(is_running_hello=False)
"""
    environment = os.environ | offline(tmp_path / "log")
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    assert attempts(tmp_path / "log") == []
    assert f"Transformer Playground: {URL}\n" in app.log


def test_no_other_part_of_streamlit_asks_for_the_address_of_the_machine():
    """A new release may; then the tests above need to know."""
    callers = set()
    for path in Path(streamlit.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in ("get_external_ip", "is_url_from_allowed_origins"):
            if name in text:
                functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
                callers |= {each.name for each in functions if name in ast.unparse(each.body)}
    assert callers == {"_print_url", "is_url_from_allowed_origins", "_is_origin_allowed"}


CLOSED = ["metrics", "agent/openapi.json", "agent/interact", "agent/mcp", "upload_file/a/b", "script-health-check"]


@pytest.mark.parametrize("path", CLOSED)
def test_what_the_app_does_not_use_of_streamlit_is_closed_on_a_shared_host(app, path):
    for method in ("GET", "POST", "PUT", "OPTIONS"):
        assert answer(app, f"/_stcore/{path}", method)[0] == 404
    assert answer(app, "/_stcore/%6Detrics")[0] == 404


@pytest.fixture
def own(monkeypatch) -> TestClient:
    """An own machine's guard before an app that answers everything."""
    monkeypatch.setattr(services(), "host", Host())

    async def passes(_: object) -> PlainTextResponse:
        return PlainTextResponse("ok")

    app = Starlette(routes=[Route("/{path:path}", passes, methods=["GET", "POST"])], middleware=[guard.MIDDLEWARE])
    return TestClient(app, base_url="http://127.0.0.1")


def test_an_own_machine_keeps_all_of_streamlit(own):
    assert own.get("/_stcore/metrics").text == "ok"


def test_the_configured_listen_address_is_an_accepted_host_name(own):
    before = config.get_option("server.address")
    try:
        for bound, name, status in [
            *[("192.168.1.5", "192.168.1.5:8501", 200), ("192.168.1.5", "192.168.1.6", 400), ("::", "[::]", 400)],
            *[("0.0.0.0", "0.0.0.0:8501", 400), ("fd00::1", "[fd00:0::1]:8501", 200), (None, "192.168.1.5", 400)],
        ]:
            config.set_option("server.address", bound)
            assert own.get("/", headers={"host": name}).status_code == status, (bound, name)
    finally:
        config.set_option("server.address", before)


def test_two_origins_are_no_page(own):
    two = [("origin", "http://127.0.0.1"), ("origin", "http://evil.test")]
    assert own.post("/", headers=two).status_code == 403
    assert own.post("/", headers=two[:1]).text == own.get("/", headers=two).text == "ok"


def test_a_text_beyond_the_maximum_of_its_field_closes_only_the_connection_that_sends_it(app: App):
    async def acts() -> tuple[str, int]:
        async with Visitor(app.address, "step_through") as one, Visitor(app.address, "step_through") as other:
            await one.set("Your input", "1 2 3")
            with pytest.raises(ConnectionError):
                await one.set("Your input", "1 " * 500_000)
            await other.click("Next")
            closed = one._socket
            return closed.close_reason, closed.close_code

    assert live(acts()) == (message_limits.TOO_LONG, 1009)


@pytest.mark.parametrize(("path", "cookie"), [("/?input=" + 200_000 * "1", ""), ("/", 200_000 * "a")])
def test_an_address_or_a_cookie_of_any_length_is_refused_before_the_app_sees_it(app: App, path: str, cookie: str):
    try:
        status, _ = answer(app, path, Cookie=cookie)
    except ConnectionError:  # closed while the client was still sending
        return
    assert status == 400

"""Cookies: a visitor's name is signed, what was invented is nobody's, and two apps on one machine share none."""

import re

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from playground.settings.host import Host
from playground.ui.server import cookies
from playground.ui.session import identity
from playground.ui.session.services import services
from tests.helpers import live

OLD = "a" * 32
PAGE = {"accept": "text/html"}


async def who(request):
    """The visitor as the app knows them; and a cookie of Streamlit's own."""
    visitor = identity.visitor_of(request.cookies.get(identity.VISITOR_COOKIE))
    answer = PlainTextResponse(f"{visitor} {request.cookies.get('_streamlit_user', '')}".strip())
    if "sign_in" in request.query_params:
        answer.set_cookie("_streamlit_user", request.query_params["sign_in"])
        answer.set_cookie("_streamlit_xsrf", "token")
    return answer


@pytest.fixture
def at(tmp_path, monkeypatch):
    """Makes this process the app on a folder."""

    def move(name: str, **fields) -> None:
        monkeypatch.setattr(services(), "host", Host(checkpoints=tmp_path / name, mode="shared", **fields))

    move("one")
    return move


def browser(address: str = "http://127.0.0.1:8501") -> TestClient:
    app = Starlette(routes=[Route("/", who)], middleware=cookies.MIDDLEWARE)
    return TestClient(app, base_url=address, headers=PAGE)


def given(answer) -> dict[str, str]:
    """The cookies that an answer sets: attributes by name."""
    pairs = [each.split(";", 1) for each in answer.headers.get_list("set-cookie")]
    return {name.partition("=")[0]: attributes for name, attributes in pairs}


def value_of(client: TestClient, plain: str = identity.VISITOR_COOKIE) -> str:
    (value,) = [value for name, value in client.cookies.items() if re.fullmatch(f"{plain}_[0-9a-f]{{8}}", name)]
    return value


def name_of(plain: str = identity.VISITOR_COOKIE) -> str:
    return plain + cookies.own_mark().decode()


def test_a_visitor_is_known_by_the_cookie_of_the_first_page(at):
    client = browser()
    assert client.get("/").text == "", "on the way to a cookie nobody is known"
    known = client.get("/").text
    assert re.fullmatch("[0-9a-f]{32}", known)
    assert client.get("/").text == known
    assert known == identity.visitor_of(value_of(client))
    assert browser().get("/").text == ""


def test_an_invented_cookie_is_nobody_and_is_replaced(at):
    client = browser()
    client.get("/")
    name, signature = value_of(client).split(".")
    at("two")
    foreign = identity.new_visitor()
    at("one")
    for invented in (OLD, name, f"{OLD}.{signature}", f"{name}.{'a' * 43}", foreign, "", "ä", "x" * 5000, f"{name}."):
        assert identity.visitor_of(invented) == ""
        stranger = browser()
        answer = stranger.get("/", headers={"cookie": f"{name_of()}={invented}"} if invented.isascii() else {})
        assert answer.text == ""
        assert identity.visitor_of(value_of(stranger)) not in ("", identity.visitor_of(f"{name}.{signature}"))


@pytest.mark.parametrize("plain", [identity.VISITOR_COOKIE, cookies.FRAMED])
def test_who_came_before_cookies_were_signed_keeps_what_they_have(at, plain):
    old = identity._digest(OLD)
    assert browser().get("/", headers={"cookie": f"{plain}={OLD}"}).text == "", "an invented one has no folder"
    (services().host.private_folder / old).mkdir()
    client = browser()
    assert client.get("/", headers={"cookie": f"{plain}={OLD}"}).text == old
    assert client.get("/").text == old, "by the signed cookie alone"
    assert value_of(client).startswith(f"{OLD}.")
    assert browser().get("/", headers={"cookie": f"{name_of()}={OLD}"}).text == "", (
        "under the new name it must be signed"
    )


def test_two_apps_on_one_machine_share_no_cookie(at):
    client, seen = browser(), {}
    for name in ("one", "two"):
        at(name)
        client.get("/", params={"sign_in": name})
        seen[name] = client.get("/").text
        assert seen[name].endswith(f" {name}")
    for name in ("one", "two"):
        at(name)
        assert client.get("/").text == seen[name]
    assert seen["one"].split()[0] != seen["two"].split()[0]
    assert [name for name in client.cookies if name.startswith("_streamlit_xsrf")] == ["_streamlit_xsrf"]


def test_a_restart_on_another_port_keeps_the_visitor(at):
    client = browser("http://127.0.0.1:8501")
    client.get("/")
    known = client.get("/").text
    other = browser("http://127.0.0.1:8502")
    other.cookies = client.cookies
    assert other.get("/").text == known


def test_apps_with_addresses_of_their_own_share_no_cookie_even_in_containers_alike(at):
    at("same", url="http://127.0.0.1:8501")
    one = name_of()
    at("same", url="http://127.0.0.1:8502")
    assert name_of() != one


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_comes_through_a_frame_is_known_where_browsers_take_no_cookies_of_another_site(at, kind):
    ada, bob = identity.new_visitor(), identity.new_visitor()

    def seen(**sent: str) -> str:
        found = {}

        async def app(scope, receive, send):
            found.update(HTTPConnection(scope).cookies)

        header = "; ".join(["a=1", *(f"{name_of(name)}={value}" for name, value in sent.items())])
        asked = {"type": kind, "path": "/train", "headers": [(b"cookie", header.encode())]}
        live(cookies.OwnCookies(cookies.VisitorCookie(app))(asked, None, None))
        return found.get(identity.VISITOR_COOKIE, "")

    assert seen(playground_visitor_framed=ada) == ada
    assert seen(playground_visitor_framed=ada, playground_visitor=bob) == bob
    assert seen(playground_visitor_framed=ada, playground_visitor=OLD) == ada
    assert seen() == ""


def test_only_on_a_space_a_cookie_is_sent_into_frames_of_other_sites(at, monkeypatch):
    monkeypatch.delenv("SPACE_ID", raising=False)
    ((name, local),) = given(browser().get("/")).items()
    assert name == name_of()
    assert "SameSite=Lax" in local
    assert "Secure" not in local
    ((_, safe),) = given(browser("https://127.0.0.1").get("/")).items()
    assert "SameSite=Lax; Secure" in safe
    at("one", url="https://playground.test")
    ((_, behind),) = given(browser("http://playground.test").get("/")).items()
    assert "SameSite=Lax; Secure" in behind, "a proxy may speak http"
    monkeypatch.setenv("SPACE_ID", "someone/playground")
    space = given(browser("http://127.0.0.1").get("/"))
    assert "SameSite=None; Secure" in space[name_of()]
    assert "SameSite=None; Secure; Partitioned" in space[name_of(cookies.FRAMED)]


def test_every_page_gives_the_cookie_anew_and_nothing_else_does(at):
    client = browser()
    client.get("/")
    cookie = value_of(client)
    assert given(client.get("/")).keys() == {name_of()}
    assert value_of(client) == cookie
    assert given(client.get("/", headers={"accept": "*/*"})) == {}

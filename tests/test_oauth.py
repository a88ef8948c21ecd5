"""Signing in by OAuth: what Streamlit gets, and the way there and back. The whole road: browser/test_oauth.py."""

import pytest
from pydantic import SecretStr
from starlette.requests import cookie_parser

from playground.hub.sign_ins import SignIns
from playground.settings.host import Host
from playground.ui.hub import oauth
from playground.ui.session.services import services
from tests.helpers import live

URL = "https://someone-playground.hf.space"
SPACE = {"OAUTH_CLIENT_ID": "name", "OAUTH_CLIENT_SECRET": "hush", "SPACE_HOST": URL.removeprefix("https://")}


@pytest.fixture
def space(monkeypatch, tmp_path):
    for name, value in SPACE.items():
        monkeypatch.setenv(name, value)
    there = SPACE | {"PLAYGROUND_CHECKPOINTS": str(tmp_path)}
    monkeypatch.setattr(services(), "host", Host.from_environment(there))
    monkeypatch.setattr(services(), "sign_ins", SignIns(services().host.private_folder))


def test_a_space_tells_streamlit_what_it_needs_to_sign_people_in(space):
    auth = oauth.secrets(SPACE)["auth"]
    assert auth["redirect_uri"] == f"{URL}/oauth2callback"
    assert auth["server_metadata_url"] == "https://huggingface.co/.well-known/openid-configuration"
    assert auth["client_kwargs"] == {"scope": "openid profile contribute-repos"}
    assert auth["expose_tokens"] == ["access"]
    assert auth == oauth.secrets(SPACE)["auth"], "who is signed in stays so when the server starts again"
    assert "hush" not in auth["cookie_secret"]
    other = oauth.secrets(SPACE | {"OAUTH_CLIENT_SECRET": "psst", "OPENID_PROVIDER_URL": "http://hub.test/"})["auth"]
    assert other["cookie_secret"] != auth["cookie_secret"]
    assert other["server_metadata_url"] == "http://hub.test/.well-known/openid-configuration"


@pytest.mark.parametrize("missing", SPACE)
def test_elsewhere_there_is_no_oauth(space, monkeypatch, missing):
    monkeypatch.delenv(missing)
    some = {name: value for name, value in SPACE.items() if name != missing}
    monkeypatch.setattr(services(), "host", Host.from_environment(some))
    assert oauth.secrets(some) == {}
    assert not oauth.available()
    assert oauth.token() is False


def answer(path, *, status=302, sent=(), query=b"", **headers):
    """Status, location and cookies of what the browser gets where Streamlit answers with `status`, "/" and `sent`."""

    async def streamlit(scope, receive, send):
        cookies = [(b"set-cookie", cookie.encode()) for cookie in sent]
        await send({"type": "http.response.start", "status": status, "headers": [(b"location", b"/"), *cookies]})

    started = []

    async def send(message):
        started.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "headers": pairs, "query_string": query, "server": ("x", 80)}
    live(oauth.SignInReturn(streamlit)(scope, None, send))
    found = [(name.decode(), value.decode()) for name, value in started[0]["headers"]]
    return (
        started[0]["status"],
        dict(found)["location"],
        [value for name, value in found if name == "set-cookie" and value not in sent],
    )


@pytest.mark.parametrize(
    ("page", "back"),
    [
        (f"{URL}/checkpoints?view=hub&sort=likes", "/checkpoints?view=hub&sort=likes"),
        (f"{URL}/", "/"),
        ("", "/"),
        ("https://elsewhere.test/checkpoints", "/"),
        (f"{URL}.elsewhere.test/checkpoints", "/"),
        (f"{URL}//elsewhere.test", "/"),
        (f"{URL}/\\elsewhere.test", "/"),
        (f"{URL}/{'x' * 3000}", "/"),
    ],
)
def test_one_comes_back_to_the_page_one_left_and_to_no_other_site(space, page, back):
    *_, (cookie,) = answer("/auth/login", referer=page)
    name, value = cookie.partition(";")[0].split("=", 1)
    assert "HttpOnly" in cookie
    assert "Secure" in cookie
    held = f"{name}={value}"
    assert cookie_parser(held)
    signed_in = answer("/oauth2callback", cookie=held, sent=["_streamlit_user=signed; HttpOnly"], query=b"state=1")
    assert signed_in == (302, back, ["_streamlit_user=signed; HttpOnly; Secure"])
    assert answer("/auth/logout", referer=page) == (302, back, [])


def test_a_failed_sign_in_returns_with_its_reason(space):
    held = "playground_back=%2Ftrain%3Frun%3Dx"
    gone = '_streamlit_user=""; Max-Age=0'
    assert answer("/oauth2callback", cookie=held, sent=[gone], query=b"state=1")[1] == "/train?run=x&sign_in=refused"
    assert answer("/oauth2callback", cookie="playground_back=//x.test", query=b"state=1")[1] == "/?sign_in=refused"
    assert answer("/auth/login", status=400, referer=f"{URL}/build")[:2] == (302, "/build?sign_in=unreachable")


def test_a_page_in_a_frame_is_known_by_the_cookie_that_does_not_reach_it(space, monkeypatch):
    *_, (cookie,) = answer("/train", status=200)
    assert cookie.startswith("playground_direct=1; ")
    assert "SameSite=Lax" in cookie
    assert answer("/train", status=200, cookie="playground_direct=1")[2] == []
    monkeypatch.delenv("OAUTH_CLIENT_ID")
    assert answer("/train", status=200)[2] == []


class User(dict):
    """What Streamlit tells of the cookies with which a session began."""

    def __init__(self, token: str, **claims) -> None:
        super().__init__(is_logged_in=True, **claims)
        self.tokens = {"access": token}


def test_a_token_that_was_refused_or_signed_out_is_not_used_again(space, monkeypatch):
    for end in (
        lambda token: services().sign_ins.expire(services().sign_ins.begin("browser", token, from_cookie=True)),
        lambda token: services().sign_ins.sign_out("browser", token),
    ):
        monkeypatch.setattr(oauth.st, "user", User("hf_abc"))
        held = oauth.token()
        assert isinstance(held, SecretStr)
        assert held.get_secret_value() == "hf_abc"
        end(held)
        assert oauth.token() is False
        monkeypatch.setattr(services(), "sign_ins", SignIns(services().host.private_folder))  # as after a restart
        assert oauth.token() is False
        monkeypatch.setattr(oauth.st, "user", User("hf_def"))
        assert oauth.token().get_secret_value() == "hf_def"
        (services().host.private_folder / "signed_out.json").unlink()
        monkeypatch.setattr(services(), "sign_ins", SignIns(services().host.private_folder))
    monkeypatch.setattr(oauth.st, "user", User("hf_abc") | {"is_logged_in": False})
    assert oauth.token() is False


def test_cookies_are_signed_anew_where_it_is_not_known_who_has_signed_out(space, monkeypatch):
    def secret() -> str:
        monkeypatch.setattr(services(), "sign_ins", SignIns(services().host.private_folder))
        return oauth.secrets(SPACE)["auth"]["cookie_secret"]

    assert (before := secret()) == secret()
    (services().host.private_folder / "signed_out.json").unlink()  # as on a disk that a restart empties
    assert secret() != before

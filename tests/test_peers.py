"""Who is at the other end: the address that the server listens on, and the account that runs code."""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit as st

from playground.settings.host import is_loopback
from playground.ui.parts.code import own_machine
from playground.ui.server import peers
from playground.ui.session.services import services
from playground.ui.startup import REACHED_BY_OTHERS
from tests.helpers import live, messages
from tests.load.app import application
from tests.load.client import Visitor
from tests.pages import fine, host, page  # noqa: F401

LINUX = pytest.mark.skipif(not peers.CONNECTION_TABLES[0].exists(), reason="only Linux says whose connection it is")
ROOT_ONLY = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="takes another account")
NOBODY = 65534


@contextmanager
def other_account() -> Iterator[None]:
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def connection(client: str, server: str) -> Iterator[dict[str, str]]:
    """Headers that `with_connection` makes of a connection from one loopback address to another."""
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with closing(socket.socket(family)) as listening:
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((server, 0))
        listening.listen()
        to = client if server == "::" else server
        with closing(socket.create_connection((to, listening.getsockname()[1]), source_address=(client, 0))):
            accepted, peer = listening.accept()
            with closing(accepted):
                scope = {"client": peer[:2], "server": accepted.getsockname()[:2], "headers": [(b"host", b"x")]}
                made = peers.with_connection(scope)["headers"]
                yield {name.decode(): value.decode() for name, value in made}


ENDS = [("127.0.0.1", "127.0.0.1"), ("127.0.0.2", "127.0.0.1"), ("::1", "::1"), ("127.0.0.1", "::"), ("::1", "::")]


@LINUX
@pytest.mark.parametrize(("client", "server"), ENDS)
def test_a_connection_of_the_same_account_is_recognized_at_every_loopback_address(client: str, server: str):
    with connection(client, server) as headers:
        assert peers.account(headers) == "own"


@LINUX
@ROOT_ONLY
@pytest.mark.parametrize(("client", "server"), ENDS)
def test_a_connection_of_another_account_is_recognized(client: str, server: str):
    with other_account(), connection(client, server) as headers:
        assert peers.account(headers) == "own", "both are this account's"
        os.seteuid(0)
        assert peers.account(headers) == "other"


def test_no_client_names_its_own_connection():
    made = peers.with_connection(
        {"client": ("10.0.0.7", 5), "server": None, "headers": [(b"x-playground-connection", b"a")]}
    )
    assert made["headers"] == [(b"x-playground-connection", b"10.0.0.7 5  0")]
    assert peers.account({peers.CONNECTION_HEADER: "10.0.0.7 5  0"}) == "other"
    assert peers.account({}) == "other"


@LINUX
def test_a_connection_that_the_system_doesnt_know_is_nobodys():
    assert peers.account({peers.CONNECTION_HEADER: "127.0.0.1 0 127.0.0.1 1"}) == "other", (
        "as of a header X-Forwarded-For"
    )


@pytest.mark.parametrize("name", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "localhost", "a.localhost"])
def test_every_spelling_of_loopback_is_one(name: str):
    assert is_loopback(name)


@pytest.mark.parametrize("name", ["::ffff:10.0.0.1", "10.0.0.1", "0.0.0.0", "::", "", "localhost.test"])
def test_no_other_address_is_loopback(name: str):
    assert not is_loopback(name)


@LINUX
def test_without_an_address_only_loopback_reaches_the_server_and_the_check_runs_for_its_account():
    with application() as app:
        port = urlsplit(app.address).port
        with closing(socket.create_connection(("127.0.0.1", port))), pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))
        assert f"Transformer Playground: http://localhost:{port}" in app.log
        assert REACHED_BY_OTHERS[:30] not in app.log
        assert live(_sees_form(app.address))


@LINUX
@ROOT_ONLY
def test_another_account_of_the_machine_gets_the_command_and_not_the_form():
    with application({"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}) as app:
        assert (REACHED_BY_OTHERS % "0.0.0.0") in app.log
        with other_account():
            assert not live(_sees_form(app.address))
        assert live(_sees_form(app.address))


async def _sees_form(address: str) -> bool:
    async with Visitor(address, "learn", "view=check") as visitor:
        texts = " ".join(visitor.texts())
        assert not visitor.errors
        command = "On the command line" in texts
        assert command != ("Your code runs in a separate process" in texts)
        return not command


@pytest.fixture
def silent_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that doesn't say whose connection it is, and a browser at a loopback address."""
    monkeypatch.setattr(peers, "CONNECTION_TABLES", (Path("no such file"),))
    monkeypatch.setattr(own_machine, "_proven", set())
    monkeypatch.setattr(
        type(st.context),
        "headers",
        property(lambda _: {peers.CONNECTION_HEADER: "127.0.0.1 5 127.0.0.1 8501"}),
        raising=False,
    )


@pytest.mark.usefixtures("silent_system")
def test_elsewhere_the_code_from_the_terminal_opens_the_form():
    app = page("learn.py", **{"learn view": "check"})
    assert not app.text_area
    assert "never runs visitors' code" in messages(app, "note")[0]
    app.text_input(key="terminal code").set_value("wrong").run()
    assert not fine(app).text_area
    assert messages(app, "wrong") == ["This isn't the code from the terminal. Copy it from there."]
    app.text_input(key="terminal code").set_value(f" {own_machine.TERMINAL_CODE} ").run()
    assert fine(app).text_area
    assert not messages(app, "wrong")


@pytest.mark.usefixtures("silent_system")
def test_a_shared_host_takes_no_code(host, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    host(mode="shared")
    assert not own_machine.needs_code()
    assert not own_machine.prove(own_machine.TERMINAL_CODE)
    assert not own_machine.permitted()


def test_the_readmes_address_for_a_class_is_one_that_the_server_accepts():
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    (name,) = re.findall(r"`PLAYGROUND_ALLOWED_HOSTS=([\d.]+)`", readme)
    (address,) = re.findall(r"`--server.address ([\d.]+)`", readme)
    assert name == address
    assert services().host.model_validate({"allowed_hosts": name}).is_own_name(f"{address}:8501")

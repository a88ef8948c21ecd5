"""Connections below HTTP: limits on their number and on their time without a request; few descriptors."""

import asyncio
import subprocess
import sys
import textwrap

import pytest

from playground.recording import REPOSITORY
from playground.ui.server import connections
from playground.ui.server.connections import Connections
from tests.browser.conftest import app_under_test, free_port, running_server
from tests.helpers import HANG, live
from tests.load.client import Visitor
from tests.load.scenarios import prepare, state

ANSWER = b"HTTP/1.1 200 OK\r\n\r\n"


class Answering(asyncio.Protocol):
    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(ANSWER)


def with_server(descriptors: int, story) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        Connections(descriptors).limit(loop)
        async with await loop.create_server(Answering, "127.0.0.1", 0) as server:
            await story(server.sockets[0].getsockname())

    live(run())


def test_beyond_the_limit_a_connection_is_refused_with_a_sentence_until_another_closes():
    async def story(address) -> None:
        held = [await asyncio.open_connection(*address) for _ in range(4)]
        reader, writer = await asyncio.open_connection(*address)
        answer = (await reader.read()).decode()
        assert answer.startswith("HTTP/1.1 503")
        assert answer.endswith("The server has too many connections. Try again in a minute.")
        writer.close()
        held[0][0].feed_eof()
        held[0][1].close()
        async with asyncio.timeout(HANG):
            while True:
                reader, writer = await asyncio.open_connection(*address)
                writer.write(b"GET / HTTP/1.1\r\n\r\n")
                if await reader.read(len(ANSWER)) == ANSWER:
                    break
        for _, each in [*held, (reader, writer)]:
            each.close()

    with_server(10, story)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: a"])
def test_a_connection_that_sends_no_request_is_closed_and_one_that_did_stays(monkeypatch, sent):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)

    async def story(address) -> None:
        reader, writer = await asyncio.open_connection(*address)
        for part in (b"GET / HTTP/1.1\r\n\r", b"\n"):
            writer.write(part)
            await reader.read(len(ANSWER))
        idle, end = await asyncio.open_connection(*address)
        end.write(sent)
        async with asyncio.timeout(HANG):
            try:
                while await idle.read(1000):
                    pass
            except ConnectionResetError:
                pass
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert await reader.read(len(ANSWER)) == ANSWER
        for each in (writer, end):
            each.close()

    with_server(100, story)


def test_the_limit_on_descriptors_is_raised_as_far_as_the_system_allows():
    code = """
        import resource
        from playground.ui.server.connections import raise_descriptor_limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 900))
        assert raise_descriptor_limit() == 900, raise_descriptor_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (900, 900)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=REPOSITORY, check=True)


def test_a_server_with_few_descriptors_trains_beside_many_open_and_closed_tabs(tmp_path):
    few = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))"

    async def story(address: str) -> None:
        closed = [await Visitor(address, "train").open() for _ in range(8)]
        for each in closed:
            await each.drop()
        tabs = [await Visitor(address, "train").open() for _ in range(16)]
        await prepare(tabs[-1], steps=20)
        await tabs[-1].click("Train")
        await tabs[-1].until(lambda: state(tabs[-1]) in ("finished", "solved", "stopped"))
        for each in tabs:
            assert not each.errors
            await each.drop()

    port = free_port()
    with running_server(tmp_path, port, script=app_under_test(tmp_path, few + "\n")):
        live(story(f"http://127.0.0.1:{port}"))
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert "Too many open files" not in log, log

"""Live values behind a proxy that buffers event streams; `tests/scripts/stream.test.ts` has the other cases."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import STOP

pytestmark = pytest.mark.browser

POLL = 1000
"""Milliseconds between two polls, see stream.ts."""
COUNT_POLLS = """
    window.polls = []; // time at which each began
    const ask = fetch;
    window.fetch = (address, ...rest) => {
      if (String(address).includes("once=1")) polls.push(performance.now());
      return ask(address, ...rest);
    };
"""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@contextmanager
def buffering_proxy(server: str) -> Iterator[str]:
    """Address of a proxy on loopback that holds back event streams, and everything that follows on their connection."""
    parts = urlsplit(server)
    begun = Future[tuple[int, Callable[[], object]]]()  # the port, and what ends the proxy

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool) -> None:
        held = False
        try:
            while content := await reader.read(2**16):
                head = content.lower()
                held = held or (answers and b"text/event-stream" in head and b"content-length" not in head)
                if not held:
                    writer.write(content)
                    await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(parts.hostname, parts.port)
        await asyncio.gather(copy(reader, back, answers=False), copy(there, writer, answers=True))

    async def listen() -> None:
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
            begun.set_result((listening.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(over.set)))
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(listen(),))
    thread.start()
    port, end = begun.result()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        end()
        thread.join()


def test_behind_a_proxy_that_buffers_event_streams_one_loop_polls(page: Page, server: str):
    page.add_init_script(COUNT_POLLS)
    with buffering_proxy(server) as proxy:
        page.goto(f"{proxy}/train")
        page.get_by_role("button", name="Train", exact=True).click()
        expect(page.get_by_test_id("progress")).to_contain_text("running")
        text = page.get_by_test_id("progress").text_content()
        expect(page.get_by_test_id("progress")).not_to_have_text(text or "")  # without an act of the person
        page.wait_for_function("() => polls.length > 1")
        for _ in range(3):
            page.evaluate(HIDE, arg=True)
            page.evaluate(HIDE, arg=False)
        began = page.evaluate("polls.length")
        page.wait_for_function("began => polls.length > began + 4", arg=began)
        times = page.evaluate("polls")[began:]
        assert all(later - before >= 0.9 * POLL for before, later in itertools.pairwise(times)), times
        page.request.get(f"{server}/{STOP}")
        page.goto("about:blank")

"""Visitors of a real server, over the wire: what survives a lost connection, a new start and a stranger's hands."""

import asyncio
import os
import random
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from playground.settings.config import parameter_counts
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from tests.browser.conftest import free_port, running_server
from tests.helpers import HANG, is_alive, live, until
from tests.load.app import App, application
from tests.load.client import Visitor
from tests.load.scenarios import state, step_of

SHARED = {"PLAYGROUND_MODE": "shared", "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"}


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    with application(SHARED) as running:
        yield running


async def trains(visitor: Visitor, pace: str = "1 step/s") -> None:
    """Starts a long run and waits until it moves."""
    await visitor.set("Pace", pace)
    await visitor.click("Train")
    await visitor.until(lambda: state(visitor) == "running")


def link(visitor: Visitor) -> str:
    found = visitor.says(r"\?(run=[\w-]+)")
    assert found is not None
    return found[1]


def test_a_run_goes_on_whatever_becomes_of_the_page(app: App):
    async def story() -> None:
        visitor = Visitor(app.address, "train")
        await visitor.open()
        await trains(visitor)
        await visitor.page("")
        await visitor.page("train")
        assert state(visitor) == "running", "after a page switch"
        await visitor.reload()
        assert state(visitor) == "running", "after F5"
        for seconds in (0.3, 5):  # within and beyond the session's time to live
            await visitor.drop()
            await asyncio.sleep(seconds)
            await visitor.reconnect()
            at = step_of(visitor)
            await visitor.until(lambda at=at: state(visitor) == "running" and step_of(visitor) > at)
        at = step_of(visitor)
        await visitor.close()
        await asyncio.sleep(3)  # longer than the session's time to live
        later = visitor.tab("train")
        async with later:
            assert state(later) == "running", "in a new tab after the old one was closed"
            await later.until(lambda: step_of(later) > at + 1)
            await later.click("Stop")
            await later.until(lambda: state(later) == "stopped")

    live(story())


def test_a_link_lets_a_stranger_watch_and_nothing_else(app: App):
    async def story() -> None:
        async with Visitor(app.address, "train") as owner:
            await trains(owner)
            stranger = Visitor(app.address, "train", link(owner))
            async with stranger:
                assert stranger.says("You are watching")
                assert not any(map(stranger.can, ("Train", "Pause", "Resume", "Step", "Stop", "Reset")))
                at = step_of(stranger)
                await stranger.until(lambda: step_of(stranger) > at)
                await stranger.page("step_through")
                assert stranger.can("Next")
                await stranger.page("checkpoints")
                assert not stranger.can("Save")
                # The owner's own buttons, pressed by hand from the stranger's connection.
                for label in ("Stop", "Pause", "Reset"):
                    button = owner.widget(label)
                    await stranger.send(button.fragment, trigger=WidgetState(id=button.element.id, trigger_value=True))
                await asyncio.sleep(1)
            at = step_of(owner)
            await owner.until(lambda: state(owner) == "running" and step_of(owner) > at)
            await owner.click("Stop")

    live(story())


def test_two_tabs_of_one_visitor_steer_the_same_run(app: App):
    async def story() -> None:
        async with Visitor(app.address, "train") as first:
            second = first.tab("train")
            async with second:
                await trains(first)
                await second.rerun()
                await second.until(lambda: state(second) == "running")
                await second.click("Pause")
                await first.until(lambda: state(first) == "paused")
                await first.click("Stop")
                await second.until(lambda: state(second) == "stopped")

    live(story())


def test_settings_and_position_come_back_after_a_reload(app: App):
    counts = parameter_counts(PRESETS[DEFAULT_PRESET].config.updated({"model.d_model": 40}))
    parameters = f"^{sum(counts.values()):,}$"

    async def story() -> None:
        async with Visitor(app.address) as visitor:
            await visitor.set("form", "Model")
            await visitor.set("model.d_model", 40)
            await visitor.page("train")
            await visitor.reload()
            await visitor.page("")
            assert visitor.says(parameters), "the settings typed on Build"
        async with Visitor(app.address) as other:
            assert not other.says(parameters)

    live(story())


def raised_by_the_app(log: str) -> list[str]:
    """Tracebacks that end in the app's own code: what Streamlit itself refuses, it may refuse below a call of ours."""
    ends = log.split("Traceback (most recent call last)")[1:]
    return [end for end in ends if max(end.rfind("/playground/"), end.rfind("/pages/")) > end.rfind("/streamlit/")]


def test_hand_made_messages_break_nothing(app: App):
    """1,000 messages no page would send, on one connection; another visitor meanwhile notices nothing."""

    chance = random.Random(3)
    queries = ["run=", "run=%00", "model.d_model=-1e9", "a" * 9000]

    async def story() -> None:
        async with Visitor(app.address, "train") as calm, Visitor(app.address, "train") as wild:
            await trains(calm)
            widgets = [calm.widget(label).element.id for label in ("Stop", "Pause", "Reset", "Pace")]
            for _ in range(1000):
                message = BackMsg()
                kind = chance.randrange(6)
                if kind == 0:
                    message.rerun_script.widget_states.widgets.add(id=chance.choice(widgets), trigger_value=True)
                elif kind == 1:
                    message.rerun_script.page_script_hash = chance.choice(["", "0" * 32, "nonsense"])
                    message.rerun_script.query_string = chance.choice(queries)
                elif kind == 2:
                    message.rerun_script.fragment_id = "f" * 32
                elif kind == 3:
                    message.rerun_script.widget_states.widgets.add(id=chance.choice(widgets), string_value="x" * 500)
                elif kind == 4:
                    message.stop_script = True
                else:
                    message.clear_cache = True
                assert wild._socket is not None
                await wild._socket.send(message.SerializeToString())
            await asyncio.sleep(1)
            at = step_of(calm)
            await calm.until(lambda: state(calm) == "running" and step_of(calm) > at)
            fresh = wild.tab("train")
            async with fresh:
                assert fresh.can("Train")
            await calm.click("Stop")
        assert not raised_by_the_app(app.log)

    live(story())


def test_after_the_end_of_the_server_saved_and_running_work_is_there():
    """Killed, then asked to end; a second server in the same folder leaves the work of the first one alone."""

    async def before(address: str) -> Visitor:
        visitor = Visitor(address, "train")
        await visitor.open()
        await visitor.click("Train")
        await visitor.until(lambda: step_of(visitor) > 12)  # of some 85
        await visitor.click("Pause")
        await visitor.page("checkpoints")
        await visitor.set("save_name", "my-own-model")
        await visitor.click("Save")
        await visitor.page("train")
        await visitor.until(lambda: visitor.can("Resume"))
        await visitor.set("Pace", "1 step/s")
        await visitor.click("Resume")
        await visitor.until(lambda: state(visitor) == "running")
        await asyncio.sleep(2.5)
        await visitor.drop()
        await asyncio.sleep(0.1)
        return visitor

    async def in_the_second(address: str, cookies: dict[str, str], words: str) -> None:
        async with Visitor(address, "train", cookies=cookies) as visitor:
            assert visitor.says("Another server uses the same folder")
            assert visitor.says("No model yet")
        async with Visitor(address, "train", words) as stranger:
            assert not stranger.says("You are watching")

    async def goes_on(visitor: Visitor) -> None:
        async with Visitor(visitor.address, "train", cookies=visitor.cookies) as again:
            at = step_of(again)
            await again.until(lambda: step_of(again) > at)

    async def watched(address: str, words: str) -> None:
        for page in ("train", "step_through"):
            async with Visitor(address, page, words) as stranger:  # before its owner comes back
                assert not stranger.says("no longer exists")
                assert stranger.says("You are watching") or stranger.can("Next")

    async def resumed(address: str, cookies: dict[str, str], pace: str) -> None:
        async with Visitor(address, "train", cookies=cookies) as visitor:
            assert state(visitor) == "paused"
            assert visitor.says("The server restarted during this run")
            assert step_of(visitor) > 12
            await visitor.set("Pace", pace)
            await visitor.click("Resume")
            await visitor.until(lambda: state(visitor) == "running")

    async def after(address: str, cookies: dict[str, str]) -> None:
        async with Visitor(address, "train", cookies=cookies) as visitor:
            await visitor.until(lambda: state(visitor) == "solved")
            await visitor.page("checkpoints")
            assert visitor.says("^my-own-model$")
            await visitor.page("step_through")
            assert visitor.can("Next")
        async with Visitor(address, "checkpoints") as stranger:
            assert not stranger.says("my-own-model")

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        ports = free_port(), free_port()
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        with running_server(Path(folder), ports[0], SHARED) as server:
            visitor = live(before(addresses[0]))
            words = link(visitor)
            with running_server(Path(elsewhere), ports[1], SHARED | {"PLAYGROUND_CHECKPOINTS": folder}):
                live(in_the_second(addresses[1], visitor.cookies, words))
            assert "Another server" in (Path(elsewhere) / "server.log").read_text()
            live(goes_on(visitor))
            os.kill(server.pid, signal.SIGKILL)
            server.wait(HANG)
        with running_server(Path(folder), ports[0], SHARED) as server:
            live(watched(addresses[0], words))
            live(resumed(addresses[0], visitor.cookies, "1 step/s"))
            os.kill(server.pid, signal.SIGTERM)
            server.wait(HANG)
        assert "Another server" not in (Path(folder) / "server.log").read_text()
        with running_server(Path(folder), ports[0], SHARED):
            live(resumed(addresses[0], visitor.cookies, "Full speed"))
            live(after(addresses[0], visitor.cookies))


def test_folders_and_log_hold_no_cookie(app: App):
    async def story() -> None:
        async with Visitor(app.address, "train") as visitor:
            await trains(visitor)
            cookie = visitor.visitor_cookie.partition(".")[0]  # without its signature
            await visitor.click("Stop")
        assert cookie not in app.log
        for path in app.folder.rglob("*"):
            assert cookie not in str(path)
            if path.is_file():
                assert cookie.encode() not in path.read_bytes()

    live(story())


def test_the_server_ends_while_tabs_listen(tmp_path):
    async def listens(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET /live?c=visitor/jobs@0 HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        await reader.readuntil(b"retry")
        return reader, writer

    async def story() -> None:
        with application({}) as app:
            reader, writer = await listens(app.address)
            os.kill(app.pid, signal.SIGTERM)
            await asyncio.wait_for(reader.read(), HANG)
            await asyncio.to_thread(until, lambda: not is_alive(app.pid))
            writer.close()

    live(story())

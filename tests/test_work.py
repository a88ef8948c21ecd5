"""Work on request: bounded, fair, in a process of its own, and given up when nobody waits for it any longer."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from playground.common.errors import CheckpointError
from playground.ui.server import page_sessions, work
from playground.ui.server.refusal import Refused
from playground.ui.server.scheduler import FEW, RequestScheduler
from playground.ui.server.work import WorkQueue
from playground.ui.session import identity
from tests.helpers import HANG, live


class Asker:
    """A client's request, as a work queue sees it."""

    def __init__(self, name: str | None) -> None:
        self.cookies = {identity.VISITOR_COOKIE: name} if name else {}
        self.left = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}


@pytest.fixture(autouse=True)
def plain_visitors(monkeypatch):
    """Every cookie is that of the visitor it names."""
    monkeypatch.setattr(identity, "visitor_of", lambda cookie: cookie or "")
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)


class Busy:
    """A queue whose thread is held by a first piece of work until `free`."""

    def __init__(self, most: int = 8, most_own: int = 4) -> None:
        self.queue = WorkQueue(most, most_own, 1000)
        self.done: list[str] = []
        self._free = threading.Event()
        self.tasks: dict[str, asyncio.Task[bytes]] = {}
        self.askers: dict[str, Asker] = {}

    async def begin(self) -> "Busy":
        held = threading.Event()
        self.first = asyncio.ensure_future(
            self.queue.ask(Asker("first"), "first", lambda: held.set() or (self._free.wait() and b""))  # type: ignore
        )
        await asyncio.to_thread(held.wait, 10)
        assert held.is_set()
        return self

    async def ask(self, *names: str) -> None:
        """Each name is a visitor's, a dash, and what they ask for."""
        for name in names:
            self.askers[name] = Asker(name.partition("-")[0])
            work = self._work(name)
            self.tasks[name] = asyncio.ensure_future(self.queue.ask(self.askers[name], name, work))  # type: ignore
            await settled()

    def _work(self, name: str) -> Callable[[], bytes]:
        return lambda: self.done.append(name) or name.encode()  # type: ignore[func-returns-value]

    async def free(self) -> list[Any]:
        self._free.set()
        await self.first
        return await asyncio.gather(*self.tasks.values(), return_exceptions=True)


def refused(results: list[Any]) -> list[int]:
    return [each.status_code for each in results if isinstance(each, Refused)]


def test_visitors_take_turns():
    async def story() -> None:
        busy = await Busy().begin()
        await busy.ask("a-1", "a-2", "a-3", "b-1", "c-1")
        await busy.free()
        assert busy.done == ["a-1", "b-1", "c-1", "a-2", "a-3"]

    live(story())


def test_one_visitor_may_wait_for_so_much_and_all_together_for_so_much():
    async def story() -> None:
        busy = await Busy(most=5, most_own=3).begin()
        await busy.ask("a-1", "a-2", "a-3", "a-4")
        assert len(busy.queue._turns) == 3
        await busy.ask("b-1", "c-1", "d-1", "e-1")  # who has three gives up two for those who have none
        assert len(busy.queue._turns) == 5
        await busy.ask("f-1")
        assert refused(await busy.free()) == [429] * 4
        assert busy.done == ["a-1", "b-1", "c-1", "d-1", "e-1"]

    live(story())


def test_a_refusal_says_when_to_come_again():
    async def story() -> Refused:
        busy = await Busy(most=8, most_own=1).begin()
        await busy.ask("a-1", "a-2")
        return next(each for each in await busy.free() if isinstance(each, Refused))

    found = live(story())
    answer = found.response()
    seconds = int(answer.headers["retry-after"])
    assert answer.status_code == 429
    assert 1 <= seconds <= work.MAX_RETRY_SECONDS
    assert found.detail == f"The server is busy. Try again in {seconds} s."
    assert answer.headers["cache-control"] == "no-store"


def test_a_cancelled_request_frees_its_slot_and_nothing_is_computed():
    async def story() -> None:
        busy = await Busy().begin()
        await busy.ask("a-1", "a-2")
        busy.askers["a-1"].left.set()
        with pytest.raises(Refused):
            await busy.tasks["a-1"]
        assert len(busy.queue._turns) == 1
        await busy.free()
        assert busy.done == ["a-2"]

    live(story())


def test_what_is_known_does_not_wait_and_is_made_once_for_all():
    async def story() -> None:
        queue = WorkQueue(8, 8, 1000)
        assert await queue.ask(Asker("a"), "key", lambda: b"known") == b"known"  # type: ignore[arg-type]
        busy = Busy()
        busy.queue = queue
        await busy.begin()
        answer = queue.ask(Asker("b"), "key", lambda: pytest.fail("made twice"))  # type: ignore[arg-type]
        assert await asyncio.wait_for(answer, HANG) == b"known"
        made: list[int] = []
        both = [queue.ask(Asker(name), "other", lambda: bytes(made.append(1) or 1)) for name in "ab"]  # type: ignore
        waiting = [asyncio.ensure_future(each) for each in both]
        await asyncio.sleep(0)
        await busy.free()
        assert await asyncio.gather(*waiting) == [b"\0", b"\0"]
        assert made == [1]

    live(story())


def test_little_is_kept():
    async def story() -> None:
        queue = WorkQueue(8, 8, 100)
        for key in range(9):
            await queue.ask(Asker("a"), key, lambda: bytes(30))  # type: ignore[arg-type]
        await queue.ask(Asker("a"), "dict", lambda: {"a": bytes(20), "b": bytes(10)})  # type: ignore[arg-type]
        assert [key for key, _ in queue._known.items()] == [7, 8, "dict"]
        assert queue._known.size == 90

    live(story())


def test_an_error_reaches_who_asked_and_is_not_kept():
    async def story() -> None:
        queue = WorkQueue(8, 8, 100)

        def fails() -> bytes:
            raise CheckpointError("No.")

        with pytest.raises(CheckpointError):
            await queue.ask(Asker("a"), "key", fails)  # type: ignore[arg-type]
        assert await queue.ask(Asker("a"), "key", lambda: b"yes") == b"yes"  # type: ignore[arg-type]

    live(story())


def test_nobody_may_ask_even_for_what_is_known():
    async def serve(request) -> Response:
        return Response(await queue.ask(request, "key", lambda: b"made"))

    queue = WorkQueue(8, 8, 100)
    app = Starlette(routes=[Route("/", work.bounded(serve))])
    assert TestClient(app, cookies={identity.VISITOR_COOKIE: "a"}).get("/").content == b"made"
    answer = TestClient(app).get("/")
    assert answer.status_code == 403
    assert answer.text == "Your browser sent no cookie of this app. Allow cookies and reload the page."


# --- the process ---


def test_calls_and_measurements_have_processes_of_different_priority():
    pid = work.computed(os.getpid)
    assert pid != os.getpid()
    assert work.computed(os.getpid) == pid
    assert work.computed(os.nice, 0) == min(19, os.nice(0) + 10)
    (measured,) = (found for found in work.measured(map, os.nice, [0], seconds=0, long=False) if found is not None)
    assert measured == min(19, os.nice(0) + 15)
    work.close()
    assert work.computed(os.getpid) != pid


def test_what_the_process_runs_needs_no_streamlit():
    code = "import sys, playground.ui.parts.computed; print('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


# --- the order of requests ---


def test_requests_are_begun_by_turns_of_their_clients():
    begun: list[str] = []

    async def app(scope, receive, send) -> None:
        begun.append(scope["path"])

    scheduler = RequestScheduler(app)

    async def ask(client: str, path: str) -> None:
        await scheduler({"type": "http", "path": path, "headers": [], "client": (client, 1)}, None, None)  # type: ignore

    async def story() -> None:
        many = [ask("flood", f"flood {number}") for number in range(FEW + 20)]
        await asyncio.gather(*many, ask("other", "other 0"), ask("other", "other 1"))

    live(story())
    assert len(begun) == FEW + 22
    assert begun.index("other 0") <= 3
    assert begun.index("other 1") <= 5
    assert not len(scheduler._waiting)


def test_a_flood_leaves_the_event_loop_to_others():
    """Between two requests of a flood there are rounds in which other work is done."""
    rounds = SimpleNamespace(other=0, most=0, now=0)

    async def app(scope, receive, send) -> None:
        rounds.now += 1
        rounds.most = max(rounds.most, rounds.now)

    scheduler = RequestScheduler(app)

    async def story() -> None:
        scope = {"type": "http", "path": "/", "headers": [], "client": ("flood", 1)}
        flood = asyncio.gather(*(scheduler(dict(scope), None, None) for _ in range(60)))  # type: ignore[arg-type]
        while not flood.done():
            rounds.now = 0
            rounds.other += 1
            await asyncio.sleep(0)

    live(story())
    assert rounds.most <= 2
    assert rounds.other >= 60


# --- the order of sessions ---


class Tabs:
    """Sessions that open a page; each notes when its first script run begins and ends it on request."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.scheduler = page_sessions.SessionScheduler(self._app)  # type: ignore[arg-type]
        self.refused = 0

    async def _app(self, scope, receive, send) -> None:
        await receive()
        assert (await receive())["type"] == "websocket.receive"
        self.begun.append(scope["name"])
        await self._ends.setdefault(scope["name"], asyncio.Event()).wait()
        await send({"type": "websocket.send", "bytes": b"not a message"})
        await send({"type": "websocket.send", "bytes": ForwardMsg(delta={}).SerializeToString()})
        await send({"type": "websocket.send", "bytes": ForwardMsg(script_finished=0).SerializeToString()})
        await asyncio.Event().wait()  # a tab stays open

    async def open(self, client: str, name: str) -> None:
        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": (client, 1), "name": name}
        asked = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "bytes": b""}])

        async def receive() -> dict:
            return next(asked)

        async def send(message) -> None:
            self.refused += message["type"] == "websocket.close"

        self._tasks.append(asyncio.create_task(self.scheduler(scope, receive, send)))  # type: ignore[arg-type]
        await settled()

    async def end(self, name: str) -> None:
        self._ends.setdefault(name, asyncio.Event()).set()
        await settled()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_sessions_begin_one_at_a_time_by_turns_of_their_clients():
    async def story() -> None:
        tabs = Tabs()
        for number in range(3):
            await tabs.open("flood", f"flood {number}")
        await tabs.open("other", "other")
        assert tabs.begun == ["flood 0"]
        await tabs.end("flood 0")
        assert tabs.begun == ["flood 0", "flood 1"]
        await tabs.end("flood 1")
        assert tabs.begun[2:] == ["other"]
        await tabs.end("other")
        await tabs.end("flood 2")
        await tabs.open("late", "late")
        assert tabs.begun[3:] == ["flood 2", "late"]

    live(story())


def test_sessions_of_clients_who_were_here_before_come_first():
    async def story() -> None:
        tabs = Tabs()
        await tabs.open("settled", "before")
        await tabs.end("before")
        for client, since in tabs.scheduler._first_seen.items():
            tabs.scheduler._first_seen.put(client, since - page_sessions.SETTLED_AFTER)
        for number in range(3):
            await tabs.open(f"new {number}", f"new {number}")
        await tabs.open("settled", "again")
        await tabs.end("new 0")
        assert tabs.begun == ["before", "new 0", "again"]

    live(story())


def test_a_session_whose_first_run_never_ends_holds_up_the_next_for_a_moment_only(monkeypatch):
    async def story() -> None:
        tabs = Tabs()
        monkeypatch.setattr(page_sessions, "MAX_DELAY_SECONDS", 0.05)
        await tabs.open("slow", "slow")
        await tabs.open("other", "other")
        while tabs.begun != ["slow", "other"]:
            await asyncio.sleep(0.01)

    live(story())


def test_sessions_beyond_what_may_wait_are_refused(monkeypatch):
    async def story() -> None:
        tabs = Tabs()
        monkeypatch.setattr(page_sessions, "MAX_WAITING_SESSIONS", 2)
        for number in range(4):
            await tabs.open("flood", f"flood {number}")
        assert tabs.refused == 1
        for number in range(3):
            await tabs.end(f"flood {number}")
        assert tabs.begun == ["flood 0", "flood 1", "flood 2"]

    live(story())


def test_a_client_that_goes_while_it_is_sent_something_ends_its_session_quietly():
    """Starlette's own end of a connection; Streamlit 1.67 knows no other one."""
    asked = iter([{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1006}])
    ended: list[int] = []

    async def endpoint(scope, receive, send) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.send_bytes(b"to nobody")
        with pytest.raises(WebSocketDisconnect) as end:
            await socket.receive_bytes()
        ended.append(end.value.code)

    async def receive() -> dict:
        return next(asked)

    async def send(message) -> None:
        if message["type"] == "websocket.send":
            raise OSError

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": ("one", 1)}
    live(page_sessions.SessionScheduler(endpoint)(scope, receive, send))  # type: ignore[arg-type]
    assert ended == [1006]


def test_a_session_that_is_gone_when_its_turn_comes_holds_up_nobody():
    async def story() -> None:
        tabs = Tabs()
        for name in ("first", "gone", "last"):
            await tabs.open(name, name)
        tabs._ends["first"].set()
        while tabs.scheduler._waiting._ranks[1].keys() != {"last"}:
            await asyncio.sleep(0)
        tabs._tasks[1].cancel()  # its turn has been given, and it has not begun
        await settled()
        assert tabs.begun == ["first", "last"]

    live(story())

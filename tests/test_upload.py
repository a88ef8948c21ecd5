"""Files on their way to the server: slow ones end, and keep nobody out."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from playground.model.task_model import TaskModel
from playground.settings.host import Host
from playground.storage.archive import as_zip
from playground.storage.checkpoint import save
from playground.ui import startup
from playground.ui.server import file_upload, work
from playground.ui.session import identity
from playground.ui.session.services import services
from tests.helpers import HANG, TINY, live


class Sender:
    """A client that sends a file piece by piece, as slowly as it likes."""

    def __init__(self, name: str | None = None) -> None:
        self.cookie = name or identity.new_visitor()
        self.status = 0
        self._pieces: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue()
        self.task = asyncio.ensure_future(Starlette(routes=startup.routes())(self._scope(), self._receive, self._send))

    def _scope(self) -> dict[str, Any]:
        headers = [
            (b"cookie", f"{identity.VISITOR_COOKIE}={self.cookie}".encode()),
            (b"sec-fetch-site", b"same-origin"),
        ]
        asked = {"method": "POST", "path": "/checkpoint", "raw_path": b"/checkpoint", "query_string": b"name=mine.zip"}
        return {"type": "http", "http_version": "1.1", "headers": headers, "root_path": "", "scheme": "http", **asked}

    async def _receive(self) -> dict[str, Any]:
        piece, more = await self._pieces.get()
        return {"type": "http.request", "body": piece, "more_body": more}

    async def _send(self, message: Any) -> None:
        self.status = message.get("status", self.status)

    async def piece(self, content: bytes, *, more: bool = True) -> None:
        """Sends a part of the file, and lets the server look at it."""
        self._pieces.put_nowait((content, more))
        while not (self._pieces.empty() or self.task.done()):
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def end(self) -> int:
        """The status of the answer."""
        await asyncio.wait_for(self.task, HANG)
        return self.status


@pytest.fixture
def packed(tmp_path: Path) -> bytes:
    save(tmp_path / "theirs", TaskModel(TINY), [])
    return as_zip(tmp_path / "theirs")


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(services(), "host", Host(checkpoints=tmp_path / "host", mode="shared", quota_mb=1))
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    assert not file_upload._uploads


def result_of(story: Callable[[], Awaitable[Any]]) -> Any:
    found = live(story())
    assert not file_upload._uploads, "no slot is left taken"
    return found


def test_three_slow_files_keep_nobody_out(packed, monkeypatch):
    monkeypatch.setattr(file_upload, "GRACE", HANG)

    async def story() -> tuple[int, list[int]]:
        slow = [Sender() for _ in range(3)]
        for each in slow:
            await each.piece(b"P")
        quick = Sender()
        await quick.piece(packed, more=False)
        status = await quick.end()
        assert not any(each.status for each in slow), "theirs are still on their way"
        for each in slow:
            await each.piece(b"", more=False)
        return status, [await each.end() for each in slow]

    assert result_of(story) == (200, [422, 422, 422])


def test_a_file_that_comes_too_slowly_ends(monkeypatch):
    monkeypatch.setattr(file_upload, "GRACE", 0.05)

    async def story() -> int:
        sender = Sender()
        while not sender.task.done():
            await sender.piece(b"P")
            await asyncio.sleep(0.01)
        return await sender.end()

    assert result_of(story) == 408


def test_a_file_that_pauses_for_too_long_ends(monkeypatch):
    monkeypatch.setattr(file_upload, "MAX_SILENCE", 0.05)

    async def story() -> int:
        sender = Sender()
        await sender.piece(bytes(2_000_000))
        return await sender.end()

    assert result_of(story) == 408


def test_a_file_that_keeps_the_rate_may_take_its_time(packed, monkeypatch):
    monkeypatch.setattr(file_upload, "GRACE", 0.05)
    monkeypatch.setattr(file_upload, "MIN_RATE", 1)

    async def story() -> int:
        sender = Sender()
        for at in range(0, len(packed), 1 + len(packed) // 4):
            await sender.piece(packed[at : at + 1 + len(packed) // 4])
            await asyncio.sleep(0.05)
        await sender.piece(b"", more=False)
        return await sender.end()

    assert result_of(story) == 200


def test_if_all_slots_are_taken_the_slowest_upload_loses_its_own(packed, monkeypatch):
    monkeypatch.setattr(file_upload, "MAX_UPLOADS", 2)

    async def story() -> list[int]:
        slow, slower = Sender(), Sender()
        await slow.piece(bytes(1000))
        await slower.piece(b"P")
        early = Sender()
        await early.piece(packed, more=False)
        assert await early.end() == 429, "none had its time yet"
        for each in file_upload._uploads.values():
            each.began -= file_upload.GRACE
        quick = Sender()
        await quick.piece(packed, more=False)
        statuses = [await quick.end(), await slower.end(), slow.status]
        await slow.piece(b"", more=False)
        return [*statuses, await slow.end()]

    assert result_of(story) == [200, 408, 0, 422]


def test_all_files_together_take_so_much_and_no_more(packed, monkeypatch):
    monkeypatch.setattr(file_upload, "MAX_UPLOAD_BYTES", 1000)

    async def story() -> list[int]:
        large, other = Sender(), Sender()
        await large.piece(bytes(1000))
        await other.piece(packed, more=False)
        await large.piece(b"", more=False)
        return [await other.end(), await large.end()]

    assert result_of(story) == [429, 422]

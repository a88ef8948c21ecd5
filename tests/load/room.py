"""Load scenario of rooms: a class follows, joins, answers, and comes back after the server was killed."""

import asyncio
import json
import os
import signal
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlsplit

from playground.common.numbers import duration
from tests.browser.conftest import running_server
from tests.load.app import CONTROL, App, Usage, application
from tests.load.client import Visitor
from tests.load.figures import Report, quantile
from tests.load.scenarios import (
    Options,
    chances,
    everybody,
    leave,
    next_or_previous,
    prepare,
    press_train,
    together,
)

PAGES = ("step_through?model=copy-1-16", "experiment?model=reverse-1-16", "generate?model=copy-1-16")
MAX_SECONDS = 60
AWAY = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)


@dataclass(eq=False)
class Person:
    """A host or a seat: requests and the event stream of a room, without pages."""

    address: str
    code: str = ""
    key: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    name: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    came: dict[int, float] = field(default_factory=dict)  # time at which each version arrived
    _listening: asyncio.Task[None] | None = None

    async def post(self, path: str, **fields: Any) -> tuple[int, Any]:
        """Status and content of the answer: fields, or a sentence."""
        status, content = await self._ask("POST", path, json.dumps(fields).encode())
        return status, json.loads(content) if content.startswith(b"{") else content.decode()

    async def open(self) -> Self:
        """Open a room."""
        await self._ask("GET", "/", b"")
        status, answer = await self.post("/room")
        if status != 200:
            raise RuntimeError(answer)
        self.code, self.key = answer["code"], answer["host"]
        return self

    async def lead(self, verb: str, **fields: Any) -> Any:
        """Act as the host; returns the fields of the answer."""
        status, answer = await self.post(f"/room/{self.code}/{verb}", host=self.key, **fields)
        if status != 200:
            raise RuntimeError(f"{verb}: {status} {answer}")
        return answer

    async def join(self, code: str) -> int:
        """Join a room; returns the status."""
        self.code = code
        status, answer = await self.post(f"/room/{code}/join")
        self.name = answer["name"] if status == 200 else ""
        return status

    async def answer(self, number: int, value: Any) -> tuple[int, Any]:
        return await self.post(f"/room/{self.code}/answer", question=number, answer=value)

    def listen(self) -> None:
        """Listen to the room, also after the connection was lost."""
        self._listening = asyncio.create_task(self._hear())

    async def leave(self) -> None:
        if self._listening:
            self._listening.cancel()
            await asyncio.wait([self._listening])

    async def _hear(self) -> None:
        while True:
            try:
                reader, writer = await self._send("GET", f"/room/{self.code}/events", b"")
                try:
                    while line := await reader.readline():
                        if line.startswith(b"data: {"):
                            self.state = json.loads(line[6:])
                            self.came[self.state["v"]] = time.perf_counter()
                finally:
                    writer.close()
            except AWAY:
                pass
            await asyncio.sleep(1)  # as the stream asks for

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        reader, writer = await self._send(method, path, body)
        try:
            status = int((await reader.readline()).split()[1])
            length = None
            while (line := await reader.readline()).strip():
                name, _, value = line.decode("latin-1").strip().partition(": ")
                if name.lower() == "set-cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = content
                if name.lower() == "content-length":
                    length = int(value)
            return status, await (reader.read() if length is None else reader.readexactly(length))
        finally:
            writer.close()

    async def _send(self, method: str, path: str, body: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host = urlsplit(self.address)
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: {host.netloc}",
            "Connection: close",
            f"Content-Length: {len(body)}",
        ]
        if path == "/":
            head.append("Accept: text/html")
        if self.cookies:
            head.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        return reader, writer


async def until(condition: Callable[[], bool], seconds: float = 120) -> bool:
    """Wait for a condition; False if it never came true."""
    end = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > end:
            return False
        await asyncio.sleep(0.01)
    return True


async def seated(host: Person, many: int, report: Report) -> list[Person]:
    """People who have joined and listen."""
    people = [Person(host.address) for _ in range(many)]
    for begin in range(0, many, 20):
        statuses = await asyncio.gather(*(each.join(host.code) for each in people[begin : begin + 20]))
        report.errors += [f"a seat was refused: {status}" for status in statuses if status != 200]
    for person in people:
        person.listen()
    if not await until(lambda: all(person.state for person in people)):
        report.errors.append("not every seat has heard of the room")
    return people


async def led(host: Person, seats: list[Person], seconds: float, report: Report) -> list[float]:
    """The host acts once a second; returns the seconds from each act to each seat."""
    delays: list[float] = []
    end, acts = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        acts += 1
        began = time.perf_counter()
        await host.lead("lead", context={"at": f"{PAGES[acts % len(PAGES)]}&cell={acts}"})
        version = int((await host.lead("lead"))["v"])
        await until(lambda version=version: all(seat.state["v"] >= version for seat in seats), 30)
        for seat in seats:
            if version in seat.came:
                delays.append(seat.came[version] - began)
            else:
                report.errors.append("an act did not reach a seat")
        await asyncio.sleep(max(0.0, began + 1 - time.perf_counter()))
    return delays


async def trainers(app: App, many: int, report: Report) -> list[Visitor]:
    """People whose runs train at full speed."""
    people = await everybody(Visitor(app.address) for _ in range(many))
    for visitor in people:
        await prepare(visitor, steps=40_000)
    await together(map(press_train, people), report)
    return people


async def room(app: App, options: Options) -> Report:
    """A class of 100 follows beside 2 trainings; then a hall of 300 with 60 who step and 8 trainings; then a crash."""
    report = Report()
    host = await Person(app.address).open()
    await _class(app, host, options, report)
    await _hall(app, options, report)
    await _joins(app, report)
    await _crash(options, report)
    return report


async def _class(app: App, host: Person, options: Options, report: Report) -> None:
    seats = await seated(host, options.sessions or 100, report)
    people = await trainers(app, 2, report)
    began, cpu = time.perf_counter(), app.cpu_seconds()
    delays = await led(host, seats, min(options.seconds, MAX_SECONDS), report)
    taken = time.perf_counter() - began
    report.add_latencies(f"{len(seats)} seats follow beside 2 trainings: act to seat", delays, 100)
    report.add("the server's share, trainings' pages included", (app.cpu_seconds() - cpu) / taken, "cores", 0.25)
    await together((visitor.click("Stop") for visitor in people if visitor.can("Stop")), report)
    await leave(report, people)
    await led(host, seats, 5, report)
    memory, began = Usage.of(app.processes()[:1]).pss, time.perf_counter()
    await led(host, seats, options.seconds, report)
    grown = Usage.of(app.processes()[:1]).pss - memory
    report.add(f"the server's memory {duration(time.perf_counter() - began)} later", grown, "MB more", 20)
    await asyncio.gather(*(seat.leave() for seat in seats))
    await host.lead("end")


async def _hall(app: App, options: Options, report: Report) -> None:
    host = await Person(app.address).open()
    with application(script=CONTROL) as control:
        pressing = await everybody(Visitor(control.address) for _ in range(60))
        usual = await _clicks(pressing, replace(options, seconds=20), report, lambda visitor: visitor.click("Next"))
        await leave(report, pressing)
    seats = await seated(host, 300, report)
    stepping = await everybody(Visitor(app.address, "step_through") for _ in range(60))
    people = await trainers(app, 8, report)
    short = replace(options, seconds=min(options.seconds, MAX_SECONDS))
    following = asyncio.create_task(led(host, seats, short.seconds, report))
    clicks = await _clicks(stepping, short, report, next_or_previous)
    delays = await following
    report.add_latencies("the hall, 300 seats follow: act to seat", delays, 250)
    report.add_latencies("60 step in the hall: a click", clicks)
    ratio = quantile(clicks, 0.95) / quantile(usual, 0.95)
    report.add("their p95 / the control's p95 alone", ratio, "", 3)
    await together((visitor.click("Stop") for visitor in people if visitor.can("Stop")), report)
    await leave(report, [*people, *stepping])
    await asyncio.gather(*(seat.leave() for seat in seats))
    await host.lead("end")


async def _clicks(
    visitors: list[Visitor], options: Options, report: Report, press: Callable[[Visitor], Any]
) -> list[float]:
    """Seconds of each click, at each person's own pace."""
    until_then = time.perf_counter() + options.seconds
    for visitor in visitors:
        visitor.reruns.clear()

    async def act(visitor: Visitor, chance: Any) -> None:
        while time.perf_counter() < until_then:
            await asyncio.sleep(chance.expovariate(1 / options.think))
            await press(visitor)

    await together((act(*each) for each in zip(visitors, chances(options), strict=False)), report)
    return [seconds for visitor in visitors for seconds in visitor.reruns]


async def _joins(app: App, report: Report) -> None:
    """300 join within 10 s, and answer within 2 s."""
    host = await Person(app.address).open()
    people = [Person(app.address) for _ in range(300)]

    async def timed(index: int, over: float, act: Callable[[Person], Any]) -> float:
        await asyncio.sleep(over * index / len(people))
        began = time.perf_counter()
        answer = await act(people[index])
        if (answer[0] if isinstance(answer, tuple) else answer) != 200:
            report.errors.append(f"refused: {answer}")
        return time.perf_counter() - began

    joins = await asyncio.gather(*(timed(index, 10, lambda one: one.join(host.code)) for index in range(300)))
    report.add("300 join within 10 s: the longest", max(joins), "s", 1)
    await host.lead("ask", kind="choice", text="Which?", choices=["a", "b", "c"])
    answers = await asyncio.gather(*(timed(index, 2, lambda one: one.answer(1, 1)) for index in range(300)))
    report.add("300 answers within 2 s: the longest", max(answers), "s", 1)
    await asyncio.gather(*(one.answer(1, index % 3) for index, one in enumerate(people)))
    await host.lead("reveal")
    host.listen()
    await until(lambda: bool(host.state))
    counted = host.state["question"]["result"]["choices"]
    report.add("answers lost or counted twice", sum(abs(count - 100) for count in counted), "", 0)
    report.add("names dealt twice", 300 - len({one.name for one in people}), "", 0)
    await host.leave()
    await host.lead("end")


async def _crash(options: Options, report: Report) -> None:
    """Kill the server while people answer; it starts again."""
    with application() as app:
        host = await Person(app.address).open()
        seats = await seated(host, options.sessions or 100, report)
        await host.lead("ask", kind="choice", text="Which?", choices=["a", "b"])
        confirmed: list[int] = []

        async def answers(index: int, seat: Person) -> None:
            await asyncio.sleep(0.01 * index)
            try:
                if (await seat.answer(1, index % 2))[0] == 200:
                    confirmed.append(index)
            except (*AWAY, OSError, IndexError):
                pass

        voting = [asyncio.create_task(answers(*each)) for each in enumerate(seats)]
        await until(lambda: len(confirmed) >= len(seats) // 2)
        os.kill(app.pid, signal.SIGKILL)
        await asyncio.wait(voting)
        for seat in seats:
            seat.came.clear()
        began = time.perf_counter()
        port = int(app.address.rpartition(":")[2])
        server = running_server(app.folder, port)
        await asyncio.to_thread(server.__enter__)
        started = time.perf_counter() - began
        if not await until(lambda: all(seat.came for seat in seats)):
            report.errors.append("not every seat came back")
        back = [max(seat.came.values()) - began for seat in seats if seat.came]
        report.add("killed in a question: the server answers again", started, "s")
        report.add("all seats are back", max(back, default=float("nan")), "s", 10)
        report.add("median seat", statistics.median(back), "s")
        counted = seats[0].state["counts"]["answers"]
        report.add("confirmed votes", len(confirmed))
        report.add("confirmed votes lost", max(0, len(confirmed) - counted), "", 0)
        await host.lead("reveal")
        await asyncio.gather(*(seat.leave() for seat in seats))
        server.__exit__(None, None, None)

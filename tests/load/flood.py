"""Sixty connections that ask for costly answers as fast as they come, and what another visitor feels of it.

The flood is bounded in number and time, comes from a process of its own and reaches loopback addresses only.
"""

import asyncio
import json
import multiprocessing
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Literal
from urllib.parse import quote, urlsplit

from playground.checkpoints import as_zip
from playground.recording import REPOSITORY
from playground.ui.vega import PROGRAM
from tests.load.app import App, application
from tests.load.client import VISITOR_COOKIE, Visitor
from tests.load.figures import Report, quantile
from tests.load.scenarios import GONE, Options, leave, next_or_previous, prepare, state

MAX_CONNECTIONS = 60
MAX_SECONDS = 60.0
PATIENCE = 30.0
"""Seconds that a connection of the flood waits for an answer."""

PAGE_GOAL, CLICK_GOAL = 1000, 300
"""Milliseconds, p95: what another visitor may feel of a flood."""

Who = Literal["nobody", "one visitor", "new visitors"]


@dataclass(frozen=True)
class Flood:
    """What the connections ask for, and as whom."""

    name: str
    path: str  # {random} stands for other symbols each time, {number} for another number
    who: Who = "new visitors"
    kind: Literal["get", "upload", "session"] = "get"


def floods(run: str, tap: str, walk: str) -> list[Flood]:
    """A flood for each costly route; `run` and `walk` are names that the flood has learned by a link."""
    attention = "/library/copy-1-16/attention?input={random}"
    cell = f"/walk/{walk}/cell?operation={tap}&at=0,0,{{number}},0" if walk else ""
    asked = [
        *(Flood("attention", attention, who) for who in ("nobody", "one visitor", "new visitors")),
        *(Flood("QR code", "/qr?text={address}{random}", who) for who in ("nobody", "new visitors")),
        Flood("attention of a run", f"/runs/{run}/attention?step={{number}}&example=1&tap={tap}"),
        Flood("curves", f"/runs/{run}/curves?have={{number}}"),
        Flood("metrics", f"/runs/{run}/metrics.csv"),
        Flood("curves of a checkpoint", "/library/copy-1-16/curves"),
        Flood("metrics of a checkpoint", "/library/copy-1-16/metrics.csv"),
        *([Flood("cell", cell)] if cell else []),
        Flood("charts", f"/{PROGRAM}", "nobody"),
        Flood("page", "/?x={number}", "nobody"),
        Flood("no such page", "/nothing/{number}", "nobody"),
        Flood("slow uploads", "/checkpoint?name=slow", kind="upload"),
        Flood("sessions", "step_through", kind="session"),
    ]
    return asked


async def flood(app: App, options: Options) -> Report:
    """Sixty connections flood one costly route after another; one other visitor loads pages and clicks."""
    report = Report()
    many, seconds = min(options.sessions or MAX_CONNECTIONS, MAX_CONNECTIONS), min(options.seconds, MAX_SECONDS)
    with application({**app.variables, "PLAYGROUND_MODE": "shared"}) as server:
        async with Visitor(server.address) as owner:
            run = await ended_run(owner, options.steps)
        visitor = Visitor(server.address, "step_through")
        await visitor.open()
        tap = "decoder.layers.0.cross_attention.attention.weights"
        names = [json.loads(each.json) for each in visitor.found("bidi_component") if each.json]
        walk = next((told["walk"] for told in names if isinstance(told, dict) and told.get("walk")), "")
        calm = await felt(visitor, asyncio.sleep(seconds))
        add(report, "nobody else", calm, None)
        for each in floods(run, tap, walk):
            if options.query and not re.search(options.query, each.name):
                continue
            counts: Counter[str] = Counter()
            deed = asyncio.create_task(elsewhere(server.address, each, many, seconds, options.seed, counts))
            await asyncio.sleep(min(1.0, seconds / 4))  # until all are under way
            meanwhile = await felt(visitor, deed)
            name = f"{each.name}, {each.who}" if each.kind == "get" else each.name
            add(report, name, meanwhile, calm)
            if each.kind == "upload":
                report.add(f"{name}: own upload of the visitor", await uploads(visitor), "s", 5)
            told = ", ".join(f"{count} x {status}" for status, count in sorted(counts.items()))
            print(f"  {name}: {told}", flush=True)
        return await leave(report, [visitor])


async def ended_run(owner: Visitor, steps: int) -> str:
    """The id of a run of so many steps."""
    await prepare(owner, steps=steps)
    await owner.click("Train")
    await owner.until(lambda: state(owner) in ("finished", "solved", "stopped"))
    mounts = [json.loads(each.json) for each in owner.found("bidi_component") if each.json]
    return next(mount["runs"][0]["id"] for mount in mounts if isinstance(mount, dict) and "specs" in mount)


async def felt(
    visitor: Visitor, flood: "asyncio.Future[None] | asyncio.Task[None] | object"
) -> tuple[list[float], list[float]]:
    """Seconds that pages and clicks take while something goes on."""
    done = asyncio.ensure_future(flood)  # type: ignore[arg-type]
    pages: list[float] = []
    visitor.reruns.clear()

    async def loads() -> None:
        while not done.done():
            tab = visitor.tab("step_through")
            began = time.perf_counter()
            try:
                await tab.open()
                pages.append(time.perf_counter() - began)
            except GONE:
                pages.append(PATIENCE)
            visitor.errors += tab.errors
            await tab.close()
            await asyncio.sleep(0.3)

    async def clicks() -> None:
        while not done.done():
            await next_or_previous(visitor)
            await asyncio.sleep(0.3)

    await asyncio.gather(loads(), clicks())
    await done
    return pages, list(visitor.reruns)


Felt = tuple[list[float], list[float]]


def add(report: Report, name: str, felt: Felt, calm: Felt | None) -> None:
    """p95 of pages and clicks beside their goals, and how many times as long as without a flood."""
    for what, values, before, goal in zip(("page", "click"), felt, calm or felt, (PAGE_GOAL, CLICK_GOAL), strict=True):
        report.add(f"{name}: {what} p95", 1000 * quantile(values, 0.95), "ms", goal)
        if calm:
            report.add(f"{name}: {what} p95 / without", quantile(values, 0.95) / quantile(before, 0.95))


async def uploads(visitor: Visitor) -> float:
    """Seconds until a small checkpoint of this visitor's is in the library; infinite if it is refused."""
    body = as_zip(REPOSITORY / "checkpoints" / "copy-1-16")
    began = time.perf_counter()
    there = Asker(visitor.address, f"{VISITOR_COOKIE}={visitor.cookies[VISITOR_COOKIE]}")
    status, _ = await asyncio.wait_for(there.ask("/checkpoint?name=mine", body), PATIENCE)
    await there.close()
    return time.perf_counter() - began if status == 200 else float("inf")


# The flood itself, in a process of its own.


async def elsewhere(address: str, flood: Flood, many: int, seconds: float, seed: int, counts: Counter[str]) -> None:
    """Lets the flood come from another process, so that it takes no time of who measures."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=_process, args=(far, address, flood, many, seconds, seed), daemon=True)
    process.start()
    far.close()
    try:
        counts.update(await asyncio.to_thread(near.recv))
    finally:
        process.kill()
        await asyncio.to_thread(process.join)


def _process(connection: Connection, address: str, flood: Flood, many: int, seconds: float, seed: int) -> None:
    connection.send(asyncio.run(pour(address, flood, many, seconds, seed)))


async def pour(address: str, flood: Flood, many: int, seconds: float, seed: int = 0) -> Counter[str]:
    """Status -> how often it came; many connections that ask again as soon as they are answered."""
    assert urlsplit(address).hostname == "127.0.0.1", "A flood is for a server of one's own."
    counts: Counter[str] = Counter()
    until = time.perf_counter() + min(seconds, MAX_SECONDS)
    shared = await cookie(address) if flood.who == "one visitor" else ""

    async def one(number: int) -> None:
        chance = random.Random(f"{seed} {number}")
        own = await cookie(address) if flood.who == "new visitors" else shared
        while (left := until - time.perf_counter()) > 0:
            asker = Asker(address, own)
            try:
                async with asyncio.timeout(left + 1):
                    await KINDS[flood.kind](asker, flood, chance, until, counts)
            except (*GONE, OSError, asyncio.IncompleteReadError) as error:
                if time.perf_counter() < until:
                    counts[type(error).__name__] += 1
            finally:
                await asker.close()

    await asyncio.gather(*(one(number) for number in range(min(many, MAX_CONNECTIONS))))
    return counts


async def gets(asker: "Asker", flood: Flood, chance: random.Random, until: float, counts: Counter[str]) -> None:
    while time.perf_counter() < until:
        symbols = quote(" ".join(str(chance.randrange(10)) for _ in range(16)))
        path = flood.path.replace("{random}", symbols).replace("{number}", str(chance.randrange(10**6)))
        status, _ = await asker.ask(path.replace("{address}", quote(f"{asker.address}/?x=", safe="")))
        counts[str(status)] += 1


async def uploads_slowly(asker: "Asker", flood: Flood, _: random.Random, until: float, counts: Counter[str]) -> None:
    """A byte now and then of a file that never ends."""
    reader, writer = await asker.connect()
    writer.write(asker.head("POST", flood.path, 1_000_000))
    answer = asyncio.ensure_future(reader.readline())
    while time.perf_counter() < until and not answer.done():
        writer.write(b"P")
        await asyncio.wait([answer], timeout=0.5)
    counts[answer.result().split()[1].decode() if answer.done() and answer.result() else "open"] += 1
    answer.cancel()


async def opens_pages(asker: "Asker", flood: Flood, _: random.Random, until: float, counts: Counter[str]) -> None:
    name, _, value = asker.cookie.partition("=")
    visitor = Visitor(asker.address, flood.path, cookies={name: value})
    try:
        await visitor.open()
        counts["opened"] += 1
    finally:
        await visitor.drop()


KINDS: dict[str, Callable] = {"get": gets, "upload": uploads_slowly, "session": opens_pages}


async def cookie(address: str) -> str:
    """What the server gives to a browser that opens the page."""
    asker = Asker(address)
    _, head = await asker.ask("/")
    await asker.close()
    found = re.search(rf"(?i)set-cookie: ({VISITOR_COOKIE}=[^;\r]+)", head)
    return found[1] if found else ""


class Asker:
    """One connection that is kept open; as little work as possible, so that the server is what is measured."""

    def __init__(self, address: str, cookie: str = "") -> None:
        self.address, self.cookie = address, cookie
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            parts = urlsplit(self.address)
            self._streams = await asyncio.open_connection(parts.hostname, parts.port)
        return self._streams

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None
            await asyncio.sleep(0)

    def head(self, method: str, path: str, length: int = 0) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(self.address).netloc}", "Sec-Fetch-Site: same-origin"]
        lines += ["Accept: text/html"] if path.startswith("/?") or path == "/" else []
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += [f"Content-Length: {length}"] if length else []
        return "\r\n".join([*lines, "", ""]).encode()

    async def ask(self, path: str, body: bytes = b"") -> tuple[int, str]:
        """Status and headers of the answer."""
        reader, writer = await self.connect()
        writer.write(self.head("POST" if body else "GET", path, len(body)) + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lower = head.lower()
        if length := re.search(r"content-length: (\d+)", lower):
            await reader.readexactly(int(length[1]))
        elif "transfer-encoding: chunked" in lower:
            while size := int(await reader.readline(), 16):
                await reader.readexactly(size + 2)
            await reader.readline()
        if "connection: close" in lower:
            await self.close()
        return int(head.split()[1]), head

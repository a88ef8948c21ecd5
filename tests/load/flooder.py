"""Connections that send expensive requests continuously: bounded in number and time, to loopback only.

They run in a separate process, so that they don't slow the measuring one; it imports little, so it starts fast.
"""

import asyncio
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).parents[2]
MAX_CONNECTIONS = 60
MAX_SECONDS = 60.0
COOKIE = "playground_visitor"
PATIENCE = 30.0
"""Timeout of a response in seconds."""

Who = Literal["nobody", "one visitor", "new visitors"]


@dataclass(frozen=True)
class Flood:
    """The requests of a flood, and their cookie."""

    name: str
    path: str  # {random}: other symbols each time; {number}, {digit}: another number
    who: Who = "new visitors"
    kind: Literal["get", "upload", "session"] = "get"


async def elsewhere(address: str, flood: Flood, many: int, seconds: float, seed: int, counts: Counter[str]) -> None:
    """Run the flood in another process; yields the counts of responses by status."""
    arguments = json.dumps([address, asdict(flood), many, seconds, seed])
    command = [sys.executable, "-m", "tests.load.flooder", arguments]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
    try:
        output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    counts.update(json.loads(output))


async def pour(address: str, flood: Flood, many: int, seconds: float, seed: int = 0) -> Counter[str]:
    """Counts of responses by status; each connection sends the next request after a response, at least one in all."""
    assert urlsplit(address).hostname == "127.0.0.1", "A flood is for a server of one's own."
    counts: Counter[str] = Counter()
    until = time.perf_counter() + min(seconds, MAX_SECONDS)
    shared = await cookie(address) if flood.who == "one visitor" else ""

    async def one(number: int) -> None:
        chance = random.Random(f"{seed} {number}")
        own = await cookie(address) if flood.who == "new visitors" else shared
        first = True
        while first or time.perf_counter() < until:
            first, asker = False, Asker(address, own)
            try:
                async with asyncio.timeout(max(until - time.perf_counter(), 0) + PATIENCE):
                    await KINDS[flood.kind](asker, flood, chance, until, counts)
            except (OSError, EOFError, TimeoutError, LookupError) as error:
                if time.perf_counter() < until:
                    counts[type(error).__name__] += 1
            finally:
                await asker.close()

    await asyncio.gather(*(one(number) for number in range(min(many, MAX_CONNECTIONS))))
    return counts


async def gets(asker: "Asker", flood: Flood, chance: random.Random, until: float, counts: Counter[str]) -> None:
    while True:
        symbols = quote(" ".join(str(chance.randrange(10)) for _ in range(16)))
        path = flood.path.replace("{random}", symbols).replace("{number}", str(chance.randrange(10**6)))
        path = re.sub("{digit}", lambda _: str(chance.randrange(4)), path)
        status, _ = await asker.ask(path.replace("{address}", quote(f"{asker.address}/?x=", safe="")))
        counts[str(status)] += 1
        if time.perf_counter() >= until:
            return


async def uploads_slowly(asker: "Asker", flood: Flood, _: random.Random, until: float, counts: Counter[str]) -> None:
    """An endless upload of single bytes."""
    reader, writer = await asker.connect()
    writer.write(asker.head("POST", flood.path, 1_000_000))
    answer = asyncio.ensure_future(reader.readline())
    while time.perf_counter() < until and not answer.done():
        writer.write(b"P")
        await asyncio.wait([answer], timeout=0.5)
    counts[answer.result().split()[1].decode() if answer.done() and answer.result() else "open"] += 1
    answer.cancel()


async def opens_pages(asker: "Asker", flood: Flood, _: random.Random, until: float, counts: Counter[str]) -> None:
    from tests.load.client import Visitor  # here, so that other floods don't wait for this import

    name, _, value = asker.cookie.partition("=")
    visitor = Visitor(asker.address, flood.path, cookies={name: value})
    try:
        await visitor.open()
        counts["opened"] += 1
    except Exception as error:  # any failure of a page under load
        counts[type(error).__name__] += 1
    finally:
        await visitor.drop()


KINDS: dict[str, Callable] = {"get": gets, "upload": uploads_slowly, "session": opens_pages}


async def cookie(address: str) -> str:
    """Cookies of a new visitor."""
    asker = Asker(address)
    _, head = await asker.ask("/")
    await asker.close()
    found = re.search(rf"(?i)set-cookie: ({COOKIE}[^=;]*=[^;\r]+)", head)
    return found[1] if found else ""


class Asker:
    """One keep-alive connection with minimal client work, so that the server is measured."""

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
        """Status and headers of the response."""
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


if __name__ == "__main__":
    where, what, *bounds = json.loads(sys.argv[1])
    print(json.dumps(asyncio.run(pour(where, Flood(**what), *bounds))))

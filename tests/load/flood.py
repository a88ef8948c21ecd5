"""Sixty connections that send expensive requests continuously, and their effect on another visitor.

The flood is bounded in number and time, runs in a separate process and reaches loopback addresses only.
"""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import nullcontext

from playground.recording import REPOSITORY
from playground.storage.archive import as_zip
from playground.ui.parts.charts.vega import PROGRAM
from tests.load.app import App, application
from tests.load.client import Visitor
from tests.load.figures import Report, quantile
from tests.load.flooder import MAX_CONNECTIONS, MAX_SECONDS, PATIENCE, Asker, Flood, elsewhere
from tests.load.scenarios import GONE, Options, leave, next_or_previous, prepare, state

PAGE_GOAL, CLICK_GOAL = 1000, 300
"""Goal for another visitor's p95 during a flood, in milliseconds."""


def floods(run: str, tap: str, walk: str) -> list[Flood]:
    """A flood for each expensive route; `run` and `walk` are ids known from a link."""
    attention = "/library/copy-1-16/attention?input={random}"
    cell = f"/walk/{walk}/cell?operation={tap}&at=0,{{digit}},{{digit}},{{digit}}"
    return [
        *(Flood("attention", attention, who) for who in ("nobody", "one visitor", "new visitors")),
        *(Flood("QR code", "/qr?text={address}{random}", who) for who in ("nobody", "new visitors")),
        Flood("attention of a run", f"/runs/{run}/attention?step={{number}}&example=1&tap={tap}"),
        Flood("curves", f"/runs/{run}/curves?have={{number}}"),
        Flood("metrics", f"/runs/{run}/metrics.csv"),
        Flood("curves of a checkpoint", "/library/copy-1-16/curves"),
        Flood("metrics of a checkpoint", "/library/copy-1-16/metrics.csv"),
        Flood("cell", cell),
        Flood("charts", f"/{PROGRAM}", "nobody"),
        Flood("page", "/?x={number}", "nobody"),
        Flood("no such page", "/nothing/{number}", "nobody"),
        Flood("slow uploads", "/checkpoint?name=slow", kind="upload"),
        Flood("sessions", "step_through", kind="session"),
    ]


async def flood(app: App, options: Options) -> Report:
    """Sixty connections flood one expensive route after another; another visitor loads pages and clicks."""
    report = Report()
    many, seconds = min(options.sessions or MAX_CONNECTIONS, MAX_CONNECTIONS), min(options.seconds, MAX_SECONDS)
    shared = {**app.variables, "PLAYGROUND_MODE": "shared"}
    with nullcontext(app) if app.variables == shared else application(shared) as server:
        async with Visitor(server.address) as owner:
            run = await ended_run(owner, options.steps)
        visitor = Visitor(server.address, "step_through")
        await visitor.open()
        tap = "decoder.layers.0.cross_attention.attention.weights"
        packed = b"".join(each.SerializeToString() for each in visitor.found("bidi_component"))
        named = re.search(rb'"walk": ?"([\w-]+)"', packed)
        assert named, "The page shows no forward pass."
        calm = await felt(visitor, asyncio.sleep(seconds))
        add(report, "nobody else", calm, None)
        for each in floods(run, tap, named[1].decode()):
            if not re.search(options.flood, each.name):
                continue
            counts: Counter[str] = Counter()
            deed = asyncio.create_task(elsewhere(server.address, each, many, seconds, options.seed, counts))
            await asyncio.sleep(min(1.0, seconds / 4))  # until all are connected
            own = await uploads(visitor) if each.kind == "upload" else None
            meanwhile = await felt(visitor, deed)
            name = f"{each.name}, {each.who}" if each.kind == "get" else each.name
            add(report, name, meanwhile, calm)
            if own is not None:
                report.add(f"{name}: own upload of the visitor", own, "s", 5)
            for status, count in sorted(counts.items()):
                report.add(f"{name}: {status}", count)
        return await leave(report, [visitor])


async def ended_run(owner: Visitor, steps: int) -> str:
    """The id of a new run with so many steps."""
    await prepare(owner, steps=steps)
    await owner.click("Train")
    await owner.until(lambda: state(owner) in ("finished", "solved", "stopped"))
    mounts = [json.loads(each.json) for each in owner.found("bidi_component") if each.json]
    return next(mount["runs"][0]["id"] for mount in mounts if isinstance(mount, dict) and "specs" in mount)


Felt = tuple[list[float], list[float]]
"""Seconds of page loads and clicks."""


async def felt(visitor: Visitor, flood: Awaitable[None]) -> Felt:
    """Measure page loads and clicks of a visitor until the flood has ended."""
    done = asyncio.ensure_future(flood)
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


def add(report: Report, name: str, felt: Felt, calm: Felt | None) -> None:
    """Report p95 of page loads and clicks with their goals, and the ratio to p95 without a flood."""
    for what, values, before, goal in zip(("page", "click"), felt, calm or felt, (PAGE_GOAL, CLICK_GOAL), strict=True):
        report.add(f"{name}: {what} p95", 1000 * quantile(values, 0.95), "ms", goal)
        if calm:
            report.add(f"{name}: {what} p95 / without", quantile(values, 0.95) / quantile(before, 0.95))


async def uploads(visitor: Visitor) -> float:
    """Seconds of uploading a small checkpoint; infinite if it is refused."""
    body = as_zip(REPOSITORY / "checkpoints" / "copy-1-16")
    began = time.perf_counter()
    there = Asker(visitor.address, "; ".join(f"{name}={value}" for name, value in visitor.cookies.items()))
    status, _ = await asyncio.wait_for(there.ask("/checkpoint?name=mine", body), PATIENCE)
    await there.close()
    return time.perf_counter() - began if status == 200 else float("inf")

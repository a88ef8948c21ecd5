"""Load scenarios: simulated visitors, and the measured response of the app."""

import asyncio
import itertools
import json
import random
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import websockets

from playground.runs.registry import MAX_RUNS
from playground.settings.config import RunConfig
from playground.settings.host import cores
from tests.load.app import CONTROL, App, Usage, application, paths
from tests.load.bare import bare
from tests.load.client import Visitor
from tests.load.figures import Report, quantile
from tests.load.sizes import SIZES, put

GONE = (ConnectionError, websockets.ConnectionClosed, TimeoutError, LookupError)


@dataclass(frozen=True)
class Options:
    """Options of scenarios; each uses some of them."""

    sessions: int | None = None  # 0: the scenario's default
    clicks: int = 20
    think: float = 2.0  # seconds between two clicks, on average
    seconds: float = 20.0  # duration of a scenario without a number of clicks
    steps: int = 300  # of a training run
    runs: int = 200
    connections: int = 300
    settle: float = 130.0  # until the server drops disconnected sessions
    acts: int = 10_000
    flood: str = ""  # regular expression of the floods' names; empty: all
    seed: int = 0
    marks: tuple[str, ...] = ()  # kinds of acts of `isolation`; none: all kinds


_TURNS = 4
"""Latencies of the app and of the control."""

Scenario = Callable[[App, Options], Coroutine[Any, Any, Report]]


async def step(app: App, options: Options) -> Report:
    """Visitors step through an included model at their own pace; in alternation, as many press the control's button.

    Alternating, because other load on the machine varies.
    """
    many = options.sessions or 60
    report = Report()
    with application(script=CONTROL) as control:
        people = [await everybody(Visitor(app.address, "step_through") for _ in range(many))]
        people.append(await everybody(Visitor(control.address) for _ in range(many)))
        reruns: tuple[list[float], list[float]] = ([], [])
        cpu, before = [0.0, 0.0], sum(visitor.received for visitor in people[0])
        for turn in range(_TURNS):
            for which, server in enumerate((app, control)):
                began = server.cpu_seconds()
                clicks = options.clicks * (turn + 1) // _TURNS - options.clicks * turn // _TURNS
                reruns[which].extend(await _clicks(people[which], clicks, options, report))
                cpu[which] += server.cpu_seconds() - began
        received = sum(visitor.received for visitor in people[0]) - before
        await leave(report, [*people[0], *people[1]])
    report.add_latencies("the control", reruns[1])
    report.add_latencies("Next or Previous", reruns[0], 30 if many == 1 else 100)
    report.add("p95 / the control's p95", quantile(reruns[0], 0.95) / quantile(reruns[1], 0.95), "", 1.5)
    report.add("server, a click", 1000 * cpu[0] / len(reruns[0]), "ms of a core")
    report.add("the same / the control's", cpu[0] / cpu[1])
    report.add("received a click", received / 1000 / len(reruns[0]), "kB")
    return report


async def _clicks(visitors: list[Visitor], clicks: int, options: Options, report: Report) -> list[float]:
    """Seconds of each of so many clicks of each visitor."""
    for visitor in visitors:
        visitor.reruns.clear()

    async def act(visitor: Visitor, chance: random.Random) -> None:
        for _ in range(clicks):
            await asyncio.sleep(chance.expovariate(1 / options.think) if options.think else 0)
            await next_or_previous(visitor)

    await together((act(*each) for each in zip(visitors, chances(options))), report)
    return [seconds for visitor in visitors for seconds in visitor.reruns]


async def sizes(app: App, options: Options) -> Report:
    """One visitor opens all operations of models of the supported sizes."""
    report = Report()
    await warm(app, report)
    for name in SIZES:
        async with Visitor(app.address, "step_through", put(name, app.folder)) as visitor:
            visitor.reruns.clear()
            received = []
            while visitor.can("Next"):
                before = visitor.received
                await visitor.click("Next")
                received.append((visitor.received - before) / 1000)
            report.add_latencies(f"{name}, Next", visitor.reruns, 30 if name == "lecture" else 500)
            report.add(f"{name}, most for one operation", max(received), "kB", 100)
            report.errors += visitor.errors
    return report


async def train(app: App, options: Options) -> Report:
    """Ten visitors navigate, first alone, then while eight others train at full speed."""
    many = options.sessions or 8
    report = Report()
    await warm(app, report)
    trainers = await everybody(Visitor(app.address) for _ in range(many))
    others = await everybody(Visitor(app.address, "step_through") for _ in range(10))
    for visitor in trainers:
        await prepare(visitor, steps=40_000)

    alone = await move(others, options, report)
    await together(map(press_train, trainers), report)
    until = time.perf_counter() + options.seconds
    moving = asyncio.create_task(move(others, options, report))
    speeds = await together((speed_until(visitor, until) for visitor in trainers), report)
    beside = await moving
    report.add_latencies("the ten's reruns alone", alone)
    report.add_latencies("the ten's reruns beside the trainings", beside, 300)
    report.add("p95 beside / alone", quantile(beside, 0.95) / quantile(alone, 0.95), "", 2)
    report.add_latencies("the trainers' updates", [each for visitor in trainers for each in visitor.updates])
    add_speeds(report, [speed for speed in speeds if speed])
    report.add("trainers under way", sum(bool(speed) for speed in speeds), "", many, at_least=True)
    await together((visitor.click("Stop") for visitor in trainers if visitor.can("Stop")), report)
    return await leave(report, [*trainers, *others])


async def experiment(app: App, options: Options) -> Report:
    """Ten visitors navigate, first alone, then while twenty others switch off parts of a model and measure it."""
    report = Report()
    await warm(app, report)
    others = await everybody(Visitor(app.address, "step_through") for _ in range(10))
    alone = await move(others, options, report)
    query = "view=change&model=reverse-1-16"
    many = await everybody(Visitor(app.address, "experiment", query) for _ in range(options.sessions or 20))
    for visitor in many:
        visitor.reruns.clear()
    until = time.perf_counter() + options.seconds
    moving = asyncio.create_task(move(others, options, report))
    await together((_experiments(*each, until, options.think) for each in zip(many, chances(options))), report)
    beside = await moving
    report.add_latencies("the ten's reruns alone", alone)
    report.add_latencies("the ten's reruns beside the experiments", beside)
    report.add("p95 beside / alone", quantile(beside, 0.95) / quantile(alone, 0.95), "", 2)
    report.add_latencies("a part switched -> its answer", [each for visitor in many for each in visitor.reruns], 300)
    return await leave(report, [*others, *many])


async def _experiments(visitor: Visitor, chance: random.Random, until: float, think: float) -> None:
    """Switch parts of the model off and on, and sometimes rank all heads."""
    while time.perf_counter() < until:
        await asyncio.sleep(chance.expovariate(1 / think) if think else 0)
        rank = "Switch off each head in turn"
        if chance.random() < 0.1 and visitor.can(rank):
            await visitor.click(rank)
            continue
        data = next(data for _, data in visitor.mounts() if "adds" in data)
        parts = [part["site"] for row in data["rows"] for part in row["parts"]]
        acts = [[data["heard"] + 1, "switch", chance.choice(parts), None]]
        await visitor.set("switches", json.dumps({"acts": {"session": data["session"], "acts": acts}}))


async def sweep(app: App, options: Options) -> Report:
    """A sweep of sixteen runs: throughput against one worker, effect on others, and time until all runs stop."""
    report = Report()
    await warm(app, report)
    seconds = {}
    with application({**app.variables, "PLAYGROUND_WORKERS": "1"}) as alone:
        for name, server in {"the host's workers": app, "one worker": alone}.items():
            visitor = Visitor(server.address)
            await visitor.open()
            await start_sweep(visitor, steps=options.steps)
            begin = time.perf_counter()
            await visitor.until(lambda visitor=visitor: ended_runs(visitor) == SWEEP_RUNS, 1200)
            seconds[name] = time.perf_counter() - begin
            report.add(f"{SWEEP_RUNS} runs of {options.steps} steps, {name}", seconds[name], "s")
            await leave(report, [visitor])
    ratio = seconds["one worker"] / seconds["the host's workers"]
    report.add("one worker / the host's workers", ratio, "", 1.8, at_least=True)
    report.add("the same of training without the app, two at once", await _two_at_once(), "")

    idle = app.usage().processes
    owner = Visitor(app.address)
    await owner.open()
    others = await everybody(Visitor(app.address, "step_through") for _ in range(options.sessions or 10))
    await start_sweep(owner, steps=100_000)
    for visitor in [owner, *others]:
        visitor.reruns.clear()
        visitor.updates.clear()
    until = time.perf_counter() + options.seconds

    async def moves(visitor: Visitor, chance: random.Random) -> None:
        while time.perf_counter() < until:
            await asyncio.sleep(chance.expovariate(1.0))
            await next_or_previous(visitor)

    await together((moves(*each) for each in zip(others, chances(options))), report)
    report.add("workers", app.usage().processes - idle, "", cores())
    report.add_latencies("the others' reruns", [each for visitor in others for each in visitor.reruns], 300)
    report.add_latencies("the sweep's own updates", owner.updates, 300)
    begin = time.perf_counter()
    await owner.click("Stop all")
    await owner.until(lambda: ended_runs(owner) == SWEEP_RUNS)
    report.add("Stop all -> all stopped", time.perf_counter() - begin, "s", 1)
    while app.usage().processes > idle and time.perf_counter() < begin + 10:
        await asyncio.sleep(0.02)
    report.add("Stop all -> no worker left", time.perf_counter() - begin, "s", 1)
    return await leave(report, [owner, *others])


async def _two_at_once() -> float:
    """Speed-up of two simultaneous runs over one on an idle server: the machine's limit."""
    config = RunConfig().updated({"training.steps": 1000, "training.stop_when_solved": False})
    alone, _ = await asyncio.to_thread(bare, config)
    both = await asyncio.gather(*(asyncio.to_thread(bare, config) for _ in range(2)))
    return 2 * alone / statistics.mean(wall for wall, _ in both)


async def rush(app: App, options: Options) -> Report:
    """A class of forty presses Train within ten seconds; all runs are queued."""
    many = options.sessions or 40
    report = Report()
    await warm(app, report)
    visitors = await everybody(Visitor(app.address) for _ in range(many))
    for visitor in visitors:
        await prepare(visitor, steps=options.steps)
    answered: list[float] = []
    refused: list[str] = []
    unclear: list[str] = []
    ends: list[float] = []
    speeds: list[float] = []

    def has_state(visitor: Visitor) -> bool:
        text = progress(visitor)
        queued = re.search(r"queue position (\d+)", text) and re.search(r"about|at most", text)
        return bool(queued) or state(visitor) in ("running", "finished", "solved")

    async def presses(visitor: Visitor, chance: random.Random) -> None:
        await asyncio.sleep(chance.uniform(0, 10))
        pressed = time.perf_counter()
        await visitor.click("Train")
        if (not progress(visitor) or state(visitor) == "failed") and (alerts := visitor.found("alert")):
            refused.append(alerts[0].body)
            return
        try:
            await visitor.until(lambda: has_state(visitor), 30)
            answered.append(time.perf_counter() - pressed)
        except TimeoutError:
            unclear.append(progress(visitor))
        speeds.append(await speed_until(visitor, pressed + 600))
        if state(visitor) in ("finished", "solved"):
            ends.append(time.perf_counter() - pressed)

    await together((presses(*each) for each in zip(visitors, chances(options))), report)
    report.add("refused", len(refused), "", 0)
    for sentence in sorted(set(refused)):
        print(f"  refused with: {sentence}")
    report.add("without a state or a queue position", len(unclear), "", 0)
    report.add("Train -> state or position, p95", quantile(answered, 0.95), "s", 1)
    report.add("Train -> state or position, longest", max(answered, default=float("nan")), "s", 1)
    report.add("finished", len(ends), "", many, at_least=True)
    report.add("Train -> finished, p50", quantile(ends, 0.5), "s")
    report.add("Train -> finished, longest", max(ends, default=float("nan")), "s")
    add_speeds(report, [speed for speed in speeds if speed])
    report.add_latencies("updates", [each for visitor in visitors for each in visitor.updates])
    return await leave(report, visitors)


async def link(owner: Visitor) -> str:
    """Query string of the public link to a run on the Train page; waits for the event stream, which has its id."""
    return await owner.until(
        lambda: next((f"run={name.removeprefix('run/')}" for name in owner.live if name.startswith("run/")), "")
    )


async def watch(app: App, options: Options) -> Report:
    """A hundred visitors watch one run without acting."""
    many = options.sessions or 100
    report = Report()
    owner = Visitor(app.address)
    await owner.open()
    await prepare(owner, steps=40_000, pace="Watch")
    await press_train(owner)
    query = await link(owner)
    watchers = await everybody(Visitor(app.address, "train", query) for _ in range(many))
    await together((each.until(lambda each=each: len(each.updates) > 2) for each in watchers), report)
    for visitor in watchers:
        visitor.updates.clear()
        visitor.received = visitor.streamed = visitor.drawings = 0
    begin = time.perf_counter()
    cpu = app.cpu_seconds()
    await asyncio.sleep(options.seconds)
    taken = time.perf_counter() - begin
    updates = [each for visitor in watchers for each in visitor.updates]
    report.add_latencies("updates", updates, 100)
    report.add("updates a watcher and second", len(updates) / many / taken, "/s", 3, at_least=True)
    report.add("slowest watcher", min(len(visitor.updates) for visitor in watchers) / taken, "/s", 2, at_least=True)
    report.add("sent to a watcher", sum(each.streamed for each in watchers) / many / taken / 1000, "kB/s")
    report.add("script runs of all watchers", sum(each.drawings for each in watchers), "", 0)
    report.add("websocket bytes to all watchers", sum(each.received for each in watchers), "", 0)
    server = (app.cpu_seconds() - cpu) / taken
    report.add("server", server, "cores", 0.25 if many <= 100 else 0.5)
    report.add(
        "watching something that runs", sum(state(each) == "running" for each in watchers), "", many, at_least=True
    )
    await owner.click("Stop")
    return await leave(report, [owner, *watchers])


async def idle(app: App, options: Options) -> Report:
    """A thousand idle tabs show finished runs."""
    many = options.sessions or 1000
    report = Report()
    owner = Visitor(app.address, "train")
    await owner.open()
    await owner.click("Train")
    await owner.until(lambda: state(owner) == "running")
    await owner.click("Stop")
    await owner.until(partial(has_ended, owner))
    query = await link(owner)
    tabs = await everybody(Visitor(app.address, "train", query) for _ in range(many))
    await asyncio.sleep(70)  # until the next garbage collection, at most a minute
    for visitor in tabs:
        visitor.received = visitor.drawings = 0
    begin = time.perf_counter()
    cpu = app.cpu_seconds()
    await asyncio.sleep(options.seconds)
    taken = time.perf_counter() - begin
    report.add("tabs", many)
    report.add("server", (app.cpu_seconds() - cpu) / taken, "cores", 0.01)
    report.add("script runs of all tabs", sum(each.drawings for each in tabs), "", 0)
    report.add("websocket bytes to all tabs", sum(each.received for each in tabs), "", 0)
    return await leave(report, [owner, *tabs])


async def abandon(app: App, options: Options) -> Report:
    """Hundreds of visitors disconnect abruptly, some during a script run, beside thirty active ones."""
    many = options.sessions or 30
    report = Report()
    visitors = await everybody(Visitor(app.address, "step_through") for _ in range(many))
    for visitor in visitors:
        visitor.reruns.clear()
    before = app.usage()
    done = asyncio.Event()
    dice = chances(options)

    async def steps(visitor: Visitor, chance: random.Random) -> None:
        while not done.is_set():
            await asyncio.sleep(chance.expovariate(1 / options.think))
            await next_or_previous(visitor)

    async def comes_and_goes(chance: random.Random) -> None:
        visitor = Visitor(app.address, chance.choice(paths()))
        await visitor.open()
        match chance.randrange(4):
            case 0:
                await visitor.send()  # disconnects during the requested script run
            case 1:
                await visitor.page("train")
                if visitor.can("Train"):
                    await visitor.click("Train")  # disconnects while its run trains, or after a refusal
        await visitor.drop()
        report.errors += visitor.errors

    async def waves() -> None:
        for _ in range(0, options.connections, 10):
            await together((comes_and_goes(chance) for _, chance in zip(range(10), dice)), report)
        done.set()

    begin = time.perf_counter()
    await together([waves(), *(steps(*each) for each in zip(visitors, dice))], report)
    taken = time.perf_counter() - begin
    amid = app.usage()
    report.add_latencies("the others' reruns", [each for visitor in visitors for each in visitor.reruns], 100)
    report.add("came and went", options.connections / taken, "/s")
    await asyncio.sleep(options.settle)
    after = app.usage()
    report.add("memory before", before.pss, "MB")
    report.add("growth at the end", amid.pss - before.pss, "MB")
    report.add(f"growth {options.settle:.0f} s later", after.pss - before.pss, "MB", 100)
    report.add("processes more", after.processes - before.processes, "", 0)
    return await leave(report, visitors)


async def soak(app: App, options: Options) -> Report:
    """One visitor trains repeatedly; every second run is stopped early."""
    report = Report()
    visitor = Visitor(app.address)
    await visitor.open()
    await prepare(visitor, steps=20)

    async def trains(stop: bool) -> None:
        await visitor.click("Train")
        await visitor.until(lambda: state(visitor) in ("running", *ENDED))
        if stop and visitor.can("Stop"):
            await visitor.click("Stop")
        await visitor.until(lambda: state(visitor) in ENDED and visitor.can("Train"))
        if state(visitor) == "failed":
            report.errors.append("A run has failed.")

    await trains(stop=False)
    fresh = await at_rest(app)
    for turn in range(MAX_RUNS):  # until each further run makes the server drop an old one
        await trains(stop=turn % 2 == 0)
    before = await at_rest(app)
    begin = time.perf_counter()
    for turn in range(options.runs):
        await trains(stop=turn % 2 == 0)
    taken = time.perf_counter() - begin
    after = await at_rest(app)
    report.add("a run, from Train to its end", taken / options.runs, "s")
    report.add("processes more", after.processes - before.processes, "", 0)
    report.add("threads more", after.threads - before.threads, "", 0)
    report.add("open files more", after.files - before.files, "", 0)
    report.add("open files of a finished run kept", (before.files - fresh.files) / MAX_RUNS, "", 0)
    report.add("memory before", before.rss, "MB")
    report.add("memory more", after.rss - before.rss, "MB", 50)
    return await leave(report, [visitor])


async def visits(app: App, options: Options) -> Report:
    """Newcomers visit all pages, step, experiment and train, and leave; memory of the server while they come and go."""
    report = Report()
    await warm(app, report)
    server = app.processes()[0]
    room = asyncio.Semaphore(options.sessions or 8)
    dice = chances(options)

    async def visit(chance: random.Random) -> None:
        async with room:
            visitor = Visitor(app.address, chance.choice(paths()))
            await visitor.open()
            for path in chance.sample(paths(), len(paths())):
                await visitor.page(path)
                if path == "step_through":
                    await visitor.set("Your input", " ".join(str(chance.randrange(10)) for _ in range(12)))
                    for _ in range(4):
                        await next_or_previous(visitor)
                elif path == "train" and visitor.can("Train") and chance.random() < 0.25:
                    await visitor.set("Pace", "Full speed")
                    await visitor.click("Train")
                elif views := _views(visitor):
                    await visitor.set("View", chance.choice(views))
            report.errors += visitor.errors
            await visitor.drop()

    report.add("memory before", Usage.of([server]).rss, "MB")
    steps = 10
    for step in range(1, steps + 1):
        first, last = options.connections * (step - 1) // steps, options.connections * step // steps
        await together((visit(chance) for _, chance in zip(range(last - first), dice)), report)
        report.add(f"memory after {last} visits", Usage.of([server]).rss, "MB", 600)
    await asyncio.sleep(options.settle)
    report.add(f"memory {options.settle:.0f} s later", Usage.of([server]).rss, "MB", 600)
    return report


def _views(visitor: Visitor) -> list[str]:
    """Names of the views of the page, if it has several."""
    switches = [group for group in visitor.found("button_group") if group.label == "View"]
    return [option.content for group in switches for option in group.options]


async def memory(app: App, options: Options) -> Report:
    """Memory of the server, of a session and of a finished run."""
    many = options.sessions or 100
    report = Report()
    first = Visitor(app.address)
    await first.open()
    for path in paths():
        await first.page(path)
    await first.close()
    server, *others = app.processes()
    rest = Usage.of([server])
    report.add("server at rest, RSS", rest.rss, "MB", 450)
    report.add("server at rest, PSS", rest.pss, "MB")
    report.add("fork server, PSS", Usage.of(others).pss, "MB", 200)
    visitors = await everybody(Visitor(app.address, "step_through") for _ in range(many))
    for visitor in visitors:
        await visitor.click("Next")
    await asyncio.sleep(2)
    report.add("an idle session", (Usage.of([server]).rss - rest.rss) / many, "MB", 1)
    report = await leave(report, visitors)

    trained = await everybody(Visitor(app.address, "train") for _ in range(8))
    held = Usage.of([server]).rss
    for visitor in trained:
        await visitor.set("Pace", "Full speed")
        await visitor.click("Train")
        await visitor.until(partial(has_ended, visitor))
    await asyncio.sleep(2)
    report.add("a finished run kept", (Usage.of([server]).rss - held) / len(trained), "MB", 32)
    return await leave(report, trained)


async def first(app: App, _: Options) -> Report:
    """Page load times of the first and the second visitor of a new server."""
    report = Report()

    async def visit(server: App, path: str, name: str, goal: float | None = None) -> None:
        began = time.perf_counter()
        visitor = Visitor(server.address, path)
        await visitor.open()
        report.add(f"/{path}, {name} visit", time.perf_counter() - began, "s", goal)
        await leave(report, [visitor])

    for number, path in enumerate(paths()):
        if number == 0:
            await visit(app, path, "first", 2)
            await visit(app, path, "second")
        else:
            with application(app.variables) as fresh:
                await visit(fresh, path, "first", 2)
                await visit(fresh, path, "second")
    return report


SCENARIOS: dict[str, Scenario] = {
    "step": step,
    "sizes": sizes,
    "train": train,
    "experiment": experiment,
    "sweep": sweep,
    "rush": rush,
    "watch": watch,
    "idle": idle,
    "abandon": abandon,
    "soak": soak,
    "visits": visits,
    "memory": memory,
    "first": first,
}

SWEEP_RUNS = 16

ENDED = ("solved", "finished", "stopped", "failed")


# --- shared parts of scenarios ---


async def move(others: list[Visitor], options: Options, report: Report) -> list[float]:
    """Seconds of each script run while these visitors step through models and change pages."""
    until = time.perf_counter() + options.seconds

    async def moves(visitor: Visitor, chance: random.Random) -> None:
        while time.perf_counter() < until:
            await asyncio.sleep(chance.expovariate(1.0))
            if chance.random() < 0.3:
                await visitor.page(chance.choice(paths()))
            elif visitor.page_path == "step_through":
                await next_or_previous(visitor)
            else:
                await visitor.page("step_through")

    for visitor in others:
        visitor.reruns.clear()
    await together((moves(*each) for each in zip(others, chances(options))), report)
    return [each for visitor in others for each in visitor.reruns]


def chances(options: Options) -> Iterator[random.Random]:
    """A random generator for each visitor, reproducible by the seed."""
    return (random.Random(f"{options.seed} {number}") for number in itertools.count())


async def together(deeds: Iterable[Awaitable[Any]], report: Report) -> list[Any]:
    """Run all concurrently; returns their results, with None and an error for each that timed out."""
    results = await asyncio.gather(*deeds, return_exceptions=True)
    for result in results:
        if isinstance(result, GONE):
            report.errors.append(f"{type(result).__name__}: {result}")
        elif isinstance(result, BaseException):
            raise result
    return [None if isinstance(result, BaseException) else result for result in results]


async def everybody(visitors: Iterable[Visitor]) -> list[Visitor]:
    """Open their pages, a few at a time."""
    come = list(visitors)
    room = asyncio.Semaphore(4)

    async def enter(visitor: Visitor) -> None:
        async with room:
            await visitor.open()

    await asyncio.gather(*map(enter, come))
    return come


async def warm(app: App, report: Report) -> None:
    """A first run, which waits for the fork server's imports; its time is reported separately."""
    visitor = Visitor(app.address, "train")
    await visitor.open()
    began = time.perf_counter()
    await visitor.click("Train")
    await visitor.until(lambda: state(visitor) in ("running", *ENDED))
    report.add("the server's first Train -> running", time.perf_counter() - began, "s")
    if visitor.can("Stop"):
        await visitor.click("Stop")
    await leave(report, [visitor])


async def leave(report: Report, visitors: Iterable[Visitor]) -> Report:
    """Collect their errors and close their pages."""
    for visitor in visitors:
        report.errors += visitor.errors
        await visitor.close()
    return report


async def next_or_previous(visitor: Visitor) -> None:
    """Press Next; at the last operation, Previous."""
    await visitor.click("Next" if visitor.can("Next") else "Previous")


async def prepare(visitor: Visitor, *, steps: int, pace: str = "Full speed") -> None:
    """Fill in Build by a link and open Train, ready for a press of the button.

    The run trains all its steps, even when solved, so that every run has the same work.
    """
    await visitor.follow(f"training.steps={steps}&training.stop_when_solved=false", page="")
    await visitor.page("train")
    await visitor.set("Pace", pace)


async def press_train(visitor: Visitor) -> None:
    """Start the prepared run and wait until it trains."""
    await visitor.click("Train")
    await begun(visitor, lambda: state(visitor) in ("running", *ENDED))


async def begun(visitor: Visitor, condition: Callable[[], bool]) -> None:
    """Wait for the condition; agree to a large run if the page asks, which depends on the machine's speed."""
    await visitor.until(lambda: condition() or visitor.can("Train anyway"))
    if not condition():
        await visitor.click("Train anyway")
        await visitor.until(condition)


async def start_sweep(visitor: Visitor, *, steps: int) -> None:
    """Fill in Build and Sweep: four numbers of heads with four seeds each, all trained to the last step."""
    await prepare(visitor, steps=steps)
    await visitor.set("View", "Sweep")
    await visitor.set("sweep values 1", "1, 2, 4, 8")
    await visitor.set("Seeds", SWEEP_RUNS // 4)
    await visitor.click("Start sweep")
    await begun(visitor, lambda: ended_runs(visitor) is not None)


def ended_runs(visitor: Visitor) -> int | None:
    """Number of ended runs of the sweep on the page; None without a sweep."""
    found = re.search(r"(\d+) of \d+ ended", progress(visitor))
    return int(found[1]) if found else None


def progress(visitor: Visitor) -> str:
    """Status and text of the run's progress bar; "" if there is none."""
    for _, data in visitor.mounts():
        if "now" in data and "done" in data["now"]:
            live = visitor.live.get(data["channel"], {})
            now = live if live.get("at", 0) > data["at"] else data["now"]
            return f"{now['status']}: {now['text']}"
    return ""


def state(visitor: Visitor) -> str:
    """The status of the run: running, paused, solved ..."""
    return progress(visitor).partition(":")[0]


def step_of(visitor: Visitor) -> int:
    """The run's newest step."""
    found = re.search(r"step ([\d,]+)", progress(visitor))
    return int(found[1].replace(",", "")) if found else 0


def has_ended(visitor: Visitor) -> bool:
    """Whether the run on the page has ended."""
    return state(visitor) in ENDED


def has_moved(visitor: Visitor, step: int) -> bool:
    """Whether the run has passed this step or has ended."""
    return step_of(visitor) != step or state(visitor) in ENDED


async def speed_until(visitor: Visitor, until: float) -> float:
    """Optimizer steps per second between the first and the last observation of the running run; 0 without any."""
    began = ended = at = now = 0
    try:
        await visitor.until(lambda: state(visitor) in ("running", *ENDED), until - time.perf_counter())
        began, at = ended, now = time.perf_counter(), step_of(visitor)
        while time.perf_counter() < until and state(visitor) not in ENDED:
            moved = partial(has_moved, visitor, now)
            await visitor.until(moved, until - time.perf_counter())
            if step_of(visitor) != now:
                ended, now = time.perf_counter(), step_of(visitor)
    except TimeoutError:
        pass
    return (now - at) / (ended - began) if ended > began else 0.0


def add_speeds(report: Report, speeds: list[float]) -> None:
    """Fairness of the CPU shares."""
    if speeds:
        report.add("steps per second, slowest run", min(speeds), "/s")
        report.add("steps per second, fastest run", max(speeds), "/s")
        report.add("fastest / slowest", max(speeds) / min(speeds), "", 1.5)


async def at_rest(app: App) -> Usage:
    """Usage once memory has stopped falling."""
    usage = app.usage()
    for _ in range(10):
        await asyncio.sleep(1)
        before, usage = usage, app.usage()
        if (before.processes, before.threads, before.files) == (usage.processes, usage.threads, usage.files):
            break
    return usage

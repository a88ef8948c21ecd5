"""Times of pushes and pulls, and their effect on other visitors."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path

import pytest
from pydantic import SecretStr

from playground.hub.preparation import prepare
from playground.hub.pull import pull
from playground.hub.push import push
from playground.hub.reference import parse_reference
from playground.storage.library import Library
from playground.ui.hub.listing import mark
from tests.hub import Hub, running_hub
from tests.hub.client import use
from tests.hub.samples import TAG, checkpoint
from tests.load.app import App, application
from tests.load.client import Visitor, key_of
from tests.load.figures import Report, quantile
from tests.load.scenarios import Options, chances, everybody, leave, next_or_previous

ROUNDS = 5
SAMPLE = Path(__file__).parents[2] / "checkpoints" / "copy-1-16"
"""A model with the default settings."""


async def hub(app: App, options: Options) -> Report:
    """One visitor pulls default models and pushes them; others step through a model, before and meanwhile."""
    report, rounds = Report(), options.runs if options.runs < 200 else ROUNDS
    with running_hub() as there:
        for number in range(rounds):
            there.put_repo(f"bob/model-{number}", checkpoint(SAMPLE), tags=[TAG])
        with application({**app.variables, "HF_ENDPOINT": there.url}) as server:
            others = await everybody(Visitor(server.address, "step_through") for _ in range(options.sessions or 5))
            alice = Visitor(server.address, "checkpoints", "view=hub")
            await sign_in(alice, there.token("alice"))
            await felt(others, options, asyncio.sleep(2))  # fill caches
            calm, busy, pulls, pushes = [], [], [], []
            for number in range(rounds):  # interleaved, so that a busy machine affects both
                calm += await felt(others, options, asyncio.sleep(options.seconds / rounds))
                busy += await felt(others, options, goes_between(alice, there, f"model-{number}", pulls, pushes))
            report.add("pull, from click to Step through, median", statistics.median(pulls), "s")
            report.add("push, from click to the link, median", statistics.median(pushes), "s")
            await leave(report, [alice, *others])
        await asyncio.to_thread(by_themselves, there, rounds, report)
    report.add_latencies("the others' clicks, nobody at the Hub", calm)
    report.add_latencies("the others' clicks meanwhile", busy, 100)
    report.add("p95 meanwhile / before", quantile(busy, 0.95) / quantile(calm, 0.95), "", 2)
    return report


async def sign_in(visitor: Visitor, token: str) -> None:
    await visitor.open()
    await visitor.fill("Access token", token)
    await visitor.click("Sign in")
    await visitor.until(lambda: visitor.says("Signed in to the Hub as"))


async def felt(others: list[Visitor], options: Options, what: Awaitable[None]) -> list[float]:
    """Seconds of the others' clicks during an activity."""
    for visitor in others:
        visitor.reruns.clear()
    done = asyncio.ensure_future(what)

    async def steps(visitor: Visitor, pause: float) -> None:
        while not done.done():
            await next_or_previous(visitor)
            await asyncio.sleep(pause)

    pauses = [chance.uniform(0.3, 0.7) for _, chance in zip(others, chances(options))]
    await asyncio.gather(*map(steps, others, pauses))
    await done
    return [seconds for visitor in others for seconds in visitor.reruns]


async def goes_between(alice: Visitor, there: Hub, name: str, pulls: list[float], pushes: list[float]) -> None:
    """Pull one of bob's models and push it to the visitor's own account; appends the seconds of each."""
    await alice.page("checkpoints", "view=hub")
    await alice.set("Model on the Hub", f"bob/{name}")
    await alice.until(lambda: alice.can("Pull"))
    began = time.perf_counter()
    await alice.click("Pull")
    await alice.until(lambda: alice.page_path == "step_through")
    pulls.append(time.perf_counter() - began)

    await alice.page("checkpoints", "view=hub")
    fork = f"fork {mark(f'bob/{name}', there.commits(f'bob/{name}')[0].id)}"
    await alice.until(lambda: alice.can(fork))
    await alice.click(fork)  # the model is in the library, so the form opens at once
    await alice.until(lambda: alice.can("Push"))
    began = time.perf_counter()
    await alice.click("Push")
    await alice.until(lambda: alice.says(f"/alice/{name}/commit/"))
    pushes.append(time.perf_counter() - began)
    assert len(there.commits(f"alice/{name}")) == 2
    for key in [key_of(each.id) for each in alice.found("button") if key_of(each.id).startswith("drop ")]:
        await alice.click(key)


def by_themselves(there: Hub, rounds: int, report: Report) -> None:
    """Times of the same calls without the app."""
    token = SecretStr(there.token("alice"))
    taken: dict[str, list[float]] = {"prepare": [], "push": [], "pull": []}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        use(there.url, patch)
        for number in range(rounds):
            began = time.perf_counter()
            ready = prepare(SAMPLE, repo_id=f"alice/alone-{number}")
            taken["prepare"].append(time.perf_counter() - began)
            began = time.perf_counter()
            push(ready, f"alice/alone-{number}", token, message="Alone", parent=None)
            taken["push"].append(time.perf_counter() - began)
            began = time.perf_counter()
            pull(parse_reference(f"bob/model-{number}"), Library(Path(folder) / str(number)), token)
            taken["pull"].append(time.perf_counter() - began)
    for name, goal in (("prepare", None), ("push", 1.0), ("pull", 1.0)):
        report.add(f"{name} of a default model, median", statistics.median(taken[name]), "s", goal)
        report.add(f"{name} of a default model, slowest", max(taken[name]), "s")

"""Fair scheduling of worker slots: the order of waiting runs and their estimated waiting times."""

import heapq
import math
import time
from collections.abc import Collection
from dataclasses import dataclass

from playground.common.numbers import counted
from playground.runs.backends import Backend
from playground.runs.run import Run
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS
from playground.settings.estimate import estimate
from playground.settings.host import Host, cores
from playground.training.stages import stage_plan

PAUSE_YIELDS_AFTER = 60.0
"""Seconds a paused run keeps its worker slot while others wait."""


@dataclass(frozen=True)
class QueuePosition:
    """The position of a waiting run in the queue."""

    position: int  # from 1
    waiting: int  # waiting runs of all visitors
    seconds: float  # upper estimate until it starts, if no run is added or stopped; infinity: unknown
    reason: str  # one sentence


class FairScheduler:
    """Assigns the worker slots of a host to waiting runs. Not thread-safe."""

    def __init__(self, host: Host, backend: Backend) -> None:
        self.host, self.backend = host, backend
        self._assigned, self._cores = 0, cores()
        self._served: dict[str, int] = {}  # owner -> number of the last assignment

    def order(self, runs: Collection[Run]) -> list[Run]:
        """Waiting runs in starting order: the owner with the fewest active runs first, then the longest wait.

        An owner's sweep runs come after their other runs.
        """
        queues: dict[str, list[Run]] = {}
        for run in runs:
            if run.status == "queued":
                queues.setdefault(run.owner, []).append(run)
        for queue in queues.values():
            queue.sort(key=lambda run: (bool(run.metadata.sweep), run.asked))
        busy = [run.owner for run in at_work(runs)]
        turns = [
            (busy.count(owner), self._served.get(owner, 0), queue[0].asked, owner) for owner, queue in queues.items()
        ]
        heapq.heapify(turns)
        order = []
        while turns:
            count, _, _, owner = heapq.heappop(turns)
            order.append(queues[owner].pop(0))
            if queue := queues[owner]:
                heapq.heappush(turns, (count + 1, self._assigned + len(order), queue[0].asked, owner))
        return order

    def next(self, runs: Collection[Run]) -> Run | None:
        """Reserve the next run that a worker slot is free for."""
        if self.backend.problem:
            return None
        working = at_work(runs)
        for run in self.order(runs):
            if self._fits(run, working) and run.reserve():
                self._assigned += 1
                self._served[run.owner] = self._assigned
                return run
        return None

    def queue_position(self, run: Run, runs: Collection[Run]) -> QueuePosition | None:
        """The queue position of a run; None if it does not wait."""
        waiting, working = self.order(runs), at_work(runs)
        if run not in waiting:
            return None
        limit, sweep_limit = self.host.workers_per_visitor, self._sweep_limit(run)
        own = sum(other.owner == run.owner for other in working)
        sweeping = sum(bool(self._sweep_limit(other)) for other in working)
        where = "cluster" if self.backend.slots else "host"
        if self.backend.problem:
            reason = f"{self.backend.problem} Runs wait until it responds."
        elif sweep_limit and sweeping >= sweep_limit:
            reason = f"A sweep trains {counted(sweep_limit, 'run')} at a time on this {where}, one per core."
        elif limit and own >= limit:
            reason = f"You already have {counted(own, 'active run')}, the limit per visitor."
        elif self.slots == 1:
            reason = f"The only worker slot of this {where} is in use."
        else:
            reason = f"All {self.slots} worker slots of this {where} are in use."
        seconds = math.inf if self.backend.problem else self._seconds_until(run, waiting, working)
        return QueuePosition(waiting.index(run) + 1, len(waiting), seconds, reason)

    @property
    def slots(self) -> int:
        """Runs that can train at once, of all visitors."""
        return self.backend.slots or self.host.workers

    @property
    def sweep_slots(self) -> int:
        """Runs of one visitor's sweep that train at once at full speed: at most one per core."""
        return min(self._full_speed, self.host.workers_per_visitor or self._full_speed)

    @property
    def _full_speed(self) -> int:
        """Runs that can train at full speed at once: one per core."""
        return self.backend.slots or min(self._cores, self.host.workers)

    def forget(self, owner: str) -> None:
        """Forget an owner's last assignment."""
        self._served.pop(owner, None)

    def _fits(self, run: Run, working: list[Run]) -> bool:
        """A worker slot is free for a run besides the active ones."""
        limit, sweep_limit = self.host.workers_per_visitor, self._sweep_limit(run)
        return (
            len(working) < self.slots
            and (not limit or sum(other.owner == run.owner for other in working) < limit)
            and (not sweep_limit or sum(bool(self._sweep_limit(other)) for other in working) < sweep_limit)
        )

    def _sweep_limit(self, run: Run) -> int:
        """The number of sweep runs that may train at once at full speed, if this is one; 0: no limit."""
        return self._full_speed if run.metadata.sweep and run.pace is None else 0

    def _seconds_until(self, run: Run, waiting: list[Run], working: list[Run]) -> float:
        """Seconds until a waiting run starts, if every run takes all its steps and no run is added or stopped.

        Simulates the ends of runs in order and assigns each free worker slot as `next` does.
        """
        slowdown = 1.0 if self.backend.slots else max(1.0, (self._sweep_limit(run) or self.slots) / self._cores)
        ends = [(_seconds_held(other, slowdown), slot, other) for slot, other in enumerate(working)]
        heapq.heapify(ends)
        left, now = waiting[: waiting.index(run) + 1], 0.0
        while True:
            beside = [other for *_, other in ends]
            begun = next((other for other in left if self._fits(other, beside)), None)
            if begun is None:
                now = heapq.heappop(ends)[0]
            elif begun is run:
                return now
            else:
                left.remove(begun)
                heapq.heappush(ends, (now + _seconds_left(begun, slowdown), -len(left), begun))


def at_work(runs: Collection[Run]) -> list[Run]:
    """Runs that have a worker, or are getting one."""
    return [run for run in runs if run.has_worker]


def _seconds_held(run: Run, slowdown: float) -> float:
    """Seconds an active run keeps its worker slot at most; a paused run yields it to waiting ones."""
    if run.status == "paused" and run.store.folder and not run.store.problem:
        return max(0.0, PAUSE_YIELDS_AFTER - (time.monotonic() - run.paused_at))
    return _seconds_left(run, slowdown)


def _seconds_left(run: Run, slowdown: float) -> float:
    """Seconds a run needs at most; `slowdown` is the factor of a fully loaded host."""
    config = run.config_now
    steps = config.training.steps - run.step
    expected = estimate(config).seconds / config.training.steps * slowdown
    if run.pace == SLOW_MOTION:
        return steps * len(stage_plan(config)) * STAGE_SECONDS
    return steps * max(expected, 1 / run.pace if run.pace else 0.0)

"""Whose turn it is: the order in which waiting runs begin, and how long each may have to wait."""

import heapq
import math
import time
from collections.abc import Collection
from dataclasses import dataclass

from playground.estimate import estimate
from playground.figures import counted
from playground.host import Host, cores
from playground.runs.backends import Backend
from playground.runs.run import Run
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS
from playground.training.stages import stage_plan

PAUSE_YIELDS_AFTER = 60.0
"""Seconds that a paused run holds its place while others wait."""


@dataclass(frozen=True)
class Place:
    """Where a waiting run stands."""

    position: int  # from 1
    waiting: int  # runs that wait, of everybody
    seconds: float  # until its turn, at most, if nobody stops or adds anything; infinity: nobody can tell
    reason: str  # one sentence


class FairScheduler:
    """The places of a host, given to waiting runs fairly; whoever holds it keeps threads apart."""

    def __init__(self, host: Host, backend: Backend) -> None:
        self.host, self.backend = host, backend
        self._given, self._cores = 0, cores()
        self._served: dict[str, int] = {}  # by owner: when a run of theirs last got a place, as a count

    def order(self, runs: Collection[Run]) -> list[Run]:
        """Waiting runs in the order in which they begin: next is who has fewest at work, then who waited longest.

        Of one owner's runs, those of a sweep come last.
        """
        queues: dict[str, list[Run]] = {}
        for run in runs:
            if run.status == "queued":
                queues.setdefault(run.owner, []).append(run)
        for queue in queues.values():
            queue.sort(key=lambda run: (bool(run.sweep), run.asked))
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
                heapq.heappush(turns, (count + 1, self._given + len(order), queue[0].asked, owner))
        return order

    def next(self, runs: Collection[Run]) -> Run | None:
        """Reserves the run whose turn it is, if there is a place for it."""
        if self.backend.trouble:
            return None
        working = at_work(runs)
        for run in self.order(runs):
            if self._fits(run, working) and run.reserve():
                self._given += 1
                self._served[run.owner] = self._given
                return run
        return None

    def place(self, run: Run, runs: Collection[Run]) -> Place | None:
        """Where a run stands among all that wait; None if it does not wait."""
        waiting, working = self.order(runs), at_work(runs)
        if run not in waiting:
            return None
        limit, places = self.host.workers_per_visitor, self._sweep_places(run)
        own = sum(other.owner == run.owner for other in working)
        sweeping = sum(bool(self._sweep_places(other)) for other in working)
        where = "cluster" if self.backend.slots else "host"
        if self.backend.trouble:
            reason = f"{self.backend.trouble} Runs wait until it responds."
        elif places and sweeping >= places:
            reason = f"Sweeps train {counted(places, 'run')} at once on this {where}, one on each core."
        elif limit and own >= limit:
            are = "is" if own == 1 else "are"
            reason = f"{own} of your own runs {are} at work, and one visitor has {counted(limit, 'place')} here."
        elif self.slots == 1:
            reason = f"The one place of this {where} is taken."
        else:
            reason = f"All {self.slots} places of this {where} are taken."
        seconds = math.inf if self.backend.trouble else self._seconds_until(run, waiting, working)
        return Place(waiting.index(run) + 1, len(waiting), seconds, reason)

    @property
    def slots(self) -> int:
        """Runs that train at once, of all visitors together."""
        return self.backend.slots or self.host.workers

    @property
    def sweep_slots(self) -> int:
        """Runs of one visitor's sweep that train at once at full speed: beyond the cores nothing is gained."""
        return min(self._full_speed, self.host.workers_per_visitor or self._full_speed)

    @property
    def _full_speed(self) -> int:
        """Runs that train at full speed at once: one on each core."""
        return self.backend.slots or min(self._cores, self.host.workers)

    def forget(self, owner: str) -> None:
        """Forgets when an owner was served last."""
        self._served.pop(owner, None)

    def _fits(self, run: Run, working: list[Run]) -> bool:
        """Whether there is a place for a run beside those at work."""
        limit, places = self.host.workers_per_visitor, self._sweep_places(run)
        return (
            len(working) < self.slots
            and (not limit or sum(other.owner == run.owner for other in working) < limit)
            and (not places or sum(bool(self._sweep_places(other)) for other in working) < places)
        )

    def _sweep_places(self, run: Run) -> int:
        """How many runs of its kind train at once: those of sweeps at full speed share the cores; 0: any number."""
        return self._full_speed if run.sweep and run.pace is None else 0

    def _seconds_until(self, run: Run, waiting: list[Run], working: list[Run]) -> float:
        """When a waiting run begins, if every run takes as many steps as it may and nobody adds or stops one.

        Goes from end to end of runs, and gives each place that becomes free as `next` does.
        """
        share = 1.0 if self.backend.slots else max(1.0, (self._sweep_places(run) or self.slots) / self._cores)
        ends = [(_seconds_held(other, share), place, other) for place, other in enumerate(working)]
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
                heapq.heappush(ends, (now + _seconds_left(begun, share), -len(left), begun))


def at_work(runs: Collection[Run]) -> list[Run]:
    """Those that have a worker, or are about to."""
    return [run for run in runs if run.has_worker]


def _seconds_held(run: Run, share: float) -> float:
    """How long a run at work keeps its place at most; a paused one gives it to those who wait."""
    if run.status == "paused" and run.store.folder and not run.store.trouble:
        return max(0.0, PAUSE_YIELDS_AFTER - (time.monotonic() - run.paused_at))
    return _seconds_left(run, share)


def _seconds_left(run: Run, share: float) -> float:
    """How long a run will need at most; `share` is by how much a full host slows one down."""
    config = run.config_now
    steps = config.training.steps - run.step
    expected = estimate(config).seconds / config.training.steps * share
    if run.pace == SLOW_MOTION:
        return steps * len(stage_plan(config)) * STAGE_SECONDS
    return steps * max(expected, 1 / run.pace if run.pace else 0.0)

"""Whose turn it is: the order in which waiting runs begin, and how long each may have to wait."""

import heapq
from collections.abc import Collection
from dataclasses import dataclass

from playground.estimate import estimate
from playground.host import Host, cores
from playground.runs.run import Run
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS, stage_plan


@dataclass(frozen=True)
class Place:
    """Where a waiting run stands."""

    position: int  # from 1
    waiting: int  # runs that wait, of everybody
    seconds: float  # until its turn, at most, if nobody stops or adds anything
    reason: str  # one sentence


class Turns:
    """The places of a host, given to waiting runs fairly; whoever holds it keeps threads apart."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._given = 0
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
        working = at_work(runs)
        if len(working) >= self.host.workers:
            return None
        busy, limit = [run.owner for run in working], self.host.workers_per_visitor
        sweeping = sum(bool(self._sweep_places(run)) for run in working)
        for run in self.order(runs):
            if (places := self._sweep_places(run)) and sweeping >= places:
                continue
            if (not limit or busy.count(run.owner) < limit) and run.reserve():
                self._given += 1
                self._served[run.owner] = self._given
                return run
        return None

    def place(self, run: Run, runs: Collection[Run]) -> Place | None:
        """Where a run stands among all that wait; None if it does not wait."""
        waiting, working = self.order(runs), at_work(runs)
        if run not in waiting:
            return None
        position, limit = waiting.index(run) + 1, self.host.workers_per_visitor
        own = sum(other.owner == run.owner for other in working)
        before = waiting[:position]
        if places := self._sweep_places(run):
            working = [other for other in working if self._sweep_places(other)]
            before = [other for other in before if self._sweep_places(other)]
        if places and len(working) >= places:
            reason = f"Sweeps train {places} runs at once on this host, one on each core."
        elif limit and own >= limit:
            reason = f"{own} of your own runs are at work, and one visitor has {limit} places here."
        else:
            reason = f"All {self.host.workers} places of this host are taken."
        seconds = _seconds_until(before, working, places or self.host.workers)
        return Place(position, len(waiting), seconds, reason)

    def forget(self, owner: str) -> None:
        """Forgets when an owner was served last."""
        self._served.pop(owner, None)

    def _sweep_places(self, run: Run) -> int:
        """How many runs of its kind train at once: those of sweeps at full speed share the cores; 0: any number."""
        return min(cores(), self.host.workers) if run.sweep and run.pace is None else 0


def at_work(runs: Collection[Run]) -> list[Run]:
    """Those that have a worker, or are about to."""
    return [run for run in runs if run.has_worker]


def _seconds_until(waiting: list[Run], working: list[Run], places: int) -> float:
    """When the last of `waiting` begins, if every run takes as many steps as it may."""
    share = max(1.0, places / cores())
    ends = sorted(_seconds_left(run, share) for run in working)[-places:]
    begin = 0.0
    for run in waiting:
        if len(ends) >= places:
            begin = max(begin, heapq.heappop(ends))
        heapq.heappush(ends, begin + _seconds_left(run, share))
    return begin


def _seconds_left(run: Run, share: float) -> float:
    """How long a run will need at most; `share` is by how much a full host slows one down."""
    config = run.config_now
    steps = config.training.steps - run.step
    expected = estimate(config).seconds / config.training.steps * share
    if run.pace == SLOW_MOTION:
        return steps * len(stage_plan(config)) * STAGE_SECONDS
    return steps * max(expected, 1 / run.pace if run.pace else 0.0)

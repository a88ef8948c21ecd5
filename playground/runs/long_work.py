"""Slots for long work besides trainings: measurements, exports and replays, fair between visitors."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Self

from playground.common.numbers import counted, duration
from playground.settings.host import Host

SHORT_SECONDS = 30.0
"""Estimated seconds of computing up to which work is short."""


class LongWork:
    """Assigns slots to work: the visitor with the least active work is next, then the one with the least used time.

    The processes of active work share the cores; those of work that isn't short have the lowest priority.
    """

    def __init__(self, host: Host, clock: Callable[[], float] = time.monotonic) -> None:
        self.host, self._clock = host, clock
        self._waiting: list[Slot] = []  # in order of request
        self._active: dict[Slot, float] = {}  # time at which it became active
        self._used: defaultdict[str, float] = defaultdict(float)  # visitor -> seconds in a slot, of ended work
        self._lock = threading.Lock()

    @property
    def slots(self) -> int:
        """Slots for any work, of all visitors; as many more are for short work alone, which never waits for long."""
        return max(1, self.host.workers // 2)

    def refusal(self, seconds: float) -> str:
        """The reason why the host rejects work that computes so long by estimate; empty if it accepts it."""
        minutes = self.host.run_minutes
        if not minutes or seconds <= minutes * 60:
            return ""
        return (
            f"This needs about {duration(seconds)} of computing time. The limit here is {counted(minutes, 'minute')}. "
            "Use a smaller model."
        )

    def ask(self, visitor: str, seconds: float) -> "Slot":
        """Request a slot for work with this estimated time of computing; `Slot.end` gives it back."""
        slot = Slot(self, visitor, seconds <= SHORT_SECONDS)
        with self._lock:
            self._waiting.append(slot)
            self._assign()
        return slot

    def _assign(self) -> None:
        busy, now = Counter(slot.visitor for slot in self._active), self._clock()
        used = self._used.copy()
        for slot, since in self._active.items():
            used[slot.visitor] += now - since
        while ready := [slot for slot in self._waiting if self._fits(slot)]:
            slot = min(ready, key=lambda slot: (busy[slot.visitor], used[slot.visitor]))
            busy[slot.visitor] += 1
            self._waiting.remove(slot)
            self._active[slot] = now
            slot.began.set()

    def _fits(self, slot: "Slot") -> bool:
        short = sum(active.short for active in self._active)
        others = len(self._active) - min(short, self.slots)
        return others < self.slots or (slot.short and short < self.slots)

    def _end(self, slot: "Slot") -> None:
        with self._lock:
            if slot in self._waiting:
                self._waiting.remove(slot)
            elif slot in self._active:
                self._used[slot.visitor] += self._clock() - self._active.pop(slot)
            if not (self._waiting or self._active):
                self._used.clear()  # nobody is left to be fair to
            self._assign()


class Slot:
    """A place for one piece of work, waiting or active. As a context manager it ends with the block."""

    def __init__(self, work: LongWork, visitor: str, short: bool) -> None:
        self.visitor, self.short = visitor, short
        self.began = threading.Event()
        self._work = work

    @property
    def active(self) -> bool:
        """True if it no longer waits; remains true after its end."""
        return self.began.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is active; False after `seconds`."""
        return self.began.wait(seconds)

    def end(self) -> None:
        """Give it back, or stop waiting."""
        self._work._end(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

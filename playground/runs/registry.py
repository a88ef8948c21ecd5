"""All runs of a host: who owns which, who may start next, and what happens to those that nobody looks at."""

import logging
import math
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playground.config import Change, RunConfig
from playground.errors import PlaygroundError
from playground.estimate import estimate
from playground.figures import counted
from playground.host import Host
from playground.runs import disk as disks
from playground.runs import fair_scheduler
from playground.runs.backends import Backend, backend_of
from playground.runs.disk import SEEN, Disk, FolderLock, Owner
from playground.runs.keeping import HIDDEN, RunFolder
from playground.runs.metadata import COLOURS, Device, new_name, new_sweep_name
from playground.runs.replays import Replay, Replays
from playground.runs.run import STOP_SECONDS, Run
from playground.runs.snapshots import SMALL_BYTES, replayed, weights
from playground.task_model import TaskModel

KEPT_RUNS = 48
"""Ended runs of one visitor that are kept."""

KEPT_DISK_BYTES = 1_000_000_000
"""Room for them on disk; a run of the largest model takes about 80 MB, a usual one less than 2."""

FULLY_KEPT_RUNS = 8
"""Of those, the newest that keep in memory all they have room for; the others keep little there."""

KEPT_SWEEPS = 2
"""Sweeps of one visitor that are kept, each whole and beside those runs; little is kept in memory of each run."""

KEPT_BYTES = 400_000_000
"""Room in memory for the snapshots of runs without a process, of all visitors together."""

AWAY_AFTER = 30 * 60.0
"""Seconds after which a visitor's runs leave the memory; the disk still has them."""

RESTORABLE_SECONDS = 600.0
"""For how long a deleted run can be brought back."""

HANDOVER_SECONDS = 5.0
"""How long a server that starts waits for another one to let go of the folder: it may be about to end."""

_log = logging.getLogger(__name__)
_EXPIRE_EVERY = 600.0  # seconds


class RunError(PlaygroundError):
    """A run that cannot be started."""


@dataclass
class _Visitor:
    runs: dict[str, Run] = field(default_factory=dict)  # by id, oldest first
    current: str = ""  # id of the run that is looked at
    deleted: dict[str, tuple[Run, float]] = field(default_factory=dict)  # by id, and when


class Runs:
    """The runs of every visitor; `owner` is a visitor's key, safe as the name of a folder."""

    def __init__(self, host: Host, backend: Backend | None = None) -> None:
        """`backend` is where they train; None: the one that the host names."""
        self.host, self.backend = host, backend or backend_of(host)
        self.on_change: Callable[[str], None] = lambda _owner: None
        """Called with an owner whose list of runs has changed; in any thread, and briefly."""
        self._visitors: dict[str, _Visitor] = {}
        self._replays = Replays(host.run_mb, backend=self.backend)
        self._closing = False
        self.folder_owner: Owner | None = None
        """The other server that owns the runs in the folder of this host; None: this one does."""
        self._place, self._folder_lock = host.private_folder, FolderLock(host.private_folder / "server.lock")
        self._owners: dict[str, str] | None = None  # by run id, of the runs on disk and in memory; None: not known
        self._scheduler = fair_scheduler.FairScheduler(host, self.backend)
        self._lock = threading.RLock()
        self.disk = Disk(host.private_folder, host.disk_mb * 1_000_000)
        self._expired, self._clocks = -math.inf, time.time() - _seconds_since_boot()

    def claim(self, wait: float = HANDOVER_SECONDS) -> None:
        """Makes this process the one that owns the runs in the host's folder, before any of them is asked for.

        If another server owns them after `wait` seconds, `folder_owner` says so: those runs are left to it, and runs
        that start here are kept in a temporary folder, until `close`.
        """
        try:
            self.folder_owner = self._folder_lock.acquire(wait)
        except OSError as error:
            _log.warning("The folder %s cannot be locked (%s). Use it with one server.", self._place, error)
        if self.folder_owner is not None:
            self._place = Path(tempfile.mkdtemp(prefix="playground-runs-"))

    def open(self) -> None:
        """Gets the backend ready, before the first run needs it."""
        self.backend.open(self._begin_runs)

    def start(
        self,
        owner: str,
        config: RunConfig,
        pace: float | None = None,
        *,
        paused: bool = False,
        checkpoint: tuple[str, TaskModel] | None = None,
        changes: Sequence[Change] = (),
        device: Device = "cpu",
    ) -> Run:
        """Makes a run the owner's current one; it begins at once or waits for its turn, and makes `changes` on the way.

        With a `checkpoint`, its name and its model of the same shapes, step 0 has the weights of that model, and the
        optimiser begins anew. Raises `RunError` if the run would need more than the host gives, or the owner has too
        many under way.
        """
        if refused := self.refusal(config):
            raise RunError(refused)
        if device == "cuda" and not self.backend.has_gpu:
            raise RunError("There is no GPU where runs train.", "Train on the CPU.")
        with self._lock:
            self._refuse_too_many(owner, 1)
            begun = (checkpoint[0], weights(checkpoint[1])) if checkpoint else ("", b"")
            run = Run(config, pace, paused=paused, begun=begun, device=device, **self._options(owner))
            run.store.set(changes=tuple(changes))
            self._add(run)
            self._visitor(owner).current = run.id
        self._begin_runs()
        return run

    def start_many(
        self, owner: str, configs: Sequence[RunConfig], pace: float | None = None, *, sweep: str
    ) -> list[Run]:
        """Lets the runs of a sweep wait for their turns in this order, all of them or none; little is kept of each.

        `run.sweep` is the name of the sweep, with a number where the owner has one of this name. Those at full speed
        train on as many cores as there are, and runs started one by one go before them. Raises `RunError` as `start`.
        """
        if refused := next(filter(None, map(self.refusal, configs)), ""):
            raise RunError(refused)
        with self._lock:
            self._refuse_too_many(owner, len(configs))
            name = new_sweep_name(sweep, {run.sweep for run in self._visitor(owner).runs.values()})
            runs = []
            for config in configs:
                runs.append(Run(config, pace, sweep=name, room=SMALL_BYTES, **self._options(owner)))
                self._add(runs[-1])
        self._begin_runs()
        return runs

    def stop_all(self, owner: str, sweep: str | None = None) -> list[Run]:
        """Stops what an owner has under way or waiting, or one sweep of theirs; returns these runs, stopped.

        Waits until their workers are gone, which takes a second at most: a worker that is in the middle of a long step
        is ended there. What was learned until then stays.
        """
        with self._lock:
            runs = [run for run in self._visitor(owner).runs.values() if not run.ended and sweep in (None, run.sweep)]
            for run in runs:
                if not run.has_worker:
                    run.stop()  # first of all, so that none of them takes the place of one that ends
        for run in runs:
            run.stop()
        _gone(runs, STOP_SECONDS + 2)
        return runs

    def branch(
        self,
        owner: str,
        run: Run,
        step: int,
        settings: Mapping[str, Any] | None = None,
        *,
        pace: float | None = None,
        paused: bool = False,
    ) -> Run:
        """A run of the owner's that goes on from any step that any run has taken; it becomes their current one.

        With `settings`, of those that a run can change (`config.LIVE`), it continues with what the run had at that step
        and these, without the run's later changes. With None it repeats the run bit for bit, later changes included.
        Raises `RunError` as `start` does, for a step that was not taken, and for other settings.
        """
        try:
            branch = Run.branch(run, step, settings, pace, paused=paused, **self._options(owner))
        except ValueError as error:
            raise RunError(str(error)) from error
        with self._lock:
            self._refuse_too_many(owner, 1)
            self._add(branch)
            self._visitor(owner).current = branch.id
        self._begin_runs()
        return branch

    def of(self, owner: str) -> list[Run]:
        """All runs of this owner, newest first."""
        with self._lock:
            return list(reversed(self._visitor(owner).runs.values()))

    def current(self, owner: str) -> Run | None:
        """The run this owner started or chose last; looking at it is what keeps it going."""
        with self._lock:
            visitor = self._visitor(owner)
            run = visitor.runs.get(visitor.current)
        if run is not None:
            run.look()
        return run

    def owned(self, owner: str, run_id: str) -> Run | None:
        """The run with this id, if it is this owner's."""
        with self._lock:
            return self._visitor(owner).runs.get(run_id)

    def choose(self, owner: str, run_id: str) -> None:
        """Makes a run the owner's current one, if it is theirs."""
        with self._lock:
            visitor = self._visitor(owner)
            if run_id in visitor.runs:
                visitor.current = run_id

    def watched(self, run_id: str) -> Run | None:
        """The run with this id, whoever owns it: knowing the id is the right to watch.

        Looks through the disk once; after that an id that nobody has costs nothing.
        """
        with self._lock:
            if self._owners is None:
                folders = {
                    path.name: owner.name for owner in _folders(self._place) for path in _folders(owner / "runs")
                }
                self._owners = folders | {run.id: run.owner for run in self._all()}
            owner = self._owners.get(run_id)
            run = None if owner is None else self._visitor(owner).runs.get(run_id)
        if run is not None:
            run.look()
        return run

    def replay(self, visitor: str, run: Run, step: int) -> Replay:
        """The way to a step of any run for who looks at it; see `Replays.ask`."""
        return self._replays.ask(visitor, run, step)

    def forget(self, owner: str, run: Run) -> None:
        """Drops an ended run, on disk too."""
        with self._lock:
            visitor = self._visitor(owner)
            if run.ended and run.id in visitor.runs:
                del visitor.runs[run.id]
                self.on_change(owner)
                replayed.forget(run.id)
                if run.store.folder:
                    run.store.folder.delete()
                if visitor.current == run.id:
                    visitor.current = next(reversed(visitor.runs), "")

    def delete(self, owner: str, run: Run) -> None:
        """Takes an ended run out of its owner's; for `RESTORABLE_SECONDS` `restore` brings it back."""
        with self._lock:
            visitor = self._visitor(owner)
            if run.ended and run.id in visitor.runs:
                del visitor.runs[run.id]
                self.on_change(owner)
                visitor.deleted[run.id] = (run, time.monotonic())
                if run.store.folder:
                    with suppress(OSError):  # at the worst it is back after a new start
                        run.store.folder.hide()
                if visitor.current == run.id:
                    visitor.current = next(reversed(visitor.runs), "")

    def deleted(self, owner: str) -> list[Run]:
        """Runs of this owner that can be brought back, the last one that was deleted first."""
        with self._lock:
            self._purge(time.monotonic())
            return [run for run, _ in reversed(self._visitor(owner).deleted.values())]

    def restore(self, owner: str, run: Run) -> None:
        """Brings a deleted run back to its place among its owner's, if it is still there."""
        with self._lock:
            visitor = self._visitor(owner)
            if visitor.deleted.pop(run.id, None):
                if run.store.folder:
                    with suppress(OSError):
                        run.store.folder.show()
                kept = sorted([*visitor.runs.values(), run], key=lambda each: each.started)
                visitor.runs = {each.id: each for each in kept}
                self.on_change(owner)

    def _purge(self, now: float) -> None:
        """Lets go for good what was deleted long ago."""
        for visitor in self._visitors.values():
            for run, when in list(visitor.deleted.values()):
                if now - when > RESTORABLE_SECONDS:
                    del visitor.deleted[run.id]
                    replayed.forget(run.id)
                    if run.store.folder:
                        run.store.folder.delete()

    def make_room(self, owner: str, needed: int = 0) -> str:
        """Why `needed` bytes more of an owner's do not fit on the host's disk; empty if they do, and then they count.

        Where the disk is full, what is kept for visitors who were away longest is deleted: never for those who were
        here a moment ago or have a run under way.
        """
        self._expire_oldest(needed, owner)
        if self.disk.lacks(needed):
            return (
                "This host's disk is full. Delete what you don't need, or try again in "
                f"{disks.SPARED_SECONDS / 60:.0f} minutes."
            )
        self.disk.grows(owner, needed)
        return ""

    def _expire_oldest(self, needed: int = 0, spared: str = "") -> None:
        """Deletes what is kept for visitors who are away until `needed` bytes fit on the disk."""
        if self.folder_owner is not None or not (over := self.disk.lacks(needed)) or not self._clock_is_right():
            return
        until = self.disk.used - over
        for visitor in self.disk.away():
            if self.disk.used <= until:
                return
            if visitor != spared:
                self._expire_now(visitor)

    def _expire_now(self, owner: str) -> None:
        """Deletes what is kept for an owner who is not here."""
        with self._lock:
            runs = list(self._visitors[owner].runs.values()) if owner in self._visitors else []
            since = time.monotonic() - disks.SPARED_SECONDS
            if any(run.has_worker or run.status in ("queued", "running") or run.seen > since for run in runs):
                return
            try:
                gone = self.disk.take_out(owner)
            except OSError:
                return
            self._visitors.pop(owner, None)
            self._scheduler.forget(owner)
        for run in runs:
            replayed.forget(run.id)
        disks.delete(gone)  # outside the lock: it may take long

    def place(self, run: Run) -> fair_scheduler.Place | None:
        """Where a waiting run stands; None if it does not wait."""
        with self._lock:
            return self._scheduler.place(run, list(self._all()))

    @property
    def sweep_slots(self) -> int:
        """Runs of one visitor's sweep that train at once at full speed."""
        return self._scheduler.sweep_slots

    def tick(self) -> None:
        """What the host does from time to time: rest runs nobody looks at, let go what is not needed."""
        now, idle = time.monotonic(), self.host.idle_minutes * 60
        minutes = counted(self.host.idle_minutes, "minute")
        with self._lock:
            runs = list(self._all())
            anyone_waits = any(run.status == "queued" for run in runs)
            looked = {
                owner: max((run.seen for run in visitor.runs.values()), default=0.0)
                for owner, visitor in self._visitors.items()
            }
        for run in runs:
            # Nobody looks at each run of a sweep: it goes on as long as its owner is here.
            seen = looked.get(run.owner, run.seen) if run.sweep else run.seen
            run.store.describe_again()
            if idle and run.status == "running" and now - seen > idle:
                run.pause()
                run.notice = f"Paused, because nobody had looked for {minutes}."
            if run.status == "paused" and run.has_worker and run.store.folder and not run.store.trouble:
                rested = now - max(run.paused_at, seen)
                if anyone_waits and now - run.paused_at > fair_scheduler.PAUSE_YIELDS_AFTER:
                    run.suspend()
                    run.notice = "Its place went to others who wait; nothing is lost, and Resume asks for a new one."
                elif idle and rested > idle:
                    run.suspend()
                    run.notice = (
                        f"Nobody had looked for {minutes}, so its process was freed; nothing "
                        "is lost, and Resume goes on where it was."
                    )
        self._begin_runs()
        with self._lock:
            self._purge(now)
        self._let_go(now)
        if now - self._expired > _EXPIRE_EVERY:
            self._expired = now
            self._expire()
        self.disk.look()
        self._expire_oldest()

    def close(self) -> None:
        """Keeps every run where it is and ends all workers."""
        self._replays.close()
        with self._lock:
            self._closing = True  # places that become free now are nobody's
            runs = [run for run in self._all() if run.has_worker]
        for run in runs:
            run.suspend() if run.store.folder else run.stop()
        until = time.monotonic() + 2
        for run in runs:
            run.join(max(0.0, until - time.monotonic()))
        self.backend.close()
        if self.folder_owner is not None:
            shutil.rmtree(self._place, ignore_errors=True)
        self._folder_lock.release()

    def refusal(self, config: RunConfig) -> str:
        """Why the host does not take a run with these settings; empty if it does."""
        needs, host = estimate(config), self.host
        if host.run_mb and needs.megabytes > host.run_mb:
            return (
                f"This run would need about {needs.megabytes:,.0f} MB of memory, and a run may take {host.run_mb:,} MB "
                "here; lower batch_size, max_length, n_layers or d_model."
            )
        if host.run_minutes and needs.seconds > host.run_minutes * 60:
            return (
                f"This run would compute for about {needs.seconds / 60:,.0f} minutes, and a run may take "
                f"{host.run_minutes} here; lower steps, batch_size or the size of the model."
            )
        return ""

    def _refuse_too_many(self, owner: str, more: int) -> None:
        """Raises `RunError` if the owner may not have so many runs more under way, or nothing more can be kept."""
        if full := self.make_room(owner):
            raise RunError(full)
        under_way, most = sum(not run.ended for run in self._visitor(owner).runs.values()), self.host.runs_per_visitor
        if most and under_way + more > most:
            if more > 1:
                raise RunError(
                    f"This sweep is {more} runs, {under_way} of yours are under way, paused or waiting, and {most} is "
                    "all that one visitor may have here; take fewer values or seeds, or stop some first."
                )
            raise RunError(
                f"{under_way} of your runs are under way, paused or waiting, and {most} is all that one "
                "visitor may have here; stop one first."
            )

    def _options(self, owner: str) -> dict[str, Any]:
        """What every new run of an owner is given: a free name, a colour that their newest runs do not have, limits."""
        with self._lock:
            runs = list(self._visitor(owner).runs.values())
        newest = [run.colour for run in runs[1 - COLOURS :]]
        free = [colour for colour in range(COLOURS) if colour not in newest]
        return self._limits(owner) | {"name": new_name({run.name for run in runs}), "colour": free[0]}

    def _limits(self, owner: str) -> dict[str, Any]:
        return {
            "owner": owner,
            "memory_mb": self.host.run_mb,
            "backend": self.backend,
            "on_change": self._begin_runs,
            "refusal": self.refusal,
            "taken": lambda: {run.name for run in self.of(owner)},
        }

    def _add(self, run: Run) -> None:
        """Gives a run to its owner, and forgets the oldest ended ones; a sweep is kept whole or, ended, not at all."""
        visitor = self._visitor(run.owner)
        run.store.keep_in(self._folder(run.owner))
        visitor.runs[run.id] = run
        if self._owners is not None:
            self._owners[run.id] = run.owner
        self.on_change(run.owner)
        runs = list(visitor.runs.values())
        kept_sweeps = list(dict.fromkeys(kept.sweep for kept in runs if kept.sweep))[-KEPT_SWEEPS:]
        past, room = [kept for kept in runs if kept.sweep and kept.sweep not in kept_sweeps], KEPT_DISK_BYTES
        single = [kept for kept in reversed(runs) if kept.ended and not kept.sweep]
        for place, kept in enumerate(single):
            room -= kept.store.folder.nbytes if kept.store.folder else 0
            if place >= KEPT_RUNS or (place and room < 0):
                past.append(kept)
        for old in past:
            self.forget(run.owner, old)

    def _begin_runs(self) -> None:
        """Gives free places to waiting runs, fairly."""
        while run := self._next():
            run.launch()  # outside the lock: nobody else shall wait for that

    def _next(self) -> Run | None:
        """Reserves the run whose turn it is, if there is a place for it."""
        with self._lock:
            return None if self._closing else self._scheduler.next(list(self._all()))

    def _let_go(self, now: float) -> None:
        """Forgets visitors who are away, and the least looked at when memory runs short; their folders stay."""
        with self._lock:
            resting = {
                owner: max((run.seen for run in visitor.runs.values()), default=0.0)
                for owner, visitor in self._visitors.items()
                if all(run.ended or (run.status == "paused" and not run.has_worker) for run in visitor.runs.values())
                and all(run.store.folder and not run.store.trouble for run in visitor.runs.values())
            }
            for visitor in self._visitors.values():
                ended = [run for run in visitor.runs.values() if run.ended]
                single = [run for run in ended if not run.sweep]
                for run in [*single[:-FULLY_KEPT_RUNS], *(run for run in ended if run.sweep)]:
                    run.store.keep_little()
            size = sum(run.store.nbytes for run in self._all())
            for owner, seen in sorted(resting.items(), key=lambda item: item[1]):
                if now - seen > AWAY_AFTER or size > KEPT_BYTES:
                    size -= sum(run.store.nbytes for run in self._visitors.pop(owner).runs.values())
                    self._scheduler.forget(owner)

    def _expire(self) -> None:
        """Deletes what is kept for visitors who have not come back; never when the clock of the machine was set."""
        if not (self._clock_is_right() and self.host.expiry_days):
            return
        before = time.time() - self.host.expiry_days * 86400
        for folder in _folders(self.host.private_folder):
            with self._lock, suppress(OSError):
                seen = folder / SEEN
                if folder.name in self._visitors:
                    seen.touch()  # a visit may last for days
                elif self.folder_owner is None and (seen if seen.exists() else folder).stat().st_mtime < before:
                    shutil.rmtree(folder)
        with self._lock:
            self._owners = None  # what has gone is not found any more

    def _clock_is_right(self) -> bool:
        """Whether the clock of the machine was not set since the start."""
        return abs(time.time() - _seconds_since_boot() - self._clocks) <= 3600

    def _visitor(self, owner: str) -> _Visitor:
        if owner not in self._visitors:
            visitor = self._visitors[owner] = _Visitor()
            found = []
            for path in _folders(self._folder(owner)):
                if path.name.startswith(HIDDEN):
                    shutil.rmtree(path, ignore_errors=True)  # deleted before the server was started anew
                    continue
                with suppress(FileNotFoundError):
                    found.append(Run.restored(RunFolder(path), **self._limits(owner)))
            for run in sorted(found, key=lambda run: run.started):
                visitor.runs[run.id] = run
                if not (run.store.unreadable and visitor.current):
                    visitor.current = run.id
            with suppress(OSError):
                (self.host.private_folder / owner / SEEN).touch()  # where nothing is kept there is nothing to expire
        return self._visitors[owner]

    def _folder(self, owner: str) -> Path:
        return self._place / owner / "runs"

    def _all(self) -> Iterator[Run]:
        for visitor in self._visitors.values():
            yield from visitor.runs.values()


def _seconds_since_boot() -> float:
    """With the time that the machine slept, which Linux leaves out of `time.monotonic`."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def _gone(runs: Sequence[Run], seconds: float) -> bool:
    """Waits for the end of runs and of their processes."""
    until = time.monotonic() + seconds
    while any(run.has_worker or not run.ended for run in runs):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def _folders(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            return [Path(entry.path) for entry in entries if _is_folder(entry)]
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False

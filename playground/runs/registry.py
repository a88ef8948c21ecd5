"""All runs of a host: ownership, scheduling, and what happens to runs that nobody views."""

import math
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from playground.common.errors import PlaygroundError
from playground.common.numbers import counted
from playground.model.task_model import TaskModel
from playground.processes import Limits
from playground.runs import fair_scheduler
from playground.runs.backends import Backend, backend_of
from playground.runs.keeping import HIDDEN, RunFolder
from playground.runs.long_work import LongWork
from playground.runs.metadata import COLOURS, MAX_TEXT_LENGTH, Device, Hunt, RunMetadata, new_name, numbered_name
from playground.runs.replays import Replays
from playground.runs.run import STOP_SECONDS, Run, RunHost
from playground.runs.snapshots import SMALL_BYTES, replayed, weights
from playground.runs.visitor_data import PROTECTED_SECONDS, VisitorData, subfolders
from playground.settings.config import Change, RunConfig
from playground.settings.estimate import estimate
from playground.settings.host import Host
from playground.training import Recipe

MAX_RUNS = 48
"""Ended runs kept per visitor."""

MAX_DISK_BYTES = 1_000_000_000
"""Disk space for them. A run of the largest model takes about 80 MB, a typical one less than 2."""

MAX_FULL_RUNS = 8
"""The newest of them keep everything in memory; the others keep little."""

MAX_SWEEPS = 2
"""Sweeps kept per visitor, each as a whole and in addition to those runs. Each of their runs keeps little in memory."""

MAX_MEMORY_BYTES = 400_000_000
"""Memory for the data of runs of all visitors."""

MAX_ABSENT_BYTES = 20_000_000
"""The same while one of them has been away for `ABSENT_SECONDS`."""

ABSENT_SECONDS = 30.0
"""Seconds after a visitor's last view until their runs give way to those of visitors who are there."""

UNLOAD_SECONDS = 30 * 60.0
"""Seconds after a visitor's last view until their runs are unloaded from memory; they stay on disk."""

RESTORABLE_SECONDS = 600.0
"""Seconds in which a deleted run can be restored."""

_EXPIRE_EVERY = 600.0  # seconds


class RunError(PlaygroundError):
    """A run that cannot be started."""


@dataclass
class _Visitor:
    runs: dict[str, Run] = field(default_factory=dict)  # by id, oldest first
    current: str = ""  # id of the selected run
    deleted: dict[str, tuple[Run, float]] = field(default_factory=dict)  # id -> run, time of deletion

    @property
    def seen(self) -> float:
        """When one of the runs was viewed last."""
        return max((run.seen for run in self.runs.values()), default=0.0)

    def take(self, runs: Iterable[Run]) -> None:
        """Have these runs, in order of their start."""
        self.runs = {run.id: run for run in sorted(runs, key=lambda run: run.metadata.started)}


class Runs:
    """The runs of all visitors; `owner` is a visitor's key, safe as a folder name."""

    def __init__(self, host: Host, backend: Backend | None = None, recipes: Mapping[str, Recipe] | None = None) -> None:
        """`backend` is where they train; None: as the host's settings say. `recipes` are the pitfalls by name."""
        self.recipes = recipes or {}
        self.host, self.backend = host, backend or backend_of(host)
        self.on_change: Callable[[str], None] = lambda _owner: None
        """Called with an owner whose list of runs has changed, in any thread; must not block."""
        self.on_start: Callable[[Run], None] = lambda _run: None
        """Called with each new run of an owner, in any thread; must not block."""
        self.limit: Callable[[str, RunConfig], str] = lambda _owner, _config: ""
        """Why an owner may not train with these settings, besides the host's own limits; empty: they may."""
        self._visitors: dict[str, _Visitor] = {}
        self.long_work = LongWork(host)
        """Slots for measurements, exports and replays."""
        self.replays = Replays(self.long_work, Limits(host.run_mb, 60 * host.run_minutes), self.backend)
        self._closing = False
        self._owners: dict[str, str] | None = None  # run id -> owner, on disk and in memory; None: unknown
        self.scheduler = fair_scheduler.FairScheduler(host, self.backend)
        self._lock = threading.RLock()
        self.data, self._expired = VisitorData(host), -math.inf

    def open(self) -> None:
        """Prepare the backend before the first run."""
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
        name: str = "",
        pitfall: str = "",
        hunt: Hunt | None = None,
    ) -> Run:
        """Start a run, or queue it, and select it as the owner's current one; it makes `changes` at their steps.

        `checkpoint` is a name and a model of the same shapes, whose weights become those of step 0; the optimizer
        starts fresh. `name` is numbered if it is taken. `pitfall` is a name of `recipes`; a `hunt` hides it.
        Raises `RunError` if the run exceeds the limits of the host or the owner has too many active runs.
        """
        if refused := self.refusal(config, owner):
            raise RunError(refused)
        if device == "cuda" and not self.backend.has_gpu:
            raise RunError("No GPU is available for training.", "Train on the CPU.")
        with self._lock:
            self._refuse_too_many(owner, 1)
            begun_from, model = checkpoint or ("", None)
            metadata = RunMetadata(
                **self._name_and_colour(owner, name),
                config=config,
                pace=pace,
                changes=tuple(changes),
                begun_from=begun_from,
                device=device,
                pitfall=pitfall,
                hunt=hunt,
            )
            initial_weights = weights(model) if model else b""
            run = Run(metadata, paused=paused, initial_weights=initial_weights, owner=owner, host=self._run_host(owner))
            self._add(run)
            self._visitor(owner).current = run.id
        self._begin_runs()
        return run

    def start_many(
        self, owner: str, configs: Sequence[RunConfig], pace: float | None = None, *, sweep: str
    ) -> list[Run]:
        """Queue the runs of a sweep in this order, all or none; each keeps little in memory.

        `metadata.sweep` is the name of the sweep, numbered if the owner already has one of this name. At full speed
        they use at most one worker per core, and single runs go before them. Raises `RunError` as `start` does.
        """
        if refused := next(filter(None, (self.refusal(config, owner) for config in configs)), ""):
            raise RunError(refused)
        with self._lock:
            self._refuse_too_many(owner, len(configs))
            taken = {run.metadata.sweep for run in self._visitor(owner).runs.values()}
            name = numbered_name(sweep, taken, MAX_TEXT_LENGTH)
            runs = []
            for config in configs:
                metadata = RunMetadata(**self._name_and_colour(owner), config=config, pace=pace, sweep=name)
                runs.append(Run(metadata, max_bytes=SMALL_BYTES, owner=owner, host=self._run_host(owner)))
                self._add(runs[-1])
        self._begin_runs()
        return runs

    def stop_all(self, owner: str, sweep: str | None = None) -> list[Run]:
        """Stop all active and waiting runs of an owner, or of one sweep of theirs; return the stopped runs.

        Waits until their workers have ended, about a second at most: a worker in a long step is killed. What the runs
        have reported so far is kept.
        """
        with self._lock:
            runs = [
                run
                for run in self._visitor(owner).runs.values()
                if not run.ended and sweep in (None, run.metadata.sweep)
            ]
            for run in runs:
                if not run.has_worker:
                    run.stop()  # first, so that none of them takes a freed worker slot
        for run in runs:
            run.stop()
        _wait_for_end(runs, STOP_SECONDS + 2)
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
        """Start a run that continues from any step of any run; it becomes the owner's current one.

        With `settings`, of those that a run can change (`config.LIVE`), it continues with what the run had at that step
        and these, without the run's later changes. With None it repeats the run bit for bit, later changes included.
        Raises `RunError` as `start` does, for a step that was not taken, and for other settings.
        """
        try:
            named = self._name_and_colour(owner)
            branch = run.branch(step, settings, owner, self._run_host(owner), paused=paused, pace=pace, **named)
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
        """The run this owner started or selected last. Marks it as seen, which keeps it from being paused."""
        with self._lock:
            visitor = self._visitor(owner)
            run = visitor.runs.get(visitor.current)
        if run is not None:
            run.mark_seen()
        return run

    def owned(self, owner: str, run_id: str) -> Run | None:
        """The run with this id, if it is this owner's."""
        with self._lock:
            return self._visitor(owner).runs.get(run_id)

    def choose(self, owner: str, run_id: str) -> None:
        """Select a run as the owner's current one, if it is theirs."""
        with self._lock:
            visitor = self._visitor(owner)
            if run_id in visitor.runs:
                visitor.current = run_id

    def watched(self, run_id: str) -> Run | None:
        """The run with this id, whoever owns it: whoever knows the id may watch the run.

        Scans the disk once; unknown ids are cheap after that.
        """
        with self._lock:
            if self._owners is None:
                folders = {
                    path.name: owner.name for owner in subfolders(self.data.root) for path in subfolders(owner / "runs")
                }
                self._owners = folders | {run.id: run.owner for run in self._all()}
            owner = self._owners.get(run_id)
            run = None if owner is None else self._visitor(owner).runs.get(run_id)
        if run is not None:
            run.mark_seen()
        return run

    def rename(self, run: Run, name: str) -> None:
        """Rename a run; raises ValueError for a name that is empty, too long or that another run of its owner has."""
        run.rename(name, [other.metadata.name for other in self.of(run.owner) if other is not run])

    def forget(self, owner: str, run: Run) -> None:
        """Delete an ended run for good, also from disk."""
        with self._lock:
            if self._take_out(owner, run):
                run.store.delete()

    def delete(self, owner: str, run: Run) -> None:
        """Delete an ended run; `restore` brings it back within `RESTORABLE_SECONDS`."""
        with self._lock:
            if self._take_out(owner, run):
                self._visitor(owner).deleted[run.id] = (run, time.monotonic())
                if run.store.folder:
                    with suppress(OSError):  # at worst it is back after a restart
                        run.store.folder.hide()

    def _take_out(self, owner: str, run: Run) -> bool:
        """Take an ended run out of its owner's list; False if it has not ended or isn't there."""
        visitor = self._visitor(owner)
        if not run.ended or visitor.runs.pop(run.id, None) is None:
            return False
        if visitor.current == run.id:
            visitor.current = next(reversed(visitor.runs), "")
        self.on_change(owner)
        return True

    def deleted(self, owner: str) -> list[Run]:
        """This owner's deleted runs that can be restored, last deleted first."""
        with self._lock:
            self._purge(time.monotonic())
            return [run for run, _ in reversed(self._visitor(owner).deleted.values())]

    def restore(self, owner: str, run: Run) -> None:
        """Restore a deleted run at its position in the owner's list, if it still exists."""
        with self._lock:
            visitor = self._visitor(owner)
            if visitor.deleted.pop(run.id, None):
                if run.store.folder:
                    with suppress(OSError):
                        run.store.folder.show()
                visitor.take([*visitor.runs.values(), run])
                self.on_change(owner)

    def _purge(self, now: float) -> None:
        """Delete for good what can no longer be restored."""
        for visitor in self._visitors.values():
            for run, when in list(visitor.deleted.values()):
                if now - when > RESTORABLE_SECONDS:
                    del visitor.deleted[run.id]
                    run.store.delete()

    def reserve_space(self, owner: str, needed: int = 0) -> str:
        """Reserve `needed` bytes of the host's disk for an owner; return why that fails, or an empty string.

        If the disk is full, deletes the data of the visitors away longest.
        """
        self._delete_data(self.data.to_free(needed, keep=owner))
        return self.data.reserve(owner, needed)

    def _delete_data(self, owners: Iterable[str]) -> None:
        """Delete the data of absent owners, but of nobody who has an active run or has just viewed one."""
        for owner in owners:
            with self._lock:
                runs = list(self._visitors[owner].runs.values()) if owner in self._visitors else []
                since = time.monotonic() - PROTECTED_SECONDS
                if any(run.has_worker or run.status in ("queued", "running") or run.seen > since for run in runs):
                    continue
                try:
                    removed = self.data.take_away(owner)
                except OSError:
                    continue
                self._visitors.pop(owner, None)
                self.scheduler.forget(owner)
                self._owners = None
            for run in runs:
                replayed.forget(run.id)
            shutil.rmtree(removed, ignore_errors=True)  # outside the lock: it may take long

    def queue_position(self, run: Run) -> fair_scheduler.QueuePosition | None:
        """The queue position of a run; None if it does not wait."""
        with self._lock:
            return self.scheduler.queue_position(run, list(self._all()))

    def queue(self) -> list[str]:
        """Ids of all waiting runs, in the order in which they start."""
        with self._lock:
            return [run.id for run in self.scheduler.order(list(self._all()))]

    def is_loaded(self, owner: str) -> bool:
        """True if this owner's runs are in memory."""
        with self._lock:
            return owner in self._visitors

    def tick(self) -> None:
        """Do the periodic work: pause and suspend runs nobody views, start waiting ones, free memory and disk."""
        now, idle = time.monotonic(), self.host.idle_minutes * 60
        minutes = counted(self.host.idle_minutes, "minute")
        with self._lock:
            runs = list(self._all())
            anyone_waits = any(run.status == "queued" for run in runs)
            last_seen = {owner: visitor.seen for owner, visitor in self._visitors.items()}
        for run in runs:
            # Nobody views every run of a sweep: it runs while its owner views any run.
            seen = last_seen.get(run.owner, run.seen) if run.metadata.sweep else run.seen
            run.store.retry_metadata()
            if idle and run.status == "running" and now - seen > idle:
                run.pause()
                run.notice = f"Paused because nobody viewed it for {minutes}."
            if run.status == "paused" and run.has_worker and run.store.folder and not run.store.problem:
                idle_seconds = now - max(run.paused_at, seen)
                if anyone_waits and now - run.paused_at > fair_scheduler.PAUSE_YIELDS_AFTER:
                    run.suspend()
                    run.notice = (
                        "Suspended because other runs were waiting. Nothing is lost. Press Resume to queue it again."
                    )
                elif idle and idle_seconds > idle:
                    run.suspend()
                    run.notice = (
                        f"Suspended because nobody viewed it for {minutes}. Nothing is lost. Press Resume to continue."
                    )
        self._begin_runs()
        with self._lock:
            self._purge(now)
        self._free_memory(now)
        if now - self._expired > _EXPIRE_EVERY:
            self._expired = now
            for owner in list(self._visitors):
                self.data.visited(owner)  # a visit may last for days
            self._delete_data(self.data.overdue())
        self.data.measure()
        self._delete_data(self.data.to_free())

    def close(self) -> None:
        """Suspend every run and end all workers."""
        self.replays.close()
        with self._lock:
            self._closing = True  # assign no more worker slots
            runs = [run for run in self._all() if run.has_worker]
        for run in runs:
            run.suspend() if run.store.folder else run.stop()
        until = time.monotonic() + 2
        for run in runs:
            run.join(max(0.0, until - time.monotonic()))
        self.backend.close()
        self.data.close()

    def refusal(self, config: RunConfig, owner: str = "") -> str:
        """The reason why the host rejects a run of this owner with these settings; empty if it accepts it."""
        needs, host = estimate(config), self.host
        if host.run_mb and needs.megabytes > host.run_mb:
            return (
                f"This run needs about {needs.megabytes:,.0f} MB of memory. The limit here is {host.run_mb:,} MB. "
                "Lower batch_size, max_length, n_layers or d_model."
            )
        if host.run_minutes and needs.seconds > host.run_minutes * 60:
            return (
                f"This run needs about {needs.seconds / 60:,.0f} minutes of computing time. The limit here is "
                f"{counted(host.run_minutes, 'minute')}. Lower steps, batch_size or the model size."
            )
        return self.limit(owner, config)

    def _refuse_too_many(self, owner: str, more: int) -> None:
        """Raises `RunError` if the owner may not start `more` runs, or the disk is full."""
        if full := self.reserve_space(owner):
            raise RunError(full)
        active, limit = sum(not run.ended for run in self._visitor(owner).runs.values()), self.host.runs_per_visitor
        if limit and active + more > limit:
            if more > 1:
                raise RunError(
                    f"This sweep has {more} runs and you have {counted(active, 'unfinished run')}. The limit per "
                    f"visitor is {limit}.",
                    "Choose fewer values or seeds, or stop some runs first.",
                )
            raise RunError(f"You have {counted(active, 'unfinished run')}, the limit per visitor.", "Stop one first.")

    def _name_and_colour(self, owner: str, name: str = "") -> dict[str, Any]:
        """Of a new run: an unused name like `name`, and a colour that the newest runs do not have."""
        with self._lock:
            before = [run.metadata for run in self._visitor(owner).runs.values()]
        newest = [metadata.colour for metadata in before[1 - COLOURS :]]
        taken = {metadata.name for metadata in before}
        unused = numbered_name(name, taken) if name else new_name(taken)
        return {"name": unused, "colour": next(colour for colour in range(COLOURS) if colour not in newest)}

    def _run_host(self, owner: str) -> RunHost:
        refusal = partial(self.refusal, owner=owner)
        return RunHost(self.backend, self.host.run_mb, self.recipes, self._begin_runs, refusal)

    def _add(self, run: Run) -> None:
        """Add a run to its owner's and delete the oldest ended ones; an ended sweep is kept or deleted as a whole."""
        visitor = self._visitor(run.owner)
        run.store.keep_in(self._folder(run.owner))
        visitor.runs[run.id] = run
        if self._owners is not None:
            self._owners[run.id] = run.owner
        self.on_change(run.owner)
        self.on_start(run)
        runs = list(visitor.runs.values())
        sweeps = list(dict.fromkeys(kept.metadata.sweep for kept in runs if kept.metadata.sweep))[-MAX_SWEEPS:]
        past, disk_bytes = [kept for kept in runs if kept.metadata.sweep not in ("", *sweeps)], MAX_DISK_BYTES
        single = [kept for kept in reversed(runs) if kept.ended and not kept.metadata.sweep]
        for index, kept in enumerate(single):
            disk_bytes -= kept.store.folder.nbytes if kept.store.folder else 0
            if index >= MAX_RUNS or (index and disk_bytes < 0):
                past.append(kept)
        for old in past:
            self.forget(run.owner, old)

    def _begin_runs(self) -> None:
        """Assign free worker slots to waiting runs."""
        while run := self._next():
            run.launch()  # outside the lock: it may take long

    def _next(self) -> Run | None:
        """Reserve the next run, if a worker slot is free for it."""
        with self._lock:
            return None if self._closing else self.scheduler.next(list(self._all()))

    def _free_memory(self, now: float) -> None:
        """Unload the runs of absent visitors, and the least recently viewed if memory is short; files stay."""
        with self._lock:
            resting = {
                owner: visitor.seen
                for owner, visitor in self._visitors.items()
                if all(run.ended or (run.status == "paused" and not run.has_worker) for run in visitor.runs.values())
                and all(run.store.folder and not run.store.problem for run in visitor.runs.values())
            }
            for visitor in self._visitors.values():
                ended = [run for run in visitor.runs.values() if run.ended]
                single = [run for run in ended if not run.metadata.sweep]
                for run in [*single[:-MAX_FULL_RUNS], *(run for run in ended if run.metadata.sweep)]:
                    run.store.shrink(SMALL_BYTES)
            size = sum(run.store.nbytes for run in self._all())
            for owner, seen in sorted(resting.items(), key=lambda item: item[1]):
                away = now - seen
                most = MAX_MEMORY_BYTES if away < ABSENT_SECONDS else MAX_ABSENT_BYTES
                if away > UNLOAD_SECONDS or size > most:
                    for run in self._visitors.pop(owner).runs.values():
                        size -= run.store.nbytes
                        run.store.shrink(0)  # the widgets of a closed page still hold it for minutes
                    self.scheduler.forget(owner)

    def _visitor(self, owner: str) -> _Visitor:
        if owner not in self._visitors:
            visitor = self._visitors[owner] = _Visitor()
            restored = []
            for path in subfolders(self._folder(owner)):
                if path.name.startswith(HIDDEN):
                    shutil.rmtree(path, ignore_errors=True)  # deleted before this server started
                    continue
                with suppress(FileNotFoundError):
                    restored.append(Run.restored(RunFolder(path), owner, self._run_host(owner)))
            visitor.take(restored)
            readable = [run.id for run in visitor.runs.values() if not run.store.unreadable]
            visitor.current = next(reversed(readable or [*visitor.runs]), "")
            self.data.visited(owner)
        return self._visitors[owner]

    def _folder(self, owner: str) -> Path:
        return self.data.root / owner / "runs"

    def _all(self) -> Iterator[Run]:
        for visitor in self._visitors.values():
            yield from visitor.runs.values()


def _wait_for_end(runs: Sequence[Run], seconds: float) -> bool:
    """Wait until runs and their processes have ended; False after `seconds`."""
    until = time.monotonic() + seconds
    while any(run.has_worker or not run.ended for run in runs):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True

"""Handles of runs, on the side that watches and steers."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Self
from unicodedata import category

from playground.config import Change, ConfigError, RunConfig, in_order, not_after
from playground.errors import sentences
from playground.runs.backends import LOCAL, Backend, Needs, Worker
from playground.runs.keeping import RunFolder
from playground.runs.messages import Again, Job, Report, Until
from playground.runs.metadata import COLOURS, LONGEST_NAME, LONGEST_NOTE, DamagedError, Device, Origin, RunMetadata
from playground.runs.reader import RunView
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, digest
from playground.runs.states import ENDED, LISTENING, MOVING, TO_PAUSE, WITH_WORKER, Event, Lifecycle, State, Status
from playground.runs.store import RunStore
from playground.runs.worker import work
from playground.training import SOLVED_AT

STOP_SECONDS = 1.0
"""Seconds that a worker has to end by itself once its run is stopped; a worker amid a long step is killed then."""


def shown(text: str) -> str:
    """One line of what can be shown of a text: without control characters and halves of pairs."""
    return " ".join("".join(each for each in text if each.isspace() or category(each) not in ("Cc", "Cs")).split())


class Run(RunView):
    """One training run: waiting, at work in a process of its own, paused with or without one, or ended.

    All methods may be called from any thread. A run begins as "queued"; whoever holds it decides when it may `begin`.
    """

    def __init__(
        self,
        config: RunConfig,
        pace: float | None = None,
        *,
        paused: bool = False,
        owner: str = "",
        name: str = "",
        run_id: str = "",
        colour: int = 0,
        sweep: str = "",
        begun: tuple[str, bytes] = ("", b""),
        room: int = RUN_BYTES,
        memory_mb: int = 0,
        device: Device = "cpu",
        backend: Backend = LOCAL,
        on_change: Callable[[], None] = lambda: None,
        refusal: Callable[[RunConfig], str] = lambda config: "",
        taken: Callable[[], Container[str]] = lambda: (),
    ) -> None:
        """A new run.

        `pace` is in optimiser steps per second, None: as fast as it goes, `SLOW_MOTION`: stage by stage. `begun` is the
        checkpoint it goes on from: its name, and what `beginning()` gives. `room` is for snapshots and states, in
        bytes. Its worker is one of `backend` and trains on `device`. `on_change` is called when it waits; `refusal`
        says why the host does not take settings, and nothing where it does; `taken` gives the names of the owner's
        runs.
        """
        run_id = run_id or secrets.token_urlsafe(12)
        metadata = RunMetadata(run_id, name or run_id, config, pace, time.time())
        metadata = replace(metadata, colour=colour % COLOURS, sweep=sweep, begun_from=begun[0], device=device)
        super().__init__(RunStore(metadata, room, begun[1]), owner)
        self.lifecycle = Lifecycle(State.QUEUED_TO_PAUSE if paused else State.QUEUED)
        self.memory_mb, self._on_change, self._refusal, self._taken = memory_mb, on_change, refusal, taken
        self.pace, self.backend = pace, backend
        self.seen = self.paused_at = time.monotonic()  # when somebody last looked
        self.asked = time.monotonic()  # when it began to wait
        self._marks: deque[tuple[int, float]] = deque(maxlen=20)  # (step, time) of the last reports
        self._wishes: deque[Mapping[str, Any]] = deque()  # changes that its worker has not confirmed yet
        self._beginning: bytes | None = None  # of a branch: the packed state in which its worker starts
        self._lock, self._sending = self.store.lock, threading.Lock()
        self._worker: Worker | None = None

    @classmethod
    def restored(cls, folder: RunFolder, **options: Any) -> Self:
        """A run that an earlier process of the server has left: ended, or paused where it was kept.

        What is damaged is left out and told: in `damage` or, where it cannot go on, in `message`. Raises
        FileNotFoundError if the folder holds no run.
        """
        try:
            metadata, damaged = folder.metadata()
        except DamagedError as error:
            return cls._unreadable_run(folder, error, **options)
        room = SMALL_BYTES if metadata.sweep else RUN_BYTES
        run = cls(metadata.config, metadata.pace, run_id=metadata.id, room=room, **options)
        run.store.metadata = replace(
            metadata,
            name=shown(metadata.name)[:LONGEST_NAME] or folder.path.name,
            note=shown(metadata.note),
            started=metadata.started or folder.modified,
        )
        run.store.restore(folder, damaged)
        resumes_at = max(0, run.store.resumes_at)
        if metadata.status:
            run.lifecycle, run.message = Lifecycle(State(metadata.status)), metadata.message
        elif "changes" in damaged:
            run.lifecycle, run.store.unreadable = Lifecycle(State.FAILED), True
            run.message = (
                "The changes made to this run are damaged on disk, so it cannot go on. "
                "What it has learned is kept. Save it, or start a new run."
            )
        else:
            run.lifecycle.on(Event.RESTORED)
            run.message = "The server was started anew while this run was under way; "
            if run.store.kept_step is None and run.step > resumes_at:
                run.message += f"its state is lost, so Resume repeats it from step {resumes_at:,}."
            else:
                run.message += f"it was kept at step {run.step:,}, and Resume goes on from there."
        return run

    @classmethod
    def _unreadable_run(cls, folder: RunFolder, error: DamagedError, **options: Any) -> Self:
        """What stands in the list for a run whose settings nobody can read. Its files stay as they are."""
        run = cls(RunConfig(), run_id=folder.path.name, name=folder.path.name, **options)
        run.store.set(started=folder.modified)
        run.store.folder, run.store.unreadable = folder, True
        run.lifecycle = Lifecycle(State.FAILED)
        run.message = sentences(
            "The settings of this run are damaged on disk.",
            str(error),
            "The settings shown are the defaults. The other files of the run are kept. "
            "Repair run.json and restart the server, or delete the run.",
        )
        return run

    @classmethod
    def branch(
        cls, parent: "Run", step: int, settings: Mapping[str, Any] | None, pace: float | None, **options: Any
    ) -> Self:
        """A run that continues from a step of `parent` with its settings there and these changes, and no later ones.

        With None it repeats what the parent did from there, its later changes included.

        Raises ValueError for a step that the parent has not taken, for settings that cannot change while a run trains,
        and where the records of the parent are lost.
        """
        if not 0 <= step <= parent.step:
            raise ValueError(f"{parent.name} has no step {step}; its steps are 0 to {parent.step}.")
        changes = parent.changes
        if settings is not None:
            changes = not_after(changes, step)
        if settings:
            changes = in_order(parent.config, (*changes, Change(step, settings)))
        run = cls(parent.config, pace, begun=(parent.begun_from, parent.store.beginning()), **options)
        if refused := run._refusal(parent.config.after(changes, step)):
            raise ValueError(refused)
        origin = Origin(parent.id, parent.name, step)
        run.store.set(changes=changes, origin=origin, gradient_norm=parent.observes_gradient_norm, device=parent.device)
        if step:
            records = [record for record in parent.exact_records() if record["step"] <= step]
            if not records or records[-1]["step"] != step:
                raise ValueError(f"The records of {parent.name} are not on the disk any more, so nothing can go on.")
            weights, states = parent.store.snapshots.until(step)
            run.store.take(Report(records, list(weights.items()), list(states.items())))
            run.store.recent = records
            run._beginning = parent.store.snapshots.state_before(step)[1]
        return run

    def look(self) -> None:
        """Somebody looks at it."""
        self.seen = time.monotonic()

    @property
    def config_now(self) -> RunConfig:
        """The settings of its next step: `config` and all changes until now, those just asked for among them."""
        with self._lock:
            return self._config_now()

    def change(self, settings: Mapping[str, Any]) -> None:
        """Changes settings (`config.LIVE`) from the next step on; those that were to change later no longer do.

        Raises ValueError, one sentence, for other settings, values that are not allowed, and a run that has ended.
        """
        with self._sending:
            with self._lock:
                if self.ended:
                    raise ValueError(f"{self.name} has ended, so it does not change any more; go on from a step of it.")
                change = Change(self.step, settings)
                now = self._config_now().updated(change.settings)
                if refused := self._refusal(now):
                    raise ValueError(refused)
                in_order(self.config, (*not_after(self.changes, self.step), change))  # not too many of them
                worker = self._worker
                if worker is not None:
                    self._wishes.append(change.settings)
                else:
                    self.store.forget_later()
                    self._change_here(change.settings)
            if worker is not None:
                with suppress(OSError):  # it has just gone: the last word about it is that of its listener
                    worker.send(("change", change.settings))
        if worker is None:
            self._describe()

    @property
    def note(self) -> str:
        """What its owner wrote about it; raises ValueError where it is set to too long a text."""
        return self.store.metadata.note

    @note.setter
    def note(self, text: str) -> None:
        if len(text) > LONGEST_NOTE:
            raise ValueError(f"The note has {len(text)} characters; {LONGEST_NOTE} is the most.")
        self._describe(note=shown(text))

    @property
    def colour(self) -> int:
        """From 0 to 7; raises ValueError where it is set to anything else."""
        return self.store.metadata.colour

    @colour.setter
    def colour(self, colour: int) -> None:
        if colour not in range(COLOURS):
            raise ValueError(f"There is no colour {colour}; colours are 0 to {COLOURS - 1}.")
        self._describe(colour=colour)

    def rename(self, name: str) -> None:
        """Gives it another name; raises ValueError for one that is too long, empty or that of another run."""
        name = shown(name)
        if not 1 <= len(name) <= LONGEST_NAME:
            raise ValueError(f"A run's name has 1 to {LONGEST_NAME} characters, and this one has {len(name)}.")
        if name != self.name:
            if name in self._taken():
                raise ValueError(f"Another run of yours is called {name}; choose a name that is free.")
            self._describe(name=name)

    def _describe(self, **fields: Any) -> None:
        """Writes what it is and how it stands to disk, with other metadata."""
        status = self.status if self.ended else ""
        self.store.describe(status=status, message=self.message, pace=self.pace, **fields)

    def observe(self, gradient_norm: bool) -> None:
        """Whether the norm of the gradient is measured although nothing is clipped: about 8 % of a step."""
        self._tell("observe", gradient_norm)
        self._describe(gradient_norm=gradient_norm)

    def reserve(self) -> bool:
        """Takes a queued run out of the queue, for whoever then calls `launch`."""
        with self._lock:
            if self.status != "queued":
                return False
            self._on(Event.START)
            return True

    def begin(self) -> None:
        """Starts its worker now if the run is queued."""
        if self.reserve():
            self.launch()

    def launch(self) -> None:
        """Starts the worker of a reserved run, for a first time or where it was kept. Takes a moment."""
        with self._sending:
            with self._lock:
                self.store.forget_later()
                job = self._job()
            if self.stopping:
                self._end(Event.STOPPED)
                return
            if not job.go_on and (lost := self.store.lost_beginning):
                self._end(Event.FAILED, lost)
                return
            try:
                needs = Needs(gpu=self.device == "cuda", memory_mb=job.memory_mb)
                worker = self.backend.start(work, job, name=f"training {self.name}", needs=needs)
            except Exception as error:  # whatever it was, a run that never starts must not keep its place
                self._end(Event.FAILED, f"The training process could not be started: {error}.")
                return
            with self._lock:
                self._worker = worker
            self._send()
        threading.Thread(target=self._listen, args=(worker,), name=f"run {self.name}", daemon=True).start()

    def _end(self, event: Event, message: str = "") -> None:
        """Ends a run that is not launched."""
        with self._lock:
            self._on(event)
            self.message = message
        self._describe()

    @property
    def status(self) -> Status:
        """Its state as pages and files call it."""
        return self.lifecycle.status

    @property
    def has_worker(self) -> bool:
        """Whether a process works for it, or waits for it while it is paused; an ended one leaves in a moment."""
        return self._worker is not None or self.lifecycle.state in WITH_WORKER

    @property
    def begins_paused(self) -> bool:
        """Whether it is on its way to a pause, with the steps it is told to take meanwhile."""
        return self.lifecycle.state in TO_PAUSE

    @property
    def pausing(self) -> bool:
        """Whether it has been told to pause and its worker is still amid a step."""
        return self.lifecycle.state is State.PAUSING

    @property
    def stopping(self) -> bool:
        """Whether it has been told to stop and has not ended yet."""
        return self.lifecycle.state is State.STOPPING

    def pause(self) -> None:
        """Stops after the current step, in slow motion in the middle of it; a run that waits gives up its place."""
        self.until = None
        self._act(Event.PAUSE)

    def resume(self) -> None:
        """Goes on after a pause, as soon as there is a place where its process has been freed."""
        self._go_on(None)

    def go_on(self, until: Until = None) -> None:
        """Resumes, and pauses by itself after step `until` or, "solved", when a test next finds it solved.

        Where its settings end it sooner, it ends. Raises ValueError for a step it has already taken, and for a run that
        has ended.
        """
        if self.ended:
            raise ValueError(f"{self.name} has ended; to take more steps, go on from its last one in a run of its own.")
        if isinstance(until, int) and until <= self.step:
            raise ValueError(f"{self.name} has already come to step {self.step:,}; choose a later one.")
        self._go_on(until)

    def _go_on(self, until: Until) -> None:
        self.notice, self.until = "", until
        self._act(Event.RESUME, until)

    def step_once(self) -> None:
        """Takes one optimiser step and pauses; in slow motion one stage."""
        self.notice, self.until = "", None
        self._act(Event.STEP)

    def stop(self) -> None:
        """Ends the run for good, its worker within `STOP_SECONDS`; what it has reported until then stays."""
        before = self.ended
        self._act(Event.STOP)
        if self.ended and not before:
            self._describe()
        elif (worker := self._worker) is not None:
            # Amid a long step a worker hears nothing.
            timer = threading.Timer(STOP_SECONDS, self._kill, (worker,))
            timer.daemon = True
            timer.start()

    def suspend(self) -> None:
        """Keeps its state on disk and frees its process; Resume goes on where it was."""
        self._act(Event.SUSPEND)

    def set_pace(self, pace: float | None) -> None:
        """Optimiser steps per second, None as fast as it goes, `SLOW_MOTION` stage by stage."""
        if pace != self.pace:
            self.pace = pace
            self._describe()
        self._tell("pace", pace)

    @property
    def steps_per_second(self) -> float | None:
        """Over the last few reports; None before there are any."""
        marks = list(self._marks)
        if len(marks) < 2:
            return None
        (first, then), (last, now) = marks[0], marks[-1]
        return (last - first) / (now - then) if now > then else None

    def _kill(self, worker: Worker) -> None:
        with self._lock:
            if self._worker is worker:
                worker.kill()

    def join(self, seconds: float) -> None:
        """Waits for the end of its process, and ends it the hard way when that takes longer."""
        worker = self._worker
        if worker is not None and not worker.join(seconds):
            worker.kill()

    def close(self) -> None:
        """Ends the worker, politely first."""
        self.stop()
        self.join(2)

    def wait(self, *status: Status, timeout: float = 60) -> bool:
        """Blocks until the run is in one of these states (default: has ended); False on time-out or another end."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if self.status in (status or ENDED):
                return True
            if self.ended:
                return False
            time.sleep(0.01)
        return False

    def _act(self, event: Event, value: Any = None) -> None:
        """Does what somebody asks for, and tells its worker."""
        self._marks.clear()  # the speed until now says nothing about the speed from now on
        with self._sending:
            with self._lock:
                waited = self.status == "queued"
                self._on(event, value)
                queued = self.status == "queued" and not waited
            self._send()
        if queued:
            self._on_change()

    def _on(self, event: Event, value: Any = None) -> None:
        """Changes its state; the one who calls it holds `_lock`."""
        before = self.status
        self.lifecycle.on(event, value)
        if self.status != before:
            self.message = ""
            if self.status == "paused":
                self.paused_at = time.monotonic()
            elif self.status == "queued":
                self.asked = time.monotonic()

    def _send(self) -> None:
        """Sends its worker what it has not been told yet; the one who calls it holds `_sending`."""
        with self._lock:
            worker = self._worker
            if worker is None:
                return
            commands, self.lifecycle.outbox = self.lifecycle.outbox, []
        with suppress(OSError):  # it has just ended; its last report says how
            for command in commands:
                worker.send(command)

    def _change_here(self, settings: Mapping[str, Any]) -> None:
        """Makes a change of a run without a worker."""
        step = max(0, self.store.resumes_at)
        changes = in_order(self.config, (*not_after(self.changes, step), Change(step, settings)))
        self.store.set(changes=changes)

    def _config_now(self) -> RunConfig:
        under_way = self.stage is not None and self.stage.step > self.step  # that step keeps the settings it has
        now = self.config.after(self.changes, self.step + under_way)
        for wish in self._wishes:
            now = now.updated(wish)
        return now

    def _job(self) -> Job:
        again, store, here = None, self.store, self.backend.shares_disk
        keeps = None if here else store.keep_for_worker()
        if store.kept_step is None and self.origin and self.origin.step:
            step = self.origin.step
            again = Again(
                self._beginning,
                step,
                store.history.last().get("seconds", 0.0),
                {at: digest(weights) for at, weights in store.snapshots.weights.items() if 0 < at <= step},
                store.history.most_tested(SOLVED_AT),
            )
        return Job(
            store.metadata,
            paused=self.lifecycle.state not in MOVING,
            until=self.until,
            folder=store.folder if here else None,
            keeps=keeps,
            beginning=store.beginning() if store.kept_step is None else b"",
            go_on=store.kept_step is not None,
            state=b"" if here or store.kept_step is None else store.kept_state(),
            again=again,
            memory_mb=self.memory_mb,
            room=store.room,
        )

    def _tell(self, verb: str, value: Any) -> None:
        """Tells its worker something that does not change its state; a later worker reads it in its job."""
        self._marks.clear()
        with self._sending, suppress(OSError):  # it may just have ended
            if self._worker is not None:
                self._worker.send((verb, value))

    def _listen(self, worker: Worker) -> None:
        """Takes in reports until the worker is gone."""
        try:
            while True:
                self._take(worker.recv())
        except (EOFError, OSError):
            pass
        if not worker.join(5):
            worker.kill()
            worker.join()
        with self._sending, self._lock:
            worker.close()
            lost = self._worker is worker and not self.ended
            if self._worker is worker:
                self._worker = None
            if lost:
                self._lost(worker)
        if lost and self.ended:
            self._describe()
        self._on_change()

    def _lost(self, worker: Worker) -> None:
        """Its worker has ended without a word."""
        stopping = self.stopping
        if worker.lost and not stopping:
            self._on(Event.NODE_LOST)
            self.stage = None
            self.notice = (
                f"{worker.lost} at step {self.step:,}. "
                f"The run goes on from step {max(0, self.store.resumes_at):,}, where it was kept."
            )
            self._grant_wishes()
            return
        if not stopping:
            self.store.find_newly_kept()
        self._on(Event.LOST_ALL if self.store.kept_step is None and self.origin is None else Event.LOST)
        self.stage = self.until = None
        if stopping:
            self.message = ""
            return
        self.message = f"The training process ended unexpectedly after step {self.step:,} ({worker.ending}); "
        if self.ended:
            self.message += "what it reported until then is kept."
        else:
            kept = max(0, self.store.resumes_at)
            self.message += f"the run is kept at step {kept:,}, and Resume goes on from there."
        self._grant_wishes()

    def _grant_wishes(self) -> None:
        """Makes the changes that its worker did not come to."""
        if self._wishes and not self.ended:
            self.store.forget_later()
            for wish in self._wishes:
                with suppress(ConfigError):  # it was allowed when it was asked for
                    self._change_here(wish)
        self._wishes.clear()

    def _take(self, report: Report) -> None:
        with self._lock:
            event = report.event
            self.store.take(report)
            if event:
                self._beginning = None
            if report.changes is not None:
                self.store.set(changes=report.changes)
                for _ in range(report.changed):
                    self._wishes.popleft()
            self.notice = report.notice or self.notice
            if report.again is not None and self.origin:
                self.message = f"Takes the steps to {self.origin.step:,} once more; it is at step {report.again:,}."
            slow = report.slow and event in (Event.RAN, Event.PAUSED)
            self.stage = report.stage or (self.stage if slow or not event else None)
            if event:
                listening = self.lifecycle.state in LISTENING
                self._on(event, self.until)
                if listening or self.ended:
                    self.message, self.until = report.message, report.until
            if event is Event.SUSPENDED:
                self._worker = None
                if self.status != "queued":
                    self.until = None
                self._grant_wishes()
            node, worker = self.node, self._worker
            if worker is not None and worker.node != node:
                self.store.set(node=worker.node)
            described = node != self.node or report.changes is not None or (event is not None and self.ended)
            if report.records:
                self._marks.append((self.step, time.monotonic()))
        if described:
            self._describe()
        if event is Event.NOT_SUSPENDED:
            with self._sending:
                self._send()

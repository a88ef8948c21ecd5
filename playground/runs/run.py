"""A run as the server sees it: controls its worker and stores its reports."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from playground.common.errors import sentences
from playground.common.names import clean_name, same_name
from playground.processes import Worker, end
from playground.runs.backends import LOCAL, Backend, Needs
from playground.runs.keeping import RunFolder
from playground.runs.messages import RepeatedSteps, Report, TrainingStart, Until, WorkerJob
from playground.runs.metadata import (
    COLOURS,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    BranchPoint,
    DamagedError,
    Hunt,
    RunMetadata,
)
from playground.runs.reader import RunView
from playground.runs.slow_motion import SLOW_MOTION
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, digest
from playground.runs.states import ENDED, LISTENING, TRAINING, WITH_WORKER, Command, Event, Lifecycle, State, Status
from playground.runs.store import RunStore
from playground.runs.worker import work
from playground.settings.config import Change, ConfigError, RunConfig, in_order, not_after
from playground.training import SOLVED_AT, USUAL, Recipe

STOP_SECONDS = 1.0
"""Seconds a worker has to end once its run is stopped; a worker in a long step is killed then."""

PITFALL_STAYS = "This run trains with a mistake, so its settings and steps are fixed. Start a new run without it."
"""A run with a pitfall can neither change nor branch: its mistake may concern the settings themselves."""


@dataclass(frozen=True)
class RunHost:
    """The part of a host that its runs use."""

    backend: Backend = LOCAL  # starts workers
    memory_mb: int = 0  # limit of a worker; 0: none
    recipes: Mapping[str, Recipe] = field(default_factory=dict)  # with a mistake, by the name in `RunMetadata.pitfall`
    on_change: Callable[[], None] = lambda: None  # called when a run enters the queue or its worker has ended
    refusal: Callable[[RunConfig], str] = field(default=lambda _config: "", compare=False)
    """The reason why settings are rejected; empty: none."""


ALONE = RunHost()


class Run(RunView):
    """One training run: queued, running in its worker process, paused, suspended or ended.

    Any thread may call any method. A new run is "queued" until its owner, such as `Runs`, calls `begin`.
    """

    def __init__(
        self,
        metadata: RunMetadata,
        *,
        owner: str = "",
        host: RunHost = ALONE,
        paused: bool = False,
        initial_weights: bytes = b"",
        max_bytes: int = RUN_BYTES,
    ) -> None:
        """A new run.

        `initial_weights` are those of the checkpoint it starts from, as `RunStore.initial_weights` returns them.
        `max_bytes` limits snapshots and states in memory.
        """
        recipe = host.recipes[metadata.pitfall] if metadata.pitfall else USUAL
        super().__init__(RunStore(metadata, max_bytes, initial_weights, recipe), owner)
        self.lifecycle = Lifecycle(State.QUEUED_TO_PAUSE if paused else State.QUEUED)
        self.host = host
        self.store.set(pace=self._possible(metadata.pace))
        self.seen = self.paused_at = time.monotonic()  # last view and last pause
        self.asked = time.monotonic()  # when it entered the queue
        self._marks: deque[tuple[int, float]] = deque(maxlen=20)  # (step, time) of the last reports
        self._pending_changes: deque[Mapping[str, Any]] = deque()  # changes not yet confirmed by the worker
        self._branch_state: bytes | None = None  # of a branch: the packed state its worker starts from
        self._lock, self._sending = self.store.lock, threading.Lock()
        self._worker: Worker | None = None

    @classmethod
    def restored(cls, folder: RunFolder, owner: str = "", host: RunHost = ALONE) -> Self:
        """Restore a run from disk: ended, or paused at its kept state.

        Damaged parts are left out and reported in `damage` or, if the run cannot resume, in `message`. Raises
        FileNotFoundError if the folder holds no run.
        """
        try:
            metadata, damaged = folder.metadata()
            if metadata.pitfall and metadata.pitfall not in host.recipes:
                raise DamagedError("The mistake that it trains with is unknown.")
        except DamagedError as error:
            return cls._unreadable_run(folder, error, owner, host)
        metadata = metadata.model_copy(
            update={
                "name": clean_name(metadata.name)[:MAX_NAME_LENGTH] or folder.path.name,
                "note": clean_name(metadata.note),
                "started": metadata.started or folder.modified,
            }
        )
        run = cls(metadata, owner=owner, host=host, max_bytes=SMALL_BYTES if metadata.sweep else RUN_BYTES)
        run.store.restore(folder, damaged)
        resumes_at = run.store.resumes_at
        if metadata.status:
            run.lifecycle, run.message = Lifecycle(State(metadata.status)), metadata.message
        elif "changes" in damaged:
            run.lifecycle, run.store.unreadable = Lifecycle(State.FAILED), True
            run.message = (
                "The mid-run changes of this run are damaged on disk, so it cannot resume. "
                "Its weights are intact. Save them, or start a new run."
            )
        else:
            run.lifecycle.on(Event.RESTORED)
            run.message = "The server restarted during this run. "
            if run.store.kept_step is None and run.step > resumes_at:
                run.message += f"Its state is lost. Resume repeats it from step {resumes_at:,}."
            else:
                run.message += f"Its state was kept. Resume continues from step {run.step:,}."
        return run

    @classmethod
    def _unreadable_run(cls, folder: RunFolder, error: DamagedError, owner: str, host: RunHost) -> Self:
        """An entry for a run whose settings cannot be read. Its files are not changed."""
        name = folder.path.name
        metadata = RunMetadata(id=name, name=name[:MAX_NAME_LENGTH], config=RunConfig(), started=folder.modified)
        run = cls(metadata, owner=owner, host=host)
        run.store.folder, run.store.unreadable = folder, True
        run.lifecycle = Lifecycle(State.FAILED)
        run.message = sentences(
            "The settings of this run are damaged on disk.",
            str(error),
            "The settings shown are the defaults. Repair run.json and restart the server, or delete the run.",
        )
        return run

    def branch(
        self,
        step: int,
        settings: Mapping[str, Any] | None,
        owner: str = "",
        host: RunHost = ALONE,
        *,
        paused: bool = False,
        **fields: Any,
    ) -> "Run":
        """A run of `owner` that continues from a step with the settings there and these changes, and no later ones.

        With None it repeats what this run did from there, its later changes included. `fields` are metadata of the new
        run. Raises ValueError for a step that was not reached, for settings that cannot change mid-run, and if the
        records are lost.
        """
        own = self.metadata
        if not 0 <= step <= self.step:
            raise ValueError(f"{own.name} has no step {step}. Choose 0 to {self.step}.")
        if own.pitfall:
            raise ValueError(PITFALL_STAYS)
        changes = own.changes
        if settings is not None:
            changes = not_after(changes, step)
        if settings:
            changes = in_order(self.config, (*changes, Change(step, settings)))
        if refused := host.refusal(self.config.after(changes, step)):
            raise ValueError(refused)
        metadata = RunMetadata(
            config=self.config,
            changes=changes,
            origin=BranchPoint(run_id=self.id, name=own.name, step=step),
            gradient_norm=own.gradient_norm,
            begun_from=own.begun_from,
            device=own.device,
            **fields,
        )
        initial_weights = self.store.initial_weights()
        run = Run(metadata, owner=owner, host=host, paused=paused, initial_weights=initial_weights)
        if step:
            records = [record for record in self.exact_records() if record["step"] <= step]
            if not records or records[-1]["step"] != step:
                raise ValueError(
                    f"The records of {own.name} are no longer on disk. Start a new run, or choose another one."
                )
            weights, states = self.store.snapshots.until(step)
            run.store.take(Report(records, list(weights.items()), list(states.items())))
            run.store.recent = records
            run._branch_state = self.store.snapshots.state_before(step)[1]
        return run

    def mark_seen(self) -> None:
        """Note that somebody views it."""
        self.seen = time.monotonic()

    @property
    def config_now(self) -> RunConfig:
        """The settings of its next step: `config` and all changes so far, including unconfirmed ones."""
        with self._lock:
            return self._config_now()

    def change(self, settings: Mapping[str, Any]) -> None:
        """Change settings (`config.LIVE`) from the next step on; this drops all later changes.

        Raises ValueError for other settings, invalid values and an ended run.
        """
        with self._sending:
            with self._lock:
                if self.ended:
                    raise ValueError(
                        f"{self.metadata.name} has ended. To change settings, continue from one of its steps."
                    )
                if self.metadata.pitfall:
                    raise ValueError(PITFALL_STAYS)
                change = Change(self.step, settings)
                now = self._config_now().updated(change.settings)
                if refused := self.host.refusal(now):
                    raise ValueError(refused)
                in_order(self.config, (*not_after(self.changes, self.step), change))  # raises if there are too many
                worker = self._worker
                if worker is not None:
                    self._pending_changes.append(change.settings)
                else:
                    self.store.rewind()
                    self._change_here(change.settings)
            self._tell(("change", change.settings))
        if worker is None:
            self._save_metadata()

    def set_note(self, text: str) -> None:
        """Set its owner's note; raises ValueError for a text that is too long."""
        if len(text) > MAX_NOTE_LENGTH:
            raise ValueError(f"The note has {len(text)} characters. The limit is {MAX_NOTE_LENGTH}.")
        self._save_metadata(note=clean_name(text))

    def set_colour(self, colour: int) -> None:
        """Set its colour, 0 to 7; raises ValueError for anything else."""
        if colour not in range(COLOURS):
            raise ValueError(f"There is no colour {colour}. Choose 0 to {COLOURS - 1}.")
        self._save_metadata(colour=colour)

    def rename(self, name: str, taken: Iterable[str] = ()) -> None:
        """Rename it; raises ValueError for a name that is empty, too long or like one of `taken`."""
        name = clean_name(name)
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise ValueError(f"A run name has 1 to {MAX_NAME_LENGTH} characters. This one has {len(name)}.")
        if name != self.metadata.name and any(same_name(name, other) for other in taken):
            raise ValueError(f"You already have a run named {name}. Choose another name.")
        self._save_metadata(name=name)

    def score(self, hunt: Hunt) -> None:
        """Keep the new score of its bug hunt."""
        self._save_metadata(hunt=hunt)

    def _save_metadata(self, **fields: Any) -> None:
        """Write its metadata to disk, with `fields` replaced."""
        status = self.status if self.ended else ""
        self.store.save_metadata(status=status, message=self.message, **fields)

    def observe(self, gradient_norm: bool) -> None:
        """Measure the gradient norm even without clipping; costs about 8 % of a step."""
        self._send_setting("observe", gradient_norm)
        self._save_metadata(gradient_norm=gradient_norm)

    def reserve(self) -> bool:
        """Take a queued run out of the queue; the caller must call `launch` next."""
        with self._lock:
            if self.status != "queued":
                return False
            self._on(Event.START)
            return True

    def begin(self) -> None:
        """Start its worker now if it is queued."""
        if self.reserve():
            self.launch()

    def launch(self) -> None:
        """Start the worker of a reserved run, at step 0 or at its kept state. May block for a moment."""
        with self._sending:
            with self._lock:
                self.store.rewind()
                job = self._job()
            if self.state is State.STOPPING:
                self._end(Event.STOPPED)
                return
            if not job.resume and (lost := self.store.lost_initial_weights):
                self._end(Event.FAILED, lost)
                return
            try:
                needs = Needs(gpu=self.metadata.device == "cuda", memory_mb=job.memory_mb)
                worker = self.host.backend.start(work, job, name=f"training {self.metadata.name}", needs=needs)
            except Exception as error:  # a run that cannot start must free its worker slot
                self._end(Event.FAILED, f"The training process could not be started: {error}.")
                return
            with self._lock:
                self._worker = worker
            self._send()
        threading.Thread(target=self._listen, args=(worker,), name=f"run {self.metadata.name}", daemon=True).start()

    def _end(self, event: Event, message: str = "") -> None:
        """End a run that was not launched."""
        with self._lock:
            self._on(event)
            self.message = message
        self._save_metadata()

    @property
    def pace(self) -> float | None:
        """Optimizer steps per second; None is full speed, `SLOW_MOTION` is stage by stage."""
        return self.metadata.pace

    @property
    def state(self) -> State:
        """Its state; also what was requested, before the worker has done it."""
        return self.lifecycle.state

    @property
    def has_worker(self) -> bool:
        """It has a worker process, running or paused; that of an ended run ends in a moment."""
        return self._worker is not None or self.state in WITH_WORKER

    def pause(self) -> None:
        """Pause after the current step, in slow motion after the current stage; a queued run leaves the queue."""
        self.until = None
        self._act(Event.PAUSE)

    def resume(self) -> None:
        """Resume after a pause; a suspended run waits for a free worker slot."""
        self._resume(None)

    def resume_until(self, until: Until = None) -> None:
        """Resume, then pause after step `until` or, if "solved", when the next evaluation finds it solved.

        It may end earlier by its settings. Raises ValueError for a step it has already reached and for an ended run.
        """
        if self.ended:
            raise ValueError(
                f"{self.metadata.name} has ended. To train longer, continue from its last step in a new run."
            )
        if isinstance(until, int) and until <= self.step:
            raise ValueError(f"{self.metadata.name} is already at step {self.step:,}. Choose a later step.")
        self._resume(until)

    def _resume(self, until: Until) -> None:
        self.notice, self.until = "", until
        self._act(Event.RESUME, until)

    def step_once(self) -> None:
        """Take one optimizer step, in slow motion one stage, then pause."""
        self.notice, self.until = "", None
        self._act(Event.STEP)

    def stop(self) -> None:
        """End the run for good, its worker within `STOP_SECONDS`; its reports so far are kept."""
        before = self.ended
        self._act(Event.STOP)
        if self.ended and not before:
            self._save_metadata()
        elif (worker := self._worker) is not None:
            # During a long step a worker reads no commands.
            timer = threading.Timer(STOP_SECONDS, self._kill, (worker,))
            timer.daemon = True
            timer.start()

    def suspend(self) -> None:
        """Write its state to disk and end its process; it can resume from there."""
        self._act(Event.SUSPEND)

    def set_pace(self, pace: float | None) -> None:
        """Set optimizer steps per second; None is full speed, `SLOW_MOTION` is stage by stage."""
        pace = self._possible(pace)
        if pace != self.pace:
            self._save_metadata(pace=pace)
        self._send_setting("pace", pace)

    def _possible(self, pace: float | None) -> float | None:
        """The pace, or one step per second if the run can't be shown stage by stage."""
        if pace == SLOW_MOTION and self.metadata.pitfall:
            self.notice = "Slow motion shows the stages of the correct model, so this run takes one step per second."
            return 1.0
        return pace

    @property
    def steps_per_second(self) -> float | None:
        """Steps per second over the last reports; None before there are any."""
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
        """Wait for the end of its process; kill it after `seconds`."""
        worker = self._worker
        if worker is not None and not worker.join(seconds):
            worker.kill()

    def close(self) -> None:
        """Stop the run and wait up to 2 seconds for its worker, then kill it."""
        self.stop()
        self.join(2)

    def wait(self, *status: Status, timeout: float = 300) -> bool:
        """Wait until it has one of these statuses (default: ended); False on time-out or if it ends otherwise."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            now = self.status  # read once: the run may end between two looks
            if now in (status or ENDED):
                return True
            if now in ENDED:
                return False
            time.sleep(0.01)
        return False

    def _act(self, event: Event, value: Any = None) -> None:
        """Apply a request and send it to the worker."""
        self._marks.clear()  # the speed may change from here
        with self._sending:
            with self._lock:
                waited = self.status == "queued"
                self._on(event, value)
                queued = self.status == "queued" and not waited
            self._send()
        if queued:
            self.host.on_change()

    def _on(self, event: Event, value: Any = None) -> None:
        """Change its state; the caller holds `_lock`."""
        before = self.status
        self.lifecycle.on(event, value)
        if self.status != before:
            self.message = ""
            if self.status == "paused":
                self.paused_at = time.monotonic()
            elif self.status == "queued":
                self.asked = time.monotonic()

    def _send(self) -> None:
        """Send the outbox to its worker; the caller holds `_sending`."""
        with self._lock:
            if self._worker is None:
                return
            commands, self.lifecycle.outbox = self.lifecycle.outbox, []
        self._tell(*commands)

    def _tell(self, *commands: Command) -> None:
        """Send commands to its worker, if it has one; the caller holds `_sending`."""
        if (worker := self._worker) is not None:
            with suppress(OSError):  # it has just ended; `_listen` handles that
                for command in commands:
                    worker.send(command)

    def _change_here(self, settings: Mapping[str, Any]) -> None:
        """Apply a change to a run without a worker."""
        step = self.store.resumes_at
        changes = in_order(self.config, (*not_after(self.changes, step), Change(step, settings)))
        self.store.set(changes=changes)

    def _config_now(self) -> RunConfig:
        in_step = self.stage is not None and self.stage.step > self.step  # that step keeps its settings
        now = self.config.after(self.changes, self.step + in_step)
        for settings in self._pending_changes:
            now = now.updated(settings)
        return now

    def _job(self) -> WorkerJob:
        store, here = self.store, self.host.backend.shares_disk
        keeps = None if here else store.keep_for_worker()
        origin, repeat, state = store.metadata.origin, None, None
        if store.kept_step is None and origin and (step := origin.step):
            state = self._branch_state
            repeat = RepeatedSteps(
                step,
                store.history.last().get("seconds", 0.0),
                {kept: digest(weights) for kept, weights in store.snapshots.weights.items() if 0 < kept <= step},
                store.history.largest_evaluation(SOLVED_AT),
            )
        elif store.kept_step is not None and not here:
            state = store.kept_state()
        initial_weights = store.initial_weights() if store.kept_step is None else b""
        return WorkerJob(
            TrainingStart(store.metadata, state, initial_weights, store.recipe),
            paused=self.state not in TRAINING,
            until=self.until,
            folder=store.folder if here else None,
            keeps=keeps,
            resume=store.kept_step is not None,
            repeat=repeat,
            memory_mb=self.host.memory_mb,
            max_bytes=store.max_bytes,
        )

    def _send_setting(self, verb: str, value: Any) -> None:
        """Send its worker a setting that does not change its state; a later worker reads it in its job."""
        self._marks.clear()
        with self._sending:
            self._tell((verb, value))

    def _listen(self, worker: Worker) -> None:
        """Handle reports until the worker has ended."""
        try:
            while True:
                self._take(worker.recv())
        except (EOFError, OSError):
            pass
        end(worker, patience=5)
        with self._sending, self._lock:
            lost = self._worker is worker and not self.ended
            if self._worker is worker:
                self._worker = None
            if lost:
                self._lost(worker)
        if lost and self.ended:
            self._save_metadata()
        self.host.on_change()

    def _lost(self, worker: Worker) -> None:
        """Handle a worker that ended without a final report."""
        stopping = self.state is State.STOPPING
        if worker.lost and not stopping:
            self._on(Event.NODE_LOST)
            self.stage = None
            self.notice = (
                f"{worker.lost} at step {self.step:,}. "
                f"The run resumes from its kept state at step {self.store.resumes_at:,}."
            )
            self._apply_pending_changes()
            return
        if not stopping:
            self.store.find_unreported()
        self._on(Event.LOST_ALL if self.store.kept_step is None and self.metadata.origin is None else Event.LOST)
        self.stage = self.until = None
        if stopping:
            self.message = ""
            return
        again = f"Resume continues from step {self.store.resumes_at:,}."
        outcome = "Its results so far are kept." if self.ended else again
        self.message = f"The training process ended unexpectedly after step {self.step:,} ({worker.ending}). {outcome}"
        self._apply_pending_changes()

    def _apply_pending_changes(self) -> None:
        """Apply the changes that its worker did not confirm."""
        if self._pending_changes and not self.ended:
            self.store.rewind()
            for settings in self._pending_changes:
                with suppress(ConfigError):  # it was valid when requested
                    self._change_here(settings)
        self._pending_changes.clear()

    def _take(self, report: Report) -> None:
        with self._lock:
            event = report.event
            self.store.take(report)
            if event:
                self._branch_state = None
            if report.changes is not None:
                self.store.set(changes=report.changes)
                for _ in range(report.changed):
                    self._pending_changes.popleft()
            self.notice = report.notice or self.notice
            if report.repeat is not None and (origin := self.metadata.origin):
                self.message = f"Repeating steps up to {origin.step:,}. Now at step {report.repeat:,}."
            slow = report.slow and event in (Event.RAN, Event.PAUSED)
            self.stage = report.stage or (self.stage if slow or not event else None)
            if event:
                listening = self.state in LISTENING
                self._on(event, self.until)
                if listening or self.ended:
                    self.message, self.until = report.message, report.until
            if event is Event.SUSPENDED:
                self._worker = None
                if self.status != "queued":
                    self.until = None
                self._apply_pending_changes()
            node, worker = self.metadata.node, self._worker
            if worker is not None and worker.node != node:
                self.store.set(node=worker.node)
            save = node != self.metadata.node or report.changes is not None or (event is not None and self.ended)
            if report.records:
                self._marks.append((self.step, time.monotonic()))
        if save:
            self._save_metadata()
        if event is Event.NOT_SUSPENDED:
            with self._sending:
                self._send()

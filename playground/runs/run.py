"""Handles of runs, on the side that watches and steers."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Self

from playground.config import Change, ConfigError, RunConfig, in_order, not_after
from playground.errors import sentences
from playground.runs import processes
from playground.runs.about import LONGEST_NAME, DamagedError, Origin
from playground.runs.described import Described, shown
from playground.runs.frames import Frames
from playground.runs.history import History
from playground.runs.keeping import RunFolder
from playground.runs.messages import Again, Job, Report, Until
from playground.runs.slow_motion import StageShown
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, digest
from playground.runs.states import ENDED, LISTENING, MOVING, TO_PAUSE, WITH_WORKER, Event, Lifecycle, State, Status
from playground.runs.worker import work
from playground.training import SOLVED_AT

STOP_SECONDS = 1.0
"""Seconds that a worker has to end by itself once its run is stopped; a worker amid a long step is killed then."""


class Run(Described):
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
        on_change: Callable[[], None] = lambda: None,
        refusal: Callable[[RunConfig], str] = lambda config: "",
        taken: Callable[[], Container[str]] = lambda: (),
    ) -> None:
        """A new run.

        `pace` is in optimiser steps per second, None: as fast as it goes, `SLOW_MOTION`: stage by stage. `begun` is the
        checkpoint it goes on from: its name, and what `beginning()` gives. `room` is for snapshots and states, in
        bytes. `on_change` is called when it waits; `refusal` says why the host does not take settings, and nothing
        where it does; `taken` gives the names of the owner's runs.
        """
        run_id = run_id or secrets.token_urlsafe(12)
        told: dict[str, Any] = {"owner": owner, "name": name or run_id, "colour": colour, "sweep": sweep}
        super().__init__(run_id, config, pace, **told, begun=begun, room=room, taken=taken)
        self.lifecycle = Lifecycle(State.QUEUED_TO_PAUSE if paused else State.QUEUED)
        self.memory_mb, self._on_change, self._refusal = memory_mb, on_change, refusal
        self.until: Until = None  # where it pauses by itself
        self.stage: StageShown | None = None  # in slow motion: what is under way now
        self.seen = self.paused_at = time.monotonic()  # when somebody last looked
        self.asked = time.monotonic()  # when it began to wait
        self._marks: deque[tuple[int, float]] = deque(maxlen=20)  # (step, time) of the last reports
        self._wishes: deque[Mapping[str, Any]] = deque()  # changes that its worker has not confirmed yet
        self._beginning: bytes | None = None  # of a branch: the packed state in which its worker starts
        self._sending = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    @classmethod
    def restored(cls, folder: RunFolder, **options: Any) -> Self:
        """A run that an earlier process of the server has left: ended, or paused where it was kept.

        What is damaged is left out and told: in `damage` or, where it cannot go on, in `message`. Raises
        FileNotFoundError if the folder holds no run.
        """
        try:
            about, damaged = folder.about()
        except DamagedError as error:
            return cls._unreadable_run(folder, error, **options)
        name = shown(about.name)[:LONGEST_NAME] or folder.path.name
        told: dict[str, Any] = {"name": name, "colour": about.colour, "sweep": about.sweep}
        told["room"] = SMALL_BYTES if about.sweep else RUN_BYTES
        run = cls(about.config, about.pace, run_id=about.id, **told, **options)
        run.started, run.folder, run._note = about.started or folder.modified, folder, shown(about.note)
        run.changes, run.origin, run.observes_gradient_norm = about.changes, about.origin, about.gradient_norm
        run.begun_from = about.begun_from
        if run.begun_from:
            run._begin_as_kept()
        run.damage = run._find_kept(damaged)
        if about.status:
            run.lifecycle, run.message = Lifecycle(State(about.status)), about.message
        elif "changes" in damaged:
            run.lifecycle, run.unreadable = Lifecycle(State.FAILED), True
            run.message = (
                "The changes made to this run are damaged on disk, so it cannot go on. "
                "What it has learned is kept. Save it, or start a new run."
            )
        else:
            run.lifecycle.on(Event.RESTORED)
            run.message = "The server was started anew while this run was under way; "
            if run.kept_step is None and run.step > max(0, run._resumes_at):
                run.message += f"its state is lost, so Resume repeats it from step {max(0, run._resumes_at):,}."
            else:
                run.message += f"it was kept at step {run.step:,}, and Resume goes on from there."
        return run

    @classmethod
    def _unreadable_run(cls, folder: RunFolder, error: DamagedError, **options: Any) -> Self:
        """What stands in the list for a run whose settings nobody can read. Its files stay as they are."""
        run = cls(RunConfig(), run_id=folder.path.name, name=folder.path.name, **options)
        run.started, run.folder, run.unreadable = folder.modified, folder, True
        run.lifecycle = Lifecycle(State.FAILED)
        run.message = sentences(
            "The settings of this run are damaged on disk.",
            str(error),
            "The settings shown are the defaults. The other files of the run are kept. "
            "Repair run.json and restart the server, or delete the run.",
        )
        return run

    @classmethod
    def branch(cls, parent: "Run", step: int, settings: Mapping[str, Any], pace: float | None, **options: Any) -> Self:
        """A run that goes on from a step of `parent`; without `settings` it repeats what the parent did from there.

        Raises ValueError for a step that the parent has not taken, for settings that cannot change while a run trains,
        and where the records of the parent are lost.
        """
        if not 0 <= step <= parent.step:
            raise ValueError(f"{parent.name} has no step {step}; its steps are 0 to {parent.step}.")
        changes = parent.changes
        if settings:
            changes = in_order(parent.config, (*not_after(changes, step), Change(step, settings)))
        run = cls(parent.config, pace, begun=(parent.begun_from, parent.beginning()), **options)
        if refused := run._refusal(parent.config.after(changes, step)):
            raise ValueError(refused)
        run.changes, run.origin = changes, Origin(parent.id, parent.name, step)
        run.observes_gradient_norm = parent.observes_gradient_norm
        if step:
            run._recent = [record for record in parent.exact_records() if record["step"] <= step]
            if not run._recent or run._recent[-1]["step"] != step:
                raise ValueError(f"The records of {parent.name} are not on the disk any more, so nothing can go on.")
            run.history, run.frames = History(run._recent), Frames(parent.config.training.eval_every, run._recent)
            weights, states = parent.snapshots.until(step)
            run.snapshots.take(weights.items(), states.items(), step)
            run._beginning = parent.snapshots.state_before(step)[1]
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
                connection = self._connection
                if connection is not None:
                    self._wishes.append(change.settings)
                else:
                    self._forget_later()
                    self._change_here(change.settings)
            if connection is not None:
                with suppress(OSError):  # its worker has just gone: the last word about it is that of its listener
                    connection.send(("change", change.settings))
        if connection is None:
            self._describe()

    def observe(self, gradient_norm: bool) -> None:
        """Whether the norm of the gradient is measured although nothing is clipped: about 8 % of a step."""
        self.observes_gradient_norm = gradient_norm
        self._tell("observe", gradient_norm)
        self._describe()

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
                self._forget_later()
                job = self._job()
            if self.stopping:
                self._end(Event.STOPPED)
                return
            if not job.go_on and (lost := self.lost_beginning):
                self._end(Event.FAILED, lost)
                return
            try:
                connection, process = processes.start(work, job, name=f"training {self.name}")
            except Exception as error:  # whatever it was, a run that never starts must not keep its place
                self._end(Event.FAILED, f"The training process could not be started: {error}.")
                return
            with self._lock:
                self._process, self._connection = process, connection
            self._send()
        threading.Thread(target=self._listen, args=(connection, process), name=f"run {self.name}", daemon=True).start()

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
        return self._process is not None or self.lifecycle.state in WITH_WORKER

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
        elif (process := self._process) is not None:
            # Amid a long step a worker hears nothing.
            timer = threading.Timer(STOP_SECONDS, self._kill, (process,))
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

    def _kill(self, process: BaseProcess) -> None:
        with self._lock:
            if self._process is process:
                process.kill()

    def join(self, seconds: float) -> None:
        """Waits for the end of its process, and ends it the hard way when that takes longer."""
        process = self._process
        if process is not None:
            process.join(seconds)
            if process.is_alive():
                process.kill()

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
            connection = self._connection
            if connection is None:
                return
            commands, self.lifecycle.outbox = self.lifecycle.outbox, []
        with suppress(OSError):  # it has just ended; its last report says how
            for command in commands:
                connection.send(command)

    def _change_here(self, settings: Mapping[str, Any]) -> None:
        """Makes a change of a run without a worker."""
        step = max(0, self._resumes_at)
        self.changes = in_order(self.config, (*not_after(self.changes, step), Change(step, settings)))

    def _config_now(self) -> RunConfig:
        under_way = self.stage is not None and self.stage.step > self.step  # that step keeps the settings it has
        now = self.config.after(self.changes, self.step + under_way)
        for wish in self._wishes:
            now = now.updated(wish)
        return now

    def _job(self) -> Job:
        again = None
        if self.kept_step is None and self.origin and self.origin.step:
            step = self.origin.step
            again = Again(
                self._beginning,
                step,
                self.history.last().get("seconds", 0.0),
                {at: digest(weights) for at, weights in self.snapshots.weights.items() if 0 < at <= step},
                self.history.most_tested(SOLVED_AT),
            )
        return Job(
            self._about(),
            paused=self.lifecycle.state not in MOVING,
            until=self.until,
            folder=self.folder,
            beginning=self.beginning() if self.kept_step is None else b"",
            go_on=self.kept_step is not None,
            again=again,
            memory_mb=self.memory_mb,
            room=self.room,
        )

    def _tell(self, verb: str, value: Any) -> None:
        """Tells its worker something that does not change its state; a later worker reads it in its job."""
        self._marks.clear()
        with self._sending, suppress(OSError):  # it may just have ended
            if self._connection is not None:
                self._connection.send((verb, value))

    def _listen(self, connection: Connection, process: BaseProcess) -> None:
        """Takes in reports until the worker is gone."""
        try:
            while True:
                self._take(connection.recv())
        except (EOFError, OSError):
            pass
        process.join(5)
        if process.is_alive():
            process.kill()
            process.join()
        code = process.exitcode
        with self._sending, self._lock:
            connection.close()
            if self._process is process:
                self._process = self._connection = None
                if not self.ended:
                    self._lost(code)
        if self.ended:
            self._describe()  # its worker may have been ended before it could
        self._on_change()

    def _lost(self, code: int | None) -> None:
        """Its worker has ended without a word."""
        stopping = self.stopping
        if not stopping:
            self._find_newly_kept()
        self._on(Event.LOST_ALL if self.kept_step is None and self.origin is None else Event.LOST)
        self.stage = self.until = None
        if stopping:
            self.message = ""
            return
        self.message = f"The training process ended unexpectedly after step {self.step:,} ({processes.ending(code)}); "
        if self.ended:
            self.message += "what it reported until then is kept."
        else:
            kept = max(0, self._resumes_at)
            self.message += f"the run is kept at step {kept:,}, and Resume goes on from there."
        self._grant_wishes()

    def _grant_wishes(self) -> None:
        """Makes the changes that its worker did not come to."""
        if self._wishes and not self.ended:
            self._forget_later()
            for wish in self._wishes:
                with suppress(ConfigError):  # it was allowed when it was asked for
                    self._change_here(wish)
        self._wishes.clear()

    def _take(self, report: Report) -> None:
        with self._lock:
            event = report.event
            self._take_in(report)
            if event:
                self._beginning = None
            if report.changes is not None:
                self.changes = report.changes
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
                self._process = self._connection = None
                if self.status != "queued":
                    self.until = None
                self._grant_wishes()
            described = report.changes is not None or (event is not None and self.ended)
            if report.records:
                self._marks.append((self.history.step, time.monotonic()))
        if described:
            self._describe()
        if event is Event.NOT_SUSPENDED:
            with self._sending:
                self._send()

"""The state machine of a run: every state, every event, and one table of what follows. It does no I/O."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Literal, get_args

Ended = Literal["solved", "finished", "stopped", "failed"]
Status = Literal["queued", "starting", "running", "paused", Ended]
"""How a run stands, for pages and files."""

ENDED: tuple[Status, ...] = get_args(Ended)


class State(StrEnum):
    """How a run stands. "To pause": it pauses as soon as it has taken the steps that it was asked for."""

    QUEUED = "queued"  # waits for a worker
    QUEUED_TO_PAUSE = "queued to pause"
    STARTING = "starting"  # has a worker slot, its worker has not reported yet
    STARTING_TO_PAUSE = "starting to pause"
    RUNNING = "running"
    PAUSING = "pausing"  # its worker is to pause after this step
    PAUSED = "paused"  # its worker waits for commands
    SUSPENDING = "suspending"  # its worker is to write its state to disk and to end
    RETURNING = "returning"  # the same, and the run is wanted back already
    RETURNING_TO_PAUSE = "returning to pause"
    SUSPENDED = "suspended"  # paused without a worker
    STOPPING = "stopping"  # its worker is to end for good
    SOLVED = "solved"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class Event(StrEnum):
    """What changes the state of a run."""

    RESUME = "resume"  # acts of a person or of the host, also the commands that a worker obeys
    STEP = "step"
    PAUSE = "pause"
    SUSPEND = "suspend"
    STOP = "stop"
    START = "start"  # the host gives the run a worker slot
    RAN = "ran"  # reports of a worker
    PAUSED = "paused"
    SUSPENDED = "suspended"
    NOT_SUSPENDED = "not suspended"  # the disk refused its state
    SOLVED = "solved"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    LOST = "lost"  # the worker ended without a last report; the run can go on
    LOST_ALL = "lost all"  # the same, and nothing was kept that it could go on from
    RESTORED = "restored"  # another server has read it from disk


LISTENING = frozenset({State.STARTING, State.STARTING_TO_PAUSE, State.RUNNING, State.PAUSING, State.PAUSED})
"""The states whose worker obeys acts at once."""

WITH_WORKER = LISTENING | {State.SUSPENDING, State.RETURNING, State.RETURNING_TO_PAUSE, State.STOPPING}
"""The states that hold a worker slot."""

TO_PAUSE = frozenset({State.QUEUED_TO_PAUSE, State.STARTING_TO_PAUSE, State.RETURNING_TO_PAUSE})

MOVING = frozenset({State.QUEUED, State.STARTING, State.RUNNING, State.RETURNING})
"""The states in which a worker trains until something stops it."""

STATUS: Mapping[State, Status] = {
    State.QUEUED: "queued",
    State.QUEUED_TO_PAUSE: "queued",
    State.STARTING: "starting",
    State.STARTING_TO_PAUSE: "starting",
    State.RUNNING: "running",
    State.PAUSING: "running",
    State.PAUSED: "paused",
    State.SUSPENDING: "paused",
    State.RETURNING: "starting",
    State.RETURNING_TO_PAUSE: "starting",
    State.SUSPENDED: "paused",
    State.STOPPING: "running",
    State.SOLVED: "solved",
    State.FINISHED: "finished",
    State.STOPPED: "stopped",
    State.FAILED: "failed",
}

_OVER = frozenset(state for state in State if STATUS[state] in ENDED)


def _unchanged(states: Iterable[State]) -> dict[State, State]:
    return {state: state for state in states}


TRANSITIONS: Mapping[Event, Mapping[State, State]] = {
    Event.RESUME: _unchanged(State)
    | {
        State.QUEUED_TO_PAUSE: State.QUEUED,
        State.STARTING_TO_PAUSE: State.STARTING,
        State.PAUSING: State.RUNNING,
        State.PAUSED: State.RUNNING,
        State.SUSPENDING: State.RETURNING,
        State.RETURNING_TO_PAUSE: State.RETURNING,
        State.SUSPENDED: State.QUEUED,
    },
    Event.STEP: _unchanged(State)
    | {
        State.QUEUED: State.QUEUED_TO_PAUSE,
        State.STARTING: State.STARTING_TO_PAUSE,
        State.RUNNING: State.PAUSING,
        State.SUSPENDING: State.RETURNING_TO_PAUSE,
        State.RETURNING: State.RETURNING_TO_PAUSE,
        State.SUSPENDED: State.QUEUED_TO_PAUSE,
    },
    Event.PAUSE: _unchanged(State)
    | {
        State.QUEUED: State.SUSPENDED,
        State.QUEUED_TO_PAUSE: State.SUSPENDED,
        State.STARTING: State.PAUSING,
        State.RUNNING: State.PAUSING,
        State.RETURNING: State.SUSPENDING,
        State.RETURNING_TO_PAUSE: State.SUSPENDING,
    },
    Event.SUSPEND: _unchanged(State)
    | dict.fromkeys(WITH_WORKER, State.SUSPENDING)
    | {
        State.QUEUED: State.SUSPENDED,
        State.QUEUED_TO_PAUSE: State.SUSPENDED,
        State.STOPPING: State.STOPPING,
    },
    Event.STOP: _unchanged(State)
    | dict.fromkeys(WITH_WORKER, State.STOPPING)
    | {
        State.QUEUED: State.STOPPED,
        State.QUEUED_TO_PAUSE: State.STOPPED,
        State.SUSPENDED: State.STOPPED,
    },
    Event.START: {
        State.QUEUED: State.STARTING,
        State.QUEUED_TO_PAUSE: State.STARTING_TO_PAUSE,
    },
    Event.RAN: _unchanged(WITH_WORKER)
    | {
        State.STARTING: State.RUNNING,
        State.STARTING_TO_PAUSE: State.PAUSING,
        State.PAUSED: State.RUNNING,
    },
    Event.PAUSED: _unchanged(WITH_WORKER) | dict.fromkeys(LISTENING, State.PAUSED),
    Event.SUSPENDED: {
        State.SUSPENDING: State.SUSPENDED,
        State.RETURNING: State.QUEUED,
        State.RETURNING_TO_PAUSE: State.QUEUED_TO_PAUSE,
        State.STOPPING: State.STOPPED,
    },
    Event.NOT_SUSPENDED: {
        State.SUSPENDING: State.PAUSED,
        State.RETURNING: State.RUNNING,
        State.RETURNING_TO_PAUSE: State.PAUSED,
        State.STOPPING: State.STOPPING,
    },
    Event.SOLVED: dict.fromkeys(WITH_WORKER, State.SOLVED),
    Event.FINISHED: dict.fromkeys(WITH_WORKER, State.FINISHED),
    Event.STOPPED: dict.fromkeys(WITH_WORKER, State.STOPPED),
    Event.FAILED: dict.fromkeys(WITH_WORKER, State.FAILED),
    Event.LOST: _unchanged(_OVER) | dict.fromkeys(WITH_WORKER, State.SUSPENDED) | {State.STOPPING: State.STOPPED},
    Event.LOST_ALL: _unchanged(_OVER) | dict.fromkeys(WITH_WORKER, State.FAILED) | {State.STOPPING: State.STOPPED},
    Event.RESTORED: dict.fromkeys(State, State.SUSPENDED) | _unchanged(_OVER),
}
"""The state after each event; a state that is missing in the row of an event is one in which it cannot happen."""

Command = tuple[str, Any]
"""With "resume" goes an `Until`, with "pace" a pace, with "change" settings, with "observe" a bool; else None."""

_TOLD = frozenset({Event.RESUME, Event.STEP, Event.PAUSE, Event.SUSPEND, Event.STOP})


class IllegalEventError(ValueError):
    """An event that cannot happen in the state of the run."""


def after(state: State, event: Event) -> State:
    """The state after an event; raises `IllegalEventError`."""
    try:
        return TRANSITIONS[event][state]
    except KeyError:
        raise IllegalEventError(f"A run that is {state} cannot be in the event {event!r}.") from None


class Lifecycle:
    """The state of one run, and the commands that its worker has not been sent yet. Not thread-safe."""

    def __init__(self, state: State = State.QUEUED) -> None:
        self.state = state
        self.outbox: list[Command] = []  # for the worker of now, in order
        self._steps = 0  # asked for while no worker listened; the next one takes them

    @property
    def status(self) -> Status:
        """What pages and files call the state."""
        return STATUS[self.state]

    def on(self, event: Event, value: Any = None) -> None:
        """Goes to the state after an event; `value` goes with "resume". Raises `IllegalEventError`."""
        before, self.state = self.state, after(self.state, event)
        steps = [(Event.STEP.value, None)] * self._steps
        if event in _TOLD and (before in LISTENING or (event is Event.STOP and before in WITH_WORKER)):
            self.outbox.append((event.value, value))
        elif event is Event.STEP and self.state in TO_PAUSE:
            self._steps += 1
        elif event is Event.START:
            self.outbox, self._steps = steps, 0
        elif event is Event.NOT_SUSPENDED:
            self.outbox += [(Event.RESUME.value, value)] if before is State.RETURNING else steps
        if self.state not in TO_PAUSE:
            self._steps = 0

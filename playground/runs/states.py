"""The state machine of a run: every state, every event, and one table of what follows. It does no I/O."""

from collections.abc import Mapping
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
    NODE_LOST = "node lost"  # the worker went away with its node; the run goes on elsewhere
    RESTORED = "restored"  # another server has read it from disk


LISTENING = frozenset({State.STARTING, State.STARTING_TO_PAUSE, State.RUNNING, State.PAUSING, State.PAUSED})
"""The states whose worker obeys acts at once."""

WITH_WORKER = LISTENING | {State.SUSPENDING, State.RETURNING, State.RETURNING_TO_PAUSE, State.STOPPING}
"""The states that hold a worker slot."""

TO_PAUSE = frozenset({State.QUEUED_TO_PAUSE, State.STARTING_TO_PAUSE, State.RETURNING_TO_PAUSE})

MOVING = frozenset({State.QUEUED, State.STARTING, State.RUNNING, State.RETURNING})
"""The states in which a worker trains until something stops it."""

STATUS: Mapping[State, Status] = {State(status): status for status in get_args(Status)} | {
    State.QUEUED_TO_PAUSE: "queued",
    **dict.fromkeys((State.STARTING_TO_PAUSE, State.RETURNING, State.RETURNING_TO_PAUSE), "starting"),
    **dict.fromkeys((State.PAUSING, State.STOPPING), "running"),
    **dict.fromkeys((State.SUSPENDING, State.SUSPENDED), "paused"),
}


def _to(then: State, *states: State) -> dict[State, State]:
    return dict.fromkeys(states, then)


_UNCHANGED = {state: state for state in State}
_UNCHANGED_AT_WORK = {state: state for state in WITH_WORKER}
_UNCHANGED_AT_THE_END = {state: state for state in State if STATUS[state] in ENDED}
_QUEUED = (State.QUEUED, State.QUEUED_TO_PAUSE)
_RETURNING = (State.RETURNING, State.RETURNING_TO_PAUSE)

TRANSITIONS: Mapping[Event, Mapping[State, State]] = {
    Event.RESUME: _UNCHANGED
    | _to(State.QUEUED, State.QUEUED_TO_PAUSE, State.SUSPENDED)
    | _to(State.STARTING, State.STARTING_TO_PAUSE)
    | _to(State.RUNNING, State.PAUSING, State.PAUSED)
    | _to(State.RETURNING, State.SUSPENDING, State.RETURNING_TO_PAUSE),
    Event.STEP: _UNCHANGED
    | _to(State.QUEUED_TO_PAUSE, State.QUEUED, State.SUSPENDED)
    | _to(State.STARTING_TO_PAUSE, State.STARTING)
    | _to(State.PAUSING, State.RUNNING)
    | _to(State.RETURNING_TO_PAUSE, State.SUSPENDING, State.RETURNING),
    Event.PAUSE: _UNCHANGED
    | _to(State.SUSPENDED, *_QUEUED)
    | _to(State.PAUSING, State.STARTING, State.RUNNING)
    | _to(State.SUSPENDING, *_RETURNING),
    Event.SUSPEND: _UNCHANGED | _to(State.SUSPENDED, *_QUEUED) | _to(State.SUSPENDING, *LISTENING, *_RETURNING),
    Event.STOP: _UNCHANGED | _to(State.STOPPED, *_QUEUED, State.SUSPENDED) | _to(State.STOPPING, *WITH_WORKER),
    Event.START: {State.QUEUED: State.STARTING, State.QUEUED_TO_PAUSE: State.STARTING_TO_PAUSE},
    Event.RAN: _UNCHANGED_AT_WORK
    | _to(State.RUNNING, State.STARTING, State.PAUSED)
    | _to(State.PAUSING, State.STARTING_TO_PAUSE),
    Event.PAUSED: _UNCHANGED_AT_WORK | _to(State.PAUSED, *LISTENING),
    Event.SUSPENDED: _to(State.SUSPENDED, State.SUSPENDING)
    | _to(State.QUEUED, State.RETURNING)
    | _to(State.QUEUED_TO_PAUSE, State.RETURNING_TO_PAUSE)
    | _to(State.STOPPED, State.STOPPING),
    Event.NOT_SUSPENDED: _to(State.PAUSED, State.SUSPENDING, State.RETURNING_TO_PAUSE)
    | _to(State.RUNNING, State.RETURNING)
    | _to(State.STOPPING, State.STOPPING),
    Event.SOLVED: _to(State.SOLVED, *WITH_WORKER),
    Event.FINISHED: _to(State.FINISHED, *WITH_WORKER),
    Event.STOPPED: _to(State.STOPPED, *WITH_WORKER),
    Event.FAILED: _to(State.FAILED, *WITH_WORKER),
    Event.LOST: _UNCHANGED_AT_THE_END | _to(State.SUSPENDED, *WITH_WORKER) | _to(State.STOPPED, State.STOPPING),
    Event.LOST_ALL: _UNCHANGED_AT_THE_END | _to(State.FAILED, *WITH_WORKER) | _to(State.STOPPED, State.STOPPING),
    Event.NODE_LOST: _UNCHANGED_AT_THE_END
    | _to(State.QUEUED, State.STARTING, State.RUNNING, State.RETURNING)
    | _to(State.QUEUED_TO_PAUSE, State.STARTING_TO_PAUSE, State.RETURNING_TO_PAUSE)
    | _to(State.SUSPENDED, State.PAUSING, State.PAUSED, State.SUSPENDING)
    | _to(State.STOPPED, State.STOPPING),
    Event.RESTORED: _to(State.SUSPENDED, *State) | _UNCHANGED_AT_THE_END,
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

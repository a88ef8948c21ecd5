"""The state machine of a run: states, events and one transition table. No I/O."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, get_args

Ended = Literal["solved", "finished", "stopped", "failed"]
Status = Literal["queued", "starting", "running", "paused", Ended]
"""The status of a run, as shown on pages and stored in files."""

ENDED: tuple[Status, ...] = get_args(Ended)


class State(StrEnum):
    """The state of a run. "To pause": the run pauses once it has taken the requested steps."""

    QUEUED = "queued"  # waits for a worker slot
    QUEUED_TO_PAUSE = "queued to pause"
    STARTING = "starting"  # has a worker slot; its worker has not reported yet
    STARTING_TO_PAUSE = "starting to pause"
    RUNNING = "running"
    PAUSING = "pausing"  # its worker will pause after this step
    PAUSED = "paused"  # its worker waits for commands
    SUSPENDING = "suspending"  # its worker will write its state to disk and end
    RETURNING = "returning"  # the same, but the run was resumed meanwhile
    RETURNING_TO_PAUSE = "returning to pause"
    SUSPENDED = "suspended"  # paused without a worker
    STOPPING = "stopping"  # its worker will end for good
    SOLVED = "solved"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class Event(StrEnum):
    """An event that changes the state of a run."""

    RESUME = "resume"  # requests of a person or the host; also the commands a worker accepts
    STEP = "step"
    PAUSE = "pause"
    SUSPEND = "suspend"
    STOP = "stop"
    START = "start"  # the host assigns a worker slot
    RAN = "ran"  # reports of a worker
    PAUSED = "paused"
    SUSPENDED = "suspended"
    NOT_SUSPENDED = "not suspended"  # the state could not be written to disk
    SOLVED = "solved"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    LOST = "lost"  # the worker ended without a final report; the run can resume
    LOST_ALL = "lost all"  # the same, but no state was kept to resume from
    NODE_LOST = "node lost"  # the worker was lost with its node; the run resumes on another one
    RESTORED = "restored"  # a new server process read the run from disk


LISTENING = frozenset({State.STARTING, State.STARTING_TO_PAUSE, State.RUNNING, State.PAUSING, State.PAUSED})
"""States whose worker accepts commands at once."""

WITH_WORKER = LISTENING | {State.SUSPENDING, State.RETURNING, State.RETURNING_TO_PAUSE, State.STOPPING}
"""States that hold a worker slot."""

WILL_PAUSE = frozenset({State.QUEUED_TO_PAUSE, State.STARTING_TO_PAUSE, State.RETURNING_TO_PAUSE})

TRAINING = frozenset({State.QUEUED, State.STARTING, State.RUNNING, State.RETURNING})
"""States in which the run trains, or will, until something stops it."""

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
"""Event -> state before -> state after. An event is illegal in the states its row does not list."""

Command = tuple[str, Any]
"""A command and its argument: "resume": `Until`, "pace": pace, "change": settings, "observe": bool, others: None."""

_COMMANDS = frozenset({Event.RESUME, Event.STEP, Event.PAUSE, Event.SUSPEND, Event.STOP})


class IllegalEventError(ValueError):
    """An event that is not allowed in the current state."""


def after(state: State, event: Event) -> State:
    """The state after an event. Raises `IllegalEventError`."""
    try:
        return TRANSITIONS[event][state]
    except KeyError:
        raise IllegalEventError(f"The event {event!r} is not allowed in the state {state}.") from None


class Lifecycle:
    """The state of one run and the commands not yet sent to its worker. Not thread-safe."""

    def __init__(self, state: State = State.QUEUED) -> None:
        self.state = state
        self.outbox: list[Command] = []  # for the current worker, in order
        self._steps = 0  # requested while no worker listened; the next worker takes them

    @property
    def status(self) -> Status:
        """The state as shown on pages and stored in files."""
        return STATUS[self.state]

    def on(self, event: Event, value: Any = None) -> None:
        """Apply an event; `value` is the argument of "resume". Raises `IllegalEventError`."""
        before, self.state = self.state, after(self.state, event)
        steps = [(Event.STEP.value, None)] * self._steps
        if event in _COMMANDS and (before in LISTENING or (event is Event.STOP and before in WITH_WORKER)):
            self.outbox.append((event.value, value))
        elif event is Event.STEP and self.state in WILL_PAUSE:
            self._steps += 1
        elif event is Event.START:
            self.outbox, self._steps = steps, 0
        elif event is Event.NOT_SUSPENDED:
            self.outbox += [(Event.RESUME.value, value)] if before is State.RETURNING else steps
        if self.state not in WILL_PAUSE:
            self._steps = 0

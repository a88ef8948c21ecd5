"""The tries of a room: which runs are small enough, and what each has reached. All numbers come from the runs."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from playground.common.bounded_cache import BoundedCache
from playground.common.numbers import counted, duration
from playground.experiments import comparison
from playground.rooms.board import TryOutcome
from playground.rooms.codes import shown
from playground.rooms.open_rooms import Rooms
from playground.rooms.room import Room, Seat
from playground.rooms.room_question import RoomError
from playground.runs import Run, Runs
from playground.runs.metadata import is_dealt_name
from playground.runs.states import ENDED, Status
from playground.settings.config import RunConfig, differences, parameter_counts
from playground.settings.estimate import estimate
from playground.settings.presets import preset_of

MAX_SECONDS, MAX_PARAMETERS = 60, 1_000_000
"""Of a try: estimated seconds of computing, and parameters of its model. Presets may take longer."""

MAX_POINTS = 40
"""Of a try's curve."""

Curve = Sequence[tuple[int, float]]
"""Steps and values, to four digits."""


@dataclass(frozen=True)
class Try:
    """A run that somebody has started in a room, as it was when it was read last."""

    id: str
    config: RunConfig
    status: Status
    step: int
    is_dealt_name: bool
    """The run has the name that the server gave it."""
    more: str
    """What the settings at step 0 don't say, such as changes mid-run; empty: nothing."""
    loss: Curve
    exact_match: Curve
    outcome: TryOutcome | None
    """What it has reached with its settings alone; None: it has not ended, or it does more than its settings say."""

    def difference(self, reference: Run | None) -> str:
        """How it differs from the settings of a run, in one line."""
        line = ""
        if reference is not None:
            config = reference.config
            line = _lines.made((self.id, reference.id), lambda: difference(config, self.config))
        return "; ".join(filter(None, (line, self.more))) or comparison.SAME


_lines: BoundedCache[tuple[str, str], str] = BoundedCache(6000, lambda _: 1)
"""By the ids of two runs: how their settings differ."""


def started(rooms: Rooms, run: Run) -> None:
    """Note a new run with the rooms in which its owner has a seat."""
    for room in rooms.of_seat(run.owner):
        with suppress(RoomError):  # the run matters more than the note
            room.started(room.visitors[run.owner], run.id)


def limit(rooms: Rooms, visitor: str, config: RunConfig) -> str:
    """Why a person with a seat in an open room may not train with these settings; empty if they may."""
    room = next((room for room in rooms.of_seat(visitor) if room.owner != visitor), None)
    if room is None or preset_of(config):
        return ""
    seconds, parameters = estimate(config).seconds, sum(parameter_counts(config).values())
    if seconds <= MAX_SECONDS and parameters <= MAX_PARAMETERS:
        return ""
    return (
        f"Room {shown(room.code)} is open, so a run may take {MAX_SECONDS} s of computing and have "
        f"{MAX_PARAMETERS:,} parameters. This one needs about {duration(seconds)} and has {parameters:,}."
    )


def newest(runs: Runs, room: Room) -> Iterator[tuple[Seat, Try]]:
    """The newest try of each seat that has one."""
    for seat in list(room.seats.values()):
        if seat.run and (found := _read(runs, seat.visitor, seat.run)):
            yield seat, found


def outcomes(runs: Runs, room: Room) -> Iterator[TryOutcome]:
    """What the tries of a room have reached, apart from those that say nothing about their settings."""
    for run, seat in list(room.runs.items()):
        if (found := _read(runs, room.seats[seat].visitor, run)) and found.outcome:
            yield found.outcome


def newest_of(runs: Runs, rooms: Rooms, visitor: str) -> Try | None:
    """The newest try of a person in an open room."""
    for room in rooms.of_seat(visitor):
        run = room.visitors[visitor].run
        if run and (found := _read(runs, visitor, run)):
            return found
    return None


def difference(before: RunConfig, after: RunConfig) -> str:
    """How settings differ, in one line; empty if they don't. Of a text only the length is named: a person wrote it."""
    changes = [
        (path, _length(a), _length(b)) if path == "task.text" else (path, a, b)
        for path, a, b in differences(before, after)
    ]
    return comparison.describe_changes(changes)


def _length(text: str) -> str:
    return counted(len(text), "character")


_read_before: BoundedCache[str, tuple[object, Try]] = BoundedCache(6000, lambda _: 1)
"""By the run's id: the tries of ended runs are read once, also if their owner's runs are no longer in memory."""


def _read(runs: Runs, visitor: str, run_id: str) -> Try | None:
    """A try; None if its owner has deleted it."""
    known = _read_before.get(run_id)
    if known and known[1].status in ENDED and not runs.is_loaded(visitor):
        return known[1]
    run = runs.owned(visitor, run_id)
    if run is None or run.store.unreadable:
        return None
    seen = (run.status, run.step, run.metadata.name, run.changes)
    if known is None or known[0] != seen:
        known = (seen, _made(run))
        _read_before.put(run_id, known)
    return known[1]


def _made(run: Run) -> Try:
    more = comparison.difference([run.config, run])[1]
    more = "" if more == comparison.SAME else more
    made = Try(
        run.id,
        run.config,
        run.status,
        run.step,
        is_dealt_name(run.metadata.name),
        more,
        _curve(run, "loss"),
        _curve(run, "exact_match"),
        None,
    )
    if more or made.status not in ("solved", "finished"):
        return made
    came = comparison.outcome(run)
    seconds = run.last().get("seconds", 0.0)
    return replace(made, outcome=TryOutcome(run.config, came.best_exact_match, came.solved_step, seconds))


def _curve(run: Run, measure: str) -> Curve:
    return [(row["step"], float(f"{row[measure]:.4g}")) for row in run.points([measure], MAX_POINTS) if measure in row]

"""The channels of the event stream: what each kind of name stands for, and who may listen."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from playground.runs import Run
from playground.ui import live, playback, slow_motion, state
from playground.ui.curves import CurvesChannel
from playground.ui.stream import OWN, Channel, Fields, Stream
from playground.ui.sweep_picture import SweepChannel


def find(name: str, visitor: str) -> Channel:
    """The channel of this name; raises LookupError if there is none, or none for this visitor."""
    kind, _, rest = name.partition("/")
    if kind == OWN and not visitor:
        raise LookupError(name)
    return _KINDS[kind](name, rest, visitor)


def _of_run(read: Callable[[Run], dict[str, Any]], name: str, run_id: str, _visitor: str) -> Channel:
    def watched() -> Run:
        run = state.RUNS.watched(run_id)  # each time: to be looked at keeps it under way
        if run is None:
            raise LookupError(name)
        return run

    return Fields(name, lambda: read(watched()), lambda: not watched().ended)


def _curves(name: str, run_id: str, _visitor: str) -> Channel:
    if (run := state.RUNS.watched(run_id)) is None:
        raise LookupError(name)
    return CurvesChannel(name, run)


def _playback(name: str, token: str, _visitor: str) -> Channel:
    shown = cast(Run, playback.SHOWN[token])
    return Fields(name, lambda: live.fields(shown), lambda: shown.status == "running")


def _sweep(name: str, rest: str, _visitor: str) -> Channel:
    run_id, _, measure = rest.partition("/")
    return SweepChannel(name, run_id, measure)


def _own(name: str, what: str, visitor: str) -> Channel:
    return Fields(name, partial(_OWN[what], visitor), lambda: True)


_OWN: dict[str, Callable[[str], dict[str, Any]]] = {"runs": live.listed}
"""What a visitor's own channels tell, by the rest of their names."""

_KINDS: dict[str, Callable[[str, str, str], Channel]] = {
    "run": partial(_of_run, live.fields),
    "row": partial(_of_run, live.row),
    "slow": partial(_of_run, slow_motion.fields),
    "curves": _curves,
    "playback": _playback,
    "sweep": _sweep,
    OWN: _own,
}

STREAM = Stream(find)

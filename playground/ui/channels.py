"""Channels of the event stream: one function for each kind of name, with its access rule."""

from collections.abc import Callable
from functools import partial
from typing import Any

from playground.runs import Run
from playground.ui.learn.check import own_code
from playground.ui.parts.charts.curves_route import CurvesChannel
from playground.ui.parts.live import job_channel
from playground.ui.server.stream import OWN, Channel, FieldChannel, Stream
from playground.ui.session.services import services
from playground.ui.step import training_step
from playground.ui.train import playback_control, run_view, slow_motion_view
from playground.ui.train.sweep_picture import SweepChannel


def find(name: str, visitor: str) -> Channel:
    """The channel with this name; raises LookupError if it doesn't exist or this visitor may not read it."""
    kind, _, rest = name.partition("/")
    if kind == OWN and not visitor:
        raise LookupError(name)
    return _CHANNELS[kind](name, rest, visitor)


def _of_run(read: Callable[[Run], dict[str, Any]], name: str, run_id: str, _visitor: str) -> Channel:
    def watched() -> Run:
        run = services().runs.watched(run_id)  # on each request: a run that is watched isn't paused
        if run is None:
            raise LookupError(name)
        return run

    return FieldChannel(name, lambda: read(watched()), lambda: not watched().ended)


def _curves(name: str, run_id: str, _visitor: str) -> Channel:
    if (run := services().runs.watched(run_id)) is None:
        raise LookupError(name)
    return CurvesChannel(name, run)


def _playback(name: str, token: str, _visitor: str) -> Channel:
    shown = playback_control.SHOWN[token]
    return FieldChannel(name, lambda: run_view.fields(shown), lambda: shown.status == "running")


def _own(name: str, rest: str, visitor: str) -> Channel:
    """Channels that belong to one visitor."""
    what, _, about = rest.partition("/")
    return _OWN_CHANNELS[what](name, about, visitor)


def _mine(
    read: Callable[[str], dict[str, Any]], moving: Callable[[str], bool], name: str, about: str, visitor: str
) -> Channel:
    if about:
        raise LookupError(name)
    return FieldChannel(name, lambda: read(visitor), lambda: moving(visitor))


def _replay(name: str, about: str, visitor: str) -> Channel:
    run_id, _, text = about.rpartition("/")
    run = services().runs.watched(run_id)
    if run is None or not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) <= run.step):
        raise LookupError(name)
    return FieldChannel(name, lambda: training_step.replay_fields(visitor, run, int(text)), lambda: True)


def _sweep(name: str, rest: str, _visitor: str) -> Channel:
    run_id, _, measure = rest.partition("/")
    return SweepChannel(name, run_id, measure)


_CHANNELS: dict[str, Callable[[str, str, str], Channel]] = {
    "run": partial(_of_run, run_view.fields),
    "row": partial(_of_run, run_view.row),
    "slow": partial(_of_run, slow_motion_view.fields),
    "curves": _curves,
    "playback": _playback,
    "sweep": _sweep,
    OWN: _own,
}
_OWN_CHANNELS: dict[str, Callable[[str, str, str], Channel]] = {
    "replay": _replay,
    "jobs": partial(_mine, job_channel.fields, job_channel.moving),
    "runs": partial(_mine, run_view.listed, lambda visitor: False),
    "check": partial(_mine, own_code.fields, lambda visitor: bool(own_code.fields(visitor))),
}

STREAM = Stream(find)


def begin() -> None:
    """Check a visitor's own channels soon after they start something; otherwise they are checked rarely."""
    for source in (
        services().runs,
        services().jobs,
        services().questions,
        services().measurements,
        services().sign_ins,
    ):
        source.on_change = STREAM.wake

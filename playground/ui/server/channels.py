"""Channels of the event stream: each room registers its own, by the kind of their names and with their access rule."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from playground.runs import Run
from playground.ui.server.stream import OWN, Channel, FieldChannel, Stream
from playground.ui.session.services import services

Finder = Callable[[str, str, str], Channel]
Fields = Mapping[str, Any]
_Read = TypeVar("_Read", bound=Callable[..., Fields])

_finders: dict[str, Finder] = {}


def channel(kind: str) -> Callable[[Finder], Finder]:
    """Decorator: this function creates the channels KIND/REST, or visitor/KIND/REST, for `find`.

    It gets the whole name, the rest, and the visitor, and has the access rule: it raises LookupError.
    """

    def register(finder: Finder) -> Finder:
        _finders[kind] = finder
        return finder

    return register


def run_channel(kind: str) -> Callable[[_Read], _Read]:
    """Decorator: this function reads the fields of the channel KIND/ID of a run, for everybody who has its id."""

    def register(read: _Read) -> _Read:
        channel(kind)(partial(_of_run, read))
        return read

    return register


def own_channel(what: str, read: Callable[[str], Fields], moving: Callable[[str], bool]) -> None:
    """Register the channel visitor/WHAT of each visitor: `read` and `moving` get the visitor."""

    def of(name: str, rest: str, visitor: str) -> Channel:
        if rest:
            raise LookupError(name)
        return FieldChannel(name, lambda: read(visitor), lambda: moving(visitor))

    channel(f"{OWN}/{what}")(of)


def find(name: str, visitor: str) -> Channel:
    """The channel with this name; raises LookupError if it doesn't exist or this visitor may not read it."""
    kind, _, rest = name.partition("/")
    if kind == OWN:
        what, _, rest = rest.partition("/")
        kind = f"{OWN}/{what}"
        if not visitor:
            raise LookupError(name)
    return _finders[kind](name, rest, visitor)


def watched(name: str, run_id: str) -> Run:
    """The run of the channel with this name; raises LookupError. A run that is watched isn't paused."""
    run = services().runs.watched(run_id)
    if run is None:
        raise LookupError(name)
    return run


def _of_run(read: Callable[[Run], Fields], name: str, run_id: str, _visitor: str) -> Channel:
    return FieldChannel(name, lambda: read(watched(name, run_id)), lambda: not watched(name, run_id).ended)


STREAM = Stream(find)
"""The server's event stream."""


def begin() -> None:
    """Check a visitor's own channels soon after they start something; otherwise they are checked rarely."""
    shared = services()
    for source in (shared.runs, shared.jobs, shared.questions, shared.measurements, shared.sign_ins):
        source.on_change = STREAM.wake

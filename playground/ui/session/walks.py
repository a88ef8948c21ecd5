"""Forward passes that pages show, kept for all visitors together while there is room."""

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from playground.inspection import Walk, walk
from playground.model import Transformer

ROOM = 64_000_000
"""Bytes for all of them."""

_walks: OrderedDict[tuple[object, ...], Walk] = OrderedDict()  # the least used first
_names: dict[int, str] = {}  # by id() of a walk that is kept
_keys: dict[str, tuple[object, ...]] = {}  # by name
_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """A model to look at: the current run at a step, or a checkpoint."""

    name: str
    identity: tuple[object, ...]  # changes when the weights do
    model: Transformer


def walk_of(source: Source, text: str, target: str | None = None, said: int | None = None, padding: int = 0) -> Walk:
    """The forward pass on this input; raises as `inspection.walk` does.

    Kept for all visitors together, not in each session: Streamlit searches everything alive for garbage at every click.
    """
    key = (source.name, source.identity, text, target, said, padding)
    with _lock:
        if key in _walks:
            _walks.move_to_end(key)
            return _walks[key]
    made = walk(source.model, text, target, said=said, padding=padding)
    with _lock:
        if key in _walks:  # made by another thread meanwhile; its name may be known in browsers already
            return _walks[key]
        _walks[key] = made
        name = secrets.token_urlsafe(16)
        _names[id(made)], _keys[name] = name, key
        while len(_walks) > 1 and sum(each.nbytes for each in _walks.values()) > ROOM:
            _, gone = _walks.popitem(last=False)
            del _keys[_names.pop(id(gone))]
    return made


def name_of(walk: Walk) -> str:
    """The name nobody can guess under which `kept` finds this walk; empty if it is not kept any more."""
    return _names.get(id(walk), "")


def kept(name: str) -> Walk | None:
    """The walk of this name, which counts as used by that; None once it has made room for others."""
    with _lock:
        if (key := _keys.get(name)) is None:
            return None
        _walks.move_to_end(key)
        return _walks[key]

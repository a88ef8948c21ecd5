"""Cache of forward passes, shared by all visitors."""

import secrets
import threading
from dataclasses import dataclass, replace

from playground.common.bounded_cache import BoundedCache
from playground.decoding.long_inputs import settings_for, stretched
from playground.explain.inspection import Walk, walk
from playground.model.task_model import TaskModel
from playground.recording import Statement

_Named = tuple[str, Walk]
_walks: BoundedCache[tuple[object, ...], _Named] = BoundedCache(32_000_000, lambda named: named[1].nbytes)
_entering = threading.Lock()

HIDDEN_STATEMENT = Statement("", 1, "# The code is hidden during a bug hunt.", "")
"""Replaces every statement of a model during a bug hunt."""


@dataclass(frozen=True)
class ModelSource:
    """A model to show: the current run at a step, or a checkpoint."""

    name: str
    identity: tuple[object, ...]  # changes when the weights do
    model: TaskModel
    hides_code: bool = False
    reads_longer: bool = False  # whether inputs may be longer than in training


def walk_of(
    source: ModelSource, text: str, target: str | None = None, prefix_length: int | None = None, padding: int = 0
) -> Walk:
    """The forward pass on this input, up to the first overflow; raises `InputError` as `inspection.walk` does.

    Cached for all visitors together, not per session: Streamlit's garbage collection scans all live objects at every
    click.
    """
    key = (source.name, source.identity, source.hides_code, source.reads_longer, text, target, prefix_length, padding)
    if cached := _walks.get(key):
        return cached[1]
    model = source.model
    if source.reads_longer:
        model = stretched(model, settings_for(model.config, text))
    made = walk(model, text, target, prefix_length=prefix_length, padding=padding, until_overflow=True)
    if source.hides_code:
        hidden = [replace(step.operation, source=HIDDEN_STATEMENT, named_by=None) for step in made.steps]
        steps = tuple(replace(step, operation=operation) for step, operation in zip(made.steps, hidden))
        made = replace(made, steps=steps)
    with _entering:
        if cached := _walks.get(key):  # added by another thread meanwhile; browsers may already use its name
            return cached[1]
        _walks.put(key, (secrets.token_urlsafe(16), made))
    return made


def name_of(walk: Walk) -> str:
    """The unguessable name under which `kept` finds this walk; empty if it is no longer cached."""
    return next((name for _, (name, cached) in _walks.items() if cached is walk), "")


def kept(name: str) -> Walk | None:
    """The walk with this name, marked as most recently used; None if it was dropped."""
    cached = next((_walks.get(key) for key, (known, _) in _walks.items() if known == name), None)
    return cached[1] if cached else None

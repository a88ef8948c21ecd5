"""Changing one forward pass from outside."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from torch import Tensor, nn

from playground.recording.copies import with_shared_weights
from playground.recording.hooks import hooked, taps, unknown

Replacement = Tensor | Callable[[Tensor], Tensor]
"""A tensor, or a function of the one that was there."""


@contextmanager
def intervene(model: nn.Module, changes: Mapping[str, Replacement]) -> Iterator[nn.Module]:
    """Yields a copy of `model` in which the named taps pass on something else; both share their weights.

    Raises KeyError for a name that is no tap of this model and ValueError for a replacement of another shape.
    """
    if missing := [name for name in changes if name not in taps(model)]:
        raise unknown(model, missing[0])
    instance = with_shared_weights(model)
    with hooked(instance, {name: partial(_replaced, name, change) for name, change in changes.items()}):
        yield instance


def _replaced(name: str, change: Replacement, value: Tensor) -> Tensor:
    replacement = change if isinstance(change, Tensor) else change(value)
    if replacement.shape != value.shape:
        raise ValueError(f"{name} has shape {tuple(value.shape)}; its replacement has {tuple(replacement.shape)}.")
    return replacement

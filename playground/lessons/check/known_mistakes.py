"""Known mistakes, to compare outputs with what a module with the mistake gives."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from torch import nn

from playground.lessons.mistakes.table import MISTAKES as TABLE
from playground.lessons.mistakes.ways import Way


@dataclass(frozen=True)
class Mistake(Way):
    """A way to make the mistake of this name."""

    name: str = ""


MISTAKES = [
    Mistake(way.words, way.change, way.of, way.removes, name) for name, mistake in TABLE.items() for way in mistake.ways
]
"""The likely ones first: the first whose output equals the student's is the cause."""


@contextmanager
def restored(module: nn.Module) -> Iterator[None]:
    """Afterwards all classes and children are again what they were; building another module takes longer."""
    before = [(part, part.__class__, dict(part._modules)) for part in module.modules()]
    try:
        yield
    finally:
        for part, kind, children in before:
            part.__class__ = kind
            part._modules.clear()
            part._modules.update(children)

"""Watching one forward pass from outside: what flowed through each tap, from what it was made, and by which line."""

import copy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from playground.recording.hooks import hooked, owner, taps
from playground.recording.source import Statement, calling_statement, model_statement


@dataclass
class Operation:
    """One tap of one recorded forward pass."""

    name: str  # dotted path, e.g. "encoder.layers.0.self_attention.attention.scores"
    owner: str  # class that owns the tap, e.g. "ScaledDotProductAttention"
    value: Tensor
    inputs: tuple[str, ...]  # taps whose tensors this one was computed from, in order of execution
    parameters: tuple[str, ...]  # parameters and constant tables that took part
    source: Statement  # that computed it
    named_by: Statement | None = None  # that called the tap, if it is another one

    @property
    def tap(self) -> str:
        """The last part of the name, e.g. "scores"."""
        return self.name.rpartition(".")[2]


@dataclass
class Recording:
    """Operations of one forward pass in execution order, made by calling `model` inside `record`."""

    model: nn.Module
    operations: dict[str, Operation] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Operation:
        return self.operations[name]

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations.values())

    def __len__(self) -> int:
        return len(self.operations)


@contextmanager
def record(model: nn.Module) -> Iterator[Recording]:
    """Records every tap of the one forward pass made with `recording.model` inside the block.

    `recording.model` is a deep copy of `model` in the same mode (training or evaluation). What each tensor was
    computed from is not declared anywhere: it is seen by following the tensors through the pass.

    Raises RuntimeError if a tap is called twice, since its name would then mean two tensors.
    """
    instance = copy.deepcopy(model)
    recording = Recording(instance)
    dependencies = _Dependencies(instance)
    notes = {name: partial(_note, recording, dependencies, name) for name in taps(instance)}
    # An input given twice would look as if the one were made from the other.
    handle = instance.register_forward_pre_hook(lambda _module, inputs: dependencies.given(inputs))
    try:
        with hooked(instance, notes), torch.no_grad(), dependencies:
            yield recording
    finally:
        handle.remove()


def _note(recording: Recording, dependencies: "_Dependencies", name: str, value: Tensor) -> None:
    """Records what flows through a tap, in the middle of the pass."""
    if name in recording.operations:
        raise RuntimeError(f"Tap {name} was called twice; one recording holds one forward pass.")
    seen, source = dependencies.of(value), calling_statement(sys._getframe(1))
    computed_by = dependencies.computed_by(value) or source
    recording.operations[name] = Operation(
        name=name,
        owner=owner(recording.model, name),
        value=value.detach().cpu(),
        inputs=tuple(other for other in recording.operations if other in seen),
        parameters=tuple(parameter for parameter in dependencies.parameters if parameter in seen),
        source=computed_by,
        named_by=source if source != computed_by else None,
    )
    dependencies.reset(value, name)


class _Dependencies(TorchFunctionMode):
    """Follows every tensor through the pass: from which taps and parameters it was computed since the last tap, and by
    which statement."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        named = [*model.named_parameters(), *model.named_buffers()]
        self.parameters = [name for name, _ in named]
        self._names: dict[int, frozenset[str]] = {id(tensor): frozenset((name,)) for name, tensor in named}
        self._statements: dict[int, Statement] = {}
        self._alive: list[Tensor] = []  # an id means something only while its tensor lives

    def of(self, tensor: Tensor) -> frozenset[str]:
        return self._names.get(id(tensor), frozenset())

    def computed_by(self, tensor: Tensor) -> Statement | None:
        """None for a tensor that was given to the pass."""
        return self._statements.get(id(tensor))

    def given(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Copies of the inputs of the pass."""
        copies = tuple(value.clone() if isinstance(value, Tensor) else value for value in inputs)
        self._statements.clear()
        return copies

    def reset(self, tensor: Tensor, name: str) -> None:
        self._names[id(tensor)] = frozenset((name,))
        self._alive.append(tensor)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        inputs, source = list(_tensors((args, kwargs))), model_statement(sys._getframe(1))
        names = frozenset().union(*(self.of(tensor) for tensor in inputs))
        for tensor in _tensors(result):
            if not any(tensor is other for other in inputs):
                self._names[id(tensor)] = names
                if source:
                    self._statements[id(tensor)] = source
                self._alive.append(tensor)
        return result


def _tensors(value: object) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _tensors(part)
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))

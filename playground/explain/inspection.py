"""One forward pass as a person walks it: every operation with its formula, its statement and its numbers."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.decoding import batch_to_read
from playground.explain import Cell, TapDocument, bind, cell, dims, explain
from playground.explain.cells import Reader, gradient_cell
from playground.explain.words import title_beside
from playground.model.task_model import TaskModel
from playground.recording import Operation, record, run_with_cache
from playground.tasks import PAD, decode
from playground.tasks.batches import Batch


class NotFiniteError(PlaygroundError, ValueError):
    """A tensor holds numbers that cannot be shown."""


@dataclass(frozen=True)
class Step:
    """One operation of the walk."""

    operation: Operation
    document: TapDocument
    dims: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.operation.name

    @property
    def value(self) -> Tensor:
        return self.operation.value

    @property
    def letters(self) -> dict[str, str]:
        """Full names of taps and parameters, "source" or "target", by their symbols in the formulas."""
        names = bind(self.document.cell, self.operation) | {self.operation.tap: self.name}
        return {letter: names[role] for letter, role in self.document.letters.items() if role in names}


@dataclass(frozen=True)
class Walk:
    """All operations of one pass over one input, in execution order."""

    model: TaskModel
    batch: Batch
    steps: tuple[Step, ...]
    overflow: str = ""
    """Why it ends early: the operation that overflowed, in a sentence."""
    _gradients: dict[str, Tensor] = field(default_factory=dict, repr=False, compare=False)  # empty until asked for
    _asking: Lock = field(default_factory=Lock, repr=False, compare=False)

    @cached_property
    def tokens(self) -> dict[str, list[str]]:
        """Names of what is read: those of source S and target T that this model has."""
        read = {"S": self.batch.source, "T": self.batch.target}
        task = self.model.config.task
        return {letter: decode(ids[0].tolist(), task) for letter, ids in read.items() if ids is not None}

    @cached_property
    def predicted(self) -> list[int]:
        """The most probable token at each position that has a label, from the recorded logits; empty without them."""
        return [] if "logits" not in self._by_name else self["logits"].value[0].argmax(-1)[self._asked].tolist()

    @property
    def next_token(self) -> int | None:
        """The prediction after all tokens that the decoder has read; None without a decoder."""
        return self.predicted[-1] if self.predicted and self.batch.target is not None else None

    @property
    def next_probability(self) -> float | None:
        """The probability of `next_token`, from 0 to 1."""
        if self.next_token is None or "probabilities" not in self._by_name:
            return None
        return float(self["probabilities"].value[0][self._asked][-1, self.next_token])

    @property
    def nbytes(self) -> int:
        """Bytes of all recorded tensors and, once they were asked for, of the gradients."""
        kept = [*(step.value for step in self.steps), *self._gradients.values()]  # in one go: they may just be arriving
        return sum(tensor.nbytes for tensor in kept)

    @cached_property
    def _asked(self) -> Tensor:
        """(T,) where something is asked for."""
        return self.batch.labels[0] != PAD

    def __getitem__(self, name: str) -> Step:
        """The step of this name; raises KeyError."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Step]:
        return {step.name: step for step in self.steps}

    @cached_property
    def values(self) -> dict[str, Tensor]:
        """The recorded tensors by name."""
        return {step.name: step.value for step in self.steps}

    def gradients(self) -> dict[str, Tensor]:
        """d loss / d value, in the shape of the value, for every operation that the loss depends on.

        Computed when first asked for, by running the same pass again with its graph kept. Raises `NotFiniteError`.
        """
        with self._asking:
            if not self._gradients:
                self._gradients.update(self._backward())
            return self._gradients

    def hidden(self, name: str) -> Tensor | None:
        """(1, T, S) of int8: which cells are hidden and by what; None where no mask hides cells.

        0 visible, 1 hidden by the causal mask, 2 by padding, 3 by both, 4 by the window alone: read from the recorded
        masks that this operation was computed from, or from itself where it is a mask. Raises KeyError for an unknown
        name.
        """
        step = self[name]
        if step.operation.tap not in (*_HIDING, *_CAUSES):
            return None
        hidden = torch.zeros(1, *step.value.shape[-2:], dtype=torch.int8)
        reached, window = [name], None
        while reached:
            operation = self[reached.pop()].operation
            if operation.tap in _HIDING:
                reached += operation.inputs
                window = operation.value[0] if operation.tap == "window_mask" else window
            elif operation.tap in _CAUSES:
                hidden += (~operation.value[0]).to(torch.int8) * _CAUSES[operation.tap]
        if window is None:
            return hidden
        return hidden.masked_fill(window, 0).masked_fill(~window & (hidden == 0), _BY_WINDOW)

    def _backward(self) -> dict[str, Tensor]:
        _, cache = run_with_cache(self.model, self.batch, gradients_of=lambda output: output[1])
        for name, gradient in cache.gradients.items():
            if not bool(gradient.isfinite().all()):
                raise NotFiniteError(f"The gradient at {name} holds a number that is not finite; it cannot be shown.")
        return cache.gradients

    def cell(self, name: str, index: tuple[int, ...]) -> Cell:
        """How one number of the tap `name` came about; `index` has an entry for each axis, batch included.

        Raises KeyError for a name that this walk does not have and IndexError for an index outside the tensor.
        """
        step, config = self[name], self.model.config.model
        return cell(step.document.cell, step.operation, index, config, self._tensor, self._dims)

    def gradient_cell(self, name: str, index: tuple[int, ...]) -> Cell:
        """How one number of the gradient at the tap `name` came about: what each operation that read it hands back.

        Raises KeyError for a name that has no gradient, IndexError for an index outside, and `NotFiniteError`.
        """
        gradients, config = self.gradients(), self.model.config.model
        steps = [step for step in self.steps if step.name in gradients and name in step.operation.inputs]
        titles = [step.document.title for step in steps]
        if len({*titles}) < len(titles):  # of several layers
            titles = [title_beside(step.name, name) for step in steps]
        readers = []
        for title, step in zip(titles, steps):
            names, rules = bind(step.document.cell, step.operation), step.document.backward.cells
            own = {role: rule for role, rule in rules.items() if names[role] == name}
            readers.append(Reader(title, step.document.cell, step.operation, own))
        return gradient_cell(name, index, readers, config, self._tensor, gradients.__getitem__, self._dims)

    def _tensor(self, name: str) -> Tensor:
        if name in self._by_name:
            return self[name].value
        return self.batch._asdict()[name] if name in Batch._fields else self.model.get_parameter(name).cpu()

    def _dims(self, name: str) -> tuple[str, ...]:
        return self[name].dims if name in self._by_name else ()


_HIDING = ("weights", "masked_scores", "window_mask", "mask")
_CAUSES = {"causal_mask": 1, "padding_mask": 2}
_BY_WINDOW = 4


def walk(
    model: TaskModel,
    text: str,
    target: str | None = None,
    *,
    prefix_length: int | None = None,
    padding: int = 0,
    until_overflow: bool = False,
) -> Walk:
    """Runs `model` in evaluation mode on what a person typed and keeps every operation.

    The decoder reads `target` or, without one, the model's own greedy answer; with `prefix_length`, only that many
    tokens of it. `padding` is how many PAD stand behind the source; see `decoding.batch_to_read`. Raises
    `tasks.InputError`, and `NotFiniteError` where a tensor holds NaN or infinity; only masked scores may be minus
    infinity. With `until_overflow`, the walk ends before that tensor instead.
    """
    for name, parameter in () if until_overflow else model.named_parameters():
        if not bool(parameter.isfinite().all()):
            raise NotFiniteError(f"{name} holds a number that is not finite; this model cannot be shown.")
    batch = batch_to_read(model.eval(), text, target, prefix_length=prefix_length, padding=padding)
    with record(model) as recording:
        recording.model(*batch.to(model.device))
    operations, overflow = list(recording), ""
    for index, operation in enumerate(operations):
        value = operation.value
        masked = operation.tap == "masked_scores"
        if bool((value.isfinite() | ((value == -math.inf) & masked)).all()):
            continue
        if not until_overflow:
            raise NotFiniteError(f"{operation.name} holds a number that is not finite; this model cannot be shown.")
        overflow = f"{operation.name} overflowed: it holds a number that is not finite."
        operations = operations[:index]
        break
    steps = tuple(
        Step(
            operation,
            explain(operation.name, operation.owner, model.config),
            dims(operation.name, operation.owner, model.config),
        )
        for operation in operations
    )
    return Walk(model, batch, steps, overflow)


def as_json(walk: Walk) -> dict[str, Any]:
    """The walk as plain data: `steps` in order and the `parameters` they used; minus infinity becomes None."""
    named = dict(walk.model.named_parameters()) | dict(walk.model.named_buffers())
    used = {name for step in walk.steps for name in step.operation.parameters}
    return {
        "steps": [
            {
                "name": step.name,
                "title": step.document.title,
                "sentence": step.document.sentence,
                "formula": step.document.formula,
                "section": step.document.sources[0].section,
                "sources": [vars(source) for source in step.document.sources],
                "letters": step.letters,
                "declaration": {
                    "cell": " ".join(step.document.cell.formula.cell),
                    "lines": step.document.cell.lines,
                    "where": bind(step.document.cell, step.operation),
                },
                "dims": list(step.dims),
                "shape": list(step.value.shape),
                "values": _plain(step.value),
                "inputs": list(step.operation.inputs),
                "parameters": list(step.operation.parameters),
                "source": vars(step.operation.source),
                "named_by": step.operation.named_by and vars(step.operation.named_by),
            }
            for step in walk.steps
        ],
        "parameters": {
            name: {"shape": list(tensor.shape), "values": _plain(tensor.detach())}
            for name, tensor in named.items()
            if name in used
        },
    }


def _plain(tensor: Tensor) -> Any:
    values = tensor.tolist()
    return _without_infinity(values) if tensor.dtype.is_floating_point and bool(torch.isinf(tensor).any()) else values


def _without_infinity(values: Any) -> Any:
    if isinstance(values, list):
        return [_without_infinity(value) for value in values]
    return None if values == -math.inf else values

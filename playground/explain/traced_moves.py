"""What a traced function only moves: where each cell of its output is copied from."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from playground.explain.written_cell import numbers_of
from playground.recording import Node, TracedTensor, values_in

MOVES = frozenset(
    name
    for names in (
        "view reshape view_as reshape_as flatten unflatten transpose swapaxes swapdims movedim moveaxis permute",
        "T mT H mH t squeeze unsqueeze expand expand_as repeat repeat_interleave tile broadcast_to contiguous clone",
        "detach data alias float double to type_as getitem setitem select narrow index_select gather take_along_dim",
        "masked_select diagonal chunk split tensor_split unbind cat concat concatenate stack hstack vstack flip roll",
        "copy scatter topk sort",
    )
    for name in names.split()
)
"""Functions that move cells, and change none."""


@dataclass(frozen=True)
class Moved:
    """Where the cells of an output are copied from."""

    sources: tuple[TracedTensor, ...]
    origins: torch.Tensor
    """In the output's shape: the index of each cell in the flattened sources, end to end; -1 for `constant`."""
    constant: float | None

    def source(self, index: tuple[int, ...]) -> tuple[TracedTensor, tuple[int, ...]] | None:
        """The tensor and the cell that one cell is a copy of; None for the constant."""
        at = int(self.origins[index])
        if at < 0:
            return None
        for value in self.sources:
            if at < math.prod(value.shape):
                return value, tuple(int(part) for part in torch.unravel_index(torch.tensor(at), value.shape))
            at -= math.prod(value.shape)
        raise AssertionError("a cell from nowhere")

    def copies(self, value: TracedTensor, index: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The cells of the output that are copied from one cell of a source."""
        at = int(np.ravel_multi_index(index, value.shape)) if index else 0
        for source in self.sources[: self.sources.index(value)]:
            at += math.prod(source.shape)
        return [tuple(cell) for cell in (self.origins == at).nonzero().tolist()]


def moved(node: Node, output: int = 0) -> Moved | None:
    """Where the cells of an output are copied from, if the function copies all of them; else None.

    It is found by calling the function with the numbers of cells instead of their content.
    """
    if node.function not in MOVES or any(value.tensor is None for value in (*node.inputs, node.outputs[output])):
        return None
    if node.function in ("topk", "sort") and output:
        return None  # indices
    if node.function == "scatter" and not isinstance(node.argument(3, "src"), TracedTensor):
        return None
    read = node.arguments[1:] if node.function == "copy" else node.arguments
    dtype = next((value.dtype for value in values_in(read)), "")
    sources = tuple(value for value in dict.fromkeys(values_in((node.arguments, node.named))) if value.dtype == dtype)
    numbered, total = dict[TracedTensor, torch.Tensor](), 0
    for value in sources:
        count = math.prod(value.shape)
        numbered[value] = torch.arange(total, total + count, dtype=torch.float64).reshape(value.shape)
        total += count

    def given(thing: Any) -> Any:
        if isinstance(thing, TracedTensor):
            return numbered[thing].clone() if thing in numbered else numbers_of(thing)
        if isinstance(thing, (tuple, list)):
            return type(thing)(map(given, thing))
        if isinstance(thing, slice):
            return slice(given(thing.start), given(thing.stop), given(thing.step))
        return thing

    arguments, constant = [given(thing) for thing in node.arguments], None
    named = {name: given(thing) for name, thing in node.named.items()}
    try:
        if node.function in ("to", "float", "double", "type_as"):
            result: Any = arguments[0]
        elif node.function in ("topk", "sort"):
            axis = node.argument(2 if node.function == "topk" else 1, "dim", -1)
            result = arguments[0].gather(axis, numbers_of(node.outputs[1]))
        elif node.function == "setitem":
            if not isinstance(node.arguments[2], TracedTensor):
                arguments[2], constant = -1.0, float(node.arguments[2])
            node.called(*arguments)
            result = arguments[0]
        elif node.function == "copy":
            result = arguments[1].expand_as(arguments[0])
        elif node.in_place:
            return None
        else:
            result = node.called(*arguments, **named)
    except (RuntimeError, IndexError, TypeError, ValueError):  # such as numbers that are no indices
        return None
    if not isinstance(result, torch.Tensor):
        result = list(result)[output]
    elif output:
        return None
    fits = isinstance(result, torch.Tensor) and tuple(result.shape) == node.outputs[output].shape
    return Moved(sources, result.long(), constant) if fits else None

"""Softmax that is written by hand in a traced pass, found by its numbers."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_positions import constant, product
from playground.recording import Node, Trace, TracedTensor

_LAST = frozenset({"div", "mul", "exp", "copy"})
"""Functions that a softmax ends with."""

_MAX_STEPS = 60


def find_softmax(trace: Trace) -> None:
    """Puts a softmax in the place of each last call of one that is written by hand, such as exp(x) / exp(x).sum(-1)."""
    for node in list(trace.nodes):
        if node.function == "softmax":
            _with_axis(trace, node)
        elif node.function in _LAST and not constant(node.output) and node.output.tensor is not None:
            axis = _axis(node.output.tensor)
            if axis is not None and (source := _source(node.output, axis)):
                _put(trace, replace(node, function="softmax", arguments=(source, axis), named={}, inputs=(source,)))


def _with_axis(trace: Trace, node: Node) -> None:
    """The axis in the arguments, also where torch chooses it."""
    axis = node.argument(1, "dim")
    if not isinstance(axis, int) and node.output.tensor is not None:
        axis = _axis(node.output.tensor)
    if isinstance(axis, int):
        _put(trace, replace(node, arguments=(node.argument(0, "input"), axis), named={}))


def _put(trace: Trace, node: Node) -> None:
    trace.nodes[node.index] = node
    for value in node.outputs:
        if value.node is None or value.node.index == node.index:
            value.node = node


def _axis(weights: Tensor) -> int | None:
    """The axis along which numbers sum to 1, the last one first."""
    if not weights.is_floating_point() or weights.ndim == 0 or weights.numel() < 2 or bool((weights < 0).any()):
        return None
    for axis in reversed(range(weights.ndim)):
        sums = weights.sum(axis)
        if weights.size(axis) > 1 and torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
            return axis
    return None


def _source(weights: TracedTensor, axis: int) -> TracedTensor | None:
    """The earliest value whose softmax along the axis these weights are, where they are not 0."""
    numbers = _numbers(weights).double()
    before = [value for value in _before(weights) if value.shape == weights.shape and value.tensor is not None]
    for value in before:
        if torch.allclose(_numbers(value).double().softmax(axis), numbers, atol=1e-5):
            return value
    for value in before:
        difference = (numbers.log() - _numbers(value).double()).masked_fill(numbers == 0, torch.nan)
        spread = difference - difference.nanmean(axis, keepdim=True)
        if float(spread.nan_to_num().abs().max()) < 1e-3 and bool((numbers == 0).any()):
            return _masked(value, numbers == 0)
    return None


def _masked(scores: TracedTensor, hidden: Tensor) -> TracedTensor:
    """Scores where those that get no weight are minus infinity."""
    assert scores.node is not None
    masked = replace(scores, tensor=_numbers(scores).masked_fill(hidden, -torch.inf), origin="operation")
    masked.node = replace(
        scores.node, function="masked_fill", arguments=(scores,), named={}, inputs=(scores,), outputs=(masked,)
    )
    return masked


def _before(value: TracedTensor) -> list[TracedTensor]:
    """What a value was computed from, back to matrix products, in order of execution."""
    return sorted(_behind(value), key=lambda each: each.index)


def _behind(value: TracedTensor) -> Iterator[TracedTensor]:
    seen, frontier = {value}, [value]
    while frontier and len(seen) < _MAX_STEPS:
        node = frontier.pop(0).node
        if node is None or product(node) is not None:
            continue
        for inner in node.inputs:
            if inner not in seen and not constant(inner):
                seen.add(inner)
                frontier.append(inner)
                yield inner


def _numbers(value: TracedTensor) -> Tensor:
    assert value.tensor is not None
    return value.tensor

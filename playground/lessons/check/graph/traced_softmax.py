"""Softmax that is written by hand in a traced pass, found by its numbers."""

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
    assert weights.tensor is not None
    numbers, before = weights.tensor.double(), _before(weights)
    for value, scores in before:
        if torch.allclose(scores.softmax(axis), numbers, atol=1e-5):
            return value
    for value, scores in before if bool((numbers == 0).any()) else ():
        difference = (numbers.log() - scores).masked_fill(numbers == 0, torch.nan)
        spread = difference - difference.nanmean(axis, keepdim=True)
        if float(spread.nan_to_num().abs().max()) < 1e-3:
            return _masked(value, numbers == 0)
    return None


def _masked(scores: TracedTensor, hidden: Tensor) -> TracedTensor:
    """Scores where those that get no weight are minus infinity."""
    assert scores.node is not None
    assert scores.tensor is not None
    masked = replace(scores, tensor=scores.tensor.masked_fill(hidden, -torch.inf), origin="operation")
    masked.node = replace(
        scores.node, function="masked_fill", arguments=(scores,), named={}, inputs=(scores,), outputs=(masked,)
    )
    return masked


def _before(weights: TracedTensor) -> list[tuple[TracedTensor, Tensor]]:
    """What weights were computed from in their shape, back to matrix products, in order of execution."""
    found, frontier = {weights}, [weights]
    while frontier and len(found) < _MAX_STEPS:
        node = frontier.pop(0).node
        if node is not None and product(node) is None:
            new = [value for value in dict.fromkeys(node.inputs) if value not in found and not constant(value)]
            found.update(new)
            frontier += new
    every = sorted(found - {weights}, key=lambda value: value.index)
    return [
        (value, value.tensor.double()) for value in every if value.shape == weights.shape and value.tensor is not None
    ]

"""Feed-forward networks in a traced pass: two linear layers, or three, with an activation function."""

from dataclasses import dataclass

from torch import Tensor

from playground.lessons.check.graph.traced_positions import ELEMENTWISE, bare, constant
from playground.lessons.check.graph.traced_reads import projection
from playground.recording import Node, TracedTensor

_LINEAR = frozenset(
    ["mul", "div", "add", "sub", "neg", "float", "double", "to", "type_as", "clone", "contiguous", "dropout"]
)
"""Functions of a cell that are no activation functions, with a constant."""


@dataclass(frozen=True)
class FeedForward:
    """Two linear layers with an activation function."""

    source: TracedTensor
    node: Node  # where the mistake is made; without one the activation function
    features: int  # of the source that the first layer reads
    cause: str | None
    remarks: tuple[str, ...] = ()

    @property
    def expected(self) -> Tensor | None:
        """What the node of the mistake gives without it."""
        if self.cause == "relu-missing":
            return None if self.node.output.tensor is None else self.node.output.tensor.relu()
        return self.node.inputs[0].tensor if self.cause == "relu-last" else None


def feed_forward_of(value: TracedTensor) -> FeedForward | None:
    """The feed-forward network whose result a value is; None if it is none."""
    last = projection(value)
    if last is None:  # perhaps an activation function comes last
        found = _activated(value)
        if found is None or len(found[0]) > 1:
            return None
        ((before,), node) = found
        second = projection(before)
        first = second and projection(second.source)
        if second and not first and (inner := _activated(bare(second.source))) and len(inner[0]) == 1:
            first = projection(inner[0][0])
        return FeedForward(bare(first.source), node, first.features, "relu-last") if first else None
    inside = bare(last.source)
    if (first := projection(inside)) is not None:
        assert inside.node is not None
        return FeedForward(bare(first.source), inside.node, first.features, "relu-missing")
    found = _activated(inside)
    if found is None:
        return None
    maps = [projection(each) for each in found[0]]
    sources = {bare(each.source) for each in maps if each is not None}
    if None in maps or len(sources) != 1:
        return None
    remarks = ("the feed-forward network is gated",) if len({each.weight for each in maps if each}) > 1 else ()
    features = min(each.features for each in maps if each is not None)
    return FeedForward(sources.pop(), found[1], features, None, remarks)


def _activated(value: TracedTensor) -> tuple[list[TracedTensor], Node] | None:
    """The values of which another one is a function cell by cell, which is not linear, and a node of it."""
    open_, ends, bent = [value], list[TracedTensor](), None
    seen = {value}
    while open_:
        each = bare(open_.pop())
        if each.dtype == "bool":  # a comparison as numbers
            continue
        node = each.node
        of_two = (
            node is not None and node.function in ("max", "min") and isinstance(node.argument(1, "other"), TracedTensor)
        )
        if node is None or not (of_two or node.function in ELEMENTWISE or node.function == "setitem"):
            ends.append(each)
            continue
        inner = [part for part in node.inputs if not constant(part) and part.dtype != "bool"]
        if node.function not in _LINEAR or (node.function in ("mul", "div") and len(inner) > 1):
            bent = node
        elif projection(each) is not None:  # a linear map and its bias
            ends.append(each)
            continue
        open_ += [part for part in inner if part not in seen]
        seen.update(inner)
    return (list(dict.fromkeys(ends)), bent) if bent is not None else None

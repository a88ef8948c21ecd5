"""Judges a part by the graph of its own pass: no weight is copied and no name is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from playground.lessons.check.student_code import Sizes
from playground.lessons.check.traced_attention import (
    SEQUENCE,
    Attention,
    UnclearError,
    attentions,
    cause_of_axis,
    cause_of_heads,
    cause_of_mask,
    cause_of_scale,
    check_values,
    projection,
)
from playground.lessons.check.traced_positions import MIXED, UNKNOWN, cells, constant
from playground.recording import Node, Trace, TracedTensor


@dataclass(frozen=True)
class Judgement:
    """What a pass shows."""

    cause: str | None  # None: right
    node: Node | None = None  # where the mistake is made
    remarks: tuple[str, ...] = ()

    @property
    def where(self) -> str | None:
        """The line and the expression of the mistake."""
        if self.node is None:
            return None
        line = f"line {self.node.source.line}: " if self.node.source.line else ""
        return f"{line}{self.node.expression or self.node.source.code}" or None


@dataclass(frozen=True)
class Question:
    """A pass, and what is known about its inputs."""

    trace: Trace
    axes: Mapping[str, str]  # of each input with numbers for positions: b, t or s, d in its order
    visible: Tensor  # (B, T, S): True where a query should see a key
    memory_visible: Tensor | None = None  # the same for cross-attention
    sizes: Sizes = field(default_factory=Sizes)
    words: str = ""  # name and docstrings, lower case

    def given(self) -> dict[TracedTensor, Tensor]:
        """The positions of the inputs."""
        return {self.trace.inputs[name]: _positions(self.trace.inputs[name], axes) for name, axes in self.axes.items()}


def _positions(value: TracedTensor, axes: str) -> Tensor:
    index = torch.arange(max(value.shape))
    found = torch.zeros(value.shape, dtype=torch.long)
    for axis, letter in enumerate(axes):
        if letter in "bts":
            along = index[: value.shape[axis]] * (SEQUENCE if letter == "b" else 1)
            found = found + along.reshape([-1 if other == axis else 1 for other in range(len(value.shape))])
    return found


def judge_multi_head_attention(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    trace, given = question.trace, question.given()
    found = attentions(trace, given)
    if not found:
        raise UnclearError("No softmax of a product of queries and keys was found.")
    width = next(value.shape[axes.index("d")] for value, axes in zip(given, question.axes.values()))
    for attention in found:
        if cause := cause_of_scale(attention, width):
            return Judgement(cause, attention.scores)
        if cause := cause_of_heads(attention):
            return Judgement(cause, attention.scores)
        if cause := cause_of_axis(attention):
            return Judgement(cause, attention.softmax)
        if cause := cause_of_mask(attention, question.visible):
            return Judgement(cause, attention.softmax)
        check_values(attention)
        if cause := _cause_of_projections(attention, width, trace):
            return Judgement(cause, attention.scores)
    return _output(question, found)


def _cause_of_projections(attention: Attention, width: int, trace: Trace) -> str | None:
    _, values = attention.used
    for side, what in zip((*attention.sides, values), ("queries", "keys", "values")):
        mapped = projection(side.value)
        if mapped is None:
            raise UnclearError(f"The linear layer of the {what} was not found.")
        if mapped.features < width and mapped.features == attention.width:
            return "one-projection-for-all-heads"
        if mapped.features != width:
            raise UnclearError(f"The {what} read {mapped.features} of {width} numbers of a position.")
        if not {*cells(mapped.source).bases} <= {*trace.inputs.values()}:
            raise UnclearError(f"The {what} aren't computed from the input itself.")
    return None


def _output(question: Question, found: list[Attention]) -> Judgement:
    trace, positions = question.trace, found[0].positions
    asking = next(name for name, axes in question.axes.items() if "t" in axes)
    shape = trace.inputs[asking].shape
    output = next((value for value in trace.outputs.values() if value.shape == shape and not constant(value)), None)
    if output is None:
        raise UnclearError("No output has the shape of the input.")
    remarks = []
    value = output
    while True:
        inner = cells(value).bases
        base = inner[0]
        if len(inner) > 1 or base.node is None:
            break
        if base.node.function == "layer_norm":
            remarks.append("the norm is inside")
            value = base.node.arguments[0]
        elif base.node.function == "add":
            rest = [each for each in base.node.inputs if not {*cells(each).bases} <= {*trace.inputs.values()}]
            if len(rest) != 1:
                break
            remarks.append("the residual sum is inside")
            value = rest[0]
        else:
            break
    weighed = {attention.weighted.output for attention in found}
    here = positions.of(value)
    if bool((here == UNKNOWN).any()):
        raise UnclearError("How the heads are joined is not understood.")
    if {*inner} <= weighed:
        return Judgement("no-output-projection", trace.nodes[-1])
    if bool((here == MIXED).any()) or not torch.equal(here, _like_inputs(question, here)):
        return Judgement("heads-without-transpose", inner[0].node)
    mapped = projection(value)
    if mapped is None or not {*cells(mapped.source).bases} <= weighed:
        raise UnclearError("What follows the attention is not understood.")
    total = sum(map(_features, found))
    if mapped.features != total:
        raise UnclearError(f"The last layer reads {mapped.features} of {total} numbers of the heads.")
    return Judgement(None, remarks=tuple(remarks))


def _features(attention: Attention) -> int:
    """How many numbers of the heads belong to one position."""
    here = attention.positions.of(attention.weighted.output).flatten()
    return len(here) // len(here.unique())


def _like_inputs(question: Question, here: Tensor) -> Tensor:
    """The positions of an input with this shape."""
    for value, positions in question.given().items():
        if value.shape == here.shape:
            return positions
    raise UnclearError("No input has the shape of the output.")

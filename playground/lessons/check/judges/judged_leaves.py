"""Judges of the parts without parts: attention, positional encoding, layer norm and feed-forward."""

import re
from collections.abc import Iterator
from itertools import permutations

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import (
    MistakeError,
    UnclearError,
    attentions,
    check_values,
)
from playground.lessons.check.graph.traced_blocks import Blocks
from playground.lessons.check.graph.traced_feed_forward import FeedForward
from playground.lessons.check.graph.traced_norms import RMS, UNIT, norm_of
from playground.lessons.check.graph.traced_positions import bare, cells
from playground.lessons.check.graph.traced_reads import projection, reads_of
from playground.lessons.check.judges.judged_heads import cause_in_head, cause_of_rotation
from playground.lessons.check.judges.question import Judgement, Question, are_equal, first_difference
from playground.recording import TracedTensor


def judge_attention(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    outputs = [value.tensor for value in question.trace.outputs.values() if value.tensor is not None]
    if any(are_equal(output, by_formula) for by_formula in _attention(question) for output in outputs):
        return Judgement(None)
    found = attentions(question.trace, question.given())
    if len(question.axes) > 1 and not any(attention.weighted for attention in found):
        question.output(next(iter(question.axes)))
    if not found:
        raise UnclearError("No softmax of a product of queries and keys was found.")
    width = question.width
    agrees: list[str] = []
    for attention in found:
        reads = reads_of(attention)
        if judgement := cause_in_head(attention, width, question.visible, agrees, reads):
            return judgement
        check_values(attention)
        if judgement := cause_of_rotation(reads):
            return judgement
    weighed = {attention.weighted.output for attention in found}
    for output in question.trace.outputs.values():
        mapped = projection(output)
        if {*cells(output).bases} <= weighed or (mapped and {*cells(mapped.source).bases} <= weighed):
            return Judgement(None)
    raise UnclearError("What follows the attention is not understood.")


def judge_layer_norm(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    given, output = _through(question)
    norm = norm_of(bare(output))
    if norm is None or bare(norm.source) is not given:
        raise UnclearError("No normalization of the input with a gain and a bias of its own was found.")
    named_otherwise = re.search("layer.?norm", question.words) and "rms" not in question.words
    if RMS in norm.remarks and len(norm.weights) > 1 and named_otherwise:
        raise MistakeError("The mean isn't subtracted: LayerNorm normalizes x minus its mean.", norm.node)
    if UNIT in norm.remarks:
        raise UnclearError("Each vector is divided by its length; RMSNorm divides it by its length over sqrt(d_model).")
    has_weights = any(value.parameters for value in question.trace.values)
    if norm.cause == "norm-without-weights" and question.is_function and not has_weights:
        return Judgement(None, remarks=("there is no gain and no bias",))
    numbers = first_difference(norm.output.tensor, norm.expected)
    if norm.cause is None:
        return Judgement(None, remarks=norm.remarks)
    return Judgement(norm.cause, norm.node, norm.remarks, numbers=numbers, problem=norm.problem)


def judge_feed_forward(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    given, output = _through(question)
    sublayers, start = Blocks(question.trace, question.given()).sublayers(output, {given})
    blocks = [each for each in sublayers if isinstance(each.block, FeedForward)]
    norms = [norm for each in sublayers for norm in each.norms]
    others = [each.form for each in sublayers if not isinstance(each.block, FeedForward)]
    if start is not given or len(blocks) != 1 or {*others} - {"norm"}:
        raise UnclearError("Two linear layers of the input with an activation function between them were not found.")
    block, form = blocks[0].block, blocks[0].form
    assert isinstance(block, FeedForward)
    if block.features != given.shape[-1]:
        raise UnclearError(f"The first layer reads {block.features} of {given.shape[-1]} numbers of a position.")
    remarks = () if form == "alone" and not norms else (REMARKS.get(form, "a norm is inside"),)
    numbers = first_difference(block.node.output.tensor, block.expected) if block.cause else None
    return Judgement(block.cause, block.node if block.cause else None, (*remarks, *block.remarks), numbers=numbers)


REMARKS = {
    "post": "the residual sum and the norm are inside",
    "pre": "the residual sum and the norm are inside",
    "after": "the residual sum and the norm are inside",
    "none": "the residual sum is inside",
}
"""By the form of a sublayer."""


def _through(question: Question) -> tuple[TracedTensor, TracedTensor]:
    """The input, and the output of its shape."""
    name = next(iter(question.axes))
    return question.trace.inputs[name], question.output(name)


def _attention(question: Question) -> Iterator[Tensor]:
    """What the formula gives for inputs that are queries, keys and values."""
    given = {name: question.trace.inputs[name].tensor for name in question.axes}
    asking = [name for name, axes in question.axes.items() if "t" in axes and axes[-1] == "k"]
    others = [name for name, axes in question.axes.items() if "s" in axes]
    if len(asking) != 1 or len(others) != 2 or None in given.values():
        return
    layout = question.axes[asking[0]]
    batch = "".join(letter for letter in layout if letter in "bh")
    visible = question.visible if "b" in batch else question.visible[0]
    if batch[-1:] == "h":
        visible = visible.unsqueeze(-3)
    elif batch == "hb":
        visible = visible[None]
    query = given[asking[0]]
    assert query is not None
    for key, value in permutations(others):
        scores = torch.einsum(f"{layout},{question.axes[key]}->{batch}ts", query, given[key]) / query.shape[-1] ** 0.5
        weights = scores.masked_fill(~visible, -torch.inf).softmax(-1)
        yield torch.einsum(f"{batch}ts,{question.axes[value]}->{layout}", weights, given[value])

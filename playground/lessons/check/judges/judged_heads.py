"""Judges multi-head attention by the graph of its own pass, alone and inside of a layer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import (
    HIDES,
    Attention,
    UnclearError,
    cause_of_axis,
    cause_of_heads,
    cause_of_mask,
    cause_of_scale,
    check_values,
    shared_heads,
    window_of,
)
from playground.lessons.check.graph.traced_blocks import AttentionBlock, Blocks, sum_of
from playground.lessons.check.graph.traced_norms import UNIT
from playground.lessons.check.graph.traced_positions import MIXED, SEQUENCE, UNKNOWN, bare
from playground.lessons.check.graph.traced_reads import Read, Reads, projection
from playground.lessons.check.graph.traced_rotary import Rotation
from playground.lessons.check.judges.question import Judgement, Question, first_difference
from playground.recording import Node, TracedTensor


def judge_multi_head_attention(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    blocks = Blocks(question.trace, question.given())
    if not blocks.heads:
        raise UnclearError("No softmax of a product of queries and keys was found.")
    asking, output = question.any_output()
    block, remarks = _peeled(blocks, bare(output))
    given, visible = {*question.trace.inputs.values()}, question.visible
    asked = question.trace.inputs[asking]
    if "s" in question.axes[asking]:
        if not bool(visible.all()):
            raise UnclearError("The second argument asks, and which keys the mask hides is not understood.")
        visible, remarks = visible.mT, [*remarks, "the second argument asks"]
    for value, what in ((block.queries, "queries"), (block.keys, "keys"), (block.values, "values")):
        norm = blocks.norm(value)
        if (bare(norm.source) if norm else value) not in given:
            raise UnclearError(f"The {what} aren't computed from the input itself.")
    judgement = cause_in_attention(block, asked.shape[question.axes[asking].index("d")], visible)
    return judgement or Judgement(None, remarks=(*remarks, *remarks_on(block)))


def _peeled(blocks: Blocks, value: TracedTensor) -> tuple[AttentionBlock, list[str]]:
    """Attention without the residual sum and the norm that may be inside, and remarks on them."""
    remarks: list[str] = []
    while (block := blocks.attention(value)) is None:
        parts = total.parts if (total := sum_of(value)) else ()
        inner = [bare(part) for part in parts if bare(part).origin != "input"]
        if norm := blocks.norm(value):
            value, remark = bare(norm.source), "the norm is inside"
        elif len(inner) == 1:
            value, remark = inner[0], "the residual sum is inside"
        else:
            raise UnclearError("What follows the attention is not understood.")
        remarks.append(remark)
    return block, remarks


def cause_in_attention(block: AttentionBlock, width: int, visible: Tensor | None = None) -> Judgement | None:
    """The mistake in attention with its linear maps; the mask is judged only where `visible` is given."""
    agrees: list[str] = []
    for head, reads in zip(block.heads, block.reads):
        if judgement := cause_in_head(head, width, visible, agrees, reads):
            return judgement
        if cause := _cause_of_projections(head, reads, width):
            return Judgement(cause, head.scores, agrees=tuple(dict.fromkeys(agrees)))
        agrees.append("linear maps")
        check_values(head)
        if judgement := _cause_of_groups(head) or cause_of_rotation(reads):
            return replace(judgement, agrees=tuple(dict.fromkeys(agrees)))
    return _cause_of_output(block)


def _cause_of_groups(head: Attention) -> Judgement | None:
    """Heads of queries that share keys, but not the values that belong to these."""
    keys, values = shared_heads(head)
    same_keys, same_values = keys[:, None] == keys, values[:, None] == values
    if torch.equal(same_keys, same_values) or len(keys.unique()) != len(values.unique()):
        return None
    return Judgement("groups-mixed-up", head.weighted)


def cause_of_rotation(reads: Reads) -> Judgement | None:
    """The mistake in rotary embeddings; None if there are none, or they are right."""
    queries, keys, values = (part.rotations for part in reads)
    if values:
        return Judgement("rotary-on-values", values[0].node)
    for each in (*queries, *keys):
        if not each.by_position:
            return Judgement("rotary-over-wrong-axis", each.node)
        if each.mixed:
            return Judgement("rotary-pairs-mixed", each.node)
    if len(queries) != len(keys) or not all(map(Rotation.like, queries, keys)):
        return Judgement("rotary-angles-differ", [*queries, *keys][0].node)
    return None


def remarks_on(block: AttentionBlock) -> tuple[str, ...]:
    """What is special in an attention, and right."""
    head, ((queries, keys, values), *_) = block.heads[0], block.reads
    of_keys, _ = shared_heads(head)
    groups, found = of_keys.unique(return_inverse=True)
    remarks = []
    if 1 < len(groups) < len(of_keys):
        remarks.append(f"grouped queries, {len(groups)} heads of keys for {len(of_keys)} of queries")
        if not torch.equal(found, found.sort().values) and not torch.equal(found, found.sort(descending=True).values):
            remarks.append("heads that share keys are not neighbours, so weights of other models don't fit")
    elif len(groups) < len(of_keys):
        remarks.append("one head of keys and values for all queries")
    if latent := max(keys.latent, values.latent):
        remarks.append(f"keys and values from a latent vector of {latent} numbers")
    if queries.rotations:
        remarks.append("rotary positions")
    if queries.norms:
        remarks.append("queries and keys are normed")
    if head.capped:
        remarks.append("scores are capped by tanh")
    if width := window_of(head):
        remarks.append(f"a window of {width} positions")
    return tuple(remarks)


def cause_in_head(
    head: Attention, width: int, visible: Tensor | None, agrees: list[str], reads: Sequence[Read] = ()
) -> Judgement | None:
    """The mistake between the scores and the weights of a head; what is right is added to `agrees`."""
    norms = [len(part.norms) for part in reads[:2]]
    if len({*norms}) > 1:
        raise UnclearError(f"Only the {'queries' if norms[0] else 'keys'} are normed.")
    learned = any(UNIT in norm.remarks for part in reads for norm in part.norms) or head.factor_is_learned
    steps: tuple[tuple[str, Callable[[], str | None], Node], ...] = (
        ("scale of the scores", partial(cause_of_scale, head, width, learned=learned), head.scores),
        ("heads", partial(cause_of_heads, head), head.scores),
        ("axis of the softmax", partial(cause_of_axis, head), head.softmax),
        ("mask", partial(_cause_of_mask, head, visible), head.softmax),
    )
    for what, cause_of, node in steps:
        if cause := cause_of():
            numbers = differing_weights(head, visible if what == "mask" else None)
            return Judgement(cause, node, agrees=tuple(dict.fromkeys(agrees)), numbers=numbers)
        agrees.append(what)
    return None


def _cause_of_mask(head: Attention, visible: Tensor | None) -> str | None:
    return None if visible is None else cause_of_mask(head, visible)


def differing_weights(head: Attention, visible: Tensor | None) -> tuple[float, float] | None:
    """The first weight that differs from the formula for their queries and keys, masked as they or `visible` do."""
    query, key, row = head.query.flatten(), head.key.flatten(), head.row.flatten()
    if int(min(query.min(), key.min())) < 0:
        return None
    seen = (head.masked - head.unmasked).flatten() >= HIDES
    if visible is not None:
        seen = visible[query // SEQUENCE, query % SEQUENCE, key % SEQUENCE]
    scores = head.unmasked.flatten() * head.width**-0.5 / head.factor
    raised = (scores - scores.max()).exp() * seen
    of_row = row.unique(return_inverse=True)[1]
    sums = torch.zeros(int(of_row.max()) + 1).index_add(0, of_row, raised)
    return first_difference(head.weights, (raised / sums[of_row]).reshape(head.weights.shape))


def _cause_of_projections(head: Attention, reads: Reads, width: int) -> str | None:
    for part, what in zip(reads, ("queries", "keys", "values")):
        for features in {mapped.features for mapped in part.maps} - {width}:
            if features < width and features == head.width:
                return "one-projection-for-all-heads"
            raise UnclearError(f"The {what} read {features} of {width} numbers of a position.")
    return None


def _cause_of_output(block: AttentionBlock) -> Judgement | None:
    """The mistake in how heads are joined and mapped."""
    positions, last = block.heads[0].positions, block.heads[-1].weighted
    here = positions.of(block.output)
    if bool((here == UNKNOWN).any()):
        raise UnclearError("How the heads are joined is not understood.")
    if not block.projected:
        return Judgement("no-output-projection", last)
    wanted = positions.of(block.queries)
    if bool((here == MIXED).any()) or (here.shape == wanted.shape and not torch.equal(here, wanted)):
        return Judgement("heads-without-transpose", block.output.node)
    mapped, total = projection(block.output), sum(map(_features, block.heads))
    if mapped is None or mapped.features != total:
        raise UnclearError(f"The last layer does not read all {total} numbers of the heads.")
    return None


def _features(head: Attention) -> int:
    """How many numbers of the heads belong to one position."""
    here = head.positions.of(head.weighted.output).flatten()
    return len(here) // len(here.unique())

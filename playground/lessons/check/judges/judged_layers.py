"""Judges layers by the graph of their own pass: which sublayers they have, and what is around these."""

from collections.abc import Sequence

from torch import Tensor
from torch.nn import functional as F

from playground.lessons.check.graph.traced_attention import UnclearError, cause_of_mask
from playground.lessons.check.graph.traced_blocks import AttentionBlock, Blocks, Sublayer
from playground.lessons.check.graph.traced_feed_forward import FeedForward
from playground.lessons.check.graph.traced_norms import Norm
from playground.lessons.check.graph.traced_positions import bare, cells
from playground.lessons.check.judges.judged_heads import cause_in_attention, differing_weights, remarks_on
from playground.lessons.check.judges.question import Judgement, Question, first_difference, line_of
from playground.recording import Node, TracedTensor

_FORMS = {"alone": "no-residual", "after": "norm-after-sublayer", "none": "no-norm"}
"""Forms of a sublayer that are wrong, and the mistake."""


def judge_layer(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    trace = question.trace
    asking = next(name for name, axes in question.axes.items() if "t" in axes)
    output = question.output(asking)
    blocks = Blocks(trace, question.given())
    same = {value for name, value in trace.inputs.items() if "t" in question.axes.get(name, "")}
    found, begin = blocks.sublayers(output, same)
    if begin not in same:
        raise UnclearError(f"What {code_of(begin)} computes is not understood.")
    memory = {value for name, value in trace.inputs.items() if "s" in question.axes.get(name, "")}
    sublayers = [each for each in found if each.block]
    kinds = ["feed-forward" if isinstance(each.block, FeedForward) else "attention" for each in sublayers]
    if kinds != ["attention", *(["attention"] if memory else []), "feed-forward"]:
        raise UnclearError(f"The sublayers are {', '.join(kinds) or 'none'}.")
    attentions = [each.block for each in sublayers if isinstance(each.block, AttentionBlock)]
    judgement = (
        cause_of_sharing(sublayers)
        or cause_of_order(found)
        or cause_of_sources(attentions, same, memory, blocks)
        or next(filter(None, (cause_inside(each, question.width) for each in sublayers)), None)
        or _cause_of_masks(attentions, question, memory)
    )
    return judgement or Judgement(None, remarks=remarks(found))


def code_of(value: TracedTensor) -> str:
    """What computes a value, in the words of the code."""
    if value.node is None:
        return value.name or "an input"
    return value.node.expression or value.node.source.code or value.node.function


def remarks(found: Sequence[Sublayer]) -> tuple[str, ...]:
    """What is unusual, and right."""
    every = [remark for each in found for norm in each.norms for remark in norm.remarks]
    every += [remark for each in found if isinstance(each.block, FeedForward) for remark in each.block.remarks]
    every += [remark for each in found if isinstance(each.block, AttentionBlock) for remark in remarks_on(each.block)]
    forms = {each.form for each in found if each.block}
    if forms <= {"pre", "post"}:
        every.insert(0, "pre-norm" if "pre" in forms else "post-norm")
    return tuple(dict.fromkeys(every))


def cause_of_sharing(sublayers: Sequence[Sublayer]) -> Judgement | None:
    """Two norms, or two attentions, with the same weights."""
    norms: dict[TracedTensor, Norm] = {}
    for each in sublayers:
        for norm in each.norms:
            if norm.weights and (first := norms.setdefault(norm.weights[0], norm)) is not norm:
                return Judgement("one-norm-shared", norm.node, problem=_twice(norm.weights[0], first.node, norm.node))
    queries: dict[tuple[TracedTensor, int], Node] = {}
    for each in sublayers:
        if isinstance(each.block, AttentionBlock):
            mine = set()  # heads of one attention may have one matrix
            for queries_of_head, *_ in each.block.reads:
                held = cells(queries_of_head.maps[0].weight)
                mine.add((held.bases[0], int(held.at.min())))
            for weight in mine & {*queries}:
                problem = _twice(weight[0], queries[weight], each.block.node)
                return Judgement("one-attention-shared", each.block.node, problem=problem)
            queries |= dict.fromkeys(mine, each.block.node)
    return None


def _twice(weight: TracedTensor, first: Node, second: Node) -> str:
    """A sentence on one weight that takes part in two sublayers."""
    lines = [line_of(node) for node in (first, second)]
    where = f", in {lines[0]} and {lines[1]}" if all(lines) and lines[0] != lines[1] else ""
    return f"{weight.name} takes part in two sublayers{where}."


def cause_of_order(found: Sequence[Sublayer]) -> Judgement | None:
    """What is added to what, and normed where; raises UnclearError for an order that is no known mistake."""
    forms = [each.form for each in found]
    sublayers = [each for each in found if each.block]
    for each in sublayers:
        if each.form == "none" and forms[0] == "norm" and "pre" not in forms:
            first = sublayers[0]
            return Judgement(
                "residual-from-norm", first.node, numbers=_without_sum(found[0].before, first, first.node.output)
            )
        if each.form in _FORMS:
            without_norm = differing_from_norm(each.node.output)
            numbers = without_norm if each.form == "none" else _without_sum(each.before, each, each.result)
            return Judgement(_FORMS[each.form], each.node, numbers=numbers)
    if len({each.form for each in sublayers}) > 1:
        raise UnclearError("Some sublayers are pre-norm and others post-norm.")
    return None


def differing_from_norm(value: TracedTensor) -> tuple[float, float] | None:
    """The first number that differs from the norm of a value with gain 1 and bias 0."""
    held = value.tensor
    return None if held is None else first_difference(held, F.layer_norm(held.float(), held.shape[-1:]))


def _without_sum(before: TracedTensor, sublayer: Sublayer, yours: TracedTensor) -> tuple[float, float] | None:
    """The first number that differs from the sum of a sublayer's result and what it begins with."""
    one, other = before.tensor, sublayer.result.tensor
    if one is None or other is None or one.shape != other.shape:
        return None
    return first_difference(yours.tensor, one + other)


def cause_of_sources(
    attentions: Sequence[AttentionBlock],
    same: set[TracedTensor],
    memory: set[TracedTensor],
    blocks: Blocks,
) -> Judgement | None:
    """What the keys and values of self-attention, and of cross-attention, are computed from."""

    def is_self(block: AttentionBlock) -> bool:
        return {block.keys, block.values} <= ({block.queries} | (same if block.queries in same else set()))

    for number, block in enumerate(attentions):
        crosses = bool(memory) and number == len(attentions) - 1
        if not crosses and not is_self(block):
            raise UnclearError(f"Attention {number + 1} reads {code_of(block.keys)}, which is not its own input.")
        if crosses and not {*map(bare, (block.keys, block.values))} <= memory:
            if is_self(block):
                return Judgement("cross-attention-to-itself", block.heads[0].scores)
            normed = [norm for each in (block.keys, block.values) if (norm := blocks.norm(each))]
            if len(normed) < 2 or not {bare(norm.source) for norm in normed} <= memory:
                raise UnclearError(f"Cross-attention reads {code_of(block.keys)}, which is not understood.")
    return None


def cause_inside(sublayer: Sublayer, width: int) -> Judgement | None:
    """The mistake in a norm, a feed-forward network or in attention, its mask apart."""
    for norm in sublayer.norms:
        chosen = norm.cause == "norm-without-weights" and norm.node.function == "layer_norm"
        if norm.cause and not chosen:
            numbers = first_difference(norm.output.tensor, norm.expected)
            return Judgement(norm.cause, norm.node, numbers=numbers, problem=norm.problem)
    block = sublayer.block
    if isinstance(block, FeedForward):
        if block.features != width:
            raise UnclearError(f"The feed-forward network reads {block.features} of {width} numbers of a position.")
        numbers = first_difference(block.node.output.tensor, block.expected)
        return Judgement(block.cause, block.node, numbers=numbers) if block.cause else None
    assert block is not None
    return cause_in_attention(block, width)


def _cause_of_masks(
    attentions: Sequence[AttentionBlock], question: Question, memory: set[TracedTensor]
) -> Judgement | None:
    wanted: list[tuple[Tensor, str]] = [(question.visible, "self-attention-without-mask" if memory else "no-mask")]
    if memory:
        assert question.memory_visible is not None
        wanted.append((question.memory_visible, "cross-attention-without-mask"))
    found = [
        (cause, without, head, visible)
        for block, (visible, without) in zip(attentions, wanted)
        for head in block.heads
        if (cause := cause_of_mask(head, visible))
    ]
    if not found:
        return None
    nowhere = {without for _, without in wanted} == {without for cause, without, *_ in found if cause == "no-mask"}
    cause, without, head, visible = found[0]
    name = "no-mask" if nowhere else without if cause == "no-mask" else cause
    return Judgement(name, head.softmax, numbers=differing_weights(head, visible))

"""Judges a whole model by the graph of its own pass: embeddings, positions, stacks, masks and logits."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import (
    Attention,
    MistakeError,
    UnclearError,
    cause_of_mask,
    seen_keys,
    sees,
)
from playground.lessons.check.graph.traced_blocks import AttentionBlock, Blocks, Sublayer
from playground.lessons.check.graph.traced_feed_forward import FeedForward
from playground.lessons.check.graph.traced_positions import (
    SEQUENCE,
    UNKNOWN,
    Positions,
    bare,
    behind,
    constant,
    levels,
    looked_up,
    scaled,
)
from playground.lessons.check.graph.traced_reads import projection
from playground.lessons.check.judges.judged_heads import differing_weights
from playground.lessons.check.judges.judged_layers import (
    cause_inside,
    cause_of_order,
    cause_of_sharing,
    code_of,
    differing_from_norm,
    remarks,
)
from playground.lessons.check.judges.question import Judgement, Question, first_difference
from playground.lessons.check.judges.sinusoids import cause_of_table, known_tables
from playground.recording import Node, Trace, TracedTensor, values_in
from playground.tasks.tokens import PAD

MAX_POOLING = 20
"""Calls between the vectors of the positions and the logits of a classifier."""


@dataclass(frozen=True)
class Embedded:
    """Vectors of tokens, or of numbers for each position, and what is added to them."""

    tokens: TracedTensor  # as they were given
    scale: float
    added: tuple[tuple[TracedTensor, Node], ...]  # constants
    value: TracedTensor
    extra: int = 0  # positions of its own, such as that of a class token

    def scale_after(self, node: Node) -> float:
        """The number that what a node adds is multiplied by afterwards."""
        factor, value = 1.0, self.value
        while value.node is not None and bare(value).node is not node:
            inner = bare(value).node
            assert inner is not None
            if found := scaled(inner):
                value, factor = found[0], factor * found[1]
            else:
                value = next(each for each in inner.inputs if not constant(each))
        return factor


@dataclass(frozen=True)
class Stack:
    """A stack of layers."""

    sublayers: tuple[Sublayer, ...]  # with the norms between and after them
    embedded: Embedded
    normed: bool = False  # after the positions were pooled

    @property
    def width(self) -> int:
        """d_model."""
        return self.embedded.value.shape[-1]

    @property
    def attentions(self) -> list[AttentionBlock]:
        """In order."""
        return [each.block for each in self.sublayers if isinstance(each.block, AttentionBlock)]


def judge_transformer(question: Question) -> Judgement:
    """Right, or the cause; raises UnclearError for what can't be interpreted."""
    trace = question.trace
    blocks = Blocks(trace, _with_extra_positions(trace, question.given()))
    vectors, remarked, normed = _before_logits(question, blocks)
    decoder = replace(_stack(blocks, vectors), normed=normed)
    memory = _memory(decoder, blocks)
    stacks = [decoder] if memory is None else [_stack(blocks, memory), decoder]
    _check_layers(trace)
    tokens = [name for name, axes in question.axes.items() if {*axes} <= {*"btsc"}]
    unread = any(name not in vectors.inputs for name in tokens)
    for stack in stacks:
        crosses = memory is not None and stack is decoder
        if judgement := _cause_in_stack(stack, crosses=crosses, unread=unread):
            return judgement
    mistake, of_masks = _cause_of_masks(stacks, question, pooled="the positions are pooled" in remarked)
    if mistake:
        return mistake
    for stack in stacks:
        remarked += remarks(stack.sublayers)
        with_root = math.isclose(stack.embedded.scale, stack.width**0.5, rel_tol=1e-3)
        remarked.append(f"embeddings are {'' if with_root else 'not '}multiplied by sqrt(d_model)")
    return Judgement(None, remarks=tuple(dict.fromkeys(remarked + of_masks)))


def _before_logits(question: Question, blocks: Blocks) -> tuple[TracedTensor, list[str], bool]:
    """The vectors that the logits are computed from, or that are returned in their place, remarks, and see `Stack`."""
    width, words = question.sizes.D, {question.sizes.V, *_vocabularies(question.trace)}
    positioned = 1 + len({*next(iter(question.axes.values()))} & {*"bts"}) + ("y" in next(iter(question.axes.values())))
    for value in question.trace.outputs.values():
        remarked: list[str] = []
        if constant(value) or not value.shape or value.shape[-1] not in {width, *words}:
            continue
        if len(value.shape) < positioned and _is_pooled(value):
            continue
        value = _of_all_positions(value, remarked)
        if value.node is not None and value.node.function in ("softmax", "log_softmax"):
            remarked.append(
                "log-probabilities are returned" if "log" in value.node.function else "probabilities are returned"
            )
            value = bare(value.node.arguments[0])
        if (inside := _capped(value)) is not None:
            value = inside
            remarked.append("logits are capped by tanh")
        if value.shape[-1] == width:
            return value, [*remarked, "vectors are returned, no logits"], False
        if (mapped := projection(value)) is not None and mapped.features == width:
            return _of_all_positions(mapped.source, remarked), remarked, False
    for value in question.trace.outputs.values():
        if (
            not constant(value)
            and len(value.shape) < positioned
            and (pooled := _before_pooling(value, blocks, positioned))
        ):
            return pooled[0], ["the positions are pooled"], pooled[1]
    raise UnclearError("No output has logits that a linear layer computes from vectors.")


def _capped(value: TracedTensor) -> TracedTensor | None:
    """What a value is the tanh of, numbers that it is multiplied by apart."""
    node = next(each.node for each, _ in levels(value) if each.node is None or not scaled(each.node))
    return bare(node.arguments[0]) if node is not None and node.function == "tanh" else None


def _check_layers(trace: Trace) -> None:
    """Raises MistakeError if some layers of a list take part in the pass, but in no output."""
    used = {name for value in trace.outputs.values() for name in value.parameters}
    layers: dict[str, dict[str, list[TracedTensor]]] = {}
    for value in trace.values:
        if value.origin == "parameter" and (match := re.match(r"(.+?)\.(\d+)\.", value.name)):
            layers.setdefault(match[1], {}).setdefault(match[2], []).append(value)
    for name, each in layers.items():
        unused = {number: held for number, held in each.items() if not {value.name for value in held} & used}
        if unused and len(unused) < len(each):
            ((first, (value, *_)), *_) = unused.items()
            node = next(node for node in trace if value in node.inputs)
            raise MistakeError(f"What {name}.{first} computes has no effect on the output of your model.", node)


def _is_pooled(value: TracedTensor) -> bool:
    return any(node.function in ("mean", "sum", "max", "amax") for node in behind(value)[:MAX_POOLING])


def _before_pooling(value: TracedTensor, blocks: Blocks, positioned: int) -> tuple[TracedTensor, bool] | None:
    """The vectors of all positions that a value is computed from, and whether a norm comes after them."""
    normed = False
    for _ in range(MAX_POOLING):
        node, whole = value.node, len(value.shape) >= positioned
        if node is None:
            return None
        if not whole and (norm := blocks.norm(value)):
            normed, value = True, norm.source
            continue
        varying = [each for each in dict.fromkeys(node.inputs) if not constant(each)]
        inner = [each for each in varying if each.parameters]
        masks = node.function in ("mul", "masked_fill", "where") and len(varying) > len(inner)
        if whole and not masks:
            return _of_all_positions(value, []), normed
        if len(inner) != 1:
            return None
        value = inner[0]
    return None


def _with_extra_positions(trace: Trace, given: dict[TracedTensor, Tensor]) -> dict[TracedTensor, Tensor]:
    """Positions of the inputs, of patches of images, and of what stands beside them, such as a class token."""
    found = dict(given)
    for node in trace:
        if node.function == "conv2d" and bare(node.arguments[0]) in given:
            rows, _, *patches = node.output.shape
            index = torch.arange(math.prod(patches)).reshape(1, 1, *patches)
            found[node.output] = (SEQUENCE * torch.arange(rows).reshape(-1, 1, 1, 1) + index).expand(node.output.shape)
        axis = node.argument(1, "dim")
        if node.function in ("cat", "concat", "concatenate") and isinstance(axis, int) and not constant(node.output):
            here = Positions(found).of(node.output)
            unknown = here == UNKNOWN
            if bool(unknown.any()) and not bool(unknown.all()) and any(map(constant, values_in(node.arguments))):
                row, length = here.amax(axis, keepdim=True) // SEQUENCE, int((here % SEQUENCE)[~unknown].max()) + 1
                found[node.output] = torch.where(unknown, row * SEQUENCE + length + unknown.cumsum(axis) - 1, here)
    return found


def _vocabularies(trace: Trace) -> Iterator[int]:
    """Rows of the tables in which tokens are looked up."""
    for node in trace:
        tokens = looked_up(node)
        if tokens is not None and bare(tokens).origin == "input":
            yield node.argument(1, "weight").shape[0]


def _of_all_positions(value: TracedTensor, remarked: list[str]) -> TracedTensor:
    """The value of all positions, where a value has the last one alone."""
    value = bare(value)
    if value.node is not None and value.node.function in ("getitem", "select", "narrow", "index_select"):
        inner = value.node.arguments[0]
        if isinstance(inner, TracedTensor) and not constant(inner):
            remarked.append("only the last position has logits")
            return bare(inner)
    return value


def _stack(blocks: Blocks, value: TracedTensor) -> Stack:
    found, begin = blocks.sublayers(value, ())
    if not any(each.block for each in found):
        raise UnclearError(f"What {code_of(begin)} computes is not understood.")
    return Stack(tuple(found), _embedded(begin))


def _embedded(whole: TracedTensor) -> Embedded:
    added: list[tuple[TracedTensor, Node]] = []
    scale, value, extra = 1.0, whole, 0
    while (node := bare(value).node) is not None:
        value = bare(value)
        if found := scaled(node):
            value, scale = found[0], scale * found[1]
        elif node.function == "add" and len(node.arguments) == 2 and any(map(constant, node.arguments)):
            one, other = node.arguments
            value, constantly = (one, other) if constant(other) else (other, one)
            if isinstance(constantly, TracedTensor):
                added.append((constantly, node))
        elif (tokens := looked_up(node)) is not None:
            tokens = bare(tokens)
            if tokens.origin != "input":
                raise UnclearError(f"{code_of(value)} looks up something else than the tokens.")
            return Embedded(tokens, scale, tuple(added), whole, extra)
        elif node.function in ("cat", "concat", "concatenate") and len(joined := _varying(node)) == 1:
            extra += max(a - b for a, b in zip(value.shape, joined[0].shape))
            value = joined[0]
        elif node.function == "conv2d" and bare(node.arguments[0]).origin == "input":
            return Embedded(value, scale, tuple(added), whole, extra)
        elif (mapped := projection(value)) is not None:
            value = mapped.source
            numbers = bare(value)
            if numbers.origin == "input" and numbers.dtype.startswith("float"):
                return Embedded(numbers, scale, tuple(added), whole, extra)
        else:
            break
    raise UnclearError(f"What {code_of(value)} computes is not understood.")


def _varying(node: Node) -> list[TracedTensor]:
    return [each for each in values_in(node.arguments) if not constant(each)]


def _memory(decoder: Stack, blocks: Blocks) -> TracedTensor | None:
    """What cross-attention reads: the output of the encoder."""
    read = [value for block in decoder.attentions for value in (block.keys, block.values) if value is not block.queries]
    if not read:
        return None
    if len({*read}) > 1:  # each layer may norm it once more
        normed = [blocks.norm(value) for value in read]
        read = [bare(norm.source) for norm in normed if norm]
    if len({*read}) != 1:
        raise UnclearError("The attentions of the decoder read different values of the encoder.")
    return read[0]


def _cause_in_stack(stack: Stack, *, crosses: bool, unread: bool) -> Judgement | None:
    """The mistake in a stack, masks apart; `unread`: an input has no effect at all."""
    sublayers = [each for each in stack.sublayers if each.block]
    kinds = ["feed-forward" if isinstance(each.block, FeedForward) else "attention" for each in sublayers]
    twice = ["attention", "attention", "feed-forward"]
    layer = twice if crosses or (unread and kinds[:3] == twice) else ["attention", "feed-forward"]
    if kinds != layer * (len(kinds) // len(layer)):
        raise UnclearError(f"The sublayers are {', '.join(kinds)}.")
    for begin in range(0, len(sublayers), len(layer)):
        if shared := cause_of_sharing(sublayers[begin : begin + len(layer)]):
            return shared
    if order := cause_of_order(stack.sublayers):
        return order
    for number, block in enumerate(stack.attentions):
        to_itself = block.keys is block.queries and block.values is block.queries
        if len(layer) == 3 and number % 2 == 1:
            if to_itself:
                return Judgement("cross-attention-to-itself", block.heads[0].scores)
        elif not to_itself:
            raise UnclearError(f"Attention reads {code_of(block.keys)}, which is not its own input.")
    for each in sublayers:
        if inside := cause_inside(each, stack.width):
            return inside
    if all(each.form == "pre" for each in sublayers) and stack.sublayers[-1].form != "norm" and not stack.normed:
        last = sublayers[-1].node
        return Judgement("pre-norm-without-final-norm", last, numbers=differing_from_norm(last.output))
    for norm in (norm for each in stack.sublayers if not each.block for norm in each.norms):
        if norm.cause and norm.node.function != "layer_norm":
            return Judgement(norm.cause, norm.node)
    return _cause_of_positions(stack)


def _cause_of_positions(stack: Stack) -> Judgement | None:
    embedded, found = stack.embedded, list[tuple[Tensor, Node, bool]]()
    axis, batch = _axes(stack)
    for value, node in embedded.added:
        if value.tensor is None:
            raise UnclearError("The pass has too many numbers.")
        table = value.tensor.expand(embedded.value.shape)
        moves = [bool((table != table.narrow(each, 0, 1)).any()) for each in (axis, batch) if each is not None]
        if not moves[0]:  # such as the embedding of a segment
            if any(moves):
                return Judgement("positions-by-batch", node)
            continue
        if all(moves) and len(moves) > 1:
            raise UnclearError(f"{code_of(value)} differs between the rows of the batch.")
        rows = table.movedim(axis, 0).reshape(table.size(axis), -1, table.size(-1))[:, 0]
        if value.node is not None and value.node.function == "mul" and 2 in _plain_numbers(value.node):
            once = first_difference(table, table / 2)
            return Judgement("positions-added-twice", value.node, numbers=once)
        found.append((rows, node, _is_learned(value)))
    if not found and any(queries.rotations for block in stack.attentions for queries, *_ in block.reads):
        return None
    if not found:
        return Judgement("no-positions", embedded.value.node, numbers=_without_positions(embedded.value, axis))
    if len(found) > 1 and torch.equal(found[0][0], found[1][0]):
        return Judgement("positions-added-twice", found[0][1])
    for rows, node, learned in found:
        if not learned and (cause := _cause_of_table(rows / embedded.scale_after(node))):
            return Judgement(cause, node)
    return None


def _without_positions(value: TracedTensor, axis: int) -> tuple[float, float] | None:
    """The first number that differs from a sum with the sinusoidal table."""
    held = value.tensor
    if held is None:
        return None
    table = next(known_tables(held.size(axis), held.size(-1))).rows
    shape = [size if each in (axis, held.ndim - 1) else 1 for each, size in enumerate(held.shape)]
    return first_difference(held, held + table.reshape(shape).float())


def _cause_of_table(rows: Tensor) -> str | None:
    try:
        return cause_of_table(rows)
    except UnclearError:
        if cause_of_table(rows / 2) is None:
            return "positions-added-twice"
        raise


def _plain_numbers(node: Node) -> list[float]:
    return [float(part) for part in node.arguments if isinstance(part, (int, float))]


def _axes(stack: Stack) -> tuple[int, int | None]:
    """The axis of the positions in the vectors, and that of the batch."""
    here = stack.attentions[0].heads[0].positions.of(stack.embedded.value)[..., 0]
    steps = {
        int(here.select(axis, -1).flatten()[0] - here.select(axis, -2).flatten()[0]): axis
        for axis in range(here.ndim)
        if here.size(axis) > 1
    }
    if 1 not in steps:
        raise UnclearError("The positions of the vectors are not understood.")
    return steps[1], steps.get(SEQUENCE)


def _is_learned(value: TracedTensor) -> bool:
    every = [value, *(each for node in behind(value) for each in node.inputs)]
    return any(each.origin == "parameter" for each in every)


# --- masks ----------------------------------------------------------------------------------------


def _cause_of_masks(stacks: Sequence[Stack], question: Question, *, pooled: bool) -> tuple[Judgement | None, list[str]]:
    """The mistake in a mask, and remarks."""
    every = [head for stack in stacks for block in stack.attentions for head in block.heads]
    if len(stacks) > 1 and _fills(question) and all(map(_is_unmasked, every)):
        return Judgement("no-mask", every[0].softmax), []
    filled, decoder = _fills(question), stacks[-1]
    keys = _real(decoder.embedded, question)
    if len(stacks) == 1:
        causal = expects_causal(question)
        return _in_one_stack(decoder, keys, filled, False if pooled and causal is None else causal)
    of_source = _real(stacks[0].embedded, question)
    judgement, remarked = _of_encoder(stacks[0], of_source, filled)
    # What a wrong mask makes NaN is seen only after it, so in the order of execution.
    for number, block in enumerate([] if judgement else decoder.attentions):
        if number % 2:
            judgement, remark = _of_keys(block, of_source, keys, filled, "cross-attention-without-mask")
            remarked += remark
        else:
            judgement = _of_target(block, keys)
        if judgement:
            break
    return judgement, remarked


def _in_one_stack(stack: Stack, keys: Tensor, filled: bool, causal: bool | None) -> tuple[Judgement | None, list[str]]:
    """The mistake in the masks of a model with one input; `causal`: whether it is a decoder, None if unknown."""
    found: list[tuple[Judgement | None, list[str]]] = []
    unclear: UnclearError | None = None
    if causal is not True:
        try:
            judgement, remarked = _of_encoder(stack, keys, filled)
            found.append((judgement, [*remarked, *(() if causal is False else ("no causal mask, as in an encoder",))]))
        except UnclearError as error:
            unclear = error
    if causal is not False:
        try:
            found.append((next(filter(None, (_of_target(block, keys) for block in stack.attentions)), None), []))
        except UnclearError as error:
            unclear = error
    if not found:
        assert unclear is not None
        raise unclear
    right = [each for each in found if each[0] is None]
    first = (right or found)[0]
    if len(found) == 2 and not right and first[0] and _is_unmasked(stack.attentions[0].heads[0]):
        return Judgement("no-mask", first[0].node), []
    return first


def _of_encoder(stack: Stack, keys: Tensor, filled: bool) -> tuple[Judgement | None, list[str]]:
    remarked: list[str] = []
    for block in stack.attentions:
        judgement, remark = _of_keys(block, keys, keys, filled, "padding-not-masked")
        if judgement:
            return judgement, remarked
        remarked += remark
    return None, remarked


def _of_target(block: AttentionBlock, keys: Tensor) -> Judgement | None:
    """The mistake in the mask of a decoder's own tokens."""
    before = torch.ones(len(keys), keys.size(1), keys.size(1), dtype=torch.bool)
    causal = before.tril()
    wrong = {
        "no-causal-mask": [before, _spread(keys) & before],
        "causal-mask-off-by-one": [causal.tril(-1), before.tril(1)],
        "causal-mask-transposed": [causal.mT],
    }
    for head in block.heads:
        masks = [causal, causal & _spread(keys)]
        if right := [visible for visible in masks if sees(head, visible, keys)]:
            if cause := cause_of_mask(head, right[0], keys):
                return Judgement(cause, head.softmax, numbers=differing_weights(head, masks[0]))
            continue
        if not _is_unmasked(head):
            for visible in masks:
                with suppress(UnclearError):
                    if cause := cause_of_mask(head, visible, keys):
                        return Judgement(cause, head.softmax, numbers=differing_weights(head, masks[0]))
        for cause, every in wrong.items():
            if any(sees(head, visible, keys) or sees(head, visible & _spread(keys), keys) for visible in every):
                return Judgement(cause, head.softmax, numbers=differing_weights(head, masks[0]))
        raise UnclearError("The mask of the target hides other keys than it should.")
    return None


def _of_keys(
    block: AttentionBlock, keys: Tensor, asking: Tensor, filled: bool, without: str
) -> tuple[Judgement | None, list[str]]:
    """The mistake in a mask of padding, and a remark."""
    visible = keys[:, None, :].expand(-1, asking.size(1), -1)
    for head in block.heads:
        if not filled and sees(head, torch.ones_like(visible), asking):
            return None, ["padding is not masked, which is right for rows of one length"]
        if cause := cause_of_mask(head, visible, asking):
            name = without if cause == "no-mask" else cause
            return Judgement(name, head.softmax, numbers=differing_weights(head, visible)), []
    return None, []


def _is_unmasked(head: Attention) -> bool:
    return bool(seen_keys(head).all()) and torch.allclose(head.masked, head.unmasked, atol=1e-4)


def _spread(keys: Tensor) -> Tensor:
    """(B, S) as (B, S, S)."""
    return keys[:, None, :].expand(-1, keys.size(1), -1)


def expects_causal(question: Question) -> bool | None:
    """Whether a model of one input is a decoder, by its words; None where they don't tell."""
    decodes = re.search(r"gpt|decoder|causal|autoregressive|language.?model|\blm\b|generat", question.words)
    encodes = re.search("bert|encoder|classif|tagg|masked.?l|mlm", question.words)
    return None if bool(decodes) is bool(encodes) else bool(decodes)


def _fills(question: Question) -> bool:
    """True if the code knows of padding: it compares tokens, takes a mask, or has a setting or an embedding for it."""
    trace = question.trace
    compared = any(
        node.function in ("ne", "eq", "gt") and any(bare(value).origin == "input" for value in node.inputs)
        for node in trace
    )
    embedded = any(node.function == "embedding" and node.argument(2, "padding_idx") not in (None, -1) for node in trace)
    return (
        compared
        or embedded
        or question.knows_padding
        or any(name not in question.axes and not value.dtype.startswith("int") for name, value in trace.inputs.items())
    )


def compared_padding(trace: Trace, tokens: TracedTensor) -> int | None:
    """The token that the code compares tokens with; None if it doesn't."""
    padding = [
        int(part)
        for node in trace
        if node.function in ("ne", "eq") and any(bare(value) is tokens for value in node.inputs)
        for part in node.arguments
        if isinstance(part, int)
    ]
    return padding[0] if padding else None


def _real(embedded: Embedded, question: Question) -> Tensor:
    """(B, T): True where a token is no padding."""
    tokens = embedded.tokens
    assert tokens.tensor is not None
    if tokens.origin != "input":  # patches of an image
        return torch.ones(len(tokens.tensor), math.prod(tokens.shape[2:]) + embedded.extra, dtype=torch.bool)
    padding = compared_padding(question.trace, tokens)
    given = tokens.tensor != (PAD if padding is None else padding)
    axes = question.axes[next(name for name, value in question.trace.inputs.items() if value is tokens)]
    if "c" in axes:
        given = given.any(axes.index("c"))
    if "b" not in axes:
        given = given[None]
    elif axes[0] != "b":
        given = given.mT
    return torch.cat([given, torch.ones(len(given), embedded.extra, dtype=torch.bool)], 1)

"""Sublayers in a traced pass: which value is attention, a feed-forward network, a norm or a sum of which others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from playground.lessons.check.graph.traced_attention import Attention, UnclearError, attentions
from playground.lessons.check.graph.traced_feed_forward import FeedForward, feed_forward_of
from playground.lessons.check.graph.traced_mixture import Mixtures
from playground.lessons.check.graph.traced_norms import Norm, norm_of
from playground.lessons.check.graph.traced_positions import Positions, bare, cells, constant
from playground.lessons.check.graph.traced_reads import Reads, projection, reads_of
from playground.recording import Node, Trace, TracedTensor


@dataclass(frozen=True)
class AttentionBlock:
    """Attention with the linear maps around it."""

    output: TracedTensor
    heads: tuple[Attention, ...]  # one, or one for each head
    queries: TracedTensor
    keys: TracedTensor
    values: TracedTensor
    reads: tuple[Reads, ...]  # queries, keys and values of each head
    projected: bool  # whether a linear map of the joined heads follows

    @property
    def node(self) -> Node:
        """The softmax."""
        return self.heads[0].softmax


@dataclass(frozen=True)
class Sum:
    """A sum of values that depend on an input."""

    node: Node
    parts: tuple[TracedTensor, TracedTensor]


def sum_of(value: TracedTensor) -> Sum | None:
    """The sum of two values that another one is."""
    node = bare(value).node
    if node is None or node.function != "add" or len(node.arguments) != 2 or node.named:
        return None
    one, other = node.arguments
    return None if constant(one) or constant(other) else Sum(node, (one, other))


@dataclass(frozen=True)
class Sublayer:
    """A sublayer with the sum and the norms around it."""

    form: str  # post, pre, none (no norm), after (the sublayer's output is normed), alone (no residual sum), norm
    block: AttentionBlock | FeedForward | None  # None: a norm alone
    norms: tuple[Norm, ...]
    node: Node  # the sum or, without one, where the mistake is made
    before: TracedTensor  # what it begins with
    result: TracedTensor  # of the block, or of the norm alone


class Blocks:
    """The sublayers of a pass, found once."""

    def __init__(self, trace: Trace, given: dict[TracedTensor, Tensor]) -> None:
        """`given` has the positions of the inputs."""
        self.heads = attentions(trace, given)
        self._mixtures = Mixtures(trace, self.heads[0].positions if self.heads else Positions(given))
        self._weighed = {head.weighted.output: head for head in self.heads}
        self._norms: dict[TracedTensor, Norm | None] = {}

    def norm(self, value: TracedTensor) -> Norm | None:
        """The norm whose result a value is."""
        value = bare(value)
        if value not in self._norms:
            self._norms[value] = norm_of(value)
        return self._norms[value]

    def attention(self, value: TracedTensor) -> AttentionBlock | None:
        """The attention whose result a value is; raises UnclearError if it is one that can't be followed."""
        mapped = projection(value)
        joined = value if mapped is None else mapped.source
        bases = cells(joined).bases
        if not {*bases} <= {*self._weighed}:
            return None
        heads = tuple(self._weighed[base] for base in bases)
        reads = tuple(map(reads_of, heads))
        for what, part in zip(("queries", "keys", "values"), reads[0]):
            if not part.maps:
                raise UnclearError(f"The linear layer of the {what} was not found.")
        if len({bare(end) for head in reads for part in head for end in part.ends}) > 1:
            deeper = tuple((one.without_latent, two.without_latent, three.without_latent) for one, two, three in reads)
            reads = deeper if any(part.latent for head in deeper for part in head) else reads
        queries, keys, values = (
            _common([bare(end) for head in reads for end in head[number].ends], what)
            for number, what in enumerate(("queries", "keys", "values"))
        )
        return AttentionBlock(value, heads, queries, keys, values, reads, mapped is not None)

    def sublayers(self, value: TracedTensor, ends: Collection[TracedTensor]) -> tuple[list[Sublayer], TracedTensor]:
        """The sublayers that made a value in order of execution, and what the first one begins with.

        Stops at one of the `ends`, or where nothing is a sublayer.
        """
        found: list[Sublayer] = []
        value = bare(value)
        while value not in ends and (step := self._step(value)):
            sublayer, value = step
            found.append(sublayer)
        return found[::-1], value

    def _step(self, value: TracedTensor) -> tuple[Sublayer, TracedTensor] | None:
        """The last sublayer of a value, and the value that it begins with."""
        if norm := self.norm(value):
            if (total := sum_of(norm.source)) and (found := self._added(total)) and found[0].form == "none":
                sublayer, before = found
                return replace(sublayer, form="post", norms=(norm,)), before
            if block := self._block(norm.source):
                return Sublayer("alone", block, (norm,), norm.node, _source(block), norm.source), _source(block)
            return Sublayer("norm", None, (norm,), norm.node, bare(norm.source), value), bare(norm.source)
        if (total := sum_of(value)) and (added := self._added(total)):
            return added
        if block := self._block(value):
            return Sublayer("alone", block, (), block.node, _source(block), value), _source(block)
        return None

    def _added(self, total: Sum) -> tuple[Sublayer, TracedTensor] | None:
        for part, rest in (total.parts, total.parts[::-1]):
            before = bare(rest)
            after = self.norm(part)
            result = after.source if after else part
            block = self._block(result)
            if block is None:
                continue
            source = _source(block)
            first = self.norm(source)
            if source is before:
                norms = (after,) if after else ()
                return Sublayer("after" if after else "none", block, norms, total.node, before, result), before
            if first and bare(first.source) is before:
                return Sublayer("pre", block, (first, after) if after else (first,), total.node, before, result), before
        return None

    def _block(self, value: TracedTensor) -> AttentionBlock | FeedForward | None:
        return self.attention(value) or feed_forward_of(value) or self._mixtures.of(value)


def _source(block: AttentionBlock | FeedForward) -> TracedTensor:
    return block.queries if isinstance(block, AttentionBlock) else block.source


def _common(values: Sequence[TracedTensor], what: str) -> TracedTensor:
    if len({*values}) > 1:
        raise UnclearError(f"The {what} of the heads are computed from different values.")
    return values[0]

"""Known mistakes: each changes one place of a right module, so that outputs can be compared with what it gives."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from playground.model import (
    AddNorm,
    Decoder,
    DecoderLayer,
    Embeddings,
    Encoder,
    FeedForward,
    MultiHeadAttention,
    PositionalEncoding,
    ScaledDotProductAttention,
    Transformer,
)
from playground.recording import Tap


class _InvertedMask(ScaledDotProductAttention):
    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        return super().forward(query, key, value, ~mask)


class _NoMask(ScaledDotProductAttention):
    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        return super().forward(query, key, value, torch.ones_like(mask))


class _AnotherSoftmax(ScaledDotProductAttention):
    """Attention with other weights: `weigh` turns scaled scores and the mask into weights."""

    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores.masked_fill(~mask, -math.inf)).softmax(-1)

    def divisor(self, query: Tensor) -> float:
        return math.sqrt(query.size(-1))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        scores = self.scores(self.query(query) @ self.key(key).transpose(-2, -1))
        weights = self.weigh(self.scaled_scores(scores / self.divisor(query)), mask)
        return self.heads(self.weights(weights) @ self.value(value))


class _MaskAfterSoftmax(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.softmax(-1).masked_fill(~mask, 0)


class _InfinityAfterSoftmax(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return scores.softmax(-1).masked_fill(~mask, -1e9)


class _MaskAddedAsOne(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores + mask).softmax(-1)


class _HiddenAddedAsOne(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores + ~mask).softmax(-1)


class _ScoresTimesMask(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores * mask).softmax(-1)


class _SoftmaxOverQueries(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores.masked_fill(~mask, -math.inf)).softmax(-2)


class _SoftmaxOverHeads(_AnotherSoftmax):
    def weigh(self, scores: Tensor, mask: Tensor) -> Tensor:
        return self.masked_scores(scores.masked_fill(~mask, -math.inf)).softmax(1)


class _NoScaling(_AnotherSoftmax):
    def divisor(self, query: Tensor) -> float:
        return 1.0


class _ScaledByDModel(_AnotherSoftmax):
    def divisor(self, query: Tensor) -> float:
        return math.sqrt(query.size(1) * query.size(-1))


class _ScaledWithoutRoot(_AnotherSoftmax):
    def divisor(self, query: Tensor) -> float:
        return query.size(-1)


class _AnotherSplit(MultiHeadAttention):
    """Heads split or joined by another reshape."""

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(x.size(0), self.n_heads, x.size(1), -1)

    def join(self, heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(2)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        query = self.query_projection(self.w_q(x))
        key = self.key_projection(self.w_k(memory))
        value = self.value_projection(self.w_v(memory))
        heads = self.attention(self.split(query), self.split(key), self.split(value), mask)
        return self.output(self.w_o(self.concat(self.join(heads))))


class _JoinedWithoutTranspose(_AnotherSplit):
    def split(self, x: Tensor) -> Tensor:
        return MultiHeadAttention.split(self, x)

    def join(self, heads: Tensor) -> Tensor:
        return heads.reshape(heads.size(0), heads.size(2), -1)


class _SplitAndJoinedWithoutTranspose(_AnotherSplit):
    def join(self, heads: Tensor) -> Tensor:
        return heads.reshape(heads.size(0), heads.size(2), -1)


class _OutputUnused(_AnotherSplit):
    def split(self, x: Tensor) -> Tensor:
        return MultiHeadAttention.split(self, x)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        super().forward(x, memory, mask)
        return self.joined

    def join(self, heads: Tensor) -> Tensor:
        self.joined = heads.transpose(1, 2).flatten(2)
        return self.joined


class _ReluMissing(FeedForward):
    def forward(self, x: Tensor) -> Tensor:
        return self.output(self.w_2(self.activation(self.hidden(self.w_1(x)))))


class _ReluLast(FeedForward):
    def forward(self, x: Tensor) -> Tensor:
        return self.output(self.w_2(self.activation(self.hidden(self.w_1(x)))).relu())


class _NoResidual(AddNorm):
    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        y = sublayer(self.normalized(self.norm(x)) if self.norm_first else x)
        return y if self.norm_first else self.normalized(self.norm(y))


class _NormAfterSublayer(AddNorm):
    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        return self.sum(x + self.normalized(self.norm(sublayer(x))))


class _ResidualFromNorm(AddNorm):
    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        x = self.normalized(self.norm(x))
        return self.sum(x + sublayer(x))


class _NormUnused(AddNorm):
    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        return self.sum(x + sublayer(x))


class _AnotherNorm(nn.LayerNorm):
    """LayerNorm with another spread or over another axis."""

    axis: int | tuple[int, ...] = -1

    def spread(self, x: Tensor) -> Tensor:
        return (x.var(self.axis, correction=0, keepdim=True) + self.eps).sqrt()

    def forward(self, x: Tensor) -> Tensor:
        return (x - x.mean(self.axis, keepdim=True)) / self.spread(x) * self.weight + self.bias


class _UnbiasedStd(_AnotherNorm):
    def spread(self, x: Tensor) -> Tensor:
        return (x.var(self.axis, keepdim=True) + self.eps).sqrt()


class _UnbiasedStdPlusEpsilon(_AnotherNorm):
    def spread(self, x: Tensor) -> Tensor:
        return x.std(self.axis, keepdim=True) + self.eps


class _EpsilonOutsideRoot(_AnotherNorm):
    def spread(self, x: Tensor) -> Tensor:
        return x.std(self.axis, correction=0, keepdim=True) + self.eps


class _NoRoot(_AnotherNorm):
    def spread(self, x: Tensor) -> Tensor:
        return x.var(self.axis, correction=0, keepdim=True) + self.eps


class _NormOverPositions(_AnotherNorm):
    axis = 1


class _NormOverBatch(_AnotherNorm):
    axis = 0


class _NormOverPositionsToo(_AnotherNorm):
    axis = (1, 2)


class _NormWithoutWeights(_AnotherNorm):
    def forward(self, x: Tensor) -> Tensor:
        return (x - x.mean(-1, keepdim=True)) / self.spread(x)


class _AnotherTable(PositionalEncoding):
    """Position tables by another formula: `angles` for each position and column, and which half gets the sine."""

    first, last = torch.sin, torch.cos

    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 10000 ** ((column - column % 2) / d)

    def forward(self, length: int, source_lengths: Tensor | None) -> Tensor:
        d = self.table.size(1)
        column = torch.arange(d, dtype=torch.float64)
        angles = self.angles(torch.arange(length, dtype=torch.float64)[:, None], column, d)
        kind = type(self)
        return torch.where(column % 2 == 0, kind.first(angles), kind.last(angles)).float()[None]


class _SinCosSwapped(_AnotherTable):
    first, last = torch.cos, torch.sin


class _OwnFrequencyForEachColumn(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 10000 ** (column / d)


class _DoubledExponent(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 10000 ** (2 * (column - column % 2) / d)


class _DoubledExponentOfEachColumn(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 10000 ** (2 * column / d)


class _HalvedExponent(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 10000 ** ((column - column % 2) / 2 / d)


class _Thousand(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position / 1000 ** ((column - column % 2) / d)


class _PositionTimesFrequency(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return position * 10000 ** ((column - column % 2) / d)


class _PositionsFromOne(_AnotherTable):
    def angles(self, position: Tensor, column: Tensor, d: int) -> Tensor:
        return super().angles(position + 1, column, d)


class _CrossAttentionWithoutMask(DecoderLayer):
    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        return super().forward(x, mask, memory, None if memory_mask is None else torch.ones_like(memory_mask))


class _SelfAttentionWithoutMask(DecoderLayer):
    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        return super().forward(x, torch.ones_like(mask), memory, memory_mask)


class _CrossAttentionToItself(DecoderLayer):
    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        if memory is None:
            return super().forward(x, mask)
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        x = self.cross_attention_add_norm(x, lambda y: self.cross_attention(y, y, mask))
        return self.feed_forward_add_norm(x, self.feed_forward)


class Changed(Tap):
    """A tap that passes on something else."""

    def __init__(self, change: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.change = change

    def forward(self, tensor: Tensor) -> Tensor:
        return self.change(tensor)


def _attribute(name: str, value: Callable[[], Any]) -> Callable[[nn.Module], None]:
    """Sets an attribute of a module: to another tap, say."""
    return lambda module: setattr(module, name, value())


def _tap(name: str, change: Callable[[Tensor], Tensor]) -> Callable[[nn.Module], None]:
    return _attribute(name, lambda: Changed(change))


@dataclass(frozen=True)
class Mistake:
    """A mistake in modules of class `base`: a subclass that takes its place, or a function that changes a module."""

    name: str
    words: str  # after "Your output equals that of"
    base: type[nn.Module]
    change: type[nn.Module] | Callable[[nn.Module], None]
    removes: bool = False  # weights, which the student does not have

    @property
    def why(self) -> str:
        """What is wrong with it, in a sentence."""
        return WHY[self.name]

    def put_into(self, reference: nn.Module) -> bool:
        """Changes `reference`; False if no module of the class is in it."""
        places = [module for module in reference.modules() if type(module) is self.base]
        for module in places:
            if isinstance(self.change, type):
                module.__class__ = self.change
            else:
                self.change(module)
        return bool(places)


WHY = {
    "inverted-mask": "Each query reads exactly the keys that it should not see.",
    "no-mask": "The mask has no effect, so every query reads every key.",
    "mask-after-softmax": "Set scores to minus infinity before the softmax; after it, the rows no longer sum to 1.",
    "mask-added-as-one": "Adding 1 to a score hides nothing; hide a key by setting its score to minus infinity.",
    "mask-multiplied": "A score of 0 still gets a weight; hide a key by setting its score to minus infinity.",
    "no-scaling": "Divide the scores by sqrt(d_k), or their variance grows with d_k and the softmax saturates.",
    "scaled-by-d-model": "Divide the scores by sqrt(d_k), the width of one head, not by sqrt(d_model).",
    "scaled-without-root": "Divide the scores by the square root of d_k, not by d_k.",
    "softmax-over-queries": "The weights of each query must sum to 1 over the keys, the last axis of the scores.",
    "softmax-over-heads": "The weights of each query must sum to 1 over the keys, the last axis, not over the heads.",
    "heads-without-transpose": "Split the last axis into heads and transpose; a reshape mixes positions and heads.",
    "no-output-projection": "The joined heads must pass through W^O, so that what the heads found is mixed.",
    "relu-missing": "Without a non-linear function between them, the two linear layers are one linear layer.",
    "relu-last": "The activation function belongs between the two linear layers, not after the second.",
    "no-residual": "Add the input of each sublayer to its output; without the sum, gradients fade with depth.",
    "norm-after-sublayer": "Post-norm is LayerNorm(x + Sublayer(x)), pre-norm x + Sublayer(LayerNorm(x)); "
    "yours is x + LayerNorm(Sublayer(x)).",
    "residual-from-norm": "In pre-norm, add the sublayer's output to x itself, not to LayerNorm(x).",
    "no-norm": "The LayerNorm of each sublayer is not applied.",
    "unbiased-std": "LayerNorm divides by the standard deviation over D values (unbiased=False), not D - 1.",
    "epsilon-outside-root": "LayerNorm divides by sqrt(variance + epsilon), which is not sqrt(variance) + epsilon.",
    "variance-without-root": "LayerNorm divides by the square root of the variance, not by the variance.",
    "norm-over-wrong-axis": "LayerNorm takes mean and variance over the features of one position, the last axis.",
    "norm-without-weights": "Multiply the normalized values by the gain and add the bias.",
    "sin-cos-swapped": "The even columns are sines and the odd ones cosines.",
    "wrong-frequency": "The angle is pos / 10000^(2i / d_model), and columns 2i and 2i + 1 share it.",
    "positions-from-one": "Positions are counted from 0; yours start at 1.",
    "no-positions": "Without positions, attention cannot tell the order of the tokens.",
    "positions-added-twice": "Add the positions once, where the embeddings enter the stack.",
    "cross-attention-without-mask": "Cross-attention needs the mask of the source, or it reads padding.",
    "self-attention-without-mask": "Self-attention of the decoder needs the target mask, or it reads the answer.",
    "cross-attention-to-itself": "Cross-attention takes its keys and values from the encoder's output.",
    "no-causal-mask": "Without the causal mask, each position reads the token that it should predict.",
    "causal-mask-off-by-one": "A position may see itself and earlier ones: the diagonal belongs to the visible part.",
    "causal-mask-transposed": "A position may see earlier positions, not later ones: yours is transposed.",
    "padding-not-masked": "Hide the padding from every query, or it takes part in the attention.",
    "pre-norm-without-final-norm": "Pre-norm leaves the last sum unnormalized, so each stack ends with a LayerNorm.",
    "dropout-in-evaluation": "Dropout must be off in evaluation mode: use nn.Dropout, or pass training=self.training.",
}
"""A sentence for each cause."""


def _no_final_norms(model: nn.Module) -> None:
    for stack in (model.encoder, model.decoder):
        if isinstance(stack, nn.Module):
            setattr(stack, "norm", None)  # noqa: B010  a module's own check of types would refuse it


_no_wo = _attribute("w_o", nn.Identity)
_everything: Callable[[Tensor], Tensor] = torch.ones_like

MISTAKES: Iterable[Mistake] = [
    Mistake("inverted-mask", "an inverted mask", ScaledDotProductAttention, _InvertedMask),
    Mistake("mask-after-softmax", "a mask after the softmax", ScaledDotProductAttention, _MaskAfterSoftmax),
    Mistake("mask-after-softmax", "a mask after the softmax", ScaledDotProductAttention, _InfinityAfterSoftmax),
    Mistake("no-scaling", "scores without scaling", ScaledDotProductAttention, _NoScaling),
    Mistake("scaled-by-d-model", "scores scaled by d_model", ScaledDotProductAttention, _ScaledByDModel),
    Mistake("scaled-without-root", "scores divided by d_k", ScaledDotProductAttention, _ScaledWithoutRoot),
    Mistake("softmax-over-queries", "a softmax over the queries", ScaledDotProductAttention, _SoftmaxOverQueries),
    Mistake("softmax-over-heads", "a softmax over the heads", ScaledDotProductAttention, _SoftmaxOverHeads),
    Mistake("mask-added-as-one", "a mask added as 0 and 1", ScaledDotProductAttention, _MaskAddedAsOne),
    Mistake("mask-added-as-one", "a mask added as 0 and 1", ScaledDotProductAttention, _HiddenAddedAsOne),
    Mistake("mask-multiplied", "scores multiplied by the mask", ScaledDotProductAttention, _ScoresTimesMask),
    Mistake("heads-without-transpose", "heads split without a transpose", MultiHeadAttention, _AnotherSplit),
    Mistake("heads-without-transpose", "heads joined without a transpose", MultiHeadAttention, _JoinedWithoutTranspose),
    Mistake(
        "heads-without-transpose",
        "heads split and joined without a transpose",
        MultiHeadAttention,
        _SplitAndJoinedWithoutTranspose,
    ),
    Mistake("no-output-projection", "heads without output projection", MultiHeadAttention, _no_wo, removes=True),
    Mistake("no-output-projection", "heads without output projection", MultiHeadAttention, _OutputUnused),
    Mistake("relu-missing", "two linear layers without activation function", FeedForward, _ReluMissing),
    Mistake("relu-last", "an activation function after the second layer", FeedForward, _ReluLast),
    Mistake("no-residual", "sublayers without residual sum", AddNorm, _NoResidual),
    Mistake("norm-after-sublayer", "a norm of the sublayer alone", AddNorm, _NormAfterSublayer),
    Mistake("residual-from-norm", "a residual sum that starts at the norm", AddNorm, _ResidualFromNorm),
    Mistake("no-norm", "sublayers without norm", AddNorm, _NormUnused),
    Mistake("unbiased-std", "an unbiased standard deviation", nn.LayerNorm, _UnbiasedStdPlusEpsilon),
    Mistake("unbiased-std", "an unbiased variance", nn.LayerNorm, _UnbiasedStd),
    Mistake("epsilon-outside-root", "an epsilon outside the root", nn.LayerNorm, _EpsilonOutsideRoot),
    Mistake("variance-without-root", "a division by the variance", nn.LayerNorm, _NoRoot),
    Mistake("norm-over-wrong-axis", "a norm over the positions", nn.LayerNorm, _NormOverPositions),
    Mistake("norm-over-wrong-axis", "a norm over the batch", nn.LayerNorm, _NormOverBatch),
    Mistake("norm-over-wrong-axis", "a norm over positions and features", nn.LayerNorm, _NormOverPositionsToo),
    Mistake("norm-without-weights", "a norm without gain and bias", nn.LayerNorm, _NormWithoutWeights),
    Mistake("sin-cos-swapped", "swapped sines and cosines", PositionalEncoding, _SinCosSwapped),
    Mistake(
        "wrong-frequency", "a frequency of its own for each column", PositionalEncoding, _OwnFrequencyForEachColumn
    ),
    Mistake("wrong-frequency", "a doubled exponent", PositionalEncoding, _DoubledExponent),
    Mistake("wrong-frequency", "a doubled exponent", PositionalEncoding, _DoubledExponentOfEachColumn),
    Mistake("wrong-frequency", "a halved exponent", PositionalEncoding, _HalvedExponent),
    Mistake("wrong-frequency", "1000 in place of 10000", PositionalEncoding, _Thousand),
    Mistake("wrong-frequency", "a multiplication by 10000^(2i / d_model)", PositionalEncoding, _PositionTimesFrequency),
    Mistake("positions-from-one", "positions that start at 1", PositionalEncoding, _PositionsFromOne),
    Mistake("no-positions", "embeddings without positions", Embeddings, _tap("position", torch.zeros_like)),
    Mistake("positions-added-twice", "positions added twice", Embeddings, _tap("position", lambda x: 2 * x)),
    Mistake("cross-attention-without-mask", "cross-attention without mask", DecoderLayer, _CrossAttentionWithoutMask),
    Mistake("self-attention-without-mask", "self-attention without mask", DecoderLayer, _SelfAttentionWithoutMask),
    Mistake(
        "cross-attention-to-itself", "cross-attention to the decoder itself", DecoderLayer, _CrossAttentionToItself
    ),
    Mistake("no-causal-mask", "no causal mask", Decoder, _tap("causal_mask", _everything)),
    Mistake("causal-mask-off-by-one", "a causal mask one off", Decoder, _tap("causal_mask", lambda x: x.tril(-1))),
    Mistake(
        "causal-mask-off-by-one",
        "a causal mask one off",
        Decoder,
        _tap("causal_mask", lambda x: torch.ones_like(x).tril(1)),
    ),
    Mistake("causal-mask-transposed", "a transposed causal mask", Decoder, _tap("causal_mask", lambda x: x.mT)),
    Mistake("padding-not-masked", "a mask without padding", Decoder, _tap("padding_mask", _everything)),
    Mistake("padding-not-masked", "a source mask without padding", Encoder, _tap("padding_mask", _everything)),
    Mistake(
        "pre-norm-without-final-norm", "pre-norm stacks without final norm", Transformer, _no_final_norms, removes=True
    ),
    Mistake("no-mask", "attention without mask", ScaledDotProductAttention, _NoMask),
]
"""The likely ones first: the first whose output equals the student's is the cause."""

"""Known mistakes: each changes one detail of a right module, so that outputs can be compared with what it gives.

Those that are also pitfalls are the classes of `lessons/mistakes/classes.py`.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.check.causes import WHY
from playground.lessons.mistakes import classes
from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import Embeddings, PositionalEncoding
from playground.model.feed_forward import FeedForward
from playground.model.layers import AddNorm, DecoderLayer
from playground.model.transformer import Decoder, Encoder, Transformer
from playground.recording import Tap

Change = type[nn.Module] | Callable[[Any], None]


@dataclass(frozen=True)
class Mistake:
    """A mistake in modules of class `base`: a subclass that replaces it, or a function that changes a module."""

    name: str
    words: str  # after "with this mistake:"
    base: type[nn.Module]
    change: Change
    removes: bool = False  # weights, which the student does not have

    @property
    def why(self) -> str:
        """A sentence on what is wrong."""
        return WHY[self.name]

    def put_into(self, reference: nn.Module) -> bool:
        """Changes `reference`; False if no module of the class is in it."""
        modules = [module for module in reference.modules() if type(module) is self.base]
        for module in modules:
            if isinstance(self.change, type):
                module.__class__ = self.change
            else:
                self.change(module)
        return bool(modules)


@contextmanager
def restored(module: nn.Module) -> Iterator[None]:
    """Afterwards all classes and children are again what they were; building another module takes longer."""
    before = [(part, part.__class__, dict(part._modules)) for part in module.modules()]
    try:
        yield
    finally:
        for part, kind, children in before:
            part.__class__ = kind
            part._modules.clear()
            part._modules.update(children)


# --- ways to change a module ----------------------------------------------------------------------


class Changed(Tap):
    """A tap that passes on something else."""

    def __init__(self, change: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.change = change

    def forward(self, tensor: Tensor) -> Tensor:
        return self.change(tensor)


def _subclass(base: type[nn.Module], forward: Callable[..., Tensor]) -> type[nn.Module]:
    """The class with another forward method."""
    return type(base.__name__, (base,), {"forward": forward})


def _without(name: str) -> Change:
    """No such child."""
    return lambda module: setattr(module, name, nn.Identity())


def _tap(name: str, change: Callable[[Tensor], Tensor]) -> Change:
    return lambda module: setattr(module, name, Changed(change))


def _unused(name: str) -> Change:
    """A child that has weights and passes on what it gets."""

    def change(module: nn.Module) -> None:
        child = getattr(module, name)
        child.__class__ = _subclass(type(child), lambda self, x: x)

    return change


def _unmasked(scores: Tensor, mask: Tensor) -> Tensor:
    return scores


def _minus_infinity(weights: Tensor, mask: Tensor) -> Tensor:
    return weights.masked_fill(~mask, -1e9)


def _attention(
    divisor: Callable[[Tensor], float] = lambda query: math.sqrt(query.size(-1)),
    masked: Callable[[Tensor, Tensor], Tensor] = lambda scores, mask: scores.masked_fill(~mask, -math.inf),
    axis: int = -1,
    after: Callable[[Tensor, Tensor], Tensor] = _unmasked,
) -> Change:
    """Attention with another divisor of the scores, mask, axis of the softmax, or something after it."""

    def forward(self: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        scores = self.scaled_scores(self.scores(self.query(query) @ self.key(key).mT) / divisor(query))
        weights = self.masked_scores(masked(scores, mask)).softmax(axis)
        return self.heads(self.weights(after(weights, mask)) @ self.value(value))

    return _subclass(ScaledDotProductAttention, forward)


def _joined_without_transpose(module: nn.Module) -> None:
    """The model transposes what the tap gives, which undoes the transpose here."""
    module.attention.heads = Changed(lambda x: x.reshape(x.size(0), x.size(2), x.size(1), -1).transpose(1, 2))  # type: ignore[union-attr]


def _never_transposed(module: nn.Module) -> None:
    module.__class__ = classes.HeadsWithoutTranspose
    _joined_without_transpose(module)


def _relu_last(module: Any) -> None:
    module.output = Changed(module.activation_function)
    module.activation_function = nn.Identity()


def _residual_from_norm(self: Any, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
    x = self.normalized(self.norm(x))
    return self.sum(x + sublayer(x))


def _plus_epsilon(variance: Tensor, eps: float) -> Tensor:
    return variance.sqrt() + eps


def _norm(
    axis: int | tuple[int, ...] = -1,
    correction: int = 0,
    spread: Callable[[Tensor, float], Tensor] = lambda variance, eps: (variance + eps).sqrt(),
    weighted: bool = True,
) -> Change:
    """LayerNorm over another axis, with another spread, or without gain and bias."""

    def forward(self: Any, x: Tensor) -> Tensor:
        variance = x.var(axis, correction=correction, keepdim=True)
        x = (x - x.mean(axis, keepdim=True)) / spread(variance, self.eps)
        return x * self.weight + self.bias if weighted else x

    return _subclass(nn.LayerNorm, forward)


def _table(
    frequency: Callable[[Tensor, int], Tensor] = lambda i, d: 10000 ** (-_even(i) / d),
    waves: tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]] = (torch.sin, torch.cos),
    first: int = 0,
) -> Change:
    """Position tables with another frequency of column i, other waves of even and odd columns, or first position."""

    def forward(self: Any, length: int, source_lengths: Tensor | None) -> Tensor:
        column = torch.arange(self.table.size(1), dtype=torch.float64)
        angles = torch.arange(first, first + length)[:, None] * frequency(column, len(column))
        return torch.where(column % 2 == 0, waves[0](angles), waves[1](angles)).float()[None]

    return _subclass(PositionalEncoding, forward)


def _even(column: Tensor) -> Tensor:
    """The even column of the pair."""
    return column - column % 2


class _SelfAttentionWithoutMask(DecoderLayer):
    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        return super().forward(x, torch.ones_like(mask), memory, memory_mask)


class _CrossAttentionToItself(DecoderLayer):
    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        if memory is not None:
            x = self.cross_attention_add_norm(x, lambda y: self.cross_attention(y, y, mask))
        return self.feed_forward_add_norm(x, self.feed_forward)


def _no_final_norms(model: nn.Module) -> None:
    for stack in (model.encoder, model.decoder):
        if isinstance(stack, nn.Module):
            setattr(stack, "norm", None)  # noqa: B010  a module's own check of types would refuse it


def _of(base: type[nn.Module], *rows: tuple[str, str, Change]) -> list[Mistake]:
    """The mistakes in modules of one class; a name with a star is of a mistake that removes weights."""
    return [Mistake(name.strip("*"), words, base, change, name.endswith("*")) for name, words, change in rows]


_everything: Callable[[Tensor], Tensor] = torch.ones_like

MISTAKES: list[Mistake] = [
    *_of(
        ScaledDotProductAttention,
        ("inverted-mask", "an inverted mask", classes.InvertedMask),
        ("mask-after-softmax", "a mask after the softmax", classes.MaskAfterSoftmax),
        ("mask-after-softmax", "a mask after the softmax", _attention(masked=_unmasked, after=_minus_infinity)),
        ("no-scaling", "scores without scaling", classes.NoScaling),
        ("scaled-by-d-model", "scores scaled by d_model", _attention(lambda q: math.sqrt(q.size(1) * q.size(-1)))),
        ("scaled-without-root", "scores divided by d_k", _attention(lambda q: q.size(-1))),
        ("softmax-over-queries", "a softmax over the queries", classes.SoftmaxOverQueries),
        ("softmax-over-heads", "a softmax over the heads", _attention(axis=1)),
        ("mask-added-as-one", "a mask added as 0 and 1", _attention(masked=lambda scores, mask: scores + mask)),
        ("mask-added-as-one", "a mask added as 0 and 1", _attention(masked=lambda scores, mask: scores + ~mask)),
        ("mask-multiplied", "scores multiplied by the mask", _attention(masked=lambda scores, mask: scores * mask)),
    ),
    *_of(
        MultiHeadAttention,
        ("heads-without-transpose", "heads split without a transpose", classes.HeadsWithoutTranspose),
        ("heads-without-transpose", "heads joined without a transpose", _joined_without_transpose),
        ("heads-without-transpose", "heads split and joined without a transpose", _never_transposed),
        ("no-output-projection*", "heads without output projection", _without("w_o")),
        ("no-output-projection", "heads without output projection", _unused("w_o")),
    ),
    *_of(
        FeedForward,
        ("relu-missing", "two linear layers without activation function", _without("activation_function")),
        ("relu-last", "an activation function after the second layer", _relu_last),
    ),
    *_of(
        AddNorm,
        ("no-residual", "sublayers without residual sum", classes.NoResidual),
        ("norm-after-sublayer", "a norm of the sublayer alone", classes.NormAfterSublayer),
        ("residual-from-norm", "a residual sum that starts at the norm", _subclass(AddNorm, _residual_from_norm)),
        ("no-norm", "sublayers without norm", _unused("norm")),
    ),
    *_of(
        nn.LayerNorm,
        ("unbiased-std", "an unbiased standard deviation", _norm(correction=1, spread=_plus_epsilon)),
        ("unbiased-std", "an unbiased variance", _norm(correction=1)),
        ("epsilon-outside-root", "an epsilon outside the root", _norm(spread=_plus_epsilon)),
        ("variance-without-root", "a division by the variance", _norm(spread=lambda variance, eps: variance + eps)),
        ("norm-over-wrong-axis", "a norm over the positions", _norm(1)),
        ("norm-over-wrong-axis", "a norm over the batch", _norm(0)),
        ("norm-over-wrong-axis", "a norm over positions and features", _norm((1, 2))),
        ("norm-without-weights", "a norm without gain and bias", _norm(weighted=False)),
    ),
    *_of(
        PositionalEncoding,
        ("sin-cos-swapped", "swapped sines and cosines", _table(waves=(torch.cos, torch.sin))),
        ("wrong-frequency", "a frequency of its own for each column", _table(lambda i, d: 10000 ** (-i / d))),
        ("wrong-frequency", "a doubled exponent", _table(lambda i, d: 10000 ** (-2 * _even(i) / d))),
        ("wrong-frequency", "a doubled exponent", _table(lambda i, d: 10000 ** (-2 * i / d))),
        ("wrong-frequency", "a halved exponent", _table(lambda i, d: 10000 ** (-_even(i) / 2 / d))),
        ("wrong-frequency", "1000 in place of 10000", _table(lambda i, d: 1000 ** (-_even(i) / d))),
        ("wrong-frequency", "a multiplication by 10000^(2i / d_model)", _table(lambda i, d: 10000 ** (_even(i) / d))),
        ("positions-from-one", "positions that start at 1", _table(first=1)),
    ),
    *_of(
        Embeddings,
        ("no-positions", "embeddings without positions", classes.NoPositions),
        ("positions-added-twice", "positions added twice", classes.PositionsAddedTwice),
    ),
    *_of(
        Decoder,
        ("no-causal-mask", "no causal mask", _tap("causal_mask", _everything)),
        ("no-causal-mask", "no mask at all", _tap("mask", _everything)),
        ("causal-mask-off-by-one", "a causal mask one off", _tap("causal_mask", lambda x: x.tril(-1))),
        ("causal-mask-off-by-one", "a causal mask one off", _tap("causal_mask", lambda x: _everything(x).tril(1))),
        ("causal-mask-transposed", "a transposed causal mask", _tap("causal_mask", lambda x: x.mT)),
        ("padding-not-masked", "a mask without padding", _tap("padding_mask", _everything)),
    ),
    *_of(
        DecoderLayer,
        ("cross-attention-without-mask", "cross-attention without mask", classes.CrossAttentionWithoutMask),
        ("self-attention-without-mask", "self-attention without mask", _SelfAttentionWithoutMask),
        ("cross-attention-to-itself", "cross-attention to the decoder itself", _CrossAttentionToItself),
    ),
    *_of(Encoder, ("padding-not-masked", "a source mask without padding", _tap("padding_mask", _everything))),
    *_of(Transformer, ("pre-norm-without-final-norm*", "pre-norm stacks without final norm", _no_final_norms)),
    *_of(ScaledDotProductAttention, ("no-mask", "attention without mask", _attention(masked=_unmasked))),
]
"""The likely ones first: the first whose output equals the student's is the cause."""

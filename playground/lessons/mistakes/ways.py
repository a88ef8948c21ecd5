"""Ways to make a mistake in a right module: each changes one detail. Those that people read are in `classes`."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.mistakes import classes
from playground.model.attention import ScaledDotProductAttention
from playground.model.embeddings import PositionalEncoding
from playground.recording import Tap

Change = type[nn.Module] | Callable[[Any], None]


@dataclass(frozen=True)
class Way:
    """A way to make a mistake: a subclass that replaces the right class, or a function that changes modules `of` it."""

    words: str  # after "with this mistake:"
    change: Change
    of: type[nn.Module] | None = None

    @property
    def base(self) -> type[nn.Module]:
        """The right class."""
        return self.of or self.change.__mro__[1]  # type: ignore[union-attr]

    def put_into(self, module: nn.Module) -> bool:
        """Changes what is of the right class in `module`; False if nothing is."""
        found = [part for part in module.modules() if type(part) is self.base]
        for part in found:
            if isinstance(self.change, type):
                part.__class__ = self.change
            else:
                self.change(part)
        return bool(found)


# --- changes ----------------------------------------------------------------------


class Changed(Tap):
    """Passes on something else than it gets."""

    def __init__(self, change: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.change = change

    def forward(self, tensor: Tensor) -> Tensor:
        return self.change(tensor)


def subclass(base: type[nn.Module], forward: Callable[..., Tensor]) -> type[nn.Module]:
    """The class with another forward method."""
    return type(base.__name__, (base,), {"forward": forward})


def without(name: str) -> Change:
    """No such child."""
    return lambda module: setattr(module, name, nn.Identity())


def tap(name: str, change: Callable[[Tensor], Tensor]) -> Change:
    """A tap that passes on something else."""
    return lambda module: setattr(module, name, Changed(change))


def unused(name: str) -> Change:
    """A child that has weights and passes on what it gets."""

    def change(module: nn.Module) -> None:
        child = getattr(module, name)
        child.__class__ = subclass(type(child), lambda self, x: x)

    return change


def unmasked(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores as they are."""
    return scores


def minus_infinity(weights: Tensor, mask: Tensor) -> Tensor:
    """Weights with the mask that belongs on scores."""
    return weights.masked_fill(~mask, -1e9)


def attention(
    divisor: Callable[[Tensor], float] = lambda query: math.sqrt(query.size(-1)),
    masked: Callable[[Tensor, Tensor], Tensor] = lambda scores, mask: scores.masked_fill(~mask, -math.inf),
    axis: int = -1,
    after: Callable[[Tensor, Tensor], Tensor] = unmasked,
) -> Change:
    """Attention with another divisor of the scores, mask, axis of the softmax, or something after it."""

    def forward(self: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        scores = self.scaled_scores(self.scores(self.query(query) @ self.key(key).mT) / divisor(query))
        weights = self.masked_scores(masked(scores, mask)).softmax(axis)
        return self.heads(self.weights(after(weights, mask)) @ self.value(value))

    return subclass(ScaledDotProductAttention, forward)


def joined_without_transpose(module: nn.Module) -> None:
    """The model transposes what the tap gives, which undoes the transpose here."""
    module.attention.heads = Changed(lambda x: x.reshape(x.size(0), x.size(2), x.size(1), -1).transpose(1, 2))  # type: ignore[union-attr]


def never_transposed(module: nn.Module) -> None:
    """Heads are split and joined by a reshape alone."""
    module.__class__ = classes.HeadsWithoutTranspose
    joined_without_transpose(module)


def relu_last(module: Any) -> None:
    """The activation function follows the second layer."""
    module.output = Changed(module.activation_function)
    module.activation_function = nn.Identity()


def residual_from_norm(self: Any, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
    """AddNorm that adds to the normalized input."""
    x = self.normalized(self.norm(x))
    return self.sum(x + sublayer(x))


def plus_epsilon(variance: Tensor, eps: float) -> Tensor:
    """The root, plus epsilon."""
    return variance.sqrt() + eps


def norm(
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

    return subclass(nn.LayerNorm, forward)


def positions(
    frequency: Callable[[Tensor, int], Tensor] = lambda i, d: 10000 ** (-even(i) / d),
    first: int = 0,
) -> Change:
    """Position tables with another frequency of column i, or another first position."""

    def forward(self: Any, length: int, source_lengths: Tensor | None) -> Tensor:
        column = torch.arange(self.table.size(1), dtype=torch.float64)
        angles = torch.arange(first, first + length)[:, None] * frequency(column, len(column))
        return torch.where(column % 2 == 0, angles.sin(), angles.cos()).float()[None]

    return subclass(PositionalEncoding, forward)


everything: Callable[[Tensor], Tensor] = torch.ones_like


def even(column: Tensor) -> Tensor:
    """The even column of the pair."""
    return column - column % 2


def no_final_norms(model: nn.Module) -> None:
    """Stacks end without a norm."""
    for stack in (model.encoder, model.decoder):
        if isinstance(stack, nn.Module):
            setattr(stack, "norm", None)  # noqa: B010  a module's own check of types would refuse it

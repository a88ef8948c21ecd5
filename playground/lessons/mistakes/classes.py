"""Classic mistakes, each as a subclass that differs from the right class in one detail."""

import ast
import difflib
import inspect
import math
import re
import textwrap
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import Embeddings, PositionalEncoding, rotate
from playground.model.feed_forward import FeedForward
from playground.model.latent_attention import LatentAttention
from playground.model.layers import AddNorm, DecoderLayer
from playground.model.mixture import Mixture
from playground.model.part_classes import EPSILON
from playground.model.task_model import TaskModel
from playground.model.transformer import Decoder
from playground.settings.config import RunConfig
from playground.tasks.batches import Batch
from playground.tasks.tokens import PAD
from playground.training.loop import Training


class InvertedMask(ScaledDotProductAttention):
    """Inverts the mask: queries attend only to the keys that should be hidden."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        query = self.query(query)
        key = self.key(key)
        value = self.value(value)
        scores = self.scores(query @ key.transpose(-2, -1))
        if self.scale_scores:
            scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))
        else:
            scores = self.scaled_scores(scores)
        scores = self.masked_scores(scores.masked_fill(mask, -1e9))  # a row without any key would be NaN with -inf
        weights = self.weights(scores.softmax(-1))
        return self.heads(weights @ value)


class MaskAfterSoftmax(ScaledDotProductAttention):
    """Masks after softmax, so the remaining weights add up to less than 1."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        query = self.query(query)
        key = self.key(key)
        value = self.value(value)
        scores = self.scores(query @ key.transpose(-2, -1))
        if self.scale_scores:
            scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))
        else:
            scores = self.scaled_scores(scores)
        scores = self.masked_scores(scores)
        weights = self.weights(scores.softmax(-1).masked_fill(~mask, 0.0))
        return self.heads(weights @ value)


class NoScaling(ScaledDotProductAttention):
    """Leaves out the division by the square root of d_k."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        query = self.query(query)
        key = self.key(key)
        value = self.value(value)
        scores = self.scores(query @ key.transpose(-2, -1))
        scores = self.scaled_scores(scores)
        scores = self.masked_scores(scores.masked_fill(~mask, -math.inf))
        weights = self.weights(scores.softmax(-1))
        return self.heads(weights @ value)


class SoftmaxOverQueries(ScaledDotProductAttention):
    """Normalizes over the wrong axis."""

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        query = self.query(query)
        key = self.key(key)
        value = self.value(value)
        scores = self.scores(query @ key.transpose(-2, -1))
        if self.scale_scores:
            scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))
        else:
            scores = self.scaled_scores(scores)
        scores = self.masked_scores(scores.masked_fill(~mask, -math.inf))
        weights = self.weights(scores.softmax(-2))
        return self.heads(weights @ value)


class HeadsWithoutTranspose(MultiHeadAttention):
    """Reshapes the projections to heads without a transpose, which mixes positions."""

    def split(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        return x.view(batch, self.n_heads, length, width // self.n_heads)


class RotatedLatentKeys(LatentAttention):
    """Turns the queries and keys of the latent by their positions, too."""

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        query = self.query_projection(self.w_q(x))
        latent = self.latent(self.w_dkv(memory))
        key = self.key_projection(self.w_uk(latent))
        value = self.value_projection(self.w_uv(latent))
        query, key, value = self.split(query), self.split(key), self.split(value)
        query, key = rotate(query, key.size(2) - query.size(2)), rotate(key)
        if self.rotary:
            to_turn = self.split(self.query_rotary_projection(self.w_qr(x)))
            turned = self.rotated_query(rotate(to_turn, key.size(2) - query.size(2)))
            query = torch.cat([query, turned], -1)
            to_turn = self.key_rotary_projection(self.w_kr(memory))
            turned = self.rotated_key(rotate(to_turn[:, None]))
            key = torch.cat([key, turned.expand(-1, key.size(1), -1, -1)], -1)
        heads = self.attention(query, key, value, mask)
        concat = self.concat(heads.transpose(1, 2).flatten(2))
        return self.output(self.w_o(concat))


class ReluMissing(FeedForward):
    """Leaves out the activation function."""

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.hidden(self.w_1(x))
        hidden = self.activation(hidden)
        return self.output(self.w_2(hidden))


class RouterWithoutBalance(Mixture):
    """Leaves the balancing loss out of what training minimizes."""

    def balanced(self, output: Tensor, probabilities: Tensor, chosen: Tensor, there: Tensor) -> Tensor:
        tokens = there.sum()
        load = self.load((chosen & there).sum((0, 1)) / (tokens * self.experts_per_token))
        mean = (probabilities * there).sum((0, 1)) / tokens
        self.balance_loss(self.balance * len(self.experts) * (load * mean).sum())
        return output


class GatesNotRenormalized(Mixture):
    """Uses the probabilities of the chosen experts as gates, which sum to less than 1."""

    def weighted(self, gates: Tensor) -> Tensor:
        return gates


class SinesAndCosinesSwapped(PositionalEncoding):
    """Puts the cosines into the even columns and the sines into the odd ones."""

    def forward(self, length: int, source_lengths: Tensor | None) -> Tensor:
        pairs = super().forward(length, source_lengths).unflatten(-1, (-1, 2))
        return pairs.flip(-1).flatten(-2)


class NoPositions(Embeddings):
    """Does not add the positional encoding."""

    def forward(self, tokens: Tensor, source_lengths: Tensor | None) -> Tensor:
        x = self.token_embedding(self.token_table(tokens) * math.sqrt(self.token_table.embedding_dim))
        return self.dropout(self.sum(x))


class PositionsAddedTwice(Embeddings):
    """Adds the positional encoding twice."""

    def forward(self, tokens: Tensor, source_lengths: Tensor | None) -> Tensor:
        x = self.token_embedding(self.token_table(tokens) * math.sqrt(self.token_table.embedding_dim))
        if self.positions is not None:
            positions = self.positions(tokens.size(1), source_lengths)
            position = self.position(positions.expand(tokens.size(0), -1, -1))
            return self.dropout(self.sum(x + position + position))
        return self.dropout(self.sum(x))


class NoResidual(AddNorm):
    """Returns the sublayer's output without adding its input."""

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        y = x
        if self.norm_first:
            y = self.normalized(self.norm(y))
        y = self.dropout(sublayer(y))
        if self.norm_last:
            y = self.normalized(self.norm(y))
        return y


class NormAfterSublayer(AddNorm):
    """Normalizes the sublayer's output instead of the residual sum."""

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        y = self.normalized(self.norm(self.dropout(sublayer(x))))
        return self.sum(x + y)


class UnbiasedStandardDeviation(nn.LayerNorm):
    """Divides by the standard deviation over D - 1 values."""

    def forward(self, input: Tensor) -> Tensor:
        mean = input.mean(-1, keepdim=True)
        deviation = input.std(-1, keepdim=True)
        return self.weight * (input - mean) / (deviation + self.eps) + self.bias


class RmsNormOverPositions(nn.RMSNorm):
    """Takes the mean square over the positions instead of the features."""

    def forward(self, x: Tensor) -> Tensor:
        mean_square = x.square().mean(1, keepdim=True)
        return x * torch.rsqrt(mean_square + EPSILON) * self.weight


class NoCausalMask(Decoder):
    """Lets each position attend to later ones."""

    def forward(
        self,
        target: Tensor,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
        source_lengths: Tensor | None = None,
    ) -> Tensor:
        target = self.tokens(target)
        padding_mask = self.padding_mask((target != PAD)[:, None, None, :])
        everything = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device)
        causal_mask = self.causal_mask(everything[None, None])
        mask = self.mask(causal_mask & padding_mask)
        x = self.embeddings(target, source_lengths)
        for layer in self.layers:
            x = layer(x, mask, memory, memory_mask)
        if self.norm:
            return self.output(self.norm(x))
        return self.output(x)


class SelfAttentionWithoutMask(DecoderLayer):
    """Lets each position of the decoder attend to all others."""

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        return super().forward(x, torch.ones_like(mask), memory, memory_mask)


class CrossAttentionToItself(DecoderLayer):
    """Takes keys and values of the cross-attention from the decoder itself."""

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        if memory is not None:
            x = self.cross_attention_add_norm(x, lambda y: self.cross_attention(y, y, mask))
        return self.feed_forward_add_norm(x, self.feed_forward)


class CrossAttentionWithoutMask(DecoderLayer):
    """Lets the decoder attend to padding in the input."""

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        everything = None
        if memory_mask is not None:
            everything = torch.ones(memory_mask.shape, dtype=torch.bool, device=memory_mask.device)
        return super().forward(x, mask, memory, everything)


class DropoutInEvaluation(TaskModel):
    """Never leaves training mode."""

    def train(self, mode: bool = True) -> "DropoutInEvaluation":
        return super().train(True)


class TargetNotShifted(Training):
    """Lets the decoder read the token that it has to predict."""

    def _draw(self) -> Batch:
        batch = super()._draw()
        return batch._replace(target=batch.labels)


class PaddingScored(Training):
    """Includes padding in the training loss."""

    def _forward(self, batch: Batch) -> Tensor:
        if not self.model.training:
            self.model.train()
        with self._dropout:
            logits, _ = self.model(*batch[:3])
        return F.cross_entropy(logits.transpose(1, 2), batch.labels)


class NoWarmUp(Training):
    """Begins with the full learning rate."""

    def __init__(self, config: RunConfig, model: TaskModel | None = None) -> None:
        super().__init__(config.updated({"training.warmup_steps": 0}), model)


def apply(mistake: type, model: nn.Module) -> None:
    """Makes every module of the right class one with the mistake; weights stay as they are."""
    for module in model.modules():
        if type(module) is mistake.__mro__[1]:
            module.__class__ = mistake


def difference(mistake: type) -> str:
    """The lines in which a mistake differs from the right class, as a unified diff; all lines of what only wraps it."""
    right = mistake.__mro__[1]
    lines: list[str] = []
    for name, method in vars(mistake).items():
        if inspect.isfunction(method):
            after = _statements(method)
            wraps = name not in vars(right) or any("super()" in line for line in after)
            before = [] if wraps else _statements(getattr(right, name))
            lines += list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _statements(function: Callable[..., Any]) -> list[str]:
    """Source lines of a method, without docstring and comments."""
    source = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    documented = tree.body[0] if ast.get_docstring(tree) else None
    hidden = range(documented.lineno, (documented.end_lineno or 0) + 1) if documented else ()
    lines = (re.sub(r"\s*# .*", "", line) for number, line in enumerate(source.splitlines(), 1) if number not in hidden)
    return [line for line in lines if line.strip()]

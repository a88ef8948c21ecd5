"""Attention: section 3.2 of the paper."""

import math
from typing import TYPE_CHECKING

from torch import Tensor, nn

from playground.model.embeddings import rotate
from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class ScaledDotProductAttention(nn.Module):
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V, equation (1), for all heads at once."""

    def __init__(self, scale_scores: bool = True) -> None:
        super().__init__()
        self.scale_scores = scale_scores
        self.query, self.key, self.value = Tap(), Tap(), Tap()
        self.scores, self.scaled_scores, self.masked_scores = Tap(), Tap(), Tap()
        self.weights, self.heads = Tap(), Tap()

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """(B, H, T, K), (B, H, S, K), (B, H, S, K) and a mask that broadcasts to (B, H, T, S) -> (B, H, T, K).

        Where `mask` is True, a query may attend to a key. Each query needs at least one such key.
        """
        query = self.query(query)  # (B, H, T, K)
        key = self.key(key)  # (B, H, S, K)
        value = self.value(value)  # (B, H, S, K)
        scores = self.scores(query @ key.transpose(-2, -1))  # (B, H, T, S)
        if self.scale_scores:
            scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))
        else:
            scores = self.scaled_scores(scores)
        scores = self.masked_scores(scores.masked_fill(~mask, -math.inf))
        weights = self.weights(scores.softmax(-1))  # (B, H, T, S)
        return self.heads(weights @ value)  # (B, H, T, K)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, ..., head_H) W^O, section 3.2.2.

    `rotary` self-attention turns queries and keys by their positions.
    """

    def __init__(self, config: "ModelConfig", rotary: bool = False) -> None:
        super().__init__()
        d, self.n_heads = config.d_model, config.n_heads
        self.w_q = nn.Linear(d, d, bias=config.projection_bias)
        self.w_k = nn.Linear(d, d, bias=config.projection_bias)
        self.w_v = nn.Linear(d, d, bias=config.projection_bias)
        self.w_o = nn.Linear(d, d, bias=config.projection_bias)
        self.query_projection, self.key_projection, self.value_projection = Tap(), Tap(), Tap()
        self.rotary = rotary
        if rotary:
            self.rotated_query, self.rotated_key = Tap(), Tap()
        self.attention = ScaledDotProductAttention(config.scale_scores)
        self.concat, self.output = Tap(), Tap()

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Queries from x (B, T, D), keys and values from memory (B, S, D) -> (B, T, D).

        In self-attention `memory` is `x`; in cross-attention it is the encoder's output.
        """
        query = self.query_projection(self.w_q(x))  # (B, T, D)
        key = self.key_projection(self.w_k(memory))  # (B, S, D)
        value = self.value_projection(self.w_v(memory))  # (B, S, D)
        query, key, value = self.split(query), self.split(key), self.split(value)
        if self.rotary:
            # The queries are the last positions of the keys, all of them unless earlier keys were kept.
            query = self.rotated_query(rotate(query, key.size(2) - query.size(2)))  # (B, H, T, K)
            key = self.rotated_key(rotate(key))  # (B, H, S, K)
        heads = self.attention(query, key, value, mask)  # (B, H, T, K)
        concat = self.concat(heads.transpose(1, 2).flatten(2))  # (B, T, D)
        return self.output(self.w_o(concat))  # (B, T, D)

    def split(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, H, T, K): head h gets columns h K to (h + 1) K."""
        return x.unflatten(2, (self.n_heads, -1)).transpose(1, 2)

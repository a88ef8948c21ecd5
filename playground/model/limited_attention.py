"""Attention with limits: of the lengths of queries and keys, of the scores, and of the distance."""

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class LimitedDotProductAttention(ScaledDotProductAttention):
    """qk_norm: queries and keys get length 1, and a trained g scales the scores: Henry et al. 2020.
    logit_cap: c tanh(score / c) keeps scores between -c and c: Gemma 2 2024.
    window: a query sees keys less than w positions away, on both sides where it may: Beltagy et al. 2020.

    `width` is that of a query. Cross-attention has no window: its keys are positions of another sequence.
    """

    def __init__(self, config: "ModelConfig", width: int, window: int) -> None:
        super().__init__(config.scale_scores)
        self.qk_norm, self.cap, self.window = config.qk_norm, config.logit_cap, window
        if self.qk_norm:
            self.normed_query, self.normed_key = Tap(), Tap()
            if self.scale_scores:
                self.scale = nn.Parameter(torch.tensor(math.sqrt(width)))  # at first, as if the lengths were this
        if self.cap:
            self.capped_scores = Tap()
        if self.window:
            self.window_mask = Tap()

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """(B, H, T, K), (B, H, S, K), (B, H, S, K) and a mask that broadcasts to (B, H, T, S) -> (B, H, T, K)."""
        query = self.query(query)  # (B, H, T, K)
        key = self.key(key)  # (B, H, S, K)
        value = self.value(value)  # (B, H, S, K)
        if self.qk_norm:
            query = self.normed_query(F.normalize(query, dim=-1))  # (B, H, T, K)
            key = self.normed_key(F.normalize(key, dim=-1))  # (B, H, S, K)
        scores = self.scores(query @ key.transpose(-2, -1))  # (B, H, T, S)
        if not self.scale_scores:
            scores = self.scaled_scores(scores)
        elif self.qk_norm:
            scores = self.scaled_scores(scores * self.scale)
        else:
            scores = self.scaled_scores(scores / math.sqrt(query.size(-1)))
        if self.cap:
            scores = self.capped_scores(self.cap * torch.tanh(scores / self.cap))
        if self.window:
            # The queries are the last positions of the keys. Each sees itself, padding too: no row of a mask is empty.
            apart = self.distances(query.size(2), key.size(2), mask.device)
            mask = self.window_mask(mask & (apart < self.window) | (apart == 0))  # (B, 1, T, S)
        scores = self.masked_scores(scores.masked_fill(~mask, -math.inf))
        weights = self.weights(scores.softmax(-1))  # (B, H, T, S)
        return self.heads(weights @ value)  # (B, H, T, K)

    @staticmethod
    def distances(queries: int, keys: int, device: torch.device) -> Tensor:
        """(T, S) positions between the last `queries` of `keys` positions and each of them."""
        position = torch.arange(keys, device=device)
        return (position[keys - queries :, None] - position).abs()


def limited(config: "ModelConfig", part: MultiHeadAttention, cross: bool) -> MultiHeadAttention:
    """Self-attention or cross-attention with the limits of the settings, if any is left."""
    window = 0 if cross else config.window
    if config.qk_norm or config.logit_cap or window:
        width = config.d_head + (config.d_rope if part.rotary and config.attention == "latent" else 0)
        part.attention = LimitedDotProductAttention(config, width, window)
    return part

"""Multi-head latent attention: DeepSeek-V2 2024, section 2.1."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import rotate
from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class LatentAttention(MultiHeadAttention):
    """Keys and values of all heads are made from one latent vector of width C, which a cache keeps in their place.

    W^DKV compresses, W^UK and W^UV make keys and values from the latent. A rotation between the query and W^UK would
    keep the two from being one matrix, so with `rotary` each head compares P more columns: rotated queries, and one
    rotated key for all heads, which the cache keeps, too. Queries are not compressed, and the latent has no norm.
    U = H P is the width of all such queries, and Q = K + P that of what a head compares.
    """

    def __init__(self, config: "ModelConfig", rotary: bool = False) -> None:
        nn.Module.__init__(self)  # it has other projections
        d, bias = config.d_model, config.projection_bias
        self.n_heads, self.rotary = config.n_heads, rotary
        self.w_q = nn.Linear(d, d, bias=bias)
        self.w_dkv = nn.Linear(d, config.d_latent, bias=bias)
        self.w_uk = nn.Linear(config.d_latent, d, bias=bias)
        self.w_uv = nn.Linear(config.d_latent, d, bias=bias)
        self.query_projection, self.latent = Tap(), Tap()
        self.key_projection, self.value_projection = Tap(), Tap()
        if rotary:
            self.w_qr = nn.Linear(d, config.n_heads * config.d_rope, bias=bias)
            self.w_kr = nn.Linear(d, config.d_rope, bias=bias)
            self.query_rotary_projection, self.key_rotary_projection = Tap(), Tap()
            self.rotated_query, self.rotated_key = Tap(), Tap()
        self.w_o = nn.Linear(d, d, bias=bias)
        self.attention = ScaledDotProductAttention(config.scale_scores)
        self.concat, self.output = Tap(), Tap()

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Queries from x (B, T, D), keys and values from memory (B, S, D) -> (B, T, D)."""
        query = self.query_projection(self.w_q(x))  # (B, T, D)
        latent = self.latent(self.w_dkv(memory))  # (B, S, C)
        key = self.key_projection(self.w_uk(latent))  # (B, S, D)
        value = self.value_projection(self.w_uv(latent))  # (B, S, D)
        query, key, value = self.split(query), self.split(key), self.split(value)
        if self.rotary:
            to_turn = self.split(self.query_rotary_projection(self.w_qr(x)))  # (B, H, T, P)
            turned = self.rotated_query(rotate(to_turn, key.size(2) - query.size(2)))  # (B, H, T, P)
            query = torch.cat([query, turned], -1)  # (B, H, T, Q)
            to_turn = self.key_rotary_projection(self.w_kr(memory))  # (B, S, P)
            turned = self.rotated_key(rotate(to_turn[:, None]))  # (B, 1, S, P)
            key = torch.cat([key, turned.expand(-1, key.size(1), -1, -1)], -1)  # (B, H, S, Q)
        heads = self.attention(query, key, value, mask)  # (B, H, T, K)
        concat = self.concat(heads.transpose(1, 2).flatten(2))  # (B, T, D)
        return self.output(self.w_o(concat))  # (B, T, D)

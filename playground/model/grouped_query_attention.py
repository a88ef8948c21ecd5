"""Attention whose heads share keys and values in groups: Ainslie et al. 2023, and Shazeer 2019 for a single group."""

from typing import TYPE_CHECKING

from torch import Tensor, nn

from playground.model.attention import MultiHeadAttention
from playground.model.embeddings import rotate

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class GroupedQueryAttention(MultiHeadAttention):
    """H heads of queries and G of keys and values: H/G heads beside each other compare with the same keys.

    G = H is `MultiHeadAttention`, G = 1 is multi-query attention. M = G K is the width of all keys.
    """

    def __init__(self, config: "ModelConfig", rotary: bool = False) -> None:
        super().__init__(config, rotary)
        self.n_kv_heads, width = config.n_kv_heads, config.n_kv_heads * config.d_head
        self.w_k = nn.Linear(config.d_model, width, bias=config.projection_bias)
        self.w_v = nn.Linear(config.d_model, width, bias=config.projection_bias)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Queries from x (B, T, D), keys and values from memory (B, S, D) -> (B, T, D)."""
        query = self.query_projection(self.w_q(x))  # (B, T, D)
        key = self.key_projection(self.w_k(memory))  # (B, S, M)
        value = self.value_projection(self.w_v(memory))  # (B, S, M)
        query = self.split(query)  # (B, H, T, K)
        key, value = (part.unflatten(2, (self.n_kv_heads, -1)).transpose(1, 2) for part in (key, value))  # (B, G, S, K)
        if self.rotary:
            query = self.rotated_query(rotate(query, key.size(2) - query.size(2)))  # (B, H, T, K)
            key = self.rotated_key(rotate(key))  # (B, G, S, K)
        group = self.n_heads // self.n_kv_heads  # heads beside each other that share a key
        key, value = (part.repeat_interleave(group, 1) for part in (key, value))  # (B, H, S, K)
        heads = self.attention(query, key, value, mask)  # (B, H, T, K)
        concat = self.concat(heads.transpose(1, 2).flatten(2))  # (B, T, D)
        return self.output(self.w_o(concat))  # (B, T, D)

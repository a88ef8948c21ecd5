"""Tokens and their positions as vectors, sections 3.4 and 3.5 of the paper, and positions as rotations."""

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig, Positions


class PositionalEncoding(nn.Module):
    """A vector of width D for each position.

    sinusoidal: PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(the same), section 3.5.
    learned: a trained table, table[pos]. two_way: table[pos] + table_from_end[n-1-pos] over the n source tokens, so
    that "third from the end" has the same vector at any length. After the source, pos starts again from 0.
    """

    def __init__(self, kind: "Positions", max_positions: int, d_model: int) -> None:
        super().__init__()
        self.kind = kind
        if kind == "sinusoidal":
            self.register_buffer("table", sinusoidal_table(max_positions, d_model), persistent=False)
        else:
            self.table = nn.Parameter(torch.empty(max_positions, d_model))
        if kind == "two_way":
            self.table_from_end = nn.Parameter(torch.empty(max_positions, d_model))

    def forward(self, length: int, source_lengths: Tensor | None) -> Tensor:
        """Positions 0 to length - 1, the first `source_lengths` (B, 1), if any, in the source -> (1 or B, T, D)."""
        position = torch.arange(length, device=self.table.device)[None]
        if self.kind != "two_way" or source_lengths is None:
            return self.table[position]
        from_start = torch.where(position < source_lengths, position, position - source_lengths)  # (B, T)
        from_end = source_lengths - 1 - position  # (B, T), negative after the source
        last = self.table.size(0) - 1  # padding may lie beyond the table; nothing reads it
        ahead = self.table_from_end[from_end.clamp(0, last)].masked_fill((from_end < 0)[..., None], 0.0)
        return self.table[from_start.clamp(max=last)] + ahead


class Embeddings(nn.Module):
    """Token vectors times sqrt(D), section 3.4, plus positions.

    Both sides of an encoder-decoder share one token table and one position table, but each has its own taps.
    """

    def __init__(self, config: "ModelConfig", token_table: nn.Embedding, positions: PositionalEncoding | None) -> None:
        super().__init__()
        self.token_table = token_table
        self.token_embedding = Tap()
        self.positions = positions
        if positions is not None:
            self.position = Tap()
        self.sum = Tap()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, tokens: Tensor, source_lengths: Tensor | None) -> Tensor:
        """(B, T) token ids, of which the first `source_lengths` (B, 1), if any, are source tokens -> (B, T, D)."""
        x = self.token_embedding(self.token_table(tokens) * math.sqrt(self.token_table.embedding_dim))
        if self.positions is not None:
            positions = self.positions(tokens.size(1), source_lengths)  # (1 or B, T, D)
            position = self.position(positions.expand(tokens.size(0), -1, -1))
            return self.dropout(self.sum(x + position))
        return self.dropout(self.sum(x))


def sinusoidal_table(length: int, d_model: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """(length, D) sines in the even columns and cosines in the odd ones, section 3.5."""
    position = torch.arange(length, dtype=torch.float64)[:, None]
    angle = position / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).to(dtype)


def rotate(x: Tensor, first: int = 0) -> Tensor:
    """Rotary positions, Su et al. 2021 (RoFormer), equation 34: (B, H, L, K) -> (B, H, L, K), row 0 at `first`.

    Columns 2i and 2i+1 turn by the angle pos / 10000^(2i/K), so that the dot product of two rotated rows depends on
    the distance of their positions, not on the positions themselves.
    """
    table = sinusoidal_table(first + x.size(2), x.size(3), x.dtype)[first:].to(x.device)  # (L, K)
    sin, cos = table[:, 0::2], table[:, 1::2]
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

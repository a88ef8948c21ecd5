from typing import Optional

import torch
from torch import nn, Tensor


class LearnedPositionalEncoding(nn.Module):
    """A table of vectors, one a position, trained with everything else."""

    def __init__(self, max_position_embeddings: int = 512, embedding_dim: int = 64) -> None:
        super().__init__()
        self.embedding = nn.Embedding(max_position_embeddings, embedding_dim)
        self.register_buffer(
            "position_ids",
            torch.arange(max_position_embeddings).expand((1, -1)),
            persistent=False,
        )
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, x: Tensor, position_ids: Optional[Tensor] = None) -> Tensor:
        if position_ids is None:
            position_ids = self.position_ids[:, : x.size(1)]
        return x + self.embedding(position_ids)

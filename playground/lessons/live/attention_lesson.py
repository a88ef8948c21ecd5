"""Lesson "Attention from three vectors"."""

from collections.abc import Mapping

import torch
from torch import Tensor

from playground.lessons.live_parts import Grid, Numbers, Output, generator, live

TOKENS = ("Token 1", "Token 2", "Token 3")


def _vectors(seed: int) -> Tensor:
    """Queries, keys and values of three tokens, shape (3, 3, 4), rounded to one decimal."""
    return torch.randn(3, 3, 4, generator=generator(seed)).mul(10).round().div(10)


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    query, key, _ = _vectors(seed)
    row = (query @ key.T)[0]
    return {"best": TOKENS[int(row.argmax())], "highest": float(row.max()), "lowest": float(row.min())}


@live(
    query=Grid("Queries", lambda seed: _vectors(seed)[0], TOKENS, 10),
    key=Grid("Keys", lambda seed: _vectors(seed)[1], TOKENS, 10),
)
def scores(seed: int, query: Tensor, key: Tensor) -> list[Output]:
    """Scores of the queries and keys in the tables."""
    return [Numbers("Scores Q Kᵀ", query @ key.T, ("T", "S"), TOKENS, TOKENS)]

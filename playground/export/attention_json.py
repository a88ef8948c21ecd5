"""Attention weights of all heads of one pass as JSON; reading them again.

    {"format": "transformer-playground attention", "tokens": {"source": ["3", ...], "target": ["BOS", ...]},
     "attentions": {"encoder_self": [layer][head][query][key], "decoder_self": ..., "decoder_cross": ...}}

A model has the kinds that its architecture has. Queries of cross-attention are target tokens, its keys source tokens.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError, one_line
from playground.common.paths import user_path
from playground.explain.inspection import Walk
from playground.interpret.heads import grids

FORMAT_NAME = "transformer-playground attention"
KINDS = {
    "encoder self-attention": "encoder_self",
    "decoder self-attention": "decoder_self",
    "cross-attention": "decoder_cross",
}
"""The kinds of `model.head_paths.kind_of` and their names in the file."""
READS = {
    "encoder_self": ("source", "source"),
    "decoder_self": ("target", "target"),
    "decoder_cross": ("target", "source"),
}
"""Which tokens the queries and the keys of a kind are."""
_SIDES = {"S": "source", "T": "target"}
MAX_FILE_BYTES = 200_000_000


class AttentionError(PlaygroundError, ValueError):
    """A file that is no attention-json."""


@dataclass(frozen=True)
class Attention:
    """Attention weights of all heads in one pass."""

    tokens: Mapping[str, Sequence[str]]  # "source" and "target", what the encoder and the decoder read
    attentions: Mapping[str, Tensor]  # by kind: (layers, H, queries, keys), each row adds up to 1

    def queries(self, kind: str) -> Sequence[str]:
        """The tokens of the rows."""
        return self.tokens[READS[kind][0]]

    def keys(self, kind: str) -> Sequence[str]:
        """The tokens of the columns."""
        return self.tokens[READS[kind][1]]


def of(walk: Walk) -> Attention:
    """The attention weights of a recorded pass."""
    weights = {KINDS[grid.kind]: grid.weights for grid in grids(walk.values, walk.model.config.model)}
    return Attention({_SIDES[letter]: names for letter, names in walk.tokens.items()}, weights)


def content(walk: Walk) -> bytes:
    """The file of a recorded pass."""
    attention = of(walk)
    weights = {kind: heads.tolist() for kind, heads in attention.attentions.items()}
    data = {"format": FORMAT_NAME, "tokens": attention.tokens, "attentions": weights}
    return json.dumps(data, allow_nan=False).encode()


def load(path: str | PathLike[str]) -> Attention:
    """Reads an attention-json file.

        attention = playground.load_attention("attention.json")
        attention.attentions["decoder_cross"][0, 2]  # layer 1, head 3: (queries, keys)

    Raises `AttentionError` for a file that is none.
    """
    file = user_path(path)
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise AttentionError(f"{file} has more than {MAX_FILE_BYTES // 1_000_000} MB.")
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise AttentionError(f"{file} could not be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, AttentionError):
            raise
        raise AttentionError(f"{file} is not JSON: {one_line(error, 200)}.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT_NAME:
        raise AttentionError(f"{file} is no attention-json: its format is not {FORMAT_NAME!r}.")
    try:
        return _checked(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AttentionError(f"{file} is no attention-json: {one_line(error, 200)}.") from None


def _checked(data: Mapping[str, Any]) -> Attention:
    tokens = {side: [str(token) for token in data["tokens"][side]] for side in data["tokens"]}
    attentions = {kind: torch.tensor(data["attentions"][kind], dtype=torch.float32) for kind in data["attentions"]}
    for kind, weights in attentions.items():
        if kind not in READS:
            raise ValueError(f"there is no kind of attention {kind!r}")
        shape = tuple(len(tokens[side]) for side in READS[kind])
        if weights.ndim != 4 or weights.shape[2:] != shape:
            raise ValueError(
                f"{kind} has shape {tuple(weights.shape)}, its tokens need (layers, heads, {shape[0]}, {shape[1]})"
            )
    return Attention(tokens, attentions)

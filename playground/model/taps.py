"""The table of all taps: which tensors a forward pass shows, and the shape each of them promises.

`T` counts queries and `S` keys in attention. Where a module stands decides which of the two letters is meant: all
lengths are S in an encoder and T in a decoder, except the keys of cross-attention. A test holds the table true.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from torch import nn

from playground.config import ModelConfig
from playground.recording import Tap, owner


def _always(config: ModelConfig) -> bool:
    return True


@dataclass(frozen=True)
class TapSpec:
    """One row of the table."""

    owner: str  # class that owns the tap
    name: str  # attribute there
    dims: tuple[str, ...]  # a letter or a number an axis
    when: Callable[[ModelConfig], bool] = _always


def _rows(owner: str, dims: str, *names: str, when: Callable[[ModelConfig], bool] = _always) -> list[TapSpec]:
    return [TapSpec(owner, name, tuple(dims.split()), when) for name in names]


TAPS: tuple[TapSpec, ...] = (
    *_rows("Encoder", "B S", "tokens"),
    *_rows("Encoder", "B 1 1 S", "padding_mask"),
    *_rows("Encoder", "B S D", "output"),
    *_rows("Decoder", "B T", "tokens"),
    *_rows("Decoder", "B 1 1 T", "padding_mask"),
    *_rows("Decoder", "1 1 T T", "causal_mask"),
    *_rows("Decoder", "B 1 T T", "mask"),
    *_rows("Decoder", "B T D", "output"),
    *_rows("Embeddings", "B T D", "token_embedding"),
    *_rows("Embeddings", "B T D", "position", when=lambda config: config.positions != "none"),
    *_rows("Embeddings", "B T D", "sum"),
    *_rows("AddNorm", "B T D", "normalized", when=lambda config: config.layer_norm),
    *_rows("AddNorm", "B T D", "sum", when=lambda config: config.residual),
    *_rows("MultiHeadAttention", "B T D", "query_projection", "concat", "output"),
    *_rows("MultiHeadAttention", "B S D", "key_projection", "value_projection"),
    *_rows("ScaledDotProductAttention", "B H T K", "query", "heads"),
    *_rows("ScaledDotProductAttention", "B H S K", "key", "value"),
    *_rows("ScaledDotProductAttention", "B H T S", "scores", "scaled_scores", "masked_scores", "weights"),
    *_rows("FeedForward", "B T F", "hidden", "activation"),
    *_rows("FeedForward", "B T D", "output"),
    *_rows("Transformer", "B T V", "logits", "probabilities"),
    *_rows("Transformer", "B T", "labels"),
    *_rows("Transformer", "", "loss"),
)

_BY_OWNER = {(spec.owner, spec.name): spec for spec in TAPS}


def taps(model: nn.Module) -> Iterator[tuple[str, TapSpec]]:
    """Full name and row of every tap in `model`; raises KeyError for a tap that the table does not know."""
    for path, module in model.named_modules():
        if isinstance(module, Tap):
            yield path, _BY_OWNER[owner(model, path), path.rpartition(".")[2]]


def dims(path: str, owner: str, config: ModelConfig) -> tuple[str, ...]:
    """The shape, in letters, of the tap at `path` ("decoder.layers.0.cross_attention.attention.scores")."""
    letters = _BY_OWNER[owner, path.rpartition(".")[2]].dims
    in_encoder = path.startswith("encoder.") or config.architecture == "encoder-only"
    if in_encoder:
        return tuple("S" if letter == "T" else letter for letter in letters)
    if ".cross_attention." in path:
        return letters
    return tuple("T" if letter == "S" else letter for letter in letters)

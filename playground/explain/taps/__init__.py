"""The documents of all taps, one file a module of the model, and what is asked of them."""

from collections.abc import Mapping
from functools import lru_cache

from playground.explain.document import TapDocument, TapEntry
from playground.explain.taps import (
    attention_taps,
    embedding_taps,
    feed_forward_taps,
    grouped_query_taps,
    latent_attention_taps,
    layer_taps,
    limited_attention_taps,
    mixture_taps,
    transformer_taps,
)
from playground.settings.config import RunConfig

_OTHER_ATTENTIONS = {"grouped_query": grouped_query_taps.TAPS, "latent": latent_attention_taps.TAPS}


def _by_attention(tap: tuple[str, str]) -> TapEntry:
    """The document of a tap, which is another one in another kind of attention."""

    def document(name: str, config: RunConfig) -> TapDocument:
        own = _OTHER_ATTENTIONS.get(config.model.attention, {})
        entry = own.get(tap) or attention_taps.TAPS.get(tap) or latent_attention_taps.TAPS[tap]
        return entry if isinstance(entry, TapDocument) else entry(name, config)

    return document


TAPS: Mapping[tuple[str, str], TapEntry] = {
    **embedding_taps.TAPS,
    **attention_taps.TAPS,
    **{tap: _by_attention(tap) for table in _OTHER_ATTENTIONS.values() for tap in table},
    **limited_attention_taps.TAPS,
    **feed_forward_taps.TAPS,
    **mixture_taps.TAPS,
    **layer_taps.TAPS,
    **transformer_taps.TAPS,
}
"""The document of every tap, by the class that owns it and its attribute there."""


@lru_cache(maxsize=4096)
def explain(name: str, owner: str, config: RunConfig) -> TapDocument:
    """The document of the tap `name`, owned by the class `owner`, in a model of this config.

    Raises KeyError for a tap without a document.
    """
    entry = TAPS[owner, name.rpartition(".")[2]]
    return entry if isinstance(entry, TapDocument) else entry(name, config)


def dims(name: str, owner: str, config: RunConfig) -> tuple[str, ...]:
    """The shape of a tap, a letter or "1" an axis: (B, T, D) for "decoder.embeddings.sum".

    Documents write t for queries and s for keys. Both are S in an encoder and T in a decoder, except for the keys of
    cross-attention.
    """
    letters = explain(name, owner, config).cell.dims
    if ".cross_attention." in name:
        return letters
    side = "S" if name.startswith("encoder.") or config.model.architecture == "encoder-only" else "T"
    return tuple(side if letter in "ST" else letter for letter in letters)

"""Attention heads and their taps by name, known from the settings alone."""

from typing import NamedTuple

from playground.model.architecture import ModelSettings, architecture, label, locate


class Head(NamedTuple):
    """A head of an attention."""

    attention: str  # path of its `MultiHeadAttention`, e.g. "decoder.layers.0.cross_attention"
    number: int  # from 0

    @property
    def path(self) -> str:
        """As in links and on the command line: "decoder.layers.0.cross_attention.head.0"."""
        return f"{self.attention}.head.{self.number}"

    @property
    def kind(self) -> str:
        """The kind of its attention: "encoder self-attention", "decoder self-attention" or "cross-attention"."""
        return kind_of(self.attention)

    @property
    def words(self) -> str:
        """Its name in a sentence, counted from 1: "head 1 of the cross-attention in layer 2"."""
        return f"head {self.number + 1} of the {self.kind} in layer {(locate(self.attention).layer or 0) + 1}"


def kind_of(attention: str) -> str:
    """The kind of the attention at this path, in words."""
    stack, sublayer = locate(attention).stack, locate(attention).sublayer
    return label(sublayer) if sublayer == "cross_attention" else f"{stack} {label(sublayer)}"


def attentions(settings: ModelSettings) -> list[str]:
    """Paths of all attentions, in the order of execution."""
    return [part.path for part in architecture(settings).find("MultiHeadAttention")]


def heads(settings: ModelSettings) -> list[Head]:
    """All heads, in the order of execution."""
    return [Head(path, number) for path in attentions(settings) for number in range(settings.n_heads)]


def weights_tap(attention: str) -> str:
    """The tap with the weights, (B, H, T, S), of the attention at this path."""
    return f"{attention}.attention.weights"


def masked_scores_tap(attention: str) -> str:
    """The tap with what softmax reads in the attention at this path, (B, H, T, S)."""
    return f"{attention}.attention.masked_scores"


def token_taps(attention: str) -> tuple[str, str]:
    """The taps with the tokens of its queries, (B, T), and of its keys, (B, S)."""
    stack = locate(attention).stack
    return f"{stack}.tokens", "encoder.tokens" if kind_of(attention) == "cross-attention" else f"{stack}.tokens"

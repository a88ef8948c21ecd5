"""The layers that the stacks are made of: section 3.1 and figure 1 of the paper."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch import Tensor, nn

from playground.model.part_classes import make_attention, make_feed_forward, make_norm
from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class AddNorm(nn.Module):
    """Sum and norm around each sublayer: LayerNorm(x + Sublayer(x)) as in the paper, or x + Sublayer(LayerNorm(x)).

    Most later models use the second order (pre-norm). The what-if switches leave out the sum or the norm.
    """

    def __init__(self, config: "ModelConfig") -> None:
        super().__init__()
        self.norm_first = config.layer_norm and config.norm_position == "pre"
        self.norm_last = config.layer_norm and config.norm_position == "post"
        self.residual = config.residual
        if config.layer_norm:
            self.norm = make_norm(config)
            self.normalized = Tap()
        if config.residual:
            self.sum = Tap()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        """(B, T, D) -> (B, T, D)."""
        y = x
        if self.norm_first:
            y = self.normalized(self.norm(y))
        y = self.dropout(sublayer(y))
        if self.residual:
            y = self.sum(x + y)
        if self.norm_last:
            y = self.normalized(self.norm(y))
        return y


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: "ModelConfig") -> None:
        super().__init__()
        self.self_attention = make_attention(config)
        self.self_attention_add_norm = AddNorm(config)
        self.feed_forward = make_feed_forward(config)
        self.feed_forward_add_norm = AddNorm(config)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, S, D) and a mask that broadcasts to (B, H, S, S) -> (B, S, D)."""
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        return self.feed_forward_add_norm(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Self-attention, attention to the encoder's output where there is an encoder, then feed-forward."""

    def __init__(self, config: "ModelConfig") -> None:
        super().__init__()
        self.self_attention = make_attention(config)
        self.self_attention_add_norm = AddNorm(config)
        if config.architecture == "encoder-decoder":
            self.cross_attention = make_attention(config, cross=True)
            self.cross_attention_add_norm = AddNorm(config)
        self.feed_forward = make_feed_forward(config)
        self.feed_forward_add_norm = AddNorm(config)

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """(B, T, D), a mask for (B, H, T, T), the encoder's (B, S, D) and a mask for (B, H, T, S) -> (B, T, D)."""
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        if memory is not None:
            x = self.cross_attention_add_norm(x, lambda y: self.cross_attention(y, memory, memory_mask))
        return self.feed_forward_add_norm(x, self.feed_forward)

"""Layers whose feed-forward network is a mixture of experts, which gets a mask of the padding."""

from torch import Tensor

from playground.model.layers import DecoderLayer, EncoderLayer


class MixtureEncoderLayer(EncoderLayer):
    """Self-attention, then a mixture of experts."""

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(B, S, D) and the padding mask (B, 1, 1, S) -> (B, S, D)."""
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        return self.feed_forward_add_norm(x, lambda y: self.feed_forward(y, mask[:, 0, 0]))


class MixtureDecoderLayer(DecoderLayer):
    """Self-attention, attention to the encoder's output where there is an encoder, then a mixture of experts."""

    def forward(
        self, x: Tensor, mask: Tensor, memory: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """(B, T, D), a mask (B, 1, T, T), the encoder's (B, S, D) and a mask for (B, H, T, S) -> (B, T, D)."""
        x = self.self_attention_add_norm(x, lambda y: self.self_attention(y, y, mask))
        if memory is not None:
            x = self.cross_attention_add_norm(x, lambda y: self.cross_attention(y, memory, memory_mask))
        # A position sees itself unless it is padding. The rows are the last positions of the columns.
        is_token = mask[:, 0].diagonal(mask.size(3) - mask.size(2), 1, 2)  # (B, T)
        return self.feed_forward_add_norm(x, lambda y: self.feed_forward(y, is_token))

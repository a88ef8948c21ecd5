"""The gated feed-forward network: Shazeer 2020."""

from typing import TYPE_CHECKING

from torch import Tensor, nn

from playground.model.feed_forward import FeedForward
from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class GatedFeedForward(FeedForward):
    """FFN_SwiGLU(x) = (Swish(x W_1) * x W_3) W_2, with Swish(z) = z sigmoid(z), which torch calls SiLU."""

    def __init__(self, config: "ModelConfig") -> None:
        super().__init__(config)
        self.w_3 = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.activation_function = nn.SiLU()
        self.up, self.gated = Tap(), Tap()

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D), each position by itself."""
        hidden = self.hidden(self.w_1(x))  # (B, T, F)
        hidden = self.activation(self.activation_function(hidden))  # (B, T, F)
        up = self.up(self.w_3(x))  # (B, T, F)
        gated = self.gated(hidden * up)  # (B, T, F)
        return self.output(self.w_2(gated))  # (B, T, D)

"""The position-wise feed-forward network: section 3.3 of the paper."""

from typing import TYPE_CHECKING

from torch import Tensor, nn

from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, equation (2), with ReLU or GELU."""

    def __init__(self, config: "ModelConfig") -> None:
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff, bias=config.bias)
        self.w_2 = nn.Linear(config.d_ff, config.d_model, bias=config.bias)
        self.activation_function: nn.Module = nn.ReLU() if config.activation == "relu" else nn.GELU()
        self.hidden, self.activation, self.output = Tap(), Tap(), Tap()

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) -> (B, T, D), each position by itself."""
        hidden = self.hidden(self.w_1(x))  # (B, T, F)
        hidden = self.activation(self.activation_function(hidden))  # (B, T, F)
        return self.output(self.w_2(hidden))  # (B, T, D)

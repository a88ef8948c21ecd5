"""A mixture of experts: Shazeer et al. 2017, Fedus et al. 2021, shared experts as in DeepSeek-V3 2024."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from playground.recording import Tap

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig


class Mixture(nn.Module):
    """E feed-forward networks, the experts, of which a router chooses a few for each position.

    gates = the router's probabilities of the chosen experts, divided by their sum; a single chosen expert keeps its
    probability, as in Fedus et al.: divided by itself it would always be 1, and the router would get no gradient.
    Shared experts read every position. Here all experts are computed, and a gate of 0 drops what was not chosen; a
    large model computes only the chosen ones, with the same result.
    """

    def __init__(self, config: "ModelConfig", expert: Callable[["ModelConfig"], nn.Module]) -> None:
        super().__init__()
        self.experts_per_token, self.balance = config.experts_per_token, config.balance
        self.router = nn.Linear(config.d_model, config.n_experts, bias=False)
        self.experts = nn.ModuleList(expert(config) for _ in range(config.n_experts))
        self.shared_experts = nn.ModuleList(expert(config) for _ in range(config.n_shared_experts))
        self.router_scores, self.router_probabilities, self.chosen, self.gates = Tap(), Tap(), Tap(), Tap()
        if self.balance:
            self.load, self.balance_loss = Tap(), Tap()
        self.output = Tap()

    def forward(self, x: Tensor, is_token: Tensor) -> Tensor:
        """(B, T, D), and True in (B, T) where there is no padding -> (B, T, D), each position by itself."""
        scores = self.router_scores(self.router(x))  # (B, T, E)
        probabilities = self.router_probabilities(scores.softmax(-1))  # (B, T, E)
        best = probabilities.topk(self.experts_per_token).indices
        chosen = self.chosen(torch.zeros_like(probabilities, dtype=torch.bool).scatter(-1, best, True))  # (B, T, E)
        gates = self.gates(self.weighted(probabilities * chosen))  # (B, T, E)
        output = sum(gates[..., index, None] * expert(x) for index, expert in enumerate(self.experts))
        for shared in self.shared_experts:
            output = output + shared(x)
        if self.balance:
            output = self.balanced(output, probabilities, chosen, is_token[..., None])
        return self.output(output)  # (B, T, D)

    def weighted(self, gates: Tensor) -> Tensor:
        """Probabilities of the chosen experts (B, T, E) -> the same, adding up to 1 if several are chosen."""
        return gates / gates.sum(-1, keepdim=True) if self.experts_per_token > 1 else gates

    def balanced(self, output: Tensor, probabilities: Tensor, chosen: Tensor, there: Tensor) -> Tensor:
        """`output` as it is, (B, T, D); training then minimizes the balancing loss, too.

        It reads (B, T, E) probabilities and chosen experts where `there`, (B, T, 1), is True.
        """
        # Fedus et al., equations 4 to 6; at equal loads it is `balance` itself.
        tokens = there.sum()
        load = self.load((chosen & there).sum((0, 1)) / (tokens * self.experts_per_token))  # (E,)
        mean = (probabilities * there).sum((0, 1)) / tokens
        balance_loss = self.balance_loss(self.balance * len(self.experts) * (load * mean).sum())
        return AlsoMinimized.apply(output, balance_loss) if self.training else output


class AlsoMinimized(torch.autograd.Function):
    """A tensor as it is, through which the gradient of the loss passes; a second loss gets the gradient 1.

    Training then minimizes the sum of both, while `loss` stays what it is in any other model.
    """

    @staticmethod
    def forward(_ctx: Any, x: Tensor, _loss: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(_ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        return gradient, gradient.new_ones(())

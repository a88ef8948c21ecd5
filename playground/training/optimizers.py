"""Optimisers, by the name that settings give them.

To add one: its function and its row here, its name in `config.Optimizer`.

`fused` is the fastest of torch's three implementations here.
"""

from collections.abc import Callable, Iterable
from functools import cache

import torch
from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from playground.config import TrainingConfig

BETAS = (0.9, 0.98)
"""Vaswani et al. 2017, section 5.3."""

Parameters = Iterable[nn.Parameter]


def adamw(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Loshchilov and Hutter 2019: Adam with weight decay apart from the gradient."""
    return AdamW(parameters, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def adam(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Kingma and Ba 2015; weight decay is a part of the gradient."""
    return Adam(parameters, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def sgd(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Stochastic gradient descent with momentum 0.9."""
    return SGD(parameters, lr=rate, momentum=0.9, weight_decay=decay, fused=True)


OPTIMIZERS: dict[str, Callable[[Parameters, float, float], Optimizer]] = {
    each.__name__: each for each in (adamw, adam, sgd)
}


def optimizer(model: nn.Module, settings: TrainingConfig) -> Optimizer:
    """The optimiser of these settings for all parameters of a model, in the order of `named_parameters`."""
    return OPTIMIZERS[settings.optimizer](model.parameters(), settings.learning_rate, settings.weight_decay)


@cache
def kept(name: str) -> tuple[str, ...]:
    """What an optimiser remembers of a parameter between steps, as its `state_dict` names it."""
    parameter = nn.Parameter(torch.zeros(1))
    parameter.grad = torch.zeros(1)
    tried = OPTIMIZERS[name]([parameter], 0.0, 0.0)
    tried.step()
    return tuple(tried.state_dict()["state"][0])

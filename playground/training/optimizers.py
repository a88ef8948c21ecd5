"""Optimizers, by the name that settings give them.

To add one: its function and its row here, its name in `config.Optimizer`.

`fused` is the fastest of torch's three implementations here.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import torch
from torch import nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from playground.config import TrainingConfig

BETAS = (0.9, 0.98)
"""Vaswani et al. 2017, section 5.3."""

Parameters = Iterable[nn.Parameter]


def _eager(kind: type[Optimizer]) -> type[Any]:
    """`kind` without what torch wraps around its methods for `torch.compile`, which nothing here uses.

    The first call of a wrapped method imports `torch._dynamo`: as long as all of torch again, and 80 MB.
    """
    names = ("add_param_group", "zero_grad", "state_dict", "load_state_dict", "step")
    bare = {name: inspect.unwrap(getattr(kind, name)) for name in names}
    return type(kind.__name__, (kind,), bare | {"step": torch.no_grad()(bare["step"])})


_AdamW, _Adam, _SGD = _eager(AdamW), _eager(Adam), _eager(SGD)


def adamw(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Loshchilov and Hutter 2019: Adam with weight decay apart from the gradient."""
    return _AdamW(parameters, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def adam(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Kingma and Ba 2015; weight decay is a part of the gradient."""
    return _Adam(parameters, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def sgd(parameters: Parameters, rate: float, decay: float) -> Optimizer:
    """Stochastic gradient descent with momentum 0.9."""
    return _SGD(parameters, lr=rate, momentum=0.9, weight_decay=decay, fused=True)


OPTIMIZERS: dict[str, Callable[[Parameters, float, float], Optimizer]] = {
    each.__name__: each for each in (adamw, adam, sgd)
}


def optimizer(model: nn.Module, settings: TrainingConfig) -> Optimizer:
    """The optimizer of these settings for all parameters of a model, in the order of `named_parameters`."""
    return OPTIMIZERS[settings.optimizer](model.parameters(), settings.learning_rate, settings.weight_decay)


@cache
def kept(name: str) -> tuple[str, ...]:
    """What an optimizer remembers of a parameter between steps, as its `state_dict` names it."""
    parameter = nn.Parameter(torch.zeros(1))
    parameter.grad = torch.zeros(1)
    tried = OPTIMIZERS[name]([parameter], 0.0, 0.0)
    tried.step()
    return tuple(tried.state_dict()["state"][0])

"""Optimizers, by the name that settings give them. To add one: its function and its row here.

A function gets the learning rate and the weight decay and returns the class with its options. It imports torch itself,
because settings read these rows and need no torch. `fused` is the fastest of three implementations in torch.
"""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import torch
    from torch import nn

BETAS = (0.9, 0.98)
"""Vaswani et al. 2017, section 5.3."""


@dataclass(frozen=True)
class OptimizerRow:
    """An optimizer; its function's name is the setting's value."""

    function: Callable[[float, float], partial[Any]]  # learning rate, weight decay
    label: str
    moves_against: str  # in slow motion, after "Label moves each weight against"
    help: str = ""  # in the setting's help text


def adamw(rate: float, decay: float) -> partial[Any]:
    """Loshchilov and Hutter 2019: Adam with weight decay apart from the gradient."""
    from torch.optim import AdamW

    return partial(AdamW, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def adam(rate: float, decay: float) -> partial[Any]:
    """Kingma and Ba 2015; weight decay is a part of the gradient."""
    from torch.optim import Adam

    return partial(Adam, lr=rate, betas=BETAS, weight_decay=decay, fused=True)


def sgd(rate: float, decay: float) -> partial[Any]:
    """Stochastic gradient descent with momentum 0.9."""
    from torch.optim import SGD

    return partial(SGD, lr=rate, momentum=0.9, weight_decay=decay, fused=True)


OPTIMIZERS = {
    row.function.__name__: row
    for row in (
        OptimizerRow(
            adamw,
            "AdamW",
            "the running mean of its gradient, with a step size of its own",
            "Adam and AdamW scale each weight's step and are the same at weight decay 0.",
        ),
        OptimizerRow(adam, "Adam", "the running mean of its gradient, with a step size of its own"),
        OptimizerRow(sgd, "SGD", "its momentum, a decaying sum of its gradients", "SGD has momentum 0.9."),
    )
}


class OptimizerSettings(Protocol):
    """The settings that an optimizer reads; `config.TrainingConfig` has them."""

    @property
    def optimizer(self) -> str: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def weight_decay(self) -> float: ...


def optimizer(parameters: "Iterable[nn.Parameter]", settings: OptimizerSettings) -> "torch.optim.Optimizer":
    """The optimizer of these settings for some parameters."""
    return _made(settings.optimizer, parameters, settings.learning_rate, settings.weight_decay)


def _made(name: str, parameters: "Iterable[nn.Parameter]", rate: float, decay: float) -> "torch.optim.Optimizer":
    """An optimizer without what torch wraps around its methods for `torch.compile`, which nothing here uses.

    The first call of a wrapped method imports `torch._dynamo`: as long as all of torch again, and 80 MB.
    """
    import torch

    chosen = OPTIMIZERS[name].function(rate, decay)
    kind: Any = chosen.func
    names = ("add_param_group", "zero_grad", "state_dict", "load_state_dict", "step")
    bare = {name: inspect.unwrap(getattr(kind, name)) for name in names}
    eager: Any = type(kind.__name__, (kind,), bare | {"step": torch.no_grad()(bare["step"])})
    made: torch.optim.Optimizer = eager(parameters, *chosen.args, **chosen.keywords)
    return made


@cache
def kept(name: str, shape: tuple[int, ...]) -> "dict[str, torch.Tensor | float]":
    """The `state_dict` that an optimizer keeps of a parameter of this shape between steps, by name.

    The tensors have shapes and types, but no numbers.
    """
    import torch

    parameter = torch.nn.Parameter(torch.zeros(shape))
    parameter.grad = torch.zeros(shape)
    tried = _made(name, [parameter], 0.0, 0.0)
    tried.step()
    state = tried.state_dict()["state"].get(0, {})
    return {key: value.to("meta") if isinstance(value, torch.Tensor) else value for key, value in state.items()}

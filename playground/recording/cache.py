"""Reading the tensors of one forward pass by name, and gradients with respect to them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from playground.recording.copies import with_shared_weights
from playground.recording.hooks import hooked, matching


class Cache(dict[str, Tensor]):
    """Tensors of one pass by the name of their tap or module, in order of execution, with their batch axis."""

    def __init__(self, tensors: Iterable[tuple[str, Tensor]] = ()) -> None:
        super().__init__(tensors)
        self.gradients: dict[str, Tensor] = {}
        """d scalar / d tensor, in the tensor's shape, for those that the scalar depends on; empty if not asked for."""


def run_with_cache(
    model: nn.Module,
    inputs: Iterable[Any],
    names: str | Iterable[str] = "*",
    *,
    gradients_of: Callable[[Any], Tensor] | None = None,
) -> tuple[Any, Cache]:
    """Output of one pass over `inputs`, and the tensors that `names` ask for, on the CPU.

    The pass runs on a copy of `model` in evaluation mode, on the model's device. A name is that of a tap or of another
    module, or a pattern of taps such as "*.weights". Only these tensors are kept, of a module with several outputs the
    first. A module that the pass doesn't call has none.

    `gradients_of` is a function from the output to a scalar, such as the loss: `lambda output: output[1]`. Without it
    no graph is built. Constants of the model have gradients, too, such as a fixed position table.

    Raises KeyError for a name or pattern that fits nothing in this model.
    """
    instance, live = with_shared_weights(model).eval(), dict[str, Tensor]()
    device = next((parameter.device for parameter in model.parameters()), None)
    names, wanted = matching(model, names), gradients_of is not None
    tracking = hooked(instance, {name: partial(_track, live, name) for name in names if wanted})
    with torch.inference_mode(False), torch.set_grad_enabled(wanted), tracking, caching(instance, names) as kept:
        # Copies, because a tensor made in inference mode can't be part of a graph.
        output = instance(*(value.to(device, copy=True) if isinstance(value, Tensor) else value for value in inputs))
        cache = Cache((name, tensor.cpu()) for name, tensor in kept.items())
        if gradients_of and live:
            gradients = torch.autograd.grad(gradients_of(output), list(live.values()), allow_unused=True)
            cache.gradients = {name: gradient.cpu() for name, gradient in zip(live, gradients) if gradient is not None}
    return output, cache


@contextmanager
def caching(model: nn.Module, names: str | Iterable[str] = "*") -> Iterator[dict[str, Tensor]]:
    """Keeps the tensors that `names` ask for, see `run_with_cache`, of the pass of `model` itself inside the block.

    They are detached, on the device of the pass, and in its mode.
    """
    cache: dict[str, Tensor] = {}

    def keep(name: str, output: Any) -> None:
        if isinstance(tensor := _first(output), Tensor):
            cache[name] = tensor.detach()

    with hooked(model, {name: partial(keep, name) for name in matching(model, names)}):
        yield cache


def _track(live: dict[str, Tensor], name: str, output: Any) -> Tensor | None:
    """Keeps a tensor in its graph. A constant becomes part of it: the scalar depends on it all the same."""
    tensor = _first(output)
    if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
        return None
    live[name] = tensor if tensor.requires_grad else tensor.detach().requires_grad_()
    return live[name] if tensor is output else None


def _first(output: Any) -> Any:
    return output[0] if isinstance(output, tuple) and output else output

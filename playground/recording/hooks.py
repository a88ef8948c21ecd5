"""Functions that are called with what flows through named parts of a model."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from playground.recording.tap import Tap


@contextmanager
def hooked(model: nn.Module, functions: Mapping[str, Callable[[Tensor], Tensor | None]]) -> Iterator[None]:
    """Calls a function with each named module's output, in the passes of `model` itself inside the block.

    A tensor that the function returns replaces the output.
    """

    def hook(function: Callable[[Tensor], Tensor | None]) -> Callable[..., Tensor | None]:
        return lambda _module, _inputs, output: function(output)

    handles = [model.get_submodule(name).register_forward_hook(hook(function)) for name, function in functions.items()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def has_hooks(model: nn.Module) -> bool:
    """Whether functions from outside may change what flows through a model."""
    return _has_any_global_hook() or any(
        module._forward_hooks or module._forward_pre_hooks for module in model.modules()
    )


def owner(model: nn.Module, tap: str) -> str:
    """The class that owns a tap: "Transformer" also in a model whose class is derived from it."""
    classes = type(model.get_submodule(tap.rpartition(".")[0])).__mro__
    return classes[classes.index(nn.Module) - 1].__name__


def taps(model: nn.Module) -> list[str]:
    """Names of all taps of a model, in the order of its modules."""
    return [name for name, module in model.named_modules() if isinstance(module, Tap)]

"""Functions that are called with what flows through named parts of a model."""

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from playground.recording.tap import Tap


@contextmanager
def hooked(model: nn.Module, functions: Mapping[str, Callable[[Any], Tensor | None]]) -> Iterator[None]:
    """Calls a function with each named module's output, in the passes of `model` itself inside the block.

    A tensor that the function returns replaces the output.
    """

    def hook(function: Callable[[Any], Tensor | None]) -> Callable[..., Tensor | None]:
        return lambda _module, _inputs, output: function(output)

    handles = [model.get_submodule(name).register_forward_hook(hook(function)) for name, function in functions.items()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def has_hooks(model: nn.Module) -> bool:
    """True if functions from outside may change what flows through a model."""
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


def matching(model: nn.Module, names: str | Iterable[str]) -> list[str]:
    """Names of taps or other modules as they are given, and of all taps that match a pattern such as "*.weights".

    Raises KeyError for a name or pattern that fits nothing in this model.
    """
    known, modules, selected = taps(model), dict(model.named_modules()), list[str]()
    for name in [names] if isinstance(names, str) else names:
        fitting = [name] if name in modules else fnmatch.filter(known, name)
        if not fitting:
            raise unknown(model, name)
        selected += fitting
    return list(dict.fromkeys(selected))


def unknown(model: nn.Module, name: str) -> KeyError:
    """The error for a name that is no tap."""
    return KeyError(f"{name} is no tap of this model; its taps are {', '.join(taps(model))}.")

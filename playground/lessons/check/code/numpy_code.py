"""NumPy code for a trace: torch's own NumPy namespace takes the place of NumPy, so that each call is seen."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
import torch._numpy
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

AS_TORCH: Any = torch._numpy


class Wrapped(nn.Module):
    """A function or an object as a module, with its own tensors as buffers: those in its attributes and `given`."""

    def __init__(self, call: Callable[..., Any], given: Mapping[str, Any], *, numpy: bool) -> None:
        super().__init__()
        self._call, self._given, self._numpy = call, given, numpy
        for name, tensor in _tensors((call, given)):
            if isinstance(tensor, nn.Parameter):
                self.register_parameter(name.replace(".", "_"), tensor)
            else:
                self.register_buffer(name.replace(".", "_"), tensor)

        def forward(**arguments: Any) -> Any:
            if numpy:
                arguments = {name: _wrapped(value) for name, value in arguments.items()}
            return _unwrapped(call(**given, **arguments))

        forward.__signature__ = inspect.signature(call)  # type: ignore[attr-defined]
        self.forward = forward


@contextmanager
def numpy_as_torch(thing: Any) -> Iterator[None]:
    """Meanwhile the module of a function or an object uses torch in place of NumPy, and its arrays are torch's."""
    home = _globals(thing)
    before = dict(home)
    home.update({name: exchanged(value) for name, value in before.items()})
    try:
        yield
    finally:
        home.update(before)


def exchanged(thing: Any, *, weights: bool = False) -> Any:
    """What takes the place of an array, or of NumPy or a part of it; in an object, a list or a dict, too.

    `weights` makes parameters of arrays of floats.
    """
    if thing is np or (inspect.ismodule(thing) and thing.__name__.startswith("numpy.")):
        path = thing.__name__.split(".")[1:]
        found = AS_TORCH
        for name in path:
            found = getattr(found, name, thing)
        return found
    if isinstance(thing, np.ndarray):
        if thing.dtype.kind not in "fiub":
            return thing
        held = torch.as_tensor(thing)
        of_weights = weights and held.is_floating_point()
        return AS_TORCH.ndarray(nn.Parameter(held, requires_grad=False) if of_weights else held)
    if isinstance(thing, np.ufunc) or getattr(thing, "__module__", "") == "numpy":
        return getattr(AS_TORCH, getattr(thing, "__name__", ""), thing)
    if isinstance(thing, dict):
        return {name: exchanged(part, weights=weights) for name, part in thing.items()}
    if type(thing) in (list, tuple):
        return type(thing)(exchanged(part, weights=weights) for part in thing)
    if _is_own_object(thing):
        for name, part in vars(thing).items():
            setattr(thing, name, exchanged(part))
    return thing


def weights_of(thing: Any) -> list[Tensor]:
    """The parameters of a module, or the arrays of another object; what is written into them is in the object."""
    if isinstance(thing, nn.Module):
        return [weight for weight in thing.parameters() if weight.requires_grad and not is_lazy(weight)]
    return [tensor for _, tensor in _tensors(thing)]


def _is_own_object(thing: Any) -> bool:
    if not hasattr(thing, "__dict__") or inspect.isclass(thing) or inspect.ismodule(thing) or inspect.isroutine(thing):
        return False
    return type(thing).__module__.split(".")[0] not in ("torch", "numpy", "builtins", "functools")


def _globals(thing: Any) -> dict[str, Any]:
    call = thing if inspect.isroutine(thing) else type(thing).__call__
    return getattr(inspect.unwrap(call), "__globals__", {})


def _tensors(thing: Any, path: str = "") -> Iterator[tuple[str, Tensor]]:
    """The floating tensors in a thing, by paths."""
    if isinstance(thing, AS_TORCH.ndarray):
        thing = thing.tensor
    if isinstance(thing, np.ndarray) and thing.dtype.kind == "f":
        thing = torch.as_tensor(thing)
    if isinstance(thing, Tensor):
        if thing.is_floating_point():
            yield path or "it", thing
        return
    parts: Any = ()
    if isinstance(thing, Mapping):
        parts = thing.items()
    elif isinstance(thing, (list, tuple)):
        parts = enumerate(thing)
    elif _is_own_object(thing):
        parts = vars(thing).items()
    for name, part in parts:
        yield from _tensors(part, f"{path}.{name}".lstrip("."))


def _wrapped(value: Any) -> Any:
    return AS_TORCH.ndarray(value) if isinstance(value, Tensor) else value


def _unwrapped(thing: Any) -> Any:
    if isinstance(thing, AS_TORCH.ndarray):
        return thing.tensor
    if isinstance(thing, dict):
        return {name: _unwrapped(part) for name, part in thing.items()}
    if isinstance(thing, (list, tuple)) and not hasattr(thing, "_fields"):
        return type(thing)(map(_unwrapped, thing))
    if isinstance(thing, np.ndarray):
        return torch.as_tensor(thing)
    return thing

"""A device that behaves as a GPU does, with its numbers on the CPU: whoever mixes the two gets an error.

Its name is "meta", which every build of torch knows and nothing else here uses.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map_only

DEVICE = torch.device("meta")

_CROSSES = {torch.ops.aten.copy_.default, torch.ops.aten._to_copy.default}
"""Operations that may read one device and write another."""

_INDEXES = {
    torch.ops.aten.index.Tensor,
    torch.ops.aten.index_put.default,
    torch.ops.aten.index_put_.default,
    torch.ops.aten._index_put_impl_.default,
}
"""Operations whose indices may stay on the CPU."""


class Away(Tensor):
    """A tensor on the device."""

    numbers: Tensor

    @staticmethod
    def __new__(cls, numbers: Tensor) -> "Away":
        made = Tensor._make_wrapper_subclass(
            cls,
            numbers.shape,
            strides=numbers.stride(),
            storage_offset=numbers.storage_offset(),
            dtype=numbers.dtype,
            device=DEVICE,
            requires_grad=numbers.requires_grad,
        )
        made.numbers = numbers.detach()
        return made

    def __getitem__(self, at: Any) -> Any:
        return super().__getitem__(torch.tensor(at) if isinstance(at, list) else at)

    def tolist(self) -> Any:
        return self.numbers.tolist()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = Away(self.numbers.clone()).requires_grad_(self.requires_grad)
        if isinstance(self, torch.nn.Parameter):
            copied = torch.nn.Parameter(copied, self.requires_grad)
        memo[id(self)] = copied
        return copied

    @classmethod
    def __torch_dispatch__(cls, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {})


def _run(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    tensors = [each for each in tree_flatten((args, kwargs))[0] if isinstance(each, Tensor)]
    away = any(isinstance(each, Away) for each in tensors)
    asked = kwargs.get("device")
    if func not in _CROSSES:
        compared = [args[0], *args[2:]] if func in _INDEXES else tensors
        on_cpu = [
            each
            for each in tree_flatten(compared)[0]
            if isinstance(each, Tensor) and not isinstance(each, Away) and each.dim()
        ]
        if away and on_cpu:
            raise RuntimeError(f"{func}: expected all tensors to be on the same device, but found the CPU and another.")
    if func is torch.ops.aten.copy_.default:
        _inner(args[0]).copy_(_inner(args[1]))
        return args[0]
    if asked is not None:
        away = torch.device(asked) == DEVICE
        kwargs = kwargs | {"device": "cpu"}
    found = func(*tree_map_only(Tensor, _inner, args), **tree_map_only(Tensor, _inner, kwargs))
    if func._schema.is_mutable and tensors:  # in place: what comes back is what went in
        known = {id(_inner(each)): each for each in tensors}
        return tree_map_only(Tensor, lambda each: known.get(id(each), each), found)
    return tree_map_only(Tensor, lambda each: _outer(each, away), found)


def _inner(tensor: Tensor) -> Tensor:
    assert isinstance(tensor, Away) or tensor.device != DEVICE, "made by torch itself, without numbers"
    return tensor.numbers if isinstance(tensor, Away) else tensor


def _outer(tensor: Tensor, away: bool) -> Tensor:
    return Away(tensor) if away else tensor


class _Device(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        with self:  # in inference mode, operations made of others arrive whole, `Tensor.to` for one
            parts = func.decompose(*args, **(kwargs or {}))
        if parts is not NotImplemented:
            return parts
        return _run(func, args, kwargs or {})


@contextmanager
def device() -> Iterator[torch.device]:
    """Inside the block there is the device."""
    with _Device():
        yield DEVICE

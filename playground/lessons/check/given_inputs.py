"""Inputs that somebody gives: the code is called with these alone, and judged on that pass."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.parts import PARTS, Argument
from playground.lessons.check.readings import Reading, Student, inner_mask
from playground.lessons.check.verdict import CheckError, NotJudgedError

_VISIBLE: Mapping[str, tuple[bool, Callable[[Tensor], Tensor]]] = {
    "keep": (True, lambda mask: mask),
    "hide": (True, lambda mask: ~mask),
    "added": (False, lambda mask: mask > -1e4),
    "keep-number": (False, lambda mask: mask != 0),
    "hide-number": (False, lambda mask: mask == 0),
}
"""By form of a mask: whether it is of type bool, and where a query sees a key."""


class StudentWithInputs(Student):
    """The code that is checked, which is called with the same inputs in every reading."""

    def __init__(self, code: Code, part: str, inputs: Sequence[Any]) -> None:
        """`inputs` are in the order of the arguments. Raises `CheckError` if they are too many or too few."""
        super().__init__(code, part)
        names = [*code.parameters]
        missing = [name for name in names[len(inputs) :] if code.parameters[name]]
        if missing or len(inputs) > len(names):
            raise CheckError(f"inputs has {len(inputs)} values, and {self.name} takes ({', '.join(names)}).")
        self._inputs = dict(zip(names, inputs))
        self.roles = {name: role for name, role in self.roles.items() if isinstance(self._inputs.get(name), Tensor)}
        if not self.roles:
            raise NotJudgedError(f"No tensor in inputs is an argument that the part {part} has.")

    def arguments(self, reading: Reading) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """The inputs, and the same with all axes. Raises `NotJudgedError` if `reading` has other shapes."""
        letters = {name: self._letters(role, reading) for name, role in self.roles.items()}
        sizes: dict[str, int] = {"1": 1}
        for name, axes in letters.items():
            shape = self._inputs[name].shape
            same = [self._axis(axis) for axis in axes]
            if len(shape) != len(same) or any(sizes.setdefault(a, n) != n for a, n in zip(same, shape)):
                raise NotJudgedError(f"{name} in inputs has shape {tuple(shape)}, which is none that the check reads.")
        self._read_sizes(sizes)
        given = {
            role.source or role.name: _ordered(self._value(name, role, reading), letters[name], role.axes)
            for name, role in self.roles.items()
        }
        for argument in PARTS[self.part].arguments:
            if argument.masks and argument.name not in given:
                shape = [self.size(axis, reading.layout) for axis in argument.axes[-2:]]
                given[argument.name] = inner_mask(argument, reading, shape)
        return dict(self._inputs), given

    def _letters(self, role: Argument, reading: Reading) -> str:
        if role.masks:
            return dict(reading.masks).get(role.name, "")
        letter = "s" if "s" in role.axes else "t"
        return "".join(axis for axis in reading.layout.replace("t", letter) if axis in role.axes)

    def _axis(self, letter: str) -> str:
        """The axis with the same size, see `size`."""
        letter = {"z": "s", "u": "t"}.get(letter, letter)
        alone = "memory" not in {role.source or role.name for role in self.roles.values()}
        return "t" if letter == "s" and alone and self.part in ("multi-head-attention", "encoder-layer") else letter

    def _read_sizes(self, sizes: Mapping[str, int]) -> None:
        own = replace(self.code.own_sizes, **{axis.upper(): sizes[axis] for axis in "bhtsk" if axis in sizes})
        self.sizes = replace(own, K=max(1, sizes["d"] // own.H)) if "d" in sizes else own

    def _value(self, name: str, role: Argument, reading: Reading) -> Tensor:
        value = self._inputs[name]
        if not role.masks:
            return value
        of_bool, visible = _VISIBLE.get(reading.form, (None, None))
        if visible is None or of_bool != (value.dtype == torch.bool):
            raise NotJudgedError(f"{name} in inputs has type {value.dtype}, which is none that the check reads.")
        return visible(value)


def _ordered(value: Tensor, letters: str, axes: str) -> Tensor:
    """A tensor with all `axes`, of which those that it doesn't have are of size 1."""
    if "1" in letters:  # a mask, whose axes are in order
        return value.reshape((1,) * (len(axes) - value.ndim) + tuple(value.shape))
    kept = [axis for axis in axes if axis in letters]
    shape = [value.shape[letters.index(axis)] if axis in letters else 1 for axis in axes]
    return value.permute([letters.index(axis) for axis in kept]).reshape(shape)

"""Checks of what a person gives to a function of the Python API: one sentence for each wrong argument."""

import inspect
import sys
import warnings
from collections.abc import Callable
from functools import wraps
from types import NoneType, UnionType
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from playground.common.errors import PlaygroundError
from playground.settings.config import allowed, short

_P = ParamSpec("_P")
_R = TypeVar("_R")

Switch = Annotated[bool, Field(description="Use True or False.")]
"""A bool, and not what Python takes for one."""


class ArgumentError(PlaygroundError, ValueError):
    """An argument with a value that a function doesn't take."""


class ArgumentTypeError(PlaygroundError, TypeError):
    """An argument of a type that a function doesn't take."""


def checked(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Check the arguments whose parameters are `Annotated` with a `Field`; its description says what to give.

    A class is an `InstanceOf`. Types are strict, except that NumPy's numbers become Python's. `help` shows the types
    without the fields. Wrong arguments raise `ArgumentTypeError` and `ArgumentError`, both `PlaygroundError`.
    """
    signature, plain = inspect.signature(function), get_type_hints(function, include_extras=False)
    checks: dict[str, tuple[TypeAdapter[Any], str]] = {}
    shown = []
    for name, hint in get_type_hints(function, include_extras=True).items():
        if name != "return" and (field := _field(hint)):
            checks[name] = TypeAdapter(hint), field.description or f"Use {allowed(field)}."
    for name, parameter in signature.parameters.items():
        shown.append(parameter.replace(annotation=plain[name]) if name in checks else parameter)

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # Python's own message, which names the function
        for name, value in [*bound.arguments.items()]:
            if name not in checks:
                continue
            if type(value).__module__ == "numpy" and value.shape == ():
                bound.arguments[name] = value = value.item()
            adapter, instead = checks[name]
            try:
                adapter.validate_python(value, strict=True)
            except ValidationError as error:
                refuse(name, value, instead, wrong_type=_is_of_type(error))
        return function(*bound.args, **bound.kwargs)

    vars(call)["__signature__"] = signature.replace(parameters=shown)
    return call


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside this package that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__")).startswith("playground."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def refuse(name: str, value: object, instead: str, *, wrong_type: bool = False) -> NoReturn:
    """Raise the error for an argument; `instead` is a sentence on what to give."""
    raise (ArgumentTypeError if wrong_type else ArgumentError)(f"{name} can't be {described(value)}.", instead)


def described(value: object) -> str:
    """A value in a sentence; of what has no short text of its own, the type."""
    if value is None or isinstance(value, str | bool | int | float) or type(value) in (list, tuple, dict, set):
        text = short(value)
        if text.isprintable() and " object at 0x" not in text and "<" not in text:
            return text
    return f"of type {type(value).__name__}"


def _field(hint: Any) -> FieldInfo | None:
    """The field of a parameter, with the annotation that it bounds; None for a parameter that isn't checked."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType] if get_origin(hint) in (Union, UnionType) else []
    if len(kinds) == 1:
        return _field(kinds[0])
    if get_origin(hint) is not Annotated or not any(isinstance(rule, FieldInfo) for rule in get_args(hint)[1:]):
        return None
    return FieldInfo.from_annotation(hint)


def _is_of_type(error: ValidationError) -> bool:
    return all(each["type"].endswith(("_type", "is_instance_of")) for each in error.errors(include_url=False))

"""Expressions that say how one's own code is built and called: "GPT(Config())" and "model(idx)"."""

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.common.errors import one_line
from playground.lessons.check.code.student_code import Sizes, checked_things, construct, find, load, theirs
from playground.lessons.check.verdict import CheckError, NotJudgedError

BUILD, CALL = "--build", "--call"
"""The options, which also name their expression in messages."""

Call = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]


def names_of(module: ModuleType) -> dict[str, Any]:
    """What an expression can name: everything in the file, and torch, nn and F."""
    return {"torch": torch, "nn": nn, "F": F} | vars(module)


@contextmanager
def raised_by(what: str, file: Path) -> Iterator[None]:
    """Show what the code raises with its line in the file or, if it has none there, as raised by `what`."""
    try:
        with theirs(str(file.resolve())):
            yield
    except NotJudgedError as error:
        if error.__cause__ is None:
            raise
        cause = error.__cause__
        raise CheckError(f"{what} raised {type(cause).__name__}: {one_line(cause, 300)}.") from cause


def built(expression: str, names: Mapping[str, Any], file: Path) -> Any:
    """What `--build` makes. Raises `CheckError`."""
    return _evaluated(BUILD, _parsed(BUILD, expression), names, file)


def called(expression: str, names: Mapping[str, Any], file: Path) -> Call:
    """The function and the arguments of `--call`, which are evaluated before the pass. Raises `CheckError`."""
    node = _call(expression)
    function, *arguments = (_evaluated(CALL, part, names, file) for part in (node.func, *node.args))
    named = {word.arg: _evaluated(CALL, word.value, names, file) for word in node.keywords if word.arg}
    return function, arguments, named


def needs_model(call: str, names: Mapping[str, Any]) -> bool:
    """True if a call names a model that has to be built first."""
    used = {node.id for node in ast.walk(_parsed(CALL, call)) if isinstance(node, ast.Name)}
    return "model" in used and "model" not in names


def things_to_check(file: Path, part: str, build: str = "", call: str = "") -> list[Any]:
    """The code in a file that is checked: what `build` makes, called as `call` says, or what has a usual name."""
    if not build and not call:
        return checked_things(file, part)
    module = load(file)
    names = names_of(module)
    if build:
        names["model"] = built(build, names, file)
    elif needs_model(call, names):
        found = find(module, part)[0]
        with raised_by(f"{found.__name__}(...)", file):
            names["model"] = construct(found, part, Sizes()) if inspect.isclass(found) else found
    return [called_as(call, names)] if call else [names["model"]]


def called_as(call: str, names: Mapping[str, Any]) -> Any:
    """The model, or a function, whose arguments are the names in a call that nothing else in the file has.

    In "model(src, mask=~hidden)" these are `src` and `hidden`. Raises `CheckError`.
    """
    node = _parsed(CALL, call)
    arguments = _free_names(node, names)
    if not arguments:
        raise CheckError(f"{CALL} {call} takes no input.", 'Name the inputs, for example "model(src, tgt)".')
    code = compile(ast.Expression(node), CALL, "eval")
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind) for name in arguments]
    model = names.get("model")
    if not isinstance(model, nn.Module):

        def function(*given: Any, **named: Any) -> Any:
            return eval(code, {**names, **dict(zip(arguments, given)), **named})

        function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        function.__name__ = getattr(model, "__name__", ast.unparse(node)[:100])
        function.__module__ = getattr(model, "__module__", function.__module__)
        function.__doc__ = getattr(model, "__doc__", None)
        return function
    usual, running = type(model), list[bool]()

    def forward(self: nn.Module, *given: Any, **named: Any) -> Any:
        if running:  # the call itself, and the model where it calls itself
            return usual.forward(self, *given, **named)
        running.append(True)
        try:
            return eval(code, {**names, **dict(zip(arguments, given)), **named, "model": self})
        finally:
            running.clear()

    own = inspect.Parameter("self", kind)
    forward.__signature__ = inspect.Signature([own, *parameters])  # type: ignore[attr-defined]
    forward.__doc__ = usual.forward.__doc__
    model.__class__ = type(
        usual.__name__, (usual,), {"forward": forward, "__module__": usual.__module__, "__doc__": usual.__doc__}
    )
    return model


def _free_names(node: ast.expr, names: Mapping[str, Any]) -> list[str]:
    """Names in a call, in order, that are neither the model nor a thing in the file; its tensors are inputs, too."""
    used = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    bound = {each.id for each in used if isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    bound |= {each.func.id for each in ast.walk(node) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    in_order = sorted(used, key=lambda each: (each.lineno, each.col_offset))
    return [
        name
        for name in dict.fromkeys(each.id for each in in_order)
        if name != "model"
        and name not in bound
        and (isinstance(names[name], (Tensor, np.ndarray)) if name in names else not _is_type(name))
    ]


def _is_type(name: str) -> bool:
    """True for int and bool, but not for input and id, which are usual names of tensors."""
    return isinstance(getattr(builtins, name, None), type)


def _call(expression: str) -> ast.Call:
    node = _parsed(CALL, expression)
    if not isinstance(node, ast.Call):
        raise CheckError(f"{CALL} {expression} is not a call.", 'Write a call such as "model(torch.rand(2, 5, 16))".')
    return node


def _parsed(option: str, expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise CheckError(f"{option} {one_line(expression, 200)} is not a Python expression.") from None


def _evaluated(option: str, node: ast.expr, names: Mapping[str, Any], file: Path) -> Any:
    with raised_by(f"{option} {ast.unparse(node)}", file):
        return eval(compile(ast.Expression(node), option, "eval"), dict(names))

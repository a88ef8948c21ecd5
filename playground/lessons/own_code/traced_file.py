"""One pass of the code in a file as a graph: build it, call it, and record every operation."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from playground.export.drawn_trace import DrawnTrace
from playground.export.drawn_trace import trace as drawn_trace
from playground.lessons.check.code.student_code import (
    START,
    Sizes,
    TheirError,
    construct,
    load,
    plain,
    sizes_of,
)
from playground.lessons.check.parts import MASK_WORD, rotary_forms
from playground.lessons.check.verdict import CheckError
from playground.lessons.own_code.expressions import BUILD, CALL, Call, built, called, names_of, needs_model, raised_by


def traced(file: Path, build: str = "", call: str = "", *, gradients: bool = False) -> DrawnTrace:
    """The graph of one pass of a Python file or a notebook, which runs in this process; modules in evaluation mode.

    `build` is an expression for the module, by default the last class of the file; `call` one for the pass, by default
    with inputs that fit its arguments. Raises `CheckError`.
    """
    names = names_of(load(file))
    torch.manual_seed(0)
    model: Any = None
    if build:
        model = built(build, names, file)
    elif not call or needs_model(call, names):
        model = _last_thing(names, file)
    if isinstance(model, nn.Module):
        model.eval()
    if call:
        function, arguments, named = called(call, names if model is None else names | {"model": model}, file)
    else:
        function, arguments, named = _usual_call(model, file)
    with raised_by(f"{CALL} {call}" if call else "The pass", file):
        graph = drawn_trace(function, *arguments, gradients=gradients, **named)
    graph.title = f"{file.name}: {graph.title}"
    return graph


def _last_thing(names: Mapping[str, Any], file: Path) -> Any:
    """The last module class of the file, with its defaults or arguments by their usual names; or its last function."""
    own = [
        thing
        for name, thing in names.items()
        if getattr(thing, "__module__", "") == "checked_code" and not name.startswith("_")
    ]
    classes = [thing for thing in own if inspect.isclass(thing) and issubclass(thing, nn.Module)]
    if classes:
        with raised_by(f"{classes[-1].__name__}(...)", file):
            return construct(classes[-1], "transformer", Sizes()) if _required(classes[-1]) else classes[-1]()
    functions = [thing for thing in own if inspect.isfunction(thing)]
    if not functions:
        raise CheckError(f"{file.name} has no module and no function.", f'Say what to build: {BUILD} "GPT(Config())".')
    return functions[-1]


def _usual_call(model: Callable[..., Any], file: Path) -> Call:
    """Tokens or vectors for the arguments that must be given, whichever the model takes."""
    function = model.forward if isinstance(model, nn.Module) else model
    required = _required(function)
    farthest, problem = -1, CheckError("")
    sizes = sizes_of(model) if isinstance(model, nn.Module) else Sizes()
    for made in _inputs(required, sizes):
        calls = _Calls()
        try:
            with raised_by("The call", file), torch.no_grad(), calls:
                model(*made)
            return model, made, {}
        except CheckError as error:
            if calls.done > farthest:
                farthest, problem = calls.done, error
    raise TheirError(
        f"The usual inputs for ({', '.join(required)}) don't fit. {problem.problem}",
        problem.line if isinstance(problem, TheirError) else None,
        f'Say how to call it: {CALL} "model(...)".',
    )


def _required(function: Callable[..., Any]) -> list[str]:
    """Arguments that have no default."""
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]


class _Calls(TorchFunctionMode):
    """Counts the torch functions that a pass has completed: inputs that don't fit fail early, mistakes late."""

    done = 0

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        self.done += 1
        return result


def _inputs(names: list[str], sizes: Sizes) -> Iterator[list[Any]]:
    """Tokens, then vectors, for arguments of these names; no mask, and position 0 or what rotary embeddings need."""
    generator, T = torch.Generator().manual_seed(0), min(sizes.T, sizes.L)
    rotary = {name: forms for name in names if (forms := rotary_forms(name))}
    count = max(map(len, rotary.values()), default=1)
    tokens = partial(torch.randint, sizes.V, (sizes.B, T), generator=generator)
    shapes = ((sizes.B, T, sizes.D), (sizes.B, sizes.H, T, sizes.K), (T, sizes.D), (T,))
    for make in (tokens, *(partial(torch.randn, shape, generator=generator) for shape in shapes)):
        for number in range(count):
            yield [
                rotary[name][number % len(rotary[name])](sizes.B, T, sizes.K)
                if name in rotary
                else None
                if re.search(MASK_WORD, plain(name)) and len(names) > 1
                else 0
                if re.fullmatch(START, plain(name))
                else make()
                for name in names
            ]

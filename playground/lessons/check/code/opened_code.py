"""Code that can be called: what is known about it, its weights, and what a call returns."""

import copy
import dataclasses
import inspect
import io
import linecache
import re
import sys
import textwrap
import tokenize
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from playground.lessons.check.code.numpy_code import Wrapped, exchanged, numpy_as_torch, weights_of
from playground.lessons.check.code.opened_functions import OPENED
from playground.lessons.check.code.student_code import Sizes, initial, made, random_weights, sizes_of, theirs
from playground.lessons.check.verdict import NotJudgedError
from playground.recording import ModuleNames, Trace, tracing

MAX_TRACE_BYTES = 40_000_000
"""Of numbers in a trace, which travels in one message."""


class Returned(NamedTuple):
    """The result of a call."""

    tensors: list[Tensor]  # float32
    number: float | None  # of what stands first, where it is one


class Code(Protocol):
    """Code that is checked, in this process or in another one."""

    file: str  # with its path
    line: int  # where it begins there; 0: unknown
    name: str
    text: str  # its docstrings
    comments: str  # and its comments
    sizes: Sizes
    own_sizes: Sizes  # as the weights tell them
    is_function: bool
    knows_padding: bool  # it has a setting for the token that fills rows
    parameters: dict[str, bool]  # what it takes; True where it must be given
    has_weights: bool
    unregistered: list[str]  # modules with weights in plain lists
    repeated: dict[str, str]  # names of modules with weights that are registered again, and their first names

    def call(self, arguments: Mapping[str, Any], seed: int = 0, *, training: bool = False) -> Returned:
        """Calls it in either mode; raises `CheckError`. Numbers that it draws depend on `seed`."""

    def trace(self, arguments: Mapping[str, Any]) -> Trace:
        """The graph of a call, in which attention of torch is written out; raises `CheckError`."""


class OpenedCode:
    """A function, an object of a class, or a copy of a module, in this process."""

    def __init__(self, thing: Any, part: str) -> None:
        self.sizes = sizes_of(thing) if isinstance(thing, nn.Module) else Sizes()
        self.file, self.line = _location(thing)
        self.name = str(getattr(thing, "__name__", type(thing).__name__))
        self.is_function = inspect.isroutine(thing)
        self.with_numpy = _knows(thing, "numpy") and not (_knows(thing, "torch") and _uses_torch(thing))
        self._generates = part == "transformer"
        with theirs(self.file):
            torch.manual_seed(0)
            np.random.seed(0)
            if inspect.isclass(thing) or (part != "masks" and _is_factory(thing)):
                self._made = made(thing, part, self.sizes)
                self.is_function = False
            else:
                self._made = copy.deepcopy(thing) if isinstance(thing, nn.Module) else thing
            if isinstance(self._made, nn.Module):
                self._made.eval()
            elif not callable(self._made) and callable(getattr(self._made, "forward", None)):
                kind = type(self._made)
                self._made.__class__ = type(kind.__name__, (kind,), {"__call__": kind.forward})
            self._given = initial(thing, part, self.sizes) if inspect.isfunction(thing) else {}
            self.own_sizes = sizes_of(self._made) if isinstance(self._made, nn.Module) else self.sizes
            if part == "feed-forward" and (held := [each for each in weights_of(self._given) if each.ndim == 2]):
                self.own_sizes = Sizes(H=1, K=held[0].shape[0], F=held[0].shape[1])
            call = self._made.forward if isinstance(self._made, nn.Module) else self._made
            self.parameters = {
                name: parameter.default is parameter.empty
                for name, parameter in inspect.signature(call).parameters.items()
                if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) and name not in self._given
            }
        self.text = " ".join(filter(None, map(_doc, (thing, getattr(thing, "forward", None)))))
        self.comments = f"{_comments(thing)}\n{_of_file(thing)}"
        weights = [] if self.is_function else weights_of(self._made)
        self.has_weights = bool(weights)
        owners = self._made.modules() if isinstance(self._made, nn.Module) else ()
        self.knows_padding = any(
            "pad" in name and isinstance(vars(owner)[name], int) for owner in owners for name in vars(owner)
        ) or (part == "loss" and "pad" in "".join(linecache.getlines(self.file)).lower())
        names = ModuleNames.of(self._made)
        weighty = {names.paths[id(part)] for part in names.modules if _has_weights(part)}
        self.unregistered = [name for name in names.unregistered if name in weighty]
        self.repeated = {
            name: first for name, first in names.repeated.items() if first in weighty and _in_one_list(name, first)
        }
        if part != "positional-encoding" or isinstance(self._made, nn.Module):  # whose arrays are a table
            randomize(weights)

    def call(self, arguments: Mapping[str, Any], seed: int = 0, *, training: bool = False) -> Returned:
        """See `Code`."""
        if training and isinstance(self._made, nn.Module):
            copied = copy.copy(self)
            copied._made = copy.deepcopy(self._made).train()  # such a pass may change what it keeps
            return copied.call(arguments, seed)
        if self.with_numpy:
            arguments = {
                name: value.numpy() if isinstance(value, Tensor) else value for name, value in arguments.items()
            }
        torch.manual_seed(seed)
        np.random.seed(seed)
        with theirs(self.file), torch.no_grad():
            result = self._made(**self._given, **arguments)
            generator = getattr(self._made, "generator", None)
            first = next(iter(_parts(result)), result)
            vectors = isinstance(first, Tensor) and first.ndim > 0 and first.size(-1) == self.sizes.D
            if self._generates and vectors and isinstance(generator, nn.Module):
                result = first = generator(first)
        returned = map(as_tensor, _parts(result))
        return Returned([tensor for tensor in returned if tensor is not None], _number(first))

    def trace(self, arguments: Mapping[str, Any]) -> Trace:
        """See `Code`."""
        made = self._made
        if self.with_numpy:
            with suppress(Exception), numpy_as_torch(made):  # where torch has no such function of NumPy
                own = exchanged(made if self.is_function else copy.deepcopy(made))
                given = exchanged(copy.deepcopy(self._given), weights=True)
                return self._traced(Wrapped(own, given, numpy=True), arguments)

            def opaque(**given: Any) -> list[Tensor]:
                return self.call(given).tensors

            opaque.__signature__ = inspect.signature(made)  # type: ignore[attr-defined]
            return self._traced(opaque, arguments)
        if isinstance(made, nn.Module) and any(map(is_lazy, made.parameters())):
            self.call(arguments)  # its weights get their shapes
        bare = self._given or not (self.is_function or isinstance(made, nn.Module))
        return self._traced(Wrapped(made, self._given, numpy=False) if bare else made, arguments)

    def _traced(self, made: Callable[..., Any], arguments: Mapping[str, Any]) -> Trace:
        torch.manual_seed(0)
        with theirs(self.file), tracing(made, max_bytes=MAX_TRACE_BYTES, opened=OPENED) as tracer:
            tracer.run(**arguments)
        return tracer.trace


def _parts(result: Any) -> list[Any]:
    """What stands in a tuple, a list, a dict or a dataclass; else the result itself."""
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        result = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    if isinstance(result, Mapping):
        result = list(result.values())
    return [*result] if isinstance(result, (tuple, list)) else [result]


def as_tensor(value: Any) -> Tensor | None:
    """A result as a tensor of floats; None for anything but a tensor or an array."""
    if isinstance(value, Tensor):
        return value.detach().float()
    return torch.as_tensor(value).float() if isinstance(value, np.ndarray) else None


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        return None


@torch.no_grad()
def randomize(weights: list[Tensor]) -> None:
    """Random values for all weights, gains and biases, too."""
    generator = torch.Generator().manual_seed(2)
    for weight in weights:
        weight.copy_(random_weights(weight.shape, generator))


class CausalModel(nn.Module):
    """Stands for a causal model: its logits depend on each token of the decoder and its position."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.table, self.positions = (
            torch.randn(rows, sizes.V, generator=torch.Generator().manual_seed(rows)) for rows in (sizes.V, sizes.L)
        )

    def forward(self, *given: Any, **named: Any) -> Tensor:
        tokens = [ids for ids in (*given, *named.values()) if isinstance(ids, Tensor) and ids.dtype == torch.long]
        if not tokens:
            raise NotJudgedError("Your loss calls the model without tokens.", "Pass it the tokens of the decoder last.")
        return (self.table[tokens[-1]] + self.positions[: tokens[-1].size(1)]).log_softmax(-1)


def _in_one_list(name: str, other: str) -> bool:
    """True for layers.0 and layers.1: one object there stands for two layers; elsewhere it may be an alias."""
    (path, _, last), (other_path, _, other_last) = name.rpartition("."), other.rpartition(".")
    return path == other_path and last.isdigit() and other_last.isdigit()


def _has_weights(module: nn.Module) -> bool:
    """True if it has weights besides a table of embeddings, which sides and the output layer may share."""
    return any(not isinstance(part, nn.Embedding) and part._parameters for part in module.modules())


def _is_factory(thing: Any) -> bool:
    """A function such as make_model(src_vocab, d_model): its arguments are sizes, not tensors."""
    return inspect.isfunction(thing) and bool(re.match("(make|build|create)_", thing.__name__))


def _doc(thing: Any) -> str:
    return (getattr(thing, "__doc__", "") or "") if not _from_torch(thing) else ""


def _named(thing: Any) -> Any:
    """A function or a class as it is, of an object its class."""
    return thing if inspect.isclass(thing) or inspect.isroutine(thing) else type(thing)


def _source(thing: Any) -> str:
    """The code of a class or a function; "" where there is no file of it."""
    try:
        return textwrap.dedent(inspect.getsource(_named(thing)))
    except (OSError, TypeError):
        return ""


def _location(thing: Any) -> tuple[str, int]:
    """File and line of a class or a function."""
    try:
        return str(inspect.getsourcefile(_named(thing))), inspect.getsourcelines(_named(thing))[1]
    except (OSError, TypeError):
        return "", 0


def _comments(thing: Any) -> str:
    """The comments of a class or a function."""
    if _from_torch(_named(thing)):
        return ""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(_source(thing)).readline)
        return "\n".join(each.string for each in tokens if each.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError):
        return ""


def _of_file(thing: Any) -> str:
    """The docstring of its file."""
    home = sys.modules.get(getattr(thing, "__module__", ""))
    return (home.__doc__ or "") if home is not None and home.__name__ == "checked_code" else ""


def _from_torch(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).startswith("torch.")


def _uses_torch(thing: Any) -> bool:
    """False if its code names NumPy alone."""
    if isinstance(thing, nn.Module) or (inspect.isclass(thing) and issubclass(thing, nn.Module)):
        return True
    source = _source(thing)
    return not re.search(r"\b(np|numpy)\.", source) or bool(re.search(r"\b(torch|nn|F|Tensor)\b", source))


def _knows(thing: Any, library: str) -> bool:
    """True if the module of a class or a function imports a library."""
    call = _named(thing)
    if not inspect.isroutine(call):
        call = next((value for value in vars(call).values() if inspect.isfunction(value)), None)
    return any(
        (inspect.ismodule(value) and value.__name__.split(".")[0] == library)
        or str(getattr(value, "__module__", "")).split(".")[0] == library
        for value in list(getattr(call, "__globals__", {}).values())
    )

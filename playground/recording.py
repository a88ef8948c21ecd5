"""Watching and changing one forward pass, from outside.

Every tensor worth looking at flows through a `Tap`, a module that does nothing but carry a name: its dotted path
in the model. PyTorch's own forward hooks do the rest. Both `record` and `intervene` work on a deep copy, so the
model that was passed in never carries a hook, whatever happens in between, and two threads can watch the same
model at once.
"""

import ast
import copy
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

REPOSITORY = Path(__file__).resolve().parent.parent
_TORCH_MODULE = nn.Module.__call__.__code__.co_filename


class Tap(nn.Module):
    """Names the tensor that flows through it; must be called at most once in a forward pass."""

    def forward(self, tensor: Tensor) -> Tensor:
        return tensor


@dataclass(frozen=True)
class Source:
    """The statement that produced a tensor."""

    file: str  # relative to the repository
    line: int  # first line of the statement, counted from 1
    code: str  # the whole statement, without its indentation
    function: str  # the innermost function around it, e.g. "FeedForward.forward"; "" outside of any


@dataclass
class Operation:
    """One tap of one recorded forward pass."""

    name: str  # dotted path, e.g. "encoder.layers.0.self_attention.attention.scores"
    owner: str  # class that owns the tap, e.g. "ScaledDotProductAttention"
    value: Tensor
    inputs: tuple[str, ...]  # taps whose tensors this one was computed from, in order of execution
    parameters: tuple[str, ...]  # parameters and constant tables that took part
    source: Source
    gradient: Tensor | None = None

    @property
    def tap(self) -> str:
        """The last part of the name, e.g. "scores"."""
        return self.name.rpartition(".")[2]


@dataclass
class Recording:
    """Operations of one forward pass in execution order, made by calling `model` inside `record`."""

    model: nn.Module
    operations: dict[str, Operation] = field(default_factory=dict)
    _live: dict[str, Tensor] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Operation:
        return self.operations[name]

    def __iter__(self) -> Iterator[Operation]:
        return iter(self.operations.values())

    def __len__(self) -> int:
        return len(self.operations)

    def differentiate(self, scalar: Tensor) -> None:
        """Fills in `gradient`, d scalar / d value, for every operation that `scalar` depends on.

        That includes what nothing trained went into, such as a fixed position table. Needs a recording made with
        `gradients=True`; masks and tokens, which are no real numbers, have no gradient and keep None.
        """
        live = {name: tensor for name, tensor in self._live.items() if tensor.requires_grad}
        if not live:
            raise ValueError("No gradients were kept; record with gradients=True.")
        gradients = torch.autograd.grad(scalar, list(live.values()), allow_unused=True)
        for name, gradient in zip(live, gradients, strict=True):
            self.operations[name].gradient = gradient


@contextmanager
def record(model: nn.Module, *, gradients: bool = False) -> Iterator[Recording]:
    """Records every tap of the one forward pass made with `recording.model` inside the block.

    `recording.model` is a deep copy of `model` in the same mode (training or evaluation). What each tensor was
    computed from is not declared anywhere: it is seen by following the tensors through the pass.

    Raises RuntimeError if a tap is called twice, since its name would then mean two tensors.
    """
    instance = copy.deepcopy(model)
    recording = Recording(instance)
    origins = _Origins(instance)
    # An input given twice would look as if the one were made from the other.
    handles = [instance.register_forward_pre_hook(lambda _module, inputs: tuple(map(_own_copy, inputs)))]
    for name, module in instance.named_modules():
        if isinstance(module, Tap):
            owner = type(instance.get_submodule(name.rpartition(".")[0])).__name__
            handles.append(module.register_forward_hook(_recorder(recording, origins, name, owner)))
    try:
        with torch.set_grad_enabled(gradients), origins:
            yield recording
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def intervene(model: nn.Module, changes: Mapping[str, Tensor | Callable[[Tensor], Tensor]]) -> Iterator[nn.Module]:
    """Yields a deep copy of `model` in which the named taps pass on something else: a tensor or a function of theirs.

    Raises KeyError for a name that is no tap of this model and ValueError for a replacement of another shape.
    """
    instance = copy.deepcopy(model)
    taps = {name: module for name, module in instance.named_modules() if isinstance(module, Tap)}
    for name in changes:
        if name not in taps:
            raise KeyError(f"{name} is no tap of this model; its taps are {', '.join(taps)}.")
    handles = [taps[name].register_forward_hook(_replacer(name, change)) for name, change in changes.items()]
    try:
        yield instance
    finally:
        for handle in handles:
            handle.remove()


def _replacer(name: str, change: Tensor | Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    def hook(_module: nn.Module, _args: object, value: Tensor) -> Tensor:
        replacement = change if isinstance(change, Tensor) else change(value)
        if replacement.shape != value.shape:
            raise ValueError(f"{name} has shape {tuple(value.shape)}; its replacement has {tuple(replacement.shape)}.")
        return replacement

    return hook


def _recorder(recording: Recording, origins: "_Origins", name: str, owner: str) -> Callable[..., None]:
    def hook(_module: nn.Module, _args: object, value: Tensor) -> None:
        if name in recording.operations:
            raise RuntimeError(f"Tap {name} was called twice; one recording holds one forward pass.")
        seen = origins.of(value)
        recording.operations[name] = Operation(
            name=name,
            owner=owner,
            value=value.detach(),
            inputs=tuple(other for other in recording.operations if other in seen),
            parameters=tuple(parameter for parameter in origins.parameters if parameter in seen),
            source=_calling_statement(sys._getframe(1)),
        )
        if torch.is_grad_enabled() and value.is_floating_point() and not value.requires_grad:
            value.requires_grad_()  # a constant of the model: the scalar depends on it all the same
        recording._live[name] = value
        origins.reset(value, name)

    return hook


class _Origins(TorchFunctionMode):
    """Follows every tensor through the pass: which taps and parameters it was computed from since the last tap."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        named = [*model.named_parameters(), *model.named_buffers()]
        self.parameters = [name for name, _ in named]
        self._names: dict[int, frozenset[str]] = {id(tensor): frozenset((name,)) for name, tensor in named}
        self._alive: list[Tensor] = []  # an id means something only while its tensor lives

    def of(self, tensor: Tensor) -> frozenset[str]:
        return self._names.get(id(tensor), frozenset())

    def reset(self, tensor: Tensor, name: str) -> None:
        self._names[id(tensor)] = frozenset((name,))
        self._alive.append(tensor)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        inputs = list(_tensors((args, kwargs)))
        names = frozenset().union(*(self.of(tensor) for tensor in inputs))
        for tensor in _tensors(result):
            if not any(tensor is other for other in inputs):
                self._names[id(tensor)] = names
                self._alive.append(tensor)
        return result


def _own_copy(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def _tensors(value: object) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _tensors(part)
    elif isinstance(value, dict):
        yield from _tensors(tuple(value.values()))


def _calling_statement(frame: FrameType | None) -> Source:
    """The statement of the model's own code that called the tap, seen from inside its hook."""
    while frame is not None and frame.f_code.co_filename in (_TORCH_MODULE, __file__):
        frame = frame.f_back
    if frame is None:
        raise RuntimeError("A tap was called from nowhere.")
    path = frame.f_code.co_filename
    first, last = _statement(path, frame.f_lineno)
    place = Path(path)
    relative = place.relative_to(REPOSITORY) if place.is_relative_to(REPOSITORY) else place
    return Source(relative.as_posix(), first, _text(path, first, last), _function(path, first)[2])


def function_around(source: Source) -> tuple[int, str]:
    """First line and text, without its indentation, of the whole function that a statement stands in.

    Outside of a function, and where the file cannot be read, the statement itself.
    """
    path = str(REPOSITORY / source.file)
    first, last, name = _function(path, source.line)
    return (first, _text(path, first, last)) if name else (source.line, source.code)


def _text(path: str, first: int, last: int) -> str:
    lines = linecache.getlines(path)[first - 1 : last]
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    return "".join((line[indent:] or "\n") if line[:indent].isspace() else line for line in lines).rstrip()


def _function(path: str, line: int) -> tuple[int, int, str]:
    """First line, decorators included, last line and qualified name of the innermost function that spans `line`."""
    spans = (span for span in _functions(path) if span[0] <= line <= span[1])
    return min(spans, key=lambda span: span[1] - span[0], default=(line, line, ""))


@lru_cache(maxsize=64)
def _functions(path: str) -> tuple[tuple[int, int, str], ...]:
    found: list[tuple[int, int, str]] = []

    def search(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{around}.{child.name}".lstrip(".")
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
                    found.append((first, child.end_lineno or child.lineno, name))
            search(child, name)

    search(ast.parse("".join(linecache.getlines(path))), "")
    return tuple(found)


def _statement(path: str, line: int) -> tuple[int, int]:
    """First and last line of the innermost statement that spans `line`."""
    spans = (span for span in _statements(path) if span[0] <= line <= span[1])
    return min(spans, key=lambda span: span[1] - span[0], default=(line, line))


@lru_cache(maxsize=64)
def _statements(path: str) -> tuple[tuple[int, int], ...]:
    tree = ast.parse("".join(linecache.getlines(path)))
    nodes: Iterable[ast.AST] = ast.walk(tree)
    return tuple((node.lineno, node.end_lineno or node.lineno) for node in nodes if isinstance(node, ast.stmt))

"""Tracing: every torch function that a forward pass calls becomes a node of a graph.

Nothing is declared and nothing in the module is changed: a `TorchFunctionMode` sees each call, and the frames of the
running pass tell the statement and the module. A function that calls others inside torch, such as
scaled_dot_product_attention or multi_head_attention_forward, is one node.
"""

import dataclasses
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import FrameType, MappingProxyType
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import GradientEdge, get_gradient_edge
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary

from playground.common.errors import PlaygroundError
from playground.recording.graph import ModuleCall, Node, TensorOrigin, Trace, TracedTensor, values_in
from playground.recording.source import NOWHERE, Author, Statement, expression_of, statement_of, written_by

MAX_NODES = 20_000
MAX_BYTES = 400_000_000
"""Of copied numbers."""


class TraceError(PlaygroundError):
    """A pass that can't be traced."""


def trace(
    module: Callable[..., Any],
    *inputs: Any,
    gradients_of: Callable[[Any], Tensor] | None = None,
    max_bytes: int = MAX_BYTES,
    **named: Any,
) -> Trace:
    """The graph of `module(*inputs, **named)`, a module in its own mode and on its own device, or a function.

        graph = playground.trace(model, tokens)
        for node in graph:
            print(node.source.where, node.function, node.output.shape)

    `gradients_of` is a function from what is returned to a scalar: each value then has its gradient. Numbers are copied
    until they fill `max_bytes`; values after that have none, and `truncated` says so.

    An exception of the pass is raised as it is. Raises `playground.PlaygroundError` after 20,000 operations.
    """
    with tracing(module, gradients=gradients_of is not None, max_bytes=max_bytes) as tracer:
        tracer.run(*inputs, **named)
        if gradients_of:
            tracer.differentiate(gradients_of)
    return tracer.trace


@contextmanager
def tracing(
    module: Callable[..., Any],
    *,
    gradients: bool = False,
    max_bytes: int = MAX_BYTES,
    opened: Mapping[Callable[..., Any], Callable[..., Any]] = MappingProxyType({}),
) -> "Iterator[Tracer]":
    """Yields a tracer whose `trace` is there also if `run` raises an exception: it ends before the failed call.

    `opened` has functions that take the place of opaque ones, with the same arguments: what they call is traced. Such a
    function may call the one that it stands for.
    """
    with ExitStack() as stack:
        if "torch._dynamo" in sys.modules:  # a compiled module runs as it was written
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.set_grad_enabled(gradients))
        yield Tracer(module, gradients, max_bytes, opened)


class Tracer:
    """Runs one pass and writes its graph."""

    def __init__(
        self,
        module: Callable[..., Any],
        gradients: bool,
        max_bytes: int,
        opened: Mapping[Callable[..., Any], Callable[..., Any]],
    ) -> None:
        self.trace = Trace()
        self._opened = dict(opened)
        self._module, self._gradients, self._bytes_left = module, gradients, max_bytes
        self._values = WeakIdKeyDictionary()
        self._edges: list[tuple[TracedTensor, GradientEdge]] = []  # where gradients that are asked for arrive
        self._names = ModuleNames.of(module)
        self._scopes = _Scopes(self._names, {opened.__code__.co_filename for opened in self._opened.values()})
        self.trace.unregistered, self.trace.repeated = tuple(self._names.unregistered), self._names.repeated
        if isinstance(module, nn.Module):
            for kind, tensors in (("parameter", module.named_parameters()), ("buffer", module.named_buffers())):
                for name, tensor in tensors:
                    self._declare(tensor, kind, name)  # type: ignore[arg-type]

    def run(self, *inputs: Any, **named: Any) -> Any:
        """What the pass returns."""
        inputs = tuple(map(self._own, inputs))
        named = {name: self._own(value) for name, value in named.items()}
        for name, argument in _bound(self._module, inputs, named).items():
            for path, tensor in _tensors(argument, name):
                self.trace.inputs[path] = self._declare(tensor, "input", path)
        with _Mode(self):
            self.trace.result = self._module(*inputs, **named)
        self.trace.outputs = {path: self.value(tensor) for path, tensor in _tensors(self.trace.result)}
        return self.trace.result

    def differentiate(self, gradients_of: Callable[[Any], Tensor]) -> None:
        """Fills in the gradient of a scalar with respect to each value that it depends on."""
        scalar, edges = gradients_of(self.trace.result), [edge for _, edge in self._edges]
        gradients = torch.autograd.grad(scalar, edges, allow_unused=True) if edges else ()
        for (value, _), gradient in zip(self._edges, gradients):
            value.gradient = None if gradient is None else gradient.to_dense().cpu()

    def value(self, tensor: Tensor) -> TracedTensor:
        """The value of a tensor now; one that the pass has not computed is a constant."""
        known = self._values.get(tensor)
        return self._declare(tensor, "constant", "") if known is None else known

    def called(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls a torch function and adds its node."""
        if opened := self._opened.pop(function, None):
            try:
                with _Mode(self):
                    return opened(*args, **kwargs)
            finally:
                self._opened[function] = opened
        arguments, named = self._as_values(args), self._as_values(kwargs)
        tensors = [tensor for _, tensor in _tensors((args, kwargs))]
        versions = [_version(tensor) for tensor in tensors]
        result = function(*args, **kwargs)
        if is_iterator := getattr(function, "__name__", "") == "__iter__":
            result = list(result)
        returned = [tensor for _, tensor in _tensors(result)]
        written = [tensor for tensor, version in zip(tensors, versions) if _version(tensor) != version]
        if returned or written:
            self._add(function, arguments, named, returned, written)
        return iter(result) if is_iterator else result

    def _add(
        self, function: Callable[..., Any], arguments: Any, named: Any, returned: list[Tensor], written: list[Tensor]
    ) -> None:
        if len(self.trace.nodes) >= MAX_NODES:
            raise TraceError(f"The pass has more than {MAX_NODES:,} operations.", "Trace a smaller input.")
        inputs = list(dict.fromkeys(values_in((arguments, named))))
        # What shares memory with a tensor that was written into has other numbers now, too.
        changed = [*written, *self._sharing(written)]
        inputs += [value for tensor in changed if (value := self.value(tensor)) not in inputs]
        source, expression, module_call = self._scopes.here()
        outputs, seen = list[TracedTensor](), set[int]()
        for tensor in [*returned, *changed]:
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            known = self._values.get(tensor)
            new = known is None or any(tensor is other for other in changed)
            outputs.append(self._computed(tensor, _read(function, arguments, inputs)) if new else known)
        node = Node(
            index=len(self.trace.nodes),
            called=function,
            function=_plain(function),
            arguments=arguments,
            named=named,
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            in_place=bool(written),
            source=source,
            expression=expression,
            module_call=module_call,
        )
        for value in outputs:
            if value.node is None and value.origin == "operation":
                value.node = node
        self.trace.nodes.append(node)

    def _sharing(self, written: list[Tensor]) -> list[Tensor]:
        memory = {tensor.untyped_storage().data_ptr() for tensor in written if tensor.layout is torch.strided}
        if not memory:
            return []
        return [
            tensor
            for tensor in list(self._values)
            if tensor.layout is torch.strided
            and tensor.untyped_storage().data_ptr() in memory
            and not any(tensor is other for other in written)
        ]

    def _computed(self, tensor: Tensor, inputs: list[TracedTensor]) -> TracedTensor:
        return self._new(
            tensor,
            "operation",
            "",
            frozenset().union(*(value.inputs for value in inputs)),
            frozenset().union(*(value.parameters for value in inputs)),
        )

    def _declare(self, tensor: Tensor, origin: TensorOrigin, name: str) -> TracedTensor:
        named = frozenset((name,)) if name else frozenset[str]()
        given = origin == "input"
        return self._new(tensor, origin, name, named if given else frozenset(), frozenset() if given else named)

    def _new(
        self, tensor: Tensor, origin: TensorOrigin, name: str, inputs: frozenset[str], parameters: frozenset[str]
    ) -> TracedTensor:
        value = TracedTensor(
            index=len(self.trace.values),
            origin=origin,
            name=name,
            shape=tuple(tensor.shape),
            dtype=str(tensor.dtype).removeprefix("torch."),
            tensor=self._copied(tensor),
            inputs=inputs,
            parameters=parameters,
        )
        self.trace.values.append(value)
        self._values[tensor] = value
        if self._gradients and tensor.requires_grad:
            self._edges.append((value, get_gradient_edge(tensor)))
        return value

    def _copied(self, tensor: Tensor) -> Tensor | None:
        size = tensor.numel() * tensor.element_size()
        if size > self._bytes_left:
            self.trace.truncated = True
            return None
        self._bytes_left -= size
        return tensor.detach().to_dense().to("cpu", copy=True)

    def _own(self, argument: Any) -> Any:
        """A copy of a tensor that is given, so that two inputs never are the same object and none is changed."""
        if not isinstance(argument, Tensor):
            return argument
        copied = argument.detach().clone()
        return copied.requires_grad_().clone() if self._gradients and copied.is_floating_point() else copied

    def _as_values(self, thing: Any) -> Any:
        if isinstance(thing, Tensor):
            return self.value(thing)
        if isinstance(thing, (tuple, list)):
            return tuple(map(self._as_values, thing)) if isinstance(thing, tuple) else [*map(self._as_values, thing)]
        if isinstance(thing, dict):
            return {name: self._as_values(part) for name, part in thing.items()}
        if isinstance(thing, slice):
            return slice(*map(self._as_values, (thing.start, thing.stop, thing.step)))
        return thing


_ONLY_SHAPES = {
    **dict.fromkeys(["zeros_like", "ones_like", "full_like", "empty_like", "rand_like", "randn_like"], 0),
    **dict.fromkeys(["new_zeros", "new_ones", "new_full", "new_empty", "new_tensor"], 0),
    **dict.fromkeys(["expand_as", "view_as", "reshape_as", "type_as"], 1),
}
"""Functions that read of their arguments from this one on only shape and type."""


def _read(function: Callable[..., Any], arguments: Any, inputs: list[TracedTensor]) -> list[TracedTensor]:
    """The inputs whose numbers a function reads."""
    first = _ONLY_SHAPES.get(_plain(function))
    return inputs if first is None else list(values_in(arguments[:first]))


class _Mode(TorchFunctionMode):
    """Hands each call of a torch function to a tracer."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self._tracer.called(func, args, kwargs or {})


@dataclass(frozen=True)
class ModuleNames:
    """The modules in a module by name, also those that nn.Module doesn't find."""

    paths: dict[int, str]  # the first name of each module, by its id
    repeated: dict[str, str]  # further names of modules that are registered more than once, and their first name
    unregistered: dict[str, nn.Module]  # those in plain lists or dicts
    modules: list[nn.Module]  # kept, since an id means something only while its object lives

    @classmethod
    def of(cls, module: Callable[..., Any]) -> "ModuleNames":
        """The names in a module; none in a function."""
        names = cls({}, {}, {}, [])
        if isinstance(module, nn.Module):
            names._add(module, "")
            for path, owner in list(module.named_modules()):
                found = {name: part for name, part in _plainly_held(owner, path) if id(part) not in names.paths}
                names.unregistered.update(found)
            for name, part in names.unregistered.items():
                names._add(part, name)
        return names

    def _add(self, module: nn.Module, prefix: str) -> None:
        for path, part in module.named_modules(prefix=prefix, remove_duplicate=False):
            first = self.paths.setdefault(id(part), path)
            self.modules.append(part)
            if first != path and path.rpartition(".")[0] not in self.repeated:
                self.repeated[path] = first


class _Scopes:
    """Reads off the frames of the running pass which statement and which module call a torch function."""

    def __init__(self, names: ModuleNames, unseen: set[str]) -> None:
        """Statements in the files `unseen` aren't shown, but those that call them."""
        self._paths, self._unseen = names.paths, unseen
        self._open: list[tuple[FrameType, ModuleCall]] = []  # calls of modules that have not returned, outermost first
        self._calls = Counter[int]()

    def here(self) -> tuple[Statement, str, ModuleCall | None]:
        """Statement, expression and innermost call of a module of the torch function that is being called."""
        chosen, best = None, 0
        calls: list[tuple[FrameType, nn.Module]] = []  # innermost first
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not Tracer.run.__code__:
            author, module = written_by(frame.f_code.co_filename), _module_of(frame)
            if frame.f_code.co_filename in self._unseen or (
                author == Author.TORCH and not (module and module._modules)
            ):
                author = Author.NOBODY  # F.linear inside nn.Linear: whoever calls the module says more
            if author > best:
                chosen, best = frame, author
            if module is not None:
                if calls and calls[-1][1] is module:
                    calls[-1] = frame, module  # a method of the module that is already running
                else:
                    calls.append((frame, module))
            frame = frame.f_back
        scope = self._enter(calls[::-1])
        return (statement_of(chosen), expression_of(chosen), scope) if chosen else (NOWHERE, "", scope)

    def _enter(self, calls: list[tuple[FrameType, nn.Module]]) -> ModuleCall | None:
        same = 0
        while same < min(len(calls), len(self._open)) and calls[same][0] is self._open[same][0]:
            same += 1
        del self._open[same:]
        for frame, module in calls[same:]:
            kind = type(module).__name__
            path = self._paths.get(id(module), f"({kind})")
            outer = self._open[-1][1] if self._open else None
            self._open.append((frame, ModuleCall(path, kind, self._calls[id(module)], outer)))
            self._calls[id(module)] += 1
        return self._open[-1][1] if self._open else None


def _module_of(frame: FrameType) -> nn.Module | None:
    """The module whose method a frame runs."""
    code = frame.f_code
    if not code.co_argcount or code.co_name == "<lambda>":
        return None
    first = frame.f_locals.get(code.co_varnames[0])
    return first if isinstance(first, nn.Module) else None


def _plainly_held(owner: nn.Module, path: str) -> Iterator[tuple[str, nn.Module]]:
    """Modules in the lists, tuples and dicts of a module, by the names that they have there."""
    for name, held in vars(owner).items():
        if name.startswith("_") or not isinstance(held, (list, tuple, dict)):
            continue
        for key, part in held.items() if isinstance(held, dict) else enumerate(held):
            if isinstance(part, nn.Module):
                yield f"{path}.{name}[{key!r}]".lstrip("."), part


def _bound(module: Callable[..., Any], inputs: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the names that the pass has for them."""
    try:
        function = module.forward if isinstance(module, nn.Module) else module
        return dict(inspect.signature(function).bind(*inputs, **named).arguments)
    except (TypeError, ValueError):  # no signature, or the wrong arguments, which the call itself will tell
        return {**{str(position): value for position, value in enumerate(inputs)}, **named}


def _tensors(thing: Any, path: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors in nested tuples, lists, dicts and dataclasses, by their paths: "0", "logits", "cache.0"."""
    if isinstance(thing, Tensor):
        yield path, thing
        return
    parts: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        parts = iter(zip(thing._fields, thing))
    elif isinstance(thing, (tuple, list)):
        parts = iter(enumerate(thing))
    elif isinstance(thing, Mapping):
        parts = iter(thing.items())
    elif isinstance(thing, slice):
        parts = iter(enumerate((thing.start, thing.stop, thing.step)))
    elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        parts = ((field.name, getattr(thing, field.name)) for field in dataclasses.fields(thing))
    for name, part in parts:
        yield from _tensors(part, f"{path}.{name}" if path else str(name))


_USUAL = {
    "truediv": "div",
    "true_divide": "div",
    "divide": "div",
    "multiply": "mul",
    "subtract": "sub",
    "radd": "add",
    "rmul": "mul",
    "iadd": "add",
    "isub": "sub",
    "imul": "mul",
    "itruediv": "div",
    "rtruediv": "rdiv",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "invert": "bitwise_not",
    "iter": "unbind",
}
"""Several names of the same function, without underscores at their ends."""


def _plain(function: Callable[..., Any]) -> str:
    """The name of a torch function: "matmul" for torch.matmul, Tensor.matmul and the operator @."""
    name = getattr(function, "__name__", type(function).__name__)
    if name == "__get__":
        name = getattr(getattr(function, "__self__", None), "__name__", name)
    name = name.strip("_")
    return _USUAL.get(name, name)


def _version(tensor: Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version

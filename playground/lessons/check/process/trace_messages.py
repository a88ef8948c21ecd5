"""A trace as a message: JSON and numbers, which the process that judges reads without trust."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from playground.common.errors import one_line
from playground.lessons.check.process.code_messages import MessageError
from playground.recording import REPOSITORY, Node, Statement, Trace, TracedTensor

MAX_NODES = 3000
"""Of a trace in a message."""

_KINDS = {"float": torch.float32, "int": torch.int64, "bool": torch.bool}


def packed_trace(trace: Trace, file: str) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Fields and tensors; lines are kept of statements in `file` alone."""
    tensors = {str(value.index): _sendable(value.tensor) for value in trace.values if value.tensor is not None}
    values = [
        [
            value.origin,
            value.name,
            list(value.shape),
            value.dtype,
            -1 if value.node is None else value.node.index,
            sorted(value.inputs),
            sorted(value.parameters),
        ]
        for value in trace.values
    ]
    nodes = [
        [
            node.function,
            _packed(node.arguments),
            {key: _packed(part) for key, part in node.named.items()},
            [value.index for value in node.inputs],
            [value.index for value in node.outputs],
            node.in_place,
            node.source.line if (REPOSITORY / node.source.file) == Path(file) else 0,
            node.source.code[:1000],
            node.expression[:1000],
        ]
        for node in trace.nodes[:MAX_NODES]
    ]
    named = {name: {key: value.index for key, value in getattr(trace, name).items()} for name in ("inputs", "outputs")}
    return {"values": values, "nodes": nodes, **named}, tensors


def unpacked_trace(fields: Mapping[str, Any], tensors: Mapping[str, Tensor], file: str) -> Trace:
    """The trace of a message, whose lines are those of `file`; raises `MessageError` for anything else."""
    try:
        return _unpacked_trace(fields, tensors, file)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError):
        raise MessageError from None


def _unpacked_trace(fields: Mapping[str, Any], tensors: Mapping[str, Tensor], file: str) -> Trace:
    trace = Trace()
    makers: list[int] = []
    for index, (origin, name, shape, dtype, node, inputs, parameters) in enumerate(fields["values"]):
        tensor = tensors.get(str(index))
        shape = tuple(map(int, shape))
        if (tensor is not None and tuple(tensor.shape) != shape) or origin not in (
            "input", "parameter", "buffer", "constant", "operation",
        ):  # fmt: skip
            raise ValueError
        makers.append(int(node))
        trace.values.append(
            TracedTensor(
                index=index,
                origin=origin,
                name=one_line(name, 200),
                shape=shape,
                dtype=str(dtype),
                tensor=tensor,
                inputs=frozenset(map(str, inputs)),
                parameters=frozenset(map(str, parameters)),
            )
        )
    for index, each in enumerate(fields["nodes"][:MAX_NODES]):
        function, arguments, named, inputs, outputs, in_place, line, code, expression = each
        trace.nodes.append(
            Node(
                index=index,
                called=_called(str(function)),
                function=str(function),
                arguments=tuple(_unpacked(part, trace.values) for part in arguments),
                named={str(key): _unpacked(part, trace.values) for key, part in named.items()},
                inputs=tuple(trace.values[int(at)] for at in inputs),
                outputs=tuple(trace.values[int(at)] for at in outputs),
                in_place=bool(in_place),
                source=Statement(file, int(line), one_line(code, 1000), ""),
                expression=one_line(expression, 1000),
                module_call=None,
            )
        )
        if not outputs:
            raise ValueError
    for value, maker in zip(trace.values, makers):
        if maker >= 0:
            value.node = trace.nodes[maker]
            # What computes a value comes before whatever reads it, so following values back always ends.
            if value not in value.node.outputs or any(other.index >= value.index for other in value.node.inputs):
                raise ValueError
    trace.inputs = {str(key): trace.values[int(at)] for key, at in fields["inputs"].items()}
    trace.outputs = {str(key): trace.values[int(at)] for key, at in fields["outputs"].items()}
    return trace


def _sendable(tensor: Tensor) -> Tensor:
    tensor = tensor.real if tensor.is_complex() else tensor  # no judge reads complex numbers
    kind = "bool" if tensor.dtype == torch.bool else "float" if tensor.is_floating_point() else "int"
    return tensor.to(_KINDS[kind])


def _packed(thing: Any) -> Any:
    if isinstance(thing, TracedTensor):
        return {"value": thing.index}
    if isinstance(thing, (tuple, list)):
        return [_packed(part) for part in thing] if isinstance(thing, tuple) else {"list": [*map(_packed, thing)]}
    if isinstance(thing, dict):
        return {"dict": {str(key): _packed(part) for key, part in thing.items()}}
    if isinstance(thing, slice):
        return {"slice": [_packed(part) for part in (thing.start, thing.stop, thing.step)]}
    if thing is Ellipsis:
        return {"ellipsis": True}
    if isinstance(thing, np.generic):
        thing = thing.item()
    if isinstance(thing, float):
        return {"float": repr(thing)}
    if thing is None or isinstance(thing, (bool, int)):
        return thing
    return {"text": str(thing)[:200]}


def _unpacked(thing: Any, values: list[TracedTensor]) -> Any:
    if isinstance(thing, list):
        return tuple(_unpacked(part, values) for part in thing)
    if not isinstance(thing, dict):
        return thing if thing is None or isinstance(thing, (bool, int)) else str(thing)
    ((kind, inside),) = thing.items()
    if kind == "value":
        return values[int(inside)]
    if kind == "list":
        return [_unpacked(part, values) for part in inside]
    if kind == "dict":
        return {str(key): _unpacked(part, values) for key, part in inside.items()}
    if kind == "slice":
        start, stop, step = (_unpacked(part, values) for part in inside)
        return slice(start, stop, step)
    return Ellipsis if kind == "ellipsis" else float(inside) if kind == "float" else str(inside)


@lru_cache(maxsize=256)
def _called(name: str) -> Callable[..., Any]:
    """The function of torch with this name; it is called only where `explain.traced_moves` knows that it moves."""
    if name in ("getitem", "setitem"):
        return getattr(Tensor, f"__{name}__")
    for home in (Tensor, torch, F):
        found = getattr(home, name, None)
        if callable(found):
            return found
    if name in ("T", "mT", "H", "mH", "data"):
        return lambda tensor: getattr(tensor, name)

    def missing(*_: Any, **__: Any) -> Any:
        raise TypeError(name)

    return missing

"""Messages between the process of the code and the one that judges it: JSON and numbers, never pickled objects."""

import json
import math
from collections.abc import Mapping
from typing import IO, Annotated, Any, NamedTuple

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor

MAX_BYTES = 64_000_000
"""Of one message."""

_TYPES = {"float32": torch.float32, "int64": torch.int64, "bool": torch.bool}

Name = Annotated[str, Field(max_length=1000)]
Size = Annotated[int, Field(ge=0, le=MAX_BYTES)]
Shape = Annotated[list[Size], Field(max_length=8)]


class Strict(BaseModel):
    """Fields that come from another process."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Described(Strict):
    """The description of code before it is called."""

    name: Name
    line: Annotated[int, Field(ge=0, le=10**7)]
    text: Annotated[str, Field(max_length=100_000)]
    comments: Annotated[str, Field(max_length=100_000)]
    is_function: bool
    knows_padding: bool
    parameters: Annotated[dict[Name, bool], Field(max_length=100)]
    has_weights: bool
    unregistered: Annotated[list[Name], Field(max_length=1000)]
    repeated: Annotated[dict[Name, Name], Field(max_length=1000)]
    sizes: Annotated[dict[Name, Annotated[int, Field(ge=0, le=4096)]], Field(max_length=20)]


class Failure(Strict):
    """Why there is no answer: `theirs`, `refused`, `unjudged`, or `ours`, an error of the check."""

    kind: Name
    problem: Annotated[str, Field(max_length=10_000)]
    advice: Annotated[str, Field(max_length=10_000)] = ""
    line: int | None = None


class Reply(Strict):
    """What every answer of a process that runs code has."""

    ready: bool = False
    failure: Failure | None = None


class Answer(Reply):
    """An answer of the process of the code; its tensors come beside it."""

    codes: Annotated[list[Described], Field(max_length=100)] = []
    number: float | None = None
    trace: dict[str, Any] | None = None


class _Header(Strict):
    fields: dict[str, Any]
    tensors: Annotated[list[tuple[Name, Name, Shape]], Field(max_length=5000)]


class Message(NamedTuple):
    """Fields and tensors."""

    fields: dict[str, Any]
    tensors: dict[str, Tensor]


class MessageError(ValueError):
    """Bytes that are no message, or the end of the stream."""


def packed(fields: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> bytes:
    """A message; tensors are float32, int64 or bool."""
    names = {kind: name for name, kind in _TYPES.items()}
    listed = [[name, names[tensor.dtype], list(tensor.shape)] for name, tensor in tensors.items()]
    header = json.dumps({"fields": dict(fields), "tensors": listed}).encode()
    content = b"".join(tensor.detach().cpu().contiguous().numpy().tobytes() for tensor in tensors.values())
    return b"%16d%16d" % (len(header), len(content)) + header + content


def parted(name: str, value: Any) -> dict[str, Tensor]:
    """Tensors that a message can have, in place of a tensor, a complex one or a tuple of them; see `joined`."""
    if isinstance(value, tuple):
        return {key: part for at, each in enumerate(value) for key, part in parted(f"{name}|{at}", each).items()}
    if isinstance(value, Tensor):
        return {f"{name}|complex": torch.view_as_real(value)} if value.is_complex() else {name: value}
    return {}


def joined(tensors: Mapping[str, Tensor]) -> dict[str, Any]:
    """What `parted` has taken apart."""
    found: dict[str, Any] = {}
    for key, tensor in tensors.items():
        name, _, part = key.partition("|")
        if part == "complex":
            found[name] = torch.view_as_complex(tensor)
        else:
            found[name] = (*found.get(name, ()), tensor) if part else tensor
    return found


def receive(stream: IO[bytes]) -> Message:
    """Read a message; raises `MessageError` for anything else."""
    sizes = _exactly(stream, 32)
    if not (sizes[:16].strip().isdigit() and sizes[16:].strip().isdigit()):
        raise MessageError
    of_header, of_content = int(sizes[:16]), int(sizes[16:])
    if of_header + of_content > MAX_BYTES:
        raise MessageError
    try:
        header = _Header.model_validate_json(_exactly(stream, of_header))
    except ValidationError:
        raise MessageError from None
    content, tensors, offset = _exactly(stream, of_content), {}, 0
    for name, kind, shape in header.tensors:
        if kind not in _TYPES:
            raise MessageError
        size = math.prod(shape) * np.dtype(kind).itemsize
        if offset + size > len(content):
            raise MessageError
        values = np.frombuffer(content, kind, math.prod(shape), offset).copy()
        tensors[name] = torch.from_numpy(values).reshape(shape)
        offset += size
    return Message(header.fields, tensors)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    content = stream.read(count)
    if content is None or len(content) != count:
        raise MessageError
    return content

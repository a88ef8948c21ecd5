"""The graph of one forward pass of any module or function: what was called, with which tensors, by which statement."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from torch import Tensor

from playground.recording.source import Statement

TensorOrigin = Literal["input", "parameter", "buffer", "constant", "operation"]


@dataclass(eq=False)
class TracedTensor:
    """A tensor at one moment of the pass. What an in-place operation leaves in it is another value."""

    index: int  # counted from 0 in order of their first use
    origin: TensorOrigin
    name: str  # of an input, a parameter or a buffer; "" for the others
    shape: tuple[int, ...]
    dtype: str  # "float32"
    tensor: Tensor | None  # its numbers, copied to the CPU; None beyond the limit of a trace
    node: "Node | None" = None  # the operation that computed it
    inputs: frozenset[str] = frozenset()  # names of the inputs of the pass that it depends on
    parameters: frozenset[str] = frozenset()  # names of the parameters and buffers that it depends on
    gradient: Tensor | None = None  # d scalar / d value, in its shape, if asked for


@dataclass(frozen=True, eq=False)
class ModuleCall:
    """One call of a module."""

    path: str  # dotted path from the traced module, "" for itself; a module that isn't registered has brackets in it
    kind: str  # its class, e.g. "MultiheadAttention"
    number: int  # how often this module had been called before, 0 for its first call
    outer: "ModuleCall | None"  # the call that it was made in

    @property
    def chain(self) -> "tuple[ModuleCall, ...]":
        """This call and those around it, outermost first."""
        return (*(self.outer.chain if self.outer else ()), self)


@dataclass(frozen=True, eq=False)
class Node:
    """One call of a torch function."""

    index: int  # in order of execution
    called: Callable[..., Any]
    function: str  # without underscores: "matmul", "softmax", "add", "getitem"
    arguments: tuple[Any, ...]  # as they were passed, with a `TracedTensor` for each tensor
    named: dict[str, Any]
    inputs: tuple[TracedTensor, ...]  # all tensors that took part
    outputs: tuple[TracedTensor, ...]
    in_place: bool  # it has written into its first input
    source: Statement  # in the file of whoever wrote the module
    expression: str  # the part of the statement that made this call; "" where Python doesn't tell
    module_call: ModuleCall | None  # the innermost module around it

    @property
    def calls(self) -> tuple[ModuleCall, ...]:
        """The calls of modules around it, outermost first."""
        return self.module_call.chain if self.module_call else ()

    @property
    def output(self) -> TracedTensor:
        """The first output, of most functions the only one."""
        return self.outputs[0]

    @property
    def passes_on(self) -> bool:
        """True if it gave back an input as it was, such as dropout in evaluation mode."""
        return any(self.output is value for value in self.inputs)

    def argument(self, position: int, name: str, default: Any = None) -> Any:
        """An argument by its position or its name."""
        return self.arguments[position] if len(self.arguments) > position else self.named.get(name, default)


@dataclass
class Trace:
    """Operations of one forward pass in order of execution, and the tensors that flowed between them."""

    nodes: list[Node] = field(default_factory=list)
    values: list[TracedTensor] = field(default_factory=list)
    inputs: dict[str, TracedTensor] = field(default_factory=dict)
    outputs: dict[str, TracedTensor] = field(default_factory=dict)
    """Tensors of what was returned, by their names there: "0", "logits"; "" for a single tensor."""
    result: Any = None
    """What was returned, as it was."""
    unregistered: tuple[str, ...] = ()
    """Modules that stand in plain lists or dicts, where nn.Module doesn't find them."""
    repeated: dict[str, str] = field(default_factory=dict)
    """Further names of modules that are registered more than once, and their first name."""
    truncated: bool = False
    """True if numbers were left out because of the limit."""

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)


def values_in(thing: Any) -> Iterator[TracedTensor]:
    """The values in an argument, in order."""
    if isinstance(thing, TracedTensor):
        yield thing
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from values_in(part)
    elif isinstance(thing, dict):
        yield from values_in(tuple(thing.values()))
    elif isinstance(thing, slice):
        yield from values_in((thing.start, thing.stop, thing.step))

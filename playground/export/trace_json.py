"""The graph of a traced pass as JSON."""

import json
import math
from typing import Any

from playground.explain.traced_cells import is_opaque
from playground.recording import REPOSITORY, Node, Statement, Trace, TracedTensor
from playground.recording.notebook_cells import in_cell


def content(trace: Trace) -> bytes:
    """The file that `python -m playground trace FILE --out NAME.json` writes.

    `tensors` are in order of their first use, and `operations` name them by their index there. Minus infinity is null,
    infinity and NaN are the texts "inf" and "nan"; `values` is null where numbers were left out.
    """
    return json.dumps(
        {
            "inputs": {name: value.index for name, value in trace.inputs.items()},
            "outputs": {name: value.index for name, value in trace.outputs.items()},
            "operations": [_operation(node) for node in trace],
            "tensors": [_tensor(value) for value in trace.values],
            "unregistered": list(trace.unregistered),
            "repeated": trace.repeated,
            "truncated": trace.truncated,
        },
        allow_nan=False,
    ).encode()


def _operation(node: Node) -> dict[str, Any]:
    return {
        "function": node.function,
        "expression": node.expression,
        "source": _source(node.source),
        "modules": [{"path": call.path, "class": call.kind, "number": call.number} for call in node.calls],
        "inputs": [value.index for value in node.inputs],
        "outputs": [value.index for value in node.outputs],
        "in_place": node.in_place,
        "opaque": is_opaque(node),
    }


def _source(statement: Statement) -> dict[str, Any]:
    """The statement; in a notebook with its code cell, in which lines are counted."""
    cell, line = in_cell(str(REPOSITORY / statement.file), statement.line)
    return vars(statement) | ({"line": line, "cell": cell} if cell else {})


def _tensor(value: TracedTensor) -> dict[str, Any]:
    return {
        "origin": value.origin,
        "name": value.name,
        "shape": value.shape,
        "dtype": value.dtype,
        "values": None if value.tensor is None else _plain(value.tensor.tolist()),
        "gradient": None if value.gradient is None else _plain(value.gradient.tolist()),
    }


def _plain(values: Any) -> Any:
    if isinstance(values, list):
        return [_plain(part) for part in values]
    if isinstance(values, float) and not math.isfinite(values):
        return None if values == -math.inf else str(values)
    return str(values) if isinstance(values, complex) else values

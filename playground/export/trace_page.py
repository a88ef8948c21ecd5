"""A traced pass as one HTML file that needs no network; its script is `trace_page.ts`."""

import ast
import base64
import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from playground.explain.notation import Reduction, subscripts
from playground.explain.traced_cells import declared
from playground.explain.traced_gradients import handed_back
from playground.explain.traced_moves import Moved, moved
from playground.explain.written_cell import WrittenCell
from playground.recording import REPOSITORY, Node, Statement, Trace, TracedTensor, function_around
from playground.recording.notebook_cells import in_cell

STATIC = Path(__file__).parent / "static"
"""What esbuild makes of `trace_page.ts` and `trace_page.css`."""

MAX_BYTES = 30_000_000
"""Of numbers in the page."""

_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def data(trace: Trace, title: str) -> str:
    """What the script reads, as JSON without any "<", so that it can stand in a page."""
    return json.dumps(_Page(trace, title).fields(), allow_nan=False).replace("<", "\\u003c")


def content(trace: Trace, title: str) -> bytes:
    """The page: operations by module, their statements and tensors, and how each cell was computed.

    Tensors beyond 30 MB have no numbers in it.
    """
    script, style = (next(STATIC.glob(f"trace_page-*.{kind}")).read_text("utf-8") for kind in ("js", "css"))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\">"
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>'
        f'<body><script type="application/json" id="pass">{data(trace, title)}</script>'
        f"<script>{script}</script></body></html>"
    ).encode()


class _Page:
    """Collects what the script reads."""

    def __init__(self, trace: Trace, title: str) -> None:
        self._trace, self._title, self._left = trace, title, MAX_BYTES
        self._sources: dict[tuple[str, int, str], int] = {}
        self._texts: list[dict[str, Any]] = []
        self._whole = True

    def fields(self) -> dict[str, Any]:
        """The type `Pass` of the script."""
        trace = self._trace
        tensors = [self._tensor(value) for value in trace.values]
        operations = [self._operation(node) for node in trace]
        notes = []
        if trace.unregistered:
            names = ", ".join(trace.unregistered)
            notes.append(f"Not registered, because they stand in a plain list or dict: {names}.")
        if trace.repeated:
            shared = ", ".join(f"{name} is {first}" for name, first in trace.repeated.items())
            notes.append(f"Registered more than once, so these share their weights: {shared}.")
        if trace.truncated or not self._whole:
            notes.append("The pass has too many numbers, so some were left out.")
        return {
            "title": self._title,
            "notes": notes,
            "inputs": {name: value.index for name, value in trace.inputs.items()},
            "outputs": {name: value.index for name, value in trace.outputs.items()},
            "operations": operations,
            "tensors": tensors,
            "sources": self._texts,
        }

    def _operation(self, node: Node) -> dict[str, Any]:
        written = declared(node)
        moves = [] if written else [moved(node, output) for output in range(len(node.outputs))]
        backward = handed_back(node)
        if written:  # rows of an embedding are copies, too, to which gradients go back
            moves += [each.copies for each in backward if each.copies]
        lines = node.source.code.count("\n")
        _, line = in_cell(str(REPOSITORY / node.source.file), node.source.line)
        return {
            "function": node.function,
            "expression": node.expression,
            "source": self._source(node.source),
            "line": line,
            "last": line + lines,
            "calls": [(call.path, call.kind, call.number) for call in node.calls],
            "inputs": [value.index for value in node.inputs],
            "outputs": [value.index for value in node.outputs],
            "passesOn": node.passes_on,
            "declared": _declared(written) if written else None,
            "copied": [each and _copied(each) for each in moves] if any(moves) else None,
            "backward": [
                {
                    "input": each.value.index,
                    "output": each.output,
                    "role": each.role,
                    "declared": _declared(each.rule) if each.rule else None,
                }
                for each in backward
            ],
        }

    def _source(self, statement: Statement) -> int:
        first, text = function_around(statement) if statement.file else (statement.line, statement.code)
        key = statement.file, first, text
        if key not in self._sources:
            self._sources[key] = len(self._texts)
            name = Path(statement.file).name  # a page that is handed on doesn't tell where the file stands
            cell, first = in_cell(str(REPOSITORY / statement.file), first)
            name += f", code cell {cell}" if cell else ""
            self._texts.append({"file": name, "name": statement.function, "first": first, "text": text})
        return self._sources[key]

    def _tensor(self, value: TracedTensor) -> dict[str, Any]:
        return {
            "origin": value.origin,
            "name": value.name,
            "shape": value.shape,
            "dtype": value.dtype,
            "values": self._numbers(value.tensor),
            "gradient": self._numbers(value.gradient),
        }

    def _numbers(self, tensor: Tensor | None) -> str | None:
        if tensor is None or tensor.is_complex():
            return None
        self._left -= 4 * tensor.numel()
        if self._left < 0:
            self._whole = False
            return None
        return _base64(tensor.to(torch.float32).numpy(), np.float32)


def _copied(moves: Moved) -> dict[str, Any]:
    return {
        "sources": [value.index for value in moves.sources],
        "origins": _base64(moves.origins.numpy(), np.int32),
        "constant": moves.constant if moves.constant is None or np.isfinite(moves.constant) else None,
    }


def _declared(written: WrittenCell) -> dict[str, Any]:
    declaration, formula = written.declaration, written.declaration.formula
    return {
        "name": formula.name,
        "text": declaration.text.splitlines(),
        "lines": [(name, _expression(node)) for name, node in formula.lines.items()],
        "result": _expression(formula.result),
        "cell": formula.cell,
        "reads": {
            name: {
                "tensor": read.value.index,
                "what": "gradient" if read.gradient else "values",
                "letters": read.letters,
                "spread": read.spread,
            }
            for name, read in written.operands.items()
        },
    }


def _expression(node: ast.expr) -> list[Any]:
    """The type `Expression` of the script."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return ["number", float(value)]
        case ast.Name(id=name):
            return ["name", name]
        case ast.Subscript():
            return ["read", ast.unparse(node.value), [_expression(part) for part in subscripts(node)]]
        case ast.UnaryOp(operand=operand):
            return ["negative", _expression(operand)]
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return ["operator", _SIGNS[type(op)], _expression(left), _expression(right)]
        case ast.BoolOp(values=parts):
            return ["all", [_expression(part) for part in parts]]
        case ast.IfExp(test=test, body=body, orelse=other):
            return ["choice", _expression(test), _expression(body), _expression(other)]
        case ast.Call() if over := Reduction.of(node):
            only = over.only and _expression(over.only)
            return ["over", over.kind, over.index, over.size, _expression(over.body), only]
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return ["call", name, [_expression(part) for part in arguments]]
    raise TypeError(f"{ast.unparse(node)} is not part of the notation.")


def _base64(numbers: np.ndarray, kind: type) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype=kind).tobytes()).decode()

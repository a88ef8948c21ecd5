"""How one cell of a traced pass was computed: a declaration for each call of a usual torch function.

The declarations are written in the notation of `explain.notation`. Axes have the letters i, j, l, ... in their order,
and count from 1 as in formulas. What a function only moves is found by moving the numbers of its cells instead.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import torch

from playground.explain.cells import Cell
from playground.explain.declaration import STABLE_SOFTMAX
from playground.explain.traced_moves import MOVES, moved
from playground.explain.written_cell import (
    LETTERS,
    SUMMED,
    OpaqueError,
    ReadTensor,
    WrittenCell,
    constant_text,
    numbers_of,
)
from playground.recording import Node, TracedTensor


def traced_cell(node: Node, index: tuple[int, ...], output: int = 0) -> Cell | None:
    """How the cell at `index` of one of the outputs of a call came about; None where the call is opaque.

    What it reads is named by the `index` of the `TracedTensor`. Raises IndexError for an index outside the tensor.
    """
    value = node.outputs[output]
    if len(index) != len(value.shape) or not all(0 <= at < size for at, size in zip(index, value.shape)):
        raise IndexError(f"{node.function} {value.shape} has no cell {tuple(index)}.")
    if value.dtype not in ("float32", "float64", "int64", "int32", "bool") or value.tensor is None:
        return None
    try:
        return _written(node, index, output).cell(node.function, value.shape, index)
    except (OpaqueError, ZeroDivisionError):
        return None


def declared(node: Node) -> WrittenCell | None:
    """How each cell of the first output of a call is computed, and what it reads.

    None if the call is opaque or only copies cells, see `moved`.
    """
    try:
        return _declared(node, 0)
    except (OpaqueError, ZeroDivisionError):
        return None


def is_opaque(node: Node) -> bool:
    """True if only the numbers of a call are known."""
    return declared(node) is None and moved(node) is None


def _written(node: Node, index: tuple[int, ...], output: int) -> WrittenCell:
    return _copied(node, index, output) if node.function in MOVES else _declared(node, output)


def _declared(node: Node, output: int) -> WrittenCell:
    name = node.function
    if output or name not in RULES or len(node.output.shape) > len(LETTERS):
        raise OpaqueError
    written = WrittenCell(tuple(LETTERS[: len(node.output.shape)]))
    RULES[name](node, written)
    return written


# --- what is computed -----------------------------------------------------------------------------


def _elementwise(template: str, *defaults: Any) -> Callable[[Node, WrittenCell], None]:
    """Of x, y, ... in their order; `defaults` are those of the last ones."""

    def rule(node: Node, out: WrittenCell) -> None:
        names = [name for name in ("x", "y", "z") if name in template]
        given = list(node.arguments[: len(names)])
        given += list(defaults[len(given) - len(names) :]) if len(given) < len(names) else []
        if len(given) < len(names):
            raise OpaqueError
        expressions = {name: out.read(value, name, out.axes) for name, value in zip(names, given)}
        out.text = template.format_map(expressions)

    return rule


def _added(sign: str) -> Callable[[Node, WrittenCell], None]:
    def rule(node: Node, out: WrittenCell) -> None:
        x, y = (out.read(value, name, out.axes) for value, name in zip(_pair(node), "xy"))
        alpha = node.named.get("alpha", 1)
        if node.output.dtype == "bool":
            out.text = f"max({x}, {y})"
            return
        out.text = f"{x} {sign} {y}" if alpha == 1 else f"{x} {sign} {constant_text(alpha)} * {y}"

    return rule


def _reverse_subtraction(node: Node, out: WrittenCell) -> None:
    if node.named.get("alpha", 1) != 1:
        raise OpaqueError
    _elementwise("{y} - {x}")(node, out)


def _divided(node: Node, out: WrittenCell) -> None:
    if node.named.get("rounding_mode"):
        raise OpaqueError
    _elementwise("{x} / {y}")(node, out)


def _of_bits(template: str) -> Callable[[Node, WrittenCell], None]:
    """Of numbers that are true or false."""

    def rule(node: Node, out: WrittenCell) -> None:
        if node.output.dtype != "bool":
            raise OpaqueError
        _elementwise(template)(node, out)

    return rule


def _activation(template: str) -> Callable[[Node, WrittenCell], None]:
    def rule(node: Node, out: WrittenCell) -> None:
        out.text = template.format(x=out.read(node.arguments[0], "x", out.axes))

    return rule


def _gelu(node: Node, out: WrittenCell) -> None:
    x = out.read(node.arguments[0], "x", out.axes)
    exact = node.named.get("approximate", "none") == "none"
    out.text = (
        f"{x} * Phi({x})"
        if exact
        else f"{x} * (1 + tanh({constant_text(math.sqrt(2 / math.pi))} * ({x} + 0.044715 * {x} ** 3))) / 2"
    )


def _clamp(node: Node, out: WrittenCell) -> None:
    x, low, high = (node.argument(at, name) for at, name in enumerate(("input", "min", "max")))
    out.text = out.read(x, "x", out.axes)
    if low is not None:
        out.text = f"max({out.text}, {out.read(low, 'low', out.axes)})"
    if high is not None:
        out.text = f"min({out.text}, {out.read(high, 'high', out.axes)})"


def _linear(node: Node, out: WrittenCell) -> None:
    x, weight, bias = (node.argument(at, name) for at, name in enumerate(("input", "weight", "bias")))
    *before, last = out.axes
    out.text = f"sum({out.read(x, 'x', [*before, 'k'])} * {out.read(weight, 'W', [last, 'k'])} for k in K)"
    if bias is not None:
        out.text += f" + {out.read(bias, 'bias', [last])}"


def _matmul(node: Node, out: WrittenCell) -> None:
    one, other = _pair(node)
    if not (isinstance(one, TracedTensor) and isinstance(other, TracedTensor)):
        raise OpaqueError
    rows, columns = len(one.shape) > 1, len(other.shape) > 1
    of_batch = out.axes[: len(out.axes) - rows - columns]
    rest = list(out.axes[len(of_batch) :])
    row = [rest.pop(0)] if rows else []
    column = [rest.pop(0)] if columns else []
    x = out.read(one, "x", [*of_batch, *row, "k"])
    y = out.read(other, "y", [*of_batch, "k", *column])
    out.text = f"sum({x} * {y} for k in K)"


def _addmm(node: Node, out: WrittenCell) -> None:
    bias, *rest = node.arguments
    if node.named:
        raise OpaqueError
    _matmul(replace(node, arguments=tuple(rest)), out)
    out.text += f" + {out.read(bias, 'bias', out.axes)}"


def _einsum(node: Node, out: WrittenCell) -> None:
    equation, *operands = node.arguments
    if operands and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    if not isinstance(equation, str) or "." in equation or len(operands) > 4:
        raise OpaqueError
    before, arrow, after = equation.replace(" ", "").partition("->")
    if not arrow:
        after = "".join(sorted(letter for letter in {*before} - {","} if before.count(letter) == 1))
    known = dict(zip(after, out.axes))
    summed = [letter for letter in dict.fromkeys(before.replace(",", "")) if letter not in known]
    if len(summed) > len(SUMMED) or any(len({*part}) < len(part) for part in before.split(",")):
        raise OpaqueError
    known |= dict(zip(summed, SUMMED))
    factors = [
        out.read(value, name, [known[letter] for letter in letters])
        for value, name, letters in zip(operands, "xyzw", before.split(","))
    ]
    out.text = " * ".join(factors)
    for letter in summed:
        out.text = f"sum({out.text} for {known[letter]} in {known[letter].upper()})"


def _softmax(node: Node, out: WrittenCell) -> None:
    x = node.arguments[0]
    at = _dim(node, x)
    read = out.read(x, "x", out.axes)
    running, size = _with(out.axes, at, "k", "x"), out.axes[at].upper()
    out.lines = (
        f"largest = max({running} for k in {size})",
        f"total = sum(exp({running} - largest) for k in {size})",
    )
    out.text = f"exp({read} - largest) / total"
    if node.function == "log_softmax":
        out.text = f"{read} - largest - log(total)"
    out.remark = STABLE_SOFTMAX


class AttentionCall(NamedTuple):
    """What scaled_dot_product_attention is called with."""

    query: TracedTensor
    key: TracedTensor
    value: TracedTensor
    mask: TracedTensor | None
    causal: bool
    scale: str  # what scores are multiplied with or divided by, such as " / sqrt(C)"
    group: int  # how many heads of queries share a head of keys and values

    @classmethod
    def of(cls, node: Node) -> "AttentionCall":
        """The arguments of a call. Raises `OpaqueError` for dropout."""
        query, key, value, mask, dropout, causal = (
            node.argument(at, name, default)
            for at, (name, default) in enumerate(
                {
                    "query": None,
                    "key": None,
                    "value": None,
                    "attn_mask": None,
                    "dropout_p": 0,
                    "is_causal": False,
                }.items()
            )
        )
        scale = node.named.get("scale")
        if dropout or (node.named.get("enable_gqa") and key.shape[-3] != value.shape[-3]):
            raise OpaqueError
        group = query.shape[-3] // key.shape[-3] if node.named.get("enable_gqa") and key.shape[-3] > 1 else 1
        factor = " / sqrt(C)" if scale is None else f" * {constant_text(scale)}"
        return cls(query, key, value, mask, causal, factor, group)

    def score(self, read: Callable[[str], str], running: str) -> str:
        """The score of a query and a key; `running` is the letter of their features."""
        added = f" + {read('mask')}" if self.mask and self.mask.dtype != "bool" else ""
        return f"sum({read('query')} * {read('key')} for {running} in C){self.scale}{added}"

    def condition(self, read: Callable[[str], str], row: str, key: str) -> str:
        """The keys that a query reads; "" for all."""
        if self.causal:
            return f"{key} <= {row}"
        return f"{read('mask')} != 0" if self.mask and self.mask.dtype == "bool" else ""


def _attention(node: Node, out: WrittenCell) -> None:
    call = AttentionCall.of(node)
    *batch, row, column = out.axes
    reads = {
        "query": out.read(call.query, "query", [*batch, row, "c"]),
        "key": out.read(call.key, "key", [*batch, "k", "c"]),
        "value": out.read(call.value, "value", [*batch, "k", column]),
    }
    if call.mask:
        reads["mask"] = out.read(call.mask, "mask", [*batch, row, "k"])
    if call.group > 1:
        head = batch[-1]
        for name in ("key", "value"):
            reads[name] = reads[name].replace(f"{head}, k", "group, k")
            letters = tuple("g" if letter == head else letter for letter in out.operands[name].letters)
            out.operands[name] = out.operands[name]._replace(letters=letters)
    score, only = call.score(reads.__getitem__, "c"), call.condition(reads.__getitem__, row, "k")
    over = "for k in K" + (f" if {only}" if only else "")
    group = (f"group = ({batch[-1]} - 1) // {call.group} + 1",) if call.group > 1 else ()
    out.lines = (*group, f"largest = max({score} {over})", f"total = sum(exp({score} - largest) {over})")
    out.text = f"sum(exp({score} - largest) * {reads['value']} {over}) / total"
    out.remark = STABLE_SOFTMAX


def _reduced(kind: str) -> Callable[[Node, WrittenCell], None]:
    def rule(node: Node, out: WrittenCell) -> None:
        x, axes, summed = _reduction(node, out)
        out.text = f"x[{', '.join(axes) or 0}]"
        for letter in summed:
            out.text = f"{kind}({out.text} for {letter} in {letter.upper()})"
        out.operands["x"] = ReadTensor(x, tuple(axes) or ("0",), (not x.shape,) * len(axes or "0"))

    return rule


def _spread(root: bool) -> Callable[[Node, WrittenCell], None]:
    """Variance or standard deviation."""

    def rule(node: Node, out: WrittenCell) -> None:
        x, axes, summed = _reduction(node, out)
        if len(summed) != 1:
            raise OpaqueError
        read, letter = f"x[{', '.join(axes)}]", summed[0]
        size = letter.upper()
        correction = node.named.get("correction", int(node.argument(2, "unbiased", True)))
        divisor = size if correction == 0 else f"({size} - {constant_text(correction)})"
        out.lines = (f"average = mean({read} for {letter} in {size})",)
        square = f"sum(({read} - average) ** 2 for {letter} in {size}) / {divisor}"
        out.text = f"sqrt({square})" if root else square
        out.operands["x"] = ReadTensor(x, tuple(axes), (False,) * len(axes))

    return rule


def _layer_norm(node: Node, out: WrittenCell) -> None:
    x, shape, weight, bias, eps = (
        node.argument(at, name, default)
        for at, (name, default) in enumerate(
            {"input": None, "normalized_shape": (), "weight": None, "bias": None, "eps": 1e-5}.items()
        )
    )
    if len(shape) != 1:
        raise OpaqueError
    last = out.axes[-1]
    read, running = out.read(x, "x", out.axes), _with(out.axes, -1, "k", "x")
    out.lines = (
        f"mean_of_row = mean({running} for k in {last.upper()})",
        f"variance_of_row = mean(({running} - mean_of_row) ** 2 for k in {last.upper()})",
    )
    out.text = f"({read} - mean_of_row) / sqrt(variance_of_row + {constant_text(eps)})"
    if weight is not None:
        out.text += f" * {out.read(weight, 'gain', [last])}"
    if bias is not None:
        out.text += f" + {out.read(bias, 'bias', [last])}"


def _rms_norm(node: Node, out: WrittenCell) -> None:
    x, shape, weight = (node.argument(at, name) for at, name in enumerate(("input", "normalized_shape", "weight")))
    if len(shape) != 1:
        raise OpaqueError
    read, running = out.read(x, "x", out.axes), _with(out.axes, -1, "k", "x")
    out.lines = (f"root = sqrt(mean({running} ** 2 for k in {out.axes[-1].upper()}) + {constant_text(rms_eps(node))})",)
    out.text = f"{read} / root"
    if weight is not None:
        out.text += f" * {out.read(weight, 'gain', [out.axes[-1]])}"


def rms_eps(node: Node) -> float:
    """The number that a call of rms_norm adds to the mean square."""
    eps = node.argument(3, "eps")
    return torch.finfo(getattr(torch, node.arguments[0].dtype)).eps if eps is None else eps


def _outer(node: Node, out: WrittenCell) -> None:
    out.text = " * ".join(out.read(value, name, [axis]) for value, name, axis in zip(_pair(node), "xy", out.axes))


def _masked_fill(node: Node, out: WrittenCell) -> None:
    x, mask, value = (node.argument(at, name) for at, name in enumerate(("input", "mask", "value")))
    read, hidden = out.read(x, "x", out.axes), out.read(mask, "mask", out.axes)
    out.text = f"{out.read(value, 'value', out.axes)} if {hidden} != 0 else {read}"


def _where(node: Node, out: WrittenCell) -> None:
    if len(node.arguments) != 3:
        raise OpaqueError
    condition, one, other = node.arguments
    if hasattr(node.called, "__objclass__"):  # x.where(condition, y)
        condition, one = one, condition
    if not isinstance(condition, TracedTensor):
        raise OpaqueError
    c, x, y = (out.read(value, name, out.axes) for value, name in ((condition, "c"), (one, "x"), (other, "y")))
    out.text = f"{x} if {c} != 0 else {y}"


def _triangle(keeps: str) -> Callable[[Node, WrittenCell], None]:
    def rule(node: Node, out: WrittenCell) -> None:
        row, column = out.axes[-2:]
        diagonal = node.argument(1, "diagonal", 0)
        read = out.read(node.arguments[0], "x", out.axes)
        out.text = f"{read} if {column} - {row} {keeps} {constant_text(diagonal)} else 0"

    return rule


def _embedding(node: Node, out: WrittenCell) -> None:
    tokens, weight = node.argument(0, "input"), node.argument(1, "weight")
    *before, last = out.axes
    token = out.read(tokens, "tokens", before)
    out.operands["table"] = ReadTensor(weight, ("v", last), (False, weight.shape[1] == 1))
    out.text = f"table[{token}, {last}]"


def _cumsum(node: Node, out: WrittenCell) -> None:
    at = _dim(node, node.arguments[0])
    out.read(node.arguments[0], "x", out.axes)
    letter = out.axes[at]
    out.text = f"sum({_with(out.axes, at, 'k', 'x')} for k in {letter.upper()} if k <= {letter})"


class ClassLoss(NamedTuple):
    """What cross_entropy and nll_loss are called with."""

    x: TracedTensor
    target: TracedTensor
    reduction: str
    ignored: int | None  # a class that counts in this call, but not in the loss
    counted: int  # of what the mean is taken over

    @classmethod
    def of(cls, node: Node) -> "ClassLoss":
        """The arguments of a call. Raises `OpaqueError` where they are unusual."""
        x, target, weight, average, ignored, reduce, reduction, smoothing = (
            node.argument(at, name, default)
            for at, (name, default) in enumerate(
                {
                    "input": None, "target": None, "weight": None, "size_average": None, "ignore_index": -100,
                    "reduce": None, "reduction": "mean", "label_smoothing": 0.0,
                }.items()
            )
        )  # fmt: skip
        if weight is not None or average is not None or reduce is not None or smoothing:
            raise OpaqueError
        if len(x.shape) < 2 or target.shape != (x.shape[0], *x.shape[2:]) or "int" not in target.dtype:
            raise OpaqueError
        without = int((numbers_of(target) == ignored).sum())
        if without and ignored < 0:
            raise OpaqueError
        return cls(x, target, reduction, ignored if without else None, math.prod(target.shape) - without)


def _class_loss(node: Node, out: WrittenCell) -> None:
    x, target, reduction, ignored, counted = ClassLoss.of(node)
    axes = out.axes if reduction == "none" else tuple(SUMMED[: len(target.shape)])
    token = out.read(target, "target", axes)
    first, *rest = axes
    classes = (first, "v", *rest)
    spread = tuple(size == 1 and letter != "v" for letter, size in zip(classes, x.shape))
    out.operands["x"] = ReadTensor(x, classes, spread)
    out.text = f"-x[{', '.join([first, token, *rest])}]"
    if node.function == "cross_entropy":
        out.text = f"(logsumexp(x[{', '.join(classes)}] for v in V) - {out.text[1:]})"
    if ignored is not None:
        out.text += f" * ({token} != {ignored})"
    if reduction != "none":
        for letter in reversed(axes):
            out.text = f"sum({out.text} for {letter} in {letter.upper()})"
    if reduction == "mean":
        out.text += f" / {counted}"


def _squared_error(node: Node, out: WrittenCell) -> None:
    x, y = _pair(node)
    if not isinstance(y, TracedTensor) or x.shape != y.shape:
        raise OpaqueError
    kind, *further = (node.named.get(name) for name in ("reduction", "size_average", "reduce", "weight"))
    if any(each is not None for each in further):
        raise OpaqueError
    kind = kind or "mean"
    axes = out.axes if kind == "none" else tuple(SUMMED[: len(x.shape)])
    out.text = f"({out.read(x, 'x', axes)} - {out.read(y, 'y', axes)}) ** 2"
    for letter in reversed(axes) if kind != "none" else ():
        out.text = f"{kind}({out.text} for {letter} in {letter.upper()})"


def _compared(sign: str) -> Callable[[Node, WrittenCell], None]:
    def rule(node: Node, out: WrittenCell) -> None:
        x, y = (out.read(value, name, out.axes) for value, name in zip(_pair(node), "xy"))
        out.text = f"{x} {sign} {y}"

    return rule


RULES: Mapping[str, Callable[[Node, WrittenCell], None]] = {
    "add": _added("+"),
    "sub": _added("-"),
    "rsub": _reverse_subtraction,
    "mul": _elementwise("{x} * {y}"),
    "div": _divided,
    "rdiv": _elementwise("{y} / {x}"),
    "pow": _elementwise("{x} ** {y}"),
    "rpow": _elementwise("{y} ** {x}"),
    "maximum": _elementwise("max({x}, {y})"),
    "minimum": _elementwise("min({x}, {y})"),
    "neg": _activation("-{x}"),
    "abs": _activation("max({x}, -{x})"),
    "clamp": _clamp,
    "exp": _activation("exp({x})"),
    "log": _activation("log({x})"),
    "sqrt": _activation("sqrt({x})"),
    "rsqrt": _activation("1 / sqrt({x})"),
    "square": _activation("{x} ** 2"),
    "reciprocal": _activation("1 / {x}"),
    "sin": _activation("sin({x})"),
    "cos": _activation("cos({x})"),
    "tanh": _activation("tanh({x})"),
    "relu": _activation("max(0, {x})"),
    "sigmoid": _activation("1 / (1 + exp(-{x}))"),
    "silu": _activation("{x} / (1 + exp(-{x}))"),
    "gelu": _gelu,
    "erf": _activation(f"2 * Phi({{x}} * {math.sqrt(2)!r}) - 1"),
    "bitwise_not": _of_bits("{x} == 0"),
    "logical_not": _activation("{x} == 0"),
    "bitwise_and": _of_bits("min({x}, {y})"),
    "logical_and": _elementwise("min({x} != 0, {y} != 0)"),
    "bitwise_or": _of_bits("max({x}, {y})"),
    "logical_or": _elementwise("max({x} != 0, {y} != 0)"),
    "eq": _compared("=="),
    "ne": _compared("!="),
    "lt": _compared("<"),
    "le": _compared("<="),
    "gt": _compared(">"),
    "ge": _compared(">="),
    "linear": _linear,
    "matmul": _matmul,
    "bmm": _matmul,
    "mm": _matmul,
    "mv": _matmul,
    "dot": _matmul,
    "rmatmul": lambda node, out: _matmul(replace(node, arguments=node.arguments[::-1]), out),
    "addmm": _addmm,
    "baddbmm": _addmm,
    "outer": _outer,
    "einsum": _einsum,
    "softmax": _softmax,
    "log_softmax": _softmax,
    "scaled_dot_product_attention": _attention,
    "logsumexp": _reduced("logsumexp"),
    "cross_entropy": _class_loss,
    "nll_loss": _class_loss,
    "mse_loss": _squared_error,
    "sum": _reduced("sum"),
    "mean": _reduced("mean"),
    "amax": _reduced("max"),
    "amin": _reduced("min"),
    "max": _reduced("max"),
    "min": _reduced("min"),
    "var": _spread(root=False),
    "std": _spread(root=True),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "masked_fill": _masked_fill,
    "where": _where,
    "tril": _triangle("<="),
    "triu": _triangle(">="),
    "embedding": _embedding,
    "cumsum": _cumsum,
}
"""Declarations of what is computed, by function; others are opaque."""


# --- what is only moved ---------------------------------------------------------------------------


def _copied(node: Node, index: tuple[int, ...], output: int) -> WrittenCell:
    moves = moved(node, output)
    if moves is None:
        raise OpaqueError
    written = WrittenCell(tuple(LETTERS[: len(index)]))
    if len(index) > len(LETTERS):
        raise OpaqueError
    source = moves.source(index)
    if source is None:
        written.text = constant_text(moves.constant)
        return written
    value, cell = source
    letters = tuple("cdefghkr"[: len(value.shape)]) if value.shape else ("0",)
    written.operands["x"] = ReadTensor(value, letters, (not value.shape,) * len(letters))
    written.text = f"x[{', '.join(str(position + 1) for position in cell) or 0}]"
    return written


# --- reading arguments ----------------------------------------------------------------------------


def _pair(node: Node) -> tuple[Any, Any]:
    given = [*node.arguments, *(node.named[name] for name in ("other", "mat2") if name in node.named)]
    if len(given) != 2:
        raise OpaqueError
    return given[0], given[1]


def _dim(node: Node, x: TracedTensor) -> int:
    at = node.argument(1, "dim", node.named.get("axis"))
    if not isinstance(at, int):
        raise OpaqueError
    return at % len(x.shape)


def _reduction(node: Node, out: WrittenCell) -> tuple[TracedTensor, list[str], list[str]]:
    """What is reduced, the letters of its axes, and those of them that are run over."""
    x = node.arguments[0]
    at = node.argument(1, "dim", node.named.get("axis"))
    if isinstance(at, (TracedTensor, bool)):
        raise OpaqueError
    every = range(len(x.shape))
    gone = {*every} if at is None else {number % len(x.shape) for number in ([at] if isinstance(at, int) else at)}
    if len(gone) > len(SUMMED):
        raise OpaqueError
    kept = len(node.output.shape) == len(x.shape)
    if kept:
        out.axes = tuple("0" if axis in gone else letter for axis, letter in enumerate(out.axes))
    running, rest = iter(SUMMED), iter([letter for letter in out.axes if letter != "0"])
    axes = [next(running) if axis in gone else next(rest) for axis in every]
    return x, axes, [axes[axis] for axis in sorted(gone)]


def _with(axes: Sequence[str], at: int, letter: str, name: str) -> str:
    changed = list(axes)
    changed[at] = letter
    return f"{name}[{', '.join(changed)}]"

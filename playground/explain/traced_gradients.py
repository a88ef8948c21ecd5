"""How one cell of a gradient of a traced pass was computed: from the gradients of all that was computed from its value.

Each call that read a value hands back to it the gradient of its output, times the derivative of the output with
respect to the value. The derivatives stand in one table by function and operand, in the notation of `explain.notation`.
A cell that was only moved gets the gradients of its copies.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from playground.explain.cells import Cell, Line, ReadRegion, sum_line, worked_out
from playground.explain.declaration import Declaration
from playground.explain.latex import GRADIENTS, d, number, word
from playground.explain.notation import Operand
from playground.explain.traced_cells import AttentionCall, ClassLoss, declared, rms_eps
from playground.explain.traced_moves import MOVES, Moved, moved
from playground.explain.written_cell import SUMMED, OpaqueError, ReadTensor, WrittenCell, constant_text
from playground.recording import Node, Trace, TracedTensor

GRADIENT, HANDED = GRADIENTS

TOLERANCE = 1e-4
"""Of a sum of contributions, relative to the largest cell of all gradients in it, which have single precision."""


@dataclass(frozen=True)
class HandedBack:
    """What a call hands back from the gradient of one of its outputs to one of its inputs."""

    node: Node
    value: TracedTensor  # the input
    output: int = 0
    role: str = ""  # the name of the input in the declaration of the call
    rule: WrittenCell | None = None  # how each cell is computed
    copies: Moved | None = None  # or, of what is only moved, where the output's cells were copied from

    @property
    def is_opaque(self) -> bool:
        """True if its rule isn't known."""
        return self.rule is None and self.copies is None

    @property
    def name(self) -> str:
        """The call, counted from 1 as on the page."""
        return f"from {self.node.index + 1} {self.node.function}"

    def cell(self, index: tuple[int, ...]) -> Cell:
        """What the cell at `index` of the input gets. Raises `OpaqueError` if the rule isn't known."""
        if self.rule:
            return self.rule.cell(self.name, self.value.shape, index)
        if not self.copies:
            raise OpaqueError
        read = ReadTensor(self.node.outputs[self.output], (), (), gradient=True)
        cells = self.copies.copies(self.value, index)
        numbers = np.array([read.operand.numbers.reshape(read.value.shape)[cell] for cell in cells])
        copied = {GRADIENT: Operand(read.name, numbers, ("k",), (False,))}
        cell = worked_out(_COPIES, self.name, (), (), copied)
        boxes = (tuple((at, at + 1) for at in cell) for cell in cells)
        return replace(cell, reads=tuple(ReadRegion(read.name, box, gradient=True) for box in boxes))


def traced_gradient_cell(trace: Trace, value: TracedTensor, index: tuple[int, ...]) -> Cell | None:
    """How the cell at `index` of the gradient of a value came about; None if it has no gradient.

    Each call that read the value has its lines, and the last line is their sum. A line of what no rule explains has the
    rest up to the recorded number: what the loss gives to an output, what opaque calls hand back, or a path that a
    trace doesn't see, such as one through shared memory. Reads are named by the index of the `TracedTensor`. Raises
    IndexError for an index outside the tensor.
    """
    if value.gradient is None or value.gradient.is_complex():
        return None
    if len(index) != len(value.shape) or not all(0 <= at < size for at, size in zip(index, value.shape)):
        raise IndexError(f"The gradient {value.shape} has no cell {tuple(index)}.")
    found = [each for node in trace if value in node.inputs for each in handed_back(node) if each.value is value]
    lines, reads, parts, opaque = list[Line](), list[ReadRegion](), list[tuple[str, float]](), list[str]()
    for each in found:
        try:
            cell = each.cell(index)
        except (OpaqueError, ArithmeticError):
            opaque.append(each.name)
            continue
        lines += [*cell.lines[:-1], replace(cell.lines[-1], name=each.name)]
        reads += cell.reads
        parts.append((each.name, cell.value))
    rest = float(value.gradient[index]) - sum(part for _, part in parts)
    of_loss = value in trace.outputs.values()
    if opaque or not parts or not _is_rounding(rest, value, found):
        name = " and ".join([*opaque, *(["given by the loss"] if of_loss else [])]) or "in another way"
        parts.append((name, rest))
        lines.append(Line(name, rf"\text{{{name}}}", number(rest, 4), rest))
    symbolic = "+".join(rf"\text{{{name}}}" for name, _ in parts)
    lines.append(sum_line(f"{d('x')}={symbolic}", [part for _, part in parts]))
    remark = f"The rule of {', '.join(each.removeprefix('from ') for each in opaque)} is not known." if opaque else ""
    return Cell(lines[-1].value, tuple(lines), tuple(dict.fromkeys(reads)), remark=remark)


def _is_rounding(rest: float, value: TracedTensor, found: Sequence[HandedBack]) -> bool:
    """True if contributions that leave this rest are the recorded gradient of a value, but for rounding."""
    gradients = [value.gradient, *(each.node.outputs[each.output].gradient for each in found)]
    finite = [each[each.isfinite()].abs() for each in gradients if each is not None]
    largest = max((float(each.max()) for each in finite if each.numel()), default=0.0)
    return not abs(rest) > TOLERANCE * largest  # also where both are NaN


def handed_back(node: Node) -> list[HandedBack]:
    """What a call hands back to its inputs that have a gradient, one of which it may read twice."""
    asked = [value for value in dict.fromkeys(node.inputs) if value.gradient is not None]
    outputs = [at for at, value in enumerate(node.outputs) if value.gradient is not None and value.node is node]
    if not asked or not outputs:
        return []
    opaque = [HandedBack(node, value) for value in asked]
    if node.in_place and len(node.outputs) > 1:
        return opaque  # the gradients of tensors that share its memory take other paths
    try:
        if (copied := [(at, copies) for at in outputs if (copies := _copied(node, at))]) or node.function in MOVES:
            known = [
                HandedBack(node, value, at, copies=copies)
                for at, copies in copied
                for value in asked
                if value in copies.sources
            ]
            return known if len(copied) == len(outputs) else opaque
        forward = declared(node)
        if forward is None or node.function not in RULES or outputs != [0]:
            return opaque
        rules = RULES[node.function]
        return [
            HandedBack(node, read.value, role=role, rule=_written(node, forward, role, rules[role]))
            for role, read in forward.operands.items()
            if read.value.gradient is not None and role in rules
        ]
    except OpaqueError:
        return opaque


def _copied(node: Node, output: int) -> Moved | None:
    if node.function != "embedding":
        return moved(node, output)
    tokens, table = node.argument(0, "input"), node.argument(1, "weight")
    if tokens.tensor is None or node.argument(5, "scale_grad_by_freq", False):
        raise OpaqueError
    width, padding = table.shape[1], node.argument(2, "padding_idx")
    origins = tokens.tensor.long().unsqueeze(-1) * width + torch.arange(width)
    if padding is not None:
        origins[tokens.tensor == padding % table.shape[0]] = -1  # no gradient reaches its row
    return Moved((table,), origins, 0.0)


# --- writing a rule -------------------------------------------------------------------------------


class _Back:
    """Writes what a call hands back to one operand; `back["x"]` is an expression that reads the operand x."""

    def __init__(self, node: Node, forward: WrittenCell, role: str) -> None:
        self.node, self.forward = node, forward
        read = forward.operands[role]
        shape = node.output.shape or (1,)
        self._operands = {
            **forward.operands,
            GRADIENT: ReadTensor(node.output, forward.axes or ("0",), tuple(size == 1 for size in shape), True),
            "out": ReadTensor(node.output, forward.axes or ("0",), tuple(size == 1 for size in shape)),
        }
        # An axis of size 1 that serves a larger one of the output has no letter: it gets the sum over that axis.
        large = {
            letter
            for each in self._operands.values()
            for letter, size in zip(each.letters, each.value.shape)
            if size != 1
        }
        axes = tuple(
            "0" if size == 1 and letter in large else letter for letter, size in zip(read.letters, read.value.shape)
        )
        self.written = WrittenCell(axes, name=HANDED, symbols=_symbols(role))
        self._used = set[str]()

    def __getitem__(self, name: str) -> str:
        return self.read(name) if name in self._operands else self.forward.constants[name]

    def read(self, name: str, **running: str) -> str:
        """An expression that reads an operand, with other letters for those that an index runs over."""
        value, letters, _, gradient = self._operands[name]
        kept = self.written.operands[name].letters if name in self.written.operands else ()
        axes, indices = list[str](), list[str]()
        for letter, size in zip(letters, value.shape or (1,)):
            known = letter in self.written.axes or letter in running or letter in kept
            axes.append(letter if known or size != 1 else "0")
            indices.append(running.get(letter, letter) if axes[-1] != "0" else "0")
        self._used.update({*indices} - {*running.values()})
        spread = tuple(size == 1 for size in value.shape or (1,))
        self.written.operands[name] = ReadTensor(value, tuple(axes), spread, gradient)
        return f"{name}[{', '.join(indices)}]"

    def over(self, letter: str, body: str, kind: str = "sum", only: str = "") -> str:
        """A reduction with the index that `running` gives to an axis."""
        condition = f" if {only}" if only else ""
        return f"{kind}({body} for {self.running} in {letter.upper()}{condition})"

    @property
    def running(self) -> str:
        """A letter for an index that runs over an axis of the operand."""
        return next(letter for letter in SUMMED if letter not in self.written.axes)

    def line(self, text: str) -> None:
        """Adds a line before the result."""
        self.written.lines += (text,)

    def finish(self, text: str) -> WrittenCell:
        """The cell: the text, of which " when " separates a condition, summed over the axes that the operand lacks."""
        expression, _, condition = text.partition(" when ")
        order = [*self.forward.axes, *SUMMED]
        summed = sorted(self._used - {*self.written.axes, "0"}, key=order.index)
        if condition and not summed:
            expression = f"{expression} if {condition} else 0"
        elif len(summed) > 1 and condition:  # the notation has no conditions in inner sums
            expression, condition = f"{expression} * ({condition})", ""
        only = f" if {condition}" if condition else ""
        for letter in reversed(summed):
            expression = f"sum({expression} for {letter} in {letter.upper()}{only})"
        self.written.text = expression
        return self.written


_Rule = str | Callable[[_Back], str]
"""The gradient of the output times a derivative; in a text, operands stand in braces."""


def _written(node: Node, forward: WrittenCell, role: str, rule: _Rule) -> WrittenCell:
    back = _Back(node, forward, role)
    return back.finish((rule if isinstance(rule, str) else rule(back)).format_map(back))


def _symbols(role: str) -> dict[str, str]:
    return {GRADIENT: word("out"), HANDED: role if len(role) == 1 else word(role)}


_COPIES = Declaration(f"{HANDED} = sum({GRADIENT}[k] for k in K)", f"{GRADIENT}[k]", other_symbols=_symbols("x"))


# --- the rules ------------------------------------------------------------------------------------


def _scaled(sign: str) -> _Rule:
    def rule(back: _Back) -> str:
        alpha = back.node.named.get("alpha", 1)
        return sign + "{gradient}" + ("" if alpha == 1 else f" * {constant_text(alpha)}")

    return rule


def _power(back: _Back) -> str:
    exponent = back.node.argument(1, "exponent")
    if isinstance(exponent, TracedTensor):
        return "{gradient} * {y} * {x} ** ({y} - 1)"
    return "{gradient} * {y} * {x}" + ("" if exponent == 2 else f" ** {constant_text(exponent - 1)}")


def _silu(back: _Back) -> str:
    back.line("sigmoid = 1 / (1 + exp(-{x}))".format_map(back))
    return "{gradient} * sigmoid * (1 + {x} * (1 - sigmoid))"


def _gelu(back: _Back) -> str:
    x = back["x"]
    if back.node.named.get("approximate", "none") == "none":
        return f"{{gradient}} * (Phi({x}) + {x} * exp(-{x} ** 2 / 2) / {constant_text(math.sqrt(2 * math.pi))})"
    slope = constant_text(math.sqrt(2 / math.pi))
    back.line(f"t = tanh({slope} * ({x} + 0.044715 * {x} ** 3))")
    return f"{{gradient}} * (1 + t + {x} * (1 - t ** 2) * {slope} * (1 + 0.134145 * {x} ** 2)) / 2"


def _clamp(back: _Back) -> str:
    bounds = {"low": " {x} >= {low}", "high": " {x} <= {high}"}
    known = {*back.forward.operands, *back.forward.constants}
    return "{gradient} when" + " and".join(text for name, text in bounds.items() if name in known)


def _bound(role: str) -> _Rule:
    def rule(back: _Back) -> str:
        if not {"low", "high"} <= {*back.forward.operands, *back.forward.constants}:
            return "{gradient} when {x} " + ("< {low}" if role == "low" else "> {high}")
        # Where the bounds are in the wrong order, the result is the upper one.
        return "{gradient} when " + ("max({x}, {low}) > {high}" if role == "high" else "{x} < {low} and {low} < {high}")

    return rule


def _factors(role: str) -> _Rule:
    return lambda back: " * ".join(["{gradient}", *(f"{{{name}}}" for name in back.forward.operands if name != role)])


def _axis(back: _Back) -> str:
    """The letter of the axis that a call such as softmax runs along."""
    at = back.node.argument(1, "dim", back.node.named.get("axis"))
    return back.forward.axes[at % len(back.forward.axes)]


def _softmax(back: _Back) -> str:
    letter = _axis(back)
    given, out = (back.read(name, **{letter: back.running}) for name in (GRADIENT, "out"))
    back.line(f"weighted = {back.over(letter, f'{given} * {out}')}")
    return "{out} * ({gradient} - weighted)"


def _log_softmax(back: _Back) -> str:
    letter = _axis(back)
    back.line(f"total = {back.over(letter, back.read(GRADIENT, **{letter: back.running}))}")
    return "{gradient} - exp({out}) * total"


def _attention(role: str) -> _Rule:
    """A weight is written out, since the call keeps none."""

    def rule(back: _Back) -> str:
        call, (row, column) = AttentionCall.of(back.node), back.forward.axes[-2:]

        def power(key: str) -> str:
            def read(name: str) -> str:
                letters = {"query": {"c": "e"}, "key": {"c": "e", "k": key}, "mask": {"k": key}}[name]
                return back.read(name, **{letter: to for letter, to in letters.items() if letter != to})

            conditions[key] = call.condition(read, row, key)
            return f"exp({call.score(read, 'e')})"

        conditions = dict[str, str]()
        total = power("r") + (f" * ({conditions['r']})" if conditions["r"] else "")
        weight = f"{power('k')} / sum({total} for r in K)"
        when = f" when {conditions['k']}" if conditions["k"] else ""
        # The letter g is that of the heads of keys and values, which are not those of the queries.
        shared = f"({back.forward.axes[-3]} - 1) // {call.group} + 1" if call.group > 1 else ""
        of_head = f" * ({shared} == g)" if shared and role in ("key", "value") else ""
        if role == "value":
            return f"{weight} * {back[GRADIENT]}{of_head}{when}"
        given, value, out = (back.read(name, **{column: "h"}) for name in (GRADIENT, "value", "out"))
        slope = f"{weight} * sum({given} * ({value} - {out}) for h in {column.upper()})"
        if role != "mask":
            slope += f" * {back['key' if role == 'query' else 'query']}{call.scale}{of_head}{when}"
        if not shared or of_head:
            return slope
        back._used.discard("g")
        if role == "query":
            back.line(f"group = {shared}")
        return re.sub(r"\bg\b", "group" if role == "query" else shared, slope)

    return rule


def _gone(back: _Back) -> list[str]:
    """The letters of the axes that are summed up, or whatever else is done to them."""
    return [letter for letter in back.forward.operands["x"].letters if letter not in (*back.forward.axes, "0")]


def _count(back: _Back) -> int:
    read = back.forward.operands["x"]
    return math.prod(size for letter, size in zip(read.letters, read.value.shape) if letter not in back.forward.axes)


def _mean(back: _Back) -> str:
    return f"{{gradient}} / {_count(back)}"


def _extreme(back: _Back) -> str:
    """All cells that are the maximum share its gradient; with `dim`, torch takes the one that it gives the index of."""
    gone = _gone(back)
    if len(back.node.outputs) > 1:
        indices = back.node.outputs[1]
        back._operands["indices"] = back._operands["out"]._replace(value=indices)
        return f"{{gradient}} when {{indices}} == {gone[0]} - 1"
    running = dict(zip(gone, (letter for letter in SUMMED if letter not in gone)))
    if len(running) < len(gone):
        raise OpaqueError
    ties = f"({back.read('x', **running)} == {back['out']})"
    for letter, index in running.items():
        ties = f"sum({ties} for {index} in {letter.upper()})"
    back.line(f"ties = {ties}")
    return "{gradient} / ties when {x} == {out}"


def _spread(root: bool) -> _Rule:
    def rule(back: _Back) -> str:
        (letter,) = _gone(back)
        back.line(f"average = {back.over(letter, back.read('x', **{letter: back.running}), 'mean')}")
        correction = back.node.named.get("correction", int(back.node.argument(2, "unbiased", True)))
        count = constant_text(_count(back) - correction)
        return "{gradient} * ({x} - average) / " + (f"({count} * {{out}})" if root else f"{count} * 2")

    return rule


def _layer_norm(back: _Back) -> str:
    letter = back.forward.axes[-1]
    running = {letter: back.running}
    x, k = back["x"], back.read("x", **running)
    eps = back.node.argument(4, "eps", 1e-5)
    slope = back.read(GRADIENT, **running)
    own = "{gradient}"
    if "gain" in back.forward.operands:
        slope, own = f"{slope} * {back.read('gain', **running)}", "{gradient} * {gain}"
    back.line(f"mean_of_row = {back.over(letter, k, 'mean')}")
    variance = back.over(letter, f"({k} - mean_of_row) ** 2", "mean")
    back.line(f"deviation = sqrt({variance} + {constant_text(eps)})")
    back.line(f"average = {back.over(letter, slope, 'mean')}")
    back.line(f"tilt = {back.over(letter, f'{slope} * ({k} - mean_of_row)', 'mean')} / deviation")
    return f"({own} - average - ({x} - mean_of_row) / deviation * tilt) / deviation"


def _rms_norm(back: _Back) -> str:
    letter = back.forward.axes[-1]
    running = {letter: back.running}
    k, slope, own = back.read("x", **running), back.read(GRADIENT, **running), "{gradient}"
    if "gain" in back.forward.operands:
        slope, own = f"{slope} * {back.read('gain', **running)}", "{gradient} * {gain}"
    back.line(f"root = sqrt({back.over(letter, f'{k} ** 2', 'mean')} + {constant_text(rms_eps(back.node))})")
    back.line(f"tilt = {back.over(letter, f'{slope} * {k}', 'mean')} / root ** 2")
    return f"({own} - {{x}} * tilt) / root"


def _gain(back: _Back) -> str:
    """The normalised number is that of the output, without gain and bias."""
    gain = back.forward.operands["gain"].value.tensor
    if gain is None or bool((gain == 0).any()):
        raise OpaqueError
    plain = "({out} - {bias})" if "bias" in back.forward.operands else "{out}"
    return f"{{gradient}} * {plain} / {{gain}}"


def _triangle(keeps: str) -> _Rule:
    def rule(back: _Back) -> str:
        row, column = back.forward.axes[-2:]
        diagonal = constant_text(back.node.argument(1, "diagonal", 0))
        return f"{{gradient}} when {column} - {row} {keeps} {diagonal}"

    return rule


def _cumsum(back: _Back) -> str:
    letter = _axis(back)
    given = back.read(GRADIENT, **{letter: back.running})
    return back.over(letter, given, only=f"{back.running} >= {letter}")


def _class_loss(back: _Back) -> str:
    loss = ClassLoss.of(back.node)
    divisor = f" / {loss.counted}" if loss.reduction == "mean" else ""
    kept = "" if loss.ignored is None else f"{{target}} != {loss.ignored}"
    if back.node.function == "nll_loss":
        return f"-{{gradient}}{divisor} when {{target}} == v" + (f" and {kept}" if kept else "")
    back.line(f"log_of_sum = {back.over('v', back.read('x', v=back.running), 'logsumexp')}")
    return f"{{gradient}} * (exp({{x}} - log_of_sum) - ({{target}} == v)){divisor}" + (f" when {kept}" if kept else "")


def _squared_error(sign: str) -> _Rule:
    def rule(back: _Back) -> str:
        mean = back.node.named.get("reduction", "mean") == "mean"
        return f"{sign}{{gradient}} * 2 * ({{x}} - {{y}})" + (f" / {_count(back)}" if mean else "")

    return rule


_EXTREME = {"x": _extreme}
_EACH_FACTOR = {"x": "{gradient} * {y}", "y": "{gradient} * {x}"}
_FACTORS_AND_BIAS = {**_EACH_FACTOR, "bias": "{gradient}"}

RULES: Mapping[str, Mapping[str, _Rule]] = {
    "add": {"x": "{gradient}", "y": _scaled("")},
    "sub": {"x": "{gradient}", "y": _scaled("-")},
    "rsub": {"x": "-{gradient}", "y": "{gradient}"},
    "mul": _EACH_FACTOR,
    "div": {"x": "{gradient} / {y}", "y": "-{gradient} * {out} / {y}"},
    "rdiv": {"x": "-{gradient} * {out} / {x}", "y": "{gradient} / {x}"},
    "pow": {"x": _power, "y": "{gradient} * {out} * log({x})"},
    "rpow": {"x": "{gradient} * {out} * log({y})", "y": "{gradient} * {x} * {y} ** ({x} - 1)"},
    # Equal numbers share the gradient.
    "maximum": {
        "x": "{gradient} * (({x} > {y}) + ({x} >= {y})) / 2",
        "y": "{gradient} * (({y} > {x}) + ({y} >= {x})) / 2",
    },
    "minimum": {
        "x": "{gradient} * (({x} < {y}) + ({x} <= {y})) / 2",
        "y": "{gradient} * (({y} < {x}) + ({y} <= {x})) / 2",
    },
    "neg": {"x": "-{gradient}"},
    "abs": {"x": "{gradient} * (({x} > 0) - ({x} < 0))"},
    "clamp": {"x": _clamp, "low": _bound("low"), "high": _bound("high")},
    "exp": {"x": "{gradient} * {out}"},
    "log": {"x": "{gradient} / {x}"},
    "sqrt": {"x": "{gradient} / (2 * {out})"},
    "rsqrt": {"x": "-{gradient} * {out} ** 3 / 2"},
    "square": {"x": "{gradient} * 2 * {x}"},
    "reciprocal": {"x": "-{gradient} * {out} ** 2"},
    "sin": {"x": "{gradient} * cos({x})"},
    "cos": {"x": "-{gradient} * sin({x})"},
    "tanh": {"x": "{gradient} * (1 - {out} ** 2)"},
    "relu": {"x": "{gradient} when {x} > 0"},
    "sigmoid": {"x": "{gradient} * {out} * (1 - {out})"},
    "silu": {"x": _silu},
    "gelu": {"x": _gelu},
    "erf": {"x": f"{{gradient}} * 2 * exp(-{{x}} ** 2) / {math.sqrt(math.pi)!r}"},
    "linear": {"x": "{gradient} * {W}", "W": "{gradient} * {x}", "bias": "{gradient}"},
    **dict.fromkeys(["matmul", "bmm", "mm", "mv", "dot", "outer", "rmatmul"], _EACH_FACTOR),
    "addmm": _FACTORS_AND_BIAS,
    "baddbmm": _FACTORS_AND_BIAS,
    "einsum": {role: _factors(role) for role in "xyzw"},
    "softmax": {"x": _softmax},
    "log_softmax": {"x": _log_softmax},
    "scaled_dot_product_attention": {role: _attention(role) for role in ("query", "key", "value", "mask")},
    "logsumexp": {"x": "{gradient} * exp({x} - {out})"},
    "cross_entropy": {"x": _class_loss},
    "nll_loss": {"x": _class_loss},
    "mse_loss": {"x": _squared_error(""), "y": _squared_error("-")},
    "sum": {"x": "{gradient}"},
    "mean": {"x": _mean},
    **dict.fromkeys(["amax", "amin", "max", "min"], _EXTREME),
    "var": {"x": _spread(root=False)},
    "std": {"x": _spread(root=True)},
    "layer_norm": {"x": _layer_norm, "gain": _gain, "bias": "{gradient}"},
    "rms_norm": {"x": _rms_norm, "gain": _gain},
    "masked_fill": {"x": "{gradient} when {mask} == 0", "value": "{gradient} when {mask} != 0"},
    "where": {"x": "{gradient} when {c} != 0", "y": "{gradient} when {c} == 0"},
    "tril": {"x": _triangle("<=")},
    "triu": {"x": _triangle(">=")},
    "cumsum": {"x": _cumsum},
}
"""What a call hands back to each operand, by function and by the operand's name in the declaration of the call."""

r"""Declarations as LaTeX: in the symbols of the formulas, or with the numbers of one cell plugged in.

Indices count as in `explain.notation`: from 1, token ids from 0. The batch, which holds one input, is left out.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from playground.explain.notation import Reduction, Scope, Value, subscripts

WRITTEN_OUT = 4
"""Longer sums are written with their first two terms and the last."""

SYMBOLS: Mapping[str, str] = {
    "tokens": r"\mathrm{id}",
    "mean": r"\mu",
    "variance": r"\sigma^2",
    "angle": r"\alpha",
    "squares": r"\overline{u^2}",
    "K": "d_k",
    "P": "d_r",
    "E": "N_E",
    "inf": r"\infty",
    "eps": r"\varepsilon",
}
"""Symbols of names in any declaration, unless its document has others."""

GRADIENTS = ("gradient", "handed")
"""Names in backward rules: the gradient at what an operation has computed, and what it hands back to something read."""

_COMPARED = {
    ast.Eq: ("=", r"\ne "),
    ast.NotEq: (r"\ne ", "="),
    ast.Lt: ("<", r"\ge "),
    ast.LtE: (r"\le ", ">"),
    ast.Gt: (">", r"\le "),
    ast.GtE: (r"\ge ", "<"),
}
"""Signs of a comparison that holds, and of one that does not."""

# How strongly an expression holds together; a weaker one gets parentheses.
_LOOSE, _SUM, _NEGATIVE, _PRODUCT, _ATOM = range(5)
_Written = tuple[str, int]


def word(name: str) -> str:
    """A tap that formulas call by its name."""
    return rf"\mathrm{{{name}}}"


def d(of: str) -> str:
    """The gradient of the loss at `of`."""
    return rf"\frac{{\partial L}}{{\partial {of}}}"


def number(value: float, decimals: int | None = None) -> str:
    """A number with so many decimals or, by default, about four significant digits."""
    if math.isnan(value):
        return word("NaN")
    if value < 0:
        return f"{{-{number(-value, decimals)}}}"  # in braces, so that the sign stands close to the number
    if math.isinf(value):
        return r"\infty"
    if isinstance(value, int) or value == 0:
        return str(int(value))
    digits, _, power = _digits(value, decimals).partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits


def exactly(value: float) -> str:
    """A constant of a formula, with all its digits."""
    digits, _, power = f"{value:g}".partition("e")
    return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits


def _digits(value: float, decimals: int | None) -> str:
    if 0.001 <= value < 100_000:
        return f"{value:.{decimals or (4 if value < 0.1 else 3 if value < 10 else 2)}f}"
    return f"{value:.{decimals or 1}e}"


def equals(result: float, *shown: float) -> str:
    """The sign before a result, which has four decimals: = if no number is rounded, ≈ if one is."""
    numbers = [(result, 4), *((value, None) for value in shown)]
    whole = all(
        value == 0
        or not math.isfinite(value)
        or isinstance(value, int)
        or float(_digits(abs(value), digits)) == abs(value)
        for value, digits in numbers
    )
    return "=" if whole else r"\approx "


def symbol(name: str, symbols: Mapping[str, str], indices: Sequence[str] = ()) -> str:
    """The symbol of a name, with its indices as subscripts; for GRADIENTS, the gradient at that symbol."""
    written = symbols.get(name) or SYMBOLS.get(name) or (word(name) if len(name) > 1 else name)
    written = f"{written}_{{{','.join(indices)}}}" if indices else written
    return d(written) if name in GRADIENTS else written


@dataclass(frozen=True)
class Writer:
    """Writes expressions of one scope: in symbols, or `plugged`, with numbers for them."""

    scope: Scope
    symbols: Mapping[str, str]
    transposed: str  # the name whose two indices the formulas write in the other order, or ""
    plugged: bool
    bound: frozenset[str] = frozenset()  # indices that stand as letters
    inside: bool = False  # of a sum whose terms are being written out

    def write(self, node: ast.expr) -> str:
        """An expression."""
        return self._write(node)[0]

    def _at_least(self, strength: int, node: ast.expr) -> str:
        return _held(self._write(node), strength)

    def _value(self, node: ast.expr) -> _Written:
        return _weighed(self.scope.value(node))

    def _write(self, node: ast.expr) -> _Written:
        match node:
            case ast.Constant(value=value):
                return _weighed(value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript():
                return self._value(node) if self.plugged else (self._read(node), _ATOM)
            case ast.UnaryOp(operand=operand):
                return self._value(node) if self.plugged else (f"-{self._at_least(_PRODUCT, operand)}", _NEGATIVE)
            case ast.BinOp():
                return self._operation(node)
            case ast.BoolOp(values=parts):
                return r" \wedge ".join(self._at_least(_ATOM, part) for part in parts), _LOOSE
            case ast.Compare():
                return f"[{self._compared(node)}]", _ATOM
            case ast.IfExp(body=body):
                side = self.scope.side(node)
                reason = "" if self.plugged or side is body else self._reason(node.test)
                written, strength = self._write(side)
                return written + reason, (_LOOSE if reason else strength)
            case ast.Call() if reduction := Reduction.of(node):
                if not self.plugged:
                    return self._reduction(reduction)
                return self._value(node) if self.inside else self._written_out(reduction)
            case ast.Call(func=ast.Name(id="exp"), args=[argument]):
                return f"e^{{{self.write(argument)}}}", _ATOM
            case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
                return rf"\sqrt{{{self.write(argument)}}}", _ATOM
            case ast.Call(func=ast.Name(id=name), args=arguments):  # LaTeX has the same names
                return rf"\{name}\left({','.join(map(self.write, arguments))}\right)", _ATOM
        raise TypeError(f"{ast.unparse(node)} cannot be written.")

    def _name(self, name: str) -> _Written:
        if name in self.bound:
            return name, _ATOM
        if name in self.scope.formula.cell:
            return _weighed(self.scope.names[name])
        if self.plugged:
            return self._value(ast.Name(name))
        return symbol(name, self.symbols), _ATOM

    def _read(self, node: ast.Subscript) -> str:
        role = ast.unparse(node.value)
        tensor = self.scope.tensors[role]
        indices = [
            self.write(part) if self._is_open(part) else number(self.scope.value(part))
            for part, axis, spread in zip(subscripts(node), tensor.axes, tensor.spread, strict=True)
            if axis not in ("b", "0") and not spread
        ]
        return symbol(role, self.symbols, indices[::-1] if role == self.transposed else indices)

    def _is_open(self, index: ast.expr) -> bool:
        """True for an index that is written as it stands: it runs, or is looked up."""
        return any(
            isinstance(part, ast.Subscript) or (isinstance(part, ast.Name) and part.id in self.bound)
            for part in ast.walk(index)
        )

    def _operation(self, node: ast.BinOp) -> _Written:
        left, right = node.left, node.right
        match node.op:
            case ast.Add():
                return f"{self._at_least(_SUM, left)}+{self._at_least(_PRODUCT, right)}", _SUM
            case ast.Sub():
                return f"{self._at_least(_SUM, left)}-{self._at_least(_PRODUCT, right)}", _SUM
            case ast.Mult():
                return rf"{self._at_least(_PRODUCT, left)} \cdot {self._at_least(_PRODUCT, right)}", _PRODUCT
            case ast.Div():
                return rf"\frac{{{self.write(left)}}}{{{self.write(right)}}}", _PRODUCT
            case ast.FloorDiv():
                return (
                    rf"\left\lfloor {self._at_least(_PRODUCT, left)}/{self._at_least(_ATOM, right)}\right\rfloor",
                    _ATOM,
                )
            case ast.Mod():
                return rf"{self._at_least(_ATOM, left)} \bmod {self._at_least(_ATOM, right)}", _PRODUCT
            case _:
                return f"{{{self._at_least(_ATOM, left)}}}^{{{self._small(right)}}}", _ATOM

    def _small(self, node: ast.expr) -> str:
        """An exponent: its fraction on one line, or nobody could read it."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return f"{self._at_least(_PRODUCT, node.left)}/{self._at_least(_ATOM, node.right)}"
        return self.write(node)

    def _compared(self, node: ast.Compare, holds: bool = True) -> str:
        sign = _COMPARED[type(node.ops[0])][not holds]
        return f"{self.write(node.left)}{sign}{self.write(node.comparators[0])}"

    def _reason(self, test: ast.expr) -> str:
        """Why the other side of a choice was taken, if that depends on more than the position."""
        lines = self.scope.formula.lines
        if not any(isinstance(p, ast.Subscript) or (isinstance(p, ast.Name) and p.id in lines) for p in ast.walk(test)):
            return ""
        why = self._compared(test, holds=False) if isinstance(test, ast.Compare) else f"{self.write(test)}=0"
        return rf"\quad \text{{as}}\enspace {why}"

    def _reduction(self, reduction: Reduction) -> _Written:
        inner = replace(self, bound=self.bound | {reduction.index})
        under = reduction.index
        if isinstance(reduction.only, ast.Compare):
            under += f":{inner._compared(reduction.only)}"
        body = inner._at_least(_PRODUCT, reduction.body)
        if reduction.kind == "mean":
            return rf"\frac{{1}}{{{symbol(reduction.size, self.symbols)}}}\sum_{{{under}}}{body}", _SUM
        if reduction.kind == "logsumexp":
            return rf"\log\sum_{{{under}}}e^{{{inner.write(reduction.body)}}}", _SUM
        sign = {"any": "bigvee"}.get(reduction.kind, reduction.kind)
        return rf"\{sign}\limits_{{{under}}}{body}", _SUM

    def _written_out(self, reduction: Reduction) -> _Written:
        indices = self.scope.over(reduction)[1].tolist()
        shown = indices if len(indices) <= WRITTEN_OUT else [*indices[:2], indices[-1]]
        terms = [
            replace(self, scope=self.scope.at(reduction.index, position), inside=True)._write(reduction.body)
            for position in shown
        ]
        if reduction.kind in ("max", "min"):
            parts = [written for written, _ in terms]
            return rf"\{reduction.kind}\left({_joined(parts, ',', len(indices))}\right)", _ATOM
        if reduction.kind == "logsumexp":
            powers = [f"e^{{{written}}}" for written, _ in terms]
            return rf"\log\left({_joined(powers, '+', len(indices))}\right)", _ATOM
        if reduction.kind == "any":
            return _joined([_held(term, _ATOM) for term in terms], r" \vee ", len(indices)), _LOOSE
        parts = [_held(term, _PRODUCT if index else _NEGATIVE) for index, term in enumerate(terms)]
        total = _joined(parts, "+", len(indices)) or "0"
        if reduction.kind == "mean":
            return rf"\frac{{{total}}}{{{len(indices)}}}", _PRODUCT
        return total, (_SUM if len(terms) > 1 else _ATOM)


def _weighed(value: Value) -> _Written:
    return number(value), (_NEGATIVE if value < 0 else _ATOM)


def _held(expression: _Written, strength: int) -> str:
    written, own = expression
    return written if own >= strength else rf"\left({written}\right)"


def _joined(parts: list[str], sign: str, of: int) -> str:
    """The parts, with dots before the last one where some of them are left out."""
    if len(parts) < of:
        parts = [*parts[:-1], r"\dots", parts[-1]]
    return sign.join(parts)

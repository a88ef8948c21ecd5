"""Declarations as MathML: with the letters of the paper, or with the numbers of one cell plugged in.

Indices count as in `explain.notation`: from 1, token ids from 0. The batch, which holds one input, is left out.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from playground.explain.notation import Reduction, Scope, Value, subscripts

WRITTEN_OUT = 4
"""Longer sums are written with their first two terms and the last."""


@dataclass(frozen=True)
class Symbol:
    """How a name is written: Q, or W with a Q above it."""

    base: str
    above: str = ""
    flipped: bool = False
    """Two indices the other way round: torch keeps as `weight[d, i]` what the paper's x W has in row i, column d."""


LETTERS: Mapping[str, Symbol] = {
    "query": Symbol("Q"),
    "key": Symbol("K"),
    "value": Symbol("V"),
    "weights": Symbol("A"),
    "heads": Symbol("head"),
    "scores": Symbol("score"),
    "scaled_scores": Symbol("scaled"),
    "padding_mask": Symbol("m"),
    "causal_mask": Symbol("C"),
    "tokens": Symbol("id"),
    "labels": Symbol("y"),
    "logits": Symbol("z"),
    "token_embedding": Symbol("emb"),
    "position": Symbol("PE"),
    "table": Symbol("P"),
    "table_from_end": Symbol("P′"),
    "mean": Symbol("μ"),
    "variance": Symbol("σ", "2"),
    "angle": Symbol("α"),
    "K": Symbol("d_k"),
    "inf": Symbol("∞"),
    "eps": Symbol("ε"),
}
"""Names that are not written as they stand in a declaration, unless it says otherwise."""

_COMPARED = {
    ast.Eq: ("=", "≠"),
    ast.NotEq: ("≠", "="),
    ast.Lt: ("<", "≥"),
    ast.LtE: ("≤", ">"),
    ast.Gt: (">", "≤"),
    ast.GtE: ("≥", "<"),
}
"""Signs of a comparison that holds, and of one that does not."""

_MOD = '<mo lspace="0.3em" rspace="0.3em">mod</mo>'

# How strongly an expression holds together; a weaker one gets parentheses.
_LOOSE, _SUM, _NEGATIVE, _PRODUCT, _ATOM = range(5)
_Written = tuple[str, int]


def math_of(*parts: str) -> str:
    """A whole formula."""
    return f'<math displaystyle="true"><mrow>{"".join(parts)}</mrow></math>'


def number(value: float, decimals: int | None = None) -> str:
    """A number with a real minus sign: with so many decimals or, by default, about four significant digits."""
    size, sign = abs(value), "−" * (value < 0)
    if math.isinf(value):
        return f"<mrow>{'<mo>−</mo>' * (value < 0)}<mi>∞</mi></mrow>"
    if isinstance(value, int) or value == 0:
        return f"<mn>{sign}{int(size)}</mn>"
    if 0.001 <= size < 100_000:
        return f"<mn>{sign}{size:.{decimals or (4 if size < 0.1 else 3 if size < 10 else 2)}f}</mn>"
    digits, power = f"{size:.{decimals or 1}e}".split("e")
    return f"<mrow><mn>{sign}{digits}</mn><mo>·</mo><msup><mn>10</mn>{number(int(power))}</msup></mrow>"


def symbol_of(name: str, symbols: Mapping[str, Symbol]) -> Symbol:
    """How a declaration writes one of its names."""
    return symbols.get(name) or LETTERS.get(name) or Symbol(name)


def written(symbol: Symbol, indices: Sequence[str] = ()) -> str:
    """A symbol, with its indices as subscripts."""
    base, _, below = symbol.base.partition("_")
    if below:
        return f"<msub><mi>{escape(base)}</mi><mi>{escape(below)}</mi></msub>"
    sign, above = f"<mi>{escape(base)}</mi>", f"<mi>{escape(symbol.above)}</mi>"
    under = f"<mrow>{'<mo>,</mo>'.join(indices[::-1] if symbol.flipped else indices)}</mrow>"
    if indices and symbol.above:
        return f"<msubsup>{sign}{under}{above}</msubsup>"
    if indices:
        return f"<msub>{sign}{under}</msub>"
    return f"<msup>{sign}{above}</msup>" if symbol.above else sign


@dataclass(frozen=True)
class Writer:
    """Writes expressions of one scope: in letters, or `plugged`, with numbers for them."""

    scope: Scope
    symbols: Mapping[str, Symbol]
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
                if self.plugged:
                    return self._value(node)
                return f"<mrow><mo>−</mo>{self._at_least(_PRODUCT, operand)}</mrow>", _NEGATIVE
            case ast.BinOp():
                return self._operation(node)
            case ast.BoolOp(values=parts):
                return "<mo>∧</mo>".join(self._at_least(_ATOM, part) for part in parts), _LOOSE
            case ast.Compare():
                return f"<mo>[</mo>{self._compared(node)}<mo>]</mo>", _ATOM
            case ast.IfExp(body=body):
                side = self.scope.side(node)
                reason = "" if self.plugged or side is body else self._reason(node.test)
                markup, strength = self._write(side)
                return markup + reason, (_LOOSE if reason else strength)
            case ast.Call() if reduction := Reduction.of(node):
                if not self.plugged:
                    return self._reduction(reduction)
                return self._value(node) if self.inside else self._written_out(reduction)
            case ast.Call(func=ast.Name(id="exp"), args=[argument]):
                return f"<msup><mi>e</mi><mrow>{self.write(argument)}</mrow></msup>", _ATOM
            case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
                return f"<msqrt>{self.write(argument)}</msqrt>", _ATOM
            case ast.Call(func=ast.Name(id=name), args=arguments):
                inner = "<mo>,</mo>".join(self.write(argument) for argument in arguments)
                return f"<mi>{name.replace('Phi', 'Φ')}</mi><mo>(</mo>{inner}<mo>)</mo>", _ATOM
        raise TypeError(f"{ast.unparse(node)} cannot be written.")

    def _name(self, name: str) -> _Written:
        if name in self.bound:
            return f"<mi>{escape(name)}</mi>", _ATOM
        if name in self.scope.formula.cell:
            return _weighed(self.scope.names[name])
        if self.plugged:
            return self._value(ast.Name(name))
        return written(symbol_of(name, self.symbols)), _ATOM

    def _read(self, node: ast.Subscript) -> str:
        role = ast.unparse(node.value)
        tensor = self.scope.tensors[role]
        indices = [
            self.write(part) if self._is_open(part) else number(self.scope.value(part))
            for part, axis, spread in zip(subscripts(node), tensor.axes, tensor.spread, strict=True)
            if axis not in ("b", "0") and not spread
        ]
        return written(symbol_of(role, self.symbols), indices)

    def _is_open(self, index: ast.expr) -> bool:
        """Whether an index is written as it stands: it runs, or is looked up."""
        return any(
            isinstance(part, ast.Subscript) or (isinstance(part, ast.Name) and part.id in self.bound)
            for part in ast.walk(index)
        )

    def _operation(self, node: ast.BinOp) -> _Written:
        left, right = node.left, node.right
        match node.op:
            case ast.Add():
                return f"{self._at_least(_SUM, left)}<mo>+</mo>{self._at_least(_PRODUCT, right)}", _SUM
            case ast.Sub():
                return f"{self._at_least(_SUM, left)}<mo>−</mo>{self._at_least(_PRODUCT, right)}", _SUM
            case ast.Mult():
                return f"{self._at_least(_PRODUCT, left)}<mo>·</mo>{self._at_least(_PRODUCT, right)}", _PRODUCT
            case ast.Div():
                return f"<mfrac><mrow>{self.write(left)}</mrow><mrow>{self.write(right)}</mrow></mfrac>", _PRODUCT
            case ast.FloorDiv():
                return (
                    f"<mo>⌊</mo>{self._at_least(_PRODUCT, left)}<mo>/</mo>{self._at_least(_ATOM, right)}<mo>⌋</mo>",
                    _ATOM,
                )
            case ast.Mod():
                return f"{self._at_least(_ATOM, left)}{_MOD}{self._at_least(_ATOM, right)}", _PRODUCT
            case _:
                return (
                    f"<msup><mrow>{self._at_least(_ATOM, left)}</mrow><mrow>{self._small(right)}</mrow></msup>",
                    _ATOM,
                )

    def _small(self, node: ast.expr) -> str:
        """An exponent: its fraction on one line, or nobody could read it."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return f"{self._at_least(_PRODUCT, node.left)}<mo>/</mo>{self._at_least(_ATOM, node.right)}"
        return self.write(node)

    def _compared(self, node: ast.Compare, holds: bool = True) -> str:
        sign = escape(_COMPARED[type(node.ops[0])][not holds])
        return f"{self.write(node.left)}<mo>{sign}</mo>{self.write(node.comparators[0])}"

    def _reason(self, test: ast.expr) -> str:
        """Why the other side of a choice was taken, if that depends on more than the position."""
        lines = self.scope.formula.lines
        if not any(isinstance(p, ast.Subscript) or (isinstance(p, ast.Name) and p.id in lines) for p in ast.walk(test)):
            return ""
        if isinstance(test, ast.Compare):
            why = self._compared(test, holds=False)
        else:
            why = f"{self.write(test)}<mo>=</mo><mn>0</mn>"
        return f"<mtext>&#x2003;as&#x2002;</mtext>{why}"

    def _reduction(self, reduction: Reduction) -> _Written:
        inner = replace(self, bound=self.bound | {reduction.index})
        under = f"<mi>{reduction.index}</mi>"
        if isinstance(reduction.only, ast.Compare):
            under = f"<mrow>{under}<mo>:</mo>{inner._compared(reduction.only)}</mrow>"
        body = inner._at_least(_PRODUCT, reduction.body)
        if reduction.kind == "mean":
            size = written(symbol_of(reduction.size, self.symbols))
            return f"<mfrac><mn>1</mn>{size}</mfrac><munder><mo>∑</mo>{under}</munder>{body}", _SUM
        if reduction.kind == "logsumexp":
            power = f"<msup><mi>e</mi><mrow>{inner.write(reduction.body)}</mrow></msup>"
            return f"<mi>log</mi><munder><mo>∑</mo>{under}</munder>{power}", _SUM
        sign = {"sum": "<mo>∑</mo>", "any": "<mo>⋁</mo>"}.get(
            reduction.kind, f'<mo rspace="0.2em">{reduction.kind}</mo>'
        )
        return f"<munder>{sign}{under}</munder>{body}", _SUM

    def _written_out(self, reduction: Reduction) -> _Written:
        indices = self.scope.over(reduction)[1].tolist()
        shown = indices if len(indices) <= WRITTEN_OUT else [*indices[:2], indices[-1]]
        terms = [
            replace(self, scope=self.scope.at(reduction.index, position), inside=True)._write(reduction.body)
            for position in shown
        ]
        if reduction.kind in ("max", "min"):
            parts = [markup for markup, _ in terms]
            return f"<mi>{reduction.kind}</mi><mo>(</mo>{_joined(parts, ',', len(indices))}<mo>)</mo>", _ATOM
        if reduction.kind == "any":
            return _joined([_held(term, _ATOM) for term in terms], "∨", len(indices)), _LOOSE
        parts = [_held(term, _PRODUCT if at else _NEGATIVE) for at, term in enumerate(terms)]
        total = _joined(parts, "+", len(indices)) or "<mn>0</mn>"
        if reduction.kind == "mean":
            return f"<mfrac><mrow>{total}</mrow><mn>{len(indices)}</mn></mfrac>", _PRODUCT
        return total, (_SUM if len(terms) > 1 else _ATOM)


def _weighed(value: Value) -> _Written:
    return number(value), (_NEGATIVE if value < 0 else _ATOM)


def _held(expression: _Written, strength: int) -> str:
    markup, own = expression
    return markup if own >= strength else f"<mo>(</mo>{markup}<mo>)</mo>"


def _joined(parts: list[str], sign: str, of: int) -> str:
    """The parts, with dots before the last one where some of them are left out."""
    if len(parts) < of:
        parts = [*parts[:-1], "<mo>…</mo>", parts[-1]]
    return f"<mo>{sign}</mo>".join(parts)

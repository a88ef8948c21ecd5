r"""Formulas as they stand on the screen, worked out: LaTeX and numbers in, numbers out.

A value is an array whose axes have names, those of the declarations: Q is (h!, t, k), K^\top is (h!, k, s). Two
matrices side by side are multiplied where the last axis of the first is the first axis of the second; all else meets
axis by axis. An axis that an index stands for (t of A_{ts}) has a name with "!", and no product joins it.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

import numpy as np

TOKEN = re.compile(
    r"\\(?:text|mathrm)\{(?P<word>[^{}]*)\}|(?P<skip>\\[,;!]|\\(?:left|right)\b|\s)|\\mathrel\{(?P<plus>\+)\}="
    r"|\\hat\{(?P<hat>\w)\}|(?P<other>\\[A-Za-z]+|\\[{}]|pos|PE|FFN|\d+(?:\.\d+)?|.)"
)
FROM = {"t": 1, "s": 1, "h": 1, "k": 1, "v": 0, "i": 1, "j": 1, "g": 1, "e": 1, "p": 1, "q": 1}
"""Indices, and from where they count."""
COMPARED = {"=": np.equal, r"\ne": np.not_equal, r"\le": np.less_equal, ">": np.greater, "<": np.less}
OPENED, CLOSED = {"(", "[", "{", r"\lceil"}, {")", "]", "}", r"\rceil"}
ENDS = {"", r"\vee", r"\rceil", "+", "-", "+=", ",", ")", "]", "}", r"\}", r"\in", *COMPARED}


@dataclass(frozen=True)
class Array:
    """Numbers with a name for each axis."""

    numbers: np.ndarray
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert np.ndim(self.numbers) == len(self.axes), (np.shape(self.numbers), self.axes)

    @property
    def matrix(self) -> tuple[str, ...]:
        return tuple(axis for axis in self.axes if axis[-1] != "!")

    def renamed(self, old: str, new: str) -> "Array":
        return Array(self.numbers, tuple(new if axis == old else axis for axis in self.axes))

    def total(self, *axes: str) -> "Array":
        return Array(
            self.numbers.sum(tuple(map(self.axes.index, axes))), tuple(each for each in self.axes if each not in axes)
        )

    def transposed(self) -> "Array":
        assert len(self.matrix) == 2, f"{self.axes} is no matrix"
        one, two = (at for at, axis in enumerate(self.axes) if axis[-1] != "!")
        axes = [*self.axes]
        axes[one], axes[two] = axes[two], axes[one]
        return Array(self.numbers.swapaxes(one, two), tuple(axes))

    def put(self, index: "Array", axis: str, *, into: int | None = None) -> "Array":
        """What stands at `index` along `axis` or, with `into`, an axis of that size with all this at its `index`."""
        size = self.numbers.shape[self.axes.index(axis)] if into is None else into
        here = met(np.equal, index, Array(np.arange(size), (axis,)))
        return met(np.multiply, here, self).total(*([axis] if into is None else index.axes))


def met(function: Callable[..., np.ndarray], *arrays: Array) -> Array:
    """A function of several arrays, axis by axis."""
    if len({each.axes for each in arrays}) == 1:
        return Array(np.asarray(function(*(each.numbers for each in arrays))), arrays[0].axes)
    axes = tuple(dict.fromkeys(axis for each in arrays for axis in each.axes))
    spread = []
    for each in arrays:
        assert len(set(each.axes)) == len(each.axes), f"{each.axes} meets {axes}"
        order = sorted(range(len(each.axes)), key=lambda at: axes.index(each.axes[at]))
        shape = [each.numbers.shape[each.axes.index(axis)] if axis in each.axes else 1 for axis in axes]
        spread.append(each.numbers.transpose(order).reshape(shape))
    return Array(np.asarray(function(*spread)), axes)


def times(left: Array, right: Array) -> Array:
    """Two factors side by side."""
    joined = len(left.matrix + right.matrix) > 2 and left.matrix[-1:] == right.matrix[:1]
    if not joined:
        return met(np.multiply, left, right)
    heads = [axis for axis in ("h!",) if axis in (*left.axes, *right.axes)]
    assert {axis for each in (left, right) for axis in each.axes if axis[-1] == "!"} == {*heads}
    rows, columns = left.matrix[:-1], right.matrix[1:]
    one, two = ("h" * ("h!" in each.axes) for each in (left, right))
    spelt = f"{one}{'ab'[: len(rows)]}z,{two}z{'cd'[: len(columns)]}->{'h' * len(heads)}{'ab'[: len(rows)]}"
    return Array(np.einsum(spelt + "cd"[: len(columns)], left.numbers, right.numbers), (*heads, *rows, *columns))


class Letters(Protocol):
    """What letters mean."""

    def value(self, letter: str) -> Array | None: ...
    def gradient(self, letter: str) -> Array | None: ...
    def call(self, name: str, *arguments: Array) -> Array: ...


def key(letter: str) -> str:
    """How a letter is looked up: without the spelling of LaTeX."""
    return "".join(token for token in tokens(letter) if token not in "{}")


def tokens(text: str) -> list[str]:
    found = []
    for match in TOKEN.finditer(text):
        if match["word"]:
            found.append(match["word"])
        elif match["plus"]:
            found.append("+=")
        elif match["hat"]:
            found.append(f"^{match['hat']}")
        elif not match["skip"]:
            found.append(match["other"])
    return found


def clauses(formula: str) -> list[str]:
    """What a formula says, one after another."""
    return re.split(r",\s*\\quad|\\\\\[4pt\]", re.sub(r"\\(begin|end)\{gathered\}", "", formula))


class Reader:
    """Works out one clause while it reads it."""

    def __init__(self, text: str | Sequence[str], letters: Letters) -> None:
        self.tokens = tokens(text) if isinstance(text, str) else [*text]
        self.letters, self.at = letters, 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        assert token, f"{' '.join(self.tokens)} ends too early"
        assert wanted in ("", token), f"{token} for {wanted} in {' '.join(self.tokens)}"
        self.at += 1
        return token

    def clause(self) -> tuple[list[str], str, list[str]]:
        """Left side, sign and right side; the right side alone where there is no sign."""
        depth = 0
        for at, token in enumerate(self.tokens):
            depth += (token in OPENED) - (token in CLOSED)
            if not depth and token in ("=", "+=", r"\in"):
                return self.tokens[:at], token, self.tokens[at + 1 :]
        return [], "", self.tokens

    def all(self) -> Array:
        """The expression that is all of the text."""
        value = self.sum()
        assert not self.peek(), f"{self.peek()} is left over in {' '.join(self.tokens)}"
        return value

    def sum(self) -> Array:
        if self.peek() == "-":
            self.take()
            value = met(np.negative, self.product())
        else:
            value = self.product()
        while self.peek() in ("+", "-", r"\vee"):
            sign = {"+": np.add, "-": np.subtract, r"\vee": np.maximum}[self.take()]
            value = met(sign, value, self.product())
        return value

    def product(self) -> Array:
        value = self.factor()
        while self.peek() not in ENDS:
            if self.peek() in (r"\odot", r"\wedge", "/"):
                value = met({"/": np.divide}.get(self.take(), np.multiply), value, self.factor())
            else:
                value = times(value, self.factor())
        return value

    def factor(self) -> Array:
        value = self.atom()
        while self.peek() in ("^", "_"):
            if self.take() == "_":
                value = self.indexed(value, self.group())
            elif (above := self.group()) == [r"\top"]:
                value = value.transposed()
            else:
                value = met(np.power, value, self.inner(above))
        return value

    def atom(self) -> Array:
        token = self.take()
        if token[0].isdigit():
            return Array(np.float64(token))
        if token == r"\infty":
            return Array(np.float64(math.inf))
        if token == "{":
            self.at -= 1
            return self.inner(self.group())
        if token == r"\frac":
            above, below = self.group(), self.group()
            if above == [r"\partial", "L"]:
                inner = Reader(below[1:], self.letters)
                gradient = inner.letter(self.letters.gradient)
                assert not inner.peek(), below
                return gradient
            return met(np.divide, self.inner(above), self.inner(below))
        if token == r"\sqrt":
            return met(np.sqrt, self.inner(self.group()))
        if token == r"\sum":
            self.take("_")
            under = self.group()
            index = "".join(under[: under.index(":")] if ":" in under else under)
            body = self.product()
            if ":" in under:
                body = met(np.multiply, self.compared(under[under.index(":") + 1 :]), body)
            return body.total(f"{index}!")
        if token == "|":
            inside = self.tokens[self.at : self.tokens.index("|", self.at)]
            self.at += len(inside) + 1
            return met(np.abs, self.inner(inside))
        if token == r"\lceil":
            return met(np.ceil, self.inner(self.until(r"\rceil")))
        if token in "([":
            inside = self.until({"(": ")", "[": "]"}[token])
            if token == "[":
                return self.compared(inside)
            return self.row(inside) if len(split(inside)) > 1 else self.inner(inside)
        if token == r"\log":
            return met(np.log, self.factor())
        if self.peek() == "(" and len(token) > 1 and self.letters.value(token) is None:
            self.take()
            inside = self.until(")")
            joined = [self.row(inside)] if r"\dots" in inside else map(self.inner, split(inside))
            return self.letters.call(token, *joined)
        self.at -= 1
        return self.letter(self.letters.value)

    def letter(self, look_up: Callable[[str], Array | None]) -> Array:
        """A letter, with what belongs to its name and with its indices."""
        base, above, below = self.take(), "", []
        if self.peek() == "'":
            base += self.take()
        while self.peek() in ("^", "_") and r"\top" not in (self.peek(1), self.peek(2)):
            if self.take() == "_":
                below = self.group()
            else:
                above = self.group()
        if base == "e" and above:
            return met(np.exp, self.inner(above))
        for name, power in ((f"{base}^{''.join(above)}", []), (base, above)):
            ways = [(f"{name}_{''.join(below)}", []), *[(f"{name}_h", below)] * (below[:1] < ["A"] or below == ["H"])]
            for full, index in [*ways * bool(below), (name, below)]:
                if (found := look_up(full)) is not None:
                    value = self.indexed(found, index) if index else found
                    return met(np.power, value, self.inner(power)) if power else value
        raise AssertionError(f"{base} with {above} above and {below} below stands for nothing")

    def indexed(self, value: Array, below: Sequence[str]) -> Array:
        of, order = value.axes, []
        for index in self.indices(below, value):
            axis = axis_of(index, value)
            order.append(of.index(axis))
            if (index, axis) == ("k", "q"):  # the first columns of what a head compares
                value = Array(value.numbers[..., : self.letters.value("k").numbers.size], value.axes)
            if index == "g" and (group := self.letters.value("g")).axes == ("h!",):  # the key head of each head
                index = met(np.subtract, group, Array(np.float64(1)))
            value = value.renamed(axis, f"{index}!") if isinstance(index, str) else value.put(index, axis)
        assert order == sorted(order), f"{' '.join(below)} for {of}"
        return value

    def indices(self, below: Sequence[str], of: Array) -> list[str | Array]:
        """Names of axes, and values from 0 where an index is worked out."""
        if below[0] == "(" and below[-1] == ")":
            below = below[1:-1]
        found: list[str | Array] = []
        for part in split(below):
            if all(token in (*FROM, "'") for token in part) and not (part == ["t"] and "r" in of.axes):
                found += re.findall(r"\w'?", "".join(part))
            elif part == ["pos"] and "t" in of.axes:  # its row, however positions are counted
                found.append("t")
            else:
                value = self.inner(part)
                from_one = "k" in part or "r" in of.axes or not value.axes or self.from_one(part)
                found.append(met(np.subtract, value, Array(np.float64(from_one))))
        return found

    def from_one(self, part: Sequence[str]) -> bool:
        """Whether the indices that are in an index count from 1."""
        return any(self.letters.value(letter).numbers.min() > 0 for letter in part if letter in "ci")

    def row(self, inside: Sequence[str]) -> Array:
        """Tokens or matrices side by side, those that dots stand for included."""
        parts, whole = split(inside), []
        for at, part in enumerate(parts):
            if part != [r"\dots"]:
                whole.append(self.inner(part))
                continue
            base, after = parts[at - 1], parts[at + 1] if at + 1 < len(parts) else []
            if after == base:
                whole += [self.inner(base)] * (int(self.inner(["S"]).numbers) - 2)
            elif len(base) > 1:
                goes_on = after[:1] == base[:1]  # to the number that stands there, or to the end
                to = self.inner(after[2:]).numbers if goes_on else self.letters.value(base[0]).numbers.size + 1
                whole += [self.inner([*base[:2], str(number)]) for number in range(2, int(to))]
        if whole[0].axes:
            before = whole[0].axes[:-1]  # what has fewer axes is the same throughout
            sizes = whole[0].numbers.shape[:-1]
            spread = [np.broadcast_to(each.numbers, (*sizes, each.numbers.shape[-1])) for each in whole]
            column = "d" if len({each.axes[-1] for each in whole}) == 1 else "q"
            return Array(np.concatenate(spread, -1), (*before, column))
        return Array(np.array([float(each.numbers) for each in whole]), ("t",))

    def compared(self, inside: Sequence[str]) -> Array:
        depths = accumulate((token in OPENED) - (token in CLOSED) for token in inside)
        (at,) = (at for at, depth in enumerate(depths) if not depth and inside[at] in COMPARED)
        return met(COMPARED[inside[at]], self.inner(inside[:at]), self.inner(inside[at + 1 :]))

    def inner(self, inside: Sequence[str]) -> Array:
        return Reader(inside, self.letters).all()

    def group(self) -> list[str]:
        """The tokens of `{...}`, or one token."""
        return self.until("}") if self.take() == "{" else [self.tokens[self.at - 1]]

    def until(self, end: str) -> list[str]:
        """The tokens up to the bracket that closes the one before."""
        start, depth = self.at, 1
        while depth:
            token = self.take()
            depth += (token in OPENED) - (token in CLOSED)
        assert self.tokens[self.at - 1] == end
        return self.tokens[start : self.at - 1]


def axis_of(index: str | Array, value: Array) -> str:
    """The axis that an index belongs to: of its name, the last one for i and j, the next one for all others."""
    if isinstance(index, Array):
        return "h!" if not index.axes and "h!" in value.axes else value.matrix[0]
    axis = next((axis for axis in value.axes if axis.rstrip("!") == index[0]), "")
    return axis or value.matrix[-1 if index in ("i", "j") else 0]


def split(inside: Sequence[str]) -> list[list[str]]:
    """Tokens at the commas that stand in no brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in inside:
        depth += (token in OPENED) - (token in CLOSED)
        if token == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]

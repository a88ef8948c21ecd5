"""How one cell of a tensor is computed: one declaration, from which value, expression, shape and sources follow."""

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from playground.explain.latex import symbol
from playground.explain.notation import Formula, axes, parse, statements
from playground.tasks import PAD

CONSTANTS: Mapping[str, float] = {"PAD": PAD, "inf": float("inf"), "eps": 1e-5}
"""`eps` is that of the norms."""

ActivationCurve = Literal["relu", "gelu", "swish"]
"""Activation functions that a cell draws."""

WIDTHS = ("D", "H", "K", "G", "P")
"""Sizes that every declaration knows, from the settings; all others are those of the tensors that it reads."""

STABLE_SOFTMAX = "Subtracting the row's largest number avoids overflow. It doesn't change the result."


@dataclass(frozen=True)
class Declaration:
    """How one cell is computed, in the notation of `explain.notation`.

    `inputs` names, in order of execution, the taps that it is computed from; `parameters` names parameters by the
    last part of theirs; `given` what comes from outside the model: fields of a `Batch`.
    """

    text: str
    inputs: str = ""
    parameters: str = ""
    given: str = ""
    letters: Mapping[str, str] = field(default_factory=dict)
    """Names by their symbols in the formulas, as LaTeX: of this tap, or of something that it reads."""
    other_symbols: Mapping[str, str] = field(default_factory=dict)
    """Symbols of single numbers by name, where they are not those of the formulas."""
    transposed: str = ""  # the name of which formulas write the two indices in the other order
    curve: tuple[ActivationCurve, str] | None = None  # and the line whose value is the point on it
    remark: str = ""  # why the calculation is equal to the formula, where they differ

    def __post_init__(self) -> None:
        _ = self.formula  # refuses here and now what is not in the notation

    @cached_property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """The letters of the axes of everything that is read, by name."""
        return axes(self.inputs) | axes(self.parameters) | axes(self.given)

    @cached_property
    def formula(self) -> Formula:
        """The text, read; raises NotationError."""
        letters = {letter for axis in self.axes.values() for letter in axis}
        names = {*CONSTANTS, *WIDTHS, *(letter.upper() for letter in letters)}
        tensors = tuple((name, len(letters)) for name, letters in self.axes.items())
        return parse(self.text, tensors, frozenset(names))

    @cached_property
    def symbols(self) -> dict[str, str]:
        """How single cells write names, as LaTeX: W^{(1)} with indices for W_1, head with indices for head_h."""
        symbols: dict[str, str] = {}
        for letter, name in self.letters.items():
            numbered = re.sub(r"_(\d|r)$", r"^{(\1)}", letter)
            symbols.setdefault(name, re.sub(r"_(h|\{.*\})$", "", numbered))
        return symbols | dict(self.other_symbols)

    @property
    def lines(self) -> list[str]:
        """The text, a statement each."""
        return [ast.unparse(statement) for statement in statements(self.text)]

    def backward(self, read: str, text: str) -> "Declaration":
        """How one cell of the gradient that is handed back to something `read` is computed, by its name here.

        `text` is lines and, last, the expression of that cell. It can use all that is read here, the result by its
        own name, and `gradient`, the gradient at the result.
        """
        formula = self.formula
        known = {**self.axes, formula.name: formula.cell, "gradient": formula.cell}
        parsed = ast.parse(inspect.cleandoc(text))
        *lines, last = parsed.body
        assert isinstance(last, ast.Expr)
        used = {ast.unparse(node.value) for node in ast.walk(parsed) if isinstance(node, ast.Subscript)}
        symbols = {"gradient": symbol(formula.name, self.symbols), "handed": symbol(read, self.symbols)}
        return Declaration(
            "\n".join([*map(ast.unparse, lines), f"handed[{', '.join(self.axes[read])}] = {ast.unparse(last)}"]),
            inputs=" ".join(f"{name}[{', '.join(letters)}]" for name, letters in known.items() if name in used),
            other_symbols={**self.symbols, **symbols},
            transposed=self.transposed,
        )

    @property
    def dims(self) -> tuple[str, ...]:
        """The axes of the tensor: capitals of the cell's letters, "1" for an axis that always has this size."""
        return tuple("1" if letter == "0" else letter.upper() for letter in self.formula.cell)

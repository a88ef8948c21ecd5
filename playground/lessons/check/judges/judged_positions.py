"""Positional encoding: the table that code adds or returns, read off its outputs, beside the sinusoidal one."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from playground.lessons.check.causes import explained
from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.code.student_code import plain, value_of
from playground.lessons.check.judges.question import TOLERANCE, are_equal, place_of
from playground.lessons.check.judges.sinusoids import known_tables
from playground.lessons.check.readings import with_line
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged
from playground.recording import Node, Trace

LENGTH, ROWS, TOKEN = 11, 6, 5
"""Positions and sequences of an input, so that no two axes can be confused; a token."""

_LENGTHS = (
    r"(max|seq(uence)?|sent(ence)?|num|n)*(len(gth)?s?|positions?|tokens|words|steps)|l|n|t|s|size|maxlen|position"
)
_INDICES = r"pos(ition)?s?(ids?)?|t|timesteps?|indices|index|idx"
_TOKENS = r".*(token|input)_?ids|tokens?|ids|words|sentence"
_FEATURES = r"d|depth|dims?|channels|width|d_?model|hidden.*|features|.*(dim|size|embd?|depth)|(d|dim|n)_.*"
_BATCHES = r"b|bs|batch(size)?|nbatch"

_BATCH, _POSITION = r"(batch[\w ]*|bsz?|b)", r"(seq[\w ]*|\w*len[\w ]*|time\w*|t|l|s|tokens?|words?|positions?)"
_ORDERS = {
    True: rf"(?<!not )batch[_ -]?first(?!\s*=\s*false)|[\[(,:]\s*({_BATCH}|n)\s*[,x×]\s*{_POSITION}\s*[,x×]",
    False: rf"batch_first\s*=\s*false|(seq\w*|time|length|positions?)[_ -]?first"
    rf"|[\[(,:]\s*{_POSITION}\s*[,x×]\s*{_BATCH}\s*[,x×]",
}
"""Words of comments and docstrings for batch first, and for positions first."""


@dataclass(frozen=True)
class Table:
    """What code adds for each position, shape (positions, d_model)."""

    rows: Tensor
    how: str  # in words
    by_first_axis: bool | None = None  # of batch and positions, the first axis tells the position
    shifted: bool = False  # by an unknown vector, the same for each position

    def equals(self, other: Tensor) -> bool:
        """True if it is this table, or its first positions."""
        both = self.rows, other[: len(self.rows)]
        return are_equal(*(each - each.mean(0) if self.shifted else each for each in both))


def check_positions(code: Code) -> Verdict:
    """Checks a function that returns a table of positions, or code that adds it."""
    about = f"Found: {with_line(code)}"
    errors, ran = list[CheckError](), False
    for arguments, make in _calls(code):
        try:
            first, second = (code.call(arguments, seed).tensors for seed in (0, 1))
            if any(not torch.equal(one.nan_to_num(), other.nan_to_num()) for one, other in zip(first, second)):
                return _wrong(code, "dropout-in-evaluation", f"{about}.")
            ran = True
            table = make(first)
            graph = code.trace(arguments)
        except CheckError as error:
            errors.append(error)
            continue
        if table is not None:
            return _judged(code, table, graph, f"{about}; {table.how}.")
    if not ran and len({getattr(error, "line", None) for error in errors}) == 1:
        raise errors[0]
    why = "" if ran else f" {errors[0].problem}"
    raise NotJudgedError(
        f"No output of your code is an input plus a table of positions, or this table, so it was not judged.{why}",
        f"{about}. Rotary embeddings are judged in the part multi-head-attention.",
    )


# --- ways to call it ------------------------------------------------------------------------------


def _calls(code: Code) -> Iterator[tuple[dict[str, Any], Callable[[list[Tensor]], Table | None]]]:
    """Arguments, and what makes a table of the outputs; the usual ones first."""
    sizes, fixed = code.sizes, dict[str, Any]()
    needed = [name for name, required in code.parameters.items() if required] or [*code.parameters][:1]
    free = list[str]()
    for name in needed:
        if re.fullmatch(_BATCHES, plain(name)):
            fixed[name] = ROWS
        elif len(needed) > 1 and re.fullmatch(_FEATURES, name.lower()) and sizes.D not in fixed.values():
            fixed[name] = sizes.D
        elif free and (known := value_of(name, sizes)) is not None:
            fixed[name] = 0.0 if known == 0.5 else known
        else:
            free.append(name)
    if not free:
        yield fixed, _returned
        return
    asking = free[0]
    for name in free[1:]:
        fixed[name] = torch.arange(LENGTH) if sizes.D in fixed.values() else sizes.D
    vectors = torch.randn(ROWS, LENGTH, sizes.D, generator=torch.Generator().manual_seed(1))
    kinds: list[tuple[str, str, Any]] = [
        ("vectors", ".*", vectors),
        ("one", ".*", vectors[0]),
        ("tokens", _TOKENS, torch.full((ROWS, LENGTH), TOKEN)),
        ("indices", _INDICES, torch.arange(LENGTH)),
        ("length", _LENGTHS, LENGTH),
    ]
    named = [kind for kind in kinds[2:] if re.fullmatch(kind[1], plain(asking))][::-1]
    for kind, _, value in [*named, *(kind for kind in kinds if kind not in named)]:
        arguments = {**fixed, asking: value}
        if kind in ("vectors", "one"):
            yield arguments, _added_to(code, fixed, asking, value)
        else:
            yield arguments, _of_tokens if kind == "tokens" else _returned


def _returned(outputs: list[Tensor]) -> Table | None:
    for output in outputs:
        rows = output.squeeze()
        if rows.ndim == 3 and bool((rows == rows[:1]).all()):
            rows = rows[0]
        if rows.ndim == 2 and min(rows.shape) > 1:
            return Table(rows, "the table itself")
    return None


def _of_tokens(outputs: list[Tensor]) -> Table | None:
    for output in outputs:
        if output.shape[:2] == (ROWS, LENGTH) and output.ndim == 3 and bool((output == output[:1]).all()):
            return Table(output[0], "added to embeddings of tokens", shifted=True)
    return _returned(outputs)


def _added_to(code: Code, fixed: dict[str, Any], name: str, x: Tensor) -> Callable[[list[Tensor]], Table | None]:
    def table(outputs: list[Tensor]) -> Table | None:
        zeros = code.call({**fixed, name: torch.zeros_like(x)}).tensors
        for output, added in zip(outputs, zeros):
            if output.shape != x.shape:
                if output.squeeze().shape == x.shape[-2:] and torch.equal(output, added):
                    return Table(output.squeeze(), "the table itself")
                continue
            factor = float(((output - added) * x).sum() / (x * x).sum())
            if not torch.allclose(output - added, factor * x, atol=1e-3):
                continue
            root = math.sqrt(x.size(-1))
            known = {1.0: "added to x", root: "added to x * sqrt(d_model)", 0.0: "the table itself"}
            how = next((how for wanted, how in known.items() if math.isclose(factor, wanted, abs_tol=1e-3)), None)
            if how is None:
                raise NotJudgedError(f"Your code multiplies x by {factor:.4g}, so it was not judged.")
            if x.ndim == 2:
                return Table(added, how)
            if torch.allclose(added, added[:1].expand_as(added), atol=1e-6):
                return Table(added[0], f"{how}, batch first", by_first_axis=False)
            if torch.allclose(added, added[:, :1].expand_as(added), atol=1e-6):
                return Table(added[:, 0], f"{how}, positions first", by_first_axis=True)
        return None

    return table


# --- what it is -----------------------------------------------------------------------------------


def _has_other_frequencies(table: Table) -> bool:
    """True if the columns are sines and cosines of pos * w, in pairs, for other w than the formula's."""
    rows, width = table.rows.double(), table.rows.size(1)
    if table.shifted or width % 2 or len(rows) < 3:
        return False
    at = torch.arange(len(rows), dtype=torch.float64)[:, None]
    for sines, cosines in ((rows[:, 0::2], rows[:, 1::2]), (rows[:, : width // 2], rows[:, width // 2 :])):
        frequency = torch.atan2(sines[1], cosines[1])
        waves = (at * frequency).sin(), (at * frequency).cos()
        if all(torch.allclose(wave, column, atol=1e-3) for wave, column in zip(waves, (sines, cosines))):
            return bool(frequency.abs().max() > 1e-6)
    return False


def _judged(code: Code, table: Table, graph: Trace, about: str) -> Verdict:
    text = f"{code.text}\n{code.comments}".lower()
    orders = [first for first, words in _ORDERS.items() if re.search(words, text)]
    known = [*known_tables(*table.rows.shape)]
    right = next((each.words for each in known if not each.cause and table.equals(each.rows)), None)
    learned = not right and _is_learned(table, graph)
    if (right or learned) and orders == [table.by_first_axis]:
        yours = table.rows[:1].expand_as(table.rows)
        return _wrong(code, "positions-by-batch", about, _added(graph), (yours, table.rows))
    if right:
        text = f"Right: your table of positions is that of the formula ({right})."
        return judged("positional-encoding", "right", text, about, difference=0.0)
    expected = known[0].right
    wrong = [(each.cause, each.rows, each.right) for each in known if each.cause]
    wrong += [("positions-added-twice", 2 * each.right, each.right) for each in known[:2]]
    for cause, rows, by_formula in [("no-positions", torch.zeros_like(expected), expected), *wrong]:
        if table.equals(rows):
            return _wrong(code, cause, about, _added(graph), (table.rows, by_formula))
    if _has_other_frequencies(table):
        return _wrong(code, "wrong-frequency", about, _added(graph), (table.rows, expected))
    if learned:
        text = "Right: each position has a learned vector of its own."
        return judged("positional-encoding", "right", text, about, difference=0.0)
    raise NotJudgedError(
        "Your table of positions is neither sinusoidal nor learned, and no known mistake gives it, so it was not "
        "judged.",
        about,
    )


def _is_learned(table: Table, graph: Trace) -> bool:
    """True if the positions are rows of a parameter, one after the other."""
    for value in graph.values:
        held = value.tensor
        if value.origin != "parameter" or held is None or held.shape[-1:] != table.rows.shape[-1:]:
            continue
        rows = held.reshape(-1, held.size(-1)).float()
        for first in range(min(3, len(rows) - len(table.rows) + 1)):
            if table.equals(rows[first:]):
                return True
    return False


def _added(graph: Trace) -> Node | None:
    """The last sum of the pass, else its last call with a statement."""
    nodes = [node for node in graph if node.source.line]
    return next((node for node in reversed(nodes) if node.function == "add"), nodes[-1] if nodes else None)


def _wrong(
    code: Code, cause: str, about: str, node: Node | None = None, rows: tuple[Tensor, Tensor] | None = None
) -> Verdict:
    where, difference = None, None
    if rows is not None:
        yours, right = rows
        differ = ((yours - right).abs() > TOLERANCE).nonzero()
        at = tuple(differ[0].tolist()) if len(differ) else (0, 0)
        where = place_of(node) if node else "output"
        where += f" (position {at[0]}, column {at[1]}: yours {float(yours[at]):.3g}, "
        where += f"by the formula {float(right[at]):.3g})"
        difference = float((yours - right).abs().max())
    summary, line = explained(cause), node.source.line if node else None
    return judged(
        "positional-encoding", "wrong", summary, about, cause=cause, where=where, difference=difference, line=line
    )

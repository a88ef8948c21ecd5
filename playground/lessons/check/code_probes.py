"""Probes of behaviour: one thing about a call changes, and its outputs show what must hold then. No graph is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from playground.lessons.check.judges.judged_transformer import compared_padding, expects_causal
from playground.lessons.check.judges.question import Question, first_difference
from playground.lessons.check.parts import PARTS
from playground.lessons.check.readings import Reading, Student
from playground.lessons.check.verdict import CheckError
from playground.tasks.tokens import PAD, SPECIALS

ALL = frozenset(PARTS)
NOTHING: Mapping[str, Tensor] = {}
MODEL = frozenset({"transformer"})
OF_MASKS = frozenset({"multi-head-attention", "encoder-layer", "decoder-layer"})


class Failed(NamedTuple):
    """What a probe has shown."""

    problem: str  # a sentence
    cause: str | None  # None: the mistake has no name
    numbers: tuple[float, float] | None = None  # the first that differ: with the change, and what they should be

    @property
    def where(self) -> str | None:
        """Both numbers in words."""
        return "output (yours {:.3g}, without the change {:.3g})".format(*self.numbers) if self.numbers else None

    @property
    def difference(self) -> float | None:
        """Of the numbers."""
        return abs(self.numbers[0] - self.numbers[1]) if self.numbers else None


class Probed:
    """Code that is called in one way, and again with a change."""

    def __init__(self, student: Student, reading: Reading, question: Question) -> None:
        self.student, self.reading, self.question = student, reading, question
        self.arguments, _ = student.arguments(reading)
        self.axes = {name: axes for name, axes in student.letters(reading).items() if "t" in axes}
        self.inputs = {role.name: name for name, role in student.roles.items() if name in self.axes and not role.masks}

    def outputs(
        self, changed: Mapping[str, Tensor] = NOTHING, seed: int = 0, *, training: bool = False
    ) -> list[Tensor]:
        """What a call returns; raises `CheckError`."""
        return self.student.code.call(self.arguments | {**changed}, seed, training=training).tensors

    def rows(
        self, changed: Mapping[str, Tensor] = NOTHING, *, length: int | None = None, training: bool = False
    ) -> Tensor:
        """The first output with these positions, shape (B, T, ...); raises `CheckError` if there is none."""
        layout, asking = self.reading.layout, self.asking
        sizes = {"t": self.arguments[asking].shape[self.axes[asking].index("t")] if length is None else length}
        if "b" in layout:
            sizes["b"] = self.arguments[asking].shape[self.axes[asking].index("b")]
        for output in self.outputs(changed, training=training):
            if output.ndim > len(sizes) and all(output.shape[layout.index(axis)] == sizes[axis] for axis in sizes):
                return output.movedim([layout.index(axis) for axis in sizes], [*range(len(sizes))][::-1]).reshape(
                    sizes.get("b", 1), sizes["t"], -1
                )
        raise CheckError("No output has the positions of the input.")

    @cached_property
    def unchanged(self) -> Tensor:
        """`rows` without a change."""
        return self.rows()

    @property
    def asking(self) -> str:
        """The argument whose positions the output has."""
        return (
            self.inputs.get("target")
            or self.inputs.get("x")
            or self.inputs.get("query")
            or next(iter(self.inputs.values()))
        )

    def other(self, name: str, at: int) -> Tensor:
        """An argument with other numbers, or tokens, at one position."""
        value = self.arguments[name].clone()
        part = value.narrow(self.axes[name].index("t"), at, 1)
        if value.is_floating_point():
            part += torch.randn(part.shape, generator=torch.Generator().manual_seed(7))
        else:
            first, words = len(SPECIALS), self.student.sizes.V
            part.copy_((part - first + 1) % max(2, words - first) + first)
        return value

    def moved(self, name: str) -> Tensor:
        """(T, S): True where the first sequence's output at t moves with the position s of an argument."""
        before = self.unchanged[0]
        count = self.arguments[name].shape[self.axes[name].index("t")]
        after = [self.rows({name: self.other(name, at)})[0] for at in range(count)]
        return torch.stack([_differ(before, each) for each in after], 1)

    def ignores(self, role: str) -> bool:
        """True if the output stays the same with another mask."""
        name = next((name for name, each in self.student.roles.items() if each.name == role), None)
        if name is None or name not in self.arguments:
            return True
        return torch.equal(self.rows({name: self.arguments[name].roll(1, -1)}), self.unchanged)

    def when_moved(self, name: str, wrong: Tensor) -> tuple[float, float] | None:
        """The first numbers that differ at a position that moves and shouldn't: with the change, and without it."""
        position, at = wrong.nonzero()[0].tolist()
        return first_difference(self.rows({name: self.other(name, at)})[0, position], self.unchanged[0, position])


def _differ(before: Tensor, after: Tensor) -> Tensor:
    """(T,): True where rows (T, N) differ by more than rounding."""
    return ~torch.isclose(before, after, rtol=1e-3, atol=1e-4, equal_nan=True).all(-1)


def _of_two_calls(probed: Probed) -> Failed | None:
    one, *others = (probed.outputs(seed=seed) for seed in (0, 1, 2))
    for other in others:
        for a, b in zip(one, other):
            if not torch.equal(a.nan_to_num(), b.nan_to_num()):
                problem = "Your output changes from call to call in evaluation mode."
                return Failed(problem, "dropout-in-evaluation", first_difference(b, a))
    return None


def _of_a_row_alone(probed: Probed) -> Failed | None:
    axes = {name: letters for name, letters in probed.student.letters(probed.reading).items() if "b" in letters}
    layout = probed.reading.layout
    if not axes or "b" not in layout or probed.student.sizes.B < 2:
        return None
    alone = {name: probed.arguments[name].narrow(letters.index("b"), 1, 1) for name, letters in axes.items()}
    both, one = probed.outputs()[:1], probed.outputs(alone)[:1]
    if not both or both[0].ndim != one[0].ndim:
        return None
    row = both[0].narrow(layout.index("b"), 1, 1)
    if row.shape != one[0].shape or torch.allclose(row, one[0], atol=1e-3, equal_nan=True):
        return None
    return Failed("What it computes for one row depends on the other rows of the batch.", None)


def _of_a_later_token(probed: Probed) -> Failed | None:
    name = probed.inputs.get("target") or probed.inputs["source"]
    if "target" not in probed.inputs and expects_causal(probed.question) is not True:
        return None
    moved = probed.moved(name)
    later = torch.ones_like(moved).triu(1)
    if not bool((moved & later).any()):
        return None
    causes = {0: "causal-mask-transposed", len(moved) - 1: "no-causal-mask"}
    bands = {ahead: torch.ones_like(moved).tril(ahead) for ahead in range(1, len(moved))} | {0: ~later.mT}
    ahead = next((ahead for ahead, band in bands.items() if torch.equal(moved, band)), None)
    cause = None if ahead is None else causes.get(ahead, "causal-mask-off-by-one")
    problem = f"An output of your model changes with a later token of {name}."
    return Failed(problem, cause, probed.when_moved(name, moved & later))


def _of_padding(probed: Probed) -> Failed | None:
    """Other tokens where masks that are given hide padding; without masks, one more token of padding in each row."""
    changed, cells = dict[str, Tensor](), dict[str, Tensor]()
    sides = {role.partition("_")[0] for role, axes in probed.reading.masks if "b" in axes}
    for role, name in probed.inputs.items():
        value, axis = probed.arguments[name], probed.axes[name].index("t")
        if probed.reading.masks:
            if role in {side.replace("memory", "source") for side in sides}:
                changed[name] = torch.where(value == PAD, len(SPECIALS), value)
                cells[role] = (value if axis else value.mT) != PAD
        elif (pad := compared_padding(probed.question.trace, probed.question.trace.inputs[name])) is not None:
            changed[name] = torch.cat([value, torch.full_like(value.narrow(axis, 0, 1), pad)], axis)
    if not changed:
        return None
    before = probed.unchanged
    counted = cells.get("source" if "target" not in probed.inputs else "target", torch.ones(before.shape[:2])).bool()
    if not probed.reading.masks:
        counted[1:] = False
    after = probed.rows(changed, length=before.size(1) + (not cells and probed.asking in changed))
    after = after[:, : before.size(1)]
    if not bool(_differ(before[counted], after[counted]).any()):
        return None
    problem = f"Your output changes with padding in {' and '.join(changed)}."
    return Failed(problem, "padding-not-masked", first_difference(after[counted], before[counted]))


def _of_hidden_keys(probed: Probed) -> Failed | None:
    """Other numbers at positions that the masks hide."""
    visible, of_memory = probed.question.visible, probed.question.memory_visible
    checked = [("key" if "key" in probed.inputs else "x", "mask", visible, "no-mask")]
    if "key" in probed.inputs and probed.student.sizes.S == probed.student.sizes.T:  # either one may ask
        checked = []
    if of_memory is not None:
        checked = [("x", "mask", visible, "self-attention-without-mask")]
        checked.insert(0, ("memory", "memory_mask", of_memory, "cross-attention-without-mask"))
    for role, mask, seen, without in checked if probed.reading.masks else ():
        name = probed.inputs.get(role)
        if name is None or seen.size(-1) != probed.arguments[name].shape[probed.axes[name].index("t")]:
            continue
        moved = probed.moved(name)
        if role == "memory" and not bool(moved.any()):
            return Failed(f"Your output doesn't depend on {name}.", "cross-attention-to-itself")
        itself = torch.eye(*moved.shape, dtype=torch.bool) if role == "x" else torch.zeros_like(moved)
        hidden = moved & ~(seen[0] | itself)
        if bool(hidden.any()):
            problem = f"Your output changes with positions of {name} that the mask hides."
            cause = without if bool(moved.all()) and probed.ignores(mask) else None
            return Failed(problem, cause, probed.when_moved(name, hidden))
    return None


def _of_their_order(probed: Probed) -> Failed | None:
    name, alone = probed.inputs["source"], "target" not in probed.inputs
    tokens = probed.arguments[name]
    if probed.reading.masks or not bool(probed.moved(name).all()):
        return None
    turned = probed.rows({name: tokens.flip(probed.axes[name].index("t"))})[0]
    expected = probed.unchanged[0].flip(0) if alone else probed.unchanged[0]
    if bool(_differ(expected, turned).any()):
        return None
    problem = f"In another order of the tokens in {name}, your model computes the same."
    return Failed(problem, "no-positions")


def _of_another_row_in_training(probed: Probed) -> Failed | None:
    name = probed.asking
    axis = probed.axes[name].find("b")
    if axis < 0 or not probed.student.code.has_weights:
        return None
    value = probed.arguments[name]
    changed = torch.cat([value.narrow(axis, 0, 1), 3 * value.narrow(axis, 1, value.size(axis) - 1) + 1], axis)
    before, after = (probed.rows({name: given}, training=True)[0] for given in (value, changed))
    if not bool(_differ(before, after).any()):
        return None
    problem = "In training mode, your output for one sequence changes with another one."
    return Failed(problem, "norm-over-wrong-axis", first_difference(after, before))


def _of_another_position(probed: Probed) -> Failed | None:
    moved = probed.moved(probed.asking)
    others = moved & ~torch.eye(len(moved), dtype=torch.bool)
    if not bool(others.any()):
        return None
    cause = "norm-over-wrong-axis" if probed.student.part == "layer-norm" else None
    return Failed("Your output changes with another position.", cause, probed.when_moved(probed.asking, others))


def _of_a_sum(probed: Probed) -> Failed | None:
    name = probed.asking
    x = probed.arguments[name]
    y = torch.randn(x.shape, generator=torch.Generator().manual_seed(9))
    both, of_x, of_y, of_zero = (probed.rows({name: each}) for each in (x + y, x, y, torch.zeros_like(x)))
    linear = of_x + of_y - of_zero
    if bool(_differ(both, linear).any()):
        return None
    return Failed("Your function is linear.", "relu-missing")


def _of_scale(probed: Probed) -> Failed | None:
    name = probed.asking
    x = torch.randn(probed.arguments[name].shape, generator=torch.Generator().manual_seed(8))
    before, after = (probed.rows({name: scale * x}) for scale in (1, 10))
    if torch.allclose(before, after, rtol=2e-2, atol=2e-2):
        return None
    return Failed("Your output grows with its input.", None, first_difference(after, before))


def _of_larger_values(probed: Probed) -> Failed | None:
    name = probed.inputs["value"]
    expected, after = 10 * probed.unchanged, probed.rows({name: 10 * probed.arguments[name]})
    if not bool(_differ(expected, after).any()):
        return None
    return Failed("Ten times the values don't give ten times the output.", None, first_difference(after, expected))


def _of_the_order_of_keys(probed: Probed) -> Failed | None:
    if probed.reading.masks:
        return None
    names = [probed.inputs[role] for role in ("key", "value")]
    turned = {name: probed.arguments[name].flip(probed.axes[name].index("t")) for name in names}
    after = probed.rows(turned)
    if not bool(_differ(probed.unchanged, after).any()):
        return None
    problem = "In another order of the keys and their values, your output changes."
    return Failed(problem, None, first_difference(after, probed.unchanged))


@dataclass(frozen=True)
class Probe:
    """One change of a call."""

    changed: str  # in words
    parts: frozenset[str]
    failed: Callable[[Probed], Failed | None]  # None: what must hold does, or the change isn't possible


ALWAYS = (Probe("nothing: two calls in evaluation mode", ALL, _of_two_calls),)
"""What must hold whatever the graph shows."""

PROBES = (
    Probe("a batch of one", ALL, _of_a_row_alone),
    Probe("a later token", MODEL, _of_a_later_token),
    Probe("padding", MODEL, _of_padding),
    Probe("the order of the tokens", MODEL, _of_their_order),
    Probe("what the mask hides", OF_MASKS, _of_hidden_keys),
    Probe("another position", frozenset({"layer-norm", "feed-forward"}), _of_another_position),
    Probe("another sequence, in training mode", frozenset({"layer-norm"}), _of_another_row_in_training),
    Probe("the input, ten times as large", frozenset({"layer-norm"}), _of_scale),
    Probe("the values, ten times as large", frozenset({"attention"}), _of_larger_values),
    Probe("the order of the keys and their values", frozenset({"attention"}), _of_the_order_of_keys),
    Probe("the input, to a sum of two", frozenset({"feed-forward"}), _of_a_sum),
)
"""What must hold of right code: what fails makes it unclear, and names the mistake where the graph leaves it open."""


def failures(probed: Probed, probes: tuple[Probe, ...] = PROBES) -> Iterator[Failed]:
    """What the probes show, one after the other."""
    for probe in probes:
        if probed.student.part in probe.parts:
            try:
                found = probe.failed(probed)
            except (CheckError, KeyError):  # such as code with this size of the batch in it
                continue
            if found:
                yield found

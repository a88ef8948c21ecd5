"""What each training batch did to a model: replays that leave one batch out, beside an estimate from gradients.

A replay repeats the run bit for bit without the batch of one step, so its effect is exact. The estimate is of first
order: the learning rate times the product of two gradients, that of the batch's loss at its step, as the optimizer
gets it, and that of the measured quantity (TracIn, Pruthi et al. 2020, arXiv:2002.08484). It leaves out what later
steps make of the difference, and how momentum and Adam's scaling move the weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import torch
from torch import Tensor

from playground.common.errors import one_line
from playground.common.numbers import correlation, ranks
from playground.common.tables import data_frame
from playground.interpret.counterfactual import BatchLeftOut, CounterfactualTraining, Original, training_with
from playground.interpret.interventions import InterventionError
from playground.interpret.sites import words
from playground.model.head_paths import heads, masked_scores_tap, token_taps, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import hooked
from playground.runs.snapshots import weights
from playground.settings.config import RunConfig
from playground.settings.estimate import test_seconds, training_seconds
from playground.tasks import PAD, encode, text_of
from playground.tasks.batches import Batch, Sequences, first_source
from playground.training.evaluation import answered_right
from playground.training.held_out import in_batches
from playground.training.roles import ROLES, Reads

if TYPE_CHECKING:
    import pandas as pd

QuantityKind = Literal["loss", "exact_match", "role", "input"]
GradientAt = Literal["end", "step"]

MAX_REPLAYS = 300
INPUTS = 200
"""Held-out inputs on which a quantity is measured."""

_USUAL_REPLAYS = 100
_SHOWN = 4  # sequences of a batch
_LOOK = 20  # steps between two signs of life


@dataclass(frozen=True)
class Quantity:
    """A number that a batch may have an effect on.

    loss: nats per token on held-out inputs. exact_match: share of these answered right. role: share of the attention
    weight of `head` on positions of `role`, on these inputs. input: loss of the right answer to `text`.
    """

    kind: QuantityKind = "loss"
    head: str = ""
    role: str = ""
    text: str = ""

    def check(self, config: RunConfig) -> None:
        """Raises `InterventionError` for an unknown name, and `InputError` for an invalid input."""
        if self.kind not in get_args(QuantityKind):
            raise InterventionError(
                f"{one_line(self.kind, 40)} is no quantity.", f"Use one of {', '.join(get_args(QuantityKind))}."
            )
        if self.kind == "role":
            known = [head.path for head in heads(config.model)]
            if self.head not in known:
                problem = f"There is no head {one_line(self.head)!r}." if self.head else "A role needs a head."
                raise InterventionError(f"{problem} Use one of {', '.join(known)}.")
            if self.role not in ROLES:
                problem = f"There is no role {one_line(self.role)!r}." if self.role else "The role is missing."
                raise InterventionError(f"{problem} Use one of {', '.join(ROLES)}.")
        if self.kind == "input":
            encode(self.text, config.task)

    @property
    def words(self) -> str:
        """What it is, in a sentence."""
        if self.kind == "role":
            return f"attention weight of {words(self.head)} on {ROLES[self.role].words}"
        return {
            "loss": "loss on held-out inputs",
            "exact_match": "exact match on held-out inputs",
            "input": f"loss of the right answer to “{self.text}”",
        }[self.kind]

    @property
    def has_gradient(self) -> bool:
        """False if it moves in jumps, so that nothing can be estimated."""
        return self.kind != "exact_match"


@dataclass(frozen=True)
class Plan:
    """Which batches are left out, one at a time, and what is measured when."""

    quantity: Quantity = Quantity()
    first: int = 1  # step, from 1
    last: int | None = None  # None: the last step of the run
    every: int | None = None  # steps between two batches; None: as few as at most 100 replays allow
    after: int | None = (
        None  # steps from the batch's to the measurement, 0: right after it; None: at the end of the run
    )
    gradient_at: GradientAt = (
        "end"  # where the gradient of the quantity is taken: after the run, or at each batch's step
    )

    def steps(self, end: int) -> list[int]:
        """The steps whose batches are left out, of a run of `end` steps; raises `InterventionError`."""
        last = end if self.last is None else self.last
        if not 1 <= self.first <= last <= end:
            raise InterventionError(f"The batches are those of steps 1 to {end:,}; {self.first:,} to {last:,} are not.")
        if self.every is not None and self.every < 1:
            raise InterventionError("The steps between two batches must be 1 or more.")
        if self.after is not None and self.after < 0:
            raise InterventionError("The steps from a batch to the measurement must be 0 or more.")
        if self.gradient_at not in get_args(GradientAt):
            raise InterventionError(
                f"The gradient is taken at the end or at the step, not {one_line(self.gradient_at)}."
            )
        steps = list(range(self.first, last + 1, self.every or -(-(last - self.first + 1) // _USUAL_REPLAYS)))
        if len(steps) > MAX_REPLAYS:
            raise InterventionError(
                f"These are {len(steps):,} replays. The limit is {MAX_REPLAYS}.", "Choose fewer steps, or skip some."
            )
        return steps

    def measured_at(self, step: int, end: int) -> int:
        """The step after which the effect of the batch of `step` is measured."""
        return end if self.after is None else min(end, step + self.after)

    def taken(self, end: int) -> int:
        """Optimizer steps of all replays and of the original, which is trained twice."""
        return 2 * end + sum(self.measured_at(step, end) - step + 1 for step in self.steps(end))

    def seconds(self, config: RunConfig, end: int) -> float:
        """Estimated time of all replays."""
        tests = 3 * len(self.steps(end)) if self.quantity.kind != "input" else 0
        return training_seconds(config, self.taken(end)) + tests * test_seconds(config, INPUTS)


class BatchEffect(NamedTuple):
    """What leaving out the batch of one step changes."""

    step: int  # from 1
    effect: float  # exact: the quantity without the batch minus the quantity of the run
    estimate: float | None  # of the same, from gradients; None for a quantity without a gradient
    loss: float  # of the batch, before its step
    size: int  # sequences in the batch
    sequences: tuple[str, ...]  # the first of them, as typed


@dataclass(frozen=True)
class Influence:
    """The effects known so far, in the order of the steps."""

    plan: Plan
    end: int  # last step of the run
    value: float  # the quantity after it
    rows: tuple[BatchEffect, ...]
    inputs: int  # on which it is measured
    reproduced: bool | None  # whether the replay of the run gave the weights that were kept; None: nothing to compare
    done: int
    total: int  # steps of all replays

    @property
    def pearson(self) -> float | None:
        """Correlation of estimates and exact effects; None if it is not defined."""
        return correlation(*self._pairs)

    @property
    def spearman(self) -> float | None:
        """Correlation of their ranks; None if it is not defined."""
        return correlation(*map(ranks, self._pairs))

    @property
    def _pairs(self) -> tuple[list[float], list[float]]:
        known = [(row.estimate, row.effect) for row in self.rows if row.estimate is not None]
        return [estimate for estimate, _ in known], [effect for _, effect in known]

    @property
    def ranked(self) -> tuple[BatchEffect, ...]:
        """The rows, the largest effect first, in either direction."""
        return tuple(sorted(self.rows, key=lambda row: -abs(row.effect)))

    def as_json(self) -> dict[str, Any]:
        """Plain data; numbers that are not known are None."""
        quantity = self.plan.quantity
        return {
            "of": quantity.kind,
            "quantity": quantity.words,
            "value": self.value,
            "inputs": self.inputs,
            "end": self.end,
            "after": self.plan.after,
            "gradient_at": self.plan.gradient_at,
            "reproduced": self.reproduced,
            "pearson": self.pearson,
            "spearman": self.spearman,
            "batches": [row._asdict() | {"sequences": [*row.sequences]} for row in self.rows],
        }

    def frame(self) -> "pd.DataFrame":
        """A DataFrame with the columns step, effect, estimate, loss, size and sequences, in the order of the steps."""
        return data_frame([row._asdict() for row in self.rows])


def influences(original: Original, plan: Plan) -> Iterator[Influence]:
    """Leave out each batch of the plan in a replay of its own; yields now and then, and after each replay.

    The run is trained again for its values and the gradient at its end, then once more, to pass the state before each
    batch on to the replay without it. Raises `InterventionError` for a plan that the run doesn't allow, `InputError`
    for an invalid input, and `TrainingError` as a training does.
    """
    config = original.start.metadata.config
    plan.quantity.check(config)
    end = original.until or int(original.records[-1]["step"])
    steps = plan.steps(end)
    measure, values = _Measure(config, plan.quantity), dict[int, float]()
    found = Influence(plan, end, 0.0, (), len(measure.source), None, 0, plan.taken(end))
    run, wanted = training_with(original.start, None), {plan.measured_at(step, end) for step in steps}
    for is_due in _taken(run, end):
        if run.step in wanted:
            values[run.step] = measure.value(run.model)
        if is_due:
            yield replace(found, done=run.step)
    values[end] = measure.value(run.model)
    reproduced = weights(run.model) == original.weights if original.weights else None
    at_end = measure.gradient(run.model) if plan.gradient_at == "end" else None
    found = replace(found, value=values[end], reproduced=reproduced, done=end)
    run, replay = training_with(original.start, None), training_with(original.start, None)
    for step in steps:
        for is_due in _taken(run, step - 1):
            if is_due:
                yield replace(found, done=found.done + run.step)
        replay.difference = BatchLeftOut(step)
        replay.go_on_from(run.state())
        gradient = at_end if plan.gradient_at == "end" else measure.gradient(replay.model)
        taken = replay.take_step()
        estimate = None if gradient is None else taken.learning_rate * _product(replay.model, gradient)
        until = plan.measured_at(step, end)
        for is_due in _taken(replay, until):
            if is_due:
                yield replace(found, done=found.done + run.step + replay.step - step)
        effect = measure.value(replay.model) - values[until]
        row = BatchEffect(step, effect, estimate, taken.loss, *_shown(config, replay.left_out))
        found = replace(found, rows=(*found.rows, row), done=found.done + until - step + 1)
        yield replace(found, done=found.done + run.step)
    yield replace(found, done=found.total)


def _taken(training: CounterfactualTraining, until: int) -> Iterator[bool]:
    """Take the steps up to `until`; yields after each whether a sign of life is due."""
    while training.step < until:
        training.take_step()
        yield training.step % _LOOK == 0


class _Measure:
    """The quantity of a model, as a sum over batches, divided by what it counts."""

    def __init__(self, config: RunConfig, quantity: Quantity) -> None:
        self._config, self._quantity = config, quantity
        if quantity.kind == "input":
            source = torch.tensor([encode(quantity.text, config.task)])
        else:
            source = Sequences.of(config.task).held_out(INPUTS)
        self._batches = [batch for _, _, batch in in_batches(config, source)]
        self.source = source

    def value(self, model: TaskModel) -> float:
        """The quantity of a model, which is in evaluation mode after it."""
        model.eval()
        if self._quantity.kind == "exact_match":
            right = [answered_right(model, group) for group in self.source.split(len(self._batches[0].labels))]
            return float(torch.cat(right).double().mean())
        with torch.no_grad():
            parts = [self._part(model, batch) for batch in self._batches]
        count = sum(count for _, count in parts)
        return sum(float(part) for part, _ in parts) / count if count else 0.0

    def gradient(self, model: TaskModel) -> list[Tensor] | None:
        """Its gradient by the parameters, zero where it doesn't depend on one; None if it has none."""
        if not self._quantity.has_gradient:
            return None
        model.eval()
        parameters = list(model.parameters())
        total, count = [torch.zeros_like(parameter) for parameter in parameters], 0
        for batch in self._batches:
            part, counted = self._part(model, batch)
            count += counted
            if part.requires_grad:
                found = torch.autograd.grad(part, parameters, allow_unused=True)
                total = [one if more is None else one + more for one, more in zip(total, found, strict=True)]
        return [one / max(1, count) for one in total]

    def _part(self, model: TaskModel, batch: Batch) -> tuple[Tensor, int]:
        """Its sum over a batch, and how much the batch counts."""
        batch = batch.to(model.device)
        if self._quantity.kind != "role":
            count = int((batch.labels != PAD).sum())
            return model(*batch)[1] * count, count
        attention, _, number = self._quantity.head.rpartition(".head.")
        cache: dict[str, Tensor] = {}
        taps = {weights_tap(attention), masked_scores_tap(attention), *token_taps(attention)}
        taps |= {"encoder.tokens"} if model.encoder else set()
        with hooked(model, {tap: partial(cache.__setitem__, tap) for tap in taps}):
            model(*batch)
        reads = Reads.of(self._config, attention, {tap: tensor.detach() for tap, tensor in cache.items()})
        positions = ROLES[self._quantity.role].visible(reads)
        head = cache[weights_tap(attention)][:, int(number)]
        return (head * positions).sum(), int(positions.any(-1).sum())


def _product(model: TaskModel, gradient: Sequence[Tensor]) -> float:
    """The product of the gradient that the last step of a model left, and another one."""
    pairs = zip(model.parameters(), gradient, strict=True)
    return sum(float((each.grad.double() * other.double()).sum()) for each, other in pairs if each.grad is not None)


def _shown(config: RunConfig, batch: Batch | None) -> tuple[int, tuple[str, ...]]:
    """How many sequences a batch has, and the first of them as typed."""
    assert batch is not None
    labels = batch.labels
    rows = []
    for row in range(min(_SHOWN, len(labels))):
        source, target, lengths = (part if part is None else part[row:].cpu() for part in batch[:3])
        rows.append(first_source(config, Batch(source, target, lengths, labels[row:])).tolist())
    return len(labels), tuple(text_of(row, config.task) for row in rows)

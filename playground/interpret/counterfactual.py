"""Counterfactual training: a run replayed bit for bit, except for one difference.

A replay repeats a run exactly, so the result is what this difference causes, and no estimate.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, get_args

from torch import Tensor

from playground.decoding import greedy
from playground.interpret.ablation import PartKind
from playground.interpret.interventions import Intervention, InterventionError, replacements
from playground.interpret.sites import named
from playground.model.task_model import TaskModel
from playground.recording import hooked
from playground.runs import RunView
from playground.runs.messages import TrainingStart
from playground.runs.snapshots import put_weights
from playground.settings.config import Change, RunConfig, TrainingConfig, max_steps
from playground.settings.estimate import pass_size
from playground.tasks import EOS, PAD, SEP, decode, text_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, Sequences, right_answers
from playground.training import Progress, Recipe, Training, learning_rate
from playground.training.loop import Measured


@dataclass(frozen=True)
class BatchLeftOut:
    """The batch of optimizer step `step`, from 1, teaches nothing: that step moves no weight and no moment.

    All later steps read the same batches, with the same learning rates and dropout, as in the original run.
    """

    step: int


@dataclass(frozen=True)
class SwitchedOff:
    """The output of a head, expert or sublayer is 0 from the first step after `step` on, in training and tests."""

    site: str
    step: int = 0


@dataclass(frozen=True)
class LabelChanged:
    """One label of the batch of optimizer step `step`, from 1; what the decoder reads stays right.

    `row` of the batch and `position` of the answer count from 0; EOS is the last token of an answer.
    """

    step: int
    row: int
    position: int
    token: int  # id of the new label


Difference = BatchLeftOut | SwitchedOff | LabelChanged


@dataclass(frozen=True)
class Original:
    """A run to be replayed; it can be sent to another process."""

    start: TrainingStart  # at a step before the difference
    until: int | None = None  # step at which it was stopped; None: it ended by itself
    records: tuple[Mapping[str, Any], ...] = ()  # its history; empty: the original is trained, too
    weights: bytes = b""  # float32, after its last step; needed with `records`


@dataclass(frozen=True)
class ChangedAnswer:
    """A held-out input to which both models give different answers, as texts."""

    source: str
    right: str
    original: str
    counterfactual: str


@dataclass(frozen=True)
class ChangedLabel:
    """The sequence of which a label was changed, as names of tokens."""

    source: tuple[str, ...]
    labels: tuple[str, ...]  # the right ones
    position: int  # of the changed one, from 0
    label: str  # the new one


@dataclass(frozen=True)
class ReplayProgress:
    """Both runs as far as they are replayed; the histories grow while the generator runs."""

    done: int  # steps
    total: int  # at most
    original: Sequence[Mapping[str, Any]]  # records, see `Progress.record`
    counterfactual: Sequence[Mapping[str, Any]]
    answers: tuple[ChangedAnswer, ...] | None = None  # None until both runs have ended
    sequences: int = 0  # held-out inputs answered by both
    label: ChangedLabel | None = None  # of a difference in a label, once its step is taken


def original_of(run: RunView, difference: Difference) -> Original:
    """A run as it is now, from its last full state before the difference.

    Raises `InterventionError` for a run that can't be replayed.
    """
    store, problem = run.store, ""
    if run.metadata.pitfall or run.metadata.hides_pitfall:
        problem = "A run with a mistake can't be replayed with another difference."
    if problem := problem or store.irreproducible or store.lost_initial_weights:
        raise InterventionError(problem)
    step = run.step
    _check(difference, run.config, run.changes, step)
    first = difference.step if isinstance(difference, SwitchedOff) else difference.step - 1
    _, state = store.snapshots.state_before(first)
    weights = store.snapshots.get(step)
    if weights is None:
        raise InterventionError(f"The weights of step {step:,} of {run.metadata.name} are no longer kept.")
    metadata = run.metadata.model_copy(update={"changes": run.changes})
    return Original(
        TrainingStart(metadata, state, store.initial_weights()),
        None if run.status in ("solved", "finished") else step,
        tuple(record for record in run.exact_records() if record["step"] <= step),
        weights,
    )


def counterfactual(
    original: Original, difference: Difference | None, *, sequences: int = HELD_OUT_SEQUENCES
) -> Iterator[ReplayProgress]:
    """Replay a run with a difference; yield after each step, and with the changed answers at the end.

    Without a difference the replay is the original. A caller that stops iterating cancels it. Raises
    `InterventionError` for a difference that the run doesn't allow, and `TrainingError` as a training does.
    """
    config, changes = original.start.metadata.config, original.start.metadata.changes
    steps = original.until or max_steps(config, changes)
    if difference is not None:
        _check(difference, config, changes, steps)
    if original.records:
        records: list[Mapping[str, Any]] = list(original.records)
        model = TaskModel(config)
        put_weights(model, original.weights)
        total = steps
    else:
        training, records, total = training_with(replace(original.start, state=None), None), [], 2 * steps
        for progress in _taken(training, original.until):
            records.append(progress.record())
            yield ReplayProgress(progress.step, total, records, [])
        model = training.model
    training = training_with(original.start, difference)
    changed = [record for record in records if training.step and record["step"] <= training.step]
    for progress in _taken(training, original.until):
        changed.append(progress.record())
        yield ReplayProgress(total - steps + progress.step, total, records, changed)
    held_out = Sequences.of(config.task).held_out(sequences)
    answers = _changed_answers(config, held_out, _answers(model, held_out), training.answers(held_out))
    yield ReplayProgress(total, total, records, changed, answers, len(held_out), training.changed_label)


class CounterfactualTraining(Training):
    """A training with a difference."""

    difference: Difference | None = None
    changed_label: ChangedLabel | None = None
    left_out: Batch | None = None  # of a step that teaches nothing, once it is taken

    def answers(self, source: Tensor) -> list[list[int]]:
        """Answers to (N, S) sources after the last step taken."""
        with self._without_part(self.step - 1):
            return _answers(self.model, source)

    def take_step(self) -> Measured:
        with self._without_part(self.step):
            return super().take_step()

    def _draw(self) -> Batch:
        batch = super()._draw()
        if self.difference == BatchLeftOut(self.step + 1):
            self.left_out = batch
        if isinstance(self.difference, LabelChanged) and self.difference.step == self.step + 1:
            labels, difference = batch.labels[self.difference.row], self.difference
            asked = (labels != PAD).nonzero()[:, 0]
            if difference.position >= len(asked):
                count = len(asked)
                raise InterventionError(
                    f"The chosen row of step {difference.step:,} has {count} labels.",
                    f"Choose one of the first {count} positions.",
                )
            self.changed_label = self._changed_label(batch, asked, difference)
            labels[asked[difference.position]] = difference.token
        return batch

    def _changed_label(self, batch: Batch, asked: Tensor, difference: LabelChanged) -> ChangedLabel:
        read = batch.target if batch.source is None else batch.source
        assert read is not None
        row = read[difference.row].tolist()
        source = row[: row.index(SEP)] if batch.source is None else [token for token in row if token != PAD]
        shown = source, batch.labels[difference.row][asked].tolist(), [difference.token]
        source_names, labels, (label,) = (decode(tokens, self.config.task) for tokens in shown)
        return ChangedLabel(tuple(source_names), tuple(labels), difference.position, label)

    def _update(self) -> float:
        if self.difference == BatchLeftOut(self.step + 1):
            return learning_rate(self.now.training, self.step + 1)
        return super()._update()

    def _assessed(self, measured: Measured, settings: TrainingConfig) -> Progress:
        with self._without_part(self.step - 1):
            return super()._assessed(measured, settings)

    def _without_part(self, step: int) -> AbstractContextManager[None]:
        """Hooks on the model itself, if the part is off in the first optimizer step after `step`."""
        difference = self.difference
        if not isinstance(difference, SwitchedOff) or step < difference.step:
            return nullcontext()
        return hooked(self.model, replacements(self.model, [Intervention(difference.site)]))


class _Recipe(Recipe):
    def training(self, config: RunConfig, model: TaskModel, changes: Iterable[Change] = ()) -> CounterfactualTraining:
        return CounterfactualTraining(config, model, changes)


def training_with(start: TrainingStart, difference: Difference | None) -> CounterfactualTraining:
    """The training of a run from one of its steps on, with a difference; raises `TrainingError` as `start` does."""
    training = replace(start, recipe=_Recipe()).training()
    assert isinstance(training, CounterfactualTraining)
    training.model.decoding = training.model.decoding  # a part that is switched off leaves the mask as it is
    training.difference, training.measure_gradient_norm = difference, start.metadata.gradient_norm
    return training


def _taken(training: Training, until: int | None) -> Iterator[Progress]:
    """The steps that are left, up to the step `until`."""
    for progress in training.progress() if until is None or training.step < until else ():
        yield progress
        if progress.step == until:
            return


def switchable(config: RunConfig) -> list[str]:
    """Names of the parts that can be switched off during training: heads, experts and sublayers."""
    return [site.name for kind in get_args(PartKind) for site in named(config, kind)]


def _check(difference: Difference, config: RunConfig, changes: Sequence[Change], steps: int) -> None:
    """Raises `InterventionError` for a difference that a run of so many steps doesn't allow."""
    low = 0 if isinstance(difference, SwitchedOff) else 1
    high = steps - 1 if isinstance(difference, SwitchedOff) else steps
    if not low <= difference.step <= high:
        raise InterventionError(f"There is no step {difference.step:,} to change. Use {low} to {high:,}.")
    if isinstance(difference, SwitchedOff):
        parts = switchable(config)
        if difference.site not in parts:
            raise InterventionError(
                f"{difference.site} is not a head, expert or sublayer. Use one of {', '.join(parts)}."
            )
    elif isinstance(difference, LabelChanged):
        rows, tokens = config.after(changes, difference.step - 1).training.batch_size, config.vocabulary_size
        if not 0 <= difference.row < rows:
            raise InterventionError(
                f"The batch of step {difference.step:,} has no row {difference.row}. Use 0 to {rows - 1}."
            )
        if not PAD < difference.token < tokens:
            raise InterventionError(f"{difference.token} is not the id of a token. Use {PAD + 1} to {tokens - 1}.")
        if difference.position < 0:
            raise InterventionError(f"There is no position {difference.position}. Use 0 or more.")


def _answers(model: TaskModel, source: Tensor) -> list[list[int]]:
    """Token ids of the answers to (N, S) sources, through EOS."""
    groups = source.split(pass_size(model.config))
    rows = [row for group in groups for row in greedy(model.eval(), group).tolist()]
    return [[token for token in row if token != PAD] for row in rows]


def _changed_answers(
    config: RunConfig, source: Tensor, before: list[list[int]], after: list[list[int]]
) -> tuple[ChangedAnswer, ...]:
    """The rows in which two answers differ, as texts."""
    right = right_answers(config, source).tolist()

    def text(tokens: list[int]) -> str:
        return text_of([token for token in tokens if token not in (EOS, PAD)], config.task)

    rows = zip(source.tolist(), right, before, after, strict=True)
    return tuple(ChangedAnswer(*map(text, row)) for row in rows if row[2] != row[3])

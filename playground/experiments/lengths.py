"""Exact match by length: inputs also longer than those a model was trained on, as far as its positions allow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.common.numbers import wilson
from playground.decoding import long_inputs
from playground.decoding.long_inputs import MAX_FACTOR, MAX_LENGTH, end_of, stretched, with_length
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import task_of
from playground.tasks.batches import Sequences
from playground.training import answered_right

SEQUENCES = 200
"""Inputs of each length, where there are as many."""

_WITHIN = 6  # lengths of `usual` up to max_length
_BEYOND = (1.25, 1.5, 2, 3, 4, 6, 8)  # and above it, as multiples
_CELLS = 4_000_000  # attention weights at a time


class LengthError(PlaygroundError):
    """Inputs of a length that a model can't read or its task doesn't have."""


@dataclass(frozen=True)
class LengthScore:
    """Exact match on inputs of one length."""

    length: int  # as in min_length and max_length
    trained: bool  # whether training had this length
    sequences: int  # inputs tested, none of them trained on
    exact_match: float | None  # fraction of answers right in every token; None without inputs
    baseline: float | None = None  # that of always answering the most frequent class, where the task has classes

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `exact_match`."""
        return wilson(self.exact_match or 0.0, self.sequences)


def longest(config: RunConfig) -> int:
    """As `long_inputs.longest`; raises `LengthError` for a task whose exact match by length has no meaning."""
    if task_of(config.task).continues:
        raise LengthError("A text can continue in many ways, so exact match by length has no meaning.")
    if "max_length" not in task_of(config.task).uses:
        raise LengthError(f"Training already has all input lengths of the task {config.task.name}.")
    return long_inputs.longest(config)


def usual(config: RunConfig) -> list[int]:
    """Lengths for a curve: some of training's, and some up to `longest`. Raises `LengthError`, see there."""
    low, high, most = config.task.min_length, config.task.max_length, longest(config)
    within = {low + round(index * (high - low) / (_WITHIN - 1)) for index in range(_WITHIN)}
    beyond = {round(factor * high) for factor in _BEYOND} | {most}
    return sorted(within | {length for length in beyond if length <= most})


def by_length(
    model: TaskModel, lengths: Sequence[int] = (), sequences: int = SEQUENCES
) -> Iterator[tuple[int, int, list[LengthScore]]]:
    """Yield (done, total, scores so far) after each of `lengths`, by default the `usual` ones.

    Inputs are drawn as the task draws them, all of one length, from those that training leaves out. Raises
    `LengthError` before the first if a length is not possible. Leaves the model in evaluation mode.
    """
    lengths = checked(model.eval().config, lengths)
    scores: list[LengthScore] = []
    for length in lengths:
        scores.append(_score(model, length, sequences))
        yield len(scores), len(lengths), list(scores)


def each_by_length(models: Sequence[TaskModel]) -> Iterator[tuple[int, int, list[list[LengthScore]]]]:
    """`by_length` at the usual lengths of several models: the scores of each, in the same order."""
    total = sum(len(usual(model.config)) for model in models)
    scores: list[list[LengthScore]] = [[] for _ in models]
    for index, model in enumerate(models):
        for _, _, scores[index] in by_length(model):
            yield sum(map(len, scores)), total, list(scores)


def points(scores: Sequence[LengthScore]) -> list[dict[str, float]]:
    """Rows for `charts.by_length`: the lengths that were measured, with their 95 % intervals."""
    return [
        {"length": score.length, "exact_match": score.exact_match}
        | dict(zip(("low", "high"), score.interval, strict=True))
        | ({} if score.baseline is None else {"baseline": score.baseline})
        for score in scores
        if score.exact_match is not None
    ]


def checked(config: RunConfig, lengths: Sequence[int]) -> list[int]:
    """The lengths in order, by default the `usual` ones; raises `LengthError` if one is not possible."""
    lengths, most = sorted(set(lengths)) or usual(config), longest(config)
    for length in lengths:
        if length < 1:
            raise LengthError(f"Length {length} is below 1. Use 1 to {most}.")
        if length > most:
            why = (
                end_of(config) or f"Inputs can be at most {MAX_FACTOR} times as long as in training, and {MAX_LENGTH}."
            )
            raise LengthError(f"Length {length} is above {most}. Use 1 to {most}. {why}")
    return lengths


def at_length(model: TaskModel, length: int, sequences: int) -> tuple[TaskModel, Tensor]:
    """At most `sequences` inputs of one length, (N, S), that training leaves out, and the model as it reads them."""
    config = model.config
    exactly = config.task.model_copy(update={"min_length": length, "max_length": length})
    # The split is that of training, so that none of these inputs was trained on.
    source = Sequences(task_of(exactly), Sequences.of(config.task).threshold).held_out(sequences)
    if length > config.task.max_length:
        model = stretched(model, with_length(config, length))
    return model, source


def groups(model: TaskModel, source: Tensor) -> Sequence[Tensor]:
    """(N, S) inputs in groups for one pass, also of long ones."""
    size = model.config.max_target_length + model.config.max_source_length
    return source.split(max(1, _CELLS // (model.config.model.n_heads * size**2)))


def _score(model: TaskModel, length: int, sequences: int) -> LengthScore:
    trained = model.config.task.min_length <= length <= model.config.task.max_length
    model, source = at_length(model, length, sequences)
    if not len(source):
        return LengthScore(length, trained, 0, None)
    right = torch.cat([answered_right(model, group) for group in groups(model, source)])
    classes = Counter(task_of(model.config.task).classes(source))
    baseline = max(classes.values()) / len(source) if classes else None
    return LengthScore(length, trained, len(right), float(right.double().mean()), baseline)

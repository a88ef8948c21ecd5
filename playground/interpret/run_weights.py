"""The weights of a run at any of its steps, in another process: kept ones, and replays bit for bit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from playground.interpret.interventions import InterventionError
from playground.model.task_model import TaskModel
from playground.runs import RunView
from playground.runs.messages import TrainingStart
from playground.runs.snapshots import put_weights, weights
from playground.settings.config import RunConfig
from playground.training import Training

LOOK_SECONDS = 0.2
"""Seconds between two signs of life of a replay."""


@dataclass(frozen=True)
class RunWeights:
    """What is kept of a run; it can be sent to another process."""

    start: TrainingStart  # at step 0
    last: int  # the newest step
    weights: Mapping[int, bytes]  # by step, float32; empty: step 0, whose weights the settings determine
    states: Mapping[int, bytes]  # by step, full states
    problem: str = ""  # why it can't be replayed

    @property
    def config(self) -> RunConfig:
        """The settings at step 0."""
        return self.start.metadata.config

    def kept_steps(self, most: int) -> list[int]:
        """Steps with kept weights, the first and the newest among them, evenly thinned to `most`."""
        kept = sorted(self.weights)
        return kept if len(kept) <= most else [kept[index] for index in _even(len(kept) - 1, most)]

    def even_steps(self, count: int) -> list[int]:
        """So many evenly spaced steps from 0 to the newest; those with kept weights if it can't be replayed."""
        return self.kept_steps(count) if self.problem else _even(self.last, count)


def weights_of(run: RunView) -> RunWeights:
    """A run as it is now. Reads the disk."""
    store, last = run.store, run.step
    kept, states = store.snapshots.until(last)
    problem = store.irreproducible or store.lost_initial_weights
    initial = b"" if problem else store.initial_weights()
    if 0 not in kept and not problem:
        kept = {0: initial, **kept}
    metadata = run.metadata.model_copy(update={"changes": run.changes})
    return RunWeights(TrainingStart(metadata, None, initial, store.recipe), last, kept, states, problem)


def models_at(run: RunWeights, steps: Sequence[int]) -> Iterator[tuple[int, TaskModel | None]]:
    """The models after these steps, in order of steps, in evaluation mode; None now and then during a replay.

    Steps without kept weights are replayed from the last full state before. Raises `InterventionError` if the run can't
    be replayed, or if its replay gives other weights than it kept.
    """
    training: Training | None = None
    looked = perf_counter()
    for step in sorted(set(steps)):
        if step in run.weights:
            yield step, _model(run, run.weights[step])
            continue
        if run.problem:
            raise InterventionError(run.problem)
        state = max((kept for kept in run.states if kept <= step), default=0)
        if training is None or training.step < state:
            training = replace(run.start, state=run.states.get(state)).training()
        while training.step < step:
            training.take_step()
            _check(run, training)
            if perf_counter() - looked > LOOK_SECONDS:
                looked = perf_counter()
                yield training.step, None
        yield step, _model(run, weights(training.model))


def _check(run: RunWeights, training: Training) -> None:
    kept = run.weights.get(training.step)
    if kept and kept != weights(training.model):
        raise InterventionError(
            f"Replaying step {training.step:,} gave different weights, so only kept steps are measured. The run was "
            "trained on another machine or with another version of torch."
        )


def _model(run: RunWeights, content: bytes) -> TaskModel:
    model = run.start.recipe.model(run.config).eval()
    if content:
        put_weights(model, content)
    return model


def _even(last: int, count: int) -> list[int]:
    """Whole numbers from 0 to `last`, so many if there are as many, evenly spaced."""
    return sorted({round(last * index / max(1, count - 1)) for index in range(count)})

"""Whole trainings for notebooks: measures on the way, models kept on the way, and the data that training reads."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import torch
from pydantic import Field, InstanceOf
from torch import Tensor

from playground.common.errors import PlaygroundError, one_line
from playground.common.numbers import counted, percent
from playground.common.paths import user_path
from playground.common.seeds import seed_of
from playground.common.tables import data_frame
from playground.model.task_model import TaskModel
from playground.recording import with_shared_weights
from playground.settings.arguments import checked, warn
from playground.settings.config import RunConfig, changed_settings
from playground.settings.presets import configure
from playground.storage import checkpoint
from playground.tasks.batches import Batch, Sequences, make_batch, sources_tested
from playground.training import history_of, train
from playground.training.measure import MEASURES, columns

if TYPE_CHECKING:
    import pandas as pd

Watch = Callable[[TaskModel], Any]
"""From the model to a number, a tensor, or a dict of these."""


class FitError(PlaygroundError, ValueError):
    """A step or a measure that a training can't have."""


@dataclass(frozen=True, repr=False)
class Fitted:
    """A finished training: its model, what was measured, and the models that were kept on the way."""

    config: RunConfig
    model: TaskModel
    """As after the last step, in evaluation mode. `playground.save` keeps its history."""
    records: Sequence[Mapping[str, Any]]
    """One for each step, from 0: the measures of every step, those of evaluations, and what was watched."""
    folder: Path | None = None
    _kept: Mapping[int, Mapping[str, Tensor]] = field(default_factory=dict)  # weights by step
    _steps: Sequence[int] = ()

    def __repr__(self) -> str:
        tested = [record for record in self.records if "exact_match" in record]
        last = f"exact match {percent(tested[-1]['exact_match'])} at step {tested[-1]['step']:,}"
        kept = f", models kept at {', '.join(map(str, self._steps))}" if self._steps else ""
        return f"{counted(len(self.records) - 1, 'step')}, {counted(len(tested), 'evaluation')}, {last}{kept}"

    def frame(self) -> "pd.DataFrame":
        """A row for each step, a column for each number, named as in the CSV; NaN where a number was not measured.

        Measures with groups have a column each: "position_accuracy.1" (answer positions from 1),
        "attention_entropy.decoder.layers.0.cross_attention.attention.weights.1" (heads from 1), "weight_norm.head".
        What was watched is "name", for a dict "name.key", for a tensor "name.1" and so on, from 1.
        Raises `playground.PlaygroundError` without pandas.
        """
        return data_frame([columns(record) for record in self.records])

    def models(self) -> Iterator[tuple[int, TaskModel]]:
        """The step and the model, in evaluation mode, at each step of `save_at` that was reached.

        From the folder, if there was one. `dict(history.models())` has all by step.
        """
        for step in self._steps:
            if self.folder:
                yield step, checkpoint.load(self.folder / _name(step)).model
            else:
                model = TaskModel(self.config)
                model.load_state_dict(self._kept[step])
                yield step, model.eval()


@checked
def fit(
    config: RunConfig | str,
    *,
    every: int | None = None,
    watch: Annotated[
        Mapping[str, Any], Field(description='Give a dict of functions by name, for example {"scale": scale}.')
    ]
    | None = None,
    save_at: Annotated[Iterable[int], Field(description="Give a list of steps, for example [0, 500].")] = (),
    folder: Annotated[str | PathLike[str], Field(description="Give the path of a folder.")] | None = None,
    model: Annotated[InstanceOf[TaskModel], Field(description="Give what playground.new_model returns.")] | None = None,
) -> Fitted:
    """Train a model, and keep what was measured: to the last step of its settings, or until it is solved.

        history = playground.fit("quick-reverse", every=20, save_at=[0, 100, 200],
                                 watch={"scale": lambda model: model.head.weight.norm()})
        history.frame()[["step", "loss", "exact_match", "scale"]]
        for step, model in history.models(): ...

    `config` is what `playground.configure` returns, or the name of a preset. The steps are those of `playground.train`.
    `every` is the number of steps between evaluations, by default the setting training.eval_every. At each evaluation,
    and so at step 0 and after the last step, the functions of `watch` get the model in evaluation mode, without a graph
    for gradients. They return a number, a tensor, or a dict of these, and must not change its weights. `save_at` are
    steps, from 0, after which the model is kept: as checkpoints `folder`/step-N, each written when it is reached, or in
    memory. `model` is trained in place and has the task and architecture of `config`; by default it is a new one.

    With the setting training.stop_when_solved, which most presets have, training ends early: when all answers of
    several evaluations in a row are right. A warning then names the steps of `save_at` that it did not reach.
    `playground.configure("quick-copy", {"training.stop_when_solved": False})` trains to the last step.

    Returns the history, with `frame()`, `models()` and the trained `model`.

    Raises `playground.ConfigError` for an unknown preset or an invalid `every`, `playground.PlaygroundError` for steps
    and measures that can't be, `playground.CheckpointError` for a folder that is in use, and `TrainingError`, a
    RuntimeError, when the loss is no longer finite.
    """
    config = _settings(config)
    if every is not None:
        config = config.updated({"training.eval_every": every})
    watched, steps = _checked_watch(watch or {}), _checked_steps(config, save_at)
    into = None if folder is None else user_path(folder)
    if into:
        for step in steps:
            checkpoint.check_free(into / _name(step))
    own = TaskModel(config) if model is None else model
    if changed := changed_settings(config, own.config):
        raise FitError(f"The settings and the model don't belong together: {changed}", "Leave model out.")
    records, kept, reached = list[dict[str, Any]](), dict[int, dict[str, Tensor]](), list[int]()
    for progress in train(config, own):
        record = progress.record()
        if progress.evaluation:
            looked_at = with_shared_weights(own).eval()
            for name, function in watched.items():
                before = [parameter.detach().clone() for parameter in own.parameters()]
                with torch.no_grad():
                    record[name] = _plain(name, function(looked_at))
                if not all(map(torch.equal, before, own.parameters())):
                    raise FitError(f"The function for {one_line(name, 40)} changed the weights.", "Change a copy.")
        records.append(record)
        if progress.step in steps:
            reached.append(progress.step)
            if into:
                checkpoint.save(into / _name(progress.step), own, history_of(own))
            else:
                kept[progress.step] = {name: tensor.detach().clone().cpu() for name, tensor in own.state_dict().items()}
    if missed := [step for step in steps if step not in reached]:
        names = ", ".join(f"{step:,}" for step in missed[:5]) + (", …" if len(missed) > 5 else "")
        warn(
            f"Training was solved at step {records[-1]['step']:,}, so no model was kept at {names}. Set "
            "training.stop_when_solved to False to train to the last step."
        )
    return Fitted(config, own.eval(), records, into, kept, reached)


@dataclass(frozen=True)
class TrainingData:
    """The inputs of a run: those that training reads, in order, and those that it never reads."""

    config: RunConfig

    @checked
    def batches(self, steps: Annotated[int, Field(ge=0)] | None = None) -> Iterator[Batch]:
        """The exact batches of the training, in order: by default one for each of its steps.

        Each is as `playground.tokens` returns it, with B = training.batch_size. A training that stops when it is solved
        reads the first of them. They are those of a run whose batch size doesn't change on the way.
        """
        draws = torch.Generator().manual_seed(seed_of(self.config.seed, "data"))
        size = self.config.training.batch_size
        for _ in range(self.config.training.steps if steps is None else steps):
            yield make_batch(self.config, self._sequences.draw(size, draws))

    def __iter__(self) -> Iterator[Batch]:
        return self.batches()

    def __len__(self) -> int:
        return self.config.training.steps

    @cached_property
    def held_out(self) -> Tensor:
        """(N, S) token ids of the held-out inputs that evaluations test, in their order: 1,000, or eval_sequences."""
        return sources_tested(self.config)

    @cached_property
    def held_out_batch(self) -> Batch:
        """The held-out inputs with their right answers, as `playground.tokens` returns them."""
        return make_batch(self.config, self.held_out)

    @cached_property
    def _sequences(self) -> Sequences:
        return Sequences.of(self.config.task)


def data(config: RunConfig | str) -> TrainingData:
    """The batches that a training with these settings reads, in order, and the held-out inputs.

        for batch in playground.data(config).batches(10):
            batch.source, batch.labels
        playground.text(model, playground.data(config).held_out)

    `config` is what `playground.configure` returns, or the name of a preset. The batches depend on the seed, the task
    and the batch size, and on nothing else. Raises `playground.ConfigError` for an unknown preset.
    """
    return TrainingData(_settings(config))


def _settings(config: RunConfig | str) -> RunConfig:
    if isinstance(config, str):
        return configure(config)
    if not isinstance(config, RunConfig):
        raise FitError(f"Give what playground.configure returns, or the name of a preset, not {type(config).__name__}.")
    return config


def _name(step: int) -> str:
    return f"step-{step}"


def _checked_watch(watch: Mapping[str, Watch]) -> Mapping[str, Watch]:
    known = {"step", *(measure.name for measure in MEASURES)}
    for name, function in watch.items():
        if not callable(function):
            raise FitError(f"watch needs functions of the model; {one_line(name, 40)} is {type(function).__name__}.")
        if name.partition(".")[0] in known:
            raise FitError(f"{one_line(name, 40)} is measured in every training.", "Choose another name to watch.")
    return watch


def _checked_steps(config: RunConfig, save_at: Iterable[int]) -> list[int]:
    steps, last = [*save_at], config.training.steps
    if outside := [step for step in steps if not isinstance(step, Integral) or not 0 <= step <= last]:
        raise FitError(f"save_at has {one_line(outside[0], 40)}, and this training has the steps 0 to {last:,}.")
    return sorted({int(step) for step in steps})


def _plain(name: str, value: Any) -> Any:
    """What a function returned, as a record has it: numbers, lists and dicts of numbers."""
    if isinstance(value, Mapping):
        return {str(key): _plain(name, part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(name, part) for part in value]
    if hasattr(value, "tolist"):  # a tensor or an array of NumPy
        return value.tolist()
    if isinstance(value, bool | int | float):
        return value
    raise FitError(
        f"The function for {one_line(name, 40)} in watch returned {type(value).__name__}.",
        "Return a number, a tensor, or a dict of these.",
    )

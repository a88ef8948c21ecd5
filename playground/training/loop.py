"""Training as a generator: the caller decides when the next step is taken and sees what it did."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Annotated, Any
from weakref import WeakKeyDictionary

import torch
from pydantic import Field, InstanceOf
from torch import Tensor

from playground.model.task_model import TaskModel
from playground.optimization.optimizers import kept
from playground.recording import caching
from playground.settings.arguments import checked
from playground.settings.config import Change, RunConfig, TrainingConfig, in_order
from playground.settings.estimate import quick_test
from playground.tasks.batches import Batch, sources_tested
from playground.training.evaluation import Evaluation, evaluate, is_solved, with_interval
from playground.training.measure import EXAMPLES, measured
from playground.training.stages import Stage, Stages, by_part
from playground.training.step import Measured, OptimizerSteps, TrainingError, finite


@dataclass(frozen=True)
class Progress:
    """The state after `step` optimizer steps; step 0 is the untrained model."""

    step: int
    loss: float | None  # of this step's batch, before the step
    learning_rate: float | None
    gradient_norm: float | None  # before clipping, where there is clipping or it was asked for
    seconds: float  # spent in optimizer steps so far, without evaluations
    evaluation: Evaluation | None
    solved: bool = False
    measured: Mapping[str, Any] = field(default_factory=dict)  # by the functions of `MEASURES`

    def record(self) -> dict[str, Any]:
        """One line of history, as JSON has it: `MEASURES` without what was not measured.

        Besides, `predictions` has the token ids from which `examples` makes the shown examples again.
        """
        line = {k: v for k, v in vars(self).items() if k not in ("evaluation", "solved", "measured")}
        if self.evaluation:
            measured = {k: v for k, v in vars(self.evaluation).items() if k != "examples"}
            measured["validation_loss"] = measured.pop("loss")
            measured["position_accuracy"] = list(measured["position_accuracy"])
            measured["attention_entropy"] = {k: list(v) for k, v in measured["attention_entropy"].items()}
            measured[EXAMPLES] = [list(example.prediction) for example in self.evaluation.examples]
            line = with_interval(line | measured)
        line |= self.measured
        return {k: v for k, v in line.items() if v is not None}


@checked
def train(
    config: Annotated[InstanceOf[RunConfig], Field(description="Give what playground.configure returns.")],
    model: Annotated[InstanceOf[TaskModel], Field(description="Give what playground.new_model returns.")] | None = None,
    changes: Iterable[Change] = (),
) -> Iterator[Progress]:
    """Trains `model` in place, on its device (default: a new one on the CPU); yields before the first step, after each.

    The same config gives the same numbers, times excepted, if torch runs on one thread of a CPU. A GPU sees the same
    batches and rounds otherwise. Raises `TrainingError` when the loss is no longer finite.
    """
    training = Training(config, model, changes)
    return _noted(training.progress(), _histories.setdefault(training.model, []))


_histories: WeakKeyDictionary[TaskModel, list[dict[str, Any]]] = WeakKeyDictionary()


def history_of(model: TaskModel) -> list[dict[str, Any]]:
    """The records of the last `train` of this model, up to the last step taken; empty for any other model or a copy."""
    return _histories.get(model, [])


def _noted(steps: Iterator[Progress], history: list[dict[str, Any]]) -> Iterator[Progress]:
    history.clear()
    for progress in steps:
        history.append(progress.record())
        yield progress


class Training(OptimizerSteps):
    """A training that can be suspended between two steps and continued, here or in another process, bit for bit.

    Some settings can change on the way (`config.LIVE`); a training that is given the same changes from the start makes
    them by itself, and so repeats a run that was changed by hand. A schedule always runs to the steps of the settings
    in force: more steps stretch it.

    The batches depend on the seed, on the task and on how many sequences each batch so far had; on nothing of the model
    and on no other setting of the training.
    """

    def __init__(self, config: RunConfig, model: TaskModel | None = None, changes: Iterable[Change] = ()) -> None:
        """Raises `ConfigError` for changes that cannot be made to this run."""
        super().__init__(config, model or TaskModel(config))
        self.changes = in_order(config, changes)
        self.seconds, self.solved = 0.0, False
        self._under_way = False
        self._take_effect()

    def change(self, settings: Mapping[str, Any]) -> Change:
        """Changes settings by path (`config.LIVE`) from the next step on; a step under way keeps those it began with.

        Returns the change as it stands in `changes` now; raises `ConfigError`, and then changes nothing.
        """
        change = Change(self.step + self._under_way, settings)
        self.changes = in_order(self.config, (*self.changes, change))
        self._take_effect()
        return next(earlier for earlier in self.changes if earlier.step == change.step)

    @property
    def ended(self) -> bool:
        """True if no step is left."""
        settings = self.now.training
        return self.step >= settings.steps or (self.solved and settings.stop_when_solved)

    def progress(self) -> Iterator[Progress]:
        """Takes the steps that are left; a training that begins yields the untrained model first."""
        if self.step == 0:
            evaluation = evaluate(self.model, self.held_out)
            besides = measured(self, step=False, evaluation=True)
            yield Progress(0, None, None, None, 0.0, evaluation, measured=besides)
        while not self.ended:
            settings = self.now.training
            yield self._assessed(self.take_step(), settings)

    def take_step(self) -> Measured:
        """One optimizer step on the next batch, without evaluation, which changes nothing of what is learned.

        Raises `TrainingError` when the loss is no longer finite.
        """
        start = perf_counter()
        *_, result = self.parts()
        assert isinstance(result, Measured)
        self._close(perf_counter() - start)
        return result

    def stages(self) -> Generator[Stage, None, Progress]:
        """The next optimizer step in slow motion: the same step as any other, and what it made, stage by stage.

        Each stage is computed when it is asked for, the forward pass as a whole. What comes back in the end, as the
        value of the generator, is the progress after the step, with its evaluation where one is due. Whoever begins it
        must exhaust it: closed before the last stage, the training is of no more use. Raises `TrainingError` as
        `take_step` does.
        """
        self._under_way = True
        config, stages, clock, parts = self.now, Stages(self.now, self.step + 1), _Stopwatch(), self.parts()
        with clock:
            batch = next(parts)
        assert isinstance(batch, Batch)
        yield stages.batch(batch)
        with caching(self.model) as taps, clock:
            loss = next(parts)
        assert isinstance(loss, Tensor)
        yield from stages.forward_pass(taps)
        yield stages.loss(taps, self._finite_loss(loss))
        with clock:
            next(parts)
        parameters = dict(self.model.named_parameters())
        gradients = {name: parameter.grad for name, parameter in parameters.items() if parameter.grad is not None}
        yield stages.backward(self._gradient_norm(), by_part(gradients))
        before = {name: parameter.detach().clone() for name, parameter in parameters.items()}
        with clock:
            (result,) = parts
        assert isinstance(result, Measured)
        moved = {name: parameter.detach() - before[name] for name, parameter in parameters.items()}
        self._close(clock.seconds)
        yield stages.optimizer(result.learning_rate, by_part(moved))
        return self._assessed(result, config.training)

    def _close(self, seconds: float) -> None:
        self.seconds, self._under_way = self.seconds + seconds, False
        if self.step in self._turns:
            self._take_effect()

    def _take_effect(self) -> None:
        """Puts the settings of the next step, or of the one under way, into force."""
        self._turns = {change.step for change in self.changes}
        self.use(self.config.after(self.changes, self.step))

    def _assessed(self, found: Measured, settings: TrainingConfig) -> Progress:
        """The progress after a step that was taken with these settings."""
        evaluation, last = None, self.step == settings.steps
        if last or self.step % settings.eval_every == 0:
            evaluation = evaluate(self.model, self.held_out, thorough=last)
            finite(evaluation.loss, "loss on held-out sequences", self.step, settings)
            self.solved = self.solved or is_solved(evaluation, self.held_out)
        besides = measured(self, step=True, evaluation=evaluation is not None)
        return Progress(self.step, *found, self.seconds, evaluation, self.solved, besides)

    @cached_property
    def held_out(self) -> Tensor:
        """(N, S) held-out sources of all evaluations."""
        return sources_tested(self.config)

    @cached_property
    def trained(self) -> Tensor:
        """(<= N, S) training sources, as many as an evaluation tests at least."""
        return self._sequences.trained(quick_test(self.config))

    def state(self) -> dict[str, Tensor]:
        """Everything that decides the steps to come, to be taken between two of them; copies, by name."""
        tensors = {
            "progress": torch.tensor([self.step, self.seconds, self.solved], dtype=torch.float64),
            "random.data": self._data.get_state(),
            "random.dropout": self._dropout.state.clone(),
        }
        of_optimizer = self._optimizer.state_dict()["state"]
        for index, (name, parameter) in enumerate(self.model.named_parameters()):
            tensors[f"model.{name}"] = parameter.detach().clone().cpu()
            for key, value in of_optimizer.get(index, {}).items():
                tensors[f"optimizer.{key}.{name}"] = _tensor(value).detach().clone().cpu()
        return tensors

    def go_on_from(self, state: Mapping[str, Tensor]) -> None:
        """Continues where `state` was taken; raises `TrainingError` if it is not one of this config, or damaged."""
        try:
            if state["progress"].dtype != torch.float64:
                raise ValueError("progress")
            step, seconds, solved = state["progress"].tolist()
            of_optimizer: dict[int, dict[str, Tensor | float]] = {}
            for index, (name, parameter) in enumerate(self.model.named_parameters()):
                remembered = kept(self.config.training.optimizer, parameter.shape) if step else {}
                of_optimizer[index] = {
                    key: _restored(state, f"optimizer.{key}.{name}", example) for key, example in remembered.items()
                }
                with torch.no_grad():
                    parameter.copy_(_checked(state, f"model.{name}", parameter))
            self._optimizer.load_state_dict(self._optimizer.state_dict() | {"state": of_optimizer})
            self._data.set_state(state["random.data"])
            self._dropout.state = torch.Generator(self.model.device).set_state(state["random.dropout"]).get_state()
            self.step, self.seconds, self.solved = int(step), seconds, bool(solved)
            self._take_effect()
        except (KeyError, ValueError, RuntimeError, TypeError) as error:
            raise TrainingError(f"The state kept of this run is damaged: {error}.") from error


class _Stopwatch:
    """Adds up the seconds inside its blocks."""

    seconds = 0.0

    def __enter__(self) -> None:
        self._start = perf_counter()

    def __exit__(self, *_error: object) -> None:
        self.seconds += perf_counter() - self._start


def _tensor(value: Tensor | float) -> Tensor:
    """A value of an optimizer's state as a tensor; numbers keep all their digits."""
    return (
        value
        if isinstance(value, Tensor)
        else torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)
    )


def _restored(state: Mapping[str, Tensor], name: str, example: Tensor | float) -> Tensor | float:
    """A value of an optimizer's state, of the kind of an example; raises `ValueError` as `_checked` does."""
    tensor = _checked(state, name, _tensor(example))
    return tensor.clone() if isinstance(example, Tensor) else type(example)(tensor.item())


def _checked(state: Mapping[str, Tensor], name: str, like: Tensor) -> Tensor:
    """A tensor of a state; raises `ValueError` if it is not finite numbers of the shape and type of another."""
    tensor = state[name]
    if tensor.shape != like.shape or tensor.dtype != like.dtype or not bool(torch.isfinite(tensor).all()):
        raise ValueError(name)
    return tensor

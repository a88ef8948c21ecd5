"""Training as a generator: the caller decides when the next step is taken and sees what it did."""

import math
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from playground.batches import Batch, Sequences, make_batch
from playground.config import Change, RunConfig, TrainingConfig, in_order, seed_of
from playground.errors import PlaygroundError
from playground.optimization.optimizers import kept, optimizer
from playground.optimization.schedules import learning_rate
from playground.task_model import TaskModel
from playground.training.evaluation import Evaluation, evaluate, is_solved, right_answers, with_interval
from playground.training.measure import EXAMPLES, measured
from playground.training.randomness import PrivateRandomness
from playground.training.stages import Stage, Stages, by_part, watched


class TrainingError(PlaygroundError, RuntimeError):
    """A run that cannot go on."""


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


class Measured(NamedTuple):
    """What one optimizer step measures of itself."""

    loss: float
    learning_rate: float
    gradient_norm: float | None  # before clipping; None where it was neither clipped nor asked for


def train(config: RunConfig, model: TaskModel | None = None, changes: Iterable[Change] = ()) -> Iterator[Progress]:
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


class Training:
    """A training that can be suspended between two steps and continued, here or in another process, bit for bit.

    Some settings can change on the way (`config.LIVE`); a training that is given the same changes from the start makes
    them by itself, and so repeats a run that was changed by hand. A schedule always runs to the steps of the settings
    in force: more steps stretch it.

    The batches depend on the seed, on the task and on how many sequences each batch so far had; on nothing of the model
    and on no other setting of the training.
    """

    def __init__(self, config: RunConfig, model: TaskModel | None = None, changes: Iterable[Change] = ()) -> None:
        """Raises `ConfigError` for changes that cannot be made to this run."""
        self.config = config
        self.changes = in_order(config, changes)
        self.model = model or TaskModel(config)
        self.step, self.seconds, self.solved = 0, 0.0, False
        self.measure_gradient_norm = False  # although nothing is clipped
        self._under_way = False
        self._data = torch.Generator().manual_seed(seed_of(config.seed, "data"))
        self._dropout = PrivateRandomness(seed_of(config.seed, "dropout"), self.model.device)
        self._optimizer = optimizer(self.model.parameters(), config.training)
        self._sequences = Sequences.of(config.task)
        self._take_effect()

    @property
    def now(self) -> RunConfig:
        """The settings of the next step: `config` and all changes up to here."""
        return self._now

    def change(self, settings: Mapping[str, Any]) -> Change:
        """Changes settings by path (`config.LIVE`) from the next step on; a step under way keeps those it began with.

        Returns the change as it stands in `changes` now; raises `ConfigError`, and then changes nothing.
        """
        change = Change(self.step + self._under_way, settings)
        self.changes = in_order(self.config, (*self.changes, change))
        self._take_effect()
        return next(each for each in self.changes if each.step == change.step)

    @property
    def ended(self) -> bool:
        """Whether no step is left to take."""
        settings = self.now.training
        return self.step >= settings.steps or (self.solved and settings.stop_when_solved)

    def progress(self) -> Iterator[Progress]:
        """Takes the steps that are left; a training that begins yields the untrained model first."""
        if self.step == 0:
            evaluation = evaluate(self.model, self._held_out)
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
        loss = self._forward(self._draw())
        value = self._finite_loss(loss)
        self._backward(loss)
        norm = self._clip()
        rate = self._update()
        self._close(perf_counter() - start)
        return Measured(value, rate, norm)

    def stages(self) -> Generator[Stage, None, Progress]:
        """The next optimizer step in slow motion: the same step as any other, and what it made, stage by stage.

        Each stage is computed when it is asked for, the forward pass as a whole. What comes back in the end, as the
        value of the generator, is the progress after the step, with its evaluation where one is due. Whoever begins it
        must exhaust it: closed before the last stage, the training is of no more use. Raises `TrainingError` as
        `take_step` does.
        """
        self._under_way = True
        config, stages, spent = self.now, Stages(self.now, self.step + 1), 0.0

        start = perf_counter()
        batch = self._draw()
        spent += perf_counter() - start
        yield stages.batch(batch)

        start = perf_counter()
        with watched(self.model) as taps:
            loss = self._forward(batch)
        spent += perf_counter() - start
        yield from stages.forward_pass(taps)
        yield stages.loss(taps, self._finite_loss(loss))

        start = perf_counter()
        self._backward(loss)
        spent += perf_counter() - start
        parameters = dict(self.model.named_parameters())
        gradients = {name: each.grad for name, each in parameters.items() if each.grad is not None}
        norms, whole = by_part(gradients), self._gradient_norm()
        start = perf_counter()
        norm = self._clip()
        spent += perf_counter() - start
        yield stages.backward(whole, norms)

        before = {name: each.detach().clone() for name, each in parameters.items()}
        start = perf_counter()
        rate = self._update()
        spent += perf_counter() - start
        moved = {name: each.detach() - before[name] for name, each in parameters.items()}
        self._close(spent)
        yield stages.optimizer(rate, by_part(moved))
        return self._assessed(Measured(float(loss.detach()), rate, norm), config.training)

    def _draw(self) -> Batch:
        """The next batch, of sequences that are not held out."""
        source = self._sequences.draw(self.now.training.batch_size, self._data)
        return make_batch(self.config, source, right_answers(self.config, source)).to(self.model.device)

    def _forward(self, batch: Batch) -> Tensor:
        """The loss of a batch in training mode, with the graph that leads to it."""
        if not self.model.training:
            self.model.train()
        with self._dropout:
            _, loss = self.model(*batch, label_smoothing=self.now.training.label_smoothing)
        return loss

    def _finite_loss(self, loss: Tensor) -> float:
        return _finite(float(loss.detach()), "loss", self.step + 1, self.now.training)

    def _backward(self, loss: Tensor) -> None:
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()

    def _clip(self) -> float | None:
        """Shortens the gradient where the settings say so; returns its norm before, where that is wanted."""
        if most := self.now.training.clip_grad_norm:
            return float(nn.utils.clip_grad_norm_(self.model.parameters(), most))
        return self._gradient_norm() if self.measure_gradient_norm else None

    def _gradient_norm(self) -> float:
        gradients = [each.grad for each in self.model.parameters() if each.grad is not None]
        return float(nn.utils.get_total_norm(gradients))

    def _update(self) -> float:
        """Moves the weights; returns the learning rate by which."""
        rate = learning_rate(self.now.training, self.step + 1)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        return rate

    def _close(self, seconds: float) -> None:
        self.step, self.seconds, self._under_way = self.step + 1, self.seconds + seconds, False
        if self.step in self._turns:
            self._take_effect()

    def _take_effect(self) -> None:
        """Puts the settings of the next step, or of the one under way, into force."""
        self._turns = {change.step for change in self.changes}
        self._now = self.config.after(self.changes, self.step)
        self._dropout.needed = self._now.model.dropout > 0
        for module in self.model.modules():
            if isinstance(module, nn.Dropout):
                module.p = self._now.model.dropout

    def _assessed(self, found: Measured, settings: TrainingConfig) -> Progress:
        """The progress after a step that was taken with these settings."""
        evaluation, last = None, self.step == settings.steps
        if last or self.step % settings.eval_every == 0:
            evaluation = evaluate(self.model, self._held_out, thorough=last)
            _finite(evaluation.loss, "loss on held-out sequences", self.step, settings)
            self.solved = self.solved or is_solved(evaluation, self._held_out)
        besides = measured(self, step=True, evaluation=evaluation is not None)
        return Progress(self.step, *found, self.seconds, evaluation, self.solved, besides)

    @cached_property
    def _held_out(self) -> Tensor:
        return self._sequences.held_out()

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
                tensors[f"optimizer.{key}.{name}"] = value.detach().clone().cpu()
        return tensors

    def go_on_from(self, state: Mapping[str, Tensor]) -> None:
        """Continues where `state` was taken; raises `TrainingError` if it is not one of this config, or damaged."""
        try:
            if state["progress"].dtype != torch.float64:
                raise ValueError("progress")
            step, seconds, solved = state["progress"].tolist()
            of_optimizer: dict[int, dict[str, Tensor]] = {}
            for index, (name, parameter) in enumerate(self.model.named_parameters()):
                shapes = dict.fromkeys(kept(self.config.training.optimizer) if step else (), parameter.shape)
                shapes |= {"step": torch.Size()} if "step" in shapes else {}
                of_optimizer[index] = {
                    key: _checked(state, f"optimizer.{key}.{name}", shape).clone() for key, shape in shapes.items()
                }
                with torch.no_grad():
                    parameter.copy_(_checked(state, f"model.{name}", parameter.shape))
            self._optimizer.load_state_dict(self._optimizer.state_dict() | {"state": of_optimizer})
            self._data.set_state(state["random.data"])
            self._dropout.state = torch.Generator(self.model.device).set_state(state["random.dropout"]).get_state()
            self.step, self.seconds, self.solved = int(step), seconds, bool(solved)
            self._take_effect()
        except (KeyError, ValueError, RuntimeError, TypeError) as error:
            raise TrainingError(f"The state kept of this run is damaged: {error}.") from error


def _finite(value: float, what: str, step: int, settings: TrainingConfig) -> float:
    """`value`; raises `TrainingError` for NaN and infinity."""
    if not math.isfinite(value):
        raise TrainingError(
            f"The {what} became {value} at step {step}, so the run ended. "
            f"Try a learning_rate below {settings.learning_rate:g}."
        )
    return value


def _checked(state: Mapping[str, Tensor], name: str, shape: tuple[int, ...]) -> Tensor:
    """A tensor of a state; raises `ValueError` if it is not finite numbers of this shape."""
    tensor = state[name]
    if tensor.shape != shape or tensor.dtype != torch.float32 or not bool(torch.isfinite(tensor).all()):
        raise ValueError(name)
    return tensor

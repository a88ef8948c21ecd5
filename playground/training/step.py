"""One optimizer step, part by part: taken at full speed, in slow motion and by exported code."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn

from playground.common.errors import PlaygroundError
from playground.common.seeds import seed_of
from playground.model.task_model import TaskModel
from playground.optimization.optimizers import optimizer
from playground.optimization.schedules import learning_rate
from playground.settings.config import RunConfig, TrainingConfig
from playground.tasks.batches import Batch, Sequences, make_batch
from playground.training.randomness import PrivateRandomness


class TrainingError(PlaygroundError, RuntimeError):
    """A run that cannot go on."""


class Measured(NamedTuple):
    """Measures of one optimizer step."""

    loss: float
    learning_rate: float
    gradient_norm: float | None  # before clipping; None where it was neither clipped nor asked for


class OptimizerSteps:
    """Takes the steps of a training, one after another, with the settings `now`."""

    def __init__(self, config: RunConfig, model: TaskModel) -> None:
        """`config` has the task, the seed and the optimizer; the other settings are those of `use`."""
        self.config, self.model, self.step = config, model, 0
        self.measure_gradient_norm = False  # although nothing is clipped
        self._data = torch.Generator().manual_seed(seed_of(config.seed, "data"))
        self._dropout = PrivateRandomness(seed_of(config.seed, "dropout"), model.device)
        self._optimizer = optimizer(model.parameters(), config.training)
        self._sequences = Sequences.of(config.task)
        self.use(config)

    @property
    def now(self) -> RunConfig:
        """The settings of the next step."""
        return self._now

    def use(self, settings: RunConfig) -> None:
        """Puts settings into force."""
        self._now = settings
        self._dropout.needed = settings.model.dropout > 0
        for module in self.model.modules():
            if isinstance(module, nn.Dropout):
                module.p = settings.model.dropout

    def parts(self) -> Iterator[Batch | Tensor | Measured | None]:
        """The next optimizer step: yields the batch, the loss, None after the gradients, and what it measured."""
        batch = self._draw()
        yield batch
        loss = self._forward(batch)
        yield loss
        value = self._finite_loss(loss)
        self._backward(loss)
        yield None
        norm = self._clip()
        rate = self._update()
        self.step += 1
        yield Measured(value, rate, norm)

    def _draw(self) -> Batch:
        """The next batch, of sequences that are not held out."""
        source = self._sequences.draw(self.now.training.batch_size, self._data)
        return make_batch(self.config, source).to(self.model.device)

    def _forward(self, batch: Batch) -> Tensor:
        """The loss of a batch in training mode, with the graph that leads to it."""
        if not self.model.training:
            self.model.train()
        with self._dropout:
            _, loss = self.model(*batch, label_smoothing=self.now.training.label_smoothing)
        return loss

    def _finite_loss(self, loss: Tensor) -> float:
        return finite(float(loss.detach()), "loss", self.step + 1, self.now.training)

    def _backward(self, loss: Tensor) -> None:
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()

    def _clip(self) -> float | None:
        """Shortens the gradient where the settings say so; returns its norm before, where that is wanted."""
        if most := self.now.training.clip_grad_norm:
            return float(nn.utils.clip_grad_norm_(self.model.parameters(), most))
        return self._gradient_norm() if self.measure_gradient_norm else None

    def _gradient_norm(self) -> float:
        gradients = [parameter.grad for parameter in self.model.parameters() if parameter.grad is not None]
        return float(nn.utils.get_total_norm(gradients))

    def _update(self) -> float:
        """Moves the weights; returns the learning rate by which."""
        rate = learning_rate(self.now.training, self.step + 1)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        return rate


def finite(value: float, what: str, step: int, settings: TrainingConfig) -> float:
    """`value`; raises `TrainingError` for NaN and infinity."""
    if not math.isfinite(value):
        raise TrainingError(
            f"The {what} became {value} at step {step}, so the run ended. "
            f"Try a learning rate below {settings.learning_rate:g}."
        )
    return value

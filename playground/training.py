"""Training as a generator: the caller decides when the next step is taken and sees what it did."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.config import RunConfig, TrainingConfig
from playground.decoding import greedy, said
from playground.estimate import quick_test
from playground.model import Transformer
from playground.tasks import ANSWERS, PAD, Batch, Sequences, make_batch, with_eos

SOLVED_AT = 0.999
SHOWN_EXAMPLES = 8


class TrainingError(RuntimeError):
    """A run that cannot go on; the message is one sentence."""


@dataclass(frozen=True)
class Example:
    """A held-out sequence and what the model made of it, as token ids."""

    source: tuple[int, ...]
    answer: tuple[int, ...]  # right
    prediction: tuple[int, ...]  # free-running


@dataclass(frozen=True)
class Evaluation:
    """Held-out sequences, free-running: the model reads its own tokens, not the right ones."""

    sequences: int  # how many were tested
    loss: float  # mean over tokens, under teacher forcing
    exact_match: float  # share of answers entirely right, EOS included
    token_accuracy: float  # share of right tokens, place by place
    teacher_forced_exact_match: float | None  # beside the two above where it can differ
    teacher_forced_token_accuracy: float | None
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Progress:
    """The state after `step` optimiser steps; step 0 is the untrained model."""

    step: int
    loss: float | None  # of this step's batch, before the step
    learning_rate: float | None
    gradient_norm: float | None  # before clipping, where there is clipping
    seconds: float  # spent in optimiser steps so far, without evaluations
    evaluation: Evaluation | None
    solved: bool = False

    def record(self) -> dict[str, Any]:
        """One line of history, flat, without what was not measured."""
        line = {k: v for k, v in vars(self).items() if k not in ("evaluation", "solved")}
        if self.evaluation:
            measured = {k: v for k, v in vars(self.evaluation).items() if k != "examples"}
            measured["validation_loss"] = measured.pop("loss")
            line |= measured
        return {k: v for k, v in line.items() if v is not None}


def train(config: RunConfig, model: Transformer | None = None) -> Iterator[Progress]:
    """Trains `model` in place (default: a new one) and yields before the first step and after each.

    The same config gives the same numbers, times excepted, if torch runs on one thread. Raises `TrainingError`
    when the loss is no longer finite.
    """
    return Training(config, model).progress()


class Training:
    """A training that can be laid aside between two steps and gone on with, here or in another process, bit for bit."""

    def __init__(self, config: RunConfig, model: Transformer | None = None) -> None:
        self.config = config
        self.model = model or Transformer(config)
        self.step, self.seconds, self.solved = 0, 0.0, False
        self._data = torch.Generator().manual_seed(config.seed + 2**40)  # apart from that of the initial weights
        self._dropout = _PrivateRandomness(config.seed + 2**41, needed=config.model.dropout > 0)
        self._optimizer = _optimizer(self.model, config.training)
        self._sequences = Sequences.of(config.task)

    @property
    def ended(self) -> bool:
        """Whether no step is left to take."""
        settings = self.config.training
        return self.step >= settings.steps or (self.solved and settings.stop_when_solved)

    def progress(self) -> Iterator[Progress]:
        """Takes the steps that are left; a training that begins yields the untrained model first."""
        settings, held_out = self.config.training, self._sequences.held_out()
        if self.step == 0:
            yield Progress(0, None, None, None, 0.0, evaluate(self.model, held_out))
        while not self.ended:
            value, rate, norm = self.take_step()
            step, evaluation, last = self.step, None, self.step == settings.steps
            if last or step % settings.eval_every == 0:
                evaluation = evaluate(self.model, held_out, thorough=last)
                _finite(evaluation.loss, "loss on held-out sequences", step, settings)
                self.solved = self.solved or is_solved(evaluation, held_out)
            yield Progress(step, value, rate, norm, self.seconds, evaluation, self.solved)

    def take_step(self) -> tuple[float, float, float | None]:
        """One optimiser step on the next batch, without evaluation, which changes nothing of what is learned.

        Returns loss, learning rate and the norm of the gradient where it is clipped; raises `TrainingError` when the
        loss is no longer finite.
        """
        start = perf_counter()
        source = self._sequences.draw(self.config.training.batch_size, self._data)
        batch = make_batch(self.config, source, right_answers(self.config, source))
        measured = self._optimise(batch, self.step + 1)
        self.step, self.seconds = self.step + 1, self.seconds + perf_counter() - start
        return measured

    def _optimise(self, batch: Batch, step: int) -> tuple[float, float, float | None]:
        model, optimizer, settings = self.model, self._optimizer, self.config.training
        rate = learning_rate(settings, step)
        for group in optimizer.param_groups:
            group["lr"] = rate
        model.train()
        with self._dropout:
            _, loss = model(*batch, label_smoothing=settings.label_smoothing)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = None
        if settings.clip_grad_norm:
            norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip_grad_norm))
        value = _finite(float(loss.detach()), "loss", step, settings)
        optimizer.step()
        return value, rate, norm

    def state(self) -> dict[str, Tensor]:
        """Everything that decides the steps to come, to be taken between two of them; copies, by name."""
        tensors = {
            "progress": torch.tensor([self.step, self.seconds, self.solved], dtype=torch.float64),
            "random.data": self._data.get_state(),
            "random.dropout": self._dropout.state.clone(),
        }
        for name, parameter in self.model.named_parameters():
            tensors[f"model.{name}"] = parameter.detach().clone()
            for key, value in self._optimizer.state[parameter].items():
                tensors[f"optimizer.{key}.{name}"] = value.detach().clone()
        return tensors

    def go_on_from(self, state: Mapping[str, Tensor]) -> None:
        """Continues where `state` was taken; raises `TrainingError` if it is not one of this config, or damaged."""
        parameters = dict(self.model.named_parameters())
        try:
            if state["progress"].dtype != torch.float64:
                raise ValueError("progress")
            step, seconds, solved = state["progress"].tolist()
            for name, parameter in parameters.items():
                values = {"model": state[f"model.{name}"]}
                values |= {
                    key: state[f"optimizer.{key}.{name}"] for key in _KEPT[self.config.training.optimizer] if step
                }
                for key, value in values.items():
                    whole = value.shape == (() if key == "step" else parameter.shape) and value.dtype == torch.float32
                    if not (whole and bool(torch.isfinite(value).all())):
                        raise ValueError(f"{key} of {name}")
                with torch.no_grad():
                    parameter.copy_(values.pop("model"))
                self._optimizer.state[parameter] = {key: value.clone() for key, value in values.items()}
            self._data.set_state(state["random.data"])
            self._dropout.state = torch.Generator().set_state(state["random.dropout"]).get_state()
            self.step, self.seconds, self.solved = int(step), seconds, bool(solved)
        except (KeyError, ValueError, RuntimeError, TypeError) as error:
            raise TrainingError(f"The state kept of this run is damaged: {error}.") from error


_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
_KEPT = {"sgd": ("momentum_buffer",), "adam": _MOMENTS, "adamw": _MOMENTS}
"""What each optimiser remembers of a parameter between steps."""


def _finite(value: float, what: str, step: int, settings: TrainingConfig) -> float:
    """`value`; raises `TrainingError` for NaN and infinity."""
    if not math.isfinite(value):
        raise TrainingError(
            f"The {what} became {value} at step {step}, so the run ended there; "
            f"try a learning_rate below {settings.learning_rate:g}."
        )
    return value


def is_solved(evaluation: Evaluation, held_out: Tensor) -> bool:
    """Whether 99.9 % of the answers to all held-out sequences, not a part of them, are entirely right."""
    return evaluation.sequences == len(held_out) and evaluation.exact_match >= SOLVED_AT


def right_answers(config: RunConfig, source: Tensor) -> Tensor:
    """(B, S) sources padded with PAD -> their answers, padded alike."""
    return ANSWERS[config.task.name](source, (source != PAD).sum(1))


def evaluate(model: Transformer, held_out: Tensor, *, thorough: bool = False) -> Evaluation:
    """Tests on (N, S) held-out sources: a quick test first, then more, as long as the model may have solved them.

    A test ends early once more answers are wrong than a solved model may have wrong in all; a thorough one is at least
    ten times a quick one. Leaves the model in evaluation mode.
    """
    model.eval()
    parts: list[_Part] = []
    quick, total = quick_test(model.config), len(held_out)
    first = 0
    for last in (10 * quick, total) if thorough else (quick, 4 * quick, total):
        while first < min(last, total):
            end = min(last, total, first + 4 * quick)  # more at once would need too much memory
            parts.append(_test(model, held_out[first:end]))
            first = end
        if sum(part.sequences * (1 - part.exact) for part in parts) > (1 - SOLVED_AT) * total + 0.5:
            break
    return _together(model, parts)


class _Part(NamedTuple):
    """Scores of some held-out sequences, as shares."""

    sequences: int
    tokens: int
    loss: float
    exact: float
    accuracy: float
    forced_exact: float
    forced_accuracy: float
    examples: tuple[Example, ...]


@torch.inference_mode()
def _test(model: Transformer, source: Tensor) -> _Part:
    config, answers = model.config, right_answers(model.config, source)
    batch = make_batch(config, source, answers)
    logits, loss = model(*batch)
    if config.model.architecture == "encoder-only":
        labels, forced = answers, logits.argmax(-1).masked_fill(source == PAD, PAD)
    else:
        labels, forced = with_eos(answers), said(model, source, answers, logits)
    free = forced.masked_fill(labels == PAD, PAD)
    # With a causal mask an answer that is right under teacher forcing has read the right tokens: it is the free one.
    open_rows = (free != labels).any(1) if config.model.causal_mask else torch.ones(len(source), dtype=torch.bool)
    if config.model.architecture != "encoder-only" and bool(open_rows.any()):
        answered = greedy(model, source[open_rows], guess=forced[open_rows])
        free[open_rows] = F.pad(answered, (0, free.size(1) - answered.size(1)))
    examples = tuple(
        Example(_trim(source[row]), _trim(labels[row]), _trim(free[row]))
        for row in range(min(SHOWN_EXAMPLES, len(source)))
    )
    tokens = int((labels != PAD).sum())
    return _Part(len(source), tokens, float(loss), *_scores(free, labels), *_scores(forced, labels), examples)


def _together(model: Transformer, parts: list[_Part]) -> Evaluation:
    def mean(score: str, over: str) -> float:
        return sum(getattr(part, score) * getattr(part, over) for part in parts) / sum(
            getattr(part, over) for part in parts
        )

    config = model.config.model
    return Evaluation(
        sequences=sum(part.sequences for part in parts),
        loss=mean("loss", over="tokens"),
        exact_match=mean("exact", over="sequences"),
        token_accuracy=mean("accuracy", over="tokens"),
        teacher_forced_exact_match=None if config.causal_mask else mean("forced_exact", over="sequences"),
        teacher_forced_token_accuracy=(
            None if config.architecture == "encoder-only" else mean("forced_accuracy", over="tokens")
        ),
        examples=parts[0].examples,
    )


def _scores(predictions: Tensor, labels: Tensor) -> tuple[float, float]:
    """Share of rows entirely right and of tokens right; PAD in `labels` is not scored."""
    scored = labels != PAD
    right = (predictions == labels) & scored
    return float((right == scored).all(1).double().mean()), float(right.sum() / scored.sum())


def _trim(tokens: Tensor) -> tuple[int, ...]:
    return tuple(token for token in tokens.tolist() if token != PAD)


def learning_rate(settings: TrainingConfig, step: int) -> float:
    """The rate of optimiser step `step`, counted from 1: a linear warm-up to the peak, then the schedule.

    noam is equation (3) of the paper, scaled so that its peak is `learning_rate`; exponential ends at 1 % of it.
    """
    peak, warmup = settings.learning_rate, settings.warmup_steps
    if step < warmup:
        return peak * step / warmup
    done = (step - warmup) / max(1, settings.steps - warmup)
    match settings.schedule:
        case "noam":
            return peak * math.sqrt(warmup / step)
        case "cosine":
            return peak * (1 + math.cos(math.pi * done)) / 2
        case "exponential":
            return peak * 0.01**done
    return peak


def _optimizer(model: Transformer, settings: TrainingConfig) -> torch.optim.Optimizer:
    parameters, decay = model.parameters(), settings.weight_decay
    if settings.optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=settings.learning_rate, momentum=0.9, weight_decay=decay, fused=True)
    kind = torch.optim.AdamW if settings.optimizer == "adamw" else torch.optim.Adam
    # The betas are the paper's, section 5.3; fused is the fastest of torch's three implementations here.
    return kind(parameters, lr=settings.learning_rate, betas=(0.9, 0.98), weight_decay=decay, fused=True)


class _PrivateRandomness:
    """Dropout draws from torch's global generator; inside this context that generator is this run's own."""

    def __init__(self, seed: int, *, needed: bool) -> None:
        self.needed = needed
        self.state = torch.Generator().manual_seed(seed).get_state()

    def __enter__(self) -> None:
        if self.needed:
            self.outside = torch.get_rng_state()
            torch.set_rng_state(self.state)

    def __exit__(self, *_error: object) -> None:
        if self.needed:
            self.state = torch.get_rng_state()
            torch.set_rng_state(self.outside)

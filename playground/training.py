"""Training as a generator: the caller decides when the next step is taken and sees what it did."""

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.batches import Batch, Sequences, make_batch, with_eos
from playground.config import Architecture, Change, RunConfig, TaskConfig, TrainingConfig, in_order
from playground.decoding import greedy, said
from playground.estimate import quick_test
from playground.model import Transformer
from playground.stages import Stage, Stages, by_part, watched
from playground.tasks import PAD, task_of

SOLVED_AT = 0.999
SHOWN_EXAMPLES = 8
ENTROPY_SEQUENCES = 32  # held-out sequences over which the entropy of attention is averaged


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
    position_accuracy: tuple[float | None, ...]
    """Share of right tokens at each place of the answer, from 0; None where no tested answer has that place."""
    attention_entropy: dict[str, tuple[float, ...]]
    """Name of the tap `weights` of each attention -> bits by head: the mean over what the model reads of at most
    `ENTROPY_SEQUENCES` sequences under teacher forcing. 0: all weight on one key; log2 n: even over n keys."""
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Progress:
    """The state after `step` optimiser steps; step 0 is the untrained model."""

    step: int
    loss: float | None  # of this step's batch, before the step
    learning_rate: float | None
    gradient_norm: float | None  # before clipping, where there is clipping or it was asked for
    seconds: float  # spent in optimiser steps so far, without evaluations
    evaluation: Evaluation | None
    solved: bool = False

    def record(self) -> dict[str, Any]:
        """One line of history, as JSON has it, without what was not measured.

        All of it is numbers but what an evaluation shows besides: `position_accuracy` (a list, with None where there is
        no such place), `attention_entropy` (lists by name) and `predictions` (lists of token ids, from which `examples`
        makes the shown examples again).
        """
        line = {k: v for k, v in vars(self).items() if k not in ("evaluation", "solved")}
        if self.evaluation:
            measured = {k: v for k, v in vars(self.evaluation).items() if k != "examples"}
            measured["validation_loss"] = measured.pop("loss")
            measured["position_accuracy"] = list(measured["position_accuracy"])
            measured["attention_entropy"] = {k: list(v) for k, v in measured["attention_entropy"].items()}
            measured["predictions"] = [list(example.prediction) for example in self.evaluation.examples]
            line |= measured
        return {k: v for k, v in line.items() if v is not None}


class Measured(NamedTuple):
    """What one optimiser step measures of itself."""

    loss: float
    learning_rate: float
    gradient_norm: float | None  # before clipping; None where it was neither clipped nor asked for


def train(config: RunConfig, model: Transformer | None = None, changes: Iterable[Change] = ()) -> Iterator[Progress]:
    """Trains `model` in place (default: a new one) and yields before the first step and after each.

    The same config gives the same numbers, times excepted, if torch runs on one thread. Raises `TrainingError`
    when the loss is no longer finite.
    """
    return Training(config, model, changes).progress()


class Training:
    """A training that can be laid aside between two steps and gone on with, here or in another process, bit for bit.

    Some settings can change on the way (`config.LIVE`); a training that is given the same changes from the start makes
    them by itself, and so repeats a run that was changed by hand. A schedule always runs to the steps of the settings
    in force: more steps stretch it.

    The batches depend on the seed, on the task and on how many sequences each batch so far had; on nothing of the model
    and on no other setting of the training.
    """

    def __init__(self, config: RunConfig, model: Transformer | None = None, changes: Iterable[Change] = ()) -> None:
        """Raises `ConfigError` for changes that cannot be made to this run."""
        self.config = config
        self.changes = in_order(config, changes)
        self.model = model or Transformer(config)
        self.step, self.seconds, self.solved = 0, 0.0, False
        self.measure_gradient_norm = False  # although nothing is clipped
        self._under_way = False
        self._data = torch.Generator().manual_seed(config.seed_of("data"))
        self._dropout = _PrivateRandomness(config.seed_of("dropout"))
        self._optimizer = _optimizer(self.model, config.training)
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
            yield Progress(0, None, None, None, 0.0, evaluate(self.model, self._held_out))
        while not self.ended:
            settings = self.now.training
            yield self._assessed(self.take_step(), settings)

    def take_step(self) -> Measured:
        """One optimiser step on the next batch, without evaluation, which changes nothing of what is learned.

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
        """The next optimiser step in slow motion: the same step as any other, and what it made, stage by stage.

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
        return make_batch(self.config, source, right_answers(self.config, source))

    def _forward(self, batch: Batch) -> Tensor:
        """The loss of a batch in training mode, with the graph that leads to it."""
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

    def _assessed(self, measured: Measured, settings: TrainingConfig) -> Progress:
        """The progress after a step that was taken with these settings."""
        evaluation, last = None, self.step == settings.steps
        if last or self.step % settings.eval_every == 0:
            evaluation = evaluate(self.model, self._held_out, thorough=last)
            _finite(evaluation.loss, "loss on held-out sequences", self.step, settings)
            self.solved = self.solved or is_solved(evaluation, self._held_out)
        return Progress(self.step, *measured, self.seconds, evaluation, self.solved)

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
            self._take_effect()
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
    return task_of(config.task).answers(source)


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
            parts.append(_test(model, held_out[first:end], watch=not parts))
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
    right: list[int]  # tokens by place of the answer
    scored: list[int]  # the same, right or wrong
    entropy: dict[str, tuple[float, ...]]
    examples: tuple[Example, ...]


@torch.inference_mode()
def _test(model: Transformer, source: Tensor, *, watch: bool) -> _Part:
    config, answers = model.config, right_answers(model.config, source)
    batch = make_batch(config, source, answers)
    with _entropy_measured(model, batch, ENTROPY_SEQUENCES if watch else 0) as entropy:
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
    shown = range(min(SHOWN_EXAMPLES, len(source)))
    scored = labels != PAD
    return _Part(
        len(source),
        int(scored.sum()),
        float(loss),
        *_scores(free, labels),
        *_scores(forced, labels),
        ((free == labels) & scored).sum(0).tolist(),
        scored.sum(0).tolist(),
        entropy,
        tuple(Example(_trim(source[row]), _trim(labels[row]), _trim(free[row])) for row in shown),
    )


def head_entropy(weights: Tensor, read: Tensor) -> tuple[float, ...]:
    """Mean entropy in bits of each head's attention weights, (N, H, T, S), over the queries that are `read`, (N, T)."""
    entropy = torch.special.entr(weights).sum(-1) / math.log(2)  # (N, H, T)
    return tuple(entropy.transpose(1, 2)[read].mean(0).tolist())


@contextmanager
def _entropy_measured(model: Transformer, batch: Batch, sequences: int) -> Iterator[dict[str, tuple[float, ...]]]:
    """Fills in bits by head of each attention, over the first `sequences` of the pass made inside the block."""
    found: dict[str, tuple[float, ...]] = {}

    def measure(name: str, tokens: Tensor) -> Any:
        read = tokens[:sequences] != PAD  # (N, T)

        def hook(_module: nn.Module, _args: object, weights: Tensor) -> None:
            found[name] = head_entropy(weights[:sequences], read)

        return hook

    handles = []
    for name, module in model.named_modules() if sequences else ():
        if name.endswith("attention.attention.weights"):
            tokens = batch.source if name.startswith("encoder.") else batch.target
            assert tokens is not None
            handles.append(module.register_forward_hook(measure(name, tokens)))
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()


def examples(config: RunConfig, predictions: Sequence[Sequence[int]]) -> tuple[Example, ...]:
    """The shown examples of a record (`Progress.record`) again, from its predictions."""
    return tuple(
        Example(source, answer, tuple(prediction))
        for (source, answer), prediction in zip(_shown(config.task, config.model.architecture), predictions)
    )


@lru_cache(maxsize=64)
def _shown(task: TaskConfig, architecture: Architecture) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Source and right answer of the shown examples."""
    source = Sequences.of(task).held_out()[:SHOWN_EXAMPLES]
    answers = task_of(task).answers(source)
    labels = answers if architecture == "encoder-only" else with_eos(answers)
    return [(_trim(row), _trim(label)) for row, label in zip(source, labels, strict=True)]


def _together(model: Transformer, parts: list[_Part]) -> Evaluation:
    def mean(score: str, over: str) -> float:
        return sum(getattr(part, score) * getattr(part, over) for part in parts) / sum(
            getattr(part, over) for part in parts
        )

    def places(counts: str) -> list[int]:
        return [sum(place) for place in zip(*(getattr(part, counts) for part in parts), strict=True)]

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
        position_accuracy=tuple(
            right / scored if scored else None for right, scored in zip(places("right"), places("scored"), strict=True)
        ),
        attention_entropy=parts[0].entropy,
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

    def __init__(self, seed: int) -> None:
        self.needed = False
        self.state = torch.Generator().manual_seed(seed).get_state()

    def __enter__(self) -> None:
        if self.needed:
            self.outside = torch.get_rng_state()
            torch.set_rng_state(self.state)

    def __exit__(self, *_error: object) -> None:
        if self.needed:
            self.state = torch.get_rng_state()
            torch.set_rng_state(self.outside)

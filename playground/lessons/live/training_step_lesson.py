"""Lesson "One training step"."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    OperationLink,
    Output,
    Sentence,
    Slider,
    Table,
    TableInput,
    code_of,
    generator,
    live,
    own_randomness,
)
from playground.lessons.mistakes.pitfall import BASE
from playground.model.task_model import TaskModel
from playground.model.transformer import Transformer
from playground.optimization.optimizers import BETAS, OPTIMIZERS, optimizer
from playground.optimization.schedules import SCHEDULES, learning_rate
from playground.settings.config import RunConfig, TrainingConfig
from playground.tasks import PAD, SPECIALS, decode
from playground.tasks.batches import with_eos
from playground.training.loop import Training
from playground.training.stages import by_part, smoothing_floor

SMALL = BASE.updated({"task.vocab_size": 10})
"""Settings of a model that trains in a moment; with so many possible inputs, none are listed."""
MODEL, INPUT = "reverse-1-16", "3 1 4 1 5"
TOKENS = ("Token 1", "Token 2", "Token 3", "Token 4")
PEAK, STEPS = 0.01, 200
SMOOTHING = 0.1  # as in the paper
WARM_UP = 80  # where the slider stands


def _logits(seed: int) -> Tensor:
    """Logits of four tokens, shape (1, 4), rounded to one decimal."""
    return torch.randn(1, len(TOKENS), generator=generator(seed)).mul(10).round().div(10)


def _labels(seed: int) -> tuple[list[list[str]], int]:
    """Names of the labels of three answers of different lengths, and how many of them are scored."""
    lengths = torch.tensor([2, 6, 3 + seed % 3])[:, None]
    symbols = torch.randint(SMALL.task.vocab_size, (3, 6), generator=generator(seed)) + len(SPECIALS)
    labels = with_eos(symbols.masked_fill(torch.arange(6) >= lengths, PAD))
    return [decode(row, SMALL.task) for row in labels.tolist()], int((labels != PAD).sum())


def _smoothed(logits: Tensor, right: int, smoothing: float) -> tuple[Tensor, float]:
    """The target row that `cross_entropy` compares with, shape (V,), and the loss."""
    logits = logits.detach().clone().requires_grad_()
    loss = F.cross_entropy(logits[None], torch.tensor([right]), label_smoothing=smoothing)
    (gradient,) = torch.autograd.grad(loss, logits)
    return (logits.softmax(-1) - gradient).detach(), float(loss.detach())  # d loss / d logits = probabilities - target


def _training(seed: int, **settings: Any) -> Training:
    """The training of a small model, at its start."""
    changes = {"seed": seed, **{f"training.{name}": value for name, value in settings.items()}}
    config: RunConfig = SMALL.updated(changes)
    with own_randomness(seed):
        model = TaskModel(config)
    return Training(config, model)


@lru_cache(maxsize=64)
def _losses(seed: int, steps: int) -> tuple[float, ...]:
    """The loss of each of the first steps."""
    training = _training(seed)
    return tuple(training.take_step().loss for _ in range(steps))


@lru_cache(maxsize=64)
def _clipped(seed: int, limit: float) -> tuple[dict[str, float], dict[str, float], float]:
    """Gradient norms by part in the first step, before and after clipping, and the whole norm before."""
    training = _training(seed, clip_grad_norm=limit)
    training._backward(training._forward(training._draw()))
    before = _gradient_norms(training.model)
    norm = training._clip()
    assert norm is not None
    return before, _gradient_norms(training.model), norm


def _gradient_norms(model: nn.Module) -> dict[str, float]:
    return by_part({name: parameter.grad for name, parameter in model.named_parameters() if parameter.grad is not None})


def _pair(seed: int) -> tuple[float, float]:
    """A gradient of two weights with a whole norm."""
    return ((3.0, 4.0), (6.0, 8.0), (5.0, 12.0), (8.0, 15.0))[seed % 4]


def _shortened(pair: tuple[float, float], limit: float) -> tuple[Tensor, float]:
    """The pair after clipping, and its norm before."""
    weight = nn.Parameter(torch.zeros(2))
    weight.grad = torch.tensor(pair)
    norm = float(nn.utils.clip_grad_norm_([weight], limit))
    return weight.grad, norm


GRADIENTS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "Noise": lambda step, noise: 1 + noise,
    "Constant": lambda step, noise: torch.ones_like(noise),
    "Alternating": lambda step, noise: 1 - 2 * (step % 2),
    "Spike": lambda step, noise: torch.where(step == 0, 10.0, 1.0),
}


def _adam(gradients: Tensor, rate: float) -> Iterator[tuple[float, float, float]]:
    """First and second moment of one weight, corrected for their start at 0, and the weight itself, step by step."""
    weight = nn.Parameter(torch.zeros(1))
    optimizing = optimizer([weight], TrainingConfig(optimizer="adam", learning_rate=rate))
    for step, gradient in enumerate(gradients, 1):
        weight.grad = gradient.reshape(1).float()
        optimizing.step()
        state = optimizing.state[weight]
        first, second = (
            float(state[name]) / (1 - beta**step) for name, beta in zip(("exp_avg", "exp_avg_sq"), BETAS, strict=True)
        )
        yield first, second, float(weight.detach())


def _first_step(seed: int) -> tuple[float, float]:
    """A learning rate, and a first gradient that is not 1."""
    return (0.002, 0.003, 0.005, 0.02)[seed % 4], (50.0, 0.04, 7.0, 0.3)[seed % 4]


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    probabilities, right = _logits(seed)[0].softmax(-1), seed % len(TOKENS)
    labels, scored = _labels(seed)
    target, _ = _smoothed(_logits(seed)[0], right, SMOOTHING)
    count = SMALL.vocabulary_size
    pair = _pair(seed)
    shortened, norm = _shortened(pair, 1.0)
    rate, gradient = _first_step(seed)
    ((_, _, moved),) = _adam(torch.tensor([gradient]), rate)
    early = WARM_UP * (1 + seed % 3) // 4
    settings = _schedule("noam", WARM_UP)
    return {
        "right": TOKENS[right],
        "probability": float(probabilities[right]),
        "loss": float(F.cross_entropy(_logits(seed), torch.tensor([right]))),
        "scored": scored,
        "all_labels": sum(map(len, labels)),
        "padding": 1 - scored / sum(map(len, labels)),
        "smoothing": SMOOTHING,
        "tokens": len(TOKENS),
        "target_right": float(target[right]),
        "target_other": float(target[right - 1]),
        "floor": smoothing_floor(SMOOTHING, len(TOKENS)),
        "vocabulary": count,
        "even_loss": math.log(count),
        "first_loss": _losses(seed, 1)[0],
        "one": pair[0],
        "two": pair[1],
        "norm": norm,
        "clipped": float(shortened[0]),
        "rate": rate,
        "gradient": gradient,
        "moved": abs(moved),
        "peak": PEAK,
        "warm_up": WARM_UP,
        "early": early,
        "early_rate": learning_rate(settings, early),
        "late": 2 * WARM_UP,
        "late_rate": learning_rate(settings, 2 * WARM_UP),
    }


def _schedule(name: str, warm_up: int) -> TrainingConfig:
    return TrainingConfig.model_validate(
        {"schedule": name, "warmup_steps": warm_up, "learning_rate": PEAK, "steps": STEPS}
    )


@live()
def probabilities(seed: int) -> list[Output]:
    """Logits and probabilities at one position."""
    logits = _logits(seed)
    return [
        Numbers("Logits", logits, ("", "V"), columns=TOKENS, digits=1),
        Numbers("Probabilities", logits.softmax(-1), ("", "V"), columns=TOKENS, kind="probability", digits=3),
    ]


@live(logits=TableInput("Logits", _logits, ("Logits",), 20), right=Choice("Right token", TOKENS))
def cross_entropy(seed: int, logits: Tensor, right: str) -> list[Output]:
    """The loss of one position for each right token."""
    label = TOKENS.index(right)
    loss = float(F.cross_entropy(logits, torch.tensor([label])))
    return [
        Numbers("Probabilities", logits.softmax(-1), ("", "V"), columns=TOKENS, kind="probability", digits=3),
        Numbers("−ln of each", -logits.log_softmax(-1), ("", "V"), columns=TOKENS),
        Sentence(f"The right token is {right.lower()}, so the loss is **{loss:.2f}** nats."),
    ]


@live()
def operation(seed: int) -> list[Output]:
    """The loss of the trained model."""
    return [OperationLink(MODEL, INPUT, "loss")]


@live()
def labels(seed: int) -> list[Output]:
    """The labels of a batch of three."""
    rows, _ = _labels(seed)
    head = ("Answer", *(f"{position}" for position in range(1, len(rows[0]) + 1)))
    return [Table(head, [[f"{position}", *row] for position, row in enumerate(rows, 1)])]


@live(smoothing=Slider("Label smoothing", 0.0, 0.5, SMOOTHING, 0.05))
def smoothed(seed: int, smoothing: float) -> list[Output]:
    """Target row and probability row, and the loss for every probability of the right token."""
    logits, right = _logits(seed)[0], seed % len(TOKENS)
    target, loss = _smoothed(logits, right, smoothing)
    points = [(step + 1) / 200 for step in range(199)]

    def made(p: float) -> Tensor:
        """Logits that give the right token this probability and the others the same part of the rest."""
        distribution = torch.full((len(TOKENS),), (1 - p) / (len(TOKENS) - 1))
        distribution[right] = p
        return distribution.log()[None]

    losses = F.cross_entropy(
        torch.cat([made(p) for p in points]),
        torch.full((len(points),), right),
        reduction="none",
        label_smoothing=smoothing,
    )
    floor = smoothing_floor(smoothing, len(TOKENS))
    return [
        Numbers("Target", target, ("", "V"), columns=TOKENS, kind="probability", digits=3),
        Numbers("Probabilities", logits.softmax(-1), ("", "V"), columns=TOKENS, kind="probability", digits=3),
        Curves(
            "Loss of one position", "Probability of the right token", "Loss (nats)", points, {"Loss": losses.tolist()}
        ),
        Sentence(f"The loss here is **{loss:.2f}** nats. Its floor is **{floor:.2f}** nats."),
    ]


@live(steps=Slider("Optimizer steps", 1, 20, 5))
def loop(seed: int, steps: int) -> list[Output]:
    """The losses of the first steps of the small model."""
    losses = _losses(seed, steps)
    lines = {"Loss": losses}
    return [
        Curves("Loss of each step", "Step", "Loss (nats)", range(1, steps + 1), lines, marks=True),
        Sentence(f"The loss of step {steps} is **{losses[-1]:.2f}** nats. It is measured before the weights change."),
    ]


@live(step=Slider("Optimizer step", 1, 10, 1))
def slow_motion(seed: int, step: int) -> list[Output]:
    """The source of a step, and the stages of one step of the small model."""
    training = _training(seed)
    for _ in range(step - 1):
        training.take_step()
    stages = (f"{number}. **{stage.title}.** {stage.sentence}" for number, stage in enumerate(training.stages(), 1))
    return [code_of(Training.parts), Sentence("\n".join(stages))]


@live()
def initial(seed: int) -> list[Output]:
    """The code that draws the first weights, and their standard deviations in the small model."""
    model, names = _training(seed).model, {"Embedding": "token_table.weight", "W₁": "feed_forward.w_1.weight"}
    rows = []
    for kind, ending in names.items():
        weight = next(parameter.detach() for name, parameter in model.named_parameters() if name.endswith(ending))
        expected = weight.size(1) ** -0.5 if kind == "Embedding" else math.sqrt(2 / sum(weight.shape))
        rows.append([kind, " × ".join(map(str, weight.shape)), f"{float(weight.std()):.3f}", f"{expected:.3f}"])
    return [
        code_of(Transformer._initialize),
        Table(("Weight", "Shape", "Standard deviation", "Drawn with"), rows),
    ]


@live(limit=Slider("Clip gradient norm", 0.1, 5.0, 1.0, 0.1))
def clipping(seed: int, limit: float) -> list[Output]:
    """Clipping of the small model's first gradient."""
    before, after, norm = _clipped(seed, limit)
    rows = [[part, f"{before[part]:.3f}", f"{after[part]:.3f}"] for part in before]
    done = "clipped" if norm > limit else "not clipped"
    return [
        code_of(Training._clip),
        Table(("Part of the model", "Norm before", "Norm after"), rows),
        Sentence(f"The norm of the whole gradient is **{norm:.2f}**; with limit {limit:.1f} it is {done}."),
    ]


@live(
    gradients=Choice("Gradients", tuple(GRADIENTS)),
    steps=Slider("Steps", 10, 200, 60, 10),
)
def adam(seed: int, gradients: str, steps: int) -> list[Output]:
    """Moments of one weight under a series of gradients."""
    noise = torch.randn(steps, generator=generator(seed))
    series = GRADIENTS[gradients](torch.arange(steps), noise).float()
    first, second, weight = zip(*_adam(series, PEAK), strict=True)
    lines = {"Gradient": series.tolist(), "m̂": first, "√v̂": [math.sqrt(square) for square in second]}
    moments = {name: [round(value, 4) for value in line] for name, line in lines.items()}
    moved = abs(weight[-1]) / steps
    return [
        code_of(OPTIMIZERS["adam"].function),
        Curves("Gradient and moments of one weight", "Step", "Value", range(1, steps + 1), moments),
        Curves("The weight", "Step", "Value", range(1, steps + 1), {"Weight": weight}),
        Sentence(f"Learning rate {PEAK:g}. The mean step is **{moved:.4f}**."),
    ]


@live(warm_up=Slider("Warm-up steps", 1, 150, WARM_UP))
def schedules(seed: int, warm_up: int) -> list[Output]:
    """All schedules over 200 steps."""
    steps = range(1, STEPS + 1)
    lines = {name: [learning_rate(_schedule(name, warm_up), step) for step in steps] for name in SCHEDULES}
    return [code_of(learning_rate), Curves("Learning rate", "Step", "Learning rate", steps, lines)]

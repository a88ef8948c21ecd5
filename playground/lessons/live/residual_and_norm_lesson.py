"""Lesson "Residual connections and LayerNorm"."""

import copy
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    Output,
    Table,
    TableInput,
    generator,
    live,
    own_randomness,
    shown,
)
from playground.lessons.mistakes.pitfall import BASE
from playground.lessons.mistakes.table import MISTAKES
from playground.model.task_model import TaskModel
from playground.recording import caching
from playground.tasks import SPECIALS
from playground.tasks.batches import make_batch

D, LAYERS, TINY = 4, 6, 1e-12
GAIN, BIAS = 1.5, 0.5
POST, PRE, WRONG = "LayerNorm(x + Sublayer(x))", "x + Sublayer(LayerNorm(x))", "x + LayerNorm(Sublayer(x))"
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "Post-norm": ({"model.norm_position": "post"}, ""),
    "Pre-norm": ({}, ""),
    "No residual": ({"model.residual": False}, ""),
    "No norm": ({"model.layer_norm": False}, ""),
    "Norm of the sublayer": ({"model.norm_position": "post"}, "norm-after-sublayer"),
    "Sum with the norm": ({}, "residual-from-norm"),
}
"""Settings, and the mistake that is made."""
_NORMS = tuple(way for mistake in MISTAKES.values() for way in mistake.ways if way.base is nn.LayerNorm)
BINS = ("Within a factor of 10", "10 to 1,000 times smaller", "More than 1,000 times smaller")


@lru_cache(maxsize=128)
def _measured(kind: str, layers: int, seed: int) -> tuple[list[float], list[float]]:
    """Gradient norm of each decoder layer's parameters, and root mean square after each, in an untrained model."""
    settings, mistake = KINDS[kind]
    config = BASE.updated({**settings, "model.n_layers": layers, "seed": seed})
    with own_randomness(seed):
        model = TaskModel(config)
    if mistake:
        MISTAKES[mistake].ways[0].put_into(model)
    length = config.task.max_length
    source = torch.randint(len(SPECIALS), config.vocabulary_size, (8, length), generator=generator(seed))
    with torch.enable_grad(), caching(model, [f"decoder.layers.{layer}" for layer in range(layers)]) as outputs:
        _, loss = model(*make_batch(config, source))
        names, parameters = zip(*model.named_parameters(), strict=True)
        gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    sizes = [float(output.square().mean().sqrt()) for output in outputs.values()]
    squares = [0.0] * layers
    for name, gradient in zip(names, gradients, strict=True):
        if gradient is not None and name.startswith("decoder.layers."):
            squares[int(name.split(".")[2])] += float(gradient.double().square().sum())
    return [math.sqrt(square) for square in squares], sizes


def _vector(seed: int) -> Tensor:
    """Four whole numbers, shape (1, D), that are not all equal."""
    values = torch.randint(-4, 8, (1, D), generator=generator(seed)).float()
    values[0, 0] = values[0, 1] + 3
    return values


def _tokens(seed: int) -> Tensor:
    """Vectors of two sequences of three tokens, shape (2, 3, D)."""
    return torch.randn(2, 3, D, generator=generator(seed)).mul(3)


def _small(value: float) -> str:
    """A norm that may be too small for its digits to mean anything."""
    if value > 0.01:
        return shown(value)
    return (f"{value:.1e}" if value > TINY else f"below {TINY:.0e}").replace("-", "−")


def _times(large: float, small: float) -> str:
    return BINS[0] if large < 10 * small else BINS[1] if large <= 1000 * small else BINS[2]


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    vector = _vector(seed)
    mean = float(vector.mean())
    norm = nn.LayerNorm(D)
    normalized = norm(vector)[0].detach()
    largest = int(normalized.abs().argmax())
    width = (4, 8, 16)[seed % 3]
    random = torch.randn(width, generator=generator(seed))
    (post, post_rms), (pre, pre_rms), (lost, _) = (
        _measured(kind, LAYERS, seed) for kind in ("Post-norm", "Pre-norm", "No residual")
    )
    _, wrong_rms = _measured("Norm of the sublayer", LAYERS, seed)
    uneven = (post[-1] > 2 * post[0], pre[-1] > 2 * pre[0])
    (steady,) = [
        name
        for name, sizes in ((POST, post_rms), (PRE, pre_rms), (WRONG, wrong_rms))
        if all(math.isclose(size, 1, abs_tol=0.01) for size in sizes)
    ]
    return {
        "vector": ", ".join(shown(number, 0) for number in vector[0].tolist()),
        "mean": mean,
        "subtracted": f"({shown(mean)})" if mean < 0 else shown(mean),
        "variance": float(vector.var(unbiased=False)),
        "asked": shown(float(vector[0, largest]), 0),
        "normalized": float(normalized[largest]),
        "epsilon": norm.eps,
        "width": width,
        "factor": float(random.std() / random.std(unbiased=False)),
        "layers": LAYERS,
        "last_gradient": lost[-1],
        "first_gradient": _small(lost[0]),
        "first_with": pre[0],
        "last_with": pre[-1],
        "fading": _times(lost[-1], lost[0]),
        "uneven": {
            (True, False): "Post-norm only",
            (False, True): "Pre-norm only",
            (True, True): "Both",
            (False, False): "Neither",
        }[uneven],
        "post_ratio": post[-1] / post[0],
        "pre_ratio": pre[-1] / pre[0],
        "steady": steady,
        "post_rms": post_rms[-1],
        "pre_rms": pre_rms[-1],
        "wrong_rms": wrong_rms[-1],
    }


@live(numbers=TableInput("A vector", _vector, ("x",), 1000))
def by_hand(seed: int, numbers: Tensor) -> list[Output]:
    """LayerNorm of one vector, step by step."""
    mean, variance = numbers.mean(1, keepdim=True), numbers.var(1, keepdim=True, unbiased=False)
    rows = [("Mean", shown(float(mean))), ("Variance", shown(float(variance)))]
    return [
        Table(("Of the vector", "Value"), rows),
        Numbers("x − mean", numbers - mean, ("", "D"), ("x",), "1234"),
        Numbers("LayerNorm(x)", nn.LayerNorm(D)(numbers).detach(), ("", "D"), ("x",), "1234"),
    ]


@live(kind=Choice("Mistake", tuple(way.words for way in _NORMS)))
def wrong_norms(seed: int, kind: str) -> list[Output]:
    """A right and a wrong norm of the same vectors."""
    x = _tokens(seed)
    norm = nn.LayerNorm(D)
    with torch.no_grad():
        norm.weight.fill_(GAIN)
        norm.bias.fill_(BIAS)
        wrong = copy.deepcopy(norm)
        next(way for way in _NORMS if way.words == kind).put_into(wrong)
        right, other = norm(x), wrong(x)
    names = ("Token 1", "Token 2", "Token 3")
    return [
        Numbers("x, sequence 1", x[0], ("T", "D"), names, "1234"),
        Numbers(f"LayerNorm, gain {GAIN}, bias {BIAS}", right[0], ("T", "D"), names, "1234"),
        Numbers("With the mistake", other[0], ("T", "D"), names, "1234"),
        Numbers("Difference", (other - right)[0], ("T", "D"), names, "1234"),
    ]


def _curves(kind: str, seed: int) -> Curves:
    lines = {}
    for layers in range(1, LAYERS + 1):
        norms = _measured(kind, layers, seed)[0]
        # A logarithmic axis has no 0.
        values = [norm if norm > TINY else math.nan for norm in norms]
        lines[f"N = {layers}"] = values + [math.nan] * (LAYERS - layers)
    return Curves(
        f"{kind}: gradient norm", "decoder layer", "norm", range(1, LAYERS + 1), lines, log_y=True, marks=True
    )


@live(kind=Choice("Model", ("No residual", "Pre-norm", "Post-norm", "No norm")))
def by_depth(seed: int, kind: str) -> list[Output]:
    """Gradient norms of the decoder layers for one to six layers."""
    norms = _measured(kind, LAYERS, seed)[0]
    heads = [f"Layer {layer + 1}" for layer in range(LAYERS)]
    return [_curves(kind, seed), Table((f"N = {LAYERS}", *heads), [("Norm", *map(_small, norms))])]


@live()
def orders(seed: int) -> list[Output]:
    """Gradient norms of both orders at full depth."""
    layer_numbers = range(1, LAYERS + 1)
    lines = {kind: _measured(kind, LAYERS, seed)[0] for kind in ("Post-norm", "Pre-norm")}
    return [Curves(f"Gradient norm, N = {LAYERS}", "decoder layer", "norm", layer_numbers, lines, marks=True)]


@live(kind=Choice("Model", tuple(kind for kind in KINDS if kind != "No residual")))
def sizes(seed: int, kind: str) -> list[Output]:
    """Root mean square after each decoder layer."""
    sizes = _measured(kind, LAYERS, seed)[1]
    heads = [f"Layer {layer + 1}" for layer in range(LAYERS)]
    return [Table(("After", *heads), [("RMS", *(shown(size) for size in sizes))])]

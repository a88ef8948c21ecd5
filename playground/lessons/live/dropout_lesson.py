"""Lesson "Dropout"."""

import copy
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import count

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.lessons.live_parts import (
    Code,
    Curves,
    Numbers,
    Output,
    Sentence,
    Slider,
    Toggle,
    Tokens,
    code_of,
    generator,
    live,
    own_randomness,
    pass_of,
    shipped,
)
from playground.model.layers import AddNorm
from playground.model.task_model import TaskModel
from playground.model.transformer import Transformer
from playground.settings.config import ModelConfig
from playground.tasks import decode

MODEL = "reverse-1-16"
P = 0.2  # the dropout of the first questions
IN_THE_PAPER = 0.1


class DropoutA(nn.Module):  # noqa: D101  shown as it is, and a docstring would answer the question
    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, 0.5)


class DropoutB(nn.Module):  # noqa: D101
    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, 0.5, training=self.training)


def _vector(seed: int) -> Tensor:
    """Eight numbers, shape (8,), from 1.0 to 3.0 in steps of 0.2: divided by 1 - P they have two decimals."""
    return (torch.rand(8, generator=generator(seed)) * 10 + 5).round() / 5


def _dropped(x: Tensor, p: float, seed: int) -> Tensor:
    with own_randomness(seed):
        return nn.Dropout(p)(x)


@lru_cache
def _stream(seed: int) -> int:
    """The seed of the first mask that is shown: one that hides something."""
    return next(start for start in count(seed * 1000) if bool((_dropped(_vector(seed), P, start) == 0).any()))


@lru_cache(maxsize=16)
def _means(seed: int, p: float, masks: int) -> tuple[float, ...]:
    """Mean of the first number of the vector after dropout, over the first 1, 2, ... masks."""
    dropped = _dropped(_vector(seed)[0].expand(masks), p, seed)
    return tuple((dropped.cumsum(0) / torch.arange(1, masks + 1)).tolist())


def _input(seed: int) -> str:
    return " ".join(str(symbol) for symbol in torch.randint(10, (6,), generator=generator(seed)).tolist())


def _with_dropout(p: float, training: bool) -> TaskModel:
    """The shipped model with dropout, in one of the two modes."""
    model = copy.deepcopy(shipped(MODEL)).train(training)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = p
    return model


@lru_cache(maxsize=64)
@torch.inference_mode()
def _two_passes(seed: int, p: float, training: bool) -> tuple[Tensor, Tensor]:
    """Logits (T, V) of two passes of the same model over the same input."""
    batch, model = pass_of(MODEL, _input(seed)).batch, _with_dropout(p, training)
    with own_randomness(seed):
        one, two = (model(*batch[:3])[0][0] for _ in range(2))
    return one, two


def _differ(seed: int, training: bool) -> int:
    """Positions at which the logits of two passes differ."""
    one, two = _two_passes(seed, IN_THE_PAPER, training)
    return int((one != two).any(-1).sum())


@lru_cache
def _count(n_layers: int) -> int:
    """Dropout modules of an encoder-decoder."""
    config = ModelConfig(n_layers=n_layers, d_model=4, n_heads=1, d_ff=4)
    with own_randomness(0):
        model = Transformer(config, 8, 4, 0)
    return sum(isinstance(module, nn.Dropout) for module in model.modules())


def _modules(seed: int) -> dict[str, type[nn.Module]]:
    """The two modules of the last question, in an order that depends on the seed."""
    kinds = (DropoutA, DropoutB) if seed % 2 else (DropoutB, DropoutA)
    return dict(zip(("A", "B"), kinds, strict=True))


def _in_evaluation(seed: int) -> dict[str, Tensor]:
    """The outputs of both modules for eight ones in evaluation mode."""
    made = {}
    for name, kind in _modules(seed).items():
        with own_randomness(seed):
            made[name] = kind().eval()(torch.ones(8))
    return made


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    x, masks = float(_vector(seed)[0]), 1000
    layers = 2 + seed % 5
    off = [name for name, made in _in_evaluation(seed).items() if bool((made == 1).all())]
    return {
        "p": P,
        "x": x,
        "kept": float(_dropped(torch.full((50,), x), P, seed).max()),
        "zeroed_mean": x * (1 - P),
        "masks": masks,
        "mean": _means(seed, P, masks)[-1],
        "p_paper": IN_THE_PAPER,
        "input": _input(seed),
        "positions": len(_two_passes(seed, IN_THE_PAPER, True)[0]),
        "training": _differ(seed, training=True),
        "evaluation": _differ(seed, training=False),
        "layers": layers,
        "modules": _count(layers),
        "off": " and ".join(off),
    }


@live()
def vector(seed: int) -> list[Output]:
    """The numbers before dropout."""
    return [Numbers("x", _vector(seed), digits=1)]


@live(
    p=Slider("Dropout p", 0.0, 0.9, P, 0.1),
    draw=Slider("Mask", 1, 50, 1, help="Each number draws another mask."),
)
def mask(seed: int, p: float, draw: int) -> list[Output]:
    """One mask, and what it makes of the numbers."""
    x = _vector(seed)
    made = _dropped(x, p, _stream(seed) + draw - 1)
    rows = torch.stack([x, (made != 0).float(), made])
    mean = f"Mean of the eight numbers: **{float(x.mean()):.2f}** before, **{float(made.mean()):.2f}** after."
    return [Numbers("Dropout", rows, rows=("x", "Mask", "Output")), Sentence(mean)]


@live(p=Slider("Dropout p", 0.0, 0.9, P, 0.1), masks=Slider("Masks", 100, 2000, 1000, 100))
def mean(seed: int, p: float, masks: int) -> list[Output]:
    """Mean over many masks."""
    x, means = float(_vector(seed)[0]), _means(seed, p, masks)
    step = max(1, masks // 200)
    counts = range(step, masks + 1, step)
    lines = {"Mean of the output": [means[number - 1] for number in counts], "x": [x] * len(counts)}
    return [
        Curves("Mean of one number over the masks so far", "Masks", "Mean", counts, lines),
        Sentence(f"x is **{x:.2f}**; its mean over {masks} masks is **{means[-1]:.2f}**."),
    ]


@live(training=Toggle("Training mode", True), p=Slider("Dropout p", 0.0, 0.9, IN_THE_PAPER, 0.1))
def passes(seed: int, training: bool, p: float) -> list[Output]:
    """Two passes over the same input."""
    one, two = _two_passes(seed, p, training)
    walk = pass_of(MODEL, _input(seed))
    task = shipped(MODEL).config.task
    right = decode(walk.batch.labels[0].tolist(), task)
    names = [f"{name} ({position})" for position, name in enumerate(walk.tokens["T"], 1)]
    differ = int((one != two).any(-1).sum())
    return [
        Numbers("Largest difference of the logits", (one - two).abs().amax(-1), ("", "T"), columns=names),
        Tokens("Pass 1 predicts; wrong tokens are marked", decode(one.argmax(-1).tolist(), task), right),
        Tokens("Pass 2 predicts", decode(two.argmax(-1).tolist(), task), right),
        Sentence(f"The logits differ at **{differ}** of {len(one)} positions."),
    ]


@live()
def sublayer(seed: int) -> list[Output]:
    """The code of a sublayer with its dropout."""
    return [code_of(AddNorm.forward)]


@live()
def two_modules(seed: int) -> list[Output]:
    """Source of the two modules."""
    codes = {name: (kind.__name__, code_of(kind).text) for name, kind in _modules(seed).items()}
    return [Code(re.sub(r"  # noqa.*", "", text).replace(old, name)) for name, (old, text) in codes.items()]


@live()
def in_evaluation(seed: int) -> list[Output]:
    """The outputs of the modules in evaluation mode."""
    made = _in_evaluation(seed)
    return [Numbers("Output for eight ones in evaluation mode", torch.stack([*made.values()]), rows=[*made], digits=0)]

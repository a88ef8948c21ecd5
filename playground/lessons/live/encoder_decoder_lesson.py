"""Lesson "Encoder and decoder"."""

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from playground.decoding import greedy
from playground.explain.inspection import Walk
from playground.lessons.live_parts import (
    Numbers,
    OperationLink,
    Output,
    Sentence,
    Slider,
    Table,
    Toggle,
    Tokens,
    generator,
    live,
    pass_of,
    shipped,
)
from playground.model.task_model import TaskModel
from playground.tasks import BOS, PAD, SPECIALS, decode
from playground.tasks.batches import Batch, make_batch

MODEL = "reverse-1-16"
WEIGHTS = "decoder.layers.0.cross_attention.attention.weights"
LENGTH = 7  # symbols of the inputs of the damaged model
DAMAGE = 0.6  # standard deviation of what is added to weights, as a fraction of theirs
CHANGED = 4  # the position, from 1, whose token changes in the question
_ATTEMPTS = 20


def _symbols(seed: int, count: int) -> Tensor:
    """Different symbols as token ids, shape (count,)."""
    return torch.randperm(10, generator=generator(seed))[:count] + len(SPECIALS)


def _names(tokens: Tensor) -> list[str]:
    return decode(tokens.tolist(), shipped(MODEL).config.task)


def _walk(seed: int) -> Walk:
    """A pass of the shipped model over 5 to 8 symbols."""
    return pass_of(MODEL, " ".join(_names(_symbols(seed, 5 + seed % 4))))


def _batch(source: Tensor) -> Batch:
    """Sources (B, S) as training lays them out."""
    config = shipped(MODEL).config
    return make_batch(config, source)


def _shifted(seed: int) -> tuple[list[str], list[str]]:
    """Tokens that the decoder reads in training, and the label at each position."""
    batch = _batch(_symbols(seed + 7, 5)[None])
    assert batch.target is not None
    return _names(batch.target[0]), _names(batch.labels[0])


def _head(walk: Walk) -> tuple[int, float]:
    """The head (from 1) that attends most to the symbol to predict, and its mean weight there."""
    weights = walk[WEIGHTS].value[0]
    count = weights.size(-1)
    there = weights[:, torch.arange(count), torch.arange(count).flip(0)].mean(1)
    return int(there.argmax()) + 1, float(there.max())


@lru_cache
def _without_mask() -> TaskModel:
    """The shipped model without its causal mask."""
    model = copy.deepcopy(shipped(MODEL))
    assert model.decoder
    model.decoder.causal = False
    return model


@torch.inference_mode()
def _changes(seed: int, position: int, *, mask: bool) -> Tensor:
    """Largest change of the logits at each position, (T,), when the token the decoder reads at `position` changes."""
    batch, model = _walk(seed).batch, shipped(MODEL) if mask else _without_mask()
    assert batch.target is not None
    other = batch.target.clone()
    here = int(other[0, position - 1])
    other[0, position - 1] = len(SPECIALS) if here == BOS else len(SPECIALS) + (here - len(SPECIALS) + 1) % 10
    one, two = (model(batch.source, target)[0][0] for target in (batch.target, other))
    return (one - two).abs().amax(-1)


@lru_cache(maxsize=64)
def _damaged(stream: int, damage: float) -> TaskModel:
    """The shipped model with random numbers added to its weights."""
    model, draw = copy.deepcopy(shipped(MODEL)), generator(stream)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.add_(torch.randn(parameter.shape, generator=draw) * parameter.std() * damage)
    return model


class Both(NamedTuple):
    """The same input in both modes; positions from 0."""

    source: Tensor  # (S,)
    labels: Tensor  # (T,)
    forced: Tensor  # (T,) predictions under teacher forcing
    free: Tensor  # (T,) predictions when it reads its own; PAD after its end

    @property
    def first_error(self) -> int:
        """The first position at which teacher forcing is wrong; T if there is none."""
        return _first(self.forced != self.labels)

    @property
    def first_difference(self) -> int:
        """The first position at which the two modes differ; T if there is none."""
        return _first(self.forced != self.free)


def _first(where: Tensor) -> int:
    return int(where.nonzero()[0]) if bool(where.any()) else len(where)


@torch.inference_mode()
def _both(model: TaskModel, source: Tensor) -> list[Both]:
    """Both modes of every source, shape (B, S)."""
    batch = _batch(source)
    forced = model(batch.source, batch.target)[0].argmax(-1)
    length = batch.labels.size(1)
    free = greedy(model, source, wanted=torch.full((len(source),), length))
    free = torch.nn.functional.pad(free, (0, max(0, length - free.size(1))))[:, :length]
    return [Both(*rows) for rows in zip(source, batch.labels, forced, free, strict=True)]


@lru_cache
def _example(seed: int) -> tuple[int, Both]:
    """A stream of random numbers for the damage, and an input on which the two modes then differ."""
    for stream in range(seed * _ATTEMPTS, (seed + 1) * _ATTEMPTS):
        source = torch.stack([_symbols(stream * 100 + row, LENGTH) for row in range(32)])
        for both in _both(_damaged(stream, DAMAGE), source):
            wrong = both.forced != both.labels
            if (
                1 <= both.first_error <= 4
                and both.first_difference == both.first_error + 1
                and int(both.forced[both.first_error]) >= len(SPECIALS)
                and int(wrong.sum()) < int((both.free != both.labels).sum())
            ):
                return stream, both
    raise AssertionError("no input on which the two modes differ")


def _until_end(tokens: Tensor) -> list[str]:
    return _names(tokens[tokens != PAD])


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    walk, (read, labels) = _walk(seed), _shifted(seed)
    target, source = walk.tokens["T"], walk.tokens["S"]
    head, weight = _head(walk)
    position = 2 + seed % 2
    _, both = _example(seed)
    return {
        "input": " ".join(source),
        "source_length": len(source),
        "target_length": len(target),
        "head": head,
        "weight": weight,
        "asked": position + 1,
        "label": labels[position],
        "before": read[position],
        "after": labels[position + 1],
        "shown_input": " ".join(reversed(labels[:-1])),
        "position": CHANGED,
        "moved": int((_changes(seed, CHANGED, mask=True) > 1e-6).sum()),
        "moved_without": int((_changes(seed, CHANGED, mask=False) > 1e-6).sum()),
        "damaged_input": " ".join(_names(both.source)),
        "first_error": both.first_error + 1,
        "first_difference": both.first_difference + 1,
        "forced_wrong": int((both.forced != both.labels).sum()),
        "free_wrong": int((both.free != both.labels).sum()),
        "labels_count": len(both.labels),
    }


@live()
def cross_attention(seed: int) -> list[Output]:
    """The cross-attention weights of each head of the trained decoder."""
    walk = _walk(seed)
    weights = walk[WEIGHTS].value[0]
    names = [f"Head {head + 1}" for head in range(len(weights))]
    return [
        Numbers(
            "Cross-attention weights",
            weights,
            ("H", "T", "S"),
            walk.tokens["T"],
            walk.tokens["S"],
            kind="probability",
            names=names,
        ),
        OperationLink(MODEL, " ".join(walk.tokens["S"]), WEIGHTS),
    ]


@live()
def shifted(seed: int) -> list[Output]:
    """Target and labels side by side."""
    read, labels = _shifted(seed)
    rows = [[f"{position}", *pair] for position, pair in enumerate(zip(read, labels, strict=True), 1)]
    return [Table(("Position", "Decoder reads", "Label"), rows)]


@live(
    position=Slider("Position whose token changes", 1, 6, CHANGED),
    mask=Toggle("Causal mask", True),
)
def changes(seed: int, position: int, mask: bool) -> list[Output]:
    """The change of the logits when one token of the target changes."""
    moved = _changes(seed, position, mask=mask)
    names = [f"{name} ({position})" for position, name in enumerate(_walk(seed).tokens["T"], 1)]
    count = int((moved > 1e-6).sum())
    return [
        Numbers("Largest change of the logits", moved, ("", "T"), columns=names),
        Sentence(f"The logits change at **{count}** of {len(moved)} positions."),
    ]


@live()
def forced(seed: int) -> list[Output]:
    """Teacher forcing on the damaged model."""
    _, both = _example(seed)
    labels = _names(both.labels)
    return [
        Tokens("The decoder reads", ["BOS", *labels[:-1]]),
        Tokens("Right answer", labels),
        Tokens("Predictions under teacher forcing; wrong ones are marked", _names(both.forced), labels),
    ]


@live(damage=Slider("Damage", 0.0, 1.0, DAMAGE, 0.1, "0: the trained model as it is."))
def side_by_side(seed: int, damage: float) -> list[Output]:
    """Both modes on one input."""
    stream, example = _example(seed)
    (both,) = _both(_damaged(stream, damage), example.source[None])
    labels, taught = _names(both.labels), _names(both.forced)
    free = _until_end(both.free)
    if both.first_difference == len(labels):
        sentence = "The two modes predict the same tokens."
    else:
        sentence = f"The two modes first differ at position **{both.first_difference + 1}**."
    return [
        Tokens("Right answer", labels),
        Tokens("Teacher forcing: reads", ["BOS", *labels[:-1]]),
        Tokens("Teacher forcing: predicts; wrong ones are marked", taught, labels),
        Tokens("Free running: reads its own predictions", ["BOS", *free[:-1]]),
        Tokens("Free running: predicts; what differs from teacher forcing is marked", free, taught),
        Sentence(sentence),
    ]

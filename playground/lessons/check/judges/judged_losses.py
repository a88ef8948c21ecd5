"""Losses: functions of logits and labels, or of a model and tokens, compared with cross-entropy.

A forward pass alone does not tell how a model is trained: the shift of the target and the padding in the loss are seen
only here. A loss that is no cross-entropy which the check knows is not judged.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.lessons.check.causes import explained
from playground.lessons.check.code.opened_code import CausalModel, Code
from playground.lessons.check.code.student_code import Sizes, plain, value_of
from playground.lessons.check.readings import Student
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged
from playground.tasks.tokens import PAD, SPECIALS

LOGITS = "logits?|pred(iction)?s?|outputs?|out|yhat|ypred|log(its|probs?)|x|scores"
LABELS = "labels?|targets?|tgt|trg|y|ytrue|gold|targetids|answers?"
TOKENS = "tokens?|inputids|ids|idx|seq(uence)?s?|batch"
MODEL = "model|net(work)?|transformer|module"
SOURCE = "src|source|x|inputs?|enc(oder)?(inputs?)?"

WORDS = {"padding-scored": "one that counts padding", "target-not-shifted": "one whose target is not shifted"}

Pairs = dict[str, tuple[Tensor, Tensor]]
"""Logits and the labels that they are compared with, by how they are shifted."""


def check_loss(code: Code) -> Verdict:
    """Checks a loss: which tokens it compares, and whether it leaves out padding."""
    student = Student(code, "loss")
    error: CheckError | None = None
    for arguments, right, shifted in _calls(student, code.sizes):
        try:
            value = code.call(arguments).number
        except CheckError as raised:
            error = error or raised
            continue
        if value is None:
            raise NotJudgedError("Your loss returned no number, so it was not judged.")
        return _judge(student, value, right, shifted)
    assert error is not None
    raise error


def _calls(student: Student, sizes: Sizes) -> Iterator[tuple[dict[str, Any], Pairs, Pairs]]:
    """Arguments, the pairs that are right for them, and those of a target that is not shifted."""
    tokens = torch.randint(len(SPECIALS), sizes.V, (sizes.B, sizes.T), generator=torch.Generator().manual_seed(1))
    tokens[1:, -2:] = PAD
    logits, model = _random(sizes.B, sizes.T, sizes.V, seed=4).log_softmax(-1), CausalModel(sizes)
    names = _roles(student)
    known = {name: value for name, value in names.items() if value in ("model", "logits", "source", "target", "tokens")}
    rest = {name: value for name, value in names.items() if name not in known}
    if "model" in known.values():
        given = {"model": model, "source": tokens.flip(1), "target": tokens, "tokens": tokens}
        right, shifted = _inside(model(tokens), tokens), _same(model(tokens), tokens)
        if "source" in known.values():  # of a decoder alone, whose labels have been shifted before
            right |= _same(model(given["source"]), tokens)
        yield rest | {name: given[value] for name, value in known.items()}, right, shifted
        return
    labels = tokens
    if "-100" in student.text:
        labels = tokens.masked_fill(tokens == PAD, -100)
    right, shifted = _inside(logits, tokens), _same(logits, tokens)
    if "tokens" not in known.values():  # labels may have been shifted before
        right, shifted = {**_same(logits, tokens), **right}, {}
    for flat in (False, True):
        given = {"logits": logits.flatten(0, -2) if flat else logits}
        given["target"] = given["tokens"] = labels.flatten() if flat else labels
        yield {**rest, **{name: given[value] for name, value in known.items()}}, right, shifted


def _roles(student: Student) -> dict[str, Any]:
    """The value of each argument: the name of an input, or a value."""
    parameters = student.code.parameters
    required = [name for name, needed in parameters.items() if needed]
    with_model = any(re.fullmatch(MODEL, plain(name)) for name in parameters)
    kinds = [("model", MODEL), ("target", LABELS), ("tokens", TOKENS)]
    kinds += [("source", SOURCE)] if with_model else [("logits", LOGITS)]
    values: dict[str, Any] = {}
    for name in parameters:
        kind = next((kind for kind, pattern in kinds if re.fullmatch(pattern, plain(name))), None)
        if kind and kind not in values.values():
            values[name] = kind
        elif name in required:
            value = PAD if "pad" in plain(name) else value_of(name, student.sizes)
            free = [kind for kind in ("logits", "target") if kind not in values.values() and not with_model]
            if value is None and not free:
                raise NotJudgedError(
                    f"{student.name} needs an argument {name!r}, which the check does not know.",
                    "A loss takes logits and labels, or a model and tokens.",
                )
            values[name] = free[0] if value is None else value
    return values


def _inside(logits: Tensor, tokens: Tensor) -> Pairs:
    return {"each position is compared with the next token": (logits[:, :-1], tokens[:, 1:])}


def _same(logits: Tensor, tokens: Tensor) -> Pairs:
    return {
        "each position is compared with the label at the same position": (logits, tokens),
        "each position but the last is compared with the label at the same position": (logits[:, :-1], tokens[:, :-1]),
    }


def _judge(student: Student, value: float, right: Pairs, shifted: Pairs) -> Verdict:
    understood = f"Found: {student.found}; token {PAD} is padding"
    for pairs, skips, cause in (
        (right, True, None),
        (right, False, "padding-scored"),
        (shifted, True, "target-not-shifted"),
        (shifted, False, "target-not-shifted"),
    ):
        for (how, (logits, labels)), smoothing in product(pairs.items(), (0.0, 0.1)):
            for words, expected in _reduced(logits, labels, skips, smoothing):
                if abs(value - expected) > 1e-4 * max(1.0, abs(expected)):
                    continue
                understood += f"; {how}; {words}" + (f"; label smoothing {smoothing}" if smoothing else "") + "."
                if cause == "padding-scored" and not student.code.knows_padding:
                    cause, understood = None, understood.replace(f"token {PAD} is padding", "no padding is left out")
                if cause is None:
                    summary = "Right: your loss equals the cross-entropy of the next token."
                    return judged("loss", "right", summary, understood, difference=abs(value - expected))
                best = next(iter(right.values()))
                difference = abs(value - next(loss for name, loss in _reduced(*best, True, smoothing) if name == words))
                summary = explained(cause, f"Your loss equals {WORDS[cause]}.")
                return judged("loss", "wrong", summary, understood, cause=cause, where="loss", difference=difference)
    raise NotJudgedError(
        "Your loss is no cross-entropy that the check knows, so it was not judged.",
        "Known are sum and mean over tokens or sequences, with no label smoothing or 0.1.",
    )


def _reduced(logits: Tensor, labels: Tensor, skips: bool, smoothing: float) -> list[tuple[str, float]]:
    """Cross-entropy in all usual reductions."""
    ignored = PAD if skips else -100
    losses = F.cross_entropy(logits.mT, labels, ignore_index=ignored, label_smoothing=smoothing, reduction="none")
    counted = labels != ignored
    return [
        ("mean over tokens", float(losses.sum() / counted.sum())),
        ("sum", float(losses.sum())),
        ("sum divided by the sequences", float(losses.sum() / len(losses))),
        ("mean over sequences", float((losses.sum(1) / counted.sum(1).clamp(min=1)).mean())),
    ]


def _random(*shape: int, seed: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))

"""Tests on held-out sequences: free-running, and under teacher forcing where that can differ."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import zip_longest
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.common.numbers import wilson
from playground.decoding import greedy, next_tokens
from playground.model.architecture import architecture, section
from playground.model.task_model import TaskModel
from playground.recording import hooked, matching
from playground.settings.config import Architecture, RunConfig, TaskConfig
from playground.settings.estimate import pass_size, quick_test
from playground.tasks import PAD, task_of
from playground.tasks.batches import Batch, Sequences, closed, make_batch, right_answers

SOLVED_AT = 0.999
SHOWN_EXAMPLES = 8
_FAST_WIDTH = 16  # torch's softmax over 9 to 15 numbers takes up to ten times as long as over 16


@dataclass(frozen=True)
class Example:
    """A held-out sequence and the model's prediction for it, as token ids."""

    source: tuple[int, ...]
    answer: tuple[int, ...]  # right
    prediction: tuple[int, ...]  # free-running


@dataclass(frozen=True)
class Evaluation:
    """Scores on held-out sequences, free-running: the model reads its own predictions, not the right tokens."""

    sequences: int  # how many were tested
    loss: float  # mean over tokens, under teacher forcing
    exact_match: float  # fraction of answers right in every token, EOS included where there is one
    token_accuracy: float  # fraction of right tokens, position by position
    teacher_forced_exact_match: float | None  # beside the two above where it can differ
    teacher_forced_token_accuracy: float | None
    position_accuracy: tuple[float | None, ...]
    """Fraction of right tokens at each position of the answer; None where no tested answer has that position."""
    attention_entropy: dict[str, tuple[float, ...]]
    """Name of the tap `weights` of each attention -> bits by head: the mean over what the model reads of the first
    `pass_size` sequences under teacher forcing. 0: all weight on one key; log2 n: even over n keys."""
    examples: tuple[Example, ...]
    expert_load: dict[str, float] | None = None
    """Fraction of the tokens of the same pass that each expert is chosen for, by the names of `expert_names`. The
    fractions of a mixture add up to its experts per token; None without a mixture."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `exact_match`."""
        return wilson(self.exact_match, self.sequences)


def with_interval(record: dict[str, Any]) -> dict[str, Any]:
    """A record with the 95 % interval of its exact match, if it has one: records of earlier versions lack it."""
    fraction, count = record.get("exact_match", -1), record.get("sequences", 0)
    if not (0 <= fraction <= 1 <= count):
        return record
    low, high = wilson(fraction, count)
    return record | {"exact_match_low": low, "exact_match_high": high}


def is_solved(evaluation: Evaluation, held_out: Tensor) -> bool:
    """True if 99.9 % of the answers to all held-out sequences, not a part of them, are entirely right."""
    return evaluation.sequences == len(held_out) and evaluation.exact_match >= SOLVED_AT


def evaluate(model: TaskModel, held_out: Tensor, *, thorough: bool = False) -> Evaluation:
    """Tests on (N, S) held-out sequences in random order: the first `QUICK_TEST`, and all others of a solved model.

    The setting `eval_sequences` replaces `QUICK_TEST`.
    How many sequences a score rests on doesn't depend on the answers to them, or early stopping would bias it. There is
    one exception: while no more answers are wrong than a solved model may have, the others are tested too. They count
    if the model has solved them all, which changes the score by a thousandth at most; if not, none of them counts. A
    thorough test counts more than a quick one, right or wrong: ten passes, all 1,000 unless the model is large. Leaves
    the model in evaluation mode.
    """
    model.eval()
    size, total = pass_size(model.config), len(held_out)
    quick = quick_test(model.config)
    certain = min(total, max(quick, 10 * size) if thorough else quick)
    first = min(size, certain)
    parts = [_test(model, held_out[:first], watch=True), *_tests(model, held_out[first:certain])]
    allowed = int((1 - SOLVED_AT) * total + 0.5) - sum(part.wrong for part in parts)
    parts += _tests(model, held_out[certain:], allowed)
    return _together(model, parts)


def evaluate_all(tests: Iterable[tuple[TaskModel, Tensor, Tensor | None]]) -> Evaluation:
    """Tests each model on all of its sources, (N, S) for one pass, together; the models have the same settings.

    Beside the sources there may be a guess at the free-running answers, (N, A). A good guess saves time; it changes no
    score. Leaves out the examples, the entropy of attention and the expert load. Leaves the models in evaluation mode.
    """
    models, parts = [], []
    for model, source, guess in tests:
        models.append(model.eval())
        parts.append(_test(model, source, guess=guess))
    return _together(models[0], parts)


@torch.inference_mode()
def answered_right(model: TaskModel, source: Tensor) -> Tensor:
    """(N,) whether the greedy answer to each of (N, S) sources is right in every token, in one pass where possible.

    The model must be in evaluation mode.
    """
    config, answers = model.config, right_answers(model.config, source)
    labels = closed(config.task, config.model.architecture, answers)
    if config.model.architecture == "encoder-only" or model.decoding == "token_by_token":
        answered = greedy(model, source)
        answered = F.pad(answered, (0, labels.size(1) - answered.size(1)))
    else:
        # With a causal mask, an answer that is right under teacher forcing has read its own tokens.
        logits = model(*make_batch(config, source, answers).to(model.device))[0].cpu()
        answered = next_tokens(model, source, answers, logits)[:, : labels.size(1)]
    return ((answered == labels) | (labels == PAD)).all(1)


def _tests(model: TaskModel, source: Tensor, allowed: float = math.inf) -> list["_Part"]:
    """The tests of (N, S) sources, none if more than `allowed` answers are wrong."""
    parts: list[_Part] = []
    for group in by_length(source, pass_size(model.config)):
        if allowed >= 0:
            parts.append(_test(model, group))
            allowed -= parts[-1].wrong
    return parts if allowed >= 0 else []


def by_length(source: Tensor, count: int) -> Iterator[Tensor]:
    """Sources in groups of `count`, the longest first, without the padding that costs more than it saves."""
    lengths = (source != PAD).sum(1)
    for rows in lengths.argsort(stable=True, descending=True).split(count) if len(lengths) else ():
        longest = int(lengths[rows[0]])
        yield source[rows, : max(longest, _FAST_WIDTH) if longest > _FAST_WIDTH // 2 else longest]


class _Seen(NamedTuple):
    """What a pass shows beside its answers."""

    entropy: dict[str, tuple[float, ...]]  # bits by head of each tap `weights`
    load: dict[str, float]  # by expert


class _Part(NamedTuple):
    """Scores of some held-out sequences, as shares."""

    sequences: int
    tokens: int
    loss: float
    exact: float
    accuracy: float
    wrong: int  # sequences with a wrong token
    forced_exact: float
    forced_accuracy: float
    right: list[int]  # tokens by position of the answer
    scored: list[int]  # the same, right or wrong
    seen: _Seen
    examples: tuple[Example, ...]


class Marks(NamedTuple):
    """Which tokens of the answers to N sources are right; A is the longest right answer, with EOS where it has one."""

    right: Tensor  # (N, A) of bool: the model's token after its own earlier tokens is the right one
    forced: Tensor  # (N, A) of bool: the same after the right tokens
    scored: Tensor  # (N, A) of bool: the right answer has a token there
    nats: Tensor  # (N,) sum of the loss over all labels, under teacher forcing
    labels: Tensor  # (N,) their number


def marks(model: TaskModel, source: Tensor) -> Marks:
    """The marks of the answers to all of (N, S) sources, for one pass; leaves the model in evaluation mode."""
    found = _answered(model.eval(), source)
    scored, asked = found.right != PAD, found.batch.labels != PAD
    nats = F.cross_entropy(found.logits.transpose(1, 2), found.batch.labels, ignore_index=PAD, reduction="none")
    right, forced = ((tokens == found.right) & scored for tokens in (found.free, found.forced))
    return Marks(right, forced, scored, nats.sum(1), asked.sum(1))


class _Answered(NamedTuple):
    """The answers to some sources."""

    batch: Batch
    logits: Tensor
    loss: Tensor
    right: Tensor  # (N, A) right tokens
    forced: Tensor  # (N, A) predicted after the right tokens
    free: Tensor  # (N, A) predicted after the model's own tokens
    seen: _Seen


@torch.inference_mode()
def _answered(model: TaskModel, source: Tensor, *, watch: bool = False, guess: Tensor | None = None) -> _Answered:
    config, answers = model.config, right_answers(model.config, source)
    batch, labels = make_batch(config, source, answers), closed(config.task, config.model.architecture, answers)
    watching: AbstractContextManager[_Seen] = _watched(model, batch) if watch else nullcontext(_Seen({}, {}))
    memory: list[Tensor] = []  # of the encoder, which greedy decoding reads, too
    keeping = {"encoder": memory.extend} if model.encoder and model.decoder else {}
    with watching as seen, hooked(model, keeping):
        logits, loss = model(*batch.to(model.device))
    logits = logits.cpu()
    if config.model.architecture == "encoder-only":
        forced = logits.argmax(-1).masked_fill(source == PAD, PAD)
    else:
        forced = next_tokens(model, source, answers, logits)[:, : labels.size(1)]
    scored = labels != PAD
    free = forced.masked_fill(~scored, PAD)
    # With a causal mask an answer that is right under teacher forcing has read the right tokens: it is the free one.
    every = model.decoding == "token_by_token"
    open_rows = torch.ones(len(source), dtype=torch.bool) if every else (free != labels).any(1)
    if config.model.architecture != "encoder-only" and bool(open_rows.any()):
        wanted = scored.sum(1)  # what follows the end of the right answer is only shown
        wanted[: SHOWN_EXAMPLES if watch else 0] = task_of(config.task).max_answer_length + 1
        answered = greedy(
            model,
            source[open_rows],
            guess=(forced if guess is None else guess)[open_rows],
            wanted=wanted[open_rows],
            memory=[part[open_rows] for part in memory],
        )
        free[open_rows] = F.pad(answered, (0, free.size(1) - answered.size(1)))
    return _Answered(batch, logits, loss, labels, forced, free, seen)


def _test(model: TaskModel, source: Tensor, *, watch: bool = False, guess: Tensor | None = None) -> _Part:
    _, _, loss, labels, forced, free, seen = _answered(model, source, watch=watch, guess=guess)
    scored, shown = labels != PAD, range(min(SHOWN_EXAMPLES, len(source)) if watch else 0)
    right = (free == labels) & scored  # (N, A + 1)
    return _Part(
        len(source),
        int(scored.sum()),
        float(loss),
        *_shares(right, scored),
        int((right != scored).any(1).sum()),
        *_shares((forced == labels) & scored, scored),
        right.sum(0).tolist(),
        scored.sum(0).tolist(),
        seen,
        tuple(Example(_trim(source[row]), _trim(labels[row]), _trim(free[row])) for row in shown),
    )


def head_entropy(weights: Tensor, read: Tensor) -> tuple[float, ...]:
    """Mean entropy in bits of each head's attention weights, (N, H, T, S), over the queries that are `read`, (N, T)."""
    entropy = torch.special.entr(weights).sum(-1) / math.log(2)  # (N, H, T)
    return tuple(entropy.transpose(1, 2)[read].mean(0).tolist())


def expert_names(config: RunConfig) -> dict[str, list[str]]:
    """The experts of each mixture that its router chooses from, by path: "decoder layer 1 expert 1", and so on."""
    numbers = range(1, config.model.n_experts + 1)
    mixtures = [part.path for part in architecture(config.model).find("Mixture")]
    return {path: [f"{section(path)} expert {number}" for number in numbers] for path in mixtures}


def load_entropy(loads: Iterable[float]) -> float:
    """Entropy in bits of the loads of a mixture's experts: log2 E if all are equal, 0 if one expert gets all tokens."""
    given = torch.tensor([*loads], dtype=torch.float64)
    return float(torch.special.entr(given / given.sum()).sum() / math.log(2))


@contextmanager
def _watched(model: TaskModel, batch: Batch) -> Iterator[_Seen]:
    """Fills in what the pass on `batch` inside the block shows, over the tokens that the model reads."""
    seen, experts = _Seen({}, {}), expert_names(model.config)

    def is_read(name: str) -> Tensor:
        return batch.read_by(name.partition(".")[0]) != PAD

    def measure_entropy(name: str, weights: Tensor) -> None:
        seen.entropy[name] = head_entropy(weights, is_read(name))

    def measure_load(path: str, chosen: Tensor) -> None:
        seen.load.update(zip(experts[path], chosen[is_read(path)].double().mean(0).tolist(), strict=True))

    functions = {name: partial(measure_entropy, name) for name in matching(model, "*.weights")}
    with hooked(model, functions | {f"{path}.chosen": partial(measure_load, path) for path in experts}):
        yield seen


def examples(config: RunConfig, predictions: Sequence[Sequence[int]]) -> tuple[Example, ...]:
    """The shown examples of a record (`Progress.record`) again, from its predictions."""
    return tuple(
        Example(source, answer, tuple(prediction))
        for (source, answer), prediction in zip(_shown(config.task, config.model.architecture), predictions)
    )


@lru_cache(maxsize=KEPT_SETTINGS)
def _shown(task: TaskConfig, architecture: Architecture) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Source and right answer of the shown examples."""
    source = Sequences.of(task).held_out()[:SHOWN_EXAMPLES]
    answers = task_of(task).answers(source)
    labels = closed(task, architecture, answers)
    return [(_trim(row), _trim(label)) for row, label in zip(source, labels, strict=True)]


def _together(model: TaskModel, parts: list[_Part]) -> Evaluation:
    def mean(score: str, over: str) -> float:
        return sum(getattr(part, score) * getattr(part, over) for part in parts) / sum(
            getattr(part, over) for part in parts
        )

    def summed(counts: str) -> list[int]:
        return [sum(position) for position in zip_longest(*(getattr(part, counts) for part in parts), fillvalue=0)]

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
            right / scored if scored else None for right, scored in zip(summed("right"), summed("scored"), strict=True)
        ),
        attention_entropy=parts[0].seen.entropy,
        examples=parts[0].examples,
        expert_load=parts[0].seen.load or None,
    )


def _shares(right: Tensor, scored: Tensor) -> tuple[float, float]:
    """Share of rows entirely right, and of tokens right among those scored."""
    return float((right == scored).all(1).double().mean()), float(right.sum() / scored.sum())


def _trim(tokens: Tensor) -> tuple[int, ...]:
    return tuple(token for token in tokens.tolist() if token != PAD)

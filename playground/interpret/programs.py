"""Attention programs: rules of a few words that replace attention weights, and how faithful they are.

Each head gets the rule that fits its weights best. Then its weights are replaced by those of the rule, and the model
answers the held-out inputs again. (In the spirit of Friedman et al. 2023, Learning Transformer Programs, and of
causal scrubbing, Chan et al. 2022.)
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.common.numbers import percent
from playground.decoding import greedy, next_tokens
from playground.model.head_paths import Head, attentions, heads, masked_scores_tap, token_taps, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import caching, intervene
from playground.tasks import EOS, PAD, text_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, closed, make_batch, right_answers
from playground.training.held_out import held_out_batches, held_out_sources
from playground.training.roles import ROLES, Reads, attention_reads

EVERYWHERE = "everywhere"
"""The rule of even attention to all positions that a query sees."""

RULES = (EVERYWHERE, *(name for name in ROLES if name != "copied"))
"""Rules that read tokens and positions alone; the role "copied" reads the right answer."""

SECOND_RULES = (EVERYWHERE, "own", "first", "last", "special")
"""For queries that see no position of the first rule."""

MAX_DIFFERENCES = 20
"""Inputs that are listed where a program gives another answer."""


@dataclass(frozen=True)
class Program:
    """Attention by a rule: evenly to its positions; where a query sees none, to those of another rule."""

    rule: str  # one of `RULES`
    fallback: str = EVERYWHERE  # one of `SECOND_RULES`; where it has no position either, everywhere

    @property
    def words(self) -> str:
        """After "attends": "to the mirror position n+1-t, and to the last input position n where there is none"."""
        if self.rule == EVERYWHERE:
            return "evenly to all positions it sees"
        if self.fallback == EVERYWHERE:
            return f"to {ROLES[self.rule].words}"
        return f"to {ROLES[self.rule].words}, and where there is none to {ROLES[self.fallback].words}"

    def weights(self, reads: Reads) -> Tensor:
        """(B, T, S) weights of each query on the keys it sees."""
        spread = _even(reads.visible)
        for rule in (self.fallback, self.rule):
            if rule != EVERYWHERE:
                positions = ROLES[rule].visible(reads)
                spread = torch.where(positions.any(-1, keepdim=True), _even(positions), spread)
        return spread


@dataclass(frozen=True)
class Fit:
    """The program nearest to the weights of a head."""

    program: Program
    distance: float  # mean total variation distance over all queries: the part of the weight that is elsewhere
    weight: float  # mean part of the weight that agrees, over the queries that see a position of the program's rule


@dataclass(frozen=True)
class DifferentAnswer:
    """An input to which the model gives another answer with programs than with its own weights; all as typed."""

    source: str
    answer: str  # with the programs
    own: str
    right: str


@dataclass(frozen=True)
class ProgramScores:
    """Answers of a model with programs in place of the weights of some heads, free-running on held-out inputs."""

    exact_match: float  # fraction of answers entirely right
    agreement: float  # fraction of answers that are those of the model with its own weights
    differences: tuple[DifferentAnswer, ...]  # the first of the others, at most `MAX_DIFFERENCES`


@dataclass(frozen=True)
class Programs:
    """The program of each head, and what the model answers with them, as far as they are measured."""

    sequences: int  # held-out inputs
    fits: Mapping[Head, Fit]
    exact_match: float  # of the model with its own weights
    alone: Mapping[Head, ProgramScores]  # one head replaced
    together: ProgramScores | None  # all heads replaced

    def sentence(self, head: Head) -> str:
        """A sentence on the program of a head and how faithful it is."""
        fit = self.fits[head]
        name = f"{head.words[0].upper()}{head.words[1:]}"
        sentence = f"{name} attends {fit.program.words}: {fit.weight:.2f} of its weight."
        if head in self.alone:
            sentence += f" {self._measured('With this program in its place', self.alone[head])}"
        return sentence

    @property
    def conclusion(self) -> str:
        """A sentence on how faithful the programs of all heads are together; empty before that is measured."""
        if self.together is None:
            return ""
        measured = self._measured("With these programs in place of all attention weights", self.together)
        same = percent(self.together.agreement)
        return f"{measured} Both give the same answer to {same} of the inputs."

    def _measured(self, what: str, scores: ProgramScores) -> str:
        return (
            f"{what} the model answers {percent(scores.exact_match)} of {self.sequences:,} held-out inputs right; with "
            f"its own weights {percent(self.exact_match)}."
        )


def programs(model: TaskModel, sequences: int = HELD_OUT_SEQUENCES) -> Iterator[tuple[int, int, Programs]]:
    """Find a program for each head, replace its weights by the program's, then all heads at once.

    Yields the batches read so far, the batches to read, and what is known so far. Fits are measured on held-out inputs
    with their right answers, everything else free-running. A caller that stops iterating cancels the rest.
    """
    every, model_heads = held_out_sources(model.config, sequences), heads(model.config.model)
    total, done = len(every) * (len(model_heads) + 2), 0
    groups: list[_Group] = []
    for source, (count, _, fits) in zip(every, fit(model, sequences), strict=True):
        groups.append(_Group(source, _answers(model, source), _labels(model, right_answers(model.config, source))))
        right = torch.cat([_same(group.own, group.right) for group in groups])
        measured = Programs(count, fits, float(right.double().mean()), {}, None)
        done += 1
        yield done, total, measured
    chosen = {head: head_fit.program for head, head_fit in measured.fits.items()}
    for head in (*model_heads, None):
        results = _replaced(model, chosen if head is None else {head: chosen[head]}, groups)
        for number, result in enumerate(results, start=1):
            if number == len(groups):
                measured = replace(measured, together=result) if head is None else _with(measured, head, result)
            done += 1
            yield done, total, measured


def fit(model: TaskModel, sequences: int = HELD_OUT_SEQUENCES) -> Iterator[tuple[int, int, dict[Head, Fit]]]:
    """For each head the program with the least mean total variation distance to its weights, over all queries.

    Yields the inputs read so far, the inputs to read, and the fits so far.
    """
    paths, n_heads = attentions(model.config.model), model.config.model.n_heads
    totals = {path: _Distances() for path in paths}
    for done, count, batch in held_out_batches(model.config, sequences):
        for path, (weights, reads) in attention_reads(model, batch, paths).items():
            totals[path].add(weights, reads)
        yield (
            done,
            count,
            {Head(path, number): totals[path].best(number) for path in paths for number in range(n_heads)},
        )


@contextmanager
def with_programs(model: TaskModel, chosen: Mapping[Head, Program]) -> Iterator[TaskModel]:
    """Yields a copy of `model` in evaluation mode in which programs replace the weights of some heads.

    The copy decodes token by token: a program reads the tokens of the whole batch, so no row may leave it early.
    """

    def attend(attention: str, weights: Tensor) -> Tensor:
        reads = Reads.of(model.config, attention, read)
        changed = weights.clone()
        for head, program in chosen.items():
            if head.attention == attention:
                changed[:, head.number] = program.weights(reads).to(weights.dtype)
        return changed

    paths = {head.attention for head in chosen}
    taps = {
        *map(masked_scores_tap, paths),
        *(tap for path in attentions(model.config.model) for tap in token_taps(path)),
    }
    changes = {weights_tap(path): partial(attend, path) for path in paths}
    with intervene(model, changes) as instance, caching(instance, taps) as read:
        changed = cast(TaskModel, instance.eval())
        changed.decoding = "token_by_token"
        yield changed


class _Distances:
    """Sums of total variation distances over queries, for each head by rule."""

    def __init__(self) -> None:
        self.queries = 0
        self.existing = dict.fromkeys(RULES, 0)  # queries that see a position of the rule
        self.where: dict[str, Tensor] = {}  # (H,) over these
        self.elsewhere: dict[tuple[str, str], Tensor] = {}  # (H,) of the second rule, over all others

    def add(self, weights: Tensor, reads: Reads) -> None:
        self.queries += int(reads.counted.sum())
        apart, exists = {}, {}
        for rule in RULES:
            distance = (weights - Program(rule).weights(reads)[:, None]).abs().sum(-1) / 2  # (B, H, T)
            apart[rule] = distance.double().transpose(1, 2)[reads.counted]  # (queries, H)
            positions = ROLES[rule].visible(reads) if rule != EVERYWHERE else reads.visible
            exists[rule] = positions.any(-1)[reads.counted].double()
            self.existing[rule] += int(exists[rule].sum())
        for rule in RULES:
            self.where[rule] = self.where.get(rule, 0) + exists[rule] @ apart[rule]
            for other in SECOND_RULES:
                self.elsewhere[rule, other] = self.elsewhere.get((rule, other), 0) + (1 - exists[rule]) @ apart[other]

    def best(self, head: int) -> Fit:
        """The nearest program; of several as near, the one whose rules come first in `RULES`."""
        fits = []
        for (rule, other), elsewhere in self.elsewhere.items():
            if count := self.existing[rule]:
                where = float(self.where[rule][head])
                distance = (where + float(elsewhere[head])) / self.queries
                fits.append(Fit(Program(rule, other), distance, 1 - where / count))
        return min(fits, key=lambda head_fit: head_fit.distance)


class _Group(NamedTuple):
    """Held-out inputs for one pass, (N, S), and answers as `_answers` gives them, (N, A)."""

    source: Tensor
    own: Tensor  # of the model with its own weights
    right: Tensor


def _with(programs: Programs, head: Head, result: ProgramScores) -> Programs:
    return replace(programs, alone={**programs.alone, head: result})


def _replaced(model: TaskModel, chosen: Mapping[Head, Program], groups: Sequence[_Group]) -> Iterator[ProgramScores]:
    """The scores so far, after each group."""
    exact, agrees, differences = [], [], list[DifferentAnswer]()
    with with_programs(model, chosen) as changed:
        for source, own, right in groups:
            same, was_right = _gives(changed, source, own), _same(own, right)
            is_right, unknown = same & was_right, ~same & ~was_right
            if bool(unknown.any()):
                is_right[unknown] = _gives(changed, source[unknown], right[unknown])
            exact.append(is_right)
            agrees.append(same)
            others = (~same).nonzero()[: MAX_DIFFERENCES - len(differences), 0]
            if len(others):
                read = source[others], _answers(changed, source[others]), own[others], right[others]
                differences += [
                    DifferentAnswer(*(_text(model, tokens) for tokens in row)) for row in zip(*read, strict=True)
                ]
            yield ProgramScores(
                float(torch.cat(exact).double().mean()), float(torch.cat(agrees).double().mean()), tuple(differences)
            )


@torch.inference_mode()
def _gives(model: TaskModel, source: Tensor, labels: Tensor) -> Tensor:
    """(N,) whether the free-running answers are `labels`, (N, A) as `_answers` gives them.

    With a causal mask one pass shows it: the answer is this one if each prediction, after the tokens of this answer
    before it, is its next token.
    """
    settings = model.config.model
    if settings.architecture == "encoder-only" or not settings.causal_mask:
        return _same(_answers(model, source), labels)
    read = labels[:, :-1].masked_fill(labels[:, :-1] == EOS, PAD)
    batch = make_batch(model.config, source, read)
    predicted = next_tokens(model, source, read, model(*batch.to(model.device))[0].cpu())
    ends = (labels == EOS) | (labels == PAD)
    beyond = F.pad(ends.cumsum(1)[:, :-1], (1, 0)) > 0
    return ((predicted == labels) | beyond).all(1)


def _answers(model: TaskModel, source: Tensor) -> Tensor:
    """(N, A) free-running answers, each through its EOS, then PAD."""
    return greedy(model.eval(), source)


def _labels(model: TaskModel, answers: Tensor) -> Tensor:
    return closed(model.config.task, model.config.model.architecture, answers)


def _same(one: Tensor, other: Tensor) -> Tensor:
    """(N,) whether rows padded with PAD are equal."""
    width = max(one.size(1), other.size(1))
    return (F.pad(one, (0, width - one.size(1))) == F.pad(other, (0, width - other.size(1)))).all(1)


def _text(model: TaskModel, tokens: Tensor) -> str:
    return text_of([token for token in tokens.tolist() if token not in (EOS, PAD)], model.config.task)


def _even(positions: Tensor) -> Tensor:
    """(B, T, S) -> weights spread evenly over the positions of each query; 0 where there is none."""
    return positions / positions.sum(-1, keepdim=True).clamp(min=1)

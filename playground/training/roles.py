"""Roles of attention heads by measurement: how much of its weight each head puts on positions of a kind."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import torch
from torch import Tensor

from playground.model.head_paths import Head, attentions, kind_of, masked_scores_tap, token_taps, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import RunConfig, TaskConfig
from playground.tasks import BOS, PAD, SEP, task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch
from playground.training.held_out import held_out_batches

SPECIALISED = 0.5
"""Smallest score of a head that has a role: half of its weight."""


@dataclass(frozen=True)
class Reads:
    """The queries and keys of one attention in a batch. Positions count from 0."""

    query: Tensor  # (B, T) token ids
    key: Tensor  # (B, S) token ids
    visible: Tensor  # (B, T, S) whether the query may attend to the key
    of_itself: bool  # self-attention: queries and keys are the same positions
    index: Tensor  # (B, T) the query's t, see `of`; negative where it has none
    length: Tensor  # (B, 1) n: tokens of the input, which are the first keys; 0 where the keys are no input
    task: TaskConfig | None  # if the keys are the input and the queries predict the answer

    @classmethod
    def of(cls, config: RunConfig, attention: str, cache: Mapping[str, Tensor]) -> Self:
        """From the path of an attention, and the tensors of a pass: `token_taps` and `masked_scores_tap`.

        t is the query's own position in an encoder. In a decoder it is the position of the answer token that the query
        predicts: BOS or SEP has t = 0, the first token of the answer t = 1.
        """
        query, key = (cache[tap] for tap in token_taps(attention))
        visible = cache[masked_scores_tap(attention)][:, 0] > -torch.inf
        steps = torch.arange(query.size(1), device=query.device)[None]
        if token_taps(attention)[1] == "encoder.tokens":
            index, length = steps.expand_as(query), (key != PAD).sum(1, keepdim=True)
        elif "encoder.tokens" in cache:
            index, length = steps.expand_as(query), torch.zeros_like(query[:, :1])
        else:  # one row: input, SEP, answer
            length = (query == SEP).int().argmax(1, keepdim=True)
            index = torch.where(steps < length, -1 - key.size(1), steps - length)
        crosses = kind_of(attention) == "cross-attention"
        task = config.task if crosses or config.model.architecture != "encoder-decoder" else None
        return cls(query, key, visible, not crosses, index, length, task)

    @property
    def own(self) -> Tensor:
        """(B, T, S) whether the key is the query itself."""
        square = torch.eye(self.query.size(1), self.key.size(1), dtype=torch.bool, device=self.query.device)
        return (square & self.of_itself).expand_as(self.visible)

    @property
    def counted(self) -> Tensor:
        """(B, T) whether the query is a token."""
        return self.query != PAD

    def at(self, position: Tensor) -> Tensor:
        """(B, T or 1) positions -> (B, T, S) whether the key is a token of the input at that position."""
        keys = torch.arange(self.key.size(1), device=self.key.device)
        return (keys == position[:, :, None]) & (keys < self.length[:, :, None])

    @cached_property
    def copied(self) -> Tensor:
        """(B, T, S) whether the query predicts a token of the right answer that can be copied from the key."""
        sources = torch.zeros_like(self.visible)
        if self.task is not None:
            copied_from = task_of(self.task).copied_from
            predicts = self.index.expand_as(self.query).tolist()
            for row, (key, length) in enumerate(zip(self.key.tolist(), self.length[:, 0].tolist(), strict=True)):
                answer = copied_from(key[:length]) if length else []
                for query, token in enumerate(predicts[row]):
                    if 0 <= token < len(answer):
                        sources[row, query, list(answer[token])] = True
        return sources

    def beside(self, offset: int) -> Tensor:
        """(B, T, S) whether the key is so many positions after the query or, in cross-attention, after t."""
        if not self.of_itself:
            return self.at(self.index + offset)
        return torch.ones_like(self.own[0]).tril(offset).triu(offset).expand_as(self.visible)


@dataclass(frozen=True)
class Role:
    """A kind of positions that a head may attend to."""

    words: str  # after "attends to"
    short: str  # in the legend of a chart
    positions: Callable[[Reads], Tensor]  # (B, T, S) whether the key is one of them; what is hidden doesn't count
    title: str = ""  # of a head with this role, if the field has one: "an induction head"

    def visible(self, reads: Reads) -> Tensor:
        """(B, T, S) whether the key is such a position, and visible to a query that is a token."""
        return self.positions(reads) & reads.visible & reads.counted[:, :, None]


def _same_token(reads: Reads) -> Tensor:
    return (reads.key[:, None, :] == reads.query[:, :, None]) & ~reads.own


def _after_same_token(reads: Reads) -> Tensor:
    after = torch.zeros_like(reads.visible)
    after[:, :, 1:] = _same_token(reads)[:, :, :-1]
    return after & (reads.key != PAD)[:, None]


ROLES: dict[str, Role] = {
    "own": Role("its own position t", "own", lambda reads: reads.own),
    "same": Role("input position t", "input t", lambda reads: reads.at(reads.index) & ~reads.own),
    "mirror": Role("the mirror position n+1-t", "mirror", lambda reads: reads.at(reads.length - 1 - reads.index)),
    "previous": Role("the previous position t-1", "previous", lambda reads: reads.beside(-1), "a previous-token head"),
    "next": Role("the next position t+1", "next", lambda reads: reads.beside(1)),
    "first": Role("the first input position", "first", lambda reads: reads.at(torch.zeros_like(reads.length))),
    "last": Role("the last input position n", "last", lambda reads: reads.at(reads.length - 1)),
    "special": Role(
        "BOS or SEP",
        "BOS or SEP",
        lambda reads: ((reads.key == BOS) | (reads.key == SEP))[:, None].expand_as(reads.visible),
    ),
    "token": Role("other positions with the same token", "same token", _same_token),
    "induction": Role(
        "the position after one with the same token", "after same token", _after_same_token, "an induction head"
    ),
    "copied": Role(
        "the position the answer is copied from", "copied from", lambda reads: reads.copied, "a copying head"
    ),
}
"""Kinds of positions by name. t is the query's position in an encoder; in a decoder it is the position of the answer
token that the query predicts. n is the number of input tokens. In these words, positions count from 1. `previous` and
`next` count from the query itself in self-attention, from t in cross-attention. `induction` is the pattern of Olsson et
al. 2022, In-context Learning and Induction Heads. `copied` is what the task says (`Task.copied_from`); of roles with
equal scores, a head has the first."""


ROLE_LETTERS = (
    "In an encoder, t is the query's position. In a decoder, the query predicts token t of the answer. "
    "Positions are counted from 1, and n is the number of input tokens."
)
"""The meaning of t and n in the words of roles."""


@dataclass(frozen=True)
class RoleScore:
    """The share of a head's weight that is on positions of a role."""

    role: str  # a name in `ROLES`
    weight: float  # mean over the counted queries of the head's weight on such positions, 0 to 1
    uniform: float  # the same if each query attended evenly to all positions it sees
    queries: int  # counted: those that see such a position

    @property
    def above(self) -> float:
        """Part of the way from even attention (0) to attention to such positions alone (1)."""
        return (self.weight - self.uniform) / (1 - self.uniform) if self.uniform < 1 else 0.0


def how(score: RoleScore, sequences: int) -> str:
    """Sentences on how a score was computed."""
    return (
        f"Score: mean attention weight on {ROLES[score.role].words}, over {score.queries:,} queries that see such a "
        f"position, in {sequences:,} held-out inputs. The decoder reads the right answers. Even attention would give "
        f"{score.uniform:.2f}."
    )


def scores(weights: Tensor, reads: Reads) -> list[list[RoleScore]]:
    """For each head of the attention weights (B, H, T, S), its score for each role that exists in this batch."""
    totals = RoleTotals()
    totals.add(weights, reads)
    return totals.scores(weights.size(1))


def role(scores_of_head: list[RoleScore]) -> RoleScore | None:
    """The role of a head: the score furthest above even attention, None if it is below `SPECIALISED`."""
    best = max(scores_of_head, key=lambda score: score.above, default=None)
    return best if best and best.weight >= SPECIALISED and best.above > 0 else None


def measure_roles(
    model: TaskModel, sequences: int = HELD_OUT_SEQUENCES
) -> Iterator[tuple[int, int, dict[Head, list[RoleScore]]]]:
    """Scores of all heads for all roles, over held-out inputs with their right answers, as progress.

    Yields the inputs read so far, the inputs to read, and the scores so far. A role's score is the mean attention
    weight on positions of its kind, over the queries that are tokens and see such a position; see `RoleScore`.
    """
    paths = attentions(model.config.model)
    totals = {path: RoleTotals() for path in paths}
    for done, count, batch in held_out_batches(model.config, sequences):
        for path, (weights, reads) in attention_reads(model, batch, paths).items():
            totals[path].add(weights, reads)
        n_heads = model.config.model.n_heads
        by_path = {path: totals[path].scores(n_heads) for path in paths}
        yield done, count, {Head(path, number): by_path[path][number] for path in paths for number in range(n_heads)}


def attention_reads(model: TaskModel, batch: Batch, paths: list[str]) -> dict[str, tuple[Tensor, Reads]]:
    """Weights (B, H, T, S) of each attention in one pass over a batch, and what its queries and keys are."""
    taps = {tap for path in paths for tap in (*token_taps(path), masked_scores_tap(path), weights_tap(path))}
    _, cache = run_with_cache(model, batch, taps)
    return {path: (cache[weights_tap(path)], Reads.of(model.config, path, cache)) for path in paths}


class RoleTotals:
    """Sums of the weights (B, H, T, S) of one attention over batches, by role."""

    def __init__(self) -> None:
        self.weight: dict[str, Tensor] = {}  # (H,)
        self.uniform: dict[str, float] = {}
        self.queries: dict[str, int] = {}

    def add(self, weights: Tensor, reads: Reads) -> None:
        seen = reads.visible.sum(-1).clamp(min=1)
        for name, kind in ROLES.items():
            positions = kind.visible(reads)
            exists = positions.any(-1)  # (B, T)
            on_them = torch.einsum("bhts,bts->h", weights.double(), positions.double())
            self.weight[name] = self.weight.get(name, 0) + on_them
            self.uniform[name] = self.uniform.get(name, 0) + float((positions.sum(-1) / seen).sum())
            self.queries[name] = self.queries.get(name, 0) + int(exists.sum())

    def scores(self, n_heads: int) -> list[list[RoleScore]]:
        return [
            [
                RoleScore(name, float(self.weight[name][head]) / count, self.uniform[name] / count, count)
                for name, count in self.queries.items()
                if count
            ]
            for head in range(n_heads)
        ]

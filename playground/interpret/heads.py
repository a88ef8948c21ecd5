"""All attention heads at a glance: their weights for one input, or averaged over held-out inputs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.model.architecture import locate
from playground.model.head_paths import Head, attentions, kind_of, token_taps, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks import PAD
from playground.tasks.batches import Sequences
from playground.training.held_out import in_batches


@dataclass(frozen=True)
class Grid:
    """Attention weights of all heads of one kind, by layer."""

    kind: str
    attentions: tuple[str, ...]  # one a layer, the first layer first
    weights: Tensor  # (layers, H, T, S)
    queries: tuple[int, ...]  # (T,) token ids of the queries; empty in an average
    keys: tuple[int, ...]  # (S,) the same of the keys


@dataclass(frozen=True)
class Pair:
    """The comparison of one query with one key by one head."""

    query: Tensor  # (K,) or, in latent attention with rotary positions, (Q,); divided by its length with `qk_norm`
    key: Tensor  # the same
    terms: Tensor  # the same: products of their numbers; they add up to `score`
    score: float  # before it is scaled
    scaled_score: float  # as the model computed it: scaled, and kept below a cap where there is one
    masked_score: float  # what softmax reads: scaled, and minus infinity where the key is hidden
    weight: float


def grids(cache: Mapping[str, Tensor], settings: ModelConfig) -> list[Grid]:
    """Attention weights of all heads by kind, from the tensors of a pass over one input."""

    def read(tap: str) -> tuple[int, ...]:
        return tuple(cache[tap][0].tolist())

    return [
        Grid(
            kind,
            tuple(paths),
            torch.stack([cache[weights_tap(path)][0] for path in paths]),
            *map(read, token_taps(paths[0])),
        )
        for kind, paths in _by_kind(settings)
    ]


def average_grids(model: TaskModel, length: int) -> Iterator[tuple[int, int, list[Grid]]]:
    """Attention weights of all heads averaged over the held-out inputs with `length` tokens, as progress.

    Yields the inputs read so far, the inputs to read, and the averages so far. The decoder reads the right answers. The
    row of a query is the mean over the inputs whose answer has that position. Raises `PlaygroundError` if no held-out
    input has this length.
    """
    config, paths = model.config, attentions(model.config.model)
    source = Sequences.of(config.task).held_out()
    source = source[(source != PAD).sum(1) == length][:, :length]
    if not len(source):
        raise PlaygroundError(f"No held-out input has length {length}.", "Choose another length.")
    sums, counted = dict[str, Tensor](), dict[str, Tensor]()
    for done, count, batch in in_batches(config, source):
        _, cache = run_with_cache(model, batch, map(weights_tap, paths))
        for path in paths:
            queries = batch.read_by(locate(path).stack) != PAD  # (B, T)
            total, queries = _sums(cache[weights_tap(path)], queries)
            sums[path], counted[path] = sums.get(path, 0) + total, counted.get(path, 0) + queries
        mean = {path: sums[path] / counted[path].clamp(min=1)[:, None] for path in paths}
        yield (
            done,
            count,
            [
                Grid(kind, tuple(kind_paths), torch.stack([mean[path] for path in kind_paths]), (), ())
                for kind, kind_paths in _by_kind(config.model)
            ],
        )


def pair(cache: Mapping[str, Tensor], head: Head, query: int, key: int) -> Pair:
    """The comparison of the query at one position with the key at another, both counted from 0."""

    def of(tap: str) -> Tensor:
        return cache[f"{head.attention}.attention.{tap}"][0, head.number]

    normed = "normed_" * (f"{head.attention}.attention.normed_query" in cache)
    one, other = of(f"{normed}query")[query], of(f"{normed}key")[key]
    capped = f"{head.attention}.attention.capped_scores" in cache
    taps = ("scores", "capped_scores" if capped else "scaled_scores", "masked_scores", "weights")
    return Pair(one, other, one * other, *(float(of(tap)[query, key]) for tap in taps))


def _by_kind(settings: ModelConfig) -> Iterator[tuple[str, list[str]]]:
    kinds = dict[str, list[str]]()
    for path in attentions(settings):
        kinds.setdefault(kind_of(path), []).append(path)
    yield from kinds.items()


def _sums(weights: Tensor, counted: Tensor) -> tuple[Tensor, Tensor]:
    """(B, H, T, S) -> (H, T, S) sums over the inputs in which a row is `counted`, (B, T), and their number (T,)."""
    return torch.einsum("bhts,bt->hts", weights, counted.float()), counted.sum(0)

"""The held-out inputs that evaluation uses, in batches of one pass."""

from collections.abc import Iterator

from torch import Tensor

from playground.settings.config import RunConfig
from playground.settings.estimate import pass_size
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, Sequences, make_batch


def held_out_sources(config: RunConfig, sequences: int = HELD_OUT_SEQUENCES) -> list[Tensor]:
    """At most `sequences` held-out inputs, (N, S) in groups that one pass can read."""
    return list(Sequences.of(config.task).held_out(sequences).split(pass_size(config)))


def held_out_batches(config: RunConfig, sequences: int = HELD_OUT_SEQUENCES) -> Iterator[tuple[int, int, Batch]]:
    """At most `sequences` held-out inputs with their right answers: (inputs so far, all inputs, batch)."""
    return in_batches(config, Sequences.of(config.task).held_out(sequences))


def in_batches(config: RunConfig, source: Tensor) -> Iterator[tuple[int, int, Batch]]:
    """Inputs (N, S) with their right answers, as many as one pass can read: (inputs so far, all inputs, batch)."""
    done = 0
    for group in source.split(pass_size(config)):
        done += len(group)
        yield done, len(source), make_batch(config, group)

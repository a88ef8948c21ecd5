"""Vectors between the sublayers, and the held-out inputs that evaluation uses, in batches."""

from collections.abc import Iterator

from torch import Tensor

from playground.model.architecture import Part, architecture
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig, RunConfig
from playground.settings.estimate import pass_size
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, Sequences, make_batch


def streams(model: TaskModel, batch: Batch, stack: str) -> dict[str, Tensor]:
    """The vectors (B, T, D) between the sublayers of a stack, by the path of what they leave, from its embeddings on.

    What leaves a sublayer includes the residual sum and, in post-norm, the norm behind it.
    """
    names = {f"{stack}.embeddings": f"{stack}.embeddings"}
    names |= {part.path: f"{part.path}_add_norm" for part in sublayers(model.config.model, stack)}
    _, cache = run_with_cache(model, batch, names.values())
    return {path: cache[name] for path, name in names.items()}


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


def sublayers(settings: ModelConfig, stack: str = "") -> list[Part]:
    """Attentions and feed-forward networks in the order of execution: of one stack, or of all."""
    every = architecture(settings).find("MultiHeadAttention", "FeedForward")
    return [part for part in every if part.path.startswith(stack)]


def top_stack(settings: ModelConfig) -> str:
    """The stack whose output the output layer reads."""
    return "encoder" if settings.architecture == "encoder-only" else "decoder"

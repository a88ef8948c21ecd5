"""The shipped model that reverses its input, as several lessons read it."""

from collections.abc import Mapping
from functools import lru_cache

from torch import Tensor

from playground.decoding import batch_to_read
from playground.lessons.live_parts import shipped
from playground.recording import intervene, run_with_cache
from playground.recording.intervention import Replacement
from playground.tasks.batches import Batch

MODEL = "reverse-1-16"
INPUTS = ("3 1 4 1 5", "0 8 6 1 5 3", "7 2 9 4 8", "2 7 1 8 2 8")
HEADS = ("Head 1", "Head 2", "Head 3", "Head 4")
CROSS = "decoder.layers.0.cross_attention"


def input_of(seed: int) -> str:
    """The input of a lesson."""
    return INPUTS[seed % len(INPUTS)]


@lru_cache(maxsize=16)
def batch_of(text: str, padding: int = 0) -> Batch:
    """The batch that the model reads: an input with PAD behind it, and its own answer."""
    return batch_to_read(shipped(MODEL), text, None, padding=padding)


def read(batch: Batch, changes: Mapping[str, Replacement] | None = None) -> dict[str, Tensor]:
    """Tensors by name of the tap, in a pass in which the taps in `changes` pass on something else."""
    with intervene(shipped(MODEL), changes or {}) as model:
        return run_with_cache(model, batch)[1]

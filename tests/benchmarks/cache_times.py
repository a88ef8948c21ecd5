"""How long an answer of 64 tokens takes with the KV cache, and with a full pass for each token."""

import time
from typing import Any

import torch

from playground.decoding import CachedDecoder, answer_multiplications
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig

LENGTH = 64
GOAL = 3.0
"""Times as fast with the cache."""

MODELS = {"2 + 2 layers": "encoder-decoder", "4 layers, decoder alone": "decoder-only"}
REPEATS = 15


def measure() -> dict[str, Any]:
    """Seconds by model, on one thread: the least of some runs, which take turns."""
    return {name: _of(architecture) for name, architecture in MODELS.items()}


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    lines = [f"An answer of {LENGTH} tokens, with the KV cache compared with full passes (goal {GOAL:.0f}x)"]
    for name, r in results.items():
        lines.append(
            f"  {name:24} {r['cached']:.3f} s with, {r['full']:.3f} s without: {r['full'] / r['cached']:.1f}x as fast "
            f"(last token alone: {r['last']:.1f}x), {r['multiplications']:.1f}x fewer multiplications"
        )
    return lines


def _of(architecture: str) -> dict[str, float]:
    config = RunConfig().updated(
        {
            "model.architecture": architecture,
            "model.n_layers": 4 if architecture == "decoder-only" else 2,
            "model.d_ff": 256,
            "task.max_length": LENGTH,
        }
    )
    model, source = TaskModel(config).eval(), [4 + at % config.task.vocab_size for at in range(LENGTH)]
    seconds: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for _ in range(REPEATS):
        for cached, times in seconds.items():
            times.append(_answer(model, source, cached=cached))
    (all_cached, last_cached), (all_full, last_full) = (map(min, zip(*seconds[each], strict=True)) for each in seconds)
    counts = [sum(answer_multiplications(model, LENGTH, LENGTH, cached=cached)) for cached in (False, True)]
    return {
        "cached": all_cached,
        "full": all_full,
        "last": last_full / last_cached,
        "multiplications": counts[0] / counts[1],
    }


@torch.inference_mode()
def _answer(model: TaskModel, source: list[int], *, cached: bool) -> tuple[float, float]:
    """Seconds for all tokens of an answer, and for its last one.

    The answer is `source`, whatever the model would predict: an untrained model can predict EOS at any position.
    """
    start = time.perf_counter()
    decoder = CachedDecoder(model, source, cached=cached)
    for read in range(len(source)):
        last = time.perf_counter()
        decoder.next_logits(torch.tensor([source[:read]], dtype=torch.long))
    end = time.perf_counter()
    return end - start, end - last

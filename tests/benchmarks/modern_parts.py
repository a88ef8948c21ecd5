"""What modern parts cost: bytes of a KV cache as measured and by formula, and a mixture's step beside a dense one's."""

import statistics
import time
from typing import Any

import torch

from playground.decoding import measured_bytes
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.cost import cache_bytes
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.training.step import OptimizerSteps

ATTENTIONS: dict[str, dict[str, Any]] = {
    "multi-head": {},
    "grouped-query": {"model.attention": "grouped_query"},
    "latent": {"model.attention": "latent", "model.d_latent": 16},
    "latent, rotary": {
        "model.attention": "latent", "model.d_latent": 16, "model.positions": "rotary", "model.d_rope": 8,
    },
}  # fmt: skip
EXPERTS, ACTIVE = 4, 2
GOAL = 2.0
"""Times as long as the step of a dense network as wide as the experts that are chosen, together."""
BATCH_SIZES = (32, 256)
REPEATS = 15


def measure() -> dict[str, Any]:
    """Bytes for each token by attention, and seconds of a step by batch size, on one thread, taking turns."""
    return {
        "bytes": {name: _bytes(RunConfig().updated(settings)) for name, settings in ATTENTIONS.items()},
        "steps": {str(size): _steps(size) for size in BATCH_SIZES},
    }


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    lines = ["Bytes of the KV cache for a token: measured, and by the formula"]
    lines += [f"  {name:24} {each['measured']} and {each['formula']}" for name, each in results["bytes"].items()]
    lines.append(
        f"A step of a mixture of {EXPERTS} experts, {ACTIVE} active, beside a dense one of equal active width:"
    )
    for size, each in results["steps"].items():
        lines.append(
            f"  batch_size {size:13} {1e3 * each['mixture']:.1f} ms and {1e3 * each['dense']:.1f} ms: "
            f"{each['ratio']:.2f}x (goal {GOAL:.0f}x)"
        )
    return lines


def _bytes(config: RunConfig) -> dict[str, int]:
    return {"measured": sum(measured_bytes(TaskModel(config).eval())), "formula": sum(cache_bytes(config))}


def _steps(batch_size: int) -> dict[str, float]:
    config = PRESETS[DEFAULT_PRESET].config.updated({"training.batch_size": batch_size})
    width = config.model.d_ff
    mixture = {"feed_forward": "mixture", "n_experts": EXPERTS, "experts_per_token": ACTIVE, "n_shared_experts": 0}
    steps = {
        "dense": stepper(config.updated({"model.d_ff": ACTIVE * width})),
        "mixture": stepper(config.updated({f"model.{name}": value for name, value in mixture.items()})),
    }
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(REPEATS):
        for name, times in seconds.items():
            start = time.process_time()
            next(steps[name])
            times.append(time.process_time() - start)
    found = {name: statistics.median(times[2:]) for name, times in seconds.items()}
    ratios = [mixed / dense for mixed, dense in zip(seconds["mixture"][2:], seconds["dense"][2:], strict=True)]
    return found | {"ratio": statistics.median(ratios)}


def stepper(config: RunConfig, steps: int = 5) -> Any:
    """A generator that takes so many optimizer steps at a time, without evaluations."""
    trained = OptimizerSteps(config, TaskModel(config))
    while True:
        for _ in range(steps):
            for _ in trained.parts():
                pass
        yield


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("\n".join(as_lines(measure())))

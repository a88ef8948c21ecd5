"""Named settings of a whole run, to start from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playground.config import RunConfig
from playground.tasks import TASKS


@dataclass(frozen=True)
class Preset:
    """Settings with a title, and a sentence on what they are."""

    title: str
    sentence: str
    config: RunConfig
    usual_steps: int  # to solved; sets the default pace of a run


def _preset(title: str, sentence: str, usual_steps: int, changes: Mapping[str, Any]) -> Preset:
    return Preset(title, sentence, RunConfig().updated(changes), usual_steps)


PRESETS: dict[str, Preset] = {
    **{
        own.name: _preset(own.title, own.sentence, own.usual_steps, {"task.name": name, **own.settings})
        for name, task in TASKS.items()
        for own in (*filter(None, [task.preset]), *task.more_presets)
    },
    "paper": _preset(
        "Paper-like",
        "A small version of the model of Vaswani et al. 2017: post-norm, sinusoidal positions, ReLU, noam schedule, "
        "label smoothing 0.1. Differences: width 64 instead of 512, 2 layers instead of 6, 100 warm-up steps instead "
        "of 4,000, no dropout, biases in attention, separate embedding and output weights. Reads inputs of 16 symbols, "
        "no other length.",
        270,
        {
            "task.min_length": 16,
            "model.norm_position": "post",
            "model.positions": "sinusoidal",
            "model.n_layers": 2,
            "model.d_ff": 256,
            "training.learning_rate": 2e-3,
            "training.schedule": "noam",
            "training.warmup_steps": 100,
            "training.label_smoothing": 0.1,
            "training.steps": 2000,
            "training.eval_every": 10,
        },
    ),
    "gpt": _preset(
        "GPT-2-like",
        "A small version of GPT-2: decoder-only, pre-norm, GELU, learned positions. Differences: width 64 instead of "
        "768 or more, 2 layers instead of 12 or more, no dropout, separate embedding and output weights, embeddings "
        "times √D, a loss on the answer alone. Reads inputs of 16 symbols, no other length.",
        70,
        {
            "task.min_length": 16,
            "model.architecture": "decoder-only",
            "model.activation": "gelu",
            "model.positions": "learned",
            "model.n_layers": 2,
            "model.d_ff": 256,
            "training.learning_rate": 3e-3,
            "training.steps": 2000,
            "training.eval_every": 10,
        },
    ),
}
DEFAULT_PRESET = "quick-reverse"

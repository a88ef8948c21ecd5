"""Whole settings with a name: where a person starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playground.config import RunConfig
from playground.tasks import TASKS


@dataclass(frozen=True)
class Preset:
    """A starting point and what to expect of it."""

    title: str
    sentence: str
    config: RunConfig
    usual_steps: int  # to solved; paces a run that a person wants to watch


def _preset(title: str, sentence: str, usual_steps: int, changes: Mapping[str, Any]) -> Preset:
    return Preset(title, sentence, RunConfig().updated(changes), usual_steps)


PRESETS: dict[str, Preset] = {
    **{
        own.name: _preset(own.title, own.sentence, own.usual_steps, {"task.name": name, **own.settings})
        for name, task in TASKS.items()
        if (own := task.preset)
    },
    "paper": _preset(
        "As in the paper",
        "Post-norm, sines for positions, ReLU and the noam schedule; knows inputs of 16 symbols, no other length.",
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
        "As in GPT",
        "Decoder-only, pre-norm, GELU, learned positions; knows inputs of 16 symbols, no other length.",
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

"""Named settings of a whole run, to start from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from playground.settings.arguments import checked, warn
from playground.settings.config import ConfigError, RunConfig
from playground.tasks import TASKS
from playground.tasks.cleaning import changes


@dataclass(frozen=True)
class Preset:
    """Settings with a title, and a sentence on what they are."""

    title: str
    sentence: str
    config: RunConfig
    usual_steps: int  # to solved; sets the default pace of a run


def _preset(title: str, sentence: str, usual_steps: int, changes: Mapping[str, Any]) -> Preset:
    return Preset(title, sentence, RunConfig().updated(changes), usual_steps)


_LATER = {
    "task.name": "text",
    "task.max_length": 32,
    "model.architecture": "decoder-only",
    "model.norm": "rms_norm",
    "model.activation": "swiglu",
    "model.positions": "rotary",
    "model.bias": False,
    "model.n_layers": 2,
    "training.learning_rate": 3e-3,
    "training.weight_decay": 0.1,
    "training.clip_grad_norm": 1.0,
    "training.schedule": "cosine",
    "training.warmup_steps": 30,
    "training.steps": 300,
    "training.eval_every": 50,
}
"""Settings that the models after GPT-2 share."""

PRESETS: dict[str, Preset] = {
    **{
        own.name: _preset(own.title, own.sentence, own.usual_steps, {"task.name": name, **own.settings})
        for name, task in TASKS.items()
        for own in (*filter(None, [task.preset]), *task.more_presets)
    },
    "paper": _preset(
        "Paper-like",
        "A small version of the model of Vaswani et al. 2017: post-norm, sinusoidal positions, ReLU, no biases in "
        "attention, tied embeddings, dropout 0.1, label smoothing 0.1, Adam, noam schedule. Differences: width 64 "
        "instead of 512, 4 heads instead of 8, 2 layers instead of 6, 100 warm-up steps instead of 4,000. Reads inputs "
        "of 16 symbols, no other length.",
        610,
        {
            "task.min_length": 16,
            "model.norm_position": "post",
            "model.positions": "sinusoidal",
            "model.attention_bias": False,
            "model.tie_embeddings": True,
            "model.dropout": 0.1,
            "model.n_layers": 2,
            "model.d_ff": 256,
            "training.optimizer": "adam",
            "training.learning_rate": 0.0125,  # 1/sqrt(D * warm-up steps), the peak of the formula in section 5.3
            "training.schedule": "noam",
            "training.warmup_steps": 100,
            "training.label_smoothing": 0.1,
            "training.steps": 2000,
            "training.eval_every": 20,
        },
    ),
    "gpt": _preset(
        "GPT-2-like",
        "A small version of GPT-2: decoder-only, pre-norm, GELU, learned positions, biases, tied embeddings, dropout "
        "0.1. Differences: width 64 instead of 768 or more, 4 heads instead of 12 or more, 2 layers instead of 12 or "
        "more, embeddings times √D, other initial weights, no dropout of attention weights, a loss on the answer "
        "alone. Reads inputs of 16 symbols, no other length.",
        100,
        {
            "task.min_length": 16,
            "model.architecture": "decoder-only",
            "model.activation": "gelu",
            "model.positions": "learned",
            "model.tie_embeddings": True,
            "model.dropout": 0.1,
            "model.n_layers": 2,
            "model.d_ff": 256,
            "training.learning_rate": 3e-3,
            "training.steps": 2000,
            "training.eval_every": 20,
        },
    ),
    "llama": _preset(
        "Llama-like",
        "A small version of Llama 3: decoder-only, pre-norm, RMSNorm, rotary positions, SwiGLU, grouped-query "
        "attention, no biases, an output layer of its own, AdamW with weight decay 0.1, cosine schedule. Differences: "
        "width 64 instead of 4,096 or more, 4 heads that share 2 key heads instead of 32 or more that share 8, 2 "
        "layers instead of 32 or more, characters instead of parts of words, embeddings times √D, other initial "
        "weights. On the generated sentences of the task Text it reaches a perplexity of 1.5.",
        150,
        _LATER
        | {
            "model.attention": "grouped_query",
            "model.n_kv_heads": 2,
            "model.d_ff": 176,  # 8/3 of the width, as in Llama, in a multiple of 16
        },
    ),
    "deepseek": _preset(
        "DeepSeek-like",
        "A small version of DeepSeek-V2: decoder-only, pre-norm, RMSNorm, SwiGLU, latent attention with a decoupled "
        "rotary part, a mixture of experts with a shared one and a balancing loss, no biases, an output layer of its "
        "own, AdamW with weight decay 0.1. Differences: width 64 instead of 5,120, 4 heads instead of 128, 2 layers "
        "instead of 60, a latent of 16 numbers instead of 512, 4 experts instead of 160 of which 2 instead of 6 read a "
        "token, a mixture in the first layer too, gates that add up to 1, no latent of queries, characters instead of "
        "parts of words, embeddings times √D, other initial weights. On the generated sentences of the task Text it "
        "reaches a perplexity of 1.5.",
        250,
        _LATER
        | {
            "model.attention": "latent",
            "model.d_latent": 16,
            "model.d_rope": 8,
            "model.feed_forward": "mixture",
            "model.n_experts": 4,
            "model.experts_per_token": 2,
            "model.n_shared_experts": 1,
            "model.d_ff": 64,
        },
    ),
}
DEFAULT_PRESET = "quick-reverse"


def preset_of(config: RunConfig) -> Preset | None:
    """The preset with these settings, apart from the seed."""
    for preset in PRESETS.values():
        if preset.config == config.updated({"seed": preset.config.seed}):
            return preset
    return None


@checked
def configure(
    preset: Annotated[str, Field(description="Give the name of a preset.")] = "quick-reverse",
    settings: Annotated[
        Mapping[str, Any], Field(description='Give a dict of settings by path, for example {"model.d_model": 32}.')
    ]
    | None = None,
) -> RunConfig:
    """The settings of a preset, with some replaced: {"model.d_model": 32, "seed": 1}.

    A text to learn ("task.text") is cleaned as inputs are; a warning says what that changed.

    Raises `playground.ConfigError`, a ValueError, for an unknown preset or setting and for an invalid value.
    """
    if preset not in PRESETS:
        raise ConfigError({"preset": f"There is no preset {preset!r}. Choose one of {', '.join(PRESETS)}."})
    if changed := changes(str((settings or {}).get("task.text", ""))):
        warn(changed)
    return PRESETS[preset].config.updated(dict(settings or {}))

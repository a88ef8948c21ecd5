"""Whole settings with a name: where a person starts."""

from dataclasses import dataclass

from playground.config import RunConfig


@dataclass(frozen=True)
class Preset:
    """A starting point and what to expect of it."""

    title: str
    sentence: str
    config: RunConfig
    usual_steps: int  # to solved; paces a run that a person wants to watch


def _preset(title: str, sentence: str, usual_steps: int, **changes: object) -> Preset:
    paths = {name.replace("__", "."): value for name, value in changes.items()}
    return Preset(title, sentence, RunConfig().updated(paths), usual_steps)


# A rate that falls makes the first solved model a steadier one: of 3,000 inputs it misses 4 where a constant rate
# misses 6, and no seed in eight takes 500 steps.
_QUICK = {"training__schedule": "cosine", "training__steps": 300}

PRESETS: dict[str, Preset] = {
    "quick-copy": _preset(
        "Quick copy",
        "Says back any input of 1 to 16 symbols.",
        100,
        task__name="copy",
        **_QUICK,
    ),
    "quick-reverse": _preset(
        "Quick reverse",
        "Says any input of 1 to 16 symbols backwards.",
        100,
        task__name="reverse",
        **_QUICK,
    ),
    "paper": _preset(
        "As in the paper",
        "Post-norm, sines for positions, ReLU and the noam schedule; knows inputs of 16 symbols, no other length.",
        270,
        task__min_length=16,
        model__norm_position="post",
        model__positions="sinusoidal",
        model__n_layers=2,
        model__d_ff=256,
        training__learning_rate=2e-3,
        training__schedule="noam",
        training__warmup_steps=100,
        training__label_smoothing=0.1,
        training__steps=2000,
        training__eval_every=10,
    ),
    "gpt": _preset(
        "As in GPT",
        "Decoder-only, pre-norm, GELU, learned positions; knows inputs of 16 symbols, no other length.",
        70,
        task__min_length=16,
        model__architecture="decoder-only",
        model__activation="gelu",
        model__positions="learned",
        model__n_layers=2,
        model__d_ff=256,
        training__learning_rate=3e-3,
        training__steps=2000,
        training__eval_every=10,
    ),
}
DEFAULT_PRESET = "quick-reverse"

"""Transformer Playground: configure, train, step through and save tiny transformers.

The Python API. A checkpoint is a folder, or a model on the Hugging Face Hub.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Importing this package is fast: what it offers is imported when it is first used.
if TYPE_CHECKING:
    from playground.common.errors import CheckpointError, HubError, PlaygroundError
    from playground.export import load_attention
    from playground.export.drawn_trace import trace
    from playground.export.figure import heads as plot_attention
    from playground.hub.library_use import load, save
    from playground.laboratory.changing import ablate, intervene, patch
    from playground.laboratory.developing import development, roles
    from playground.laboratory.evaluating import evaluate
    from playground.laboratory.fitting import data, fit
    from playground.laboratory.influencing import influence
    from playground.laboratory.model_inputs import text, tokens
    from playground.laboratory.pushing import push
    from playground.laboratory.reading import answer, record, run_with_cache
    from playground.laboratory.tracing_circuits import attribute, circuit
    from playground.lessons.check.checking import check
    from playground.lessons.examine.examining import examine
    from playground.model.task_model import TaskModel as new_model
    from playground.settings.config import ConfigError
    from playground.settings.presets import configure
    from playground.tasks import InputError
    from playground.training import train

__all__ = [
    "CheckpointError",
    "ConfigError",
    "HubError",
    "InputError",
    "PlaygroundError",
    "ablate",
    "answer",
    "attribute",
    "check",
    "circuit",
    "configure",
    "data",
    "development",
    "evaluate",
    "examine",
    "fit",
    "influence",
    "intervene",
    "load",
    "load_attention",
    "new_model",
    "patch",
    "plot_attention",
    "push",
    "record",
    "roles",
    "run_with_cache",
    "save",
    "text",
    "tokens",
    "trace",
    "train",
]


_HOMES = {
    **{f"{kind}Error": ("playground.common.errors", f"{kind}Error") for kind in ("Playground", "Checkpoint", "Hub")},
    "ConfigError": ("playground.settings.config", "ConfigError"),
    "InputError": ("playground.tasks", "InputError"),
    **{name: ("playground.laboratory.changing", name) for name in ("ablate", "intervene", "patch")},
    **{name: ("playground.laboratory.developing", name) for name in ("development", "roles")},
    **{name: ("playground.laboratory.fitting", name) for name in ("data", "fit")},
    "influence": ("playground.laboratory.influencing", "influence"),
    **{name: ("playground.laboratory.model_inputs", name) for name in ("text", "tokens")},
    **{name: ("playground.laboratory.reading", name) for name in ("answer", "record", "run_with_cache")},
    **{name: ("playground.laboratory.tracing_circuits", name) for name in ("attribute", "circuit")},
    "check": ("playground.lessons.check.checking", "check"),
    "configure": ("playground.settings.presets", "configure"),
    "evaluate": ("playground.laboratory.evaluating", "evaluate"),
    "examine": ("playground.lessons.examine.examining", "examine"),
    "load": ("playground.hub.library_use", "load"),
    "load_attention": ("playground.export", "load_attention"),
    "new_model": ("playground.model.task_model", "TaskModel"),
    "plot_attention": ("playground.export.figure", "heads"),
    "push": ("playground.laboratory.pushing", "push"),
    "save": ("playground.hub.library_use", "save"),
    "trace": ("playground.export.drawn_trace", "trace"),
    "train": ("playground.training", "train"),
}
"""Module and name of what is defined elsewhere."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, defined_as = _HOMES[name]
    globals()[name] = member = getattr(import_module(module), defined_as)
    return member


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Transformer Playground: configure, train, step through and save tiny transformers.

The Python API. A checkpoint is a folder, or a model on the Hugging Face Hub.
"""

import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, cast

# Importing this package is fast: what it offers is imported when it is first used.
if TYPE_CHECKING:
    from torch import Tensor

    from playground.common.errors import CheckpointError, HubError, PlaygroundError
    from playground.decoding import generate_text as answer
    from playground.explain.inspection import walk as record
    from playground.export import load_attention
    from playground.export.drawn_trace import trace
    from playground.export.figure import heads as plot_attention
    from playground.hub.library_use import load, save
    from playground.hub.push import Pushed
    from playground.interpret.ablation import Comparison
    from playground.lessons.check.checking import check
    from playground.lessons.examine.examining import examine
    from playground.model.task_model import TaskModel
    from playground.model.task_model import TaskModel as new_model
    from playground.settings.config import ConfigError, RunConfig
    from playground.storage.checkpoint import Checkpoint
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
    "check",
    "configure",
    "examine",
    "intervene",
    "load",
    "load_attention",
    "new_model",
    "patch",
    "plot_attention",
    "push",
    "record",
    "save",
    "trace",
    "train",
]


_HOMES = {
    **{f"{kind}Error": ("playground.common.errors", f"{kind}Error") for kind in ("Playground", "Checkpoint", "Hub")},
    "ConfigError": ("playground.settings.config", "ConfigError"),
    "InputError": ("playground.tasks", "InputError"),
    "answer": ("playground.decoding", "generate_text"),
    "check": ("playground.lessons.check.checking", "check"),
    "examine": ("playground.lessons.examine.examining", "examine"),
    "load": ("playground.hub.library_use", "load"),
    "load_attention": ("playground.export", "load_attention"),
    "new_model": ("playground.model.task_model", "TaskModel"),
    "plot_attention": ("playground.export.figure", "heads"),
    "record": ("playground.explain.inspection", "walk"),
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


def configure(preset: str = "quick-reverse", settings: Mapping[str, Any] | None = None) -> "RunConfig":
    """The settings of a preset, with some replaced: {"model.d_model": 32, "seed": 1}.

    A text to learn ("task.text") is cleaned as inputs are; a warning says what that changed.

    Raises `playground.ConfigError`, a ValueError, for an unknown preset or setting and for an invalid value.
    """
    from playground.settings.config import ConfigError
    from playground.settings.presets import PRESETS
    from playground.tasks.cleaning import changes

    if preset not in PRESETS:
        raise ConfigError({"preset": f"There is no preset {preset!r}. Choose one of {', '.join(PRESETS)}."})
    if changed := changes(str((settings or {}).get("task.text", ""))):
        warnings.warn(changed, stacklevel=2)
    return PRESETS[preset].config.updated(dict(settings or {}))


def intervene(
    model: "TaskModel", changes: "Mapping[str, Tensor | Callable[[Tensor], Tensor]]"
) -> "AbstractContextManager[TaskModel]":
    """A copy of `model` in which the named taps return another tensor, or a function of their tensor.

    Raises KeyError for an unknown tap name and ValueError for a tensor of another shape.
    """
    from playground import recording

    # Its weights are its own, too: whoever changes them in the copy leaves the model as it is.
    return cast("AbstractContextManager[TaskModel]", recording.intervene(copy.deepcopy(model), changes))


def ablate(
    model: "TaskModel | Checkpoint",
    off: Sequence[str] = (),
    *,
    with_: Literal["zero", "mean"] = "zero",
    each: Literal["head", "sublayer"] | None = None,
) -> dict[str, Any]:
    """Switch off parts of a model and test it on 1,000 held-out inputs, beside the intact model.

        playground.ablate(model, ["decoder.layers.0.cross_attention.head.0"])["changed"]["exact_match"]
        playground.ablate(model, each="head")["parts"][0]["off"]  # the most important head

    `off` names heads, which count from 0, sublayers ("encoder.layers.0.feed_forward") and whatever else
    `playground.interpret.interventions.parse` reads. `with_` replaces their output by 0 or by its mean over held-out
    inputs at each position.

    Returns `intact` and `changed` or, with `each`, `intact` and `parts`, most important first. Each has `exact_match`,
    `token_accuracy`, `loss` and `sequences`. Raises `playground.PlaygroundError` for an unknown part.
    """
    from playground.interpret import ablation
    from playground.storage.checkpoint import model_of

    return ablation.report(model_of(model), [off] if isinstance(off, str) else off, with_, each)


def patch(model: "TaskModel | Checkpoint", text: str, other: str, parts: Sequence[str]) -> "Comparison":
    """Answer `text` with the tensors of `parts` taken from the pass over `other`, an input of the same length.

        patched = playground.patch(model, "3 1 4 1 5", "2 7 1 8 2", ["encoder.layers.0.self_attention"])
        patched.intact.text, patched.changed.text

    `parts` are named as in `ablate`; an index restricts a patch to a position: "decoder.embeddings.sum[2]". The result
    has the answers `intact`, `changed` and `other`, each with its `text`, `tokens`, `probabilities` and `loss`.

    Raises `playground.InputError` for an invalid input and `playground.PlaygroundError` for an unknown
    part or an input of another length.
    """
    from playground.interpret import ablation
    from playground.interpret.interventions import parse_all
    from playground.storage.checkpoint import model_of

    own = model_of(model)
    names = [parts] if isinstance(parts, str) else parts
    return ablation.compare(own, text, parse_all(names, own.config, "patch"), other=other)


def push(
    folder_or_checkpoint: "str | PathLike[str] | Checkpoint",
    repo_id: str,
    *,
    commit_message: str | None = None,
    private: bool | None = None,
    branch: str | None = None,
    create_pr: bool = False,
    token: str | bool | None = None,
    formats: "Sequence[str]" = (),
) -> "Pushed":
    """Push a checkpoint with its model card to the Hub as "owner/name", in one commit on the current head.

    Creates the repository and the branch if missing. `private` applies to a new repository; True fails for an existing
    public one. `token` None is your own login. Returns the commit and its URL.

    `formats`, "transformers" and "transformer-lens", are pushed too, in folders of these names, so that
    `AutoModelForCausalLM.from_pretrained("owner/name", subfolder="transformers")` opens the model without this project.
    Raises `playground.PlaygroundError` if a format can't express the model or its packages are missing.

    Raises `playground.CheckpointError` for an invalid checkpoint and `playground.HubError` for a failed
    call. The error's `landed` says whether the commit is on the Hub: True, False, or None if unknown, because the Hub
    did not respond and later checks did not find it. Push again then: an existing commit is not made twice. `created`
    says the same of the repository.
    """
    from playground.hub import library_use

    beside = None
    if formats:
        from playground.export import folders

        beside = folders(_checkpoint_of(folder_or_checkpoint), formats)
    return library_use.push(
        folder_or_checkpoint,
        repo_id,
        commit_message=commit_message,
        private=private,
        branch=branch,
        create_pr=create_pr,
        token=token,
        beside=beside,
    )


def _checkpoint_of(given: "str | PathLike[str] | Checkpoint") -> "Checkpoint":
    from playground.common.paths import user_path
    from playground.storage.checkpoint import Checkpoint, load

    return given if isinstance(given, Checkpoint) else load(user_path(given))

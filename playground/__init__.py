"""Transformer Playground: configure, train, step through and keep tiny transformers.

These functions are for programs. A checkpoint is a folder, or a model on the Hugging Face Hub.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

# Whatever these need is imported when they are called, so that this package costs nothing to import.
if TYPE_CHECKING:
    from torch import Tensor

    from playground.config import RunConfig
    from playground.hub.push import Pushed
    from playground.inspection import Walk
    from playground.lessons.check import Verdict
    from playground.storage.checkpoint import Checkpoint
    from playground.task_model import TaskModel
    from playground.training import Progress

__all__ = ["answer", "check", "configure", "intervene", "load", "new_model", "push", "record", "save", "train"]


def configure(preset: str = "quick-reverse", settings: Mapping[str, Any] | None = None) -> "RunConfig":
    """The settings of a preset, some of them replaced: {"model.d_model": 32, "seed": 1}.

    Raises `playground.config.ConfigError`, a ValueError, for an unknown preset or setting and for a value that is not
    allowed.
    """
    from playground.config import ConfigError
    from playground.presets import PRESETS

    if preset not in PRESETS:
        raise ConfigError({"preset": f"There is no preset {preset!r}. Choose one of {', '.join(PRESETS)}."})
    return PRESETS[preset].config.updated(dict(settings or {}))


def new_model(config: "RunConfig") -> "TaskModel":
    """An untrained model; the same settings give the same weights."""
    from playground.task_model import TaskModel

    return TaskModel(config)


def train(config: "RunConfig", model: "TaskModel | None" = None) -> "Iterator[Progress]":
    """Trains `model` in place (default: a new one) and yields before the first step and after each.

    The same settings give the same numbers, times excepted, if torch runs on one thread. Raises
    `playground.training.TrainingError` when the loss is no longer finite.
    """
    from playground import training

    return training.train(config, model)


def answer(model: "TaskModel", text: str) -> str:
    """The greedy answer to an input as a person types it; raises `playground.tasks.InputError` for an invalid input."""
    from playground.decoding import generate_text

    return generate_text(model, text)


def record(model: "TaskModel", text: str, target: str | None = None) -> "Walk":
    """Every operation of one forward pass in evaluation mode: name, value, formula, shape and source.

    The decoder reads `target` or, without one, the model's own greedy answer. Raises `playground.tasks.InputError` for
    an invalid input or target.
    """
    from playground.inspection import walk

    return walk(model, text, target)


def intervene(
    model: "TaskModel", changes: "Mapping[str, Tensor | Callable[[Tensor], Tensor]]"
) -> "AbstractContextManager[TaskModel]":
    """A copy of `model` in which the named taps pass on another tensor, or a function of theirs.

    Raises KeyError for a name that is no tap of the model, and ValueError for a tensor of another shape.
    """
    from playground import recording

    return cast("AbstractContextManager[TaskModel]", recording.intervene(model, changes))


def check(thing: Any, part: str = "attention", mask: str | None = None) -> "Verdict":
    """Compares your own function, class or module with this project's, and with what known mistakes give.

    `part` is attention, multi-head-attention, positional-encoding, masks, layer-norm, feed-forward, encoder-layer,
    decoder-layer or transformer. `mask` says what True in a mask does to a key: "keep" or "hide". Without it the name
    of the argument or a docstring tells; where they are silent, both are tried. The path of a Python file is checked in
    a process of its own with limited time and memory, anything else in this one, on a copy.

    The result's `verdict` is right, wrong or error, `cause` the name of the mistake; as text it is the whole message.
    Raises `playground.errors.PlaygroundError` for an unknown part or mask.
    """
    from playground.lessons import check as checker

    return checker.check(thing, part, mask)


def load(
    dir_or_repo: str | PathLike[str],
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | PathLike[str] | None = None,
    force_download: bool = False,
    local_files_only: bool = False,
) -> "Checkpoint":
    """A checkpoint from a folder or, where there is no such folder, from the Hub ("owner/name").

    On the Hub the named branch, tag or commit is resolved to a commit, its files are checked before they are downloaded
    into the cache that all programs of the Hub share (or `cache_dir`), and then loaded strictly. `token` None stands
    for your own login, False for none. Without a network the cache serves, with a warning.

    Nothing of your program is changed by it: not the Hub library's client or settings, not the environment. Files from
    the cache pass the same checks as downloaded ones.

    Raises `playground.errors.CheckpointError` for what cannot be loaded and `HubError`, from there too, for calls that
    fail.
    """
    from playground.hub import library_use

    return library_use.load(
        dir_or_repo,
        revision=revision,
        token=token,
        cache_dir=cache_dir,
        force_download=force_download,
        local_files_only=local_files_only,
    )


def save(
    folder: str | PathLike[str],
    model: "TaskModel | Checkpoint",
    history: Sequence[Mapping[str, Any]] | None = None,
    *,
    overwrite: bool = False,
) -> None:
    """Writes a model, or a whole checkpoint again, as a folder: all of it or nothing.

    Without a `history` a checkpoint's own is taken, and a model has none.

    Raises `playground.errors.CheckpointError`.
    """
    from playground.hub import library_use

    library_use.save(folder, model, history, overwrite=overwrite)


def push(
    folder_or_checkpoint: "str | PathLike[str] | Checkpoint",
    repo_id: str,
    *,
    commit_message: str | None = None,
    private: bool | None = None,
    branch: str | None = None,
    create_pr: bool = False,
    token: str | bool | None = None,
) -> "Pushed":
    """Puts a checkpoint on the Hub as "owner/name", with its model card, in one commit on top of the present one.

    The repository and the branch are made where they are not there; `private` is of effect then, and True is refused
    for one that is there and public. `token` None stands for your own login. Returns the commit and where it is.

    Raises `playground.errors.CheckpointError` for what cannot be loaded and `HubError`, from there too, for calls that
    fail. Its `landed` says whether the commit is on the Hub: True, False, or None if that is unknown, because the Hub
    did not answer and the commit was not there when it was looked up again. Push once more then: a commit that has
    appeared is found and not made twice. Its `created` says the same of the repository.
    """
    from playground.hub import library_use

    return library_use.push(
        folder_or_checkpoint,
        repo_id,
        commit_message=commit_message,
        private=private,
        branch=branch,
        create_pr=create_pr,
        token=token,
    )

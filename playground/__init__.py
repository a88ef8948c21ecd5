"""Transformer Playground: configure, train, step through and save tiny transformers.

The Python API. A checkpoint is a folder, or a model on the Hugging Face Hub.
"""

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, cast

# Functions import what they need when called, so that importing this package is fast.
if TYPE_CHECKING:
    import altair
    from torch import Tensor

    from playground.config import RunConfig
    from playground.export import Attention
    from playground.hub.push import Pushed
    from playground.inspection import Walk
    from playground.interpret.ablation import Comparison
    from playground.lessons.check.verdict import Verdict
    from playground.storage.checkpoint import Checkpoint
    from playground.task_model import TaskModel
    from playground.training import Progress

__all__ = [
    "ablate",
    "answer",
    "check",
    "configure",
    "intervene",
    "load",
    "load_attention",
    "new_model",
    "patch",
    "plot_attention",
    "push",
    "record",
    "save",
    "train",
]


def configure(preset: str = "quick-reverse", settings: Mapping[str, Any] | None = None) -> "RunConfig":
    """The settings of a preset, with some replaced: {"model.d_model": 32, "seed": 1}.

    A text to learn ("task.text") is cleaned as inputs are; a warning says what that changed.

    Raises `playground.config.ConfigError`, a ValueError, for an unknown preset or setting and for an invalid value.
    """
    from playground.config import ConfigError
    from playground.presets import PRESETS
    from playground.tasks.cleaning import changes

    if preset not in PRESETS:
        raise ConfigError({"preset": f"There is no preset {preset!r}. Choose one of {', '.join(PRESETS)}."})
    if changed := changes(str((settings or {}).get("task.text", ""))):
        warnings.warn(changed, stacklevel=2)
    return PRESETS[preset].config.updated(dict(settings or {}))


def new_model(config: "RunConfig") -> "TaskModel":
    """An untrained model. The same settings give the same weights."""
    from playground.task_model import TaskModel

    return TaskModel(config)


def train(config: "RunConfig", model: "TaskModel | None" = None) -> "Iterator[Progress]":
    """Train `model` in place (default: a new one); yield before the first step and after each step.

    The same settings give the same numbers, except times, if torch uses one thread. Raises
    `playground.training.TrainingError` if the loss is not finite.
    """
    from playground import training

    return training.train(config, model)


def answer(model: "TaskModel", text: str) -> str:
    """The answer to an input text by greedy decoding; raises `playground.tasks.InputError` for an invalid input."""
    from playground.decoding import generate_text

    return generate_text(model, text)


def record(model: "TaskModel", text: str, target: str | None = None) -> "Walk":
    """Record every operation of one forward pass in evaluation mode: name, value, formula, shape and source.

    The decoder reads `target` or, without one, the model's own greedy answer. Raises `playground.tasks.InputError` for
    an invalid input or target.
    """
    from playground.inspection import walk

    return walk(model, text, target)


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
    `token_accuracy`, `loss` and `sequences`. Raises `playground.errors.PlaygroundError` for an unknown part.
    """
    from playground.interpret import ablation

    return ablation.report(_model_of(model), [off] if isinstance(off, str) else off, with_, each)


def patch(model: "TaskModel | Checkpoint", text: str, other: str, parts: Sequence[str]) -> "Comparison":
    """Answer `text` with the tensors of `parts` taken from the pass over `other`, an input of the same length.

        patched = playground.patch(model, "3 1 4 1 5", "2 7 1 8 2", ["encoder.layers.0.self_attention"])
        patched.intact.text, patched.changed.text

    `parts` are named as in `ablate`; an index restricts a patch to a position: "decoder.embeddings.sum[2]". The result
    has the answers `intact`, `changed` and `other`, each with its `text`, `tokens`, `probabilities` and `loss`.

    Raises `playground.tasks.InputError` for an invalid input and `playground.errors.PlaygroundError` for an unknown
    part or an input of another length.
    """
    from playground.interpret import ablation
    from playground.interpret.interventions import parse_all

    own = _model_of(model)
    names = [parts] if isinstance(parts, str) else parts
    return ablation.compare(own, text, parse_all(names, own.config, "patch"), other=other)


def check(thing: Any, part: str = "attention", mask: str | None = None) -> "Verdict":
    """Compares your own function, class or module with this project's, and with what known mistakes give.

    `part` is attention, multi-head-attention, positional-encoding, masks, layer-norm, feed-forward, encoder-layer,
    decoder-layer, transformer or loss. A forward pass does not show how a model is trained: whether the target is
    shifted and padding left out, a `loss` shows. `mask` says what True in a mask does to a key: "keep" or "hide".
    Without it the name of the argument or a docstring tells; where they are silent, both are tried. The path of a
    Python file or a notebook is run in a process of its own with limited time and memory, which is no sandbox: the code
    can do what you can. Anything else is checked in this process, on a copy.

    The result's `verdict` is right, wrong, unknown (not judged) or error, `cause` the name of the mistake; as text it
    is the whole message.
    Raises `playground.errors.PlaygroundError` for an unknown part or mask.
    """
    from playground.lessons.check import checking

    return checking.check(thing, part, mask)


def load(
    dir_or_repo: str | PathLike[str],
    *,
    revision: str | None = None,
    token: str | bool | None = None,
    cache_dir: str | PathLike[str] | None = None,
    force_download: bool = False,
    local_files_only: bool = False,
) -> "Checkpoint":
    """Load a checkpoint from a folder or, if there is no such folder, from the Hub ("owner/name").

    From the Hub: resolves the branch, tag or commit to a commit, checks its files before it downloads them into the
    shared Hub cache (or `cache_dir`), then loads them strictly. `token` None is your own login, False is none. Without
    a network it loads from the cache, with a warning.

    `huggingface_hub` makes the requests as you have configured it: proxies, time limits, Xet. Nothing of it is changed.
    Cached files pass the same checks as downloaded ones.

    Raises `playground.errors.CheckpointError` for an invalid checkpoint and `playground.errors.HubError` for a failed
    call.
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


def load_attention(path: str | PathLike[str]) -> "Attention":
    """Read a file of `python -m playground export DIR --format attention-json`.

        attention = playground.load_attention("attention.json")
        attention.attentions["decoder_cross"][0, 2]  # layer 1, head 3: one row a query, one column a key

    `tokens` has the names of the tokens, `queries` and `keys` those of a kind. Raises
    `playground.errors.PlaygroundError` for a file that is none.
    """
    from playground import export

    return export.load_attention(path)


def plot_attention(attention: "Attention") -> "altair.VConcatChart":
    """All heads as an Altair chart, one row a layer: `chart.save("heads.svg")` keeps it as a file."""
    from playground.export.figure import heads

    return heads(attention)


def save(
    folder: str | PathLike[str],
    model: "TaskModel | Checkpoint",
    history: Sequence[Mapping[str, Any]] | None = None,
    *,
    overwrite: bool = False,
) -> None:
    """Save a model or a checkpoint to a folder, all or nothing.

    `history` defaults to that of the checkpoint, or to the records of the last `train` of this model, so that the
    saved checkpoint has its training curves and its last evaluation.

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
    formats: "Sequence[str]" = (),
) -> "Pushed":
    """Push a checkpoint with its model card to the Hub as "owner/name", in one commit on the current head.

    Creates the repository and the branch if missing. `private` applies to a new repository; True fails for an existing
    public one. `token` None is your own login. Returns the commit and its URL.

    `formats`, "transformers" and "transformer-lens", are pushed too, in folders of these names, so that
    `AutoModelForCausalLM.from_pretrained("owner/name", subfolder="transformers")` opens the model without this project.
    Raises `playground.errors.PlaygroundError` if a format can't express the model or its packages are missing.

    Raises `playground.errors.CheckpointError` for an invalid checkpoint and `playground.errors.HubError` for a failed
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
    from playground.paths import user_path
    from playground.storage.checkpoint import Checkpoint, load

    return given if isinstance(given, Checkpoint) else load(user_path(given))


def _model_of(model: "TaskModel | Checkpoint") -> "TaskModel":
    from playground.storage.checkpoint import Checkpoint

    return model.model if isinstance(model, Checkpoint) else model

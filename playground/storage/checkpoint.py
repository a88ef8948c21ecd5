"""Checkpoints: a trained model as a folder.

config.json (settings, seed, results), model.safetensors (weights), history.jsonl (one record per line) and README.md
(a model card). An unfinished training has its state beside them (`training_state.py`). `validation` checks every file
before a model is built. Nothing is ever unpickled.
"""

import errno
import functools
import io
import json
import math
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from playground.common.errors import CheckpointError, reason
from playground.common.files import create, written_beside
from playground.common.paths import user_path
from playground.decoding import generate_text
from playground.model.task_model import TaskModel
from playground.settings.config import FORMAT_VERSION, Change, RunConfig, parameter_shapes
from playground.storage import validation
from playground.storage.card import model_card
from playground.storage.validation import CARD, CONFIG, HISTORY, STATE, WEIGHTS, Folder, Origin, Summary
from playground.training import with_interval
from playground.training.measure import GROUPED, numbers


@dataclass(frozen=True)
class Checkpoint:
    """A loaded checkpoint; the model is in evaluation mode."""

    config: RunConfig
    model: TaskModel
    folder: Path
    changes: tuple[Change, ...] = ()  # of the settings, during training
    begun_from: str = ""  # name of the checkpoint with its initial weights
    origin: Origin | None = None  # where on the Hub it was pulled from
    links_into: Path | None = field(default=None, repr=False)  # see `load`

    @property
    def history(self) -> list[dict[str, Any]]:
        """The training records, read from the folder at each access; raises `CheckpointError`."""
        return list(read_history(self.folder, links_into=self.links_into))

    def answer(self, text: str) -> str:
        """The model's answer to an input as a person types it; raises `InputError` for an invalid input."""
        return generate_text(self.model, text)


def model_of(given: "TaskModel | Checkpoint | str | os.PathLike[str]") -> TaskModel:
    """The model itself, that of a checkpoint, or that of a checkpoint folder; raises `CheckpointError`."""
    if isinstance(given, TaskModel):
        return given
    if not isinstance(given, Checkpoint | str | os.PathLike):
        raise CheckpointError(f"Give a model, a checkpoint or the path of its folder, not {type(given).__name__}.")
    return (given if isinstance(given, Checkpoint) else load(user_path(given))).model


def save(
    folder: Path,
    model: TaskModel,
    history: Sequence[Mapping[str, Any]],
    changes: Sequence[Change] = (),
    *,
    begun_from: str = "",
    origin: Origin | None = None,
    state: bytes = b"",
    overwrite: bool = False,
    durable: bool = True,
) -> None:
    """Write a checkpoint folder, all or nothing; raises `CheckpointError` as `pack` and `write` do.

    `state` is that of an unfinished training, see `storage/training_state.py`.
    """
    files = pack(model, history, changes, begun_from=begun_from, origin=origin) | ({STATE: state} if state else {})
    write(folder, files, overwrite=overwrite, durable=durable)


def pack(
    model: TaskModel,
    history: Sequence[Mapping[str, Any]],
    changes: Sequence[Change] = (),
    *,
    begun_from: str = "",
    origin: Origin | None = None,
) -> dict[str, bytes]:
    """The files of a checkpoint by name; raises `CheckpointError` if the weights are not finite.

    `changes` are the mid-run changes of the settings, in order; `begun_from` is the name of the checkpoint with the
    initial weights, if any; `origin` is its repository and commit on the Hub, if it was pulled.
    """
    for name, parameter in model.named_parameters():
        if not bool(torch.isfinite(parameter).all()):
            raise CheckpointError(f"The weights of {name} are not finite, so this model was not saved.")
    config = model.config
    keys = ("step", "validation_loss", "exact_match", "token_accuracy", "sequences")
    last: Mapping[str, Any] = next((record for record in reversed(history) if validation.is_result(record)), {})
    measured = {key: last[key] for key in keys if key in last and _is_finite(last[key])}
    header = {"format_version": FORMAT_VERSION, **config.model_dump(), "measured": measured}
    if begun_from:
        header["begun_from"] = begun_from
    if origin:
        header["origin"] = asdict(origin)
    if changes:
        header["changes"] = [change.model_dump() for change in changes]
    # named_parameters lists a shared table once; safetensors accepts no shared tensors.
    weights = {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}
    return {
        CONFIG: json.dumps(header, indent=2, ensure_ascii=False).encode() + b"\n",
        WEIGHTS: safetensors.torch.save(weights, metadata={"format": "pt"}),
        HISTORY: _packed(history, validation.max_history_bytes(config, changes)),
        CARD: model_card(config, measured, changes, begun_from=begun_from, origin=origin).encode(),
    }


def write(folder: Path, files: Mapping[str, bytes], *, overwrite: bool = False, durable: bool = True) -> None:
    """Write files as a folder, atomically; `durable` also syncs them to the disk.

    Raises `CheckpointError` if `folder` is in use or cannot be written; then nothing is changed.
    """
    check_free(folder, overwrite=overwrite)
    folder = folder.absolute()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(folder, functools.partial(_put_in_place, overwrite=overwrite, durable=durable)) as partial:
            partial.mkdir()
            for name, content in files.items():
                create(partial / name, content, durable=durable)
            if durable:
                _sync_folder(partial)
    except OSError as error:
        problem = f"The checkpoint could not be written to {folder}: {reason(error)}."
        raise CheckpointError(problem, kind="disk") from error


def check_free(folder: Path, *, overwrite: bool = False) -> None:
    """Raises `CheckpointError` unless `folder` is new, empty, or a checkpoint to overwrite."""
    try:
        above = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
        if not os.path.lexists(folder):
            if not above.is_dir():
                raise CheckpointError(f"{folder} cannot be created: {above} is not a folder.")
            return
        names = {path.name for path in folder.iterdir()} if folder.is_dir() and not folder.is_symlink() else None
    except OSError as error:
        raise CheckpointError(f"{folder} cannot be created: {reason(error)}.", kind="disk") from error
    if names == set():
        return
    if names is None or CONFIG not in names or names - {CONFIG, WEIGHTS, HISTORY, CARD, STATE}:
        raise CheckpointError(f"{folder} exists and is not a checkpoint.", "Choose another folder.", kind="taken")
    if not overwrite:
        advice = "Choose another name or allow overwriting."
        raise CheckpointError(f"{folder} already contains a checkpoint.", advice, kind="taken")


def load(folder: Path, *, links_into: Path | None = None) -> Checkpoint:
    """Load config and weights; raises `CheckpointError` for any invalid file.

    The files may be links into the folder `links_into`, as in the Hub's cache, and nowhere else.
    """
    with Folder(folder, links_into) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), folder / CONFIG)
        shapes = parameter_shapes(summary.config)
        with files.open(WEIGHTS, validation.max_weight_bytes(shapes)) as (file, size):
            _exhaust(validation.tensors(file, size, shapes, folder / WEIGHTS))  # what is refused takes little memory
            file.seek(0)
            weights = dict(validation.tensors(file, size, shapes, folder / WEIGHTS))  # may have changed in between
    model = TaskModel(summary.config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(weights[name]))
    details = summary.changes, summary.begun_from, summary.origin
    return Checkpoint(summary.config, model.eval(), folder, *details, links_into)


def check(folder: Path, *, links_into: Path | None = None, label: Path | None = None, history: bool = False) -> Summary:
    """Check what `load` checks and, if wanted, the `history`, without building the model.

    Raises `CheckpointError`, which names the folder by `label`, by default its path.
    """
    with Folder(folder, links_into, label) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), files.label / CONFIG)
        shapes = parameter_shapes(summary.config)
        with files.open(WEIGHTS, validation.max_weight_bytes(shapes)) as (file, size):
            _exhaust(validation.tensors(file, size, shapes, files.label / WEIGHTS))
        if history:
            _exhaust(_records(files, summary))
        return summary


def read_summary(folder: Path) -> Summary:
    """Read settings and results only; raises `CheckpointError`."""
    with Folder(folder) as files:
        return validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), folder / CONFIG)


def read_history(folder: Path, *, links_into: Path | None = None) -> Iterator[dict[str, Any]]:
    """The training records, one by one; none without a history. Raises `CheckpointError` at the first invalid line.

    Exact match has its 95 % interval, also in records of earlier versions.
    """
    with Folder(folder, links_into) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), folder / CONFIG)
        yield from map(with_interval, _records(files, summary))


def _records(files: Folder, summary: Summary) -> Iterator[dict[str, Any]]:
    run = summary.config, summary.changes
    if files.holds(HISTORY):
        with files.open(HISTORY, validation.max_history_bytes(*run)) as (file, _):
            lines = io.BufferedReader(file)  # a reference is kept: it closes the file when it is deleted
            yield from validation.records(lines, *run, files.label / HISTORY)


def check_files(files: Mapping[str, bytes], folder: Path) -> Summary:
    """Check files in memory as `check` does, and the history; error messages name `folder`.

    Raises `CheckpointError`.
    """
    for name in (CONFIG, WEIGHTS):
        if name not in files:
            raise CheckpointError(f"{folder} is not a checkpoint: {name} is missing.")
    summary = validation.parse_config(files[CONFIG], folder / CONFIG)
    weights = files[WEIGHTS]
    shapes = parameter_shapes(summary.config)
    _exhaust(validation.tensors(io.BytesIO(weights), len(weights), shapes, folder / WEIGHTS))
    run = summary.config, summary.changes
    history, most = files.get(HISTORY, b""), validation.max_history_bytes(*run)
    if len(history) > most:
        raise CheckpointError(f"{folder / HISTORY} is larger than the limit of {most:,} bytes.")
    _exhaust(validation.records(io.BytesIO(history), *run, folder / HISTORY))
    return summary


def _is_finite(value: object) -> bool:
    """True for values that go into a history. Others, such as a gradient that overflowed, are left out."""
    return isinstance(value, int | float) and math.isfinite(value)


def _packed(history: Sequence[Mapping[str, Any]], max_bytes: int) -> bytes:
    """The content of a history; beyond `max_bytes` fewer records have their grouped measures, evenly spaced."""
    single = [{name: value for name, value in record.items() if _is_finite(value)} for record in history]
    grouped = [
        {
            measure.name: record[measure.name]
            for measure in GROUPED
            if measure.name in record
            and all(n is None or _is_finite(n) for n in numbers(record[measure.name]).values())
        }
        for record in history
    ]
    tested = [index for index, values in enumerate(grouped) if values]
    every = 1
    while True:
        kept = {*tested[::every], *tested[-1:]}
        lines = [line | grouped[index] if index in kept else line for index, line in enumerate(single)]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        if len(content) <= max_bytes or every > len(tested):
            return content
        every *= 2


def _exhaust(checked: Iterator[object]) -> None:
    """Read to the end and keep nothing."""
    deque(checked, maxlen=0)


def _put_in_place(partial: Path, folder: Path, *, overwrite: bool, durable: bool) -> None:
    """Rename `partial` to `folder`; a previous folder is deleted only after that."""
    aside: list[Path] = []
    placed = False
    try:
        while True:
            if os.path.lexists(folder):
                check_free(folder, overwrite=overwrite)
                aside.append(_set_aside(folder))
            try:
                partial.rename(folder)
                placed = True
                break
            except OSError as error:
                # Another save has created the folder in the meantime: check it like any existing one.
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
        if durable:
            _sync_folder(folder.parent)
    except BaseException:
        if placed:
            folder.rename(partial)
        if aside and (aside[-1] / folder.name).is_dir():
            newest = aside.pop()  # must not be deleted below: it holds the only copy
            (newest / folder.name).rename(folder)
            newest.rmdir()
        raise
    finally:
        for old in aside:
            shutil.rmtree(old, ignore_errors=True)


def _set_aside(folder: Path) -> Path:
    """Move a folder into a new hidden one next to it, under its own name."""
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".old", dir=folder.parent))
    try:
        folder.rename(old / folder.name)
    except FileNotFoundError:
        pass  # another save has moved it
    except BaseException:
        old.rmdir()
        raise
    return old


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk, on systems that support it."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # not supported by the file system
                raise
        finally:
            os.close(descriptor)

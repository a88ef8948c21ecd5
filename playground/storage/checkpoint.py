"""A trained model as a folder.

config.json (settings, seed, what was measured), model.safetensors (weights), history.jsonl (a line a record) and
README.md (a model card). Reading trusts nothing: `validation` checks all of it before a model is built, and nothing is
ever unpickled.
"""

import contextlib
import errno
import io
import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from playground.config import FORMAT_VERSION, Change, RunConfig, max_steps, parameter_shapes
from playground.decoding import generate_text
from playground.errors import CheckpointError, one_line, reason
from playground.storage import validation
from playground.storage.card import model_card
from playground.storage.validation import CARD, CONFIG, HISTORY, WEIGHTS, Folder, Origin, Summary
from playground.task_model import TaskModel


@dataclass(frozen=True)
class Checkpoint:
    """A loaded checkpoint; the model is in evaluation mode."""

    config: RunConfig
    model: TaskModel
    folder: Path
    changes: tuple[Change, ...] = ()  # of the settings, while it was trained
    begun_from: str = ""  # name of the checkpoint with whose weights its training began
    origin: Origin | None = None  # where on the Hub it was pulled from
    links_into: Path | None = field(default=None, repr=False)  # see `load`

    @property
    def history(self) -> list[dict[str, float]]:
        """Read from the folder each time, since most who load a model never look; raises `CheckpointError`."""
        return list(read_history(self.folder, links_into=self.links_into))

    def answer(self, text: str) -> str:
        """What the model makes of an input as a person types it; raises `InputError` for what it cannot read."""
        return generate_text(self.model, text)


def save(
    folder: Path,
    model: TaskModel,
    history: Sequence[Mapping[str, Any]],
    changes: Sequence[Change] = (),
    *,
    begun_from: str = "",
    origin: Origin | None = None,
    overwrite: bool = False,
    durable: bool = True,
) -> None:
    """Writes a checkpoint folder, all of it or nothing; raises `CheckpointError` as `pack` and `write` do."""
    files = pack(model, history, changes, begun_from=begun_from, origin=origin)
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

    `changes` are those made to the settings of the model while it trained, in order; `begun_from` is the name of the
    checkpoint with whose weights its training began, if it did not begin anew; `origin` is where on the Hub it was.
    """
    for name, parameter in model.named_parameters():
        if not bool(torch.isfinite(parameter).all()):
            raise CheckpointError(f"The weights {name} are not finite, so this model is not saved.")
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
    # named_parameters lists a shared table once, which is all that safetensors accepts.
    weights = {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}
    lines = ({name: value for name, value in record.items() if _is_finite(value)} for record in history)
    return {
        CONFIG: json.dumps(header, indent=2).encode() + b"\n",
        WEIGHTS: safetensors.torch.save(weights, metadata={"format": "pt"}),
        HISTORY: "".join(json.dumps(line) + "\n" for line in lines).encode(),
        CARD: model_card(config, measured, changes, begun_from=begun_from, origin=origin).encode(),
    }


def write(folder: Path, files: Mapping[str, bytes], *, overwrite: bool = False, durable: bool = True) -> None:
    """Writes files as a folder: beside its place, then renamed. `durable` waits until the disk has them for good.

    Raises `CheckpointError` if the place is taken or the disk refuses; what was there before then stays as it was.
    """
    check_free(folder, overwrite=overwrite)
    folder = folder.absolute()
    partial = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".partial", dir=folder.parent))
        partial.chmod(0o755)
        for name, content in files.items():
            with (partial / name).open("wb") as file:
                file.write(content)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
        if durable:
            _sync_folder(partial)
        _put_in_place(partial, folder, overwrite=overwrite, durable=durable)
    except OSError as error:
        problem = f"The checkpoint could not be written to {folder}: {reason(error)}."
        raise CheckpointError(problem, kind="disk") from error
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)


def check_free(folder: Path, *, overwrite: bool = False) -> None:
    """Raises `CheckpointError` unless `save` may write here: a new or empty place, or a checkpoint to replace."""
    try:
        above = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
        if not os.path.lexists(folder):
            if not above.is_dir():
                raise CheckpointError(f"{folder} cannot be made: {above} is no folder.")
            return
        found = {path.name for path in folder.iterdir()} if folder.is_dir() and not folder.is_symlink() else None
    except OSError as error:
        raise CheckpointError(f"{folder} cannot be made: {reason(error)}.", kind="disk") from error
    if found == set():
        return
    if found is None or CONFIG not in found or found - {CONFIG, WEIGHTS, HISTORY, CARD}:
        raise CheckpointError(f"{folder} exists and is no checkpoint.", "Choose another place.", kind="taken")
    if not overwrite:
        advice = "Choose another name or allow overwriting."
        raise CheckpointError(f"{folder} already holds a checkpoint.", advice, kind="taken")


def load(folder: Path, *, links_into: Path | None = None) -> Checkpoint:
    """Reads config and weights; raises `CheckpointError` for anything that is not exactly right.

    The files may be links to others below `links_into`, as in a cache of the Hub's client, and to nothing else.
    """
    with Folder(folder, links_into) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), folder / CONFIG)
        shapes = parameter_shapes(summary.config)
        with _checked_weights(files, shapes) as (file, size):
            file.seek(0)
            # Checked again: the file may have changed in between.
            weights = parse_weights(file.read(size), shapes, folder / WEIGHTS)
    model = TaskModel(summary.config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    told = summary.changes, summary.begun_from, summary.origin
    return Checkpoint(summary.config, model.eval(), folder, *told, links_into)


def parse_weights(content: bytes, shapes: validation.Shapes, path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file that holds these float32 tensors, all finite; raises `CheckpointError`."""
    validation.check_weights(io.BytesIO(content), len(content), shapes, path)
    try:
        return safetensors.torch.load(content)
    except safetensors.SafetensorError as error:
        raise CheckpointError(f"{path} is damaged: {one_line(error)}.") from error


def check(folder: Path, *, links_into: Path | None = None, label: Path | None = None) -> Summary:
    """What `load` would check, without building the model; raises `CheckpointError`, which names the `label`."""
    with Folder(folder, links_into, label) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), files.label / CONFIG)
        with _checked_weights(files, parameter_shapes(summary.config)):
            return summary


def read_summary(folder: Path) -> Summary:
    """Settings and measured figures alone; raises `CheckpointError`."""
    with Folder(folder) as files:
        return validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), folder / CONFIG)


def read_history(
    folder: Path, *, links_into: Path | None = None, label: Path | None = None
) -> Iterator[dict[str, float]]:
    """The records of the training, one by one; raises `CheckpointError`, at the first wrong line at the latest.

    A checkpoint without a history has none. Error messages name the folder by `label`, by default its path.
    """
    with Folder(folder, links_into, label) as files:
        summary = validation.parse_config(files.read(CONFIG, validation.MAX_CONFIG_BYTES), files.label / CONFIG)
        steps = max_steps(summary.config, summary.changes)
        if files.holds(HISTORY):
            with files.open(HISTORY, validation.max_history_bytes(steps)) as (file, _):
                lines = io.BufferedReader(file)  # kept by name: it closes the file when it goes
                yield from validation.records(lines, steps, files.label / HISTORY)


def check_files(files: Mapping[str, bytes], folder: Path) -> Summary:
    """What `check` does, and the history too, for files that lie in no folder yet; sentences name that of `folder`.

    Raises `CheckpointError`.
    """
    for name in (CONFIG, WEIGHTS):
        if name not in files:
            raise CheckpointError(f"{folder} is no checkpoint: {name} is missing.")
    summary = validation.parse_config(files[CONFIG], folder / CONFIG)
    weights = files[WEIGHTS]
    validation.check_weights(io.BytesIO(weights), len(weights), parameter_shapes(summary.config), folder / WEIGHTS)
    steps = max_steps(summary.config, summary.changes)
    history = files.get(HISTORY, b"")
    if len(history) > validation.max_history_bytes(steps):
        raise CheckpointError(
            f"{folder / HISTORY} is larger than the {validation.max_history_bytes(steps):,} bytes it may have."
        )
    for _ in validation.records(io.BytesIO(history), steps, folder / HISTORY):
        pass
    return summary


def _is_finite(value: object) -> bool:
    """Whether a history takes it: a record may hold more, and a gradient may overflow where the loss does not."""
    return isinstance(value, int | float) and math.isfinite(value)


@contextlib.contextmanager
def _checked_weights(files: Folder, shapes: validation.Shapes) -> Iterator[tuple[io.FileIO, int]]:
    """The open file of the weights and its size; wrong weights cost no more memory than a megabyte."""
    with files.open(WEIGHTS, validation.max_weight_bytes(shapes)) as (file, size):
        validation.check_weights(file, size, shapes, files.label / WEIGHTS)
        yield file, size


def _put_in_place(partial: Path, folder: Path, *, overwrite: bool, durable: bool) -> None:
    """Renames `partial` to `folder`; what was there before is only deleted once the new one stands."""
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
                # Another save took the place between these lines: it is looked at again, as if it had been there.
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
        if durable:
            _sync_folder(folder.parent)
    except BaseException:
        if placed:
            folder.rename(partial)
        if aside and (aside[-1] / folder.name).is_dir():
            newest = aside.pop()  # not to be deleted below: should the next line fail, it holds the only copy
            (newest / folder.name).rename(folder)
            newest.rmdir()
        raise
    finally:
        for old in aside:
            shutil.rmtree(old, ignore_errors=True)


def _set_aside(folder: Path) -> Path:
    """Moves a folder into a new hidden one beside it, under its own name."""
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
    """Makes names in a folder outlast a power cut, on systems where a folder can be opened for that."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system that knows no such thing
                raise
        finally:
            os.close(descriptor)

"""A trained model as a folder, and a library of such folders.

config.json (settings, seed, what was measured), model.safetensors (weights), history.jsonl (a line a record) and
README.md (a model card). Reading trusts nothing: settings pass the same checks as a form, the header of the weights
is compared with what the settings would build before any weight is read, and nothing is ever unpickled.
"""

import contextlib
import io
import json
import math
import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from playground.config import FORMAT_VERSION, ConfigError, RunConfig
from playground.model import Transformer
from playground.recording import REPOSITORY

CONFIG, WEIGHTS, HISTORY, CARD = "config.json", "model.safetensors", "history.jsonl", "README.md"
SHIPPED = ("copy-1-16", "reverse-1-16")
_MAX_CONFIG_BYTES = 64_000
_MAX_HEADER_BYTES = 1_000_000
_MAX_HISTORY_BYTES = 64_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class CheckpointError(ValueError):
    """A checkpoint that cannot be read, written or named so; the message is one sentence."""


@dataclass(frozen=True)
class Summary:
    """What a checkpoint says of itself before its weights are read."""

    config: RunConfig
    measured: dict[str, Any]  # the last evaluated record of its history, {} if never evaluated


@dataclass(frozen=True)
class Checkpoint:
    """A loaded checkpoint; the model is in evaluation mode."""

    config: RunConfig
    model: Transformer
    history: list[dict[str, Any]]


def save(folder: Path, model: Transformer, history: Sequence[dict[str, Any]], *, overwrite: bool = False) -> None:
    """Writes a checkpoint folder, all of it or nothing: it is written beside its place and renamed.

    Raises `CheckpointError` if the weights are not finite, the place is taken or the disk refuses.
    """
    for name, parameter in model.named_parameters():
        if not bool(torch.isfinite(parameter).all()):
            raise CheckpointError(f"The weights {name} are not finite, so this model is not saved.")
    check_free(folder, overwrite=overwrite)
    folder = folder.absolute()
    partial = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".partial", dir=folder.parent))
        partial.chmod(0o755)
        for name, content in _files(model, history).items():
            with (partial / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        _put_in_place(partial, folder)
    except OSError as error:
        raise CheckpointError(f"The checkpoint could not be written to {folder}: {error.strerror or error}.") from error
    finally:
        if partial is not None:
            shutil.rmtree(partial, ignore_errors=True)


def check_free(folder: Path, *, overwrite: bool = False) -> None:
    """Raises `CheckpointError` unless `save` may write here: a new or empty place, or a checkpoint to replace."""
    try:
        above = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
        if not folder.exists():
            if not above.is_dir():
                raise CheckpointError(f"{folder} cannot be made: {above} is no folder.")
            return
        found = {path.name for path in folder.iterdir()} if folder.is_dir() else None
    except OSError as error:
        raise CheckpointError(f"{folder} cannot be made: {error.strerror}.") from error
    if found == set():
        return
    if found is None or CONFIG not in found or found - {CONFIG, WEIGHTS, HISTORY, CARD}:
        raise CheckpointError(f"{folder} exists and is no checkpoint; choose another place.")
    if not overwrite:
        raise CheckpointError(f"{folder} already holds a checkpoint; choose another name or allow overwriting.")


def load(folder: Path) -> Checkpoint:
    """Reads a checkpoint folder; raises `CheckpointError` with one sentence for anything that is not exactly right."""
    summary = read_summary(folder)
    model = Transformer(summary.config)
    parameters = dict(model.named_parameters())
    content = _checked_weights(folder / WEIGHTS, {name: tuple(p.shape) for name, p in parameters.items()})
    try:
        tensors = safetensors.torch.load(content)
    except Exception as error:  # the parser's own exceptions are many and of no common base
        raise CheckpointError(f"{folder / WEIGHTS} is damaged: {_one_line(error)}.") from error
    with torch.no_grad():
        for name, parameter in parameters.items():
            tensor = tensors.get(name)
            if tensor is None or tensor.shape != parameter.shape or tensor.dtype != parameter.dtype:
                raise CheckpointError(
                    f"{folder / WEIGHTS} is damaged: its header does not tell the truth about {name}."
                )
            if not bool(torch.isfinite(tensor).all()):
                raise CheckpointError(f"{folder / WEIGHTS} holds weights that are not finite in {name}.")
            parameter.copy_(tensor)
    return Checkpoint(summary.config, model.eval(), list(_read_history(folder / HISTORY)))


def read_summary(folder: Path) -> Summary:
    """Settings and measured figures alone; raises `CheckpointError`."""
    data = _json_object(_read(folder / CONFIG, _MAX_CONFIG_BYTES), folder / CONFIG)
    version = data.pop("format_version", None)
    if type(version) is not int or version != FORMAT_VERSION:
        found = f"format {version}" if type(version) is int else "no format_version that is a whole number"
        raise CheckpointError(f"{folder / CONFIG} has {found}; this version reads format {FORMAT_VERSION} only.")
    measured = data.pop("measured", {})
    if not isinstance(measured, dict) or not all(map(_is_number, measured.values())):
        raise CheckpointError(f"{folder / CONFIG}: measured must map names to numbers.")
    missing = [name for name in RunConfig.model_fields if name not in data]
    if missing:
        raise CheckpointError(f"{folder / CONFIG} lacks {', '.join(missing)}.")
    try:
        return Summary(RunConfig.parse(data), measured)
    except ConfigError as error:
        raise CheckpointError(f"{folder / CONFIG}: {error}") from error


def as_zip(folder: Path) -> bytes:
    """The files of a checkpoint in one archive, in a folder of its name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (CONFIG, WEIGHTS, HISTORY, CARD):
            if (folder / name).is_file():
                archive.write(folder / name, f"{folder.name}/{name}")
    return buffer.getvalue()


@dataclass(frozen=True)
class Entry:
    """One folder of a library: its summary, or why it cannot be used."""

    name: str
    bytes: int
    modified: float  # seconds since the epoch
    summary: Summary | None
    problem: str = ""


class Library:
    """The checkpoints in one folder, by name."""

    def __init__(self, root: Path | None = None) -> None:
        """`root` defaults to PLAYGROUND_CHECKPOINTS or, without it, the `checkpoints` folder of the app."""
        self.root = root or Path(os.environ.get("PLAYGROUND_CHECKPOINTS") or REPOSITORY / "checkpoints")

    def path(self, name: str) -> Path:
        """Where the checkpoint `name` lies; raises `CheckpointError` for a name that could lead elsewhere."""
        if not _NAME.fullmatch(name):
            raise CheckpointError(
                f"“{_one_line(name)[:40]}” is no name for a checkpoint; use up to 64 letters, digits, dots, dashes and "
                "underscores, starting with a letter or a digit."
            )
        return (_shipped_root() if name in SHIPPED else self.root) / name

    def entries(self) -> list[Entry]:
        """Every checkpoint, newest first, the shipped ones last; unusable folders with the reason."""
        own = [path for path in self._folders() if path.name not in SHIPPED]
        own.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        shipped = [_shipped_root() / name for name in SHIPPED]
        return [_entry(path) for path in own + [path for path in shipped if path.is_dir()]]

    def save(
        self, name: str, model: Transformer, history: Sequence[dict[str, Any]], *, overwrite: bool = False
    ) -> None:
        """Raises `CheckpointError`."""
        self._refuse_shipped(name)
        save(self.path(name), model, history, overwrite=overwrite)

    def load(self, name: str) -> Checkpoint:
        """Raises `CheckpointError`."""
        return load(self.path(name))

    def delete(self, name: str) -> None:
        """Removes a checkpoint; raises `CheckpointError` if there is none or it ships with the app."""
        self._refuse_shipped(name)
        folder = self.path(name)
        if not folder.is_dir() or folder.is_symlink():
            raise CheckpointError(f"There is no checkpoint named {name}.")
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise CheckpointError(f"{name} could not be deleted: {error.strerror or error}.") from error

    def _folders(self) -> Iterator[Path]:
        if self.root.is_dir():
            yield from (path for path in self.root.iterdir() if path.is_dir() and _NAME.fullmatch(path.name))

    @staticmethod
    def _refuse_shipped(name: str) -> None:
        if name in SHIPPED:
            raise CheckpointError(f"{name} ships with the app and stays as it is; choose another name.")


def _shipped_root() -> Path:
    return REPOSITORY / "checkpoints"


def _entry(folder: Path) -> Entry:
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    try:
        return Entry(folder.name, size, folder.stat().st_mtime, read_summary(folder))
    except CheckpointError as error:
        return Entry(folder.name, size, folder.stat().st_mtime, None, str(error))


def _put_in_place(partial: Path, folder: Path) -> None:
    """Renames `partial` to `folder`; what was there before is only deleted once the new one stands."""
    if not folder.exists():
        partial.rename(folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name[:40]}.", suffix=".old", dir=folder.parent))
    try:
        folder.rename(old / "checkpoint")
        try:
            partial.rename(folder)
        except BaseException:
            (old / "checkpoint").rename(folder)
            raise
    except BaseException:
        with contextlib.suppress(OSError):
            old.rmdir()  # only if it is empty: else it holds the one copy left
        raise
    shutil.rmtree(old, ignore_errors=True)


def _files(model: Transformer, history: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    config = model.config
    keys = ("step", "validation_loss", "exact_match", "token_accuracy", "sequences")
    last: dict[str, Any] = next((record for record in reversed(history) if all(key in record for key in keys)), {})
    measured = {key: last[key] for key in keys if key in last}
    header = {"format_version": FORMAT_VERSION, **config.model_dump(), "measured": measured}
    # named_parameters lists a shared table once, which is all that safetensors accepts.
    weights = {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}
    return {
        CONFIG: json.dumps(header, indent=2).encode() + b"\n",
        WEIGHTS: safetensors.torch.save(weights, metadata={"format": "pt"}),
        HISTORY: "".join(json.dumps(record) + "\n" for record in history).encode(),
        CARD: model_card(config, measured).encode(),
    }


def model_card(config: RunConfig, measured: dict[str, Any]) -> str:
    """The README.md of a checkpoint: front matter for the Hub, then what a person wants to know."""
    m, t = config.model, config.task
    lengths = f"{t.min_length}" if t.min_length == t.max_length else f"{t.min_length} to {t.max_length}"
    result = "It has not been tested."
    if measured:
        result = (
            f"After {measured['step']} steps it answered {measured['exact_match']:.1%} of {measured['sequences']} "
            "held-out inputs entirely right, reading its own tokens."
        )
    rows = "\n".join(f"| {name} | {value} |" for name, value in (m.model_dump() | config.training.model_dump()).items())
    return f"""---
library_name: transformer-playground
license: mit
tags:
- transformer-playground
- transformer
- {t.name}
---

# A tiny {m.architecture} transformer that has learned to {t.name}

It reads {lengths} symbols out of {t.vocab_size}. {result}

Trained with Transformer Playground, seed {config.seed}; `config.json` holds every setting, `history.jsonl` the
course of the training.

| setting | value |
|---|---|
{rows}

It knows inputs of the lengths and symbols above and nothing else; it is made for learning how a transformer works.
"""


def _checked_weights(path: Path, expected: dict[str, tuple[int, ...]]) -> bytes:
    """The file's bytes, once its header names exactly the expected tensors."""
    most = 8 + _MAX_HEADER_BYTES + 4 * sum(math.prod(shape) for shape in expected.values())
    content = _read(path, most)
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > min(_MAX_HEADER_BYTES, len(content) - 8):
        raise CheckpointError(f"{path} is damaged or no safetensors file: its header does not fit into it.")
    header = _json_object(content[8 : 8 + length], path)
    header.pop("__metadata__", None)
    missing, extra = expected.keys() - header.keys(), header.keys() - expected.keys()
    if missing or extra:
        found = [f"lacks {_some(missing)}"] * bool(missing) + [f"has {_some(extra)} too many"] * bool(extra)
        raise CheckpointError(f"{path} does not belong to its config.json: it {' and '.join(found)}.")
    for name, shape in expected.items():
        entry = header[name]
        dtype, stored = (entry.get("dtype"), entry.get("shape")) if isinstance(entry, dict) else (None, None)
        if dtype != "F32" or stored != list(shape):
            raise CheckpointError(
                f"{path} does not belong to its config.json: {name} is {_one_line(dtype)} {_one_line(stored)} "
                f"instead of F32 {list(shape)}."
            )
    return content


def _read_history(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        return
    for number, line in enumerate(_read(path, _MAX_HISTORY_BYTES).splitlines(), start=1):
        record = _json_object(line, path, where=f" in line {number}")
        if type(record.get("step")) is not int:
            raise CheckpointError(f"{path} has a record without a step in line {number}.")
        if not all(map(_is_number, record.values())):
            raise CheckpointError(f"{path} has something else than a finite number in line {number}.")
        yield record


def _read(path: Path, most: int) -> bytes:
    """A regular file of at most `most` bytes."""
    try:
        if not path.parent.is_dir():
            raise CheckpointError(f"There is no checkpoint at {path.parent}.")
        if not path.is_file():
            raise CheckpointError(f"{path.parent} is no checkpoint: {path.name} is missing.")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise CheckpointError(f"{path} could not be read: {error.strerror or error}.") from error
    if len(content) > most:
        raise CheckpointError(f"{path} is larger than the {most:,} bytes it may have.")
    return content


def _json_object(content: bytes, path: Path, where: str = "") -> dict[str, Any]:
    try:
        data = json.loads(content, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged{where}: {_one_line(error)}.") from error
    if not isinstance(data, dict):
        raise CheckpointError(f"{path} is damaged{where}: it holds no JSON object.")
    return data


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(name for n, (name, _) in enumerate(pairs) if name in dict(pairs[:n]))
        raise ValueError(f"{twice} is given twice")
    return data


def _is_number(value: object) -> bool:
    """Finite, and no truth value; whole numbers too large for a float are none either."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= sys.float_info.max


def _some(names: Iterable[str]) -> str:
    listed = sorted(map(_one_line, names))
    return ", ".join(listed[:3]) + (f" and {len(listed) - 3} more" if len(listed) > 3 else "")


def _one_line(value: object) -> str:
    return " ".join(str(value).split())[:160]

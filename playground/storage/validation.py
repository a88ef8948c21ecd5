"""Validation of checkpoint files, which may come from anyone.

`parse_config`, `tensors` and `records` check the bytes of one file each, in bounded time and memory, before
anything is built from them. `Folder` opens regular files only: no links, pipes or devices.
"""

import errno
import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json
from safetensors import SafetensorError, safe_open

from playground.common.errors import CheckpointError, one_line, reason
from playground.common.files import IrregularError, open_regular
from playground.common.paths import decoded
from playground.settings.config import (
    FORMAT_VERSION,
    Change,
    ConfigError,
    RunConfig,
    max_steps,
    parameter_shapes,
    parse_changes,
    sections,
)
from playground.tasks.cleaning import cleaned
from playground.tasks.text import MAX_CHARACTERS
from playground.training.measure import GROUPED, MEASURES, NUMBER_BYTES, groups_of

CONFIG, WEIGHTS, HISTORY, CARD = "config.json", "model.safetensors", "history.jsonl", "README.md"
STATE = "training_state.safetensors"
"""Only in the folder of an unfinished training, see `storage/training_state.py`; it isn't packed, pushed or pulled."""

MAX_SETTINGS_BYTES = 64_000  # of a config.json without the text to learn
MAX_CONFIG_BYTES = MAX_SETTINGS_BYTES + 4 * MAX_CHARACTERS
MAX_SETTINGS = 200  # names in a config.json; about 35 are settings
MAX_HEADER_BYTES = 1_000_000
MAX_HISTORY_BYTES = 48_000_000
MAX_MEASURES = len(MEASURES) + 8  # names in a record: also those of other versions
_LINE_BYTES = 600  # of a record with all single numbers, in which 530 are used

MEASURE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
"""Name of a measure: a column in tables, also of spreadsheets, which compute what begins with = + - @."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""The name of a checkpoint in a library."""

REPO_ID = re.compile(r"(?!.*(--|\.\.|\.git$))[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9_][A-Za-z0-9._-]{0,95}(?<![.-])")
"""The name of a repository on the Hub, its owner included."""

COMMIT = re.compile(r"[0-9a-f]{40}")

NOT_SETTINGS = frozenset({"format_version", "measured", "origin", "begun_from"})
"""Keys of a config.json besides the settings and their changes."""

_NUMBERS = frozenset((int, float))  # not bool
_MAX_COUNTED = 10**9
_LARGEST = sys.float_info.max
_HAS_FOLDER_DESCRIPTORS = os.open in os.supports_dir_fd
_TENSOR_BYTES = 128  # limit in a header for one tensor besides its name
_METADATA_BYTES = 4096

Shapes = Mapping[str, tuple[int, ...]]
File = io.RawIOBase | io.BufferedIOBase


@dataclass(frozen=True)
class Origin:
    """The repository and commit a checkpoint was pulled from."""

    repo_id: str
    revision: str  # the commit, 40 hexadecimal digits

    @property
    def short(self) -> str:
        """The abbreviated commit."""
        return self.revision[:7]


@dataclass(frozen=True)
class Summary:
    """The content of a checkpoint's config.json."""

    config: RunConfig
    measured: dict[str, Any]  # results of its last evaluation, {} if never evaluated
    changes: tuple[Change, ...] = ()  # mid-run changes of the settings
    origin: Origin | None = None
    begun_from: str = ""  # name of the checkpoint with its initial weights, if any


# --- files ----------------------------------------------------------------------------------------


class Folder:
    """An open checkpoint folder: all files come from this one, even if its name changes meanwhile."""

    def __init__(self, path: Path, links_into: Path | None = None, label: Path | None = None) -> None:
        """Raises `CheckpointError` if there is no folder at `path`.

        Its files must be regular files or, with `links_into`, links to regular files below that folder.
        Error messages name the folder by `label`, by default its path.
        """
        self.path, self.label = path, label or path
        self._links_into = None if links_into is None else os.path.realpath(links_into)
        self._descriptor: int | None = None
        try:
            if _HAS_FOLDER_DESCRIPTORS:
                self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            elif not path.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a name with a zero byte
            raise CheckpointError(f"There is no checkpoint at {self.label}.", kind="missing") from None
        except OSError as error:
            raise unreadable(self.label, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    @contextmanager
    def open(self, name: str, max_bytes: int) -> Iterator[tuple[io.FileIO, int]]:
        """Open one of its files unbuffered; yield the file and its size, at most `max_bytes`.

        Raises `CheckpointError` unless it is a regular file, and if reading fails or the file changes meanwhile.
        """
        path = self.label / name
        try:
            with open_regular(self._at(name), folder=self._descriptor) as file:
                before = os.fstat(file.fileno())
                if before.st_size > max_bytes:
                    raise CheckpointError(f"{path} is larger than the limit of {max_bytes:,} bytes.")
                yield file, before.st_size
                after = os.fstat(file.fileno())
                if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
                    raise CheckpointError(f"{path} changed while it was being read.")
        except FileNotFoundError:
            raise CheckpointError(f"{self.label} is not a checkpoint: {name} is missing.") from None
        except IrregularError:
            raise CheckpointError(f"{path} is not a regular file. A checkpoint contains regular files only.") from None
        except OSError as error:
            raise unreadable(path, error) from error

    def read(self, name: str, max_bytes: int) -> bytes:
        """The content of a file; raises `CheckpointError`."""
        with self.open(name, max_bytes) as (file, size):
            content = bytearray(size)
            read_exactly(file, content, self.label / name)
            return bytes(content)

    def contents(self, origin: Origin | None = None) -> tuple[Summary, dict[str, bytes]]:
        """Settings and results, and the files without the card; their config has `origin` in place of its own.

        Raises `CheckpointError`. Weights and history are checked for their size alone.
        """
        content = self.read(CONFIG, MAX_CONFIG_BYTES)
        summary, header = parse_config(content, self.label / CONFIG), json.loads(content)
        header.pop("origin", None)
        header |= {"origin": asdict(origin)} if origin else {}
        limits = {WEIGHTS: max_weight_bytes(parameter_shapes(summary.config)), HISTORY: MAX_HISTORY_BYTES}
        read = {name: self.read(name, most) for name, most in limits.items() if name == WEIGHTS or self.holds(name)}
        config = {CONFIG: json.dumps(header, indent=2).encode() + b"\n"}
        return summary, config | {name: part for name, part in read.items() if part}

    def holds(self, name: str) -> bool:
        """True if anything has this name; raises `CheckpointError` if that cannot be determined."""
        try:
            os.stat(self._at(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise unreadable(self.label / name, error) from error
        return True

    def _at(self, name: str) -> str | Path:
        if self._links_into is not None:
            target = Path(os.path.realpath(self.path / name))
            if target.is_relative_to(self._links_into):
                return target  # absolute, so valid from any folder
        return name if self._descriptor is not None else self.path / name


def unreadable(path: Path, error: OSError) -> CheckpointError:
    """The error for a `path` the operating system could not read."""
    return CheckpointError(f"{path} could not be read: {reason(error)}.", kind="disk")


def read_exactly(file: File, buffer: bytearray | memoryview, path: Path) -> None:
    """Fill `buffer` from `file`; raises `CheckpointError` if the file is too short."""
    rest = memoryview(buffer)
    while rest:
        count = file.readinto(rest)
        if not count:
            raise CheckpointError(f"{path} is damaged: it ends too early.")
        rest = rest[count:]


# --- config.json ----------------------------------------------------------------------------------


def parse_config(content: bytes, path: Path) -> Summary:
    """Parse a config.json: settings, their changes and results; raises `CheckpointError`."""
    _check_size(content, path)
    data = _parse_json(content, path)
    if not isinstance(data, dict):
        raise CheckpointError(f"{path} is damaged: it is not a JSON object.")
    version = data.pop("format_version", None)
    if type(version) is not int or version != FORMAT_VERSION:
        stated = f"format {one_line(version, 40)}" if type(version) is int else "no integer format_version"
        raise CheckpointError(f"{path} has {stated}. This version reads format {FORMAT_VERSION} only.")
    measured = data.pop("measured", {})
    if not isinstance(measured, dict) or not all(map(_is_number, measured.values())):
        raise CheckpointError(f"{path}: measured must map names to numbers.")
    changes = data.pop("changes", [])
    origin = _parse_origin(data.pop("origin"), path) if "origin" in data else None
    begun_from = data.pop("begun_from", None)
    if begun_from is not None and not (isinstance(begun_from, str) and NAME.fullmatch(begun_from)):
        raise CheckpointError(f"{path}: begun_from must be the name of a checkpoint.")
    groups = [measured, data, *(data.get(group) for group in sections())]
    names = sum(len(group) for group in groups if isinstance(group, dict))
    if names > MAX_SETTINGS:
        raise CheckpointError(f"{path} has {names:,} names. The limit is {MAX_SETTINGS}.")
    if measured and not is_result(measured):
        raise CheckpointError(
            f"{path}: measured must be empty or have step and sequences, which are counts, "
            "and exact_match and token_accuracy, from 0 to 1."
        )
    missing = [name for name in RunConfig.model_fields if name not in data]
    if missing:
        raise CheckpointError(f"{path} has no {', '.join(missing)}.")
    try:
        config = RunConfig.parse(data)
        return Summary(config, measured, parse_changes(changes, config), origin, begun_from or "")
    except ConfigError as error:
        problems = list(error.problems.values())
        more = f" These are 2 of {len(problems)} problems." if len(problems) > 2 else ""
        raise CheckpointError(f"{path}: {' '.join(problems[:2])}{more}") from error


def parse_settings(
    content: bytes, what: str, on_text: Callable[[str], object] | None = None
) -> tuple[RunConfig, tuple[Change, ...]]:
    """Settings as JSON, alone or with the rest of a config.json, and their mid-run changes.

    What is missing has its default. A text to learn is cleaned; `on_text` gets it as it was. Raises `ConfigError`,
    whose sentences begin with `what` for a text that is no object of settings.
    """
    try:
        content = decoded(content).encode()
        _check_size(content, what)
        data = from_json(content)
        _unique_json(content, Path(what))
    except CheckpointError as error:
        raise ConfigError({"": str(error)}) from None
    except (ValueError, RecursionError) as error:
        raise ConfigError({"": f"{what} is not JSON: {one_line(error)}."}) from None
    if not isinstance(data, dict):
        raise ConfigError({"": f"{what} must be an object with the settings by name."})
    changes, task = data.pop("changes", []), data.get("task")
    if isinstance(task, dict) and isinstance(text := task.get("text"), str):
        task["text"] = cleaned(text)
        if on_text:
            on_text(text)
    config = RunConfig.parse({name: value for name, value in data.items() if name not in NOT_SETTINGS})
    return config, parse_changes(changes, config)


def is_result(record: Mapping[str, Any]) -> bool:
    """True if a record has valid results: step, sequences, exact_match and token_accuracy."""
    counts = [record.get(name) for name in ("step", "sequences")]
    fractions: list[Any] = [record.get(name) for name in ("exact_match", "token_accuracy")]
    return all(type(count) is int and 0 <= count <= _MAX_COUNTED for count in counts) and all(
        type(fraction) in _NUMBERS and 0 <= fraction <= 1 for fraction in fractions
    )


def _parse_origin(data: object, path: Path) -> Origin:
    if isinstance(data, dict) and data.keys() == {"repo_id", "revision"}:
        repo_id, revision = data["repo_id"], data["revision"]
        texts = isinstance(repo_id, str) and isinstance(revision, str)
        if texts and REPO_ID.fullmatch(repo_id) and COMMIT.fullmatch(revision):
            return Origin(repo_id, revision)
    raise CheckpointError(f"{path}: origin must have only a repo_id and a revision of 40 hexadecimal digits.")


def _parse_json(content: bytes | bytearray, path: Path) -> Any:
    try:
        data = from_json(content)  # stricter than json: UTF-8 only, at most 200 levels deep
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {one_line(error)}.") from error
    _unique_json(content, path)
    return data


_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""Without backtracking; one that isn't closed goes to the end. Otherwise the time grows with the square of the size."""


def _check_size(content: bytes, what: object) -> None:
    """Raises `CheckpointError` for too many bytes, the longest text not counted: parsing them takes seconds."""
    rest = len(content)
    if rest > MAX_SETTINGS_BYTES:
        rest -= max((len(match[0]) for match in _STRING.finditer(content)), default=0)
    if rest > MAX_SETTINGS_BYTES or len(content) > MAX_CONFIG_BYTES:
        limit = MAX_SETTINGS_BYTES if rest > MAX_SETTINGS_BYTES else MAX_CONFIG_BYTES
        raise CheckpointError(f"{what} is larger than the limit of {limit:,} bytes.")


def _unique_json(content: bytes | bytearray, path: Path) -> Any:
    """Parse JSON; raises `CheckpointError` for duplicate names: parsers differ in which one they use."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        seen: dict[str, object] = {}
        for name, value in pairs:
            if name in seen:
                raise CheckpointError(f"{path} is damaged: {one_line(name)} appears twice.")
            seen[name] = value
        return seen

    return json.loads(content, object_pairs_hook=unique)


# --- model.safetensors ----------------------------------------------------------------------------


def max_weight_bytes(shapes: Shapes) -> int:
    """Maximum size of a file with only these tensors."""
    return 8 + max_header_bytes(shapes) + 4 * sum(map(math.prod, shapes.values()))


def max_header_bytes(shapes: Shapes) -> int:
    """Maximum length of a header with only these tensors."""
    return min(MAX_HEADER_BYTES, _METADATA_BYTES + sum(len(name) + _TENSOR_BYTES for name in shapes))


def tensors(file: File, size: int, shapes: Shapes, path: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The tensors of a safetensors file of `size` bytes, one by one.

    Raises `CheckpointError` unless they have exactly these names and shapes and are float32 and finite.
    """
    for name in check_header(file, size, shapes, path):
        values = np.empty(shapes[name], "<f4")
        read_exactly(file, values.data.cast("B"), path)
        if not np.isfinite(values).all():
            raise CheckpointError(f"{path} has weights that are not finite in {name}.")
        yield name, values


def check_header(file: File, size: int, shapes: Shapes, path: Path) -> list[str]:
    """Names of the tensors in the order of their data. Reads only the header of a safetensors file of `size` bytes.

    Raises `CheckpointError` as `tensors` does. safetensors' own reader interprets the header. It accepts headers of any
    length, duplicate names and further fields, so these are refused here.
    """
    start = bytearray(8)
    if size >= 8:
        read_exactly(file, start, path)
    length = int.from_bytes(start, "little")
    if size < 8 or length > min(max_header_bytes(shapes), size - 8):
        raise CheckpointError(f"{path} is damaged or not a safetensors file: its header has an invalid length.")
    header = bytearray(length)
    read_exactly(file, header, path)
    understood = _understood(bytes(start + header), size, path)
    entries = {name: entry for name, entry in understood.items() if name != "__metadata__"}
    missing, extra = shapes.keys() - entries.keys(), entries.keys() - shapes.keys()
    if missing or extra:
        wrong = [f"{_some(missing)} is missing"] * bool(missing) + [f"{_some(extra)} is unexpected"] * bool(extra)
        raise CheckpointError(f"{path} does not match its config.json: {' and '.join(wrong)}.")
    for name, entry in entries.items():
        if (entry["dtype"], entry["shape"]) != ("F32", list(shapes[name])):
            raise CheckpointError(
                f"{path} does not match its config.json: {name} is {entry['dtype']} {one_line(entry['shape'])} "
                f"instead of F32 {list(shapes[name])}."
            )
    plain = header.startswith(b"{") and b"\\" not in header
    if not plain or _unique_json(header, path) != understood:
        raise CheckpointError(f"{path} is damaged: its header has an unknown field, a backslash or a space before it.")
    return list(entries)


def _understood(start: bytes, size: int, path: Path) -> dict[str, dict[str, Any]]:
    """A header as safetensors' own reader understands it, in the order of the data, which are taken for float32.

    The reader wants a file of the right size, so it gets one whose data are a hole.
    """
    understood: dict[str, dict[str, Any]] = {}
    with NamedTemporaryFile() as copy:
        copy.write(start)
        copy.truncate(size)
        copy.flush()
        try:
            with safe_open(copy.name, "np") as reader:
                end = 0
                for name in reader.offset_keys():
                    tensor = reader.get_slice(name)
                    begin, end = end, end + 4 * math.prod(tensor.get_shape())
                    shape = list(tensor.get_shape())
                    understood[name] = {"dtype": tensor.get_dtype(), "shape": shape, "data_offsets": [begin, end]}
                if (metadata := reader.metadata()) is not None:
                    understood["__metadata__"] = metadata
        except SafetensorError as error:
            raise CheckpointError(f"{path} is damaged: {one_line(error)}.") from error
    return understood


# --- history.jsonl --------------------------------------------------------------------------------


def max_line_bytes(config: RunConfig) -> int:
    """Maximum size of a record of a run with these settings."""
    return _LINE_BYTES + sum(len(name) + NUMBER_BYTES for names in groups_of(config).values() for name in names)


def max_history_bytes(config: RunConfig, changes: Iterable[Change]) -> int:
    """Maximum size of the history of a run."""
    return min(MAX_HISTORY_BYTES, max_line_bytes(config) * (max_steps(config, changes) + 1))


def records(file: File, config: RunConfig, changes: Iterable[Change], path: Path) -> Iterator[dict[str, Any]]:
    """The records of a history: measures by name, with ascending `step` from 0 to at most the steps of the run.

    They are finite numbers, or the grouped values that a run with these settings can have. `file` must be buffered,
    since it is read line by line. Raises `CheckpointError` at the first invalid line.
    """
    before, number, known = -1, 0, set[str]()
    steps, longest, groups = max_steps(config, changes), max_line_bytes(config), groups_of(config)
    grouped = {measure.name: measure for measure in GROUPED}
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise CheckpointError(f"{path}, line {number}: longer than the limit of {longest} bytes.")
        try:
            record = from_json(line, allow_inf_nan=False)
        except ValueError as error:
            raise CheckpointError(f"{path}, line {number}: {one_line(error)}.") from error
        if not isinstance(record, dict) or not 0 < len(record) <= MAX_MEASURES:
            raise CheckpointError(f"{path}, line {number}: not a JSON object with 1 to {MAX_MEASURES} numbers.")
        if new := record.keys() - known:
            if wrong := [name for name in new if not MEASURE.fullmatch(name)]:
                raise CheckpointError(
                    f"{path}, line {number}: {one_line(wrong[0], 40)} is not the name of a measure. "
                    "Use letters, digits and underscores, beginning with a letter."
                )
            known |= new
        names, values = len(record), [*record.values()]
        if inside := [name for name, value in record.items() if name in grouped or type(value) in (list, dict)]:
            for name in inside:
                if name not in grouped or not grouped[name].allows(record[name], groups[name]):
                    raise CheckpointError(f"{path}, line {number}: {name} has values that no such run can measure.")
                names += _count_names(record[name])
            values = [value for name, value in record.items() if name not in inside]
        if not _NUMBERS.issuperset(map(type, values)) or min(values) < -_LARGEST or max(values) > _LARGEST:
            raise CheckpointError(f"{path}, line {number}: a value is not a finite number.")
        step = record.get("step")
        if type(step) is not int or not before < step <= steps:
            raise CheckpointError(f"{path}, line {number}: step must be larger than before and at most {steps:,}.")
        # All values in the end are numbers, so each pair of quotes is a name; the parser kept one of duplicate names.
        if line.count(b'"') != 2 * names or b"\\" in line:
            raise CheckpointError(f"{path}, line {number}: a name appears twice or contains a backslash.")
        before = step
        yield record


# --- helpers ----------------------------------------------------------------------------------------


def _count_names(value: object) -> int:
    """Names in an object, with those in objects inside it."""
    return len(value) + sum(map(_count_names, value.values())) if isinstance(value, dict) else 0


def _is_number(value: object) -> bool:
    """True for a finite number that fits a float; False for a bool."""
    return type(value) in _NUMBERS and abs(value) <= _LARGEST  # type: ignore[arg-type]


def _some(names: Iterable[str]) -> str:
    listed = sorted(names)
    return ", ".join(map(one_line, listed[:3])) + (f" and {len(listed) - 3} more" if len(listed) > 3 else "")

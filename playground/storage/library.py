"""A library: a folder of checkpoints of one person or visitor.

Hidden entries belong to the library: `.deleted` holds deleted checkpoints as `TIME.NAME`; `.*.partial` and `.*.old`
are folders of a save in progress.
"""

import errno
import itertools
import os
import re
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playground.common.errors import CheckpointError, one_line, reason
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.settings.config import Change
from playground.storage.card import card_of
from playground.storage.checkpoint import Checkpoint, check, check_files, check_free, load, pack, write
from playground.storage.validation import CARD, CONFIG, HISTORY, NAME, WEIGHTS, Folder, Summary, unreadable

SHIPPED = ("copy-1-16", "sort-1-8", "reverse-1-16")
"""The checkpoints that come with the app. Pages show the last one until a person chooses another."""

RESTORABLE_SECONDS = 30 * 60.0
"""Seconds in which a deleted checkpoint can be restored."""

LEFTOVER_SECONDS = 3600.0
"""Age at which a hidden folder cannot belong to a save in progress."""

_BETWEEN_RENAMES = 10.0  # seconds; an overwrite is certainly done after them
_DELETED = ".deleted"
_MAX_BASE_NAME = 56  # characters of a name to which a number may be added


_Stamp = tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Entry:
    """A checkpoint of a library: its summary, or why it cannot be used."""

    name: str
    bytes: int
    modified: float  # seconds since the epoch
    summary: Summary | None
    problem: str = ""


@dataclass(frozen=True)
class Deleted:
    """A deleted checkpoint that can be restored."""

    name: str
    bytes: int
    deleted: float  # seconds since the epoch
    folder: Path


class Library:
    """The checkpoints in one folder by name."""

    def __init__(
        self, root: Path, *, quota_bytes: int | None = None, refusal: Callable[[int], str] = lambda needed: ""
    ) -> None:
        """`quota_bytes` limits the total size of its files, without the shipped checkpoints.

        `refusal` returns why so many more bytes do not fit on the disk; empty if they fit.
        """
        self.root = root
        self.quota_bytes = quota_bytes
        self._refusal = refusal
        self._writing = threading.RLock()
        self._cache: dict[Path, tuple[_Stamp, Entry]] = {}

    def path(self, name: str) -> Path:
        """The folder of the checkpoint `name`; raises `CheckpointError` for an invalid name."""
        if not NAME.fullmatch(name):
            raise CheckpointError(
                f"“{one_line(name, 40)}” is not a valid checkpoint name.",
                "Use 1-64 letters, digits, dots, dashes and underscores. Start with a letter or a digit.",
            )
        return (_shipped_root() if name in SHIPPED else self.root) / name

    def entries(self) -> list[Entry]:
        """All checkpoints, newest first, shipped ones last; unusable ones with the reason.

        Fast: the result for a folder is cached until one of its files changes.
        """
        self._clean_up()
        cache: dict[Path, tuple[_Stamp, Entry]] = {}
        own = [entry for folder in self._folders() if (entry := self._entry(folder, cache))]
        own.sort(key=lambda entry: entry.modified, reverse=True)
        shipped = [entry for name in SHIPPED if (entry := self._entry(_shipped_root() / name, cache))]
        self._cache = cache
        return own + shipped

    def used_bytes(self) -> int:
        """Total size of the files of this library, including deleted checkpoints that can be restored."""
        return sum(_size(Path(entry.path)) for entry in _scan(self.root) if _counts(entry.name))

    def save(
        self,
        name: str,
        model: TaskModel,
        history: Sequence[Mapping[str, Any]],
        changes: Sequence[Change] = (),
        *,
        begun_from: str = "",
        overwrite: bool = False,
        durable: bool = True,
    ) -> None:
        """Save a checkpoint like `checkpoint.save`; also raises `CheckpointError` if it does not fit."""
        folder = self._own(name)
        files = pack(model, history, changes, begun_from=begun_from)
        with self._writing:
            check_free(folder, overwrite=overwrite)
            self._reserve_space(sum(map(len, files.values())), folder)
            write(folder, files, overwrite=overwrite, durable=durable)

    def add(self, name: str, files: Mapping[str, bytes]) -> str:
        """Add the files of a checkpoint from elsewhere; return its name in this library.

        The name is `name` made valid, with a number if it is taken. A checkpoint with the same weights and settings is
        not added twice. The model card is generated again. Raises `CheckpointError` if the files are not a checkpoint
        or do not fit.
        """
        wanted = valid_name(name)
        summary = check_files(files, Path(wanted))
        card = card_of(summary).encode()
        kept = {file: files[file] for file in (CONFIG, WEIGHTS, HISTORY) if file in files} | {CARD: card}
        with self._writing:
            for free in itertools.chain([wanted], (f"{wanted}-{number}" for number in itertools.count(2))):
                folder = self.path(free)
                if free not in SHIPPED and not os.path.lexists(folder):
                    break
                if _holds(folder, kept):
                    return free
            self._reserve_space(sum(map(len, kept.values())), folder)
            write(folder, kept)
        return free

    def load(self, name: str) -> Checkpoint:
        """Load a checkpoint; raises `CheckpointError`."""
        folder = self.path(name)
        if folder.is_symlink():
            raise _missing(name)
        return load(folder)

    def rename(self, old: str, new: str) -> None:
        """Rename a checkpoint. Raises `CheckpointError` if `old` is missing, `new` is taken, or one is shipped."""
        source, target = self._own(old), self._own(new)
        with self._writing:
            taken = CheckpointError(f"{new} is taken.", "Choose another name.", kind="taken")
            if os.path.lexists(target):
                raise taken
            self._move(source, target, f"{old} could not be renamed", taken)

    def delete(self, name: str) -> None:
        """Delete a checkpoint; `restore` undoes it. Raises `CheckpointError` if it is missing or shipped."""
        folder = self._own(name)
        with self._writing:
            self._clean_up()
            hidden = self.root / _DELETED
            try:
                if folder.is_dir():
                    hidden.mkdir(exist_ok=True)
            except OSError as error:
                raise CheckpointError(f"{name} could not be deleted: {reason(error)}.", kind="disk") from error
            self._move(folder, hidden / f"{time.time_ns()}.{name}", f"{name} could not be deleted")

    def deleted(self) -> list[Deleted]:
        """Deleted checkpoints that can be restored, last deleted first."""
        since = time.time() - RESTORABLE_SECONDS
        return [deleted for deleted in self._deleted() if deleted.deleted >= since]

    def restore(self, name: str, at: float | None = None) -> None:
        """Restore the last deleted checkpoint of this name, or the one deleted at `at` (`Deleted.deleted`).

        Raises `CheckpointError`.
        """
        folder = self._own(name)
        with self._writing:
            matches = (entry.folder for entry in self.deleted() if entry.name == name and at in (None, entry.deleted))
            wanted = next(matches, None)
            if wanted is None:
                problem = f"There is no deleted checkpoint named {name}."
                raise CheckpointError(problem, kind="missing")
            problem = f"A checkpoint named {name} exists, so the deleted one was not restored."
            taken = CheckpointError(problem, "Rename the existing one first.", kind="taken")
            if os.path.lexists(folder):
                raise taken
            self._move(wanted, folder, f"{name} could not be restored", taken)

    # --- inside ---

    def _own(self, name: str) -> Path:
        """The folder of a checkpoint that may be changed."""
        folder = self.path(name)
        if name in SHIPPED:
            raise CheckpointError(
                f"{name} comes with the app and cannot be changed.", "Choose another name.", kind="taken"
            )
        return folder

    def _folders(self) -> Iterator[Path]:
        for entry in _scan(self.root):
            if entry.is_dir(follow_symlinks=False) and NAME.fullmatch(entry.name) and entry.name not in SHIPPED:
                yield Path(entry.path)

    def _entry(self, folder: Path, cache: dict[Path, tuple[_Stamp, Entry]]) -> Entry | None:
        """The entry of a folder, None if it no longer exists; adds it to `cache` if it stays valid."""
        try:
            stamp, size, modified = _stamp(folder)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return Entry(folder.name, 0, 0.0, None, str(unreadable(folder, error)))
        if folder in self._cache and self._cache[folder][0] == stamp:
            cache[folder] = self._cache[folder]
            return cache[folder][1]
        try:
            entry = Entry(folder.name, size, modified, check(folder))
        except CheckpointError as error:
            if not folder.exists():
                return None
            entry = Entry(folder.name, size, modified, None, str(error))
            if error.kind == "disk":
                return entry  # not cached: it may work next time
        cache[folder] = stamp, entry
        return entry

    def _move(self, source: Path, target: Path, failed: str, taken: CheckpointError | None = None) -> None:
        """Rename a checkpoint's folder; raises `CheckpointError`: `taken` if `target` exists."""
        if source.is_symlink() or not source.is_dir():
            raise _missing(source.name)
        try:
            source.rename(target)
        except FileNotFoundError:
            raise _missing(source.name) from None
        except OSError as error:
            if taken and error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise taken from None
            raise CheckpointError(f"{failed}: {reason(error)}.", kind="disk") from error

    def _reserve_space(self, needed: int, folder: Path) -> None:
        """Purge deleted checkpoints so that `needed` bytes at `folder` fit; raises `CheckpointError` if they do not."""
        self._clean_up()
        self._check_quota(needed, folder)
        if refused := self._refusal(needed):
            raise CheckpointError(refused, kind="quota")

    def _check_quota(self, needed: int, folder: Path) -> None:
        if self.quota_bytes is None:
            return
        used, deleted = self.used_bytes(), self._deleted()
        kept = used - sum(entry.bytes for entry in deleted)
        replaced = _size(folder)
        if needed > self.quota_bytes:
            raise CheckpointError(
                f"This checkpoint needs {_size_text(needed)}. The limit per visitor is {_size_text(self.quota_bytes)}.",
                kind="quota",
            )
        if kept - replaced + needed > self.quota_bytes:
            raise CheckpointError(
                f"Your library uses {_size_text(kept)} of {_size_text(self.quota_bytes)}. This checkpoint needs "
                f"{_size_text(needed)}.",
                "Delete one first.",
                kind="quota",
            )
        while deleted and used - replaced + needed > self.quota_bytes:
            oldest = deleted.pop()
            shutil.rmtree(oldest.folder, ignore_errors=True)
            used -= oldest.bytes

    def _deleted(self) -> list[Deleted]:
        entries = []
        for entry in _scan(self.root / _DELETED):
            when, _, name = entry.name.partition(".")
            if when.isdecimal() and NAME.fullmatch(name):
                folder = Path(entry.path)
                entries.append(Deleted(name, _size(folder), int(when) / 1e9, folder))
        return sorted(entries, key=lambda deleted: deleted.folder.name, reverse=True)

    def _clean_up(self) -> None:
        """Delete what can no longer be restored and the leftovers of interrupted saves."""
        for entry in _scan(self.root):
            if entry.name == _DELETED:
                for deleted in self._deleted():
                    if deleted.deleted < time.time() - RESTORABLE_SECONDS:
                        shutil.rmtree(deleted.folder, ignore_errors=True)
            elif entry.name.startswith(".") and entry.name.endswith((".partial", ".old")):
                try:
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    if entry.name.endswith(".old") and age > _BETWEEN_RENAMES:
                        self._put_back(Path(entry.path))
                except OSError:
                    continue  # another process is cleaning up
                if age > LEFTOVER_SECONDS:
                    shutil.rmtree(entry.path, ignore_errors=True)

    def _put_back(self, old: Path) -> None:
        """Restore the old checkpoint of an interrupted overwrite if the new one is missing."""
        for entry in _scan(old):
            if not os.path.lexists(self.root / entry.name):
                os.rename(entry.path, self.root / entry.name)
                old.rmdir()


def _missing(name: str) -> CheckpointError:
    return CheckpointError(f"There is no checkpoint named {name}.", kind="missing")


def valid_name(text: str) -> str:
    """The valid checkpoint name closest to `text`."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text[:200]).strip(".-_")[:_MAX_BASE_NAME].rstrip(".-_")
    return name or "checkpoint"


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """True if a folder has these settings and weights."""
    try:
        with Folder(folder) as kept:
            return all(kept.read(name, len(files[name])) == files[name] for name in (CONFIG, WEIGHTS))
    except CheckpointError:
        return False


def _counts(name: str) -> bool:
    """True if an entry counts towards the quota: checkpoints, deleted ones and leftovers of saves."""
    hidden = name == _DELETED or name.endswith((".partial", ".old"))
    return (hidden or NAME.fullmatch(name) is not None) and name not in SHIPPED


def _shipped_root() -> Path:
    return REPOSITORY / "checkpoints"


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder; empty if it is missing or cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _stamp(folder: Path) -> tuple[_Stamp, int, float]:
    """A stamp that changes with any file, the total size, and the time of the last change of the folder."""
    stamp: list[tuple[object, ...]] = []
    size, modified = 0, folder.stat()
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            stamp.append((entry.name, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
            size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return ((modified.st_ino, modified.st_mtime_ns), *sorted(stamp)), size, modified.st_mtime


def _size(path: Path) -> int:
    """Size of a file or of all files below a folder; 0 if missing."""
    try:
        status = path.lstat()
    except OSError:
        return 0
    if stat.S_ISDIR(status.st_mode):
        return sum(_size(Path(entry.path)) for entry in _scan(path))
    return status.st_size


def _size_text(size: int) -> str:
    """1234567 -> "1.2 MB"."""
    number, unit = (size / 1e6, "MB") if size >= 100_000 else (size / 1e3, "kB")
    return f"{number:,.1f}".removesuffix(".0") + f" {unit}"

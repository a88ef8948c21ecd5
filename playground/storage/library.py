"""A folder of checkpoints: a person's own, or that of one visitor among many.

What is hidden in it belongs to the library itself: `.deleted` holds what can still be brought back, under the time of
its deletion and its name, and `.*.partial` and `.*.old` are folders on their way in or out.
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

from playground.config import Change
from playground.errors import CheckpointError, one_line, reason
from playground.recording import REPOSITORY
from playground.storage.card import card_of
from playground.storage.checkpoint import Checkpoint, check, check_files, check_free, load, pack, write
from playground.storage.validation import CARD, CONFIG, HISTORY, NAME, WEIGHTS, Folder, Summary, unreadable
from playground.task_model import TaskModel

SHIPPED = ("copy-1-16", "reverse-1-16")

RESTORABLE_SECONDS = 30 * 60.0
"""How long a deleted checkpoint can be brought back."""

LEFTOVER_SECONDS = 3600.0
"""Age at which a hidden folder cannot belong to a save that still goes on."""

_BETWEEN_RENAMES = 10.0  # seconds in which an overwrite has long put the new checkpoint where the old one was
_DELETED = ".deleted"
_NAME_ROOM = 56  # letters of a name that may still get a number


_Stamp = tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Entry:
    """One folder of a library: its summary, or why it cannot be used."""

    name: str
    bytes: int
    modified: float  # seconds since the epoch
    summary: Summary | None
    problem: str = ""


@dataclass(frozen=True)
class Deleted:
    """A checkpoint that can be brought back."""

    name: str
    bytes: int
    deleted: float  # seconds since the epoch
    folder: Path


class Library:
    """The checkpoints in one folder, by name."""

    def __init__(
        self, root: Path, *, quota_bytes: int | None = None, refusal: Callable[[int], str] = lambda needed: ""
    ) -> None:
        """`quota_bytes` limits what all files in it may take together, those that ship with the app aside.

        `refusal` says why so many bytes more do not fit on the disk; empty if they do.
        """
        self.root = root
        self.quota_bytes = quota_bytes
        self._refusal = refusal
        self._writing = threading.RLock()
        self._looked: dict[Path, tuple[_Stamp, Entry]] = {}

    def path(self, name: str) -> Path:
        """Where the checkpoint `name` lies; raises `CheckpointError` for a name that could lead elsewhere."""
        if not NAME.fullmatch(name):
            raise CheckpointError(
                f"“{one_line(name, 40)}” is no name for a checkpoint.",
                "Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or a digit.",
            )
        return (_shipped_root() if name in SHIPPED else self.root) / name

    def entries(self) -> list[Entry]:
        """Every checkpoint, newest first, the shipped ones last; unusable folders with the reason.

        Cheap enough for every click: what was found in a folder is kept until one of its files changes.
        """
        self._tidy()
        looked: dict[Path, tuple[_Stamp, Entry]] = {}
        own = [entry for folder in self._folders() if (entry := self._look(folder, looked))]
        own.sort(key=lambda entry: entry.modified, reverse=True)
        shipped = [entry for name in SHIPPED if (entry := self._look(_shipped_root() / name, looked))]
        self._looked = looked
        return own + shipped

    def used_bytes(self) -> int:
        """What all files of this library take, what can still be brought back included."""
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
        """As `checkpoint.save`; raises `CheckpointError` also, before anything is written, where room is short."""
        folder = self._own(name)
        files = pack(model, history, changes, begun_from=begun_from)
        with self._writing:
            check_free(folder, overwrite=overwrite)
            self._tidy()
            self._make_room(sum(map(len, files.values())), folder)
            write(folder, files, overwrite=overwrite, durable=durable)

    def add(self, name: str, files: Mapping[str, bytes]) -> str:
        """Takes in the files of a foreign checkpoint, by name; returns what it is called here.

        That is `name`, made one that a library takes, with a number where it is taken. What is here already, weights
        and settings alike, is not kept twice. The model card is written anew. Raises `CheckpointError` for files that
        are no checkpoint and where room is short.
        """
        wanted = fitting_name(name)
        summary = check_files(files, Path(wanted))
        card = card_of(summary).encode()
        kept = {each: files[each] for each in (CONFIG, WEIGHTS, HISTORY) if each in files} | {CARD: card}
        with self._writing:
            for free in _names(wanted):
                folder = self.path(free)
                if free not in SHIPPED and not os.path.lexists(folder):
                    break
                if _holds(folder, kept):
                    return free
            self._tidy()
            self._make_room(sum(map(len, kept.values())), folder)
            write(folder, kept)
        return free

    def load(self, name: str) -> Checkpoint:
        """Raises `CheckpointError`."""
        folder = self.path(name)
        if folder.is_symlink():
            raise _missing(name)
        return load(folder)

    def rename(self, old: str, new: str) -> None:
        """Raises `CheckpointError` if there is no `old`, `new` is taken, or one of them ships with the app."""
        source, target = self._own(old), self._own(new)
        with self._writing:
            taken = CheckpointError(f"{new} is taken.", "Choose another name.", kind="taken")
            if os.path.lexists(target):
                raise taken
            self._move(source, target, f"{old} could not be renamed", taken)

    def delete(self, name: str) -> None:
        """Hides a checkpoint, see `restore`; raises `CheckpointError` if there is none or it ships with the app."""
        folder = self._own(name)
        with self._writing:
            self._tidy()
            hidden = self.root / _DELETED
            try:
                if folder.is_dir():
                    hidden.mkdir(exist_ok=True)
            except OSError as error:
                raise CheckpointError(f"{name} could not be deleted: {reason(error)}.", kind="disk") from error
            self._move(folder, hidden / f"{time.time_ns()}.{name}", f"{name} could not be deleted")

    def deleted(self) -> list[Deleted]:
        """What can be brought back, newest first."""
        since = time.time() - RESTORABLE_SECONDS
        return [deleted for deleted in self._deleted() if deleted.deleted >= since]

    def restore(self, name: str, at: float | None = None) -> None:
        """Brings back the checkpoint of this name that was deleted then, by default last; raises `CheckpointError`.

        `at` is the `Deleted.deleted` of the one that is meant.
        """
        folder = self._own(name)
        with self._writing:
            those = (gone.folder for gone in self.deleted() if gone.name == name and at in (None, gone.deleted))
            wanted = next(those, None)
            if wanted is None:
                problem = f"There is no deleted checkpoint named {name} to bring back."
                raise CheckpointError(problem, kind="missing")
            problem = f"There is another {name} now, so the deleted one stays where it is."
            taken = CheckpointError(problem, "Rename the other first.", kind="taken")
            if os.path.lexists(folder):
                raise taken
            self._move(wanted, folder, f"{name} could not be brought back", taken)

    # --- inside ---

    def _own(self, name: str) -> Path:
        """The place of a checkpoint that may be changed."""
        folder = self.path(name)
        if name in SHIPPED:
            raise CheckpointError(
                f"{name} ships with the app and stays as it is.", "Choose another name.", kind="taken"
            )
        return folder

    def _folders(self) -> Iterator[Path]:
        for entry in _scan(self.root):
            if entry.is_dir(follow_symlinks=False) and NAME.fullmatch(entry.name) and entry.name not in SHIPPED:
                yield Path(entry.path)

    def _look(self, folder: Path, looked: dict[Path, tuple[_Stamp, Entry]]) -> Entry | None:
        """What is in a folder, None if it is gone; `looked` receives what still holds next time."""
        try:
            stamp, size, modified = _stamp(folder)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            return Entry(folder.name, 0, 0.0, None, str(unreadable(folder, error)))
        if folder in self._looked and self._looked[folder][0] == stamp:
            looked[folder] = self._looked[folder]
            return looked[folder][1]
        try:
            entry = Entry(folder.name, size, modified, check(folder))
        except CheckpointError as error:
            if not folder.exists():
                return None
            entry = Entry(folder.name, size, modified, None, str(error))
            if error.kind == "disk":
                return entry  # may go better next time
        looked[folder] = stamp, entry
        return entry

    def _move(self, source: Path, target: Path, failed: str, taken: CheckpointError | None = None) -> None:
        """Renames a checkpoint's folder; raises `CheckpointError`, `taken` where something is at `target`."""
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

    def _make_room(self, needed: int, folder: Path) -> None:
        """Raises `CheckpointError` if `needed` bytes at `folder` would not fit; purges deleted ones if they then do."""
        self._check_quota(needed, folder)
        if refused := self._refusal(needed):
            raise CheckpointError(refused, kind="quota")

    def _check_quota(self, needed: int, folder: Path) -> None:
        if self.quota_bytes is None:
            return
        used, deleted = self.used_bytes(), self._deleted()
        kept = used - sum(each.bytes for each in deleted)
        replaced = _size(folder)
        if needed > self.quota_bytes:
            raise CheckpointError(
                f"This checkpoint needs {_size_text(needed)}, which is more than the {_size_text(self.quota_bytes)} a "
                "visitor has here.",
                kind="quota",
            )
        if kept - replaced + needed > self.quota_bytes:
            raise CheckpointError(
                f"Your library holds {_size_text(kept)} of the {_size_text(self.quota_bytes)} a visitor has here, and "
                f"this checkpoint needs {_size_text(needed)}.",
                "Delete one first.",
                kind="quota",
            )
        while deleted and used - replaced + needed > self.quota_bytes:
            oldest = deleted.pop()
            shutil.rmtree(oldest.folder, ignore_errors=True)
            used -= oldest.bytes

    def _deleted(self) -> list[Deleted]:
        found = []
        for entry in _scan(self.root / _DELETED):
            when, _, name = entry.name.partition(".")
            if when.isdecimal() and NAME.fullmatch(name):
                folder = Path(entry.path)
                found.append(Deleted(name, _size(folder), int(when) / 1e9, folder))
        return sorted(found, key=lambda deleted: deleted.folder.name, reverse=True)

    def _purge(self, before: float) -> None:
        for deleted in self._deleted():
            if deleted.deleted < before:
                shutil.rmtree(deleted.folder, ignore_errors=True)

    def _tidy(self) -> None:
        """Removes what can no longer be brought back, and what saves that were cut off have left behind."""
        for entry in _scan(self.root):
            if entry.name == _DELETED:
                self._purge(time.time() - RESTORABLE_SECONDS)
            elif entry.name.startswith(".") and entry.name.endswith((".partial", ".old")):
                try:
                    age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                    if entry.name.endswith(".old") and age > _BETWEEN_RENAMES:
                        self._put_back(Path(entry.path))
                except OSError:
                    continue  # somebody else is at it
                if age > LEFTOVER_SECONDS:
                    shutil.rmtree(entry.path, ignore_errors=True)

    def _put_back(self, old: Path) -> None:
        """A checkpoint that was being overwritten goes back to its place if nothing ever came there."""
        for entry in _scan(old):
            if not os.path.lexists(self.root / entry.name):
                os.rename(entry.path, self.root / entry.name)
                old.rmdir()


def _missing(name: str) -> CheckpointError:
    return CheckpointError(f"There is no checkpoint named {name}.", kind="missing")


def fitting_name(text: str) -> str:
    """A name that a library takes, as near to `text` as can be."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text[:200]).strip(".-_")[:_NAME_ROOM].rstrip(".-_")
    return name or "checkpoint"


def _names(wanted: str) -> Iterator[str]:
    """The name itself, then with numbers behind it."""
    yield wanted
    yield from (f"{wanted}-{number}" for number in itertools.count(2))


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Whether settings and weights in a folder are these."""
    try:
        with Folder(folder) as kept:
            return all(kept.read(name, len(files[name])) == files[name] for name in (CONFIG, WEIGHTS))
    except CheckpointError:
        return False


def _counts(name: str) -> bool:
    """Whether a name in the folder is the library's own: a checkpoint, what was deleted, or what a save left behind."""
    hidden = name == _DELETED or name.endswith((".partial", ".old"))
    return (hidden or NAME.fullmatch(name) is not None) and name not in SHIPPED


def _shipped_root() -> Path:
    return REPOSITORY / "checkpoints"


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder; nothing if it is not there or cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _stamp(folder: Path) -> tuple[_Stamp, int, float]:
    """Something that changes whenever a file does, the bytes of all files, and when the folder was filled."""
    stamp: list[tuple[object, ...]] = []
    size, modified = 0, folder.stat()
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            stamp.append((entry.name, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
            size += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return ((modified.st_ino, modified.st_mtime_ns), *sorted(stamp)), size, modified.st_mtime


def _size(path: Path) -> int:
    """Bytes of a file or of all files below a folder, 0 for what is gone."""
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

"""What all visitors of a host keep on its disk, whose is deleted first when it is full, and which server owns it."""

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playground.runs.metadata import MAX_TIME

SEEN = "seen"
"""A file in each visitor's folder; its age is that of the visitor's last visit."""

SPARED_SECONDS = 15 * 60.0
"""After a visitor's last visit, in which nothing of theirs is deleted for others."""

NEARLY_FULL = 0.8
"""Share of the limit from which on visitors are warned."""

_ROOM = 0.95  # of the limit that is used after a clean-up: not every save needs another one
_LOOKS = 20  # folders that are measured at a time
_GONE = ".gone-"


class Disk:
    """The sizes of the visitors' folders, measured a few at a time; from any thread."""

    def __init__(self, folder: Path, limit: int) -> None:
        """`limit` is for all of `folder`, in bytes; 0: there is none, and nothing is measured."""
        self.folder, self.limit = folder, limit
        self._sizes: dict[str, int] = {}  # by visitor, the one that was measured longest ago first
        self._lock = threading.Lock()

    @property
    def used(self) -> int:
        """Bytes of all folders, as far as they have been measured."""
        with self._lock:
            return sum(self._sizes.values())

    @property
    def nearly_full(self) -> bool:
        """Whether visitors should hear of it."""
        return bool(self.limit) and self.used > NEARLY_FULL * self.limit

    def look(self) -> None:
        """Measures new folders and, a few at a time, the others again."""
        if not self.limit:
            return
        there = {path.name for path in _folders(self.folder)}
        for name in [name for name in there if name.startswith(_GONE)]:
            shutil.rmtree(self.folder / name, ignore_errors=True)  # a server ended while it deleted
            there.remove(name)
        with self._lock:
            known = [name for name in self._sizes if name in there]
            self._sizes = {name: self._sizes[name] for name in known}
        for name in [*sorted(there - set(known))[: 10 * _LOOKS], *known[:_LOOKS]]:
            size = _size(self.folder / name)
            with self._lock:
                self._sizes.pop(name, None)
                self._sizes[name] = size  # behind all others

    def grows(self, visitor: str, size: int) -> None:
        """Counts what is about to be written for a visitor, until their folder is measured again."""
        with self._lock:
            self._sizes[visitor] = self._sizes.get(visitor, 0) + size

    def lacks(self, needed: int) -> int:
        """Bytes that must go before `needed` more fit; 0 if they fit."""
        over = self.used + needed - self.limit
        return 0 if not self.limit or over <= 0 else int(over + (1 - _ROOM) * self.limit)

    def away(self) -> Iterator[str]:
        """Visitors whose last visit was more than `SPARED_SECONDS` ago, who were away longest first."""
        visits = sorted((last_visit(path), path.name) for path in _folders(self.folder))
        before = time.time() - SPARED_SECONDS
        return (name for when, name in visits if when < before and not name.startswith(_GONE))

    def take_out(self, visitor: str) -> Path:
        """Takes a visitor's folder away at once, to be deleted by `delete`; raises OSError."""
        gone = self.folder / f"{_GONE}{visitor}"
        (self.folder / visitor).rename(gone)
        with self._lock:
            self._sizes.pop(visitor, None)
        return gone


def delete(folder: Path) -> None:
    """Deletes a folder that was taken out."""
    shutil.rmtree(folder, ignore_errors=True)


def last_visit(folder: Path) -> float:
    """When a visitor was here last, in seconds since the epoch; raises no error for a folder that is gone."""
    for path in (folder / SEEN, folder):
        try:
            return path.stat().st_mtime
        except OSError:
            continue
    return time.time()


def _folders(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except OSError:
                continue  # gone meanwhile
    return total


_LOCKED_BYTE = 2**30
"""Windows lets nobody read what is locked: a byte far behind the text."""


@dataclass(frozen=True)
class Owner:
    """The server that holds a lock; zeros where it cannot be told."""

    pid: int = 0
    started: float = 0.0  # seconds since the epoch


class FolderLock:
    """A lock on a file, held until `release` or the end of this process; child processes do not inherit it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, seconds: float) -> Owner | None:
        """Waits up to `seconds` for the lock; returns None once it is held here, and else who holds it.

        Raises OSError where the file cannot be made, or its file system knows no locks.
        """
        until = time.monotonic() + seconds
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)  # closed in every child process
        try:
            while not _locked(descriptor):
                if time.monotonic() >= until:
                    return _read(descriptor)
                time.sleep(0.05)
            self._descriptor, descriptor = descriptor, -1
        finally:
            if descriptor >= 0:
                os.close(descriptor)
        with suppress(OSError):  # on a full disk nobody can tell who holds it
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, json.dumps({"pid": os.getpid(), "started": time.time()}).encode())
        return None

    def release(self) -> None:
        """Lets the next one have it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _locked(descriptor: int) -> bool:
    """Locks a file if nobody else does; raises OSError where that is not possible at all."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _read(descriptor: int) -> Owner:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        told = json.loads(os.read(descriptor, 200))
        owner = Owner(int(told["pid"]), float(told["started"]))
        return owner if 0 <= owner.started <= MAX_TIME else Owner()
    except (OSError, ValueError, KeyError, TypeError):
        return Owner()

"""Disk use of all visitors, the order of deletion on a full disk, and the lock on the folder."""

import json
import math
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
"""A file in each visitor's folder whose modification time is the visitor's last visit."""

_CLOCK = "clock"
"""A file beside the visitors' folders whose modification time is the last time at which a server ran."""

MAX_GAP_SECONDS = 3600.0
"""Longer gaps between two servers, or a clock that was set meanwhile, don't count as time without a visit."""

PROTECTED_SECONDS = 15 * 60.0
"""Seconds after a visitor's last visit in which their data is never deleted to free disk space."""

NEARLY_FULL = 0.8
"""Fraction of the limit above which visitors are warned."""

_TARGET_FRACTION = 0.95  # of the limit to free down to, so that not every save triggers a clean-up
_MEASURED_AT_ONCE = 20  # folders measured per call
_REMOVED_PREFIX = ".gone-"


class Disk:
    """The sizes of the visitors' folders, measured a few at a time. Thread-safe."""

    def __init__(self, folder: Path, limit: int) -> None:
        """`limit` is for all of `folder` in bytes; 0: no limit, and nothing is measured."""
        self.folder, self.limit = folder, limit
        self._sizes: dict[str, int] = {}  # visitor -> bytes, measured longest ago first
        self._lock = threading.Lock()

    @property
    def used(self) -> int:
        """Bytes of all folders measured so far."""
        with self._lock:
            return sum(self._sizes.values())

    @property
    def nearly_full(self) -> bool:
        """Whether to warn visitors."""
        return bool(self.limit) and self.used > NEARLY_FULL * self.limit

    def measure(self) -> None:
        """Measure new folders and, a few at a time, the others again."""
        if not self.limit:
            return
        present = {path.name for path in subfolders(self.folder)}
        for name in [name for name in present if name.startswith(_REMOVED_PREFIX)]:
            shutil.rmtree(self.folder / name, ignore_errors=True)  # a server ended during the deletion
            present.remove(name)
        with self._lock:
            known = [name for name in self._sizes if name in present]
            self._sizes = {name: self._sizes[name] for name in known}
        for name in [*sorted(present - set(known))[: 10 * _MEASURED_AT_ONCE], *known[:_MEASURED_AT_ONCE]]:
            size = _size(self.folder / name)
            with self._lock:
                self._sizes.pop(name, None)
                self._sizes[name] = size  # last in the order

    def reserve(self, visitor: str, size: int) -> None:
        """Count `size` bytes as used by a visitor until their folder is measured again."""
        with self._lock:
            self._sizes[visitor] = self._sizes.get(visitor, 0) + size

    def excess(self, needed: int) -> int:
        """Bytes to delete before `needed` more fit; 0 if they fit."""
        over = self.used + needed - self.limit
        return 0 if not self.limit or over <= 0 else int(over + (1 - _TARGET_FRACTION) * self.limit)

    def away(self) -> Iterator[str]:
        """Visitors whose last visit was more than `PROTECTED_SECONDS` ago, longest ago first."""
        visits = sorted((last_visit(path), path.name) for path in subfolders(self.folder))
        before = time.time() - PROTECTED_SECONDS
        return (name for when, name in visits if when < before and not name.startswith(_REMOVED_PREFIX))

    def take_away(self, visitor: str) -> Path:
        """Rename a visitor's folder for `delete`; raises OSError."""
        removed = self.folder / f"{_REMOVED_PREFIX}{visitor}"
        (self.folder / visitor).rename(removed)
        with self._lock:
            self._sizes.pop(visitor, None)
        return removed


def delete(folder: Path) -> None:
    """Delete a folder returned by `Disk.take_away`."""
    shutil.rmtree(folder, ignore_errors=True)


def last_visit(folder: Path) -> float:
    """Time of a visitor's last visit in seconds since the epoch; now, if the folder no longer exists."""
    for path in (folder / SEEN, folder):
        try:
            return path.stat().st_mtime
        except OSError:
            continue
    return time.time()


def keep_time(folder: Path) -> None:
    """Note that a server runs now. `folder` has the visitors' folders."""
    with suppress(OSError):
        (folder / _CLOCK).touch()


def take_out_gap(folder: Path) -> None:
    """Move all last visits by the time since a server last ran, if that was long ago by the system clock.

    Nobody could visit while no server ran, and a clock that runs ahead must not end anybody's time.
    """
    visits = {path: last_visit(path) for path in subfolders(folder)}
    try:
        known = (folder / _CLOCK).stat().st_mtime
    except OSError:
        known = max(visits.values(), default=math.inf)  # as in folders from before this file
    if (gap := time.time() - known) > MAX_GAP_SECONDS:
        for path, when in visits.items():
            with suppress(OSError):
                (path / SEEN).touch()
                os.utime(path / SEEN, (when + gap, when + gap))
    keep_time(folder)


def subfolders(folder: Path) -> list[Path]:
    """The folders in a folder, links excluded; empty if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _size(folder: Path) -> int:
    """Total bytes of all files below a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except OSError:
                continue  # deleted meanwhile
    return total


_LOCKED_BYTE = 2**30
"""On Windows locked bytes cannot be read, so this byte lies far behind the text."""


@dataclass(frozen=True)
class Owner:
    """The server process that holds a lock; zeros if unknown."""

    pid: int = 0
    started: float = 0.0  # seconds since the epoch


class FolderLock:
    """A lock on a file, held until `release` or the end of this process. Child processes do not inherit it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, seconds: float) -> Owner | None:
        """Wait up to `seconds` for the lock; return None once it is held here, else the current owner.

        Raises OSError if the file cannot be created or its file system has no locks.
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
        with suppress(OSError):  # on a full disk the owner stays unknown
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, json.dumps({"pid": os.getpid(), "started": time.time()}).encode())
        return None

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _locked(descriptor: int) -> bool:
    """Try to lock a file; raises OSError if locks are not supported."""
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
        data = json.loads(os.read(descriptor, 200))
        owner = Owner(int(data["pid"]), float(data["started"]))
        return owner if 0 <= owner.started <= MAX_TIME else Owner()
    except (OSError, ValueError, KeyError, TypeError):
        return Owner()

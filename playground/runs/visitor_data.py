"""The folders of all visitors: locked by one server, limited in size, deleted after a time without a visit."""

import logging
import math
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from playground.runs.folder_lock import FolderLock, Owner
from playground.settings.host import Host

HANDOVER_SECONDS = 5.0
"""Seconds a starting server waits for another one to release the folder: that one may be shutting down."""

MAX_GAP_SECONDS = 3600.0
"""Longer gaps between two servers, or a clock that was set meanwhile, don't count as time without a visit."""

PROTECTED_SECONDS = 15 * 60.0
"""Seconds after a visitor's last visit in which their data is never deleted to free disk space."""

NEARLY_FULL = 0.8
"""Fraction of the limit above which visitors are warned."""

_log = logging.getLogger(__name__)
_SEEN = "seen"  # a file in each visitor's folder; its modification time is the visitor's last visit
_CLOCK = "clock"  # a file beside these folders; its modification time is the last time at which a server ran
_TARGET_FRACTION = 0.95  # of the limit to free down to, so that not every save triggers a clean-up
_MEASURED_AT_ONCE = 20  # folders measured per call
_REMOVED_PREFIX = ".gone-"


class VisitorData:
    """Knows the visitors' folders and decides whose data to delete; `Runs` does it. Thread-safe."""

    def __init__(self, host: Host) -> None:
        self.folder, self.limit = host.private_folder, host.disk_mb * 1_000_000  # bytes; 0: no limit, nothing measured
        self.root = self.folder
        """Where runs are kept: the same folder, or a temporary one if another server holds that."""
        self.folder_owner: Owner | None = None
        """The other server that holds the folder; None: this one does."""
        self._folder_lock = FolderLock(self.folder / "server.lock")
        self._expiry_seconds = host.expiry_days * 86400
        self._sizes: dict[str, int] = {}  # visitor -> bytes, measured longest ago first
        self._lock = threading.Lock()
        self._clock_at_start = _clock()

    def claim(self, wait: float = HANDOVER_SECONDS) -> None:
        """Lock the folder for this process, before anything else is done with it.

        If another server still holds the lock after `wait` seconds, `folder_owner` is set: that server keeps the runs
        there, and runs started here are kept in a temporary folder until `close`.
        """
        try:
            self.folder_owner = self._folder_lock.acquire(wait)
        except OSError as error:
            _log.warning("The folder %s cannot be locked (%s). Use it with one server.", self.folder, error)
        if self.folder_owner is not None:
            self.root = Path(tempfile.mkdtemp(prefix="playground-runs-"))
            return
        for path in subfolders(self.folder):
            if path.name.startswith(_REMOVED_PREFIX):  # a server ended during the deletion
                shutil.rmtree(path, ignore_errors=True)
        self._take_out_gap()

    def close(self) -> None:
        """Release the folder."""
        if self.folder_owner is not None:
            shutil.rmtree(self.root, ignore_errors=True)
        self._folder_lock.release()

    def visited(self, visitor: str) -> None:
        """Note a visit."""
        with suppress(OSError):
            (self.folder / visitor / _SEEN).touch()  # without a folder nothing can expire

    def overdue(self) -> list[str]:
        """Visitors whose data have expired. Also notes that a server runs now."""
        if not self._may_expire:
            return []
        self._keep_time()
        before = time.time() - self._expiry_seconds
        return [name for when, name in self._visits() if when < before] if self._expiry_seconds else []

    # --- size -------------------------------------------------------------------------------------

    @property
    def used(self) -> int:
        """Bytes of all folders measured so far."""
        with self._lock:
            return sum(self._sizes.values())

    @property
    def nearly_full(self) -> bool:
        """Visitors are warned."""
        return bool(self.limit) and self.used > NEARLY_FULL * self.limit

    def measure(self) -> None:
        """Measure new folders and, a few at a time, the others again."""
        if not self.limit:
            return
        present = {path.name for path in subfolders(self.folder) if not path.name.startswith(_REMOVED_PREFIX)}
        with self._lock:
            known = [name for name in self._sizes if name in present]
            self._sizes = {name: self._sizes[name] for name in known}
        for name in [*sorted(present - set(known))[: 10 * _MEASURED_AT_ONCE], *known[:_MEASURED_AT_ONCE]]:
            size = _size(self.folder / name)
            with self._lock:
                self._sizes.pop(name, None)
                self._sizes[name] = size  # last in the order

    def reserve(self, visitor: str, size: int) -> str:
        """Count `size` bytes as used by a visitor until they are measured; return why they don't fit, else nothing."""
        if self._excess(size):
            return (
                "This host's disk is full. Delete what you don't need, or try again in "
                f"{PROTECTED_SECONDS / 60:.0f} minutes."
            )
        with self._lock:
            self._sizes[visitor] = self._sizes.get(visitor, 0) + size
        return ""

    def to_free(self, needed: int = 0, keep: str = "") -> Iterator[str]:
        """Visitors whose data to delete until `needed` bytes fit: away longest first, and not `keep`.

        Nobody of them was here in the last `PROTECTED_SECONDS`.
        """
        if not (excess := self._excess(needed)) or not self._may_expire:
            return
        target, before = self.used - excess, time.time() - PROTECTED_SECONDS
        for when, visitor in sorted(self._visits()):
            if self.used <= target or when >= before:
                return
            if visitor != keep:
                yield visitor

    def take_away(self, visitor: str) -> Path:
        """Rename a visitor's folder, so that it can be deleted at leisure; raises OSError."""
        removed = self.folder / f"{_REMOVED_PREFIX}{visitor}"
        (self.folder / visitor).rename(removed)
        with self._lock:
            self._sizes.pop(visitor, None)
        return removed

    def _excess(self, needed: int) -> int:
        """Bytes to delete before `needed` more fit; 0 if they fit."""
        over = self.used + needed - self.limit
        return 0 if not self.limit or over <= 0 else int(over + (1 - _TARGET_FRACTION) * self.limit)

    # --- time -------------------------------------------------------------------------------------

    @property
    def _may_expire(self) -> bool:
        """This server holds the folder, and the system clock was not set since its start."""
        return self.folder_owner is None and abs(_clock() - self._clock_at_start) <= MAX_GAP_SECONDS

    def _visits(self) -> list[tuple[float, str]]:
        """The time of each visitor's last visit, in seconds since the epoch."""
        folders = subfolders(self.folder)
        return [(_last_visit(path), path.name) for path in folders if not path.name.startswith(_REMOVED_PREFIX)]

    def _keep_time(self) -> None:
        with suppress(OSError):
            (self.folder / _CLOCK).touch()

    def _take_out_gap(self) -> None:
        """Move all last visits by the time since a server last ran, if that was long ago by the system clock.

        Nobody could visit while no server ran, and a clock that runs ahead must not end anybody's time.
        """
        visits = self._visits()
        try:
            known = (self.folder / _CLOCK).stat().st_mtime
        except OSError:
            known = max((when for when, _ in visits), default=math.inf)  # as in folders from before this file
        if (gap := time.time() - known) > MAX_GAP_SECONDS:
            for when, name in visits:
                self.visited(name)
                with suppress(OSError):
                    os.utime(self.folder / name / _SEEN, (when + gap, when + gap))
        self._keep_time()


def subfolders(folder: Path) -> list[Path]:
    """The folders in a folder, links excluded; empty if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _last_visit(folder: Path) -> float:
    """Time of a visitor's last visit; now, if the folder no longer exists."""
    for path in (folder / _SEEN, folder):
        try:
            return path.stat().st_mtime
        except OSError:
            continue
    return time.time()


def _size(folder: Path) -> int:
    """Total bytes of all files below a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # deleted meanwhile
                total += os.lstat(os.path.join(path, name)).st_size
    return total


def _clock() -> float:
    """The time of boot by the system clock: the same unless somebody sets that clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)  # with sleep, which Linux leaves out of `time.monotonic`
    return time.time() - (time.monotonic() if clock is None else time.clock_gettime(clock))

"""A lock on a folder: one server at a time, known to the others by its process."""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playground.runs.metadata import MAX_TIME

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

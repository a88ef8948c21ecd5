"""Which server owns the runs in a folder: one at a time. The system frees the lock when its owner ends, however."""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playground.runs.metadata import MAX_TIME

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

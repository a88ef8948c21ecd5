"""A lock on a folder: one server at a time, known to the others by its process."""

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from playground.runs.metadata import MAX_TIME


@dataclass(frozen=True)
class Owner:
    """The server process that holds a lock; zeros if unknown."""

    pid: int = 0
    started: float = 0.0  # seconds since the epoch


class FolderLock:
    """A lock on a file, held until `release` or the end of this process. Child processes do not inherit it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path, thread_local=False, fallback_to_soft=False)

    def acquire(self, seconds: float) -> Owner | None:
        """Wait up to `seconds` for the lock; return None once it is held here, else the current owner.

        Raises OSError if the file cannot be created or its file system has no locks.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(timeout=seconds)
        except Timeout:
            return self._owner()
        with suppress(OSError):  # on a full disk the owner stays unknown
            self.path.write_text(json.dumps({"pid": os.getpid(), "started": time.time()}), encoding="utf-8")
        return None

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()

    def _owner(self) -> Owner:
        try:
            with self.path.open("rb") as file:
                data = json.loads(file.read(200))
            owner = Owner(int(data["pid"]), float(data["started"]))
            return owner if 0 <= owner.started <= MAX_TIME else Owner()
        except (OSError, ValueError, KeyError, TypeError):
            return Owner()

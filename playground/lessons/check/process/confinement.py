"""Limits for code of somebody else: memory, time, environment, and an end for everything that it has started.

This is no sandbox: the code has the rights of the account that runs it. It can read and write that account's files, use
the network, and send signals to its processes. Where the kernel has no such limits (they are Linux's), only time is
limited.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_REPOSITORY = Path(__file__).resolve().parents[4]  # `playground.recording` would import torch

MEMORY_MB = 1000
"""Limit of the code that is checked."""

_DUMPABLE, _CHILD_SUBREAPER, _PARENT_DEATH_SIGNAL = 4, 36, 1  # of prctl(2)

_KEPT = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TMP", "TEMP"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    *("PYTHONHOME", "PYTHONUSERBASE", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
)
"""Environment variables that Python and its packages need; tokens and secrets are in others."""


def environment() -> dict[str, str]:
    """The environment of a process that runs code of somebody else."""
    paths = os.pathsep.join(filter(None, (str(_REPOSITORY), os.environ.get("PYTHONPATH"))))
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | {"PYTHONPATH": paths}


def supervise() -> None:
    """Adopt whatever descendants leave behind, and hide this process's memory and files from them; Linux only."""
    _prctl(_CHILD_SUBREAPER, 1)
    _prctl(_DUMPABLE, 0)


def hide() -> None:
    """Hide this process's environment, memory and files from others of the same account; Linux only."""
    _prctl(_DUMPABLE, 0)


def limit(megabytes: int, seconds: float) -> None:
    """Limit this process for good: memory and file size in addition to now, CPU time; it ends with its parent."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limits = {resource.RLIMIT_CPU: int(used.ru_utime + used.ru_stime + seconds) + 2, resource.RLIMIT_CORE: 0}
    limits[resource.RLIMIT_FSIZE] = megabytes * 1_000_000
    with suppress(OSError, StopIteration):
        taken = next(line for line in _status(os.getpid()) if line.startswith("VmSize"))
        limits[resource.RLIMIT_AS] = int(taken.split()[1]) * 1024 + megabytes * 1_000_000
    for kind, most in limits.items():
        with suppress(OSError, ValueError):  # a lower limit is there
            resource.setrlimit(kind, (most, most))


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Copies of standard input and output, which from now on are nothing."""
    own = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    return own


def memory(process: int) -> int:
    """Bytes that all descendants of a process use for themselves; 0 where that is unknown."""
    return sum(map(_own_bytes, _descendants(process)))


def end_with_descendants(process: subprocess.Popen[bytes]) -> None:
    """End a process and whatever it has started, also in sessions of their own."""
    end_descendants(process.pid)
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def end_descendants(process: int) -> None:
    """End all descendants of a process; new ones are looked for until there are none, at most for a few seconds."""
    until = time.monotonic() + 5
    while (left := [pid for pid in _descendants(process) if not _has_ended(pid)]) and time.monotonic() < until:
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _descendants(process: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    waiting = [process]
    while waiting:
        for child in children.get(waiting.pop(), []):
            waiting.append(child)
            yield child


def _has_ended(process: int) -> bool:
    try:
        return any(line.startswith("State:") and line.split()[1] in "ZX" for line in _status(process))
    except OSError:
        return True


def _own_bytes(process: int) -> int:
    with suppress(OSError):
        own = [line.split()[1] for line in _status(process) if line.startswith(("RssAnon", "RssShmem"))]
        return sum(map(int, own)) * 1024
    return 0


def _status(process: int) -> list[str]:
    return Path(f"/proc/{process}/status").read_text("ascii", "replace").splitlines()


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)

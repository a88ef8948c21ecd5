"""Files and folders that are written whole or not at all, and regular files that are opened without following links."""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from secrets import token_hex

from playground.common.errors import one_line, reason


class IrregularError(OSError):
    """A link, folder, pipe or device in place of a regular file."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "not a regular file")


def why_no_file(path: Path) -> str:
    """Why there is no file at a path, in a sentence; empty if there is one. A link leads to its file."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a name that no file can have
        return f"There is no file {one_line(path, 500)}."
    except OSError as error:
        return f"{path} could not be read: {reason(error)}."
    return "" if stat.S_ISREG(mode) else f"{path} is a {'folder' if stat.S_ISDIR(mode) else 'device'}, not a file."


@contextmanager
def open_regular(path: str | Path, *, write: bool = False, folder: int | None = None) -> Iterator[FileIO]:
    """Open a regular file unbuffered; `write` creates it if missing. `folder` is a descriptor that `path` starts from.

    Raises OSError, `IrregularError` for anything else: links lead elsewhere, pipes may block, devices may never end.
    """

    def opener(name: str, _flags: int) -> int:
        with suppress(FileNotFoundError):  # checked before opening, which may have effects on a device
            _require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False))
        flags = os.O_RDWR | os.O_CREAT if write else os.O_RDONLY
        for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):  # where the system has them
            flags |= getattr(os, flag, 0)
        return os.open(name, flags, 0o666, dir_fd=folder)

    with open(path, "r+b" if write else "rb", buffering=0, opener=opener) as file:
        _require_regular(os.fstat(file.fileno()))
        yield file


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise IrregularError


def rename_into_place(partial: Path, path: Path) -> None:
    """Rename a file or folder; it replaces a file or an empty folder. Raises OSError."""
    if partial.is_dir() and path.is_dir() and not path.is_symlink():
        path.rmdir()
    partial.replace(path)


@contextmanager
def written_beside(path: Path, put: Callable[[Path, Path], object] = rename_into_place) -> Iterator[Path]:
    """A new hidden path to write a file or folder at; at the end `put` renames it to `path`, if nothing was raised.

    What is left at the hidden path is deleted.
    """
    partial = path.with_name(f".{path.name[:40]}.{token_hex(4)}.partial")
    try:
        yield partial
        put(partial, path)
    finally:
        if partial.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
        else:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def create(path: Path, content: bytes, *, durable: bool = False, mode: int = 0o666) -> None:
    """Write a new file; `durable` also syncs it to the disk. Raises OSError."""
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())


def write_whole(path: Path, content: bytes, *, durable: bool = False, mode: int = 0o666) -> None:
    """Write a file whole or not at all, as `create` does."""
    with written_beside(path) as partial:
        create(partial, content, durable=durable, mode=mode)

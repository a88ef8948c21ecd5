"""The server's secret: what it signs with it, nobody else can make."""

import hashlib
import logging
import os
import secrets
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from itsdangerous import Signer

_log = logging.getLogger(__name__)
_NAME = "secret"
_BYTES = 32


@cache
def server_secret(folder: Path) -> bytes:
    """The 32 random bytes that belong to `folder`, the same for all servers on it and after every restart.

    The first call makes them, in a file that only this user can read. Where the folder can't be written, they last as
    long as the process.
    """
    path = folder / _NAME
    try:
        if not (kept := _read(path)):
            folder.mkdir(parents=True, exist_ok=True)
            _make(path)
            kept = _read(path)
    except OSError as error:
        _log.warning("The server's secret can't be kept: %s. Visitors lose their work when the server restarts.", error)
        kept = b""
    return kept or secrets.token_bytes(_BYTES)


def signer(folder: Path, purpose: str) -> Signer:
    """Signs texts with the secret of `folder`; what is signed for one purpose is worth nothing for another."""
    return Signer(server_secret(folder), salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256)


def _read(path: Path) -> bytes:
    """Empty where there is no secret, or a damaged one."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return b""
    return content if len(content) == _BYTES else b""


def _make(path: Path) -> None:
    """Puts a whole file in place; where another server was faster, its file stays. Raises OSError."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{_NAME}.")  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(name, path)  # unlike a rename, never over a file that has come meanwhile
        except OSError:  # there is a file, or the file system has no links
            if not _read(path):
                os.replace(name, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)

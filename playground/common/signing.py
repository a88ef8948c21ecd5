"""The server's secret, the key of its signatures."""

import hashlib
import logging
import os
import secrets
from functools import cache
from pathlib import Path

from itsdangerous import Signer

from playground.common.files import create, rename_into_place, written_beside

_log = logging.getLogger(__name__)
_NAME = "secret"
_BYTES = 32


@cache
def server_secret(folder: Path) -> bytes:
    """32 random bytes for `folder`, the same for all servers that use it and after restarts.

    The first call writes them to a file that only this user can read. If the folder isn't writable, they last as long
    as the process.
    """
    path = folder / _NAME
    try:
        if not (kept := _read(path)):
            folder.mkdir(parents=True, exist_ok=True)
            _make(path)
            kept = _read(path)
    except OSError as error:
        _log.warning("The server's secret can't be saved: %s. After a restart visitors lose their work.", error)
        kept = b""
    return kept or secrets.token_bytes(_BYTES)


def signer(folder: Path, purpose: str) -> Signer:
    """Signs texts with the secret of `folder`; a signature is valid for one purpose only."""
    return Signer(server_secret(folder), salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256)


def known_signer(folder: Path, purpose: str) -> Signer | None:
    """The same without making a secret: None if the folder has none."""
    return signer(folder, purpose) if _is_there(folder / _NAME) else None


def _read(path: Path) -> bytes:
    """The stored secret; empty if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return b""
    return content if len(content) == _BYTES else b""


def _is_there(path: Path) -> bool:
    try:
        return bool(_read(path))
    except OSError:
        return False


def _make(path: Path) -> None:
    """Create the file atomically; if another server was faster, its file stays. Raises OSError."""

    def put(partial: Path, path: Path) -> None:
        try:
            os.link(partial, path)  # unlike a rename, it never replaces an existing file
        except OSError:  # the file exists, or the file system has no links
            if not _read(path):
                rename_into_place(partial, path)

    with written_beside(path, put) as partial:
        create(partial, secrets.token_bytes(_BYTES), durable=True, mode=0o600)

"""A checkpoint as a zip file; sizes and names are checked before anything is unpacked."""

import io
import stat
import zipfile
import zlib
from pathlib import Path

from playground.common.errors import CheckpointError, one_line
from playground.settings.config import MAX_PARAMETERS
from playground.storage import validation
from playground.storage.validation import CARD, CONFIG, HISTORY, WEIGHTS, Folder

_MAX_FILE_BYTES = {
    CONFIG: validation.MAX_CONFIG_BYTES,
    WEIGHTS: 8 + validation.MAX_HEADER_BYTES + 4 * MAX_PARAMETERS,
    HISTORY: validation.MAX_HISTORY_BYTES,
    CARD: 64_000,
}

MAX_ZIP_BYTES = sum(_MAX_FILE_BYTES.values())
"""Maximum size of a checkpoint, packed or not."""

_ZIP_END = 22  # bytes of the end-of-archive record
_ZIP_DIRECTORY_BYTES = 16_000  # enough for four files and what a desktop adds


def as_zip(folder: Path) -> bytes:
    """Pack a checkpoint into an archive, in a folder of its name; raises `CheckpointError`."""
    buffer = io.BytesIO()
    with Folder(folder) as files, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, max_bytes in _MAX_FILE_BYTES.items():
            if files.holds(name):
                archive.writestr(f"{folder.name}/{name}", files.read(name, max_bytes))
    return buffer.getvalue()


def from_zip(content: bytes) -> dict[str, bytes]:
    """The files of a checkpoint by name, from an archive with them in one folder or at its root.

    Checks sizes and names before it unpacks anything. `Library.add` checks the content. Raises `CheckpointError`.
    """
    try:
        _check_zip_directory(content)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: _unpacked(archive, info, name) for name, info in _zip_members(archive).items()}
    except CheckpointError:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise CheckpointError(f"This zip file is damaged: {one_line(error)}.") from error


def _check_zip_directory(content: bytes) -> None:
    """Raises `CheckpointError` unless the archive's directory, which zipfile reads at once, is small."""
    end = content[-_ZIP_END:]
    if not content.startswith(b"PK") or not end.startswith(b"PK\5\6") or content[-42:-38] == b"PK\6\7":
        raise CheckpointError("This isn't a checkpoint.", "Choose a .zip made by Download.")
    if int.from_bytes(end[12:16], "little") > _ZIP_DIRECTORY_BYTES:
        raise CheckpointError(f"This zip file contains more than the {len(_MAX_FILE_BYTES)} files of a checkpoint.")


def _zip_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files of the checkpoint by name; raises `CheckpointError` for anything else in the archive."""
    members: dict[str, zipfile.ZipInfo] = {}
    folders = set()
    for info in archive.infolist():
        folder, slash, name = info.orig_filename.rpartition("/")
        if folder.startswith("__MACOSX") or name == ".DS_Store":
            continue  # added by macOS
        deeper = "/" in folder or folder in (".", "..") or bool(slash and not folder)
        if deeper or name not in (*_MAX_FILE_BYTES, ""):
            raise CheckpointError(
                f"This zip file contains {one_line(info.orig_filename, 60)}.",
                f"It may contain only {', '.join(_MAX_FILE_BYTES)}, at the root or in one folder.",
            )
        folders.add(folder)
        if len(folders) > 1:
            raise CheckpointError("This zip file has files in more than one folder.", "A checkpoint is one folder.")
        if not name:
            continue
        if name in members:
            raise CheckpointError(f"This zip file contains {name} twice.")
        if info.flag_bits & 1:
            raise CheckpointError(f"{name} is encrypted in this zip file.", "Pack it without a password.")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise CheckpointError(
                f"{name} in this zip file is not a regular file.", "Pack the checkpoint folder without links."
            )
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise CheckpointError(f"{name} uses an unsupported compression.", "Use deflate.")
        if info.file_size > _MAX_FILE_BYTES[name]:
            raise CheckpointError(f"{name} is larger than the limit of {_MAX_FILE_BYTES[name]:,} bytes.")
        members[name] = info
    for name in (CONFIG, WEIGHTS):
        if name not in members:
            raise CheckpointError(f"This zip file is not a checkpoint: {name} is missing.")
    return members


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    with archive.open(info) as file:
        content = file.read(info.file_size + 1)  # it may unpack to more than its header says
    if len(content) != info.file_size:
        raise CheckpointError(f"This zip file is damaged: {name} does not have the size in its header.")
    return content

"""A checkpoint as one zip file, for download and upload: sizes and names are checked before anything is unpacked."""

import io
import stat
import zipfile
import zlib
from pathlib import Path

from playground.config import MAX_PARAMETERS
from playground.errors import CheckpointError, one_line
from playground.storage import validation
from playground.storage.validation import CARD, CONFIG, HISTORY, WEIGHTS, Folder

_MAX_FILE_BYTES = {
    CONFIG: validation.MAX_CONFIG_BYTES,
    WEIGHTS: 8 + validation.MAX_HEADER_BYTES + 4 * MAX_PARAMETERS,
    HISTORY: validation.MAX_HISTORY_BYTES,
    CARD: 64_000,
}

MAX_ZIP_BYTES = sum(_MAX_FILE_BYTES.values())
"""No checkpoint is larger, packed or not."""

_ZIP_END = 22  # bytes of the record that ends an archive
_ZIP_DIRECTORY_BYTES = 16_000  # room for the names of four files, and for what a desktop adds to them


def as_zip(folder: Path) -> bytes:
    """The files of a checkpoint in one archive, in a folder of its name; raises `CheckpointError`."""
    buffer = io.BytesIO()
    with Folder(folder) as files, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, most in _MAX_FILE_BYTES.items():
            if files.holds(name):
                archive.writestr(f"{folder.name}/{name}", files.read(name, most))
    return buffer.getvalue()


def from_zip(content: bytes) -> dict[str, bytes]:
    """The files of a checkpoint in an archive as `as_zip` makes it, or with the files at its root.

    Looks at sizes and names before anything is unpacked, and unpacks no more than a checkpoint may have. What is in
    the files is for `Library.add`. Raises `CheckpointError`.
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
    """Raises `CheckpointError` unless what zipfile reads at once, the list of files, is small."""
    end = content[-_ZIP_END:]
    if not content.startswith(b"PK") or not end.startswith(b"PK\5\6") or content[-42:-38] == b"PK\6\7":
        raise CheckpointError("This is no zip file of a checkpoint.", "The Download button of a checkpoint makes one.")
    if int.from_bytes(end[12:16], "little") > _ZIP_DIRECTORY_BYTES:
        raise CheckpointError(f"This zip file holds more than the {len(_MAX_FILE_BYTES)} files of a checkpoint.")


def _zip_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files of the checkpoint by name; raises `CheckpointError` for anything else that is in the archive."""
    found: dict[str, zipfile.ZipInfo] = {}
    folders = set()
    for info in archive.infolist():
        folder, slash, name = info.orig_filename.rpartition("/")
        if folder.startswith("__MACOSX") or name == ".DS_Store":
            continue  # what a desktop puts beside the files
        deeper = "/" in folder or folder in (".", "..") or bool(slash and not folder)
        if deeper or name not in (*_MAX_FILE_BYTES, ""):
            raise CheckpointError(
                f"This zip file holds {one_line(info.orig_filename, 60)}.",
                f"Only {', '.join(_MAX_FILE_BYTES)} may be in it, at the root or in one folder.",
            )
        folders.add(folder)
        if len(folders) > 1:
            raise CheckpointError("This zip file holds files in more than one folder.", "A checkpoint is one folder.")
        if not name:
            continue
        if name in found:
            raise CheckpointError(f"This zip file holds {name} twice.")
        if info.flag_bits & 1:
            raise CheckpointError(f"{name} is encrypted in this zip file.", "Pack it without a password.")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            raise CheckpointError(
                f"{name} is no plain file in this zip file, which everything in a checkpoint must be."
            )
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise CheckpointError(f"{name} is packed in a way that is not read here.", "Use the usual one, deflate.")
        if info.file_size > _MAX_FILE_BYTES[name]:
            raise CheckpointError(f"{name} is larger than the {_MAX_FILE_BYTES[name]:,} bytes it may have.")
        found[name] = info
    for name in (CONFIG, WEIGHTS):
        if name not in found:
            raise CheckpointError(f"This zip file is no checkpoint: {name} is missing.")
    return found


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    with archive.open(info) as file:
        content = file.read(info.file_size + 1)  # what it really unpacks to may be more than it says
    if len(content) != info.file_size:
        raise CheckpointError(f"This zip file is damaged: {name} has another size than it tells.")
    return content

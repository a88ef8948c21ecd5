"""The cache of downloaded files that all programs of the Hub share, in the layout of the Hub's own library.

`models--owner--name/blobs/HASH` holds a file, `snapshots/COMMIT/NAME` is a link to it, and `refs/REVISION` says which
commit a branch or a tag was at.
"""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from huggingface_hub import try_to_load_from_cache
from huggingface_hub.hf_api import RepoSibling

from playground.errors import HubError
from playground.hub.reference import Reference
from playground.storage.validation import WEIGHTS

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def hash_of(file: RepoSibling) -> str:
    """The hash under which a cache keeps a file: SHA-256 of a large one, git's SHA-1 of another."""
    known = file.lfs.sha256 if file.lfs else file.blob_id
    if not known or not _HASH.fullmatch(known):
        raise ValueError
    return known


def folder(cache_dir: Path, repo_id: str, commit: str) -> Path:
    """Where the files of a commit are."""
    return _store(cache_dir, repo_id) / "snapshots" / commit


def cached(reference: Reference, cache_dir: Path) -> Path | None:
    """The folder of this revision in a cache, without asking the Hub; what is in it is unchecked."""
    found = try_to_load_from_cache(reference.repo_id, WEIGHTS, cache_dir, reference.revision)
    return Path(found).parent if isinstance(found, str) else None


@contextmanager
def incoming(cache_dir: Path, repo_id: str, known: str, size: int) -> Iterator[Callable[[bytes], int]]:
    """Writes a file of this hash and size to the cache; if it is another, or not whole, nothing of it stays.

    Raises `HubError` for a file that is another.
    """
    blobs = _store(cache_dir, repo_id) / "blobs"
    blobs.mkdir(parents=True, exist_ok=True)
    part = blobs / f"{known}.{token_hex(4)}.incomplete"
    digest = hashlib.sha256() if len(known) == 64 else hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    try:
        with part.open("xb") as file:

            def write(chunk: bytes) -> int:
                digest.update(chunk)
                return file.write(chunk)

            yield write
        if digest.hexdigest() != known:
            raise HubError("cut", f"A file of {repo_id} did not arrive as the Hub lists it.", "Try again.")
        part.replace(blobs / known)
    finally:
        part.unlink(missing_ok=True)


def link(cache_dir: Path, repo_id: str, commit: str, name: str, known: str) -> bool:
    """Links the file of this hash into the folder of a commit; False if the cache does not have it."""
    store = _store(cache_dir, repo_id)
    blob, place = store / "blobs" / known, store / "snapshots" / commit / name
    if not blob.exists():
        return False
    if place.exists() and place.samefile(blob):
        return True  # also where nothing can be written
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{name}.{token_hex(4)}")
    try:
        try:
            part.symlink_to(Path("../../blobs") / known)
        except OSError:  # a system without links
            shutil.copyfile(blob, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return True


def note_revision(cache_dir: Path, repo_id: str, revision: str, commit: str) -> None:
    """Notes which commit a branch or a tag is at, so that its name is understood without the Hub."""
    note = _store(cache_dir, repo_id) / "refs" / revision
    with suppress(OSError):  # the files are there all the same
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(commit)


def _store(cache_dir: Path, repo_id: str) -> Path:
    owner, name = repo_id.split("/")
    return cache_dir / f"models--{owner}--{name}"

"""The download cache in the layout of `huggingface_hub`, which other programs share.

`models--owner--name/blobs/HASH` is a file, `snapshots/COMMIT/NAME` a link to it, and `refs/REVISION` contains the
commit of a branch or tag.
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
    """The hash of a file in the cache: SHA-256 for large files, git's SHA-1 for others."""
    known = file.lfs.sha256 if file.lfs else file.blob_id
    if not known or not _HASH.fullmatch(known):
        raise ValueError
    return known


def folder(cache_dir: Path, repo_id: str, commit: str) -> Path:
    """The folder of a commit's files."""
    return _store(cache_dir, repo_id) / "snapshots" / commit


def cached(reference: Reference, cache_dir: Path) -> Path | None:
    """The folder of a revision in the cache, without a call to the Hub; its files are not validated."""
    found = try_to_load_from_cache(reference.repo_id, WEIGHTS, cache_dir, reference.revision)
    return Path(found).parent if isinstance(found, str) else None


@contextmanager
def incoming(cache_dir: Path, repo_id: str, known: str, size: int) -> Iterator[Callable[[bytes], int]]:
    """Write a file with this hash and size to the cache; an incomplete or different file is deleted.

    Raises `HubError` for a different file.
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
            raise HubError("cut", f"A downloaded file of {repo_id} has the wrong hash.", "Try again.")
        part.replace(blobs / known)
    finally:
        part.unlink(missing_ok=True)


def link(cache_dir: Path, repo_id: str, commit: str, name: str, known: str) -> bool:
    """Link the file with this hash into the folder of a commit; False if it is not in the cache."""
    store = _store(cache_dir, repo_id)
    blob, target = store / "blobs" / known, store / "snapshots" / commit / name
    if not blob.exists():
        return False
    if target.exists() and target.samefile(blob):
        return True  # also if the cache is read-only
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{name}.{token_hex(4)}")
    try:
        try:
            part.symlink_to(Path("../../blobs") / known)
        except OSError:  # links are not supported
            shutil.copyfile(blob, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return True


def write_ref(cache_dir: Path, repo_id: str, revision: str, commit: str) -> None:
    """Store the commit of a branch or tag, so that it can be resolved offline."""
    ref = _store(cache_dir, repo_id) / "refs" / revision
    with suppress(OSError):  # the files are usable without it
        ref.parent.mkdir(parents=True, exist_ok=True)
        ref.write_text(commit, "ascii")


def _store(cache_dir: Path, repo_id: str) -> Path:
    owner, name = repo_id.split("/")
    return cache_dir / f"models--{owner}--{name}"

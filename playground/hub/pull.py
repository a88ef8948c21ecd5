"""From the Hub to here: what a repository holds is seen and checked before anything of it is downloaded."""

import io
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from playground.config import max_steps, parameter_shapes
from playground.errors import UNREACHABLE, CheckpointError, HubError, one_line, reason
from playground.hub import api, cache
from playground.hub.api import Commit
from playground.hub.client import Session, Token, calling
from playground.hub.jobs import Tell, silent
from playground.hub.reference import Reference
from playground.storage import checkpoint, validation
from playground.storage.card import card_of
from playground.storage.library import Library
from playground.storage.validation import CARD, COMMIT, CONFIG, HISTORY, REPO_ID, WEIGHTS, Origin, Summary

FILES = (CONFIG, WEIGHTS, HISTORY)
"""All that is ever downloaded of a repository."""

_LOOK_SECONDS = 60.0  # for what one model is: three requests
_MAX_NAMES = 200  # of a repository's files that are listed
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib")


@dataclass(frozen=True)
class Listing:
    """What a repository holds at one commit, as far as it can be known without downloading it."""

    repo_id: str
    revision: str | None  # as it was asked for
    commit: str  # 40 hexadecimal digits
    modified: float | None  # seconds since the epoch
    private: bool
    gated: bool
    downloads: int
    likes: int
    files: dict[str, int] = field(repr=False)  # bytes by name; names are text from anyone
    hashes: dict[str, str] = field(repr=False)  # of what would be downloaded: SHA-256 of large files, git's of others
    bytes: int  # of what would be downloaded
    summary: Summary | None
    problem: str  # why it cannot be used, in one sentence; empty if it can
    url: str

    @property
    def origin(self) -> Origin:
        """What a checkpoint pulled from here remembers."""
        return Origin(self.repo_id, self.commit)


@dataclass(frozen=True)
class Pulled:
    """A model of the Hub that is in the library now."""

    name: str  # in the library
    origin: Origin
    cached: bool  # it was there before; nothing was downloaded
    told: str  # what was done, in a sentence


def look(reference: Reference, token: Token) -> Listing:
    """What the repository holds at one commit, and whether it can be used here.

    Raises `HubError` for a call that fails; a repository that cannot be used is a `Listing` with its `problem`.
    """
    summary, problem = None, ""
    try:
        with calling(reference.repo_id, token, seconds=_LOOK_SECONDS) as hub:
            info = api.model_info(hub, reference.repo_id, reference.revision)
            repo_id, commit = info.id, info.sha or ""
            if not REPO_ID.fullmatch(repo_id) or not COMMIT.fullmatch(commit):
                raise ValueError
            found = {each.rfilename: each for each in info.siblings or []}
            known = {name: found[name].size for name in (*FILES, CARD) if name in found}
            others = [name for name in found if name not in known]
            listed = known | {name: found[name].size for name in others[:_MAX_NAMES]}
            files = {one_line(name, 200): int(size or 0) for name, size in listed.items()}
            hashes = {name: cache.hash_of(found[name]) for name in FILES if name in found}
            try:
                _check_names(list(found), repo_id)
                summary = _summary(hub, repo_id, commit, known)
                _check_files(hub, repo_id, commit, known, summary)
            except CheckpointError as error:
                problem = str(error)
    except HubError as error:
        if error.kind != "revision":
            raise
        raise error.after(problem=f"{reference.repo_id} has no revision {reference.revision}.") from None
    return Listing(
        repo_id=repo_id,
        revision=reference.revision,
        commit=commit,
        modified=info.last_modified.timestamp() if info.last_modified else None,
        private=bool(info.private),
        gated=bool(info.gated),
        downloads=_whole(info.downloads),
        likes=_whole(info.likes),
        files=files,
        hashes=hashes,
        bytes=sum(int(known[name] or 0) for name in FILES if name in known),
        summary=summary,
        problem=problem,
        url=Reference(repo_id, commit).url,
    )


def commits(repo_id: str, revision: str | None, token: Token, limit: int = 20) -> list[Commit]:
    """The newest commits up to `revision`, the newest first; raises `HubError`."""
    with calling(repo_id, token, seconds=30) as hub:
        return api.commits(hub, repo_id, revision or "main", limit)


def branches(repo_id: str, token: Token) -> list[str]:
    """Branches, then tags, by name; raises `HubError`."""
    with calling(repo_id, token, seconds=30) as hub:
        refs = api.refs(hub, repo_id)
        return [*refs.branches, *refs.tags]


def newer(origin: Origin, token: Token) -> Commit | None:
    """The newest commit of the default branch, if it is another than the one this came from; raises `HubError`."""
    newest = commits(origin.repo_id, None, token, limit=1)
    return newest[0] if newest and newest[0].id != origin.revision else None


def fetch(
    listing: Listing,
    token: Token,
    cache_dir: Path,
    *,
    tell: Tell = silent,
    force_download: bool = False,
) -> Path:
    """Downloads what a listing has found good into a cache of the Hub's layout; the folder with its files.

    They are links to files of the cache; read them with `links_into=cache_dir`. Raises `HubError`.
    """
    if listing.problem:
        raise HubError("refused", listing.problem)
    before = 0

    def count(received: int) -> None:
        tell("Downloading", min(1.0, (before + received) / max(listing.bytes, 1)))

    for name in FILES:
        if name in listing.files:
            _download(listing, name, token, cache_dir, count, force_download)
            before += listing.files[name]
    folder = cache.folder(cache_dir, listing.repo_id, listing.commit)
    check(folder, cache_dir, listing.repo_id)
    if listing.revision != listing.commit:
        cache.note_revision(cache_dir, listing.repo_id, listing.revision or "main", listing.commit)
    return folder


def check(folder: Path, cache_dir: Path, repo_id: str) -> None:
    """Raises `HubError` unless the files of a cache are, to the last value, those of a checkpoint.

    Also for files that were there before: what is refused with the Hub is refused without it.
    """
    try:
        checkpoint.check(folder, links_into=cache_dir, label=Path(repo_id))
        for _record in checkpoint.read_history(folder, links_into=cache_dir, label=Path(repo_id)):
            pass
    except CheckpointError as error:
        raise HubError.of(error) from None


def as_checkpoint(folder: Path, cache_dir: Path, origin: Origin) -> dict[str, bytes]:
    """What `fetch` brought as the files of a checkpoint: its config tells where it came from, and its card is ours.

    Raises `HubError`.
    """
    try:
        with validation.Folder(folder, cache_dir, Path(origin.repo_id)) as files:
            content = files.read(CONFIG, validation.MAX_CONFIG_BYTES)
            summary = validation.parse_config(content, Path(CONFIG))
            weights = files.read(WEIGHTS, validation.max_weight_bytes(parameter_shapes(summary.config)))
            history = files.read(HISTORY, validation.MAX_HISTORY_BYTES) if files.holds(HISTORY) else None
    except CheckpointError as error:
        raise HubError.of(error) from None
    header = json.loads(content) | {"origin": {"repo_id": origin.repo_id, "revision": origin.revision}}
    card = card_of(replace(summary, origin=origin)).encode()
    made = {CONFIG: json.dumps(header, indent=2).encode() + b"\n", WEIGHTS: weights, CARD: card}
    return made | ({HISTORY: history} if history is not None else {})


def held(library: Library, reference: Reference) -> tuple[str, Origin] | None:
    """The newest checkpoint of a library that was pulled from there; of that commit, where the revision is one."""
    for entry in library.entries():
        origin = entry.summary.origin if entry.summary else None
        if origin and origin.repo_id == reference.repo_id:
            commit = reference.revision if reference.revision and COMMIT.fullmatch(reference.revision) else None
            if commit in (None, origin.revision):
                return entry.name, origin
    return None


def pull(
    reference: Reference, library: Library, token: Token, *, tell: Tell = silent, listing: Listing | None = None
) -> Pulled:
    """Puts a model of the Hub into a library, or finds it there; `listing` is what `look` found, if it was asked.

    Raises `HubError`; then the library is as it was.
    """
    if reference.revision and COMMIT.fullmatch(reference.revision) and (found := held(library, reference)):
        return Pulled(*found, cached=True, told=f"{found[0]} in your library is this very commit.")
    if listing is None:
        tell("Looking at it", None)
        try:
            listing = look(reference, token)
        except HubError as error:
            found = held(library, reference) if error.kind in UNREACHABLE else None
            if found is None:
                raise
            name, origin = found
            told = f"{error.problem} This is {name} from your library: {origin.repo_id} at {origin.short}."
            return Pulled(name, origin, cached=True, told=told)
    if found := held(library, Reference(listing.repo_id, listing.commit)):
        return Pulled(*found, cached=True, told=f"{found[0]} in your library is this very commit.")
    try:
        library.root.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".pull.", suffix=".partial", dir=library.root))
    except OSError as error:
        raise HubError("disk", f"{listing.repo_id} could not be saved: {reason(error)}.") from None
    try:
        files = as_checkpoint(fetch(listing, token, place, tell=tell), place, listing.origin)
    finally:
        shutil.rmtree(place, ignore_errors=True)  # before it is kept: both would count against the quota
    tell("Keeping it", None)
    name = _keep(library, listing, files)
    return Pulled(
        name,
        listing.origin,
        cached=False,
        told=f"{listing.repo_id} at {listing.origin.short} is {name} in your library.",
    )


# --- before the download --------------------------------------------------------------------------


def _check_names(found: list[str], repo_id: str) -> None:
    if WEIGHTS not in found:
        pickle = next((name for name in found if name.endswith(_PICKLES)), None)
        why = f"; {one_line(pickle, 60)} is a pickle, which could run anything and is never opened" if pickle else ""
        raise CheckpointError(f"{repo_id} has no {WEIGHTS}{why}.")
    if CONFIG not in found:
        raise CheckpointError(f"{repo_id} has no {CONFIG}, so nobody can tell what its weights belong to.")


def _summary(hub: Session, repo_id: str, commit: str, sizes: dict[str, Any]) -> Summary:
    path = Path(repo_id) / CONFIG
    if type(sizes[CONFIG]) is not int or sizes[CONFIG] > validation.MAX_CONFIG_BYTES:
        raise CheckpointError(f"{path} is larger than the {validation.MAX_CONFIG_BYTES:,} bytes it may have.")
    # One more than allowed: should the size told be a lie, validation sees it.
    return validation.parse_config(_beginning(hub, repo_id, commit, CONFIG, validation.MAX_CONFIG_BYTES + 1), path)


def _check_files(hub: Session, repo_id: str, commit: str, sizes: dict[str, Any], summary: Summary) -> None:
    """Size and header of the weights against the config, and the size of the history; raises `CheckpointError`."""
    shapes = parameter_shapes(summary.config)
    limits = {
        WEIGHTS: validation.max_weight_bytes(shapes),
        HISTORY: validation.max_history_bytes(max_steps(summary.config, summary.changes)),
    }
    for name, most in limits.items():
        if name in sizes and (type(sizes[name]) is not int or sizes[name] > most):
            told = f"{sizes[name]:,} bytes" if type(sizes[name]) is int else "no size"
            raise CheckpointError(f"{Path(repo_id) / name} has {told}; for these settings it may have {most:,}.")
    start = _beginning(hub, repo_id, commit, WEIGHTS, 8 + validation.max_header_bytes(shapes))
    validation.check_header(io.BytesIO(start), sizes[WEIGHTS], shapes, Path(repo_id) / WEIGHTS)


def _beginning(hub: Session, repo_id: str, commit: str, name: str, most: int) -> bytes:
    """The first `most` bytes of a file, or all of it; raises as `calling` does."""
    content = bytearray()
    headers = {"Range": f"bytes=0-{most - 1}", "Accept-Encoding": "identity"}
    with hub.request("GET", api.file_path(repo_id, commit, name), headers=headers) as answer:
        for chunk in answer.iter_bytes():
            content += chunk
            if len(content) >= most:
                break
    return bytes(content[:most])


# --- the download ---------------------------------------------------------------------------------


def _download(
    listing: Listing, name: str, token: Token, cache_dir: Path, count: Callable[[int], None], force: bool
) -> None:
    """Puts a file into the cache unless it is there; `count` is told how many bytes have come."""
    for last in (False, True):  # what broke off in the middle is begun once more
        try:
            with calling(listing.repo_id, token, size=listing.files[name]) as hub:
                _receive(hub, listing, name, cache_dir, count, force)
                return
        except HubError as error:
            if error.kind != "cut" or last:
                raise


def _receive(
    hub: Session, listing: Listing, name: str, cache_dir: Path, count: Callable[[int], None], force: bool
) -> None:
    repo_id, commit, size, known = listing.repo_id, listing.commit, listing.files[name], listing.hashes[name]
    if not force and cache.link(cache_dir, repo_id, commit, name, known):
        count(size)
        return
    received, headers = 0, {"Accept-Encoding": "identity"}
    with (
        hub.request("GET", api.file_path(repo_id, commit, name), headers=headers) as answer,
        cache.incoming(cache_dir, repo_id, known, size) as write,
    ):
        for chunk in hub.chunks(answer, size):
            write(chunk)
            received += len(chunk)
            count(received)
    cache.link(cache_dir, repo_id, commit, name, known)


def _keep(library: Library, listing: Listing, files: dict[str, bytes]) -> str:
    """Adds the files to the library under the repository's name, or the next one that is free."""
    try:
        return library.add(listing.repo_id.split("/")[1], files)
    except CheckpointError as error:
        raise HubError.of(error) from None


def _whole(number: object) -> int:
    return number if type(number) is int else 0

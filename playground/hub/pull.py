"""Pull a model from the Hub: a repository is checked before anything is downloaded."""

import io
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from huggingface_hub import HfApi, ModelInfo, hf_hub_url
from huggingface_hub.utils import hf_raise_for_status, http_stream_backoff, paginate, silent_tqdm

from playground.common.errors import UNREACHABLE, CheckpointError, HubError, one_line, reason
from playground.hub.calls import Token, endpoint, headers, hub_call
from playground.hub.jobs import OnProgress, no_progress
from playground.hub.reference import Reference
from playground.settings.config import parameter_shapes
from playground.storage import checkpoint, validation
from playground.storage.card import card_of
from playground.storage.library import Library
from playground.storage.validation import CARD, COMMIT, CONFIG, HISTORY, REPO_ID, WEIGHTS, Origin, Summary

FILES = (CONFIG, WEIGHTS, HISTORY)
"""The only files downloaded from a repository."""

_INSPECT_SECONDS = 60.0  # for three requests
_MAX_NAMES = 200  # listed files of a repository
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib")


@dataclass(frozen=True)
class Commit:
    """A commit on the Hub; its texts may come from anyone."""

    id: str  # 40 hexadecimal digits
    title: str
    authors: tuple[str, ...]
    date: float | None  # seconds since the epoch


@dataclass(frozen=True)
class Listing:
    """The content of a repository at one commit, as known without downloading it."""

    repo_id: str
    commit: str  # 40 hexadecimal digits; empty if the Hub says another
    modified: float | None  # seconds since the epoch
    private: bool
    gated: bool
    downloads: int
    likes: int
    url: str
    revision: str | None = None  # as requested
    files: dict[str, int] = field(default_factory=dict, repr=False)  # name -> bytes; names may come from anyone
    bytes: int = 0  # size of the download
    summary: Summary | None = None
    problem: str = ""  # why it cannot be used; empty if it can

    @classmethod
    def of(cls, info: ModelInfo, **known: Any) -> "Listing":
        """The listing from the Hub's description of a repository and other `known` fields."""
        repo_id, commit = str(info.id), str(info.sha) if COMMIT.fullmatch(str(info.sha)) else ""
        return cls(
            repo_id=one_line(repo_id, 200),
            commit=commit,
            modified=info.last_modified.timestamp() if info.last_modified else None,
            private=bool(info.private),
            gated=bool(info.gated),
            downloads=_whole(info.downloads),
            likes=_whole(info.likes),
            url=Reference(repo_id, commit or None).url if REPO_ID.fullmatch(repo_id) else endpoint(),
            **known,
        )

    @property
    def origin(self) -> Origin:
        """The origin to store in a pulled checkpoint."""
        return Origin(self.repo_id, self.commit)


@dataclass(frozen=True)
class Pulled:
    """The result of a pull."""

    name: str  # in the library
    origin: Origin
    cached: bool  # it was in the library before; nothing was downloaded
    message: str  # what was done, one sentence


def inspect_repo(reference: Reference, token: Token) -> Listing:
    """The content of a repository at one commit, and whether it can be used here.

    Raises `HubError` for failed calls. A repository that cannot be used is a `Listing` with a `problem`.
    """
    summary, problem = None, ""
    try:
        with hub_call(reference.repo_id, token, seconds=_INSPECT_SECONDS) as hub:
            info = hub.model_info(reference.repo_id, revision=reference.revision, files_metadata=True)
            repo_id, commit = info.id, info.sha or ""
            if not REPO_ID.fullmatch(repo_id) or not COMMIT.fullmatch(commit):
                raise ValueError
            siblings = {sibling.rfilename: sibling for sibling in info.siblings or []}
            known = {name: siblings[name].size for name in (*FILES, CARD) if name in siblings}
            others = [name for name in siblings if name not in known]
            listed = known | {name: siblings[name].size for name in others[:_MAX_NAMES]}
            files = {one_line(name, 200): int(size or 0) for name, size in listed.items()}
            try:
                _check_names(list(siblings), repo_id)
                summary = _summary(hub, repo_id, commit, known)
                _check_files(hub, repo_id, commit, known, summary)
            except CheckpointError as error:
                problem = str(error)
    except HubError as error:
        if error.kind != "revision":
            raise
        raise error.after(problem=f"{reference.repo_id} has no revision {reference.revision}.") from None
    size = sum(int(known[name] or 0) for name in FILES if name in known)
    return Listing.of(info, revision=reference.revision, files=files, bytes=size, summary=summary, problem=problem)


def commits(repo_id: str, revision: str | None, token: Token, limit: int = 20) -> list[Commit]:
    """The newest commits up to `revision`, newest first; raises `HubError`."""
    with hub_call(repo_id, token, seconds=30) as hub:
        # HfApi.list_repo_commits would request all pages.
        url = f"{hub.endpoint}/api/models/{repo_id}/commits/{quote(revision or 'main', safe='')}"
        return [_commit(item) for item in islice(paginate(url, {"limit": limit}, headers(hub)), limit)]


def branches(repo_id: str, token: Token) -> list[str]:
    """Branches, then tags, by name; raises `HubError`."""
    with hub_call(repo_id, token, seconds=30) as hub:
        refs = hub.list_repo_refs(repo_id)
        return [ref.name for ref in (*refs.branches, *refs.tags)]


def newer(origin: Origin, token: Token) -> Commit | None:
    """The newest commit of the default branch, if it differs from the origin's; raises `HubError`."""
    newest = commits(origin.repo_id, None, token, limit=1)
    return newest[0] if newest and newest[0].id != origin.revision else None


def fetch(
    listing: Listing,
    token: Token,
    cache_dir: Path,
    *,
    on_progress: OnProgress = no_progress,
    force_download: bool = False,
) -> Path:
    """Download a valid listing's files into a cache in the Hub's layout; return their folder.

    The files are links into the cache; read them with `links_into=cache_dir`. Raises `HubError`.
    """
    if listing.problem:
        raise HubError("refused", listing.problem)
    before, folder = 0, cache_dir

    def count(received: int) -> None:
        on_progress("Downloading", min(1.0, (before + received) / max(listing.bytes, 1)))

    for name in FILES:
        if name in listing.files:
            folder = _download(listing, name, token, cache_dir, count, force_download).parent
            before += listing.files[name]
            count(0)
    check(folder, cache_dir, listing.repo_id)
    return folder


def check(folder: Path, cache_dir: Path, repo_id: str) -> None:
    """Raises `HubError` unless the cached files are a valid checkpoint, including all weights and records.

    Applies to downloaded and earlier cached files alike.
    """
    try:
        checkpoint.check(folder, links_into=cache_dir, label=Path(repo_id), history=True)
    except CheckpointError as error:
        raise HubError.of(error) from None


def as_checkpoint(folder: Path, cache_dir: Path, origin: Origin) -> dict[str, bytes]:
    """Fetched files as those of a checkpoint, with the origin in its config and a generated card.

    Raises `HubError`.
    """
    try:
        with validation.Folder(folder, cache_dir, Path(origin.repo_id)) as files:
            summary, content = files.contents(origin)
    except CheckpointError as error:
        raise HubError.of(error) from None
    return content | {CARD: card_of(replace(summary, origin=origin)).encode()}


def held(library: Library, reference: Reference) -> tuple[str, Origin] | None:
    """The newest checkpoint in a library pulled from this repository and, if the revision is a commit, that commit."""
    for entry in library.entries():
        origin = entry.summary.origin if entry.summary else None
        if origin and origin.repo_id == reference.repo_id:
            commit = reference.revision if reference.revision and COMMIT.fullmatch(reference.revision) else None
            if commit in (None, origin.revision):
                return entry.name, origin
    return None


def pull(
    reference: Reference,
    library: Library,
    token: Token,
    *,
    on_progress: OnProgress = no_progress,
    listing: Listing | None = None,
) -> Pulled:
    """Pull a model into a library, or find it there; `listing` is the result of `inspect_repo`, if known.

    Raises `HubError`; then the library is unchanged.
    """

    def there(commit: Reference) -> Pulled | None:
        found = held(library, commit)
        return found and Pulled(*found, cached=True, message=f"This commit is already in your library as {found[0]}.")

    if reference.revision and COMMIT.fullmatch(reference.revision) and (pulled := there(reference)):
        return pulled
    if listing is None:
        on_progress("Checking the model", None)
        try:
            listing = inspect_repo(reference, token)
        except HubError as error:
            found = held(library, reference) if error.kind in UNREACHABLE else None
            if found is None:
                raise
            name, origin = found
            message = f"{error.problem} Using {name} from your library: {origin.repo_id} at {origin.short}."
            return Pulled(name, origin, cached=True, message=message)
    if pulled := there(Reference(listing.repo_id, listing.commit)):
        return pulled
    try:
        library.root.mkdir(parents=True, exist_ok=True)
        download = Path(tempfile.mkdtemp(prefix=".pull.", suffix=".partial", dir=library.root))
    except OSError as error:
        raise HubError("disk", f"{listing.repo_id} could not be saved: {reason(error)}.") from None
    try:
        files = as_checkpoint(fetch(listing, token, download, on_progress=on_progress), download, listing.origin)
    finally:
        shutil.rmtree(download, ignore_errors=True)  # before saving: both would count towards the quota
    on_progress("Saving", None)
    name = _keep(library, listing, files)
    return Pulled(
        name,
        listing.origin,
        cached=False,
        message=f"Pulled {listing.repo_id} at {listing.origin.short} as {name}.",
    )


# --- before the download --------------------------------------------------------------------------


def _check_names(found: list[str], repo_id: str) -> None:
    if WEIGHTS not in found:
        pickle = next((name for name in found if name.endswith(_PICKLES)), None)
        why = f" {one_line(pickle, 60)} is a pickle file, which can run code and is never opened." if pickle else ""
        raise CheckpointError(f"{repo_id} has no {WEIGHTS}.{why}")
    if CONFIG not in found:
        raise CheckpointError(f"{repo_id} has no {CONFIG}, so the architecture of its weights is unknown.")


def _summary(hub: HfApi, repo_id: str, commit: str, sizes: dict[str, Any]) -> Summary:
    path = Path(repo_id) / CONFIG
    if type(sizes[CONFIG]) is not int or sizes[CONFIG] > validation.MAX_CONFIG_BYTES:
        raise CheckpointError(f"{path} is larger than the limit of {validation.MAX_CONFIG_BYTES:,} bytes.")
    # One more byte than allowed, so that validation notices a wrong listed size.
    return validation.parse_config(_first_bytes(hub, repo_id, commit, CONFIG, validation.MAX_CONFIG_BYTES + 1), path)


def _check_files(hub: HfApi, repo_id: str, commit: str, sizes: dict[str, Any], summary: Summary) -> None:
    """Size and header of the weights against the config, and the size of the history; raises `CheckpointError`."""
    shapes = parameter_shapes(summary.config)
    limits = {
        WEIGHTS: validation.max_weight_bytes(shapes),
        HISTORY: validation.max_history_bytes(summary.config, summary.changes),
    }
    for name, max_bytes in limits.items():
        if name in sizes and (type(sizes[name]) is not int or sizes[name] > max_bytes):
            size = f"{sizes[name]:,} bytes" if type(sizes[name]) is int else "no size"
            raise CheckpointError(f"{Path(repo_id) / name} has {size}. The limit for these settings is {max_bytes:,}.")
    start = _first_bytes(hub, repo_id, commit, WEIGHTS, 8 + validation.max_header_bytes(shapes))
    validation.check_header(io.BytesIO(start), sizes[WEIGHTS], shapes, Path(repo_id) / WEIGHTS)


def _first_bytes(hub: HfApi, repo_id: str, commit: str, name: str, count: int) -> bytes:
    """The first `count` bytes of a file, or all of it."""
    url = hf_hub_url(repo_id, name, revision=commit, endpoint=hub.endpoint)
    wanted = headers(hub, Range=f"bytes=0-{count - 1}", **{"Accept-Encoding": "identity"})
    content = bytearray()
    with http_stream_backoff("GET", url, headers=wanted, follow_redirects=True) as answer:
        hf_raise_for_status(answer)
        for chunk in answer.iter_bytes():
            content += chunk
            if len(content) >= count:
                break
    return bytes(content[:count])


# --- the download ---------------------------------------------------------------------------------


def _download(
    listing: Listing, name: str, token: Token, cache_dir: Path, count: Callable[[int], None], force: bool
) -> Path:
    """Download a file into the cache unless it is there; `count` is called with the bytes received."""
    received = 0

    class Progress(silent_tqdm):
        def update(self, n: float | None = 1) -> None:
            nonlocal received
            received += int(n or 0)
            count(received)

    size = listing.files[name]
    for last in (False, True):  # an interrupted download is retried once
        received = 0
        try:
            with hub_call(listing.repo_id, token, size=size, max_bytes=size) as hub:
                path = hub.hf_hub_download(
                    listing.repo_id,
                    name,
                    revision=listing.commit,
                    cache_dir=cache_dir,
                    force_download=force,
                    tqdm_class=Progress,
                )
                return Path(path)
        except HubError as error:
            if error.kind != "cut" or last:
                raise
    raise AssertionError


def _keep(library: Library, listing: Listing, files: dict[str, bytes]) -> str:
    """Add the files to the library under the repository's name, or the next free one."""
    try:
        return library.add(listing.repo_id.split("/")[1], files)
    except CheckpointError as error:
        raise HubError.of(error) from None


def _commit(item: Mapping[str, Any]) -> Commit:
    if not COMMIT.fullmatch(item["id"]):
        raise ValueError
    authors = tuple(one_line(author.get("user") or "", 80) for author in item.get("authors") or [])
    date = item.get("date")
    return Commit(
        item["id"],
        one_line(item.get("title") or "", 200),
        tuple(filter(None, authors))[:10],
        datetime.fromisoformat(date).timestamp() if date else None,
    )


def _whole(number: object) -> int:
    return number if type(number) is int else 0

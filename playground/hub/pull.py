"""From the Hub to here: what a repository holds is seen and checked before anything of it is downloaded."""

import io
import json
import shutil
import tempfile
import threading
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from huggingface_hub import hf_hub_url, try_to_load_from_cache
from tqdm import tqdm

from playground import checkpoints, gate
from playground.card import card_of
from playground.config import most_steps, parameter_shapes
from playground.gate import CARD, COMMIT, CONFIG, HISTORY, REPO_ID, WEIGHTS, CheckpointError, Origin, Summary, one_line
from playground.hub.client import UNREACHABLE, HubError, Token, api, calling, endpoint, headers, secret, session
from playground.hub.jobs import Tell, silent
from playground.hub.reference import Reference
from playground.library import Library, QuotaError

FILES = (CONFIG, WEIGHTS, HISTORY)
"""All that is ever downloaded of a repository."""

_MOST_NAMES = 200  # of a repository's files that are listed
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib")


@dataclass(frozen=True)
class Commit:
    """A commit on the Hub; its words are text from anyone."""

    id: str  # 40 hexadecimal digits
    title: str
    authors: tuple[str, ...]
    date: float | None  # seconds since the epoch


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
    try:
        with calling(reference.repo_id, token, seconds=30):
            info = api(token).model_info(reference.repo_id, revision=reference.revision, files_metadata=True)
            repo_id, commit = info.id, info.sha or ""
            if not REPO_ID.fullmatch(repo_id) or not COMMIT.fullmatch(commit):
                raise ValueError
            found = {sibling.rfilename: sibling.size for sibling in info.siblings or []}
            known = {name: found[name] for name in (*FILES, CARD) if name in found}
            others = [name for name in found if name not in known]
            listed = known | {name: found[name] for name in others[:_MOST_NAMES]}
            files = {one_line(name, 200): int(size or 0) for name, size in listed.items()}
    except HubError as error:
        if error.kind != "revision":
            raise
        told = f"{reference.repo_id} has no revision {reference.revision}; choose another branch, tag or commit."
        raise HubError("revision", told) from None
    summary, problem = None, ""
    try:
        _check_names(found, repo_id)
        summary = _summary(repo_id, commit, known, token)
        _check_files(repo_id, commit, known, summary, token)
    except CheckpointError as error:
        problem = str(error)
    return Listing(
        repo_id=repo_id,
        revision=reference.revision,
        commit=commit,
        modified=_seconds(info.last_modified),
        private=bool(info.private),
        gated=bool(info.gated),
        downloads=_whole(info.downloads),
        likes=_whole(info.likes),
        files=files,
        bytes=sum(int(known[name] or 0) for name in FILES if name in known),
        summary=summary,
        problem=problem,
        url=Reference(repo_id, commit).url,
    )


def commits(repo_id: str, revision: str | None, token: Token, limit: int = 20) -> list[Commit]:
    """The newest commits up to `revision`, the newest first; raises `HubError`."""
    with calling(repo_id, token, seconds=30):
        # By hand: the Hub's client would read the whole history, page by page.
        url = f"{endpoint()}/api/models/{repo_id}/commits/{quote(revision or 'main', safe='')}"
        answer = session().get(url, headers=headers(token), params={"limit": limit})
        return [_commit(item) for item in answer.json()[:limit]]


def branches(repo_id: str, token: Token) -> list[str]:
    """Branches, then tags, by name; raises `HubError`."""
    with calling(repo_id, token, seconds=30):
        refs = api(token).list_repo_refs(repo_id)
        return [str(ref.name) for ref in (*refs.branches, *refs.tags)]


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
    bar = _bar(tell, listing.bytes)
    folder = None
    for name in FILES:
        if name in listing.files:
            folder = _download(listing, name, token, cache_dir, bar, force_download).parent
    assert folder is not None  # a listing without a problem has its files
    try:
        checkpoints.check(folder, links_into=cache_dir)
        for _record in checkpoints.read_history(folder, links_into=cache_dir):
            pass
    except CheckpointError as error:
        raise HubError("refused", str(error).replace(str(folder), listing.repo_id)) from None
    if listing.revision != listing.commit:
        _remember(cache_dir, listing)
    return folder


def as_checkpoint(folder: Path, cache_dir: Path, origin: Origin) -> dict[str, bytes]:
    """What `fetch` brought as the files of a checkpoint: its config tells where it came from, and its card is ours.

    Raises `HubError`.
    """
    try:
        with gate.Folder(folder, cache_dir) as files:
            content = files.read(CONFIG, gate.MAX_CONFIG_BYTES)
            summary = gate.parse_config(content, Path(CONFIG))
            weights = files.read(WEIGHTS, gate.most_weight_bytes(parameter_shapes(summary.config)))
            history = files.read(HISTORY, gate.MAX_HISTORY_BYTES) if files.holds(HISTORY) else None
    except CheckpointError as error:
        raise HubError("refused", str(error).replace(str(folder), origin.repo_id)) from None
    header = json.loads(content) | {"origin": {"repo_id": origin.repo_id, "revision": origin.revision}}
    card = card_of(replace(summary, origin=origin)).encode()
    made = {CONFIG: json.dumps(header, indent=2).encode() + b"\n", WEIGHTS: weights, CARD: card}
    return made | ({HISTORY: history} if history is not None else {})


def cached(reference: Reference, cache_dir: Path) -> Path | None:
    """The folder of this revision in a cache of the Hub's client, without asking the Hub."""
    found = try_to_load_from_cache(reference.repo_id, WEIGHTS, cache_dir, reference.revision)
    return Path(found).parent if isinstance(found, str) else None


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
            trouble = str(error).partition(";")[0]
            told = f"{trouble}, so this is {name} from your library: {origin.repo_id} at {origin.short}."
            return Pulled(name, origin, cached=True, told=told)
    if found := held(library, Reference(listing.repo_id, listing.commit)):
        return Pulled(*found, cached=True, told=f"{found[0]} in your library is this very commit.")
    try:
        library.root.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".pull.", suffix=".partial", dir=library.root))
    except OSError as error:
        raise HubError("disk", f"{listing.repo_id} could not be kept: {gate.reason(error)}.") from None
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


def _check_names(found: dict[str, Any], repo_id: str) -> None:
    if WEIGHTS not in found:
        pickle = next((name for name in found if name.endswith(_PICKLES)), None)
        why = f"; {one_line(pickle, 60)} is a pickle, which could run anything and is never opened" if pickle else ""
        raise CheckpointError(f"{repo_id} has no {WEIGHTS}{why}.")
    if CONFIG not in found:
        raise CheckpointError(f"{repo_id} has no {CONFIG}, so nobody can tell what its weights belong to.")


def _summary(repo_id: str, commit: str, sizes: dict[str, Any], token: Token) -> Summary:
    path = Path(repo_id) / CONFIG
    if type(sizes[CONFIG]) is not int or sizes[CONFIG] > gate.MAX_CONFIG_BYTES:
        raise CheckpointError(f"{path} is larger than the {gate.MAX_CONFIG_BYTES:,} bytes it may have.")
    # One more than allowed: should the size told be a lie, the gate sees it.
    return gate.parse_config(_beginning(repo_id, commit, CONFIG, gate.MAX_CONFIG_BYTES + 1, token), path)


def _check_files(repo_id: str, commit: str, sizes: dict[str, Any], summary: Summary, token: Token) -> None:
    """Size and header of the weights against the config, and the size of the history; raises `CheckpointError`."""
    shapes = parameter_shapes(summary.config)
    limits = {
        WEIGHTS: gate.most_weight_bytes(shapes),
        HISTORY: gate.most_history_bytes(most_steps(summary.config, summary.changes)),
    }
    for name, most in limits.items():
        if name in sizes and (type(sizes[name]) is not int or sizes[name] > most):
            told = f"{sizes[name]:,} bytes" if type(sizes[name]) is int else "no size"
            raise CheckpointError(f"{Path(repo_id) / name} has {told}; for these settings it may have {most:,}.")
    start = _beginning(repo_id, commit, WEIGHTS, 8 + gate.most_header_bytes(shapes), token)
    gate.check_header(io.BytesIO(start), sizes[WEIGHTS], shapes, Path(repo_id) / WEIGHTS)


def _beginning(repo_id: str, commit: str, name: str, most: int, token: Token) -> bytes:
    """The first `most` bytes of a file, or all of it; raises `HubError`."""
    with calling(repo_id, token, seconds=30):
        url = hf_hub_url(repo_id, name, revision=commit, endpoint=endpoint())
        asked = headers(token) | {"Range": f"bytes=0-{most - 1}", "Accept-Encoding": "identity"}
        content = bytearray()
        with session().stream("GET", url, headers=asked) as answer:
            for chunk in answer.iter_bytes():
                content += chunk
                if len(content) >= most:
                    break
        return bytes(content[:most])


# --- the download ---------------------------------------------------------------------------------


def _download(
    listing: Listing, name: str, token: Token, cache_dir: Path, bar: type[tqdm], force_download: bool
) -> Path:
    for last in (False, True):  # what broke off in the middle is begun once more
        try:
            with calling(listing.repo_id, token, size=listing.files[name]):
                path = api(token).hf_hub_download(
                    listing.repo_id,
                    name,
                    revision=listing.commit,
                    cache_dir=cache_dir,
                    force_download=force_download,
                    token=secret(token),
                    tqdm_class=bar,
                )
                return Path(path)
        except HubError as error:
            if error.kind != "cut" or last:
                raise
    raise AssertionError


def _bar(tell: Tell, total: int) -> type[tqdm]:
    """A progress bar that draws nothing and tells how much of all files is here."""
    lock, done = threading.Lock(), 0

    class Bar(tqdm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs | {"file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            nonlocal done
            with lock:
                done += int(n or 0)
                share = min(1.0, done / max(total, 1))
            tell("Downloading", share)
            return None

    return Bar


def _remember(cache_dir: Path, listing: Listing) -> None:
    """Notes which commit a branch was at, as the Hub's client does, so that its name is understood without the Hub."""
    owner, name = listing.repo_id.split("/")
    refs = cache_dir / f"models--{owner}--{name}" / "refs"
    note = refs / (listing.revision or "main")
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(listing.commit)
    except OSError:
        pass  # the files are there all the same


def _keep(library: Library, listing: Listing, files: dict[str, bytes]) -> str:
    """Adds the files to the library under the repository's name, or the next one that is free."""
    try:
        return library.add(listing.repo_id.split("/")[1], files)
    except QuotaError as error:
        raise HubError("quota", str(error)) from None
    except CheckpointError as error:
        raise HubError("disk" if isinstance(error.__cause__, OSError) else "refused", str(error)) from None


# --- answers of the Hub ---------------------------------------------------------------------------


def _commit(item: dict[str, Any]) -> Commit:
    if not COMMIT.fullmatch(item["id"]):
        raise ValueError
    authors = tuple(one_line(author.get("user") or "", 80) for author in item.get("authors") or [])
    date = item.get("date")
    return Commit(
        item["id"],
        one_line(item.get("title") or "", 200),
        tuple(filter(None, authors))[:10],
        _seconds(datetime.fromisoformat(date)) if date else None,
    )


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _whole(number: object) -> int:
    return number if type(number) is int else 0

"""Public models of this app on the Hub, found by their tag. Each is validated; none is trusted."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from huggingface_hub import ModelInfo
from huggingface_hub.hf_api import ModelSort_T

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import UNREACHABLE, HubError
from playground.hub.calls import Token, endpoint, hub_call
from playground.hub.pull import Listing, inspect_repo
from playground.hub.reference import Reference
from playground.storage.card import TAG
from playground.storage.validation import COMMIT, REPO_ID

HubSort = Literal["modified", "downloads", "likes"]
SORTS: dict[HubSort, ModelSort_T] = {"modified": "last_modified", "downloads": "downloads", "likes": "likes"}

FRESH_SECONDS = 300.0
_MAX_LISTS = 64
_MAX_PAGES = 40
_AT_ONCE = 4  # repositories inspected in parallel; the Hub allows 500 calls in 5 minutes


@dataclass(frozen=True)
class GalleryPage:
    """One page of the list of models."""

    listings: tuple[Listing, ...]  # in the requested order, usable ones first
    more: bool  # there is another page
    fetched_at: float  # seconds since the epoch


@dataclass
class _Kept:
    """A list that is requested by one visitor at a time."""

    page: GalleryPage | None = None
    at: float = 0.0  # `time.monotonic`
    lock: threading.Lock = field(default_factory=threading.Lock)


_lists: BoundedCache[tuple[object, ...], _Kept] = BoundedCache(_MAX_LISTS, lambda _: 1)
_pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="gallery")


def gallery(search: str = "", sort: HubSort = "modified", page: int = 0, size: int = 12) -> GalleryPage:
    """One page of all public models with this app's tag, the same for all visitors.

    Invalid ones are included with their `problem`. The page is at most 5 minutes old, or older while the Hub cannot be
    reached; see `fetched_at`. Raises `HubError`.
    """
    search = " ".join(search.split())[:100]
    page, size = max(0, min(page, _MAX_PAGES)), max(1, min(size, 48))
    key = endpoint(), search, sort, page, size
    kept = _lists.made(key, _Kept)
    with kept.lock:
        if kept.page is None or time.monotonic() - kept.at >= FRESH_SECONDS:
            try:
                kept.page, kept.at = _page(search, sort, page, size, None, False), time.monotonic()
            except HubError as error:
                if kept.page is None or error.kind not in UNREACHABLE:
                    raise
        return kept.page


def mine(owner: str, token: Token, page: int = 0, size: int = 12) -> GalleryPage:
    """The models of one account, including private ones that the token can see; never cached. Raises `HubError`."""
    return _page("", "modified", max(0, min(page, _MAX_PAGES)), size, owner, token)


def forget() -> None:
    """Drop the cached lists."""
    for key, _ in _lists.items():
        _lists.drop(key)


def _page(search: str, sort: HubSort, page: int, size: int, owner: str | None, token: Token) -> GalleryPage:
    with hub_call("the Hub", token, seconds=30) as hub:
        models = hub.list_models(
            limit=(page + 1) * size + 1,
            filter=TAG,
            search=search or None,
            sort=SORTS[sort],
            expand=["sha", "lastModified", "downloads", "likes", "private", "gated"],
            author=owner,
        )
        infos = list(models)
    shown = infos[page * size : (page + 1) * size]
    listings = sorted(_pool.map(lambda info: _listing(info, token), shown), key=lambda each: bool(each.problem))
    return GalleryPage(tuple(listings), len(infos) > (page + 1) * size, time.time())


def _listing(info: ModelInfo, token: Token) -> Listing:
    """The listing of one model. Never raises: an invalid model must not hide the others."""
    repo_id, commit = str(info.id), str(info.sha or "")
    if not REPO_ID.fullmatch(repo_id) or not COMMIT.fullmatch(commit):
        return Listing.of(info, problem="The Hub lists it with an invalid name or commit.")
    try:
        if token is not False:
            return inspect_repo(Reference(repo_id, commit), token)
        kept = _inspected(endpoint(), repo_id, commit)
    except HubError as error:
        return Listing.of(info, problem=str(error))
    return replace(kept, downloads=int(info.downloads or 0), likes=int(info.likes or 0))


@lru_cache(maxsize=512)  # a commit never changes
def _inspected(_endpoint: str, repo_id: str, commit: str) -> Listing:
    return inspect_repo(Reference(repo_id, commit), False)

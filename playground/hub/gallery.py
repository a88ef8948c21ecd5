"""Public models of this app on the Hub, found by their tag. Each is validated; none is trusted."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from huggingface_hub import ModelInfo
from huggingface_hub.hf_api import ModelSort_T

from playground.common.errors import UNREACHABLE, HubError
from playground.hub.calls import Token, endpoint, hub_call
from playground.hub.pull import Listing, inspect_repo
from playground.hub.reference import Reference
from playground.storage.card import TAG
from playground.storage.validation import COMMIT, REPO_ID

Sort = Literal["modified", "downloads", "likes"]
SORTS: dict[Sort, ModelSort_T] = {"modified": "last_modified", "downloads": "downloads", "likes": "likes"}

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


class _Cache:
    """The newest values by key, for `seconds`; concurrent requests for a key are computed once."""

    def __init__(self, max_entries: int, seconds: float) -> None:
        self._max_entries, self._seconds = max_entries, seconds
        self._lock = threading.Lock()
        self._values: OrderedDict[Any, tuple[float, Any]] = OrderedDict()
        self._computing: dict[Any, threading.Lock] = {}

    def get(self, key: Any, compute: Callable[[], Any]) -> Any:
        with self._lock:
            mine = self._computing.setdefault(key, threading.Lock())
        try:
            with mine:
                with self._lock:
                    found = self._values.get(key)
                if found and time.monotonic() - found[0] < self._seconds:
                    return found[1]
                try:
                    value = compute()
                except HubError as error:
                    if found is None or error.kind not in UNREACHABLE:
                        raise
                    return found[1]  # an outdated value, which says how old it is
                with self._lock:
                    self._values[key] = time.monotonic(), value
                    self._values.move_to_end(key)
                    while len(self._values) > self._max_entries:
                        self._values.popitem(last=False)
                return value
        finally:
            with self._lock:
                self._computing.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


_lists = _Cache(_MAX_LISTS, FRESH_SECONDS)
_pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="gallery")


def gallery(search: str = "", sort: Sort = "modified", page: int = 0, size: int = 12) -> GalleryPage:
    """One page of all public models with this app's tag, the same for all visitors.

    Invalid ones are included with their `problem`. The page is at most 5 minutes old, or older while the Hub cannot be
    reached; see `fetched_at`. Raises `HubError`.
    """
    search = " ".join(search.split())[:100]
    page, size = max(0, min(page, _MAX_PAGES)), max(1, min(size, 48))
    key = endpoint(), search, sort, page, size
    result: GalleryPage = _lists.get(key, lambda: _page(search, sort, page, size, None, False))
    return result


def mine(owner: str, token: Token, page: int = 0, size: int = 12) -> GalleryPage:
    """The models of one account, including private ones that the token can see; never cached. Raises `HubError`."""
    return _page("", "modified", max(0, min(page, _MAX_PAGES)), size, owner, token)


def forget() -> None:
    """Drop the cached lists."""
    _lists.clear()


def _page(search: str, sort: Sort, page: int, size: int, owner: str | None, token: Token) -> GalleryPage:
    with hub_call("the Hub", token, seconds=30) as hub:
        found = hub.list_models(
            limit=(page + 1) * size + 1,
            filter=TAG,
            search=search or None,
            sort=SORTS[sort],
            expand=["sha", "lastModified", "downloads", "likes", "private", "gated"],
            author=owner,
        )
        infos = list(found)
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

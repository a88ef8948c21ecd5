"""A cache bounded by bytes: the one for everything that is kept for all visitors together."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values by key. The least recently used go when all together take more than `room` bytes; the newest one stays.

    Any thread may ask. By hand: `functools.lru_cache` and `st.cache_data` count entries, which take 1 kB to 20 MB here.
    """

    def __init__(self, room: int, size: Callable[[V], int] = len) -> None:  # type: ignore[assignment]
        """`size` tells the bytes of a value, and is asked again at each use: a value may grow."""
        self.room, self.size, self._size = room, 0, size
        self._kept: dict[K, tuple[V, int]] = {}  # with their sizes, the least recently used first
        self._lock = threading.Lock()

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._drop(key)
            self._put(key, value)

    def get(self, key: K) -> V | None:
        """The value of this key, which counts as used; None where there is none."""
        with self._lock:
            if (value := self._drop(key)) is not None:
                self._put(key, value)
            return value

    def drop(self, key: K) -> None:
        with self._lock:
            self._drop(key)

    def items(self) -> list[tuple[K, V]]:
        """Keys and values, the least recently used first."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._kept.items()]

    def _put(self, key: K, value: V) -> None:
        size = self._size(value)
        self._kept[key] = value, size
        self.size += size
        while self.size > self.room and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: K) -> V | None:
        value, size = self._kept.pop(key, (None, 0))
        self.size -= size
        return value

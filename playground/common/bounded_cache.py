"""A cache bounded by bytes or entries, for data shared by all visitors."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

KEPT_SETTINGS = 32
"""Maximum entries of an `lru_cache` whose keys hold settings: a text to learn takes up to 4 MB, and caches share it."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values by key. Beyond `max_bytes` in all, the least recently used are dropped; the newest one stays.

    Thread-safe. `functools.lru_cache` and `st.cache_data` count entries, which take 1 kB to 20 MB here.
    """

    def __init__(self, max_bytes: int, size: Callable[[V], int] = len) -> None:  # type: ignore[assignment]
        """`size` returns the bytes of a value, or 1 to limit entries. It is called at each use: a value may grow."""
        self.max_bytes, self.size, self._size = max_bytes, 0, size
        self._kept: dict[K, tuple[V, int]] = {}  # key -> value, size; least recently used first
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[K, threading.Lock] = WeakValueDictionary()

    def made(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, else that of `make`, which runs once for all threads that ask meanwhile."""
        if (value := self.get(key)) is None:
            with self._lock:
                making = self._making.setdefault(key, threading.Lock())
            with making:
                if (value := self.get(key)) is None:
                    value = make()
                    self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._drop(key)
            self._put(key, value)

    def get(self, key: K) -> V | None:
        """The value of a key, now the most recently used; None if there is none."""
        with self._lock:
            if (value := self._drop(key)) is not None:
                self._put(key, value)
            return value

    def drop(self, key: K) -> None:
        with self._lock:
            self._drop(key)

    def items(self) -> list[tuple[K, V]]:
        """Keys and values, least recently used first."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._kept.items()]

    def _put(self, key: K, value: V) -> None:
        size = self._size(value)
        self._kept[key] = value, size
        self.size += size
        while self.size > self.max_bytes and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: K) -> V | None:
        value, size = self._kept.pop(key, (None, 0))
        self.size -= size
        return value

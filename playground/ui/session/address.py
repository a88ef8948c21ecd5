"""The state of a page in its query parameters, so that a reload or a link shows the same.

`bind="query-params"` does this for a widget: 12 messages and 1.7 kB per change, here 13 and 1.8. It doesn't support
the rest: components, buttons and links set 20 of the 36 parameters, and its parameter has the name of the key.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from playground.ui.session import session_keys as keys
from playground.ui.session.session_keys import Key

VIEW_OPENED = Key[bool]("view of {}", False, "The view was read from the address")
VIEW_WORDS = Key[dict[str, str | None]]("address words", dict, "Query parameters that were sent last; None: removed")

PRESENT = "present"
"""Query parameter of the presenter view."""

ROOM = "room"
"""Query parameter of a tab in a room."""

KEPT = (PRESENT, ROOM)
"""Query parameters that a tab keeps on every page, see `parts/address.ts`."""

LONGEST = 400
"""Maximum characters of one value; longer ones are not put into an address."""


def travelled() -> bool:
    """True if this script run follows the browser's Back or Forward; then the address overrides the session."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def opened_anew() -> bool:
    """True if a lesson plan or a room has opened this address: the page shows what a new session would show.

    The presenter view or the tab in the room travels to it, see `visit` in `parts/address.ts`.
    """
    return travelled() and not st.query_params.keys().isdisjoint(KEPT)


@dataclass(frozen=True)
class QueryParam:
    """A session key and its query parameter."""

    word: str
    key: keys.Key[Any]
    read: Callable[[str], Any] = str
    """Parse the text of a query parameter; None if it is invalid."""
    absent: Any = None
    """The value without a query parameter; None: the default of the key."""
    longest: int = LONGEST
    write: Callable[[Any], str] = str
    """The text of a value."""

    @property
    def usual(self) -> Any:
        """The value that needs no query parameter."""
        return self.key.default if self.absent is None else self.absent


def number(digits: int) -> Callable[[str], int | None]:
    """Parser for a whole number of at most so many digits."""
    return lambda text: int(text) if text.isdecimal() and len(text) <= digits else None


def between(low: float, high: float) -> Callable[[str], float | None]:
    """Parser for a number from `low` to `high`."""

    def read(text: str) -> float | None:
        try:
            value = float(text)
        except ValueError:
            return None
        return value if low <= value <= high else None

    return read


def flag(text: str) -> bool:
    """Parser for a switch."""
    return text == "True"


def one_of(values: Collection[str]) -> Callable[[str], str | None]:
    """Parser for one of these words."""
    return lambda text: text if text in values else None


class QueryParams:
    """Query parameters of a page or of one of its views."""

    def __init__(self, name: str, *params: QueryParam) -> None:
        self.name, self.params = name, params

    def open(self) -> None:
        """Once per session, read the address into the session; always set missing defaults.

        Also where a lesson plan or a room opens an address, and then without what the session had.
        """
        opened = VIEW_OPENED.of(self.name)
        if not opened.get() or opened_anew():
            for param in self.params:
                value = self._read(param, st.query_params)
                if value is None and opened.get():
                    value = param.usual
                if value is not None and value != param.key.get():  # a widget's can't be set again once it is drawn
                    param.key.set(value)
            opened.set(True)
        for param in self.params:
            if (default := param.key.default) is not None:
                param.key.begin(default)

    def apply(self, words: Mapping[str, str]) -> list[str]:
        """Set every key from its query parameter or default; returns the parameters that were invalid."""
        for param in self.params:
            value = self._read(param, words)
            param.key.set(param.usual if value is None else value)
        return [param.word for param in self.params if param.word in words and self._read(param, words) is None]

    def follow(self) -> None:
        """After Back or Forward, read the address into the session; call it before any of its keys is used."""
        if travelled():
            self.apply(st.query_params)

    def carry(self) -> None:
        """Give this page's widgets the values that widgets with the same keys had on another page."""
        for param in self.params:
            if param.key.is_set():
                param.key.set(param.key.get())

    def words(self, **usual: object) -> dict[str, str]:
        """Query parameters of the session's values that differ from the default, or from `usual`."""
        texts = {}
        for param in self.params:
            value = param.key.get()
            text = "" if value is None or value == usual.get(param.word, param.usual) else param.write(value)
            if 0 < len(text) <= param.longest:
                texts[param.word] = text
        return texts

    def keep(self, **usual: object) -> None:
        """Write the session's values into the address."""
        words, there = self.words(**usual), st.query_params.to_dict()
        differ = [param.word for param in self.params if there.get(param.word) != words.get(param.word)]
        for word in differ:
            if word in words:
                st.query_params[word] = words[word]
            else:
                del st.query_params[word]
        sent_words = VIEW_WORDS.get()
        now = {param.word: words.get(param.word) for param in self.params}
        # Of two fast clicks, the second may come with the address before the first, whose words are on their way.
        if not differ and not travelled() and any(sent_words.get(word, text) != text for word, text in now.items()):
            st.query_params.from_dict(there)
        sent_words.update(now)

    def drop(self, but: Collection[QueryParam] = ()) -> None:
        """Remove the query parameters of a view that is not shown, `but` keep those that others share."""
        for param in self.params:
            if param not in but:
                st.query_params.pop(param.word, None)

    @staticmethod
    def _read(param: QueryParam, words: Mapping[str, str]) -> Any:
        text = words.get(param.word)
        return None if text is None else param.read(text[: param.longest])

"""The view of a page in its address, so that a page loaded again, or a link, shows the same.

`bind="query-params"` does the same for a widget: 12 messages and 1.7 kB a change, here 13 and 1.8. It can't do the
rest: components, buttons and links set 20 of the 36 words, and its parameter has the name of the key.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from playground.ui.session import session_keys as keys

LONGEST = 400
"""Characters of one value; what is longer is not put into an address."""


def travelled() -> bool:
    """Whether this drawing follows the browser's Back or Forward, whose address counts more than the session."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


@dataclass(frozen=True)
class Field:
    """A key of the session and its word in the address."""

    word: str
    key: keys.Key[Any]
    read: Callable[[str], Any] = str
    """Turns the text of an address into a value; None for text that is none."""
    absent: Any = None
    """The value without a word in the address; None stands for the default of the key."""
    longest: int = LONGEST

    @property
    def usual(self) -> Any:
        """What needs no word in the address."""
        return self.key.default if self.absent is None else self.absent


def number(digits: int) -> Callable[[str], int | None]:
    """Reads a whole number of at most so many digits."""
    return lambda text: int(text) if text.isdecimal() and len(text) <= digits else None


def flag(text: str) -> bool:
    """Reads a switch."""
    return text == "True"


def one_of(values: Collection[str]) -> Callable[[str], str | None]:
    """Reads one of these words."""
    return lambda text: text if text in values else None


class View:
    """What of a page, or of one of its views, stands in the address."""

    def __init__(self, name: str, *fields: Field) -> None:
        self.name, self.fields = name, fields

    def open(self) -> None:
        """Once a session: takes what the address says into the session. Always: sets defaults where nothing is set."""
        opened = keys.VIEW_OPENED.of(self.name)
        if not opened.get():
            opened.set(True)
            for field in self.fields:
                if (value := self._read(field, st.query_params)) is not None:
                    field.key.set(value)
        for field in self.fields:
            if (default := field.key.default) is not None:
                field.key.begin(default)

    def apply(self, words: Mapping[str, str]) -> list[str]:
        """Gives every field the value of its word, or what is usual. Returns the words that could not be read."""
        for field in self.fields:
            value = self._read(field, words)
            field.key.set(field.usual if value is None else value)
        return [field.word for field in self.fields if field.word in words and self._read(field, words) is None]

    def follow(self) -> None:
        """After Back and Forward the session has what the address says; before any of it is used."""
        if travelled():
            self.apply(st.query_params)

    def carry(self) -> None:
        """Gives the widgets of this page the values that others of the same keys had on another page."""
        for field in self.fields:
            if field.key.is_set():
                field.key.set(field.key.get())

    def words(self, **usual: object) -> dict[str, str]:
        """What the address says of the session's values: those that differ from what is usual, here or always."""
        found = {}
        for field in self.fields:
            value = field.key.get()
            text = "" if value is None or value == usual.get(field.word, field.usual) else str(value)
            if 0 < len(text) <= field.longest:
                found[field.word] = text
        return found

    def keep(self, **usual: object) -> None:
        """Writes the session's values into the address."""
        words, there = self.words(**usual), st.query_params.to_dict()
        differ = [field.word for field in self.fields if there.get(field.word) != words.get(field.word)]
        for word in differ:
            if word in words:
                st.query_params[word] = words[word]
            else:
                del st.query_params[word]
        told = keys.VIEW_WORDS.get()
        now = {field.word: words.get(field.word) for field in self.fields}
        # Of two fast clicks, the second may come with the address before the first, whose words are on their way.
        if not differ and not travelled() and any(told.get(word, text) != text for word, text in now.items()):
            st.query_params.from_dict(there)
        told.update(now)

    def drop(self, but: Collection[Field] = ()) -> None:
        """Takes out of the address what belongs to a view that is not shown, `but` what others have, too."""
        for field in self.fields:
            if field not in but:
                st.query_params.pop(field.word, None)

    @staticmethod
    def _read(field: Field, words: Mapping[str, str]) -> Any:
        text = words.get(field.word)
        return None if text is None else field.read(text[: field.longest])

"""A field with a visitor's code: it begins with a template, a file can replace it, and what was typed stays."""

from collections.abc import Callable, Collection
from html import escape
from typing import Any

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.lessons.check.verdict import CheckError
from playground.recording import notebook_cells
from playground.ui.parts.code import code_file, own_machine
from playground.ui.parts.code.code_file import MAX_BYTES, CodeFile
from playground.ui.parts.code.code_jobs import MAX_VISITORS
from playground.ui.session import identity
from playground.ui.session.session_keys import Key


class Editor:
    """A field with its keys; visitors' code is also stored here, so that a reload doesn't lose it."""

    def __init__(
        self, name: str, templates: Collection[str], *, code: Key[str], file: Key[Any], replaced: Key[str]
    ) -> None:
        """`replaced` has the code that a template or a file replaced."""
        self.name, self._templates = name, {text.strip() for text in templates}
        self._code, self._file, self._replaced = code, file, replaced
        self._kept: BoundedCache[str, str] = BoundedCache(MAX_VISITORS, lambda _: 1)  # by visitor

    @property
    def is_own(self) -> bool:
        """True if the field has more than a template."""
        return self._code.get().strip() not in {"", *self._templates}

    def text(self) -> str:
        """The code in the field, to be run. Raises `CheckError` if it is empty or too long."""
        code = self._code.get()
        if len(code.encode("utf-8", "replace")) > MAX_BYTES:
            raise CheckError("The code is longer than 1 MB.", "Keep only the part to check.")
        if not code.strip():
            raise CheckError("There is no code yet.", "Write or paste some, or choose a file.")
        return code

    def begin(self, template: str) -> None:
        """Put the stored code, or a template, into a field that is empty in this session."""
        self._code.begin(self.kept() or template)

    def buttons(self, template: str) -> None:
        """Draw the buttons that replace the code by a template, and that restore it."""
        key = f"{self.name} template"
        st.button("Template", key=key, icon=":material/draft:", on_click=self.put, args=(template,))
        if self._replaced.get():
            st.button("Restore my code", key=f"{self.name} restore", icon=":material/undo:", on_click=self._restore)

    def choose(self, refused: Callable[[str], None]) -> None:
        """Draw a button that chooses a file; `refused` gets why it can't be read, or nothing for one that can."""

        def take(file: CodeFile | str) -> None:
            if isinstance(file, CodeFile):
                file = _code_of(file)
            refused(file if isinstance(file, str) else "")
            if isinstance(file, CodeFile):
                self.put(file.text)

        code_file.choose(self._file, (".py", notebook_cells.ENDING), take)

    def put(self, code: str) -> None:
        """Replace the code in the field; the previous code can be restored."""
        self._replaced.set(self._code.get() if self.is_own else "")
        self._code.set(code)
        self.keep(code)

    def keep(self, code: str) -> None:
        """Store this visitor's code."""
        if own_machine.permitted() and len(code) <= MAX_BYTES:
            self._kept.put(identity.visitor(), code)

    def kept(self) -> str:
        """This visitor's stored code."""
        return self._kept.get(identity.visitor()) or ""

    def typed(self) -> None:
        """Store what is in the field, when it changes."""
        self.keep(self._code.get())

    def _restore(self) -> None:
        self.put(self._replaced.get())


def _code_of(file: CodeFile) -> CodeFile | str:
    """A file, of a notebook its code cells, or why there is none."""
    if not file.name.lower().endswith(notebook_cells.ENDING):
        return file
    try:
        cells = enumerate(notebook_cells.cells_of(file.text), 1)
        return CodeFile(file.name, "\n\n".join("\n".join([f"# code cell {at}", *lines]) for at, lines in cells) + "\n")
    except ValueError:
        return "This is not a notebook. Save it in Jupyter again, or choose a Python file."


def show_line(code: str, line: int | None) -> None:
    """Draw a line where code raised an exception, with those near it; nothing for None or a line that isn't there."""
    lines = code.splitlines()
    if line and line <= len(lines):
        near = range(max(1, line - 2), min(len(lines), line + 2) + 1)
        shown = [f"{'>' if each == line else ' '}{each:4}  {lines[each - 1]}" for each in near]
        st.html(f'<div class="difference">{"".join(f"<span>{escape(text)}</span>" for text in shown)}</div>')

"""Progress of a long command: a bar on a terminal; elsewhere a plain line every ten seconds."""

import sys
from threading import Event, Thread

from rich.console import Console
from rich.progress import Progress, ProgressColumn
from rich.text import Text

LINE_SECONDS = 10.0
"""Seconds between two lines, and before the first: what ends earlier prints none."""


class Bar(Progress):
    """rich's progress bar for standard error; where that is no terminal, its words as lines."""

    def __init__(self, *columns: str | ProgressColumn) -> None:
        console = Console(stderr=True)
        super().__init__(*columns, console=console, disable=not console.is_terminal)
        self._over = Event()
        self._lines = Thread(target=self._print_lines, daemon=True)

    def start(self) -> None:
        """Draw the bar, or begin the lines."""
        super().start()
        if self.disable:
            self._lines.start()

    def stop(self) -> None:
        """End the bar or the lines."""
        self._over.set()
        super().stop()
        if self.disable and self._lines.is_alive():
            self._lines.join()

    def _print_lines(self) -> None:
        while not self._over.wait(LINE_SECONDS):
            for task in self.tasks:
                cells = [column(task) for column in self.columns if isinstance(column, ProgressColumn)]
                words = [" ".join(cell.plain.split()) for cell in cells if isinstance(cell, Text)]
                print(" ".join(filter(None, words)), file=sys.stderr, flush=True)

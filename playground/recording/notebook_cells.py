"""Notebooks: the code of their cells as one file, and lines counted in their cell."""

import json
import sys
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

ENDING = ".ipynb"

_cells: dict[str, list[range]] = {}  # lines of each code cell, by the path of the notebook


def cells_of(content: str | bytes) -> list[list[str]]:
    """The lines of each code cell; those that only IPython reads are comments. Raises ValueError for anything else."""
    try:
        cells = [cell for cell in json.loads(content)["cells"] if cell["cell_type"] == "code"]
        return [[_python(line) for line in "".join(cell["source"]).splitlines()] for cell in cells]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError from error


def _python(line: str) -> str:
    return f"# {line}" if line.lstrip().startswith(("%", "!")) else line


def code_of(content: bytes, path: Path) -> bytes:
    """The code of a notebook as one Python file, whose lines `cell_of` knows from now on. Raises ValueError."""
    cells = cells_of(content)
    _know(str(path), cells)
    return "\n".join(line for lines in cells for line in lines).encode() + b"\n"


def _know(path: str, cells: Sequence[Sequence[str]]) -> None:
    ends = [0, *accumulate(map(len, cells))]
    _cells[path] = [range(start + 1, end + 1) for start, end in pairwise(ends)]


def cell_of(path: str, line: int) -> tuple[int, range]:
    """The number of the code cell with a line, from 1, and all its lines; in any other file 0 and no end."""
    if path.endswith(ENDING) and path not in _cells:
        try:
            _know(path, cells_of(Path(path).read_bytes()))
        except (OSError, ValueError):
            _cells[path] = []
    cells = enumerate(_cells.get(path, []), 1)
    return next(((number, lines) for number, lines in cells if line in lines), (0, range(1, sys.maxsize)))


def in_cell(path: str, line: int) -> tuple[int, int]:
    """The number of the code cell with a line, 0 if there is none, and the line as it is counted there."""
    cell, lines = cell_of(path, line)
    return cell, line - lines.start + 1


def line_in_words(path: str, line: int) -> str:
    """A line; in a notebook with its code cell."""
    return in_words(*in_cell(path, line))


def in_words(cell: int, line: int) -> str:
    """A line of a code cell, or with cell 0 of a file."""
    return f"{f'code cell {cell}, ' if cell else ''}line {line}"

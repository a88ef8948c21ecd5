"""The statement that made a tensor, read off the frames of the running pass."""

import ast
import linecache
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType

from torch import nn

REPOSITORY = Path(__file__).resolve().parent.parent.parent
_HERE = str(Path(__file__).parent)
_TORCH_MODULE = nn.Module.__call__.__code__.co_filename


@dataclass(frozen=True)
class Statement:
    """The statement that produced a tensor."""

    file: str  # relative to the repository
    line: int  # first line of the statement, counted from 1
    code: str  # the whole statement, without its indentation
    function: str  # the innermost function around it, e.g. "FeedForward.forward"; "" outside of any

    @property
    def where(self) -> str:
        """File and line; empty if there is no file."""
        return f"{self.file}:{self.line}" if self.file else ""


def calling_statement(frame: FrameType | None) -> Statement:
    """The statement of the model's own code that called the tap, seen from inside its hook."""
    while frame is not None and _between(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        raise RuntimeError("A tap was called from nowhere.")
    path = frame.f_code.co_filename
    first, last = _statement(path, frame.f_lineno)
    file = Path(path)
    relative = file.relative_to(REPOSITORY) if file.is_relative_to(REPOSITORY) else file
    return Statement(relative.as_posix(), first, _text(path, first, last), _function(path, first)[2])


def _between(file: str) -> bool:
    """True if a file's frames stand between the model's own code and the hook."""
    return file == _TORCH_MODULE or os.path.dirname(file) == _HERE


def function_around(source: Statement) -> tuple[int, str]:
    """First line and text, without its indentation, of the whole function that a statement stands in.

    Outside of a function, and where the file cannot be read, the statement itself.
    """
    path = str(REPOSITORY / source.file)
    first, last, name = _function(path, source.line)
    return (first, _text(path, first, last)) if name else (source.line, source.code)


def _text(path: str, first: int, last: int) -> str:
    lines = linecache.getlines(path)[first - 1 : last]
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    return "".join((line[indent:] or "\n") if line[:indent].isspace() else line for line in lines).rstrip()


def _function(path: str, line: int) -> tuple[int, int, str]:
    """First line, decorators included, last line and qualified name of the innermost function that spans `line`."""
    spans = (span for span in _functions(path) if span[0] <= line <= span[1])
    return min(spans, key=lambda span: span[1] - span[0], default=(line, line, ""))


@lru_cache(maxsize=64)
def _functions(path: str) -> tuple[tuple[int, int, str], ...]:
    spans: list[tuple[int, int, str]] = []

    def search(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{around}.{child.name}".lstrip(".")
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                    spans.append((first, child.end_lineno or child.lineno, name))
            search(child, name)

    search(ast.parse("".join(linecache.getlines(path))), "")
    return tuple(spans)


def _statement(path: str, line: int) -> tuple[int, int]:
    """First and last line of the innermost statement that spans `line`."""
    spans = (span for span in _statements(path) if span[0] <= line <= span[1])
    return min(spans, key=lambda span: span[1] - span[0], default=(line, line))


@lru_cache(maxsize=64)
def _statements(path: str) -> tuple[tuple[int, int], ...]:
    tree = ast.parse("".join(linecache.getlines(path)))
    nodes: Iterable[ast.AST] = ast.walk(tree)
    return tuple((node.lineno, node.end_lineno or node.lineno) for node in nodes if isinstance(node, ast.stmt))

"""The statement that made a tensor, read off the frames of the running pass."""

import ast
import linecache
import os
import site
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType

from torch import nn

REPOSITORY = Path(__file__).resolve().parent.parent.parent
_HERE = str(Path(__file__).parent)
_TORCH_MODULE = nn.Module.__call__.__code__.co_filename
_TORCH = os.path.dirname(os.path.dirname(os.path.dirname(_TORCH_MODULE))) + os.sep
_LIBRARIES = tuple(
    path.rstrip(os.sep) + os.sep
    for path in {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")), site.getusersitepackages()}
)


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


NOWHERE = Statement("", 0, "", "")
"""The statement of what no file has called."""


class Author(IntEnum):
    """Who wrote a file; the statement that is shown is that of the highest one."""

    NOBODY = 0  # torch's inside, and what watches the pass
    TORCH = 1  # a module of torch, such as nn.TransformerEncoderLayer
    LIBRARY = 2
    MODEL = 3


@lru_cache(maxsize=1024)
def written_by(path: str) -> Author:
    """The author of a file."""
    if path.startswith(_TORCH):
        in_modules = os.path.dirname(path) == os.path.dirname(_TORCH_MODULE) and path != _TORCH_MODULE
        return Author.TORCH if in_modules else Author.NOBODY
    if os.path.dirname(path) == _HERE:
        return Author.NOBODY
    return Author.LIBRARY if path.startswith(_LIBRARIES) else Author.MODEL


def statement_of(frame: FrameType) -> Statement:
    """The statement that a frame is running."""
    return _statement_at(frame.f_code.co_filename, frame.f_lineno)


@lru_cache(maxsize=4096)
def _statement_at(path: str, line: int) -> Statement:
    first, last = _statement(path, line)
    file = Path(path)
    relative = file.relative_to(REPOSITORY) if file.is_relative_to(REPOSITORY) else file
    return Statement(relative.as_posix(), first, _text(path, first, last), _function(path, first)[2])


def expression_of(frame: FrameType) -> str:
    """The expression that a frame is evaluating; "" where Python doesn't tell."""
    return _expression_at(frame.f_code, frame.f_lasti)


@lru_cache(maxsize=4096)
def _expression_at(code: CodeType, instruction: int) -> str:
    line, last, column, end = next(islice(code.co_positions(), instruction // 2, None), (None, None, None, None))
    if line is None or last is None or column is None or end is None:
        return ""
    lines = [text.encode() for text in linecache.getlines(code.co_filename)[line - 1 : last]]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][column:]
    return " ".join(b"".join(lines).decode(errors="replace").split())


def calling_statement(frame: FrameType | None) -> Statement:
    """The statement of the model's own code that called the tap, seen from inside its hook."""
    while frame is not None and _between(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        raise RuntimeError("A tap was called from nowhere.")
    return statement_of(frame)


def model_statement(frame: FrameType | None) -> Statement | None:
    """The statement of the model's own code in which a torch function is called; None outside of it."""
    while frame is not None and written_by(frame.f_code.co_filename) < Author.MODEL:
        frame = frame.f_back
    return frame and statement_of(frame)


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

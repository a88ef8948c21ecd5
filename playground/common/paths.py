"""Paths and text files that a person or an environment variable names."""

import codecs
import os
import sys
from pathlib import Path

from playground.common.errors import PlaygroundError

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class PathError(PlaygroundError, ValueError):
    """A path that names nothing."""


def user_path(given: str | os.PathLike[str]) -> Path:
    """The path that a person names; `~` is their home folder. Raises `PathError` for an unknown home folder.

    A shell replaces `~` only at the beginning of a word: neither in `--out=~/model` nor in a Dockerfile.
    """
    name = os.fspath(given)
    if sys.getfilesystemencoding() == "ascii":  # the command line reads its arguments as UTF-8
        name = os.fsdecode(name.encode("utf-8", "surrogateescape"))
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise PathError(f"{given} starts with a home folder that does not exist.", "Write the whole path.") from None


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, or in the encoding that its byte order mark names, as Windows editors write one.

    Raises UnicodeDecodeError.
    """
    mark = next((mark for mark in _MARKS if content.startswith(mark)), b"")
    return content[len(mark) :].decode(_MARKS.get(mark, "utf-8"))

"""Scripts and styles of the screen: the committed build is that of their sources."""

import sys
from pathlib import Path

import pytest

from tests.__main__ import NODE
from tests.scripts.__main__ import STATIC, build

pytestmark = pytest.mark.skipif(not NODE.is_dir(), reason="the Node packages are not installed")


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_committed_build_is_that_of_the_sources(tmp_path: Path):
    build(sys.executable, str(tmp_path))
    assert contents(tmp_path) == contents(STATIC), "run `python3 -m tests.scripts` and commit what it builds"

"""Files written whole or not at all, and the one way to open a regular file."""

import ast
import os
import threading
from pathlib import Path

import pytest

from playground.common.files import IrregularError, create, open_regular, write_whole, written_beside
from tests.saved import FULL_DISK, RENAME, fail_at, tree

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(("names", "number"), [(("fsync",), 1), (RENAME, 1)])
def test_a_failed_write_leaves_the_old_content_and_nothing_else(tmp_path, monkeypatch, names, number):
    (tmp_path / "file").write_text("old")
    fail_at(monkeypatch, names, {number}, FULL_DISK)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "file", b"new", durable=True)
    assert tree(tmp_path) == {"file": b"old"}


def test_a_folder_takes_the_place_of_an_empty_one_only(tmp_path):
    for name in ("empty", "full"):
        (tmp_path / name).mkdir()
    (tmp_path / "full" / "old").write_text("old")
    for name in ("empty", "new"):
        with written_beside(tmp_path / name) as partial:
            partial.mkdir()
            create(partial / "file", b"new")
    with pytest.raises(OSError), written_beside(tmp_path / "full") as partial:  # noqa: PT011, PT012
        partial.mkdir()
        create(partial / "file", b"new")
    whole = {"empty": None, "empty/file": b"new", "new": None, "new/file": b"new"}
    assert tree(tmp_path) == {**whole, "full": None, "full/old": b"old"}


def test_an_interrupted_block_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), written_beside(tmp_path / "folder") as partial:  # noqa: PT012
        partial.mkdir()
        create(partial / "file", b"new")
        raise KeyboardInterrupt
    assert tree(tmp_path) == {}


def test_a_private_file_is_never_readable_by_others(tmp_path):
    with written_beside(tmp_path / "secret") as partial:
        create(partial, b"key", mode=0o600)
        assert partial.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_concurrent_writes_of_one_file_never_mix(tmp_path):
    contents = [bytes([number]) * 100_000 for number in range(4)]
    threads = [threading.Thread(target=write_whole, args=(tmp_path / "file", content)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "file").read_bytes() in contents
    assert len(tree(tmp_path)) == 1


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_regular_files_are_opened(tmp_path, kind, write):
    (tmp_path / "target").write_text("text")
    made = {
        "link": lambda path: path.symlink_to(tmp_path / "target"),
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
    }
    made[kind](tmp_path / "file")
    with pytest.raises(IrregularError), open_regular(tmp_path / "file", write=write):
        pass


def test_one_module_renames_into_place_and_opens_without_following_links():
    renames, refuses_links = set(), set()
    for path in (ROOT / "playground").rglob("*.py"):
        text, name = path.read_text("utf-8"), str(path.relative_to(ROOT / "playground"))
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        named = {node.func.attr for node in calls if isinstance(node.func, ast.Attribute) and len(node.args) == 1}
        if "replace" in named or "os.replace" in text:  # a text's has two arguments
            renames.add(name)
        if "O_NOFOLLOW" in text:
            refuses_links.add(name)
    assert renames == refuses_links == {"common/files.py"}

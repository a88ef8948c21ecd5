"""The files of a checkpoint: missing, irregular, linked, or changed while they are read."""

import errno
import io
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from playground.settings.config import parameter_shapes
from playground.storage import validation
from playground.storage.archive import as_zip
from playground.storage.checkpoint import CARD, CONFIG, HISTORY, WEIGHTS, load, save
from tests.helpers import HANG
from tests.saved import RECORDS, TINY, logits, refusal, tiny
from tests.saved import folder as folder


def test_missing_parts_are_named(folder: Path):
    refusal(lambda: load(folder.with_name("nowhere")), "nowhere")
    refusal(lambda: load(folder / "\0"), "There is no checkpoint")
    refusal(lambda: load(folder / ("x" * 300)), "x" * 40)
    refusal(lambda: load(folder / CONFIG), CONFIG)
    (folder / WEIGHTS).unlink()
    refusal(lambda: load(folder), WEIGHTS)
    (folder / CONFIG).unlink()
    refusal(lambda: load(folder), CONFIG)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
@pytest.mark.parametrize("kind", ["folder", "endless", "pipe"])
def test_irregular_files_are_refused_at_once(folder: Path, name: str, kind: str):
    (folder / name).unlink()
    match kind:
        case "folder":
            (folder / name).mkdir()
        case "endless":
            (folder / name).symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(folder / name)
    refused: list[str] = []
    thread = threading.Thread(target=lambda: refused.append(refusal(lambda: load(folder).history, name)), daemon=True)
    thread.start()
    thread.join(HANG)
    assert not thread.is_alive(), "it hangs"
    assert refused


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY, CARD])
@pytest.mark.parametrize("target", ["nothing", "itself", "private"])
def test_a_link_is_refused_wherever_it_leads(folder: Path, name: str, target: str):
    shutil.copy(folder / name, folder.with_name("private"))
    (folder / name).unlink()
    (folder / name).symlink_to({"nothing": "nothing", "itself": name, "private": "../private"}[target])
    refusal(lambda: as_zip(folder), name)
    if name != CARD:
        refusal(lambda: load(folder).history, name)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_file_replaced_before_it_is_opened_is_refused_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
):
    original = os.stat

    def stat(path: str | Path, *args: Any, **kwargs: Any) -> os.stat_result:
        status = original(path, *args, **kwargs)
        if path == name and (folder / name).is_file():
            (folder / name).rename(folder.with_name("private"))
            match kind:
                case "link":
                    (folder / name).symlink_to("../private")
                case "pipe":
                    os.mkfifo(folder / name)
                case "folder":
                    (folder / name).mkdir()
        return status

    monkeypatch.setattr(os, "stat", stat)
    refused: list[str] = []
    thread = threading.Thread(target=lambda: refused.append(refusal(lambda: load(folder).history, name)), daemon=True)
    thread.start()
    thread.join(HANG)
    assert not thread.is_alive(), "it hangs"
    assert refused
    assert kind != "pipe" or "regular file" in refused[0]


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
def test_an_unreadable_file_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    original = os.open

    def refuse(path: str | Path, *args: Any, **kwargs: Any) -> int:
        if str(path).endswith(name):
            raise PermissionError(errno.EACCES, "Permission denied")
        return original(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    refusal(lambda: load(folder).history, name, "Permission denied")


def test_a_system_without_folder_descriptors_reads_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(validation, "_HAS_FOLDER_DESCRIPTORS", False)
    loaded = load(folder)
    assert torch.equal(logits(loaded.model), logits(tiny()))
    assert loaded.history == RECORDS
    refusal(lambda: load(folder.with_name("nowhere")), "There is no checkpoint")
    refusal(lambda: load(folder / CONFIG), "There is no checkpoint")
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to("/dev/zero")
    refusal(lambda: load(folder), WEIGHTS, "regular file")
    (folder / WEIGHTS).unlink()
    refusal(lambda: load(folder), WEIGHTS, "missing")


class Meddler:
    """Does something to a folder in the middle of a load: before the read of a file with this number, from 1."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[], object]) -> None:
        self.reads, original = 0, validation.read_exactly

        def read_exactly(file: io.IOBase, *args: Any) -> None:
            if isinstance(file, io.FileIO):
                self.reads += 1
                if self.reads == number:
                    act()
            original(file, *args)

        monkeypatch.setattr(validation, "read_exactly", read_exactly)


TENSORS = len(parameter_shapes(TINY))
READS = 1 + 2 * (2 + TENSORS)
"""config.json; twice length, header and tensors of the weights."""
SOME_READS = (2, 3, 4, 3 + TENSORS, 4 + TENSORS, READS)


@pytest.mark.parametrize("number", [1, *SOME_READS])
def test_a_checkpoint_deleted_while_open_is_read_or_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int):
    meddler = Meddler(monkeypatch, number, lambda: shutil.rmtree(folder))
    if number == 1:
        refusal(lambda: load(folder), WEIGHTS, "missing")
    else:
        assert torch.equal(logits(load(folder).model), logits(tiny()))
        assert meddler.reads == READS


def test_a_checkpoint_replaced_while_open_never_mixes(folder: Path, monkeypatch: pytest.MonkeyPatch):
    Meddler(monkeypatch, 1, lambda: save(folder, tiny(seed=1), [], overwrite=True))
    refusal(lambda: load(folder), WEIGHTS, "missing")


@pytest.mark.parametrize("number", [1, *SOME_READS])
def test_weights_that_shrink_while_they_are_read_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    Meddler(monkeypatch, number, lambda: os.truncate(folder / WEIGHTS, 4))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("number", SOME_READS)
def test_weights_that_change_while_they_are_read_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    def change() -> None:
        with (folder / WEIGHTS).open("r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"\0\0\0\0")
        os.utime(folder / WEIGHTS, ns=(0, 0))

    Meddler(monkeypatch, number, change)
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("number", [1, 2])
def test_the_loaded_bytes_are_checked_ones(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int):
    written, tensors, calls = (folder / WEIGHTS).stat().st_mtime_ns, validation.tensors, []

    def change(*args: Any) -> Iterator[Any]:
        yield from tensors(*args)
        calls.append(True)
        if len(calls) == number:
            with (folder / WEIGHTS).open("r+b") as file:
                file.seek(-4, os.SEEK_END)
                file.write(b"\0\0\xc0\x7f")
            os.utime(folder / WEIGHTS, ns=(written, written))

    monkeypatch.setattr(validation, "tensors", change)
    if number == 2:
        assert torch.equal(logits(load(folder).model), logits(tiny()))
    refusal(lambda: load(folder), WEIGHTS, "not finite")

"""A limit on disk for all visitors together: who was away longest expires first, and nobody who is here."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.runs import RunError, Runs
from playground.runs.folder_lock import Owner
from playground.runs.visitor_data import VisitorData
from playground.settings.host import Host
from playground.storage.library import Library
from playground.ui.session import sources
from playground.ui.session.services import services
from playground.ui.shell.navigation import _disk_warning
from tests.helpers import LONG, TINY, until

MB = 1_000_000
HOUR = 3600.0

Make = Callable[..., Runs]


def visited(runs: Runs, owner: str, *, ago: float, size: int = MB) -> Path:
    """The folder of a visitor who was here so many seconds ago and keeps so many bytes."""
    folder = runs.host.private_folder / owner
    (folder / "library" / "model").mkdir(parents=True)
    (folder / "library" / "model" / "weights").write_bytes(bytes(size))
    (folder / "seen").touch()
    os.utime(folder / "seen", (time.time() - ago, time.time() - ago))
    return folder


def left(runs: Runs) -> set[str]:
    return {path.name for path in runs.host.private_folder.iterdir() if path.is_dir()}


@pytest.fixture
def full(host: Make) -> Runs:
    """A host whose disk is full: of three visitors one is here."""
    runs = host(mode="shared", disk_mb=3)
    visited(runs, "oldest", ago=9 * HOUR)
    visited(runs, "older", ago=5 * HOUR)
    visited(runs, "here", ago=60)
    runs.data.measure()
    return runs


def test_data_of_the_visitor_away_longest_is_deleted_first(full):
    assert full.reserve_space("new", 800_000) == ""
    assert left(full) == {"older", "here"}
    assert full.data.used == 2 * MB + 800_000, "what is about to be written counts"


def test_data_of_present_visitors_stays_and_the_refusal_has_advice(full):
    refusal = full.reserve_space("new", 2_500_000)
    assert left(full) == {"here"}
    assert refusal == "This host's disk is full. Delete what you don't need, or try again in 15 minutes."
    assert full.reserve_space("here", 2_500_000) == refusal


def test_a_visitors_own_data_is_not_deleted_for_them(full):
    assert full.reserve_space("oldest", 800_000) == ""
    assert left(full) == {"oldest", "here"}


def test_a_tick_frees_disk_space(full):
    visited(full, "more", ago=60, size=800_000)
    full.tick()
    assert left(full) == {"older", "here", "more"}
    assert not list(full.data.to_free())


def test_an_active_run_protects_its_owners_data(full):
    run = full.start("oldest", LONG, paused=True)
    seen = full.host.private_folder / "oldest" / "seen"
    os.utime(seen, (1, 1))
    run.seen -= 9 * HOUR
    assert full.reserve_space("new", 800_000) == ""
    assert left(full) == {"oldest", "here"}


def test_a_viewing_visitor_counts_as_present(host):
    runs = host(mode="shared", disk_mb=1)
    run = runs.start("watcher", TINY, paused=True)
    run.stop()
    until(lambda: not run.has_worker)
    run.mark_seen()
    seen = visited(runs, "other", ago=HOUR).parent / "watcher" / "seen"
    seen.touch()
    os.utime(seen, (1, 1))
    runs.data.measure()
    assert runs.reserve_space("new", 900_000) == ""
    assert left(runs) == {"watcher"}
    run.seen -= HOUR
    assert runs.reserve_space("new", 900_000) != "", "it is counted already"
    assert left(runs) == set()


def test_nothing_expires_after_the_system_clock_was_set(full, monkeypatch):
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 30 * 86400)
    assert full.reserve_space("new", 800_000) != ""
    assert left(full) == {"oldest", "older", "here"}


def test_no_run_starts_on_a_full_disk(host):
    runs = host(mode="shared", disk_mb=1)
    visited(runs, "here", ago=60, size=2 * MB)
    runs.data.measure()
    with pytest.raises(RunError, match="disk is full"):
        runs.start("new", TINY)
    with pytest.raises(RunError, match="disk is full"):
        runs.start_many("new", [TINY, TINY], sweep="two")


def test_a_folder_has_one_library_however_many_others_there_are(host, monkeypatch):
    runs = host(mode="shared")
    monkeypatch.setattr(services(), "host", runs.host)
    held = sources.library_of("a" * 32)
    for number in range(300):
        sources.library_of(f"{number:032}")
    assert sources.library_of("a" * 32) is held, "two would not wait for each other"


def test_a_library_accepts_nothing_on_a_full_disk(host, monkeypatch):
    runs = host(mode="shared", disk_mb=1)
    monkeypatch.setattr(services(), "runs", runs)
    monkeypatch.setattr(services(), "host", runs.host)
    library = sources.library_of("a" * 32)
    library.save("mine", TaskModel(TINY), [])
    assert runs.data.used == library.used_bytes(), "counted before it is measured"
    visited(runs, "here", ago=60)
    runs.data.measure()
    with pytest.raises(CheckpointError, match="disk is full"):
        library.save("more", TaskModel(TINY), [])
    assert [path.name for path in library.root.iterdir()] == ["mine"]


def test_an_own_library_has_no_disk_limit(tmp_path):
    library = Library(tmp_path)
    library.save("mine", TaskModel(TINY), [])
    assert Runs(Host(checkpoints=tmp_path)).reserve_space("", 10**15) == ""


def test_visitors_are_warned_before_the_disk_is_full(host, monkeypatch):
    runs = host(mode="shared", disk_mb=2)
    monkeypatch.setattr(services(), "runs", runs)
    assert _disk_warning() == ""
    visited(runs, "here", ago=60, size=1_700_000)
    runs.tick()
    assert "nearly full (2 of 2 MB)" in _disk_warning()
    assert "Download what you want to keep." in _disk_warning()


def test_folders_are_measured_a_few_at_a_time(tmp_path, monkeypatch):
    disk = VisitorData(Host(checkpoints=tmp_path, disk_mb=1))
    for name in "abc":
        (disk.folder / name).mkdir(parents=True)
        (disk.folder / name / "file").write_bytes(bytes(100))
    disk.measure()
    assert disk.used == 300
    for name in "abc":
        (disk.folder / name / "file").write_bytes(bytes(1000))
    monkeypatch.setattr("playground.runs.visitor_data._MEASURED_AT_ONCE", 1)
    found = []
    for _ in range(3):
        disk.measure()
        found.append(disk.used)
    assert found == [1200, 2100, 3000]
    (disk.folder / "b" / "file").unlink()
    (disk.folder / "b").rmdir()
    disk.measure()
    assert disk.used == 2000


def test_an_interrupted_deletion_is_completed(tmp_path):
    disk = VisitorData(Host(checkpoints=tmp_path))
    (disk.folder / ".gone-a" / "library").mkdir(parents=True)
    disk.claim()
    assert not list(disk.folder.glob("*gone*"))
    disk.close()


def test_a_server_that_does_not_own_the_folder_deletes_nothing_there(full):
    full.data.folder_owner = Owner(1, 0.0)
    full.tick()
    full.reserve_space("new", 800_000)
    assert left(full) == {"oldest", "older", "here"}

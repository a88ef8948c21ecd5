"""Servers that share a folder: one owns its runs, another one says so and keeps its own elsewhere."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.processes import warm_up
from playground.recording import REPOSITORY
from playground.runs import Runs
from playground.runs.folder_lock import FolderLock, Owner
from playground.settings.host import Host
from playground.ui.session.services import services
from tests.helpers import HANG, LONG, TINY, is_alive, until

SERVER = """
    import sys
    from pathlib import Path

    from playground.settings.host import Host
    from playground.runs import Runs
    from tests.helpers import LONG, until

    runs = Runs(Host(checkpoints=Path(sys.argv[1])))
    runs.data.claim(0)
    run = runs.start("ada", LONG, pace=50)
    until(lambda: run.store.kept_step)
    print(run.id, run._worker.pid, flush=True)
    sys.stdin.readline()
"""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """Another server that owns the folder and trains a run: its process, the run's id and its worker."""
    script = tmp_path / "main.py"
    script.write_text(textwrap.dedent(SERVER))
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "kept")],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    run_id, worker = process.stdout.readline().split()
    yield process, run_id, int(worker)
    process.kill()
    process.communicate()
    if is_alive(int(worker)):
        os.kill(int(worker), signal.SIGKILL)


def server(tmp_path: Path, **limits: object) -> Runs:
    runs = Runs(Host(checkpoints=tmp_path / "kept", **limits))
    runs.data.claim(0)
    return runs


def test_a_second_server_leaves_the_runs_to_the_first_and_says_so(other, tmp_path, monkeypatch):
    process, run_id, _ = other
    expired = tmp_path / "kept/.visitors/bob"
    (expired / "runs").mkdir(parents=True)
    os.utime(expired, (0, 0))
    runs = server(tmp_path)
    monkeypatch.setattr(services(), "runs", runs)
    assert runs.data.folder_owner is not None
    assert runs.data.folder_owner.pid == process.pid
    assert abs(runs.data.folder_owner.started - time.time()) < HANG
    assert f"Another server (process {process.pid}, started " in services().not_kept()
    assert runs.of("ada") == [], "they are not taken over"
    assert runs.watched(run_id) is None
    own = runs.start("ada", TINY)
    assert own.wait("finished")
    assert not own.store.folder.path.is_relative_to(tmp_path)
    assert [path.name for path in (tmp_path / "kept/.visitors/ada/runs").iterdir()] == [run_id]
    runs.tick()
    assert expired.exists()
    folder = own.store.folder.path
    runs.close()
    assert not folder.exists()
    assert process.poll() is None
    assert FolderLock(tmp_path / "kept/.visitors/server.lock").acquire(0) == runs.data.folder_owner, (
        "the first has it still"
    )


def test_a_killed_server_releases_its_folder_and_the_next_takes_over(other, tmp_path):
    process, run_id, worker = other
    os.kill(worker, signal.SIGSTOP)  # a worker that outlives its server must not hold the folder
    process.kill()
    process.wait()
    runs = server(tmp_path)
    assert runs.data.folder_owner is None
    [found] = runs.of("ada")
    assert (found.id, found.status) == (run_id, "paused")
    assert found.step == found.store.kept_step
    os.kill(worker, signal.SIGKILL)
    found.resume()
    at = found.step
    until(lambda: found.step > at)
    runs.close()


def test_a_server_waits_for_one_that_is_shutting_down(other, tmp_path):
    process, _, _ = other
    runs = Runs(Host(checkpoints=tmp_path / "kept"))
    os.kill(process.pid, signal.SIGKILL)
    runs.data.claim(30)
    assert runs.data.folder_owner is None
    runs.close()


def test_close_releases_the_folder(tmp_path):
    first = server(tmp_path)
    assert server(tmp_path).data.folder_owner == Owner(os.getpid(), pytest.approx(time.time(), abs=HANG))
    first.close()
    third = server(tmp_path)
    assert third.data.folder_owner is None
    third.close()


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.ENOSYS])
def test_without_file_locks_the_server_starts_and_logs_it(tmp_path, monkeypatch, caplog, error):
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(error, "No locks available")

    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(fcntl, "flock", no_locks)
    runs = server(tmp_path)
    assert runs.data.folder_owner is None
    assert "No locks available" in caplog.text
    assert runs.start("ada", LONG, paused=True).store.folder.path.is_relative_to(tmp_path)
    runs.close()


@pytest.mark.parametrize("content", ["", "{", "[" * 200, '{"pid": null}', '{"pid": 1, "started": 1e300}', "x" * 9999])
def test_a_lock_with_an_unreadable_owner_is_respected(tmp_path, monkeypatch, content):
    first, second = FolderLock(tmp_path / "lock"), FolderLock(tmp_path / "lock")
    assert first.acquire(0) is None
    (tmp_path / "lock").write_text(content)
    assert second.acquire(0) == Owner()
    first.release()
    assert second.acquire(0) is None
    second.release()
    runs = Runs(Host(checkpoints=tmp_path))
    runs.data.folder_owner = Owner()
    monkeypatch.setattr(services(), "runs", runs)
    assert services().not_kept().startswith("Another server uses the same checkpoints folder.")

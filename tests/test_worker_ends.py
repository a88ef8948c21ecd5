"""How a worker process ends: by a stop, a fault, a kill, or with its server."""

import json
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.processes import child
from playground.recording import REPOSITORY
from playground.runs import SLOW_MOTION, Run, State
from playground.runs.keeping import RunFolder
from playground.runs.metadata import RunMetadata
from tests.helpers import LONG, TINY, first, is_alive, same_weights, timeless, until
from tests.worker_runs import advance
from tests.worker_runs import here as here
from tests.worker_runs import start as start
from tests.worker_runs import warm as warm  # for every test here too


@pytest.fixture
def held(start: Callable[..., Run]) -> Iterator[Callable[..., Run]]:
    """A run whose worker does not listen, as amid a step that takes minutes."""
    pids: list[int] = []

    def begin(**options: Any) -> Run:
        run = start(LONG, **options)
        until(lambda: run.step > 3)
        pids.append(run._worker.pid)  # type: ignore[union-attr, arg-type]
        os.kill(pids[-1], signal.SIGSTOP)
        return run

    yield begin
    for pid in filter(is_alive, pids):
        os.kill(pid, signal.SIGCONT)


def test_stop_ends_a_worker_during_a_long_step(held: Callable[..., Run], tmp_path: Path):
    run = held(folder=tmp_path)
    pid, step = run._worker.pid, run.step  # type: ignore[union-attr]
    assert run.state is not State.STOPPING
    run.stop()
    assert run.state is State.STOPPING, "known at once"
    assert run.wait("stopped")
    assert run.state is not State.STOPPING
    assert not is_alive(pid)
    assert run.step >= step, "what was reported until then stays"
    assert run.records()[-1]["step"] == run.step
    until(lambda: Run.restored(RunFolder(tmp_path / run.id)).status == "stopped")


def test_a_stop_ends_a_suspending_worker(held: Callable[..., Run], tmp_path: Path):
    run = held(folder=tmp_path)
    run.suspend()
    run.stop()
    assert run.wait("stopped")


def test_a_stop_in_slow_motion_ends_the_worker(held: Callable[..., Run]):
    run = held()
    run.set_pace(SLOW_MOTION)
    run.stop()
    assert run.wait("stopped")


def test_a_stop_ends_a_starting_worker(monkeypatch: pytest.MonkeyPatch):
    run = Run(RunMetadata(config=LONG))
    begin = child.start

    def start_and_hold(*arguments: Any, **options: Any) -> Any:
        threading.Thread(target=run.stop).start()
        worker = begin(*arguments, **options)
        os.kill(worker.pid, signal.SIGSTOP)
        return worker

    monkeypatch.setattr(child, "start", start_and_hold)
    run.begin()
    assert run.wait("stopped")


def test_a_pause_during_a_long_step_is_shown_at_once(held: Callable[..., Run]):
    run = held()
    pid = run._worker.pid  # type: ignore[union-attr]
    run.pause()
    assert run.state is State.PAUSING
    run.resume()
    assert run.state is not State.PAUSING
    run.pause()
    os.kill(pid, signal.SIGCONT)  # type: ignore[arg-type]
    assert run.wait("paused")
    assert run.state is not State.PAUSING
    run.resume()
    until(lambda: run.status == "running")
    run.stop()
    assert run.wait("stopped")
    assert run.state is not State.PAUSING


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_diverging_loss_ends_the_run_with_an_error_message(start: Callable[..., Run]):
    wild = {"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False}
    run = start(TINY.updated(wild))
    assert run.wait("failed")
    assert "learning rate" in run.message
    assert run.message.endswith(".")
    assert len(run.message.splitlines()) == 1
    assert all(math.isfinite(line.get("loss", 0.0)) for line in run.records())
    assert [line["step"] for line in run.records()] == list(range(run.step + 1))


def test_a_killed_worker_is_noticed_and_its_reports_are_kept(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    advance(run, 6)
    os.kill(run._worker.pid, signal.SIGKILL)
    assert run.wait("failed")
    assert "ended unexpectedly" in run.message
    assert run.message.endswith(".")
    assert run.step == 6
    assert timeless(run.records()) == here[0][: run.step + 1]
    assert same_weights(run.model_at(5), here[1][5])
    run.resume()
    run.close()
    assert run.status == "failed"


def test_ctrl_c_does_not_reach_a_worker(start: Callable[..., Run]):
    run = start(LONG, pace=50)
    until(lambda: run.step >= 2)
    os.kill(run._worker.pid, signal.SIGINT)
    before = run.step
    until(lambda: run.step > before + 5)


def test_closing_ends_the_process(start: Callable[..., Run]):
    run = start(LONG)
    until(lambda: run.step > 0)
    pid = run._worker.pid
    run.close()
    until(lambda: not is_alive(pid))
    assert run.wait("stopped")


# --- the end of the server ------------------------------------------------------------------------


SERVER = """
    import json, signal, sys, time
    from pathlib import Path

    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests run in the background may have it ignored

    with Path(sys.argv[1]).open("a") as log:
        log.write("the main script ran\\n")

    from playground.settings.config import RunConfig
    from playground.runs import Run
    from playground.runs.metadata import RunMetadata

    runs = [
        Run(RunMetadata(config=RunConfig().updated(changes), pace=pace), paused=paused)
        for changes, pace, paused in json.loads(sys.argv[2])
    ]
    for run in runs:
        run.begin()
    for run in runs:
        run.wait("paused", "running")
    print(*(run._worker.pid for run in runs), flush=True)
    sys.stdin.readline()
    runs[0].step_once()
    print("asked to step", flush=True)
    time.sleep(60)
"""
Server = Callable[..., tuple[subprocess.Popen[str], list[int]]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Server]:
    """Starts a process that starts runs (changes of settings, pace, paused): the process and its workers' ids."""
    started: list[subprocess.Popen[str]] = []
    pids: list[int] = []

    def begin(*runs: tuple[dict[str, Any], float | None, bool]) -> tuple[subprocess.Popen[str], list[int]]:
        (tmp_path / "main.py").write_text(textwrap.dedent(SERVER))
        process = subprocess.Popen(
            [sys.executable, str(tmp_path / "main.py"), str(tmp_path / "log"), json.dumps(runs)],
            cwd=tmp_path,  # from anywhere: the workers find the package all the same
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        assert process.stdout is not None
        pids.extend(int(pid) for pid in process.stdout.readline().split())
        assert len(pids) == len(runs)
        assert all(is_alive(pid) for pid in pids)
        return process, pids

    yield begin
    for process in started:
        process.kill()
        process.communicate()
    for pid in filter(is_alive, pids):
        os.kill(pid, signal.SIGKILL)


in_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")


@in_proc
@pytest.mark.parametrize("how", first(1, ["SIGKILL", "SIGTERM", "Ctrl-C"]))
def test_no_worker_outlives_its_server(serve: Server, tmp_path: Path, how: str):
    endless = {"training.steps": 100_000, "training.stop_when_solved": False}
    server, pids = serve((endless, 0.1, False), (endless, 5.0, True), (endless, None, False))
    if how == "Ctrl-C":
        os.killpg(server.pid, signal.SIGINT)  # a terminal sends it to everyone
    else:
        server.send_signal(getattr(signal, how))
    until(lambda: not any(is_alive(pid) for pid in pids))
    assert (tmp_path / "log").read_text() == "the main script ran\n", "and never again in a worker"


@in_proc
def test_a_worker_in_a_long_step_does_not_outlive_its_server(serve: Server):
    """The largest models take seconds a step, in which a worker does not listen."""
    large = {"model.d_model": 256, "model.d_ff": 1024, "model.n_layers": 6, "model.n_heads": 1}
    large |= {"model.architecture": "encoder-only", "task.min_length": 64, "task.max_length": 64}
    server, pids = serve((large | {"training.batch_size": 128}, None, True))
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("go\n")
    server.stdin.flush()
    assert server.stdout.readline() == "asked to step\n"
    time.sleep(0.3)
    server.kill()
    until(lambda: not is_alive(pids[0]))

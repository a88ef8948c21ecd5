"""Runs on a real Ray cluster of two nodes on this machine: the same numbers, and nothing lost when a node is."""

import json
import logging
import os
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from playground.cli import app
from playground.model.task_model import TaskModel
from playground.runs import Run, Runs
from playground.runs.backends import Cluster, cluster_driver
from playground.runs.backends.cluster_driver import WorkerEnded
from playground.runs.keeping import RunFolder
from playground.settings.config import RunConfig
from playground.settings.host import Host
from playground.storage.checkpoint import load
from playground.training import train
from tests.helpers import HANG, LONG, TINY, examples, numbers, same_weights, timeless, until

# Real processes of Ray that find each other by time limits of their own: asked once more, and the summary names it.
pytestmark = pytest.mark.flaky(reruns=1)

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000, "node_ip_address": "127.0.0.1"}
STEADY = TINY.updated({"training.steps": 800, "training.eval_every": 50, "training.stop_when_solved": False})

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import ray
    from ray.cluster_utils import Cluster as Machines


def machines(**head: Any) -> Machines:
    found = Machines(initialize_head=True, head_node_args=NODE | {"include_dashboard": False} | head)
    found.add_node(**NODE)
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of two nodes with a CPU each, for every test that breaks none of them."""
    two = machines()
    ray.init(two.address, log_to_driver=False, logging_level=logging.ERROR)
    yield two.address
    ray.shutdown()
    two.shutdown()


@pytest.fixture(scope="module")
def runs(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """Of a host whose backend they are."""
    made = connected(address, tmp_path_factory.mktemp("host"))
    yield made
    made.close()


def connected(address: str, folder: Path, *, patience: float = 60.0) -> Runs:
    runs = Runs(Host(checkpoints=folder), Cluster(address, timeout=patience))
    runs.open()
    assert runs.backend.settled(HANG)
    return runs


@pytest.fixture
def on(tmp_path: Path) -> Iterator[Callable[[str], Runs]]:
    """Makes the runs of a host whose backend is another cluster; a second call is the same host after a restart."""
    made: list[Runs] = []

    def make(address: str) -> Runs:
        made.append(connected(address, tmp_path, patience=6.0))  # nodes are lost here
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def seeds(config: RunConfig, count: int) -> list[RunConfig]:
    return [config.updated({"seed": seed}) for seed in range(count)]


def assert_whole(run: Run) -> None:
    """Its records are those of a training in this process, each once, in memory and on disk; so are its weights."""
    expected = [progress.record() for progress in train(run.config)]
    assert timeless(run.records()) == numbers(expected)
    assert run.store.folder is not None
    assert [record["step"] for record in run.store.folder.journal(run.config).records()] == list(range(run.step + 1))


def free_cpus() -> float:
    return ray.available_resources().get("CPU", 0.0)


def test_runs_spread_over_both_nodes_and_give_the_same_numbers(runs: Runs):
    assert (runs.backend.slots, runs.backend.problem) == (2, "")
    started = runs.start_many("ada", seeds(TINY, examples(5)), sweep="many")
    assert all(run.wait() for run in started)
    assert {run.status for run in started} <= {"solved", "finished"}
    assert len({run.metadata.node for run in started}) == 2
    for run in started[:3]:
        assert_whole(run)
    until(lambda: free_cpus() == 2)  # nobody waits, so no slot stays warm


def test_a_stopped_run_frees_its_cpu_for_the_next(runs: Runs):
    first, second, third = (runs.start("ada", LONG) for _ in range(3))
    assert first.wait("running")
    assert second.wait("running")
    assert third.status == "queued"
    first.stop()
    assert third.wait("running")
    assert third.metadata.node == first.metadata.node
    runs.stop_all("ada")
    until(lambda: free_cpus() == 2)


def test_a_run_can_be_paused_changed_suspended_and_resumed(runs: Runs):
    run = runs.start("ada", LONG, paused=True)
    assert run.wait("paused")
    run.step_once()
    until(lambda: run.step == 1)
    run.change({"training.learning_rate": 0.002})
    run.resume_until(until=40)
    until(lambda: run.step == 40 and run.status == "paused")
    run.suspend()
    until(lambda: not run.has_worker)
    assert run.store.kept_step == 40
    run.resume_until(until=80)
    until(lambda: run.step == 80 and run.status == "paused")
    expected = []
    for progress in train(run.config, changes=run.changes):
        expected.append(progress.record())
        if progress.step == 80:
            break
    assert timeless(run.records()) == numbers(expected)


def test_another_server_resumes_from_the_returned_state(on: Callable[[str], Runs], address: str):
    runs = on(address)
    run = runs.start("ada", STEADY, pace=100.0)
    until(lambda: (run.store.kept_step or 0) > 0)
    runs.close()
    again = on(address).of("ada")[0]
    assert again.status == "paused"
    assert again.step == again.store.kept_step
    again.set_pace(None)
    again.resume()
    assert again.wait("finished")
    assert_whole(again)


def test_a_replay_runs_on_the_node_of_the_run_and_is_verified(runs: Runs):
    run = runs.start("ada", STEADY.updated({"training.steps": 200}))
    assert run.wait("finished")
    step = next(step for step in range(1, 200) if not run.store.snapshots.has(step))
    assert runs.replays.ask("ada", run, step).wait(HANG)
    there = TaskModel(run.config)
    assert any(progress.step == step for progress in train(run.config, there))
    assert same_weights(run.model_at(step), there)
    kept = run.store.snapshots
    kept.weights = {at: content[:-4] + b"\0\0\0\0" if at else content for at, content in kept.weights.items()}
    other = next(other for other in range(150, 200) if not run.store.snapshots.has(other))
    wrong = runs.replays.ask("ada", run, other)
    assert not wrong.wait()
    assert "gave different weights" in wrong.message


def test_a_killed_node_loses_no_record_and_its_runs_resume_elsewhere(on: Callable[[str], Runs]):
    two = machines()
    try:
        runs = on(two.address)
        started = [runs.start("ada", STEADY.updated({"seed": seed}), pace=100.0) for seed in (0, 1)]
        until(lambda: all((run.store.kept_step or 0) > 0 for run in started))
        gone = next(node for node in two.list_all_nodes() if node != two.head_node)
        moved = next(run for run in started if run.metadata.node.endswith(gone.node_id[:8]))
        two.remove_node(gone, allow_graceful=False)
        until(lambda: "was lost at step" in moved.notice)
        for run in started:
            run.set_pace(None)
        assert all(run.wait("finished") for run in started)
        assert moved.metadata.node.endswith(two.head_node.node_id[:8])
        for run in started:
            assert_whole(run)
    finally:
        two.shutdown()


def test_runs_wait_without_the_head_and_resume_when_it_is_back(on: Callable[[str], Runs]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    two = machines(gcs_server_port=port)
    try:
        runs = on(two.address)
        run = runs.start("ada", STEADY, pace=20.0)
        until(lambda: (run.store.kept_step or 0) > 0)
        kept = run.store.kept_step
        two.shutdown()
        until(lambda: runs.backend.problem and run.status == "queued")
        assert run.store.kept_step >= kept
        later = runs.start("ada", TINY)
        assert later.status == "queued"
        queued = runs.queue_position(later)
        assert queued is not None
        assert "Runs wait until it responds." in queued.reason
        run.set_pace(None)
        two = machines(gcs_server_port=port)
        assert run.wait("finished")
        assert later.wait()
        assert_whole(run)
    finally:
        two.shutdown()


def test_a_missing_cluster_is_reported(on: Callable[[str], Runs]):
    runs = on("127.0.0.1:9")
    assert runs.backend.problem.startswith("There is no Ray cluster at 127.0.0.1:9")
    assert runs.start("ada", TINY).status == "queued"


WITH_TOKEN = """
import sys
from tests.test_cluster import machines
two = machines()
print(two.address, flush=True)
sys.stdin.readline()
two.shutdown()
"""


def test_a_cluster_with_a_token_trains_for_those_alone_who_have_it(tmp_path: Path):
    known = os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "t" * 64, "HOME": str(tmp_path)}
    nodes = subprocess.Popen(
        [sys.executable, "-c", WITH_TOKEN], env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        address = nodes.stdout.readline().strip()
        small = ["--set", "model.d_model=16", "--set", "training.steps=3", "--backend", "ray", "--address", address]
        for token in ("t" * 64, "x" * 64):
            command = [sys.executable, "-m", "playground", "train", *small, "--out", str(tmp_path / token[0])]
            environment = known | {"RAY_AUTH_TOKEN": token}
            ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            assert (ran.returncode == 0) == (token[0] == "t"), ran.stderr
        assert "Check the address and the cluster's token." in " ".join(ran.stderr.split())
    finally:
        nodes.communicate("\n")


def test_a_state_that_cannot_be_written_stays_in_memory(runs: Runs, monkeypatch: pytest.MonkeyPatch):
    run = runs.start("ada", STEADY, paused=True)
    assert run.wait("paused")
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(RunFolder, "write_state", lambda *_: (_ for _ in ()).throw(full))
    run.resume_until(until=30)
    until(lambda: run.step == 30 and run.status == "paused")
    run.suspend()
    until(lambda: not run.has_worker)
    assert "No space left on device" in run.store.problem
    monkeypatch.undo()
    run.resume()
    assert run.wait("finished")
    assert not run.store.problem
    assert_whole(run)


def test_the_command_line_gives_the_same_result_on_a_cluster(tmp_path: Path, address: str):
    small = ["train", "--set", "model.d_model=16", "--set", "training.steps=30", "--json"]
    ways = {"there": ["--backend", "ray", "--address", address], "here": []}
    summaries = {}
    for way, words in ways.items():
        trained = CliRunner().invoke(app, [*small, *words, "--out", str(tmp_path / way)])
        assert trained.exit_code == 0, trained.output
        summaries[way] = json.loads(trained.stdout.splitlines()[-1])
    alike = ("steps", "exact_match", "token_accuracy", "loss", "solved_at_step", "parameters")
    assert [summaries["there"][key] for key in alike] == [summaries["here"][key] for key in alike]
    there, here = (load(tmp_path / way) for way in ways)
    assert same_weights(there.model, here.model)
    assert timeless(there.history) == timeless(here.history)


def test_a_worker_that_ends_alone_does_not_count_as_a_lost_node(monkeypatch: pytest.MonkeyPatch):
    driver = cluster_driver._Driver(None, _Ray(), 20.0)  # type: ignore[arg-type]
    monkeypatch.setattr(cluster_driver, "NODE_SECONDS", -1.0)
    with socket.create_server(("127.0.0.1", 0)) as there:
        driver.nodes, driver.names = {"abcdefghij": there.getsockname()}, {"abcdefghij": "one/abcdefgh"}
        alone = driver._lost(1, "abcdefghij", RuntimeError("killed by the memory monitor"))
        assert alone == WorkerEnded(1, "killed by the memory monitor")
        assert driver._lost(1, "", RuntimeError("not started")) == WorkerEnded(1, "not started")
    assert driver._lost(1, "abcdefghij", RuntimeError("gone")) == WorkerEnded(1, lost_node="one/abcdefgh")
    driver.nodes = {}
    assert driver._lost(1, "abcdefghij", RuntimeError("gone")) == WorkerEnded(1, lost_node="one/abcdefgh")


class _Driver:
    """Of a cluster with another version of the package."""

    def recv(self) -> Any:
        raise ModuleNotFoundError("playground.tasks.new")

    def send(self, message: Any) -> None:
        pass

    kill = join = close = lambda self, *_: True


def test_an_invalid_message_ends_the_connection_and_its_workers_only(monkeypatch):
    made = []
    monkeypatch.setattr("playground.runs.backends.cluster.RETRY_SECONDS", 0.01)
    monkeypatch.setattr(
        "playground.runs.backends.cluster.child.start", lambda *_, **__: made.append(_Driver()) or made[-1]
    )
    backend = Cluster("127.0.0.1:9")
    backend.problem = ""
    backend.open()
    until(lambda: len(made) > 2)
    assert backend.problem == "The connection to the Ray cluster was lost."
    worker = backend.start(print, name="one")
    assert worker.join(HANG)
    assert worker.lost
    with pytest.raises(EOFError):
        worker.recv()
    backend.close()


class _Ray:
    def remote(self, actor: type) -> type:
        return actor

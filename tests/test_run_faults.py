"""Faults while runs train: killed workers, damaged folders, full disks; no step is learned differently."""

import os
import random
import shutil
import signal
import threading
import time
from types import SimpleNamespace

import pytest
import safetensors.torch

from playground.runs import Runs, keeping
from playground.runs.keeping import RunFolder
from playground.settings.host import Host
from playground.training import Training, train
from tests.helpers import LONG, TINY, first, numbers, timeless, until
from tests.worker_runs import advance, whole
from tests.worker_runs import warm as warm  # for every test here too


def test_a_killed_worker_loses_only_the_steps_since_the_kept_state(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY.updated({"training.eval_every": 2}), paused=True)
    advance(run, 7)
    until(lambda: run.store.kept_step)
    os.kill(run._worker.pid, signal.SIGKILL)
    assert run.wait("paused")
    assert "ended unexpectedly" in run.message
    assert f"Resume continues from step {run.store.kept_step}" in run.message
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    plain = [p.record() for p in train(TINY.updated({"training.eval_every": 2}))]
    assert timeless(run.records()) == numbers(plain)


@pytest.mark.parametrize(
    "damage",
    first(4, ["state cut", "history cut", "about cut", "rubbish", "state of another", "state renamed", "no state"]),
)
def test_a_damaged_run_folder_affects_only_that_run(host, damage, tmp_path):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    advance(run, 7)
    until(lambda: run.store.kept_step)
    run.suspend()
    until(lambda: not run.has_worker)
    path = run.store.folder.path
    if damage == "state cut":
        (path / "state.safetensors").write_bytes((path / "state.safetensors").read_bytes()[:-7])
    elif damage == "state renamed":
        state = safetensors.torch.load((path / "state.safetensors").read_bytes())
        renamed = {name.replace("w_q", "query"): tensor for name, tensor in state.items()}
        (path / "state.safetensors").write_bytes(safetensors.torch.save(renamed))
    elif damage == "no state":
        (path / "state.safetensors").unlink()
    elif damage == "history cut":
        (path / "history.jsonl").write_bytes((path / "history.jsonl").read_bytes()[:-7])
    elif damage == "about cut":
        (path / "run.json").write_bytes((path / "run.json").read_bytes()[:-7])
    elif damage == "state of another":
        other = runs.start("bob", TINY.updated({"model.d_ff": 5}))
        assert other.wait("finished")
        shutil.copy(other.store.folder.path / "state.safetensors", path / "state.safetensors")
    else:
        (path.parent / "rubbish").mkdir()
        (path.parent / "rubbish" / "run.json").write_text("[]")
    again = host()
    found = next(each for each in again.of("ada") if each.id == run.id)
    assert found.model_at() is not None, "it can be looked at"
    if damage == "about cut":
        assert found.status == "failed"
        assert "The settings of this run are damaged on disk. run.json is not JSON" in found.message
        return
    messages = {
        "state cut": "The kept state of this run is damaged on disk",
        "state renamed": "w_q.weight is missing",
        "state of another": "has the wrong shape",
        "history cut": "is missing from the history on disk",
    }
    assert messages.get(damage, "") in found.store.damage
    assert not found.store.damage or damage in messages
    found.set_pace(None)
    found.resume()
    assert found.wait("finished")
    lost = {run.store.kept_step} if damage == "history cut" else set()
    assert timeless(found.records()) == [record for record in whole() if record["step"] not in lost]


def test_a_full_disk_is_reported_and_training_continues(host, tmp_path):
    runs = host()
    run = runs.start("ada", TINY.updated({"training.eval_every": 2}), pace=1)
    until(lambda: run.step >= 1)
    shutil.rmtree(run.store.folder.path)
    run.store.folder.path.write_text("no folder any longer")  # every write fails from now on
    until(lambda: run.store.problem)
    assert "could not be written to disk" in run.store.problem
    assert run.store.problem.endswith("Save it before you leave.")
    run.suspend()
    assert run.wait("paused")
    time.sleep(0.2)
    assert run.has_worker, "what cannot be kept keeps its process"
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")


def test_a_disk_error_at_the_start_does_not_stop_training(host):
    runs = host(workers=1)
    runs.start("ada", LONG)
    run = runs.start("bob", TINY)
    shutil.rmtree(run.store.folder.path)
    run.store.folder.path.write_text("no folder any longer")
    runs.current("ada").stop()
    assert run.wait("finished")
    assert "could not be written to disk" in run.store.problem
    assert timeless(run.records()) == whole()


def test_a_run_that_cannot_be_written_continues_after_a_failed_suspend(tmp_path):
    (tmp_path / "file").write_text("")
    runs = Runs(Host(checkpoints=tmp_path / "file", idle_minutes=10))
    run = runs.start("ada", TINY, paused=True)
    advance(run, 3)
    run.suspend()
    assert run.wait("paused")
    run.seen -= 601
    run.paused_at -= 601
    runs.tick()
    assert run.has_worker
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == whole()
    runs.close()


def test_a_missing_state_is_reported(host):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    advance(run, 7)
    until(lambda: run.store.kept_step)
    run.suspend()
    until(lambda: not run.has_worker)
    (run.store.folder.path / "state.safetensors").unlink()
    run.resume()
    assert run.wait("failed")
    assert "no longer on disk" in run.message


def test_a_folder_that_cannot_be_created_is_reported_and_training_runs(tmp_path):
    (tmp_path / "file").write_text("")
    runs = Runs(Host(checkpoints=tmp_path / "file"))
    run = runs.start("ada", TINY)
    assert "could not be written to disk" in run.store.problem
    assert run.wait("finished")
    runs.close()


def test_a_jump_of_the_system_clock_is_harmless(host, monkeypatch):
    runs = host(idle_minutes=10)
    run = runs.start("ada", LONG, pace=50)
    assert run.wait("running")
    for jump in (+10 * 365 * 86400, -20 * 365 * 86400):
        monkeypatch.setattr(time, "time", lambda jump=jump: 1_800_000_000.0 + jump)
        runs.tick()
        at = run.step
        until(lambda at=at: run.step > at)
        assert run.status == "running"
    newer = runs.start("ada", TINY, paused=True)
    assert runs.current("ada") is newer
    assert runs.of("ada")[0] is newer


@pytest.mark.parametrize(("write", "wait"), [(0.05, 2.5), (0.25, 10.0)])
def test_keeping_state_costs_little_time_and_stays_recent(tmp_path, monkeypatch, write, wait):
    """Writing waits fifty times as long as it took, so it takes about 2 % of a training, but ten seconds at most."""

    now = 1000.0

    class Slow(RunFolder):
        def write_state(self, state):
            nonlocal now
            now += write

    (tmp_path / "run").mkdir()
    monkeypatch.setattr(keeping, "time", SimpleNamespace(perf_counter=lambda: now))
    keeper = keeping.FolderKeeper(Slow(tmp_path / "run"), TINY, 0)
    keeper.keep(Training(TINY))
    assert keeper.due - now == pytest.approx(wait)


def test_state_is_kept_between_rare_evaluations(host):
    rare = TINY.updated({"training.eval_every": 10_000, "training.steps": 100_000})
    run = host().start("ada", rare, pace=50)
    until(lambda: (run.store.kept_step or 0) > 0)
    assert run.status == "running"


def test_a_thousand_random_commands_do_not_change_what_is_learned(host):
    runs, rng = host(), random.Random(5)
    run = runs.start("ada", TINY, pace=200)
    verbs = ["pause", "resume", "step_once", "suspend", "tick", "pace"]

    def press(seed: int) -> None:
        own = random.Random(seed)
        for _ in range(250):
            verb = own.choice(verbs)
            if verb == "tick":
                runs.tick()
            elif verb == "pace":
                run.set_pace(own.choice([None, 50.0, 1000.0]))
            else:
                getattr(run, verb)()
            if own.random() < 0.05:
                time.sleep(0.02)

    threads = [threading.Thread(target=press, args=(rng.random(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def ends() -> bool:
        run.set_pace(None)
        run.resume()
        return run.ended

    until(ends, lambda: run.status)
    assert run.status == "finished"
    assert timeless(run.records()) == whole()


@pytest.mark.parametrize("seed", range(3))
def test_random_commands_kills_and_restores_do_not_change_what_is_learned(host, seed):
    rng, runs = random.Random(seed), host()
    run = runs.start("ada", TINY, pace=100)
    until(lambda: run.store.kept_step is not None)
    for _ in range(30):
        verb = rng.choice(["pause", "resume", "step_once", "suspend", "tick", "kill", "restart", "wait"])
        if verb == "restart":
            runs.close()
            runs = host()
            (run,) = runs.of("ada")
        elif verb == "tick":
            runs.tick()
        elif verb == "kill" and (process := run._worker):
            process.kill()
        elif verb == "wait":
            time.sleep(0.1)
        elif verb != "kill":
            getattr(run, verb)()
    run.set_pace(None)
    while not run.ended:
        run.resume()
        assert run.wait("finished", "paused"), run.lifecycle.state
    assert run.status == "finished"
    assert timeless(run.records()) == whole()
    until(lambda: host().of("ada")[0].status == "finished")

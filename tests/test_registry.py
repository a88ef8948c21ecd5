"""All runs of a host: unviewed runs rest, and runs are kept, restored, limited and deleted."""

import json
import os
import signal

import pytest

from playground.model.task_model import TaskModel
from playground.runs import fair_scheduler, registry
from tests.helpers import LONG, TINY, is_alive, same_weights, timeless, until
from tests.worker_runs import SHORT, advance, whole
from tests.worker_runs import warm as warm  # for every test here too


@pytest.mark.wcag("2.2.1")
def test_an_unviewed_run_is_paused_then_suspended_and_resumes_bit_for_bit(host, monkeypatch):
    runs = host(idle_minutes=10)
    run = runs.start("ada", TINY, paused=True)
    advance(run, 5)
    run.seen -= 601
    runs.tick()
    assert run.wait("paused")
    assert "nobody viewed it for 10 minutes" in run.notice
    worker_process = run._worker.pid
    run.paused_at -= 601
    runs.tick()
    until(lambda: not run.has_worker)
    until(lambda: not is_alive(worker_process))
    assert run.status == "paused"
    assert "Nothing is lost" in run.notice
    assert run.store.kept_step == run.step
    runs.current("ada").set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == whole()


def test_a_viewed_run_is_not_paused(host):
    runs = host(idle_minutes=10)
    run = runs.start("ada", LONG, pace=20)
    assert run.wait("running")
    run.seen -= 601
    assert runs.watched(run.id) is run
    runs.tick()
    assert run.status == "running"


def test_a_paused_run_yields_its_slot_to_a_queued_run_and_resumes_later(host, monkeypatch):
    runs = host(workers=1)
    run = runs.start("ada", TINY, paused=True)
    advance(run, 3)
    run.pause()
    assert run.wait("paused")
    run.paused_at -= fair_scheduler.PAUSE_YIELDS_AFTER + 1
    runs.tick()
    assert run.has_worker, "nobody waits"
    other = runs.start("bob", LONG, pace=50)
    runs.tick()
    assert other.wait("running")
    assert run.status == "paused"
    run.step_once()
    assert run.status == "queued"
    at = run.step
    other.stop()
    until(lambda: run.step == at + 1 and run.status == "paused")
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == whole()


def test_a_resume_while_suspending_is_not_lost(host):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    advance(run, 3)
    for _ in range(5):
        run.suspend()
        run.resume()
        at = run.step
        until(lambda at=at: run.step > at)
    run.set_pace(None)
    assert run.wait("finished")
    assert timeless(run.records()) == whole()


def test_a_paused_run_is_kept_at_its_current_step(host):
    run = host().start("ada", TINY, paused=True)
    advance(run, 2)
    run.pause()
    assert run.wait("paused")
    assert run.store.kept_step == run.step


def test_a_run_suspended_at_step_0_has_each_step_once(host):
    run = host().start("ada", TINY, paused=True)
    assert run.wait("paused")
    run.suspend()
    until(lambda: not run.has_worker)
    assert run.store.kept_step == 0
    run.resume()
    assert run.wait("finished")
    assert [record["step"] for record in run.records()] == list(range(41))


def test_runs_are_restored_after_a_server_restart(host):
    runs = host()
    ended = runs.start("ada", TINY)
    assert ended.wait("finished")
    run = runs.start("ada", TINY, paused=True)
    advance(run, 7)
    until(lambda: run.store.kept_step)
    os.kill(run._worker.pid, signal.SIGKILL)  # as the death of the server does
    assert run.wait("paused")
    again = host()
    found, first = again.of("ada")
    assert again.current("ada") is found
    assert again.of("bob") == []
    assert (found.id, found.metadata.name, found.config, found.status) == (
        run.id,
        run.metadata.name,
        run.config,
        "paused",
    )
    assert "The server restarted" in found.message
    assert found.step == run.store.kept_step
    assert same_weights(found.model_at(), run.model_at(run.store.kept_step))
    assert (first.id, first.status) == (ended.id, "finished")
    assert timeless(first.records()) == whole()
    assert same_weights(first.model_at(), ended.model_at())
    found.set_pace(None)
    found.resume()
    assert found.wait("finished")
    assert timeless(found.records()) == whole()


def test_restoring_runs_builds_no_models(host, monkeypatch):
    assert host().start("ada", TINY).wait("finished")
    again = host()
    monkeypatch.setattr(TaskModel, "__init__", lambda *_: pytest.fail("a model is built under the lock"))
    (found,) = again.of("ada")
    assert (found.status, found.step, found.store.damage) == ("finished", found.store.kept_step, "")


def test_best_and_last_weights_are_restored(host):
    runs = host()
    run = runs.start("ada", TINY.updated({"training.learning_rate": 0.3, "training.eval_every": 1}))
    assert run.wait("finished")
    scores = {line["step"]: (line["exact_match"], line["token_accuracy"]) for line in run.records()}
    best = max(scores, key=lambda step: (scores[step], -step))
    found = host().current("ada")
    assert found.snapshot_steps() == sorted({best, 40})
    if best in run.snapshot_steps():
        assert same_weights(found.model_at(best), run.model_at(best))


def test_a_queued_run_is_restored_as_paused_at_step_0(host):
    runs = host(workers=1)
    runs.start("ada", LONG)
    waiting = runs.start("bob", TINY)
    found = host(workers=1).current("bob")
    assert (found.id, found.status, found.step) == (waiting.id, "paused", 0)
    found.resume()
    assert found.wait("finished")
    assert timeless(found.records()) == whole()


@pytest.mark.parametrize(("limit", "room"), [("MAX_RUNS", 2), ("MAX_DISK_BYTES", 150_000)])
def test_the_number_of_kept_runs_is_limited(host, monkeypatch, limit, room):
    monkeypatch.setattr(registry, limit, room)
    runs = host()
    started = []
    for _ in range(5):
        started.append(runs.start("ada", SHORT))
        assert started[-1].wait("finished")
    kept = runs.of("ada")
    assert kept == [started[4], started[3], started[2]]
    folders = {path.name for path in started[0].store.folder.path.parent.iterdir()}
    assert folders == {run.id for run in kept}


def test_absent_visitors_are_unloaded_and_restored(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY)
    assert run.wait("finished")
    until(lambda: not run.has_worker)
    runs.tick()
    assert runs.current("ada") is run
    monkeypatch.setattr(registry, "UNLOAD_SECONDS", 0.0)
    runs.tick()
    found = runs.current("ada")
    assert found is not run
    assert found.id == run.id
    assert timeless(found.records()) == whole()
    monkeypatch.setattr(registry, "UNLOAD_SECONDS", 1000.0)
    monkeypatch.setattr(registry, "MAX_MEMORY_BYTES", 0)
    busy = runs.start("bob", LONG)
    assert busy.wait("running")
    runs.tick()
    assert runs.current("ada") is not found
    assert runs.current("bob") is busy


def test_runs_of_a_visitor_who_left_give_way_before_those_of_one_who_is_there(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY)
    assert run.wait("finished")
    until(lambda: not run.has_worker)
    monkeypatch.setattr(registry, "MAX_ABSENT_BYTES", 0)
    runs.tick()
    assert runs.current("ada") is run
    monkeypatch.setattr(registry, "ABSENT_SECONDS", 0.0)
    runs.tick()
    found = runs.current("ada")
    assert found is not run
    assert timeless(found.records()) == whole()


def test_an_unloaded_run_that_a_closed_page_still_holds_takes_little_memory(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY)
    assert run.wait("finished")
    until(lambda: not run.has_worker)
    before, last = run.store.snapshots.nbytes, run.model_at(run.step)
    monkeypatch.setattr(registry, "UNLOAD_SECONDS", 0.0)
    runs.tick()
    assert run.store.snapshots.nbytes < before / 10
    assert same_weights(run.model_at(run.step), last), "read from the disk"
    assert runs.current("ada").store.snapshots.steps()[-1] == run.step


def test_a_link_works_after_a_restart_and_after_unloading(host, monkeypatch):
    runs = host()
    run = runs.start("ada", SHORT)
    assert run.wait("finished")
    again = host()
    found = again.watched(run.id)
    assert found is not None, "before its owner comes back"
    assert (found.id, found.owner, found.status) == (run.id, "ada", "finished")
    assert again.owned("bob", run.id) is None
    late = again.start("bob", SHORT)
    assert late.wait("finished")
    until(lambda: not late.has_worker)
    monkeypatch.setattr(registry, "UNLOAD_SECONDS", 0.0)
    again.tick()
    for each in (run, late):
        found = again.watched(each.id)
        assert found is not None
        assert found is not each
        assert timeless(found.records()) == timeless(each.records())


def test_unknown_ids_cause_no_disk_scan(host, monkeypatch):
    runs = host()
    run = runs.start("ada", SHORT)
    assert run.wait("finished")
    walks = []
    look = registry.subfolders
    monkeypatch.setattr(registry, "subfolders", lambda folder: walks.append(folder) or look(folder))
    again = host()
    for number in range(200):
        assert again.watched(f"nobody-{number}") is None
        assert again.watched("../../ada") is None
        assert again.watched("ada") is None
    assert len(walks) == 2, "the visitors, and the runs of the one there is"
    assert again.watched(run.id) is not None
    again.delete("ada", again.watched(run.id))
    assert again.watched(run.id) is None


def test_closing_suspends_every_run_and_ends_every_process(host):
    runs = host()
    started = [runs.start(owner, LONG, paused=paused) for owner, paused in (("ada", True), ("bob", False))]
    until(lambda: started[1].step > 3 and started[0].status == "paused")
    pids = [run._worker.pid for run in started]
    runs.close()
    until(lambda: not any(map(is_alive, pids)))
    again = host()
    assert again.current("ada").status == again.current("bob").status == "paused"
    assert again.current("bob").step > 3


def test_closing_ends_a_worker_during_a_long_step_and_keeps_its_state(host):
    runs = host()
    run = runs.start("ada", LONG)
    until(lambda: run.store.kept_step)
    pid = run._worker.pid
    os.kill(pid, signal.SIGSTOP)
    runs.close()
    until(lambda: not is_alive(pid))
    (found,) = host().of("ada")
    assert found.status == "paused"
    assert found.step >= run.store.kept_step


def test_queued_runs_do_not_start_while_closing(host):
    runs = host(workers=1)
    first, *others = (runs.start("ada", LONG) for _ in range(3))
    assert first.wait("running")
    runs.close()
    until(lambda: not first.has_worker)
    runs.tick()
    assert [run.status for run in (first, *others)] == ["paused", "queued", "queued"]


def test_a_deleted_run_can_be_restored_for_a_while(host, monkeypatch):
    runs = host()
    old, new = (runs.start("ada", SHORT) for _ in range(2))
    assert old.wait("finished")
    assert new.wait("finished")
    going = runs.start("ada", LONG, paused=True)
    runs.delete("ada", going)
    runs.delete("bob", new)
    assert runs.of("ada") == [going, new, old], "one that goes on, or is somebody else's, stays"
    runs.delete("ada", new)
    assert runs.of("ada") == [going, old]
    assert runs.deleted("ada") == [new]
    assert runs.watched(new.id) is None
    runs.restore("ada", new)
    assert runs.of("ada") == [going, new, old], "at its position"
    assert not runs.deleted("ada")
    runs.delete("ada", new)
    runs.delete("ada", old)
    folder = new.store.folder.path
    assert folder.exists()
    runs.close()
    again = host()
    assert [run.id for run in again.of("ada")] == [going.id], "a new start forgets what was deleted"
    assert not folder.exists()
    monkeypatch.setattr(registry, "RESTORABLE_SECONDS", 0.0)
    runs.tick()
    assert not runs.deleted("ada")


def test_a_kept_run_does_not_name_its_owner(host):
    runs = host()
    run = runs.start("ada", SHORT)
    assert run.wait("finished")
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"])
    assert set(json.loads((run.store.folder.path / "run.json").read_text())) == {
        *("id", "name", "config", "pace", "started", "status", "message", "changes", "origin", "gradient_norm"),
        *("note", "colour", "sweep", "begun_from", "device", "node", "pitfall", "hunt"),
    }

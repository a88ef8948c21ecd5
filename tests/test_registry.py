"""All runs of a host: fair turns, rest for what nobody looks at, and nothing lost when a process or the server ends."""

import json
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
from hypothesis import given
from hypothesis import strategies as st

import playground.host
from playground.config import RunConfig, parameter_counts
from playground.estimate import estimate
from playground.host import Host
from playground.runs import Run, RunError, Runs, fair_scheduler, keeping, registry
from playground.runs.backends import LOCAL
from playground.runs.backends.processes import warm_up
from playground.runs.fair_scheduler import FairScheduler
from playground.runs.keeping import RunFolder
from playground.task_model import TaskModel
from playground.training import Training, train
from tests.helpers import LONG, TINY, is_alive, numbers, same_weights, timeless, until

SHORT = TINY.updated({"training.steps": 1})


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


def whole() -> list[dict[str, Any]]:
    """The history of `TINY`, trained in one go."""
    return numbers([progress.record() for progress in train(TINY)])


# --- whose turn it is -----------------------------------------------------------------------------


def test_each_owner_has_a_current_run(host):
    runs = host()
    assert runs.current("ada") is None
    hers, his = runs.start("ada", TINY, paused=True), runs.start("bob", TINY, paused=True)
    assert runs.current("ada") is hers
    assert runs.current("bob") is his
    assert runs.current("eve") is None
    assert hers.id != his.id
    assert len(hers.id) >= 12, "too long to guess"
    again = runs.start("ada", TINY, paused=True)
    assert runs.current("ada") is again
    assert runs.of("ada") == [again, hers]
    runs.choose("ada", hers.id)
    assert runs.current("ada") is hers
    runs.choose("ada", his.id)
    assert runs.current("ada") is hers, "a run of somebody else cannot be chosen"
    assert runs.watched(his.id) is his, "but watched by who knows its id"
    assert runs.watched("nothing") is None


def test_runs_queue_on_a_full_host_and_start_when_a_slot_is_free(host):
    runs = host(workers=2)
    first, second = (runs.start(owner, LONG, pace=50) for owner in ("ada", "bob"))
    third, fourth = (runs.start(owner, LONG, pace=50) for owner in ("eve", "dan"))
    assert (third.status, fourth.status) == ("queued", "queued")
    place = runs.queue_position(fourth)
    assert place is not None
    assert (place.position, place.waiting) == (2, 2)
    assert "All 2 worker slots" in place.reason
    assert runs.queue_position(first) is None
    first.stop()
    assert third.wait("running")
    assert fourth.status == "queued"
    second.stop()
    assert fourth.wait("running")


def test_twenty_waiting_runs_of_one_visitor_do_not_delay_another_visitor(host):
    runs = host(workers=1)
    many = [runs.start("ada", LONG) for _ in range(20)]
    single = runs.start("bob", LONG)
    place = runs.queue_position(single)
    assert place is not None
    assert place.position == 1
    many[0].stop()
    assert single.wait("running")
    assert all(run.status == "queued" for run in many[1:])


def test_a_visitor_uses_at_most_their_worker_slots(host):
    runs = host(workers=4, workers_per_visitor=2)
    hers = [runs.start("ada", LONG) for _ in range(3)]
    assert hers[0].wait("running")
    assert hers[2].status == "queued"
    place = runs.queue_position(hers[2])
    assert place is not None
    assert "You already have 2 active runs" in place.reason
    assert runs.start("bob", LONG).wait("running")


def test_too_many_runs_of_one_visitor_are_refused_with_the_limit(host):
    runs = host(workers=1, runs_per_visitor=2)
    for _ in range(2):
        runs.start("ada", LONG)
    with pytest.raises(RunError, match="You have 2 unfinished runs, the limit per visitor"):
        runs.start("ada", LONG)
    assert len(runs.of("ada")) == 2
    runs.start("bob", LONG)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=24))
def test_scheduling_is_fair_in_any_order_of_requests(owners):
    """Between any two visitors who both still wait, one never gets two turns more than the other."""
    fair, runs = (
        FairScheduler(Host(checkpoints=Path("/nowhere"), workers=1), LOCAL),
        [Run(TINY, owner=owner) for owner in owners],
    )
    for at, run in enumerate(runs):
        run.asked = at
    begin = fair.order(runs)
    order = [run.owner for run in begin]
    assert sorted(order) == sorted(owners)
    for end in range(len(order)):
        had = {owner: order[: end + 1].count(owner) for owner in set(owners)}
        waiting = [owner for owner in had if owner in order[end + 1 :]]
        assert max(had.values()) - min((had[owner] for owner in waiting), default=max(had.values())) <= 1
    for owner in set(owners):
        asked = [run.asked for run in begin if run.owner == owner]
        assert asked == sorted(asked)


def test_the_waiting_time_adds_up_the_runs_before(host):
    runs = host(workers=1)
    runs.start("ada", LONG, pace=100.0)  # 100,000 steps: 1,000 s
    second = runs.start("bob", LONG, pace=1000.0)
    third = runs.start("eve", LONG, pace=1000.0)
    places = [runs.queue_position(run) for run in (second, third)]
    assert places[0].seconds == pytest.approx(1000, rel=0.1)
    assert places[1].seconds - places[0].seconds >= 99
    assert "The only worker slot of this host is in use" in places[0].reason


def test_the_waiting_time_respects_the_slots_per_visitor(host):
    runs = host(workers=8, workers_per_visitor=2)
    hers = [runs.start("ada", LONG, pace=pace) for pace in (10.0, 5.0, 10.0, 10.0, 10.0)]
    seconds = [runs.queue_position(run).seconds for run in hers[2:]]
    assert seconds == pytest.approx([10_000, 20_000, 20_000], rel=0.01), "although six places are free"
    narrow = host(workers=8, workers_per_visitor=1)
    for _ in range(2):
        waiting = narrow.start("bob", LONG)
    assert narrow.queue_position(waiting).reason == "You already have 1 active run, the limit per visitor."
    runs.start_many("ada", seeds(LONG, 1), sweep="last")
    (waiting,) = [run for run in runs.of("ada") if run.sweep]
    assert runs.queue_position(waiting).seconds == pytest.approx(30_000, rel=0.01), (
        "not only what it waits for among sweeps"
    )


def test_the_waiting_time_knows_that_a_paused_run_yields(host):
    runs = host(workers=1)
    paused = runs.start("ada", LONG, pace=100.0, paused=True)
    assert paused.wait("paused")
    assert runs.queue_position(runs.start("bob", LONG)).seconds == pytest.approx(
        fair_scheduler.PAUSE_YIELDS_AFTER, abs=5
    )


def test_a_queued_run_can_be_paused_resumed_and_stopped(host):
    runs = host(workers=1)
    first = runs.start("ada", LONG)
    run = runs.start("bob", LONG)
    run.pause()
    assert run.status == "paused"
    first.stop()
    assert first.wait("stopped")
    time.sleep(0.2)
    assert run.status == "paused"
    run.resume()
    assert run.wait("running")
    other = runs.start("bob", LONG)
    other.stop()
    assert other.status == "stopped"


# --- sweeps ---------------------------------------------------------------------------------------


def seeds(config: RunConfig, count: int) -> list[RunConfig]:
    return [config.updated({"seed": seed}) for seed in range(count)]


def at_work(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if run.has_worker]


@pytest.fixture
def two_cores(monkeypatch):
    for module in (fair_scheduler, playground.host):
        monkeypatch.setattr(module, "cores", lambda: 2)


def test_a_sweep_trains_one_run_per_core(host, two_cores):
    runs = host(workers=8)
    sweep = runs.start_many("ada", seeds(LONG, 5), sweep="five seeds")
    assert [run.config.seed for run in sweep] == [0, 1, 2, 3, 4]
    assert {run.sweep for run in sweep} == {"five seeds"}
    assert at_work(sweep) == sweep[:2]
    place = runs.queue_position(sweep[3])
    assert place is not None
    assert (place.position, place.waiting) == (2, 3)
    assert "A sweep trains 2 runs at a time on this host" in place.reason
    one_run = estimate(LONG).seconds
    assert place.seconds == pytest.approx(one_run, rel=0.1), "the fourth begins when the second one ends"
    assert runs.current("ada") is None, "a sweep is not what one looks at"
    sweep[0].stop()
    assert sweep[2].wait("running")
    assert not sweep[3].has_worker
    assert runs.start("bob", LONG).wait("running"), "others are not held up"
    slow = runs.start_many("eve", seeds(LONG, 3), pace=5.0, sweep="slow")
    assert at_work(slow) == slow, "who takes a step now and then needs no core"
    assert runs.sweep_slots == 2
    assert host(workers_per_visitor=1).sweep_slots == 1


def test_two_sweeps_alternate_and_a_single_run_precedes_ones_own_sweep(host, two_cores):
    runs = host(workers=2)
    hers, his = (runs.start_many(owner, seeds(LONG, 3), sweep="s") for owner in ("ada", "bob"))
    assert at_work(hers) == hers[:2]
    hers[0].stop()
    assert his[0].wait("running")
    single = runs.start("ada", LONG)
    hers[1].stop()
    assert single.wait("running")
    assert at_work([*hers, *his]) == his[:1]


def test_a_sweep_starts_all_runs_or_none(host):
    runs = host(workers=1, runs_per_visitor=4, run_mb=1000)
    runs.start("ada", LONG, paused=True)
    with pytest.raises(
        RunError, match=r"This sweep has 4 runs and you have 1 unfinished run\. The limit per visitor is 4"
    ):
        runs.start_many("ada", seeds(LONG, 4), sweep="too many")
    with pytest.raises(RunError, match="MB of memory"):
        runs.start_many("ada", [LONG, HUGE], sweep="too large")
    assert len(runs.of("ada")) == 1
    first = runs.start_many("ada", seeds(LONG, 1), sweep="seeds")
    second = runs.start_many("ada", seeds(LONG, 2), sweep="seeds")
    assert [run.sweep for run in (*first, *second)] == ["seeds", "seeds (2)", "seeds (2)"]
    found = host().of("ada")
    assert [run.sweep for run in found] == ["seeds (2)", "seeds (2)", "seeds", ""], "also after a new start"


def test_stop_all_starts_no_queued_run(host, two_cores, monkeypatch):
    stop = Run.stop

    def stop_and_see_it_gone(run: Run) -> None:
        """So that every slot is free before the next run."""
        worked = run.has_worker
        stop(run)
        until(lambda: not (worked and run.has_worker))

    monkeypatch.setattr(Run, "stop", stop_and_see_it_gone)
    runs = host(workers=4)
    sweep = runs.start_many("ada", seeds(LONG, 16), sweep="sixteen")
    paused = runs.start("ada", LONG, paused=True)
    other = runs.start("bob", LONG)
    until(lambda: sweep[0].step and sweep[1].step and paused.status == "paused")
    pids = [run._worker.pid for run in at_work(sweep)]
    assert len(pids) == 2
    stopped = runs.stop_all("ada", "sixteen")
    assert stopped == sweep
    assert {run.status for run in sweep} == {"stopped"}
    assert not any(map(is_alive, pids))
    assert [bool(run.records()) for run in sweep] == [True] * 2 + [False] * 14
    assert (paused.status, other.status) == ("paused", "running")
    assert runs.stop_all("ada") == [paused]
    assert paused.status == "stopped"
    assert runs.stop_all("ada") == []
    assert {run.status for run in host().of("ada")} == {"stopped"}


def test_stop_all_ends_a_worker_during_a_long_step(host, two_cores):
    runs = host()
    (run,) = runs.start_many("ada", seeds(HUGE.updated({"training.eval_every": 10_000}), 1), sweep="slow")
    until(lambda: run.has_worker and run.status == "starting" and run._worker)
    runs.stop_all("ada")
    until(lambda: (run.status, run.has_worker) == ("stopped", False))
    until(lambda: host().of("ada")[0].status == "stopped")  # on disk, too


def test_a_stop_between_reserve_and_launch_is_not_lost(host):
    run = Run(LONG)
    assert run.reserve()
    run.stop()
    run.launch()
    assert run.wait("stopped")


def test_a_stop_overrides_a_suspend(host):
    runs = host()
    run = runs.start("ada", LONG, pace=50)
    until(lambda: run.step >= 3)
    run.suspend()
    run.stop()
    assert run.wait("stopped")


def test_only_the_newest_sweeps_are_kept_each_as_a_whole(host, monkeypatch):
    monkeypatch.setattr(registry, "MAX_RUNS", 1)
    runs = host()
    single = runs.start("ada", SHORT)
    assert single.wait("finished")
    sweeps = []
    for _ in range(3):
        sweeps.append(runs.start_many("ada", seeds(SHORT, 3), sweep="three"))
        until(lambda: all(run.ended for run in sweeps[-1]))
    assert runs.of("ada") == [*sweeps[2][::-1], *sweeps[1][::-1], single]
    busy = runs.start_many("ada", seeds(LONG, 2), sweep="busy")
    newest = runs.start_many("ada", seeds(SHORT, 1), sweep="new")
    runs.start_many("ada", seeds(SHORT, 1), sweep="newest")
    assert set(busy) | set(newest) < set(runs.of("ada")), "what has not ended stays"


def test_runs_of_a_sweep_keep_little_in_memory(host):
    wide = TINY.updated({"model.d_model": 64, "model.d_ff": 256, "training.eval_every": 4})
    runs = host()
    (run,) = runs.start_many("ada", [wide], sweep="wide")
    assert run.wait()
    assert 11 * 4 * sum(parameter_counts(wide).values()) > 4_000_000, "as much as another run would keep"
    assert run.store.nbytes <= 4_000_000
    until(lambda: not run.has_worker)
    runs.tick()
    assert run.store.nbytes < 3_000_000
    assert [record["step"] for record in run.records()] == list(range(41))
    (found,) = host().of("ada")
    assert (found.sweep, found.store.max_bytes) == ("wide", run.store.max_bytes)


def test_a_sweep_runs_while_its_owner_views_any_run(host, two_cores):
    runs = host(idle_minutes=0.005)
    sweep = runs.start_many("ada", seeds(LONG, 2), sweep="s")
    runs.start("ada", LONG, paused=True)
    assert all(run.wait("running") for run in sweep)
    for _ in range(5):
        time.sleep(0.1)
        runs.current("ada")
        runs.tick()
    assert [run.status for run in sweep] == ["running"] * 2
    time.sleep(0.4)
    runs.tick()
    assert all(run.wait("paused") for run in sweep)


# --- too large ------------------------------------------------------------------------------------


HUGE = RunConfig().updated(
    {"model.d_model": 256, "model.n_heads": 16, "model.n_layers": 3, "task.max_length": 64}
    | {"training.batch_size": 512, "training.steps": 100_000}
)


def test_a_run_that_needs_too_much_memory_is_refused_before_it_starts(host):
    runs = host(run_mb=1000)
    with pytest.raises(RunError) as caught:
        runs.start("ada", HUGE)
    assert f"about {estimate(HUGE).megabytes:,.0f} MB" in str(caught.value)
    assert "1,000 MB" in str(caught.value)
    assert runs.of("ada") == []


def test_a_run_that_takes_too_long_is_refused_before_it_starts(host):
    runs = host(run_minutes=30)
    with pytest.raises(RunError, match=r"about [\d,]+ minutes of computing time\. The limit here is 30 minutes"):
        runs.start("ada", HUGE)
    host(run_minutes=30, run_mb=1000).start("ada", RunConfig(), paused=True)


def test_a_worker_out_of_memory_ends_with_an_error_message(host):
    runs = host()
    run = Run(HUGE.updated({"training.eval_every": 10_000}), memory_mb=60)
    run.begin()
    assert run.wait("failed")
    assert "more memory than the 60 MB limit of this host" in run.message
    assert runs.start("ada", SHORT).wait("finished"), "others do not notice"


# --- nobody looks ---------------------------------------------------------------------------------


def test_an_unviewed_run_is_paused_then_suspended_and_resumes_bit_for_bit(host, monkeypatch):
    runs = host(idle_minutes=0.005)
    run = runs.start("ada", TINY, pace=20)
    until(lambda: run.step >= 5)
    time.sleep(0.4)
    runs.tick()
    assert run.wait("paused")
    assert "nobody viewed it for 0.005 minutes" in run.notice
    worker_process = run._worker.pid
    time.sleep(0.4)
    runs.tick()
    until(lambda: not run.has_worker)
    until(lambda: not is_alive(worker_process), 3)
    assert run.status == "paused"
    assert "Nothing is lost" in run.notice
    assert run.store.kept_step == run.step
    runs.current("ada").resume()
    assert run.wait("finished")
    assert timeless(run.records()) == whole()


def test_a_viewed_run_is_not_paused(host):
    runs = host(idle_minutes=0.005)
    run = runs.start("ada", LONG, pace=20)
    assert run.wait("running")
    for _ in range(5):
        time.sleep(0.1)
        assert runs.watched(run.id) is run
        runs.tick()
    assert run.status == "running"


def test_a_paused_run_yields_its_slot_to_a_queued_run_and_resumes_later(host, monkeypatch):
    monkeypatch.setattr(fair_scheduler, "PAUSE_YIELDS_AFTER", 0.1)
    runs = host(workers=1)
    run = runs.start("ada", TINY, pace=50)
    until(lambda: run.step >= 3)
    run.pause()
    assert run.wait("paused")
    time.sleep(0.15)
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
    run = runs.start("ada", TINY, pace=50)
    until(lambda: run.step >= 3)
    for _ in range(5):
        run.suspend()
        run.resume()
        at = run.step
        until(lambda at=at: run.step > at or run.ended)
    run.set_pace(None)
    assert run.wait("finished")
    assert timeless(run.records()) == whole()


# --- faults ---------------------------------------------------------------------------------------


def test_a_killed_worker_loses_only_the_steps_since_the_kept_state(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY.updated({"training.eval_every": 2}), pace=15)
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


def test_a_paused_run_is_kept_at_its_current_step(host):
    run = host().start("ada", TINY, pace=4)  # so slow that every step arrives before the next
    until(lambda: run.step >= 2)
    run.pause()
    assert run.wait("paused")
    assert run.store.kept_step == run.step


def test_runs_are_restored_after_a_server_restart(host):
    runs = host()
    ended = runs.start("ada", TINY)
    assert ended.wait("finished")
    run = runs.start("ada", TINY, pace=15)
    until(lambda: run.store.kept_step)
    os.kill(run._worker.pid, signal.SIGKILL)  # as the death of the server does
    assert run.wait("paused")
    again = host()
    found, first = again.of("ada")
    assert again.current("ada") is found
    assert again.of("bob") == []
    assert (found.id, found.name, found.config, found.status) == (run.id, run.name, run.config, "paused")
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


@pytest.mark.parametrize(
    "damage", ["state cut", "state of another", "state renamed", "no state", "history cut", "about cut", "rubbish"]
)
def test_a_damaged_run_folder_affects_only_that_run(host, damage, tmp_path):
    runs = host()
    run = runs.start("ada", TINY, pace=15)
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
    told = {
        "state cut": "The kept state of this run is damaged on disk",
        "state renamed": "w_q.weight is missing",
        "state of another": "has the wrong shape",
        "history cut": "is missing from the history on disk",
    }
    assert told.get(damage, "") in found.store.damage
    assert not found.store.damage or damage in told
    found.set_pace(None)
    found.resume()
    assert found.wait("finished")
    lost = {run.store.kept_step} if damage == "history cut" else set()
    assert timeless(found.records()) == [record for record in whole() if record["step"] not in lost]


def test_a_full_disk_is_reported_and_training_continues(host, tmp_path):
    runs = host()
    run = runs.start("ada", TINY.updated({"training.eval_every": 2}), pace=15)
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
    runs = Runs(Host(checkpoints=tmp_path / "file", idle_minutes=0.001))
    run = runs.start("ada", TINY, pace=50)
    until(lambda: run.step >= 3)
    run.suspend()
    assert run.wait("paused")
    time.sleep(0.2)
    runs.tick()
    assert run.has_worker
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == whole()
    runs.close()


def test_a_missing_state_is_reported(host):
    runs = host()
    run = runs.start("ada", TINY, pace=15)
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
    until(lambda: not any(map(is_alive, pids)), 3)
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
    assert runs.of("ada") == [going, new, old], "in its place"
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


@pytest.mark.parametrize(("write", "wait"), [(0.05, 2.5), (0.25, 10.0)])
def test_keeping_state_costs_little_time_and_stays_recent(tmp_path, write, wait):
    """Writing waits fifty times as long as it took, so it takes about 2 % of a training, but ten seconds at most."""

    class Slow(RunFolder):
        def write_state(self, state):
            time.sleep(write)

    (tmp_path / "run").mkdir()
    keeper = keeping.FolderKeeper(Slow(tmp_path / "run"), TINY, 0)
    keeper.keep(Training(TINY))
    assert wait - 0.1 < keeper.due - time.perf_counter() <= 10.0


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
    end = time.monotonic() + 60
    while not run.ended:
        assert time.monotonic() < end, run.status
        run.set_pace(None)
        run.resume()
        time.sleep(0.05)
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


def test_a_kept_run_does_not_name_its_owner(host):
    runs = host()
    run = runs.start("ada", SHORT)
    assert run.wait("finished")
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"])
    assert set(json.loads((run.store.folder.path / "run.json").read_text())) == {
        *("id", "name", "config", "pace", "started", "status", "message", "changes", "origin", "gradient_norm"),
        *("note", "colour", "sweep", "begun_from", "device", "node", "pitfall", "hunt"),
    }

"""The runs of a sweep on a host: one per core, all or none, stopped together."""

from collections.abc import Iterable

import pytest

import playground.settings.host
from playground.runs import Run, RunError, fair_scheduler, registry
from playground.runs.metadata import RunMetadata
from playground.settings.config import parameter_counts
from playground.settings.estimate import estimate
from tests.helpers import LONG, TINY, is_alive, until
from tests.worker_runs import HUGE, SHORT, seeds
from tests.worker_runs import warm as warm  # for every test here too


def at_work(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if run.has_worker]


@pytest.fixture
def two_cores(monkeypatch):
    for module in (fair_scheduler, playground.settings.host):
        monkeypatch.setattr(module, "cores", lambda: 2)


def test_a_sweep_trains_one_run_per_core(host, two_cores):
    runs = host(workers=8)
    sweep = runs.start_many("ada", seeds(LONG, 5), sweep="five seeds")
    assert [run.config.seed for run in sweep] == [0, 1, 2, 3, 4]
    assert {run.metadata.sweep for run in sweep} == {"five seeds"}
    assert at_work(sweep) == sweep[:2]
    queued = runs.queue_position(sweep[3])
    assert queued is not None
    assert (queued.position, queued.waiting) == (2, 3)
    assert "A sweep trains 2 runs at a time on this host" in queued.reason
    one_run = estimate(LONG).seconds
    assert queued.seconds == pytest.approx(one_run, rel=0.1), "the fourth begins when the second one ends"
    assert runs.current("ada") is None, "a sweep is not what one looks at"
    sweep[0].stop()
    assert sweep[2].wait("running")
    assert not sweep[3].has_worker
    assert runs.start("bob", LONG).wait("running"), "others are not held up"
    slow = runs.start_many("eve", seeds(LONG, 3), pace=5.0, sweep="slow")
    assert at_work(slow) == slow, "who takes a step now and then needs no core"
    assert runs.scheduler.sweep_slots == 2
    assert host(workers_per_visitor=1).scheduler.sweep_slots == 1


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
    assert [run.metadata.sweep for run in (*first, *second)] == ["seeds", "seeds (2)", "seeds (2)"]
    found = host().of("ada")
    assert [run.metadata.sweep for run in found] == ["seeds (2)", "seeds (2)", "seeds", ""], "also after a new start"


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
    run = Run(RunMetadata(config=LONG))
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
    assert (found.metadata.sweep, found.store.max_bytes) == ("wide", run.store.max_bytes)


def test_a_sweep_runs_while_its_owner_views_any_run(host, two_cores):
    runs = host(idle_minutes=10)
    sweep = runs.start_many("ada", seeds(LONG, 2), sweep="s")
    runs.start("ada", LONG, paused=True)
    assert all(run.wait("running") for run in sweep)
    for run in runs.of("ada"):
        run.seen -= 601
    runs.current("ada")
    runs.tick()
    assert [run.status for run in sweep] == ["running"] * 2
    for run in runs.of("ada"):
        run.seen -= 601
    runs.tick()
    assert all(run.wait("paused") for run in sweep)

"""Which runs of a host train: a fair queue, slots per visitor, and a limit on what a run may need."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.runs import Run, RunError, fair_scheduler
from playground.runs.backends import LOCAL
from playground.runs.fair_scheduler import FairScheduler
from playground.runs.metadata import RunMetadata
from playground.runs.run import RunHost
from playground.settings.config import RunConfig
from playground.settings.estimate import estimate
from playground.settings.host import Host
from tests.helpers import LONG, TINY
from tests.worker_runs import HUGE, SHORT, seeds
from tests.worker_runs import warm as warm  # for every test here too


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
    queued = runs.queue_position(fourth)
    assert queued is not None
    assert (queued.position, queued.waiting) == (2, 2)
    assert "All 2 worker slots" in queued.reason
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
    queued = runs.queue_position(single)
    assert queued is not None
    assert queued.position == 1
    many[0].stop()
    assert single.wait("running")
    assert all(run.status == "queued" for run in many[1:])


def test_a_visitor_uses_at_most_their_worker_slots(host):
    runs = host(workers=4, workers_per_visitor=2)
    hers = [runs.start("ada", LONG) for _ in range(3)]
    assert hers[0].wait("running")
    assert hers[2].status == "queued"
    queued = runs.queue_position(hers[2])
    assert queued is not None
    assert "You already have 2 active runs" in queued.reason
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
        [Run(RunMetadata(config=TINY), owner=owner) for owner in owners],
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
    queued = [runs.queue_position(run) for run in (second, third)]
    assert queued[0].seconds == pytest.approx(1000, rel=0.1)
    assert queued[1].seconds - queued[0].seconds >= 99
    assert "The only worker slot of this host is in use" in queued[0].reason


def test_the_waiting_time_respects_the_slots_per_visitor(host):
    runs = host(workers=8, workers_per_visitor=2)
    hers = [runs.start("ada", LONG, pace=pace) for pace in (10.0, 5.0, 10.0, 10.0, 10.0)]
    seconds = [runs.queue_position(run).seconds for run in hers[2:]]
    assert seconds == pytest.approx([10_000, 20_000, 20_000], rel=0.01), "although six slots are free"
    narrow = host(workers=8, workers_per_visitor=1)
    for _ in range(2):
        waiting = narrow.start("bob", LONG)
    assert narrow.queue_position(waiting).reason == "You already have 1 active run, the limit per visitor."
    runs.start_many("ada", seeds(LONG, 1), sweep="last")
    (waiting,) = [run for run in runs.of("ada") if run.metadata.sweep]
    assert runs.queue_position(waiting).seconds == pytest.approx(30_000, rel=0.01), (
        "not only what it waits for among sweeps"
    )


def test_the_waiting_time_knows_that_a_paused_run_yields(host):
    runs = host(workers=1)
    paused = runs.start("ada", LONG, pace=100.0, paused=True)
    assert paused.wait("paused")
    assert runs.queue_position(runs.start("bob", LONG)).seconds <= fair_scheduler.PAUSE_YIELDS_AFTER + 1


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
    run = Run(RunMetadata(config=HUGE.updated({"training.eval_every": 10_000})), host=RunHost(memory_mb=60))
    run.begin()
    assert run.wait("failed")
    assert "more memory than the 60 MB limit of this host" in run.message
    assert runs.start("ada", SHORT).wait("finished"), "others do not notice"

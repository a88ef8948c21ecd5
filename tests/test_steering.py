"""Runs under hand: changed on the way, paused where asked, taken stage by stage, rewound and branched off."""

import json
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from playground.processes import warm_up
from playground.runs import SLOW_MOTION, Run, RunError, Runs, registry, stage_plan
from playground.runs.metadata import RunMetadata
from playground.runs.slow_motion import MAX_BYTES, shown
from playground.runs.snapshots import replayed
from playground.settings.config import Change, RunConfig
from playground.training import Training, train
from tests.helpers import ARCHITECTURES, LONG, TINY, WAYS_TO_TRAIN, first, same_weights, timeless, until, way
from tests.worker_runs import advance

SPARSE = TINY.updated({"training.steps": 120, "training.eval_every": 40})
"""Full states at every 32nd step, weights at every 40th."""

RATE, BATCH, DROPOUT = "training.learning_rate", "training.batch_size", "model.dropout"


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.fixture
def runs(host: Callable[..., Runs]) -> Runs:
    return host()


def here(config: RunConfig, *changes: Change) -> list[dict[str, Any]]:
    """All that is recorded of a run, trained in this process."""
    return timeless([progress.record() for progress in train(config, changes=changes)])


def records_of(run: Run) -> list[dict[str, Any]]:
    """The same of a run in a process of its own."""
    return timeless(run.exact_records())


def finished(run: Run) -> Run:
    assert run.wait("finished"), (run.status, run.message)
    return run


# --- changes --------------------------------------------------------------------------------------


def test_a_change_of_a_running_run_applies_from_the_next_step(runs: Runs):
    run = runs.start("ada", LONG.updated({"training.steps": 400}), paused=True)
    advance(run, 10)
    run.change({RATE: 0.001, DROPOUT: 0.1})
    assert run.config_now.training.learning_rate == 0.001, "at once, whatever its worker is at"
    run.change({BATCH: 6})
    run.set_pace(None)
    assert finished(run).config.training.learning_rate == 0.005
    assert [change.settings for change in run.changes] in (
        [{RATE: 0.001, DROPOUT: 0.1}, {BATCH: 6}],
        [{RATE: 0.001, DROPOUT: 0.1, BATCH: 6}],
    )
    begin = run.changes[0].step
    assert 10 <= begin < 400
    rates = {line["step"]: line["learning_rate"] for line in run.records() if line["step"]}
    assert {step for step, rate in rates.items() if rate == 0.001} == set(range(begin + 1, 401))
    assert records_of(run) == here(run.config, *run.changes)


def test_a_queued_paused_or_suspended_run_can_be_changed(host: Callable[..., Runs]):
    runs = host(workers=1)
    first = runs.start("ada", LONG)
    run = runs.start("bob", TINY, pace=1)
    run.change({RATE: 0.002})
    assert (run.status, run.config_now.training.learning_rate) == ("queued", 0.002)
    first.stop()
    until(lambda: run.step >= 1)
    run.pause()
    assert run.wait("paused")
    at = run.step
    run.change({RATE: 0.003})
    until(lambda: len(run.changes) == 2)
    assert run.changes[1] == Change(at, {RATE: 0.003})
    assert run.step == at
    run.suspend()
    until(lambda: not run.has_worker)
    run.change({BATCH: 5})
    assert run.changes[1] == Change(at, {RATE: 0.003, BATCH: 5}), "changes of one step are one"
    found = host(workers=1).current("bob")
    assert (found.changes, found.config_now) == (run.changes, run.config_now)
    found.set_pace(None)
    found.resume()
    assert records_of(finished(found)) == here(TINY, *run.changes)


def test_steps_and_stop_when_solved_can_be_changed(runs: Runs):
    run = runs.start("ada", TINY, paused=True)
    advance(run, 3)
    run.change({"training.steps": 52, "training.stop_when_solved": True})
    run.set_pace(None)
    assert run.wait("finished", "solved")
    assert run.step == 52
    assert records_of(run) == here(TINY, *run.changes)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"model.d_model": 16}, "model.d_model needs a new run"),
        ({RATE: -1.0}, "training.learning_rate can't be -1"),
        ({"training.steps": 0}, "training.steps can't be 0"),
        ({BATCH: 512}, "MB of memory"),
    ],
)
def test_an_invalid_change_is_refused_and_changes_nothing(
    host: Callable[..., Runs], settings: dict[str, Any], sentence: str
):
    long = {"task.max_length": 64, "model.n_heads": 8, "model.n_layers": 4, "model.d_model": 64, "training.steps": 9}
    run = host(run_mb=1000).start("ada", TINY.updated(long), paused=True)
    with pytest.raises(ValueError, match=sentence) as caught:
        run.change(settings)
    assert len(str(caught.value).splitlines()) == 1
    assert (run.changes, run.config_now) == ((), run.config)


def test_an_ended_run_cannot_be_changed(runs: Runs):
    run = finished(runs.start("ada", TINY))
    for act in (lambda: run.change({RATE: 0.1}), run.resume_until, lambda: run.resume_until(50)):
        with pytest.raises(ValueError, match="has ended"):
            act()


def test_a_change_survives_a_lost_worker(runs: Runs):
    run = runs.start("ada", TINY, paused=True)
    advance(run, 5)
    run.suspend()
    run.change({RATE: 0.001})
    until(lambda: not run.has_worker)
    assert run.config_now.training.learning_rate == 0.001
    run.set_pace(None)
    run.resume()
    assert records_of(finished(run)) == here(TINY, *run.changes)


def test_measuring_the_gradient_norm_changes_nothing_else(host: Callable[..., Runs]):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    advance(run, 3)
    run.observe(gradient_norm=True)
    assert run.metadata.gradient_norm
    run.set_pace(None)
    lines = records_of(finished(run))
    assert "gradient_norm" not in lines[2]
    assert lines[-1].pop("gradient_norm") > 0
    assert lines[-1] == here(TINY)[-1]
    assert host().current("ada").metadata.gradient_norm


# --- until ----------------------------------------------------------------------------------------


def test_a_run_resumes_until_a_step(host: Callable[..., Runs]):
    runs = host()
    run = runs.start("ada", LONG, paused=True)
    run.resume_until(17)
    until(lambda: run.step == 17 and run.status == "paused")
    run.resume_until(30)
    assert run.until == 30
    until(lambda: run.step == 30 and run.status == "paused" and run.until is None)
    with pytest.raises(ValueError, match="already at step 30"):
        run.resume_until(30)
    run.suspend()
    until(lambda: not run.has_worker)
    run.resume_until(45)
    until(lambda: run.step == 45 and run.status == "paused")
    run.resume_until(100_000)
    run.resume()
    assert run.until is None
    until(lambda: run.step > 60)


def test_a_run_resumes_until_it_is_solved(runs: Runs):
    easy = {"task.max_length": 2, "model.d_model": 16, "training.batch_size": 16, RATE: 0.01, "training.steps": 2000}
    run = runs.start("ada", TINY.updated(easy), paused=True)
    run.resume_until("solved")
    assert run.wait("paused") or run.step
    until(lambda: run.step and run.status == "paused")
    assert run.last()["exact_match"] >= 0.999
    assert all(line.get("exact_match", 0) < 0.999 for line in run.records()[:-1])
    at = run.step
    run.resume_until("solved")
    until(lambda: run.step > at and run.status == "paused")
    assert run.step == at + 5, "the next test finds it solved again"


# --- slow motion ----------------------------------------------------------------------------------


def stage(run: Run, step: int, at: int) -> None:
    until(lambda: run.stage is not None and (run.stage.step, run.stage.at) == (step, at))


def test_slow_motion_shows_stage_by_stage_and_learns_the_same(runs: Runs):
    run = runs.start("ada", TINY, pace=SLOW_MOTION, paused=True)
    plan = stage_plan(TINY)
    assert run.wait("paused")
    assert run.stage is None
    seen = []
    for at, (kind, tap) in enumerate(plan):
        run.step_once()
        stage(run, 1, at)
        assert (run.stage.kind, run.stage.tap, run.stage.of) == (kind, tap, len(plan))
        assert (run.status, run.step) == ("paused", 0)
        seen.append(run.stage)
    run.step_once()
    stage(run, 2, 0)
    assert run.step == 1
    run.step_once()
    stage(run, 2, 1)
    run.change({RATE: 0.001})
    until(lambda: run.changes)
    assert run.config_now.training.learning_rate == 0.001
    assert run.changes == (Change(2, {RATE: 0.001}),), "a step under way keeps what it began with"
    run.set_pace(50.0)
    until(lambda: run.step == 2 and run.stage is None)
    assert run.status == "paused", "the step is finished, and no other begins"
    run.set_pace(None)
    run.resume()
    assert records_of(finished(run)) == here(TINY, *run.changes)

    training = Training(TINY)
    for at, (one, other) in enumerate(zip(training.stages(), seen, strict=True)):
        expected = shown(one, at, training.model, TINY, seen[0].tokens)
        assert (other.numbers, other.tokens, other.title) == (expected.numbers, seen[0].tokens, one.title)
        assert (
            (other.value is None)
            == (expected.value is None)
            == (other.kind in ("batch", "loss", *plan[-1], "backward"))
        )
        if other.value is not None:
            assert np.array_equal(other.value, expected.value)
            whole = one.tensors[one.tap][one.row].numpy()
            assert np.array_equal(other.value, whole[tuple(map(slice, other.value.shape))])


def test_a_slow_step_is_finished_on_stop_and_on_a_change_of_pace(
    host: Callable[..., Runs],
):
    runs = host()
    run = runs.start("ada", TINY, pace=SLOW_MOTION)
    stage(run, 1, 1)
    run.suspend()
    until(lambda: not run.has_worker)
    assert (run.status, run.step, run.store.kept_step, run.stage) == ("paused", 1, 1, None)
    run.resume()
    stage(run, 2, 0)
    assert run.status == "running"
    run.pause()
    assert run.wait("paused")
    at = run.stage.at
    run.resume_until(2)
    stage(run, 2, at + 1)
    run.stop()
    assert run.wait("stopped")
    assert (run.step, run.stage) == (2, None)
    assert records_of(run) == here(TINY)[:3]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_plan_of_a_step_is_what_happens_and_every_picture_is_small(architecture: str):
    large = {"model.d_model": 256, "model.n_heads": 16, "model.d_ff": 16, "model.n_layers": 2, "training.batch_size": 2}
    config = RunConfig().updated(large | {"model.architecture": architecture, "task.max_length": 64})
    training, tokens, plan = Training(config), {}, []
    for at, each in enumerate(training.stages()):
        tokens = tokens or each.tokens
        picture = shown(each, at, training.model, config, tokens)
        plan.append((each.kind, each.tap))
        if picture.value is not None:
            assert picture.value.nbytes <= MAX_BYTES
            assert len(picture.dims) == picture.value.ndim
            assert picture.value.shape[-2] == len(picture.rows)
            assert picture.dims[-1] in "ST" if picture.columns else picture.dims[-1] in "DV"
            assert picture.value.shape[-1] == len(picture.columns or range(picture.shape[-1]))
            if picture.kind == "attention":
                assert picture.value.sum(-1) == pytest.approx(1, abs=1e-5)
    assert tuple(plan) == stage_plan(config)


# --- branches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", first(2, WAYS_TO_TRAIN, of=4), ids=way)
def test_a_rewound_run_gives_the_same_numbers(runs: Runs, changes: dict[str, Any]):
    config = SPARSE.updated(changes)
    run = finished(runs.start("ada", config))
    branch = runs.branch("ada", run, 71)
    assert (branch.step, branch.metadata.origin.run_id, branch.metadata.origin.step) == (71, run.id, 71)
    assert branch.host == run.host
    assert timeless(branch.records()) == timeless(run.records())[:72], "what was before is there at once"
    assert records_of(finished(branch)) == records_of(run) == here(config)
    assert same_weights(branch.model_at(), run.model_at())
    for (steps, one), (_, other) in ((run.grouped("position_accuracy"), branch.grouped("position_accuracy")),):
        assert steps == [0, 40, 80, 120]
        assert np.array_equal(one, other, equal_nan=True)
    seconds = [line["seconds"] for line in branch.records()]
    assert seconds == sorted(seconds)


def test_a_branch_with_a_change_differs_from_its_step_on(runs: Runs):
    run = runs.start("ada", SPARSE, paused=True)
    run.resume_until(50)
    until(lambda: run.step == 50)
    run.change({RATE: 0.02})
    run.resume_until(100)
    until(lambda: run.step == 100 and run.status == "paused")
    again = finished(runs.branch("ada", run, 30))
    assert records_of(again)[:101] == records_of(run), "the change at step 50 is part of what is repeated"
    other = finished(runs.branch("ada", run, 70, {DROPOUT: 0.3}))
    assert other.changes == (Change(50, {RATE: 0.02}), Change(70, {DROPOUT: 0.3}))
    earlier = finished(runs.branch("ada", run, 40, {BATCH: 6}))
    assert earlier.changes == (Change(40, {BATCH: 6}),), "what came later does not belong to another way"
    undone = finished(runs.branch("ada", run, 30, {}))
    assert undone.changes == (), "with the settings of its step, the change at step 50 is left out"
    for branch in (other, earlier, undone):
        assert records_of(branch) == here(SPARSE, *branch.changes)
    assert runs.replays.ask("ada", other, 90).wait()
    model, training = other.model_at(90), Training(SPARSE, changes=other.changes)
    while training.step < 90:
        training.take_step()
    assert same_weights(model, training.model)


def test_a_change_on_a_branch_replaces_later_changes(runs: Runs):
    run = runs.start("ada", TINY.updated({"training.steps": 60}), paused=True)
    run.resume_until(30)
    until(lambda: run.step == 30)
    run.change({RATE: 0.02})
    run.resume()
    finished(run)
    branch = runs.branch("ada", run, 10, paused=True)
    assert branch.changes == run.changes
    assert branch.wait("paused")
    branch.change({BATCH: 5})
    branch.resume()
    assert finished(branch).changes == (Change(10, {BATCH: 5}),)
    assert records_of(branch) == here(branch.config, *branch.changes)


def test_an_ended_run_is_extended_by_a_branch_from_its_end(runs: Runs):
    easy = {"task.max_length": 2, "model.d_model": 16, "training.batch_size": 16, RATE: 0.01, "training.steps": 500}
    run = runs.start("ada", TINY.updated(easy | {"training.stop_when_solved": True}))
    assert run.wait("solved")
    more = {"training.steps": run.step + 7, "training.stop_when_solved": False}
    branch = finished(runs.branch("ada", run, run.step, more))
    assert branch.step == run.step + 7
    assert timeless(branch.records())[: run.step + 1] == timeless(run.records())
    again = runs.branch("ada", run, run.step)
    assert again.wait("solved"), "nothing is left to do, and it is known to be solved"
    assert again.step == run.step


def test_stopped_restored_and_branched_runs_can_be_branched(host: Callable[..., Runs]):
    runs = host()
    run = runs.start("ada", SPARSE, paused=True)
    run.resume_until(90)
    until(lambda: run.step == 90)
    run.stop()
    assert run.wait("stopped")
    whole = here(SPARSE)
    branch = runs.branch("bob", run, 85, paused=True)
    assert branch.owner == "bob"
    assert branch.wait("paused")
    twice = runs.branch("bob", branch, 60)
    assert records_of(finished(twice)) == whole
    again = host()
    replayed.forget(run.id)
    found = again.owned("bob", branch.id)
    assert (found.status, found.metadata.origin, found.step) == ("paused", branch.metadata.origin, 85)
    found.resume()
    assert records_of(finished(found)) == whole
    found = again.owned("ada", run.id)
    assert found.step == 90
    assert same_weights(found.model_at(90), run.model_at(90))
    assert records_of(finished(again.branch("ada", found, 77))) == whole
    assert records_of(finished(again.branch("ada", found, 90))) == whole


def test_a_branch_at_step_0_starts_again(runs: Runs):
    run = finished(runs.start("ada", TINY))
    branch = finished(runs.branch("ada", run, 0))
    assert branch.metadata.origin.step == 0
    assert records_of(branch) == records_of(run)


def test_a_queued_branch_is_restored_without_its_parent(host: Callable[..., Runs]):
    runs = host(workers=1)
    run = finished(runs.start("ada", SPARSE))
    runs.start("eve", LONG)
    branch = runs.branch("bob", run, 50)
    assert branch.status == "queued"
    shutil.rmtree(run.store.folder.path)
    found = host(workers=1).current("bob")
    assert (found.status, found.step) == ("paused", 50)
    found.resume()
    assert records_of(finished(found)) == here(SPARSE)


def test_a_branch_reports_repeated_steps_and_can_be_stopped(runs: Runs):
    config = LONG.updated({"model.d_model": 256, "model.n_layers": 2, "model.d_ff": 1024, "training.batch_size": 64})
    run = Run(RunMetadata(config=config))
    run.begin()
    until(lambda: run.step >= 12)
    run.stop()
    assert run.wait("stopped")
    branch = runs.branch("ada", run, run.step)
    until(lambda: "Repeating steps" in branch.message)
    assert branch.status == "starting"
    branch.stop()
    assert branch.wait("stopped")
    assert branch.step == run.step


def test_a_run_that_cannot_be_repeated_cannot_be_branched(runs: Runs):
    run = finished(runs.start("ada", SPARSE))
    run.store.snapshots.weights[40] = run.store.snapshots.weights[80]
    branch = runs.branch("ada", run, 60)
    assert branch.wait("failed")
    assert "Repeating step 40 gave different weights" in branch.message
    assert branch.message.endswith(".")


def test_an_invalid_branch_is_refused(host: Callable[..., Runs]):
    runs = host(runs_per_visitor=1)
    run = finished(runs.start("ada", TINY))
    for step, settings, sentence in (
        (41, {}, "no step 41. Choose 0 to 40"),
        (40, {"model.n_heads": 1}, "model.n_heads needs a new run"),
        (40, {"training.steps": 30}, "training.steps 30 is not above"),
    ):
        with pytest.raises(RunError, match=sentence):
            runs.branch("ada", run, step, settings)
    assert len(runs.of("ada")) == 1
    runs.start("ada", LONG)
    with pytest.raises(RunError, match="You have 1 unfinished run"):
        runs.branch("ada", run, 3)


# --- names, notes, colours ------------------------------------------------------------------------


def test_a_long_name_has_room_for_its_number(host: Callable[..., Runs]):
    runs, name = host(), "cross-attention-without-mask-2147483647"
    started = [runs.start("ada", TINY, paused=True, name=name) for _ in range(2)]
    assert [run.metadata.name for run in started] == [name, "cross-attention-without-mask-2147483 (2)"]
    assert host().owned("ada", started[1].id).metadata.name == "cross-attention-without-mask-2147483 (2)"


def test_a_run_has_a_name_a_note_and_a_colour(host: Callable[..., Runs]):
    runs = host()
    started = [runs.start("ada", TINY, paused=True) for _ in range(9)]
    assert {run.metadata.colour for run in started[:8]} == {run.metadata.colour for run in started[1:]} == set(range(8))
    run, other = started[:2]
    run.rename("  warm-up \x00 \ud800 first ")
    run.set_note("half the rate")
    run.set_colour(5)
    for name, sentence in (("", "1 to 40"), ("x" * 41, "41"), (other.metadata.name, "already have a run named")):
        with pytest.raises(ValueError, match=sentence):
            runs.rename(run, name)
    with pytest.raises(ValueError, match="501 characters"):
        run.set_note("x" * 501)
    for colour in (8, -1):
        with pytest.raises(ValueError, match="Choose 0 to 7"):
            run.set_colour(colour)
    found = host().owned("ada", run.id)
    assert (found.metadata.name, found.metadata.note, found.metadata.colour) == ("warm-up first", "half the rate", 5)
    run.resume()
    assert finished(run).metadata.name == "warm-up first"
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"] == "finished")
    assert json.loads((run.store.folder.path / "run.json").read_text())["note"] == "half the rate"


# --- room -----------------------------------------------------------------------------------------


def test_older_runs_keep_little_in_memory_and_can_be_restored(
    host: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(registry, "MAX_FULL_RUNS", 1)
    monkeypatch.setattr("playground.runs.store.SMALL_ROWS", 50)
    monkeypatch.setattr("playground.runs.store.SMALL_FRAMES", 5)
    monkeypatch.setattr("playground.runs.registry.SMALL_BYTES", 150_000)
    runs = host()
    run = finished(runs.start("ada", SPARSE.updated({"training.eval_every": 4})))
    records, exact, newest = run.records(), run.exact_records(), run.model_at(120)
    newer = finished(runs.start("ada", TINY))
    sizes = run.store.nbytes, newer.store.nbytes
    until(lambda: not run.has_worker)
    runs.tick()
    assert run.store.nbytes < min(sizes[0], 160_000)
    assert newer.store.nbytes == sizes[1]
    assert (run.records(), run.exact_records()) == (records, exact)
    assert 0 < len(run.points(["loss"])) <= 50
    assert len(run.predictions(0)[0]) <= 5
    assert same_weights(run.model_at(120), newest)
    assert runs.replays.ask("ada", run, 61).wait()
    assert records_of(finished(runs.branch("ada", run, 61))) == timeless(exact)

"""Runs in worker processes: the same numbers as in this process, whatever the controls do."""

import random
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from playground.runs import WILL_PAUSE, Run
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, snapshot_limit, state_limit
from playground.settings.config import parameter_counts
from playground.training import examples, train
from tests.helpers import LONG, TINY, is_alive, same_weights, timeless, until
from tests.worker_runs import STILL, advance, stays
from tests.worker_runs import here as here
from tests.worker_runs import start as start
from tests.worker_runs import warm as warm  # for every test here too


def test_the_same_seed_is_the_same_run_as_in_this_process(start: Callable[..., Run], here: Any):
    run = start()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]
    assert run.step == run.last()["step"] == 40
    assert run.message == ""
    assert run.points(["loss"])[-1]["step"] == 40
    *_, last = train(TINY)
    assert last.evaluation is not None
    predicted = [run.predictions(shown)[1][-1] for shown in range(len(last.evaluation.examples))]
    assert examples(TINY, predicted) == last.evaluation.examples
    assert run.steps_per_second is None or run.steps_per_second > 0


def test_the_model_at_any_kept_step_is_the_one_of_that_step(start: Callable[..., Run], here: Any):
    run = start()
    assert run.wait("finished")
    kept = run.snapshot_steps()
    assert set(range(0, 41, 5)) <= set(kept), "and, where steps are slow, some between them"
    for step in kept:
        assert same_weights(run.model_at(step), here[1][step])
        assert not run.model_at(step).training
    assert same_weights(run.model_at(), here[1][40])
    for step in (17, 18, 400):
        assert run.nearest(step) == min(kept, key=lambda at: abs(at - step))
        assert run.model_near(step)[0] == run.nearest(step)
        assert same_weights(run.model_near(step)[1], here[1][run.nearest(step)])
    assert not same_weights(run.model_at(20), here[1][15])
    missing = next(step for step in range(41) if step not in kept)
    with pytest.raises(KeyError, match=f"Step {missing} of .* is not available"):
        run.model_at(missing)
    for step in (-1, 41):
        with pytest.raises(ValueError, match=f"no step {step}. Choose 0 to 40"):
            run.model_at(step)


def test_before_the_first_report_the_model_is_untrained(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    assert same_weights(run.model_at(), here[1][0])
    assert run.wait("paused")
    assert same_weights(run.model_at(), here[1][0])


def test_step_takes_exactly_one_step(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    assert run.wait("paused")
    until(lambda: len(run.records()) == 1)
    for step in (1, 2, 3):
        run.step_once()
        until(lambda step=step: run.step == step)
        assert run.status == "paused"
        assert same_weights(run.model_at(), here[1][step])
    for _ in range(5):
        run.step_once()
    until(lambda: run.step == 8)
    assert stays(lambda: run.step)
    assert run.status == "paused"
    assert timeless(run.records()) == here[0][:9]


def test_pause_and_resume_do_not_change_the_result(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    advance(run, 5)
    run.pause()
    assert run.wait("paused")
    assert run.step == 5
    assert stays(lambda: run.step)
    assert same_weights(run.model_at(), here[1][5])
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_step_pauses_a_running_run(start: Callable[..., Run]):
    run = start(LONG, pace=50)
    until(lambda: run.step >= 3)
    run.step_once()
    assert run.wait("paused")
    assert stays(lambda: run.step)


@pytest.mark.parametrize("paused", [True, False])
def test_stop_ends_a_run_and_keeps_its_results(start: Callable[..., Run], paused: bool):
    run = start(LONG, pace=20)
    until(lambda: run.step >= 2)
    pid = run._worker.pid
    if paused:
        run.pause()
        assert run.wait("paused")
    run.stop()
    assert run.wait("stopped")
    assert run.ended
    assert [line["step"] for line in run.records()] == list(range(run.step + 1))
    assert run.snapshot_steps()[-1] == run.step
    until(lambda: not is_alive(pid))
    for control in (run.pause, run.resume, run.step_once, run.stop, lambda: run.set_pace(3.0)):
        control()
    assert run.status == "stopped"


def test_a_solved_run_ends_as_solved(start: Callable[..., Run]):
    easy = {"task.max_length": 2, "model.d_model": 16, "training.batch_size": 16, "training.learning_rate": 0.01}
    run = start(TINY.updated(easy | {"training.steps": 500, "training.stop_when_solved": True}))
    assert run.wait("solved")
    assert run.last()["exact_match"] == 1.0
    assert run.step < 500


def test_the_pace_is_kept_and_can_be_changed(start: Callable[..., Run]):
    begin = time.monotonic()
    run = start(LONG, pace=20)
    until(lambda: run.step >= 10)
    assert run.step / 20 <= time.monotonic() - begin, "a slow machine takes longer, no machine takes less"
    run.set_pace(STILL)
    assert run.pace == STILL
    until(lambda: stays(lambda: run.step))
    before = run.step
    run.set_pace(None)
    until(lambda: run.step > before + 20)


@pytest.mark.parametrize("pace", [200.0, None])
def test_a_slow_run_speeds_up_at_once(start: Callable[..., Run], pace: float | None):
    run = start(pace=STILL)
    until(lambda: run.status == "running")
    run.set_pace(pace)
    assert run.wait("finished"), "it sits out the steps of its old pace"


def test_single_steps_do_not_delay_later_ones(start: Callable[..., Run]):
    run = start(LONG, pace=STILL, paused=True)
    for _ in range(3):
        run.step_once()
    until(lambda: run.step == 3)
    run.resume()
    until(lambda: run.step == 4)


def test_steps_requested_before_the_pause_are_taken(start: Callable[..., Run]):
    run = start(LONG, paused=True)
    assert run.state in WILL_PAUSE or run.status == "paused"
    for _ in range(3):
        run.step_once()
    until(lambda: (run.status, run.step) == ("paused", 3))
    assert run.state not in WILL_PAUSE
    assert start(LONG).state not in WILL_PAUSE


def test_controls_do_not_change_what_is_learned(start: Callable[..., Run], here: Any):
    run, choose = start(pace=100), random.Random(0)
    controls = [
        run.pause,
        run.resume,
        run.step_once,
        lambda: run.set_pace(choose.choice([None, 20.0, 1000.0])),
        lambda: run.model_near(choose.randrange(40)),
        lambda: run.points(["loss"]),
    ]
    for _ in range(200):
        choose.choice(controls)()
        if choose.random() < 0.1:
            time.sleep(0.01)
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_controls_are_thread_safe(start: Callable[..., Run], here: Any):
    run = start(pace=100)

    def press(seed: int) -> None:
        choose = random.Random(seed)
        for _ in range(50):
            choose.choice([run.pause, run.resume, run.step_once, run.records, run.model_at])()

    threads = [threading.Thread(target=press, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_snapshots_are_bounded_and_keep_the_first_and_the_newest(start: Callable[..., Run]):
    wide = {"model.d_model": 256, "model.d_ff": 128, "task.max_length": 2, "training.batch_size": 1}
    config = TINY.updated(wide | {"training.steps": 30, "training.eval_every": 1})
    limit = snapshot_limit(sum(parameter_counts(config).values()))
    assert limit < 10
    run = start(config)
    most = 0
    while not run.ended:
        most = max(most, len(run.snapshot_steps()))
        time.sleep(0.005)
    steps = run.snapshot_steps()
    assert run.status == "finished"
    assert (steps[0], steps[-1]) == (0, 30)
    assert 3 <= len(steps) <= limit
    assert most <= limit, "also on the way"
    gaps = [after - before for before, after in pairwise(steps)]
    assert max(gaps) <= 20, "spread over the run"


@pytest.mark.parametrize("max_bytes", [RUN_BYTES, SMALL_BYTES])
def test_snapshots_and_states_of_a_run_fit_their_limit(max_bytes: int):
    for parameters in (1_000, 100_000, 700_000, 5_000_000):
        most = snapshot_limit(parameters, max_bytes)
        kept = 4 * parameters * most + state_limit(parameters, max_bytes) * (12 * parameters + 100_000)
        assert most >= 1
        assert kept <= max(max_bytes, 4 * parameters)


def test_the_newest_weights_stay_recent_between_rare_evaluations(start: Callable[..., Run]):
    run = start(TINY.updated({"training.steps": 100_000, "training.eval_every": 10_000}), pace=20)
    until(lambda: max(run.snapshot_steps(), default=0) > 0)


def test_a_run_that_ends_between_two_looks_is_seen_to_have_ended():
    class Ending:
        looks = iter(["running", "finished"])
        status = property(lambda self: next(self.looks))
        ended = True

    assert Run.wait(Ending(), "finished")

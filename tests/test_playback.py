"""A run played back: at each step just what it was when it was trained, by the clock, and without any process."""

from types import SimpleNamespace

import numpy as np
import pytest

from playground.processes import child
from playground.runs import Playback, Run, RunView
from playground.runs.metadata import RunMetadata
from playground.runs.reader import PLAYBACK_SECONDS
from playground.runs.states import ENDED, Lifecycle, State
from playground.settings.config import Change
from playground.training import Training
from tests.helpers import TINY, same_weights

STEPS = 12


def seen(run: Run | Playback) -> dict[str, object]:
    """What a page shows of a run, as plain data."""
    accuracy, entropy = run.grouped("position_accuracy"), run.grouped("attention_entropy")
    return {
        "step": run.step,
        "last": run.last(),
        "points": run.points(["loss", "learning_rate"]),
        "tests": run.points(["exact_match"]),
        "records": run.records(),
        "accuracy": (accuracy[0], accuracy[1].tolist()),
        "entropy": (entropy[0], entropy[1].tolist()),
        "predictions": run.predictions(0),
        "frames": [(step, frame.predictions.tolist()) for step, frame in run.kept_frames()],
        "columns": {name: repr(values.tolist()) for name, values in run.columns(["loss", "learning_rate"]).items()},
        "kept": run.snapshot_steps(),
        "changes": run.changes,
        "now": run.config_now,
    }


@pytest.fixture(scope="module")
def recorded() -> tuple[Run, list[dict[str, object]], dict[int, object]]:
    """A run without a process, what one saw of it at each step, and its models."""
    config = TINY.updated({"training.steps": STEPS, "training.eval_every": 4, "training.stop_when_solved": False})
    changes = (Change(5, {"training.learning_rate": 0.001}),)
    run, live, models = Run(RunMetadata(config=config, name="amber-fox")), [], {}
    run.lifecycle = Lifecycle(State.RUNNING)
    training = Training(config, changes=changes)
    for progress in training.progress():
        line = progress.record()
        run.store.history.append(line)
        run.store.frames.append(line)
        run.store.set(changes=tuple(change for change in changes if change.step <= run.step))
        if run.step % 3 == 0:
            weights = np.concatenate([one.detach().numpy().ravel() for one in training.model.parameters()])
            run.store.snapshots.take([(run.step, weights.tobytes())], [], run.step)
            models[run.step] = run.model_at(run.step)
        live.append(seen(run))
    run.lifecycle = Lifecycle(State.SOLVED)
    return run, live, models


@pytest.fixture
def nothing_starts(monkeypatch):
    """As on a machine whose fork server is dead."""

    def refuse(*_args, **_options):
        raise AssertionError("A playback starts no process.")

    monkeypatch.setattr(child, "start", refuse)


@pytest.fixture
def clock():
    return SimpleNamespace(now=100.0)


@pytest.fixture
def playback(recorded, clock, nothing_starts):
    return Playback(recorded[0], clock=lambda: clock.now)


def test_each_step_is_shown_as_it_was_trained(recorded, playback):
    run, live, models = recorded
    playback.pause()
    for step in range(STEPS + 1):
        assert seen(playback) == live[step]
        near, model = playback.model_near()
        assert near == min([0, *models], key=lambda kept: (abs(kept - step), kept))
        if near:
            assert same_weights(model, models[near])
        assert playback.status == ("paused" if step < STEPS else "solved")
        playback.step_once()
    assert (playback.id, playback.metadata.name, playback.config) == (run.id, run.metadata.name, run.config)


def test_the_default_pace_plays_a_run_in_ten_seconds(playback, clock):
    steps = []
    while not playback.ended:
        steps.append(playback.step)
        assert playback.status == "running"
        clock.now += 0.5
    assert steps == sorted(steps)
    assert clock.now == pytest.approx(100 + PLAYBACK_SECONDS, abs=0.5)
    assert (playback.step, playback.status, playback.steps_per_second) == (STEPS, "solved", None)
    clock.now += 100
    assert playback.step == STEPS
    playback.resume()  # from the beginning
    assert (playback.step, playback.status) == (0, "running")


def test_a_playback_has_the_controls_of_a_run(playback, clock):
    playback.set_pace(2.0)
    clock.now += 2
    assert playback.step == 4
    playback.pause()
    clock.now += 60
    assert (playback.step, playback.status) == (4, "paused")
    playback.resume()
    clock.now += 1
    assert playback.step == 6
    playback.set_pace(1.0)
    clock.now += 1
    assert playback.step == 7
    playback.set_pace(None)
    assert playback.pace == STEPS / PLAYBACK_SECONDS
    playback.stop()
    assert (playback.step, playback.ended) == (STEPS, True)
    assert playback.restarted().step == 0


def test_an_active_run_is_played_up_to_its_newest_step(recorded, clock, nothing_starts, monkeypatch):
    run = recorded[0]
    monkeypatch.setattr(run, "lifecycle", Lifecycle(State.RUNNING))
    playback = Playback(run, 1.0, clock=lambda: clock.now)
    clock.now += STEPS
    assert (playback.step, playback.status) == (STEPS, "finished")
    assert playback.status in ENDED


def test_a_playback_has_the_read_methods_of_a_run():
    playback = Playback(Run(RunMetadata(config=TINY)))
    for name in dir(RunView):
        if not name.startswith("__"):
            getattr(playback, name)

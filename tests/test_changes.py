"""Settings that change during a run: it repeats from its settings and its changes."""

import pytest
import torch

from playground.settings.config import Change, ConfigError
from playground.training import Training
from tests.helpers import timeless
from tests.small_training import SOLVABLE, TINY, changed, records, weights

CHANGES = (
    Change(step=3, settings={"model.dropout": 0.4}),
    Change(step=5, settings={"training.learning_rate": 0.03, "training.batch_size": 5}),
    Change(step=8, settings={"model.dropout": 0.0, "training.steps": 15}),
)
UNEVEN = TINY.updated({"training.schedule": "cosine", "training.eval_every": 4, "training.stop_when_solved": False})


def test_a_run_changed_by_hand_repeats_itself_from_its_changes_and_from_any_state():
    training, found, states = Training(UNEVEN), [], []
    for progress in training.progress():
        found.append(progress.record())
        states.append(training.state())
        for change in CHANGES:
            if change.step == progress.step:
                for path, value in change.settings.items():  # one by one: those of one step become one
                    training.change({path: value})
        assert training.now == UNEVEN.after(CHANGES, progress.step)
    assert training.changes == CHANGES
    assert training.config == UNEVEN
    assert timeless(found) == changed(UNEVEN, CHANGES)
    assert len(found) == 16
    for at in (2, 4, 5, 9):
        later = Training(UNEVEN, changes=CHANGES[::-1])
        later.go_on_from(states[at])
        assert timeless([progress.record() for progress in later.progress()]) == timeless(found[at + 1 :]), at
        assert torch.equal(weights(later.model), weights(training.model))


def test_before_a_change_a_run_is_the_old_one_and_from_the_next_step_on_another():
    before, after = records(UNEVEN), changed(UNEVEN, CHANGES[:1])
    assert after[:4] == before[:4]
    assert all(line["loss"] != twin["loss"] for line, twin in zip(after[4:], before[4:], strict=True))


@pytest.mark.parametrize(
    "settings",
    [{"training.learning_rate": 0.02}, {"training.batch_size": 3}, {"model.dropout": 0.3}, {"training.steps": 9}],
    ids=str,
)
def test_a_run_changed_before_its_first_step_is_a_run_of_the_other_settings(settings):
    assert changed(UNEVEN, (Change(step=0, settings=settings),)) == records(UNEVEN.updated(settings))


def test_more_steps_open_an_ended_run_again_and_the_old_end_was_tested_thoroughly():
    config = SOLVABLE.updated({"task.max_length": 6, "training.steps": 12})  # more held out than a quick test takes
    more = Change(step=12, settings={"training.steps": 14})
    training = Training(config)
    lines = [progress.record() for progress in training.progress()]
    assert training.ended
    assert training.change(more.settings) == more
    assert not training.ended
    lines += [progress.record() for progress in training.progress()]
    assert [line["sequences"] for line in lines if "sequences" in line] == [100, 100, 682, 682]
    assert timeless(lines) == changed(config, (more,))


def test_a_solved_run_goes_on_once_it_need_not_stop():
    training = Training(SOLVABLE)
    *_, last = training.progress()
    assert training.ended
    training.change({"training.stop_when_solved": False})
    assert not training.ended
    assert next(training.progress()).step == last.step + 1
    training.change({"training.stop_when_solved": True})
    assert training.ended


def test_a_change_that_is_not_allowed_leaves_everything_as_it_was():
    training = Training(UNEVEN.updated({"training.warmup_steps": 5}), changes=CHANGES)
    for settings in ({"model.d_model": 32}, {"training.learning_rate": 0.0}, {"training.steps": 4}, {}):
        with pytest.raises(ConfigError):
            training.change(settings)
    assert training.changes == CHANGES
    assert training.now == training.config
    with pytest.raises(ConfigError, match="warmup_steps 5 is above steps 4"):
        Training(training.config, changes=(Change(step=0, settings={"training.steps": 4}),))

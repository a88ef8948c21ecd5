"""Every task on the pages that show one of its models."""

from itertools import product

import pytest

from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save
from playground.tasks import TASKS, example_text, task_of
from playground.training import train
from tests.helpers import first
from tests.pages import fine, last_walk, page, run_of, with_settings
from tests.pages import host as host  # for every test here too

TINY = {
    "task.vocab_size": 5,
    "task.max_length": 4,
    "model.d_model": 8,
    "model.n_heads": 2,
    "model.d_ff": 16,
    "training.steps": 3,
}


LONGER = {"text": {"task.max_length": 8}}


def config_of(task: str, architecture: str) -> RunConfig:
    return RunConfig().updated(TINY | LONGER.get(task, {}) | {"task.name": task, "model.architecture": architecture})


@pytest.fixture(params=product(TASKS, ("encoder-decoder", "decoder-only")), ids="-".join)
def saved(request, tmp_path):
    config = config_of(*request.param)
    model = TaskModel(config)
    save(tmp_path / "own", model, [each.record() for each in train(config, model)])
    return config


def test_step_through_takes_an_input_of_the_task(saved):
    app = page("step_through.py", source="own")
    assert app.text_input(key="input").value == example_text(saved.task)
    longest = task_of(saved.task).example(99)
    fine(app.text_input(key="input").set_value(longest).run())
    assert last_walk().model.config == saved


def test_experiment_and_checkpoints_show_a_model_of_the_task(saved):
    page("experiment.py", source="own")
    assert last_walk().model.config == saved
    page("checkpoints.py")


@pytest.mark.parametrize("task", first(4, TASKS, of=9))
def test_train_runs_the_task(task):
    app = with_settings("train.py", TINY | LONGER.get(task, {}) | {"task.name": task, "pace": "Full speed"})
    next(each for each in app.button if each.label == "Train").click().run()
    run = run_of(app)
    assert run.wait("finished", "solved")
    fine(app.run())
    assert run.last()["step"] <= 3

"""Every page about a model of parts newer than 2017: each operation and each view opens, and a run trains."""

import pytest

from playground.model.task_model import TaskModel
from playground.recording import taps
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save
from playground.training import train
from playground.ui.session.pages import EXPERIMENT
from tests.helpers import messages
from tests.pages import button, fine, last_walk, page, run_of, with_settings
from tests.pages import host as host  # for every test here too

SMALL = {
    **{"task.vocab_size": 5, "task.max_length": 4, "model.d_model": 16, "model.d_ff": 16},
    **{"training.steps": 3, "pace": "Full speed"},
}
KINDS = {
    "grouped-query": {
        "model.attention": "grouped_query",
        "model.norm": "rms_norm",
        "model.activation": "swiglu",
        "model.positions": "rotary",
        "model.architecture": "decoder-only",
    },
    "latent": {
        **{"model.attention": "latent", "model.d_latent": 6, "model.positions": "rotary", "model.d_rope": 4},
        **{"model.qk_norm": True, "model.logit_cap": 3.0, "model.window": 2, "model.architecture": "decoder-only"},
    },
    "mixture": {"model.feed_forward": "mixture", "model.n_shared_experts": 1},
}


@pytest.fixture(params=KINDS)
def saved(request, tmp_path) -> RunConfig:
    """The settings of a model that is saved as "own"."""
    config = RunConfig().updated({path: value for path, value in (SMALL | KINDS[request.param]).items() if "." in path})
    model = TaskModel(config)
    save(tmp_path / "own", model, [each.record() for each in train(config, model)])
    return config


def test_step_through_opens_each_operation_forward_and_backward(saved):
    app = page("step_through.py", source="own")
    names = [step.name for step in last_walk().steps]
    assert set(names) == set(taps(last_walk().model))
    for name in names:
        for backward in (False, True):
            app.session_state["operation"], app.session_state["gradient"] = name, backward
            assert not messages(fine(app.run()), "wrong"), name


@pytest.mark.parametrize("view", [view.name for view in EXPERIMENT.views])
def test_each_view_of_experiment_opens(saved, view):
    app = page("experiment.py", source="own", **{"experiment view": view})
    assert not messages(app, "wrong")


@pytest.mark.parametrize("name", ["generate.py", "checkpoints.py"])
def test_generate_and_checkpoints_open(saved, name):
    assert not messages(page(name, source="own"), "wrong")


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_trains_and_opens_in_step_through(kind):
    app = with_settings("train.py", SMALL | KINDS[kind])
    button(app, "Train").click().run()
    assert run_of(app).wait("finished", "solved")
    fine(app.run())
    fine(app.switch_page("pages/step_through.py").run())
    assert last_walk().model.config == run_of(app).config

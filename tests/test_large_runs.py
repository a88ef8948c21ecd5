"""A run that takes long or much memory asks first, wherever it is begun; what the host refuses is not asked about."""

import pytest

from playground.model.task_model import TaskModel
from playground.settings.estimate import Cost, estimate
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.storage.library import Library
from playground.ui.runs import large_runs
from playground.ui.session.services import services
from tests.helpers import TINY, messages
from tests.pages import button, fine, host, page, run_of, solved, visitor, with_settings
from tests.test_sweep_view import opened

__all__ = ["host"]  # a fixture that acts by itself

LARGE = {"training.steps": 100_000, "training.batch_size": 256}
USUAL = PRESETS[DEFAULT_PRESET].config


def asked(app) -> str:
    """What the open question says; empty where there is none."""
    return next((each.value for each in app.markdown if each.value.startswith("Estimated at full speed")), "")


def test_the_limits_are_ten_minutes_and_two_gigabytes():
    assert (large_runs.MAX_SECONDS, large_runs.MAX_MB) == (600.0, 2000.0)
    assert estimate(USUAL).seconds < 600


@pytest.mark.parametrize(
    ("name", "label"), [("build.py", "Train this model"), ("train.py", "Train"), ("train.py", "Step")]
)
def test_nothing_is_trained_before_the_person_agrees(name, label):
    app = with_settings(name, LARGE)
    fine(button(app, label).click().run())
    cost = estimate(USUAL.updated(LARGE))
    assert f"{cost.megabytes:,.0f} MB" in asked(app)
    assert run_of(app) is None
    fine(button(app, "Cancel").click().run())
    assert not asked(app)
    assert run_of(app) is None
    assert app.session_state["training.steps"] == 100_000, "what was typed stays"
    fine(button(app, label).click().run())
    fine(button(app, "Train anyway").click().run())
    assert run_of(app).config.training.steps == 100_000
    assert not asked(fine(app.run()))


def test_a_small_run_starts_without_a_question():
    app = with_settings("train.py", {})
    fine(button(app, "Train").click().run())
    assert not asked(app)
    assert run_of(app).config == USUAL


def test_what_the_host_refuses_is_refused_and_not_asked_about(host):
    host(run_minutes=10)
    app = with_settings("train.py", LARGE)
    fine(button(app, "Train").click().run())
    assert not asked(app)
    assert "minutes of computing time. The limit here is 10 minutes" in messages(app, "wrong")[0]


def test_reset_begins_again_without_a_second_question(monkeypatch):
    app = with_settings("train.py", {})
    fine(button(app, "Train").click().run())
    first = run_of(app)
    monkeypatch.setattr(large_runs, "MAX_SECONDS", 0.0)
    fine(button(app, "Reset").click().run())
    assert not asked(app)
    assert run_of(app) is not first


def test_more_steps_and_a_branch_ask_too(monkeypatch):
    app = solved()
    first = run_of(app)
    monkeypatch.setattr(large_runs, "MAX_SECONDS", 0.0)
    fine(button(app, "More steps").click().run())
    assert asked(app)
    assert run_of(app) is first
    fine(button(app, "Train anyway").click().run())
    assert run_of(app).metadata.origin.run_id == first.id


def test_a_sweep_asks_about_all_its_runs_together(monkeypatch):
    app = opened(TINY)
    app.text_input(key="sweep values 1").set_value("1, 2").run()
    app.number_input(key="sweep seeds").set_value(1).run()
    one = estimate(TINY).seconds
    monkeypatch.setattr(large_runs, "MAX_SECONDS", 1.5 * one / services().runs.scheduler.sweep_slots)
    fine(button(app, "Start sweep").click().run())
    assert asked(app)
    assert not services().runs.of(visitor(app))
    fine(button(app, "Train anyway").click().run())
    assert len(services().runs.of(visitor(app))) == 2


def test_a_checkpoint_that_is_trained_on_asks_too(monkeypatch):
    Library(services().host.checkpoints).save("small", TaskModel(TINY), [])
    monkeypatch.setattr(large_runs, "MAX_SECONDS", 0.0)
    app = page("checkpoints.py", **{"library asked": ("train", "small")})
    fine(app.run())
    assert asked(app)
    fine(button(app, "Train anyway").click().run())
    assert run_of(app).metadata.begun_from == "small"


def test_what_is_left_of_a_run_costs_its_share():
    config = USUAL.updated({"training.steps": 400})
    whole = estimate(config)
    assert large_runs.remaining(config, 300) == Cost(whole.megabytes, whole.seconds / 4)
    assert large_runs.remaining(config, 500).seconds == 0

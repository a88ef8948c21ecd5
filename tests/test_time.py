"""The control of the training step: chosen, stepped, played, replayed, linked to."""

import re

import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from playground.explain.inspection import NotFiniteError, Walk
from playground.model.task_model import TaskModel
from playground.runs import Run, replays
from playground.runs.long_work import LongWork
from playground.runs.snapshots import replayed
from playground.settings.config import RunConfig
from playground.training import train
from playground.ui.passes import training_step
from playground.ui.runs import run_status
from playground.ui.session import at_step, sources
from playground.ui.session.services import services
from tests.helpers import TINY, first, mounts, until, written
from tests.pages import button, fine, last_walk, link_to, page, visitor
from tests.pages import host as host  # for every test here too

CONFIG = RunConfig().updated({"training.steps": 60, "training.eval_every": 20, "training.stop_when_solved": False})


def opened(**seeded: str) -> tuple[AppTest, Run]:
    """Step through, looking at a finished run that has kept steps 0, 20, 40 and 60."""
    app = page("build.py")
    run = services().runs.start(visitor(app), CONFIG)
    assert run.wait("finished")
    run.store.snapshots.weights = {step: run.store.snapshots.weights[step] for step in (0, 20, 40, 60)}
    app.session_state["source"] = sources.RUN
    for key, value in seeded.items():
        app.session_state[key] = value
    return fine(app.switch_page("pages/step_through.py").run()), run


def slider(app: AppTest):
    return app.slider(key="step slider")


def test_a_new_slider_starts_at_the_step_in_every_script_run():
    """Of two script runs in quick succession, the browser may see the elements of the second one only."""
    app, _ = opened(at_step="20")
    assert (slider(app).value, list(slider(app).proto.default)) == (20, [20])
    fine(app.run())
    assert (slider(app).value, list(slider(app).proto.default), slider(app).proto.set_value) == (20, [20], False)


def step_message(app: AppTest) -> str:
    return next(each.proto.body for each in app.get("html") if 'class="time-message' in each.proto.body)


def seen(app: AppTest) -> TaskModel:
    return last_walk().model


@pytest.fixture(scope="module")
def there() -> list[torch.Tensor]:
    """The weights after every step."""
    model = TaskModel(CONFIG)
    return [torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone() for _ in train(CONFIG, model)]


def shows(app: AppTest, weights: torch.Tensor) -> bool:
    return torch.nn.utils.parameters_to_vector(seen(app).parameters()).equal(weights)


def test_the_slider_shows_any_step_exactly_twice_in_a_row(there):
    app, run = opened()
    assert (slider(app).min, slider(app).max, slider(app).value) == (0, 60, 60)
    assert shows(app, there[60])
    for step in (37, 3, 0, 38):
        slider(app).set_value(step).run()
        until(lambda step=step: run.store.snapshots.has(step))
        assert fine(app.run()).session_state["at_step"] == str(step)
        assert slider(app).value == step
        assert shows(app, there[step]), step
        assert app.query_params["step"] == str(step)


def test_the_slider_is_set_only_when_the_page_moves_it():
    app, _ = opened(at_step="20")
    assert list(slider(app).proto.default) == [20]
    assert not slider(fine(app.run())).proto.set_value, "it would put back what a person is moving right now"
    slider(app).set_value(40).run()
    assert not slider(fine(app)).proto.set_value
    app.session_state["at_step"] = "0"
    assert slider(fine(app.run())).proto.set_value
    assert slider(app).value == 0


def test_the_end_of_the_slider_is_the_newest_step():
    app, _ = opened(at_step="20")
    assert slider(app).value == 20
    slider(app).set_value(60).run()
    assert fine(app).session_state["at_step"] == "now"
    assert slider(app).value == 60


def test_during_a_replay_the_nearest_step_is_shown_and_named(monkeypatch, there):
    monkeypatch.setattr(LongWork, "_assign", lambda self: None)  # no slot is ever free
    app, run = opened(at_step="37")
    assert "Waiting for other replays to step 37 … 0 %. Step 40 is shown.</span>" in step_message(app)
    assert shows(app, there[40])
    assert slider(app).value == 37, "what was asked for stays"
    replayed.put((run.id, 37), there[37].numpy().tobytes())
    assert 'role="status"></span>' in step_message(fine(app.run()))
    assert shows(app, there[37])


def test_a_killed_replay_is_reported_and_the_nearest_step_stays(monkeypatch, there):
    def fail(self, work) -> None:
        work.message = "The replay to step 37 ended unexpectedly (killed by signal 9). Choose the step again to retry."
        work.ended = True

    monkeypatch.setattr(replays.Replays, "_execute", fail)
    app, _ = opened(at_step="37")
    assert "killed by signal 9). Choose the step again to retry. Step 40 is shown." in step_message(app)
    assert shows(app, there[40])


@pytest.mark.parametrize(
    ("linked", "value", "sentence"),
    first(
        3,
        [
            ("61", 60, "This run has no training step 61. Use 0 to 60. The newest step is shown."),
            ("-1", 0, "This run has no training step -1. Use 0 to 60. Step 0 is shown."),
            ("<b>", 60, "“&lt;b&gt;” is not a training step. Use 0 to 60."),
            ("²", 60, "“²” is not a training step"),
            ("9" * 300, 60, "is not a training step"),
        ],
    ),
)
def test_a_missing_step_in_a_link_opens_the_nearest_with_a_message(linked, value, sentence):
    app, _ = opened(at_step=linked)
    assert sentence in step_message(app)
    assert slider(app).value == value
    assert sentence in step_message(fine(app.run())), "also when the page is drawn again"
    slider(app).set_value(20).run()
    assert "no training step" not in step_message(app)


def test_a_link_opens_the_step_for_others_too(there):
    _, run = opened()
    other = link_to("step_through.py", run=run.id, model="run", step="37")
    until(lambda: run.store.snapshots.has(37))
    assert shows(fine(other.run()), there[37])
    assert slider(other).value == 37


def test_later_and_earlier_move_between_kept_steps(monkeypatch):
    _, run = opened(at_step="20")
    session = {"at_step": "20"}
    monkeypatch.setattr(st, "session_state", session)
    seen = []
    for move in (
        training_step.later,
        training_step.later,
        training_step.later,
        training_step.earlier,
        training_step.earlier,
        training_step.earlier,
        training_step.earlier,
    ):
        move(run)
        seen.append(session["at_step"])
    assert seen == ["40", "60", "now", "40", "20", "0", "0"]
    at_step.move(37)
    training_step.later(run)
    assert session["at_step"] == "40"
    at_step.move(37)
    training_step.earlier(run)
    assert session["at_step"] == "20"


def test_playing_visits_the_kept_steps_and_stops_at_the_end(monkeypatch):
    app, _ = opened()
    monkeypatch.setattr(training_step, "PICTURE_SECONDS", 0.0)
    button(app, "Play").click().run()
    steps = [slider(fine(app)).value]
    while any(each.label == "Pause" for each in app.button):
        steps.append(slider(fine(app.run())).value)
    assert sorted(set(steps)) == steps[: len(set(steps))] == [20, 40, 60]
    assert app.session_state["at_step"] == "now"
    button(app, "Play").click().run()
    button(app, "Pause").click().run()
    at = slider(fine(app)).value
    assert slider(fine(app.run())).value == at


def test_each_played_step_is_shown_for_a_moment(monkeypatch):
    monkeypatch.setattr(training_step, "PICTURE_SECONDS", 100.0)
    app, _ = opened(at_step="20")
    button(app, "Play").click().run()
    assert slider(fine(app.run())).value == 20


def test_a_late_report_of_the_slider_is_ignored():
    app, _ = opened(at_step="40")
    app.session_state["drawn steps"] = [0, 20, 40]
    app.session_state["step moved"] = training_step.time.monotonic() + 60
    slider(app).set_value(20).run()
    assert fine(app).session_state["at_step"] == "40"
    slider(app).set_value(10).run()
    assert fine(app).session_state["at_step"] == "10"


def test_a_report_of_the_slider_that_is_seconds_late_does_not_stop_the_player(monkeypatch):
    monkeypatch.setattr(training_step, "PICTURE_SECONDS", 100.0)
    app, _ = opened(at_step="20")
    button(app, "Play").click().run()
    app.session_state["drawn steps"] = [60, 0, 20]
    app.session_state["step moved"] = training_step.time.monotonic() - 10
    slider(app).set_value(60).run()
    assert fine(app).session_state["at_step"] == "20"
    assert button(app, "Pause")
    slider(app).set_value(40).run()
    assert fine(app).session_state["at_step"] == "40", "a person moved it"
    assert button(app, "Play")


def asked_for(app: AppTest) -> dict | None:
    """What the browser waits for before it asks for a new drawing; None if it does not."""
    found = [data for name, data in mounts(app, "at") if name.endswith("-changes time")]
    return found[0] if found else None


def test_training_continues_while_a_step_is_shown_and_is_followed_when_played():
    app = page("build.py")
    config = CONFIG.updated({"training.steps": 100_000, "training.eval_every": 5})
    run = services().runs.start(visitor(app), config, 50.0)
    app.session_state["source"] = sources.RUN
    until(lambda: run.nearest() >= 5)
    first = slider(fine(app.switch_page("pages/step_through.py").run())).value
    assert re.search(r"Training is at step \d+\. Press Play to follow it\.", step_message(app))
    wait = asked_for(app)
    assert wait["shown"] == {f"run/{run.id}": {"status": "running"}}
    assert wait["texts"] == {"training": training_step.MESSAGE}
    until(lambda: run.nearest() > first)
    assert slider(fine(app.run())).value == first, "what is looked at stays until it is followed"
    fine(app.switch_page("pages/train.py").run())
    assert slider(fine(app.switch_page("pages/step_through.py").run())).value > first, "who comes back sees the newest"
    back = slider(app).value
    until(lambda: run.nearest() > back)
    button(app, "Play").click().run()
    assert "Follows the training." in step_message(fine(app)), "as the line promised, whatever was kept meanwhile"
    assert set(asked_for(app)["shown"][f"run/{run.id}"]) == {"step"}
    until(lambda: run.nearest() > first)
    assert slider(fine(app.run())).value > first
    button(app, "Pause").click().run()
    paused = slider(app).value
    until(lambda: run.nearest() > paused)
    assert slider(fine(app.run())).value == paused
    slider(app).set_value(3).run()
    assert slider(fine(app.run())).value == 3
    assert not {"Follows", "Press"} & set(step_message(app).split())
    assert slider(app).max in run_status._ROOMS
    run.stop()


def test_the_page_redraws_itself_only_while_playing_or_replaying(monkeypatch):
    app, run = opened()
    assert asked_for(fine(app.run())) is None
    button(app, "Play").click().run()
    assert asked_for(fine(app))["again"] == training_step.PICTURE_SECONDS
    button(app, "Pause").click().run()
    monkeypatch.setattr(LongWork, "_assign", lambda self: None)
    app.session_state["at_step"] = "37"
    wait = asked_for(fine(app.run()))
    assert wait["shown"] == {f"visitor/replay/{run.id}/37": {"done": False}}
    assert training_step.replay_fields(visitor(app), run, 37) == {
        "done": False,
        "message": f"Waiting for other replays to step 37 … 0 %. Step {run.nearest(37)} is shown.",
    }
    run.store.irreproducible = "It cannot be."
    assert asked_for(fine(app.run())) is None
    assert training_step.replay_fields(visitor(app), run, 37) == {"done": True}


def test_a_training_that_ends_while_the_page_is_drawn_causes_a_redraw(monkeypatch):
    app, slider_end = page("build.py"), run_status.slider_end
    run = services().runs.start(visitor(app), CONFIG.updated({"training.steps": 100_000}), 50.0)
    app.session_state["source"] = sources.RUN
    until(lambda: run.step >= 5)

    def ending(run: Run) -> int:
        run.stop()
        assert run.wait("stopped")
        return slider_end(run)

    monkeypatch.setattr(run_status, "slider_end", ending)
    app = fine(app.switch_page("pages/step_through.py").run())
    assert asked_for(app)["shown"] == {f"run/{run.id}": {"status": "running"}}


def test_the_slider_is_missing_before_the_first_step():
    app = page("build.py")
    services().runs.start(visitor(app), CONFIG, paused=True)
    app.session_state["source"] = sources.RUN
    assert slider(fine(app.switch_page("pages/step_through.py").run())).disabled
    assert button(app, "Play").disabled


def test_a_checkpoint_has_no_training_steps():
    app = page("step_through.py")
    assert not app.slider


DIVERGING = TINY.updated(
    {"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False}
    | {"model.architecture": "decoder-only"}
)


def test_a_step_of_a_run_that_diverged_is_shown_until_it_overflows_with_a_way_back():
    app = page("build.py")
    run = services().runs.start(visitor(app), DIVERGING)
    assert run.wait("failed")
    app.session_state["at_step"] = str(run.step)
    fine(app.switch_page("pages/step_through.py").run())
    until(lambda: "holds a number that is not finite" in written(fine(app.run())))
    assert f"The training diverged by step {run.step}. Choose an earlier step" in written(app)
    assert button(app, "Next").disabled, "the last operation before the one that overflowed"
    button(app, "Previous").click().run()
    assert app.latex[0].value
    while "diverged" in written(fine(app)):
        button(app, "Earlier step").click().run()
        until(lambda: not app.get("html") or "Replaying" not in written(fine(app.run())))
    assert int(app.session_state["at_step"]) < run.step
    assert button(app, "Next")


def test_a_backward_pass_that_is_not_finite_keeps_the_forward_pass(monkeypatch):
    def not_finite(_walk):
        raise NotFiniteError("The gradient at loss holds a number that is not finite; it cannot be shown.")

    app = page("build.py")
    run = services().runs.start(visitor(app), TINY)
    assert run.wait("finished")
    monkeypatch.setattr(Walk, "_backward", not_finite)
    app.session_state["gradient"] = True
    fine(app.switch_page("pages/step_through.py").run())
    assert "The gradient at loss holds a number that is not finite" in written(app)
    assert "The training diverged by step 40." in written(app)
    assert any("tensors" in each.proto.component_name for each in app.get("bidi_component"))
    assert button(app, "Next")

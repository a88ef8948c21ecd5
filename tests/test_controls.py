"""What steers a run on the Train page: slow motion, how far it goes, settings that change on the way, and its past."""

import json
import math
import os
import re
import signal
from base64 import b64decode
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest
from torch.nn.functional import cross_entropy

from playground.runs import SLOW_MOTION, Run, StageShown, State, stage_plan
from playground.settings.config import RunConfig
from playground.storage.library import SHIPPED, Library
from playground.training.stages import Stages
from playground.ui.runs import run_status, steering
from playground.ui.session import identity, sources, tab_run, widgets
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.train import run_control, slow_motion_view
from tests.helpers import (
    ARCHITECTURES,
    HANG,
    LONG,
    TINY,
    is_alive,
    messages,
    progress,
    same_weights,
    small_config,
    timeless,
    until,
)
from tests.pages import button, fine, host, last_walk, link_to, page, text, visitor
from tests.small_training import RUINOUS
from tests.test_heatmap import decode
from tests.test_time import step_message

__all__ = ["host"]  # a fixture that acts by itself


def train(app: AppTest, config: RunConfig = LONG, pace: float | None = None, **options: bool) -> Run:
    """A run of this visitor's, on their Train page."""
    run = services().runs.start(visitor(app), config, pace, **options)
    until(lambda: run.status == "paused" if options else run.status == "running" or run.ended)
    fine(app.run())
    return run


def number(app: AppTest, label: str, which: int = 0):
    return [each for each in app.number_input if each.label == label][which]


def story(app: AppTest) -> str:
    return text(next(each.proto.body for each in app.get("html") if 'class="story' in each.proto.body))


def shown_stage(app: AppTest) -> tuple[dict, np.ndarray | None]:
    """What the browser gets of the stage: header and tensor."""
    (mount,) = (each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("slow_motion"))
    header, tensors = decode(b64decode(json.loads(mount.json)["now"]["message"]))
    return header, tensors[0]["values"] if tensors else None


def current(header: dict) -> int:
    """Index of the marked segment in the strip."""
    segments = re.findall(r'<li class="\w+ (?:done|now|later)" [^>]*>', header["strip"])
    (index,) = (at for at, segment in enumerate(segments) if 'aria-current="step"' in segment)
    assert [" done" in each for each in segments] == [at < index for at in range(len(segments))]
    return index


def test_where_runs_can_have_a_gpu_the_next_one_goes_there_if_one_asks_for_it(monkeypatch):
    devices = []
    start = services().runs.start
    monkeypatch.setitem(vars(services().runs.backend), "has_gpu", False)
    assert "Next run on" not in {each.label for each in fine(page("train.py")).segmented_control}
    monkeypatch.setitem(vars(services().runs.backend), "has_gpu", True)
    monkeypatch.setattr(
        services().runs, "start", lambda *given, device, **more: devices.append(device) or start(*given, **more)
    )
    app = fine(page("train.py"))
    button(app, "Train").click().run()
    app.segmented_control(key=keys.DEVICE.name).set_value("GPU").run()
    button(app, "Reset").click().run()
    assert devices == ["cpu", "cuda"]


# --- slow motion ----------------------------------------------------------------------------------


def test_step_goes_through_every_stage_and_shows_what_it_made():
    app = page("train.py")
    run = train(app, pace=SLOW_MOTION, paused=True)
    plan, seen = stage_plan(run.config), []
    button(app, "Step").click().run()
    until(lambda: run.stage)
    for at in range(len(plan)):
        stage = run.stage
        header, values = shown_stage(fine(app.run()))
        assert current(header) == at == stage.at
        assert f"Training step 1 · stage {at + 1} of {len(plan)}" in header["words"]
        assert text(header["words"]).startswith(stage.title)
        assert stage.sentence.split()[0] in header["words"]
        seen.append((stage.kind, stage.tap))
        if stage.value is not None:
            np.testing.assert_array_equal(values.reshape(stage.value.shape), stage.value)
            assert header["lit"]["part"], stage.tap
        match stage.kind:
            case "batch":
                assert header["lit"] == {"parts": ["encoder.tokens", "decoder.tokens"]}
                assert "decoder reads" in header["numbers"]
            case "loss":
                assert f"{stage.numbers['loss']:.4f}" in header["numbers"]
            case "backward" | "optimizer":
                assert header["lit"]["whole"]
                assert header["numbers"].count("<dt>") == 5 + 2  # two tables, two layers, two norms, a head
        button(app, "Step").click().run()
        until(lambda stage=stage: run.stage is not stage)
    assert seen == list(plan)
    assert run.step == 1
    assert current(shown_stage(fine(app.run()))[0]) == 0, "the next step's first stage"
    run.set_pace(1.0)
    fine(app.run())
    assert not slow_motion_view.is_shown(run)
    assert not any("slow_motion" in each.proto.component_name for each in app.get("bidi_component"))


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_strip_has_every_stage_below_its_layer(architecture, layers):
    config = small_config(architecture, n_layers=layers)
    html = slow_motion_view._strip(config, None)
    assert html.count('<span class="word">') == len(stage_plan(config))
    assert "aria-current" not in html
    names = [name for name in re.findall(r'group-name">([^<]*)<', html) if name]
    stacks = {"encoder-decoder": ["Encoder", "Decoder"], "decoder-only": ["Decoder"], "encoder-only": ["Encoder"]}
    assert names == stacks[architecture]
    assert ("Cross-attention" in html) == (architecture == "encoder-decoder")
    assert html.count(f", layer {layers}") == (2 if architecture != "encoder-decoder" else 2 + 3)


def test_the_probability_of_the_right_tokens_comes_from_the_loss_without_smoothing():
    config = RunConfig().updated({"training.label_smoothing": 0.1})
    assert config.vocabulary_size == 14
    stage = StageShown(1, "loss", "loss", "Loss", "", 0, 1, numbers={"loss": math.log(4)})
    plain = slow_motion_view._numbers(config, stage)
    assert "probabilities is <b>25.0 %</b>" in plain
    assert "smoothing" not in plain
    # A model that gives exactly the smoothed labels.
    labels = torch.tensor([[4, 7, 0], [9, 0, 0]])
    perfect = torch.full((2, 3, 14), 0.1 / 14)
    perfect.scatter_add_(2, labels[:, :, None], torch.tensor(0.9).expand(2, 3, 1))
    taps = {"logits": perfect.log(), "labels": labels}
    taps["loss"] = cross_entropy(taps["logits"].transpose(1, 2), labels, ignore_index=0, label_smoothing=0.1)
    made = Stages(config, 1).loss(taps, float(taps["loss"]))
    assert made.numbers["smoothing_floor"] == pytest.approx(made.numbers["loss"]), "the floor is reached"
    text = slow_motion_view._numbers(config, StageShown(1, "loss", "loss", "", "", 0, 1, numbers=made.numbers))
    assert "or above. Without smoothing it is 0.0975. The geometric mean" in text
    assert "probabilities is <b>90.7 %</b>" in text


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_step_through_shows_the_very_tensor_of_a_stage(architecture):
    app = page("train.py")
    run = train(app, TINY.updated({"model.architecture": architecture}), SLOW_MOTION, paused=True)
    while not (run.stage and run.stage.kind == "attention" and run.stage.step == 2):
        stage = run.stage
        run.step_once()
        until(lambda stage=stage: run.stage is not stage)
    stage = run.stage
    button(fine(app.run()), "Open this operation in Step through").click().run()
    app.switch_page("pages/step_through.py").run()
    until(lambda: " is shown." not in step_message(fine(app.run())))  # step 0 is shown until step 1 is replayed
    assert app.session_state["operation"] == stage.tap
    assert app.query_params["step"] in ("1", ["1"])
    assert not messages(app, "wrong")
    recorded = last_walk()[stage.tap].value[0]
    np.testing.assert_allclose(stage.value, recorded, atol=1e-5)


def test_who_watches_sees_the_stages_and_the_story_and_controls_nothing():
    app = page("train.py")
    run = train(app, pace=SLOW_MOTION)
    until(lambda: run.stage)
    run.change({"training.learning_rate": 0.01})
    run.rename("[fox](http://far.off)")
    other = link_to("train.py", run=run.id)
    assert "You are watching [fox](http://far.off). Only its owner can control it." in messages(other, "note")
    assert current(shown_stage(other)[0]) == run.stage.at
    assert "Learning rate 0.005 → 0.01" in story(other)
    assert not other.number_input
    assert {each.label for each in other.button} <= {"Open this operation in Step through"}


# --- what is pressed amid a long step -------------------------------------------------------------


def pressable(app: AppTest) -> set[str]:
    labels = {"Train", "Pause", "Resume", "Step", "Stop", "Reset"}
    return {each.label for each in app.button if each.label in labels and not each.disabled}


def test_pause_and_stop_are_answered_at_once_amid_a_long_step(monkeypatch):
    monkeypatch.setattr("playground.runs.run.STOP_SECONDS", HANG)  # it stops when this test says so
    app = page("train.py")
    run = train(app, pace=20.0)
    until(lambda: run.step > 2)
    pid = run._worker.pid
    os.kill(pid, signal.SIGSTOP)  # as amid a step that takes minutes
    button(app, "Pause").click().run()
    shown = progress(fine(app))
    assert shown.startswith("pausing:")
    assert "Pausing after this step …" in shown
    assert pressable(app) == {"Resume", "Stop", "Reset"}
    button(app, "Stop").click().run()
    shown = progress(fine(app))
    assert shown.startswith("stopping:")
    assert shown.endswith("Stopping …")
    assert pressable(app) == {"Reset"}
    os.kill(pid, signal.SIGCONT)
    assert run.wait("stopped")
    assert progress(fine(app.run())).startswith("stopped: step ")
    until(lambda: not is_alive(pid))


def test_a_pause_says_how_long_a_step_takes(monkeypatch):
    run = SimpleNamespace(state=State.PAUSING, step=4, last=lambda: {"seconds": 132.0})
    assert run_status.asked(run) == ("pausing", "Pausing after this step … A step takes about 33 s.")


# --- settings that change on the way --------------------------------------------------------------


def test_a_setting_changes_at_once_and_the_page_says_from_which_step():
    app = page("train.py")
    run = train(app)
    until(lambda: run.step > 5)
    run.pause()
    assert run.wait("paused")
    at = run.step
    number(app.run(), "Learning rate").set_value(0.002).run()
    number(app, "Dropout").set_value(0.1).run()
    until(lambda: len(run.changes) == 1 and len(run.changes[0].settings) == 2)
    assert story(fine(app.run())) == f"From step {at + 1:,} Dropout 0.0 → 0.1, Learning rate 0.005 → 0.002."
    run.step_once()
    until(lambda: run.step == at + 1)
    assert run.last()["learning_rate"] == 0.002
    run.change({"training.batch_size": 8})  # in another tab
    assert number(fine(app.run()), "Batch size").value == 8


@pytest.mark.wcag("3.3.1", "3.3.3")
def test_a_value_that_is_not_allowed_is_answered_with_a_sentence_and_stays_as_typed():
    app = page("train.py")
    run = train(app, pace=1.0)
    number(app, "Batch size").set_value(0).run()
    number(app, "Dropout").set_value(7.0).run()
    assert story(fine(app)) == (
        "Batch size can't be 0. Use a whole number from 1 to 512. Dropout can't be 7.0. Use a number from 0 to 0.9."
    )
    assert [number(app.run(), label).value for label in ("Batch size", "Dropout")] == [0, 7.0]
    assert not run.changes
    number(app, "Dropout").set_value(0.2).run()
    assert "dropout" not in story(fine(app)).partition("0.2")[2]
    number(app, "Batch size").set_value(16).run()
    until(lambda: any("training.batch_size" in change.settings for change in run.changes))
    assert "can't be" not in story(fine(app.run()))


# --- how far it goes ------------------------------------------------------------------------------


def test_more_steps_pauses_there_and_goes_beyond_the_settings():
    app = page("train.py")
    run = train(app, TINY, paused=True)
    number(app, "Steps").set_value(7).run()
    button(app, "More steps").click().run()
    until(lambda: run.status == "paused" and run.step == 7)
    number(app, "Steps").set_value(50).run()
    button(app, "More steps").click().run()
    assert run.wait("finished")
    assert run.step == 57
    assert "Steps 40 → 57" in story(fine(app.run()))
    number(app, "Steps").set_value(3).run()
    button(app, "More steps").click().run()
    branch = services().runs.current(visitor(app))
    assert branch.metadata.origin.run_id == run.id
    assert branch.wait("finished")
    assert branch.step == 60
    assert story(fine(app.run())).startswith(f"A branch of {run.metadata.name} at step 57; ")
    assert run.step == 57
    number(app, "Steps").set_value(100_000).run()
    button(app, "More steps").click().run()
    assert "100,000" in story(fine(app)), "the limit"
    assert services().runs.current(visitor(app)) is branch


def test_more_steps_leave_a_schedule_as_it_is_where_it_reaches_so_far():
    config = LONG.updated({"training.schedule": "cosine"})
    app = page("train.py")
    run = train(app, config)
    until(lambda: run.step > 3)
    run.stop()
    assert run.wait("stopped")
    number(app.run(), "Steps").set_value(20).run()
    button(app, "More steps").click().run()
    branch = services().runs.current(visitor(app))
    until(lambda: branch.status == "paused")
    assert (branch.step, branch.changes, branch.config_now) == (run.step + 20, (), config)


def test_until_solved_also_after_the_end():
    app = page("train.py")
    run = train(app, pace=1.0, paused=True)
    button(app, "Until solved").click().run()
    assert run.until == "solved"
    assert "until solved" in progress(fine(app.run()))
    run.stop()
    assert run.wait("stopped")
    button(fine(app.run()), "Until solved").click().run()
    branch = services().runs.current(visitor(app))
    assert branch.metadata.origin.run_id == run.id
    assert branch.config_now.training.stop_when_solved
    assert branch.config_now.training.steps == LONG.training.steps


def test_where_a_run_pauses_because_it_is_solved_the_page_says_so():
    app = page("train.py")
    easy = {"task.max_length": 2, "model.d_model": 16, "training.batch_size": 16, "training.learning_rate": 0.01}
    run = train(app, TINY.updated(easy | {"training.steps": 2000}), paused=True)
    button(app, "Until solved").click().run()
    until(lambda: run.step and run.status == "paused")
    assert progress(fine(app.run())).endswith(f"of at most 2,000 · solved at step {run.step}")
    run.change({"training.stop_when_solved": True})
    run.resume()
    assert run.wait("solved")
    number(app.run(), "Steps").set_value(4).run()
    button(app, "More steps").click().run()
    branch = services().runs.current(visitor(app))
    until(lambda: branch.status == "paused")
    assert branch.step == run.step + 4, "although it is solved"


# --- the past -------------------------------------------------------------------------------------


def opened(app: AppTest) -> AppTest:
    """With the box open, whose button is there for those who have gone a step."""
    app.run()
    app.session_state[f"rewind {services().runs.current(visitor(app)).id}"] = True
    return fine(app.run())


def rewound(app: AppTest, step: int) -> AppTest:
    number(opened(app), "Step").set_value(step).run()
    return fine(app)


def advice(app: AppTest) -> str:
    """What stands above the buttons that continue."""
    return next(each for each in messages(app) if re.search("branch|can't be|no step|ended", each))


@pytest.mark.parametrize("alive", [False, True], ids=["ended", "alive"])
def test_continuing_without_a_change_repeats_it_and_with_one_makes_a_branch(alive):
    app = page("train.py")
    run = train(app, LONG if alive else TINY)
    run.wait("finished") if not alive else until(lambda: run.step > 60)
    rewound(app, 20)
    assert advice(app) == "Without a change, the branch repeats this run from this step, bit for bit."
    button(app, "Continue from here").click().run()
    again = services().runs.current(visitor(app))
    assert (again.metadata.origin.run_id, again.metadata.origin.step) == (run.id, 20)
    assert not app.session_state[f"rewind {again.id}"]
    assert story(fine(app)) == f"A branch of {run.metadata.name} at step 20."
    assert alive <= (run.wait("paused") if alive else True)
    until(lambda: again.step >= 40)
    assert timeless(again.records())[:41] == timeless(run.records())[:41]
    again.stop()

    rewound(app, 25)
    number(app, "Learning rate", which=1).set_value(0.05).run()
    changed = "from step 26 with Learning rate 0.005 → 0.05"
    assert advice(fine(app)) == f"Starts a new run, a branch of this one: {changed}."
    button(app, "Continue from here").click().run()
    branch = services().runs.current(visitor(app))
    until(lambda: branch.step >= 30)
    assert branch.metadata.origin.run_id == again.id
    assert [line.get("learning_rate") for line in branch.records()[24:28]] == [0.005, 0.005, 0.05, 0.05]
    assert timeless(branch.records())[:26] == timeless(run.records())[:26]


def changed_at_30() -> tuple[AppTest, Run]:
    """A run of 60 steps whose learning rate was changed at step 30."""
    app = page("train.py")
    run = train(app, LONG.updated({"training.steps": 60}), paused=True)
    run.resume_until(30)
    until(lambda: run.step == 30 and run.status == "paused")
    run.change({"training.learning_rate": 0.05})
    run.resume()
    assert run.wait("finished")
    rewound(app, 20)
    return app, run


def rates(run: Run) -> list[float]:
    return [line["learning_rate"] for line in run.records() if line["step"]]


def test_a_rewound_run_continues_with_the_settings_shown_and_no_later_change():
    app, run = changed_at_30()
    assert rates(run) == [0.005] * 30 + [0.05] * 30
    assert number(app, "Learning rate", which=1).value == 0.005
    later = "from step 31 Learning rate 0.005 → 0.05"
    assert advice(app) == f"Starts a new run, a branch of this one without its later changes ({later})."
    button(app, "Continue from here").click().run()
    branch = services().runs.current(visitor(fine(app)))
    assert branch.wait("finished")
    assert rates(branch) == [0.005] * 60
    assert story(app) == f"A branch of {run.metadata.name} at step 20."


def test_a_rewound_run_repeats_its_later_changes_if_asked_to():
    app, run = changed_at_30()
    button(app, "Repeat as it was").click().run()
    branch = services().runs.current(visitor(fine(app)))
    assert branch.wait("finished")
    assert timeless(branch.records()) == timeless(run.records())


def test_a_change_that_is_refused_is_an_error_message_and_the_typed_value_stays():
    app = page("train.py")
    run = train(app, TINY)
    assert run.wait("finished")
    rewound(app, 99)
    assert advice(app) == "This run has no step 99 yet. Choose a step from 0 to 40."
    assert number(app, "Step").value == 99
    assert button(app, "Continue from here").disabled
    rewound(app, 40)
    assert advice(app) == "This run ended at this step. Change a setting, or open More and press “More steps”."
    assert button(app, "Repeat as it was").disabled
    assert button(app, "Continue from here").disabled
    number(app, "Dropout", which=1).set_value(3.0).run()
    assert "can't be" in advice(fine(app))
    assert number(app, "Dropout", which=1).value == 3.0
    assert button(app, "Continue from here").disabled
    app.slider[0].set_value(12).run()
    assert number(fine(app), "Step").value == 12
    assert number(app, "Dropout", which=1).value == 0.0
    assert not button(app, "Continue from here").disabled


def test_rewind_begins_at_the_step_that_was_looked_at():
    app = page("train.py")
    train(app, TINY).wait("finished")
    app.session_state["at_step"] = "17"
    assert number(opened(app), "Step").value == 17


def test_a_browser_that_is_a_moment_behind_moves_nothing_back(monkeypatch):
    """It still reports fields that have been replaced, and what they were before the page changed them."""
    fields = {"rewound": {"step": 40}}
    monkeypatch.setattr(st, "session_state", fields)
    before, _ = widgets.key_showing(steering.REWIND_SLIDER.of("a"), 40)
    fields[before.name] = 40
    key, begun = widgets.key_showing(steering.REWIND_SLIDER.of("a"), 7)
    assert begun == 7
    fields[key.name] = 7
    steering._move(before)
    assert fields["rewound"] == {"step": 40}
    steering._move(key)
    assert fields["rewound"] == {"step": 7}

    changed = []
    run = SimpleNamespace(config_now=LONG.updated({"training.learning_rate": 0.001}), change=changed.append)
    before, _ = widgets.key_showing(steering.LIVE_FIELD.of("a", "rate"), 0.005)
    key, _ = widgets.key_showing(steering.LIVE_FIELD.of("a", "rate"), 0.001)
    fields[before.name] = 0.005  # reported by a browser that has not drawn yet what has replaced it
    steering._change("training.learning_rate", before, run)
    assert not changed
    assert widgets.key_showing(steering.LIVE_FIELD.of("a", "rate"), 0.001)[0].name == key.name
    fields[key.name] = 0.002
    shown, _ = widgets.key_showing(steering.LIVE_FIELD.of("a", "rate"), 0.001, unless=True)
    assert shown.name == key.name, "what was typed wrong stays"
    steering._change("training.learning_rate", key, run)
    assert changed == [{"training.learning_rate": 0.002}]

    runs, looked_at = [SimpleNamespace(id="old"), SimpleNamespace(id="new")], []
    monkeypatch.setattr(services(), "runs", SimpleNamespace(of=lambda visitor: runs))
    monkeypatch.setattr(identity, "visitor", lambda: "ada")
    monkeypatch.setattr(tab_run, "look_at", looked_at.append)
    before, _ = widgets.key_showing(run_control.RUN_CHOICE, "old")
    fields[before.name] = "old"
    key, _ = widgets.key_showing(run_control.RUN_CHOICE, "new")  # by Reset, in the middle of another report
    run_control._choose(before)
    assert not looked_at
    fields[key.name] = "old"
    run_control._choose(key)
    assert looked_at == runs[:1]

    paces = []
    monkeypatch.setattr(tab_run, "current", lambda: SimpleNamespace(config=LONG, set_pace=paces.append))
    before, _ = widgets.key_showing(run_control.PACE_CHOICE, "Fast")
    fields[before.name] = "Fast"
    key, _ = widgets.key_showing(run_control.PACE_CHOICE, "Full speed")
    run_control._change_pace(before)
    assert not paces
    fields[key.name] = "1 step/s"
    run_control._change_pace(key)
    assert paces == [1.0]
    assert fields["pace"] == "1 step/s"


# --- a model to keep, a run that failed ----------------------------------------------------------


def test_save_stands_on_the_train_page_once_the_run_rests(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "library", lambda: Library(tmp_path))
    app = page("train.py")
    run = train(app, LONG)
    assert "Save" not in {each.label for each in app.button}
    button(app, "Pause").click().run()
    until(lambda: run.status == "paused")
    for _ in range(2):
        button(fine(app.run()), "Save").click().run()
        button(app, "Step").click().run()
    names = [entry.name for entry in Library(tmp_path).entries() if entry.name not in SHIPPED]
    assert sorted(names) == [
        f"{LONG.task.name}-{run.metadata.name}",
        f"{LONG.task.name}-{run.metadata.name}-step-{run.step - 1}",
    ]
    run.stop()


def test_the_step_of_the_rewind_box_and_of_a_playback_is_saved_where_it_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "library", lambda: Library(tmp_path))
    app = page("train.py")
    run = train(app, TINY)
    run.wait("finished")
    kept = next(step for step in run.snapshot_steps() if step)
    missing = next((step for step in range(run.step) if not run.store.snapshots.has(step)), None)
    if missing is not None:
        rewound(app, missing)
        assert button(app, "Save this step").disabled
        assert "The nearest kept step is" in button(app, "Save this step").help
    rewound(app, kept)
    button(app, "Save this step").click().run()
    name = f"{TINY.task.name}-{run.metadata.name}-step-{kept}"
    saved = Library(tmp_path).load(name)
    assert same_weights(saved.model, run.model_at(kept))
    assert saved.history[-1]["step"] == kept
    button(fine(app), "Save this step").click().run()
    assert messages(fine(app), "wrong") == [
        f"{name} exists already. Save it under another name on the Checkpoints page."
    ]

    button(app, "Play back").click().run()
    shown = app.session_state["playback"]
    shown.pause()
    shown._from = float(run.snapshot_steps()[-2])
    button(fine(app.run()), "Save").click().run()
    assert f"{TINY.task.name}-{run.metadata.name}-step-{shown.step}" in {
        each.name for each in Library(tmp_path).entries()
    }


def test_a_run_whose_loss_overflowed_offers_its_last_step():
    app = page("train.py")
    run = train(app, RUINOUS)
    until(lambda: run.status == "failed")
    button(fine(app.run()), f"Look at step {run.step:,}").click().run()
    assert app.session_state["at_step"] == str(run.step)
    assert app.session_state["source"] == sources.RUN

"""Every page, run as Streamlit runs it but without a browser; pages are found by listing, state is seeded."""

import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from playground.checkpoints import Library
from playground.config import RunConfig, parameter_counts, setting_paths
from playground.model import Transformer
from playground.presets import PRESETS
from playground.ui import run_control, state

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))


@pytest.fixture(autouse=True)
def own_library(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "LIBRARY", Library(tmp_path))
    yield
    state.RUNS.close()


def page(name: str, **seeded) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in seeded.items():
        app.session_state[key] = value
    app.run()
    return fine(app.switch_page(f"pages/{name}").run())


def fine(app: AppTest) -> AppTest:
    assert not app.exception, app.exception[0].value
    return app


def button(app: AppTest, label: str):
    return next(each for each in app.button if each.label == label)


def wait_for(app: AppTest, status: str) -> AppTest:
    run = state.RUNS.current(app.session_state["visitor"])
    assert run.wait(status, timeout=60), run.status
    return fine(app.run())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_by_itself_and_survives_reruns(name):
    app = page(name)
    assert app.title
    fine(app.run())
    fine(app.run())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_with_a_finished_run(name):
    app = page("train.py")
    app.session_state["pace"] = "Full speed"
    button(app, "Train").click().run()
    wait_for(app, "solved")
    fine(app.switch_page(f"pages/{name}").run())
    fine(app.run())


def test_build_follows_two_changes_in_a_row():
    app = page("build.py")
    for width in (32, 48):
        next(each for each in app.number_input if each.key == "model.d_model").set_value(width).run()
        fine(app)
        assert app.session_state["model.d_model"] == width
        config = RunConfig().updated({"model.d_model": width})
        assert app.metric[0].value == f"{sum(parameter_counts(config).values()):,}"


def test_build_says_what_is_wrong_next_to_the_field_and_keeps_what_was_typed():
    app = page("build.py")
    width = next(each for each in app.number_input if each.key == "model.d_model")
    width.set_value(10).run()
    fine(app)
    sentence = "d_model 10 does not split into 4 heads; use d_model 8 or 12."
    assert any(sentence in each.value for each in app.markdown)
    assert app.session_state["model.d_model"] == 10
    assert button(app, "Train this model").disabled
    assert app.get("bidi_component")  # the last picture stays, greyed, so that nothing jumps
    assert notice(app).startswith("These settings do not make a model yet:")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(12).run()
    assert not button(fine(app), "Train this model").disabled
    assert notice(app) == "Settings of your own."


def notice(app: AppTest) -> str:
    return text(next(each.proto.body for each in app.get("html") if 'class="notice' in each.proto.body))


def text(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_build_tells_which_preset_is_active():
    app = page("build.py")
    for name in ("gpt", "paper"):
        next(each for each in app.button if each.key == f"preset {name}").click().run()
        ticked = [each.key for each in fine(app).button if "check_circle" in each.proto.icon]
        assert ticked == [f"preset {name}"]
        assert notice(app) == PRESETS[name].sentence


def test_settings_out_of_bounds_are_answered_with_a_sentence():
    app = page("build.py")
    next(each for each in app.number_input if each.key == "model.n_layers").set_value(7).run()
    assert any("from 1 to 6" in each.value for each in fine(app).markdown)


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_fills_the_whole_form(name):
    app = page("build.py")
    next(each for each in app.button if each.key == f"preset {name}").click().run()
    fine(app)
    assert app.session_state["task.min_length"] == PRESETS[name].config.task.min_length
    assert app.session_state["model.positions"] == PRESETS[name].config.model.positions


def test_build_has_a_widget_for_every_setting():
    app = page("build.py")
    keys = {each.key for kind in ("number_input", "selectbox", "toggle", "button_group") for each in app.get(kind)}
    assert set(setting_paths()) <= keys


def test_settings_survive_a_visit_to_another_page():
    app = page("build.py")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(32).run()
    app.switch_page("pages/train.py").run()
    app.switch_page("pages/build.py").run()
    assert fine(app).session_state["model.d_model"] == 32


def test_train_has_exactly_the_promised_buttons():
    app = page("train.py")
    assert [each.label for each in app.button] == ["Train", "Pause", "Resume", "Step", "Stop", "Reset"]


def test_train_shows_what_it_measures():
    app = page("train.py")
    app.session_state["pace"] = "Full speed"
    button(app, "Train").click().run()
    wait_for(app, "solved")
    assert [each.label for each in app.metric] == ["Loss", "Exact match", "Token accuracy", "Learning rate"]
    assert len(app.get("vega_lite_chart")) == 3
    assert app.button[0].label == "Train"
    assert not app.button[0].disabled


def test_pause_step_resume_stop_and_reset():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    run = state.RUNS.current(app.session_state["visitor"])
    until(lambda: run.step == 1)
    button(fine(app.run()), "Step").click().run()
    until(lambda: run.step == 2)
    button(fine(app.run()), "Resume").click().run()
    until(lambda: run.step > 4)
    button(fine(app.run()), "Pause").click().run()
    wait_for(app, "paused")
    button(app, "Stop").click().run()
    wait_for(app, "stopped")
    button(app, "Reset").click().run()
    wait_for(app, "paused")
    again = state.RUNS.current(app.session_state["visitor"])
    assert again.id != run.id
    assert again.step == 0
    for name, weights in again.model_at().state_dict().items():
        assert weights.equal(run.model_at(0).state_dict()[name])


def test_a_click_on_a_page_that_is_not_drawn_again_yet_leaves_the_newer_run_alone(monkeypatch):
    started = []
    newer = SimpleNamespace(ended=False, status="running", step=3, config=RunConfig())
    monkeypatch.setattr(state, "current_run", lambda: newer)
    monkeypatch.setattr(state, "start_run", lambda *args, **options: started.append(args))
    run_control._start(RunConfig(), None)
    run_control._start(RunConfig(), SimpleNamespace(ended=True))
    assert not started
    newer.ended = True
    run_control._start(RunConfig(), newer)
    assert started == [(RunConfig(),)]


def test_train_goes_on_from_a_reset_run():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    button(app, "Reset").click().run()
    run = state.RUNS.current(app.session_state["visitor"])
    until(lambda: run.status == "paused")
    button(fine(app.run()), "Train").click().run()
    assert state.RUNS.current(app.session_state["visitor"]) is run
    until(lambda: run.step > 1)


def test_a_full_host_is_said_in_words_and_costs_nobody_a_run(monkeypatch):
    monkeypatch.setattr("playground.runs.run.MAX_WORKERS", 0)
    app = page("build.py")
    button(app, "Train this model").click().run()
    assert "runs are under way" in fine(app).error[0].value
    app.switch_page("pages/train.py").run()
    button(app, "Train").click().run()
    assert "runs are under way" in fine(app).error[0].value


def until(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_step_through_walks_every_operation_by_the_next_button():
    app = page("step_through.py")
    select = next(each for each in app.selectbox if each.key == "operation")
    seen = []
    for _ in select.options:
        seen.append(app.session_state["operation"])
        assert app.latex[0].value
        assert app.code[0].value
        if not button(app, "Next").disabled:
            button(app, "Next").click().run()
            fine(app)
    assert len(set(seen)) == len(select.options)
    assert button(app, "Next").disabled
    button(app, "Previous").click().run()
    assert fine(app).session_state["operation"] == seen[-2]


def test_a_second_press_counts_even_if_the_select_box_still_reports_the_first():
    app = page("step_through.py")
    select = next(each for each in app.selectbox if each.key == "operation")
    names = [step.name for step in app.session_state["walk"][1].steps]
    button(app, "Next").click().run()
    late = next(each for each in app.selectbox if each.key == "operation")
    late.set_value(names[0])  # what a browser sends that has not drawn the answer to the first press yet
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] == names[2]
    assert len(select.options) == len(names)


@pytest.mark.parametrize(
    ("part", "operation"),
    [
        ("decoder.layers.0.cross_attention", "decoder.layers.0.cross_attention.query_projection"),
        ("decoder.layers.0.self_attention", "decoder.layers.0.self_attention.query_projection"),
        ("decoder.norm", "decoder.output"),
        ("head", "logits"),
        ("nothing.like.it", "encoder.tokens"),
    ],
)
def test_step_through_opens_at_the_part_that_was_clicked_on_build(part, operation):
    app = page("step_through.py", part=part)
    assert app.session_state["operation"] == operation
    assert "part" not in app.session_state


def test_step_through_says_where_one_is_and_what_to_look_at():
    app = page("step_through.py", operation="decoder.layers.0.cross_attention.attention.weights")
    head = next(each.proto.body for each in app.get("html") if 'class="operation"' in each.proto.body)
    assert "decoder › layer 1 › cross-attention" in text(head)
    assert "(B, H, T, S) = (1, 4, 6, 5)" in text(head)
    told = next(text(each.proto.body) for each in app.get("html") if 'class="finding"' in each.proto.body)
    assert told.startswith("Row = place being written, column = input token it looks at.")
    assert "of 5 rows" in told


def test_step_through_takes_own_input_twice_in_a_row():
    app = page("step_through.py")
    for text in ("7 7 1", "0 9"):
        next(each for each in app.text_input if each.key == "input").set_value(text).run()
        fine(app)
        assert app.session_state["walk"][1].batch.source.size(1) == len(text.split())


def test_step_through_shows_what_this_pass_says_not_what_it_should_say():
    app = page("step_through.py")
    shown = next(each.proto.body for each in app.get("html") if "→" in each.proto.body)
    assert shown.count(">3<") == 2
    assert "wrong" not in shown
    next(each for each in app.text_input if each.key == "target").set_value("9 9 9").run()
    walked = fine(app).session_state["walk"][1]
    assert walked.tokens["T"] == ["BOS", "9", "9", "9"]
    shown = next(each.proto.body for each in app.get("html") if "→" in each.proto.body)
    assert shown.count('class="tok') - shown.count('class="toks') == 5 + len(walked.said)


def test_an_input_shorter_than_what_was_learned_is_said_to_be_guesswork(tmp_path):
    config = RunConfig().updated({"task.min_length": 16, "training.steps": 1})
    state.LIBRARY.save("fixed", Transformer(config), [])
    app = page("step_through.py", source="fixed")
    assert len(app.session_state["input"].split()) == 16
    next(each for each in app.text_input if each.key == "input").set_value("3 1").run()
    assert any("only guess" in each.value for each in fine(app).caption)


@pytest.mark.parametrize("text", ["x", "", "10", "1 " * 17, "PAD"])
def test_step_through_answers_bad_input_with_a_sentence_and_keeps_it(text):
    app = page("step_through.py")
    next(each for each in app.text_input if each.key == "input").set_value(text).run()
    assert len(fine(app).error) == 1
    assert app.session_state["input"] == text


def test_checkpoints_save_load_and_delete():
    app = page("train.py")
    app.session_state["pace"] = "Full speed"
    button(app, "Train").click().run()
    wait_for(app, "solved")
    app.switch_page("pages/checkpoints.py").run()
    name = next(each for each in app.text_input if each.key == "save_name")
    name.set_value("../escape").run()
    button(app, "Save").click().run()
    assert "no name for a checkpoint" in fine(app).error[0].value
    next(each for each in app.text_input if each.key == "save_name").set_value("mine").run()
    button(app, "Save").click().run()
    assert "Saved mine" in fine(app).success[0].value
    assert (state.LIBRARY.root / "mine" / "model.safetensors").is_file()
    button(app, "Save").click().run()
    assert "already holds" in fine(app).error[0].value
    button(app, "Load").click().run()
    assert "Loaded mine" in fine(app).success[0].value
    app.switch_page("pages/step_through.py").run()
    assert fine(app).session_state["source"] == "mine"
    app.switch_page("pages/checkpoints.py").run()
    button(app, "Yes, delete it").click().run()
    assert "Deleted mine" in fine(app).success[0].value
    assert not (state.LIBRARY.root / "mine").exists()

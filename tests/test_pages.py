"""Every page, run as Streamlit runs it but without a browser; pages are found by listing, state is seeded."""

import errno
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from playground.config import RunConfig, parameter_counts, setting_paths, value_at
from playground.host import Host
from playground.hub.sign_ins import SignIns
from playground.inspection import Walk
from playground.presets import DEFAULT_PRESET, PRESETS
from playground.runs import Run, Runs
from playground.runs.disk import Owner
from playground.storage.library import Library
from playground.task_model import TaskModel
from playground.tasks import EOS
from playground.ui.session import state, walks
from playground.ui.train import run_control
from tests.helpers import TINY, messages, mounts, progress, prose, written

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.name for path in (ROOT / "pages").glob("*.py"))


@contextmanager
def hosted(folder: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the host that the pages belong to; a second call is the same host after a new start, or with new limits."""
    made = []
    begin = PagesManager.__init__

    def begin_as_served(self, *args, **options) -> None:
        begin(self, *args, **options)
        PagesManager.uses_pages_directory = False  # as the server's start does; else reruns would leave app.py out

    with pytest.MonkeyPatch.context() as patch:

        def make(**limits) -> Runs:
            made.append(Runs(Host(checkpoints=folder, **limits)))
            patch.setattr(state, "RUNS", made[-1])
            patch.setattr(state, "HOST", made[-1].host)
            patch.setattr(state, "SIGN_INS", SignIns(made[-1].host.private_folder))
            return made[-1]

        patch.setattr(PagesManager, "__init__", begin_as_served)
        make()
        yield make
        for runs in made:
            runs.close()


@pytest.fixture(autouse=True)
def host(tmp_path) -> Iterator[Callable[..., Runs]]:
    """A host for each test, see `hosted`."""
    with hosted(tmp_path) as make:
        yield make


def page(name: str, **seeded) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in seeded.items():
        app.session_state[key] = value
    app.run()
    return fine(app.switch_page(f"pages/{name}").run())


QUICK = {
    **{"task.name": "copy", "task.min_length": 4, "task.max_length": 4, "task.vocab_size": 4, "model.d_model": 32},
    **{"training.learning_rate": 0.01, "training.eval_every": 10, "pace": "Full speed"},
}
"""Settings with which a run is solved within 40 steps, a fraction of a second."""


def with_settings(name: str, settings: Mapping[str, object]) -> AppTest:
    """A page in a tab in which these settings have been made on Build."""
    app = page("build.py")
    for path, value in settings.items():
        app.session_state[path] = value
    return fine(app.switch_page(f"pages/{name}").run())


def solved(**settings: object) -> AppTest:
    """Train, with a run that has just been solved: with `QUICK`, or these settings instead."""
    app = with_settings("train.py", QUICK | settings)
    button(app, "Train").click().run()
    return wait_for(app, "solved")


def visitor(app: AppTest) -> str:
    return hashlib.sha256(app.session_state["visitor"].encode()).hexdigest()[:32]


def run_of(app: AppTest) -> Run:
    return state.RUNS.current(visitor(app))


def charted(app: AppTest) -> list[str]:
    """Ids of the runs whose charts are on the page."""
    (drawn,) = (each for each in app.get("bidi_component") if each.proto.component_name.endswith("playground_charts"))
    return [run["id"] for run in json.loads(drawn.proto.json)["runs"]]


def last_walk() -> Walk:
    _, (_, walk) = walks._walks.items()[-1]
    return walk


def fine(app: AppTest) -> AppTest:
    assert not app.exception, app.exception[0].value
    assert not app.get("help_info"), "Streamlit explains a value that a statement of the page has left over."
    return app


def button(app: AppTest, label: str):
    return next(each for each in app.button if each.label == label)


def wait_for(app: AppTest, status: str) -> AppTest:
    run = run_of(app)
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
    app = solved()
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
    sentence = "d_model 10 is not divisible by n_heads 4. Use d_model 8 or 12."
    assert sentence in messages(app, "wrong")
    assert app.session_state["model.d_model"] == 10
    assert button(app, "Train this model").disabled
    assert app.get("bidi_component")  # the last picture stays, greyed, so that nothing jumps
    assert notice(app).startswith("These settings don't work together.")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(12).run()
    assert not button(fine(app), "Train this model").disabled
    assert notice(app) == "Custom settings"


def test_a_problem_with_settings_is_solved_by_one_click():
    app = page("build.py")
    app.number_input(key="model.d_model").set_value(10).run()
    assert "wrong-model" in written(fine(app)), "the tab is marked"
    offered = {each.label for each in app.button if each.key and each.key.startswith("fix ")}
    title = setting_paths()["model.d_model"].title
    assert offered == {"Use 2", "Use 5", f"Use {title} 8", f"Use {title} 12"}
    button(app, f"Use {title} 12").click().run()
    assert fine(app).session_state["model.d_model"] == 12
    assert not messages(app, "wrong")
    assert "wrong-model" not in written(app)


def notice(app: AppTest) -> str:
    return text(next(each.proto.body for each in app.get("html") if 'class="notice' in each.proto.body))


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def test_build_tells_which_preset_is_active():
    app = page("build.py")
    for name in ("gpt", "paper"):
        app.radio(key="preset").set_value(name).run()
        assert fine(app).radio(key="preset").value == name
        assert notice(app) == PRESETS[name].sentence
    app.number_input(key="model.d_model").set_value(32).run()
    assert fine(app).radio(key="preset").value is None
    assert notice(app) == "Custom settings"


def test_settings_out_of_bounds_are_answered_with_a_sentence():
    app = page("build.py")
    next(each for each in app.number_input if each.key == "model.n_layers").set_value(7).run()
    assert "from 1 to 6" in messages(fine(app), "wrong")[0]


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_fills_the_whole_form(name):
    app = page("build.py")
    app.radio(key="preset").set_value(name).run()
    fine(app)
    assert app.session_state["task.min_length"] == PRESETS[name].config.task.min_length
    assert app.session_state["model.positions"] == PRESETS[name].config.model.positions


def test_build_has_a_widget_for_every_setting():
    app = page("build.py")
    keys = {each.key for kind in ("number_input", "selectbox", "toggle", "button_group") for each in app.get(kind)}
    assert set(setting_paths()) <= keys


def test_every_setting_has_its_help():
    fields = ("number_input", "text_input", "selectbox", "toggle", "slider", "button_group", "checkbox")

    def mute(app: AppTest) -> list[str]:
        found = [field for kind in fields for field in app.get(kind)]
        assert len(found) > 3
        return [field.label for field in found if not field.proto.help and field.label != "View"]

    assert mute(page("build.py")) == []
    assert mute(page("train.py", **{"train view": "sweep", "sweep setting 2": "model.d_ff"})) == []
    app = page("train.py")
    button(app, "Step").click().run()
    assert mute(wait_for(app, "paused")) == []


def test_the_tab_of_the_form_stays_also_on_the_way_and_after_a_reload():
    who = {"visitor": state.new_visitor()}
    app = page("build.py", **who)
    assert app.session_state["form"] == "Task"
    app.session_state["form"] = "Training"
    fine(app.run())
    app.switch_page("pages/train.py").run()
    assert fine(app.switch_page("pages/build.py").run()).session_state["form"] == "Training"
    assert page("build.py", **who).session_state["form"] == "Training"
    assert page("build.py").session_state["form"] == "Task"


def test_settings_survive_a_visit_to_another_page():
    app = page("build.py")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(32).run()
    app.switch_page("pages/train.py").run()
    app.switch_page("pages/build.py").run()
    assert fine(app).session_state["model.d_model"] == 32


def test_train_has_exactly_the_promised_buttons():
    app = page("train.py")
    assert [each.label for each in app.button] == ["Train", "Step", "Stop", "Reset"]


def test_one_button_trains_pauses_and_resumes():
    app = with_settings("train.py", {"training.steps": 3000, "training.stop_when_solved": False})
    button(app, "Train").click().run()
    run, seen = run_of(app), []
    until(lambda: run.step > 0)
    for label, status in (("Pause", "paused"), ("Resume", "running"), ("Pause", "paused")):
        seen.append([each.label for each in fine(app).button if each.label in ("Train", "Pause", "Resume")])
        button(app, label).click().run()
        until(lambda status=status: run.status == status)
        app.run()
    assert seen == [["Pause"], ["Resume"], ["Pause"]]


def test_train_shows_what_it_measures():
    app = solved()
    assert charted(app) == [run_of(app).id]
    assert app.button[0].label == "Train"
    assert not app.button[0].disabled


def test_pause_step_resume_stop_and_reset():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    run = run_of(app)
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
    again = run_of(app)
    assert again.id != run.id
    assert again.step == 0
    for name, weights in again.model_at().state_dict().items():
        assert weights.equal(run.model_at(0).state_dict()[name])


def test_a_click_on_a_page_that_is_not_drawn_again_yet_leaves_the_newer_run_alone(monkeypatch):
    started = []
    newer = SimpleNamespace(ended=False, status="running", step=3, config=RunConfig(), stop=lambda: None)
    monkeypatch.setattr(state, "current_run", lambda: newer)
    monkeypatch.setattr(state, "start_run", lambda *args, **options: started.append(args) or newer)
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
    run = run_of(app)
    until(lambda: run.status == "paused")
    button(fine(app.run()), "Train").click().run()
    assert run_of(app) is run
    until(lambda: run.step > 1)


def test_a_full_host_lets_one_wait_and_says_how_long_and_why(host):
    runs = host(workers=1)
    runs.start("somebody", RunConfig().updated({"training.steps": 100_000}), 1.0)
    app = page("build.py")
    button(app, "Train this model").click().run()
    app.switch_page("pages/train.py").run()
    text = progress(fine(app))
    assert "queued" in text
    assert "queue position 1 of 1" in text
    assert "starts in at most 28 hours" in text
    assert "The only worker slot of this host is in use" in text
    button(app, "Stop").click().run()
    assert "stopped" in progress(fine(app))


def test_too_large_a_run_is_refused_with_figure_and_limit_and_the_form_stays(host):
    host(run_minutes=1)
    app = page("build.py")
    app.number_input(key="training.steps").set_value(100_000).run()
    button(app, "Train this model").click().run()
    assert "minutes of computing time. The limit here is 1 minute" in messages(fine(app), "wrong")[0]
    assert app.session_state["training.steps"] == 100_000
    app.switch_page("pages/train.py").run()
    button(app, "Train").click().run()
    assert "minutes of computing time. The limit here is 1 minute" in messages(fine(app), "wrong")[0]


def until(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_step_through_walks_every_operation_by_the_next_button():
    app = page("step_through.py", operation="encoder.tokens")
    seen = [app.session_state["operation"]]
    while not button(app, "Next").disabled:
        button(app, "Next").click().run()
        seen.append(fine(app).session_state["operation"])
        assert app.latex[0].value
    assert seen == [step.name for step in last_walk().steps]
    button(app, "Previous").click().run()
    assert fine(app).session_state["operation"] == seen[-2]


@pytest.mark.parametrize(
    ("architecture", "operation"),
    [
        ("encoder-decoder", "decoder.layers.0.cross_attention.attention.weights"),
        ("decoder-only", "decoder.layers.0.self_attention.attention.weights"),
        ("encoder-only", "encoder.layers.0.self_attention.attention.weights"),
    ],
)
def test_step_through_opens_on_attention_weights(architecture, operation):
    config = RunConfig().updated({"model.architecture": architecture})
    Library(state.HOST.checkpoints).save("untrained", TaskModel(config), [])
    app = page("step_through.py", source="untrained")
    assert app.session_state["operation"] == operation
    assert not messages(app, "wrong")


def test_backward_walks_from_the_loss_to_the_first_tensor_that_it_depends_on():
    app = page("step_through.py", operation="loss")
    forward = app.latex[0].value
    app.toggle(key="gradient").set_value(True).run()
    assert fine(app).latex[0].value != forward, "the rule by which the gradient passes"
    seen = [app.session_state["operation"]]
    while not button(app, "Next").disabled:
        button(app, "Next").click().run()
        seen.append(fine(app).session_state["operation"])
    assert tuple(seen) == last_walk().backward_order()
    assert app.query_params["gradient"] in ("True", ["True"])


def test_backward_on_a_tensor_without_gradient_says_why_and_leads_on():
    app = page("step_through.py", operation="decoder.causal_mask")
    app.toggle(key="gradient").set_value(True).run()
    assert any("No gradient" in text(each.proto.body) for each in fine(app).get("html"))
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] in last_walk().backward_order()


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
    assert "Attention weights" in text(head)
    assert "(B, H, T, S) = (1, 4, 6, 5)" in text(head)
    told = next(text(each.proto.body) for each in app.get("html") if 'class="finding"' in each.proto.body)
    assert "Row = token the decoder has read, column = input token it attends to." in told
    assert "of 5 rows" in told


def test_step_through_takes_own_input_twice_in_a_row():
    app = page("step_through.py")
    for text in ("7 7 1", "0 9"):
        next(each for each in app.text_input if each.key == "input").set_value(text).run()
        fine(app)
        assert last_walk().batch.source.size(1) == len(text.split())


def says(app: AppTest) -> list[str]:
    """The tokens of the answer on the page, as they are marked."""
    return list(next(each for each in app.get("button_group") if each.key == "place").options)


def test_step_through_shows_what_this_pass_says_not_what_it_should_say():
    app = page("step_through.py")
    assert says(app) == ["5", "1", "4", "1", "3", "EOS"]
    next(each for each in app.text_input if each.key == "target").set_value("9 9 9").run()
    fine(app)
    walked = last_walk()
    assert walked.tokens["T"] == ["BOS", "9", "9", "9"]
    assert len(says(app)) == len(walked.predicted)


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_token_is_marked_not_only_by_colour(seed):
    config = RunConfig().updated({"seed": seed})
    Library(state.HOST.checkpoints).save("untrained", TaskModel(config), [])
    app = page("step_through.py", source="untrained")
    wrong = [token.startswith(":red[~~") for token in says(app)]
    assert any(wrong)
    assert all(wrong[6:]), "what is said after the right answer has ended is wrong"


def test_the_decoder_can_answer_token_by_token():
    app = page("step_through.py")
    button(app, "Token by token").click().run()
    assert fine(app).session_state["said"] == 0
    assert last_walk().tokens["T"] == ["BOS"]
    assert says(app) == ["5"]
    assert button(app, "Undo").disabled
    for _ in range(5):
        button(app, "Next token").click().run()
    assert fine(app).session_state["said"] == 5
    assert says(app)[-1] == "EOS"
    assert button(app, "Next token").disabled
    assert app.query_params["said"] in ("5", ["5"])
    button(app, "Undo").click().run()
    assert says(app) == ["5", "1", "4", "1", "3"]
    button(app, "Finish").click().run()
    assert len(says(fine(app))) == 6


def test_a_model_without_a_decoder_has_no_middle_of_its_answer():
    config = RunConfig().updated({"model.architecture": "encoder-only"})
    Library(state.HOST.checkpoints).save("at-once", TaskModel(config), [])
    app = link_to("step_through.py", model="at-once", said="2")
    assert not messages(app, "wrong")
    assert len(says(app)) == 5
    assert {"Token by token", "Next token", "Right answer"}.isdisjoint({each.label for each in app.button})


def test_the_decoder_can_be_given_the_right_answer():
    Library(state.HOST.checkpoints).save("untrained", TaskModel(RunConfig()), [])
    app = page("step_through.py", source="untrained", operation="loss")
    assert "are the model's own answer" in prose(app)
    button(app, "Right answer").click().run()
    assert fine(app).session_state["target"] == "5 1 4 1 3"
    assert last_walk().batch.labels[0].tolist() == [9, 5, 8, 5, 7, EOS]
    assert "are the model's own answer" not in prose(app)


def test_padding_can_be_put_behind_the_input_as_far_as_it_fits():
    app = page("step_through.py")
    app.number_input(key="padding").set_value(2).run()
    assert last_walk().tokens["S"] == ["3", "1", "4", "1", "5", "PAD", "PAD"]
    assert says(fine(app)) == ["5", "1", "4", "1", "3", "EOS"]
    app.number_input(key="padding").set_value(99).run()
    assert "the nearest is 12" in messages(fine(app), "wrong")[0]
    assert last_walk().batch.source.size(1) == 17
    assert app.number_input(key="padding").value == 99, "what was typed stays"


def test_a_random_input_takes_the_place_of_the_old_one():
    app = page("step_through.py")
    drawn = set()
    for _ in range(4):
        button(app, "Random").click().run()
        drawn.add(fine(app).session_state["input"])
    assert len(drawn) > 1


def test_a_place_of_the_answer_can_be_linked_to():
    app = link_to("step_through.py", place="3", said="4")
    assert app.session_state["place"] == 3
    assert app.session_state["said"] == 4
    assert link_to("step_through.py", place="30", said="x").session_state["place"] is None


def test_an_input_shorter_than_what_was_learned_is_said_to_be_unreliable(tmp_path):
    config = RunConfig().updated({"task.min_length": 16, "training.steps": 1})
    Library(state.HOST.checkpoints).save("fixed", TaskModel(config), [])
    app = page("step_through.py", source="fixed")
    assert len(app.session_state["input"].split()) == 16
    next(each for each in app.text_input if each.key == "input").set_value("3 1").run()
    assert any("is unreliable" in each.value for each in fine(app).caption)


@pytest.mark.parametrize("text", ["x", "", "10", "1 " * 17, "PAD"])
def test_step_through_answers_bad_input_with_a_sentence_and_keeps_it(text):
    app = page("step_through.py")
    next(each for each in app.text_input if each.key == "input").set_value(text).run()
    (told,) = messages(fine(app), "wrong")
    assert told.startswith(("“", "The input"))
    assert app.session_state["input"] == text
    assert last_walk().tokens["S"] == ["3", "1", "4", "1", "5"], "the nearest valid view"
    assert app.latex[0].value


def test_checkpoints_save_load_and_delete():
    app = solved()
    app.switch_page("pages/checkpoints.py").run()
    name = next(each for each in app.text_input if each.key == "save_name")
    name.set_value("../escape").run()
    button(app, "Save").click().run()
    assert "not a valid checkpoint name" in written(fine(app))
    next(each for each in app.text_input if each.key == "save_name").set_value("mine").run()
    button(app, "Save").click().run()
    assert "Saved mine" in written(fine(app))
    assert (Library(state.HOST.checkpoints).root / "mine" / "model.safetensors").is_file()
    button(app, "Save").click().run()
    assert "mine is taken. Choose another name, or tick “Replace a checkpoint with this name”." in written(fine(app))
    button(app, "Load").click().run()
    assert "Loaded mine" in written(fine(app))
    app.switch_page("pages/step_through.py").run()
    assert fine(app).session_state["source"] == "mine"
    app.switch_page("pages/checkpoints.py").run()
    button(app, "Delete").click().run()
    assert "Deleted <b>mine</b>" in written(fine(app))
    assert not (state.HOST.checkpoints / "mine").exists()
    button(app, "Undo").click().run()
    assert "Restored mine" in written(fine(app))
    assert (state.HOST.checkpoints / "mine").is_dir()
    app.text_input(key="new_name").set_value("yours")
    button(app, "Save name").click().run()
    assert "Renamed mine to yours" in written(fine(app))
    assert (state.HOST.checkpoints / "yours").is_dir()


# --- visitors -------------------------------------------------------------------------------------


def link_to(name: str, **query: str) -> AppTest:
    """A visitor who arrives by a link."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page(f"pages/{name}")
    for word, value in query.items():
        app.query_params[word.replace("__", ".")] = value
    return fine(app.run())


def test_a_link_lets_others_watch_and_not_control():
    app = page("train.py")
    button(app, "Train").click().run()
    run = run_of(app)
    other = link_to("train.py", run=run.id)
    assert run.name in messages(other, "note")[0]
    assert {each.label for each in other.button}.isdisjoint({"Train", "Pause", "Resume", "Step", "Stop", "Reset"})
    assert charted(other) == [run.id]
    other.switch_page("pages/step_through.py").run()
    assert fine(other).session_state["source"] == state.RUN
    other.switch_page("pages/checkpoints.py").run()
    assert not any(each.label == "Save" for each in fine(other).button), "a copy is not the watcher's to keep"
    assert run_of(other) is None
    assert not run.ended


@pytest.mark.parametrize("name", ["train.py", "step_through.py"])
def test_a_link_shows_the_run_after_a_new_start_before_its_owner_comes_back(host, name):
    run = state.RUNS.start("its owner", TINY)
    assert run.wait("finished")
    host()
    app = page(name)
    app.query_params["run"] = run.id
    fine(app.run())
    assert not any("no longer exists" in each for each in messages(app))
    assert state.RUNS.watched(run.id).step == run.step
    assert app.session_state["run"] == run.id


@pytest.mark.parametrize("damage", ["run.json", "history.jsonl", "state.safetensors"])
def test_a_run_that_is_damaged_on_disk_is_told_on_the_pages_and_breaks_none(host, damage):
    app = page("train.py")
    run = state.RUNS.start(visitor(app), TINY)
    assert run.wait("finished")
    until(lambda: json.loads((run.store.folder.path / "run.json").read_text())["status"])
    content = (run.store.folder.path / damage).read_bytes()
    (run.store.folder.path / damage).write_bytes(content[: len(content) // 2])
    host()
    app.run()
    told = messages(fine(app))
    assert any("damaged on disk" in each or "missing from the history on disk" in each for each in told)
    app.session_state["train view"] = "compare"
    app.run()
    assert not app.exception
    fine(app.switch_page("pages/step_through.py").run())
    fine(app.switch_page("pages/checkpoints.py").run())


def test_a_server_that_does_not_own_its_folder_says_so_on_every_page(host):
    host().folder_owner = Owner(123, 0.0)
    for name in PAGES:
        told = messages(page(name), "care")
        assert any("Another server (process 123, started" in each for each in told)


def test_a_link_to_ones_own_run_keeps_control_of_just_that_run():
    app = page("train.py")
    button(app, "Train").click().run()
    first = run_of(app)
    button(app, "Stop").click().run()
    button(app, "Reset").click().run()
    second = run_of(app)
    app.query_params["run"] = first.id
    app.run()
    assert any(each.label == "Train" for each in fine(app).button)
    assert app.selectbox[0].value == first.id
    app.selectbox[0].set_value(second.id).run()
    assert "run" not in app.query_params
    assert app.selectbox[0].value == second.id


@pytest.mark.parametrize("wanted", ["gone", "", "../../etc/passwd", "<script>", "a" * 5000])
def test_a_stale_or_hand_made_link_is_answered_with_a_sentence(wanted):
    app = link_to("train.py", run=wanted)
    assert [each.value for each in app.warning if "no longer exists" in each.value] == [
        "This run no longer exists, or the link is wrong."
    ] * bool(wanted)
    assert any(each.label == "Train" for each in app.button)


def test_the_address_of_build_holds_the_settings():
    app = page("build.py")
    app.number_input(key="model.d_model").set_value(32).run()
    assert app.query_params["model.d_model"] == "32"
    fresh = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    fresh.query_params["model.d_model"] = "48"
    fresh.query_params["model.causal_mask"] = "false"
    fresh.query_params["task.name"] = "copy"
    fine(fresh.run())
    assert [fresh.session_state[path] for path in ("model.d_model", "model.causal_mask", "task.name")] == [
        *(48, False, "copy")
    ]


@pytest.mark.parametrize("value", ["banana", "", "1e999", "9" * 400, "nan"])
def test_a_hand_made_address_of_build_is_answered_with_a_sentence(value):
    fresh = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    fresh.query_params["model.d_model"] = value
    fresh.query_params["nonsense"] = "1"
    fine(fresh.run())
    if value:
        assert re.search("model.d_model.*whole number from 2", messages(fresh, "care")[0])
    assert fresh.session_state["model.d_model"] == 64


def test_on_a_shared_host_every_visitor_has_a_library_of_their_own(host):
    host(mode="shared", quota_mb=1)
    ada, bob = solved(**{"model.d_model": 64}), page("train.py")  # three such models are more than the quota
    ada.switch_page("pages/checkpoints.py").run()
    ada.text_input(key="save_name").set_value("hers").run()
    button(ada, "Save").click().run()
    assert "Saved hers" in written(fine(ada))
    assert any("of 1 MB used" in each.value for each in ada.caption)
    ada.text_input(key="save_name").set_value("hers-too").run()
    button(ada, "Save").click().run()
    ada.text_input(key="save_name").set_value("hers-three").run()
    button(ada, "Save").click().run()
    assert "Delete one first" in written(fine(ada)), "the quota is full"
    bob.switch_page("pages/checkpoints.py").run()
    ((_, told),) = mounts(fine(bob), "rows", "ticked")
    names = {row["name"] for row in told["rows"]}
    assert names
    assert not any("hers" in name for name in names)
    bob.switch_page("pages/step_through.py").run()
    assert not any("hers" in name for name in fine(bob).selectbox(key="source").options)
    assert not (state.HOST.checkpoints / "hers").exists()
    assert visitor(ada) != visitor(bob)


def test_after_a_new_start_of_the_server_the_run_is_there_and_can_go_on(host):
    app = page("train.py")
    button(app, "Train").click().run()
    run = run_of(app)
    until(lambda: run.store.kept_step)
    state.RUNS.close()
    host()
    app.run()
    assert "paused" in progress(fine(app))
    assert "The server restarted" in messages(app, "care")[0]
    app.session_state["pace"] = "Full speed"
    button(app, "Resume").click().run()
    again = run_of(app)
    again.set_pace(None)
    wait_for(app, "solved")
    assert again.id == run.id


def test_notices_of_the_host_are_shown():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    run = run_of(app)
    until(lambda: run.step == 1)  # the worker's last word for now: it says of the disk what holds there
    run.notice, run.store.problem = "Paused because nobody viewed it.", "The disk is full."
    app.run()
    assert "nobody viewed it" in messages(fine(app), "note")[0]
    assert "disk is full" in messages(app, "care")[0]


def test_a_run_that_failed_says_why_and_what_it_learned_can_be_looked_at_and_saved():
    wild = TINY.updated({"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False})
    app = page("train.py")
    for path in setting_paths():
        app.session_state[path] = value_at(wild, path)
    app.session_state["pace"] = "Full speed"
    button(app.run(), "Train").click().run()
    wait_for(app, "failed")
    (told,) = messages(app, "wrong")
    assert "The loss became" in told
    assert "try a learning_rate below 10" in told
    app.switch_page("pages/step_through.py").run()
    assert fine(app).session_state["source"] == state.RUN
    assert not messages(app, "wrong")
    app.switch_page("pages/checkpoints.py").run()
    button(app, "Save").click().run()
    assert "Saved" in written(fine(app))


@pytest.mark.parametrize(("call", "number"), [("fsync", errno.ENOSPC), ("mkdir", errno.EROFS)])
def test_a_disk_that_takes_nothing_is_told_where_one_saves_and_the_run_stays(call, number, tmp_path, monkeypatch):
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    app.switch_page("pages/checkpoints.py").run()
    there = sorted(path.name for path in tmp_path.iterdir())

    def refuse(*_args, **_options) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as disk:
        disk.setattr(os, call, refuse)
        button(app, "Save").click().run()
    assert f"{os.strerror(number)}." in written(fine(app))
    assert str(tmp_path) not in written(app)
    assert sorted(path.name for path in tmp_path.iterdir()) == there
    button(app, "Save").click().run()
    assert "Saved" in written(fine(app))


def test_a_checkpoint_that_is_deleted_while_it_is_open_is_missed_in_a_sentence():
    library = Library(state.HOST.checkpoints)
    library.save("mine", TaskModel(RunConfig()), [])
    app = page("step_through.py", source="mine")
    assert app.session_state["source"] == "mine"
    library.delete("mine")
    button(app, "Next").click().run()
    assert "There is no model “mine”." in messages(fine(app), "care")[0]
    assert app.latex[0].value, "another one is shown"


def test_the_address_of_step_through_brings_the_view_back():
    app = page("step_through.py")
    app.text_input(key="input").set_value("7 2 9").run()
    button(app, "Next").click().run()
    app.run()
    address = {word: app.query_params[word] for word in ("model", "operation", "input")}
    again = link_to("step_through.py", **address)
    for key in ("source", "operation", "input"):
        assert again.session_state[key] == app.session_state[key]
    assert again.session_state["input"] == "7 2 9"


def test_a_hand_made_address_of_step_through_shows_the_nearest_view():
    app = link_to(
        "step_through.py",
        model="nonsense",
        operation="nonsense",
        step="-3",
        input="7 x",
        target="?",
        said="-1",
        padding="many",
        cell="here",
        head="99",
        columns="-5",
        gradient="maybe",
    )
    assert "There is no model “nonsense”." in messages(app, "care")[0]
    sentences = messages(app, "wrong")
    assert len(sentences) == 5
    assert "“x” at" in sentences[0]
    assert "“?” at" in sentences[1]
    assert "This model has no operation “nonsense”" in sentences[2]
    assert "“here” is not a cell" in sentences[3]
    assert "it has 4 heads" in sentences[4], "no head 100"
    assert app.session_state["input"] == "7 x"
    app.text_input(key="input").set_value("7 2").run()
    app.text_input(key="target").set_value("").run()
    assert not messages(fine(app), "wrong")
    assert app.latex[0].value


def test_a_locked_cell_goes_on_where_it_means_the_same():
    where = "decoder.layers.0.cross_attention.attention"
    app = link_to("step_through.py", cell="1.2.3", operation=f"{where}.masked_scores")
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] == f"{where}.weights"
    assert app.session_state["cell"] == "1.2.3"
    button(app, "Next").click().run()
    assert fine(app).session_state["operation"] == f"{where}.heads"
    assert app.session_state["cell"] is None
    assert not messages(app, "wrong")


@pytest.mark.parametrize(
    ("cell", "head", "locked", "told"),
    [
        ("1.2.3", None, "1.2.3", None),
        ("9.99.999", None, "3.5.4", "the nearest cell is locked"),
        ("2.3", None, None, "a head, a row and a column"),
        (None, "7", None, "it has 4 heads"),
    ],
)
def test_a_cell_of_a_link_that_is_not_there_gives_the_nearest_and_a_sentence(cell, head, locked, told):
    query = {"cell": cell, "head": head, "operation": "decoder.layers.0.cross_attention.attention.weights"}
    app = link_to("step_through.py", **{word: value for word, value in query.items() if value})
    assert app.session_state["cell"] == locked
    assert [told in each for each in messages(app, "wrong")] == ([True] if told else [])


def test_the_pace_shown_is_that_of_the_run_shown():
    app = page("train.py")
    app.session_state["pace"] = "1 step/s"
    button(app, "Train").click().run()
    first = run_of(app)
    app.session_state["pace"] = "Fast"
    app.run()
    assert fine(app).session_state["pace"] == "1 step/s", "another tab may have shown another"
    first.set_pace(None)
    app.run()
    assert fine(app).session_state["pace"] == "Full speed"


# --- lectures -------------------------------------------------------------------------------------


def words_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query))


def new_tab(name: str, **query: str) -> AppTest:
    """A visitor who opens a link in a new tab."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page(f"pages/{name}")
    for word, value in query.items():
        app.query_params[word.replace("__", ".")] = value
    return fine(app.run())


def shown_lesson(**query: str) -> AppTest:
    """A visitor who opens a lesson link in a new tab."""
    return new_tab("train.py", **{"lesson": "1", **query})


def address_of(app: AppTest) -> dict[str, str]:
    return {word: value[0] if isinstance(value, list) else value for word, value in app.query_params.items()}


def test_a_lesson_link_shows_just_its_settings_and_train_begins_it_at_its_pace():
    app = shown_lesson(seed="3", model__n_heads="2", training__learning_rate="0.002", pace="Fast", present="1")
    config = RunConfig().updated({"seed": 3, "model.n_heads": 2, "training.learning_rate": 0.002})
    assert run_of(app) is None
    assert progress(app) == f"lesson: step 0 of at most {config.training.steps:,}"
    assert "This is a lesson" in app.info[0].value
    assert f"{sum(parameter_counts(config).values()):,}" in written(app)
    assert "learning_rate 0.002" in written(app)
    enabled = {each.label for each in app.button if not each.disabled}
    assert {"Train", "Step"} <= enabled
    assert enabled.isdisjoint({"Pause", "Resume", "Stop", "Reset"})
    (listening,) = (data["link"] for _, data in mounts(app, "link"))
    assert listening == {word: value for word, value in address_of(app).items() if word != "present"}
    button(app, "Train").click().run()
    run = run_of(fine(app))
    assert (run.config, run.pace) == (config, state.pace_of(config, "Fast"))
    assert address_of(app) == {"present": "1"}
    until(lambda: run.step > 1)


def test_a_lesson_link_without_settings_has_those_of_the_default_preset():
    app = shown_lesson()
    preset = PRESETS[DEFAULT_PRESET].config
    assert progress(app) == f"lesson: step 0 of at most {preset.training.steps:,}"
    assert address_of(app) == state.lesson_link_words(preset, None)
    same_as_an_empty_link = shown_lesson(**state.lesson_link_words(RunConfig(), None))
    assert progress(same_as_an_empty_link) == f"lesson: step 0 of at most {RunConfig().training.steps:,}"


def test_step_begins_a_lesson_with_one_step_and_every_press_counts():
    app = shown_lesson(seed="3")
    button(app, "Step").click().run()
    run = run_of(fine(app))
    until(lambda: run.step == 1 and run.status == "paused")
    button(fine(app.run()), "Step").click().run()
    until(lambda: run.step == 2 and run.status == "paused")
    assert state.RUNS.of(visitor(app)) == [run]


def test_a_page_loaded_again_shows_a_lesson_until_it_begins_and_then_goes_on_with_it(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(state, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    app = shown_lesson(seed="3", task__name="copy", pace="Fast")
    app.switch_page("pages/build.py").run()
    next(each for each in app.number_input if each.key == "seed").set_value(4).run()
    words = address_of(fine(app))
    assert words == {"lesson": "1", "task.name": "copy", "pace": "Fast", "seed": "4"}
    app.query_params.clear()  # as in a browser that goes to another page
    fine(app.switch_page("pages/train.py").run())
    assert address_of(app) == words
    again = shown_lesson(**words)
    assert state.RUNS.of(state.visitor()) == []
    button(again, "Train").click().run()
    run = state.RUNS.current(state.visitor())
    assert (run.config.seed, run.config.task.name) == (4, "copy")
    after = link_to("train.py", **address_of(fine(again)))
    assert state.LESSON not in after.session_state
    assert charted(after) == [run.id]
    assert after.session_state["seed"] == 4


def test_a_lesson_keeps_its_hands_off_other_runs_until_it_begins(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(state, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    first = state.RUNS.start(state.visitor(), TINY, 1.0, paused=True)
    first.step_once()
    until(lambda: first.step == 1 and first.status == "paused")
    app = shown_lesson(seed="3")
    app.segmented_control[-1].set_value("Full speed").run()
    assert fine(app).session_state["pace"] == "Full speed"
    assert first.pace == 1.0
    assert first.has_worker
    assert state.RUNS.current(state.visitor()) is first
    button(app, "Train").click().run()
    second = state.RUNS.current(state.visitor())
    assert second is not first
    assert second.pace is None
    until(lambda: second.step and not first.has_worker)  # its place is the lesson's
    assert (first.step, first.status) == (1, "paused")
    first.resume()
    until(lambda: first.step > 1)


def test_a_run_that_is_chosen_takes_the_place_of_a_lesson(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(state, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    first = state.RUNS.start(state.visitor(), TINY, paused=True)
    app = shown_lesson(seed="3")
    next(each for each in app.selectbox if each.label == "My runs").set_value(first.id).run()
    assert charted(fine(app)) == [first.id]
    assert address_of(app) == {}
    assert state.RUNS.of(state.visitor()) == [first]


def test_the_lesson_link_of_a_run_brings_its_settings_and_its_pace():
    app = shown_lesson(task__name="copy", model__dropout="0.1", training__schedule="cosine", pace="Full speed")
    button(app, "Step").click().run()
    links = [each.value for each in fine(app.run()).get("code")]
    assert len(links) == 2
    assert words_of(links[0]) == {"run": run_of(app).id}
    again = shown_lesson(**words_of(links[1]))
    button(again, "Step").click().run()
    assert run_of(fine(again)).config == run_of(app).config
    assert run_of(again).pace is None
    assert run_of(again) is not run_of(app), "everybody has a run of their own"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            {"model__n_heads": "7"},
            "The lesson's settings don't work together: d_model 64 is not divisible by n_heads 7",
        ),
        ({"seed": "x"}, "The link's seed could not be read"),
        ({"pace": "Warp"}, "The link's pace “Warp” is unknown. Use one of"),
    ],
)
def test_a_hand_made_lesson_is_answered_with_a_sentence(query, sentence):
    app = shown_lesson(**query)
    assert sentence in messages(app, "care")[0]
    assert run_of(app) is None


# --- playback -------------------------------------------------------------------------------------


def charts_of(app: AppTest) -> dict:
    """What the page says of the run that its charts show."""
    mounts = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    (told,) = (mount for mount in mounts if "specs" in mount)
    return told["runs"][0]


def no_process(*_args, **_options):
    raise AssertionError("Nothing is to be started.")


def test_a_run_is_played_back_from_its_records_on_the_same_page(monkeypatch):
    app = solved()
    run = run_of(app)
    monkeypatch.setattr("playground.runs.backends.processes.start", no_process)
    button(app, "Play back").click().run()
    shown = fine(app).session_state["playback"]
    assert {word: app.query_params[word] for word in ("playback", "run")} == {"playback": "1", "run": run.id}
    button(app, "Pause").click().run()
    button(app, "Step").click().run()
    assert "played back" in progress(fine(app))
    assert charts_of(app)["upto"] == shown.step < run.step
    assert {"Train", "Stop", "Reset"}.isdisjoint({each.label for each in app.button}), "nothing trains"
    button(app, "Resume").click().run()
    app.segmented_control(key="playback_pace").set_value("Fast").run()
    until(lambda: shown.ended)
    assert "played back" in progress(fine(app.run()))
    button(app, "Play again").click().run()
    assert fine(app).session_state["playback"].step < run.step
    button(app, "Leave playback").click().run()
    assert "upto" not in charts_of(fine(app))
    assert "playback" not in app.query_params
    assert run.status == "solved"


def test_a_link_plays_a_run_back_also_after_a_new_start_of_the_server(host, monkeypatch):
    one = secrets.token_hex(16)
    monkeypatch.setattr(state, "visitor", lambda: one)
    app = with_settings("train.py", QUICK)
    button(app, "Train").click().run()
    run = state.RUNS.current(one)
    assert run.wait("solved")
    state.RUNS.close()
    host()
    monkeypatch.setattr("playground.runs.backends.processes.start", no_process)
    again = link_to("train.py", run=run.id, playback="1")
    shown = again.session_state["playback"]
    assert shown.config == run.config
    shown.stop()
    fine(again.run())
    assert shown.last() == run.last()
    assert shown.predictions(0) == run.predictions(0)

"""The view of pitfalls: each one is shown, trained beside the correct model, and measured, without a browser."""

import itertools
import re
from html import escape, unescape

import pytest
from streamlit.testing.v1 import AppTest

from playground.lessons import pitfalls
from playground.lessons.mistakes.classes import difference
from playground.lessons.mistakes.table import MISTAKES, PITFALLS
from playground.runs import Hunt, Run
from playground.ui.learn import pitfall_parts
from playground.ui.runs import sharing
from playground.ui.session.services import services
from tests.helpers import messages, mounts, prose, written
from tests.pages import button, fine, hosted, new_tab, page, visitor

usual = pitfalls.Pitfall.config


@pytest.fixture(autouse=True)
def host(tmp_path, monkeypatch):
    """A host whose pitfalls train for a moment; a second call is the same host after a restart."""
    short = {"training.steps": 8, "training.warmup_steps": 0}
    monkeypatch.setattr(pitfalls.Pitfall, "config", lambda self, seed: usual(self, seed).updated(short), raising=True)
    with hosted(tmp_path) as make:
        yield make


def opened(**seeded) -> AppTest:
    return page("learn.py", **{"learn view": "pitfalls"}, **seeded)


def trained(app: AppTest) -> list[Run]:
    """Presses Train both; the correct model and the wrong one, ended."""
    button(app, "Train both").click().run()
    runs = services().runs.of(visitor(app))[1::-1]
    assert all(run.wait("finished") for run in runs), messages(app)
    fine(app.run())
    return runs


@pytest.mark.parametrize("name", PITFALLS)
def test_every_pitfall_is_shown_with_its_difference(name: str):
    app = opened(pitfall=name)
    pitfall = PITFALLS[name]
    assert f"<h2>{escape(MISTAKES[name].title)}</h2>" in written(app)
    assert MISTAKES[name].sentence in prose(app)
    (code,) = re.findall(r'<pre class="difference"><code>(.*?)</code></pre>', written(app), re.S)
    lines = re.findall(r"<(ins|del|span)>(.*?)</\1>", code)
    assert [unescape(line) for _, line in lines] == difference(pitfall.mistake).splitlines()
    assert all((tag, line[:1]) in {("ins", "+"), ("del", "-")} or tag == "span" for tag, line in lines)


@pytest.mark.parametrize("name", PITFALLS)
def test_a_pitfall_has_all_that_the_view_needs(name: str):
    """What a new one must have: words on screen, and names that fit a run and an address."""
    pitfall = PITFALLS[name]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert len(name) <= 29, "a run of it has a name with a seed and a number"
    for sentence in (MISTAKES[name].sentence, pitfall.measured_as, pitfall.symptom):
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 25, sentence
    assert {"{right}", "{wrong}"} <= set(re.findall(r"\{\w+\}", pitfall.symptom))


def test_runs_that_end_while_the_page_is_drawn_cause_a_redraw(monkeypatch):
    share = sharing.view

    def ending(*words) -> None:
        for run in services().runs.of(visitor(app)):
            assert run.wait("finished")
        share(*words)

    app = opened(pitfall="mask-after-softmax")
    monkeypatch.setattr(sharing, "view", ending)
    button(app, "Train both").click().run()
    ((_, data),) = [each for each in mounts(app, "shown") if each[0].endswith("-changes pitfall runs")]
    assert "finished" not in [fields["status"] for fields in data["shown"].values()]


def test_both_models_are_trained_measured_and_found_again():
    app = opened(pitfall="mask-after-softmax", **{"pitfall seed": 7})
    assert not app.metric
    right, wrong = trained(app)
    assert (right.metadata.pitfall, wrong.metadata.pitfall) == ("", "mask-after-softmax")
    assert (right.metadata.name, wrong.metadata.name) == ("correct-model-7", "mask-after-softmax-7")
    assert right.config == wrong.config == PITFALLS["mask-after-softmax"].config(7)
    ((_, charts),) = mounts(app, "panels", "runs")
    assert [run["id"] for run in charts["runs"]] == [right.id, wrong.id]
    assert charts["panels"] == ["loss"]
    measured = [pitfall_parts.measure_of("mask-after-softmax", run) for run in (right, wrong)]
    assert [each.value for each in app.metric] == [PITFALLS["mask-after-softmax"].shown(each) for each in measured]
    assert PITFALLS["mask-after-softmax"].tell(*measured) in messages(app, "good")
    assert "The training loss " in prose(app)
    again = fine(app.run())
    assert [each.value for each in again.metric] == [PITFALLS["mask-after-softmax"].shown(each) for each in measured]
    app.session_state["pitfall seed"] = 8
    assert not fine(app.run()).metric, "another seed has not been trained"
    button(app, "Train both")


def test_training_again_replaces_the_pair_and_nothing_else():
    app = opened(pitfall="no-scaling")
    own = services().runs.start(visitor(app), PITFALLS["no-scaling"].config(1), name="mine")
    first = trained(app)
    second = trained(fine(app.run()))
    assert {run.id for run in services().runs.of(visitor(app))} == {own.id, *(run.id for run in second)}
    assert not {run.id for run in first} & {run.id for run in second}
    assert app.metric
    app.session_state["pitfall"] = "inverted-mask"
    trained(fine(app.run()))
    app.session_state["pitfall"] = "no-scaling"
    assert fine(app.run()).metric, "the correct model is that of both"


def test_the_measure_is_that_of_the_pitfall():
    """Computed from the run's weights and losses in another process, it is what the training itself gives."""
    app = opened(pitfall="padding-scored", **{"pitfall seed": 2})
    for run, is_wrong in zip(trained(app), (False, True), strict=True):
        pitfall = PITFALLS["padding-scored"]
        expected = pitfall.measure(pitfalls.train_with(pitfall if is_wrong else pitfalls.USUAL, run.config))
        assert pitfall_parts.measure_of("padding-scored", run) == pytest.approx(expected, rel=1e-6)


def test_the_way_to_step_through_leads_to_the_operation_of_the_wrong_model():
    app = opened(pitfall="no-scaling")
    _, wrong = trained(app)
    button(app, "Step through the wrong model").click().run()
    app = fine(app)
    assert app.session_state["run"] == wrong.id
    assert app.session_state["operation"] == PITFALLS["no-scaling"].operation


def test_a_host_that_is_full_starts_none(host):
    runs = host(runs_per_visitor=1)
    app = opened()
    button(app, "Train both").click().run()
    assert "the limit per visitor" in " ".join(messages(fine(app), "wrong"))
    assert all(run.wait("stopped") for run in runs.of(visitor(app)))


def test_a_link_opens_a_pitfall_and_says_what_is_wrong_with_it():
    app = new_tab("learn.py", view="pitfalls", pitfall="no-residual", trial="42")
    assert app.session_state["pitfall"] == "no-residual"
    assert app.session_state["pitfall seed"] == 42
    assert not services().runs.of(visitor(app)), "a link trains nothing"
    app = new_tab("learn.py", view="pitfalls", pitfall="no-such", trial="x")
    assert "There is no pitfall “no-such”. Another one is shown." in messages(app, "care")
    assert app.session_state["pitfall seed"] == 1


def test_a_run_that_the_host_has_paused_can_be_resumed(monkeypatch):
    numbers = itertools.count()
    # Streamlit refuses two underscores in the key of a component.
    monkeypatch.setattr("playground.runs.metadata.secrets.token_urlsafe", lambda size: f"a__random_id_{next(numbers)}")
    app = opened(pitfall="no-scaling")
    config = PITFALLS["no-scaling"].config(1)
    right = services().runs.start(visitor(app), config)
    wrong = services().runs.start(visitor(app), config, pitfall="no-scaling", paused=True)
    assert wrong.wait("paused")
    fine(app.run())
    assert "The training is paused." in messages(app, "care")
    button(app, "Resume").click().run()
    assert wrong.wait("finished")
    assert right.wait("finished")
    assert fine(app.run()).metric


def test_the_train_page_says_what_a_run_with_a_mistake_can_t_do():
    app = opened(pitfall="no-scaling")
    _, wrong = trained(app)
    app.session_state["run"] = wrong.id
    app = fine(app.switch_page("pages/train.py").run())
    button(app, "More steps").click().run()
    assert "This run trains with a mistake, so its settings and steps are fixed." in prose(fine(app))
    button(app, "Save").click().run()
    sentence = "This run trains with a mistake, and a checkpoint can't say so. Train the correct model to save one."
    assert sentence in messages(fine(app), "wrong")
    button(app, "Reset").click().run()
    fresh = services().runs.current(visitor(app))
    assert fresh.notice == f"This run trains the correct model, without the mistake of {wrong.metadata.name}."
    assert (fresh.config, fresh.metadata.pitfall) == (wrong.config, "")
    app.session_state["base"], app.session_state["train view"] = wrong.id, "compare"
    assert f"The mistake of {wrong.metadata.name} is left out." in prose(fine(app.run()))


def test_a_watcher_of_a_hunt_sees_no_code(host):
    runs = services().runs
    run = runs.start("ada", PITFALLS["no-scaling"].config(1), pitfall="no-scaling", hunt=Hunt(seed=3))
    assert run.wait("finished")
    app = new_tab("step_through.py", run=run.id, model="run", operation=PITFALLS["no-scaling"].operation)
    assert "mistakes/classes.py" not in "".join(each.proto.json for each in app.get("bidi_component"))
    assert any("hidden during a bug hunt" in str(each.proto) for each in app.get("bidi_component"))

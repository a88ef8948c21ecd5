"""Settings links: their settings, their pace, and how their run starts."""

import hashlib
import secrets
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from playground.settings.config import RunConfig, parameter_counts
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.ui.session import form_settings, identity, paces
from playground.ui.session.services import services
from tests.helpers import TINY, messages, mounts, progress, prose, until, written
from tests.pages import button, charted, fine, link_to, new_tab, run_of, visitor
from tests.pages import host as host  # for every test here too


def words_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query))


def opened(**query: str) -> AppTest:
    """A visitor who opens a settings link in a new tab."""
    return new_tab("train.py", **{"lesson": "1", **query})


def address_of(app: AppTest) -> dict[str, str]:
    return {word: value[0] if isinstance(value, list) else value for word, value in app.query_params.items()}


def test_a_settings_link_shows_just_its_settings_and_train_starts_a_run_at_its_pace():
    app = opened(seed="3", model__n_heads="2", training__learning_rate="0.002", pace="Fast", present="1")
    config = RunConfig().updated({"seed": 3, "model.n_heads": 2, "training.learning_rate": 0.002})
    assert run_of(app) is None
    assert progress(app) == f"not started: step 0 of at most {config.training.steps:,}"
    assert "This link has the settings below" in app.info[0].value
    assert f"{sum(parameter_counts(config).values()):,}" in written(app)
    assert "learning rate 0.002" in prose(app)
    enabled = {each.label for each in app.button if not each.disabled}
    assert {"Train", "Step"} <= enabled
    assert enabled.isdisjoint({"Pause", "Resume", "Stop", "Reset"})
    (listening,) = (data["link"] for _, data in mounts(app, "link"))
    assert listening == {word: value for word, value in address_of(app).items() if word != "present"}
    button(app, "Train").click().run()
    run = run_of(fine(app))
    assert (run.config, run.pace) == (config, paces.pace_of(config, "Fast"))
    assert address_of(app) == {"present": "1"}
    until(lambda: run.step > 1)


def test_a_settings_link_without_settings_has_those_of_the_default_preset():
    app = opened()
    preset = PRESETS[DEFAULT_PRESET].config
    assert progress(app) == f"not started: step 0 of at most {preset.training.steps:,}"
    assert address_of(app) == form_settings.settings_link_words(preset, None)
    same_as_an_empty_link = opened(**form_settings.settings_link_words(RunConfig(), None))
    assert progress(same_as_an_empty_link) == f"not started: step 0 of at most {RunConfig().training.steps:,}"


def test_step_starts_a_run_with_one_step_and_every_press_counts():
    app = opened(seed="3")
    button(app, "Step").click().run()
    run = run_of(fine(app))
    until(lambda: run.step == 1 and run.status == "paused")
    button(fine(app.run()), "Step").click().run()
    until(lambda: run.step == 2 and run.status == "paused")
    assert services().runs.of(visitor(app)) == [run]


def test_a_page_loaded_again_shows_a_settings_link_until_its_run_starts_and_then_the_run(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(identity, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    app = opened(seed="3", task__name="copy", pace="Fast")
    app.switch_page("pages/build.py").run()
    app.session_state["form"] = "Training"
    next(each for each in app.run().number_input if each.key == "seed").set_value(4).run()
    words = address_of(fine(app))
    assert words == {"lesson": "1", "task.name": "copy", "pace": "Fast", "seed": "4"}
    app.query_params.clear()  # as in a browser that goes to another page
    fine(app.switch_page("pages/train.py").run())
    assert address_of(app) == words
    again = opened(**words)
    assert services().runs.of(identity.visitor()) == []
    button(again, "Train").click().run()
    run = services().runs.current(identity.visitor())
    assert (run.config.seed, run.config.task.name) == (4, "copy")
    after = link_to("train.py", **address_of(fine(again)))
    assert "settings link" not in after.session_state
    assert charted(after) == [run.id]
    assert after.session_state["seed"] == 4


def test_a_settings_link_leaves_other_runs_alone_until_its_run_starts(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(identity, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    first = services().runs.start(identity.visitor(), TINY, 1.0, paused=True)
    first.step_once()
    until(lambda: first.step == 1 and first.status == "paused")
    app = opened(seed="3")
    app.segmented_control[-1].set_value("Full speed").run()
    assert fine(app).session_state["pace"] == "Full speed"
    assert first.pace == 1.0
    assert first.has_worker
    assert services().runs.current(identity.visitor()) is first
    button(app, "Train").click().run()
    second = services().runs.current(identity.visitor())
    assert second is not first
    assert second.pace is None
    until(lambda: second.step and not first.has_worker)  # its worker slot is the new run's
    assert (first.step, first.status) == (1, "paused")
    first.resume()
    until(lambda: first.step > 1)


def test_a_chosen_run_replaces_a_settings_link(monkeypatch):
    one = secrets.token_urlsafe(24)
    monkeypatch.setattr(identity, "visitor", lambda: hashlib.sha256(one.encode()).hexdigest()[:32])
    first = services().runs.start(identity.visitor(), TINY, paused=True)
    app = opened(seed="3")
    next(each for each in app.selectbox if each.label == "My runs").set_value(first.id).run()
    assert charted(fine(app)) == [first.id]
    assert address_of(app) == {}
    assert services().runs.of(identity.visitor()) == [first]


def test_the_settings_link_of_a_run_brings_its_settings_and_its_pace():
    app = opened(task__name="copy", model__dropout="0.1", training__schedule="cosine", pace="Full speed")
    button(app, "Step").click().run()
    links = [each.value for each in fine(app.run()).get("code")]
    assert len(links) == 2
    assert words_of(links[0]) == {"run": run_of(app).id}
    again = opened(**words_of(links[1]))
    button(again, "Step").click().run()
    assert run_of(fine(again)).config == run_of(app).config
    assert run_of(again).pace is None
    assert run_of(again) is not run_of(app), "everybody has a run of their own"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            {"model__n_heads": "7"},
            "The link's settings can't be used: Model width 64 is not divisible by Heads 7",
        ),
        ({"seed": "x"}, "The link's seed is invalid. Use a whole number from 0"),
        ({"pace": "Warp"}, "The link's pace “Warp” is unknown. Use one of"),
    ],
)
def test_a_hand_made_settings_link_is_answered_with_a_sentence(query, sentence):
    app = opened(**query)
    assert sentence in messages(app, "care")[0]
    assert run_of(app) is None

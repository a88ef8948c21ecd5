"""The Build page: presets, settings and their error messages, and its address."""

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from playground.settings.config import RunConfig, TaskConfig, parameter_counts, setting_paths
from playground.settings.presets import PRESETS
from playground.tasks import TASKS
from playground.ui.session import identity
from tests.helpers import HANG, first, messages, written
from tests.pages import ROOT, button, fine, notice, page
from tests.pages import host as host  # for every test here too


def test_build_follows_two_changes_in_a_row():
    app = page("build.py", form="Model")
    for width in (32, 48):
        next(each for each in app.number_input if each.key == "model.d_model").set_value(width).run()
        fine(app)
        assert app.session_state["model.d_model"] == width
        config = RunConfig().updated({"model.d_model": width})
        assert app.metric[0].value == f"{sum(parameter_counts(config).values()):,}"


def test_build_says_what_is_wrong_next_to_the_field_and_keeps_what_was_typed():
    app = page("build.py", form="Model")
    width = next(each for each in app.number_input if each.key == "model.d_model")
    width.set_value(10).run()
    fine(app)
    sentence = "Model width 10 is not divisible by Heads 4. Use Model width 8 or 12, or Heads 2 or 5."
    assert sentence in messages(app, "wrong")
    assert app.session_state["model.d_model"] == 10
    assert button(app, "Train this model").disabled
    assert app.get("bidi_component")  # the last picture stays, greyed, so that nothing jumps
    next(each for each in app.number_input if each.key == "model.d_model").set_value(12).run()
    assert not button(fine(app), "Train this model").disabled
    assert notice(app) == "Custom settings"


def test_a_problem_with_settings_is_solved_by_one_click():
    app = page("build.py", form="Model")
    app.number_input(key="model.d_model").set_value(10).run()
    assert "wrong-model" in written(fine(app)), "the tab is marked"
    offered = {each.label for each in app.button if each.key and each.key.startswith("fix ")}
    title = setting_paths()["model.d_model"].title
    assert offered == {"Use 2", "Use 5", f"Use {title} 8", f"Use {title} 12"}
    button(app, f"Use {title} 12").click().run()
    assert fine(app).session_state["model.d_model"] == 12
    assert not messages(app, "wrong")
    assert "wrong-model" not in written(app)


def test_build_tells_which_preset_is_active():
    app = page("build.py", form="Model")
    for name in ("gpt", "paper"):
        app.radio(key="preset").set_value(name).run()
        assert fine(app).radio(key="preset").value == name
        assert notice(app) == PRESETS[name].sentence
    app.number_input(key="model.d_model").set_value(32).run()
    assert fine(app).radio(key="preset").value is None
    assert notice(app) == "Custom settings"


def test_settings_out_of_bounds_are_answered_with_a_sentence():
    app = page("build.py", form="Model")
    next(each for each in app.number_input if each.key == "model.n_layers").set_value(7).run()
    assert "from 1 to 6" in messages(fine(app), "wrong")[0]


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_fills_the_whole_form(name):
    app = page("build.py")
    app.radio(key="preset").set_value(name).run()
    fine(app)
    assert app.session_state["task.min_length"] == PRESETS[name].config.task.min_length
    assert app.session_state["model.positions"] == PRESETS[name].config.model.positions


KINDS = ("number_input", "selectbox", "multiselect", "toggle", "button_group", "text_area")
EVERYTHING = {"model.positions": "rotary", "model.d_rope": 4, "model.feed_forward": "mixture", "What if … open": True}
"""Settings with which all others have an effect, but for those of the other attentions."""


def widgets(app: AppTest) -> list[Any]:
    return [each for kind in KINDS for each in app.get(kind)]


def shown(app: AppTest) -> set[str]:
    """The settings whose fields are drawn, without their group."""
    return {each.key.partition(".")[2] for each in widgets(app) if each.key in setting_paths()}


@pytest.mark.parametrize("task", first(2, TASKS, of=9))
def test_build_has_a_widget_for_every_setting_that_the_task_uses(task):
    app = page("build.py")
    app.session_state["task.vocab_size"] = 7
    for path, value in EVERYTHING.items():
        app.session_state[path] = value
    fine(app.selectbox(key="task.name").set_value(task).run())
    every = []
    for tab in ("Task", "Model", "Training"):  # the open one alone is drawn
        app.session_state["form"] = tab
        app.session_state["model.attention"] = "grouped_query"
        every += widgets(fine(app.run()))
        app.session_state["model.attention"] = "latent"
        every += widgets(fine(app.run()))
    every = [*{each.key: each for each in every}.values()]
    unused = {f"task.{name}" for name in TaskConfig.model_fields} - {
        "task.name",
        *(f"task.{each}" for each in TASKS[task].uses),
    }
    assert {each.key for each in every} & set(setting_paths()) == set(setting_paths()) - unused
    for name, text in TASKS[task].uses.items():
        (widget,) = (each for each in every if each.key == f"task.{name}")
        assert (text or setting_paths()[f"task.{name}"].description) in widget.help
    assert app.session_state["task.vocab_size"] == 7, "also where it is not shown"


BASIC = {
    *("architecture", "d_model", "n_heads", "n_layers", "d_ff", "dropout", "norm_position", "activation", "positions"),
    *("bias", "attention_bias", "tie_embeddings"),
}
MODERN = {"norm", "attention", "qk_norm", "logit_cap", "window", "feed_forward"}


def test_newer_settings_are_folded_until_one_differs_from_its_default():
    app = page("build.py", form="Model")
    assert shown(app) == BASIC
    app.session_state["Since 2017 open"] = True
    assert shown(fine(app.run())) == BASIC | MODERN
    app.session_state["Since 2017 open"] = False
    assert shown(fine(app.run())) == BASIC
    app.session_state["model.qk_norm"] = True
    assert shown(fine(app.run())) == BASIC | MODERN, "unfolded"
    app.session_state["Since 2017 open"] = False
    assert shown(fine(app.run())) == BASIC, "a person may fold it"
    app.switch_page("pages/train.py").run()
    assert shown(fine(app.switch_page("pages/build.py").run())) == BASIC | MODERN
    app.session_state["model.qk_norm"] = False
    assert shown(fine(app.run())) == BASIC | MODERN, "the default value does not fold what a person is using"


def test_only_settings_that_have_an_effect_are_shown():
    app = page("build.py", form="Model")
    for changes, more in [
        ({"attention": "grouped_query"}, {"n_kv_heads"}),
        ({"attention": "latent"}, {"d_latent"}),
        ({"positions": "rotary", "d_rope": 4}, {"d_latent", "d_rope"}),
        ({"attention": "multi_head"}, set()),
        ({"feed_forward": "mixture"}, {"n_experts", "experts_per_token", "n_shared_experts", "balance"}),
    ]:
        for name, value in changes.items():
            app.session_state[f"model.{name}"] = value
        assert shown(fine(app.run())) == BASIC | MODERN | more
        assert not messages(app, "wrong")


@pytest.mark.parametrize(
    ("changes", "path", "typed", "sentence", "offered"),
    [
        (
            {"attention": "grouped_query"},
            "n_kv_heads",
            3,
            "Heads 4 is not divisible by Key heads 3. Use Key heads 1 or 2 or 4.",
            {"Use 2", "Use 4"},
        ),
        (
            {"attention": "latent", "positions": "rotary"},
            "d_rope",
            0,
            "Rotary positions turn pairs of the columns that Rotary width adds to latent attention, and Rotary width "
            "is 0. Use an even number from 2 on, or other positions.",
            {"Use 2", "Use Positions sinusoidal", "Use Positions learned"},
        ),
        (
            {"attention": "latent"},
            "d_rope",
            4,
            "The 4 columns that Rotary width adds to latent attention need rotary positions. Use Rotary width 0 or "
            "rotary positions.",
            {"Use 0", "Use Positions rotary"},
        ),
        (
            {"feed_forward": "mixture"},
            "experts_per_token",
            5,
            "Experts per token 5 is above Experts 4. Lower one or raise the other.",
            {"Use 4", "Use Experts 5"},
        ),
    ],
)
def test_a_wrong_pair_of_newer_settings_has_its_sentence_and_keeps_what_was_typed(
    changes, path, typed, sentence, offered
):
    app = page("build.py", form="Model")
    for name, value in {**changes, path: typed}.items():
        app.session_state[f"model.{name}"] = value
    assert messages(fine(app.run()), "wrong") == [sentence]
    assert app.number_input(key=f"model.{path}").value == typed, "shown, also where it has no effect"
    assert {each.label for each in app.button if each.key and each.key.startswith("fix ")} == offered
    app.session_state["Since 2017 open"] = False
    assert messages(fine(app.run()), "wrong") == [sentence], "a problem can't be folded away"
    button(app, next(iter(sorted(offered)))).click().run()
    assert not messages(fine(app), "wrong")


def test_build_draws_the_open_tab_alone():
    drawn = {}
    for tab in ("Task", "Model", "Training"):
        app = page("build.py", form=tab)
        keys = {each.key for kind in ("number_input", "selectbox", "toggle", "button_group") for each in app.get(kind)}
        drawn[tab] = {key.partition(".")[0] for key in keys & set(setting_paths())}
    assert drawn == {"Task": {"task"}, "Model": {"model"}, "Training": {"training", "seed"}}
    assert not app.text_area, "settings as JSON are drawn once they are opened"


def test_build_shows_a_setting_that_the_task_does_not_use_where_it_has_a_problem():
    app = page("build.py")
    app.session_state["task.vocab_size"] = 999
    app.selectbox(key="task.name").set_value("dates").run()
    assert "task.vocab_size" in {each.key for each in app.number_input}


def test_the_tab_of_the_form_stays_also_on_the_way_and_after_a_reload():
    who = {"visitor": identity.new_visitor()}
    app = page("build.py", **who)
    assert app.session_state["form"] == "Task"
    app.session_state["form"] = "Training"
    fine(app.run())
    app.switch_page("pages/train.py").run()
    assert fine(app.switch_page("pages/build.py").run()).session_state["form"] == "Training"
    assert page("build.py", **who).session_state["form"] == "Training"
    assert page("build.py").session_state["form"] == "Task"


def test_settings_survive_a_visit_to_another_page():
    app = page("build.py", form="Model")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(32).run()
    app.switch_page("pages/train.py").run()
    app.switch_page("pages/build.py").run()
    assert fine(app).session_state["model.d_model"] == 32


def test_the_address_of_build_holds_the_settings():
    app = page("build.py", form="Model")
    app.number_input(key="model.d_model").set_value(32).run()
    assert app.query_params["model.d_model"] == "32"
    fresh = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    fresh.query_params["model.d_model"] = "48"
    fresh.query_params["model.causal_mask"] = "false"
    fresh.query_params["task.name"] = "copy"
    fine(fresh.run())
    assert [fresh.session_state[path] for path in ("model.d_model", "model.causal_mask", "task.name")] == [
        *(48, False, "copy")
    ]


@pytest.mark.parametrize("value", ["banana", "", "1e999", "9" * 400, "nan"])
def test_a_hand_made_address_of_build_is_answered_with_a_sentence(value):
    fresh = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    fresh.query_params["model.d_model"] = value
    fresh.query_params["nonsense"] = "1"
    fine(fresh.run())
    if value:
        assert re.search("model.d_model.*whole number from 2", messages(fresh, "care")[0])
    assert fresh.session_state["model.d_model"] == 64


def pasted(app: AppTest, text: str) -> AppTest:
    app.session_state["settings json open"] = True
    app.run().text_area(key="settings text").set_value(text).run()
    return fine(button(app, "Use these settings").click().run())


def test_pasted_settings_fill_the_form():
    app = page("build.py")
    config = PRESETS["gpt"].config.updated({"seed": 7, "training.steps": 123})
    (toast,) = pasted(app, config.model_dump_json(indent=2)).toast
    assert "Settings used" in toast.value
    assert state_of(app) == config
    app.run()
    assert not app.toast, "it is shown once"
    pasted(app, '{"task": {"name": "sort"}}')
    assert state_of(app) == RunConfig().updated({"task.name": "sort"}), "what is missing has its default"


def test_the_config_of_a_checkpoint_can_be_pasted():
    text = (ROOT / "checkpoints" / "reverse-1-16" / "config.json").read_text()
    app = pasted(page("build.py"), text)
    assert state_of(app) == RunConfig.parse({name: each for name, each in json.loads(text).items() if name in FIELDS})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Paste the settings first."),
        ("x", "The text is not JSON"),
        ("[" * 50_000, "The text is not JSON"),
        ("[]", "must be an object"),
        ('{"seed": 1, "seed": 2}', "seed appears twice"),
        ('{"seed": NaN}', "seed can't be nan"),
        ('{"sed": 1}', "sed is not a setting"),
        ('{"model": {"d_model": 10}}', "d_model 10 is not divisible by n_heads 4"),
        ('{"changes": [{"step": 1, "settings": {"seed": 2}}]}', "seed needs a new run"),
        ('{"seed": "\\ud800"}', "The text"),
        (" " * 64_001, "Paste the settings first."),
        ("{" + " " * 64_000 + "}", "larger than the limit of 64,000 bytes"),
    ],
)
def test_pasted_text_that_is_no_settings_changes_nothing_and_stays(text: str, says: str):
    app = page("build.py")
    before = state_of(app)
    pasted(app, text)
    (message,) = messages(app, "wrong")
    assert says in message
    assert state_of(app) == before
    assert app.text_area(key="settings text").value == text


FIELDS = set(RunConfig.model_fields)


def state_of(app: AppTest) -> RunConfig:
    """The settings in the form."""
    changes = {path: app.session_state[path] for path in setting_paths()}
    return RunConfig().updated(changes)

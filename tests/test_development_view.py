"""The Development view, also of runs compared: numbers are those of the Python API, and a transition opens a step."""

import json
import re
from dataclasses import replace

import pytest
import vl_convert
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

import playground
from playground.interpret import transitions
from playground.interpret.development import Development, effective_rank
from playground.model.head_paths import Head, heads, weights_tap
from playground.pictures.charts import SERIES_COLOURS, SERIES_DASHES
from playground.pictures.step_lines import Mark, spectrum, step_lines
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.training.measure import by_part, table
from playground.training.roles import ROLES
from playground.ui.parts import measurements
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.train import development_charts, development_view
from tests.helpers import TINY, prose, small_config, until
from tests.pages import fine, page, visitor
from tests.pages import host as host  # for every test here too
from tests.test_house import UI

MODULAR = TINY.updated(
    {"task.name": "modular_addition", "task.vocab_size": 5, "model.architecture": "decoder-only", "training.steps": 6}
)


def opened(*configs: RunConfig, view: str = "development") -> tuple[AppTest, list[Run]]:
    """The Train page in this view, with ended runs."""
    app = page("train.py", pace="Full speed")
    runs = [services().runs.start(visitor(app), config) for config in configs]
    assert all(run.wait("finished") for run in runs)
    app.session_state["train view"] = view
    return fine(app.run()), runs


def measured(app: AppTest) -> AppTest:
    """The page once a press of Measure has had its effect."""
    app.button(key="development begin").click().run()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


def found_of(run: Run, points: int = 0) -> Development:
    found = measurements.known("development", development_view.key_of(run, points))
    assert found is not None
    return found


def specs(app: AppTest) -> dict[str, dict]:
    """The charts by the beginning of their description."""
    every = [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]
    return {spec["description"].partition(":")[0]: spec for spec in every}


def spectrum_of(app: AppTest) -> list[float]:
    """The bars of the spectrum."""
    (chart,) = [each for each in app.get("vega_lite_chart") if "frequency" in each.proto.spec]
    return convert_arrow_bytes_to_pandas_df(chart.proto.data.data)["share"].tolist()


def values(spec: dict) -> list[dict]:
    """The rows of the lines."""
    return spec["layer"][-1]["data"]["values"]


def test_numbers_on_the_page_are_those_of_the_python_functions(host):
    app, (run,) = opened(TINY)
    assert specs(app) == {}
    app = measured(app)
    found, last = found_of(run), run.model_at(run.step)
    assert found.steps[0] == 0
    assert found.steps[-1] == run.step
    of_roles = playground.roles(last, found.sequences)
    weights = {row["line"]: row["value"] for row in values(specs(app)["Attention to the nearest role of each head"])}
    ranks = {row["line"]: row["value"] for row in values(specs(app)["Rank of QK"])}
    for head in heads(TINY.model):
        best = max(of_roles.scores[head.path], key=lambda score: score.above)
        name = development_charts.label(head, TINY.model)
        assert weights[f"{name} {ROLES[best.role].short}"] == best.weight
        assert ranks[name] == effective_rank(found.states[-1].heads[head].qk)
    norms = {row["line"]: row["value"] for row in values(specs(app)["Weight norm"])}
    assert norms == pytest.approx(dict(zip(by_part(run.config), run.grouped("weight_norm")[1][-1], strict=True)))
    assert "Rank of OV" in specs(app)
    assert "times the" in prose(app)
    assert f"Measured {len(found.steps)} steps" in prose(app)
    app.selectbox(key="development role").set_value("mirror").run()
    rows = values(specs(fine(app))["Attention to the mirror position n+1-t"])
    head = Head("decoder.layers.0.cross_attention", 1)
    wanted = [state.heads[head].weight("mirror") for state in found.states]
    assert [row["value"] for row in rows if row["line"] == "cross 1.2"] == wanted
    header, *lines = table(found.rows())
    assert len(lines) == len(found.steps)
    assert header[:2] == ["step", "training_exact_match"]


def test_a_transition_opens_its_step_and_its_head(host, monkeypatch):
    steep = two_transitions()
    monkeypatch.setattr(Development, "transitions", property(lambda self: steep))
    app, _ = opened(TINY)
    app = measured(app)
    assert "Head 2 of the cross-attention in layer 1 becomes a copying head between steps 2 and 4." in prose(app)
    chart = specs(app)["Loss"]
    assert [row["number"] for row in chart["layer"][1]["data"]["values"]] == [1]
    assert chart["layer"][0]["data"]["values"] == [{"first": 2, "end": 4}]
    app.button(key="open transition 1").click().run()
    head = steep[0].head
    assert app.session_state[keys.AT_STEP.name] == "4"
    assert app.session_state[keys.OPERATION.name] == weights_tap(head.attention)
    assert app.session_state[keys.HEAD.name] == 1


def two_transitions() -> tuple[transitions.Transition, ...]:
    head = Head("decoder.layers.0.cross_attention", 1)
    found = transitions.of_role(head, "copied", [0, 2, 4, 6, 8, 10], [0.1, 0.1, 0.9, 0.9, 0.9, 0.9], 0.1)
    assert found is not None
    sharp = transitions.of_entropy(head, [0, 2, 4, 6, 8, 10], [2.0, 2.0, 2.0, 0.1, 0.1, 0.1])
    assert sharp is not None
    return found, replace(sharp, first=4, last=6)


def test_a_modular_task_has_a_spectrum_and_a_grid_at_any_measured_step(host):
    app, (run,) = opened(MODULAR)
    app = measured(app)
    found = found_of(run)
    last = found.states[-1].spectrum
    assert spectrum_of(app) == pytest.approx([power / sum(last) for power in last])
    assert f"After step {run.step}, " in prose(app)
    first = found.states[0]
    app.select_slider(key="development step").set_value(0).run()
    assert f"After step 0, {100 * first.grid.right.mean():.1f} % of 25 pairs" in prose(fine(app))
    assert spectrum_of(app) == pytest.approx([power / sum(first.spectrum) for power in first.spectrum])


def test_even_steps_are_replayed(host):
    app, (run,) = opened(TINY.updated({"training.steps": 60, "training.eval_every": 30}))
    app.button_group(key="development points").set_value(20).run()
    measured(app)
    found = found_of(run, 20)
    assert {round(60 * index / 19) for index in range(20)} <= set(found.steps)
    assert found.replayed > 10
    assert found.problem == ""


def test_a_page_without_a_run_and_a_run_that_trains_say_what_to_do(host):
    app = page("train.py", pace="Full speed")
    app.session_state["train view"] = "development"
    assert "Train one in the Run view" in fine(app.run()).info[0].value
    run = services().runs.start(visitor(app), TINY.updated({"training.steps": 10_000}), pace=1.0)
    until(lambda: run.step)
    assert "Pause it to measure it." in prose(fine(app.run()))
    run.stop()


def test_runs_are_compared_by_a_head(host, monkeypatch):
    steep = two_transitions()[:1]
    monkeypatch.setattr(Development, "transitions", property(lambda self: steep))
    app, runs = opened(TINY, TINY.updated({"seed": 1}), view="compare")
    app = measured(measured(app))
    every = [found_of(run) for run in runs]
    path = "decoder.layers.0.cross_attention.head.0"
    app.selectbox(key="development head").set_value(path).run()
    rows = values(specs(fine(app))["Rank of QK"])
    head = Head("decoder.layers.0.cross_attention", 0)
    for run, found in zip(runs, every, strict=True):
        wanted = [effective_rank(state.heads[head].qk) for state in found.states]
        assert [row["value"] for row in rows if row["line"] == run.metadata.name] == wanted
        assert f"{run.metadata.name}: no transition." in prose(app)
    app.selectbox(key="development head").set_value(path.replace("head.0", "head.1")).run()
    assert prose(fine(app)).count("becomes a copying head between steps 2 and 4.") == 2
    app.button(key=f"open transition {runs[0].id}-1").click().run()
    assert app.session_state[keys.RUN.name] == runs[0].id
    assert app.session_state[keys.AT_STEP.name] == "4"
    assert app.session_state[keys.HEAD.name] == 1


def numbers(spec: dict, width: int) -> list[str]:
    """The labels of marks as drawn at this width, row by row."""
    drawn = vl_convert.vegalite_to_svg(json.dumps({**spec, "width": width}))
    return re.findall(r'fill="#888888">([^<]*)</text>', drawn)


def test_lines_leave_out_what_is_not_a_number_and_near_marks_share_a_label():
    marks = [Mark(10, 20, 1), Mark(15, 21, 2), Mark(100, 110, 3), Mark(400, 500, 4), Mark(10, 22, 5, row=1)]
    spec = step_lines(
        {"a": [(0, 0.5), (1, float("nan"))], "b": [(0, 1.0)]},
        title="Loss",
        unit="nats",
        last=1000,
        colours=["#111111"],
        marks=marks,
    )
    assert values(spec) == [{"line": "a", "step": 0, "value": 0.5}, {"line": "b", "step": 0, "value": 1.0}]
    assert numbers(spec, 200) == ["1-3", "4", "5"]
    assert numbers(spec, 800) == ["1-2", "3", "4", "5"]
    assert numbers(step_lines({"a": []}, title="", unit="", last=9, colours=["#111111"]), 200) == []
    many = {str(line): [(0, 0.5)] for line in range(32)}
    colours = SERIES_COLOURS["light"]
    encoding = step_lines(many, title="", unit="", last=9, colours=colours)["layer"][-1]["encoding"]
    looks = [encoding[name]["scale"]["range"] for name in ("color", "strokeDash")]
    assert looks[1][:2] == [[1, 0], [6, 3]]
    assert len({(colour, *dash) for colour, dash in zip(*looks, strict=True)}) == 32
    script = (UI / "parts" / "charts" / "chart_theme.ts").read_text()
    assert f"DASHES = {json.dumps([*SERIES_DASHES])}" in script
    assert spectrum([3.0, 1.0], colour="#111111")["data"]["values"][0] == {"frequency": 1, "share": 0.75}


def test_the_matrices_of_a_head_are_named_as_its_attention_computes_them():
    plain, grouped, latent = (
        development_charts.weights_words(small_config("decoder-only", **settings).model)
        for settings in ({}, {"attention": "grouped_query", "n_kv_heads": 1}, {"attention": "latent"})
    )
    assert plain == "QK is W_Q transposed times W_K, OV is W_O times W_V."
    assert grouped == f"{plain} The heads of a group have the same W_K and W_V."
    assert latent == f"{plain} W_K is W_UK times W_DKV, and W_V is W_UV times W_DKV."
    turned = small_config("decoder-only", attention="latent", positions="rotary", d_rope=2).model
    assert development_charts.weights_words(turned).endswith("W_DKV, without the rotary part.")

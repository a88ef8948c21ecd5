"""Exact match by length on the Compare view: what is measured, and the message for what is not."""

import json

import pytest

from playground.experiments.lengths import each_by_length, usual
from playground.pictures import charts
from playground.settings.config import RunConfig
from playground.ui.session.services import services
from tests.helpers import TINY, prose, until
from tests.pages import button, fine, page, visitor
from tests.pages import host as host  # for every test here too

SETTINGS = {"task.max_length": 3, "task.vocab_size": 6, "model.positions": "sinusoidal"}
ENDLESS = TINY.updated(SETTINGS)


def opened(*configs: RunConfig, **options):
    """The Compare view of ended runs, and these."""
    app = page("train.py", pace="Full speed")
    runs = [services().runs.start(visitor(app), config, **options) for config in configs]
    if not options:
        assert all(run.wait("finished") for run in runs)
    app.session_state["train view"] = "compare"
    return fine(app.run()), runs


def measured(app):
    """The page once a press of Measure has had its effect."""
    button(app, "Measure").click().run()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


def chart_of(app) -> dict:
    (chart,) = app.get("vega_lite_chart")
    return json.loads(chart.proto.spec)


def test_runs_are_measured_at_the_usual_lengths_and_drawn_together(host):
    app, runs = opened(ENDLESS, ENDLESS.updated({"model.positions": "learned", "task.min_length": 2}))
    assert f"{runs[1].metadata.name} reads inputs up to length 3. The trained position table ends there." in prose(app)
    assert f"{runs[0].metadata.name} reads" not in prose(app)
    app = measured(app)
    (*_, (done, total, found)) = each_by_length([run.model_at() for run in runs])
    assert done == total
    names = [run.metadata.name for run in runs]
    wanted = [
        (name, each.length, each.exact_match)
        for name, scores in zip(names, found, strict=True)
        for each in scores
        if each.sequences
    ]
    assert {length for name, length, _ in wanted if name == names[0]} <= set(usual(ENDLESS))
    rows = next(rows for rows in _data(chart_of(app)) if "run" in rows[0])
    assert [(row["run"], row["length"], row["exact_match"]) for row in rows] == wanted
    shaded = next(rows for rows in _data(chart_of(app)) if "from" in rows[0])
    assert shaded == [{"from": 0.5, "to": 3.5}, {"from": 1.5, "to": 3.5}]
    scale = chart_of(app)["layer"][2]["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True)) == {
        run.metadata.name: charts.SERIES_COLOURS["light"][run.metadata.colour] for run in runs
    }


def _data(spec: dict) -> list[list[dict]]:
    """The rows that a specification carries, at any depth."""
    if isinstance(spec, dict):
        own = [spec["values"]] if isinstance(spec.get("values"), list) and spec["values"] else []
        return own + [found for each in spec.values() for found in _data(each)]
    return [found for each in spec for found in _data(each)] if isinstance(spec, list) else []


@pytest.mark.parametrize("task", ["dates", "modular_addition"])
def test_a_task_without_lengths_says_so(host, task):
    app, _ = opened(TINY.updated({"task.name": task, "training.steps": 2}))
    assert f"Training already has all input lengths of the task {task}." in prose(app)
    assert "Measure" not in [each.label for each in app.button]


def test_a_run_that_trains_is_measured_later(host):
    app, (run,) = opened(ENDLESS.updated({"training.steps": 100_000}), paused=True)
    assert run.wait("paused")
    assert f"{run.metadata.name}: This run has no training step yet." in prose(fine(app.run()))
    run.resume()
    assert run.wait("running")
    assert f"{run.metadata.name}: This run is training. Pause it to measure it." in prose(fine(app.run()))
    assert "Measure" not in [each.label for each in app.button]
    run.pause()
    assert run.wait("paused")
    fine(app.run())
    assert "Measure" in [each.label for each in app.button]

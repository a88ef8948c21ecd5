"""Measurements of pages: what may start, whose turn it is, and when one ends that nobody waits for."""

import re
import threading
import time
from pathlib import Path
from typing import get_args

import pytest

from playground.common.bounded_cache import BoundedCache
from playground.interpret.ablation import PartKind
from playground.interpret.counterfactual import BatchLeftOut, SwitchedOff
from playground.model.head_paths import heads
from playground.settings.config import RunConfig
from playground.settings.estimate import estimate
from playground.ui.parts import measurement_costs, measurements
from playground.ui.parts.measurement_costs import COSTS
from playground.ui.session import tabs
from playground.ui.session.services import services
from tests.helpers import HANG, messages, small_model, until, written
from tests.pages import ROOT, button, fine, host, new_tab, text, visitor

__all__ = ["host"]  # a fixture that acts by itself

RANK = "Switch off each head in turn"
HOURS = 19 * 3600.0


def opened():
    """Two visitors can open it: the view that ranks the heads of a model."""
    return new_tab("experiment.py", view="change", model="reverse-1-16")


def jobs(app, kind: str):
    return [job for job in services().measurements.jobs(visitor(app)) if job.kind.startswith(kind)]


def ended(app):
    until(lambda: all(job.done for job in services().measurements.jobs(visitor(app))))
    return fine(app.run())


@pytest.fixture(autouse=True)
def nothing_is_known(monkeypatch):
    """Another test may have measured the same model."""
    monkeypatch.setattr(measurements, "_known", BoundedCache(1_000_000, lambda known: known.size))


@pytest.fixture
def endless(monkeypatch):
    """Ranking all heads takes hours, until the test is over."""
    over = threading.Event()

    def measured(work, *arguments, **limits):
        if work.__name__ != "ablate_each":
            yield from real(work, *arguments, **limits)
            return
        while not over.wait(0.05):
            yield None

    real = measurements.measured
    monkeypatch.setattr(measurements, "measured", measured)
    monkeypatch.setitem(COSTS, "each-head", lambda *_: HOURS)
    yield
    over.set()
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))


def test_an_error_of_ours_is_shown_as_ours_and_can_be_tried_again(monkeypatch):
    def broken(*_arguments, **_limits):
        raise KeyError("a table of ours")
        yield

    monkeypatch.setattr(measurements, "_known", BoundedCache(1_000_000, lambda known: known.size))
    with monkeypatch.context() as patched:
        patched.setattr(measurements, "measured", broken)
        app = ended(opened())
    shown = text(written(app))
    assert "The measurement failed because of an error in this app." in shown
    assert "a table of ours" not in shown
    assert [each for each in app.button if each.label == "Try again"]


def test_every_measurement_of_a_page_has_a_cost():
    kinds = set()
    for path in (Path(ROOT) / "playground" / "ui").rglob("*.py"):
        kinds |= set(re.findall(r'measurements\.show\(\s*f?"([^"]+)"', path.read_text()))
    assert kinds - {"each-{kind}"} <= set(COSTS)
    each = {f"each-{kind}" for kind in get_args(PartKind)}
    assert {"each-head", "each-sublayer"} <= each <= set(COSTS)
    assert len(kinds) == len(COSTS) - len(each) + 1


def test_costs_grow_with_the_work():
    model = small_model("encoder-decoder")
    one = COSTS["score-intact"](model)
    assert COSTS["each-head"](model, "head", "zero") > len(heads(model.config.model)) * one
    assert COSTS["programs"](model) > len(heads(model.config.model)) * one
    config = RunConfig()
    first = COSTS["counterfactual"](config, config.training.steps, BatchLeftOut(1))
    assert first > estimate(config).seconds
    half = config.training.steps // 2
    assert COSTS["counterfactual"](config, half, SwitchedOff("decoder", half - 1)) < first / 2
    assert COSTS["lengths"]([config, config]) == pytest.approx(2 * COSTS["lengths"]([config]))
    assert COSTS["patch-map"](model, "1", "2", "head") > COSTS["patch-map"](model, "1", "2", "stream")


def test_the_largest_model_is_beyond_the_limit_of_a_shared_host_and_the_shipped_one_is_not(host):
    host(run_minutes=30)
    large = RunConfig().updated(
        {"model.n_layers": 6, "model.n_heads": 16, "model.d_model": 128, "task.max_length": 64, "task.min_length": 64}
    )
    each = len(heads(large.model)) * measurement_costs.held_out_seconds(large)
    assert services().runs.long_work.refusal(each)
    app = opened()
    assert button(app, RANK)
    assert not messages(app, "care")


def test_what_takes_too_long_here_is_refused_before_it_starts(host, monkeypatch):
    host(run_minutes=30)
    monkeypatch.setitem(COSTS, "each-head", lambda *_: HOURS)
    app = opened()
    assert messages(app, "care") == [
        "This needs about 19 hours of computing time. The limit here is 30 minutes. Use a smaller model."
    ]
    assert button(app, RANK).disabled
    assert not button(app, "Switch off each sublayer in turn").disabled


def test_without_a_limit_the_estimate_stands_beside_the_button(monkeypatch):
    monkeypatch.setitem(COSTS, "each-head", lambda *_: HOURS)
    app = opened()
    assert button(app, RANK)
    assert "Estimated time: 19 hours" in text(written(app))


def test_a_long_measurement_waits_for_a_press(monkeypatch):
    monkeypatch.setitem(COSTS, "score-intact", lambda *_: HOURS)
    app = opened()
    assert not jobs(app, "score-intact")
    assert button(app, "Measure")


def test_two_visitors_long_measurements_dont_block_the_short_one_of_another(endless, host):
    host(workers=2)  # one slot for long work
    for _ in range(2):
        gone = ended(opened())
        button(gone, RANK).click().run()
    until(lambda: len(services().runs.long_work._waiting) == 1)
    app = ended(opened())
    button(app, "Switch off each sublayer in turn").click().run()
    until(lambda: jobs(app, "each-sublayer")[0].stage != "Waiting")
    until(lambda: jobs(gone, "each-head")[0].stage == "Waiting for other visitors")
    for job in jobs(app, "each-sublayer"):
        services().measurements.cancel(visitor(app), job.id)


def test_a_measurement_ends_when_the_tab_that_asked_was_closed(endless, monkeypatch):
    open_tabs = {"first"}
    monkeypatch.setattr(tabs, "this", lambda: "first")
    monkeypatch.setattr(tabs, "is_open", open_tabs.__contains__)
    app = ended(opened())
    button(app, RANK).click().run()
    (job,) = jobs(app, "each-head")
    assert not job.done
    monkeypatch.setattr(measurements, "LEFT_SECONDS", HANG)
    open_tabs.clear()  # a reload: the page comes again in another tab
    open_tabs.add("second")
    monkeypatch.setattr(tabs, "this", lambda: "second")
    fine(app.run())
    assert "second" in job.tabs
    monkeypatch.setattr(measurements, "LEFT_SECONDS", 0.2)
    time.sleep(0.5)
    assert not job.done
    open_tabs.clear()
    until(lambda: job.done)
    assert not services().runs.long_work._active
    assert button(fine(app.run()), RANK), "who comes back can start it again"


def test_a_waiting_measurement_ends_when_its_tab_was_closed(endless, monkeypatch, host):
    host(workers=2)
    first, second = ended(opened()), ended(opened())
    button(first, RANK).click().run()
    button(second, RANK).click().run()
    until(lambda: len(services().runs.long_work._waiting) == 1)
    monkeypatch.setattr(tabs, "is_open", lambda tab: False)
    monkeypatch.setattr(measurements, "LEFT_SECONDS", 0.0)
    until(lambda: not services().runs.long_work._waiting and not services().runs.long_work._active)

"""Many simultaneous visitors: all get responses, and none gets another visitor's data.

A test of correctness; `python -m tests.load` measures times.
"""

import re

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import app_under_test
from tests.helpers import examples, live
from tests.load.app import App, application
from tests.load.client import Visitor, kind_of
from tests.load.figures import Figure, Report, quantile
from tests.load.flood import flood
from tests.load.isolation import Marks, isolation
from tests.load.scenarios import Options, step


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    script = app_under_test(tmp_path_factory.mktemp("app"))
    with application({"PLAYGROUND_MODE": "shared"}, script=script) as running:
        yield running


def value(report: Report, name: str) -> float:
    return next(figure.value for figure in report.figures if figure.name == name)


def test_every_stepping_visitor_gets_every_response(app: App):
    report = live(step(app, Options(sessions=4, clicks=5, think=0)))
    assert not report.errors, report.text()
    assert value(report, "Next or Previous, count") == 20


def test_a_step_draws_the_operation_and_nothing_around_it(app: App):
    drawn: list[str] = []

    def hear(_: bytes, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "delta":
            drawn.append(kind_of(message))

    async def story() -> None:
        async with Visitor(app.address, "step_through", on_message=hear) as visitor:
            drawn.clear()
            await visitor.click("Next")

    live(story())
    assert sorted(drawn) == ["add_block", "bidi_component", "button", "button", "html", "markdown"]


def test_visitors_never_see_each_others_data(app: App):
    acts = examples(30)
    report = live(isolation(app, Options(sessions=3, acts=acts)))
    assert not report.errors, report.text()
    assert value(report, "acts") == acts
    assert value(report, "own marks met again") > acts / 10
    assert "Traceback" not in app.log, app.log[app.log.index("Traceback") :][:4000]


def test_a_flood_is_refused_and_a_visitor_gets_every_response(app: App):
    options = Options(sessions=6, seconds=0.5, steps=20, flood="^attention$|^QR|^cell|^slow", seed=1)
    report = live(flood(app, options))
    assert not report.errors, report.text()
    found = {figure.name: figure.value for figure in report.figures}
    assert found["attention, nobody: 403"] > 0
    assert found["QR code, nobody: 403"] > 0
    for name in ("attention, one visitor", "attention, new visitors", "QR code, new visitors", "cell, new visitors"):
        assert found[f"{name}: 200"] > 0
    assert not [name for name in found if re.search(r": 5\d\d$|Error$", name)], report.text()
    assert found["slow uploads: own upload of the visitor"] < 60, "it is taken while slow ones are on their way"
    for name in ("attention, new visitors", "slow uploads"):
        assert found[f"{name}: page p95"] > 0
        assert found[f"{name}: click p95"] > 0


def test_the_search_finds_every_kind_of_mark():
    marks = Marks()
    marks.cookies[b"a-random-name"] = 0
    word, seed, sequence = marks.word(0, "name"), marks.seed(0), marks.sequence(0, "input")
    spans = "".join(f'<span class="tok">{symbol}</span>' for symbol in sequence.split())
    turned = str(sequence.split()[::-1])
    contents = [f"Saved {word}: ...", f"Seed 0 → {seed}", spans, turned]
    for content in contents:
        marks.search(content.encode(), 0, "here")
    assert marks.seen == {"name": 1, "seed": 1, "input": 2}
    assert not marks.leaks
    for content in contents:
        marks.search(content.encode(), 1, "there")
    assert marks.leaks == [f"{kind} of one visitor in there" for kind in ("name", "seed", "input", "input")]
    marks.search(b"a-random-name", 0, "here")
    assert marks.leaks[-1] == "a visitor's cookie in here"


def test_quantiles_are_values_that_were_measured():
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile(range(1, 101), 0.95) == 95
    assert quantile([7], 0.95) == 7


@pytest.mark.parametrize(
    ("figure", "reached", "ratio"),
    [
        (Figure("time", 50, "ms", 100), True, "0.50"),
        (Figure("time", 150, "ms", 100), False, "1.50"),
        (Figure("updates", 2, "/s", 3, at_least=True), False, "0.67"),
        (Figure("time", quantile([], 0.5), "ms", 100), False, "nan"),
        (Figure("leaks", 0, "", 0), True, "–"),
    ],
)
def test_a_figure_is_listed_with_its_goal(figure, reached, ratio):
    assert figure.reached == reached
    assert figure.row()[3] == ratio

"""What browsers get of a run: at first everything, then only what is new, and it always adds up to the same."""

import csv
import io
import json
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from playground.runs import Run
from playground.training import Example
from playground.ui import curves, state
from tests.helpers import TINY


@pytest.fixture
def run(monkeypatch):
    """A run that nobody trains, which the host knows."""
    run = Run(TINY, name="amber-fox")
    monkeypatch.setattr(state, "RUNS", SimpleNamespace(watched=lambda run_id: run if run_id == run.id else None))
    return run


@pytest.fixture
def client():
    return TestClient(Starlette(routes=curves.routes()))


def take(run: Run, *steps: int) -> None:
    """Has these steps recorded, every fifth with a test."""
    for step in steps:
        record = {"step": step, "seconds": step / 10}
        if step:
            record |= {"loss": 3 / step, "learning_rate": 0.1 + step / 7}
        if step % 5 == 0:
            record |= {"exact_match": step / 1000, "token_accuracy": 0.5, "validation_loss": 2.0, "sequences": 100}
        run.history.append(record)


class Browser:
    """Holds the tables as a browser does."""

    def __init__(self, client: TestClient, run: Run) -> None:
        self.client, self.run = client, run
        self.version, self.tables, self.received = 0, {}, 0

    def ask(self) -> dict:
        answer = self.client.get(f"/runs/{self.run.id}/curves", params={"have": self.version})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        told = answer.json()
        self.version = told["version"]
        self.received = len(answer.content)
        for name, news in told["tables"].items():
            self.tables[name] = self.tables.get(name, [])[: news["keep"]] + news["rows"]
        return told


def test_a_browser_gets_everything_once_and_then_only_what_is_new(client, run):
    early, late = Browser(client, run), Browser(client, run)
    take(run, *range(8))
    early.ask()
    take(run, 8, 9, 10)
    told = early.ask()
    assert [row[0] for row in told["tables"]["steps"]["rows"]] == [8, 9, 10]
    assert [row[0] for row in told["tables"]["tests"]["rows"]] == [10]
    assert all(not news["rows"] for news in early.ask()["tables"].values())
    late.ask()
    assert early.tables == late.tables == curves.tables(run)


def test_long_runs_come_thinned_and_in_small_pieces_and_still_add_up(client, run):
    browser = Browser(client, run)
    for first in range(0, 6000, 20):
        take(run, *range(first, first + 20))
        browser.ask()
        assert browser.tables == curves.tables(run)
        assert browser.received <= 40_000
    assert [row[0] for row in browser.tables["steps"]][-1] == 5999


@pytest.mark.parametrize("have", ["", "x", "-1", "12", "9" * 50, "٣"])
def test_who_has_something_unknown_gets_everything(client, run, have):
    take(run, 0, 1, 2)
    told = client.get(f"/runs/{run.id}/curves", params={"have": have}).json()
    assert [row[0] for row in told["tables"]["steps"]["rows"]] == [0, 1, 2]


def test_what_is_taken_back_is_taken_back_in_the_browser_too(client, run):
    browser = Browser(client, run)
    take(run, *range(12))
    browser.ask()
    run.history.cut_after(6)
    take(run, 7)
    browser.ask()
    assert [row[0] for row in browser.tables["steps"]] == list(range(8))
    assert [row[0] for row in browser.tables["tests"]] == [0, 5]


def test_a_number_is_as_exact_as_it_is_shown_and_what_was_not_measured_is_nothing(client, run):
    take(run, 0, 3)
    rows = client.get(f"/runs/{run.id}/curves").json()["tables"]["steps"]["rows"]
    assert rows[0] == [0, None, None, None]
    assert rows[1] == [3, 1.0, pytest.approx(0.1 + 3 / 7, rel=1e-6), None]


def test_examples_come_in_the_names_of_tokens_without_the_end(client, run):
    run.examples = (Example((4, 5), (4, 5, 2), (4, 6, 6)),)
    assert client.get(f"/runs/{run.id}/curves").json()["examples"] == [
        {"reads": ["0", "1"], "right": ["0", "1"], "says": ["0", "2", "2"]}
    ]


def test_the_file_has_every_step_as_exact_as_it_was_measured(client, run):
    take(run, *range(3000))
    answer = client.get(f"/runs/{run.id}/metrics.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="amber-fox.csv"'
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(lines) == 3000
    assert float(lines[7]["learning_rate"]) == 0.1 + 7 / 7
    assert float(lines[2999]["loss"]) == 3 / 2999
    assert lines[7]["exact_match"] == ""
    assert json.loads(lines[5]["exact_match"]) == 0.005


@pytest.mark.parametrize("path", ["curves", "metrics.csv"])
def test_a_run_that_is_gone_is_said_to_be(client, run, path):
    answer = client.get(f"/runs/{'x' * 16}/{path}")
    assert answer.status_code == 410
    assert answer.text == "This run is not here any more."

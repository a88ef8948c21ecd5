"""What browsers get of a run: at first everything, then only what is new, and it always adds up to the same."""

import csv
import io
import json
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from playground.runs import Run, Runs
from playground.runs.metadata import BranchPoint, RunMetadata
from playground.settings.config import Change
from playground.settings.host import Host
from playground.ui import startup
from playground.ui.session.services import services
from tests.helpers import TINY, browser


@pytest.fixture
def run(monkeypatch):
    """A run that nobody trains, which the host knows."""
    run = Run(RunMetadata(config=TINY, name="amber-fox"))
    monkeypatch.setattr(services(), "runs", SimpleNamespace(watched=lambda run_id: run if run_id == run.id else None))
    return run


@pytest.fixture
def client():
    return browser(*startup.routes())


def take(run: Run, *steps: int, factor: float = 1.0) -> None:
    """Has these steps recorded, every fifth with a test."""
    for step in steps:
        record = {"step": step, "seconds": step / 10}
        if step:
            record |= {"loss": factor * 3 / step, "learning_rate": 0.1 + step / 7}
        if step % 5 == 0:
            record |= {"exact_match": step / 10000, "token_accuracy": 0.5, "validation_loss": 2.0, "sequences": 100}
            record |= {"position_accuracy": [0.25, None, 1.0], "attention_entropy": {"a": [1.5, step], "b": [0.5]}}
            record |= {"predictions": [[4, 4 + step // 5 % 4, 2], [5]]}
        run.store.history.append(record)
        run.store.frames.append(record)


def events_once(client: TestClient, channel: str) -> dict:
    """The answer of the event stream about one channel, NAME@VERSION; empty if nothing is new."""
    answer = client.get("/live", params={"c": channel, "once": 1})
    assert answer.status_code == 200
    assert answer.headers["cache-control"].startswith("no-store")
    return json.loads(answer.text.partition("data: ")[2] or "{}")


class Browser:
    """Holds the tables as a browser does."""

    def __init__(self, client: TestClient, run: Run) -> None:
        self.client, self.run = client, run
        self.version, self.tables, self.more, self.received = 0, {}, {}, 0

    def ask(self) -> dict:
        update = events_once(self.client, f"curves/{self.run.id}@{self.version}")
        self.received = len(json.dumps(update))
        if not update:
            return update
        self.version = update.pop("version")
        assert update.pop("channel") == f"curves/{self.run.id}"
        for name, news in update["tables"].items():
            before = [] if news.get("all") else self.tables.get(name, [])
            gone = set(news.get("gone", ()))
            self.tables[name] = [row for at, row in enumerate(before) if at not in gone] + news["rows"]
        self.more |= {key: update[key] for key in update if key != "tables"}
        return update

    def steps(self, table: str) -> list[int]:
        return [row[0] for row in self.tables[table]]


def everything(client: TestClient, run: Run) -> dict:
    """What a browser gets that comes again."""
    fresh = Browser(client, run)
    fresh.ask()
    return fresh.tables


def test_a_browser_gets_everything_once_and_then_only_what_is_new(client, run):
    browser = Browser(client, run)
    take(run, *range(8))
    browser.ask()
    take(run, 8, 9, 10)
    news = browser.ask()
    assert [row[0] for row in news["tables"]["steps"]["rows"]] == [8, 9, 10]
    assert [row[0] for row in news["tables"]["tests"]["rows"]] == [10]
    assert "tokens" not in news
    assert browser.ask() == {}
    assert browser.tables == everything(client, run)
    assert browser.more["tokens"][4] == "0"
    assert browser.more["kept"] == []


def test_tables_by_position_by_head_and_by_token(client, run):
    take(run, *range(6))
    tables = everything(client, run)
    assert tables["position_accuracy"] == [[step, 0.25, None, 1.0] for step in (0, 5)]
    assert tables["attention_entropy"] == [[0, 1.5, 0, 0.5], [5, 1.5, 5, 0.5]]
    assert tables["predictions"] == [[0, [[4, 4, 2], [5]]], [5, [[4, 5, 2], [5]]]]


def test_long_runs_come_thinned_and_in_small_pieces_and_still_add_up(client, run):
    browser = Browser(client, run)
    for first in range(0, 4_000, 25):
        take(run, *range(first, first + 25))
        browser.ask()
        assert browser.received <= 40_000
        if first % 500 == 0:
            assert browser.tables == everything(client, run)
    assert browser.steps("steps")[-1] == 3_999
    assert browser.steps("predictions")[-1] == 3_995
    assert all(len(rows) <= 800 for rows in browser.tables.values())


@pytest.mark.parametrize("have", ["", "x", "-1", "12", "9" * 50, "٣"])
def test_who_has_something_unknown_gets_everything(client, run, have):
    take(run, 0, 1, 2)
    news = events_once(client, f"curves/{run.id}@{have}")
    assert [row[0] for row in news["tables"]["steps"]["rows"]] == [0, 1, 2]


def test_what_is_taken_back_or_taken_again_with_other_settings_is_so_in_the_browser_too(client, run):
    browser = Browser(client, run)
    take(run, *range(12))
    browser.ask()
    run.store.history.cut_after(6)
    run.store.frames.cut_after(6)
    take(run, 7)
    browser.ask()
    assert browser.steps("steps") == list(range(8))
    assert browser.steps("predictions") == [0, 5]
    run.store.history.cut_after(6)
    take(run, *range(7, 13), factor=2)
    browser.ask()
    assert browser.tables == everything(client, run)


def test_changes_and_the_branch_point_of_a_run_have_labels(client, run):
    changes = (
        Change(3, {"training.learning_rate": 0.25}),
        Change(5, {"training.batch_size": 8, "training.learning_rate": 0.5}),
        Change(90, {"training.batch_size": 16}),
    )
    run.store.set(origin=BranchPoint(run_id="id", name="mellow-pike", step=2), changes=changes)
    take(run, *range(7))
    was = TINY.training.learning_rate
    assert events_once(client, f"curves/{run.id}")["changes"] == [
        {"step": 2, "label": "from mellow-pike"},
        {"step": 3, "label": f"Learning rate {was} → 0.25"},
        {"step": 5, "label": "Batch size 4 → 8, Learning rate 0.25 → 0.5"},
    ]
    run.config = TINY.updated({"training.schedule": "cosine"})
    run.store.set(changes=(Change(3, {"training.steps": 90}),))
    label = f"Steps {TINY.training.steps} → 90 (cosine to the new end)"
    assert events_once(client, f"curves/{run.id}")["changes"][1] == {"step": 3, "label": label}
    run.store.set(changes=())  # known at once, also while the run stands still
    assert len(events_once(client, f"curves/{run.id}")["changes"]) == 1


def test_a_number_is_as_exact_as_it_is_shown_and_what_was_not_measured_is_nothing(client, run):
    take(run, 0, 3)
    rows = events_once(client, f"curves/{run.id}")["tables"]["steps"]["rows"]
    assert rows[0] == [0, None, None, None]
    assert rows[1] == [3, 1.0, pytest.approx(0.1 + 3 / 7, rel=1e-6), None]


def test_the_file_has_every_step_as_exact_as_it_was_measured(client, run):
    take(run, *range(3000))
    answer = client.get(f"/runs/{run.id}/metrics.csv")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''amber-fox.csv"
    lines = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(lines) == 3000
    assert float(lines[7]["learning_rate"]) == 0.1 + 7 / 7
    assert float(lines[2999]["loss"]) == 3 / 2999
    assert lines[7]["exact_match"] == ""
    assert float(lines[5]["exact_match"]) == 0.0005


def test_a_file_is_called_as_its_run_whatever_that_is(client, run):
    run.rename('Läufer „Ω" 1/2')
    answer = client.get(f"/runs/{run.id}/metrics.csv")
    _, name = answer.headers["content-disposition"].split("UTF-8''")
    assert unquote(name) == 'Läufer „Ω" 1/2.csv'


def test_a_deleted_run_is_reported_as_gone(client, run):
    name = f"curves/{'x' * 16}"
    assert events_once(client, name) == {"channel": name, "gone": True}
    answer = client.get(f"/runs/{'x' * 16}/metrics.csv")
    assert answer.status_code == 410
    assert answer.text == "This run no longer exists."


def test_curves_come_after_a_new_start_of_the_server_before_the_owner_does(tmp_path, monkeypatch, client):
    runs = Runs(Host(checkpoints=tmp_path))
    run = runs.start("ada", TINY)
    assert run.wait("finished")
    runs.close()
    monkeypatch.setattr(services(), "runs", Runs(Host(checkpoints=tmp_path)))
    assert len(events_once(client, f"curves/{run.id}")["tables"]["steps"]["rows"]) == 41
    assert events_once(client, "curves/somebody-else")["gone"]

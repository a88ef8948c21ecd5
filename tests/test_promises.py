"""The README's promises: each is held by a test that the architecture document names, and such a test exists."""

import ast
import re
from functools import cache
from pathlib import Path

from playground.recording import REPOSITORY
from playground.storage.checkpoint import load
from playground.training.measure import EXAMPLES
from tests import helpers
from tests.helpers import TINY, first, timeless
from tests.test_cli import done
from tests.thorough import FEWER_CASES, LEFT_OUT, few

ROOT = Path(__file__).parent.parent
TABLE = (ROOT / ".github" / "ARCHITECTURE.md").read_text().partition("## Promises and the tests that hold them")[2]


@cache
def names_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_promise_names_tests_that_exist():
    rows = re.findall(r"^\| (?!promise)([^|]+) \| ([^|]+) \|$", TABLE, re.MULTILINE)
    assert len(rows) >= 20
    for promise, held_by in rows:
        assert "`tests/" in held_by, promise
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TABLE)
    assert not [f"{path}::{name}" for path, name in named if name not in names_in(path)]


def test_what_is_left_out_without_thorough_exists():
    files = (tests for group in LEFT_OUT.values() for tests in group.items())
    named = [*FEWER_CASES, *(f"{file}::{test}" for file, tests in files for test in tests)]
    assert sorted(set(named)) == sorted(named)
    assert not [name for name in named if name.partition("::")[2] not in names_in(f"tests/{name.partition('::')[0]}")]


def test_a_new_case_of_a_table_is_never_left_out_unseen(monkeypatch):
    """Where cases come from elsewhere, a call of `first` says how many there were, and so does `FEWER_CASES`."""
    monkeypatch.setattr(helpers, "OUTDATED", set())
    monkeypatch.setitem(FEWER_CASES, "a.py::test", (2, 4))
    cases = [f"tests/a.py::test[{case}]" for case in "abcde"]
    assert few(cases[:4]) == {cases[0], cases[3]}
    assert [len(case.marks) for case in first(1, "abc", of=3)] == [0, 1, 1]
    assert not helpers.OUTDATED
    assert few(cases) == {*cases}
    assert [len(case.marks) for case in first(1, "abcd", of=3)] == [0, 0, 0, 0]
    by_table, by_call = sorted(helpers.OUTDATED)
    assert by_table == "a.py::test: 5 cases, no longer 4"
    assert re.fullmatch(r"test_promises\.py, line \d+: 4 cases, no longer 3", by_call)
    for path in sorted((REPOSITORY / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "first" and len(node.args) == 2:
                count, cases = node.args
                here = isinstance(cases, ast.List | ast.Tuple) and not any(
                    isinstance(e, ast.Starred) for e in cases.elts
                )
                counted = [word.arg for word in node.keywords] == ["of"] or not isinstance(count, ast.Constant)
                assert here or counted, f"{path.name}, line {node.lineno}: first(...) needs of=, the number of cases"


def test_the_same_seed_is_the_same_run_in_the_app_and_on_the_command_line(host, tmp_path):
    config = TINY.updated({"seed": 7})
    file = tmp_path / "config.json"
    file.write_text(config.model_dump_json())
    done("train", "--config", file, "--out", tmp_path / "model")
    run = host().start("somebody", config, None)  # what the press of Train does
    assert run.wait("finished")
    kept = load(tmp_path / "model")
    assert timeless(kept.history) == [
        {name: line[name] for name in line if name != EXAMPLES} for line in timeless(run.exact_records())
    ]
    weights, others = kept.model.state_dict(), run.model_at().state_dict()
    assert weights.keys() == others.keys()
    assert all(weights[name].equal(others[name]) for name in weights)

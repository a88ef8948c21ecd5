"""The README's promises: each is held by a test that the architecture document names, and such a test exists."""

import ast
import re
from functools import cache
from pathlib import Path

from playground.storage.checkpoint import load
from playground.training.measure import EXAMPLES
from tests.helpers import TINY, timeless
from tests.test_cli import done
from tests.thorough import FEWER_CASES, LEFT_OUT

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

"""Measures: one row each, which files, tables, limits, exports and charts read."""

import csv
import io
import json
import subprocess
import sys
from itertools import pairwise

import pytest

from playground.common.numbers import as_csv
from playground.model.task_model import TaskModel
from playground.pictures import charts
from playground.recording import REPOSITORY
from playground.runs.journal import Journal
from playground.settings.config import RECORDED
from playground.storage.checkpoint import load, pack, save
from playground.storage.validation import HISTORY, max_history_bytes, max_line_bytes
from playground.training import train
from playground.training.measure import (
    EXAMPLES,
    GROUPED,
    MEASURES,
    Measure,
    by_part,
    columns,
    groups_of,
    numbers,
    table,
)
from tests.helpers import ARCHITECTURES
from tests.saved import refusal
from tests.small_training import TINY

NEW = """
import csv, io, json, pathlib, sys, tempfile
from playground.training import measure

measure.MEASURES += (
    measure.Measure("largest", "step", low=0, function=lambda training: max(
        float(each.detach().abs().max()) for each in training.model.parameters())),
    measure.Measure("sizes", "evaluation", groups=measure.by_part, function=lambda training: {
        name: 1.0 for name in reversed(measure.by_part(training.config)) if name != "token embedding"}),
    measure.Measure("nothing", "evaluation", groups=measure.by_part, function=lambda training: None),
)
measure.SINGLE = tuple(each for each in measure.MEASURES if not each.groups)
measure.GROUPED = tuple(each for each in measure.MEASURES if each.groups)

from playground.runs import Frames, Run
from playground.runs.history import History
from playground.runs.journal import Journal
from playground.storage.checkpoint import load, save
from playground.model.task_model import TaskModel
from playground.training import Training
from playground.ui.parts.computed import csv_of_checkpoint
from tests.small_training import TINY

training = Training(TINY)
records = [progress.record() for progress in training.progress()]
assert "largest" not in records[0] and all(line["largest"] > 0 for line in records[1:])
assert records[0]["sizes"]["output layer"] == 1.0 and "sizes" not in records[1]
assert list(records[0]["sizes"]) == measure.by_part(TINY) and records[0]["sizes"]["token embedding"] is None
assert set(records[0]["nothing"].values()) == {None}
folder = pathlib.Path(tempfile.mkdtemp())
Journal(folder / "history", TINY).append(records)
assert list(Journal(folder / "history", TINY).records()) == records
assert History(records).last()["largest"] == records[-1]["largest"]
measured = Frames(5, records).values("sizes") == 1.0
assert all(measured[:, at].all() == (name != "token embedding") for at, name in enumerate(measure.by_part(TINY)))
save(folder / "model", training.model, records)
assert load(folder / "model").history[-1]["sizes"] == records[-1]["sizes"]
*_, last = csv.DictReader(io.StringIO(csv_of_checkpoint(folder / "model").decode()))
assert float(last["largest"]) == records[-1]["largest"] and last["sizes.output layer"] == "1.0"
"""
"""Two new rows, and everything that follows from them."""


def test_a_new_row_is_all_that_a_measure_needs():
    subprocess.run([sys.executable, "-c", NEW], check=True, cwd=REPOSITORY)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_values_have_the_groups_that_the_settings_tell_in_their_order(architecture):
    config = TINY.updated(
        {
            "model.architecture": architecture,
            "model.n_layers": 2,
            "model.feed_forward": "mixture",
            "training.record": [*RECORDED],
        }
    )
    record = next(train(config)).record()
    for name, groups in groups_of(config).items():
        found = list(numbers(record[name]))
        assert found == list(groups)[: len(found)]
        assert len(found) >= len(groups) - 1, "an encoder-only model answers without EOS"


@pytest.mark.parametrize("measure", GROUPED, ids=lambda each: each.name)
@pytest.mark.parametrize("value", [[[1.0]], {"other": 1.0}, [True], ["1"], {"x": {}}, 1.0, [float("nan")], "x", [65.0]])
def test_a_grouped_value_that_no_run_can_have_is_refused_everywhere(measure, value, tmp_path):
    record = next(train(TINY)).record() | {measure.name: value}
    assert not measure.allows(value, groups_of(TINY)[measure.name])
    (tmp_path / "journal").write_text(json.dumps(record) + "\n")
    assert not list(Journal(tmp_path / "journal", TINY).records())
    save(tmp_path / "model", TaskModel(TINY), [])
    line = {"step": 0, measure.name: value}
    (tmp_path / "model" / HISTORY).write_text(json.dumps(line) + "\n")
    refusal(lambda: load(tmp_path / "model").history, "history.jsonl, line 1")


def test_charted_measures_are_in_the_checkpoint_and_its_table(tmp_path):
    config = TINY.updated({"model.feed_forward": "mixture", "training.record": [*RECORDED]})
    records = [progress.record() for progress in train(config)]
    save(tmp_path / "model", TaskModel(config), records)
    history = load(tmp_path / "model").history
    assert history == [{name: line[name] for name in line if name != EXAMPLES} for line in records]
    rows = list(csv.DictReader(io.StringIO(as_csv(table(history)))))
    charted = {name for panel in charts.PANELS for name, _ in panel.measures}
    assert charted - {"gradient_norm", "teacher_forced_exact_match"} <= {name.partition(".")[0] for name in rows[0]}
    for row, line in zip(rows, history, strict=True):
        assert {name: float(cell) for name, cell in row.items() if cell} == columns(line)


def test_a_history_too_long_for_its_limit_keeps_grouped_values_of_evenly_spaced_evaluations():
    config = TINY.updated({"training.steps": 3000, "training.eval_every": 1})
    first = next(train(config)).record()
    wide = {"encoder." + "x" * 5000: [1.0]}  # no run has it; it only takes room
    records = [first | {"step": step, "attention_entropy": wide} for step in range(3001)]
    lines = pack(TaskModel(config), records)[HISTORY].splitlines()
    assert sum(map(len, lines)) <= max_history_bytes(config, ())
    steps = [json.loads(line)["step"] for line in lines if b"attention_entropy" in line]
    assert len(lines) == 3001
    assert steps[0] == 0
    assert steps[-1] == 3000
    assert len({after - before for before, after in pairwise(steps[:-1])}) == 1
    assert max_line_bytes(config) < 5000


def test_a_checkpoint_of_an_earlier_version_lacks_what_it_did_not_measure():
    history = load(REPOSITORY / "checkpoints" / "reverse-1-16").history
    assert history
    assert not {each.name for each in GROUPED} & history[-1].keys()


def test_no_spreadsheet_runs_a_cell():
    assert as_csv([["=1+1", "a,b", 'a"b'], [1.5, -1, ""]]) == '\'=1+1,"a,b","a""b"\n1.5,-1,\n'


def test_measures_have_names_of_their_own():
    assert len({each.name for each in MEASURES}) == len(MEASURES)


def test_groups_are_measured_at_evaluations_only():
    with pytest.raises(ValueError, match="sizes has groups"):
        Measure("sizes", "step", groups=by_part)

"""The history and the frames of a run: they round-trip, and are thinned without losing a peak."""

import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from playground.runs import Frames, History, Run
from playground.runs.metadata import RunMetadata
from playground.runs.snapshots import snapshot_limit, state_limit
from playground.settings.config import RunConfig, parameter_counts
from playground.training import with_interval
from playground.training.measure import MEASURES


def record(step: int, *, evaluated: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = {"step": step, "seconds": step / 128}
    if step:
        line |= {"loss": 1 / step, "learning_rate": 0.005}
    if evaluated:
        line |= {"validation_loss": 2 / (step + 1), "exact_match": 0.5, "token_accuracy": 0.75, "sequences": 1000}
    return with_interval(line)


def test_records_round_trip():
    records = [record(step, evaluated=step % 5 == 0) for step in range(23)]
    records[7]["gradient_norm"] = 1.5
    records[10] |= {"teacher_forced_exact_match": 1.0, "teacher_forced_token_accuracy": 1.0}
    history = History(records)
    assert history.records() == records
    assert len(history) == 23
    assert history.step == 22
    assert type(history.records()[20]["sequences"]) is int
    assert history.last() == record(22) | {key: records[20][key] for key in records[20].keys() - records[22].keys()}


def test_a_history_of_an_earlier_version_gets_its_intervals():
    lines = [record(step, evaluated=step % 5 == 0) for step in range(11)]
    earlier = [{name: value for name, value in line.items() if not name.startswith("exact_match_")} for line in lines]
    assert earlier != lines
    assert History(earlier).records() == lines


def test_columns_hold_every_value_of_the_named_measures():
    history = History(record(step, evaluated=step % 5 == 0) for step in range(23))
    tested = history.columns(["exact_match"])
    assert {name: column.tolist() for name, column in tested.items()} == {
        "step": [0, 5, 10, 15, 20],
        "exact_match": [0.5] * 5,
    }
    every = history.columns(["loss", "seconds"])
    assert every["step"].tolist() == list(range(23))
    assert math.isnan(every["loss"][0])
    assert every["loss"][1:].tolist() == [1 / step for step in range(1, 23)]
    history.append(record(23))  # whoever holds columns does not keep the history from growing
    assert len(every["step"]) == 23


def test_an_empty_history_has_no_points():
    history = History()
    assert (len(history), history.step, history.records(), history.last()) == (0, 0, [], {})
    assert history.points(["loss"]) == history.points(["exact_match"]) == []


@pytest.mark.parametrize("count", [1, 2, 800, 801, 1000, 4001, 100_000])
def test_thinned_points_include_every_peak(count: int):
    drawn = random.Random(count)
    records = [{"step": step, "loss": drawn.random(), "learning_rate": drawn.random()} for step in range(1, count + 1)]
    history = History(records)
    for names in (["loss"], ["learning_rate", "loss"]):
        points = history.points(names)
        steps = [point["step"] for point in points]
        assert (steps[0], steps[-1]) == (1, count)
        assert steps == sorted(set(steps))
        assert min(count, 250) <= len(points) <= 800
        for name in names:
            for extreme in (min, max):
                peak = extreme(records, key=lambda record: record[name])
                assert any(point["step"] == peak["step"] and point[name] == peak[name] for point in points)


def test_points_once_shown_stay_while_a_run_grows():
    history = History({"step": step, "loss": math.sin(step)} for step in range(1, 2001))
    before = {point["step"] for point in history.points(["loss"])}
    history.append({"step": 2001, "loss": 5.0})
    after = {point["step"] for point in history.points(["loss"])}
    assert len(before - after) <= 2, "the newest alone has changed"


def test_points_of_evaluations_come_only_from_evaluations():
    history = History(record(step, evaluated=step % 10 == 0) for step in range(101))
    assert [point["step"] for point in history.points(["exact_match"])] == list(range(0, 101, 10))
    assert history.points(["token_accuracy", "exact_match"], max_points=9)[-1] == {
        "step": 100,
        "token_accuracy": 0.75,
        "exact_match": 0.5,
    }


def test_a_thinned_history_knows_its_end_and_that_it_is_thinned():
    history = History(record(step, evaluated=True) for step in range(10_000))
    last = history.last()
    history.thin(10_000)
    assert not history.thinned
    history.thin(1000)
    assert history.thinned
    assert len(history) <= 1000
    assert history.last() == last


# --- frames ---------------------------------------------------------------------------------------


def framed(step: int, positions: int = 3, taps: Sequence[str] = ("one", "two"), heads: int = 2) -> dict[str, Any]:
    return record(step, evaluated=True) | {
        "position_accuracy": [step / 100_000] * (positions - 1) + [None],
        "attention_entropy": {tap: [step + head for head in range(heads)] for tap in taps},
        "predictions": [[4 + step % 7] * 2, [5] * positions],
    }


def test_frames_round_trip_with_nan_where_nothing_was_evaluated():
    frames = Frames(5, [framed(0), record(3), framed(5), framed(10)])
    assert frames.steps == [0, 5, 10]
    assert frames.values("position_accuracy").tolist()[1][:2] == [pytest.approx(0.00005)] * 2
    assert np.isnan(frames.values("position_accuracy")[:, 2]).all()
    assert frames.values("attention_entropy").tolist() == [[0, 1] * 2, [5, 6] * 2, [10, 11] * 2]
    assert frames.predictions(0) == [[4, 4], [9, 9], [7, 7]]
    assert frames.predictions(1) == [[5, 5, 5]] * 3
    assert frames.predictions(2) == [[], [], []]
    frames.cut_after(7)
    assert frames.steps == [0, 5]
    assert Frames(5).steps == Frames(5).predictions(0) == []
    assert Frames(5).values("attention_entropy").shape == (0, 0)


def test_frames_are_thinned_evenly_and_include_the_newest():
    frames = Frames(5, map(framed, range(0, 5 * 1234 + 1, 5)))
    frames.append(framed(6171))
    *even, newest = frames.steps
    assert newest == 6171
    assert 200 <= len(even) < 400
    assert {after - before for before, after in pairwise(even)} == {20}
    frames.append(framed(6180))
    assert frames.steps[-2:] == [6160, 6180], "what was kept as the newest alone has gone"


@pytest.mark.parametrize("every", [1, 5])
def test_a_finished_run_of_the_largest_model_fits_into_its_limit_whatever_its_length(every: int):
    largest = RunConfig().updated(
        {"model.d_model": 192, "model.n_heads": 16, "model.n_layers": 6, "model.d_ff": 448, "task.max_length": 64}
        | {"training.steps": 100_000, "training.eval_every": every}
    )
    parameters = sum(parameter_counts(largest).values())
    assert parameters > 4_500_000
    run = Run(RunMetadata(config=largest))
    taps = [f"decoder.layers.{layer}.{kind}_attention.attention.weights" for layer in range(9) for kind in ("a", "b")]
    frame = framed(0, 65, taps, 16)
    frame["predictions"] = [[5] * 65] * 8
    for step in range(100_001):
        line = frame | {"step": step} if step % every == 0 else record(step)
        run.store.history.append(line)
        if (step % every == 0 and step % 500 == 0) or step > 99_990:
            run.store.frames.append(line)
    frames = max(run.store.frames.nbytes, run.store.frames.nbytes * 400 // len(run.store.frames.steps))
    assert 200 <= len(run.store.frames.steps) <= 400
    assert frames <= 2_000_000
    added = [row for row in MEASURES if row.function and not row.groups]
    limit = 32_000_000 + 1_000_000 * len(added)  # 100,001 numbers of 8 bytes, and a sixteenth
    for size in (1_000, 100_000, 1_000_000, 5_000_000):
        kept = 4 * size * snapshot_limit(size) + state_limit(size) * (12 * size + 100_000)
        assert kept + run.store.history.nbytes * 1.07 + frames <= limit, "lists grow ahead by a sixteenth"

"""Sweeps: which runs they make, what is refused in a sentence, and the spread of what came of them."""

import math
import statistics

import pandas as pd
import pytest

from playground.experiments.sweeps import MAX_SWEEP_RUNS, Sweep, SweepError, combinations, parse, summary
from playground.settings.config import RunConfig
from playground.settings.estimate import estimate
from tests.test_comparison import Recorded, record

BASE = RunConfig().updated({"seed": 5})
HEADS = {"model.n_heads": (1, 2, 4, 8)}
NORMS = {"model.norm_position": ("pre", "post")}


def test_combinations_are_ordered_by_seed_first():
    sweep = Sweep(BASE, HEADS | NORMS, 3)
    made = [(config.model.n_heads, config.model.norm_position, config.seed) for config in sweep.configs()]
    assert len(made) == len(sweep) == len(set(made)) == 24
    assert [seed for *_, seed in made] == [5] * 8 + [6] * 8 + [7] * 8
    assert made[:3] == [(1, "pre", 5), (1, "post", 5), (2, "pre", 5)]
    assert sweep.configs()[2] == BASE.updated({"model.n_heads": 2})
    assert sweep.title == "Heads 1, 2, 4, 8 × Norm position pre, post × 3 seeds"
    assert Sweep(BASE, {"model.bias": (True, False)}).title == "Biases true, false"


def test_the_time_is_that_of_all_runs_divided_by_the_slots():
    sweep, alone = Sweep(BASE, HEADS), sum(estimate(config).seconds for config in Sweep(BASE, HEADS).configs())
    assert sweep.seconds(1) == pytest.approx(alone)
    assert sweep.seconds(2) == pytest.approx(alone / 2)
    assert sweep.seconds(64) == pytest.approx(alone / 4), "four runs use no more than four slots"


@pytest.mark.parametrize(
    ("axes", "seeds", "sentence"),
    [
        ({}, 1, "one or two settings, not 0"),
        (HEADS | NORMS | {"model.bias": (True,)}, 1, "one or two settings, not 3"),
        ({"seed": (1, 2)}, 1, "Set the number of seeds"),
        ({"model.n_heads": ()}, 1, "n_heads has no values"),
        ({"model.n_heads": (2, 2)}, 1, "n_heads has a value twice"),
        (HEADS, 0, "at least 1 seed"),
        (HEADS, 17, f"This sweep has 68 runs. The limit is {MAX_SWEEP_RUNS}"),
        ({"model.heads": (1,)}, 1, "^model.heads is not a setting"),
        ({"model.n_heads": (4, 99)}, 1, "^model.n_heads can't be 99. Use a whole number from 1 to"),
        ({"model.n_heads": (4, 3)}, 1, "^n_heads 3 is not allowed: d_model 64 is not divisible by n_heads 3. Use"),
        (
            {"model.n_heads": (4, 8), "model.d_model": (32, 12)},
            1,
            "^n_heads 8, d_model 12 is not allowed: d_model 12 is not divisible by n_heads 8",
        ),
    ],
)
def test_an_invalid_sweep_is_refused(axes, seeds, sentence):
    with pytest.raises(SweepError, match=sentence) as caught:
        Sweep(BASE, axes, seeds).configs()
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_seeds_beyond_the_last_one_are_refused():
    with pytest.raises(SweepError, match=r"^seed can't be 2147483648"):
        Sweep(BASE.updated({"seed": 2**31 - 1}), HEADS, 2).configs()


@pytest.mark.parametrize(
    ("path", "text", "values"),
    [
        ("model.n_heads", "1, 2, 4, 8", (1, 2, 4, 8)),
        ("model.n_heads", " 8;4 4,,8 ", (8, 4)),
        ("training.learning_rate", "1e-3 .01", (0.001, 0.01)),
        ("training.learning_rate", "1", (1.0,)),
        ("model.norm_position", "Pre, post", ("pre", "post")),
        ("model.causal_mask", "true, OFF", (True, False)),
        ("model.n_heads", "", ()),
    ],
)
def test_typed_values_are_parsed(path, text, values):
    read = parse(path, text)
    assert read == values
    assert [type(value) for value in read] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        ("model.n_heads", "1, two", "“two” is not a value of n_heads. Use a whole number from 1 to "),
        ("model.n_heads", "1.5", "“1.5” is not a value of n_heads"),
        ("model.norm_position", "before", "“before” is not a value of norm_position. Use one of pre, post."),
        ("model.bias", "1", "“1” is not a value of bias. Use true or false."),
        ("training.steps", "9" * 5000, "“9999999999999999999…” is not a value of steps"),
    ],
)
def test_an_invalid_value_is_reported_with_the_allowed_ones(path, text, sentence):
    with pytest.raises(SweepError, match=sentence.replace(".", r"\.")):
        parse(path, text)


# --- what came of it ------------------------------------------------------------------------------


def solved_at(step: int | None, config: RunConfig, status: str = "") -> Recorded:
    records = [record(0, exact=0.0), record(step or 900, exact=1.0 if step else 0.2)]
    return Recorded("a", config, records, status=status or ("solved" if step else "finished"))


def test_the_summary_has_the_median_and_the_spread_of_each_combination():
    configs = Sweep(BASE, {"model.n_heads": (8, 1)}, 5).configs()
    steps = {8: iter((60, 45, 70, 50, 40)), 1: iter((100, None, None, 120, None))}
    runs = [solved_at(next(steps[config.model.n_heads]), config) for config in configs]
    found = combinations(runs[::-1])
    assert [each.title for each in found] == ["Heads 1", "Heads 8"]
    assert [[run.config.seed for run in each.runs] for each in found] == [[5, 6, 7, 8, 9]] * 2
    made = summary(runs)
    assert made["n_heads"].tolist() == [1, 8]
    assert made["solved"].tolist() == [0.4, 1.0]
    few, all_of_them = made.iloc[0], made.iloc[1]
    spread = [
        all_of_them[f"steps {name}"] for name in ("lowest", "lower quartile", "median", "upper quartile", "highest")
    ]
    assert spread == [40, *statistics.quantiles((60, 45, 70, 50, 40), n=4, method="inclusive"), 70]
    assert all_of_them["seconds median"] == 0.5
    assert (few["steps lowest"], few["steps lower quartile"]) == (100, 120)
    assert pd.isna(few["steps median"]), "three of five have not solved it, so the middle one has not"
    assert pd.isna(few["steps highest"])


def test_unfinished_and_stopped_runs_count_but_do_not_enter_the_spread():
    config = BASE
    runs = [
        solved_at(50, config),
        solved_at(None, config.updated({"seed": 6}), "running"),
        solved_at(None, config.updated({"seed": 7}), "stopped"),
        solved_at(70, config.updated({"seed": 8}), "stopped"),
        solved_at(None, config.updated({"seed": 9}), "failed"),
    ]
    row = summary(runs).iloc[0]
    assert (row["runs"], row["ended"]) == (5, 4)
    assert math.isclose(row["solved"], 2 / 3)
    assert row["steps median"] == 70
    nothing = summary([Recorded("a", config, status="queued")]).iloc[0]
    assert pd.isna(nothing["solved"])
    assert pd.isna(nothing["steps median"])
    assert combinations(runs)[0].title == "same settings"


def test_combinations_of_two_settings_are_ordered_by_value():
    sweep = Sweep(BASE, {"model.norm_position": ("post", "pre"), "model.causal_mask": (True, False)})
    found = combinations([Recorded("a", config) for config in sweep.configs()])
    assert [each.title for each in found] == [
        "Norm position pre, Causal mask false",
        "Norm position pre, Causal mask true",
        "Norm position post, Causal mask false",
        "Norm position post, Causal mask true",
    ]

"""Runs beside each other: what differs, whether the comparison is fair, and what came of each."""

import csv
import io
import json
from typing import Any

import pytest
import torch

from playground.experiments.comparison import (
    Compared,
    difference,
    fairness,
    labels,
    outcome,
    to_csv,
    to_json,
)
from playground.model.task_model import TaskModel
from playground.runs import History, Run
from playground.runs.keeping import RunFolder
from playground.runs.metadata import BranchPoint, RunMetadata
from playground.runs.states import Lifecycle, State
from playground.settings.config import Change, RunConfig, setting_paths, typed, value_at
from playground.training import Training, with_interval
from tests.helpers import TINY

BASE = RunConfig()


def record(step: int, *, exact: float | None = None, sequences: int = 1000, loss: float = 0.1) -> dict[str, Any]:
    line: dict[str, Any] = {"step": step, "seconds": step / 100}
    if step:
        line |= {"loss": 1 / 3 / step, "learning_rate": 0.005}
    if exact is not None:
        line |= {"exact_match": exact, "token_accuracy": 1.0, "sequences": sequences, "validation_loss": loss}
    return with_interval(line)


class Recorded(Run):
    """A run of which the records are given, without a worker."""

    def __init__(self, name: str, config: RunConfig = BASE, records=(), *, changes=(), origin=None, status="finished"):
        super().__init__(RunMetadata(config=config, name=name))
        self.store.history, self.lifecycle = History(records), Lifecycle(State(status))
        self.store.set(
            changes=tuple(Change(step, settings) for step, settings in changes),
            origin=BranchPoint(run_id="", name=origin[0], step=origin[1]) if origin else None,
        )


def config(**settings: Any) -> RunConfig:
    return BASE.updated({name.replace("__", "."): value for name, value in settings.items()})


# --- what differs ---------------------------------------------------------------------------------

SLOWER = (40, {"training.learning_rate": 0.001})


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (config(), "same settings"),
        (config(model__n_heads=1, model__norm_position="post"), "Heads 4 → 1, Norm position pre → post"),
        (config(model__causal_mask=False, seed=7), "Causal mask true → false, Seed 0 → 7"),
        (Recorded("a", changes=[SLOWER]), "Learning rate 0.005 → 0.001 from step 41"),
        (Recorded("a", changes=[(3, {"training.learning_rate": 0.005})]), "same settings"),
        (
            Recorded("a", changes=[SLOWER], origin=("amber-fox", 40)),
            "from amber-fox at step 40: Learning rate 0.005 → 0.001",
        ),
        (Recorded("a", origin=("amber-fox", 1400)), "from amber-fox at step 1,400, unchanged"),
        (
            Recorded(
                "a",
                config(seed=1),
                changes=[(9, {"model.dropout": 0.5}), SLOWER, (60, {"training.learning_rate": 0.01})],
                origin=("amber-fox", 40),
            ),
            "Seed 0 → 1; from amber-fox at step 40: Learning rate 0.005 → 0.001; Dropout 0.0 → 0.5 from step 10; "
            "Learning rate 0.001 → 0.01 from step 61",
        ),
    ],
)
def test_a_line_shows_how_a_run_differs_from_the_first(run: Compared, line: str):
    assert difference([BASE, run]) == ["reference", line]


def test_shared_changes_are_not_differences():
    first = Recorded("a", changes=[SLOWER])
    assert difference([first, Recorded("b", changes=[SLOWER]), Recorded("c")]) == [
        "reference; Learning rate 0.005 → 0.001 from step 41",
        "same settings",
        "without Learning rate 0.005 → 0.001 from step 41",
    ]


def test_every_run_has_a_unique_label():
    assert labels([Recorded("owl"), BASE, Recorded("owl"), BASE]) == ["owl", "run 2", "owl (2)", "run 4"]


# --- fairness -------------------------------------------------------------------------------------


def sentences_of(*runs: Compared) -> str:
    return "\n".join(fairness(runs))


def test_runs_that_share_everything_are_described_as_such():
    text = sentences_of(
        Recorded("owl"), Recorded("fox", config(model__norm_position="pre", training__learning_rate=0.01))
    )
    assert "Same data order: every run has the same batch at the same step." in text
    assert "Same initial weights in every run." in text
    assert len(text.splitlines()) == 3, "nothing else is reported but that seconds are no exact measure"
    assert fairness([BASE]) == fairness([]) == []


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"training__batch_size": 64}, "Different batches than owl: fox (Batch size 32 → 64)"),
        ({"task__min_length": 16}, "Different batches than owl: fox (Minimum length 1 → 16)"),
        ({"task__name": "copy"}, "Different batches than owl: fox (Task reverse → copy)"),
        (
            {"task__name": "copy"},
            "Different task than owl, so different held-out inputs: fox (Task reverse → copy)",
        ),
        ({"training__eval_every": 10}, "Evaluated at other steps than owl: fox (Evaluate every (steps) 5 → 10)"),
        ({"model__dropout": 0.1}, "Dropout drops the same activations only if"),
        ({"seed": 3}, "The runs have 2 seeds. Data order and initial weights depend on the seed"),
        ({"model__d_ff": 64}, "They differ in fox (6 tensors missing or with another shape: "),
        ({"model__bias": False}, "They differ in fox ("),
    ],
)
def test_unfair_comparisons_are_reported(other: dict[str, Any], sentence: str):
    assert sentence in sentences_of(Recorded("owl"), Recorded("fox", config(**other)))


def test_heads_change_no_shape_and_layers_only_add_tensors():
    assert "Same initial weights in every run" in sentences_of(BASE, config(model__n_heads=8))
    text = sentences_of(
        Recorded("owl"), Recorded("fox", config(model__n_layers=2)), Recorded("elk", config(model__n_layers=2))
    )
    assert "They differ in fox, elk (" in text
    assert "encoder.layers.1." in text
    assert "encoder.layers.0." not in text
    assert "Same data order: " in text


def test_a_mid_run_change_of_batch_size_is_reported_with_its_step():
    larger = (40, {"training.batch_size": 64})
    assert "fox (Batch size 32 → 64 after step 40)" in sentences_of(Recorded("owl"), Recorded("fox", changes=[larger]))
    text = sentences_of(Recorded("owl", changes=[larger]), Recorded("fox", changes=[larger]), Recorded("elk"))
    assert "Different batches than owl: elk (without Batch size 32 → 64 after step 40). The others have" in text


def test_the_randomness_of_dropout_is_reported():
    chance = "Dropout drops the same activations only if"
    drops = config(model__dropout=0.1)
    on_the_way = Recorded("fox", drops, changes=[(40, {"training.batch_size": 64})])
    assert chance in sentences_of(Recorded("owl", drops), on_the_way)
    assert chance in sentences_of(drops, config(model__dropout=0.1, task__max_length=8))
    assert chance not in sentences_of(drops, config(model__dropout=0.1, training__learning_rate=0.01))
    assert chance not in sentences_of(BASE, config(task__max_length=8))


def test_a_sweep_over_seeds_is_fair_per_seed():
    assert "Within" not in sentences_of(BASE, config(seed=1)), "where no two have one, there is no within"
    runs = [config(seed=seed, model__n_layers=layers) for seed in (0, 1, 2) for layers in (1, 2)]
    text = fairness(runs)
    assert "The runs have 3 seeds" in text[0]
    assert text[1] == "With the same seed: Same data order: every run has the same batch at the same step."
    assert text[2].startswith(
        "With the same seed: Same initial weights where the shapes are equal. They differ in run 2, "
    )


@pytest.mark.parametrize(
    "other",
    [
        {"training.batch_size": 5},
        {"task.max_length": 5},
        {"task.name": "copy"},
        {"model.n_layers": 2, "training.optimizer": "sgd", "training.learning_rate": 0.1},
        {"model.d_ff": 20, "model.dropout": 0.3},
        {"model.n_heads": 4, "model.positions": "learned", "model.norm_position": "post"},
    ],
)
def test_the_fairness_sentences_are_true(other: dict[str, Any]):
    one = TINY.updated({"task.name": "reverse"})
    runs = [one, one.updated(other)]
    first, second = (Training(config) for config in runs)
    for _ in range(2):
        batches = first._draw(), second._draw()
        first.take_step()
        second.take_step()
    text = sentences_of(*runs)
    tensors = [pair for pair in zip(*batches, strict=True) if pair != (None, None)]
    assert all(torch.equal(*pair) for pair in tensors) == ("Same data order" in text)
    begun = [dict(TaskModel(config).named_parameters()) for config in runs]
    unlike = [
        name
        for name in begun[0] | begun[1]
        if name not in begun[0] or name not in begun[1] or not torch.equal(begun[0][name], begun[1][name])
    ]
    assert (f"({len(unlike)} tensor" in text) == bool(unlike)
    assert ("Same initial weights in every run" in text) == (not unlike)


# --- what came of them ----------------------------------------------------------------------------

SOLVING = [
    record(0, exact=0.0),
    *(record(step) for step in range(1, 5)),
    record(5, exact=1.0, sequences=100),  # a quick test alone does not tell
    record(6, exact=0.9989),
    record(7, exact=0.999),
    record(8, exact=1.0, loss=0.02),
    record(9, exact=0.5, loss=0.7),
]


def test_solved_is_the_first_solved_evaluation_of_all_held_out_sequences():
    run = Recorded("owl", records=SOLVING)
    found = outcome(run)
    assert (found.solved_step, found.solved_seconds) == (7, 0.07)
    assert (found.best_exact_match, found.loss) == (1.0, 0.7)
    run.store.history.append(record(10, exact=0.6, loss=0.5))
    assert outcome(run).loss == 0.5, "found again when the run has moved"
    small = Recorded("tiny", TINY, [record(0, exact=1.0, sequences=1000)])
    assert outcome(small).solved_step is None, "this task has fewer held-out sequences than were tested"


def test_solved_is_found_exactly_in_a_history_that_is_thinned_in_memory(tmp_path):
    records = [record(step, exact=0.999 if step == 4001 else 1.0 if step > 4001 else 0.0) for step in range(6000)]
    run = Recorded("owl", records=records)
    run.store.folder = RunFolder(tmp_path)
    run.store.folder.begin(run.metadata)
    run.store.folder.journal(BASE).append(records)
    run.store.history.thin(100)
    assert run.store.history.columns(["exact_match"])["step"].size <= 100
    assert outcome(run).solved_step == 4001


# --- to take home ---------------------------------------------------------------------------------


def test_the_csv_holds_every_number_exactly():
    runs = [Recorded("owl", records=SOLVING), Recorded("=1+1", records=SOLVING[:3])]
    every = list(csv.DictReader(io.StringIO(to_csv(runs))))
    set_to = {line["measure"]: line["value"] for line in every if (line["run"], line["step"]) == ("owl", "")}
    assert set_to == {path: typed(value_at(runs[0].config, path)) for path in setting_paths()}
    lines = [line for line in every if line["step"]]
    back = {}
    for line in lines:
        back.setdefault((line["run"], int(line["step"])), {})[line["measure"]] = float(line["value"])
    for name, records in (("owl", SOLVING), ("'=1+1", SOLVING[:3])):
        for each in records:
            assert back.pop((name, each["step"])) == {key: value for key, value in each.items() if key != "step"}
    assert not back
    for name in ("+1", "-1", "@x", "＝1"):
        assert to_csv([Recorded(name, records=SOLVING[:1])]).splitlines()[1].startswith(f"'{name},")


def test_the_json_describes_a_run_without_its_id():
    run = Recorded("owl", records=SOLVING, changes=[SLOWER], origin=("fox", 40))
    text = to_json([run, Recorded("elk")])
    first, second = json.loads(text)["runs"]
    assert run.id not in text
    assert first["history"] == SOLVING
    assert RunConfig.parse(first["config"]) == BASE
    assert first["changes"] == [{"step": 40, "settings": {"training.learning_rate": 0.001}}]
    assert first["origin"] == {"name": "fox", "step": 40}
    assert first["outcome"]["solved_step"] == 7
    assert (second["origin"], second["outcome"]["loss"], second["history"]) == (None, None, [])

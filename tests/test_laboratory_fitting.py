"""`playground.fit` and `playground.data`: the same training as any other, and what it reads, bit for bit."""

import math

import pytest
import torch

import playground
from playground.export.history_csv import content
from playground.model.task_model import TaskModel
from playground.recording import hooked
from playground.tasks.batches import Batch, Sequences, make_batch
from playground.training import Training, train
from tests.helpers import timeless
from tests.small_training import SOLVABLE, TINY, weights

HEAD_WEIGHTS = "decoder.layers.0.cross_attention.attention.weights"


@pytest.fixture(scope="module")
def fitted():
    return playground.fit(
        TINY,
        every=4,
        watch={
            "bias": lambda model: model.head.bias.norm(),
            "rows": lambda model: model.head.weight.norm(dim=1),
            "both": lambda model: {"low": float(model.head.bias.min()), "part": [1, 2.5]},
        },
        save_at=[0, 4, 12],
    )


def test_the_training_is_that_of_any_other_way(fitted):
    config = TINY.updated({"training.eval_every": 4})
    model = TaskModel(config)
    records = timeless([progress.record() for progress in train(config, model)])
    watched = {"bias", "rows", "both"}
    own = timeless([{k: v for k, v in record.items() if k not in watched} for record in fitted.records])
    assert own == records
    assert torch.equal(weights(fitted.model), weights(model))
    assert not fitted.model.training


def test_what_is_watched_is_measured_at_each_evaluation(fitted):
    steps = [record["step"] for record in fitted.records if "bias" in record]
    assert steps == [0, 4, 8, 12] == [record["step"] for record in fitted.records if "exact_match" in record]
    for step, model in fitted.models():
        record, model = fitted.records[step], model.requires_grad_(requires_grad=False)
        assert math.isclose(record["bias"], float(model.head.bias.norm()), rel_tol=1e-6, abs_tol=1e-9)
        assert record["rows"] == model.head.weight.norm(dim=1).tolist()
        assert record["both"] == {"low": float(model.head.bias.min()), "part": [1, 2.5]}


def test_the_models_are_those_of_their_steps(fitted):
    kept = dict(fitted.models())
    assert list(kept) == [0, 4, 12]
    config = TINY.updated({"training.eval_every": 4})
    model = TaskModel(config)
    for progress in train(config, model):
        if progress.step in kept:
            assert torch.equal(weights(kept[progress.step]), weights(model))
            assert not kept[progress.step].training
    assert torch.equal(weights(kept[12]), weights(fitted.model))


def test_the_frame_has_every_number_of_the_history_and_of_the_csv(fitted, tmp_path):
    frame = fitted.frame()
    assert frame["step"].tolist() == list(range(13))
    for record in fitted.records:
        row = frame.loc[record["step"]]
        if "exact_match" in record:
            assert row["exact_match"] == record["exact_match"]
            assert [row[f"position_accuracy.{at}"] for at in (1, 2)] == record["position_accuracy"][:2]
            assert [row[f"attention_entropy.{HEAD_WEIGHTS}.{head}"] for head in (1, 2)] == record["attention_entropy"][
                HEAD_WEIGHTS
            ]
            assert row["rows.1"] == record["rows"][0]
            assert (row["both.low"], row["both.part.2"]) == (record["both"]["low"], 2.5)
        else:
            assert math.isnan(row["exact_match"])
            assert math.isnan(row["bias"])
    playground.save(tmp_path / "model", fitted.model)
    csv = content(playground.load(tmp_path / "model")).decode().splitlines()[0].split(",")
    assert {column for column in frame.columns if not column.startswith(("bias", "rows", "both"))} == {*csv}
    assert repr(fitted).startswith("12 steps, 4 evaluations, exact match ")
    assert repr(fitted).endswith(" at step 12, models kept at 0, 4, 12")


def test_models_are_written_as_they_are_reached_with_their_history(tmp_path):
    folder, seen = tmp_path / "models", []
    fitted = playground.fit(
        TINY,
        every=4,
        save_at=[4, 8],
        folder=folder,
        watch={"there": lambda model: seen.append(sorted(path.name for path in folder.glob("*"))) or 0},
    )
    assert seen == [[], [], ["step-4"], ["step-4", "step-8"]]
    for step, model in fitted.models():
        loaded = playground.load(folder / f"step-{step}")
        assert torch.equal(weights(loaded.model), weights(model))
        assert [record["step"] for record in loaded.history] == list(range(step + 1))
    with pytest.raises(playground.CheckpointError, match="already contains a checkpoint"):
        playground.fit(TINY, save_at=[4], folder=folder)


def test_a_training_that_is_solved_early_keeps_what_it_reached():
    with pytest.warns(UserWarning, match="solved at step 30, so no model was kept at 250"):
        fitted = playground.fit(SOLVABLE.updated({"training.stop_when_solved": True}), save_at=[10, 250])
    assert [step for step, _ in fitted.models()] == [10]
    assert fitted.records[-1]["exact_match"] == 1.0
    assert fitted.frame().shape[0] == len(fitted.records) < 251


def test_a_given_model_is_trained_and_can_be_saved(tmp_path):
    model = TaskModel(TINY)
    fitted = playground.fit(TINY, model=model)
    assert fitted.model is model
    playground.save(tmp_path / "model", fitted.model)
    assert timeless(playground.load(tmp_path / "model").history) == timeless(
        [{k: v for k, v in record.items() if k != "predictions"} for record in fitted.records]
    )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"save_at": [13]}, "save_at has 13, and this training has the steps 0 to 12."),
        ({"save_at": ["x"]}, "save_at has x, and this training has the steps 0 to 12."),
        ({"save_at": [-1]}, "save_at has -1"),
        ({"watch": {"loss": len}}, "loss is measured in every training. Choose another name to watch."),
        ({"watch": {"step": len}}, "step is measured in every training."),
        ({"watch": {"x": 3}}, "watch needs functions of the model; x is int."),
        (
            {"watch": {"x": lambda model: "no"}},
            "The function for x in watch returned str. Return a number, a tensor, or a dict",
        ),
        ({"every": 0}, "training.eval_every"),
    ],
)
def test_what_cannot_be_is_named(given, says):
    with pytest.raises(playground.PlaygroundError) as error:
        playground.fit(TINY, **given)
    assert says in str(error.value)


def test_an_unknown_preset_is_named():
    for function in (playground.fit, playground.data):
        with pytest.raises(
            playground.PlaygroundError, match=r"Give what playground\.configure returns, or the name of a"
        ):
            function(5)
        with pytest.raises(playground.ConfigError, match="There is no preset 'quick'"):
            function("quick")


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only", "encoder-only"])
def test_the_batches_are_the_very_ones_that_training_reads(architecture):
    config = TINY.updated({"model.architecture": architecture, "training.steps": 5})
    training = Training(config)
    read = []
    for _ in range(5):
        batch = next(parts := training.parts())
        assert isinstance(batch, Batch)
        read.append(batch)
        for _ in parts:
            pass
    data = playground.data(config)
    assert len(data) == 5
    for own, theirs in zip(data, read, strict=True):
        assert all(one is other is None or torch.equal(one, other) for one, other in zip(own, theirs, strict=True))
    assert len(list(data.batches(2))) == 2


def test_the_held_out_inputs_are_those_of_the_evaluations():
    data, seen = playground.data(TINY), []
    model = TaskModel(TINY)
    training = Training(TINY, model)
    with hooked(model, {"encoder.tokens": seen.append}):
        next(iter(training.progress()))
    rows = {tuple(token for token in row if token) for tokens in seen for row in tokens.tolist()}
    every = [tuple(token for token in row if token) for row in data.held_out.tolist()]
    assert rows <= set(every)
    assert data.held_out.equal(Sequences.of(TINY.task).held_out())
    assert data.held_out_batch.labels.equal(make_batch(TINY, data.held_out).labels)
    trained = {tuple(row) for batch in data for row in batch.source.tolist()}
    assert not trained & set(map(tuple, data.held_out.tolist()))

"""Figures of what is measured of a checkpoint: their rows are what the measurements return."""

import json
from collections.abc import Callable
from functools import cache, partial

import pytest

from playground import export
from playground.common.errors import PlaygroundError
from playground.common.numbers import wilson
from playground.experiments.lengths import SEQUENCES, by_length
from playground.export import FIGURES, Export
from playground.export.figure import with_model
from playground.export.measured_figures import NoFigureError
from playground.interpret import ablation
from playground.interpret.sites import words
from playground.laboratory.evaluating import evaluate
from playground.model.task_model import TaskModel
from playground.pictures import charts
from playground.settings.config import RunConfig
from playground.storage import checkpoint
from playground.training import train
from playground.training.roles import ROLES, measure_roles
from tests.helpers import TINY, first, small_config
from tests.test_cli import done, refused

MEASURED = ("training", "roles", "ablation", "lengths")
KINDS = {"decoder-only": 1, "encoder-decoder": 3, "encoder-only": 1}


@pytest.fixture(scope="module", params=first(1, KINDS, of=3))
def loaded(request, tmp_path_factory) -> checkpoint.Checkpoint:
    """A trained checkpoint of each architecture."""
    config = small_config(request.param, n_layers=1).updated({"training.steps": 4, "training.eval_every": 2})
    model = TaskModel(config)
    folder = tmp_path_factory.mktemp("measured") / "model"
    checkpoint.save(folder, model, [each.record() for each in train(config, model)])
    return checkpoint.load(folder)


def drawing(loaded: checkpoint.Checkpoint, name: str) -> dict:
    found = FIGURES[name].drawing(Export(loaded, "", None, name, ".svg"))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def drawn(loaded) -> Callable[[str], dict]:
    """What is drawn of `loaded`, each figure once."""
    return cache(partial(drawing, loaded))


def rows(spec: object) -> list[list[dict]]:
    """The rows that a specification carries, at any depth, in its own order."""
    if isinstance(spec, dict):
        values = spec.get("values")
        own = [values] if isinstance(values, list) and values and isinstance(values[0], dict) else []
        return own + [found for each in spec.values() for found in rows(each)]
    return [found for each in spec for found in rows(each)] if isinstance(spec, list) else []


def test_the_training_is_the_curves_of_the_history(loaded, drawn):
    assert drawn("training") == charts.training_picture(loaded.history)
    losses = next(each for each in rows(drawn("training")) if each[0]["series"] == "training")
    held_out = [each["value"] for each in losses if each["series"] == "held out"]
    assert held_out == [each["validation_loss"] for each in loaded.history if "validation_loss" in each]


def test_each_part_has_a_bar_with_its_interval(loaded, drawn):
    found = [each for each in rows(drawn("ablation")) if "part" in each[0]]
    for kind, bars in zip(("head", "sublayer"), found[::2], strict=True):
        report = ablation.report(loaded.model, each_kind=kind)
        assert bars == [
            {"part": words(part["off"]), "value": part["exact_match"]}
            | dict(zip(("low", "high"), wilson(part["exact_match"], part["sequences"]), strict=True))
            for part in report["parts"]
        ]
        assert [{"intact": report["intact"]["exact_match"]}] in rows(drawn("ablation"))


def test_lengths_have_a_point_each_and_training_is_shaded(loaded, drawn):
    *_, (_, _, scores) = by_length(loaded.model)
    found = rows(drawn("lengths"))
    task = loaded.config.task
    assert [{"from": task.min_length - 0.5, "to": task.max_length + 0.5}] in found
    assert [{k: each[k] for k in ("length", "exact_match", "low", "high")} for each in found[-1]] == [
        {"length": each.length, "exact_match": each.exact_match, "low": each.interval[0], "high": each.interval[1]}
        for each in scores
        if each.sequences
    ]


def test_each_head_has_a_cell_for_each_role(loaded, drawn):
    *_, (_, _, scores) = measure_roles(loaded.model)
    found = next(each for each in rows(drawn("roles")) if "role" in each[0])
    assert found == [
        {"head": words(head.path), "role": ROLES[each.role].words, "weight": each.weight}
        for head, of_head in scores.items()
        for each in of_head
    ]
    model = loaded.config.model
    assert len({each["head"] for each in found}) == model.n_heads * model.n_layers * KINDS[model.architecture]


@pytest.mark.parametrize("name", first(1, MEASURED, of=4))
def test_each_is_a_file_of_the_command_line(loaded, drawn, tmp_path, name):
    out = tmp_path / "a.svg"
    done("export", loaded.folder, "--format", "figure", "--figure", name, "--out", out)
    assert out.read_bytes().startswith(b"<svg")
    assert out.read_bytes() == charts.drawn(json.dumps(with_model(drawn(name), loaded.config)), "svg")
    named = f">{loaded.config.task.name}, {loaded.config.model.architecture}, "
    assert named in out.read_text(encoding="utf-8")


def test_the_training_has_one_legend_and_the_dashed_line_is_named(drawn):
    lines = drawn("training")["vconcat"][1]["layer"]
    legends = [each for each in lines if "color" in each["encoding"]]
    assert len(legends) == 1, "a band without a swatch"
    encoded = legends[0]["encoding"]
    assert encoded["color"]["scale"]["domain"] == encoded["strokeDash"]["scale"]["domain"]
    for bars in drawn("ablation")["vconcat"]:
        assert bars["title"].endswith("dashed: no part off")


def test_lengths_of_a_task_with_classes_have_their_baseline(tmp_path):
    changes = {"task.name": "is_sorted", "task.max_length": 6, "model.d_model": 8, "model.n_heads": 2}
    checkpoint.save(tmp_path / "model", TaskModel(RunConfig().updated(changes)), [])
    loaded = checkpoint.load(tmp_path / "model")
    table = evaluate(loaded, SEQUENCES, lengths="usual")
    rows_drawn = next(each for each in rows(drawing(loaded, "lengths")) if "baseline" in each[0])
    assert [each["baseline"] for each in rows_drawn] == [each.baseline for each in table.rows if each.n]


def test_a_text_has_its_loss_and_no_lengths(tmp_path):
    config = small_config("decoder-only").updated({"task.name": "text", "task.max_length": 8})
    checkpoint.save(tmp_path / "model", TaskModel(config), [])
    loaded = checkpoint.load(tmp_path / "model")
    bars = next(each for each in rows(drawing(loaded, "ablation")) if "part" in each[0])
    report = ablation.report(loaded.model, each_kind="head")
    assert bars == [{"part": words(part["off"]), "value": part["loss"]} for part in report["parts"]]
    with pytest.raises(PlaygroundError, match="A text can continue in many ways"):
        drawing(loaded, "lengths")
    page, _ = export.content(loaded, "html")
    for sentence in ("A text can continue in many ways", "This checkpoint has no training records"):
        assert sentence in page.decode()


def test_a_figure_of_what_is_missing_is_refused(tmp_path):
    checkpoint.save(tmp_path / "model", TaskModel(TINY), [])
    with pytest.raises(NoFigureError, match="has no training records"):
        drawing(checkpoint.load(tmp_path / "model"), "training")
    checkpoint.save(tmp_path / "dates", TaskModel(RunConfig().updated({"task.name": "dates", "model.d_model": 8})), [])
    words = ["--format", "figure", "--figure", "lengths", "--out", tmp_path / "a.svg"]
    refused(tmp_path, "export", tmp_path / "dates", *words, says="already has all input lengths of the task dates")


def test_the_cost_of_a_file_counts_what_it_measures():
    config = TINY
    assert export.tests_needed("csv", "", config) == export.tests_needed("figure", "logits", config) == 0
    each = [export.tests_needed("figure", name, config) for name in FIGURES]
    assert export.tests_needed("html", "attention", config) == sum(each) > max(each) > 0

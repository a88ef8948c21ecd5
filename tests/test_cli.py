"""The command line: what it promises to machines, and one line with exit code 2 for everything that is wrong."""

import json
import math
import os
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner, Result

from playground import cli
from playground.cli import benchmark_command, train_command
from playground.decoding import generate
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.runs.backends import LOCAL
from playground.settings.config import Change, RunConfig
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.storage.checkpoint import CONFIG, WEIGHTS, load, save
from playground.storage.library import SHIPPED
from playground.tasks import TASKS, decode, encode
from playground.training import Training
from tests.helpers import HANG

TINY = {
    "task.name": "copy",
    "task.vocab_size": 4,
    "task.max_length": 3,
    "model.d_model": 8,
    "model.n_heads": 2,
    "model.d_ff": 16,
    "training.steps": 6,
    "training.batch_size": 8,
    "training.eval_every": 2,
}
SETTINGS = [word for path, value in TINY.items() for word in ("--set", f"{path}={value}")]


def run(*words: object) -> Result:
    return CliRunner().invoke(cli.app, [str(word) for word in words])


def done(*words: object) -> str:
    """Standard output of a command that has to succeed."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def refused(folder: Path, *words: object, says: str = "") -> None:
    """The command ends in one line on standard error and exit code 2, and `folder` stays as it is."""
    before = tree(folder)
    result = run(*words)
    assert isinstance(result.exception, SystemExit), f"a traceback: {result.exception!r}"
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("Error: ")
    assert says in result.stderr
    assert tree(folder) == before


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint folder that the command line has made."""
    folder = tmp_path_factory.mktemp("trained") / "model"
    done("train", *SETTINGS, "--out", folder)
    return folder


# --- train ----------------------------------------------------------------------------------------


def test_train_json_prints_the_documented_object(tmp_path: Path):
    summary = json.loads(done("train", *SETTINGS, "--out", tmp_path / "model", "--json").splitlines()[-1])
    model = load(tmp_path / "model").model
    assert summary["steps"] == 6
    assert type(summary["steps"]) is int
    assert summary["parameters"] == sum(parameter.numel() for parameter in model.parameters())
    for name in ("seconds", "steps_per_second", "loss"):
        assert isinstance(summary[name], float)
        assert math.isfinite(summary[name])
        assert summary[name] > 0
    assert summary["steps_per_second"] == pytest.approx(6 / summary["seconds"])
    for name in ("exact_match", "token_accuracy"):
        assert isinstance(summary[name], float)
        assert 0 <= summary[name] <= 1
    assert summary["solved_at_step"] is None
    assert summary["solved_at_seconds"] is None


def test_a_solved_run_reports_when(tmp_path: Path):
    easy = [*SETTINGS, "--set", "task.max_length=2", "--set", "model.d_model=16", "--steps", 300]
    easy += ["--set", "training.batch_size=16", "--set", "training.learning_rate=0.01"]
    summary = json.loads(done("train", *easy, "--out", tmp_path / "model", "--json").splitlines()[-1])
    assert type(summary["solved_at_step"]) is int
    assert summary["solved_at_step"] == summary["steps"] < 300
    assert summary["exact_match"] >= 0.999
    assert isinstance(summary["solved_at_seconds"], float)
    assert 0 < summary["solved_at_seconds"] < summary["seconds"]


def test_the_checkpoint_holds_the_results(tmp_path: Path):
    summary = json.loads(done("train", *SETTINGS, "--out", tmp_path / "model", "--json").splitlines()[-1])
    checkpoint = load(tmp_path / "model")
    assert checkpoint.config == PRESETS[DEFAULT_PRESET].config.updated(TINY)
    assert [record["step"] for record in checkpoint.history] == list(range(7))
    newest = checkpoint.history[-1]
    assert newest["validation_loss"] == summary["loss"]
    assert newest["exact_match"] == summary["exact_match"]


def test_the_same_seed_is_the_same_run(tmp_path: Path):
    def outcome(name: str, seed: int) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        words = [*SETTINGS, "--seed", seed, "--out", tmp_path / name, "--json"]
        summary = json.loads(done("train", *words).splitlines()[-1])
        weights = load(tmp_path / name).model.state_dict()
        return {key: value for key, value in summary.items() if "second" not in key}, weights

    (first, weights), (again, same_weights), (other, _) = outcome("a", 7), outcome("b", 7), outcome("c", 8)
    assert first == again != other
    assert all(torch.equal(weights[name], same_weights[name]) for name in weights)


def test_train_without_json_prints_a_summary(tmp_path: Path):
    output = done("train", *SETTINGS, "--out", tmp_path / "model")
    assert output.splitlines()[-1].startswith("6 steps in ")
    assert str(tmp_path / "model") in output


@pytest.mark.parametrize(
    ("device", "says"), [("cuda", "needs a CUDA GPU"), ("tpu", "--device can't be tpu. Use one of ")]
)
def test_a_missing_device_is_refused_before_anything_is_written(tmp_path, monkeypatch, device, says):
    monkeypatch.setitem(vars(LOCAL), "has_gpu", False)
    refused(tmp_path, "train", *SETTINGS, "--device", device, "--out", tmp_path / "model", says=says)


def test_options_override_a_config_and_a_config_overrides_the_defaults(tmp_path: Path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(RunConfig().updated(TINY | {"seed": 3}).model_dump()))
    words = ["--config", file, "--set", "training.steps=5", "--steps", 2, "--set", "model.positions=none"]
    done("train", *words, "--out", tmp_path / "model")
    expected = RunConfig().updated(TINY | {"seed": 3, "training.steps": 2, "model.positions": "none"})
    assert load(tmp_path / "model").config == expected


def test_the_config_of_a_checkpoint_trains_the_same_model_again(trained: Path, tmp_path: Path):
    header = json.loads((trained / CONFIG).read_text())
    header |= {"origin": {"repo_id": "alice/tiny", "revision": "0" * 40}, "begun_from": "another"}  # as of a pulled one
    (tmp_path / CONFIG).write_text(json.dumps(header))
    done("train", "--config", tmp_path / CONFIG, "--out", tmp_path / "again")
    assert (tmp_path / "again" / "model.safetensors").read_bytes() == (trained / "model.safetensors").read_bytes()


def test_a_changed_run_is_trained_the_same_way_again_unless_an_option_says_otherwise(tmp_path: Path):
    config = RunConfig().updated(TINY)
    changes = (
        Change(step=2, settings={"model.dropout": 0.4, "training.batch_size": 3}),
        Change(step=4, settings={"training.steps": 9, "training.stop_when_solved": False}),
    )
    training = Training(config, changes=changes)
    save(tmp_path / "one", training.model, [each.record() for each in training.progress()], changes)
    done("train", "--config", tmp_path / "one" / CONFIG, "--out", tmp_path / "again")
    assert (tmp_path / "again" / WEIGHTS).read_bytes() == (tmp_path / "one" / WEIGHTS).read_bytes()
    assert load(tmp_path / "again").changes == changes
    assert load(tmp_path / "again").history[-1]["step"] == 9
    words = ["--config", tmp_path / "one" / CONFIG, "--steps", 5, "--set", "training.batch_size=4"]
    done("train", *words, "--out", tmp_path / "other")
    assert load(tmp_path / "other").history[-1]["step"] == 5
    assert [change.settings for change in load(tmp_path / "other").changes] == [
        {"model.dropout": 0.4},
        {"training.stop_when_solved": False},
    ]
    wrong = json.loads((tmp_path / "one" / CONFIG).read_text()) | {"changes": [{"step": 1, "settings": {"seed": 2}}]}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    words = ["--config", tmp_path / "wrong.json", "--out", tmp_path / "model"]
    refused(tmp_path, "train", *words, says="seed needs a new run")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_accepted(tmp_path: Path, name: str):
    longest = 8 if PRESETS[name].config.task.name == "text" else 2
    small = ["--set", "task.min_length=2", "--set", f"task.max_length={longest}", "--set", "model.d_model=8"]
    small += ["--set", "training.warmup_steps=1", "--steps", 1]
    done("train", "--preset", name, *small, "--out", tmp_path / "model")
    made, preset = load(tmp_path / "model").config, PRESETS[name].config
    assert made.model.architecture == preset.model.architecture
    assert made.model.norm_position == preset.model.norm_position
    assert made.task.name == preset.task.name


def test_a_set_value_may_be_a_word_or_a_boolean(tmp_path: Path):
    changes = [
        "--set",
        "model.bias = false",
        "--set",
        " model.activation= gelu ",
        "--set",
        "training.learning_rate=1e-3",
    ]
    done("train", *SETTINGS, *changes, "--out", tmp_path / "model")
    config = load(tmp_path / "model").config
    assert (config.model.bias, config.model.activation, config.training.learning_rate) == (False, "gelu", 1e-3)


def test_overwriting_needs_the_option(tmp_path: Path):
    words = ["train", *SETTINGS, "--out", tmp_path / "model"]
    done(*words)
    refused(tmp_path, *words, says="already contains a checkpoint")
    done(*words, "--seed", 1, "--overwrite")
    assert load(tmp_path / "model").config.seed == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--preset", "slow"], "--preset slow"),
        (["--preset", ""], "--preset"),
        (["--preset", "gpt", "--config", "file.json"], "--config"),
        (["--set", "model.d_model"], "--set model.d_model"),
        (["--set", "=3"], "not a setting"),
        (["--set", "model.d_modle=8"], "model.d_modle"),
        (["--set", "model=8"], "model is not a setting"),
        (["--set", "model.d_model.x=8"], "model.d_model.x"),
        (["--set", "model.d_model=wide"], "model.d_model can't be wide"),
        (["--set", "model.d_model="], "model.d_model"),
        (["--set", "model.d_model=NaN"], "model.d_model"),
        (["--set", "model.d_model=" + "9" * 5000], "model.d_model"),
        (["--set", "model.d_model=" + "[" * 100_000], "model.d_model"),
        (["--set", "model.d_model=10", "--set", "model.n_heads=4"], "d_model 10 is not divisible by n_heads 4"),
        (["--set", "model.n_heads=0", "--set", "training.steps=0"], "model.n_heads"),
        (["--set", "model.positions=a\nb"], "model.positions"),
        (["--seed", "-1"], "seed"),
        (["--steps", "0"], "training.steps"),
        (["--steps", "1000000000"], "training.steps"),
        (["--config", "nowhere.json"], "nowhere.json"),
        (["--config", "."], "--config ."),
        (["--config", "x" * 300], "--config"),
        (["--config", "notes.txt"], "notes.txt"),
        (["--config", "list.json"], "object"),
        (["--config", "deep.json"], "deep.json"),
        (["--config", "odd.json"], "d_modle"),
        (["--config", "quotes.json"], "quotes.json is not JSON: EOF while parsing a string"),
        (["--preset", "quick-copy", "--text", "notes.txt"], "--text is for the task text, and the task is copy."),
        (["--text", "notes.txt", "--set", "task.name=sort"], "--text is for the task text, and the task is sort."),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value)[:40],
)
def test_train_refuses_invalid_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("no\njson")
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "odd.json").write_text('{"model": {"d_modle": 8}}')
    (tmp_path / "quotes.json").write_text('"' + '\\"' * 40_000)
    refused(tmp_path, "train", *words, "--out", "model", says=says)


@pytest.mark.parametrize("option", ["--config", "--text"])
def test_of_a_file_of_any_size_only_the_beginning_is_read(tmp_path: Path, option: str):
    with (tmp_path / "huge.txt").open("wb") as huge:
        huge.truncate(1 << 30)  # without a byte on the disk
    tracemalloc.start()
    result = run("train", option, tmp_path / "huge.txt", "--out", tmp_path / "model")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.exit_code == 2
    assert "is larger than the limit of" in result.stderr
    assert peak < 50_000_000


@pytest.mark.parametrize("out", ["full", "file", "file/model", "file/deep/model", "x" * 300])
@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
def test_train_refuses_an_unwritable_folder_before_it_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, overwrite: list[str]
):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "chapter.txt").write_text("one")
    (tmp_path / "file").write_text("two")

    def training(*_: object) -> None:
        pytest.fail("it trains first and finds out later")

    monkeypatch.setattr(train_command, "Training", training)
    refused(tmp_path, "train", *SETTINGS, *overwrite, "--out", tmp_path / out, says=out.split("/")[0][:40])


def test_train_may_write_to_the_empty_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done("train", *SETTINGS, "--out", ".")
    load(tmp_path)


def test_a_diverging_run_prints_one_line_and_writes_nothing(tmp_path: Path):
    wild = ["--set", "training.optimizer=sgd", "--set", "training.learning_rate=10", "--set", "model.layer_norm=false"]
    refused(tmp_path, "train", *SETTINGS, *wild, "--out", tmp_path / "model", says="learning rate")


# --- generate -------------------------------------------------------------------------------------


def test_generate_prints_the_answer_of_the_model(trained: Path):
    model = load(trained).model
    answer = decode(generate(model, encode("3 1 2", model.config.task)), model.config.task)
    assert done("generate", trained, "--input", "3 1 2") == " ".join(answer) + "\n"
    assert done("generate", trained, "--input", "  3   1\t2 ") == " ".join(answer) + "\n"


def test_a_command_computes_on_one_thread(trained: Path):
    torch.set_num_threads(2)
    try:
        done("generate", trained, "--input", "3 1 2")
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize("name", SHIPPED)
def test_generate_with_a_shipped_model_is_correct(name: str):
    answer = done("generate", REPOSITORY / "checkpoints" / name, "--input", "3 1 4 1 5 9")
    right = {"copy": "3 1 4 1 5 9", "reverse": "9 5 1 4 1 3", "sort": "1 1 3 4 5 9"}
    assert answer == f"{right[name.partition('-')[0]]}\n"


@pytest.mark.parametrize(
    ("changes", "text", "says"),
    [
        ({}, "3 1 2", ""),
        ({"task.min_length": 2}, "3", "inputs of 2 to 3 symbols. Its answer for 1 is"),
        ({"task.name": "addition", "task.vocab_size": 10}, "999+1", ""),
        (
            {"task.name": "addition", "task.vocab_size": 10, "task.min_length": 3},
            "999+1",
            "inputs of two numbers of 3 digits. Its answer for numbers of 3 and 1 digits is",
        ),
        (
            {"task.name": "addition", "task.vocab_size": 10, "task.min_length": 2},
            "999+1",  # as long as 99+99
            "inputs of two numbers of 2 to 3 digits. Its answer for numbers of 3 and 1 digits is",
        ),
        (
            {"task.name": "recall", "task.min_length": 2},
            "a 1 a",
            "inputs of 2 to 3 key-value pairs and a key. Its answer for 1 key-value pair is",
        ),
    ],
)
def test_a_length_that_training_never_had_gets_a_note(tmp_path: Path, changes: dict[str, Any], text: str, says: str):
    save(tmp_path / "model", TaskModel(RunConfig().updated(TINY | changes)), [])
    wanted = f"Note: This model was trained on {says} unreliable.\n" if says else ""
    for words in (["generate"], ["inspect", "--out", tmp_path / "walk.json"]):
        result = run(*words, tmp_path / "model", "--input", text)
        assert (result.exit_code, result.stderr) == (0, wanted), result.output


def test_inputs_of_an_attribution_get_the_same_note(tmp_path: Path):
    save(tmp_path / "model", TaskModel(RunConfig().updated(TINY | {"task.min_length": 2})), [])
    words = ["attribute", tmp_path / "model", "--input", "3 1", "--other", "1 2", "--input", "3", "--other", "1"]
    result = run(*words, "--pairs", 7, "--json")
    note = "Note: This model was trained on inputs of 2 to 3 symbols. Its answer for 1 is unreliable.\n"
    ignored = "Note: --pairs is ignored: --input names the inputs.\n"
    assert (result.exit_code, result.stderr) == (0, 2 * note + ignored), result.output
    assert json.loads(result.stdout)["pairs"] == 2


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--temperature", ["-1", "nan", "inf", "1e9", "abc"]),
        ("--top-k", ["0", "-1", "nan", "abc"]),
        ("--top-p", ["0", "-1", "nan", "1e9", "abc"]),
        ("--beams", ["0", "-1", "nan", "1000000000", "abc"]),
        ("--max-tokens", ["0", "-1", "nan", "abc"]),
        ("--seed", ["-1", "nan", "abc"]),
    ],
)
def test_an_option_of_generate_out_of_range_is_refused(trained: Path, option: str, values: list[str]):
    for value in values:
        refused(trained, "generate", trained, "--input", "1", f"{option}={value}")
    if option in ("--top-k", "--max-tokens"):
        done("generate", trained, "--input", "1", f"{option}={10**30}")


def test_a_number_out_of_range_names_the_range(trained: Path):
    for words, says in (
        (["attribute", trained, "--pairs", 0], "--pairs can't be 0. Use a whole number from 1 to 1,000."),
        (["attribute", trained, "--threshold", -1], "--threshold can't be -1. Use a number of at least 0"),
        (["train", "--save-every", 0], "--save-every can't be 0. Use a whole number of at least 1."),
        (["evaluate", trained, "--by", "foo"], "--by can't be foo. Use one of position, length."),
        (["evaluate", trained, "--sequences", 10**7], "--sequences can't be 10000000. Use 1 to 65,536, or all."),
        (["evaluate", trained, "--sequences", 0], "--sequences can't be 0. Use 1 to 65,536, or all."),
    ):
        refused(trained, *words, says=says)


def test_fewer_inputs_than_asked_for_are_counted(trained: Path):
    result = run("evaluate", trained, "--sequences", 5000, "--json")
    found = json.loads(result.stdout)["n"]
    assert found < 5000
    assert result.stderr == f"Note: Only {found:,} held-out inputs could be found, and all are tested.\n"
    assert run("evaluate", trained, "--sequences", 3).stderr == ""


def test_a_circuit_is_not_replaced_unless_asked(trained: Path, tmp_path: Path):
    out = tmp_path / "circuit.json"
    words = ["attribute", trained, "--circuit", out, "--pairs", 5]
    done(*words, "--keep", 2)
    kept = out.read_bytes()
    refused(trained, *words, "--keep", 1, says="already exists. Choose another file or use --overwrite.")
    refused(
        trained, "export", trained, "--format", "json", "--out", out, says="is a circuit, which no export replaces."
    )
    assert out.read_bytes() == kept
    done(*words, "--keep", 1, "--overwrite")
    assert out.read_bytes() != kept


@pytest.mark.parametrize("value", ["0", "-1", "nan", "1e9", "abc", ",", "256"])
def test_lengths_out_of_range_are_refused(trained: Path, value: str):
    refused(
        trained,
        "evaluate",
        trained,
        f"--lengths={value}",
        says="Use 1 to " if value in ("0", "-1", "256") else "--lengths",
    )


def test_help_names_the_ranges():
    found = " ".join(" ".join(done(command, "--help") for command in ("generate", "evaluate", "sweep")).split())
    for words in (
        "0 to 100",
        "1 or more",
        "above 0, at most 1",
        "1 to 64",
        "8 times max_length",
        "at most 64 runs",
        "8 times as long, at most 512",
    ):
        assert words in found


BAD_INPUTS = {"3 x": "x", "3 4": "4", "-1": "-1", "PAD": "PAD", "1 1 1 1": "4 symbols", "": "empty", " \n ": "empty"}


@pytest.mark.parametrize(("text", "says"), BAD_INPUTS.items())
def test_an_invalid_input_is_refused(trained: Path, tmp_path: Path, text: str, says: str):
    refused(trained.parent, "generate", trained, f"--input={text}", says=says)
    refused(tmp_path, "inspect", trained, f"--input={text}", "--out", tmp_path / "walk.json", says=says)


@pytest.mark.parametrize("name", ["nowhere", "empty", "file", "file/below", "x" * 300])
def test_a_folder_that_is_not_a_checkpoint_is_refused(tmp_path: Path, name: str):
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("two")
    refused(tmp_path, "generate", tmp_path / name, "--input", "1", says=name[:40])
    refused(tmp_path, "inspect", tmp_path / name, "--input", "1", "--out", tmp_path / "walk.json", says=name[:40])


def test_a_damaged_checkpoint_is_refused(tmp_path: Path):
    save(tmp_path / "model", TaskModel(RunConfig().updated(TINY)), [])
    content = (tmp_path / "model" / "model.safetensors").read_bytes()
    (tmp_path / "model" / "model.safetensors").write_bytes(content[:-1])
    refused(tmp_path, "generate", tmp_path / "model", "--input", "1", says="model.safetensors")


# --- inspect --------------------------------------------------------------------------------------


def inspected(folder: Path, out: Path, *words: object) -> dict[str, Any]:
    done("inspect", folder, "--out", out, *words)

    def no_constant(name: str) -> None:
        pytest.fail(f"{name} is no JSON")

    return json.loads(out.read_text(encoding="utf-8"), parse_constant=no_constant)


def test_inspect_writes_every_operation_as_documented(trained: Path, tmp_path: Path):
    walk = inspected(trained, tmp_path / "walk.json", "--input", "3 1 2")
    assert [path.name for path in tmp_path.iterdir()] == ["walk.json"]
    assert {"steps", "parameters"} <= walk.keys()
    promised = {"name", "title", "formula", "dims", "shape", "values", "inputs", "parameters", "source"}
    for step in walk["steps"]:
        assert promised <= step.keys()
        assert {"file", "line", "code"} <= step["source"].keys()
    for parameter in walk["parameters"].values():
        assert {"shape", "values"} <= parameter.keys()
    names = [step["name"] for step in walk["steps"]]
    assert len(names) == len(set(names))
    assert "decoder.layers.0.cross_attention.attention.weights" in names


def test_inspect_accepts_a_target(trained: Path, tmp_path: Path):
    model = load(trained).model
    answer = generate(model, encode("3 1 2", model.config.task))
    own = inspected(trained, tmp_path / "own.json", "--input", "3 1 2")
    given = inspected(trained, tmp_path / "given.json", "--input", "3 1 2", "--target", "0 0")

    def tokens(walk: dict[str, Any]) -> list[int]:
        return next(step["values"][0] for step in walk["steps"] if step["name"] == "decoder.tokens")

    assert tokens(own)[1:] == answer
    assert tokens(given)[1:] == [4, 4]


@pytest.mark.parametrize("target", ["", "9", "1 1 1 1"])
def test_an_invalid_target_is_refused(trained: Path, tmp_path: Path, target: str):
    words = ["inspect", trained, "--input", "1", "--target", target, "--out", tmp_path / "walk.json"]
    refused(tmp_path, *words, says="target")


@pytest.mark.parametrize("out", ["folder", "file/walk.json", "nowhere/walk.json", "x" * 300, ".", ""])
def test_inspect_refuses_an_unwritable_file(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("two")
    refused(tmp_path, "inspect", trained, "--input", "1", "--out", out, says=f"--out {out}"[:40])


def test_a_failed_write_leaves_the_old_file_as_it_was(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "walk.json").write_text("precious")

    def replace(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "rename", replace)
    refused(tmp_path, "inspect", trained, "--input", "1", "--out", tmp_path / "walk.json", says="No space left")


# --- all of it ------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["train"], ["inspect"], ["generate"], ["benchmark"]])
def test_help_lists_the_commands(words: list[str]):
    text = re.sub(r"-\n\s+", "-", done(*words, "--help"))  # names are wrapped at hyphens
    options = {
        "": ["train", "inspect", "generate", "benchmark"],
        "train": ["--preset", "--config", "--set", "--seed", "--steps", "--out", "--json", *PRESETS],
        "inspect": ["--input", "--target", "--out"],
        "generate": ["--input"],
        "benchmark": ["--seeds", "--task", "--json"],
    }
    for option in options[" ".join(words)]:
        assert option in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["train"], "--out"),
        (["train", "--out", "model", "--seed", "seven"], "--seed"),
        (["train", "--out", "model", "--steps", "1.5"], "--steps"),
        (["train", "--out", "model", "--fast"], "--fast"),
        (["generate", "--input", "1"], "DIR"),
        (["generate", "model"], "--input"),
        (["inspect", "model", "--input", "1"], "--out"),
        (["benchmark", "--seeds", "0"], "--seeds"),
        (["benchmark", "--task", "nix"], f"nix is not a task. Use one of {', '.join(TASKS)}."),
        (["dance"], "dance"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_an_unknown_command_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], says: str
):
    monkeypatch.chdir(tmp_path)
    refused(tmp_path, *words, says=says)


def test_benchmark_prints_text_or_json(monkeypatch: pytest.MonkeyPatch):
    ours = {"solved_at_seconds": None, "solved": 1, "seeds": 2, "own_inputs_right": 99, "own_inputs": 100}
    peers = {"seconds": 4.5, "exact_match": 0.999, "solved": True, "seeds": 1, "ratio": 12.0}
    figures = {
        "accuracy": 0.999,
        "sequences": 1000,
        "ours": {"quick": ours},
        "peers": {"slow": peers},
    }
    monkeypatch.setattr(
        benchmark_command.figures, "run", lambda seeds, peer_seeds, log: figures | {"asked": [seeds, peer_seeds]}
    )
    assert json.loads(done("benchmark", "--seeds", 2, "--json")) == figures | {"asked": [2, 1]}
    text = done("benchmark")
    assert text.startswith("Optimizer seconds to 99.9 % exact match")
    for word in ("never", "12.0 x", "99 of 100 own inputs"):
        assert word in text


def test_the_command_trains_and_refuses_without_a_traceback(tmp_path: Path):
    def call(*words: object, code: int = 0) -> tuple[str, str]:
        command = [sys.executable, "-m", "playground", *map(str, words)]
        process = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=HANG)
        assert "Traceback" not in process.stderr
        assert process.returncode == code, process.stderr
        return process.stdout, process.stderr

    printed, warned = call("train", *SETTINGS, "--out", tmp_path / "model", "--json")
    assert json.loads(printed.splitlines()[-1])["steps"] == 6
    assert warned == "", "no progress bar where there is no terminal"
    printed, warned = call("generate", tmp_path / "model", "--input", "3 x 2", code=2)
    assert printed == ""
    assert len(warned.splitlines()) == 1
    assert warned.startswith("Error: ")


def test_a_sweep_trains_every_combination_and_keeps_each_run(tmp_path: Path):
    axes = ["--set", "model.n_heads=1,2", "--set", "training.steps=20", "--seeds", 2]
    found = json.loads(done("sweep", *SETTINGS, *axes, "--json", "--out", tmp_path / "many").splitlines()[-1])["runs"]
    settings = [(run["settings"], run["seed"]) for run in found]
    assert settings == [({"model.n_heads": heads}, seed) for seed in (0, 1) for heads in (1, 2)]
    assert json.loads((tmp_path / "many" / "sweep.json").read_text())["runs"] == found
    for run in found:
        kept = load(tmp_path / "many" / run["checkpoint"])
        assert (kept.config.model.n_heads, kept.config.seed) == (run["settings"]["model.n_heads"], run["seed"])
        assert (run["steps"], run["status"], run["exact_match"]) == (20, "finished", kept.history[-1]["exact_match"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--set", "model.d_model=16"], "A sweep varies one or two settings, not 0."),
        (["--set", "model.heads=1,2"], "There is no setting 'model.heads'."),
        (["--set", "model.n_heads=1,x"], "“x” is not a value of n_heads."),
        (["--set", "model.n_heads=1,5"], "n_heads"),
        (["--set", "model.n_heads=1,2", "--seeds", "40"], "This sweep has 80 runs. The limit is 64."),
        (["--set", "model.n_heads=1,2", "--address", "127.0.0.1:6379"], "--address"),
        (["--set", "model.n_heads=1,2", "--backend", "ray", "--address", "127.0.0.1:9"], "There is no Ray cluster"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value)[-40:],
)
def test_a_sweep_refuses_invalid_options(tmp_path: Path, words: list[str], says: str):
    refused(tmp_path, "sweep", *words, "--out", "many", says=says)

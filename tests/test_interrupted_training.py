"""`train` that is interrupted: what is saved, what continues bit for bit, and what is refused."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import safetensors.torch
import torch

from playground.cli import terminal_bar, train_command
from playground.recording import REPOSITORY
from playground.storage import checkpoint
from playground.storage.validation import CARD, CONFIG, HISTORY, STATE, WEIGHTS
from playground.training import Training
from tests.helpers import HANG, until
from tests.test_cli import SETTINGS, done, refused, run

VARIED = {
    "adamw": [],
    "sgd": ["--set", "training.optimizer=sgd"],
    "recorded": ["--set", "training.record=training_accuracy,head_roles"],
    "dropout": ["--set", "model.dropout=0.3"],
    "decoder-only": ["--set", "model.architecture=decoder-only", "--set", "training.schedule=cosine"],
}


def signals(monkeypatch: pytest.MonkeyPatch, at: int, *numbers: int) -> None:
    """Send these signals to the process while the step after `at` is under way; at -1 before the first evaluation."""
    begin = Training.__init__

    def beginning(self: Training, *given: object) -> None:
        begin(self, *given)
        for number in numbers if at < 0 else ():
            signal.raise_signal(number)

    monkeypatch.setattr(Training, "__init__", beginning)
    take_step = Training.take_step

    def taking(self: Training):
        if self.step == at:
            for number in numbers:
                signal.raise_signal(number)
        return take_step(self)

    monkeypatch.setattr(Training, "take_step", taking)


def untimed(folder: Path) -> list[dict]:
    return [
        {name: value for name, value in each.items() if name != "seconds"} for each in checkpoint.load(folder).history
    ]


def interrupted(monkeypatch: pytest.MonkeyPatch, out: Path, *words: object, at: int = 2) -> str:
    """A training that Ctrl-C has interrupted after the step `at` + 1; returns its words."""
    with monkeypatch.context() as patched:
        signals(patched, at, signal.SIGINT)
        result = run("train", *SETTINGS, *words, "--out", out)
    assert (result.exit_code, result.stdout) == (130, ""), result.output
    return result.stderr


@pytest.mark.parametrize("name", VARIED)
@pytest.mark.parametrize("at", [-1, 0, 2])
def test_an_interrupted_training_continues_bit_for_bit(tmp_path, monkeypatch, name, at):
    whole, out = tmp_path / "whole", tmp_path / "my model"
    done("train", *SETTINGS, *VARIED[name], "--out", whole)
    words = interrupted(monkeypatch, out, *VARIED[name], at=at)
    assert words == (
        f"Stopped after {at + 1} of 6 steps. Saved to {out}. To go on: python -m playground train --resume '{out}'\n"
    )
    assert {path.name for path in out.iterdir()} == {CONFIG, WEIGHTS, HISTORY, CARD, STATE}
    assert checkpoint.load(out).history[-1]["step"] == at + 1
    done("train", "--resume", out)
    assert {path.name for path in out.iterdir()} == {CONFIG, WEIGHTS, HISTORY, CARD}
    assert (out / WEIGHTS).read_bytes() == (whole / WEIGHTS).read_bytes()
    assert untimed(out) == untimed(whole)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_summary_covers_the_time_before_the_interruption(tmp_path, monkeypatch):
    easy = [
        "--set",
        "task.max_length=2",
        "--set",
        "model.d_model=16",
        "--steps",
        300,
        "--set",
        "training.batch_size=16",
    ]
    easy += ["--set", "training.learning_rate=0.01", "--set", "training.stop_when_solved=false"]
    whole = json.loads(done("train", *SETTINGS, *easy, "--out", tmp_path / "whole", "--json").splitlines()[-1])
    assert whole["solved_at_step"] < 299
    interrupted(monkeypatch, tmp_path / "model", *easy, at=298)
    before = checkpoint.load(tmp_path / "model").history[-1]["seconds"]
    resumed = json.loads(done("train", "--resume", tmp_path / "model", "--json").splitlines()[-1])
    assert {k: v for k, v in resumed.items() if "second" not in k} == {
        k: v for k, v in whole.items() if "second" not in k
    }
    assert resumed["seconds"] > resumed["optimizer_seconds"] > before > resumed["solved_at_seconds"] > 0
    assert resumed["steps_per_second"] == pytest.approx(300 / resumed["seconds"])


def test_more_steps_are_a_change_that_the_config_repeats(tmp_path, monkeypatch):
    interrupted(monkeypatch, tmp_path / "model", "--set", "training.schedule=cosine")
    refused(tmp_path, "train", "--resume", tmp_path / "model", "--steps", 3, says="not above the 3 steps already taken")
    done("train", "--resume", tmp_path / "model", "--steps", 9)
    assert checkpoint.load(tmp_path / "model").history[-1]["step"] == 9
    done("train", "--config", tmp_path / "model" / CONFIG, "--out", tmp_path / "whole")
    assert (tmp_path / "model" / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()
    assert untimed(tmp_path / "model") == untimed(tmp_path / "whole")


def test_a_training_can_be_interrupted_twice(tmp_path, monkeypatch):
    done("train", *SETTINGS, "--out", tmp_path / "whole")
    interrupted(monkeypatch, tmp_path / "model", at=1)
    with monkeypatch.context() as patched:
        signals(patched, 3, signal.SIGTERM)
        assert run("train", "--resume", tmp_path / "model").exit_code == 143
    done("train", "--resume", tmp_path / "model")
    assert (tmp_path / "model" / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()
    assert untimed(tmp_path / "model") == untimed(tmp_path / "whole")


def test_a_second_signal_ends_at_once_and_keeps_the_last_save(tmp_path, monkeypatch):
    signals(monkeypatch, 3, signal.SIGINT, signal.SIGINT)
    result = run("train", *SETTINGS, "--out", tmp_path / "model", "--save-every", 2)
    assert (result.exit_code, result.output) == (130, "")
    assert checkpoint.load(tmp_path / "model").history[-1]["step"] == 2
    monkeypatch.undo()
    done("train", "--resume", tmp_path / "model")
    signals(monkeypatch, 3, signal.SIGINT, signal.SIGINT)
    assert run("train", *SETTINGS, "--out", tmp_path / "other").exit_code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_signal_in_the_last_step_changes_nothing(tmp_path, monkeypatch):
    signals(monkeypatch, 5, signal.SIGTERM)
    assert "6 steps" in done("train", *SETTINGS, "--out", tmp_path / "model")
    assert not (tmp_path / "model" / STATE).exists()


def test_every_save_is_a_whole_checkpoint(tmp_path, monkeypatch):
    saved, save = [], checkpoint.save

    def saving(folder: Path, *rest: object, **options: object) -> None:
        save(folder, *rest, **options)
        saved.append((checkpoint.load(folder).history[-1]["step"], (folder / STATE).exists()))

    monkeypatch.setattr(checkpoint, "save", saving)
    done("train", *SETTINGS, "--out", tmp_path / "model", "--save-every", 2)
    assert saved == [(2, True), (4, True), (6, False)]


def test_a_save_that_fails_does_not_end_the_training(tmp_path, monkeypatch):
    save = checkpoint.save

    def full(folder: Path, *rest: object, state: bytes = b"", **options: object) -> None:
        if state:
            raise checkpoint.CheckpointError("The disk is full.", kind="disk")
        save(folder, *rest, **options)

    monkeypatch.setattr(checkpoint, "save", full)
    result = run("train", *SETTINGS, "--out", tmp_path / "model", "--save-every", 4)
    assert (result.exit_code, result.stderr) == (0, "Note: The disk is full.\n")
    assert checkpoint.load(tmp_path / "model").history[-1]["step"] == 6


def test_the_empty_working_directory_can_be_saved_to_again_and_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done("train", *SETTINGS, "--out", ".", "--save-every", 1)
    assert checkpoint.load(tmp_path).history[-1]["step"] == 6


def test_overwriting_still_needs_the_option(tmp_path, monkeypatch):
    interrupted(monkeypatch, tmp_path / "model")
    refused(tmp_path, "train", *SETTINGS, "--out", tmp_path / "model", says="already contains a checkpoint")
    done("train", *SETTINGS, "--out", tmp_path / "model", "--overwrite")
    assert not (tmp_path / "model" / STATE).exists()


# --- refusals ---------------------------------------------------------------------------------------


def test_a_training_that_has_ended_is_refused(tmp_path):
    done("train", *SETTINGS, "--out", tmp_path / "model")
    refused(tmp_path, "train", "--resume", tmp_path / "model", says="its training has ended")
    refused(tmp_path, "train", "--resume", tmp_path / "nowhere", says="There is no checkpoint")


@pytest.mark.parametrize(
    "words",
    [
        ["--out", "other"],
        ["--preset", "gpt"],
        ["--config", "file.json"],
        ["--set", "model.d_model=8"],
        ["--text", "a.txt"],
        ["--seed", "0"],
        ["--overwrite"],
    ],
    ids=lambda words: words[0],
)
def test_settings_beside_resume_are_refused(tmp_path, words):
    refused(
        tmp_path, "train", "--resume", "model", *words, says=f"{words[0]} can't be combined with --resume. The fold"
    )


def test_a_cluster_keeps_no_state(tmp_path):
    for words in (["--resume", "model"], ["--save-every", "2", "--out", "model"]):
        refused(tmp_path, "train", *words, "--backend", "ray", says=f"{words[0]} needs --backend local.")


def _edited(content: bytes, **tensors: torch.Tensor | None) -> bytes:
    state = safetensors.torch.load(content) | tensors
    return safetensors.torch.save({name: tensor for name, tensor in state.items() if tensor is not None})


def _progress(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


DAMAGES = {
    "short": (lambda content: content[:-5], "is damaged: "),
    "pickle": (lambda content: b"\x80\x04K\x01.", "is damaged: "),
    "empty": (lambda content: b"", "is damaged: "),
    "large": (lambda content: content + bytes(10_000_000), "is larger than the limit of"),
    "no clock": (lambda content: _edited(content, clock=None), "clock is not three numbers"),
    "not finite": (lambda content: _edited(content, progress=_progress(3, float("nan"), 0)), "progress is not three"),
    "another step": (lambda content: _edited(content, progress=_progress(4, 1, 0)), "the history ends with step 3"),
    "half a step": (lambda content: _edited(content, progress=_progress(2.5, 1, 0)), "its step is 2.5"),
    "beyond": (lambda content: _edited(content, progress=_progress(1e300, 1, 0)), "its step is 1e+300"),
    "unknown": (lambda content: _edited(content, more=torch.zeros(1)), "more is unexpected"),
    "weights": (lambda content: _edited(content, **{"model.x": torch.zeros(1)}), "model.x is unexpected"),
    "no randomness": (lambda content: _edited(content, **{"random.data": None}), "random.data is missing"),
    "other randomness": (lambda content: _edited(content, **{"random.data": torch.zeros(3)}), "is damaged: "),
}


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory) -> dict[str, bytes]:
    """The files of an unfinished training."""
    out = tmp_path_factory.mktemp("unfinished") / "model"
    with pytest.MonkeyPatch.context() as patched:
        interrupted(patched, out)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_state_is_refused_in_one_sentence(tmp_path, unfinished, name):
    damage, says = DAMAGES[name]
    checkpoint.write(tmp_path / "model", unfinished | {STATE: damage(unfinished[STATE])})
    refused(tmp_path, "train", "--resume", tmp_path / "model", says=says)
    checkpoint.load(tmp_path / "model")


def test_a_tensor_of_another_shape_is_refused(tmp_path, unfinished):
    state = safetensors.torch.load(unfinished[STATE])
    of_optimizer = next(name for name in state if name.startswith("optimizer.exp_avg.") and state[name].ndim == 2)
    for tensor in (state[of_optimizer].flatten(), state[of_optimizer].double(), state[of_optimizer] / 0):
        files = unfinished | {STATE: _edited(unfinished[STATE], **{of_optimizer: tensor})}
        checkpoint.write(tmp_path / "model", files, overwrite=True)
        refused(tmp_path, "train", "--resume", tmp_path / "model", says=of_optimizer)


def test_a_training_of_a_gpu_needs_one(tmp_path, unfinished, monkeypatch):
    monkeypatch.setitem(vars(train_command.LOCAL), "has_gpu", False)
    state = _edited(unfinished[STATE], **{"random.dropout": torch.zeros(16, dtype=torch.uint8)})
    checkpoint.write(tmp_path / "model", unfinished | {STATE: state})
    refused(tmp_path, "train", "--resume", tmp_path / "model", says="This training ran on a CUDA GPU")


# --- without a terminal -----------------------------------------------------------------------------


def test_a_long_training_prints_lines_without_a_terminal(tmp_path, monkeypatch):
    monkeypatch.setattr(terminal_bar, "LINE_SECONDS", 0.001)
    take_step = Training.take_step

    def taking(self: Training):
        if self.step == 4:
            until(lambda: b"step 4/6 loss" in sys.stderr.buffer.getvalue())
        return take_step(self)

    monkeypatch.setattr(Training, "take_step", taking)
    result = run("train", *SETTINGS, "--out", tmp_path / "model", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["steps"] == 6, "standard output has nothing else"
    assert "\x1b" not in result.stderr
    assert "\r" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("step 4/6 ")]
    assert "exact match" in lines[-1]
    assert lines[-1].endswith("left")


def test_the_lines_of_a_shorter_training_count_to_its_end(tmp_path, monkeypatch):
    interrupted(monkeypatch, tmp_path / "model")
    monkeypatch.setattr(terminal_bar, "LINE_SECONDS", 0.001)
    take_step = Training.take_step

    def taking(self: Training):
        until(lambda: f"step {self.step}/5 ".encode() in sys.stderr.buffer.getvalue())
        return take_step(self)

    monkeypatch.setattr(Training, "take_step", taking)
    assert json.loads(done("train", "--resume", tmp_path / "model", "--steps", 5, "--json"))["steps"] == 5


def test_a_process_saves_at_sigterm_and_goes_on(tmp_path):
    command = [sys.executable, "-m", "playground", "train", *SETTINGS, "--save-every", "5", "--out", "model"]
    with subprocess.Popen(
        [*command, "--set", "training.steps=100000", "--set", "training.stop_when_solved=false"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        until((tmp_path / "model" / STATE).exists)
        process.send_signal(signal.SIGTERM)
        printed, words = process.communicate(timeout=HANG)
    assert (process.returncode, printed) == (143, "")
    assert words.endswith("To go on: python -m playground train --resume model\n")
    reached = checkpoint.load(tmp_path / "model").history[-1]["step"]
    done("train", "--resume", tmp_path / "model", "--steps", reached + 3)
    done("train", "--config", tmp_path / "model" / CONFIG, "--out", tmp_path / "whole")
    assert (tmp_path / "model" / WEIGHTS).read_bytes() == (tmp_path / "whole" / WEIGHTS).read_bytes()
    assert untimed(tmp_path / "model") == untimed(tmp_path / "whole")

"""`sweep` that is interrupted: each run is saved when it ends, and the same command trains the others."""

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from playground.cli import sweep_command
from playground.cli.sweep_command import RESULTS
from playground.common.errors import PlaygroundError
from playground.experiments import batch
from playground.storage import checkpoint
from playground.storage.validation import CONFIG, WEIGHTS
from tests.test_cli import SETTINGS, done, refused, run

WORDS = ["sweep", *SETTINGS, "--set", "model.n_heads=1,2", "--seeds", 2, "--json", "--out"]


def untimed(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in each.items() if "seconds" not in name} for each in runs]


@pytest.fixture(scope="module")
def swept(tmp_path_factory) -> tuple[Path, list[bytes]]:
    """The folder of a sweep that has ended, and everything that was written to its results."""
    written, write = [], sweep_command.write_whole
    out = tmp_path_factory.mktemp("swept") / "many"

    def writing(file: Path, content: bytes, **options: bool) -> None:
        write(file, content, **options)
        written.append(content)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sweep_command, "write_whole", writing)
        assert json.loads(done(*WORDS, out)) == json.loads(written[-1])
    return out, written


def broken_off(swept: tuple[Path, list[bytes]], out: Path, ended: int) -> list[dict[str, Any]]:
    """The folder as it was when so many runs had ended; returns their results."""
    shutil.copytree(swept[0], out)
    (out / RESULTS).write_bytes(swept[1][ended])
    runs = json.loads(swept[1][ended])["runs"]
    for folder in out.iterdir():
        if folder.is_dir() and folder.name not in {each["checkpoint"] for each in runs}:
            shutil.rmtree(folder)
    return runs


def test_each_run_is_written_when_it_ends(swept):
    found = [json.loads(content) for content in swept[1]]
    assert [len(each["runs"]) for each in found] == [0, 1, 2, 3, 4, 4]
    assert ["plan" in each for each in found] == [True] * 5 + [False]
    assert found[0]["plan"]["vary"] == {"model.n_heads": [1, 2]}
    assert found[0]["plan"]["seeds"] == 2
    assert found[0]["plan"]["settings"]["training"]["steps"] == 6
    assert found[4]["runs"] == found[5]["runs"]


@pytest.mark.parametrize("ended", [0, 1, 3, 4])
def test_a_sweep_goes_on_where_it_was_broken_off(swept, tmp_path, ended):
    before = broken_off(swept, tmp_path / "many", ended)
    times = {each["checkpoint"]: (tmp_path / "many" / each["checkpoint"]).stat().st_mtime_ns for each in before}
    found = json.loads(done(*WORDS, tmp_path / "many"))
    whole = json.loads(swept[1][-1])
    assert untimed(found["runs"]) == untimed(whole["runs"])
    assert [each for each in found["runs"] if each in before] == before
    assert json.loads((tmp_path / "many" / RESULTS).read_text()) == found
    for each in found["runs"]:
        name = each["checkpoint"]
        assert (tmp_path / "many" / name / WEIGHTS).read_bytes() == (swept[0] / name / WEIGHTS).read_bytes()
    for name, time in times.items():
        assert (tmp_path / "many" / name).stat().st_mtime_ns == time, "what has ended is left as it is"


def test_a_run_whose_checkpoint_is_lost_or_damaged_is_trained_again(swept, tmp_path):
    runs = broken_off(swept, tmp_path / "many", 3)
    shutil.rmtree(tmp_path / "many" / runs[0]["checkpoint"])
    (tmp_path / "many" / runs[1]["checkpoint"] / WEIGHTS).write_bytes(b"")
    kept = json.loads((tmp_path / "many" / RESULTS).read_text())
    kept["runs"][2].pop("loss")
    (tmp_path / "many" / RESULTS).write_text(json.dumps(kept))
    assert untimed(json.loads(done(*WORDS, tmp_path / "many"))["runs"]) == untimed(json.loads(swept[1][-1])["runs"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_the_runs_that_have_ended(tmp_path, monkeypatch, number):
    save = checkpoint.save

    def saving(*given: object, **options: object) -> None:
        save(*given, **options)
        signal.raise_signal(number)

    words = ["sweep", *SETTINGS, "--set", "training.steps=2,50000", "--out", tmp_path / "many", "--json"]
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save", saving)
        result = run(*words)
    assert (result.exit_code, result.stdout) == (128 + number, "")
    assert result.stderr == (
        f"Stopped. 1 of 2 runs have ended and are saved to {tmp_path / 'many'}. To go on: repeat this command.\n"
    )
    assert checkpoint.load(tmp_path / "many" / "steps-2-seed-0").config.training.steps == 2
    left = []

    def trained(configs, *rest, **options):
        left.extend(configs)
        raise PlaygroundError("Not now.")

    monkeypatch.setattr(sweep_command.batch, "trained", trained)
    refused(tmp_path, *words, says="Not now.")
    assert [config.training.steps for config in left] == [50_000]


def test_a_run_that_a_signal_ended_has_not_failed(tmp_path, monkeypatch):
    """A signal to the whole process group, as `timeout` sends it, also ends the processes of the runs."""
    get = batch.Run.status.fget
    ended = []

    def status(self: batch.Run) -> str:
        if not ended:
            signal.raise_signal(signal.SIGTERM)
            ended.append(self)
        return "failed" if self is ended[0] else get(self)

    monkeypatch.setattr(batch.Run, "status", property(status))
    result = run("sweep", *SETTINGS, "--set", "training.steps=49999,50000", "--out", tmp_path / "many")
    assert (result.exit_code, result.stderr) == (
        143,
        "Stopped. 0 of 2 runs have ended. To go on: repeat this command.\n",
    )
    assert not (tmp_path / "many").exists()


def test_a_sweep_that_has_ended_or_is_another_is_refused(swept, tmp_path):
    refused(swept[0], *WORDS, swept[0], says="contains a sweep that has ended. Choose another folder.")
    broken_off(swept, tmp_path / "many", 2)
    says = "contains an unfinished sweep with other settings."
    for other in (["--seeds", 3], ["--seed", 1], ["--steps", 7], ["--set", "model.n_layers=2"]):
        refused(tmp_path, *WORDS, tmp_path / "many", *other, says=says)
    axes = ["--set", "model.n_heads=1,4", "--seeds", 2, "--out", tmp_path / "many"]
    refused(tmp_path, "sweep", *SETTINGS, *axes, says=says)


DAMAGED = [b"", b"[]", b"\xff", b"{}", b'{"plan": 1, "runs": []}', b'{"plan": {}, "runs": 2}']


@pytest.mark.parametrize("content", DAMAGED)
def test_damaged_results_are_refused_in_one_sentence(swept, tmp_path, content):
    broken_off(swept, tmp_path / "many", 2)
    (tmp_path / "many" / RESULTS).write_bytes(content)
    refused(tmp_path, *WORDS, tmp_path / "many", says="sweep.json is damaged.")


def test_another_folder_is_refused_as_ever(tmp_path):
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / CONFIG).write_text("{}")
    refused(tmp_path, *WORDS, tmp_path / "many", says="already contains a checkpoint")

"""Saving a checkpoint: all or nothing, and other files are never overwritten."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.storage import checkpoint
from playground.storage.checkpoint import WEIGHTS, check_free, load, save
from tests.saved import FULL_DISK, RECORDS, RENAME, fail_at, logits, refusal, tiny, tree
from tests.saved import folder as folder


@pytest.mark.parametrize("number", range(1, 7))
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int):
    fail_at(monkeypatch, ("fsync",), {number}, FULL_DISK)
    assert "No space left" in refusal(lambda: save(tmp_path / "model", tiny(), RECORDS), str(tmp_path / "model"))
    assert tree(tmp_path) == {}


def test_an_interrupted_save_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fail_at(monkeypatch, ("fsync",), {2}, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "model", tiny(), RECORDS)
    assert tree(tmp_path) == {}


def test_a_failed_rename_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fail_at(monkeypatch, RENAME, {1}, FULL_DISK)
    refusal(lambda: save(tmp_path / "model", tiny(), RECORDS), str(tmp_path / "model"))
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("names", "number"), [*((("fsync",), number) for number in range(1, 7)), (RENAME, 1), (RENAME, 2)]
)
def test_a_failed_overwrite_leaves_the_old_checkpoint_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], number: int
):
    before = tree(folder.parent)
    fail_at(monkeypatch, names, {number}, FULL_DISK)
    refusal(lambda: save(folder, tiny(seed=1), [], overwrite=True), str(folder))
    assert tree(folder.parent) == before
    assert torch.equal(logits(load(folder).model), logits(tiny()))


@pytest.mark.parametrize("error", [FULL_DISK, KeyboardInterrupt()], ids=["disk", "interrupt"])
def test_an_overwrite_that_cannot_restore_the_old_checkpoint_keeps_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
):
    old = (folder / WEIGHTS).read_bytes()
    fail_at(monkeypatch, RENAME, {2, 3}, error)
    with pytest.raises((CheckpointError, KeyboardInterrupt)):
        save(folder, tiny(seed=1), [], overwrite=True)
    assert old in tree(folder.parent).values()


def test_overwriting_replaces_everything_and_leaves_no_hidden_folder(folder: Path):
    save(folder, tiny("decoder-only", seed=1), [], overwrite=True)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]
    assert load(folder).history == []
    assert torch.equal(logits(load(folder).model), logits(tiny("decoder-only", seed=1)))


def test_a_checkpoint_is_not_overwritten_by_default(folder: Path):
    before = tree(folder.parent)
    refusal(lambda: save(folder, tiny(seed=1), []), str(folder), "overwriting")
    assert tree(folder.parent) == before


@pytest.mark.parametrize("overwrite", [False, True])
def test_other_folders_are_never_overwritten(tmp_path: Path, overwrite: bool):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("one")
    (tmp_path / "file").write_text("two")
    before = tree(tmp_path)
    for name in ("thesis", "file"):
        refusal(lambda name=name: save(tmp_path / name, tiny(), [], overwrite=overwrite), name)
    assert tree(tmp_path) == before


def test_a_link_is_never_overwritten(folder: Path):
    link = folder.with_name("link")
    for target in (folder, folder.with_name("nothing")):
        link.symlink_to(target)
        refusal(lambda: save(link, tiny(seed=1), [], overwrite=True), "link", "not a checkpoint")
        assert link.readlink() == target
        link.unlink()
    assert torch.equal(logits(load(folder).model), logits(tiny()))


def test_overwriting_never_deletes_other_files(folder: Path):
    (folder / "chapter.txt").write_text("one")
    refusal(lambda: save(folder, tiny(), [], overwrite=True), str(folder))
    assert (folder / "chapter.txt").read_text() == "one"


def test_an_empty_folder_may_be_written_even_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "empty").mkdir()
    save(tmp_path / "empty", tiny(), [])
    load(tmp_path / "empty")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    save(Path("."), tiny(), [])
    load(tmp_path / "here")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "here"]


def test_an_impossible_folder_is_refused_early(tmp_path: Path):
    (tmp_path / "file").write_text("two")
    for target in (tmp_path / "file" / "model", tmp_path / "file" / "deep" / "model", tmp_path / ("x" * 300)):
        refusal(lambda target=target: check_free(target), target.name[:40])
        refusal(lambda target=target: save(target, tiny(), []), target.name[:40])
    assert tree(tmp_path) == {"file": b"two"}


def saves_meanwhile(monkeypatch: pytest.MonkeyPatch, folder: Path, model: TaskModel, *, overwrite: bool) -> None:
    """Another save to the same folder is first, after the first one has looked and found it free."""
    original, done = checkpoint._put_in_place, []

    def put_in_place(*args: Any, **kwargs: Any) -> None:
        if not done:
            done.append(True)
            save(folder, model, [], overwrite=overwrite)
        original(*args, **kwargs)

    monkeypatch.setattr(checkpoint, "_put_in_place", put_in_place)


def test_a_folder_created_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    saves_meanwhile(monkeypatch, tmp_path / "model", tiny(seed=1), overwrite=False)
    refusal(lambda: save(tmp_path / "model", tiny(), []), "model", "already contains a checkpoint")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert torch.equal(logits(load(tmp_path / "model").model), logits(tiny(seed=1)))


def test_the_last_of_two_overwrites_wins(folder: Path, monkeypatch: pytest.MonkeyPatch):
    saves_meanwhile(monkeypatch, folder, tiny(seed=1), overwrite=True)
    save(folder, tiny(seed=2), [], overwrite=True)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]
    assert torch.equal(logits(load(folder).model), logits(tiny(seed=2)))


def test_a_folder_created_during_an_overwrite_is_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch):
    original = checkpoint._set_aside

    def set_aside(path: Path) -> Path:
        monkeypatch.undo()
        aside = original(path)
        save(folder, tiny(seed=1), [])
        return aside

    monkeypatch.setattr(checkpoint, "_set_aside", set_aside)
    save(folder, tiny(seed=2), [], overwrite=True)
    assert [path.name for path in folder.parent.iterdir()] == ["model"]
    assert torch.equal(logits(load(folder).model), logits(tiny(seed=2)))


def test_concurrent_saves_of_one_name_never_mix(tmp_path: Path):
    code = (
        "import sys; from pathlib import Path; from tests.saved import tiny\n"
        "from playground.storage.checkpoint import CheckpointError, save\n"
        "model = tiny(sys.argv[2], seed=int(sys.argv[3])); print('ready', flush=True); input()\n"
        "for _ in range(30):\n"
        "    try: save(Path(sys.argv[1]), model, [], overwrite=True)\n"
        "    except CheckpointError as error: print(error, file=sys.stderr)\n"
    )
    models = [("decoder-only", 1), ("encoder-only", 2)]
    savers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "model"), architecture, str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
        )
        for architecture, seed in models
    ]
    for saver in savers:
        assert saver.stdout is not None
        assert saver.stdout.readline() == "ready\n"
    for saver in savers:
        assert saver.stdin is not None
        saver.stdin.write("go\n")
        saver.stdin.flush()
    errors = [saver.communicate()[1] for saver in savers]
    assert [saver.returncode for saver in savers] == [0, 0], errors
    assert "Traceback" not in "".join(errors)
    loaded = load(tmp_path / "model").model
    assert any(
        loaded.config.model.architecture == architecture
        and torch.equal(logits(loaded), logits(tiny(architecture, seed=seed)))
        for architecture, seed in models
    )
    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".old")] == ["model"]


def test_what_is_not_finite_in_a_history_is_left_out(tmp_path: Path):
    save(tmp_path / "model", tiny(), [{"step": 0, "loss": 1.0, "gradient_norm": math.inf}])
    assert load(tmp_path / "model").history == [{"step": 0, "loss": 1.0}]

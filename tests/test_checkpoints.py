"""Checkpoints: what is written comes back bit for bit, nothing is half-written, and nothing foreign is believed."""

import errno
import io
import json
import math
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.config import RunConfig
from playground.errors import CheckpointError
from playground.recording import REPOSITORY
from playground.storage import checkpoint, validation
from playground.storage.archive import as_zip
from playground.storage.card import model_card
from playground.storage.checkpoint import (
    CARD,
    CONFIG,
    HISTORY,
    WEIGHTS,
    check_free,
    load,
    read_history,
    read_summary,
    save,
)
from playground.task_model import TaskModel
from tests.helpers import ARCHITECTURES
from tests.saved import (
    CHANGES,
    FULL_DISK,
    RECORDS,
    RENAME,
    TINY,
    assembled,
    fail_at,
    logits,
    parts,
    refusal,
    tiny,
    tree,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint of a tiny model."""
    save(tmp_path / "model", tiny(), RECORDS)
    return tmp_path / "model"


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("positions", ["two_way", "learned", "sinusoidal", "none"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_loaded_model_computes_the_same_bits(tmp_path: Path, architecture: str, positions: str):
    model = tiny(architecture, seed=3, positions=positions)
    save(tmp_path / "model", model, [])
    loaded = load(tmp_path / "model")
    assert loaded.config == model.config
    assert not loaded.model.training
    assert torch.equal(logits(loaded.model), logits(model))
    assert not torch.equal(logits(loaded.model), logits(tiny(architecture, positions=positions)))


def test_shared_tables_are_stored_once_and_shared_after_loading(folder: Path):
    names = safetensors.torch.load_file(folder / WEIGHTS).keys()
    assert sum("token_table" in name for name in names) == 1
    model = load(folder).model
    assert model.encoder is not None
    assert model.decoder is not None
    assert model.encoder.embeddings.token_table is model.decoder.embeddings.token_table
    assert model.encoder.embeddings.positions is model.decoder.embeddings.positions


def test_the_folder_has_four_files_and_the_config_has_the_settings(folder: Path):
    assert {path.name for path in folder.iterdir()} == {CONFIG, WEIGHTS, HISTORY, CARD}
    header = json.loads((folder / CONFIG).read_text())
    assert header["format_version"] == 1
    assert header["seed"] == 0
    assert {"task", "model", "training"} <= header.keys()
    assert RunConfig.parse({key: header[key] for key in ("task", "model", "training", "seed")}) == TINY
    keys = ("step", "validation_loss", "exact_match", "token_accuracy", "sequences")
    assert header["measured"] == {key: RECORDS[2][key] for key in keys}, "the newest evaluated record"
    assert read_summary(folder).measured == header["measured"]


def test_the_history_round_trips_with_one_record_per_line(folder: Path):
    assert [json.loads(line) for line in (folder / HISTORY).read_text().splitlines()] == RECORDS
    assert load(folder).history == RECORDS


def test_a_checkpoint_without_history_can_be_used(folder: Path):
    (folder / HISTORY).unlink()
    assert load(folder).history == []


def test_a_loaded_checkpoint_can_be_saved(folder: Path):
    (folder / HISTORY).write_text('{"step": 1, "exact_match": 1.0}\n')
    loaded = load(folder)
    save(folder.with_name("again"), loaded.model, loaded.history)
    assert load(folder.with_name("again")).history == loaded.history


def test_mid_run_changes_round_trip_and_are_in_the_card(folder: Path):
    changed = folder.with_name("changed")
    records = [{"step": step} for step in range(31)]  # more than the steps it began with
    save(changed, load(folder).model, records, CHANGES)
    assert load(changed).changes == read_summary(changed).changes == CHANGES
    assert load(changed).config == TINY
    assert load(changed).history == records
    card = (changed / CARD).read_text()
    assert "- after step 1: dropout 0.0 → 0.25, learning_rate 0.005 → 0.001\n" in card
    assert "- after step 2: steps 20 → 30, stop_when_solved True → False\n" in card
    assert card.replace(card[card.index("The table shows") : card.index("## Limitations")], "") == model_card(TINY, {})
    assert load(folder).changes == ()
    assert "changes" not in json.loads((folder / CONFIG).read_text())
    (folder / HISTORY).write_text("".join(json.dumps(record) + "\n" for record in records))
    refusal(lambda: load(folder).history, HISTORY, "at most 20")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "must be a list of at most 200"),
        ([{"step": 1, "settings": {"model.dropout": 0.1}}] * 201, "must be a list of at most 200"),
        ([7], "an object with step, settings and nothing else"),
        ([{"step": 1, "settings": {}, "by": "x"}], "an object with step, settings and nothing else"),
        ([{"step": 1.0, "settings": {"model.dropout": 0.1}}], "step can't be 1.0"),
        ([{"step": 1, "settings": {"model.d_model": 4}}], "model.d_model needs a new run"),
        ([{"step": 1, "settings": {"a\n\u001b": 4}}], "is not a setting"),
        ([{"step": 1, "settings": {"model.dropout": True}}], "model.dropout can't be True"),
        ([{"step": 1, "settings": {}}], "at least one setting"),
        ([{"step": 1, "settings": {"training.steps": 1}}], "not above the 1 steps"),
        ([{"step": step, "settings": {"model.dropout": 0.1}} for step in (2, 2)], "sorted by step"),
        ([{"step": step, "settings": {"model.dropout": 0.1}} for step in (3, 2)], "sorted by step"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_invalid_changes_are_refused(folder: Path, changes: object, words: str):
    header = json.loads((folder / CONFIG).read_text()) | {"changes": changes}
    (folder / CONFIG).write_text(json.dumps(header))
    assert refusal(lambda: load(folder), str(folder / CONFIG), words).isprintable()


def test_a_checkpoint_names_its_initial_weights(folder: Path):
    model = load(folder).model
    assert read_summary(folder).begun_from == ""
    save(folder, model, [], begun_from="the-old.one_2", overwrite=True)
    assert read_summary(folder).begun_from == "the-old.one_2"
    card = model_card(model.config, RECORDS[2], begun_from="the-old.one_2")
    assert "After 2 training steps from the weights of checkpoint `the-old.one_2`, its exact match is 50.0 %" in card


@pytest.mark.parametrize("name", ["", 7, "../x", "a b", "<b>", "x" * 65, ["a"]])
def test_an_invalid_begun_from_is_refused(folder: Path, name: object):
    header = json.loads((folder / CONFIG).read_text()) | {"begun_from": name}
    (folder / CONFIG).write_text(json.dumps(header))
    refusal(lambda: load(folder), str(folder / CONFIG), "begun_from must be the name of a checkpoint")


def test_the_model_card_is_valid_for_the_hub(folder: Path):
    yaml = pytest.importorskip("yaml")
    hub = pytest.importorskip("huggingface_hub")
    content = (folder / CARD).read_text()
    front = yaml.safe_load(content.split("---\n")[1])
    data = hub.ModelCard(content).data
    assert front["library_name"] == data.library_name == "transformer-playground"
    assert {"transformer-playground", "reverse"} <= set(front["tags"]) == set(data.tags)
    assert front["license"] == "mit"
    assert "50.0 %" in content


# --- all or nothing -------------------------------------------------------------------------------


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
    for place in (tmp_path / "file" / "model", tmp_path / "file" / "deep" / "model", tmp_path / ("x" * 300)):
        refusal(lambda place=place: check_free(place), place.name[:40])
        refusal(lambda place=place: save(place, tiny(), []), place.name[:40])
    assert tree(tmp_path) == {"file": b"two"}


def saves_meanwhile(monkeypatch: pytest.MonkeyPatch, folder: Path, model: TaskModel, *, overwrite: bool) -> None:
    """Another save to the same place gets there first, after the first one has looked and found it free."""
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
    said = [saver.communicate()[1] for saver in savers]
    assert [saver.returncode for saver in savers] == [0, 0], said
    assert "Traceback" not in "".join(said)
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


# --- weights that are no numbers ------------------------------------------------------------------


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
def test_weights_that_are_not_finite_are_neither_saved_nor_loaded(folder: Path, value: float):
    before = tree(folder.parent)
    model = tiny()
    with torch.no_grad():
        model.head.weight[1, 2] = value
    refusal(lambda: save(folder.with_name("other"), model, []), "head.weight")
    refusal(lambda: save(folder, model, [], overwrite=True), "head.weight")
    assert tree(folder.parent) == before
    weights = {name: p.detach() for name, p in model.named_parameters()}
    safetensors.torch.save_file(weights, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, "head.weight", "not finite")


# --- weights that do not belong here --------------------------------------------------------------


def test_truncated_weights_are_refused_at_every_length(folder: Path):
    content = (folder / WEIGHTS).read_bytes()
    header = int.from_bytes(content[:8], "little") + 8
    lengths = {*range(12), header - 1, header, header + 1, header + 4, len(content) - 4, len(content) - 1}
    for length in lengths | set(range(0, len(content), 997)):
        (folder / WEIGHTS).write_bytes(content[:length])
        refusal(lambda: load(folder), WEIGHTS)


def test_weights_with_trailing_bytes_are_refused(folder: Path):
    content = (folder / WEIGHTS).read_bytes()
    for extra in (b"\0", b"\0" * 4096, b"\0" * 2_000_000):
        (folder / WEIGHTS).write_bytes(content + extra)
        refusal(lambda: load(folder), WEIGHTS)


def _reshaped(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].T.contiguous()


def _flattened(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].flatten()


def _halved(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].half()


def _integers(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].int()


def _missing(weights: dict[str, torch.Tensor]) -> None:
    del weights["head.weight"]


def _extra(weights: dict[str, torch.Tensor]) -> None:
    weights["head.more"] = torch.zeros(1)


def _nothing(weights: dict[str, torch.Tensor]) -> None:
    weights.clear()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (_reshaped, "head.weight"),
        (_flattened, "head.weight"),
        (_halved, "F16"),
        (_integers, "I32"),
        (_missing, "head.weight is missing"),
        (_extra, "head.more"),
        (_nothing, "more"),
    ],
)
def test_weights_that_do_not_match_the_settings_are_refused(
    folder: Path, change: Callable[[dict[str, torch.Tensor]], None], word: str
):
    weights = safetensors.torch.load_file(folder / WEIGHTS)
    change(weights)
    safetensors.torch.save_file(weights, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, word)


def test_weights_of_another_architecture_are_refused(folder: Path):
    save(folder.with_name("other"), tiny("decoder-only"), [])
    shutil.copy(folder.with_name("other") / WEIGHTS, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, CONFIG)


@pytest.mark.parametrize("length", [0, 1, 100_000_001, 2**31, 2**63 - 1, 2**64 - 1])
def test_a_header_with_a_wrong_length_is_refused(folder: Path, length: int):
    header, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(header, data, length))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize(
    "header",
    [b"", b"no json", b"\xff\xfe{}", b"[]", b"null", b'"text"', b"{", b"[" * 200_000, b'{"a":' * 100_000],
    ids=lambda header: header[:8].decode("latin-1"),
)
def test_a_header_that_is_not_a_json_object_is_refused(folder: Path, header: bytes):
    _, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(header, data))
    refusal(lambda: load(folder), WEIGHTS)


def test_a_header_above_a_megabyte_is_refused(folder: Path):
    header, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(json.dumps(header).encode().ljust(1_000_001), data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        7,
        [],
        {},
        {"dtype": "F32"},
        {"dtype": ["F32"], "shape": [8, 8], "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": "8x8", "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": [8.0, 8.0], "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [0, 252]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [256, 0]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [-256, 0]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [10**9, 10**9 + 256]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [0, 256]},
        {"dtype": "F32\nF32", "shape": [8, 8], "data_offsets": [0, 256]},
    ],
)
def test_a_header_with_a_wrong_tensor_entry_is_refused(folder: Path, entry: object):
    header, data = parts((folder / WEIGHTS).read_bytes())
    header["head.weight"] = entry
    (folder / WEIGHTS).write_bytes(assembled(header, data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("dtype", ["F32", "F16"])
def test_a_header_that_names_a_tensor_twice_is_refused(folder: Path, dtype: str):
    header, data = parts((folder / WEIGHTS).read_bytes())
    again = {**header["head.weight"], "dtype": dtype}
    twice = f"{json.dumps(header)[:-1]}, {json.dumps({'head.weight': again})[1:]}".encode()
    (folder / WEIGHTS).write_bytes(assembled(twice, data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_with_another_name_is_refused_and_never_run(folder: Path, zipped: bool):
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(folder.with_name("trapped")),)

    torch.save({"head.weight": Trap()}, folder / WEIGHTS, _use_new_zipfile_serialization=zipped)
    refusal(lambda: load(folder), WEIGHTS)
    assert not folder.with_name("trapped").exists()


# --- settings that are not believed ---------------------------------------------------------------


def edit(folder: Path, path: str, value: object) -> None:
    """Sets one value of config.json, by path."""
    data = json.loads((folder / CONFIG).read_text())
    *parents, name = path.split(".")
    place = data
    for parent in parents:
        place = place[parent]
    place[name] = value
    (folder / CONFIG).write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("task.vocab_size", 10**9, "task.vocab_size"),
        ("task.vocab_size", 10**4000, "task.vocab_size"),
        ("task.vocab_size", "4", "task.vocab_size"),
        ("task.vocab_size", 4.0, "task.vocab_size"),
        ("task.vocab_size", True, "task.vocab_size"),
        ("task.vocab_size", None, "task.vocab_size"),
        ("task.vocab_size", [4], "task.vocab_size"),
        ("task.name", "copy\nreverse", "task.name"),
        ("task.name", "\ud800", "damaged"),
        ("model.bias", 1, "model.bias"),
        ("model.dropout", float("nan"), "model.dropout"),
        ("model.d_model", 9, "d_model 9"),
        ("model.n_layers", 0, "model.n_layers"),
        ("model.d_modle", 8, "model.d_modle"),
        ("model.a\nb\u2028c", 8, "not a setting"),
        ("trained_on", "moon", "trained_on"),
        ("seed", -1, "seed"),
        ("seed", 0.5, "seed"),
        ("model", [], "model"),
        ("training", None, "training"),
        ("measured", [], "measured"),
        ("measured", {"exact_match": []}, "measured"),
        ("measured", {"exact_match": "most"}, "measured"),
        ("measured", {"exact_match": float("nan")}, "measured"),
        ("measured", {"exact_match": 10**400}, "measured"),
        ("measured", {"exact_match": 1.0}, "sequences"),
        ("measured", {"step": 1, "sequences": 9, "exact_match": 50, "token_accuracy": 1}, "from 0 to 1"),
        ("measured", {"step": 10**10, "sequences": 9, "exact_match": 1, "token_accuracy": 1}, "counts"),
        ("format_version", 2, "format 2"),
        ("format_version", 0, "format 0"),
        ("format_version", "1", "format_version"),
        ("format_version", 1.0, "format_version"),
        ("format_version", True, "format_version"),
        ("format_version", None, "format_version"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(folder: Path, path: str, value: object, word: str):
    edit(folder, path, value)
    refusal(lambda: load(folder), CONFIG, word)
    refusal(lambda: read_summary(folder), CONFIG, word)


@pytest.mark.parametrize("key", ["format_version", "task", "model", "training", "seed"])
def test_incomplete_settings_are_refused(folder: Path, key: str):
    data = json.loads((folder / CONFIG).read_text())
    del data[key]
    (folder / CONFIG).write_text(json.dumps(data))
    refusal(lambda: load(folder), CONFIG, key)


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b"3", b"{", b"\xff\xfe\x00", b"{" * 10, b"[" * 60_000, b'{"a":' * 10_000, b" " * 64_001],
    ids=lambda content: f"{len(content)} bytes {content[:5].decode('latin-1')}",
)
def test_a_config_that_is_not_a_json_object_is_refused(folder: Path, content: bytes):
    (folder / CONFIG).write_bytes(content)
    refusal(lambda: load(folder), CONFIG)


def test_a_duplicate_setting_is_refused(folder: Path):
    text = (folder / CONFIG).read_text()
    (folder / CONFIG).write_text(text.replace('"seed": 0', '"seed": 1, "seed": 0'))
    refusal(lambda: load(folder), CONFIG, "seed")


# --- a history that is not believed ---------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"[]",
        b"{}",
        b"{",
        b"",
        b"\xff",
        b"[" * 500,
        b'{"loss": 1.0}',
        b'{"step": 1, "loss": 1.0, "loss": 1.0}',
        b'{"step": 1, "st\\u0065p": 1}',
        b'{"step": 1}, {"step": 2}',
        b'{"step": 0}',
        b'{"step": -1}',
        b'{"step": 21}',
        b'{"step": 1, "loss": 1.0' + b" " * 600 + b"}",
        b'{"step": "1"}',
        b'{"step": 1.5}',
        b'{"step": true}',
        b'{"step": 1, "loss": NaN}',
        b'{"step": 1, "loss": -Infinity}',
        b'{"step": 1, "loss": 1e999}',
        b'{"step": 1, "loss": 1' + b"0" * 400 + b"}",
        b'{"step": 1' + b"0" * 400 + b"}",
        b'{"step": 1, "loss": "low"}',
        b'{"step": 1, "loss": null}',
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_a_history_with_anything_but_finite_numbers_is_refused(folder: Path, line: bytes):
    (folder / HISTORY).write_bytes(b'{"step": 0}\n' + line + b'\n{"step": 2}\n')
    refusal(lambda: list(read_history(folder)), HISTORY, "line 2")
    refusal(lambda: load(folder).history, HISTORY, "line 2")


def test_a_history_longer_than_its_run_is_refused(folder: Path):
    (folder / HISTORY).write_bytes(b"".join(b'{"step": %d}\n' % step for step in range(21)))
    assert [record["step"] for record in read_history(folder)] == list(range(21))
    (folder / HISTORY).write_bytes(b"\n" * (21 * 600 + 1))
    refusal(lambda: load(folder).history, HISTORY, "12,600 bytes")


def test_loading_a_model_does_not_read_the_history(folder: Path):
    (folder / HISTORY).write_text("garbage")
    assert load(folder).config == TINY


# --- what is not there, or no file ----------------------------------------------------------------


def test_missing_parts_are_named(folder: Path):
    refusal(lambda: load(folder.with_name("nowhere")), "nowhere")
    refusal(lambda: load(folder / "\0"), "There is no checkpoint")
    refusal(lambda: load(folder / ("x" * 300)), "x" * 40)
    refusal(lambda: load(folder / CONFIG), CONFIG)
    (folder / WEIGHTS).unlink()
    refusal(lambda: load(folder), WEIGHTS)
    (folder / CONFIG).unlink()
    refusal(lambda: load(folder), CONFIG)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
@pytest.mark.parametrize("kind", ["folder", "endless", "pipe"])
def test_irregular_files_are_refused_at_once(folder: Path, name: str, kind: str):
    (folder / name).unlink()
    match kind:
        case "folder":
            (folder / name).mkdir()
        case "endless":
            (folder / name).symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(folder / name)
    refused: list[str] = []
    thread = threading.Thread(target=lambda: refused.append(refusal(lambda: load(folder).history, name)), daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"
    assert refused


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY, CARD])
@pytest.mark.parametrize("target", ["nothing", "itself", "private"])
def test_a_link_is_refused_wherever_it_leads(folder: Path, name: str, target: str):
    shutil.copy(folder / name, folder.with_name("private"))
    (folder / name).unlink()
    (folder / name).symlink_to({"nothing": "nothing", "itself": name, "private": "../private"}[target])
    refusal(lambda: as_zip(folder), name)
    if name != CARD:
        refusal(lambda: load(folder).history, name)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_a_file_replaced_before_it_is_opened_is_refused_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
):
    original = os.stat

    def stat(path: str | Path, *args: Any, **kwargs: Any) -> os.stat_result:
        status = original(path, *args, **kwargs)
        if path == name and (folder / name).is_file():
            (folder / name).rename(folder.with_name("private"))
            match kind:
                case "link":
                    (folder / name).symlink_to("../private")
                case "pipe":
                    os.mkfifo(folder / name)
                case "folder":
                    (folder / name).mkdir()
        return status

    monkeypatch.setattr(os, "stat", stat)
    refused: list[str] = []
    thread = threading.Thread(target=lambda: refused.append(refusal(lambda: load(folder).history, name)), daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"
    assert refused
    assert kind != "pipe" or "regular file" in refused[0]


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
def test_an_unreadable_file_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    original = os.open

    def refuse(path: str | Path, *args: Any, **kwargs: Any) -> int:
        if str(path).endswith(name):
            raise PermissionError(errno.EACCES, "Permission denied")
        return original(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    refusal(lambda: load(folder).history, name, "Permission denied")


def test_a_system_without_folder_descriptors_reads_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(validation, "_HAS_FOLDER_DESCRIPTORS", False)
    loaded = load(folder)
    assert torch.equal(logits(loaded.model), logits(tiny()))
    assert loaded.history == RECORDS
    refusal(lambda: load(folder.with_name("nowhere")), "There is no checkpoint")
    refusal(lambda: load(folder / CONFIG), "There is no checkpoint")
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to("/dev/zero")
    refusal(lambda: load(folder), WEIGHTS, "regular file")
    (folder / WEIGHTS).unlink()
    refusal(lambda: load(folder), WEIGHTS, "missing")


class Meddler:
    """Does something to a folder in the middle of a load: before the read of a file with this number, from 1."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[], object]) -> None:
        self.reads, original = 0, validation.read_exactly

        def read_exactly(file: io.IOBase, *args: Any) -> None:
            if isinstance(file, io.FileIO):
                self.reads += 1
                if self.reads == number:
                    act()
            original(file, *args)

        monkeypatch.setattr(validation, "read_exactly", read_exactly)


READS = 4
"""config.json; length, header and data of the weights."""


@pytest.mark.parametrize("number", range(1, READS + 1))
def test_a_checkpoint_deleted_while_open_is_read_or_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, number: int):
    meddler = Meddler(monkeypatch, number, lambda: shutil.rmtree(folder))
    if number == 1:
        refusal(lambda: load(folder), WEIGHTS, "missing")
    else:
        assert torch.equal(logits(load(folder).model), logits(tiny()))
        assert meddler.reads == READS


def test_a_checkpoint_replaced_while_open_never_mixes(folder: Path, monkeypatch: pytest.MonkeyPatch):
    Meddler(monkeypatch, 1, lambda: save(folder, tiny(seed=1), [], overwrite=True))
    refusal(lambda: load(folder), WEIGHTS, "missing")


@pytest.mark.parametrize("number", range(1, READS + 1))
def test_weights_that_shrink_while_they_are_read_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    Meddler(monkeypatch, number, lambda: os.truncate(folder / WEIGHTS, 4))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("number", range(2, READS + 1))
def test_weights_that_change_while_they_are_read_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    def change() -> None:
        with (folder / WEIGHTS).open("r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"\0\0\0\0")
        os.utime(folder / WEIGHTS, ns=(0, 0))

    Meddler(monkeypatch, number, change)
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("checked", [io.FileIO, io.BytesIO])
def test_the_loaded_bytes_are_the_checked_ones(folder: Path, monkeypatch: pytest.MonkeyPatch, checked: type):
    written, check_weights = (folder / WEIGHTS).stat().st_mtime_ns, validation.check_weights

    def change(file: io.IOBase, *args: Any) -> None:
        check_weights(file, *args)
        if not isinstance(file, checked):
            return
        with (folder / WEIGHTS).open("r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"\0\0\xc0\x7f")
        os.utime(folder / WEIGHTS, ns=(written, written))

    monkeypatch.setattr(validation, "check_weights", change)
    if checked is io.BytesIO:
        assert torch.equal(logits(load(folder).model), logits(tiny()))
    refusal(lambda: load(folder), WEIGHTS, "not finite")


# --- anything at all ------------------------------------------------------------------------------

EDITS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "set", "insert", "delete", "truncate"]),
        st.floats(0, 1, exclude_max=True),  # where, as a share of the length
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=3,
)


def mutated(content: bytes, edits: list[tuple[str, float, int]], reach: float) -> bytes:
    """Bytes after edits, all of them within the first `reach` of the content."""
    for kind, share, value in edits:
        at = int(share * reach * len(content))
        match kind:
            case "flip" if content:
                content = content[:at] + bytes([content[at] ^ (1 << value % 8)]) + content[at + 1 :]
            case "set":
                content = content[:at] + b'0123456789-+.eE"{}[]:,tfnN\\ \n\0'[value % 31 :][:1] + content[at + 1 :]
            case "insert":
                content = content[:at] + bytes([value]) + content[at:]
            case "delete":
                content = content[:at] + content[at + 1 + value % 9 :]
            case "truncate":
                content = content[:at]
    return content


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    folder = tmp_path_factory.mktemp("fuzz") / "model"
    save(folder, tiny("encoder-only"), RECORDS)
    return folder, {name: (folder / name).read_bytes() for name in (CONFIG, WEIGHTS, HISTORY)}


@settings(max_examples=300)
@given(name=st.sampled_from([CONFIG, WEIGHTS, HISTORY]), reach=st.sampled_from([0.05, 0.4, 1.0]), edits=EDITS)
def test_damage_anywhere_is_refused_or_harmless(
    laboratory: tuple[Path, dict[str, bytes]], name: str, reach: float, edits: list[tuple[str, float, int]]
):
    folder, intact = laboratory
    for each, content in intact.items():
        (folder / each).write_bytes(mutated(content, edits, reach) if each == name else content)
    sentence = None
    try:
        loaded = load(folder)
        history = loaded.history
    except CheckpointError as error:
        sentence = str(error)
    if sentence is not None:
        assert len(sentence.splitlines()) == 1
        assert name in sentence
        return
    expected = {each: p.shape for each, p in TaskModel(loaded.config).named_parameters()}
    assert {each: p.shape for each, p in loaded.model.named_parameters()} == expected
    assert all(bool(torch.isfinite(p).all()) for p in loaded.model.parameters())
    assert all(isinstance(v, (int, float)) and abs(v) < torch.inf for record in history for v in record.values())
    assert loaded.config.vocabulary_size == loaded.model.head.out_features


# --- archives -------------------------------------------------------------------------------------


def test_an_archive_has_the_four_files_in_a_named_folder(folder: Path):
    (folder / "private.txt").write_text("not for others")
    with zipfile.ZipFile(io.BytesIO(as_zip(folder))) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files == {f"model/{name}": (folder / name).read_bytes() for name in (CONFIG, WEIGHTS, HISTORY, CARD)}

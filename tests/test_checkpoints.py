"""Checkpoints: what is written comes back bit for bit, and damage anywhere is refused or harmless."""

import io
import json
import zipfile
from pathlib import Path

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.archive import as_zip
from playground.storage.card import model_card
from playground.storage.checkpoint import CARD, CONFIG, HISTORY, WEIGHTS, load, read_summary, save
from tests.helpers import ARCHITECTURES, examples
from tests.saved import CHANGES, RECORDS, TINY, logits, refusal, tiny
from tests.saved import folder as folder

ADDED = ("attention_bias", "tie_embeddings")
"""Settings of the model that the first checkpoints don't have."""


@pytest.mark.parametrize("positions", ["two_way", "learned", "sinusoidal", "rotary", "none"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_loaded_model_computes_the_same_bits(tmp_path: Path, architecture: str, positions: str):
    model = tiny(architecture, seed=3, positions=positions)
    save(tmp_path / "model", model, [])
    loaded = load(tmp_path / "model")
    assert loaded.config == model.config
    assert not loaded.model.training
    assert torch.equal(logits(loaded.model), logits(model))
    assert not torch.equal(logits(loaded.model), logits(tiny(architecture, positions=positions)))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_tied_table_is_stored_once_and_tied_after_loading(tmp_path: Path, architecture: str):
    model = tiny(architecture, seed=3, tie_embeddings=True)
    save(tmp_path / "model", model, [])
    names = safetensors.torch.load_file(tmp_path / "model" / WEIGHTS).keys()
    assert [name for name in names if "token_table" in name or "head" in name] == [
        f"{'decoder' if architecture == 'decoder-only' else 'encoder'}.embeddings.token_table.weight"
    ]
    loaded = load(tmp_path / "model").model
    stack = loaded.decoder or loaded.encoder
    assert loaded.head.weight is stack.embeddings.token_table.weight
    assert torch.equal(logits(loaded), logits(model))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_settings_that_an_older_checkpoint_does_not_have_change_no_bit(tmp_path: Path, architecture: str, bias: bool):
    model = tiny(architecture, seed=3, bias=bias)
    save(tmp_path / "model", model, [])
    header = json.loads((tmp_path / "model" / CONFIG).read_text())
    for name in ADDED:
        del header["model"][name]
    (tmp_path / "model" / CONFIG).write_text(json.dumps(header))
    loaded = load(tmp_path / "model")
    assert loaded.config == model.config
    assert torch.equal(logits(loaded.model), logits(model))


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


@settings(max_examples=examples(75))
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

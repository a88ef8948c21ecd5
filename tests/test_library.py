"""The library: names that stay inside, room for many, and a way back from every deletion."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from playground.checkpoints import CARD, CONFIG, HISTORY, WEIGHTS, load, read_summary, save
from playground.decoding import greedy
from playground.library import SHIPPED, Library
from playground.recording import REPOSITORY
from playground.tasks import PAD, SPECIALS
from tests.saved import RECORDS, TINY, logits, refusal, tiny, tree

BAD_NAMES = ["../x", "", ".", "..", "a/b", "/tmp/x", "x" * 65, "a\n", "\n", "a b", ".a", "-a", "a\\b", "C:x", "ä"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_lead_elsewhere_is_refused_with_a_sentence(tmp_path: Path, name: str):
    library = Library(tmp_path / "library")
    (tmp_path / "x").mkdir()
    calls: list[Callable[[], object]] = [
        lambda: library.path(name),
        lambda: library.save(name, tiny(), []),
        lambda: library.save(name, tiny(), [], overwrite=True),
        lambda: library.load(name),
        lambda: library.delete(name),
    ]
    for call in calls:
        assert "no name for a checkpoint" in refusal(call)
    assert tree(tmp_path) == {"x": None}


@pytest.mark.parametrize("name", ["a", "x" * 64, "copy-8.v2_final", "0"])
def test_a_plain_name_is_a_folder_of_the_library(tmp_path: Path, name: str):
    library = Library(tmp_path)
    library.save(name, tiny(), RECORDS)
    assert library.path(name) == tmp_path / name
    assert torch.equal(logits(library.load(name).model), logits(tiny()))
    assert [entry.name for entry in library.entries() if entry.name not in SHIPPED] == [name]
    library.delete(name)
    assert not (tmp_path / name).exists()
    refusal(lambda: library.delete(name), name)


@pytest.mark.parametrize("root", ["checkpoints", "elsewhere"])
@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_with_the_app_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, root: str):
    monkeypatch.setattr("playground.library.REPOSITORY", tmp_path)  # a copy, should one of these calls succeed
    shutil.copytree(REPOSITORY / "checkpoints" / name, tmp_path / "checkpoints" / name)
    library, before = Library(tmp_path / root), tree(tmp_path)
    refusal(lambda: library.save(name, tiny(), []), name)
    refusal(lambda: library.save(name, tiny(), [], overwrite=True), name)
    refusal(lambda: library.delete(name), name)
    assert tree(tmp_path) == before
    assert library.load(name).config.task.name in name


def test_the_library_lists_the_newest_first_the_unusable_with_the_reason_and_nothing_hidden(tmp_path: Path):
    library = Library(tmp_path)
    for age, name in enumerate(["new", "old", "broken", "strange"]):
        library.save(name, tiny(), RECORDS)
        if name == "broken":
            (tmp_path / name / CONFIG).write_text("{")
        if name == "strange":
            (tmp_path / name / CONFIG).unlink()
        os.utime(tmp_path / name, (10**9 - age, 10**9 - age))
    save(tmp_path / ".new.abc.partial", tiny(), [])
    save(tmp_path / "with space", tiny(), [])
    (tmp_path / "file").write_text("no folder")
    entries = library.entries()
    assert [entry.name for entry in entries] == ["new", "old", "broken", "strange", *SHIPPED]
    for entry in entries:
        usable = entry.name not in ("broken", "strange")
        assert (entry.summary is not None) == usable == (entry.problem == "")
        assert entry.bytes == sum(path.stat().st_size for path in library.path(entry.name).iterdir())
    problems = {entry.name: entry.problem for entry in entries}
    assert f"broken/{CONFIG}" in problems["broken"]
    assert CONFIG in problems["strange"]
    assert entries[0].modified == 10**9
    assert entries[0].summary is not None
    assert entries[0].summary.config == TINY


def test_a_library_that_is_not_there_yet_is_empty(tmp_path: Path):
    assert [entry.name for entry in Library(tmp_path / "later").entries()] == list(SHIPPED)
    assert tree(tmp_path) == {}


def test_the_place_of_the_library_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLAYGROUND_CHECKPOINTS", str(tmp_path))
    assert Library().root == tmp_path
    monkeypatch.delenv("PLAYGROUND_CHECKPOINTS")
    assert Library().root == REPOSITORY / "checkpoints"


def test_a_link_is_no_checkpoint_and_nothing_reaches_through_it(tmp_path: Path):
    library = Library(tmp_path / "library")
    save(tmp_path / "private", tiny(), RECORDS)
    library.root.mkdir()
    (library.root / "link").symlink_to(tmp_path / "private", target_is_directory=True)
    for call in (library.delete, library.load, lambda name: library.rename(name, "mine")):
        refusal(lambda call=call: call("link"), "no checkpoint named link")
    assert [entry.name for entry in library.entries()] == list(SHIPPED)
    load(tmp_path / "private")


# --- the two models that ship ---------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_small_and_says_what_was_measured(name: str):
    folder = REPOSITORY / "checkpoints" / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 500_000
    assert {path.name for path in folder.iterdir()} == {CONFIG, WEIGHTS, HISTORY, CARD}
    checkpoint = Library().load(name)
    assert (checkpoint.config.task.min_length, checkpoint.config.task.max_length) == (1, 16)
    measured = read_summary(folder).measured
    assert measured["exact_match"] >= 0.999
    newest = [record for record in checkpoint.history if "exact_match" in record][-1]
    assert measured.items() <= newest.items()
    assert re.search(rf"{measured['exact_match']:.1%} of {measured['sequences']}", (folder / CARD).read_text())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_right_on_100_of_100_inputs_of_any_length_and_on_every_single_symbol(name: str):
    model = Library().load(name).model
    generator = torch.Generator().manual_seed(20_171_206)
    first, symbols = len(SPECIALS), model.config.task.vocab_size
    inputs = [[first + symbol] for symbol in range(symbols)]
    for number in range(100):
        length = number % 16 + 1
        inputs.append(torch.randint(first, first + symbols, (length,), generator=generator).tolist())
    source = torch.tensor([row + [PAD] * (16 - len(row)) for row in inputs])
    answers = greedy(model, source).tolist()
    said = [[token for token in answer if token >= first] for answer in answers]
    assert said == [row[::-1] if name.startswith("reverse") else row for row in inputs]

"""The library: names that stay inside, room for many, and a way back from every deletion."""

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from playground.common.errors import CheckpointError
from playground.common.numbers import percent
from playground.decoding import greedy
from playground.recording import REPOSITORY
from playground.storage import validation
from playground.storage.checkpoint import CARD, CONFIG, HISTORY, WEIGHTS, check, load, read_summary, save
from playground.storage.library import LEFTOVER_SECONDS, RESTORABLE_SECONDS, SHIPPED, Library, _size_text
from playground.tasks import PAD, SPECIALS
from tests.helpers import HANG
from tests.saved import FULL_DISK, RECORDS, RENAME, TINY, fail_at, logits, refusal, tiny, tree

BAD_NAMES = ["../x", "", ".", "..", "a/b", "/tmp/x", "x" * 65, "a\n", "\n", "a b", ".a", "-a", "a\\b", "C:x", "ä"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path: Path, name: str):
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
        assert "not a valid checkpoint name" in refusal(call)
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
def test_shipped_checkpoints_cannot_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, root: str):
    monkeypatch.setattr("playground.storage.library.REPOSITORY", tmp_path)  # a copy, should one of these calls succeed
    shutil.copytree(REPOSITORY / "checkpoints" / name, tmp_path / "checkpoints" / name)
    library, before = Library(tmp_path / root), tree(tmp_path)
    refusal(lambda: library.save(name, tiny(), []), name)
    refusal(lambda: library.save(name, tiny(), [], overwrite=True), name)
    refusal(lambda: library.delete(name), name)
    assert tree(tmp_path) == before
    assert library.load(name).config.task.name in name


def test_the_library_lists_newest_first_with_problems_and_without_hidden_entries(tmp_path: Path):
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


def test_a_missing_library_is_empty(tmp_path: Path):
    assert [entry.name for entry in Library(tmp_path / "later").entries()] == list(SHIPPED)
    assert tree(tmp_path) == {}


def test_a_link_is_not_a_checkpoint(tmp_path: Path):
    library = Library(tmp_path / "library")
    save(tmp_path / "private", tiny(), RECORDS)
    library.root.mkdir()
    (library.root / "link").symlink_to(tmp_path / "private", target_is_directory=True)
    for call in (library.delete, library.load, lambda name: library.rename(name, "mine")):
        refusal(lambda call=call: call("link"), "no checkpoint named link")
    assert [entry.name for entry in library.entries()] == list(SHIPPED)
    load(tmp_path / "private")


# --- deleting and bringing back -------------------------------------------------------------------


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


def own(library: Library) -> list[str]:
    return [entry.name for entry in library.entries() if entry.name not in SHIPPED]


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Puts the library's clock forward."""
    now, now_ns = time.time(), time.time_ns()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    monkeypatch.setattr(time, "time_ns", lambda: now_ns + int(seconds * 1e9))


def test_what_was_deleted_comes_back_as_it_was(library: Library):
    library.save("model", tiny(), RECORDS)
    before = tree(library.root / "model")
    modified = library.entries()[0].modified
    library.delete("model")
    assert own(library) == []
    refusal(lambda: library.load("model"), "no checkpoint")
    [deleted] = library.deleted()
    assert deleted.name == "model"
    assert deleted.bytes == sum(len(content) for content in before.values() if content)
    assert time.time() - HANG < deleted.deleted <= time.time()
    library.restore("model")
    assert library.deleted() == []
    assert tree(library.root / "model") == before
    assert library.entries()[0].modified == modified


def test_the_last_deleted_of_a_name_is_restored_first(library: Library, monkeypatch: pytest.MonkeyPatch):
    for seed, name in enumerate(["a", "b", "a"]):
        clock(monkeypatch, seed)
        library.save(name, tiny(seed=seed), [])
        library.delete(name)
        monkeypatch.undo()
    assert [deleted.name for deleted in library.deleted()] == ["a", "b", "a"]
    library.restore("a")
    assert torch.equal(logits(library.load("a").model), logits(tiny(seed=2)))
    assert [deleted.name for deleted in library.deleted()] == ["b", "a"]
    library.rename("a", "c")
    library.restore("a")
    assert torch.equal(logits(library.load("a").model), logits(tiny(seed=0)))


def test_a_restore_never_overwrites(library: Library):
    library.save("model", tiny(), [])
    library.delete("model")
    library.save("model", tiny(seed=1), [])
    refusal(lambda: library.restore("model"), "A checkpoint named model exists")
    assert torch.equal(logits(library.load("model").model), logits(tiny(seed=1)))
    assert [deleted.name for deleted in library.deleted()] == ["model"]


@pytest.mark.parametrize("name", ["never", "model"])
def test_a_missing_checkpoint_cannot_be_restored(library: Library, name: str):
    library.save("model", tiny(), [])
    refusal(lambda: library.restore(name), name)


def test_deleted_checkpoints_are_purged_after_half_an_hour(library: Library, monkeypatch: pytest.MonkeyPatch):
    library.save("model", tiny(), [])
    library.delete("model")
    clock(monkeypatch, RESTORABLE_SECONDS - 5)
    library.entries()
    assert [deleted.name for deleted in library.deleted()] == ["model"]
    monkeypatch.undo()
    clock(monkeypatch, RESTORABLE_SECONDS + 5)
    assert library.deleted() == []
    refusal(lambda: library.restore("model"), "model")
    library.entries()
    assert tree(library.root) == {".deleted": None}


def test_deleting_does_not_disturb_a_reader(library: Library, monkeypatch: pytest.MonkeyPatch):
    library.save("model", tiny(), [])
    original = validation.tensors

    def tensors(*args: Any) -> Iterator[Any]:
        monkeypatch.undo()
        library.delete("model")
        return original(*args)

    monkeypatch.setattr(validation, "tensors", tensors)
    assert torch.equal(logits(library.load("model").model), logits(tiny()))
    assert own(library) == []


def test_a_concurrent_reader_gets_a_whole_model_or_an_error(library: Library):
    models = [tiny(seed=seed) for seed in range(2)]
    expected = [logits(model) for model in models]
    problems: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                seen = logits(library.load("model").model)
                if not any(torch.equal(seen, answer) for answer in expected):
                    problems.append("a mixture")
                library.entries()
            except CheckpointError:
                pass
            except Exception as error:
                problems.append(repr(error))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(40):
        library.save("model", models[number % 2], [], overwrite=True, durable=False)
        if number % 4 == 3:
            library.delete("model")
            library.restore("model")
    stop.set()
    reader.join()
    assert problems == []


# --- renaming -------------------------------------------------------------------------------------


def test_a_checkpoint_can_be_renamed(library: Library):
    library.save("old", tiny(), RECORDS)
    before = tree(library.root / "old")
    library.rename("old", "new")
    assert own(library) == ["new"]
    assert tree(library.root / "new") == before


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("never", "new", "no checkpoint named never"),
        ("a", "b", "b is taken"),
        ("a", "a", "a is taken"),
        ("a", "../c", "not a valid"),
        ("../a", "c", "not a valid"),
        ("a", ".deleted", "not a valid"),
        ("a", SHIPPED[0], "comes with the app"),
        (SHIPPED[0], "c", "comes with the app"),
    ],
)
def test_an_invalid_new_name_is_refused(library: Library, old: str, new: str, word: str):
    for seed, name in enumerate("ab"):
        library.save(name, tiny(seed=seed), [])
    before = tree(library.root)
    refusal(lambda: library.rename(old, new), word)
    assert tree(library.root) == before


def test_a_new_name_taken_meanwhile_is_refused(library: Library, monkeypatch: pytest.MonkeyPatch):
    for seed, name in enumerate("ab"):
        library.save(name, tiny(seed=seed), [])
    before = tree(library.root)
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    refusal(lambda: library.rename("a", "b"), "b is taken")
    library.delete("a")
    library.rename("b", "a")
    refusal(lambda: library.restore("a"), "A checkpoint named a exists")
    monkeypatch.undo()
    library.rename("a", "b")
    library.restore("a")
    assert {name: content for name, content in tree(library.root).items() if name != ".deleted"} == before


# --- room -----------------------------------------------------------------------------------------


def size_of(library: Library, name: str = "a") -> int:
    return next(entry.bytes for entry in library.entries() if entry.name == name)


def test_without_a_quota_everything_fits(library: Library):
    for name in "abc":
        library.save(name, tiny(), [])
    assert library.used_bytes() == sum(size_of(library, name) for name in "abc")


def test_a_library_is_filled_up_to_its_quota_and_no_further(library: Library):
    library.save("a", tiny(), [])
    size = size_of(library)
    library.quota_bytes = 3 * size
    for name in "bc":
        library.save(name, tiny(), [])
    before = tree(library.root)
    text = refusal(lambda: library.save("d", tiny(), []), "Delete one first")
    assert tree(library.root) == before
    assert library.used_bytes() == 3 * size
    assert f"Your library uses {_size_text(3 * size)} of {_size_text(3 * size)}." in text
    assert f"This checkpoint needs {_size_text(size)}." in text
    refusal(lambda: library.save("c", tiny(seed=1), []), "already contains a checkpoint")
    library.save("c", tiny(seed=1), [], overwrite=True)
    refusal(lambda: library.save("c", tiny(d_ff=64), [], overwrite=True), "Delete one first")
    assert torch.equal(logits(library.load("c").model), logits(tiny(seed=1)))
    library.delete("a")
    library.save("d", tiny(), [])
    assert sorted(own(library)) == ["b", "c", "d"]


def test_deleted_checkpoints_are_purged_oldest_first_and_only_if_that_helps(
    library: Library, monkeypatch: pytest.MonkeyPatch
):
    for number, name in enumerate("abc"):
        library.save(name, tiny(), [])
        clock(monkeypatch, number)
        if name != "c":
            library.delete(name)
        monkeypatch.undo()
    size = size_of(library, "c")
    assert library.used_bytes() == 3 * size
    library.quota_bytes = int(3.5 * size)
    refusal(lambda: library.save("d", tiny(d_model=32, d_ff=64), []), "The limit per visitor is")
    assert [deleted.name for deleted in library.deleted()] == ["b", "a"]
    library.save("d", tiny(), [])
    assert [deleted.name for deleted in library.deleted()] == ["b"]
    library.save("d", tiny(seed=1), [], overwrite=True)
    refusal(lambda: library.save("d", tiny(d_ff=96), []), "already contains a checkpoint")
    assert [deleted.name for deleted in library.deleted()] == ["b"], "neither needed its room"
    library.save("e", tiny(), [])
    assert library.deleted() == []
    refusal(lambda: library.save("f", tiny(), []), "Delete one first")


def test_shipped_checkpoints_do_not_count_towards_the_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("playground.storage.library.REPOSITORY", tmp_path)
    shutil.copytree(REPOSITORY / "checkpoints", tmp_path / "checkpoints", ignore=lambda *_: [])
    library = Library(tmp_path / "checkpoints", quota_bytes=50_000)
    assert library.used_bytes() == 0
    library.save("mine", tiny(), [])
    assert library.used_bytes() == size_of(library, "mine")


def test_threads_that_save_at_once_do_not_exceed_the_quota_together(library: Library):
    library.save("a", tiny(), [])
    library.quota_bytes = 4 * size_of(library)
    refused: list[str] = []

    def save_one(name: str) -> None:
        try:
            library.save(name, tiny(), [])
        except CheckpointError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=save_one, args=(f"model-{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 5
    assert library.used_bytes() <= library.quota_bytes


@pytest.mark.parametrize("size", ["1.2 MB", "48 MB", "0.1 MB", "99.9 kB", "0 kB", "1,234.5 MB"])
def test_sizes_have_readable_units(size: str):
    number, unit = size.replace(",", "").split()
    assert _size_text(int(float(number) * {"kB": 1e3, "MB": 1e6}[unit])) == size


# --- time and leftovers ---------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".partial", ".old"])
def test_leftovers_of_a_save_are_deleted_after_an_hour(library: Library, suffix: str):
    library.save("model", tiny(), [])
    left = library.root / f".model.abc{suffix}"
    save(left / "model", tiny(seed=1), [])
    age(left, LEFTOVER_SECONDS - 60)
    library.entries()
    assert left.is_dir()
    age(left, LEFTOVER_SECONDS + 60)
    library.entries()
    assert not left.exists()
    assert torch.equal(logits(library.load("model").model), logits(tiny()))


def test_an_interrupted_overwrite_is_undone(library: Library, monkeypatch: pytest.MonkeyPatch):
    library.save("model", tiny(), [])
    fail_at(monkeypatch, RENAME, {2, 3}, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        library.save("model", tiny(seed=1), [], overwrite=True)
    monkeypatch.undo()
    assert own(library) == [], "it may still be going on"
    [left] = library.root.glob("*.old")
    age(left, 60)
    assert own(library) == ["model"]
    assert torch.equal(logits(library.load("model").model), logits(tiny()))
    assert [path.name for path in library.root.iterdir()] == ["model"]


def test_other_hidden_entries_stay(library: Library):
    library.root.mkdir()
    for name in (".git", ".partially", ".deleted"):
        (library.root / name / "model").mkdir(parents=True)
        age(library.root / name, 10**6)
    (library.root / ".notes.old").write_text("a file")
    age(library.root / ".notes.old", 10**6)
    before = tree(library.root)
    library.entries()
    assert library.deleted() == []
    assert tree(library.root) == before


# --- listing --------------------------------------------------------------------------------------


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of folders that are looked into from now on."""
    names: list[str] = []

    def counting(folder: Path) -> validation.Summary:
        names.append(folder.name)
        return check(folder)

    monkeypatch.setattr("playground.storage.library.check", counting)
    return names


def test_an_unchanged_folder_is_read_once(library: Library, monkeypatch: pytest.MonkeyPatch):
    for name in "abc":
        library.save(name, tiny(), [])
    (library.root / "b" / CONFIG).write_text("{")
    looked = looks(monkeypatch)
    first = library.entries()
    assert sorted(looked) == sorted(["a", "b", "c", *SHIPPED])
    assert library.entries() == first
    assert len(looked) == 3 + len(SHIPPED)
    library.save("b", tiny(), [], overwrite=True)
    (library.root / "a" / HISTORY).unlink()
    written = (library.root / "c" / WEIGHTS).stat().st_mtime_ns
    with (library.root / "c" / WEIGHTS).open("r+b") as file:  # the same size, and dated back
        file.seek(-4, os.SEEK_END)
        file.write(b"\0\0\xc0\x7f")
    os.utime(library.root / "c" / WEIGHTS, ns=(written, written))
    looked.clear()
    entries = {entry.name: entry for entry in library.entries()}
    assert sorted(looked) == ["a", "b", "c"]
    assert "not finite" in entries["c"].problem
    assert entries["b"].summary is not None


@pytest.mark.parametrize("damage", ["truncated", "NaN", "pipe", "link", "missing"])
def test_damaged_weights_make_an_entry_unusable_with_a_reason(library: Library, damage: str):
    library.save("model", tiny(), [])
    weights = library.root / "model" / WEIGHTS
    content = weights.read_bytes()
    weights.unlink()
    match damage:
        case "truncated":
            weights.write_bytes(content[:-1])
        case "NaN":
            weights.write_bytes(content[:-4] + b"\0\0\xc0\x7f")
        case "pipe":
            os.mkfifo(weights)
        case "link":
            weights.symlink_to("/dev/zero")
    entry = library.entries()[0]
    assert entry.summary is None
    assert WEIGHTS in entry.problem
    assert refusal(lambda: library.load("model")) == entry.problem


def test_a_folder_deleted_meanwhile_is_not_listed(library: Library, monkeypatch: pytest.MonkeyPatch):
    for name in "abc":
        library.save(name, tiny(), [])

    def vanishing(folder: Path) -> validation.Summary:
        if folder.name in "ab":
            shutil.rmtree(folder)
        return check(folder)

    monkeypatch.setattr("playground.storage.library.check", vanishing)
    assert own(library) == ["c"]


def test_a_disk_error_is_not_cached(library: Library, monkeypatch: pytest.MonkeyPatch):
    library.save("model", tiny(), [])
    original = os.open

    def fail(path: str | Path, *args: Any, **kwargs: Any) -> int:
        if path == WEIGHTS:
            raise OSError(errno.EIO, "Input/output error")
        return original(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", fail)
    assert "Input/output error" in library.entries()[0].problem
    monkeypatch.undo()
    assert library.entries()[0].problem == ""


# --- a disk that refuses --------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["save", "delete", "rename", "restore"])
def test_a_read_only_library_reports_it_and_is_unchanged(library: Library, monkeypatch: pytest.MonkeyPatch, call: str):
    library.save("model", tiny(), [])
    library.save("gone", tiny(), [])
    library.delete("gone")
    before = tree(library.root)

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    for name in ("rename", "mkdir"):
        monkeypatch.setattr(os, name, refuse)
    calls: dict[str, Callable[[], object]] = {
        "save": lambda: library.save("other", tiny(), []),
        "delete": lambda: library.delete("model"),
        "rename": lambda: library.rename("model", "other"),
        "restore": lambda: library.restore("gone"),
    }
    refusal(calls[call], "Read-only file system")
    assert tree(library.root) == before


def test_a_file_instead_of_the_library_folder_is_refused(tmp_path: Path):
    (tmp_path / "library").write_text("no folder")
    library = Library(tmp_path / "library")
    assert [entry.name for entry in library.entries()] == list(SHIPPED)
    assert library.deleted() == []
    refusal(lambda: library.save("model", tiny(), []), "library")
    for call in (library.delete, library.restore, library.load):
        refusal(lambda call=call: call("model"), "model")
    assert tree(tmp_path) == {"library": b"no folder"}


@pytest.mark.parametrize("number", range(1, 7))
def test_a_disk_that_is_full_leaves_the_library_as_it_was(
    library: Library, monkeypatch: pytest.MonkeyPatch, number: int
):
    library.save("model", tiny(), [])
    before = tree(library.root)
    fail_at(monkeypatch, ("fsync",), {number}, FULL_DISK)
    refusal(lambda: library.save("model", tiny(seed=1), [], overwrite=True), "No space left")
    assert tree(library.root) == before


# --- the two models that ship ---------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_is_small_and_has_results(name: str):
    folder = REPOSITORY / "checkpoints" / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 500_000
    assert {path.name for path in folder.iterdir()} == {CONFIG, WEIGHTS, HISTORY, CARD}
    checkpoint = Library(REPOSITORY / "checkpoints").load(name)
    task = checkpoint.config.task
    assert name == f"{task.name}-{task.min_length}-{task.max_length}"
    measured = read_summary(folder).measured
    assert measured["exact_match"] >= 0.999
    newest = [record for record in checkpoint.history if "exact_match" in record][-1]
    assert measured.items() <= newest.items()
    assert f"{percent(measured['exact_match'])} on {measured['sequences']}" in (folder / CARD).read_text()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_answers_100_of_100_inputs_and_every_single_symbol(name: str):
    model = Library(REPOSITORY / "checkpoints").load(name).model
    generator = torch.Generator().manual_seed(20_171_206)
    first, symbols, longest = len(SPECIALS), model.config.task.vocab_size, model.config.task.max_length
    inputs = [[first + symbol] for symbol in range(symbols)]
    for number in range(100):
        length = number % longest + 1
        inputs.append(torch.randint(first, first + symbols, (length,), generator=generator).tolist())
    source = torch.tensor([row + [PAD] * (longest - len(row)) for row in inputs])
    answers = greedy(model, source).tolist()
    predicted = [[token for token in answer if token >= first] for answer in answers]
    right = {"copy": list, "reverse": lambda row: row[::-1], "sort": sorted}[model.config.task.name]
    assert predicted == [right(row) for row in inputs]


def test_only_the_librarys_own_files_count_towards_the_quota(library: Library):
    library.save("model", tiny(), [])
    used = library.used_bytes()
    (library.root / ".visitors" / "someone").mkdir(parents=True)
    (library.root / ".visitors" / "someone" / "state").write_bytes(b"x" * 1000)
    assert library.used_bytes() == used > 0
    library.delete("model")
    assert library.used_bytes() == used


def test_an_added_checkpoint_gets_a_free_name(tmp_path: Path):
    library = Library(tmp_path / "library")
    save(tmp_path / "theirs", tiny(), RECORDS)
    files = {path.name: path.read_bytes() for path in (tmp_path / "theirs").iterdir()} | {CARD: b"<script>"}
    assert library.add("my model (1)", files) == "my-model-1"
    assert torch.equal(logits(library.load("my-model-1").model), logits(tiny()))
    assert b"<script>" not in (library.root / "my-model-1" / CARD).read_bytes(), "the card is written by us"
    assert library.add("my-model-1", files) == "my-model-1", "the same is not kept twice"
    save(tmp_path / "others", tiny(seed=1), RECORDS)
    others = {path.name: path.read_bytes() for path in (tmp_path / "others").iterdir()}
    assert library.add("my-model-1", others) == "my-model-1-2"
    assert library.add(SHIPPED[0], others) == f"{SHIPPED[0]}-2", "what ships with the app stays as it is"
    assert library.add("../../" + "x" * 100, others) == "x" * 56
    assert library.add("…", others) == "checkpoint"


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, HISTORY])
@pytest.mark.parametrize("content", [b"", b"{", None])
def test_invalid_added_files_leave_nothing_behind(tmp_path: Path, name: str, content: bytes | None):
    if name == HISTORY and content != b"{":
        return  # it may be empty, and missing
    save(tmp_path / "theirs", tiny(), RECORDS)
    files = {path.name: path.read_bytes() for path in (tmp_path / "theirs").iterdir()}
    library = Library(tmp_path / "library")
    broken = files | {name: content} if content is not None else {key: files[key] for key in files if key != name}
    assert str(tmp_path) not in refusal(lambda: library.add("mine", broken), "mine", name)
    assert tree(library.root) == {}
    tight = Library(tmp_path / "tight", quota_bytes=1000)
    refusal(lambda: tight.add("mine", files), "The limit per visitor is 1 kB")

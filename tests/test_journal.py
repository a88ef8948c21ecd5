"""What a run keeps on disk: a full disk, a kill at any byte and damage of any kind cost no whole record."""

import json
import math
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from playground.experiments import comparison
from playground.processes import warm_up
from playground.runs import Frames, Run, Runs
from playground.runs.journal import MAX_LINE_BYTES, Journal, missing
from playground.runs.keeping import FolderKeeper, RunFolder
from playground.runs.messages import TrainingStart
from playground.runs.metadata import BranchPoint, Hunt, RunMetadata
from playground.runs.worker import _training
from playground.settings.config import Change, RunConfig
from playground.settings.host import Host
from playground.training import TrainingError, train
from playground.training.measure import GROUPED
from playground.ui.parts.charts.curves_route import RunCurves
from tests.helpers import TINY, examples, timeless, until
from tests.worker_runs import advance

resource = pytest.importorskip("resource")

_WHOLE: list[dict[str, Any]] = []


def whole() -> list[dict[str, Any]]:
    """The history of TINY."""
    if not _WHOLE:
        _WHOLE.extend(progress.record() for progress in train(TINY))
    return _WHOLE


@contextmanager
def full_beyond(size: int) -> Iterator[None]:
    """A disk on which no file can grow beyond so many bytes: the system writes what fits and refuses the rest."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def kept(folder: RunFolder) -> int:
    state = folder.state()
    return 0 if state is None else int(state["progress"][0])


def at(step: int) -> Any:
    """Stands for a training at a step."""
    state = {"progress": torch.tensor([step, 0.0, 0], dtype=torch.float64), "model.w": torch.zeros(50)}
    return SimpleNamespace(step=step, state=lambda: state)


def records_at(folder: RunFolder) -> list[dict[str, Any]]:
    return list(folder.journal(TINY).records())


# --- a full disk, and a kill ----------------------------------------------------------------------

failures = st.tuples(st.just("full"), st.integers(0, 1500))
kills = st.tuples(st.just("killed"), st.floats(0, 1))
writes = st.tuples(st.just("written"), st.just(0))


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.integers(1, 4), failures | kills | writes), max_size=12))
def test_a_write_failure_at_any_byte_loses_nothing_that_was_kept(tmp_path_factory, story):
    folder = RunFolder(tmp_path_factory.mktemp("run"))
    history, state = folder.path / "history.jsonl", folder.path / "state.safetensors"
    keeper, step = FolderKeeper(folder, TINY, 0), 0
    for count, (what, where) in story:
        first = step == 0 and not keeper.records
        for step in range(0 if first else step + 1, step + count + 1):  # noqa: B020
            keeper.records.append({"step": step, "loss": 1 / (1 + step), "seconds": float(step)})
        before = (history.read_bytes() if history.exists() else b"", state.read_bytes() if state.exists() else None)
        if what == "full":
            with full_beyond(int(where)), suppress(OSError):
                keeper.keep(at(step))
        else:
            keeper.keep(at(step))
        if what == "killed":  # after any byte of the history, or between history and state
            after = history.read_bytes()
            history.write_bytes(after[: len(before[0]) + round(where * (len(after) - len(before[0])))])
            state.write_bytes(before[1]) if before[1] else state.unlink()
            step = kept(folder)
            keeper = FolderKeeper(folder, TINY, step)
        found = records_at(folder)
        assert [record["step"] for record in found] == list(range(len(found)))
        assert all(record["loss"] == 1 / (1 + record["step"]) for record in found)
        if state.exists():
            assert len(found) > kept(folder), "the state is never ahead of the history"
            assert what == "killed" or len(found) == kept(folder) + 1
    for late in range(step + 1, step + 3):
        keeper.records.append({"step": late, "loss": 1 / (1 + late)})
    keeper.keep(at(step + 2))
    assert len(records_at(folder)) == step + 3 - (not state.exists()) or step == 0


def test_a_partial_line_loses_only_that_line(tmp_path):
    journal = Journal(tmp_path / "history.jsonl", TINY)
    journal.append(whole()[:10])
    content = (tmp_path / "history.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    (tmp_path / "history.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:30] + b"".join(lines[5:]))
    assert [record["step"] for record in journal.records()] == [0, 1, 2, 3, 6, 7, 8, 9]
    (tmp_path / "history.jsonl").write_bytes(content[:-1])  # the end of the last line alone is gone
    again = Journal(tmp_path / "history.jsonl", TINY)
    assert len(again.resume(math.inf)) == 10
    again.append(whole()[10:12])
    assert list(again.records()) == whole()[:12]


def test_predictions_of_an_earlier_version_are_dropped_because_it_showed_other_inputs(tmp_path):
    journal = Journal(tmp_path / "history.jsonl", TINY)
    journal.append(whole()[:6])
    assert [len(record["predictions"]) for record in journal.records() if "predictions" in record] == [8, 8]
    earlier = [{k: v for k, v in line.items() if not k.startswith("exact_match_")} for line in whole()[:6]]
    journal.path.unlink()
    journal.resume(math.inf)
    journal.append(earlier)
    found = [record for record in journal.records() if "predictions" in record]
    assert [(record["predictions"], len(record["position_accuracy"]) > 0) for record in found] == [([], True)] * 2
    frames = Frames(5, found)
    assert frames.predictions(0) == [[], []]


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"step": ' * 5000,
        b'{"step": 4, "loss": NaN}',
        b'{"step": 4, "loss": null}',
        b'{"step": 4, "loss": "x"}',
        b'{"step": 4, "loss": []}',
        b'{"step": ' + b"9" * 10_000 + b"}",
        b'{"step": 4, "loss": ' + b"9" * 10_000 + b"}",
        b'{"step": -1}',
        b'{"step": true}',
        b'{"step": 4, "exact_match": 1.0}',
        b'{"step": 4, "exact_match": 1.0, "sequences": 1e3}',
        b'{"step": 2, "loss": 1.0}',
        b'{"step": 77777, "loss": 1.0}',
        b'{"step": 4, "predictions": [[9999]], "position_accuracy": [], "attention_entropy": {}}',
        b'{"step": 4, "predictions": [], "position_accuracy": [], "attention_entropy": {"a": [1.0]}}',
        b" " * (3 * MAX_LINE_BYTES),
        b"null",
        b"",
    ],
    ids=lambda line: line[:40].decode("latin-1"),
)
def test_an_invalid_line_is_skipped(tmp_path, line):
    journal = Journal(tmp_path / "history.jsonl", TINY)
    journal.append(whole()[:6])
    lines = (tmp_path / "history.jsonl").read_bytes().splitlines()
    lines[4] = line
    (tmp_path / "history.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert [record["step"] for record in journal.records()] == [0, 1, 2, 3, 5]


def test_missing_parts_are_named():
    assert missing(range(6), 5) == ""
    assert missing([0, 1, 2, 4, 5], 5) == "Step 3 is missing from the history on disk."
    assert missing([0, 1, 5], 1000) == "Steps 2 to 4 and 6 to 1,000 are missing from the history on disk."
    sentence = missing([1, 3, 5, 7, 9], 9)
    assert sentence == "Steps 0, 2, 4 and 2 other gaps are missing from the history on disk."
    assert missing([], 0) == "Step 0 is missing from the history on disk."


# --- a real run on a full disk --------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs a limit on the files of another process")
def test_a_temporarily_full_disk_loses_nothing(host):
    run = host().start("ada", TINY, pace=1)  # not over before its worker is killed
    until(lambda: run.store.kept_step)
    history = run.store.folder.path / "history.jsonl"
    pid, most = run._worker.pid, resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (history.stat().st_size + 50, most))  # in the middle of a line
    until(lambda: run.store.problem)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
    until(lambda: not run.store.problem)
    os.kill(pid, signal.SIGKILL)
    assert run.wait("paused")
    found = host().current("ada")
    assert found.step == found.store.kept_step == run.store.kept_step
    assert f"Resume continues from step {found.step}" in found.message
    assert not found.store.damage
    found.set_pace(None)
    found.resume()
    assert found.wait("finished")
    assert timeless(found.records()) == timeless(host().current("ada").records())
    assert timeless(found.exact_records()) == timeless(whole())


def test_a_disk_that_is_full_at_the_start_is_tried_again(host, tmp_path):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    assert run.wait("paused")
    run.suspend()
    until(lambda: not run.has_worker)
    history = run.store.folder.path / "history.jsonl"
    content = history.read_bytes()
    history.unlink()
    history.mkdir()  # no history can be read or written
    run.set_pace(1)
    run.resume()
    until(lambda: run.store.problem)
    history.rmdir()
    history.write_bytes(content)
    until(lambda: not run.store.problem and run.store.kept_step)
    run.set_pace(None)
    assert run.wait("finished")
    assert timeless(host().current("ada").exact_records()) == timeless(whole())


def test_a_status_that_could_not_be_written_is_written_later(host, monkeypatch):
    runs = host()
    run = runs.start("ada", TINY, paused=True)
    assert run.wait("paused")

    def full(self, about):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write_metadata", full)
        run.stop()
        assert run.wait("stopped")
        until(lambda: not run.has_worker)
        runs.tick()
    assert json.loads((run.store.folder.path / "run.json").read_text())["status"] == ""
    runs.tick()
    assert json.loads((run.store.folder.path / "run.json").read_text())["status"] == "stopped"


def test_a_state_that_was_kept_but_not_reported_is_found(host):
    run = host().start("ada", TINY, paused=True)
    advance(run, 7)
    until(lambda: run.store.kept_step)
    os.kill(run._worker.pid, signal.SIGSTOP)
    training = TrainingStart(run.metadata).training()
    while training.step < 30:
        training.take_step()
    keeper = FolderKeeper(run.store.folder, TINY, run.store.kept_step)
    keeper.records = whole()[run.store.kept_step + 1 : 31]
    keeper.keep(training)
    os.kill(run._worker.pid, signal.SIGKILL)
    assert run.wait("paused")
    assert run.store.kept_step == run.step == 30
    assert [record["step"] for record in run.records()] == list(range(31))
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == timeless(host().current("ada").records())
    assert [record["step"] for record in run.records()] == list(range(41))


# --- metadata -------------------------------------------------------------------------------------


def test_metadata_come_back_as_they_were_written(tmp_path):
    metadata = RunMetadata(
        config=TINY,
        name="amber-fox",
        pace=2.0,
        status="stopped",
        message="Enough.",
        changes=(Change(3, {"training.learning_rate": 0.1}),),
        origin=BranchPoint(run_id="a", name="old-owl", step=2),
        gradient_norm=True,
        note="half the rate",
        colour=3,
        sweep="heads",
        begun_from="mine",
        device="cuda",
        node="here/1",
        pitfall="no-scaling",
        hunt=Hunt(seed=3, wrong=1),
    )
    assert metadata.model_fields_set == set(RunMetadata.model_fields) - {"id", "started"}, "a new field, too"
    folder = RunFolder(tmp_path / metadata.id)
    folder.begin(metadata)
    assert folder.metadata() == (metadata, [])


def test_metadata_of_an_earlier_version_have_defaults(tmp_path):
    (tmp_path / "run.json").write_text(
        json.dumps({"config": TINY.model_dump(), "name": "amber-fox", "pace": None, "started": 1.0, "more": 1})
    )
    metadata = RunMetadata(id=tmp_path.name, name="amber-fox", config=TINY, started=1.0)
    assert RunFolder(tmp_path).metadata() == (metadata, [])


# --- damage ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """Folders of kept runs: one that ended, one that is under way, and a branch of it."""
    folder = tmp_path_factory.mktemp("kept")
    runs = Runs(Host(checkpoints=folder))
    ended = runs.start("ada", TINY)
    assert ended.wait("finished")
    paused = runs.start("ada", TINY, paused=True)
    advance(paused, 13)
    paused.change({"training.learning_rate": 0.001})
    until(lambda: paused.changes)
    branch = runs.branch("ada", paused, 10, paused=True)
    assert branch.wait("paused")
    for run in (paused, branch):
        run.suspend()
        until(lambda run=run: not run.has_worker)
    runs.close()
    return {"ended": ended.store.folder.path, "paused": paused.store.folder.path, "branch": branch.store.folder.path}


@contextmanager
def server(folder: Path, root: Path) -> Iterator[tuple[Runs, Path]]:
    """A new server that finds this folder, and the path of its copy, to be damaged before anybody asks."""
    own = root / ".visitors" / "ada" / "runs" / folder.name
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, own)
    runs = Runs(Host(checkpoints=root))
    try:
        yield runs, own
    finally:
        runs.close()


def look_at(runs: Runs) -> Run:
    """Asks for all that pages ask for; the run is listed, and nothing is raised."""
    [run] = runs.of("ada")
    assert run.status in ("paused", "finished", "failed")
    for page in ("loss",), ("exact_match", "sequences"), ("seconds",):
        run.points(page)
        run.columns(page)
    records = run.records()
    assert [record["step"] for record in records] == sorted({record["step"] for record in records})
    assert all(0 <= record["step"] <= run.step for record in records)
    run.exact_records()
    run.last()
    run.predictions(0)
    for measure in GROUPED:
        run.grouped(measure.name)
    assert run.snapshot_steps() == sorted(set(run.snapshot_steps()))
    assert all(0 <= step <= run.step for step in run.snapshot_steps())
    near, model = run.model_near()
    assert 0 <= near <= run.step
    assert model.config == run.config == run.model_at().config
    assert run.config_now
    assert run.store.nbytes >= 0
    comparison.to_csv([run])
    comparison.to_json([run])
    tables = RunCurves()
    tables.refresh(run)
    json.dumps(tables.fields(run, 0), allow_nan=False)
    with suppress(ValueError):
        run.branch(run.step, {})
    with suppress(ValueError):
        run.branch(min(run.step, 3), {"training.learning_rate": 0.1})
    if not run.ended:
        with suppress(TrainingError):  # one sentence, with which the run fails
            training = _training(run._job())
            training.take_step()
        run.store.shrink(0)
    run.rename("another name")
    run.set_note("noted")
    return run


def replaced(content: bytes, data: DataObject) -> bytes:
    """A file after some bytes of it were cut, flipped, put in, or all are others."""
    first = data.draw(st.integers(0, len(content)))
    last = data.draw(st.integers(first, min(len(content), first + 200)))
    return data.draw(
        st.sampled_from([content[:first], content[:first] + content[last:]])
        | st.binary(max_size=50).map(lambda other: content[:first] + other + content[last:])
        | st.binary(max_size=200)
    )


values = st.sampled_from(
    [None, True, -1, 0, 7.5, 2**40, 10**400, 1e308, math.nan, math.inf, "", "x", "y" * 10_000, [], [[]], {}, [None]]
) | st.just(json.loads("[" * 500 + "]" * 500))


def twisted(content: bytes, data: DataObject) -> bytes:
    """JSON after one field anywhere in it was taken out, added, or has another value."""
    thing = json.loads(content)
    section, name = thing, data.draw(st.sampled_from(sorted(thing)))
    while isinstance(section[name], dict) and section[name] and data.draw(st.booleans()):
        section = section[name]
        name = data.draw(st.sampled_from(sorted(section)))
    how = data.draw(st.sampled_from(["other", "other", "other", "missing", "more"]))
    if how == "missing":
        del section[name]
    else:
        section[name if how == "other" else "more"] = data.draw(values)
    return json.dumps(thing).encode()


FILES = ("run.json", "history.jsonl", "state.safetensors", "best.safetensors")


@settings(max_examples=examples(20))
@given(data=st.data(), name=st.sampled_from(FILES), kind=st.sampled_from(["ended", "paused", "branch"]))
def test_a_run_with_damaged_bytes_stays_listed(folders, tmp_path_factory, data, name, kind):
    with server(folders[kind], tmp_path_factory.getbasetemp() / "damaged") as (runs, own):
        if (own / name).exists():
            (own / name).write_bytes(replaced((own / name).read_bytes(), data))
        look_at(runs)


def test_changed_settings_do_not_use_old_replayed_weights(folders, tmp_path_factory):
    for damaged in (False, True):
        with server(folders["ended"], tmp_path_factory.getbasetemp() / "damaged") as (runs, own):
            if damaged:
                before = (own / "run.json").read_bytes()
                (own / "run.json").write_bytes(before.replace(b'"vocab_size": 4', b'"vocab_size": 5'))
                assert before != (own / "run.json").read_bytes()
            look_at(runs)


@settings(max_examples=examples(20))
@given(data=st.data(), kind=st.sampled_from(["ended", "paused", "branch"]), line=st.integers(0, 60))
def test_a_run_with_damaged_fields_stays_listed(folders, tmp_path_factory, data, kind, line):
    with server(folders[kind], tmp_path_factory.getbasetemp() / "damaged") as (runs, own):
        if line % 2:
            (own / "run.json").write_bytes(twisted((own / "run.json").read_bytes(), data))
        else:
            lines = (own / "history.jsonl").read_bytes().splitlines()
            line %= len(lines)
            lines[line] = twisted(lines[line], data)
            (own / "history.jsonl").write_bytes(b"\n".join(lines) + b"\n")
        look_at(runs)


def _no_file(path: Path) -> None:
    path.unlink(missing_ok=True)


def _folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def _link(to: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(to)

    make.__name__ = f"link to {to}"
    return make


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _unreadable(path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path.chmod(0)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _huge(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(2**33)


@pytest.mark.parametrize("kind", ["ended", "paused", "branch"])
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "damage",
    [_no_file, _folder, _link("nowhere"), _link("run.json"), _link("/dev/zero"), _pipe, _unreadable, _empty, _huge],
    ids=lambda damage: damage.__name__.strip("_"),
)
def test_a_run_with_irregular_files_stays_listed(folders, tmp_path, damage, name, kind):
    if damage is _huge and name == "history.jsonl":
        pytest.skip("a history is read line by line")
    with server(folders[kind], tmp_path / "host") as (runs, own):
        damage(own / name)
        run = look_at(runs)
    if name == "run.json":
        assert run.status == "failed"
        assert "The settings of this run are damaged on disk. run.json" in run.message
    elif name == "history.jsonl":
        assert "histor" in run.store.damage
    elif name == "state.safetensors" and damage is not _no_file:
        assert "The kept state of this run is damaged on disk" in run.store.damage


def test_a_run_resumes_from_a_state_ahead_of_its_history_and_names_the_gap(folders, tmp_path):
    with server(folders["ended"], tmp_path / "host") as (runs, own):
        lines = (own / "history.jsonl").read_bytes().splitlines(keepends=True)
        (own / "history.jsonl").write_bytes(b"".join(lines[:21]) + lines[21][:40] + b"".join(lines[22:36]))
        about = json.loads((own / "run.json").read_bytes())
        (own / "run.json").write_text(json.dumps(about | {"status": ""}))
        [run] = runs.of("ada")
        assert run.step == run.store.kept_step == 40
        assert "Resume continues from step 40" in run.message
        assert run.store.damage == "Steps 21 to 22 and 36 to 40 are missing from the history on disk."
        run.resume()
        assert run.wait("finished")
        assert [record["step"] for record in run.records()] == [*range(21), *range(23, 36)]


def test_damaged_fields_are_named_and_the_run_resumes(folders, tmp_path):
    with server(folders["paused"], tmp_path / "host") as (runs, own):
        about = json.loads((own / "run.json").read_bytes())
        wrong = {"pace": "quick", "colour": None, "note": 5, "started": 10**400, "name": None}
        (own / "run.json").write_text(json.dumps(about | wrong))
        [run] = runs.of("ada")
        assert run.store.damage == "Damaged in run.json and set to the default: colour, name, note, pace, started."
        run.resume()
        assert run.wait("finished")


def test_damaged_changes_keep_the_weights(folders, tmp_path):
    with server(folders["paused"], tmp_path / "host") as (runs, own):
        about = json.loads((own / "run.json").read_bytes())
        (own / "run.json").write_text(json.dumps(about | {"changes": [{"step": 1}]}))
        [run] = runs.of("ada")
        assert run.status == "failed"
        assert "so it cannot resume" in run.message
        assert run.step == run.store.kept_step
        assert run.model_at(run.step) is not None


def test_unreadable_settings_are_not_overwritten(folders, tmp_path):
    with server(folders["paused"], tmp_path / "host") as (runs, own):
        (own / "run.json").write_text("{")
        run = look_at(runs)
        assert run.config == RunConfig()
        assert (own / "run.json").read_text() == "{"
        assert runs.current("ada") is not run or len(runs.of("ada")) == 1

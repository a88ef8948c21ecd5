"""Runs that go on from a checkpoint: its weights at step 0, everything else as in any other run."""

import contextlib
import copy
import json
import shutil
from typing import Any

import pytest

from playground.common.errors import CheckpointError
from playground.experiments import comparison
from playground.model.task_model import TaskModel
from playground.processes import child, warm_up
from playground.runs import Run, Runs, snapshots
from playground.runs.metadata import RunMetadata
from playground.settings.config import RunConfig
from playground.training import train
from tests.helpers import TINY, numbers, same_weights, timeless, until

AGAIN = TINY.updated({"seed": 1})


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.fixture(scope="module")
def learned() -> TaskModel:
    model = TaskModel(TINY)
    for _ in train(TINY, model):
        pass
    return model.eval()


@pytest.fixture(scope="module")
def there(learned: TaskModel) -> tuple[list[dict[str, Any]], TaskModel]:
    """What the same training gives in this process: the records, and the model in the end."""
    model = copy.deepcopy(learned)
    return numbers([progress.record() for progress in train(AGAIN, model)]), model.eval()


def go_on(runs: Runs, model: TaskModel, config: RunConfig = AGAIN, **options: Any) -> Run:
    return runs.start("ada", config, checkpoint=("the-old-one", model), **options)


def test_a_run_starts_from_the_weights_of_a_checkpoint(host, learned, there):
    run = go_on(host(), learned)
    assert same_weights(run.model_at(0), learned), "before its process has begun"
    assert run.wait("finished")
    assert timeless(run.records()) == there[0]
    assert same_weights(run.model_at(0), learned)
    assert same_weights(run.model_at(), there[1])
    assert not same_weights(run.model_at(), learned)
    assert run.metadata.begun_from == "the-old-one"


def test_a_queued_run_keeps_its_initial_weights_over_a_restart(host, learned, there):
    go_on(host(), learned, paused=True)
    (found,) = host().of("ada")
    assert (found.status, found.metadata.begun_from) == ("paused", "the-old-one")
    assert same_weights(found.model_at(0), learned)
    found.resume()
    assert found.wait("finished")
    assert timeless(found.records()) == there[0]


def test_a_run_without_its_initial_weights_fails(host, learned):
    run = go_on(host(), learned, paused=True)
    (run.store.folder.path / "beginning.safetensors").unlink()
    (found,) = host().of("ada")
    found.resume()
    assert not found.wait("finished")
    assert (found.status, found.step) == ("failed", 0)
    assert "The initial weights from the-old-one" in found.message


def test_lost_initial_weights_are_not_replaced(host, learned):
    run = go_on(host(), learned, AGAIN.updated({"training.eval_every": TINY.training.steps}))
    assert run.wait("finished")
    (run.store.folder.path / "beginning.safetensors").unlink()
    runs = host()
    (found,) = runs.of("ada")
    assert "The initial weights from the-old-one are damaged" in found.store.damage
    assert found.model_near(0)[0] == found.step, "the nearest that is left"
    assert not found.store.snapshots.has(0)
    with pytest.raises(KeyError):
        found.model_at(0)
    replay = runs.replays.ask("ada", found, 2)
    assert not replay.wait()
    assert "The initial weights from the-old-one" in replay.message
    shutil.rmtree(found.store.folder.path)
    snapshots.replayed.forget(found.id)
    with pytest.raises(CheckpointError, match="no longer on disk"):
        found.model_near()


@pytest.mark.parametrize(("damage", "lost"), [({"begun_from": 5}, False), ({"begun_from": 5}, True), ({}, False)])
def test_a_run_with_a_damaged_begun_from_does_not_use_seeded_weights(host, learned, damage, lost):
    run = go_on(host(), learned, AGAIN.updated({"training.eval_every": TINY.training.steps}))
    assert run.wait("finished")
    file = run.store.folder.path / "run.json"
    until(lambda: not run.has_worker)
    data = json.loads(file.read_text())
    del data["begun_from"]
    file.write_text(json.dumps(data | damage))
    if lost:
        (file.parent / "beginning.safetensors").unlink()
    (found,) = host().of("ada")
    with pytest.raises(KeyError) if lost else contextlib.nullcontext():
        assert same_weights(found.model_at(0), learned)
    assert "begun_from" in found.store.damage


@pytest.mark.parametrize("lost", [True, False])
def test_a_run_that_could_not_be_launched_is_found_as_failed_after_a_restart(host, learned, monkeypatch, lost: bool):
    run = go_on(host(), learned, paused=True)
    (found,) = host().of("ada")
    if lost:
        (run.store.folder.path / "beginning.safetensors").unlink()
    monkeypatch.setattr(child, "start", lambda *_args, **_more: exec("raise MemoryError('no room')"))
    found.resume()
    assert not found.wait("finished")
    (again,) = host().of("ada")
    assert (again.status, again.message) == ("failed", found.message)
    assert ("The initial weights from the-old-one" if lost else "no room") in again.message


@pytest.mark.parametrize("step", [0, 3])
def test_branches_have_the_same_initial_weights(host, learned, there, step: int):
    runs = host()
    run = go_on(runs, learned)
    assert run.wait("finished")
    branch = runs.branch("ada", run, step)
    assert branch.metadata.begun_from == "the-old-one"
    assert branch.wait("finished"), branch.message
    assert timeless(branch.records()) == there[0]
    assert same_weights(branch.model_at(), there[1])


def test_replays_start_from_the_initial_weights(host, learned):
    runs = host()
    run = go_on(runs, learned, AGAIN.updated({"training.eval_every": TINY.training.steps}))
    assert run.wait("finished")
    assert not run.store.snapshots.has(2)
    assert runs.replays.ask("ada", run, 2).wait()
    model = copy.deepcopy(learned)
    steps = train(run.config, model)
    for _ in range(3):
        next(steps)
    assert same_weights(run.model_at(2), model)
    assert not run.store.irreproducible


def test_it_continues_without_a_disk(learned, there):
    run = Run(RunMetadata(config=AGAIN, begun_from="the-old-one"), initial_weights=snapshots.weights(learned))
    run.begin()
    assert run.wait("finished")
    assert timeless(run.records()) == there[0]


def test_a_comparison_reports_different_initial_weights(host, learned):
    runs = host()
    one, other = runs.start("ada", AGAIN, paused=True), go_on(runs, learned, paused=True)
    assert comparison.difference([one, other])[1] == "initial weights from the-old-one"
    assert any(
        sentence.startswith(f"Different initial weights than {one.metadata.name}: {other.metadata.name}.")
        for sentence in comparison.fairness([one, other])
    )
    assert not any("initial weights than" in sentence for sentence in comparison.fairness([one, one]))

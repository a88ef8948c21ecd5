"""Replays: every step of a run comes back bit for bit, in its turn, and in bounded max_bytes."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from playground.model.task_model import TaskModel
from playground.processes import Limits, warm_up
from playground.recording import REPOSITORY
from playground.runs import Run, Runs, replays
from playground.runs.long_work import LongWork
from playground.runs.metadata import RunMetadata
from playground.runs.replays import Replays
from playground.runs.snapshots import (
    FIRST_STATES_EVERY,
    MAX_STATES,
    RUN_BYTES,
    STATE_FRACTION,
    ReplayedWeights,
    Snapshots,
    is_due,
    replayed,
    state_every,
    state_limit,
    unpacked,
)
from playground.settings.config import RunConfig, parameter_counts
from playground.settings.host import Host
from playground.training import Training, train
from tests.helpers import HANG, LONG, TINY, WAYS_TO_TRAIN, first, is_alive, until, way
from tests.worker_runs import advance

SPARSE = TINY.updated({"training.steps": 160, "training.eval_every": 80})
"""Of its 160 steps only 0, 80 and 160 are sure to be kept, and full states at every 32nd."""


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "ABANDON_SECONDS", HANG)  # nobody asks while one goes on


@pytest.fixture
def replay() -> Iterator[Replays]:
    """Replays that end after the test."""
    made = Replays(LongWork(Host(workers=4)))  # two slots for long replays
    yield made
    made.close()


@pytest.fixture
def finished() -> Callable[..., Run]:
    """Trains to the end."""

    def train_it(config: RunConfig = SPARSE, **options: Any) -> Run:
        run = Run(RunMetadata(config=config, **options))
        run.begin()
        assert run.wait("finished")
        return run

    return train_it


def weights(model: TaskModel) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone()


def all_weights(config: RunConfig) -> list[torch.Tensor]:
    """The weights after each step, trained in this process."""
    model = TaskModel(config)
    return [weights(model) for _ in train(config, model)]


def assert_exact(run: Run, there: list[torch.Tensor], steps: list[int]) -> None:
    for step in steps:
        assert weights(run.model_at(step)).equal(there[step]), step
        assert not run.model_at(step).training


def process(replay: Replays, visitor: str = "ada") -> Any:
    """The process at work for a visitor."""
    until(lambda: replay._requests[visitor]._worker)
    return replay._requests[visitor]._worker


# --- exactness ------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", first(2, WAYS_TO_TRAIN, of=4), ids=way)
def test_every_step_is_replayed_bit_for_bit(replay: Replays, finished, changes: dict[str, Any]):
    config = SPARSE.updated(changes)
    run, there = finished(config), all_weights(config)
    for step in (107, 3):
        for near in (step, step + 1, step - 1):
            assert replay.ask("ada", run, near).wait()
    at_hand = [step for step in range(161) if run.store.snapshots.has(step)]
    assert len(at_hand) > 10
    assert_exact(run, there, at_hand)
    assert not there[106].equal(there[107])


def test_a_replay_begins_at_the_nearest_full_state(replay: Replays, finished):
    run = finished()
    assert sorted(run.store.snapshots.states) == [32, 64, 96, 128, 160]
    assert run.store.snapshots.state_before(31) == (0, None)
    assert run.store.snapshots.state_before(107)[0] == 96
    assert replay.ask("ada", run, 107)._task.begin == 96
    run.store.snapshots.weights = {step: run.store.snapshots.weights[step] for step in (0, 160)}
    asked = {step: replay.ask("ada", run, step)._task for step in (128, 96, 64)}
    assert {step: task.begin for step, task in asked.items()} == {128: 96, 96: 64, 64: 32}, "one can go back by one"


def test_a_step_after_a_nearer_full_state_has_a_replay_of_its_own(replay: Replays, finished):
    run = finished()
    run.store.snapshots.weights = {step: run.store.snapshots.weights[step] for step in (0, 160)}
    held = [replay.slots.ask(f"busy {at}", 0) for at in range(2 * replay.slots.slots)]  # so that no replay begins
    first = replay.ask("ada", run, 70)._task
    assert {128, 96} < set(first.sent)
    assert replay.ask("bob", run, 96)._task is first, "both begin at 64"
    assert replay.ask("bob", run, 128)._task.begin == 96, "32 steps instead of 64"
    for slot in held:
        slot.end()
    assert replay.ask("ada", run, 70).wait()
    assert replay.ask("bob", run, 128).wait()


def test_a_full_state_continues_to_the_same_result(finished):
    run, there = finished(), all_weights(SPARSE)
    from_state = Training(SPARSE)
    from_state.go_on_from(unpacked(run.store.snapshots.state_before(100)[1]))
    assert from_state.step == 96
    while from_state.step < 160:
        from_state.take_step()
    assert weights(from_state.model).equal(there[160])


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the runs of a host; a second call is the same host after a new start."""
    made: list[Runs] = []

    def make() -> Runs:
        made.append(Runs(Host(checkpoints=tmp_path)))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def test_steps_are_replayed_while_running_paused_suspended_and_after_a_restart(host):
    runs, there = host(), all_weights(SPARSE)
    run = runs.start("ada", SPARSE, paused=True)
    advance(run, 12)
    assert runs.replays.ask("ada", run, 11).wait()
    assert_exact(run, there, [11])
    run.pause()
    assert run.wait("paused")
    at = run.step
    assert runs.replays.ask("ada", run, at - 1).wait()
    assert_exact(run, there, [at - 1])
    run.suspend()
    until(lambda: not run.has_worker)
    assert runs.replays.ask("ada", run, 5).wait()
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert runs.replays.ask("ada", run, 137).wait()
    assert_exact(run, there, [5, 11, at - 1, 137])
    replayed.forget(run.id)
    found = host().current("ada")
    assert found is not run
    assert found.store.snapshots.state_step(159) == 0
    assert found.store.snapshots.state_before(160)[0] == 160, "on disk"
    again = host()
    found = again.current("ada")
    assert again.replays.ask("ada", found, 70).wait()
    assert_exact(found, there, [0, 70])
    assert found.store.snapshots.state_before(70)[0] == 64, "what it came by shortens the next way"


def test_a_replay_keeps_the_steps_it_passes(replay: Replays, finished):
    run = finished()
    run.store.snapshots.weights = {step: run.store.snapshots.weights[step] for step in (0, 80, 160)}
    assert replay.ask("ada", run, 40).wait()
    until(lambda: all(run.store.snapshots.has(step) for step in range(32, 81)))
    assert not any(run.store.snapshots.has(step) for step in range(81, 160))
    assert replay.ask("ada", run, 43).done, "at once"
    assert replay.ask("ada", run, 43).progress == 1


def test_a_replay_of_a_large_model_returns_only_what_fits(replay: Replays, finished, monkeypatch):
    config = SPARSE.updated({"training.steps": 80})
    run = finished(config)
    monkeypatch.setattr(replays, "REPLAY_BYTES", 6 * 4 * sum(parameter_counts(config).values()))
    assert replay.ask("ada", run, 40).wait()
    until(lambda: run.store.snapshots.has(43))
    assert replayed.steps(run.id) <= set(range(37, 44))


# --- whose turn it is -----------------------------------------------------------------------------


@pytest.fixture
def far(tmp_path: Path) -> Run:
    """A run with a way of many seconds to most of its steps."""
    run = Run(RunMetadata(config=LONG.updated({"training.eval_every": 10_000})))
    for step in range(60_001):
        run.store.history.append({"step": step})
    return run


def test_another_request_of_a_visitor_cancels_the_first(replay: Replays, far: Run):
    replay.ask("ada", far, 50_000)
    first = process(replay)
    assert is_alive(first.pid)
    near = replay.ask("ada", far, 3)
    until(lambda: not is_alive(first.pid))
    assert near.wait()


def test_repeating_a_request_continues_the_replay(replay: Replays, far: Run):
    replay.ask("ada", far, 50_000)
    pid = process(replay).pid
    until(lambda: replay.ask("ada", far, 50_000).progress > 0)
    assert process(replay).pid == pid
    assert 0 < replay.ask("ada", far, 50_000).progress < 1


def test_two_visitors_share_a_replay_until_both_leave(replay: Replays, far: Run):
    for visitor in ("ada", "bob"):
        replay.ask(visitor, far, 50_000)
    shared = process(replay, "bob")
    assert process(replay, "ada") is shared
    replay.ask("ada", far, 1)
    assert is_alive(shared.pid)
    replay.ask("bob", far, 1)
    until(lambda: not is_alive(shared.pid))


def test_replays_are_limited_and_the_next_starts_when_one_ends(replay: Replays, far: Run):
    wishes = [replay.ask(visitor, far, 50_000 - 5_000 * at) for at, visitor in enumerate("abc")]
    assert [wish.waiting for wish in wishes] == [False, False, True]
    assert wishes[2].progress == 0
    process(replay, "a").kill()
    until(lambda: not wishes[2].waiting)


def test_a_replay_that_waits_ends_when_nobody_wants_it(replay: Replays, far: Run, monkeypatch):
    held = [replay.slots.ask(f"busy {at}", 0) for at in range(2 * replay.slots.slots)]
    wish = replay.ask("ada", far, 50_000)
    assert wish.waiting
    monkeypatch.setattr(replays, "ABANDON_SECONDS", 0.0)
    until(lambda: all(task.ended for task in replay._requests.values()))
    assert not replay.slots._waiting
    assert all(slot.active for slot in held)


def test_an_abandoned_replay_is_cancelled(replay: Replays, far: Run, monkeypatch):
    replay.ask("ada", far, 50_000)
    pid = process(replay).pid
    monkeypatch.setattr(replays, "ABANDON_SECONDS", 0.2)
    until(lambda: not is_alive(pid))
    until(lambda: all(task.ended for task in replay._requests.values()))


def test_closing_ends_every_replay(replay: Replays, far: Run):
    replay.ask("ada", far, 50_000)
    pid = process(replay).pid
    replay.close()
    until(lambda: not is_alive(pid))


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_killed_replay_is_reported_and_can_be_retried(replay: Replays, far: Run):
    wish = replay.ask("ada", far, 50_000)
    os.kill(process(replay).pid, signal.SIGKILL)
    until(lambda: wish.message)
    assert wish.message == (
        "The replay to step 50,000 ended unexpectedly (killed by signal 9). Choose the step again to retry."
    )
    assert not wish.wait()
    assert replay.ask("ada", far, 50_000).message, "not by itself, again and again"
    assert replay.ask("ada", far, 2).wait()
    assert not replay.ask("ada", far, 50_000).message


def test_a_replay_out_of_memory_is_reported(far: Run):
    huge = {"model.d_model": 256, "model.n_heads": 16, "model.n_layers": 3, "task.max_length": 64}
    run = Run(RunMetadata(config=RunConfig().updated(huge | {"training.batch_size": 512})))
    run.store.history.append({"step": 1})
    replay = Replays(LongWork(Host()), Limits(memory_mb=60))
    wish = replay.ask("ada", run, 1)
    assert not wish.wait()
    assert "The replay needed more memory than the 60 MB limit of this host" in wish.message


def test_a_replay_ends_at_its_limit_of_computing(far: Run):
    replay = Replays(LongWork(Host()), Limits(seconds=0.1))
    wish = replay.ask("ada", far, 50_000)
    assert not wish.wait()
    assert wish.message.startswith("This was ended after")
    assert wish.message.endswith("Choose the step again to retry.")


@pytest.mark.parametrize("changed", [80, 160])
def test_a_run_that_cannot_be_reproduced_is_reported(replay: Replays, finished, changed: int):
    run = finished()
    run.store.snapshots.weights = {step: run.store.snapshots.weights[step] for step in (0, 80, 160)}
    run.store.snapshots.weights[changed] = run.store.snapshots.weights[0]
    wish = replay.ask("ada", run, 90)
    until(lambda: wish.message)
    assert f"Replaying step {changed} gave different weights" in wish.message
    assert not replayed.steps(run.id)
    assert replay.ask("ada", run, 3).message == wish.message
    until(lambda: all(task.ended for task in replay._requests.values()))


@pytest.mark.parametrize("step", [-1, 161])
def test_a_step_that_was_not_reached_is_refused(replay: Replays, finished, step: int):
    with pytest.raises(ValueError, match="Choose 0 to 160"):
        replay.ask("ada", finished(), step)


# --- max_bytes -----------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(1, 40))))
def test_the_cache_keeps_what_was_used_last_within_its_limit(puts: list[tuple[str, int, int]]):
    cache = ReplayedWeights(100)
    for run_id, step, size in puts:
        cache.put((run_id, step), bytes(size))
        assert cache.size == sum(len(content) for _, content in cache.items()) <= 100
        assert cache.get((run_id, step)) == bytes(size)
        assert {key for key, _ in cache.items()} == {(run, at) for run in "abc" for at in cache.steps(run)}
    cache.forget("a")
    assert not cache.steps("a")
    assert cache.size == sum(len(content) for _, content in cache.items())


@given(st.integers(0, 200_000), st.integers(0, MAX_STATES))
def test_full_states_are_evenly_thinned(step: int, limit: int):
    every = state_every(step, limit)
    states = [each for each in range(0, step + 1, FIRST_STATES_EVERY) if is_due(each, every)]
    assert len(states) <= limit
    if limit > 1 and step > limit * FIRST_STATES_EVERY:
        assert len(states) >= limit // 2
    assert len({after - before for before, after in pairwise(states)}) <= 1
    assert set(states) <= set(range(0, step + 1, state_every(step // 2, limit) or 1)), "none had gone before"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"model.d_model": 96, "model.d_ff": 256},
        {"model.d_model": 32, "model.n_layers": 6, "model.d_ff": 16},
    ],
)
def test_full_states_of_a_run_fit_their_limit(finished, changes: dict[str, Any]):
    small = {"task.max_length": 2, "training.batch_size": 1, "training.steps": 70, "training.eval_every": 35}
    run = finished(TINY.updated(small | changes))
    kept = [len(content) for content in run.store.snapshots.states.values()]
    limit = state_limit(sum(parameter_counts(run.config).values()))
    assert 0 < len(kept) <= limit
    assert limit * max(kept) <= STATE_FRACTION * RUN_BYTES
    assert run.store.snapshots.nbytes == sum(kept) + sum(map(len, run.store.snapshots.weights.values())) <= RUN_BYTES


def test_weights_of_another_size_are_skipped():
    snapshots, found = Snapshots("id", TINY), []
    snapshots.weights = {5: b"1234"}
    asking = threading.Thread(target=lambda: found.append(snapshots.near(5)), daemon=True)
    asking.start()
    asking.join(HANG)
    assert found == [(0, b"")]


def test_the_largest_models_are_replayed_from_step_0():
    assert state_limit(5_000_000) == 0
    assert state_every(1000, 0) == 0
    assert not is_due(8, 0)


def test_the_server_process_imports_no_optimizer():
    code = (
        "import sys\n"
        "from playground.runs import Run\n"
        "from playground.runs.metadata import RunMetadata\n"
        "from playground.settings.host import Host\n"
        "from playground.runs.long_work import LongWork\n"
        "from playground.runs.replays import Replays\n"
        "from tests.helpers import TINY\n"
        "run = Run(RunMetadata(config=TINY))\n"
        "run.begin()\n"
        "assert run.wait('finished')\n"
        "assert Replays(LongWork(Host())).ask('ada', run, 3).wait()\n"
        "run.model_at(3)\n"
        "assert 'torch._dynamo' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=True, timeout=HANG)

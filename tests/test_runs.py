"""Runs in worker processes: the same numbers as in this process, obedient to the step, and gone when they should be."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playground.config import RunConfig, parameter_counts
from playground.recording import REPOSITORY
from playground.runs import SLOW_MOTION, Frames, History, Run
from playground.runs.backends import processes
from playground.runs.backends.processes import warm_up
from playground.runs.keeping import RunFolder
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, snapshot_limit, state_limit
from playground.task_model import TaskModel
from playground.training import examples, train
from tests.helpers import LONG, TINY, is_alive, numbers, same_weights, timeless, until

# --- history --------------------------------------------------------------------------------------


def record(step: int, *, evaluated: bool = False) -> dict[str, Any]:
    line: dict[str, Any] = {"step": step, "seconds": step / 128}
    if step:
        line |= {"loss": 1 / step, "learning_rate": 0.005}
    if evaluated:
        line |= {"validation_loss": 2 / (step + 1), "exact_match": 0.5, "token_accuracy": 0.75, "sequences": 1000}
    return line


def test_records_round_trip():
    records = [record(step, evaluated=step % 5 == 0) for step in range(23)]
    records[7]["gradient_norm"] = 1.5
    records[10] |= {"teacher_forced_exact_match": 1.0, "teacher_forced_token_accuracy": 1.0}
    history = History(records)
    assert history.records() == records
    assert len(history) == 23
    assert history.step == 22
    assert type(history.records()[20]["sequences"]) is int
    assert history.last() == record(22) | {key: records[20][key] for key in records[20].keys() - records[22].keys()}


def test_columns_hold_every_value_of_the_named_measures():
    history = History(record(step, evaluated=step % 5 == 0) for step in range(23))
    tested = history.columns(["exact_match"])
    assert {name: column.tolist() for name, column in tested.items()} == {
        "step": [0, 5, 10, 15, 20],
        "exact_match": [0.5] * 5,
    }
    every = history.columns(["loss", "seconds"])
    assert every["step"].tolist() == list(range(23))
    assert math.isnan(every["loss"][0])
    assert every["loss"][1:].tolist() == [1 / step for step in range(1, 23)]
    history.append(record(23))  # whoever holds columns does not keep the history from growing
    assert len(every["step"]) == 23


def test_an_empty_history_has_no_points():
    history = History()
    assert (len(history), history.step, history.records(), history.last()) == (0, 0, [], {})
    assert history.points(["loss"]) == history.points(["exact_match"]) == []


@pytest.mark.parametrize("count", [1, 2, 800, 801, 1000, 4001, 100_000])
def test_thinned_points_include_every_peak(count: int):
    drawn = random.Random(count)
    records = [{"step": step, "loss": drawn.random(), "learning_rate": drawn.random()} for step in range(1, count + 1)]
    history = History(records)
    for names in (["loss"], ["learning_rate", "loss"]):
        points = history.points(names)
        steps = [point["step"] for point in points]
        assert (steps[0], steps[-1]) == (1, count)
        assert steps == sorted(set(steps))
        assert min(count, 250) <= len(points) <= 800
        for name in names:
            for extreme in (min, max):
                peak = extreme(records, key=lambda record: record[name])
                assert any(point["step"] == peak["step"] and point[name] == peak[name] for point in points)


def test_points_once_shown_stay_while_a_run_grows():
    history = History({"step": step, "loss": math.sin(step)} for step in range(1, 2001))
    before = {point["step"] for point in history.points(["loss"])}
    history.append({"step": 2001, "loss": 5.0})
    after = {point["step"] for point in history.points(["loss"])}
    assert len(before - after) <= 2, "the newest alone has changed"


def test_points_of_evaluations_come_only_from_evaluations():
    history = History(record(step, evaluated=step % 10 == 0) for step in range(101))
    assert [point["step"] for point in history.points(["exact_match"])] == list(range(0, 101, 10))
    assert history.points(["token_accuracy", "exact_match"], max_points=9)[-1] == {
        "step": 100,
        "token_accuracy": 0.75,
        "exact_match": 0.5,
    }


def test_a_thinned_history_knows_its_end_and_that_it_is_thinned():
    history = History(record(step, evaluated=True) for step in range(10_000))
    last = history.last()
    history.thin(10_000)
    assert not history.thinned
    history.thin(1000)
    assert history.thinned
    assert len(history) <= 1000
    assert history.last() == last


# --- frames ---------------------------------------------------------------------------------------


def framed(step: int, places: int = 3, taps: Sequence[str] = ("one", "two"), heads: int = 2) -> dict[str, Any]:
    return record(step, evaluated=True) | {
        "position_accuracy": [step / 100_000] * (places - 1) + [None],
        "attention_entropy": {tap: [step + head for head in range(heads)] for tap in taps},
        "predictions": [[4 + step % 7] * 2, [5] * places],
    }


def test_frames_round_trip_with_nan_where_nothing_was_evaluated():
    frames = Frames(5, [framed(0), record(3), framed(5), framed(10)])
    assert frames.steps == [0, 5, 10]
    assert frames.position_accuracy().tolist()[1][:2] == [pytest.approx(0.00005)] * 2
    assert np.isnan(frames.position_accuracy()[:, 2]).all()
    assert frames.attention_entropy()["two"].tolist() == [[0, 1], [5, 6], [10, 11]]
    assert frames.predictions(0) == [[4, 4], [9, 9], [7, 7]]
    assert frames.predictions(1) == [[5, 5, 5]] * 3
    assert frames.predictions(2) == [[], [], []]
    frames.cut_after(7)
    assert frames.steps == [0, 5]
    assert Frames(5).steps == Frames(5).predictions(0) == []
    assert Frames(5).attention_entropy() == {}


def test_frames_are_thinned_evenly_and_include_the_newest():
    frames = Frames(5, map(framed, range(0, 5 * 1234 + 1, 5)))
    frames.append(framed(6171))
    *even, newest = frames.steps
    assert newest == 6171
    assert 200 <= len(even) < 400
    assert {after - before for before, after in pairwise(even)} == {20}
    frames.append(framed(6180))
    assert frames.steps[-2:] == [6160, 6180], "what was kept as the newest alone has gone"


@pytest.mark.parametrize("every", [1, 5])
def test_a_finished_run_of_the_largest_model_fits_into_32_megabytes_whatever_its_length(every: int):
    largest = RunConfig().updated(
        {"model.d_model": 192, "model.n_heads": 16, "model.n_layers": 6, "model.d_ff": 448, "task.max_length": 64}
        | {"training.steps": 100_000, "training.eval_every": every}
    )
    parameters = sum(parameter_counts(largest).values())
    assert parameters > 4_500_000
    run = Run(largest)
    taps = [f"decoder.layers.{layer}.{kind}_attention.attention.weights" for layer in range(9) for kind in ("a", "b")]
    frame = framed(0, 65, taps, 16)
    frame["predictions"] = [[5] * 65] * 8
    for step in range(100_001):
        line = frame | {"step": step} if step % every == 0 else record(step)
        run.store.history.append(line)
        if (step % every == 0 and step % 500 == 0) or step > 99_990:
            run.store.frames.append(line)
    frames = max(run.store.frames.nbytes, run.store.frames.nbytes * 400 // len(run.store.frames.steps))
    assert 200 <= len(run.store.frames.steps) <= 400
    assert frames <= 2_000_000
    for size in (1_000, 100_000, 1_000_000, 5_000_000):
        kept = 4 * size * snapshot_limit(size) + state_limit(size) * (12 * size + 100_000)
        assert kept + run.store.history.nbytes * 1.07 + frames <= 32_000_000, "lists grow ahead by a sixteenth"


# --- runs in processes of their own ---------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


@pytest.fixture
def start() -> Iterator[Callable[..., Run]]:
    """Starts runs and ends them after the test."""
    runs: list[Run] = []

    def begin(
        config: RunConfig = TINY, pace: float | None = None, *, folder: Path | None = None, **changes: Any
    ) -> Run:
        run = Run(config, pace, **changes)
        if folder is not None:
            run.store.keep_in(folder)
        runs.append(run)
        run.begin()
        return run

    yield begin
    for run in runs:
        run.close()


def stays(value: Callable[[], object], seconds: float = 0.3) -> bool:
    """Whether a value is the same for a while."""
    before = value()
    time.sleep(seconds)
    return value() == before


@pytest.fixture(scope="module")
def here() -> tuple[list[dict[str, Any]], dict[int, TaskModel]]:
    """`TINY` trained in this process: its records and the model at each step."""
    model, records, models = TaskModel(TINY), [], {}
    for progress in train(TINY, model):
        records.append(progress.record())
        models[progress.step] = TaskModel(TINY)
        models[progress.step].load_state_dict(model.state_dict())
    return numbers(records), models


def test_the_same_seed_is_the_same_run_as_in_this_process(start: Callable[..., Run], here: Any):
    run = start()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]
    assert run.step == run.last()["step"] == 40
    assert run.message == ""
    assert run.points(["loss"])[-1]["step"] == 40
    *_, last = train(TINY)
    assert last.evaluation is not None
    said = [run.predictions(shown)[1][-1] for shown in range(len(last.evaluation.examples))]
    assert examples(TINY, said) == last.evaluation.examples
    assert run.steps_per_second is None or run.steps_per_second > 0


def test_the_model_at_any_kept_step_is_the_one_of_that_step(start: Callable[..., Run], here: Any):
    run = start()
    assert run.wait("finished")
    kept = run.snapshot_steps()
    assert set(range(0, 41, 5)) <= set(kept), "and, where steps are slow, some between them"
    for step in kept:
        assert same_weights(run.model_at(step), here[1][step])
        assert not run.model_at(step).training
    assert same_weights(run.model_at(), here[1][40])
    for step in (17, 18, 400):
        assert run.nearest(step) == min(kept, key=lambda at: abs(at - step))
        assert run.model_near(step)[0] == run.nearest(step)
        assert same_weights(run.model_near(step)[1], here[1][run.nearest(step)])
    assert not same_weights(run.model_at(20), here[1][15])
    missing = next(step for step in range(41) if step not in kept)
    with pytest.raises(KeyError, match=f"Step {missing} of .* is not available"):
        run.model_at(missing)
    for step in (-1, 41):
        with pytest.raises(ValueError, match=f"no step {step}. Choose 0 to 40"):
            run.model_at(step)


def test_before_the_first_report_the_model_is_untrained(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    assert same_weights(run.model_at(), here[1][0])
    assert run.wait("paused")
    assert same_weights(run.model_at(), here[1][0])


def test_step_takes_exactly_one_step(start: Callable[..., Run], here: Any):
    run = start(paused=True)
    assert run.wait("paused")
    until(lambda: len(run.records()) == 1)
    for step in (1, 2, 3):
        run.step_once()
        until(lambda step=step: run.step == step)
        assert run.status == "paused"
        assert same_weights(run.model_at(), here[1][step])
    for _ in range(5):
        run.step_once()
    until(lambda: run.step == 8)
    assert stays(lambda: run.step)
    assert run.status == "paused"
    assert timeless(run.records()) == here[0][:9]


def test_pause_and_resume_do_not_change_the_result(start: Callable[..., Run], here: Any):
    run = start(pace=50)
    until(lambda: run.step >= 5)
    run.pause()
    assert run.wait("paused")
    assert 5 <= run.step < 40
    assert stays(lambda: run.step)
    assert same_weights(run.model_at(), here[1][run.step])
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_step_pauses_a_running_run(start: Callable[..., Run]):
    run = start(LONG, pace=50)
    until(lambda: run.step >= 3)
    run.step_once()
    assert run.wait("paused")
    assert stays(lambda: run.step)


@pytest.mark.parametrize("paused", [True, False])
def test_stop_ends_a_run_and_keeps_its_results(start: Callable[..., Run], paused: bool):
    run = start(LONG, pace=20)
    until(lambda: run.step >= 2)
    pid = run._worker.pid
    if paused:
        run.pause()
        assert run.wait("paused")
    run.stop()
    assert run.wait("stopped", timeout=5)
    assert run.ended
    assert [line["step"] for line in run.records()] == list(range(run.step + 1))
    assert run.snapshot_steps()[-1] == run.step
    until(lambda: not is_alive(pid), 3)
    for control in (run.pause, run.resume, run.step_once, run.stop, lambda: run.set_pace(3.0)):
        control()
    assert run.status == "stopped"


@pytest.fixture
def held(start: Callable[..., Run]) -> Iterator[Callable[..., Run]]:
    """A run whose worker does not listen, as amid a step that takes minutes."""
    pids: list[int] = []

    def begin(**options: Any) -> Run:
        run = start(LONG, **options)
        until(lambda: run.step > 3)
        pids.append(run._worker.pid)  # type: ignore[union-attr, arg-type]
        os.kill(pids[-1], signal.SIGSTOP)
        return run

    yield begin
    for pid in filter(is_alive, pids):
        os.kill(pid, signal.SIGCONT)


def test_stop_ends_a_worker_during_a_long_step_within_two_seconds(held: Callable[..., Run], tmp_path: Path):
    run = held(folder=tmp_path)
    pid, step = run._worker.pid, run.step  # type: ignore[union-attr]
    assert not run.stopping
    run.stop()
    pressed = time.monotonic()
    assert run.stopping, "said at once"
    assert run.wait("stopped", timeout=10)
    assert time.monotonic() - pressed < 2
    assert not run.stopping
    assert not is_alive(pid)
    assert run.step >= step, "what was reported until then stays"
    assert run.records()[-1]["step"] == run.step
    until(lambda: Run.restored(RunFolder(tmp_path / run.id)).status == "stopped")


def test_a_stop_ends_a_suspending_worker(held: Callable[..., Run], tmp_path: Path):
    run = held(folder=tmp_path)
    run.suspend()
    run.stop()
    assert run.wait("stopped", timeout=10)


def test_a_stop_in_slow_motion_ends_the_worker(held: Callable[..., Run]):
    run = held()
    run.set_pace(SLOW_MOTION)
    run.stop()
    assert run.wait("stopped", timeout=10)


def test_a_stop_ends_a_starting_worker(monkeypatch: pytest.MonkeyPatch):
    run = Run(LONG)
    begin = processes.start

    def start_and_hold(*arguments: Any, **options: Any) -> Any:
        threading.Thread(target=run.stop).start()
        worker = begin(*arguments, **options)
        os.kill(worker.pid, signal.SIGSTOP)
        return worker

    monkeypatch.setattr(processes, "start", start_and_hold)
    run.begin()
    assert run.wait("stopped", timeout=10)


def test_a_pause_during_a_long_step_is_shown_at_once(held: Callable[..., Run]):
    run = held()
    pid = run._worker.pid  # type: ignore[union-attr]
    run.pause()
    assert run.pausing
    run.resume()
    assert not run.pausing
    run.pause()
    os.kill(pid, signal.SIGCONT)  # type: ignore[arg-type]
    assert run.wait("paused")
    assert not run.pausing
    run.resume()
    until(lambda: run.status == "running")
    run.stop()
    assert run.wait("stopped")
    assert not run.pausing


def test_a_solved_run_ends_as_solved(start: Callable[..., Run]):
    easy = {"task.max_length": 2, "model.d_model": 16, "training.batch_size": 16, "training.learning_rate": 0.01}
    run = start(TINY.updated(easy | {"training.steps": 500, "training.stop_when_solved": True}))
    assert run.wait("solved")
    assert run.last()["exact_match"] == 1.0
    assert run.step < 500


def test_the_pace_is_kept_and_can_be_changed(start: Callable[..., Run]):
    run = start(LONG, pace=20)
    until(lambda: run.step >= 2)
    first, begin = run.step, time.monotonic()
    until(lambda: run.step >= first + 10)
    assert 10 / (time.monotonic() - begin) < 40, "reports come in lumps of a tenth of a second"
    run.set_pace(None)
    before = run.step
    until(lambda: run.step > before + 200, 10)
    run.set_pace(5)
    assert run.pace == 5
    time.sleep(0.5)
    before = run.step
    time.sleep(1.0)
    assert run.step - before <= 8


@pytest.mark.parametrize("pace", [200.0, None])
def test_a_slow_run_speeds_up_at_once(start: Callable[..., Run], pace: float | None):
    run = start(pace=0.1)
    until(lambda: run.status == "running")
    run.set_pace(pace)
    assert run.wait("finished", timeout=5), "it sits out the steps of its old pace"


def test_single_steps_do_not_delay_later_ones(start: Callable[..., Run]):
    run = start(LONG, pace=2, paused=True)
    for _ in range(30):
        run.step_once()
    until(lambda: run.step == 30)
    run.resume()
    until(lambda: run.step >= 33, 5)


def test_steps_requested_before_the_pause_are_taken(start: Callable[..., Run]):
    run = start(LONG, paused=True)
    assert run.will_pause or run.status == "paused"
    for _ in range(3):
        run.step_once()
    until(lambda: (run.status, run.step) == ("paused", 3))
    assert not run.will_pause
    assert not start(LONG).will_pause


def test_controls_do_not_change_what_is_learned(start: Callable[..., Run], here: Any):
    run, choose = start(pace=100), random.Random(0)
    controls = [
        run.pause,
        run.resume,
        run.step_once,
        lambda: run.set_pace(choose.choice([None, 20.0, 1000.0])),
        lambda: run.model_near(choose.randrange(40)),
        lambda: run.points(["loss"]),
    ]
    for _ in range(200):
        choose.choice(controls)()
        if choose.random() < 0.1:
            time.sleep(0.01)
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_controls_are_thread_safe(start: Callable[..., Run], here: Any):
    run = start(pace=100)

    def press(seed: int) -> None:
        choose = random.Random(seed)
        for _ in range(50):
            choose.choice([run.pause, run.resume, run.step_once, run.records, run.model_at])()

    threads = [threading.Thread(target=press, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.set_pace(None)
    run.resume()
    assert run.wait("finished")
    assert timeless(run.records()) == here[0]


def test_snapshots_are_bounded_and_keep_the_first_and_the_newest(start: Callable[..., Run]):
    wide = {"model.d_model": 256, "model.d_ff": 128, "task.max_length": 2, "training.batch_size": 1}
    config = TINY.updated(wide | {"training.steps": 30, "training.eval_every": 1})
    limit = snapshot_limit(sum(parameter_counts(config).values()))
    assert limit < 10
    run = start(config)
    most = 0
    while not run.ended:
        most = max(most, len(run.snapshot_steps()))
        time.sleep(0.005)
    steps = run.snapshot_steps()
    assert run.status == "finished"
    assert (steps[0], steps[-1]) == (0, 30)
    assert 3 <= len(steps) <= limit
    assert most <= limit, "also on the way"
    gaps = [after - before for before, after in pairwise(steps)]
    assert max(gaps) <= 20, "spread over the run"


@pytest.mark.parametrize("max_bytes", [RUN_BYTES, SMALL_BYTES])
def test_snapshots_and_states_of_a_run_fit_their_limit(max_bytes: int):
    for parameters in (1_000, 100_000, 700_000, 5_000_000):
        most = snapshot_limit(parameters, max_bytes)
        kept = 4 * parameters * most + state_limit(parameters, max_bytes) * (12 * parameters + 100_000)
        assert most >= 1
        assert kept <= max(max_bytes, 4 * parameters)


# --- what goes wrong ------------------------------------------------------------------------------


def test_a_diverging_loss_ends_the_run_with_an_error_message(start: Callable[..., Run]):
    wild = {"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False}
    run = start(TINY.updated(wild))
    assert run.wait("failed")
    assert "learning_rate" in run.message
    assert run.message.endswith(".")
    assert len(run.message.splitlines()) == 1
    assert all(math.isfinite(line.get("loss", 0.0)) for line in run.records())
    assert [line["step"] for line in run.records()] == list(range(run.step + 1))


def test_a_killed_worker_is_noticed_and_its_reports_are_kept(start: Callable[..., Run], here: Any):
    run = start(pace=20)
    until(lambda: run.step >= 6)
    os.kill(run._worker.pid, signal.SIGKILL)
    assert run.wait("failed", timeout=5)
    assert "ended unexpectedly" in run.message
    assert run.message.endswith(".")
    assert run.step >= 6
    assert timeless(run.records()) == here[0][: run.step + 1]
    assert same_weights(run.model_at(5), here[1][5])
    run.resume()
    run.close()
    assert run.status == "failed"


def test_ctrl_c_does_not_reach_a_worker(start: Callable[..., Run]):
    run = start(LONG, pace=50)
    until(lambda: run.step >= 2)
    os.kill(run._worker.pid, signal.SIGINT)
    before = run.step
    until(lambda: run.step > before + 5)


def test_closing_ends_the_process(start: Callable[..., Run]):
    run = start(LONG)
    until(lambda: run.step > 0)
    pid = run._worker.pid
    run.close()
    until(lambda: not is_alive(pid), 3)
    assert run.wait("stopped", timeout=3)


def test_the_newest_weights_stay_recent_between_rare_evaluations(start: Callable[..., Run]):
    run = start(TINY.updated({"training.steps": 100_000, "training.eval_every": 10_000}), pace=20)
    end = time.monotonic() + 20
    while max(run.snapshot_steps(), default=0) == 0:
        assert time.monotonic() < end
        time.sleep(0.02)


# --- the end of the server ------------------------------------------------------------------------


SERVER = """
    import json, signal, sys, time
    from pathlib import Path

    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests run in the background may have it ignored

    with Path(sys.argv[1]).open("a") as log:
        log.write("the main script ran\\n")

    from playground.config import RunConfig
    from playground.runs import Run

    runs = [Run(RunConfig().updated(changes), pace, paused=paused) for changes, pace, paused in json.loads(sys.argv[2])]
    for run in runs:
        run.begin()
    for run in runs:
        run.wait("paused", "running")
    print(*(run._worker.pid for run in runs), flush=True)
    sys.stdin.readline()
    runs[0].step_once()
    print("told to step", flush=True)
    time.sleep(60)
"""
Server = Callable[..., tuple[subprocess.Popen[str], list[int]]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Server]:
    """Starts a process that starts runs (changes of settings, pace, paused): the process and its workers' ids."""
    started: list[subprocess.Popen[str]] = []
    pids: list[int] = []

    def begin(*runs: tuple[dict[str, Any], float | None, bool]) -> tuple[subprocess.Popen[str], list[int]]:
        (tmp_path / "main.py").write_text(textwrap.dedent(SERVER))
        process = subprocess.Popen(
            [sys.executable, str(tmp_path / "main.py"), str(tmp_path / "log"), json.dumps(runs)],
            cwd=tmp_path,  # from anywhere: the workers find the package all the same
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        assert process.stdout is not None
        pids.extend(int(pid) for pid in process.stdout.readline().split())
        assert len(pids) == len(runs)
        assert all(is_alive(pid) for pid in pids)
        return process, pids

    yield begin
    for process in started:
        process.kill()
        process.communicate()
    for pid in filter(is_alive, pids):
        os.kill(pid, signal.SIGKILL)


in_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")


@in_proc
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM", "Ctrl-C"])
def test_no_worker_outlives_its_server(serve: Server, tmp_path: Path, how: str):
    endless = {"training.steps": 100_000, "training.stop_when_solved": False}
    server, pids = serve((endless, 0.1, False), (endless, 5.0, True), (endless, None, False))
    if how == "Ctrl-C":
        os.killpg(server.pid, signal.SIGINT)  # a terminal sends it to everyone
    else:
        server.send_signal(getattr(signal, how))
    until(lambda: not any(is_alive(pid) for pid in pids), 3)
    assert (tmp_path / "log").read_text() == "the main script ran\n", "and never again in a worker"


@in_proc
def test_a_worker_in_a_long_step_does_not_outlive_its_server(serve: Server):
    """The largest models take seconds a step, in which a worker does not listen."""
    large = {"model.d_model": 256, "model.d_ff": 1024, "model.n_layers": 6, "model.n_heads": 1}
    large |= {"model.architecture": "encoder-only", "task.min_length": 64, "task.max_length": 64}
    server, pids = serve((large | {"training.batch_size": 128}, None, True))
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write("go\n")
    server.stdin.flush()
    assert server.stdout.readline() == "told to step\n"
    time.sleep(0.3)
    server.kill()
    until(lambda: not is_alive(pids[0]), 3)

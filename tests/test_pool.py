"""Computations in other processes: the last item always arrives, and so do errors."""

import itertools
import os
import pickle
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from playground.common.errors import PlaygroundError
from playground.model.task_model import TaskModel
from playground.processes import ComputeError, Limits, MemoryLimitError, Pool, child, pool
from playground.runs.backends import LOCAL, SHARED, backend_of
from playground.runs.backends.local import Local
from playground.settings.host import Host
from tests.helpers import HANG, small_model

MEASURING = Pool("measurement")
measured = MEASURING.stream


def many(count):
    for at in range(count):
        yield at + 1, count, at * at


def process(*_):
    yield 1, 1, os.getpid()


def killed():
    os.kill(os.getpid(), signal.SIGKILL)
    yield 1, 1, None


def endless():
    for at in itertools.count():
        yield at, 1, os.getpid()


def weights(model: TaskModel):
    yield 1, 1, {name: each.detach() for name, each in model.named_parameters()}


def last(work, *arguments):
    return [item for item in measured(work, *arguments) if item is not None][-1][2]


def refusing(_):
    yield 1, 2, None
    raise PlaygroundError("There is nothing to measure.")


@pytest.mark.parametrize("count", [1, 2, 5000])
def test_the_last_item_arrives_and_few_before_it(count):
    found = [item for item in measured(many, count) if item is not None]
    assert found[-1] == (count, count, (count - 1) ** 2)
    assert found == sorted(found)
    assert len(found) <= max(2, count // 10)


def test_nothing_arrives_from_nothing():
    assert not [item for item in measured(many, 0) if item is not None]


def test_an_error_arrives_as_it_is():
    with pytest.raises(PlaygroundError, match="There is nothing to measure"):
        list(measured(refusing, 0))


def test_one_process_measures_one_thing_after_another():
    first = last(process)
    assert last(process) == first
    with pytest.raises(PlaygroundError):
        list(measured(refusing, 0))
    assert last(process) == first


def test_a_caller_that_stops_ends_the_process():
    going = measured(endless)
    number = next(item for item in going if item is not None)[2]
    going.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    assert last(process) != number


def test_a_process_that_was_killed_is_replaced():
    first = last(process)
    os.kill(first, signal.SIGKILL)
    assert MEASURING._waiting[-1][0].join(HANG)
    assert last(process) != first
    with pytest.raises(PlaygroundError, match=r"ended unexpectedly \(killed by signal 9\)"):
        list(measured(killed))


def test_a_process_waits_only_for_a_while(monkeypatch):
    monkeypatch.setattr(pool, "_IDLE_SECONDS", 0.0)
    assert last(process) != last(process)


def test_a_process_reads_a_model_once():
    model = small_model("decoder-only")
    first, again = (MEASURING.call(id, model) for _ in range(2))
    assert first == again != id(model)
    assert MEASURING.call(id, small_model("encoder-only")) != first, "another model is another one"


def test_a_model_is_pickled_once_and_arrives_as_it_is(monkeypatch):
    model, pickled = small_model("encoder-decoder"), []
    whole = pickle.dumps
    monkeypatch.setattr(pickle, "dumps", lambda value: pickled.append(value) or whole(value))
    for _ in range(2):
        found = last(weights, model)
        assert found.keys() == dict(model.named_parameters()).keys()
        assert all(torch.equal(found[name], each) for name, each in model.named_parameters())
    assert pickled == [model]


def niceness(_):
    yield 1, 1, os.getpriority(os.PRIO_PROCESS, 0)


def policy(connection):
    connection.send(os.sched_getscheduler(0))


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="a scheduling policy of Linux")
@pytest.mark.parametrize("mode", ["own", "shared"])
def test_runs_of_a_shared_host_compute_on_idle_cores_only(tmp_path, mode):
    backend = backend_of(Host(checkpoints=tmp_path, mode=mode))
    assert backend is (SHARED if mode == "shared" else LOCAL)
    worker = Local(child.IDLE if backend is SHARED else LOCAL.niceness).start(policy, name="policy")
    assert worker.recv() == (os.SCHED_IDLE if mode == "shared" else os.SCHED_OTHER)
    worker.join()
    worker.close()


def computing():
    while True:
        sum(range(10_000))
    yield


def sleeping():
    time.sleep(0.5)
    yield 1, 1, "awake"


@pytest.mark.skipif(not hasattr(os, "nice"), reason="priorities of POSIX")
def test_long_work_has_the_lowest_priority_and_its_process_isnt_used_again():
    usual = last(niceness, 0)
    (found,) = (item for item in measured(niceness, 0, limits=Limits(long=True)) if item is not None)
    assert usual < found[2] == 19
    assert last(niceness, 0) == usual


def test_work_that_computes_for_too_long_is_ended():
    with pytest.raises(PlaygroundError, match=r"This was ended after 1 s of computing, the limit here\."):
        list(measured(computing, limits=Limits(seconds=0.2)))
    assert last(process), "the next one has a process"


def test_time_without_computing_doesnt_count():
    assert last(process), "its process has imported this module, which computes"
    limits = Limits(seconds=0.4)
    assert [item for item in measured(sleeping, limits=limits) if item] == [(1, 1, "awake")]
    assert [item for item in measured(sleeping, limits=limits) if item] == [(1, 1, "awake")], "each has its own time"


def napping():
    time.sleep(0.02)
    return os.getpid()


def test_calls_beyond_the_limit_of_a_pool_wait_for_its_processes():
    few = Pool("measurement", at_once=2)
    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(lambda _: few.call(napping), range(16)))
    few.end()
    assert len(set(numbers)) <= 2


def test_what_computes_nothing_ends_too(monkeypatch):
    monkeypatch.setattr(pool, "_STALLED_SECONDS", 0.0)
    with pytest.raises(ComputeError, match="This was ended after"):
        MEASURING.call(time.sleep, 1e6, limits=Limits(seconds=0.01))


def filling(_):
    yield bytearray(10**9)


def test_memory_that_runs_out_is_a_sentence_and_ends_the_process():
    first = MEASURING.call(os.getpid, limits=Limits(memory_mb=200))
    with pytest.raises(MemoryLimitError, match="The measurement needed more memory than the 200 MB limit of this host"):
        list(measured(filling, 0, limits=Limits(memory_mb=200)))
    assert MEASURING.call(os.getpid, limits=Limits(memory_mb=200)) != first


class Unpicklable(Exception):
    def __init__(self, one, two):
        super().__init__(one)


def broken(kind):
    raise {"key": KeyError("no such key"), "file": FileNotFoundError("gone"), "odd": Unpicklable("it broke", 2)}[kind]


@pytest.mark.parametrize(("kind", "error"), [("key", KeyError), ("file", FileNotFoundError), ("odd", RuntimeError)])
def test_an_error_of_ours_arrives_with_its_traceback_and_is_no_sentence(kind, error):
    """A `PlaygroundError` would be shown to a person as if it were theirs, and `ComputeError` asks to try again."""
    with pytest.raises(error) as caught:
        MEASURING.call(broken, kind)
    assert not isinstance(caught.value, PlaygroundError)
    message = "".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert "in broken" in message, "where in the process it was raised"


def test_a_call_that_ends_its_process_is_an_error_and_the_next_one_has_another():
    with pytest.raises(ComputeError, match=r"The measurement ended unexpectedly \(exit code 3\)\. Try again\."):
        MEASURING.call(os._exit, 3)
    assert MEASURING.call(os.getpid) != os.getpid()


def test_every_item_arrives_where_each_counts():
    worker = child.start(pool.serve, "count", 0, name="count")
    try:
        found = [
            item for item in pool.received(worker, many, 3000, what="The count", every_item=True) if item is not None
        ]
        assert [item[0] for item in found] == list(range(1, 3001))
    finally:
        child.end(worker)
    with pytest.raises(OSError, match="closed"):
        worker.poll()

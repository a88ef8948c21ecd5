"""Measurements in a process of their own: the last item always arrives."""

import itertools
import os
import pickle
import signal
import time

import pytest
import torch

from playground.errors import PlaygroundError
from playground.interpret import measurement_process
from playground.interpret.measurement_process import Limits, as_bytes, from_bytes, measured
from playground.task_model import TaskModel
from tests.helpers import HANG, small_model


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
    assert last(process) != first, "after an error it ends"


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
    assert measurement_process._waiting[-1][0].join(HANG)
    assert last(process) != first
    with pytest.raises(PlaygroundError, match=r"ended unexpectedly \(killed by signal 9\)"):
        list(measured(killed))


def test_a_process_waits_only_for_a_while(monkeypatch):
    monkeypatch.setattr(measurement_process, "_KEPT_SECONDS", 0.0)
    assert last(process) != last(process)


def test_a_process_reads_a_model_once():
    model = small_model("decoder-only")
    first, again = (pickle.loads(from_bytes(as_bytes(id, model))) for _ in range(2))
    assert first == again != id(model)
    assert pickle.loads(from_bytes(as_bytes(id, small_model("encoder-only")))) != first, "another model is another one"


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
    limits = Limits(seconds=0.4)
    assert [item for item in measured(sleeping, limits=limits) if item] == [(1, 1, "awake")]
    assert [item for item in measured(sleeping, limits=limits) if item] == [(1, 1, "awake")], "each has its own time"

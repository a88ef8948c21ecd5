"""Work beside the page: fair, private, and never a word too much when it fails."""

import logging
import threading
from collections.abc import Callable

import pytest

from playground.common.errors import HubError
from playground.hub.jobs import Job, Jobs
from tests.helpers import HANG


def until(condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to that")


def finished(job: Job) -> Job:
    until(lambda: job.done)
    return job


def test_jobs_are_limited_per_owner_and_in_total():
    jobs, go = Jobs(at_once=2), threading.Event()
    begun: list[str] = []

    def work(name: str) -> Callable:
        def function(tell):
            begun.append(name)
            tell("Working", 0.5)
            go.wait(HANG)
            return name

        return function

    a1, a2 = (jobs.start("a", "push", work(name)) for name in ("a1", "a2"))
    b1 = jobs.start("b", "pull", work("b1"))
    c1 = jobs.start("c", "pull", work("c1"))
    until(lambda: len(begun) == 2)
    assert set(begun) == {"a1", "b1"}
    assert (a1.stage, a1.share, a2.stage) == ("Working", 0.5, "Waiting")
    assert jobs.job("a", a1.id) is a1
    assert jobs.job("b", a1.id) is None
    assert jobs.jobs("a") == [a2, a1]
    go.set()
    assert [finished(job).result for job in (a1, a2, b1, c1)] == ["a1", "a2", "b1", "c1"]
    jobs.forget("b", a1.id)
    assert jobs.job("a", a1.id)
    jobs.forget("a", a1.id)
    assert jobs.job("a", a1.id) is None


def test_with_by_kind_an_owner_has_one_job_of_each_kind():
    jobs, go = Jobs(waiting=1, by_kind=True), threading.Event()
    look, whoami = (jobs.start("a", kind, lambda tell: go.wait(HANG)) for kind in ("look", "whoami"))
    until(lambda: look.stage == whoami.stage == "Starting")
    with pytest.raises(HubError):
        jobs.start("a", "look", lambda tell: None)
    assert jobs.jobs("a") == [whoami, look]
    go.set()
    finished(look)
    finished(whoami)


def test_one_owner_cannot_fill_the_queue():
    jobs, go = Jobs(waiting=2), threading.Event()
    for _ in range(2):
        jobs.start("a", "pull", lambda tell: go.wait(HANG))
    with pytest.raises(HubError) as caught:
        jobs.start("a", "pull", lambda tell: None)
    assert caught.value.kind == "rate"
    finished(jobs.start("b", "pull", lambda tell: None))
    go.set()


def test_a_cancelled_job_ends_at_its_next_report_and_a_waiting_one_at_once():
    jobs, go = Jobs(at_once=1), threading.Event()

    def work(tell):
        go.wait(HANG)
        tell("Never seen", None)
        raise AssertionError

    running, waiting = jobs.start("a", "pull", work), jobs.start("b", "pull", work)
    jobs.cancel("a", waiting.id)  # not theirs
    assert not waiting.cancelled
    jobs.cancel("b", waiting.id)
    assert waiting.done
    jobs.cancel("a", running.id)
    go.set()
    assert finished(running).error is None
    assert running.result is None


def test_an_unexpected_error_is_logged_without_its_message(caplog):
    jobs = Jobs()

    def fails(error: Exception) -> Callable:
        def function(tell):
            raise error

        return function

    known = finished(jobs.start("a", "push", fails(HubError("offline", "No network."))))
    assert str(known.error) == "No network."
    with caplog.at_level(logging.DEBUG):
        unknown = finished(jobs.start("a", "push", fails(RuntimeError("hf_secret"))))
    assert unknown.error is not None
    assert unknown.error.kind == "failed"
    assert "hf_secret" not in str(unknown.error) + caplog.text
    assert "RuntimeError" in caplog.text


def test_ended_jobs_are_dropped_after_a_while():
    jobs = Jobs(kept_seconds=0.0)
    job = finished(jobs.start("a", "pull", lambda tell: 1))
    until(lambda: jobs.jobs("a") == [])
    assert jobs.job("a", job.id) is None

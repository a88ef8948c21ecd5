"""What a visitor's tabs get of pushes, pulls and questions by the event stream."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from playground.hub.jobs import Job, Jobs
from playground.settings.config import RunConfig
from playground.ui import startup
from playground.ui.hub import hub_questions
from playground.ui.hub.hub_questions import HubAnswer
from playground.ui.parts.live import changes, job_channel
from playground.ui.server import channels
from playground.ui.session import identity
from playground.ui.session.services import services
from tests.helpers import HANG, browser, until

SECRET = "alice/secret-plan"


@pytest.fixture(autouse=True)
def jobs(monkeypatch) -> Iterator[threading.Event]:
    """Nothing is under way; what is begun ends once the event is set."""
    monkeypatch.setattr(services(), "jobs", Jobs())
    monkeypatch.setattr(services(), "questions", Jobs(by_kind=True))
    go = threading.Event()
    yield go
    go.set()


def events_of(client: TestClient, channel: str = job_channel.CHANNEL) -> list[dict[str, Any]]:
    answer = client.get("/live", params={"c": f"{channel}@0", "once": ""})
    assert answer.status_code == 200
    lines = answer.text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def visitor_at(client: TestClient) -> str:
    return identity.visitor_of(client.cookies[identity.VISITOR_COOKIE])


def start(visitor: str, go: threading.Event, kind: str = "push", *, by: Jobs | None = None) -> Job:
    def work(tell):
        tell("Uploading", 0.25)
        go.wait(HANG)
        return SECRET

    job = (by or services().jobs).start(visitor, kind, work)
    until(lambda: job.stage == "Uploading" or job.done)
    return job


def test_a_visitor_receives_jobs_under_way_and_no_more(jobs):
    ada = browser(*startup.routes())
    visitor = visitor_at(ada)
    ((nothing),) = events_of(ada)
    assert nothing["fields"] == {}
    assert nothing["at"] > 0, "also that there is nothing has its time, which the page compares"
    push = start(visitor, jobs)
    whoami, look = (start(visitor, jobs, topic, by=services().questions) for topic in ("whoami", "look"))
    (message,) = events_of(ada)
    assert message["whole"]
    assert message["fields"] == {
        "jobs": [[push.id, False]],
        f"job {push.id}": {"text": "Uploading …", "done": 0.25},
        **{f"job {job.id}": {"text": "Uploading …", "done": 0.25} for job in (whoami, look)},
        **{f"{job.id} runs": True for job in (push, whoami, look)},
    }
    jobs.set()
    until(lambda: push.done and whoami.done and look.done)
    (message,) = events_of(ada)
    assert message["fields"] == {"jobs": [[push.id, True]]}
    assert SECRET not in json.dumps(message)
    services().jobs.forget(visitor, push.id)
    assert events_of(ada)[0]["fields"] == {}


def test_a_cancelled_job_is_not_listed_although_it_has_not_ended(jobs):
    ada = browser(*startup.routes())
    pull = start(visitor_at(ada), jobs, "pull")
    services().jobs.forget(pull.owner, pull.id)
    assert not pull.done
    assert "jobs" not in events_of(ada)[0]["fields"]
    jobs.set()
    until(lambda: pull.done)
    assert events_of(ada)[0]["fields"] == {}


def test_jobs_of_another_visitor_are_never_sent(jobs):
    ada, bob = browser(*startup.routes()), browser(*startup.routes())
    job, question = start(visitor_at(ada), jobs), start(visitor_at(ada), jobs, "look", by=services().questions)
    assert job.id in json.dumps(events_of(ada))
    assert question.id in json.dumps(events_of(ada))
    assert events_of(bob)[0]["fields"] == {}
    for name in (f"visitor/{visitor_at(ada)}", f"visitor/jobs/{visitor_at(ada)}", "visitor/", "visitor", "jobs"):
        assert events_of(bob, name) == [{"channel": name, "gone": True}]


@pytest.mark.parametrize("cookie", ["", "invented", "a" * 32, f"{'a' * 32}.{'a' * 43}"])
def test_without_a_cookie_of_this_server_there_is_no_such_channel(jobs, cookie):
    nobody = browser(*startup.routes(), cookie=False)
    start("", jobs)
    if cookie:
        nobody.cookies[identity.VISITOR_COOKIE] = cookie
    assert events_of(nobody) == [{"channel": job_channel.CHANNEL, "gone": True}]


def test_a_part_of_a_page_waits_for_what_it_was_drawn_without(monkeypatch, jobs):
    """Also where the answer comes while the rest of it is drawn."""
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(changes, "redraw", lambda channel, shown, key: asked.append(shown))
    monkeypatch.setattr(hub_questions.st, "session_state", {"visitor": "ada"})
    monkeypatch.setattr(hub_questions.st, "fragment", lambda drawn: drawn)

    def draw() -> None:
        monkeypatch.setattr(hub_questions, "AT_ONCE", 0.05)
        assert hub_questions.ask(("look", "one"), lambda: jobs.wait(HANG)) == HubAnswer()
        monkeypatch.setattr(hub_questions, "AT_ONCE", HANG)
        assert hub_questions.ask(("whoami",), lambda: "ada").result == "ada"
        jobs.set()
        (job,) = services().questions.jobs(identity.visitor())
        until(lambda: job.done)

    hub_questions.watch(draw, key="test")
    (job,) = services().questions.jobs(identity.visitor())
    assert asked == [{f"{job.id} runs": True}]
    hub_questions.watch(lambda: hub_questions.ask(("look", "one"), lambda: True) and None, key="test")
    assert len(asked) == 1, "nothing is waited for once it is answered"


def test_who_begins_a_job_or_a_run_wakes_their_own_channels(jobs, monkeypatch, host):
    woken: list[str] = []
    monkeypatch.setattr(services(), "runs", host())
    monkeypatch.setattr(channels.STREAM, "wake", woken.append)
    channels.begin()
    start("ada", jobs)
    assert job_channel.moving("ada")
    assert not job_channel.moving("bob")
    start("bob", jobs, by=services().questions)
    assert woken == ["ada", "bob"]
    jobs.set()
    until(lambda: not job_channel.moving("ada"))
    run = services().runs.start("cyd", RunConfig(), paused=True)
    run.stop()
    assert run.wait()
    for act in (services().runs.delete, services().runs.restore, services().runs.forget):
        del woken[:]
        act("cyd", run)
        assert woken == ["cyd"], act

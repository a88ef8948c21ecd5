"""Signing out in one tab, as the other tabs meet it, without a browser. In a real one: browser/test_oauth.py."""

import threading
import time

import pytest
import streamlit as st
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from playground.hub import account as hub_account
from playground.hub import gallery as hub_gallery
from playground.recording import REPOSITORY
from playground.ui.hub import push_form as form
from playground.ui.session import identity
from playground.ui.session.services import services
from tests.helpers import HANG, mounts
from tests.helpers import until as comes_true
from tests.hub.samples import TAG, checkpoint
from tests.pages import button, fine, page
from tests.pages import host as host  # for every test here too
from tests.test_hub_pages import can_push, dump, field, labels, prose, push_button, sign_in, until, written
from tests.test_oauth import SPACE, User

GOOD = checkpoint(REPOSITORY / "checkpoints" / "copy-1-16")
PUSH = "You are signed out. Sign in to push."
BROWSER = "of-the-tests"
SECRET = "secret-plan"


@pytest.fixture(autouse=True)
def fresh(hub, host, tmp_path):
    hub_gallery.forget()
    hub.put_repo(f"alice/{SECRET}", GOOD, private=True, tags=[TAG], title=f"title of {SECRET}")


@pytest.fixture
def oauth(hub, host, monkeypatch):
    """All tabs begin with the cookies of alice, who has signed in by OAuth."""
    for name, value in SPACE.items():
        monkeypatch.setenv(name, value)
    host(url=f"https://{SPACE['SPACE_HOST']}")
    monkeypatch.setattr(st, "user", User(hub.token("alice")))


def tab(**seeded) -> AppTest:
    """A tab of one and the same browser."""
    return page("checkpoints.py", visitor=BROWSER, **seeded)


def signed_in(app: AppTest, name: str = "alice") -> AppTest:
    return until(app, lambda: f"Signed in to the Hub as {name}" in prose(app))


def push_form(app: AppTest) -> AppTest:
    button(app, "Push").click().run()
    return until(app, lambda: can_push(app))


def asked_as(hub, name: str) -> int:
    return sum(each.user == name for each in hub.log)


def test_a_push_is_refused_in_another_tab_once_somebody_has_signed_out(hub, oauth):
    first, second = signed_in(tab()), push_form(signed_in(tab(checkpoint="copy-1-16")))
    field(second, "Message").set_value("typed by alice").run()
    until(second, lambda: can_push(second))
    button(first, "Sign out").click().run()
    asked = asked_as(hub, "alice")
    fine(push_button(second).click().run())
    assert PUSH in prose(second)
    assert "Push" not in labels(second)[-1:]
    assert asked_as(hub, "alice") == asked
    assert "alice/copy-1-16" not in hub.repos
    for app in (second, tab(checkpoint="copy-1-16")):
        button(app, "Push").click().run()
        assert "typed by alice" not in dump(fine(app)), "a later form begins empty"


def test_what_a_browser_still_reports_of_the_form_is_not_kept_for_who_signs_in_next(hub, oauth, monkeypatch):
    first, second = signed_in(tab()), push_form(signed_in(tab(checkpoint="copy-1-16")))
    drawn = field(second, "Repository").key
    button(first, "Sign out").click().run()
    for _ in range(2):  # the browser has not drawn the form without its fields yet
        second.session_state[drawn] = "alice/copy-1-16"
        fine(second.run())
        assert PUSH in prose(second)
    assert "alice" not in repr(
        [draft for (owner, _), draft in form._drafts.items() if owner == identity._digest(BROWSER)]
    )


def test_a_pasted_token_stays_in_its_tab_and_ends_with_the_others(hub):
    first, second, third = tab(), tab(), tab()
    for app in (first, second):
        sign_in(app, hub.token("alice"))
    for app in (first, second):
        signed_in(app)
    assert "Signed in" not in prose(third.run())
    button(first, "Sign out").click().run()
    assert "You are signed out." not in prose(first), "who has just pressed it knows"
    assert "You are signed out." in prose(fine(second.run()))
    sign_in(second, hub.token("alice"))
    assert "Signed in" in prose(signed_in(second))


def test_another_browser_stays_signed_in(hub):
    first, other = tab(), page("checkpoints.py", visitor="another")
    for app in (first, other):
        sign_in(app, hub.token("alice"))
    button(first, "Sign out").click().run()
    assert "Signed in to the Hub as alice" in prose(fine(other.run()))


def test_nothing_of_who_signed_out_is_left_for_the_next_person_at_the_browser(hub, oauth, monkeypatch):
    mine = {"checkpoints view": "hub", "gallery whose": "mine"}
    first, second = signed_in(tab()), signed_in(tab(**mine))
    until(second, lambda: f"alice/{SECRET}" in prose(second))
    button(first, "Sign out").click().run()
    monkeypatch.setattr(st, "user", User(hub.token("bob")))
    bob = signed_in(tab(**mine), "bob")
    until(bob, lambda: "You have no models" in prose(bob))
    fine(second.run())
    assert "You are signed out. Sign in to see your own models" in prose(second)
    asked = asked_as(hub, "alice")
    for app in (second, bob):
        for _ in range(2):
            fine(app.run())
        assert SECRET not in written(app) + dump(app)
    assert asked_as(hub, "alice") == asked


def test_signing_out_wins_over_an_answer_that_is_still_to_come(hub, oauth, monkeypatch):
    first, arrived = signed_in(tab()), threading.Event()
    whoami = hub_account.whoami

    def late(token):
        account = whoami(token)
        arrived.wait(HANG)
        return account

    monkeypatch.setattr(hub_account, "whoami", late)
    second = page("checkpoints.py", visitor="another")  # the same cookies under another visitor's name
    assert "Asking the Hub" in "".join(each.label for each in second.button)
    button(first, "Sign out").click().run()
    arrived.set()
    comes_true(lambda: all(job.done for job in second.session_state["hub asked"].values()))
    fine(second.run())
    assert "Signed in" not in prose(second)
    assert "You are signed out." in prose(second)


@pytest.fixture
def busy():
    """Keeps this visitor's turn, so that what they begin waits; gives what ends that."""
    go = threading.Event()
    owner = identity._digest(BROWSER)
    job = services().jobs.start(owner, "pull", lambda tell: go.wait(HANG))
    yield go
    go.set()
    comes_true(lambda: job.done)
    for each in services().jobs.jobs(owner):
        services().jobs.forget(owner, each.id)


def test_a_push_that_waits_does_not_go_out_after_the_sign_out(hub, oauth, busy):
    first, second = signed_in(tab()), push_form(signed_in(tab(checkpoint="copy-1-16")))
    push_button(second).click().run()
    assert mounts(fine(second), "now", "field")[-1][1]["now"]["text"] == "Waiting …"
    assert "Signing out stops your pushes" in prose(fine(first.run()))
    (push,) = [job for job in services().jobs.jobs(identity._digest(BROWSER)) if job.kind == "push"]
    button(first, "Sign out").click().run()
    asked = len(hub.log)
    busy.set()
    comes_true(lambda: push.done and not services().jobs._running)
    assert len(hub.log) == asked
    assert "alice/copy-1-16" not in hub.repos
    assert "alice/copy-1-16" not in written(fine(second.run())) + dump(second)


def test_what_was_signed_out_stays_so_after_a_restart(hub, oauth, host):
    button(signed_in(tab()), "Sign out").click().run()
    host(url=f"https://{SPACE['SPACE_HOST']}")
    asked = len(hub.log)
    app = page("checkpoints.py", visitor="with saved cookies")
    assert "Sign in" in [each.label for each in app.button]
    assert "Signed in" not in prose(app)
    assert len(hub.log) == asked


def test_an_expired_sign_in_ends_in_all_tabs(hub, oauth):
    first, second = signed_in(tab()), signed_in(tab(**{"checkpoints view": "hub"}))
    hub.expire("alice")
    field(second, "Model on the Hub").set_value(f"alice/{SECRET}").run()
    until(second, lambda: "has expired or was revoked" in prose(second))
    assert "has expired or was revoked" in prose(fine(first.run()))
    assert services().sign_ins.has_ended(SecretStr(hub.token("alice")), time.time())


def test_a_later_tab_asks_the_hub_again(hub, oauth):
    first = signed_in(tab())
    hub.expire("alice")
    second = tab()
    until(second, lambda: "has expired or was revoked" in prose(second))
    assert "has expired or was revoked" in prose(fine(first.run()))

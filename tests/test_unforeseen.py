"""Errors that nobody foresaw: every one gets the app's own answer, and its number stands in the log."""

import logging
import re

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

import app as served
from playground.common.errors import CheckpointError
from playground.ui import startup
from playground.ui.passes import subject
from playground.ui.runs import settings_form
from playground.ui.server import unforeseen
from playground.ui.server.patches import presses
from playground.ui.session import form_settings, sources
from playground.ui.shell import dock, navigation
from playground.ui.train import run_control
from tests.helpers import written
from tests.pages import button, host, page

__all__ = ["host"]  # a fixture that acts by itself

SECRET = "a secret of somebody else in /home/ada"


def broken(*_args, **_options):
    raise ValueError(SECRET)


@pytest.fixture(autouse=True)
def as_served(monkeypatch):
    """With the answer to errors that the server gives, where Streamlit's tests give their own."""
    begin = LocalScriptRunner.__init__

    def begin_with_answer(self, *args, **options) -> None:
        begin(self, *args, **options)
        self._on_script_error = served.app._on_script_error

    monkeypatch.setattr(LocalScriptRunner, "__init__", begin_with_answer)
    monkeypatch.setattr(SessionState, "_call_callbacks", presses._call_whole)
    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", presses._give_way_later)


def number_of(app: AppTest, log: pytest.LogCaptureFixture) -> str:
    """The number that the page shows, which stands in the log beside the traceback, once."""
    assert not app.exception, "Streamlit's own"
    assert SECRET not in written(app)
    (alert,) = re.findall(r'role="alert">([^<]*)', written(app))
    (number,) = set(re.findall(r"\b[0-9a-f]{8}\b", alert))
    records = [record for record in log.records if number in record.getMessage()]
    assert len(records) == 1
    assert SECRET in str(records[0].exc_info[1])
    return number


@pytest.mark.parametrize(
    ("name", "part", "function"),
    [
        ("build.py", settings_form, "presets"),
        ("train.py", run_control, "choice"),
        ("train.py", run_control, "controls"),  # of a fragment
        ("step_through.py", subject, "show_reading"),  # of a fragment
        ("checkpoints.py", sources, "library"),
        ("build.py", dock, "show"),  # of the frame around every page
        ("train.py", navigation.presenter, "show"),  # before the page itself
    ],
)
def test_a_page_that_fails_says_so_with_a_number(name, part, function, monkeypatch, caplog):
    app = page(name)
    monkeypatch.setattr(part, function, broken)
    app.run()
    number = number_of(app, caplog)
    app.run()
    assert number_of(app, caplog) == number, "the same error again"
    monkeypatch.undo()
    button(app, "Try again").click().run()
    assert not app.exception
    assert "This page failed" not in written(app)


def test_a_callback_that_fails_leaves_the_page_and_what_was_typed(monkeypatch, caplog):
    app = page("build.py", form="Model")
    next(each for each in app.number_input if each.key == "model.d_ff").set_value(64).run()
    monkeypatch.setattr(form_settings, "fill", broken)
    app.run()
    app.radio(key="preset").set_value("quick-copy").run()
    number_of(app, caplog)
    assert "The last action failed" in written(app)
    assert next(each for each in app.number_input if each.key == "model.d_ff").value == 64
    app.run()
    assert "The last action failed" not in written(app)


def test_a_callback_in_a_part_of_a_page_is_answered_too(monkeypatch, caplog):
    app = page("train.py")
    monkeypatch.setattr(run_control, "_start", broken)
    app.run()
    button(app, "Train").click().run()
    number_of(app, caplog)
    assert button(app, "Train")


def test_without_the_repair_a_callback_that_fails_replaces_the_page(monkeypatch, caplog):
    monkeypatch.setattr(SessionState, "_call_callbacks", presses._call)
    app = page("train.py")
    monkeypatch.setattr(run_control, "_start", broken)
    app.run()
    button(app, "Train").click().run()
    number_of(app, caplog)


def test_streamlit_does_not_log_it_once_more(monkeypatch):
    log = logging.getLogger("streamlit.error_util")
    monkeypatch.setattr(log, "filters", [])
    unforeseen.begin()
    assert not log.filter(logging.makeLogRecord({"msg": "Uncaught app execution"}))
    assert log.filter(logging.makeLogRecord({"msg": "Failed to display uncaught app exception"}))


def test_a_request_that_fails_is_answered_with_a_number(caplog):
    app = Starlette(routes=[Route("/broken", broken)], middleware=startup.middleware())
    answer = TestClient(app, base_url="http://localhost").get("/broken")
    assert answer.status_code == 500
    assert SECRET not in answer.text
    (number,) = re.findall(r"error ([0-9a-f]{8})", answer.text)
    assert any(number in record.getMessage() and record.exc_info for record in caplog.records)


def test_a_download_of_a_checkpoint_that_was_deleted_leaves_no_traceback(caplog):
    log = logging.getLogger("streamlit.runtime.backend_operation_handler")
    log.addHandler(caplog.handler)
    unforeseen.begin()
    for cause in (CheckpointError("mine no longer exists."), OSError("disk")):
        try:
            raise RuntimeError("Callable execution failed") from cause
        except RuntimeError:
            log.exception("Error executing deferred callable")
    log.removeHandler(caplog.handler)
    assert [record.exc_info[1].__cause__.args[0] for record in caplog.records] == ["disk"]

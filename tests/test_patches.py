"""Whoever comes back after a lost connection gets what is meant for them, no sources are watched for them, small
messages do not wait, a callback is done whole, no address comes into the log, a part of a page that one has left does
not take the new one away, and a press is done once, neither never nor twice.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit import config, runtime
from streamlit.logger import update_formatter
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, _close_script_event_loop
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.runtime import Runtime, RuntimeState
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from playground.ui import startup
from playground.ui.server import patches
from playground.ui.server.patches import page_switch, presses, reconnect, script_loop
from tests.helpers import live


@pytest.fixture(autouse=True)
def as_streamlit_has_it(monkeypatch):
    monkeypatch.setattr(Runtime, "_send_message", reconnect._send)
    monkeypatch.setattr(AppSession, "register_file_watchers", reconnect._watch)
    monkeypatch.setattr(SessionState, "_call_callbacks", presses._call)
    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", presses._give_way)
    monkeypatch.setattr(script_requests, "_coalesce_widget_states", presses._join)
    monkeypatch.setattr(AppSession, "__init__", script_loop._begin)
    monkeypatch.setattr(ScriptRunner, "_run_script", page_switch._run)


def without_help() -> None:
    """When a test that counts on the fault fails, Streamlit has mended it, and its module in patches/ can go."""


class Line:
    """A connection."""

    def __init__(self, meanwhile=lambda: None) -> None:
        self.got: list[ForwardMsg] = []
        self.meanwhile = meanwhile

    def write_forward_msg(self, message: ForwardMsg) -> None:
        self.got.append(message)
        self.meanwhile()


def session(name: str, *waiting: ForwardMsg) -> SimpleNamespace:
    queue = [list(waiting)]
    return SimpleNamespace(
        id=name, flush_browser_queue=lambda: queue.pop() if queue else [], on_flushed_messages_sent=lambda: None
    )


@pytest.mark.parametrize(("help_", "arrives"), [(patches.apply, True), (without_help, False)])
def test_who_comes_back_amid_a_round_gets_the_end_of_the_run(help_, arrives):
    end = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    lost, new = Line(), Line()
    late = session("late", end)
    first = Line(meanwhile=lambda: sessions.update(late=ActiveSessionInfo(new, late)))
    sessions = {
        "first": ActiveSessionInfo(first, session("first", ForwardMsg())),
        "late": ActiveSessionInfo(lost, late),
    }

    async def one_round() -> None:
        runtime = Runtime.__new__(Runtime)
        runtime._state = RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED
        runtime._session_mgr = SimpleNamespace(
            list_active_sessions=lambda: [*sessions.values()], get_active_session_info=sessions.get, list_sessions=list
        )
        await runtime.start()
        runtime.stop()
        await runtime.stopped

    help_()
    live(one_round())
    assert len(first.got) == 1
    assert (new.got, lost.got) == (([end], []) if arrives else ([], [end]))


@pytest.mark.parametrize(
    ("help_", "wanted", "watched"),
    [(patches.apply, "none", False), (patches.apply, "poll", True), (without_help, "none", True)],
)
def test_sources_are_watched_for_who_comes_back_only_if_wanted(help_, wanted, watched, monkeypatch, tmp_path):
    known = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: wanted if name == "server.fileWatcherType" else known(name))
    script = tmp_path / "app.py"
    script.touch()

    async def comes_back() -> bool:
        manager = WebsocketSessionManager(
            MemorySessionStorage(), MemoryUploadedFileManager("/upload"), ScriptCache(), None
        )
        page = ScriptData(str(script), is_hello=False)
        name = manager.connect_session(Line(), page, {})
        manager.disconnect_session(name)
        assert manager.connect_session(Line(), page, {}, existing_session_id=name) == name
        (known,) = manager.list_active_sessions()
        watches = known.session._local_sources_watcher is not None
        manager.close_session(name)
        return watches

    help_()
    assert live(comes_back()) == watched


def test_small_messages_are_sent_at_once_by_a_socket_that_does_not_say_that_it_speaks_tcp():
    found = []

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        found.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def story(mend: Callable[[], None]) -> None:
        listening = socket.socket(socket.AF_INET)  # as Streamlit makes its own
        listening.bind(("127.0.0.1", 0))
        async with await asyncio.start_server(answer, sock=listening):
            mend()
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()
            writer.close()
            await writer.wait_closed()

    live(story(without_help))
    with open(os.devnull, "rb") as _of_no_socket:
        before = os.listdir("/dev/fd")
        live(story(startup.set_tcp_nodelay))
        assert os.listdir("/dev/fd") == before
    assert [bool(each) for each in found] == [False, True]


def test_threads_of_the_server_take_turns_often():
    usual = sys.getswitchinterval()
    try:
        startup.set_up_threads()
        assert sys.getswitchinterval() == pytest.approx(usual / 10)
    finally:
        sys.setswitchinterval(usual)


def clicked_twice() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    def act() -> None:
        get_script_run_ctx().script_requests.request_rerun(RerunData())  # the next click arrives
        st.session_state["begun"] = True
        st.session_state["done"] = True

    st.session_state["drawn"] = st.session_state.get("drawn", 0) + 1
    st.button("Act", on_click=act)


@pytest.mark.parametrize(("help_", "whole"), [(patches.apply, True), (without_help, False)])
def test_a_callback_is_done_whole_when_the_next_click_arrives_amid_it(help_, whole):
    help_()
    app = AppTest.from_function(clicked_twice).run()
    app.button[0].click().run()
    assert not app.exception
    assert ("done" in app.session_state) == whole
    assert app.session_state["drawn"] == 2, "the next click has its turn"


def pressed_while_it_is_drawn() -> None:
    import streamlit as st
    from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    def press(name: str) -> None:
        st.session_state[name] = st.session_state.get(name, 0) + 1

    st.button("Step", key="step", on_click=press, args=("steps",))
    st.button("Other", key="other", on_click=press, args=("others",))
    st.button("Not now", key="disabled", on_click=press, args=("wrong",), disabled=True)
    if st.session_state.get("steps") == 1 and "others" not in st.session_state:
        ids = st.session_state["ids"]
        for name in ("step", "step", "other", "disabled", "step", "disabled"):
            pressed = WidgetStates(widgets=[WidgetState(id=ids[name], trigger_value=True)])
            get_script_run_ctx().script_requests.request_rerun(RerunData(widget_states=pressed))
            get_script_run_ctx().script_requests.request_rerun(RerunData())  # as the page asks for by itself


@pytest.mark.parametrize(("help_", "steps"), [(patches.apply, 4), (without_help, 2)])
def test_each_press_is_done_of_those_that_wait_for_the_page(help_, steps):
    help_()
    app = AppTest.from_function(pressed_while_it_is_drawn).run()
    app.session_state["ids"] = {each.key: each.proto.id for each in app.button}
    app.button[0].click().run()
    assert not app.exception
    assert app.session_state["steps"] == steps
    assert app.session_state["others"] == 1
    assert "wrong" not in app.session_state


def test_requests_stay_out_of_the_log_when_settings_change(monkeypatch):
    log = logging.getLogger(startup.REQUESTS)
    monkeypatch.setattr(log, "handlers", [])  # as the server's start leaves it
    monkeypatch.setattr(log, "level", logging.INFO)
    monkeypatch.setattr(log, "disabled", True)
    update_formatter()  # as a change of the settings does
    assert log.handlers, "Streamlit turns it on again"
    assert not log.isEnabledFor(logging.INFO)


@pytest.mark.parametrize("missing", ["1.68.0", "_send_message"])
def test_a_patch_that_does_not_fit_is_left_out_with_a_line_in_the_log(missing, monkeypatch, caplog):
    if missing.startswith("_"):
        monkeypatch.setattr(reconnect, "apply", lambda: Runtime._send_message_of_another_version)
    else:
        monkeypatch.setattr(patches.streamlit, "__version__", missing)
    patches.apply()
    assert len(caplog.records) == 1
    assert "left out" in caplog.text
    assert Runtime._send_message is reconnect._send
    fits = missing.startswith("_")
    assert (ScriptRunner._run_script is page_switch._run_on_this_page) == fits


@pytest.mark.parametrize(("help_", "expected"), [(patches.apply, "new"), (without_help, "old")])
def test_what_a_part_of_the_page_before_still_asks_for_is_no_run_of_that_page(help_, expected, monkeypatch, tmp_path):
    sources = SimpleNamespace(clear_session_refs=lambda **_of: None)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(dataframe_source_mgr=sources))
    script = tmp_path / "app.py"
    script.touch()
    pages = PagesManager(str(script), ScriptCache())
    pages.set_current_page_script_hash("new")
    asked = RerunData(page_script_hash="old", fragment_id_queue=["gone"])
    help_()
    loop = asyncio.new_event_loop()
    known = SessionState(), MemoryUploadedFileManager("/upload"), ScriptCache()
    runner = ScriptRunner("session", str(script), *known, asked, {}, MemoryFragmentStorage(), pages, loop)
    announced = []

    def hear(_runner: ScriptRunner, event: ScriptRunnerEvent, page_script_hash: str = "", **_more: object) -> None:
        if event is ScriptRunnerEvent.SCRIPT_STARTED:
            announced.append(page_script_hash)

    runner.on_event.connect(hear)
    runner.start()
    runner._script_thread.join()
    loop.close()
    assert announced == [expected]


def test_a_session_that_is_garbage_ends_without_an_error(monkeypatch):
    monkeypatch.setattr(
        script_loop, "_begin", lambda self: setattr(self, "_script_event_loop", asyncio.new_event_loop())
    )
    patches.apply()
    session = AppSession.__new__(AppSession)
    AppSession.__init__(session)
    monkeypatch.setattr(AppSession, "__del__", lambda self: None)
    _close_script_event_loop(session._script_event_loop)
    assert session._script_event_loop.is_closed()

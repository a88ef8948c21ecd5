"""Eight faults of Streamlit 1.67, put right.

Two meet visitors whose connection was lost and who come back. Streamlit keeps the session of such a visitor for a
while and hands it over to the new connection. But it sends in rounds over all sessions, to the connections there were
when the round began: what a round finds for somebody who has come back since goes to the old connection and is lost.
If the end of a run is lost with it, the page waits for that end until somebody acts. And for every session that comes
back it watches the sources, wanted or not; to look up the paths of all modules takes 0.2 s, in which nobody is served.

The third meets everybody: the server's socket does not say that it speaks TCP, so asyncio does not ask it to send small
messages at once, and the end of nearly every answer waits some 40 ms for the browser to acknowledge its beginning.

The fourth meets whoever is quick, or a server that is slow: Streamlit gives up a drawing when the next click arrives,
and so it may also give up the callback of the click before, in the middle, at any access to `st.session_state`. A press
of "Start" was lost to the click that followed. A callback is an act, done whole; then the next click has its turn. One
that fails takes the whole page away, and what was typed on it: here the page is drawn and says that it has failed.

The fifth would put visitors' addresses into the log: when its settings change while it runs, Streamlit turns on the
log of requests that it had turned off at its start.

The sixth meets who is led to another page by a part of a page: a pull that ends, for one. If another part of the old
page asks for a drawing in that moment, because of a press or of news (`changes`), it is run after the new page, and
announced as a run of the old one; the browser then takes all of the new page away, and nothing brings it back.

The seventh meets whoever presses a button again and again: of the presses that wait while the page is drawn, Streamlit
makes one. Here each of them is done.

The eighth meets whoever presses a button in the very moment in which the timer of a part of the page asks for news: the
browser keeps a press for a few milliseconds before it sends it, what the timer sends meanwhile has the press in it, and
the press itself comes after: one is done twice. A timer presses nothing.
"""

import logging
import socket
import threading
from asyncio import base_events
from collections import Counter
from dataclasses import replace
from typing import Any

from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.state.session_state import SessionState

from playground.ui import unforeseen

REQUESTS = "uvicorn.access"
"""The log that has a line for each request, with the address it came from."""

_send = Runtime._send_message
_watch = AppSession.register_file_watchers
_set_nodelay = base_events._set_nodelay  # type: ignore[attr-defined]
_call = SessionState._call_callbacks
_give_way = ScriptRunner._maybe_handle_execution_control_request
_acting = threading.local()  # each session draws in a thread of its own
_run = ScriptRunner._run_script
_request = AppSession.request_rerun
_join = script_requests._coalesce_widget_states
_MOST_PRESSES = 100  # of a button at once; a browser may say anything


def put_right() -> None:
    """Takes effect for every session of this process; once more does no harm."""
    Runtime._send_message = _send_to_who_is_there  # type: ignore[method-assign, assignment]
    AppSession.register_file_watchers = _watch_if_wanted  # type: ignore[method-assign]
    base_events._set_nodelay = _send_at_once  # type: ignore[attr-defined]
    SessionState._call_callbacks = _call_whole  # type: ignore[method-assign]
    ScriptRunner._maybe_handle_execution_control_request = _give_way_later  # type: ignore[method-assign]
    logging.getLogger(REQUESTS).disabled = True
    ScriptRunner._run_script = _run_on_this_page  # type: ignore[method-assign, assignment]
    AppSession.request_rerun = _request_without_presses_of_a_timer  # type: ignore[method-assign]
    script_requests._coalesce_widget_states = _join_with_all_presses  # type: ignore[assignment]


def _send_to_who_is_there(self: Runtime, known: ActiveSessionInfo, message: ForwardMsg) -> None:
    _send(self, self._session_mgr.get_active_session_info(known.session.id) or known, message)


def _watch_if_wanted(self: AppSession) -> None:
    if config.get_option("server.fileWatcherType") != "none":
        _watch(self)


def _send_at_once(sock: socket.socket) -> None:
    if sock.family in (socket.AF_INET, socket.AF_INET6) and sock.type == socket.SOCK_STREAM:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _call_whole(self: SessionState, **replayed: Any) -> None:
    _acting.now = True
    try:
        _call(self, **replayed)
        _call_for_further_presses(self)
    except Exception as error:  # else the page would not be drawn, and the browser would forget what was typed
        unforeseen.keep(error)
    finally:
        _acting.now = False


def _call_for_further_presses(self: SessionState) -> None:
    states, widgets = self._current_interaction_widget_states, self._new_widget_state
    for widget, presses in Counter(each.id for each in _presses(states)).items():
        known = widgets.widget_metadata.get(widget)
        if known is not None and known.callback is not None and not known.disabled:
            for _ in range(min(presses, _MOST_PRESSES) - 1):
                widgets.call_callback(widget)


def _join_with_all_presses(old: WidgetStates | None, new: WidgetStates | None) -> WidgetStates | None:
    joined = _join(old, new)
    if joined is not None:
        counted = Counter(each.id for each in _presses(joined))
        for press in (*_presses(old), *_presses(new)):
            counted[press.id] -= 1
            if counted[press.id] < 0:
                joined.widgets.append(press)  # once more, by which they are counted
    return joined


def _presses(states: WidgetStates | None) -> list[WidgetState]:
    return [each for each in states.widgets if each.trigger_value] if states else []


def _request_without_presses_of_a_timer(self: AppSession, client_state: ClientState | None) -> None:
    if client_state is not None and client_state.is_auto_rerun:
        widgets = client_state.widget_states.widgets
        kept = [each for each in widgets if not script_requests._has_active_trigger_value(each)]
        del widgets[:]
        widgets.extend(kept)
    _request(self, client_state)


def _give_way_later(self: ScriptRunner) -> None:
    if not getattr(_acting, "now", False):
        _give_way(self)


def _run_on_this_page(self: ScriptRunner, request: RerunData) -> None:
    shown = self._pages_manager.current_page_script_hash
    if request.fragment_id_queue and shown:  # of an older page no part is there any more, so none is run
        request = replace(request, page_script_hash=shown)
    _run(self, request)

"""Fix: every press of a button is handled once and completely.

When the next click arrives, Streamlit aborts the script run and with it the callback of the previous click, at any
access to `st.session_state`; a press of "Start" was lost that way. It also merges several presses of one button that
arrive during a script run. With this patch a callback runs to its end before the next click, and each press counts. A
callback that fails no longer removes the page and its input: the page is drawn with an error message.
"""

import threading
from collections import Counter
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.state.session_state import SessionState

from playground.ui.server import unforeseen

_call = SessionState._call_callbacks
_give_way = ScriptRunner._maybe_handle_execution_control_request
_join = script_requests._coalesce_widget_states
_acting = threading.local()  # each session runs its script in a thread of its own
_MAX_PRESSES = 100  # presses of a button in one message; a browser may send anything


def apply() -> None:
    """Replace how callbacks are called, aborted, and merged while they wait."""
    SessionState._call_callbacks = _call_whole  # type: ignore[method-assign]
    ScriptRunner._maybe_handle_execution_control_request = _give_way_later  # type: ignore[method-assign]
    script_requests._coalesce_widget_states = _join_with_all_presses  # type: ignore[assignment]


def _call_whole(self: SessionState, **replayed: Any) -> None:
    _acting.now = True
    try:
        _call(self, **replayed)
        _call_for_further_presses(self)
    except Exception as error:  # otherwise the page would not be drawn, and the browser would lose its input
        unforeseen.keep(error)
    finally:
        _acting.now = False


def _call_for_further_presses(self: SessionState) -> None:
    states, widgets = self._current_interaction_widget_states, self._new_widget_state
    for widget, presses in Counter(press.id for press in _presses(states)).items():
        known = widgets.widget_metadata.get(widget)
        if known is not None and known.callback is not None and not known.disabled:
            for _ in range(min(presses, _MAX_PRESSES) - 1):
                widgets.call_callback(widget)


def _join_with_all_presses(old: WidgetStates | None, new: WidgetStates | None) -> WidgetStates | None:
    joined = _join(old, new)
    if joined is not None:
        counted = Counter(press.id for press in _presses(joined))
        for press in (*_presses(old), *_presses(new)):
            counted[press.id] -= 1
            if counted[press.id] < 0:
                joined.widgets.append(press)  # again, to count them
    return joined


def _presses(states: WidgetStates | None) -> list[WidgetState]:
    return [press for press in states.widgets if press.trigger_value] if states else []


def _give_way_later(self: ScriptRunner) -> None:
    if not getattr(_acting, "now", False):
        _give_way(self)

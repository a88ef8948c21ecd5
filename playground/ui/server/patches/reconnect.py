"""Fix: a browser that reconnects gets every message, and no file watchers are registered for it.

Streamlit moves the session to the new connection. But it sends in rounds to the connections that existed when the
round began, so messages of a session that moves during a round go to the old connection and are lost. If the end of a
script run is lost, the page waits for it until a person acts. For each reconnected session Streamlit also registers
file watchers, whatever the settings are; scanning all modules takes 0.2 s, during which nobody is served.
"""

from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import ActiveSessionInfo

_send = Runtime._send_message
_watch = AppSession.register_file_watchers


def apply() -> None:
    """Replace how messages are sent and files are watched."""
    Runtime._send_message = _send_to_newest  # type: ignore[method-assign, assignment]
    AppSession.register_file_watchers = _watch_if_wanted  # type: ignore[method-assign]


def _send_to_newest(self: Runtime, known: ActiveSessionInfo, message: ForwardMsg) -> None:
    _send(self, self._session_mgr.get_active_session_info(known.session.id) or known, message)


def _watch_if_wanted(self: AppSession) -> None:
    if config.get_option("server.fileWatcherType") != "none":
        _watch(self)

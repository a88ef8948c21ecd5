"""A browser that comes back after a lost connection gets every message, and no sources are watched for it.

Streamlit hands the session over to the new connection. But it sends in rounds, to the connections there were when a
round began: what comes for a session that was handed over meanwhile goes to the old connection and is lost. If the end
of a script run is lost, the page waits for it until somebody acts. For each session that comes back Streamlit also
watches the source files, whatever the settings say; to look up all modules takes 0.2 s in which nobody is served.
"""

from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import ActiveSessionInfo

_send = Runtime._send_message
_watch = AppSession.register_file_watchers


def apply() -> None:
    """Replaces how messages are sent and sources are watched."""
    Runtime._send_message = _send_to_newest  # type: ignore[method-assign, assignment]
    AppSession.register_file_watchers = _watch_if_wanted  # type: ignore[method-assign]


def _send_to_newest(self: Runtime, known: ActiveSessionInfo, message: ForwardMsg) -> None:
    _send(self, self._session_mgr.get_active_session_info(known.session.id) or known, message)


def _watch_if_wanted(self: AppSession) -> None:
    if config.get_option("server.fileWatcherType") != "none":
        _watch(self)

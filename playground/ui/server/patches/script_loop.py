"""Fix: a session holds no descriptors for an event loop that nothing runs on.

Streamlit gives each session an asyncio loop for its script thread: a selector and two sockets, which closed sessions
keep until they are forgotten. They are three of a tab's five descriptors, and no script of this app uses them.
"""

import asyncio
from typing import Any

from streamlit.runtime.app_session import AppSession

_begin = AppSession.__init__


def apply() -> None:
    """Replace the loop of each new session by one without a selector, which runs nothing."""
    AppSession.__init__ = _begin_without_selector  # type: ignore[method-assign]


def _begin_without_selector(self: AppSession, *arguments: Any, **named: Any) -> None:
    _begin(self, *arguments, **named)
    self._script_event_loop.close()
    self._script_event_loop = _Idle()


class _Idle(asyncio.BaseEventLoop):
    """Has nothing to finish: a session that is collected as garbage drains its loop before it closes it."""

    def run_until_complete(self, future: Any) -> Any:
        future.close()

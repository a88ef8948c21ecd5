"""The browser's tabs: each open one has a session of Streamlit."""

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def this() -> str:
    """Id of the tab whose script runs; empty outside a script."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def is_open(tab: str) -> bool:
    """True if a tab is connected; a hidden one is. Also True without a server (tests). Any thread may call this."""
    return not runtime.exists() or runtime.get_instance().is_active_session(tab)

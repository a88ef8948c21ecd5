"""A page that one is led to by a part of another page stays.

If another part of the page that is left asks for a drawing in that moment, Streamlit runs it after the new page and
announces it as a run of the old one. The browser then takes all of the new page away, and nothing brings it back.
"""

from dataclasses import replace

from streamlit.runtime.scriptrunner import RerunData, ScriptRunner

_run = ScriptRunner._run_script


def apply() -> None:
    """Replaces what a run of a part of a page is announced as."""
    ScriptRunner._run_script = _run_on_this_page  # type: ignore[method-assign, assignment]


def _run_on_this_page(self: ScriptRunner, request: RerunData) -> None:
    shown = self._pages_manager.current_page_script_hash
    if request.fragment_id_queue and shown:  # fragments of an older page no longer exist, so none is run
        request = replace(request, page_script_hash=shown)
    _run(self, request)

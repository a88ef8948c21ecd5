"""Fix: a page that was opened by a fragment of another page doesn't disappear.

If another fragment of the previous page requests a rerun at that moment, Streamlit runs it after the new page and
announces it as a run of the previous page. The browser then removes the whole new page for good.
"""

from dataclasses import replace

from streamlit.runtime.scriptrunner import RerunData, ScriptRunner

_run = ScriptRunner._run_script


def apply() -> None:
    """Replace the announcement of a fragment's run."""
    ScriptRunner._run_script = _run_on_this_page  # type: ignore[method-assign, assignment]


def _run_on_this_page(self: ScriptRunner, request: RerunData) -> None:
    shown = self._pages_manager.current_page_script_hash
    if request.fragment_id_queue and shown:  # fragments of a previous page no longer exist, so none is run
        request = replace(request, page_script_hash=shown)
    _run(self, request)

"""Patches of Streamlit: each module fixes one behaviour and has a test that fails once upstream has fixed it.

They replace private functions, so they are applied only to the version they were written for.
"""

import logging
from importlib import import_module

import streamlit

MADE_FOR = "1.67.0"
"""The version of Streamlit."""

PATCHES = ("reconnect", "presses", "page_switch", "script_loop")
"""Modules of this package, each with a function `apply`."""

_log = logging.getLogger(__name__)


def apply() -> None:
    """Apply all patches for every session of this process; idempotent.

    Skips a patch, with a log message, if it does not fit the installed Streamlit.
    """
    if streamlit.__version__ != MADE_FOR:
        _log.warning(
            "Streamlit %s is installed. The patches %s are made for %s and left out.",
            *(streamlit.__version__, ", ".join(PATCHES), MADE_FOR),
        )
        return
    for name in PATCHES:
        try:
            import_module(f"{__name__}.{name}").apply()
        except (ImportError, AttributeError) as error:
            _log.warning("The patch %s does not fit the installed Streamlit and is left out: %s.", name, error)

"""Patches of Streamlit: each module mends one behaviour and has a test that fails once upstream has mended it.

They replace private functions, so they are applied to the version they were made for and to no other.
"""

import logging
from importlib import import_module

import streamlit

MADE_FOR = "1.67.0"
"""The version of Streamlit."""

PATCHES = ("reconnect", "presses", "page_switch", "theme")
"""Modules of this package, each with a function `apply`."""

_log = logging.getLogger(__name__)


def apply() -> None:
    """Applies all patches, for every session of this process; again does no harm.

    Leaves a patch out, and says so in the log, where it does not fit the installed Streamlit.
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

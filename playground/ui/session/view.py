"""The view of a page in its address, so that a page loaded again, or a link, shows the same.

`bind="query-params"` does the same for a widget: 12 messages and 1.7 kB a change, here 13 and 1.8. It can't do the
rest: components, buttons and links set 20 of the 36 words, and its parameter has the name of the key.
"""

from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_LONGEST = 400  # characters of one value; what is longer is not put into an address


def travelled() -> bool:
    """Whether this drawing follows the browser's Back or Forward, whose address counts more than the session."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def follow(names: Mapping[str, str], usual: Mapping[str, str]) -> None:
    """After Back and Forward the session has what the address says, or what is `usual`; before any of it is used."""
    if travelled():
        for word, key in names.items():
            st.session_state[key] = st.query_params.get(word, usual.get(key, ""))[:_LONGEST]


def open_view(page: str, names: Mapping[str, str]) -> None:
    """Once a session: takes what the address says into the session. `names` maps words of the address to its keys."""
    if st.session_state.get(f"view of {page}"):
        return
    st.session_state[f"view of {page}"] = True
    for word, key in names.items():
        if word in st.query_params:
            st.session_state[key] = st.query_params[word][:_LONGEST]


def keep_view(names: Mapping[str, str], usual: Mapping[str, object] | None = None) -> None:
    """Writes the session's values into the address where they differ from it and from what is `usual` for their key."""
    for word, key in names.items():
        value = st.session_state.get(key)
        if usual and key in usual and usual[key] == value:
            value = None
        value = str(value) if isinstance(value, int) else value
        if isinstance(value, str) and 0 < len(value) <= _LONGEST:
            if st.query_params.get(word) != value:
                st.query_params[word] = value
        elif word in st.query_params:
            del st.query_params[word]


def drop_view(names: Mapping[str, str]) -> None:
    """Takes out of the address what belongs to a view that is not shown."""
    for word in names:
        if word in st.query_params:
            del st.query_params[word]

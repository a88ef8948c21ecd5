"""The control: a Streamlit page with one button and one text, which the same clients use on the same machine.

What it takes is Streamlit's own share; the app's figures are ratios to it.
"""

import gc

import streamlit as st


@st.cache_resource
def freeze() -> None:
    """Keeps the collector from looking through all that was imported after every script run, as the app does."""
    gc.collect()
    gc.freeze()


freeze()
st.session_state.setdefault("count", 0)
if st.button("Next"):
    st.session_state["count"] += 1
st.write(f"Pressed {st.session_state['count']} times")

"""The control: a Streamlit page with one button and one text, used by the same clients on the same machine.

It measures Streamlit's own cost; the app's figures are ratios to it.
"""

import gc

import streamlit as st


@st.cache_resource
def freeze() -> None:
    """Freeze imported objects for the garbage collector, as the app does."""
    gc.collect()
    gc.freeze()


freeze()
st.session_state.setdefault("count", 0)
if st.button("Next"):
    st.session_state["count"] += 1
st.write(f"Pressed {st.session_state['count']} times")

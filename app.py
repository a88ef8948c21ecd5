"""Transformer Playground: `streamlit run app.py`.

Streamlit imports this file once as the server and then runs it as a script for every page view.
"""

import streamlit as st

from playground.ui import startup
from playground.ui.hub import oauth
from playground.ui.server import unforeseen
from playground.ui.shell import navigation

if __name__ == "__main__":
    navigation.show_page()
else:
    startup.begin_services()
    app = st.App(
        __file__,
        lifespan=startup.lifespan,
        middleware=startup.middleware(),
        secrets=oauth.secrets(),
        on_script_error=unforeseen.show,
        routes=startup.routes(),
    )

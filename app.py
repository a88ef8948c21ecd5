"""Transformer Playground: `streamlit run app.py`.

Streamlit imports this file once as the server and then runs it as a script for every page view.
"""

import streamlit as st

from playground.ui import (
    assets,
    attention,
    cells,
    channels,
    curves,
    library_route,
    navigation,
    oauth,
    qr,
    server,
    unforeseen,
    upload,
    vega,
)

if __name__ == "__main__":
    navigation.show_page()
else:
    app = st.App(
        __file__,
        lifespan=server.lifespan,
        middleware=server.MIDDLEWARE,
        secrets=oauth.secrets(),
        on_script_error=unforeseen.show,
        routes=[
            *assets.routes(),
            *cells.routes(),
            *channels.STREAM.routes(),
            *curves.routes(),
            *attention.routes(),
            *library_route.routes(),
            *upload.routes(),
            *qr.routes(),
            *vega.routes(),
        ],
    )

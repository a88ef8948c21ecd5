"""The architecture diagram on a page."""

from collections.abc import Mapping, Sequence

import streamlit as st

from playground.config import RunConfig
from playground.diagram import architecture_diagram

# st.html drops SVG. The picture is ours from end to end, so it may go into the page as it is.
_component = st.components.v2.component(
    "playground_architecture",
    html='<div class="picture"></div>',
    css=".picture { max-width: 46rem; margin: 0 auto; }",
    js="export default ({ data, parentElement }) => { parentElement.querySelector('.picture').innerHTML = data }",
)


def architecture(
    config: RunConfig, *, lit: str | None = None, tokens: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Draws the model of `config`, reading `tokens`; the part that the tap `lit` belongs to stands out."""
    _component(data=architecture_diagram(config, lit=lit, tokens=tokens), key="architecture")

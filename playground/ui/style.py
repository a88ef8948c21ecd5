"""The one visual language for tokens and shapes, as HTML; widgets and colours come from .streamlit/config.toml."""

from collections.abc import Sequence
from html import escape

import streamlit as st

_CSS = """
<style>
.toks { display: flex; flex-wrap: wrap; gap: .2rem; align-items: center; min-height: 1.9rem; }
.tok { font: 600 .9rem/1.6rem var(--st-code-font, monospace); min-width: 1.6rem; padding: 0 .35rem;
  text-align: center;
  border-radius: .35rem; background: color-mix(in srgb, currentColor 9%, transparent); }
.tok.special { font-size: .68rem; opacity: .75; }
.tok.wrong { background: #c0341d; color: #fff; text-decoration: underline wavy; text-underline-offset: 2px; }
.tok.missing { background: none; outline: 1.5px dashed #c0341d; outline-offset: -1.5px; }
.table-wrap { overflow-x: auto; }
table.examples { border-collapse: collapse; width: 100%; }
table.examples th { text-align: left; font-weight: 600; font-size: .85rem; opacity: .75; padding: .2rem .6rem .2rem 0; }
table.examples td { padding: .15rem .6rem .15rem 0; vertical-align: top;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
table.examples td:first-child { white-space: nowrap; }
.katex-display { overflow-x: auto; overflow-y: hidden; }
.st-key-map { position: sticky; top: 4rem; }
.shape { font-variant-numeric: tabular-nums; font-family: var(--st-code-font, monospace); }
</style>
"""


def apply() -> None:
    """Makes the classes known to the page."""
    st.html(_CSS)


def tokens(names: Sequence[str], *, right: Sequence[str] | None = None) -> str:
    """A row of tokens; where `right` is given, those that differ from it are marked, also for eyes without colour."""
    cells = []
    for place in range(max(len(names), len(right or ()))):
        name = names[place] if place < len(names) else ""
        expected = right[place] if right is not None and place < len(right) else None
        kind = "tok"
        if name.isalpha():
            kind += " special"
        if right is not None and name != expected:
            kind += " wrong" if name else " missing"
            label = f"should be {expected}" if expected else "one too many"
            cells.append(f'<span class="{kind}" title="{escape(label)}">{escape(name) or "&nbsp;"}</span>')
        else:
            cells.append(f'<span class="{kind}">{escape(name)}</span>')
    return f'<span class="toks">{"".join(cells)}</span>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already."""
    header = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="table-wrap"><table class="examples"><tr>{header}</tr>{body}</table></div>'


def shape(dims: Sequence[str], sizes: Sequence[int]) -> str:
    """A shape in letters and numbers: (B, H, T, S) = (1, 4, 6, 5)."""
    if not dims:
        return '<span class="shape">a single number</span>'
    return f'<span class="shape">({", ".join(dims)}) = ({", ".join(map(str, sizes))})</span>'

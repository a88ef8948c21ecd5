"""The one visual language for tokens and shapes, as HTML; widgets and colours come from .streamlit/config.toml."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from playground import diagram, glossary
from playground.explain import Explanation
from playground.ui.assets import loader

_CSS = """
<style>
/* One scale: 1.5 rem a page's title, 1.15 what is looked at, 1 text, .85 what is said in passing. */
.stMainBlockContainer { padding-top: 3.9rem; padding-inline: clamp(.9rem, 4vw, 4rem); }
.stMainBlockContainer .stHeading h1 { padding: 0 0 .5rem; }
.stMainBlockContainer .stHeading h3 { padding: .2rem 0 .5rem; }
.stMain .katex-display { overflow-x: auto; overflow-y: hidden; margin: 0; }
.stMetric, .stMain [data-testid=stMetricValue], .stMain input, .stMain table { font-variant-numeric: tabular-nums; }
/* What is chosen is told by tint and line; in the accent's colour its words would be too faint on a dark page. */
.stTabs [aria-selected=true] p, [data-variant=segmented_control][data-selected=true] p
  { color: light-dark(#1b1f2e, #e8eaf2); }
.soft { opacity: .78; }
.small { font-size: .85rem; line-height: 1.45; }
.toks { display: flex; flex-wrap: wrap; gap: .2rem; align-items: center; min-height: 1.9rem; }
.tok { font: 600 .9rem/1.6rem var(--st-code-font, monospace); min-width: 1.6rem; padding: 0 .35rem;
  text-align: center; font-variant-numeric: tabular-nums;
  border-radius: .35rem; background: color-mix(in srgb, currentColor 9%, transparent); }
.tok.special { font-size: .72rem; opacity: .8; }
.tok.wrong { background: #b3261e; color: #fff; text-decoration: underline wavy; text-underline-offset: 2px; }
.tok.missing { background: none; outline: 1.5px dashed #d64a3a; outline-offset: -1.5px; }
.pairs { display: grid; grid-template-columns: max-content minmax(0, max-content) 1.2rem; gap: 0 .5rem;
  align-items: center; }
.pairs .toks { flex-wrap: nowrap; gap: .12rem; min-height: 1.55rem; overflow: auto hidden; scrollbar-width: none; }
.pairs .tok { font-size: .82rem; line-height: 1.35rem; min-width: 1.25rem; padding: 0 .1rem; flex: none; }
.pairs > :nth-child(6n + 4), .pairs > :nth-child(6n + 5), .pairs > :nth-child(6n + 6) { padding-bottom: .4rem; }
.table-wrap { overflow-x: auto; }
table.examples { border-collapse: collapse; width: 100%; }
table.examples th { text-align: left; font-weight: 600; font-size: .85rem; opacity: .8; padding: .2rem .6rem .2rem 0; }
table.examples td { padding: .15rem .6rem .15rem 0; vertical-align: top;
  border-top: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
table.examples td:first-child { white-space: nowrap; }
.shape { font: .9rem/1.4 var(--st-code-font, monospace); font-variant-numeric: tabular-nums; white-space: nowrap; }
.term { cursor: help; border-radius: .2rem; text-decoration: underline dotted currentColor 1px;
  text-decoration-color: color-mix(in srgb, currentColor 55%, transparent); text-underline-offset: .22em; }
.term:hover { text-decoration-color: currentColor; }
.term:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
.playground-tip { position: fixed; z-index: 1000000; box-sizing: border-box; max-width: min(20rem, 100vw - 16px);
  padding: .5rem .7rem; border-radius: .5rem; font: .875rem/1.4 "Source Sans", system-ui, sans-serif;
  box-shadow: 0 4px 18px rgb(0 0 0 / .3); font-variant-numeric: tabular-nums; }
.playground-tip .title { font-weight: 650; }
.playground-tip .shape { font-size: .8rem; }
.playground-tip .action { font-size: .8rem; opacity: .8; margin-top: .2rem; }
.st-key-tips, .st-key-follow { position: absolute; }
.st-key-presets button { padding-inline: .6rem; }
/* Room for the picture before it is there: what stands below it stays. */
.st-key-architecture { align-self: center; max-width: 34rem; aspect-ratio: 400 / 650; max-height: max(88vh, 650px); }
.st-key-map { position: sticky; top: 3.9rem; }
/* An operation takes the same room whatever it is, so the numbers stay where they are from step to step. */
.stVerticalBlock:has(> .st-key-follow) { gap: .5rem; }
.operation h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .8rem; padding: 0; margin: 0;
  font-size: 1.15rem; font-weight: 650; }
.role { display: inline-grid; place-items: center; align-self: center; width: 1.3rem; height: 1.3rem;
  border-radius: 50%; font-size: .85rem; font-weight: 700; color: #fff; background: var(--role); }
.operation h3 .shape { font-weight: 400; }
.operation .line { display: flex; justify-content: space-between; gap: .8rem; font-variant-numeric: tabular-nums; }
.operation .line span:last-child { white-space: nowrap; }
.operation p { margin: .1rem 0 0; }
.finding { min-height: 2.6em; padding-left: .7rem; line-height: 1.3;
  border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent); }
.notice { min-height: 2.7em; line-height: 1.35; }
.notice.wrong { padding-left: .7rem; border-left: 3px solid #d64a3a; }
.st-key-formula { min-height: 3.9rem; justify-content: center; }
.st-key-statement { min-height: 3.9rem; }
.st-key-tensor { min-height: 13rem; }
.st-key-statement .stCode pre { padding-block: .55rem; }
.st-key-stale { opacity: .4; filter: grayscale(1); }
@media (max-width: 640px) {
  .stMainBlockContainer { padding-top: 3.4rem; }
  .st-key-reads .stColumn { min-width: calc(50% - 1rem); flex: 1 1 calc(50% - 1rem); }
  .st-key-reads .stColumn:first-child { min-width: 100%; }
  .operation { min-height: 5.2rem; }
}
</style>
"""

_ROLES = {"query": ("Q", "query"), "key": ("K", "key"), "value": ("V", "value"), "weights": ("A", "attention")}

_tips = st.components.v2.component("playground_tips", js=loader("tips.js"))


def apply() -> None:
    """Makes the classes known to the page, and its marked words explain themselves."""
    st.html(_CSS)
    _tips(key="tips")


def term(word: str, shown: str | None = None) -> str:
    """A word or a letter of the glossary that tells what it means on hover, focus and tap, as HTML."""
    told = escape(glossary.meaning(word))
    return f'<span class="term" tabindex="0" role="button" aria-description="{told}">{escape(shown or word)}</span>'


def marked(text: str) -> str:
    """Plain text as HTML, each word of the glossary marked where it is used first."""
    return "".join(term(word, piece) if word else escape(piece) for piece, word in glossary.split(text))


def caption(text: str) -> None:
    """A line said in passing, its words explained."""
    st.html(f'<div class="small soft">{marked(text)}</div>')


def notice(text: str, *, wrong: bool = False) -> None:
    """A sentence or two whose room is kept, so that nothing jumps when they change."""
    kind, role = (" wrong", ' role="alert"') if wrong else ("", "")
    st.html(f'<div class="notice small{kind}"{role}>{marked(text)}</div>')


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


def answers(rows: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str]]]) -> str:
    """What a model made of some inputs: (input, prediction, right answer) each, on lines that keep their height."""
    cells = []
    for source, prediction, right in rows:
        verdict = ("✓", "entirely right") if prediction == right else ("✕", "not right yet")
        cells += ['<span class="small soft">reads</span>', tokens(source), "<span></span>"]
        cells += ['<span class="small soft">says</span>', tokens(prediction, right=right)]
        cells += [f'<span title="{verdict[1]}">{verdict[0]}</span>']
    return f'<div class="pairs">{"".join(cells)}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are HTML already; its head explains the words it uses."""
    header = "".join(f"<th>{marked(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="table-wrap"><table class="examples"><tr>{header}</tr>{body}</table></div>'


def shape(dims: Sequence[str], sizes: Sequence[int]) -> str:
    """A shape in letters and numbers, each letter explained: (B, H, T, S) = (1, 4, 6, 5)."""
    if not dims:
        return '<span class="shape">a single number</span>'
    letters = ", ".join(letter if letter.isdigit() else term(letter) for letter in dims)
    return f'<span class="shape">({letters}) = ({", ".join(map(str, sizes))})</span>'


def operation(counter: str, where: Sequence[str], told: Explanation, dims: Sequence[str], sizes: Sequence[int]) -> str:
    """The head of one operation: where it stands, what it is, its shape, and what it does."""
    crumbs = " › ".join(marked(words) for words in where[:-1]) or "the whole model"
    letter, name = _ROLES.get(where[-1].split()[0], ("", ""))
    role = (
        f'<span class="role" aria-hidden="true" style="--role: {diagram.COLOURS[name]}">{letter}</span>'
        if letter
        else ""
    )
    return (
        f'<div class="operation"><div class="line small soft"><span>{crumbs}</span><span>{counter}</span></div>'
        f"<h3>{role}{escape(told.title)}{shape(dims, sizes)}</h3><p>{marked(told.sentence)}</p></div>"
    )

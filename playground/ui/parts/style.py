"""HTML of tokens, shapes, messages and tables; widgets and colours are configured in .streamlit/config.toml."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import groupby
from typing import Literal

import streamlit as st

from playground.common.errors import PlaygroundError
from playground.common.numbers import wilson
from playground.explain import glossary
from playground.lessons.lesson import Lesson
from playground.pictures import diagram
from playground.runs import RunError
from playground.settings.config import ConfigError
from playground.ui.session import setting_words, sources
from playground.ui.session.flash import Kind, flash, taken

TENSOR_ROLES = {"query": ("Q", "query"), "key": ("K", "key"), "value": ("V", "value"), "weights": ("A", "attention")}


def term(word: str, shown: str | None = None) -> str:
    """A term or letter of the glossary with a tooltip on hover, focus and tap, as HTML."""
    meaning = escape(glossary.meaning(word))
    return f'<span class="term" tabindex="0" role="button" aria-description="{meaning}">{escape(shown or word)}</span>'


def marked(text: str) -> str:
    """Plain text as HTML, with the first use of each glossary term marked."""
    return "".join(term(word, piece) if word else escape(piece) for piece, word in glossary.split(text))


def heading(text: str) -> None:
    """A heading below the page's title."""
    st.html(f'<div class="operation"><h2>{escape(text)}</h2></div>')


def caption(text: str, *, width: Literal["stretch", "content"] = "stretch", terms: bool = True) -> None:
    """Draw a caption, with marked `terms` unless its words mean something else, as the token of an account."""
    st.html(f'<div class="small soft">{marked(text) if terms else escape(text)}</div>', width=width)


def notice(text: str, *, wrong: bool = False) -> None:
    """Draw a short notice with constant height, so that nothing moves when it changes."""
    kind, role = (" wrong", ' role="alert"') if wrong else ("", "")
    st.html(f'<div class="notice small{kind}"{role}>{marked(text)}</div>')


def message(text: str, kind: Kind, icon: str = "") -> None:
    """Draw a message as plain text. `icon` is the name of a Material symbol.

    Required for untrusted text (address, other visitors, the Hub): `st.error` and similar functions render Markdown.
    """
    role = "alert" if kind == "wrong" else "status"
    symbol = f'<span class="symbol" data-symbol="{escape(icon)}" aria-hidden="true"></span>' if icon else ""
    st.html(f'<div class="message {kind}" role="{role}">{symbol}<span>{escape(text)}</span></div>')


@contextmanager
def error_messages(place: str = "") -> Iterator[None]:
    """Draw the error message of what fails inside or, in a callback, leave it at a place, see `flash`."""
    try:
        yield
    except PlaygroundError as error:
        text = sources.plain(error)
        if isinstance(error, RunError | ConfigError):
            text = setting_words.in_labels(text)
        if place:
            flash(place, text)
        else:
            message(text, "wrong")


def flashed(place: str) -> None:
    """Draw the message that `flash` left at this place, once."""
    text, kind = taken(place)
    if text:
        message(text, kind)


def code(text: str) -> str:
    """Any text as a Markdown code span, for labels, help and titles, which take no HTML.

    In a code span Streamlit renders no markup, link, formula or directive. Backslashes don't escape the last three:
    they are parsed after backslashes are removed.
    """
    text = " ".join(text.split()).replace(":material/", ":material\u2060/")  # replaced before Markdown is parsed
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}" if text else ""


def link(words: str, url: str) -> str:
    """A link to another site as HTML; only its text if the address is not http or https."""
    if not url.startswith(("https://", "http://")):
        return escape(words)
    return f'<a class="away" href="{escape(url)}" target="_blank" rel="noopener noreferrer">{escape(words)}</a>'


def lesson(linked: Lesson) -> str:
    """A link to a lesson, as HTML."""
    return f'<a class="away" href=".{escape(linked.address)}" target="_self">{escape(linked.title)}</a>'


def tokens(names: Sequence[str], *, right: Sequence[str] | None = None) -> str:
    """A row of tokens; with `right`, tokens that differ are marked, not by colour alone."""
    cells = []
    for position in range(max(len(names), len(right or ()))):
        name = names[position] if position < len(names) else ""
        expected = right[position] if right is not None and position < len(right) else None
        kind = "tok"
        if name.isalpha():
            kind += " special"
        if right is not None and name != expected:
            kind += " wrong" if name else " missing"
            label = f"expected {expected}" if expected else "extra token"
            cells.append(f'<span class="{kind}" title="{escape(label)}">{escape(name) or "&nbsp;"}</span>')
        else:
            cells.append(f'<span class="{kind}">{escape(name)}</span>')
    return f'<span class="toks">{"".join(cells)}</span>'


def strip(title: str, cells: Sequence[str], groups: Sequence[str], colours: Sequence[int]) -> str:
    """A row of cells; adjacent cells of a group share a box with its name and colour."""
    boxes = []
    for (group, colour), run in groupby(zip(groups, colours, cells, strict=True), lambda item: item[:2]):
        inside = "".join(f'<span class="tok">{escape(cell)}</span>' for *_, cell in run)
        name = f'<span class="small">{escape(group)}</span>'
        boxes.append(f'<span class="run run-{colour % 6}">{name}{inside}</span>')
    return f'<div class="small soft">{escape(title)}</div><div class="strip">{"".join(boxes)}</div>'


def answers(rows: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str] | None]]) -> str:
    """A model's predictions as (input, prediction, right answer), on lines of constant height.

    None: the prediction is neither right nor wrong.
    """
    cells = []
    for source, prediction, right in rows:
        verdict = ("", "") if right is None else ("✓", "all correct") if prediction == right else ("✕", "has errors")
        cells += ['<span class="small soft">input</span>', tokens(source), "<span></span>"]
        cells += ['<span class="small soft">output</span>', tokens(prediction, right=right)]
        cells += [f'<span title="{verdict[1]}">{verdict[0]}</span>']
    return f'<div class="pairs">{"".join(cells)}</div>'


def bar(low: float, high: float, *, positive: bool = False, tested: int = 0) -> str:
    """A bar from `low` to `high`, fractions of its track from 0 to 1; the caller adds the number as text.

    Among signed numbers, `positive` ones have another colour. With the number of inputs `tested` for the fraction
    `high`, a line shows its 95 % interval.
    """
    kind = "amount positive" if positive else "amount"
    ends = "".join(f"<i style='--end: {end:.1%}'></i>" for end in wilson(high, tested)) if tested else ""
    return f'<span class="{kind}" aria-hidden="true" style="--low: {low:.1%}; --high: {high:.1%}">{ends}</span>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], scrolls: str = "", *, explains: bool = True) -> str:
    """A table with HTML cells; with `explains`, terms in its header are marked.

    `scrolls` is the accessible name of a wide table, which becomes scrollable by keyboard.
    """
    words = marked if explains else escape
    header = "".join(f"<th>{words(name)}</th>" if name else "<td></td>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    region = f' tabindex="0" role="region" aria-label="{escape(scrolls)}"' if scrolls else ""
    return f'<div class="table-wrap"{region}><table class="examples"><tr>{header}</tr>{body}</table></div>'


def difference(text: str) -> str:
    """A unified diff; its lines are marked by sign, element and colour."""
    tags = {"+": "ins", "-": "del"}
    lines = [(tags.get(line[:1], "span"), escape(line)) for line in text.splitlines()]
    return f'<pre class="difference"><code>{"".join(f"<{tag}>{line}</{tag}>" for tag, line in lines)}</code></pre>'


def shape(dims: Sequence[str], sizes: Sequence[int]) -> str:
    """A shape in letters and numbers with tooltips: (B, H, T, S) = (1, 4, 6, 5)."""
    if not dims:
        return '<span class="shape">a single number</span>'
    letters = ", ".join(letter if letter.isdigit() else term(letter) for letter in dims)
    return f'<span class="shape">({letters}) = ({", ".join(map(str, sizes))})</span>'


def role(words: str) -> tuple[str, str] | None:
    """Letter and colour of a tensor of attention, by its name ("key projection"); None for other tensors."""
    letter, name = TENSOR_ROLES.get(words.replace("_", " ").split()[0], ("", ""))
    return (letter, diagram.PART_COLOURS[name]) if letter else None


def operation(
    last: str, title: str, dims: Sequence[str], sizes: Sequence[int], counter: str = "", when: str = ""
) -> str:
    """Header of one operation: its letter in attention, title, shape and number.

    `when` is the message about the training step.
    """
    part = role(last)
    badge = f'<span class="role" aria-hidden="true" style="--role: {part[1]}">{part[0]}</span>' if part else ""
    message_line = f'<span class="time-message small soft" role="status">{escape(when)}</span>'
    number = f'<span class="small soft">{escape(counter)}</span>'
    return f'<div class="operation"><h2>{badge}{escape(title)}{shape(dims, sizes)}</h2>{message_line}{number}</div>'

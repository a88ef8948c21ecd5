"""The one visual language for tokens and shapes, as HTML; widgets and colours come from .streamlit/config.toml."""

import re
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Literal

import streamlit as st

from playground import diagram, glossary
from playground.lessons.lesson import Lesson
from playground.ui.server.assets import loader

ROLES = {"query": ("Q", "query"), "key": ("K", "key"), "value": ("V", "value"), "weights": ("A", "attention")}

_tips = st.components.v2.component("playground_tips", js=loader("parts/tips.js"))


def apply() -> None:
    """Makes the marked words of the page explain themselves. The classes are in page.css, see `assets.PageStyle`."""
    _tips(key="tips")


def term(word: str, shown: str | None = None) -> str:
    """A word or a letter of the glossary that tells what it means on hover, focus and tap, as HTML."""
    meaning = escape(glossary.meaning(word))
    return f'<span class="term" tabindex="0" role="button" aria-description="{meaning}">{escape(shown or word)}</span>'


def marked(text: str) -> str:
    """Plain text as HTML, each word of the glossary marked where it is used first."""
    return "".join(term(word, piece) if word else escape(piece) for piece, word in glossary.split(text))


def heading(text: str) -> None:
    """A heading below the page's title."""
    st.html(f'<div class="operation"><h2>{escape(text)}</h2></div>')


def caption(text: str, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """A caption, its terms explained."""
    st.html(f'<div class="small soft">{marked(text)}</div>', width=width)


def notice(text: str, *, wrong: bool = False) -> None:
    """A sentence or two whose room is kept, so that nothing jumps when they change."""
    kind, role = (" wrong", ' role="alert"') if wrong else ("", "")
    st.html(f'<div class="notice small{kind}"{role}>{marked(text)}</div>')


def message(text: str, kind: Literal["plain", "note", "good", "care", "wrong"], icon: str = "") -> None:
    """A message with any text, shown as it is. `icon` is the name of a Material symbol.

    The one way for words of an address, of another visitor or of the Hub: `st.error` and its like read Markdown.
    """
    role = "alert" if kind == "wrong" else "status"
    symbol = f'<span class="symbol" data-symbol="{escape(icon)}" aria-hidden="true"></span>' if icon else ""
    st.html(f'<div class="told {kind}" role="{role}">{symbol}<span>{escape(text)}</span></div>')


def code(text: str) -> str:
    """Any text as Markdown that shows it as code, for labels, help and titles, which take no HTML.

    In a code span Streamlit reads no markup, address, formula or directive. A backslash stops none of the last three:
    they are looked for when it is gone.
    """
    text = " ".join(text.split()).replace(":material/", ":material\u2060/")  # replaced before Markdown is read
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}" if text else ""


def link(words: str, url: str) -> str:
    """A link to another site, as HTML; only its words where the address is no web address."""
    if not url.startswith(("https://", "http://")):
        return escape(words)
    return f'<a class="away" href="{escape(url)}" target="_blank" rel="noopener noreferrer">{escape(words)}</a>'


def lesson(found: Lesson) -> str:
    """A link to a lesson, as HTML."""
    return f'<a class="away" href=".{escape(found.address)}" target="_self">{escape(found.title)}</a>'


def tokens(names: Sequence[str], *, right: Sequence[str] | None = None) -> str:
    """A row of tokens; where `right` is given, those that differ from it are marked, also for eyes without colour."""
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
    """A row of cells; neighbours of one group stand in a box with its name, in the colour of this number."""
    boxes = []
    for (group, colour), run in groupby(zip(groups, colours, cells, strict=True), lambda each: each[:2]):
        inside = "".join(f'<span class="tok">{escape(cell)}</span>' for *_, cell in run)
        name = f'<span class="small">{escape(group)}</span>'
        boxes.append(f'<span class="run run-{colour % 6}">{name}{inside}</span>')
    return f'<div class="small soft">{escape(title)}</div><div class="strip">{"".join(boxes)}</div>'


def answers(rows: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str] | None]]) -> str:
    """What a model made of some inputs: (input, prediction, right answer) each, on lines that keep their height.

    None stands for an answer that is not right or wrong.
    """
    cells = []
    for source, prediction, right in rows:
        verdict = ("", "") if right is None else ("✓", "all correct") if prediction == right else ("✕", "has errors")
        cells += ['<span class="small soft">input</span>', tokens(source), "<span></span>"]
        cells += ['<span class="small soft">output</span>', tokens(prediction, right=right)]
        cells += [f'<span title="{verdict[1]}">{verdict[0]}</span>']
    return f'<div class="pairs">{"".join(cells)}</div>'


def bar(low: float, high: float, *, negative: bool = False) -> str:
    """A bar from `low` to `high`, fractions of its track from 0 to 1; the number stands beside it in words."""
    kind = "amount negative" if negative else "amount"
    return f'<span class="{kind}" aria-hidden="true" style="--low: {low:.1%}; --high: {high:.1%}"></span>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], scrolls: str = "", *, explains: bool = True) -> str:
    """A table whose cells are HTML already; its head explains the words it uses, unless they mean something else there.

    `scrolls` names a wide table, which a keyboard can then scroll.
    """
    words = marked if explains else escape
    header = "".join(f"<th>{words(name)}</th>" if name else "<td></td>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    region = f' tabindex="0" role="region" aria-label="{escape(scrolls)}"' if scrolls else ""
    return f'<div class="table-wrap"{region}><table class="examples"><tr>{header}</tr>{body}</table></div>'


def difference(text: str) -> str:
    """A unified diff whose lines are told apart by their sign, by their element and by colour."""
    tags = {"+": "ins", "-": "del"}
    lines = [(tags.get(line[:1], "span"), escape(line)) for line in text.splitlines()]
    return f'<pre class="difference"><code>{"".join(f"<{tag}>{line}</{tag}>" for tag, line in lines)}</code></pre>'


def shape(dims: Sequence[str], sizes: Sequence[int]) -> str:
    """A shape in letters and numbers, each letter explained: (B, H, T, S) = (1, 4, 6, 5)."""
    if not dims:
        return '<span class="shape">a single number</span>'
    letters = ", ".join(letter if letter.isdigit() else term(letter) for letter in dims)
    return f'<span class="shape">({letters}) = ({", ".join(map(str, sizes))})</span>'


def role(words: str) -> tuple[str, str] | None:
    """Letter and colour of what plays a part in attention, by its name ("key projection"); None for anything else."""
    letter, name = ROLES.get(words.replace("_", " ").split()[0], ("", ""))
    return (letter, diagram.COLOURS[name]) if letter else None


def operation(
    last: str, title: str, dims: Sequence[str], sizes: Sequence[int], counter: str = "", when: str = ""
) -> str:
    """The head of one operation: its letter if it plays a part in attention, its title, shape and number.

    `when` says what there is to say about the training step.
    """
    part = role(last)
    badge = f'<span class="role" aria-hidden="true" style="--role: {part[1]}">{part[0]}</span>' if part else ""
    told = f'<span class="time-told small soft" role="status">{escape(when)}</span>'
    number = f'<span class="small soft">{escape(counter)}</span>'
    return f'<div class="operation"><h2>{badge}{escape(title)}{shape(dims, sizes)}</h2>{told}{number}</div>'

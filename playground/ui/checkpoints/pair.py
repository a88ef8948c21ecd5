"""Two checkpoints side by side: settings, figures, training curves, attention, and answers to one input."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from playground.common.numbers import interval, percent
from playground.decoding import generate
from playground.experiments.comparison import format_value
from playground.settings.config import differences, parameter_counts, setting_title
from playground.storage.library import Entry
from playground.storage.validation import Summary
from playground.tasks import answer, decode, encode, example_text, task_of
from playground.ui.parts import style
from playground.ui.parts.charts import linked_charts
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session import setting_words, sources
from playground.ui.session.flash import flash
from playground.ui.session.session_keys import Key

PAIR_CHARTS = Key[Any]("pair-charts", None, "Component: charts of two checkpoints")

_attention = st.components.v2.component("playground_pair", js=loader("checkpoints/pair.ts"))


class ComparedEntry(NamedTuple):
    """One of the two checkpoints."""

    entry: Entry
    summary: Summary

    @property
    def name(self) -> str:
        """In the library."""
        return self.entry.name


def choose(one: str, other: str) -> None:
    """Callback: open the comparison of these two."""
    keys.PAIRED.set(f"{one},{other}")


def leave() -> None:
    """Callback: return to the cards."""
    keys.PAIRED.set("")


def chosen(entries: Mapping[str, Entry]) -> tuple[ComparedEntry, ComparedEntry] | None:
    """The two checkpoints to compare, or None; shows a message if a link names missing ones."""
    wanted = keys.PAIRED.get()
    names = wanted.split(",")
    sides = [ComparedEntry(entry, entry.summary) for name in names if (entry := entries.get(name)) and entry.summary]
    if len(sides) == len(names) == len(set(names)) == 2:
        return sides[0], sides[1]
    if wanted:
        keys.PAIRED.set("")
        flash("library", "One of the two checkpoints no longer exists.")
    return None


def usual_input(one: ComparedEntry) -> str:
    """Initial input for both models."""
    return example_text(one.summary.config.task)


def show(one: ComparedEntry, other: ComparedEntry) -> None:
    """Draw the comparison in place of the cards."""
    keys.TICKED.set([one.name, other.name])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Library", icon=":material/arrow_back:", on_click=leave)
        st.html(f"<h2>{escape(one.name)} and {escape(other.name)}</h2>", width="content")
    if not keys.PAIR_INPUT.get():
        keys.PAIR_INPUT.set(usual_input(one))
    st.text_input("Input for both", width=420, help="Symbols separated by spaces.", **keys.PAIR_INPUT.text)
    for column, side, colour in zip(st.columns(2, gap="large"), (one, other), (0, 1), strict=True):
        with column, st.container(gap="xsmall", key=f"pair-{colour}"):
            _show_one(side, key=f"pair-attention-{colour}")
    linked_charts.kept_charts([one.name, other.name], [_last_step(one), _last_step(other)], key=PAIR_CHARTS)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Measured**")
        st.html(style.table(("", one.name, other.name), _figures(one, other)))
    with right:
        st.markdown("**Settings that differ**")
        _show_settings(one, other)


def _show_one(side: ComparedEntry, *, key: str) -> None:
    """Draw one model's answer to the input, and its attention."""
    text = keys.PAIR_INPUT.get() or ""
    st.html(f"<b>{escape(side.name)}</b>")
    with style.error_messages():
        model = sources.checkpoint_source(side.name).model
        task = model.config.task
        source = encode(text, task)
        output = generate(model, source)
        right = None if task_of(task).continues else decode(answer(source, task), task)
        st.html(style.answers([(decode(source, task), decode(output, task), right)]))
        data = {"name": side.name, "stamp": stamp(side.entry), "input": text}
        _attention(data=data, key=key, height="content")


def stamp(entry: Entry) -> str:
    """Version of a checkpoint for the address of its pictures."""
    return f"{entry.modified:.6f}-{entry.bytes}"


def _last_step(side: ComparedEntry) -> int:
    return int(side.summary.measured.get("step", 0))


def _figures(one: ComparedEntry, other: ComparedEntry) -> list[list[str]]:
    """Rows of cells, as HTML."""
    rows = []
    for title, form in _FIGURES.items():
        values = [form(side) for side in (one, other)]
        if any(values):
            rows.append([title, *(value or "–" for value in values)])
    return rows


def _measured(key: str, form: str) -> Callable[[ComparedEntry], str]:
    def text(side: ComparedEntry) -> str:
        value = side.summary.measured.get(key)
        if value is None:
            return ""
        return percent(value) if form == "share" else format(value, form)

    return text


def _interval(measured: Mapping[str, Any]) -> str:
    return interval(measured["exact_match"], measured["sequences"]) if measured else ""


_FIGURES: dict[str, Callable[[ComparedEntry], str]] = {
    "exact match": _measured("exact_match", "share"),
    "95 % interval": lambda side: _interval(side.summary.measured),
    "token accuracy": _measured("token_accuracy", "share"),
    "held-out loss": _measured("validation_loss", ".4g"),
    "step": _measured("step", ",.0f"),
    "held-out inputs": _measured("sequences", ",.0f"),
    "parameters": lambda side: f"{sum(parameter_counts(side.summary.config).values()):,}",
    "size": lambda side: f"{side.entry.bytes / 1000:,.0f} kB",
}


def _show_settings(one: ComparedEntry, other: ComparedEntry) -> None:
    if changes := differences(one.summary.config, other.summary.config):
        rows = [
            [escape(setting_title(path)), escape(format_value(a)), escape(format_value(b))] for path, a, b in changes
        ]
        st.html(style.table(("setting", one.name, other.name), rows))
    else:
        st.caption("All settings are the same.")
    for side in (one, other):
        if changed := setting_words.change_lines(side.summary.config, side.summary.changes):
            style.caption(f"While {side.name} trained: {'; '.join(changed)}.")

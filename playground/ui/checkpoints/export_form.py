"""Export box of the selected checkpoint: format, input if the format needs one, and the file."""

from functools import partial
from html import escape

import streamlit as st

from playground import export
from playground.settings.config import RunConfig
from playground.tasks import example_text, task_of
from playground.ui.checkpoints import exports
from playground.ui.parts import measurements, style
from playground.ui.passes import subject
from playground.ui.session import identity, sources
from playground.ui.session.session_keys import Key

EXPORT_FIGURE = Key[str]("export figure", "attention", "Widget: which figure")
EXPORT_FORMAT = Key[str]("export format", "html", "Widget: format of a file to export")
EXPORT_INPUT = Key[str]("export input", "", "Widget: input of the exported pass")
EXPORT_OPEN = Key[bool]("export {}", False, "Widget: the export box of this checkpoint is open")
EXPORT_SUFFIX = Key[str]("export suffix", ".svg", "Widget: kind of picture")

# Added to the file name before its suffix; a script named copy.py would hide Python's own module.
_ENDINGS = {"attention-json": "attention", "json": "operations", "script": "training"}


def popover(name: str, config: RunConfig) -> None:
    """Draw the button, and the box for the checkpoint `name` while it is open."""
    box_open = EXPORT_OPEN.of(name)
    box = st.popover("Export", icon=":material/ios_share:", key=box_open.name, on_change="rerun")
    if box.open:
        with box, st.container(width=420):
            with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
                st.markdown(f"**Export {style.code(name)}**", width="content")
                st.button("Close", icon=":material/close:", type="tertiary", on_click=box_open.set, args=(False,))
            _show(name, config)


def _show(name: str, config: RunConfig) -> None:
    st.selectbox(
        "Format", list(export.FORMATS), format_func=lambda name: export.FORMATS[name].title, **EXPORT_FORMAT.widget
    )
    format = EXPORT_FORMAT.get()
    chosen = export.FORMATS[format]
    style.caption(f"{chosen.help}.")
    figure, suffix, text = "", chosen.suffixes[0], None
    if format == "figure":
        with st.container(horizontal=True):
            st.selectbox(
                "Figure",
                list(export.FIGURES),
                format_func=lambda name: export.FIGURES[name].title,
                **EXPORT_FIGURE.widget,
            )
            st.selectbox("File", list(chosen.suffixes), **EXPORT_SUFFIX.widget)
        figure, suffix = EXPORT_FIGURE.get(), EXPORT_SUFFIX.get()
    if export.reads(format, figure or export.ATTENTION):
        subject.digits(st.container(), config.task, "export").text_input(
            "Input",
            placeholder=example_text(config.task),
            help=f"{task_of(config.task).typing} Empty: the example.",
            **EXPORT_INPUT.text,
        )
        text = EXPORT_INPUT.get() or None
    if chosen.missing:
        needs = ", ".join(chosen.packages)
        style.message(f"This server can't write this format. Packages are missing. It needs: {needs}.", "care")
        return
    try:
        chosen.check(config.model)
    except export.TwinError as error:
        style.message(str(error), "care")
        return
    folder = sources.library().path(name)
    asked = format, text, figure or export.ATTENTION, suffix
    visitor = identity.visitor()
    exported = measurements.show(
        "export", (visitor, folder, sources.stamp_of(folder), *asked), export.made, folder, *asked, button="Export",
        stage="Exporting", costed=(config,), prepare=partial(exports.make_room, visitor),
        is_usable=lambda exported: exports.exists(visitor, exported[0]),
    )  # fmt: skip
    if exported is None:
        return
    written, note = exported
    ending = figure or _ENDINGS.get(format)
    file = f"{name}{f'-{ending}' if ending else ''}{suffix}"
    link = escape(exports.address(written, file))
    st.html(f'<a class="download" href="{link}" download>Download <code>{escape(file)}</code></a>')
    if note:
        style.caption(note)

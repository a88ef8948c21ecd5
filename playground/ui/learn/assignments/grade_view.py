"""A lecturer grades receipts: dropped files are checked in a process, and the points can be downloaded."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from playground.common.numbers import counted
from playground.common.signing import known_signer
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.grading import PROVES, SIGNED, Graded, Grading, csv_of, grade
from playground.lessons.assignments.kinds.part import AssignmentError
from playground.lessons.assignments.receipt import MAX_BYTES, PURPOSE
from playground.lessons.check.process.confinement import hide
from playground.ui.learn.assignments import receipt_files
from playground.ui.parts import measurements, style
from playground.ui.parts.code import own_machine
from playground.ui.server.assets import loader
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

BATCH = Key[str]("receipts batch", "", "Receipts that are being graded, see `receipt_files`")
FILES = Key[Any]("receipts", None, "Component: takes receipts")
GRADING = Key[Grading | None]("receipts graded", None, "The last grading of this tab")
LINK = Key[str]("receipts link", "", "Widget: link of the assignment that is graded")
RUN_CODE = Key[bool]("receipts run code", False, "Widget: students' code may run")

_files = st.components.v2.component(
    "playground_receipts", html='<div class="receipts"></div>', js=loader("learn/assignments/receipts.ts")
)


def show() -> None:
    """Draw what is graded, the progress, and the points."""
    style.caption(
        "Drop the receipts that students handed in. The server checks each signature and seed, and computes every "
        "answer again. It stores none of it: the points stay in this tab until you close it."
    )
    st.text_input(
        "Link of the assignment (optional)",
        help="Without it, the assignment of most receipts is graded.",
        width=480,
        **LINK.text,
    )
    assignment = _assignment()
    if own_machine.permitted():
        st.toggle("Run students' code on this machine", **RUN_CODE.widget)
        if RUN_CODE.get():
            style.message(
                "The code of each student runs in a process with limited time and memory. This is no sandbox: the code "
                "can read and change your files.",
                "care",
                "warning",
            )
    _files(
        key=FILES.name,
        data={
            "files": receipt_files.MAX_FILES,
            "bytes": receipt_files.MAX_TOTAL_BYTES,
            "each": MAX_BYTES,
            "tooMany": receipt_files.TOO_MANY,
        },
        height="content",
        on_batch_change=_take,
    )
    if BATCH.get():
        _progress(assignment)
    if (grading := GRADING.get()) is not None:
        _result(grading)


def _assignment() -> Assignment | None:
    """The assignment of the link, or None with a message."""
    if not LINK.get().strip():
        return None
    try:
        return Assignment.of_link(LINK.get())
    except AssignmentError as error:
        style.message(f"{error} Receipts are graded without it.", "wrong")
        return None


def _take() -> None:
    BATCH.set(str(FILES.get().batch))
    GRADING.forget()


def graded(
    files: Sequence[tuple[str, bytes]], assignment: Assignment | None, folder: Path, run_code: bool
) -> Iterator[tuple[int, int, Grading]]:
    """The gradings of files so far, for a process; `folder` has the server's key."""
    if run_code:
        hide()
    for grading in grade(files, assignment, known_signer(folder, PURPOSE), run_code=run_code):
        yield len(grading.graded), grading.total, grading


def _progress(assignment: Assignment | None) -> None:
    """Draw the progress; the result replaces the files."""
    batch, run_code = BATCH.get(), RUN_CODE.get() and own_machine.permitted()
    files = receipt_files.find(batch)
    if not files:
        style.message("No receipts are in these files, or the server has dropped them. Choose them again.", "care")
        return
    key = (batch, assignment.id if assignment else "", run_code)
    grading = measurements.show(
        "grade",
        key,
        graded,
        files,
        assignment,
        services().host.private_folder,
        run_code,
        button="Grade and run the code" if run_code else "Grade",
        starts=not run_code,
        stage="Grading",
    )
    if grading is not None:
        measurements.forget("grade", key)
        receipt_files.drop(batch)
        BATCH.forget()
        GRADING.set(grading)


def _result(grading: Grading) -> None:
    """Draw the points of all students, what was refused, and the downloads."""
    if grading.assignment is None:
        style.message("None of the files is a receipt.", "care")
    else:
        style.heading(grading.assignment.title)
        style.caption(
            f"{counted(len(grading.counting), 'receipt')} graded, {len(grading.refused)} refused. Assignment "
            f"{grading.assignment.id}, {counted(grading.assignment.points, 'point')}."
        )
    if grading.counting:
        _downloads(grading)
        _points(grading.counting)
        for kind, sentence in PROVES.items():
            if number := sum(each.signed == kind for each in grading.counting):
                style.caption(f"{counted(number, 'receipt')} {SIGNED[kind]}: {sentence}")
        _unmarked(grading)
    if grading.refused:
        style.heading("Refused")
        rows = [[escape(each.file), escape(each.refused)] for each in grading.refused]
        st.html(style.table(("File", "Reason"), rows, "Refused receipts", explains=False))
    st.button("Clear the points", icon=":material/delete:", on_click=GRADING.forget)


def _points(counting: Sequence[Graded]) -> None:
    """Draw a row for each student; columns in which all are alike are left out."""
    differ, noted = len({each.signed for each in counting}) > 1, any(each.notes for each in counting)
    head = ("Student", "Points", "By part", *["Checked"] * differ, *["Notes"] * noted)
    rows = []
    for each in counting:
        assert each.receipt
        name = f" ({each.receipt.name})" if each.receipt.name else ""
        row = [each.receipt.work.student + name, f"{each.total:g}", " + ".join(f"{part:g}" for part in each.points)]
        row += [SIGNED[each.signed]] * differ + [" ".join(each.notes)] * noted
        rows.append([escape(cell) for cell in row])
    st.html(style.table(head, rows, "Points", explains=False))


def _unmarked(grading: Grading) -> None:
    count = sum(not mark.marked for each in grading.counting for mark in each.marks)
    if count:
        how = (
            "Turn on “Run students' code”, and choose the receipts again."
            if own_machine.permitted()
            else "On your own machine, run: python -m playground grade receipts --csv points.csv --run-code"
        )
        style.message(f"{counted(count, 'answer')} with code not marked here. {how}", "note")


def _downloads(grading: Grading) -> None:
    with st.container(horizontal=True):
        for label, platform in (("Points for Moodle", "moodle"), ("Points for Canvas", "canvas")):
            st.download_button(
                label,
                data=csv_of(grading, platform),  # type: ignore[arg-type]
                file_name=f"points-{platform}.csv",
                mime="text/csv",
                icon=":material/download:",
                on_click="ignore",
            )

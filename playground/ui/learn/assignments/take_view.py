"""A student takes an assignment: begins it, answers its parts, and downloads the receipt."""

from html import escape

import streamlit as st
from itsdangerous import Signer

from playground.common.numbers import counted
from playground.common.signing import signer
from playground.lessons.assignments.assignment import MAX_WORD, PARAM, Assignment
from playground.lessons.assignments.kinds.part import AssignmentError
from playground.lessons.assignments.receipt import PURPOSE, Receipt, key_id
from playground.lessons.assignments.student_work import MAX_STUDENT, Work
from playground.ui.learn.assignments import copied_text, part_view, stored_work
from playground.ui.learn.assignments.stored_work import StoredWork
from playground.ui.parts import confirmation, style
from playground.ui.parts.confirmation import Question
from playground.ui.server.assets import loader
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, number
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

WORD = Key[str]("assignment", "", "The assignment that is open, as a link carries it")
COPIED = Key[object]("assignment receipt code", None, "Component: the code to copy")
LINK = Key[str]("assignment link", "", "Widget: link of an assignment to open")
SHOWN = Key[int]("assignment part", 1, "Widget: number of the part that is shown; 0 for the receipt")
STUDENT = Key[str]("assignment student", "", "Widget: name or number of the student")
STUDENT_NAME = Key[str]("assignment student name", "", "Widget: name beside a student's number")
REVEAL = Key[object]("assignment reveal", None, "Component: scrolls to the part that is shown")
RECEIPT = Key[Receipt | None]("assignment receipt", None, "The last receipt of this tab")

PARAMS = (QueryParam(PARAM, WORD, longest=MAX_WORD), QueryParam("q", SHOWN, number(2)))

_FINISH = 0  # in `SHOWN`

_reveal = st.components.v2.component(
    "playground_reveal", html="<span></span>", js=loader("learn/assignments/reveal.ts")
)


def show() -> None:
    """Draw the assignment of the link, or what can be opened."""
    if not WORD.get():
        _choose()
        return
    try:
        assignment = Assignment.of_word(WORD.get())
    except AssignmentError as error:
        style.message(str(error), "wrong", "error")
        _choose()
        return
    stored = stored_work.find(assignment.id)
    if stored is None:
        _begin(assignment)
    else:
        _work(assignment.id)


def own_signer() -> Signer:
    """Signs receipts with this server's key."""
    return signer(services().host.private_folder, PURPOSE)


def open_assignment(word: str) -> None:
    """Open an assignment in this tab."""
    keys.ASSIGNMENTS.set("take")
    WORD.set(word)
    SHOWN.set(1)
    RECEIPT.forget()


# --- before an assignment is open ---


def _choose() -> None:
    """Draw the field for a link, and the assignments that the student has begun."""
    style.caption("Open the link that your lecturer gave you, or paste it here.")
    with st.form("assignment link form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Link of the assignment", max_chars=LINK.max_chars, key=LINK.name, width=480)
        st.form_submit_button("Open", type="primary", on_click=_open_link)
    style.flashed("assignment link")
    works = stored_work.all_works()
    if works:
        style.heading("Your assignments")
    for stored in works:
        assignment = stored.work.assignment
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"assigned-{assignment.id}"):
            about = f"{stored.work.points:g} of {assignment.points} points, as {stored.work.student}"
            st.html(
                f'<div class="lesson-row"><h2>{escape(assignment.title)}</h2>'
                f'<div class="small soft">{escape(about)}</div></div>'
            )
            st.button("Continue", key=f"continue {assignment.id}", on_click=open_assignment, args=(assignment.word,))
            _delete_button(stored)


def _open_link() -> None:
    with style.error_messages("assignment link"):
        open_assignment(Assignment.of_link(LINK.get()).word)


def _delete_button(stored: StoredWork) -> None:
    if st.button("Delete", key=f"delete {stored.work.assignment.id}", icon=":material/delete:"):
        confirmation.ask(
            Question(
                title="Delete your work?",
                icon="delete",
                text="Your answers to this assignment are deleted from this server. Receipts that you have downloaded "
                "stay valid.",
                agree="Delete",
                agree_icon="delete",
                act=lambda: _delete(stored.work.assignment.id),
                place="assignment link",
            )
        )
        confirmation.open_asked()


def _delete(assignment_id: str) -> None:
    stored_work.delete(assignment_id)
    RECEIPT.forget()


def _head(assignment: Assignment) -> None:
    """Draw what the lecturer wrote, as text."""
    style.heading(assignment.title)
    if assignment.about:
        style.message(assignment.about, "plain")
    tries = counted(assignment.tries, "wrong answer") if assignment.tries else "any number of wrong answers"
    facts = (
        f"{counted(len(assignment.parts), 'part')}, {counted(assignment.points, 'point')}. Each part allows {tries}."
    )
    style.caption(facts + (f" Deadline: {assignment.deadline}" if assignment.deadline else ""), terms=False)
    if assignment.server and assignment.server != key_id(own_signer()):
        style.message(
            "Receipts of this assignment must be signed by another server, so receipts from here don't count. Open the "
            "link that your lecturer gave you.",
            "care",
        )


def _begin(assignment: Assignment) -> None:
    """Draw the parts and the field for the student's name."""
    _head(assignment)
    rows = [[str(index), escape(part.title), str(part.points)] for index, part in enumerate(assignment.parts, 1)]
    st.html(style.table(("Part", "Question", "Points"), rows, explains=False))
    host = services().host
    where = "on this server" if host.shared else "on the computer that runs this app"
    until = f" They are deleted {host.expiry_days:g} days after your last visit." if host.expiry_days else ""
    style.message(
        f"Nothing is stored until you begin. Then your name or number and your answers are stored {where}, for this "
        f"browser only.{until} Your lecturer gets them in the receipt that you hand in.",
        "note",
        "shield",
    )
    with st.form("assignment begin", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Name or number",
            max_chars=MAX_STUDENT,
            key=STUDENT.name,
            width=320,
            help="Your questions follow from it, so type it exactly as your lecturer knows you.",
        )
        st.form_submit_button("Begin", type="primary", on_click=_begun, args=(assignment,))
    style.flashed("assignment begin")


def _begun(assignment: Assignment) -> None:
    with style.error_messages("assignment begin"):
        stored_work.begin(assignment, STUDENT.get().strip())


# --- work ---


def _work(assignment_id: str) -> None:
    """Draw the work on an assignment: points, the switch of the parts, and one of them."""
    stored = stored_work.find(assignment_id)
    if stored is None:  # deleted in another tab
        st.rerun()
    work, assignment = stored.work, stored.work.assignment
    _head(assignment)
    shown = min(SHOWN.get(), len(assignment.parts))
    SHOWN.set(shown)
    with st.container(horizontal=True, vertical_alignment="center", key="assignment-parts"):
        numbers = [*range(1, len(assignment.parts) + 1), _FINISH]
        st.segmented_control(
            "Part",
            numbers,
            required=True,
            format_func=lambda index: _label(work, index),
            label_visibility="collapsed",
            **SHOWN.widget,
        )
        style.caption(f"{work.student}: {work.points:g} of {assignment.points} points", width="content", terms=False)
        _reveal(key=REVEAL.name, data={"shown": shown}, width="content", height="content")
    if shown == _FINISH:
        _finish(stored)
    else:
        part_view.show(stored, shown - 1)
        _go_on(len(assignment.parts), shown)


def _label(work: Work, index: int) -> str:
    if index == _FINISH:
        return "Receipt"
    attempt = work.attempts[index - 1]
    sign = " ✓" if attempt.marked and attempt.share == 1 else " ✕" if work.is_closed(index - 1) else ""
    return f"{index:d}{sign}"


def _go_on(parts: int, shown: int) -> None:
    following = shown + 1 if shown < parts else _FINISH
    st.button(
        "Next part" if following else "To the receipt",
        icon=":material/arrow_forward:",
        on_click=SHOWN.set,
        args=(following,),
        key="next part",
    )


# --- the receipt ---


def _finish(stored: StoredWork) -> None:
    """Draw the receipt, and the points of all parts."""
    work, assignment = stored.work, stored.work.assignment
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if _is_number(work.student):
            st.text_input(
                "Name beside the number (optional)",
                max_chars=MAX_STUDENT,
                width=320,
                help="Your lecturer sees it beside your number.",
                **STUDENT_NAME.widget,
            )
        st.button("Make the receipt", type="primary", icon=":material/receipt_long:", on_click=_make, args=(stored,))
    style.flashed("assignment receipt")
    receipt = RECEIPT.get()
    if receipt is not None and receipt.work.assignment.id == assignment.id:
        _receipt(receipt, work)
    if _signs(assignment):
        style.caption(
            "This server signs the receipt. The signature proves the answers, hints and wrong answers that were "
            "counted here. It doesn't prove who sat at the keyboard."
        )
    else:
        style.caption(
            "This server doesn't sign receipts. Your lecturer's computer computes every answer again. "
            "This proves the answers. It doesn't prove how many hints or tries they took."
        )
    rows = [
        [str(index + 1), escape(part.title), _state(work, index), f"{work.points_of(index):g} of {part.points}"]
        for index, part in enumerate(assignment.parts)
    ]
    st.html(style.table(("Part", "Question", "State", "Points"), rows, explains=False))
    _delete_button(stored)


def _state(work: Work, index: int) -> str:
    attempt = work.attempts[index]
    if not attempt.answer:
        return "Not answered"
    if not attempt.marked:
        return "Handed in"
    return "Solved" if attempt.share == 1 else "Partly right" if attempt.share else "Not solved"


def _is_number(student: str) -> bool:
    """Whether a student began with a number: most of its characters are digits."""
    return 2 * sum(map(str.isdigit, student)) > len(student)


def _signs(assignment: Assignment) -> bool:
    """Whether this server vouches for receipts: not on a student's own machine."""
    return services().host.shared or assignment.server == key_id(own_signer())


def _make(stored: StoredWork) -> None:
    latest = stored_work.find(stored.work.assignment.id) or stored
    signs = own_signer() if _signs(latest.work.assignment) else None
    name = STUDENT_NAME.get().strip() if _is_number(latest.work.student) else ""
    with style.error_messages("assignment receipt"):
        RECEIPT.set(Receipt.of(latest.work, signs, name=name))


def _receipt(receipt: Receipt, work: Work) -> None:
    """Draw the code and the download."""
    with st.container(border=True, key="assignment-receipt"):
        st.html(
            f'<div class="small soft">Receipt with {receipt.total:g} of {work.assignment.points:d} points. '
            f"Hand in the file. The code identifies it.</div>"
        )
        st.download_button(
            "Download the receipt",
            data=receipt.as_json,
            file_name=receipt.file_name,
            mime="application/json",
            icon=":material/download:",
            type="primary",
            on_click="ignore",
        )
        copied_text.show(COPIED, "Code of the receipt", receipt.code, action="Copy code", large=True)
        if receipt.work != work:
            style.message("You have worked on since. Make the receipt again to hand in your newest answers.", "care")

"""Check my code view: runs the check on one's own machine; a shared host shows the command instead."""

import re
from html import escape
from typing import Any

import streamlit as st

from playground.lessons.check.causes import lesson_of
from playground.lessons.check.checking import PARTS
from playground.lessons.check.parts import PARTS as COMPARED
from playground.lessons.check.process.confinement import MEMORY_MB
from playground.lessons.check.templates import TEMPLATES
from playground.lessons.check.verdict import CheckError, Verdict, listed, part_in_words
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.learn.check import own_code
from playground.ui.parts import style
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.editor import Editor, show_line
from playground.ui.session.address import QueryParam, QueryParams, one_of
from playground.ui.session.session_keys import Key

CHECK_CODE = Key[str]("check code", "", "Widget: the visitor's code to check")
CHECK_FILE = Key[Any]("check file", None, "Component: a file with code to check")
CHECK_MASK = Key[str]("check mask", "unsaid", "Widget: what True in a mask does")
CHECK_PART = Key[str]("check part", "attention", "Widget: part to check")
CHECK_REPLACED = Key[str]("check replaced", "", "Code that a template or a file replaced")
CHECK_PROBLEM = Key[str]("check problem", "", "Why there was no check")
CHECK_BUILD = Key[str]("check build", "", "Widget: expression that builds what is checked")
CHECK_CALL = Key[str]("check call", "", "Widget: expression that calls it")

MEANINGS = {"unsaid": "Not specified", "keep": "Keeps the key", "hide": "Hides the key"}
"""Effect of True in a mask on a key."""

MASKED = {"masks", *(name for name, part in COMPARED.items() if any(argument.masks for argument in part.arguments))}
"""Parts that take a mask."""

EDITOR = Editor("check", TEMPLATES.values(), code=CHECK_CODE, file=CHECK_FILE, replaced=CHECK_REPLACED)

ADDRESS = QueryParams(
    "check", QueryParam("part", CHECK_PART, one_of(PARTS)), QueryParam("mask", CHECK_MASK, one_of(MEANINGS))
)


def show() -> None:
    """Draw the form and the verdict, or the command for one's own machine."""
    style.caption(
        "Check your own PyTorch or NumPy code. The app runs your code, compares its results with the "
        "formulas, and names the mistake."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="check-choice"):
        st.selectbox("Part", PARTS, format_func=_words, on_change=_turned, width=280, **CHECK_PART.widget)
        if CHECK_PART.get() in MASKED:
            st.segmented_control(
                "True in the mask",
                MEANINGS,
                format_func=MEANINGS.__getitem__,
                required=True,
                help="What True does to a key. If not specified, the argument's name or the docstring decides. "
                "Otherwise both meanings are tried.",
                **CHECK_MASK.widget,
            )
    ADDRESS.keep()
    if own_machine.permitted():
        _form()
    else:
        own_machine.refusal("check")
        _command()


def _form() -> None:
    """Draw the code, and the verdict beside it."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        EDITOR.begin(TEMPLATES[CHECK_PART.get()])
        st.text_area("Your code", height=420, on_change=EDITOR.typed, **CHECK_CODE.text)
        with st.container(horizontal=True, key="check-acts"):
            st.button("Check", key="check", type="primary", icon=":material/fact_check:", on_click=_check)
            EDITOR.buttons(TEMPLATES[CHECK_PART.get()])
        EDITOR.choose(CHECK_PROBLEM.set)
        with st.expander("How to create and call your class"):
            st.text_input(
                "Build (--build)",
                placeholder="GPT(Config())",
                help="An expression for what is checked. Without it, a class or function with a usual name is checked; "
                "a class is built with small sizes.",
                **CHECK_BUILD.text,
            )
            st.text_input(
                "Call (--call)",
                placeholder="model(idx)",
                help="Says which argument is what: q, k, v, x, src, tgt, idx, memory, mask, src_mask and other usual "
                "names stand for what the check gives.",
                **CHECK_CALL.text,
            )
    with right:
        st.fragment(_outcome)()


def _command() -> None:
    """Draw the commands for one's own machine."""
    part, mask = CHECK_PART.get(), _mask()
    st.markdown("**On the command line**")
    option = f" --mask {mask}" if mask else ""
    st.code(f"python -m playground check {own_code.FILE_NAME} --part {part}{option}", language=None, wrap_lines=True)
    st.markdown("**In Python**")
    option = f', mask="{mask}"' if mask else ""
    st.code(
        f'import playground\n\nprint(playground.check("{own_code.FILE_NAME}", part="{part}"{option}))',
        language=None,
        wrap_lines=True,
    )
    with st.expander("A template for this part"):
        st.code(TEMPLATES[part], language=None, wrap_lines=True)


def _outcome() -> None:
    """Draw the verdict of the last check, or its progress; redraws while it runs."""
    check, problem = own_code.CHECKS.latest(), CHECK_PROBLEM.get()
    if problem:
        style.message(problem, "wrong", "error")
    elif check is None:
        own_machine.limits(MAX_SECONDS, MEMORY_MB)
    elif check.running:
        own_code.CHECKS.show_running(check)
    elif check.cancelled:
        style.message("The check was cancelled.", "plain", "cancel")
    elif check.outcome:
        _verdict(check.asked, check.outcome)


def _verdict(asked: own_code.AskedCheck, verdict: Verdict) -> None:
    kinds = {
        "right": ("good", "check_circle"),
        "wrong": ("wrong", "cancel"),
        "unknown": ("care", "help"),
        "error": ("care", "error"),
    }
    kind, icon = kinds[verdict.verdict]
    style.message(verdict.summary, kind, icon)  # type: ignore[arg-type]
    rows = []
    if verdict.cause:
        rows.append(["Mistake", f'<code class="small">{escape(verdict.cause)}</code>'])
    if verdict.agrees:
        rows.append(["Correct up to the first difference", _names(listed(verdict.agrees))])
    if verdict.where:
        rows.append(["First difference", _names(verdict.where)])
    if verdict.difference is not None and verdict.verdict == "wrong":
        rows.append(["Difference from the formula", f"{verdict.difference:.3g}"])
    if lesson := lesson_of(verdict.cause):
        rows.append(["Lesson", style.lesson(lesson)])
    if rows:
        st.html(style.table((_words(verdict.part), "Result"), rows))
    show_line(asked.code, verdict.line)
    if verdict.found:
        style.caption(verdict.found)
    if asked != _asked(CHECK_CODE.get()):
        style.caption("The code or the choice has changed since this check.")


def _names(text: str) -> str:
    """Name of an intermediate value as HTML with line breaks allowed at dots, but not within numbers."""
    return f'<code class="small">{re.sub(r"[.](?![0-9])", ".<wbr>", escape(text))}</code>'


def _words(part: str) -> str:
    """Label of a part."""
    return part_in_words(part).capitalize()


def _mask() -> str | None:
    """Effect of True in a mask on a key, if chosen and relevant for the part."""
    meaning = CHECK_MASK.get()
    return meaning if meaning != "unsaid" and CHECK_PART.get() in MASKED else None


def _asked(code: str) -> own_code.AskedCheck:
    """What the form asks for."""
    build, call = CHECK_BUILD.get().strip(), CHECK_CALL.get().strip()
    return own_code.AskedCheck(code, CHECK_PART.get(), _mask(), build, call)


def _check() -> None:
    CHECK_PROBLEM.set("")
    try:
        own_code.begin(_asked(EDITOR.text()))
    except CheckError as error:
        CHECK_PROBLEM.set(str(error))


def _turned() -> None:
    """Insert the template of the new part, unless the field has the visitor's own code."""
    if not EDITOR.is_own:
        EDITOR.put(TEMPLATES[CHECK_PART.get()])

"""Write a test view: runs a visitor's tests on wrong models; a shared host shows the command instead."""

from html import escape
from typing import Any

import streamlit as st

from playground.lessons.check.process.confinement import MEMORY_MB
from playground.lessons.check.verdict import CheckError
from playground.lessons.examine.examination import Examination, Result
from playground.lessons.examine.template import TEMPLATE
from playground.lessons.mistakes.table import EXAMINED
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.learn import pitfall_parts
from playground.ui.learn.check import own_tests
from playground.ui.parts import style
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.editor import Editor, show_line
from playground.ui.session.address import QueryParams
from playground.ui.session.session_keys import Key

TESTS_CODE = Key[str]("tests code", "", "Widget: the visitor's tests")
TESTS_FILE = Key[Any]("tests file", None, "Component: a file with tests")
TESTS_MISTAKE = Key[str | None]("tests mistake", None, "Widget: mistake whose code is shown")
TESTS_PROBLEM = Key[str]("tests problem", "", "Why the tests did not run")
TESTS_REPLACED = Key[str]("tests replaced", "", "Tests that a template or a file replaced")
TESTS_SHOWN = Key[list[str]]("tests shown", list, "Mistakes whose code was shown before a test caught them")

ADDRESS = QueryParams("examine")
"""No link chooses what runs."""

EDITOR = Editor("tests", (TEMPLATE,), code=TESTS_CODE, file=TESTS_FILE, replaced=TESTS_REPLACED)


def show() -> None:
    """Draw the form and the result, or the command for one's own machine."""
    style.heading("Write tests that catch the mistakes")
    style.caption(
        f"The app has correct models and {len(EXAMINED)} models with one classic mistake each. Your tests "
        "catch a mistake if they accept every correct model and refuse the one with the mistake."
    )
    ADDRESS.keep()
    if own_machine.permitted():
        st.fragment(_form)()
    else:
        own_machine.refusal("run")
        _command()


def _form() -> None:
    """Draw the tests, the sentences of their result beside them, and below them what each one catches."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        EDITOR.begin(TEMPLATE)
        st.text_area("Your tests", height=420, on_change=EDITOR.typed, **TESTS_CODE.text)
        with st.container(horizontal=True, key="tests-acts"):
            st.button("Run tests", key="tests", type="primary", icon=":material/fact_check:", on_click=_run)
            EDITOR.buttons(TEMPLATE)
        EDITOR.choose(TESTS_PROBLEM.set)
    with right:
        result = _outcome()
    if result and not result.error:
        _table(result)
        _mistake(result.caught)


def _command() -> None:
    """Draw the commands for one's own machine."""
    st.markdown("**On the command line**")
    st.code(
        f"python -m playground examine --template > {own_tests.FILE_NAME}\n"
        f"python -m playground examine {own_tests.FILE_NAME}",
        language=None,
        wrap_lines=True,
    )
    st.markdown("**In Python**")
    st.code(f'import playground\n\nprint(playground.examine("{own_tests.FILE_NAME}"))', language=None, wrap_lines=True)
    with st.expander("The template"):
        st.code(TEMPLATE, language=None, wrap_lines=True)


def _run() -> None:
    TESTS_PROBLEM.set("")
    try:
        own_tests.begin(EDITOR.text())
    except CheckError as error:
        TESTS_PROBLEM.set(str(error))


def _outcome() -> Examination | None:
    """Draw the sentences of the last run's result, or its progress; redraws while it runs."""
    run, problem = own_tests.EXAMINATIONS.latest(), TESTS_PROBLEM.get()
    if problem:
        style.message(problem, "wrong", "error")
    elif run is None:
        own_machine.limits(MAX_SECONDS, MEMORY_MB)
    elif run.running:
        own_tests.EXAMINATIONS.show_running(run)
    elif run.cancelled:
        style.message("The run was cancelled.", "plain", "cancel")
    elif run.outcome:
        _sentences(run.outcome, run.asked)
        if run.asked != TESTS_CODE.get():
            style.caption("The tests have changed since this run.")
        return run.outcome
    return None


def _sentences(result: Examination, code: str) -> None:
    """Draw false alarms first, then errors, then how many mistakes are caught."""
    if result.error:
        style.message(result.error, "care", "error")
        show_line(code, result.error_line)
        return
    for test in result.tests:
        if test.false_alarm:
            style.message(f"{test.name} {test.says}", "wrong", "cancel")
    for test in result.tests:
        if test.error:
            style.message(f"{test.name}: {test.error}", "care", "error")
            show_line(code, test.error_line)
    style.message(
        result.summary, "good" if result.is_complete else "note", "check_circle" if result.is_complete else ""
    )


def _table(result: Examination) -> None:
    """Draw all mistakes and what each test, by its number, says of them; then the tests by name."""
    caught = result.caught
    rows = [
        [escape(mistake.title), _mark("all tests", name in caught), *(_cell(test, name) for test in result.tests)]
        for name, mistake in EXAMINED.items()
    ]
    heads = ("Mistake", "All", *map(str, range(1, len(result.tests) + 1)))
    table = style.table(heads, rows, scrolls="What each test catches", explains=False)
    tests = "".join(f"<li><code>{escape(test.name)}</code></li>" for test in result.tests)
    st.html(f'<div class="tests-table">{table}<ol class="small">{tests}</ol></div>')
    style.caption(
        "✓ caught, ✕ missed, – this part of the model can't have the mistake, ! the test accuses right code or raises "
        "an error.",
        terms=False,
    )


def _cell(test: Result, mistake: str) -> str:
    """What a test says of a mistake."""
    if test.false_alarm or test.error:
        return _sign("!", f"{test.name}: {'accuses right code' if test.false_alarm else 'error'}")
    if mistake in (*test.catches, *test.misses):
        return _mark(test.name, mistake in test.catches)
    return _sign("–", f"{test.name}: can't have it")


def _mark(who: str, catches: bool) -> str:
    return _sign("<b>✓</b>", f"{who}: caught") if catches else _sign("✕", f"{who}: missed")


def _sign(sign: str, words: str) -> str:
    """A sign with its words for a pointer and a screen reader."""
    return f'<span role="img" aria-label="{escape(words)}" title="{escape(words)}">{sign}</span>'


def _mistake(caught: list[str]) -> None:
    """Draw a mistake of choice: its difference to the right code once it is caught, before that a hint."""

    def label(name: str) -> str:
        return f"{EXAMINED[name].title} ({'caught' if name in caught else 'not caught'})"

    name = st.selectbox("Look at a mistake", list(EXAMINED), index=None, format_func=label, **TESTS_MISTAKE.widget)
    if name is None:
        return
    if name in caught or name in TESTS_SHOWN.get():
        pitfall_parts.show_mistake(name)
        return
    style.message(f"Test this: {EXAMINED[name].hint}", "note", "lightbulb")
    st.html(f'<p class="small">Lesson: {style.lesson(EXAMINED[name].lesson)}</p>')
    st.button("Show the code", icon=":material/visibility:", on_click=_show_code, args=(name,))


def _show_code(name: str) -> None:
    TESTS_SHOWN.set([*TESTS_SHOWN.get(), name])

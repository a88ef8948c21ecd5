"""Your own code view: steps through one pass of a person's own file; a shared host shows the command instead."""

import shlex
from pathlib import Path
from typing import Any

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import PlaygroundError
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.lessons.own_code.trace_process import MEMORY_MB, TracedFile
from playground.recording.notebook_cells import ENDING
from playground.ui.parts import style
from playground.ui.parts.code import code_file, own_machine
from playground.ui.parts.code.code_file import CodeFile
from playground.ui.parts.code.code_jobs import MAX_VISITORS
from playground.ui.server.assets import loader
from playground.ui.session import identity
from playground.ui.session.address import QueryParams
from playground.ui.session.session_keys import Key
from playground.ui.step import own_pass

OWN_FILE = Key[Any]("own file", None, "Component: a file to trace")
OWN_PATH = Key[str]("own path", "", "Widget: path of a file to trace")
OWN_BUILD = Key[str]("own build", "", "Widget: expression that builds what is traced")
OWN_CALL = Key[str]("own call", "", "Widget: expression that calls it")
OWN_GRADIENTS = Key[bool]("own gradients", False, "Widget: gradients are traced, too")
OWN_PROBLEM = Key[str]("own problem", "", "Why there is no pass")

ADDRESS = QueryParams("own")
"""No link chooses what runs."""

_ENDINGS = (".py", ENDING)

_files: BoundedCache[str, CodeFile] = BoundedCache(MAX_VISITORS * code_file.MAX_BYTES, lambda file: len(file.text))

_pass = st.components.v2.component("playground_own_pass", js=loader("step/own_pass.ts"))


def show() -> None:
    """Draw the form and the pass, or the command for one's own machine."""
    style.caption(
        "Step through your own PyTorch code: every operation of one forward pass, its statement, its numbers, and what "
        "each cell was computed from."
    )
    if not own_machine.permitted():
        own_machine.refusal("trace")
        st.code(command("my_gpt.py", "GPT(Config())", "model(torch.zeros(1, 8, dtype=int))"), language=None)
        return
    with st.container(key="own-form", gap="small"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            code_file.choose(OWN_FILE, _ENDINGS, _chosen)
            st.text_input(
                "Path on this machine",
                placeholder="~/my_gpt.py",
                help="Files and packages beside it can be imported.",
                width=320,
                **OWN_PATH.text,
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.text_input(
                "Build (--build)",
                placeholder="GPT(Config())",
                help="An expression for the module. Default: the last class of the file.",
                width=320,
                **OWN_BUILD.text,
            )
            st.text_input(
                "Call (--call)",
                placeholder="model(torch.rand(2, 5, 16))",
                help="An expression for the pass. `model` is what was built. Default: inputs that fit its arguments.",
                width=320,
                **OWN_CALL.text,
            )
            st.toggle(
                "Gradients",
                help="Of the sum of the first output, and what each gradient was computed from.",
                **OWN_GRADIENTS.widget,
            )
            st.button("Trace", key="trace", type="primary", icon=":material/footprint:", on_click=_trace)
        file = _files.get(identity.visitor())
        if file and not OWN_PATH.get():
            style.caption(f"File: {file.name}, {len(file.text):,} characters", terms=False)
    st.fragment(_outcome)()


def command(file: str, build: str, call: str) -> str:
    """The command that draws the same page."""
    options = [f"--build {shlex.quote(build)}" if build else "", f"--call {shlex.quote(call)}" if call else ""]
    return " ".join(filter(None, ["python -m playground trace", shlex.quote(file), *options, "--out pass.html"]))


def _outcome() -> None:
    """Draw the last pass, or its progress; redraws while it is traced."""
    trace, problem = own_pass.TRACES.latest(), OWN_PROBLEM.get()
    if problem:
        style.message(problem, "wrong", "error")
    elif trace is None:
        own_machine.limits(MAX_SECONDS, MEMORY_MB)
    elif trace.running:
        own_pass.TRACES.show_running(trace)
    elif trace.cancelled:
        style.message("The trace was cancelled.", "plain", "cancel")
    elif trace.outcome:
        if trace.asked != _asked():
            style.caption("The file or an expression has changed since this trace.")
        if trace.outcome.name:
            _pass(key="own-pass", data={"pass": trace.outcome.name}, height="content")
        else:
            _problem(trace.outcome.traced)


def _problem(traced: TracedFile) -> None:
    style.message(traced.problem, "care", "error")
    if traced.lines:
        marked = [f"{'>' if number == traced.line else ' '}{number:4}  {text}" for number, text in traced.lines]
        st.code("\n".join(marked), language=None)


def _asked() -> own_pass.AskedTrace:
    """What the form asks for."""
    path = OWN_PATH.get().strip()
    file = None if path else _files.get(identity.visitor())
    return own_pass.AskedTrace(file, path, OWN_BUILD.get().strip(), OWN_CALL.get().strip(), OWN_GRADIENTS.get())


def _trace() -> None:
    OWN_PROBLEM.set("")
    try:
        own_pass.begin(_asked())
    except PlaygroundError as error:
        OWN_PROBLEM.set(str(error))


def _chosen(file: CodeFile | str) -> None:
    """Keep a chosen file, or store an error message."""
    if isinstance(file, CodeFile) and own_machine.permitted():
        OWN_PROBLEM.set("")
        OWN_PATH.set("")
        _files.put(identity.visitor(), CodeFile(Path(file.name).name, file.text))
    elif isinstance(file, str):
        OWN_PROBLEM.set(file)

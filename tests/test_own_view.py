"""Step through one's own code on the page: the form on one's own machine, the command on a shared host."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from playground.lessons.check.verdict import CheckError
from playground.lessons.own_code.trace_process import TraceProcess
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.code_file import CodeFile
from playground.ui.server import peers
from playground.ui.step import own_pass
from tests.foreign_text import SHORT, markup
from tests.helpers import HANG, first, messages, mounts, prose, tell, until
from tests.pages import button, fine, host, new_tab, page  # noqa: F401
from tests.pages import visitor as visitor_of

MINE = """
import torch
from torch import nn

class Mine(nn.Module):
    def __init__(self, wide=4):
        super().__init__()
        self.inner = nn.Linear(wide, wide)

    def forward(self, x):
        return torch.relu(self.inner(x))  # </script><b>hi</b>
"""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch):
    """The browser of these tests has no address."""
    monkeypatch.setattr(own_machine, "_is_here", lambda: True)


def opened(**seeded: object) -> AppTest:
    return page("step_through.py", **{"step_through view": "own"}, **seeded)


def choose(app: AppTest, name: str, text: str) -> AppTest:
    """Choose a file in the form."""
    tell(app, *(found for found, _ in mounts(app, "endings")), triggers={"chosen": {"name": name, "text": text}})
    return fine(app)


def trace(app: AppTest, build: str = "", call: str = "") -> AppTest:
    """The page once there is a pass or a problem."""
    app.text_input(key="own build").set_value(build).run()
    app.text_input(key="own call").set_value(call).run()
    button(app, "Trace").click().run()
    until(lambda: not any(each.label == "Cancel" for each in app.run().button))
    return fine(app)


def shown(app: AppTest) -> dict:
    """What the browser reads of the pass on the page."""
    ((_, data),) = mounts(app, "pass")
    return json.loads(own_pass._passes.get(data["pass"]))


def test_a_file_that_was_chosen_is_traced():
    app = trace(choose(opened(), "mine.py", MINE), "Mine(2)", "model(torch.ones(1, 2))")
    data = shown(app)
    assert data["title"] == "mine.py: Mine"
    assert [operation["function"] for operation in data["operations"]] == ["linear", "relu"]
    assert all(tensor["gradient"] is None for tensor in data["tensors"])
    assert "# </script><b>hi</b>" in data["sources"][0]["text"]
    assert "changed since" not in prose(app)
    app.text_input(key="own build").set_value("Mine(3)").run()
    assert "The file or an expression has changed since this trace." in prose(app)


def test_a_path_on_this_machine_is_traced_with_what_stands_beside_it(tmp_path: Path):
    (tmp_path / "parts.py").write_text("def double(x):\n    return x * 2\n")
    (tmp_path / "mine.py").write_text("from parts import double\n\ndef twice(x):\n    return double(double(x))\n")
    app = opened()
    app.toggle(key="own gradients").set_value(True).run()
    app.text_input(key="own path").set_value(str(tmp_path / "mine.py")).run()
    data = shown(trace(app, call="twice(torch.ones(2))"))
    assert [operation["function"] for operation in data["operations"]] == ["mul", "mul"]
    assert all(tensor["gradient"] for tensor in data["tensors"])


def test_a_notebook_is_traced():
    cells = [{"cell_type": "code", "source": ["%load_ext x\n", *MINE.splitlines(keepends=True)]}]
    data = shown(trace(choose(opened(), "mine.ipynb", json.dumps({"cells": cells})), "", "model(torch.ones(1, 4))"))
    assert data["title"] == "mine.ipynb: Mine"


def test_what_the_code_raises_is_shown_with_its_line():
    app = choose(opened(), "mine.py", 'def f(x):\n    raise ValueError("<b>**oh**</b> [x](//foreign.io)")\n')
    app = trace(app, call="f(1)")
    (message,) = messages(app, "care")
    assert "ValueError: <b>**oh**</b>" in message
    assert "(mine.py, line 2)" in message
    assert any(">   2      raise ValueError" in each.value for each in app.code)
    assert not markup(app)


def test_a_line_of_a_notebook_is_counted_in_its_code_cell():
    sources = ["%load_ext x\nimport torch\n", "", "def f(x):\n    return x\n\ndef g(x):\n    raise ValueError(x)"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    cells.insert(1, {"cell_type": "markdown", "source": "# Text"})
    app = trace(choose(opened(), "mine.ipynb", json.dumps({"cells": cells})), call="g(1)")
    assert "(mine.ipynb, code cell 3, line 5)" in messages(app, "care")[0]
    (lines,) = (each.value for each in app.code)
    assert lines.splitlines() == ["    3  ", "    4  def g(x):", ">   5      raise ValueError(x)"]


@pytest.mark.parametrize("text", first(1, SHORT[::3], of=4))
def test_what_the_code_says_is_text(text: str):
    app = trace(choose(opened(), f"{text[:20]}.py".replace("/", ""), f"raise ValueError({text!r})\n"))
    assert text in messages(app, "care")[0]
    assert not markup(app)


def test_a_trace_can_be_cancelled_and_tells_its_progress():
    app = choose(opened(), "mine.py", "while True:\n    pass\n")
    visitor = visitor_of(app)
    button(app, "Trace").click().run()
    assert "The limit is 60 s." in messages(app, "plain")[0]
    fields = own_pass.TRACES.fields(visitor)
    assert fields["progress"].startswith("Tracing your code: ")
    process = own_pass.TRACES._jobs[visitor]._process._process._process
    button(app, "Cancel").click().run()
    assert messages(fine(app), "plain") == ["The trace was cancelled."]
    assert process.wait(HANG) is not None
    assert own_pass.TRACES.fields(visitor) == {}


def test_the_form_and_the_pass_survive_another_page_and_a_reload():
    app = trace(choose(opened(), "mine.py", MINE), "Mine(2)", "model(torch.ones(1, 2))")
    ((_, before),) = mounts(app, "pass")
    app.switch_page("pages/learn.py").run()
    app.switch_page("pages/step_through.py").run()
    assert not mounts(fine(app), "pass")  # links lead to a model
    app.button_group(key="step_through view").set_value("own").run()
    assert app.text_input(key="own build").value == "Mine(2)"
    assert app.text_input(key="own call").value == "model(torch.ones(1, 2))"
    assert "mine.py" in prose(app)
    assert mounts(fine(app), "pass")[0][1] == before
    again = opened(visitor=app.session_state["visitor"])
    assert "mine.py" in prose(again)
    assert mounts(again, "pass")[0][1] == before
    assert not mounts(opened(), "pass")


def test_bad_files_are_refused_in_a_sentence():
    app = opened()
    button(app, "Trace").click().run()
    assert messages(app, "wrong") == ["There is no file yet. Choose one, or type its path."]
    tell(app, *(found for found, _ in mounts(app, "endings")), triggers={"chosen": {"problem": "other"}})
    assert "ends in .py or .ipynb" in messages(fine(app), "wrong")[0]
    app.text_input(key="own path").set_value("no/such/file.py").run()
    app = trace(app)
    assert "There is no file " in messages(app, "wrong")[0]
    app.text_input(key="own path").set_value("a\0b.py").run()
    button(app, "Trace").click().run()
    assert "There is no file " in messages(fine(app), "wrong")[0]


def test_a_shared_host_has_no_form_and_gives_the_command(host, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr(own_pass, "TraceProcess", pytest.fail)
    host(mode="shared")
    app = new_tab("step_through.py", view="own")
    assert not app.text_input
    assert not mounts(app, "endings")
    assert "Trace" not in {each.label for each in app.button}
    (message,) = messages(app, "note")
    assert "never runs visitors' code" in message
    assert any(each.value.startswith("python -m playground trace my_gpt.py --build") for each in app.code)


HOSTS = {
    "shared": {"mode": "shared"},
    "with a name": {"url": "https://app.test"},
    "with more names": {"allowed_hosts": frozenset({"192.168.1.5"})},
}
ASKED = own_pass.AskedTrace(CodeFile("mine.py", MINE), "", "", "", False)


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_that_others_reach_refuses_below_the_page(host, name: str, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr(own_pass, "TraceProcess", pytest.fail)
    host(**HOSTS[name])
    with pytest.raises(CheckError, match="doesn't run visitors' code"):
        own_pass.begin(ASKED)


def test_another_machine_is_refused_on_ones_own_host(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    monkeypatch.setattr(own_pass, "TraceProcess", pytest.fail)
    headers = {peers.CONNECTION_HEADER: "192.168.1.7 5 192.168.1.5 8501"}
    monkeypatch.setattr(st, "context", SimpleNamespace(headers=headers, cookies={}))
    with pytest.raises(CheckError, match="doesn't run visitors' code"):
        own_pass.begin(ASKED)


def test_a_link_runs_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(own_pass, "TraceProcess", pytest.fail)
    app = new_tab("step_through.py", view="own", path="/etc/passwd", build="import os", call="os.system('x')")
    assert [each.value for each in app.text_input] == ["", "", ""]


ENDS = {
    "an endless loop": ("while True:\n    pass\n", "Your code was stopped after 1 seconds."),
    "much memory": ("import torch\nx = torch.zeros(10**10)\n", "used more than 500 MB of memory"),
    "an end": ("import os\nos._exit(3)\n", "Your code ended the process that runs it (exit code 3)."),
    "a strange text": ("raise ValueError('\\ud800')\n", "ValueError"),
}


@pytest.mark.parametrize("name", ENDS)
def test_limits_are_one_sentence(name: str, tmp_path: Path):
    source, says = ENDS[name]
    (tmp_path / "mine.py").write_text(source)
    seconds = 1 if name == "an endless loop" else HANG
    traced, content = TraceProcess(tmp_path / "mine.py", "", "", gradients=False, seconds=seconds, memory_mb=500).wait()
    assert says in traced.problem
    assert "\n" not in traced.problem
    assert not content


def test_code_that_writes_its_own_outcome_changes_only_its_text(tmp_path: Path):
    """The process of the code is not trusted."""
    forged = "import sys, os, pathlib\npathlib.Path(sys.argv[5]).write_bytes({!r})\nos._exit(0)\n"
    for written, problem in ((b"nonsense", "ended the process"), (b'{"operations": "<b>"}\n{}', "ended the process")):
        (tmp_path / "mine.py").write_text(forged.format(written))
        traced, content = TraceProcess(tmp_path / "mine.py", "", "", gradients=False).wait()
        assert problem in traced.problem
        assert not content

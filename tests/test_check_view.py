"""The check of one's own code on the page: the form on one's own machine, the command on a shared host."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from playground.lessons.check.causes import WHY
from playground.lessons.check.checking import PARTS, verdict_of
from playground.lessons.check.code.student_code import find, load
from playground.lessons.check.templates import TEMPLATES
from playground.lessons.check.verdict import CheckError
from playground.ui.learn.check import check_view, own_code
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.code_file import MAX_BYTES
from playground.ui.server import peers
from tests.foreign_text import SHORT, markup
from tests.helpers import HANG, first, messages, mounts, prose, tell, until, written
from tests.lessons.wrong import RIGHT, WRONG
from tests.pages import button, fine, host, new_tab, page  # noqa: F401
from tests.pages import visitor as visitor_of


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch):
    """The browser of these tests has no address."""
    monkeypatch.setattr(own_machine, "_is_here", lambda: True)


def opened(**seeded: object) -> AppTest:
    return page("learn.py", **{"learn view": "check"}, **seeded)


def files(app: AppTest) -> list[str]:
    """Ids of the components that take a file of code."""
    return [name for name, data in mounts(app, "most") if "endings" in data]


def check(app: AppTest, code: str, part: str = "attention") -> AppTest:
    """The page once there is a verdict."""
    app.selectbox(key="check part").set_value(part).run()
    app.text_area(key="check code").set_value(code).run()
    button(app, "Check").click().run()
    until(lambda: not any(each.label == "Cancel" for each in app.run().button))
    return fine(app)


def test_a_verdict_names_the_cause_the_location_and_the_lesson():
    app = check(opened(), WRONG["no_scaling_in_a_layer"].source(), "encoder-layer")
    (message,) = messages(app, "wrong")
    assert message == f"Scores not scaled. {WHY['no-scaling']}"
    html = written(app)
    assert "no-scaling" in html
    assert "line 29" in prose(app)
    assert "&gt;  29 " in written(app)
    assert not re.search(r"\d\.<wbr>\d", html)
    assert "by the formula" in prose(app)
    assert 'href="./learn?lesson=attention"' in html
    assert "Found: class EncoderLayer" in prose(app)
    app.text_area(key="check code").set_value("x = 1").run()
    assert "changed since this check" in prose(app)


def test_right_code_is_reported_as_right_and_an_error_shows_the_line():
    app = check(opened(), (RIGHT / "einsum.py").read_text())
    assert messages(app, "good")[0].startswith("Right: ")
    app = check(app, 'def attention(q, k, v):\n    raise ValueError("<b>**oh**</b> [x](//foreign.io)")\n')
    (message,) = messages(app, "care")
    assert "ValueError: <b>**oh**</b>" in message
    assert "&gt;   2      raise ValueError" in written(app)
    assert not markup(app)


@pytest.mark.parametrize("text", first(2, SHORT[::3], of=4))
def test_what_the_code_says_is_text(text: str):
    app = check(opened(), f"def attention(q, k, v):\n    raise ValueError({text!r})\n")
    assert text in messages(app, "care")[0]
    assert not markup(app)


def test_a_check_can_be_cancelled():
    app = opened()
    app.text_area(key="check code").set_value("while True:\n    pass\n").run()
    button(app, "Check").click().run()
    assert "The limit is 60 s." in messages(app, "plain")[0]
    process = next(iter(own_code.CHECKS._jobs.values()))._process._process
    button(app, "Cancel").click().run()
    assert messages(fine(app), "plain") == ["The check was cancelled."]
    assert process.wait(HANG) is not None


def test_a_template_begins_a_part_and_never_takes_ones_own_code():
    app = opened()
    assert app.text_area(key="check code").value == TEMPLATES["attention"]
    app.selectbox(key="check part").set_value("layer-norm").run()
    assert app.text_area(key="check code").value == TEMPLATES["layer-norm"]
    assert not app.get("segmented_control") or "check mask" not in {each.key for each in app.button_group}
    app.text_area(key="check code").set_value("mine = 1").run()
    app.selectbox(key="check part").set_value("masks").run()
    assert app.text_area(key="check code").value == "mine = 1"
    button(app, "Template").click().run()
    assert app.text_area(key="check code").value == TEMPLATES["masks"]
    button(app, "Restore my code").click().run()
    assert app.text_area(key="check code").value == "mine = 1"


@pytest.mark.wcag("3.3.7")
def test_what_was_typed_is_kept_for_a_reload():
    app = opened()
    app.text_area(key="check code").set_value("mine = 2").run()
    again = opened(visitor=app.session_state["visitor"])
    assert again.text_area(key="check code").value == "mine = 2"
    assert opened().text_area(key="check code").value == TEMPLATES["attention"]


def test_a_file_replaces_the_code_or_shows_an_error_message():
    app = opened()
    tell(app, *files(app), triggers={"chosen": {"name": "mine.py", "text": "mine = 3\r\n"}})
    assert fine(app).text_area(key="check code").value == "mine = 3\n"
    cells = [("code", "import torch\n%time"), ("markdown", "# Text"), ("code", ["mine = 4\n", "x"]), ("code", "")]
    text = json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in cells]})
    tell(app, *files(app), triggers={"chosen": {"name": "mine.ipynb", "text": text}})
    as_python = "# code cell 1\nimport torch\n# %time\n\n# code cell 2\nmine = 4\nx\n\n# code cell 3\n"
    assert fine(app).text_area(key="check code").value == as_python
    tell(app, *files(app), triggers={"chosen": {"name": "mine.ipynb", "text": "mine = 5"}})
    assert "This is not a notebook." in messages(fine(app), "wrong")[0]
    assert app.text_area(key="check code").value == as_python
    tell(app, *files(app), triggers={"chosen": {"name": "mine.py", "text": "mine = 3\n"}})
    for problem, says in {"binary": "not text in UTF-8", "large": "larger than 1 MB", "other": "ends in .py"}.items():
        tell(app, *files(app), triggers={"chosen": {"problem": problem}})
        assert says in messages(fine(app), "wrong")[0]
        assert app.text_area(key="check code").value == "mine = 3\n"


def test_too_much_code_and_none_are_refused_in_a_sentence():
    app = opened()
    app.text_area(key="check code").set_value("").run()
    button(app, "Check").click().run()
    assert messages(app, "wrong") == ["There is no code yet. Write or paste some, or choose a file."]
    app.text_area(key="check code").set_value("é" * MAX_BYTES).run()
    button(app, "Check").click().run()
    assert "longer than 1 MB" in messages(app, "wrong")[0]


def test_a_shared_host_has_no_form_and_gives_the_command(host):  # noqa: F811
    host(mode="shared")
    app = new_tab("learn.py", view="check", part="encoder-layer", mask="hide")
    assert not app.text_area
    assert not files(app)
    assert "Check" not in {each.label for each in app.button}
    assert "never runs visitors' code" in messages(app, "note")[0]
    shown = [each.value for each in app.code]
    assert "python -m playground check my_file.py --part encoder-layer --mask hide" in shown
    assert any('playground.check("my_file.py", part="encoder-layer", mask="hide")' in each for each in shown)


HOSTS = {
    "shared": {"mode": "shared"},
    "with a name": {"url": "https://app.test"},
    "with more names": {"allowed_hosts": frozenset({"192.168.1.5"})},
}


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_that_others_reach_refuses_below_the_page(host, name: str, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    started: list[object] = []
    monkeypatch.setattr(own_code, "CheckProcess", lambda *given: started.append(given))
    host(**HOSTS[name])
    with pytest.raises(CheckError, match="doesn't run visitors' code"):
        own_code.begin(own_code.AskedCheck("x = 1", "attention", None))
    check_view.EDITOR.keep("x = 1")
    assert check_view.EDITOR.kept() == ""
    assert not started


def test_another_machine_is_refused_on_ones_own_host(monkeypatch: pytest.MonkeyPatch):
    assert own_machine.permitted()
    monkeypatch.undo()
    monkeypatch.setattr(own_code, "CheckProcess", pytest.fail)
    headers = {peers.CONNECTION_HEADER: "192.168.1.7 5 192.168.1.5 8501"}
    monkeypatch.setattr(st, "context", SimpleNamespace(headers=headers, cookies={}))
    assert not own_machine.permitted()
    with pytest.raises(CheckError, match="doesn't run visitors' code"):
        own_code.begin(own_code.AskedCheck("x = 1", "attention", None))


def test_a_link_chooses_and_runs_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(own_code, "CheckProcess", pytest.fail)
    app = new_tab("learn.py", view="check", part="masks", mask="keep", code="import os")
    assert app.text_area(key="check code").value == TEMPLATES["masks"]
    assert app.session_state["check mask"] == "keep"


def test_there_is_a_template_for_each_part_and_none_is_a_solution(tmp_path: Path):
    assert {*TEMPLATES} == {*PARTS}
    for part, text in TEMPLATES.items():
        file = tmp_path / f"{part.replace('-', '_')}.py"
        file.write_text(text)
        assert verdict_of(find(load(file), part), part, None).verdict != "right", part


def test_a_check_tells_its_progress_by_the_event_stream_while_it_runs():
    app = opened()
    visitor = visitor_of(app)
    assert own_code.CHECKS.fields(visitor) == {}
    app.text_area(key="check code").set_value("while True:\n    pass\n").run()
    button(app, "Check").click().run()
    fields = own_code.CHECKS.fields(visitor)
    assert fields["progress"].startswith("Checking attention: ")
    (*_, shown) = (data["shown"] for _, data in mounts(app, "shown"))
    assert shown[own_code.CHECKS.channel] == {"check": fields["check"]}
    button(app, "Cancel").click().run()
    assert own_code.CHECKS.fields(visitor) == {}

"""Write a test: the editor and what tests catch, on one's own machine; the command on a shared host."""

import html
import re

import pytest
from streamlit.testing.v1 import AppTest

from playground.lessons.check.verdict import CheckError
from playground.lessons.examine.template import TEMPLATE
from playground.lessons.mistakes.classes import difference
from playground.lessons.mistakes.table import EXAMINED
from playground.ui.learn.check import own_tests
from playground.ui.parts.code import own_machine
from tests.foreign_text import markup
from tests.helpers import messages, mounts, prose, tell, until, written
from tests.pages import button, fine, host, new_tab, page  # noqa: F401
from tests.pages import visitor as visitor_of

ACCUSES = """
def check_small(feed_forward, config):
    return config.d_model == 32

def check_<b>(x): ...
""".replace("check_<b>(x): ...", "check_other(x):\n    return '<b>**oh**</b>'")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch):
    """The browser of these tests has no address."""
    monkeypatch.setattr(own_machine, "_is_here", lambda: True)


def opened(**seeded: object) -> AppTest:
    return page("learn.py", **{"learn view": "examine"}, **seeded)


def ran(app: AppTest, code: str | None = None) -> AppTest:
    """The page once there is a result."""
    if code is not None:
        app.text_area(key="tests code").set_value(code).run()
    button(app, "Run tests").click().run()
    until(lambda: not any(each.label == "Cancel" for each in app.run().button))
    return fine(app)


def cells(app: AppTest) -> dict[str, list[str]]:
    """What each test says, by the title of the mistake."""
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", written(app))]
    return {html.unescape(row[0]): [re.sub("<.*?>", "", cell) for cell in row[1:]] for row in rows if len(row) > 1}


def test_the_template_catches_two_and_a_mistake_can_be_read_after_it_or_on_request():
    app = ran(opened())
    assert messages(app, "note") == ["2 of 14 mistakes caught."]
    says = cells(app)
    assert list(says) == [mistake.title for mistake in EXAMINED.values()]
    assert says[EXAMINED["mask-after-softmax"].title] == ["✓", "✓"]
    assert says[EXAMINED["no-scaling"].title] == ["✕", "✕"]
    assert says[EXAMINED["no-causal-mask"].title] == ["✕", "–"]
    app.selectbox(key="tests mistake").set_value("mask-after-softmax").run()
    shown = html.unescape(re.sub("<.*?>", "", written(fine(app))))
    assert difference(EXAMINED["mask-after-softmax"].code).splitlines()[-1] in shown
    assert 'href="./learn?lesson=masks"' in written(app)
    app.selectbox(key="tests mistake").set_value("no-scaling").run()
    assert f"Test this: {EXAMINED['no-scaling'].hint}" in messages(fine(app), "note")
    assert "<pre" not in written(app)
    button(app, "Show the code").click().run()
    assert "<pre" in written(fine(app))


def test_right_code_that_is_accused_comes_first_and_an_error_is_text():
    app = ran(opened(), ACCUSES)
    (alarm,) = messages(app, "wrong")
    assert alarm.startswith("check_small accuses right code, so it catches nothing.")
    assert "pre-norm" in alarm
    (error,) = messages(app, "care")
    assert "check_other has an argument 'x', which names no part." in error
    assert messages(app, "note") == ["1 test accused right code. 0 of 14 mistakes caught. 1 test raised an error."]
    assert cells(app)[EXAMINED["relu-missing"].title] == ["✕", "!", "!"]
    assert not markup(app)
    app.text_area(key="tests code").set_value("x = 1").run()
    assert "changed since this run" in prose(fine(app))


def test_what_was_typed_stays_after_an_error_on_other_pages_and_after_a_reload():
    app = ran(opened(), "def test_(: <b>")
    (error,) = messages(app, "care")
    assert "SyntaxError" in error
    assert "&gt;   1  def test_(: &lt;b&gt;" in written(app)
    assert not markup(app)
    assert app.text_area(key="tests code").value == "def test_(: <b>"
    app.button_group(key="learn view").set_value("hunt").run()
    app.button_group(key="learn view").set_value("examine").run()
    assert fine(app).text_area(key="tests code").value == "def test_(: <b>"
    again = opened(visitor=app.session_state["visitor"])
    assert again.text_area(key="tests code").value == "def test_(: <b>"
    button(again, "Template").click().run()
    assert again.text_area(key="tests code").value == TEMPLATE
    button(again, "Restore my code").click().run()
    assert again.text_area(key="tests code").value == "def test_(: <b>"
    again.text_area(key="tests code").set_value("").run()
    button(again, "Run tests").click().run()
    assert messages(fine(again), "wrong") == ["There is no code yet. Write or paste some, or choose a file."]


def test_a_file_replaces_the_tests():
    app = opened()
    (component,) = [name for name, data in mounts(app, "most") if "endings" in data]
    tell(app, component, triggers={"chosen": {"name": "mine.py", "text": "mine = 3\r\n"}})
    assert fine(app).text_area(key="tests code").value == "mine = 3\n"
    tell(app, component, triggers={"chosen": {"problem": "large"}})
    assert "larger than 1 MB" in messages(fine(app), "wrong")[0]
    assert app.text_area(key="tests code").value == "mine = 3\n"


def test_a_run_shows_its_progress_and_can_be_cancelled():
    app = opened()
    visitor = visitor_of(app)
    app.text_area(key="tests code").set_value("while True:\n    pass\n").run()
    button(app, "Run tests").click().run()
    assert own_tests.EXAMINATIONS.fields(visitor)["progress"].startswith("Running the tests: ")
    button(app, "Cancel").click().run()
    assert messages(fine(app), "plain") == ["The run was cancelled."]
    assert own_tests.EXAMINATIONS.fields(visitor) == {}


def test_a_shared_host_has_no_editor_and_gives_the_command(host, monkeypatch: pytest.MonkeyPatch):  # noqa: F811
    monkeypatch.setattr(own_tests, "ExamineProcess", pytest.fail)
    host(mode="shared")
    app = new_tab("learn.py", view="examine")
    assert not app.text_area
    assert "Run tests" not in {each.label for each in app.button}
    assert "never runs visitors' code" in messages(app, "note")[0]
    assert any("python -m playground examine my_tests.py" in each.value for each in app.code)
    assert any(each.value == TEMPLATE.strip() or each.value == TEMPLATE for each in app.code)
    with pytest.raises(CheckError, match="doesn't run visitors' code"):
        own_tests.begin("x = 1")

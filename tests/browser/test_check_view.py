"""Check my code in a browser: a file is chosen, dropped, checked, cancelled, and restored after a reload."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from playground.lessons.mistakes.table import MISTAKES
from tests.helpers import until
from tests.lessons.wrong import WRONG

pytestmark = pytest.mark.browser


def test_a_file_is_checked_beside_the_page_and_its_verdict_leads_to_a_lesson(page: Page):
    page.goto("/learn?view=check&part=feed-forward")
    code = page.get_by_label("Your code")
    expect(code).to_be_visible()
    source = f"# -*- coding: latin-1 -*-\n# caf\u00e9\n{WRONG['relu_missing'].source()}"
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a .py or .ipynb file").click()
    chooser.value.set_files({"name": "mine.py", "mimeType": "text/x-python", "buffer": source.encode("latin-1")})
    expect(code).to_have_value(source)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text("The limit is 60 s")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(MISTAKES["relu-missing"].why)
    lesson = page.get_by_role("link", name="The feed-forward network")
    expect(lesson).to_have_attribute("href", "./learn?lesson=feed-forward")
    page.reload()
    expect(page.get_by_label("Your code")).to_have_value(source)
    expect(page.get_by_role("alert")).to_contain_text("two linear layers")


def test_an_endless_loop_is_cancelled_while_the_page_answers(page: Page):
    page.goto("/learn?view=check")
    code = page.get_by_label("Your code")
    expect(code).to_be_visible()
    code.fill("while True:\n    pass\n")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text(re.compile(r"\d s\. The limit is 60 s"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The check was cancelled.")).to_be_visible()
    expect(code).to_have_value("while True:\n    pass\n")


DROP = """
([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: name.endsWith(".zip") ? "application/zip" : "text/x-python" }));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
}
"""


def test_a_python_file_that_is_dropped_is_taken_and_another_one_loses_nothing(page: Page):
    page.goto("/learn?view=check")
    code = page.get_by_label("Your code")
    expect(code).to_be_visible()
    expect(page.get_by_role("button", name="Choose a .py or .ipynb file")).to_be_visible()
    page.evaluate(DROP, ["mine.py", "mine = 1"])
    expect(code).to_have_value("mine = 1")
    expect(page.get_by_text("Drop to load")).to_be_hidden()
    outputs = [{"data": {"image/png": "x" * 2_000_000}}]
    cells = [{"cell_type": "code", "source": ["mine = 1\n"], "outputs": outputs}, {"cell_type": "raw", "source": ""}]
    page.evaluate(DROP, ["mine.ipynb", json.dumps({"cells": cells})])
    expect(code).to_have_value("# code cell 1\nmine = 1\n")
    page.evaluate(DROP, ["notes.txt", "mine = 2"])
    expect(page.get_by_role("alert")).to_contain_text("This is not a Python file.")
    expect(code).to_have_value("# code cell 1\nmine = 1\n")
    page.get_by_role("radio", name="Formulas").click()
    expect(code).to_be_hidden()

    def refused() -> bool:  # a view is removed some time after it was left
        page.evaluate(DROP, ["mine.py", "mine = 3"])
        return page.get_by_text("isn't a checkpoint").is_visible()

    until(refused)

"""Untrusted text in a real browser: it is shown as typed, without markup, links or requests."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.model.task_model import TaskModel
from playground.storage.library import Library
from playground.ui.session.pages import PAGES
from tests.browser.conftest import ROOT, free_port, running_server
from tests.browser.test_road import click
from tests.foreign_text import ADDRESSED_VIEWS, LEADING, LONG, MARK, SHORT, WORDS
from tests.helpers import TINY, first, until

pytestmark = pytest.mark.browser

TEXTS = (
    *SHORT,
    *("$$b$$", "`", "a`", "``d`` `e", "\\`x\\` \\\\", "&amp; &#58;", "a -> b -- c <= d", "# h", "1. x", "- x", "---"),
    *("| a |", ":streamlit:", ":blue-badge[x]", ":help[x]{y}", "x[^1]", "mailto:a@b.cd", "<!-- x -->", "~~s~~ __t__"),
)
SCRIPT = """
import json, streamlit as st
from playground.ui.parts import style
from playground.ui.server import assets
texts = json.loads({texts!r})
for at, text in enumerate(texts):
    with st.container(key=f"text-{{at}}"):
        st.markdown(f"{{style.code(text)}} in a line of {{style.code(text)}}")
        st.button(style.code(text), key=f"button {{at}}")
        st.pills("Pills", [text], key=f"pills {{at}}", format_func=style.code)
        style.message(text, "wrong", "error")
        style.caption(text)
st.selectbox("Select", texts)
"""

MADE = """(mark) => [...document.querySelectorAll("a, img, script, iframe, link, form, svg image, .katex, [onerror]")]
  .filter((node) => node.outerHTML.includes(mark))
  .filter((node) => !(node.matches("a, img.qr") && new URL(node.href ?? node.src).origin === location.origin))
  .map((node) => node.outerHTML)"""
"""Elements that a page created from untrusted text; links to the app's own pages may contain it."""


@contextmanager
def watched(page: Page) -> Iterator[list[str]]:
    """The page's requests to other hosts."""
    asked: list[str] = []
    page.on("request", lambda request: "://127.0.0.1" not in request.url and asked.append(request.url))
    yield asked
    assert not [address for address in asked if not address.startswith(("blob:", "data:"))]


def test_the_escapes_hold_against_what_streamlit_makes_of_markdown(page: Page, tmp_path):
    script = tmp_path / "texts.py"
    script.write_text(SCRIPT.format(texts=json.dumps(TEXTS)))
    port = free_port()
    with running_server(tmp_path, port, {"PYTHONPATH": str(ROOT)}, script), watched(page):
        page.goto(f"http://127.0.0.1:{port}")
        select = page.get_by_role("combobox", name="Select")
        expect(select).to_have_value(TEXTS[0])
        for at, text in enumerate(TEXTS):
            part = page.locator(f".st-key-text-{at}")
            expect(part.locator("[data-testid=stMarkdown] p")).to_have_text(f"{text} in a line of {text}")
            expect(part.locator(".stButton button p")).to_have_text(text)
            expect(part.locator("[data-testid=stButtonGroup] button p")).to_have_text(text)
            expect(part.locator(".message")).to_have_text(text)
            expect(part.locator(".small")).to_have_text(text)
        page.wait_for_load_state("networkidle")  # what is still loaded would scroll the page
        select.focus()

        def opens() -> int:
            select.press("ArrowDown")
            return page.get_by_role("option").count()

        until(opens)  # scrolling closes what is open
        expect(page.get_by_role("option").first).to_have_text(TEXTS[0])
        shown = page.get_by_role("option").all_text_contents()
        assert len(shown) > 5
        assert shown == list(TEXTS[: len(shown)])
        assert page.evaluate("document.querySelectorAll('.stMain :is(a, img, .katex, del, s, strong, em)').length") == 0
        assert not page.evaluate(MADE, MARK)


PATHS = {f"{page.name}.py": f"/{path}" for path, page in PAGES.items()}
SHOWN = {
    "step_through.py": "This model has no operation “http://foreign.io",
    "train.py sweep": "“http://foreign.io” is not a value of",
}
"""A visible sentence that contains the text."""


@pytest.mark.parametrize(
    ("name", "fixed"), first(8, sorted(ADDRESSED_VIEWS, key=lambda view: len(view[1])), of=24), ids=str
)
def test_nothing_is_made_of_the_words_of_an_address(page: Page, name, fixed):
    with watched(page):
        page.goto(f"{PATHS[name]}?{urlencode({word: LONG for word in WORDS if word not in LEADING} | fixed)}")
        loaded(page)
        if sentence := SHOWN.get(" ".join([name, *fixed.values()])):
            expect(page.get_by_text(sentence)).to_be_visible()
        assert not page.evaluate(MADE, MARK)


@pytest.mark.parametrize("word", first(2, ["model", "pace", *LEADING], of=7))
def test_nothing_is_made_of_a_word_that_leads_elsewhere(page: Page, word):
    lesson = {"lesson": "1", "model.d_model": LONG} if word == "pace" else {}
    with watched(page):
        page.goto(f"/step_through?{urlencode(lesson | {word: LONG})}")
        loaded(page)
        assert not page.evaluate(MADE, MARK)


def loaded(page: Page) -> None:
    """Wait until the page is complete."""
    expect(page.get_by_text("A cookie with a random number links your runs")).to_have_count(1)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


@pytest.mark.parametrize(
    "text", first(1, ["![](http://foreign.io/p)", "http://foreign.io", "$\\href{//foreign.io}{x}$"])
)
def test_a_run_that_was_renamed_is_text_for_who_watches(page: Page, browser: Browser, server, text):
    page.goto("/train")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("progress")).to_contain_text("running")
    click(page, "Stop")
    expect(page.get_by_test_id("progress")).to_contain_text("stopped")
    with watched(page):
        page.goto("/train?view=compare")
        row = page.get_by_role("table", name="Runs").locator("tbody tr").first
        row.locator("button.name").click()
        field = page.get_by_role("textbox", name="Name", exact=True)
        field.fill(text)
        field.press("Enter")
        expect(row).to_contain_text(text)
        expect(page).to_have_url(re.compile("with="))
        assert not page.evaluate(MADE, MARK)
        run = parse_qs(urlsplit(page.url).query)["with"][0]
    other = browser.new_context(base_url=server).new_page()
    with watched(other):
        other.goto(page.url)
        expect(other.get_by_role("table", name="Runs")).to_contain_text(text)
        assert not other.evaluate(MADE, MARK)
        other.goto(f"/step_through?run={run}")
        loaded(other)
        assert not other.evaluate(MADE, MARK)
        other.goto(f"/train?run={run}")
        expect(other.get_by_text(f"You are watching {text}.")).to_be_visible()
        assert not other.evaluate(MADE, MARK)
    other.context.close()


def test_a_checkpoint_with_the_name_of_a_site_is_no_link(page: Page, browser: Browser, tmp_path):
    name = "www.foreign.io"
    Library(tmp_path).save(name, TaskModel(TINY), [])
    port = free_port()
    with running_server(tmp_path, port), watched(page):
        for path in ("checkpoints", f"step_through?model={name}", f"checkpoints?compare={name},copy-1-16"):
            page.goto(f"http://127.0.0.1:{port}/{path}")
            loaded(page)
            expect(page.get_by_text(name).or_(page.get_by_role("combobox", name="Model")).first).to_be_visible()
            assert not page.evaluate(MADE, MARK)

"""A new page needs one file and one row: menu, presenter view, keys and addresses follow."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import app_under_test, free_port, running_server

ADD = """
from dataclasses import replace

from playground.ui.session import pages
from tests.pages import ROW

shortcut = pages.Shortcut(("h",), "hear it", "follow.ts")
pages.TOKENS = pages.PAGES["tokens"] = replace(ROW, shortcuts={"Listen": (shortcut,)})
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Address of a server whose app has one page more."""
    script, port = app_under_test(tmp_path_factory.mktemp("app"), ADD), free_port()
    with running_server(tmp_path_factory.mktemp("library"), port, script=script):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.browser
def test_a_page_is_one_file_and_one_row(page: Page):
    page.goto("/tokens/?model=reverse-1-16&input=1+2+3")
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/tokens\?"))
    rows = page.locator(".st-key-token-lengths tr")
    expect(rows).to_have_count(1 + 3 + 4)
    expect(page.get_by_text("73 operations")).to_be_visible()
    page.get_by_label("Your input", exact=True).fill("1 2 3 4 5")
    page.get_by_label("Your input", exact=True).press("Enter")
    expect(rows).to_have_count(1 + 5 + 6)
    page.get_by_text("With its position").click()
    expect(page).to_have_url(re.compile(r"vector=sum"))
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog").get_by_text("hear it")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Step through").first.click()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/step_through\?.*model=reverse-1-16"))
    expect(page.get_by_label("Your input", exact=True)).to_have_value("1 2 3 4 5")
    page.goto("/checkpoints")
    expect(page.get_by_role("heading", name="Checkpoints")).to_be_visible()
    page.get_by_role("link", name="Tokens").click()
    expect(rows.first).to_be_visible()
    expect(page.get_by_role("button", name="Present")).to_be_visible()  # only now do keys belong to this page
    page.keyboard.press("f")
    expect(page.locator(".playground-presenter .announcement")).to_have_text("Lengths of vectors")
    expect(page.locator(".st-key-map")).to_be_hidden()

"""A new page needs one file and one row: menu, presenter view, keys and addresses follow."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import app_under_test, free_port, running_server

ROW = """
from pathlib import Path

from playground.ui.session.pages import PAGES, Page, Shortcut, Slide


class Here(Page):
    file = str(Path(__file__).with_name("said.py"))


PAGES["said"] = Here(
    "said",
    "Said",
    "chat",
    forward=True,
    slides=(Slide("words", "The words", ("words",)),),
    shortcuts={"Listen": (Shortcut(("h",), "hear it", "follow.js"),)},
)
"""
PAGE = """
import streamlit as st

from playground.ui.session.pages import PAGES
from playground.ui.shell.forward_page import Pass, frame


def draw(shown: Pass) -> None:
    with st.container(key="words"):
        st.write(f"{len(shown.walk.predicted)} tokens, {len(shown.walk.steps)} operations")


frame(PAGES["said"], draw, lambda walk: st.caption("beside"))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Address of a server whose app has an additional page."""
    folder, port = tmp_path_factory.mktemp("app"), free_port()
    (folder / "said.py").write_text(PAGE)
    with running_server(tmp_path_factory.mktemp("library"), port, script=app_under_test(folder, ROW)):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.browser
def test_a_page_is_one_file_and_one_row(page: Page):
    page.goto("/said/?model=reverse-1-16&input=1+2+3")
    expect(page.get_by_role("heading", name="Said")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/said\?"))
    words = page.get_by_text("tokens, ")
    expect(words).to_have_text("4 tokens, 73 operations")
    expect(page.get_by_text("beside")).to_be_visible()
    page.get_by_label("Your input", exact=True).fill("1 2 3 4 5")
    page.get_by_label("Your input", exact=True).press("Enter")
    expect(words).to_have_text("6 tokens, 73 operations")
    page.get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog").get_by_text("hear it")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Step through").first.click()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/step_through\?.*model=reverse-1-16"))
    expect(page.get_by_label("Your input", exact=True)).to_have_value("1 2 3 4 5")
    page.goto("/checkpoints")
    expect(page.get_by_role("heading", name="Checkpoints")).to_be_visible()
    page.get_by_role("link", name="Said").click()
    expect(words).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".playground-presenter .said")).to_have_text("The words")
    expect(page.locator(".st-key-map")).to_be_hidden()

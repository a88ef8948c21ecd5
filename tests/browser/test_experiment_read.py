"""The Logits view in a browser: another token and position, by keyboard and by link."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_another_logit_is_chosen_and_stays_in_the_link(page: Page):
    page.goto("/experiment?view=read&model=reverse-1-16&input=3+1+4+1+5")
    terms = page.get_by_role("table").filter(has_text="Contribution")
    expect(terms.get_by_role("row").last).to_contain_text("logit in this forward pass")
    before = terms.get_by_role("row").last.inner_text()
    field = page.get_by_role("spinbutton", name="Position of the answer")
    field.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("position=2"))
    page.get_by_role("combobox", name="Token").click()
    page.get_by_role("option", name="7", exact=True).click()
    expect(page).to_have_url(re.compile(r"token=\d+"))
    expect(page.get_by_text("not the right token")).to_be_visible()
    expect(terms.get_by_role("row").last).not_to_have_text(before)
    chosen = terms.get_by_role("row").last.inner_text()
    page.reload()
    expect(terms.get_by_role("row").last).to_have_text(re.compile(re.escape(chosen.split("\t")[1])))

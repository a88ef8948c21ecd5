"""What keys and screen readers get: keys that are announced act, and changes are announced."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_buttons_of_lessons_have_names_of_their_own(page):
    page.goto("/learn")
    for number in range(1, 4):
        expect(page.get_by_role("button", name=f"Start lesson {number}", exact=True)).to_be_visible()


def test_arrow_keys_read_attention_weights_on_train(page):
    page.goto("/train")
    page.get_by_role("button", name="Step", exact=True).click()
    tile = page.locator(".plot.heads .tile").first
    expect(tile).to_have_attribute("aria-label", re.compile(r"Arrow keys move\.$"))
    heard = page.locator(".plot.heads [aria-live]")
    tile.focus()
    page.keyboard.press("ArrowRight")
    expect(heard).to_contain_text("head 1, row")
    first = heard.text_content()
    page.keyboard.press("ArrowRight")
    expect(heard).not_to_have_text(first)


def test_the_operation_after_next_is_announced(page):
    page.goto("/step_through")
    heard = page.locator(".st-key-tensor .live")
    expect(page.locator(".st-key-tensor .tile").first).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(heard).to_have_text("Heads")

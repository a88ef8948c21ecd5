"""What keys and screen readers get: keys that are announced act, and changes are announced."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.mark.wcag("2.4.4", "2.4.6")
def test_buttons_of_lessons_have_names_of_their_own(page):
    page.goto("/learn")
    for number in range(1, 4):
        expect(page.get_by_role("button", name=f"Start lesson {number}", exact=True)).to_be_visible()


@pytest.mark.wcag("1.1.1", "2.1.1")
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


@pytest.mark.wcag("4.1.3")
def test_the_operation_after_next_is_announced(page):
    page.goto("/step_through")
    heard = page.locator(".st-key-tensor .live")
    expect(page.locator(".st-key-tensor .tile").first).to_be_visible()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(heard).to_have_text("Heads")


@pytest.mark.wcag("2.4.3")
def test_the_focus_goes_to_what_a_press_of_a_lesson_brings(page):
    page.goto("/learn")
    press(page, "Start lesson 1")
    expect(page.get_by_role("heading", name="Lesson 1.")).to_be_focused()
    press(page, "Show the answer")
    verdict = page.locator(".st-key-found-1 .message")
    expect(verdict).to_be_focused()
    expect(verdict).to_contain_text("The answer: ")
    press(page, "All lessons")
    expect(page.get_by_role("heading", level=2).first).to_be_focused()


@pytest.mark.wcag("2.4.3")
def test_the_focus_stays_beside_a_button_that_has_done_all_it_can(page):
    page.goto("/generate?model=reverse-1-16")
    press(page, "Finish")
    expect(page.get_by_role("button", name="Finish", exact=True)).to_be_disabled()
    expect(page.locator(".st-key-generation button:focus")).to_have_count(1)
    page.goto("/train")
    press(page, "Step")
    expect(page.get_by_role("button", name="Resume", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Step", exact=True)).to_be_focused()


@pytest.mark.wcag("2.1.1", "2.4.3")
def test_the_focus_goes_along_to_the_table_and_back(page):
    page.goto("/step_through")
    tile = page.locator(".st-key-tensor .outputs .tile").first
    tile.focus()
    page.keyboard.press("t")
    table = page.locator(".st-key-tensor .matrix").nth(1)
    expect(table).to_be_focused()
    expect(page.get_by_role("button", name="Show as heatmap")).to_be_visible()
    page.keyboard.press("t")
    expect(tile).to_be_focused()


@pytest.mark.wcag("2.1.2")
def test_escape_closes_the_panel_of_a_cell(page):
    page.goto("/experiment?view=heads&pair=decoder.layers.0.cross_attention.head.0.0.0")
    panel = page.locator(".st-key-pair")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def press(page, name: str) -> None:
    """Press a button by the keyboard."""
    page.get_by_role("button", name=name, exact=True).first.focus()
    page.keyboard.press("Enter")

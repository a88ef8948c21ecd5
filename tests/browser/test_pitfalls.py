"""Pitfalls and the bug hunt in a browser: train, measure, find the mistake, and reload."""

import re

import pytest
from playwright.sync_api import Page, expect

from playground.lessons import hunts
from playground.lessons.mistakes.table import MISTAKES

pytestmark = pytest.mark.browser


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def choose(page: Page, field: str, option: str) -> None:
    page.get_by_role("combobox", name=field).click()
    page.get_by_role("option", name=option, exact=True).click()


def test_both_models_are_trained_and_the_measure_shows_the_mistake(page: Page):
    page.goto("/learn?view=pitfalls")
    page.get_by_text("Padding in the loss", exact=True).click()
    expect(page.get_by_role("heading", name="Padding in the loss")).to_be_visible()
    expect(page.locator(".difference ins").first).to_have_text(re.compile(r"^\+"))
    expect(page).to_have_url(re.compile("pitfall=padding-scored"))
    press(page, "Train both")
    expect(page.get_by_text("How to detect it")).to_be_visible()
    expect(page.get_by_text("times the reported training loss. In the correct model:")).to_be_visible()
    expect(page.locator(".charts")).to_contain_text("correct-model-1")
    page.reload()
    expect(page.get_by_text("How to detect it")).to_be_visible()
    press(page, "Step through the wrong model")
    expect(page.locator(".operation")).to_contain_text("Loss")


def test_a_bug_is_found_by_hand(page: Page):
    """Bug 12 shows in the masked scores: allowed keys are hidden, and the others aren't."""
    assert hunts.hidden(12) == "inverted-mask"
    page.goto("/learn?view=hunt&bug=12")
    press(page, "Start")
    expect(page.get_by_role("button", name="Check answer")).to_be_visible()
    press(page, "Step through this model")
    expect(page.get_by_text("The code is hidden during a bug hunt.")).to_be_visible()
    page.go_back()
    choose(page, "Part", hunts.PARTS["ScaledDotProductAttention"])
    choose(page, "Mistake", MISTAKES["no-scaling"].title)
    press(page, "Check answer")
    expect(page.get_by_text("The part is right, the mistake is wrong.")).to_be_visible()
    choose(page, "Mistake", MISTAKES["inverted-mask"].title)
    press(page, "Check answer")
    expect(page.get_by_text("Bug hunt 12: found, 9 of 10 points (1 wrong answer, 0 hints).")).to_be_visible()
    expect(page.locator(".difference del").first).to_be_visible()
    expect(page.get_by_text("of the attention goes to later positions")).to_be_visible()
    page.reload()
    expect(page.get_by_text("So far: 1 bug found, 9 points.")).to_be_visible()
    press(page, "See where it shows")
    expect(page.get_by_text("playground/lessons/mistakes/classes.py")).to_be_visible()

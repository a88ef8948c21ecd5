"""Write a test in a browser: tests are run, a mistake that they catch is read, and what was typed stays."""

import pytest
from playwright.sync_api import Page, expect

from playground.lessons.mistakes.table import EXAMINED
from tests.helpers import until

pytestmark = pytest.mark.browser

TESTS = """
def check_position_0(positional_encoding):
    return bool((positional_encoding(2)[0, 0::2] == 0).all())
"""


def test_a_test_catches_a_mistake_whose_code_is_then_shown(page: Page):
    page.goto("/learn?view=examine")
    code = page.get_by_label("Your tests")
    expect(code).to_be_visible()
    code.fill(TESTS)
    page.get_by_role("button", name="Run tests").click()
    expect(page.get_by_text("1 of 14 mistakes caught.")).to_be_visible()
    row = page.get_by_role("row", name=EXAMINED["sin-cos-swapped"].title)
    expect(row.get_by_role("cell").nth(2)).to_have_text("✓")
    box = page.get_by_role("combobox", name="Look at a mistake")
    box.click()
    box.fill("Sines and")
    box.press("Enter")
    expect(page.get_by_text("pairs.flip(-1)")).to_be_visible()
    expect(page.get_by_role("link", name="Positions")).to_have_attribute("href", "./learn?lesson=positions")
    page.reload()
    expect(page.get_by_label("Your tests")).to_have_value(TESTS)
    expect(page.get_by_text("1 of 14 mistakes caught.")).to_be_visible()


def test_14_tests_fit_the_page(page: Page):
    page.goto("/learn?view=examine")
    code = page.get_by_label("Your tests")
    expect(code).to_be_visible()
    code.fill("".join(f"def check_{number}_of_the_tests(model): ...\n" for number in range(1, 15)))
    page.get_by_role("button", name="Run tests").click()
    table = page.get_by_role("region", name="What each test catches")
    expect(table).to_be_visible()
    expect(table.get_by_role("columnheader")).to_have_text(["Mistake", "All", *map(str, range(1, 15))])
    for width in (1440, 820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        until(lambda: table.evaluate("each => each.scrollWidth <= each.clientWidth"))

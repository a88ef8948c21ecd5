"""Pages are handouts on paper: no controls, nothing wider than the paper, dark pages on white, few pages."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

PAPER = 700
"""Width in pixels of what A4 shows between its margins."""
LONGEST = {"/learn?lesson=attention": 6, "/step_through": 4, "/learn?view=formulas": 8, "/train": 4}
"""Most A4 pages by address."""
WHAT_IS_READ = {
    "/learn?lesson=attention": ".st-key-block-2",
    "/step_through": ".st-key-tensor .tile",
    "/learn?view=formulas": ".formula-rows .row",
    "/train": ".st-key-charts .picture canvas",
}
TOO_WIDE = f"""() => [...document.querySelectorAll(".stMain *")]
  .filter((node) => node.checkVisibility() && !node.closest(".katex-mathml"))
  .filter((node) => node.getBoundingClientRect().right > {PAPER + 1})
  .map((node) => node.outerHTML.slice(0, 200))"""
PRESSED = """() => [...document.querySelectorAll("button, [role=slider]")]
  .filter((node) => node.checkVisibility() && !node.closest(".st-key-marked-row, .stTextInput, .stSelectbox"))
  .map((node) => node.outerHTML.slice(0, 200))"""


def opened(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    if address == "/train":
        page.get_by_role("button", name="Step", exact=True).click()
    page.locator(WHAT_IS_READ[address]).first.wait_for()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("address", LONGEST)
def test_paper_has_what_is_read_and_no_controls(page, address):
    opened(page, address)
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert 1 <= sheets <= LONGEST[address]
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(WHAT_IS_READ[address]).first).to_be_visible()
    expect(page.locator(".st-key-present")).to_be_hidden()
    assert not page.evaluate(TOO_WIDE)
    assert not page.evaluate(PRESSED)
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(15, 18, 25)")

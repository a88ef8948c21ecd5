"""The main workflow in a real browser: build, train to solved, pause, step, open every operation, save, load."""

import re
import secrets

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def button(page: Page, label: str):
    """A button by its label; its name may end with a shortcut."""
    return page.get_by_role("button", name=re.compile(f"^{label}( Shortcut .)?$"))


BEHIND_MORE = {"Stop", "Reset", "Until solved", "More steps", "Play back"}
"""Buttons of the Train page that are inside a box."""


def open_more(page: Page) -> None:
    """Open the box of the Train page, if it is closed."""
    more = page.get_by_role("button", name="More", exact=True)
    if more.get_attribute("aria-expanded") != "true":
        more.click()


def click(page: Page, label: str) -> None:
    if label in BEHIND_MORE:
        open_more(page)
    button(page, label).click()


def status(page: Page):
    return page.get_by_test_id("progress").last  # a replaced element stays for a frame


def step_number(page: Page) -> int:
    return int(re.search(r"step ([\d,]+)", status(page).inner_text())[1].replace(",", ""))


def test_from_settings_to_a_kept_model(page: Page):
    page.goto("/")
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()
    page.get_by_text("Quick reverse", exact=True).click()
    page.get_by_role("tab", name="Model").click()
    width = page.locator(".st-key-model-d_model input")
    width.fill("10")
    width.press("Enter")
    expect(page.get_by_text("Use Model width 8 or 12, or Heads 2 or 5.").first).to_be_visible()
    width.fill("48")
    width.press("Enter")
    expect(page.locator("svg.arch text", has_text="32×17×48").first).to_be_visible()
    expect(page.get_by_test_id("stMetricValue")).not_to_have_text("87,950")
    click(page, "Train this model")

    expect(page).to_have_url(re.compile("/train$"))
    expect(page.locator(".panel.loss canvas")).to_be_visible()
    click(page, "Pause")
    expect(status(page)).to_contain_text("paused")
    paused_at = step_number(page)
    click(page, "Step")
    expect(status(page)).to_contain_text(f"step {paused_at + 1:,} of")
    click(page, "Step")
    expect(status(page)).to_contain_text(f"step {paused_at + 2:,} of")
    click(page, "Resume")
    expect(status(page)).to_contain_text("running")
    page.reload()  # the run belongs to the visitor, not to the page
    expect(status(page)).to_contain_text("running")
    page.get_by_role("radio", name="Full speed").click()
    expect(status(page)).to_contain_text("solved")
    expect(page.get_by_title("all correct").first).to_be_visible()

    page.get_by_role("link", name="Step through this model").click()
    expect(page.get_by_role("combobox", name="Model")).to_have_value(
        re.compile(r"^\w+-\w+ \(\w+, \d+ heads?, model width \d+\)$")
    )
    own = page.get_by_role("textbox", name="Your input")
    own.fill("7 2 9")
    own.press("Enter")
    expect(page.locator(".toks").first).to_contain_text("9")
    counter = page.get_by_text(re.compile(r"^Operation \d+ of \d+$"))
    first, total = map(int, re.findall(r"\d+", counter.inner_text()))
    for at in range(first + 1, total + 1):
        page.keyboard.press("ArrowRight") if at % 2 else click(page, "Next")
        expect(page.get_by_text(f"Operation {at} of {total}", exact=True)).to_be_visible()
        expect(page.locator(".katex").first).to_be_visible()
        expect(page.locator("canvas").first).to_be_visible()
    expect(button(page, "Next")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text(f"Operation {total - 1} of {total}", exact=True)).to_be_visible()

    name = f"from-the-browser-{secrets.token_hex(2)}"  # a second attempt meets what the first one saved
    page.get_by_role("link", name="Checkpoints").first.click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="Name").press("Enter")
    click(page, "Save")
    expect(page.get_by_text(f"Saved {name}")).to_be_visible()
    expect(page).to_have_url(re.compile(f"checkpoint={name}"))
    expect(button(page, "Download")).to_have_count(1)  # that of the card before is there for a moment
    with page.expect_download() as download:
        click(page, "Download")
    assert download.value.suggested_filename == f"{name}.zip"
    click(page, "Load")
    expect(page.get_by_text(f"Loaded {name}")).to_be_visible()
    page.get_by_role("link", name="Step through").first.click()
    expect(page.get_by_role("combobox", name="Model")).to_have_value(name)


def test_a_heatmap_tells_the_value_under_the_pointer(page: Page):
    page.goto("/step_through?operation=encoder.tokens")
    expect(page.get_by_role("heading", name="Step through")).to_be_visible()
    for at in range(2, 5):
        click(page, "Next")
        expect(page.get_by_text(re.compile(f"^Operation {at} of"))).to_be_visible()
    canvas = page.locator("canvas").first
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".expression .where")).to_contain_text(re.compile(r"= [−-]?\d"))


def test_another_visitor_sees_nothing_of_it(page: Page):
    page.goto("/train")
    expect(page.get_by_text("No model yet.")).to_be_visible()

"""Slow motion and Rewind in a real browser, each opened by a link."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_road import button, click, open_more, status, step_number

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


def start(page: Page, pace: str, settings: str = "") -> str:
    """Train with these settings at a pace, opened by a link; returns the public address of the run."""
    page.goto(f"/train?{settings}")
    page.get_by_role("radio", name=pace).click()
    click(page, "Train")
    expect(button(page, "Pause")).to_be_visible()
    expect(status(page)).to_contain_text("running")  # the page was redrawn when the run started
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.get_by_role("button", name="Share", exact=True).click()
    address = page.get_by_test_id("stCode").first.inner_text().strip()
    page.keyboard.press("Escape")
    return address


def now(page: Page):
    return page.locator(".stages [aria-current]")


def stage_message(page: Page):
    return page.locator(".slow-motion .words [role=status]")


def boxes(page: Page) -> list:
    """Positions of the parts of the diagram, which must not move between stages."""
    parts = (".strip", ".words", ".figure", "svg.arch")
    found = [page.locator(f".st-key-slow {part}").first.bounding_box() for part in parts]
    link = page.get_by_role("button", name="Open this operation in Step through").bounding_box()
    return [[round(box[side]) for side in ("x", "y", "width")] for box in (*found, link)]


def next_stage(page: Page) -> None:
    before = stage_message(page).inner_text()
    click(page, "Step")
    expect(stage_message(page)).not_to_have_text(before)


def test_slow_motion_from_a_link_on_a_wide_screen_and_a_phone(page: Page, browser: Browser, server: str):
    link = start(page, "Slow motion")
    context = browser.new_context(viewport=PHONE, color_scheme="dark", base_url=server)
    phone = context.new_page()
    phone.goto(link)
    expect(now(phone)).to_have_count(1)
    expect(phone.get_by_text("You are watching")).to_be_visible()
    expect(button(phone, "Step")).to_have_count(0)
    click(page, "Pause")  # in the middle of a step
    expect(status(page)).to_contain_text("paused")
    expect(button(page, "Step")).to_be_enabled()
    while not stage_message(page).inner_text().endswith("stage 1 of 12"):
        next_stage(page)
    positions, stages, lit = set(), [], []
    for _ in range(12):
        positions.add(str(boxes(page)))
        stages.append(now(page).get_attribute("title"))
        lit.append(page.locator(".arch .lit").evaluate_all("parts => parts.map((part) => part.dataset.part).join()"))
        if page.locator(".slow-motion .drawn").count():
            expect(page.locator(".slow-motion canvas").first).to_be_visible()
        expect(stage_message(phone)).to_have_text(stage_message(page).inner_text())
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        next_stage(page)
    context.close()
    assert len(positions) == 1, "nothing jumps"
    assert stages[0] == "Batch"
    assert stages[6] == "Cross-attention, decoder, layer 1"
    assert stages[-2:] == ["Backward", "Optimizer"]
    assert lit[0] == "encoder.tokens,decoder.tokens"
    assert lit[6] == "decoder.layers.0.cross_attention"
    assert lit[9:] == ["probabilities", "", ""]

    while now(page).get_attribute("title") != "Self-attention, encoder, layer 1":
        next_stage(page)
    canvas = page.locator(".slow-motion canvas").first.bounding_box()
    page.mouse.move(canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2)
    expect(page.locator(".slow-motion .value")).to_contain_text(re.compile(r"^head 1, row .* = 0\.\d{4}$"))
    page.get_by_role("button", name="Open this operation in Step through").click()
    expect(page).to_have_url(re.compile("/step_through.*operation=encoder.layers.0.self_attention.attention.weights"))
    expect(page.locator(".operation")).to_contain_text("weights", ignore_case=True)
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_role("radio", name="Full speed").click()
    click(page, "Resume")
    expect(now(page)).to_have_count(0)


def test_rewinding_from_a_link_without_and_with_a_change(page: Page):
    link = start(page, "Watch", "training.steps=3000&training.stop_when_solved=False")  # continues until Pause
    expect(status(page)).to_contain_text(re.compile(r"step (1[2-9]|[2-9]\d|[\d,]{3,}) of"))
    open_more(page)
    rate = page.get_by_role("spinbutton", name="Learning rate")
    expect(rate).to_have_value("0.005")
    rate.fill("20")
    rate.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Learning rate can't be 20.0")
    expect(rate).to_have_value("20")
    rate.fill("0.004")
    rate.press("Enter")
    expect(page.locator(".story")).to_contain_text(re.compile(r"From step \d+ Learning rate 0.005 → 0.004"))
    click(page, "Pause")
    expect(status(page)).to_contain_text("paused")

    page.goto(link)
    page.get_by_role("button", name="Rewind").click()
    step = page.get_by_role("spinbutton", name="Step", exact=True)
    step.fill("9999")
    step.press("Enter")
    expect(page.get_by_text("has no step 9,999 yet")).to_be_visible()
    expect(step).to_have_value("9999")
    step.fill("10")
    step.press("Enter")
    expect(page.get_by_text("without its later changes (from step")).to_be_visible()
    expect(button(page, "Repeat as it was")).to_be_enabled()
    again = page.get_by_role("spinbutton", name="Learning rate")
    expect(again).to_have_value("0.005")
    again.fill("0.02")
    again.press("Enter")
    expect(page.get_by_text("from step 11 with Learning rate 0.005 → 0.02")).to_be_visible()
    click(page, "Continue from here")
    expect(page.locator(".story")).to_contain_text(
        re.compile(r"A branch of [\w-]+ at step 10; from step 11 Learning rate 0.005 → 0.02\.")
    )
    expect(page.get_by_role("spinbutton", name="Step", exact=True)).to_have_count(0)  # the box is closed
    open_more(page)
    expect(rate).to_have_value("0.02")
    parent = re.search(r"A branch of ([\w-]+)", page.locator(".story").inner_text())[1]
    beside = page.locator(".panel.loss .item").filter(has_text=parent)
    expect(beside).to_be_visible()  # its curve stays beside
    expect(status(page)).to_contain_text(re.compile(r"running step (1[1-9]|[2-9]\d|[\d,]{3,}) of"))
    expect(page.get_by_role("combobox", name="My runs")).to_be_visible()
    click(page, "Pause")
    expect(status(page)).to_contain_text("paused")
    at = step_number(page)
    open_more(page)
    page.get_by_role("spinbutton", name="Steps").fill("3")
    click(page, "More steps")
    expect(status(page)).to_contain_text(f"paused step {at + 3:,} of")

    page.goto("/train?present=loss")
    expect(page.locator("html")).to_have_attribute("data-slide", "loss")
    expect(beside).to_be_visible()
    expect(page.locator(".panel.loss .item").first.locator("b")).to_have_text(re.compile(r"^\d"))

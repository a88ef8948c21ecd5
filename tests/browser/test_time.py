"""Time travel in a real browser: from a chart to a step, by the slider, and by playback."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.feel import WATCHED, start_long_run, stillness
from tests.browser.test_road import click, status
from tests.helpers import first

pytestmark = pytest.mark.browser


def chart(page: Page, name: str = "loss"):
    return page.locator(f".panel.{name} .plot")


def click_in(page: Page, name: str, across: float) -> None:
    """Click a chart at a fraction of its width, at half its height."""
    box = chart(page, name).bounding_box()
    there = {"x": across * box["width"], "y": box["height"] / 2}
    chart(page, name).hover(position=there)
    expect(page.locator(f".panel.{name} .step")).to_contain_text("step")  # its numbers have arrived
    chart(page, name).click(position=there)


def slider(page: Page):
    return page.get_by_role("slider", name="Training step")


def trained(page: Page) -> None:
    page.goto("/train")
    page.get_by_role("radio", name="Full speed").click()
    click(page, "Train")
    expect(status(page)).to_contain_text("solved")
    expect(page.get_by_role("button", name="See why it works")).to_be_visible()  # nothing moves after that
    expect(chart(page).locator("canvas")).to_be_visible()


@pytest.mark.parametrize("name", first(1, ["loss", "positions"]))
def test_a_click_on_a_chart_opens_the_step_below_it(page: Page, name: str):
    trained(page)
    click_in(page, name, 0.55)
    expect(page).to_have_url(re.compile("/step_through"))
    expect(slider(page)).not_to_have_attribute("max", "0")
    first = int(slider(page).input_value())
    assert 0 < first < int(slider(page).get_attribute("max"))
    expect(page).to_have_url(re.compile(f"step={first}(&|$)"))
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile(r"^\w+-\w+ \(\w+, \d+ heads?\)$"))
    page.get_by_role("link", name="Train", exact=True).click()
    expect(chart(page).locator("canvas")).to_be_visible()
    click_in(page, name, 0.55)  # the same again
    expect(page).to_have_url(re.compile(f"/step_through.*step={first}(&|$)"))


def test_a_click_on_a_moving_chart_opens_its_step_and_the_chart_does_not_flicker(page: Page):
    page.add_init_script(WATCHED)
    start_long_run(page)
    still = stillness(page, 5)
    assert not still.moved
    assert len(still.boxes) == 1
    click_in(page, "loss", 0.5)
    expect(page).to_have_url(re.compile("/step_through"))
    expect(slider(page)).to_be_visible()


def test_who_watches_by_a_link_opens_steps_too(page: Page, browser: Browser, server: str):
    trained(page)
    page.get_by_role("button", name="Share", exact=True).click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    other = context.new_page()
    other.goto(link)
    expect(other.get_by_text("You are watching")).to_be_visible()
    expect(chart(other).locator("canvas")).to_be_visible()
    click_in(other, "loss", 0.55)
    expect(other).to_have_url(re.compile("/step_through"))
    expect(slider(other)).to_be_visible()
    context.close()


def test_the_slider_by_keys_and_playing_to_the_end(page: Page):
    trained(page)
    click_in(page, "loss", 0.55)
    expect(slider(page)).to_be_visible()
    at = int(slider(page).input_value())
    slider(page).focus()
    for step in (at + 1, at + 2, at + 3):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(f"step={step}(&|$)"))
        expect(page.locator(".time-message")).not_to_contain_text("Replaying")
        expect(slider(page)).to_have_value(str(step))
        expect(slider(page)).to_be_focused()
    last = int(slider(page).get_attribute("max"))
    click(page, "Play")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page).to_have_url(re.compile("step=now"))
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(slider(page)).to_have_value(str(last))

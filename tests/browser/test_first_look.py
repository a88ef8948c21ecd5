"""The first look on Build: a trained model answers the visitor's input, and stops open its numbers."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def answer(page: Page):
    return page.locator(".first .plot button")


def test_a_trained_model_answers_what_one_types(page: Page):
    page.goto("/")
    expect(answer(page)).to_have_text(["5", "1", "4", "1", "3"])
    page.get_by_label("This trained model reverses digits").fill("907")
    expect(answer(page)).to_have_text(["7", "0", "9"])
    answer(page).nth(2).focus()
    expect(page.locator(".first .most")).to_have_text("9")
    expect(page.locator(".first [role=status]")).to_contain_text("predicts “9”")


@pytest.mark.wcag("3.3.1", "4.1.3")
def test_an_input_it_cannot_read_gets_a_sentence_and_stays(page: Page):
    page.goto("/")
    expect(answer(page)).to_have_count(5)
    box = page.get_by_label("This trained model reverses digits")
    box.fill("3x")
    expect(page.locator(".first [role=status]")).to_contain_text("x")
    expect(box).to_have_value("3x")
    expect(answer(page)).to_have_count(5)


def test_a_stop_opens_its_operation_with_the_same_input(page: Page):
    page.goto("/")
    expect(answer(page)).to_have_count(5)
    page.get_by_label("This trained model reverses digits").fill("90 7")
    expect(answer(page)).to_have_count(3)
    page.get_by_role("button", name="5 Weights").click()
    expect(page.locator(".operation")).to_contain_text("Attention weights")
    expect(page.get_by_role("textbox", name="Your input")).to_have_value("9 0 7")
    tour = page.get_by_role("navigation", name="Short tour")
    expect(tour.locator("[aria-current]")).to_have_text("5 Weights")
    sentence = page.locator(".tour-sentence")
    expect(sentence).to_contain_text("Where is the model looking?")
    for name, title, words in (
        ("Next", "6 Weighted values", "collects the values"),
        ("Next", "7 Logits", "has a score"),
        ("Previous", "6 Weighted values", "collects the values"),
    ):
        page.get_by_role("button", name=name, exact=True).click()
        expect(tour.locator("[aria-current]")).to_have_text(title)
        expect(sentence).to_contain_text(words)
    page.keyboard.press("ArrowRight")
    expect(tour.locator("[aria-current]")).to_have_text("7 Logits")
    page.reload()
    tour.get_by_role("button", name="8 Loss").click()
    expect(page.locator(".operation")).to_contain_text("Loss")
    expect(tour.locator("[aria-current]")).to_have_text("8 Loss")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Start lesson 1")).to_be_visible()
    tour.get_by_role("button", name="End tour").click()
    expect(tour).to_be_hidden()
    expect(page).not_to_have_url(re.compile("tour"))


def without_scripts(page: Page) -> None:
    """Files that never arrive: what is seen came with the page."""
    page.route(re.compile(r"/(static|components|_stcore)/"), lambda route: None)


def test_a_page_is_readable_before_any_script_has_come(page: Page):
    without_scripts(page)
    page.goto("/train", wait_until="commit")
    expect(page.get_by_role("heading", name="Train")).to_be_visible()
    expect(page.locator("#opening .loading [role=status]")).to_have_text("Loading the app …")
    expect(page.get_by_role("link", name="Train")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Build").click(no_wait_after=True)
    expect(page.get_by_role("link", name="Build")).to_have_attribute("aria-current", "page")
    expect(page.locator(".look .plot button")).to_have_text(["5", "1", "4", "1", "3"])
    expect(page.locator(".look [role=status]")).to_contain_text("predicts “5”")
    assert page.title() == "Transformer Playground"


def test_what_was_typed_before_the_scripts_came_is_answered(page: Page):
    waiting = []
    page.route(re.compile(r"/scripts-\w+\.js"), lambda route: waiting.append(route))
    page.goto("/", wait_until="commit")
    box = page.get_by_label("This trained model reverses digits")
    box.fill("907")
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    page.locator("#opening").wait_for(state="detached")
    expect(box).to_have_value("907")
    expect(box).to_be_focused()
    expect(answer(page)).to_have_text(["7", "0", "9"])


def test_the_presenter_view_opens_without_a_menu(page: Page):
    without_scripts(page)
    page.goto("/train?present=charts", wait_until="commit")
    expect(page.get_by_role("heading", name="Train")).to_be_visible()
    expect(page.get_by_role("link", name="Build")).to_have_count(0)


def test_a_file_that_does_not_come_is_named(page: Page):
    page.route(re.compile(r"/static/js/index\."), lambda route: route.abort())
    page.goto("/train", wait_until="commit")
    expect(page.locator("#opening .loading [role=status]")).to_have_text(
        "A part of the app didn't load. Reload the page."
    )

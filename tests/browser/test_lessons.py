"""Lessons in a browser: by keyboard only, as slides, and on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.helpers import first

pytestmark = pytest.mark.browser


def open_lesson(page: Page, name: str = "attention") -> None:
    page.goto(f"/learn?view=lessons&lesson={name}")
    expect(page.get_by_role("heading", name=re.compile("^Lesson"))).to_be_visible()
    expect(page.locator(".matrices table").first).to_be_visible()
    expect(page.get_by_role("button", name="Present")).to_be_visible()  # then keys are heard


@pytest.mark.wcag("2.1.1")
def test_a_question_is_answered_by_the_keyboard_alone_and_the_answer_is_kept(page: Page):
    open_lesson(page)
    first = page.get_by_role("radiogroup", name="Your prediction").first.get_by_role("radio").first
    first.focus()
    page.keyboard.press("Space")
    check = page.get_by_role("button", name="Check").first
    expect(check).to_be_enabled()
    for _ in range(3):
        page.keyboard.press("Tab")
        if check.evaluate("(node) => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    verdict = page.get_by_text(re.compile("^(Right: |Not quite)")).first
    expect(verdict).to_be_visible()
    text = verdict.inner_text()
    page.reload()
    expect(page.get_by_text(text)).to_be_visible()
    page.get_by_role("button", name="New numbers").click()
    expect(page.get_by_text(text)).to_have_count(0)


def test_enter_checks_a_number(page: Page):
    open_lesson(page)
    field = page.get_by_role("textbox", name="Your prediction, a number").first
    field.fill("many")
    field.press("Enter")
    expect(page.get_by_text("This isn't a number.")).to_be_visible()
    expect(field).to_have_value("many")
    field.fill("12.5")
    field.press("Enter")
    expect(page.get_by_text(re.compile("You predicted 12.5|your 12.5"))).to_be_visible()


def test_editing_a_number_changes_what_depends_on_it(page: Page):
    open_lesson(page)
    page.locator(".st-key-reveal-2 button").click()
    cell = page.get_by_role("region", name="Scores").locator("tbody td").first
    before = cell.inner_text()
    first = page.get_by_role("spinbutton").first
    first.fill("9.5")
    first.press("Enter")
    expect(cell).not_to_have_text(before)
    expect(first).to_have_value("9.5")
    first.fill("1000")
    first.press("Tab")
    expect(first).to_have_value("10")


def test_blocks_are_slides_and_the_space_bar_shows_the_answer(page: Page):
    open_lesson(page)
    page.keyboard.press("f")
    expect(page.locator("html[data-slide=block-1]")).to_have_count(1)
    expect(page.get_by_role("button", name="All lessons")).to_be_hidden()
    for shown in ("Input and answer", "Your prediction"):
        expect(page.get_by_text(shown).first).to_be_visible()
    expect(page.get_by_text("The answer: ")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.locator("html[data-slide=answer-1]")).to_have_count(1)
    expect(page.get_by_text("The answer: ")).to_be_visible()
    page.keyboard.press("PageUp")
    expect(page.locator("html[data-slide=block-1]")).to_have_count(1)
    expect(page.get_by_text("The answer: ")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="All lessons")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_what_explains_an_answer_stands_beside_it_where_there_is_room(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 900})
    open_lesson(page)
    page.locator(".st-key-reveal-1 button").click()
    expect(page.locator(".st-key-why-1")).to_be_visible()
    for one, other in (("text", "question"), ("found", "why")):
        left, right = (page.locator(f".st-key-{part}-1").bounding_box() for part in (one, other))
        assert (left["x"] + left["width"] <= right["x"]) == (width > 900)
        assert (left["y"] + left["height"] <= right["y"]) == (width < 900)


TOO_TALL = "() => { const main = document.querySelector('.stMain'); return main.scrollHeight - main.clientHeight; }"


@pytest.mark.parametrize(
    ("lesson", "width", "height", "blocks"),
    first(1, [("attention", 1440, 900, 4), ("training-step", 1920, 1080, 6), ("attention", 1920, 1080, 4)]),
)
def test_a_slide_shows_the_question_beside_what_it_is_about_and_fits(
    page: Page, lesson: str, width: int, height: int, blocks: int
):
    page.set_viewport_size({"width": width, "height": height})
    open_lesson(page, lesson)
    page.keyboard.press("f")
    for block in range(1, blocks + 1):  # the last answer has charts and is the tallest
        expect(page.locator(f"html[data-slide=block-{block}]")).to_have_count(1)
        text, question = (page.locator(f".st-key-{part}-{block}").bounding_box() for part in ("text", "question"))
        assert text["x"] + text["width"] <= question["x"]
        assert abs(text["y"] - question["y"]) < 2
        assert page.evaluate(TOO_TALL) <= 1
        page.keyboard.press("Space")
        expect(page.locator(f"html[data-slide=answer-{block}]")).to_have_count(1)
        expect(page.locator(f".st-key-answer-{block} .lesson-part").last).to_be_in_viewport()
        expect(page.locator(f".st-key-answer-{block} .stMarkdown").last).to_be_in_viewport(ratio=1)
        page.keyboard.press("PageDown")


def test_a_lesson_fits_a_phone(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_lesson(page)
    page.get_by_role("button", name="Show the answer").first.click()
    expect(page.get_by_text("The answer: ").first).to_be_visible()
    assert page.evaluate("() => document.querySelector('.stMain').scrollWidth <= innerWidth")


@pytest.mark.wcag("2.4.5")
def test_a_newcomer_gets_from_build_to_the_first_lesson(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Start with lesson 1").click()
    expect(page.get_by_role("heading", name=re.compile("^Lesson 1"))).to_be_visible()


def test_an_operation_of_a_lesson_opens_in_step_through(page: Page):
    page.goto("/learn?lesson=heads")
    expect(page.get_by_role("heading", name=re.compile("^Lesson"))).to_be_visible()
    for question in range(2):
        page.locator(f".st-key-reveal-{question + 1} button").click()
    page.locator(".formula-rows button").first.click()
    expect(page).to_have_url(re.compile("/step_through.*cross_attention.attention.weights"))
    expect(page.locator(".operation")).to_contain_text("Attention weights")

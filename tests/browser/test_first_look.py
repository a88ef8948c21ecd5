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

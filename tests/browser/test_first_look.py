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
    page.reload()
    tour.get_by_role("button", name="8 Loss").click()
    expect(page.locator(".operation")).to_contain_text("Loss")
    expect(tour.locator("[aria-current]")).to_have_text("8 Loss")
    tour.get_by_role("button", name="End tour").click()
    expect(tour).to_be_hidden()
    expect(page).not_to_have_url(re.compile("tour"))

"""Interventions in a browser: a part is switched off, measured, removed, and restored by a link."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

START = "/experiment?view=change&model=reverse-1-16&input=3+1+4+1+5"
CROSS = "decoder layer 1 cross-attention"
ALL = f"{CROSS}, all"
SITE = "decoder.layers.0.cross_attention"


def part(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def changed(page: Page):
    return page.locator(".st-key-changed")


def test_a_part_is_switched_off_by_a_press_and_a_link_keeps_it(page: Page):
    page.goto(START)
    expect(changed(page).get_by_text("✓ right")).to_have_count(2)
    part(page, ALL).click()
    expect(part(page, ALL)).to_have_attribute("aria-pressed", "true")
    expect(changed(page).get_by_text("✕ wrong")).to_have_count(1)
    expect(page).to_have_url(re.compile(f"changes={SITE}(&|$)"))
    expect(changed(page).get_by_text("exact match on 1,000 held-out inputs")).to_have_count(2)
    page.reload()
    expect(part(page, ALL)).to_have_attribute("aria-pressed", "true")
    expect(changed(page).get_by_text("✕ wrong")).to_have_count(1)
    part(page, f"{CROSS}: off").click()
    expect(part(page, ALL)).to_have_attribute("aria-pressed", "false")
    expect(changed(page).get_by_text("✓ right")).to_have_count(2)
    expect(page).not_to_have_url(re.compile("changes="))


def test_fast_presses_with_the_keyboard_all_count(page: Page):
    page.goto(START)
    heads = [part(page, f"{CROSS}, head {number}") for number in (1, 2, 3, 4)]
    expect(heads[0]).to_be_visible()
    heads[0].focus()
    for _ in heads:
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    for head in heads:
        expect(head).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Active changes: 4")).to_be_visible()
    expect(page).to_have_url(re.compile("head.0.*head.1.*head.2.*head.3"))
    part(page, "Remove all").click()
    expect(page.get_by_text("Active changes: 0")).to_be_visible()
    for head in heads:
        expect(head).to_have_attribute("aria-pressed", "false")


def test_the_form_for_a_number_stays_open_after_an_error_and_after_a_change(page: Page):
    page.goto(START)
    page.get_by_text("Edit a number", exact=True).click()
    index = page.get_by_role("textbox", name="Index")
    page.get_by_role("spinbutton", name="New value").fill("2")
    for typed, shown in (("999, 0", "is outside axis"), ("1, 0", "Active changes: 1"), ("2, 0", "Active changes: 2")):
        index.fill(typed)
        index.press("Enter")
        page.get_by_role("button", name="Set", exact=True).click()
        expect(page.get_by_text(shown)).to_be_visible()
        expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
        expect(index).to_be_visible()


def test_a_measurement_shows_progress_is_cancelled_and_ends_in_a_ranking(page: Page):
    page.goto(START)
    expect(changed(page).get_by_text("exact match on 1,000 held-out inputs")).to_have_count(2)
    part(page, "Switch off each head in turn").click()
    expect(page.get_by_role("progressbar", name="Measuring")).to_be_visible()
    part(page, "Cancel").click()
    expect(page.get_by_role("progressbar", name="Measuring")).to_have_count(0)
    part(page, "Switch off each sublayer in turn").click()
    ranking = page.get_by_role("table").filter(has_text="Switched off")
    expect(ranking.get_by_role("row")).to_have_count(1 + 5 + 1)
    expect(ranking.get_by_role("row").last).to_contain_text("none")

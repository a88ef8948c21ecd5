"""The Generate page in a browser: mouse, keys, playback, forced tokens, links, and a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

START = "/generate?model=reverse-1-16&input=3+1+4+1+5"


def answer(page: Page, tokens: str) -> None:
    expect(page.get_by_role("list", name="Answer so far").get_by_role("button")).to_have_text(tokens.split())


def test_an_answer_is_generated_forced_and_shared(page: Page):
    page.goto(START)
    expect(page.get_by_text("Next: token 1, “5”")).to_be_visible()
    page.get_by_role("button", name="Next token").click()
    answer(page, "5")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    answer(page, "5 1 4")
    page.keyboard.press("ArrowLeft")
    answer(page, "5 1")
    page.get_by_role("button", name=re.compile("^Force 9 ?: probability")).click()
    answer(page, "5 1 9")
    expect(page.get_by_role("button", name=re.compile("^9, token 3, .*, forced"))).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_text("The answer is complete:")).to_be_visible()
    tokens = page.get_by_role("list", name="Answer so far").get_by_role("button").all_inner_texts()
    expect(page).to_have_url(re.compile(rf"tokens={len(tokens)}&forced=2%3A\d+"))  # the address follows the page
    page.reload()
    answer(page, " ".join(tokens))
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("No tokens yet")).to_be_visible()


def test_play_goes_on_to_the_end_and_a_press_stops_it(page: Page):
    page.goto(f"{START}&tokens=4")
    page.get_by_role("button", name="Play tokens").click()
    answer(page, "5 1 4 1 3")
    answer(page, "5 1 4 1 3 EOS")
    expect(page.get_by_role("button", name="Play tokens")).to_be_visible()
    page.keyboard.press("p")  # from the start again
    expect(page.get_by_text("No tokens yet")).to_be_visible()
    answer(page, "5")
    page.get_by_role("button", name="Pause tokens").click()
    expect(page.get_by_role("button", name="Play tokens")).to_be_visible()


def test_sampling_shows_what_is_cut_off_and_beams_are_a_tree(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(START)
    page.get_by_text("Sampling", exact=True).click()
    page.get_by_role("spinbutton", name="Top-k").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("cut by top-k")).to_have_count(12)
    expect(page).to_have_url(re.compile("top_k=2"))
    page.get_by_text("Beam search", exact=True).click()
    expect(
        page.get_by_role("img", name=re.compile("Beam search, 6 rounds. The answer is 5 1 4 1 3 EOS"))
    ).to_be_visible()
    expect(page.get_by_role("region", name="Answers")).to_contain_text("99.8 %")
    assert page.evaluate("document.documentElement.scrollWidth") == 390

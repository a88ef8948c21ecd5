"""Tries in real browsers: a seat trains with the host's settings, a tile moves, and the class sees run and board."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_presenter import expect_ready
from tests.browser.test_room import Come, bar, open_room, seat, state
from tests.browser.test_room_access import violations

__all__ = ["seat"]  # a fixture

pytestmark = pytest.mark.browser

SMALL = "task.name=copy&task.min_length=4&task.max_length=4&task.vocab_size=4&model.d_model=32&training.eval_every=10"
SLOW = f"/train?lesson=1&{SMALL}&training.steps=2000&training.learning_rate=0.0001"


def tries(page: Page):
    return page.get_by_role("dialog", name="Tries")


def board(page: Page):
    return page.get_by_role("dialog", name="Board of configurations")


def run_of(page: Page) -> str:
    found = re.search(r"[?&]run=([\w-]+)", page.url)
    return found[1] if found else ""


def test_a_seat_tries_the_host_s_run_and_the_host_shows_it_without_a_name(page: Page, seat: Come):
    code = open_room(page, SLOW)
    one, other = seat(f"/?room={code}"), seat(f"/?room={code}")
    for each in (one, other):
        expect(state(each)).to_have_text("Following")
        expect(bar(each).get_by_role("button", name="Try it")).to_be_hidden()
    page.get_by_role("button", name="Train", exact=True).click()
    bar(one).get_by_role("button", name="Try it").click()
    expect(state(one)).to_have_text("Exploring")
    expect_ready(one)
    expect(one.get_by_role("heading", name="Build a transformer")).to_be_visible()
    assert "training.steps=2000" in one.url
    one.get_by_role("button", name="Train this model").click()
    mine = bar(one).get_by_role("button", name="Your run: step")
    expect(mine).to_be_visible()

    bar(page).get_by_role("button", name="Tries").click()
    tile = tries(page).locator(".try")
    expect(tile).to_have_count(1)
    expect(tile).to_contain_text(bar(one).locator(".name").inner_text())
    expect(tile.locator(".differs")).to_have_text("same settings")
    before = tile.locator(".state").inner_text()
    expect(tile.locator(".state")).not_to_have_text(before)  # it moves by itself
    expect(tile.locator("path")).to_have_attribute("d", re.compile(r"^M.*L"))
    assert violations(page, "light") == violations(page, "dark") == []
    shown = run_of(other)
    tile.click()
    expect(tries(page)).to_be_hidden()
    expect(other).not_to_have_url(re.compile(rf"run={shown}(&|$)"))
    expect(other).to_have_url(re.compile(r"train\?.*run="))
    assert run_of(other) == run_of(page) != shown
    expect(other.locator(".stMain").get_by_text("You are watching")).to_be_visible()
    assert bar(one).locator(".name").inner_text() not in other.locator("body").inner_text()
    mine.click()
    one.wait_for_url(f"**/train?*run={run_of(page)}*")


def test_the_board_is_off_until_the_host_shows_it(page: Page, seat: Come):
    code = open_room(page, f"/train?lesson=1&{SMALL}&training.learning_rate=0.01&training.steps=300&pace=Full+speed")
    one = seat(f"/?room={code}")
    expect(state(one)).to_have_text("Following")
    page.get_by_role("button", name="Train", exact=True).click()
    bar(one).get_by_role("button", name="Try it").click()
    expect(one.get_by_role("heading", name="Build a transformer")).to_be_visible()
    one.get_by_role("button", name="Train this model").click()
    expect(bar(one).get_by_role("button", name=re.compile("Your run: (solved|finished)"))).to_be_visible()
    expect(bar(one).get_by_role("button", name="Board")).to_be_hidden()
    bar(page).get_by_role("button", name="Board").click()
    row = board(page).locator("tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("same settings")
    expect(row).to_have_class("best")
    assert violations(page, "light") == violations(page, "dark") == []
    board(page).get_by_label("Show the board to the class").check()
    bar(one).get_by_role("button", name="Board").click()
    expect(board(one).locator("tbody tr")).to_contain_text("same settings")
    expect(board(one).get_by_label("Show the board to the class")).to_be_hidden()
    board(page).get_by_label("Show the board to the class").uncheck()
    expect(board(one).get_by_text("The board is off.")).to_be_visible()
    one.keyboard.press("Escape")
    expect(board(one)).to_be_hidden()
    expect(bar(one).get_by_role("button", name="Board")).to_be_hidden()


def test_the_host_sees_over_time_for_whom_it_is_too_fast(page: Page, seat: Come):
    code = open_room(page, "/train")
    one = seat(f"/?room={code}")
    expect(state(one)).to_have_text("Following")
    bar(page).get_by_role("button", name="Tries").click()
    expect(tries(page).get_by_text("Nobody has pressed Too fast or Too hard yet.")).to_be_visible()
    bar(one).get_by_role("button", name="Too fast").click()
    expect(tries(page).locator(".meter")).to_contain_text("Too fast: 1")
    expect(tries(page).locator(".meter path.fast")).to_have_attribute("d", re.compile("V"))

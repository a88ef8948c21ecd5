"""The Train page has no layout shift during training, shows its first chart early, and handles every press."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.feel import WATCHED, start_long_run, stillness, visit
from tests.browser.test_road import button, click, status
from tests.helpers import first

pytestmark = pytest.mark.browser


def test_the_train_page_stays_where_it_is_while_its_numbers_move(page: Page):
    page.add_init_script(WATCHED)
    start_long_run(page)
    still = stillness(page, 10)
    assert still.updates == 10
    assert still.pictures >= 3
    assert not still.moved, "a chart was replaced instead of getting new data"
    assert len(still.boxes) == 1, "\n".join(still.boxes)


SCREENS = {"laptop": (1440, 900), "phone": (390, 844)}
TOLERATED = 0.001  # centred text may move by a pixel


def test_hardly_anything_moves_on_a_first_load(browser: Browser, server: str):
    page = browser.new_page(viewport={"width": 1440, "height": 900}, base_url=server)
    page.add_init_script(WATCHED)
    visit(page, "")
    expect(page.locator("svg.arch")).to_be_visible()
    expect(page.locator(".st-key-first-look").get_by_role("status")).to_contain_text("cross-attention")
    page.wait_for_timeout(500)
    assert page.evaluate("feel.shift") < 0.1
    page.context.close()


@pytest.mark.parametrize("screen", first(1, SCREENS, of=2))
def test_nothing_moves_from_the_press_of_train_to_the_end(browser: Browser, server: str, screen: str):
    width, height = SCREENS[screen]
    page = browser.new_page(viewport={"width": width, "height": height}, base_url=server)
    page.add_init_script(WATCHED)
    visit(page, "train")
    page.wait_for_timeout(1000)
    page.evaluate("feel.shift = 0")
    page.evaluate("document.querySelector('[class*=st-key-play-] button').click()")  # a person's act may move things
    expect(status(page)).to_contain_text("running")
    expect(page.locator(".panel.loss canvas")).to_be_visible()
    assert page.locator(".panel.loss").bounding_box()["y"] <= (250 if screen == "laptop" else 400)
    expect(status(page)).to_contain_text("solved")
    expect(button(page, "See why it works")).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("feel.shift") < TOLERATED
    page.context.close()


@pytest.mark.wcag("2.2.2", "2.4.3")
def test_play_is_one_button_that_keeps_the_keyboard(page: Page):
    page.add_init_script(WATCHED)
    start_long_run(page)
    button(page, "Pause").focus()
    for label, shown in (("Resume", "paused"), ("Pause", "running"), ("Resume", "paused")):
        page.keyboard.press("Enter")
        expect(button(page, label)).to_be_focused()
        expect(status(page)).to_contain_text(shown)
    assert page.locator("[class*=st-key-play-] button").count() == 1
    click(page, "Stop")
    expect(status(page)).to_contain_text("stopped")
    expect(button(page, "Train")).to_be_enabled()
    expect(button(page, "Stop")).to_have_count(0)  # the box is closed

"""What a room draws is accessible: for a host and a seat, on a laptop and a phone, in both themes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import AXE, CHECK, settled
from tests.browser.test_room import Come, bar, card, ended, open_room, seat

__all__ = ["ended", "seat"]  # fixtures

pytestmark = pytest.mark.browser


def violations(page: Page, scheme: str) -> list[list[str]]:
    page.emulate_media(color_scheme=scheme)
    settled(page)
    page.evaluate(AXE)
    return page.evaluate(CHECK, "" if scheme == "light" else "cat.color")


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["laptop", "phone"])
def test_what_a_room_draws_is_accessible(page: Page, seat: Come, size: tuple[int, int]):
    width, height = size
    code = open_room(page, "/train")
    one = seat(f"/?room={code}")
    one.wait_for_url("**/train?*")
    bar(one).get_by_role("button", name="Too hard").click()
    expect(bar(page)).to_contain_text("1 too hard")
    for each in (page, one):
        each.set_viewport_size({"width": width, "height": height})
    found = []
    for scheme in ("light", "dark"):
        found += [*violations(page, scheme), *violations(one, scheme)]
        bar(page).get_by_role("button", name="Join card").click()
        expect(card(page)).to_be_visible()
        found += violations(page, scheme)
        page.keyboard.press("Escape")
    assert not found
    for button in (*bar(page).get_by_role("button").all(), *bar(one).get_by_role("button").all()):
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24
        assert box["y"] + box["height"] <= height

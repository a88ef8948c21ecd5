"""A room in real browsers: a host leads, seats follow, explore and come back, and what breaks comes back."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import free_port, running_server
from tests.browser.test_presenter import expect_ready
from tests.helpers import HANG

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
WEIGHTS = "/step_through?operation=decoder.layers.0.cross_attention.attention.weights&input=3+1+4"


PRESENTER_LINK = """() => {
  const { code, host } = JSON.parse(localStorage.getItem("playground room"));
  return `/?room=${code}#host=${host}`;
}"""

END = """() => {
  const { code, host } = JSON.parse(localStorage.getItem("playground room") || "{}");
  return code && fetch(`./room/${code}/end`, { method: "POST", body: JSON.stringify({ host }) });
}"""


def bar(page: Page):
    return page.get_by_role("region", name="Room")


def card(page: Page):
    return page.get_by_role("dialog", name="Join this room")


def state(page: Page):
    """How a seat is related to the host."""
    return bar(page).locator(".where")


def expect_operation(page: Page, name: str) -> None:
    """Expect an operation in the address."""
    expect(page).to_have_url(re.compile(rf"/step_through\?(.*&)?operation=[\w.]*{name}(&|$)"))


def open_room(page: Page, address: str = WEIGHTS) -> str:
    """Open a room on a page; returns its code."""
    page.goto(address)
    expect_ready(page)
    page.keyboard.press("q")
    page.locator(".code[open]").get_by_role("button", name="Open a room").click()
    expect(card(page)).to_be_visible()
    code = card(page).locator(".code").inner_text()
    assert re.fullmatch(r"[A-Z2-9]{3} [A-Z2-9]{3}", code)
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    return code.replace(" ", "")


@pytest.fixture(autouse=True)
def ended(request: pytest.FixtureRequest):
    """A server has a limited number of rooms."""
    page = request.getfixturevalue("page") if "page" in request.fixturenames else None  # it closes after this
    yield
    if page:
        page.evaluate(END)


@pytest.fixture
def seat(browser: Browser, server: str):
    """Opens a page for somebody else, at an address."""
    errors: list[str] = []

    def come(address: str, **options: object) -> Page:
        page: Page = browser.new_context(base_url=server, **options).new_page()  # type: ignore[arg-type]
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        return page

    yield come
    assert not errors


Come = Callable[..., Page]


def test_a_class_joins_by_link_and_by_code_and_follows_across_pages(page: Page, seat: Come):
    code = open_room(page)
    by_link = seat(f"/?room={code}", viewport=PHONE)
    by_link.wait_for_url("**/step_through?*")
    expect(state(by_link)).to_have_text("Following")
    by_code = seat("/checkpoints")
    expect_ready(by_code)
    by_code.keyboard.press("q")
    by_code.locator(".code[open]").get_by_role("button", name="Join a room").click()
    expect(by_code.get_by_label("Code")).to_be_focused()
    by_code.keyboard.type(f"{code[:3].lower()}-{code[3:]}")
    by_code.keyboard.press("Enter")
    by_code.wait_for_url("**/step_through?*")
    expect(bar(page)).to_contain_text("2 in the room")
    for one in (by_link, by_code):
        expect_operation(one, "cross_attention.attention.weights")
        assert f"room={code}" in one.url
    assert bar(by_link).locator(".name").inner_text() != bar(by_code).locator(".name").inner_text()
    page.get_by_role("button", name="Next", exact=True).click()
    for one in (by_link, by_code):
        expect_operation(one, "cross_attention.attention.heads")
    page.get_by_role("link", name="Generate").first.click()
    for one in (by_link, by_code):
        one.wait_for_url("**/generate?*")
        expect(one.locator(".stMain h1").first).to_have_text("Generate")
        expect(state(one)).to_have_text("Following")


def test_a_seat_explores_by_its_own_click_and_comes_back_by_a_key(page: Page, seat: Come):
    code = open_room(page)
    one = seat(f"/?room={code}")
    one.wait_for_url("**/step_through?*")
    expect_ready(one)
    one.get_by_role("link", name="Train").first.click()
    expect(state(one)).to_have_text("Exploring")
    one.wait_for_url("**/train?*")
    page.get_by_role("button", name="Next", exact=True).click()
    expect_operation(page, "cross_attention.attention.heads")
    one.reload()
    expect(state(one)).to_have_text("Exploring")
    assert "/train" in one.url
    one.locator("body").press("c")
    expect(state(one)).to_have_text("Following")
    expect_operation(one, "cross_attention.attention.heads")
    expect(bar(one).get_by_role("button", name="Back to the class")).to_be_hidden()


def test_operations_are_followed_without_a_script_run_and_explored_from_there(page: Page, seat: Come):
    code = open_room(page)
    one = seat(f"/?room={code}")
    expect_operation(one, "cross_attention.attention.weights")
    expect_ready(one)
    one.evaluate(
        """() => {
          window.ran = 0;
          const looked = new MutationObserver((changes) => (window.ran += changes.length));
          looked.observe(document.querySelector(".stApp"), { attributeFilter: ["data-test-script-state"] });
        }"""
    )
    for name in ("heads", "concat", "output"):
        page.get_by_role("button", name="Next", exact=True).click()
        expect_operation(page, f"cross_attention.*{name}")
    expect_operation(one, "cross_attention.*output")
    shown = one.locator(".st-key-crumbs .last")
    expect(shown).to_have_text("output")
    assert one.evaluate("window.ran") == 0
    one.get_by_role("button", name="Previous", exact=True).click()
    expect_operation(one, "cross_attention.*concat")
    expect(shown).to_have_text("concat")
    expect(state(one)).to_have_text("Exploring")


def test_free_and_pause_force_nothing(page: Page, seat: Come):
    code = open_room(page)
    one = seat(f"/?room={code}")
    one.wait_for_url("**/step_through?*")
    bar(page).get_by_role("button", name="Pause").click()
    expect(state(one)).to_have_text("Look at the front")
    bar(page).get_by_role("button", name="Free").click()
    expect(state(one)).to_have_text("Look around")
    page.get_by_role("link", name="Generate").first.click()
    page.wait_for_url("**/generate?*")
    bar(one).get_by_role("button", name="Too fast").click()
    expect(bar(page)).to_contain_text("1 too fast")
    assert "/step_through" in one.url
    bar(page).get_by_role("button", name="Lead").click()
    one.wait_for_url("**/generate?*")
    bar(one).get_by_role("button", name="Too fast").click()
    expect(bar(page)).not_to_contain_text("too fast")


def test_a_wrong_code_is_one_sentence_and_an_ended_room_another(page: Page, seat: Come):
    wrong = seat("/train?room=AAAAAA")
    expect(wrong.locator(".playground-notice").get_by_text("There is no room with this code.")).to_be_visible()
    expect(wrong).not_to_have_url(re.compile("room="))
    assert "/train" in wrong.url
    code = open_room(page)
    one = seat(f"/?room={code}")
    one.wait_for_url("**/step_through?*")
    bar(page).get_by_role("button", name="Join card").click()
    card(page).get_by_role("button", name="End the room").click()
    card(page).get_by_role("button", name="End", exact=True).click()
    expect(one.locator(".playground-notice").get_by_text(f"The room {code[:3]} {code[3:]} has ended.")).to_be_visible()
    expect(bar(one)).to_be_hidden()
    expect(one).not_to_have_url(re.compile("room="))
    ended = page.get_by_role("dialog", name="This room has ended")
    with page.expect_download() as download:
        ended.get_by_role("button", name="Download answers").click()
    assert download.value.suggested_filename == f"room-{code}.csv"
    expect(ended.locator(".qr, .code, .link").filter(visible=True)).to_have_count(0)
    expect(ended.get_by_role("button")).to_have_text(["✕", "Download answers (CSV)", "Open a new room"])
    ended.get_by_role("button", name="Open a new room").click()
    expect(card(page).locator(".code")).not_to_have_text(f"{code[:3]} {code[3:]}")
    card(page).get_by_role("button", name="End the room").click()
    card(page).get_by_role("button", name="End", exact=True).click()
    ended.get_by_role("button", name="Close").click()
    expect(bar(page)).to_be_hidden()


def test_a_reload_of_the_host_and_a_second_device_lead_on(page: Page, seat: Come):
    code = open_room(page)
    one = seat(f"/?room={code}")
    expect_operation(one, "cross_attention.attention.weights")
    page.reload()
    expect_ready(page)
    expect(bar(page)).to_contain_text("1 in the room")
    page.get_by_role("button", name="Next", exact=True).click()
    expect_operation(one, "cross_attention.attention.heads")
    second = seat(page.evaluate(PRESENTER_LINK))
    expect_operation(second, "cross_attention.attention.heads")
    assert "#" not in second.url
    expect_ready(second)
    second.get_by_role("link", name="Generate").first.click()
    for other in (one, page):
        expect(other).to_have_url(re.compile("/generate"))
        expect(other.locator(".stMain h1").first).to_have_text("Generate")
    expect_ready(page)
    page.get_by_role("link", name="Train").first.click()
    for other in (one, second):
        expect(other).to_have_url(re.compile("/train"))


def test_another_tab_of_the_host_leads_when_its_button_says_so(page: Page, seat: Come):
    code = open_room(page)
    one = seat(f"/?room={code}")
    expect_operation(one, "cross_attention.attention.weights")
    other = page.context.new_page()
    other.goto("/checkpoints")
    expect(bar(other)).to_contain_text("1 in the room")
    expect_ready(other)
    other.get_by_role("link", name="Train").first.click()
    expect(other).to_have_url(re.compile("/train"))
    bar(other).get_by_role("button", name="Lead from this tab").click()
    other.get_by_role("link", name="Generate").first.click()
    expect(one).to_have_url(re.compile("/generate"))


def test_check_my_room_prints_a_line_for_each_step(page: Page):
    open_room(page)
    bar(page).get_by_role("button", name="Join card").click()
    card(page).get_by_role("button", name="Check my room").click()
    expect(card(page).locator(".steps .good")).to_have_count(7)
    expect(card(page).locator(".steps .wrong")).to_have_count(0)
    expect(card(page)).to_contain_text("Your own room stays as it is.")
    expect(card(page)).to_contain_text(re.compile(r"3 answers counted: \d+ ms"))
    expect(bar(page)).to_contain_text("0 in the room")


def test_a_killed_server_comes_back_with_the_room(browser: Browser, tmp_path: Path):
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with running_server(tmp_path, port) as first:
        page, one = (browser.new_context(base_url=address).new_page() for _ in range(2))
        code = open_room(page)
        one.goto(f"/?room={code}")
        expect_operation(one, "cross_attention.attention.weights")
        name = bar(one).locator(".name").inner_text()
        first.kill()
        first.wait(HANG)
        for each in (page, one):
            expect(each.locator(".stApp")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with running_server(tmp_path, port):
        for each in (page, one):
            expect(each.locator(".stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
            expect_ready(each)
        expect(bar(page)).to_contain_text("1 in the room")
        page.get_by_role("link", name="Generate").first.click()
        expect(one).to_have_url(re.compile("/generate"))
        assert bar(one).locator(".name").inner_text() == name
        one.reload()
        expect(bar(one).locator(".name")).to_have_text(name)
        for each in (page, one):
            each.context.close()


def test_a_room_is_left_and_its_slides_are_marked_for_who_follows(page: Page, seat: Come):
    code = open_room(page, "/generate")
    one = seat(f"/?room={code}")
    one.wait_for_url("**/generate?*")
    expect_ready(one)
    page.keyboard.press("f")
    expect(page.locator("html")).to_have_attribute("data-slide", "token")
    expect(bar(page).locator(".code")).to_be_visible()
    expect(bar(page).get_by_role("button", name="Pause")).to_be_hidden()
    page.mouse.move(300, 300)
    bar(page).get_by_role("button", name="Pause").click()
    expect(state(one)).to_have_text("Look at the front")
    bar(page).get_by_role("button", name="Lead").click()
    one.evaluate(
        "() => { window.moved = []; Element.prototype.animate = function () { window.moved.push(this.className); }; }"
    )
    page.keyboard.press("PageDown")
    expect(page.locator("html")).to_have_attribute("data-slide", "attention")
    one.wait_for_function("() => window.moved.some((name) => name.includes('token-attention'))")
    assert "present=" not in one.url
    bar(one).get_by_role("button", name="Leave").click()
    expect(bar(one)).to_be_hidden()
    expect(one).not_to_have_url(re.compile("room="))
    one.reload()
    expect_ready(one)
    expect(bar(one)).to_be_hidden()

"""Library cards in a real browser: search, save, delete, compare, and a file dropped on a page."""

import base64
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.recording import REPOSITORY
from playground.storage import library
from playground.storage.archive import as_zip

pytestmark = pytest.mark.browser

SHIPPED = ("copy-1-16", "reverse-1-16")
DROP = """([data, name, kinds]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], name));
  for (const kind of kinds) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""

CORNER = """() => document.body.append(Object.assign(document.createElement("div"),
  { className: "stVerticalBlock st-key-dock", textContent: "a push", style: "height: 180px" }))"""
CLEAR = """() => {
  const bar = document.querySelector(".st-key-card-actions").getBoundingClientRect();
  const corner = document.querySelector(".st-key-dock:last-child").getBoundingClientRect();
  return corner.height === 180 && corner.top > 0 && corner.bottom < innerHeight
    && (corner.bottom <= bar.top || corner.top >= bar.bottom);
}"""


def packed(name: str) -> bytes:
    return as_zip(REPOSITORY / "checkpoints" / name)


def cards(page: Page):
    return page.get_by_role("list", name="Checkpoints").get_by_role("listitem")


def card(page: Page, name: str):
    return cards(page).filter(has=page.get_by_role("button", name=name, exact=True))


def drop(page: Page, content: bytes, name: str, *kinds: str) -> None:
    page.evaluate(DROP, [base64.b64encode(content).decode(), name, kinds or ("dragenter", "drop")])


@pytest.mark.wcag("3.3.4")
def test_cards_are_found_and_kept_and_compared(page: Page, browser: Browser, server: str, tmp_path: Path):
    page.goto("/checkpoints")
    expect(card(page, SHIPPED[0]).locator("canvas")).to_have_count(4)
    assert (
        card(page, SHIPPED[1])
        .locator("canvas")
        .first.evaluate(
            "node => new Set(node.getContext('2d').getImageData(0, 0, node.width, node.height).data).size > 3"
        )
    )
    file = tmp_path / "brought along.zip"
    file.write_bytes(packed(SHIPPED[0]))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload").click()
    chooser.value.set_files(file)
    expect(card(page, "brought-along").get_by_role("button", name="brought-along")).to_have_attribute(
        "aria-pressed", "true"
    )
    search = page.get_by_role("searchbox", name="Search the library")
    search.press_sequentially("brought")
    expect(cards(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("search=brought"))
    search.fill("")
    page.get_by_role("combobox", name="Sort by").select_option("name")
    expect(page).to_have_url(re.compile("sorted=name"))
    expect(cards(page).first).to_contain_text("brought-along")

    page.get_by_role("button", name="brought-along", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(card(page, SHIPPED[0])).to_have_class(re.compile("selected"))
    expect(page.get_by_role("button", name="Rename")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.keyboard.down("Delete")
    page.keyboard.down("Delete")  # like a held key
    page.keyboard.up("Delete")
    undo, agree = (page.get_by_role("button", name=name) for name in ("Undo", "Delete for everyone"))
    expect(undo.or_(agree)).to_be_visible()
    if asked := agree.is_visible():  # another browser has used this server before
        agree.click()
    expect(card(page, "brought-along")).to_have_count(0)
    if not asked:
        expect(page.get_by_role("button", name=SHIPPED[0], exact=True)).to_be_focused()
    undo.click()
    expect(card(page, "brought-along")).to_be_visible()
    expect(page.locator(".chosen")).to_have_text("brought-along")
    search.fill("reverse")
    expect(page.locator(".chosen")).to_have_text(SHIPPED[1])
    search.fill("nothing like it")
    expect(page.locator(".chosen")).to_have_count(0)
    search.fill("")
    expect(page.locator(".chosen")).to_be_visible()

    for name in SHIPPED:
        page.get_by_role("checkbox", name=f"Compare {name}").check()
    expect(page.get_by_role("checkbox", name="Compare brought-along")).to_be_disabled()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page).to_have_url(re.compile("compare="))
    expect(page.locator(".panel.loss canvas")).to_be_visible()
    address = page.url
    page.go_back()
    expect(cards(page)).to_have_count(1 + len(library.SHIPPED))
    expect(page).not_to_have_url(re.compile("compare="))
    page.go_forward()
    expect(page.get_by_role("textbox", name="Input for both")).to_be_visible()
    expect(page).to_have_url(address)

    other = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server).new_page()
    other.goto(page.url)
    expect(other.get_by_text("head 4")).to_have_count(2)
    field = other.get_by_role("textbox", name="Input for both")
    field.fill("7 2 9")
    field.press("Enter")
    expect(other.get_by_title("all correct")).to_have_count(2)
    assert other.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    other.get_by_role("button", name="Library", exact=True).click()
    expect(cards(other)).to_have_count(1 + len(library.SHIPPED))
    assert other.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    other.evaluate(CORNER)
    for end in (0, 1e6):
        other.evaluate("end => document.querySelector('.stMain').scrollTo(0, end)", end)
        other.wait_for_function(CLEAR)
    other.context.close()


def test_a_file_is_dropped_on_a_page_that_moves(page: Page):
    page.goto("/train")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("progress")).to_contain_text("running")
    drop(page, b"", "notes.txt", "dragenter")
    expect(page.get_by_text("Drop to load")).to_be_visible()
    drop(page, b"", "notes.txt", "drop")
    expect(page.get_by_text("Drop to load")).to_be_hidden()
    expect(page.get_by_text("notes.txt isn't a checkpoint")).to_be_visible()
    drop(page, b"PK", "broken.zip")
    expect(page.get_by_text("isn't a checkpoint. Choose a .zip")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    drop(page, packed(SHIPPED[1]), "dropped.zip")
    expect(page).to_have_url(re.compile("/step_through"))
    expect(page.get_by_role("combobox", name="Model")).to_have_value("dropped")
    expect(page.locator(".toks").first).to_contain_text("5")


def test_a_picture_that_is_refused_for_now_comes_later(page: Page):
    sentence = "The server has too much to compute. Try again in 1 s."
    asked: list[str] = []

    def refuse(route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1 or "reverse" in route.request.url:
            route.fulfill(status=429, headers={"Retry-After": "1"}, body=sentence)
        else:
            route.continue_()

    page.route("**/library/*/attention?*", refuse)
    page.goto("/checkpoints")
    expect(card(page, "copy-1-16").locator("canvas").first).to_be_visible()
    expect(card(page, "reverse-1-16")).to_contain_text(sentence)
    assert sum("reverse" in each for each in asked) == 4, "asked again a few times, and no more"


def test_charts_that_fail_to_load_are_tried_again_by_themselves(page: Page):
    asked: list[str] = []

    def fail_twice(route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503, body="later") if len(asked) < 3 else route.continue_()

    page.add_init_script(
        """const { setTimeout } = window;
        window.pauses = [];
        window.setTimeout = (act, pause, ...rest) => (pauses.push(pause), setTimeout(act, pause, ...rest));"""
    )
    page.route("**/charts/vega-*", fail_twice)
    page.goto("/checkpoints?compare=copy-1-16,reverse-1-16")
    message = page.get_by_text("Charts didn't load. Retrying ...")
    expect(message).to_be_visible()
    expect(page.locator(".panel.loss canvas")).to_be_visible()
    expect(message).to_have_count(0)
    assert len(asked) == 3
    pauses = page.evaluate("pauses")
    assert 2000 in pauses[pauses.index(1000) :], "after a longer pause each time"


def test_the_chosen_checkpoint_is_exported_as_a_file(page: Page):
    page.goto("/checkpoints?checkpoint=reverse-1-16")
    page.get_by_role("button", name="Export").click()
    box = page.get_by_test_id("stPopoverBody")
    box.get_by_label("Format").click()
    page.get_by_role("option", name="Attention weights (JSON)").click()
    field = box.get_by_role("textbox", name="Input")
    field.fill("3 1 4")
    field.press("Enter")
    box.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        box.get_by_role("link", name="Download reverse-1-16-attention.json").click()
    assert json.loads(download.value.path().read_bytes())["tokens"]["source"] == ["3", "1", "4"]
    field.fill("3 x")
    field.press("Enter")
    expect(box.get_by_role("link", name="Download reverse-1-16-attention.json")).to_be_hidden()
    box.get_by_role("button", name="Export").click()
    expect(box.get_by_text("“x” at position 2 of the input is not a symbol")).to_be_visible()

"""Layout from a phone to a projector: a free menu, no page wider than its window, whole words, labels on one line."""

import pytest
from playwright.sync_api import Page, expect

from playground.ui.session.pages import PAGES, TRAIN
from tests.browser.test_shell import ready
from tests.helpers import first, until

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 683, 720, 768, 844, 904, 1060, 1121, 1280, 1920)
"""In CSS pixels: 400 % and 200 % zoom on a laptop, phones, also on their side, tablets, old projectors, laptops."""

VIEWS = [f"/{path}?view={view.name}" for path, page in PAGES.items() for view in page.views] + [
    f"/{path}" for path, page in PAGES.items() if not page.views
]
CASES = sorted(VIEWS, key=lambda view: view not in ("/experiment?view=heads", "/learn?view=formulas", "/generate"))

FAULTS = """() => {
  const main = document.querySelector(".stMain"), found = [], all = [];
  const walk = (root) => root.querySelectorAll("*").forEach((node) => {
    all.push(node);
    if (node.shadowRoot) walk(node.shadowRoot);
  });
  walk(document);
  const box = (node) => node.getBoundingClientRect();
  if (main.scrollWidth > main.clientWidth) found.push(`the page is ${main.scrollWidth - main.clientWidth} px too wide`);
  const links = document.querySelectorAll("[data-testid=stTopNavLink], [data-testid=stSidebarNavLink]");
  if (links.length !== PAGES) found.push(`${links.length} links in the menu`);
  for (const link of links) {
    const { left, top, width, height } = box(link);
    for (const part of [0.25, 0.5, 0.75])
      if (!link.contains(document.elementFromPoint(left + width * part, top + height / 2)))
        found.push(`covered: ${link.href}`);
  }
  for (const node of all.filter((node) => node.matches("h1, h2, h3, h4, [data-testid=stWidgetLabel] p"))) {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top));
      if (new Set(lines).size > 1) found.push(`broken: ${word[0]}`);
    }
  }
  const labels = [...main.querySelectorAll("[data-testid=stWidgetLabel] p")]
    .filter((node) => box(node).height && !node.closest(".stCheckbox"));
  for (const one of labels) for (const other of labels) {
    const apart = box(one).right <= box(other).left;
    const off = Math.abs(box(one).top - box(other).top);
    if (apart && off > 1 && off < 16) found.push(`${one.textContent} and ${other.textContent} are ${off} px off`);
  }
  return found;
}""".replace("PAGES", str(len(PAGES)))


def check(page: Page) -> None:
    """Measure the page at all widths. The menu and the charts follow the window a moment later."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 768})
        until(lambda: not page.evaluate(FAULTS), lambda at=width: f"{page.url} at {at} px: {page.evaluate(FAULTS)}")


@pytest.mark.wcag("1.3.4", "1.4.4", "1.4.10")
@pytest.mark.parametrize("view", first(2, CASES, of=24))
def test_a_view_fits_every_width(page: Page, view: str):
    page.goto(view)
    ready(page)
    check(page)


def test_what_is_unfolded_fits_every_width(page: Page):
    page.goto("/step_through")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("button", name="Show less")).to_be_visible()
    check(page)


def test_a_table_of_runs_fits_every_width(page: Page):
    page.goto(f"/{TRAIN.path}")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Compare").click()
    expect(page.get_by_role("columnheader", name="Parameters")).to_be_visible()
    check(page)


@pytest.mark.wcag("3.2.4")
@pytest.mark.parametrize("width", first(1, (1366, 390, 844)))
def test_share_is_the_last_tool_also_where_the_page_has_its_own(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 768})
    found = []
    for path in ("/step_through", "/learn?view=pitfalls"):
        page.goto(path)
        ready(page)
        expect(page.get_by_role("heading", level=2).first).to_be_visible()
        shares = page.get_by_role("button", name="Share", exact=True)  # hidden ones have no role
        expect(shares).to_have_count(1)
        found.append(shares.bounding_box())
    one, own = found
    assert one == pytest.approx(own, abs=1)
    assert one["x"] + one["width"] == pytest.approx(width - 16, abs=1)


def test_settings_stand_in_two_columns_without_a_gap_below(page: Page):
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto("/")
    fields = page.get_by_role("tabpanel").locator(".stSelectbox, .stNumberInput")
    expect(fields).to_have_count(5)
    boxes = [fields.nth(at).bounding_box() for at in range(5)]
    assert [box["y"] for box in boxes] == pytest.approx([boxes[at - at % 2]["y"] for at in range(5)], abs=1)
    below = page.get_by_text("Parameters by part").bounding_box()
    assert below["y"] - boxes[-1]["y"] - boxes[-1]["height"] < 60


@pytest.mark.parametrize("size", first(1, ([1280, 720], [1366, 768])), ids=str)
def test_what_was_found_about_a_tensor_is_not_cut(page: Page, size: list[int]):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/step_through")
    ready(page)
    found = page.locator(".finding")
    expect(found).to_contain_text("Rows: tokens the decoder has read.")
    for node in (found, page.locator(".st-key-marked-row")):
        until(lambda node=node: node.evaluate("node => node.scrollHeight - node.clientHeight") <= 1)
    expect(page.locator(".st-key-tensor")).to_contain_text("T ↓ decoder tokens, S → input tokens")


def test_on_a_phone_backward_s_maps_are_as_large_as_forward_s(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/step_through")
    ready(page)
    maps = page.locator(".st-key-tensor canvas").locator("visible=true")
    expect(maps.nth(4)).to_be_visible()
    forward = maps.first.bounding_box()
    page.get_by_text("Backward", exact=True).click()
    expect(page.get_by_text("gradient, head 1")).to_be_visible()
    until(lambda: maps.first.bounding_box()["width"] == pytest.approx(forward["width"], abs=1))


def test_on_a_phone_the_picture_stands_between_train_and_the_settings(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    ready(page)
    train = page.get_by_role("button", name="Train this model").bounding_box()
    picture = page.locator("svg.arch").bounding_box()
    settings = page.get_by_role("tab", name="Task").bounding_box()
    assert train["y"] < picture["y"] < settings["y"]
    assert picture["width"] > 300


@pytest.mark.parametrize("path", ["/checkpoints", "/step_through?view=own"])
def test_on_a_phone_the_switch_beside_the_title_is_clear_of_the_bar_above(page: Page, path: str):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(path)
    ready(page)
    bar = page.get_by_test_id("stHeader").bounding_box()
    for choice in page.locator(".st-key-head").get_by_role("radio").all():
        assert choice.bounding_box()["y"] >= bar["y"] + bar["height"]

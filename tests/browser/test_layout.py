"""Layout from a phone to a projector: a free menu, no page wider than its window, whole words, labels on one line."""

import pytest
from playwright.sync_api import Page, expect

from playground.ui.session.pages import PAGES, TRAIN
from tests.browser.test_shell import ready
from tests.helpers import first, until

pytestmark = pytest.mark.browser

WIDTHS = (360, 683, 720, 768, 844, 904, 1060, 1121, 1280, 1920)
"""In CSS pixels: a phone, 200 % zoom on a laptop, tablets, a phone on its side, old projectors, laptops."""

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


@pytest.mark.parametrize("view", first(3, CASES, of=20))
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

"""Criteria of WCAG 2.2 that a machine can check on all pages: titles, the way of the Tab key, text spacing, targets."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from playground.ui.session.pages import PAGES
from tests.browser.test_layout import CASES, VIEWS
from tests.browser.test_shell import ready
from tests.helpers import first, until

pytestmark = pytest.mark.browser

SIZES = {"laptop": (1440, 900), "phone": (390, 844)}
MAX_STOPS = 400

NODES = """
  const all = [];
  const gather = (root) => root.querySelectorAll("*").forEach((node) => {
    all.push(node);
    if (node.shadowRoot) gather(node.shadowRoot);
  });
  gather(document);
  const text = (node) => node.ariaLabel || node.textContent.trim().slice(0, 40);
  const named = (node) => [node.tagName, node.className.baseVal ?? node.className, text(node)].join(" ");
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // What one sees of a control and can press: Streamlit hides some inputs inside of their labels.
  const face = (node) => (node.matches("[type=checkbox], [type=radio]") && node.closest("label"))
    || (node.matches("[type=range]") && node.closest("[role=group]")) || node;
"""
STOP = f"""() => {{{NODES}
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  if (!node || node === document.body) return null;
  const main = document.querySelector(".stMain");
  const {{ left, right, top, bottom }} = face(node).getBoundingClientRect();
  const at = (x, y) => {{
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot?.elementFromPoint(x, y) && found.shadowRoot.elementFromPoint(x, y) !== found)
      found = found.shadowRoot.elementFromPoint(x, y);
    return found;
  }};
  const host = node.getRootNode().host;
  const own = (found) => found && (face(node).contains(found) || found.contains(node) || found === host);
  const between = (from, to, limit) =>
    [0.05, 0.5, 0.95].map((part) => from + part * (to - from)).filter((x) => x >= 0 && x < limit);
  const free = node === main
    || between(left, right, innerWidth).some((x) => between(top, bottom, innerHeight).some((y) => own(at(x, y))));
  let flows = true; // in the flow of the page: neither fixed nor sticky, nor in a part that scrolls
  for (let each = node; each && each !== main; each = each.parentElement ?? each.getRootNode().host) {{
    const {{ position, overflowY }} = getComputedStyle(each);
    const scrolls = overflowY !== "visible" && each.scrollHeight > each.clientHeight;
    flows &&= !scrolls && !["fixed", "sticky"].includes(position);
  }}
  const inMain = main.contains(node.getRootNode().host ?? node);
  return {{ name: named(node), left, right, top: top + main.scrollTop, bottom: bottom + main.scrollTop, free,
    flows: flows && inMain && node !== main, main: node === main, skip: text(node) === "Skip to main content" }};
}}"""
CLIPPED = f"""() => {{{NODES}
  const clips = (way) => ["hidden", "clip"].includes(way);
  const cut = (node, {{ left, right, top, bottom }}) => {{
    for (let each = node; each && !each.matches(".stMain"); each = each.parentElement ?? each.getRootNode().host) {{
      const {{ overflowX, overflowY }} = getComputedStyle(each);
      const box = each.getBoundingClientRect();
      if (box.width <= 1) return false; // for screen readers alone
      if (clips(overflowX) && (left < box.left - 1 || right > box.right + 1)) return true;
      if (clips(overflowY) && (top < box.top - 2 || bottom > box.bottom + 2)) return true;
    }}
    return false;
  }};
  return all.filter((node) => seen(node) && [...node.childNodes].some((child) => {{
    if (child.nodeType !== Node.TEXT_NODE || !child.data.trim()) return false;
    const range = document.createRange();
    range.selectNode(child);
    return [...range.getClientRects()].some((rect) => rect.width > 1 && cut(node, rect));
  }})).map(named);
}}"""
"""Script: elements whose text is cut off."""
SPACED = f"""() => {{{NODES}
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * {{ line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }}
    p {{ margin-bottom: 2em !important }}`);
  const roots = [document, ...all.map((node) => node.shadowRoot).filter(Boolean)];
  for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}}"""
"""Script: the spacing of WCAG 1.4.12."""
SMALL = f"""() => {{{NODES}
  const control = "a[href], button, input, select, textarea, summary, [role=button], [role=slider], [tabindex='0']";
  const inText = (node) => getComputedStyle(node).display === "inline";
  const controls = all.filter((node) => node.matches(control) && seen(face(node)) && !inText(node));
  return controls.filter((node) => {{
    const {{ width, height }} = face(node).getBoundingClientRect();
    return width > 1 && (width < 23.5 || height < 23.5);
  }}).map(named);
}}"""
"""Script: names of targets below 24 px. Words in a sentence may be lower."""


@pytest.mark.wcag("2.4.2", "2.4.5", "2.4.6", "3.1.1", "3.2.3")
def test_every_page_has_its_title_its_language_and_the_same_menu(page: Page):
    page.goto("/")
    for path, row in PAGES.items():
        page.get_by_role("navigation").get_by_role("link", name=row.title, exact=True).click()
        expect(page).to_have_title(f"{row.title} · Transformer Playground")
        ready(page)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.get_by_role("heading", level=1)).to_have_text(row.title if path else "Build a transformer")
        links = page.get_by_role("navigation").get_by_role("link").locator("visible=true")
        assert [text.split("\n")[-1] for text in links.all_inner_texts()] == [each.title for each in PAGES.values()]


def stops(page: Page) -> list[dict]:
    """Where the Tab key leads, from the start of the page to its end."""
    found: list[dict] = []
    while len(found) < MAX_STOPS:
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return found
        found.append(stop)
    raise AssertionError(f"Tab doesn't leave the page: {found[-5:]}")


def backwards(stops: list[dict]) -> list[str]:
    """Steps of the Tab key that go up without going right, or left in a row."""
    found = []
    inside = [stop for stop in stops if stop["flows"]]
    for one, other in pairwise(inside):
        up = other["bottom"] <= one["top"] + 1 and other["left"] < one["right"] - 1
        shared = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
        if up or (shared > 4 and other["right"] <= one["left"] + 1):
            found.append(f"{one['name']} → {other['name']}")
    return found


@pytest.mark.wcag("1.3.2", "2.1.1", "2.1.2", "2.4.1", "2.4.3", "2.4.11", "3.2.1")
@pytest.mark.parametrize(("view", "size"), first(1, [(view, size) for view in CASES for size in SIZES], of=48))
def test_tab_leads_through_a_page_in_the_order_seen(page: Page, view: str, size: str):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(view)
    ready(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    address = page.url
    found = stops(page)
    assert found[0]["skip"]
    assert not backwards(found)
    assert not [stop["name"] for stop in found if not stop["free"]], "covered"
    assert page.url == address


@pytest.mark.wcag("1.4.12")
@pytest.mark.parametrize("view", first(1, CASES, of=24))
def test_wider_spacing_clips_no_text(page: Page, view: str):
    page.goto(view)
    ready(page)
    before = page.evaluate(CLIPPED)
    page.evaluate(SPACED)
    until(lambda: not [name for name in page.evaluate(CLIPPED) if name not in before], lambda: page.evaluate(CLIPPED))


@pytest.mark.wcag("2.5.8")
@pytest.mark.parametrize("view", first(1, CASES, of=24))
def test_targets_have_24_px(page: Page, view: str):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(view)
    ready(page)
    until(lambda: not page.evaluate(SMALL), lambda: page.evaluate(SMALL))


LEAVE = """() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  window.left = node;
  node.blur();
}"""


@pytest.mark.wcag("2.4.7")
@pytest.mark.parametrize("view", first(1, sorted(VIEWS, key=lambda view: view != "/learn?view=check"), of=24))
def test_the_focus_is_seen(page: Page, view: str):
    page.emulate_media(reduced_motion="reduce")
    page.goto(view)
    ready(page)
    for _ in range(MAX_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return
        if stop["main"]:
            continue
        focused = page.screenshot()
        page.evaluate(LEAVE)
        assert page.screenshot() != focused, stop["name"]
        page.evaluate("window.left.focus({ preventScroll: true })")
    raise AssertionError("Tab doesn't leave the page")


@pytest.mark.wcag("2.5.2")
def test_a_press_that_ends_elsewhere_does_nothing(page: Page):
    page.goto("/step_through")
    tile = page.locator(".st-key-tensor .outputs .tile").first
    expect(tile).to_be_visible()
    ready(page)
    for target in (page.get_by_role("button", name="Next", exact=True), tile.locator("canvas").first):
        target.scroll_into_view_if_needed()
        target.hover()
        page.mouse.down()
        page.get_by_role("heading", level=1).hover()
        page.mouse.up()
    page.get_by_role("button", name="Next", exact=True).click()  # this acts, once
    expect(page.locator(".st-key-tensor .live")).to_have_text("Heads")
    expect(page).not_to_have_url(re.compile("cell="))

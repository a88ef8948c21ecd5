"""The slides of the presenter view at the sizes of projectors: they fill the window, and nothing runs off it."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers import first, until

pytestmark = pytest.mark.browser

SIZES = ((1024, 768), (1280, 720), (1366, 768), (1920, 1080), (3840, 2160))
GROWS = ((1024, 768), (1920, 1080), (3840, 2160))
"""Sizes of which each one is larger in both directions."""

CELL = "/step_through?operation=decoder.layers.0.cross_attention.attention.weights&cell=0.2.1"
SLIDES = {
    "/experiment?present=heads": "canvas",
    "/generate?decoding=beams&present=beams": ".leaf rect",
    f"{CELL}&present=operation": "",  # the calculation needs half of the room
    "/experiment?view=change&present=changed": "",
    "/experiment?view=circuits&present=circuits": "canvas",
    "/experiment?view=change&present=changes": "",
    "/experiment?view=change&present=scores": "",
    "/generate?present=attention": "canvas",
    "/generate?present=token": "",
    "/?present=model": "",
}
"""Address of a slide, and what grows with the window."""

MEASURE = """(grows) => {
  const inside = (node) => [node, ...(node.shadowRoot ? shown(node.shadowRoot) : [])];
  const shown = (root) => [...root.querySelectorAll("*")].flatMap(inside);
  const main = document.querySelector(".stMain");
  const all = shown(main).filter((node) => node.checkVisibility({ visibilityProperty: true }));
  const box = (node) => node.getBoundingClientRect();
  const over = all.filter((node) => node.matches(".leaf")).filter((leaf) => {
    const right = box(leaf.querySelector("rect")).right;
    return [...leaf.querySelectorAll("text")].some((text) => box(text).right > right + 1);
  });
  const texts = all.filter((node) => node.matches(":not(math *, .katex *, svg *)"))
    .filter((node) => [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim()))
    .filter((node) => box(node).width > 1 && box(node).height > 1)
    .map((node) => [parseFloat(getComputedStyle(node).fontSize), node.textContent.slice(0, 30)]);
  return {
    small: texts.sort((one, other) => one[0] - other[0])[0],
    down: main.scrollHeight - main.clientHeight,
    right: main.scrollWidth - main.clientWidth,
    widths: grows ? all.filter((node) => node.matches(grows)).map((node) => box(node).width) : [],
    over: over.length,
  };
}"""


@pytest.mark.parametrize("address", first(3, SLIDES, of=10))
def test_a_slide_fits_into_every_window_and_grows_with_it(page: Page, address: str):
    grows = SLIDES[address]
    page.goto(address)
    expect(page.locator("html[data-slide]")).to_be_attached()
    widths = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found: dict = {}

        def fits(found: dict = found) -> bool:
            page.wait_for_timeout(200)
            found |= page.evaluate(MEASURE, grows)
            return found["down"] <= 1 and found["right"] <= 1 and (bool(found["widths"]) or not grows)

        until(fits, lambda width=width, found=found: f"{address} at {width}: {found}")
        assert not found["over"], "no text is wider than its box"
        least = 12.8 * min(width / 1024, height / 576)  # 24 pixels at 1920x1080
        assert not found["small"] or found["small"][0] >= least - 0.1, found["small"]
        if (width, height) in GROWS and grows:
            widths.append(found["widths"][0])
    assert widths == sorted(widths)
    assert len(set(widths)) == len(widths), widths

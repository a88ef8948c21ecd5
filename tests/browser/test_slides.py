"""The slides of the presenter view at the sizes of projectors: they fill the window, and nothing runs off it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_presenter import finished
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
    "/learn?present=lessons": "",
    "/checkpoints?present=cards": "canvas",
    "/step_through?operation=decoder.layers.0.feed_forward.hidden&present=operation": "",
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


@pytest.mark.parametrize("address", first(1, SLIDES, of=13))
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


WEIGHTS = "/step_through?operation=decoder.layers.0.cross_attention.attention.weights&present=operation"
LOCKED = f"{WEIGHTS}&cell=0.2.1"

ON_MAP = """() => {
  const inside = (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(inside);
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const shown = all(document.querySelector(".stMain")).filter(seen);
  const map = shown.find((node) => node.matches("svg.arch"));
  const others = ".operation > *, .sentence, .finding, .cited, .katex-display, .sides, .legend";
  const texts = shown.filter((node) => node.matches(others));
  return { map: map && box(map), lit: map ? [...map.querySelectorAll(".lit")].map((node) => node.dataset.part) : [],
    texts: texts.filter((node) => node.textContent.trim()).map((node) => [node.className, ...box(node)]) };
}"""


def expect_operation(page: Page) -> None:
    expect(page.locator("html[data-slide=operation]")).to_be_attached()
    expect(page.locator(".st-key-tensor canvas").first).to_be_visible()
    expect(page.locator(".st-key-map svg.arch")).to_be_attached()


@pytest.mark.parametrize("address", [WEIGHTS, LOCKED])
def test_a_small_map_shows_where_an_operation_is_and_covers_nothing(page: Page, address: str):
    page.goto(address)
    expect_operation(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found: dict = {}

        def clear(found: dict = found, width: int = width) -> bool:
            page.wait_for_timeout(100)
            found |= page.evaluate(ON_MAP)
            if not found["map"] or found["lit"] != ["decoder.layers.0.cross_attention"]:
                return False
            left, top, right, bottom = found["map"]
            covered = [
                text
                for text in found["texts"]
                if text[1] < right and text[3] > left and text[2] < bottom and text[4] > top
            ]
            return not covered and right <= width and right - left > 0.06 * width

        until(clear, lambda width=width, found=found: f"{width}: {found}")
    page.set_viewport_size({"width": 390, "height": 844})
    until(lambda: page.evaluate(ON_MAP)["map"] is None)


def test_the_maps_of_a_locked_cell_are_nearly_as_large_at_any_size_and_after_a_change_of_screen(page: Page):
    def share() -> float:
        """Width of a map, of that of the window."""
        return page.locator(".st-key-tensor canvas").last.bounding_box()["width"] / page.viewport_size["width"]

    free = 0.0
    for address in (WEIGHTS, LOCKED):
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(address)
        expect_operation(page)
        free = free or share()
        for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):  # the same shape
            page.set_viewport_size({"width": width, "height": height})
            until(
                lambda least=0.75 * free: share() > least, lambda where=f"{address} at {width}": f"{where}: {share()}"
            )


def test_after_the_last_operation_the_next_page_follows(page: Page):
    page.goto("/step_through?operation=loss&present=operation")
    expect_operation(page)
    for key in ("PageDown", "ArrowRight"):
        page.keyboard.press(key)
        expect(page.locator("html[data-slide=heads]")).to_be_attached()
        page.keyboard.press("PageUp")
        expect_operation(page)


def test_a_list_longer_than_the_window_is_turned_by_windows(page: Page):
    page.set_viewport_size({"width": 800, "height": 500})
    page.goto("/learn?present=lessons")
    expect(page.locator("html[data-slide=lessons]")).to_be_attached()
    last = page.get_by_text("Exercises with real runs")
    expect(last).to_be_attached()
    expect(last).not_to_be_in_viewport()
    for _ in range(3):
        page.keyboard.press("PageDown")
    expect(last).to_be_in_viewport()
    expect(page.locator("html[data-slide=lessons]")).to_be_attached()
    page.keyboard.press("PageDown")
    expect(page.locator("html[data-slide=model]")).to_be_attached()


IN_BOXES = """() => {
  const inside = (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(inside);
  const svg = all(document.querySelector(".st-key-architecture")).find((node) => node.matches("svg.arch"));
  const box = (node) => node.getBoundingClientRect();
  const parts = [...svg.querySelectorAll(".part")].filter((part) => part.querySelector("rect.box"));
  const wide = parts.flatMap((part) => [...part.querySelectorAll("text:not(.on-pill)")]
    .filter((text) => {
      const around = [...part.querySelectorAll("rect.box")].map(box).find(({ top, bottom }) => {
        const middle = (box(text).top + box(text).bottom) / 2;
        return middle > top && middle < bottom;
      });
      return around && (box(text).right > around.right + 1 || box(text).left < around.left - 1);
    })).map((text) => text.textContent);
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * parseFloat(getComputedStyle(text).scale)
    * svg.getScreenCTM().a;
  return { wide, names: Math.min(...[...svg.querySelectorAll("text.name")].map(size)), height: box(svg).height };
}"""


@pytest.mark.parametrize("model", ["encoder-decoder", "decoder-only"])
def test_the_diagram_fills_the_height_of_its_slide_and_its_texts_stay_in_their_boxes(page: Page, model: str):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/?model.architecture={model}&present=model")
    expect(page.locator("html[data-slide=model]")).to_be_attached()
    expect(page.locator(".st-key-architecture svg.arch")).to_be_visible()
    found: dict = {}

    def fits() -> bool:
        found.update(page.evaluate(IN_BOXES))
        return not found["wide"] and found["names"] > 20 and found["height"] > 0.9 * 1080

    until(fits, lambda: found)


FILLED = """() => {
  const inside = (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(inside);
  const main = document.querySelector(".stMain");
  const seen = (node) => node.matches("canvas, svg, p, div") && node.checkVisibility({ visibilityProperty: true });
  const says = (node) => [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
  const own = (node) => node.matches("canvas, svg") || says(node);
  const boxes = all(main).filter(seen).filter(own).map((node) => node.getBoundingClientRect());
  return {
    over: Math.max(main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth),
    filled: Math.max(...boxes.map(({ bottom }) => bottom)) / innerHeight,
  };
}"""


def expect_filled(page: Page, name: str) -> None:
    """The slide ends at the end of the window, at every size."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found: dict = {}

        def fills(found: dict = found) -> bool:
            page.wait_for_timeout(100)
            found |= page.evaluate(FILLED)
            return found["over"] <= 1 and 0.75 < found["filled"] <= 1

        until(fills, lambda width=width, found=found: f"{name} at {width}: {found}")


def test_charts_of_train_fill_their_slides(page: Page):
    finished(page)
    page.goto("/train?present=loss")  # a key would enter full screen, whose size is fixed
    for name in ("loss", "accuracy"):
        expect(page.locator(f"html[data-slide={name}]")).to_be_attached()
        expect_filled(page, name)
        page.keyboard.press("PageDown")


def test_the_charts_of_a_sweep_fill_their_slide(page: Page):
    quick = "lesson=1&training.steps=20&training.stop_when_solved=false"
    page.goto(f"/train?view=sweep&{quick}&vary=training.batch_size&values=4,8&seeds=1")
    page.get_by_role("button", name="Start sweep").click()
    expect(page.get_by_text("2 of 2 ended")).to_be_visible()
    page.goto("/train?view=sweep&present=multiples")
    expect(page.locator("html[data-slide=multiples]")).to_be_attached()
    expect_filled(page, "multiples")

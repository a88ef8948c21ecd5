"""The tensor view in a real browser: pointer, lock, heads, table, copy, keys, and Compute slowly."""

import math
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, ElementHandle, Locator, Page, Route, expect

from playground.explain.inspection import Walk, walk
from playground.recording import REPOSITORY
from playground.storage.checkpoint import load
from tests.helpers import first

pytestmark = pytest.mark.browser

CROSS = "decoder.layers.0.cross_attention."
SCORES = f"{CROSS}attention.scores"
WEIGHTS = f"{CROSS}attention.weights"
TYPED = "3 1 4 1 5"


@pytest.fixture(scope="module")
def recorded() -> Walk:
    """The same pass as on the page."""
    return walk(load(REPOSITORY / "checkpoints" / "reverse-1-16").model, TYPED)


def open_operation(page: Page, name: str) -> None:
    page.goto(f"/step_through?model=reverse-1-16&input={TYPED.replace(' ', '+')}&operation={name}")
    expect(page.locator(".tensors canvas").first).to_be_visible()


def heatmap(page: Page, name: str) -> Locator:
    """The heatmap whose description starts with these words."""
    return page.get_by_role("application", name=re.compile(f"^{name}[:,]"))


def centre(node: Locator) -> None:
    """Scroll it between the page's header and the calculation, which stays visible at the bottom."""
    node.evaluate("node => node.scrollIntoView({ block: 'center' })")


def middle(page: Page, name: str, row: int, column: int, shape: tuple[int, int]) -> tuple[float, float]:
    box = heatmap(page, name).locator(".marks").bounding_box()
    return box["x"] + box["width"] * (column + 0.5) / shape[1], box["y"] + box["height"] * (row + 0.5) / shape[0]


def point(page: Page, name: str, row: int, column: int, shape: tuple[int, int] = (6, 5)) -> None:
    centre(heatmap(page, name))
    page.mouse.move(*middle(page, name, row, column, shape))


def click(page: Page, name: str, row: int, column: int, shape: tuple[int, int] = (6, 5)) -> None:
    point(page, name, row, column, shape)
    page.mouse.down()
    page.mouse.up()


def where(page: Page) -> Locator:
    return page.locator(".expression .where")


def terms(page: Page) -> list[list[float]]:
    """The rows of numbers below the calculation, without headings."""
    expect(page.locator(".expression")).not_to_have_class(re.compile("waiting"))  # for the server's answer
    expect(page.locator(".terms pre").first).to_be_visible()
    rows = page.locator(".terms pre").first.inner_text().split("\n")
    return [
        [float(text.replace("−", "-")) for text in row.split() if text not in ("k", "×", "=", "≈", "j", "s")]
        for row in rows
    ]


def shown(value: float) -> str:
    return f"= {value:.4f}"


def test_pointing_at_a_cell_tells_its_number_its_terms_and_its_sources(page: Page, recorded: Walk):
    open_operation(page, SCORES)
    point(page, "Scores, head 3", 4, 2)
    value = float(recorded[SCORES].value[0, 2, 4, 2])
    expect(where(page)).to_contain_text("head 3")
    expect(where(page)).to_contain_text(shown(value))
    expect(page.locator(".expression math").first).to_be_visible()
    counted, queries, keys, products = terms(page)
    assert counted == list(range(1, 17))
    query = recorded[f"{CROSS}attention.query"].value[0, 2, 4]
    key = recorded[f"{CROSS}attention.key"].value[0, 2, 2]
    assert queries == pytest.approx(query.tolist(), abs=2e-4)
    assert keys == pytest.approx(key.tolist(), abs=2e-4)
    assert math.fsum(products) == pytest.approx(value, abs=2e-3)
    # Row 4 of this head's query and row 2 of its key light up.
    for name, row, rows in (("Query, head 3 of 4", 4, 6), ("Key, head 3 of 4", 2, 5)):
        lit, around = (heatmap(page, name).locator(part).bounding_box() for part in (".mark.source", ".marks"))
        assert lit["y"] - around["y"] == pytest.approx(row * around["height"] / rows, abs=2)
        assert lit["width"] == pytest.approx(around["width"], abs=3)
    # The next cell's expression is the next cell's.
    point(page, "Scores, head 1", 1, 1)
    expect(where(page)).to_contain_text(shown(float(recorded[SCORES].value[0, 0, 1, 1])))
    expect(heatmap(page, "Query, head 1 of 4")).to_have_count(1)


def test_a_cell_of_a_gradient_tells_what_was_handed_back(page: Page, recorded: Walk):
    open_operation(page, f"{SCORES}&gradient=True")
    expect(where(page)).to_contain_text("Example: Gradient at Query")
    expect(page.locator(".arrow.backward")).to_be_visible()
    query = recorded[SCORES].operation.inputs[0]
    click(page, "Query, head 1 of 4, gradient", 4, 2, (6, 16))
    value = float(recorded.gradients()[query][0, 0, 4, 2])
    expect(where(page)).to_contain_text(
        f"Gradient at Query · head 1 · row “1” (T 5) · K 3 = {value:.4e}".replace("e-0", "e-")
    )
    slopes, keys, products = terms(page)[1:]
    assert slopes == pytest.approx(recorded.gradients()[SCORES][0, 0, 4].tolist(), rel=0.1, abs=1e-9)
    assert keys == pytest.approx(recorded[recorded[SCORES].operation.inputs[1]].value[0, 0, :, 2].tolist(), abs=1e-3)
    assert sum(products) == pytest.approx(value, rel=0.1)
    # The row of the gradient that it came from is marked, and the column of keys.
    for name in ("Scores, gradient, head 1", "Key, head 1 of 4, number"):
        expect(heatmap(page, name).locator(".source")).to_have_count(1)


def test_an_example_is_explained_while_nobody_points(page: Page):
    open_operation(page, WEIGHTS)
    expect(where(page)).to_contain_text("Example: Weights · head 1 · row “BOS” (T 1) · column “5” (S 5)")
    expect(page.locator(".expression .lines math").first).to_be_visible()
    page.get_by_role("radio", name="4").click()  # the predicted position: its row is marked
    expect(where(page)).to_contain_text("row “1” (T 3)")
    point(page, "Weights, head 2", 1, 1)
    expect(where(page)).not_to_contain_text("Example")


def test_the_line_of_a_weight_matrix_comes_with_the_cell(page: Page):
    open_operation(page, f"{CROSS}query_projection")
    expect(page.locator(".strips .title").first).to_have_text("W_Q, column 1 = w_q.weight[0, :]")  # the example
    point(page, "Query projection", 2, 40, (6, 64))
    expect(page.locator(".strips .title").first).to_have_text("W_Q, column 41 = w_q.weight[40, :]")
    expect(page.locator(".strips .title").last).to_have_text("b_Q = w_q.bias[40]")
    expect(page.locator(".strips canvas").first).to_be_visible()


def test_a_click_locks_and_a_click_outside_or_escape_or_the_same_again_unlocks(page: Page):
    open_operation(page, SCORES)
    unlock = page.get_by_role("button", name="Unpin")
    for leave in (
        lambda: page.keyboard.press("Escape"),
        lambda: click(page, "Scores, head 2", 3, 1),
        lambda: unlock.click(),
        lambda: page.get_by_role("heading", name="Step through").click(),
    ):
        click(page, "Scores, head 2", 3, 1)
        expect(unlock).to_be_visible()
        text = where(page).inner_text()
        point(page, "Scores, head 4", 0, 0)
        page.mouse.move(5, 5)
        expect(unlock).to_be_visible()
        assert where(page).inner_text() == text
        leave()
        expect(unlock).to_have_count(0)


def test_what_is_locked_stays_through_a_run_of_the_page(page: Page):
    open_operation(page, SCORES)
    click(page, "Scores, head 2", 3, 1)
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.keyboard.press("ArrowRight")  # handled by the heatmap: the lock moves, too
    expect(where(page)).to_contain_text("(S 3)")
    page.get_by_role("button", name="Next").click()
    expect(where(page)).to_contain_text("Scaled scores · head 2")
    expect(where(page)).to_contain_text("(S 3)")


def test_one_head_alone_and_all_again(page: Page):
    open_operation(page, WEIGHTS)
    expect(page.locator(".outputs .tile")).to_have_count(4)
    heatmap(page, "Weights, head 2").locator(".title").dblclick()
    expect(page.locator(".outputs .tile")).to_have_count(1)
    expect(page.locator(".outputs .note")).to_have_text("head 2 of 4")
    page.locator(".outputs .tile canvas").dblclick()
    expect(page.locator(".outputs .tile")).to_have_count(4)
    page.keyboard.press("3")
    expect(page.locator(".outputs .note")).to_have_text("head 3 of 4")
    expect(page.locator(".inputs .note").first).to_have_text("head 3 of 4")
    page.keyboard.press("0")
    expect(page.locator(".outputs .tile")).to_have_count(4)


@pytest.mark.wcag("1.1.1", "1.4.5")
def test_the_table_holds_the_same_numbers(page: Page, recorded: Walk):
    open_operation(page, WEIGHTS)
    page.get_by_role("button", name="Show as table").click()
    table = page.get_by_role("table", name="Weights, head 2")
    expect(table).to_be_visible()
    expect(page.locator(".tensors .outputs canvas").first).to_be_hidden()
    expect(table.get_by_role("columnheader")).to_have_text([re.compile("T"), "3", "1", "4", "1", "5"])
    value = float(recorded[WEIGHTS].value[0, 1, 2, 4])
    cell = table.locator("tbody tr").nth(2).locator("td").nth(4)
    assert float(cell.inner_text()) == pytest.approx(value, abs=5e-5)  # four decimals
    cell.hover()
    expect(where(page)).to_contain_text("Weights · head 2")
    page.keyboard.press("t")
    expect(page.locator(".tensors .outputs canvas").first).to_be_visible()


def test_numbers_can_be_taken_along(browser: Browser, server: str, recorded: Walk):
    context = browser.new_context(base_url=server, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    open_operation(page, WEIGHTS)
    page.get_by_role("button", name="Copy as NumPy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    code = page.evaluate("navigator.clipboard.readText()")
    numpy = pytest.importorskip("numpy")
    array = eval(code, {"np": numpy})
    assert array.dtype == numpy.float32
    assert (array == recorded[WEIGHTS].value[0].numpy()).all()
    page.get_by_role("button", name="Copy as text").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('\\t')")
    first = page.evaluate("navigator.clipboard.readText()").split("\n\n")[0].split("\n")
    assert first[0] == "Weights, head 1"
    assert first[1].split("\t") == ["", "3", "1", "4", "1", "5"]
    numbers = [[float(text) for text in line.split("\t")[1:]] for line in first[2:]]
    assert numpy.allclose(numbers, recorded[WEIGHTS].value[0, 0].numpy(), atol=1e-4)
    context.close()


def test_without_a_clipboard_the_numbers_stand_there_selected(page: Page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_operation(page, WEIGHTS)
    page.get_by_role("button", name="Copy as NumPy").click()
    field = page.get_by_role("textbox", name="The numbers, to copy")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r"np\.array\(\[\[\["))


@pytest.mark.wcag("2.1.1")
def test_by_keyboard_alone(page: Page):
    open_operation(page, SCORES)
    tile = heatmap(page, "Scores, head 1")
    tile.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(where(page)).to_contain_text("Scores · head 1")
    expect(where(page)).to_contain_text("(T 2)")
    expect(where(page)).to_contain_text("(S 3)")
    expect(page.locator(".expression .live")).to_have_text(
        re.compile(r"^Scores, head 1, row “\S+” \(T 2\), column “\S+” \(S 3\) = -?[\d.]+, sum of 16 products$")
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    expect(page.get_by_text(re.compile("^Operation 56 of"))).to_be_visible()  # the operation is the same
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Unpin")).to_have_count(0)


@pytest.mark.parametrize("head", first(1, [2, 1, 4]))
def test_the_first_arrow_moves_on_from_the_cell_that_a_link_marks(page: Page, head: int):
    open_operation(page, f"{SCORES}&cell=1.3.1")
    expect(where(page)).to_contain_text("Scores · head 2 · row “4” (T 4) · column “1” (S 2)")
    heatmap(page, f"Scores, head {head}").focus()
    page.keyboard.press("ArrowRight")
    expect(where(page)).to_contain_text(f"Scores · head {head} · row “4” (T 4) · column “4” (S 3)")
    page.keyboard.press("ArrowUp")
    expect(where(page)).to_contain_text(f"Scores · head {head} · row “1” (T 3) · column “4” (S 3)")


def test_keys_do_nothing_while_one_types(page: Page):
    open_operation(page, WEIGHTS)
    field = page.get_by_role("textbox", name="Your input")
    field.click()
    page.keyboard.press("t")
    page.keyboard.press("2")
    expect(page.locator(".outputs .tile")).to_have_count(4)
    expect(page.locator(".outputs canvas").first).to_be_visible()


BLANK = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let coloured = 0;
  for (let at = 0; at < data.length; at += 4) {
    const rgb = data.subarray(at, at + 3);
    coloured += data[at + 3] && Math.max(...rgb) - Math.min(...rgb) > 40;
  }
  return coloured < 0.03 * canvas.width * canvas.height;
}"""


def canvas_of(page: Page, name: str) -> ElementHandle:
    return heatmap(page, name).locator("canvas").element_handle()


def blank(page: Page, name: str) -> bool:
    """Whether all cells of a heatmap are without colour; edges of letters may have one."""
    return page.evaluate(BLANK, canvas_of(page, name))


WATCH = f"""([announcement, ...canvases]) => {{
  window.announced = [];
  new MutationObserver(() => {{
    const text = announcement.textContent;
    if (text) window.announced.push([text, canvases.map({BLANK})]);
  }}).observe(announcement, {{ childList: true, characterData: true, subtree: true }});
}}"""


@pytest.mark.parametrize("motion", first(1, ["no-preference", "reduce"]))
def test_one_cell_slowly_then_all(browser: Browser, server: str, recorded: Walk, motion: str):
    context = browser.new_context(base_url=server, reduced_motion=motion, viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    open_operation(page, SCORES)
    announcement = page.locator(".announcement.cut").element_handle()
    page.evaluate(WATCH, [announcement, *(canvas_of(page, f"Scores, head {head}") for head in (1, 4))])
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(heatmap(page, "Query, head 1 of 4").locator(".mark.source")).to_have_count(1)
    expect(page.get_by_role("button", name="Compute slowly")).to_be_visible()
    (first_text, _), *adding, (last, _) = page.evaluate("announced")
    assert first_text == "These are the numbers it is computed from."
    assert adding
    for text, both in adding:
        assert re.match(r"\d+ of 16 terms, so far", text)
        assert both == [True, True]
    assert last.startswith("This is its value.")
    assert not blank(page, "Scores, head 4")
    expect(where(page)).to_contain_text(shown(float(recorded[SCORES].value[0, 0, 0, 0])))
    context.close()


@pytest.mark.wcag("2.2.2")
def test_escape_ends_computing_slowly(page: Page):
    open_operation(page, SCORES)
    page.get_by_role("button", name="Compute slowly").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    assert blank(page, "Scores, head 2")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Compute slowly")).to_be_visible()
    assert not blank(page, "Scores, head 2")


def test_a_button_stays_below_the_pointer_that_presses_it(page: Page):
    open_operation(page, SCORES)
    slowly, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Compute slowly", "Stop"))
    box = slowly.bounding_box()
    x, y = box["x"] + box["width"] - 3, box["y"] + box["height"] / 2
    page.mouse.click(x, y)
    expect(stop).to_be_visible()
    assert stop.bounding_box() == box
    page.mouse.click(x, y)
    expect(slowly).to_be_visible()
    table, heatmap = (page.get_by_role("button", name=f"Show as {name}") for name in ("table", "heatmap"))
    box = table.bounding_box()
    table.click()
    assert heatmap.bounding_box() == box
    assert slowly.inner_text() == "Compute slowly"


def test_a_pass_that_made_room_for_others_is_asked_for_again(page: Page, recorded: Walk):
    gone = []

    def once(route):
        gone.append(route.request.url)
        route.fulfill(status=410) if len(gone) == 1 else route.continue_()

    page.route("**/walk/**", once)
    open_operation(page, SCORES)
    point(page, "Scores, head 1", 2, 2)
    expect(page.locator(".terms pre")).to_be_visible()
    expect(where(page)).to_contain_text(shown(float(recorded[SCORES].value[0, 0, 2, 2])))


def test_one_question_at_a_time_and_the_latest_wins(page: Page, recorded: Walk):
    waiting = []

    def hold(route):
        waiting.append(route)
        if len(waiting) > 1:
            route.continue_()

    page.route("**/walk/**", hold)
    open_operation(page, SCORES)
    for column in range(5):
        point(page, "Scores, head 1", 2, column)
    page.wait_for_timeout(300)
    assert len(waiting) == 1
    waiting[0].continue_()
    expect(page.locator(".terms pre")).to_be_visible()
    assert math.fsum(terms(page)[-1]) == pytest.approx(float(recorded[SCORES].value[0, 0, 2, 4]), abs=2e-3)


def test_the_same_nodes_from_operation_to_operation(page: Page):
    open_operation(page, SCORES)
    page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll('*')].map(node => node.shadowRoot ?? node);
          const found = roots.map(root => root.querySelector?.('.tensors .outputs canvas')).find(Boolean);
          window.kept = found;
        }"""
    )
    for _ in range(4):
        page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(re.compile("^Operation 60 of"))).to_be_visible()
    expect(page.locator(".outputs .name")).to_have_text("Heads")
    assert page.evaluate("kept.isConnected")


def test_nothing_jumps_while_one_points(page: Page):
    for name in (
        SCORES,
        WEIGHTS,
        f"{CROSS}query_projection",
        "encoder.output",
        "decoder.layers.0.feed_forward.activation",
    ):
        open_operation(page, name)
        tile = page.locator(".outputs .tile").first
        centre(tile)

        def boxes() -> list:
            parts = [".outputs .tile", ".legend", ".expression", ".inputs .tile"]
            return [page.locator(part).first.bounding_box() for part in parts]

        before = boxes()
        box = tile.locator(".marks").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(".expression math").first).to_be_visible()
        assert boxes() == before, name


@pytest.mark.parametrize("scheme", first(1, ["light", "dark"]))
def test_on_a_phone_all_is_reached_by_touch(browser: Browser, server: str, recorded: Walk, scheme: str):
    context = browser.new_context(
        base_url=server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    page = context.new_page()
    open_operation(page, SCORES)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for part in page.locator(".tensors .tile, .expression, .heading").all():
        box = part.bounding_box()
        assert box is None or box["x"] + box["width"] <= 391
    centre(heatmap(page, "Scores, head 1"))
    page.touchscreen.tap(*middle(page, "Scores, head 1", 1, 3, (6, 5)))
    expect(where(page)).to_contain_text(shown(float(recorded[SCORES].value[0, 0, 1, 3])))
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.touchscreen.tap(*middle(page, "Scores, head 1", 1, 3, (6, 5)))
    expect(page.get_by_role("button", name="Unpin")).to_have_count(0)
    context.close()


# --- layout shifts --------------------------------------------------------------------------------

SHIFTS = """
window.shifts = [];
const element = (node) => (node instanceof Element ? node : node?.parentElement);
const slider = ({ node }) => element(node)?.closest(".stSlider");  // its thumb is set by script
const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
const words = ({ node, previousRect, currentRect }) =>
  `${element(node)?.outerHTML.slice(0, 200)}: ${box(previousRect)} -> ${box(currentRect)}`;
window.shiftedAt = 0;
new PerformanceObserver((list) => {
  window.shiftedAt = performance.now();
  for (const shift of list.getEntries()) shifts.push(...shift.sources.filter((each) => !slider(each)).map(words));
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def window(browser: Browser, server: str) -> Callable[[int, int], Page]:
    """A page in a window of this size that measures layout shifts."""

    def opened(width: int, height: int) -> Page:
        context = browser.new_context(base_url=server, viewport={"width": width, "height": height})
        page = context.new_page()
        page.add_init_script(SHIFTS)
        return page

    return opened


def wait_until_loaded(page: Page) -> None:
    """Fonts and scripts that are still loading move a page; start to measure when nothing has moved for a second."""
    page.wait_for_function("() => performance.now() - shiftedAt > 1000")
    page.evaluate("shifts.length = 0")


def shifted(page: Page) -> list[str]:
    """What moved, each with its position and size before and after."""
    return page.evaluate("shifts")


@pytest.mark.parametrize("size", first(1, [((1366, 768),), ((1440, 900),)]), ids=str)
def test_on_a_laptop_the_output_and_its_expression_are_in_sight_and_apart(window: Callable, size: tuple[int, int]):
    page = window(*size)
    for name in (SCORES, WEIGHTS, f"{CROSS}query_projection", "decoder.layers.0.feed_forward.activation", "logits"):
        open_operation(page, name)
        expect(page.locator(".expression math").first).to_be_visible()
        wait_until_loaded(page)
        output, panel = (page.locator(part).bounding_box() for part in (".outputs", ".expression"))
        assert output["y"] + output["height"] <= panel["y"], name
        assert panel["y"] + 40 <= size[1], f"the value of the cell, of {name}"


def test_the_calculation_folds_to_one_line_and_stays_so(window: Callable):
    page = window(1440, 900)
    open_operation(page, WEIGHTS)
    lines, fold = page.locator(".expression .lines"), page.get_by_role("button", name="Calculation of the cell")
    expect(lines).to_be_visible()
    fold.click()
    expect(lines).to_be_hidden()
    expect(where(page)).to_contain_text("= 0.")
    page.reload()
    expect(fold).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("e")
    expect(lines).to_be_visible()


def test_on_a_phone_tensors_are_on_the_first_screen_and_one_line_at_its_end(window: Callable):
    page = window(390, 844)
    open_operation(page, WEIGHTS)
    tile, bar = page.locator(".tensors .tile").first, page.locator(".expression")
    expect(where(page)).to_contain_text("= 0.")
    assert tile.bounding_box()["y"] + tile.bounding_box()["height"] <= bar.bounding_box()["y"]
    assert bar.bounding_box()["height"] < 66
    page.get_by_role("button", name="Calculation of the cell").click()
    expect(page.locator(".expression .lines")).to_be_visible()
    assert page.locator(".legend").bounding_box()["y"] < bar.bounding_box()["y"]


@pytest.mark.parametrize("text", first(1, [" ".join("3141592653589793"), TYPED]))
def test_on_a_laptop_nothing_covers_a_large_output(window: Callable, text: str):
    page = window(1440, 900)
    page.goto(f"/step_through?model=reverse-1-16&input={text.replace(' ', '+')}&operation={WEIGHTS}")
    expect(page.locator(".outputs canvas").first).to_be_visible()
    for scrolled in (0, 150, 10_000):
        page.locator("[data-testid=stMain]").evaluate("(node, top) => (node.scrollTop = top)", scrolled)
        tiles = [each.bounding_box() for each in page.locator(".outputs .tile").all()]
        top = page.locator(".expression").bounding_box()["y"]
        assert max(tile["y"] + tile["height"] for tile in tiles) <= top


@pytest.mark.parametrize("size", first(1, [[1366, 768], [1440, 900], [390, 844]]), ids=str)
def test_nothing_jumps_while_a_cell_is_computed_slowly(window: Callable, size: list[int]):
    page = window(*size)
    open_operation(page, SCORES)
    expect(page.locator(".expression math").first).to_be_attached()
    wait_until_loaded(page)
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Compute slowly")).to_be_visible()
    page.wait_for_timeout(300)
    assert not shifted(page), "\n".join(shifted(page))


def test_nothing_jumps_while_the_training_is_played(window: Callable):
    page = window(1440, 900)
    page.goto("/train")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(re.compile("[Ss]olved at step"))).to_be_visible()
    page.goto(f"/step_through?operation={WEIGHTS}&step=0")
    expect(page.locator(".outputs canvas").first).to_be_visible()
    expect(page.locator(".expression math").first).to_be_visible()
    wait_until_loaded(page)
    drawn = page.locator(".outputs canvas").first.element_handle()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert not shifted(page), "\n".join(shifted(page))
    assert drawn.evaluate("canvas => canvas.isConnected"), "the page was emptied and drawn again"


def test_sizes_follow_the_page_above_until_the_first_press(window: Callable):
    page = window(1440, 900)
    page.goto(f"/step_through?operation={WEIGHTS}&target=3+1+4+1+5+9+2+6+5")
    expect(page.locator(".outputs canvas").first).to_be_visible()
    canvas, above = page.locator(".outputs canvas").first, page.locator(".st-key-slide-operation")

    def width_below(margin: str) -> float:
        """Width of the tensor three frames after the page above has changed."""
        above.evaluate(
            """(node, margin) => new Promise((done) => {
              node.style.marginTop = margin;
              requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
            })""",
            margin,
        )
        return canvas.bounding_box()["width"]

    wait_until_loaded(page)
    wide = width_below("")
    assert width_below("34px") < wide
    assert width_below("") == wide
    page.keyboard.press("Shift")
    assert width_below("34px") == wide


@pytest.mark.wcag("3.3.1")
def test_what_is_wrong_with_an_input_stands_below_its_field(page: Page):
    page.goto("/step_through?input=3+x&target=1+?")
    for name, symbol in (("Your input", "x"), ("The decoder reads", "?")):
        field = page.get_by_role("textbox", name=name)
        message = page.get_by_text(f"“{symbol}” at")
        expect(message).to_be_visible()
        box, below = field.bounding_box(), message.bounding_box()
        assert 0 <= below["y"] - box["y"] - box["height"] <= 30
        assert box["x"] <= below["x"] <= box["x"] + box["width"]


def test_on_a_phone_the_tensors_come_before_the_words(window: Callable):
    page = window(390, 844)
    open_operation(page, WEIGHTS)
    formula, tensors, words = (
        page.locator(part).first.bounding_box()["y"] for part in (".katex", ".outputs", ".sentence")
    )
    assert tensors < formula < words
    expect(page.get_by_role("button", name="Keys", exact=True)).to_be_hidden()


def test_every_token_of_a_few_low_rows_is_written(window: Callable):
    page = window(1440, 900)
    page.add_init_script(
        """const fill = CanvasRenderingContext2D.prototype.fillText;
        window.written = [];
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
          window.written.push(text);
          return fill.call(this, text, ...rest);
        };"""
    )
    open_operation(page, "encoder.layers.0.self_attention_add_norm.normalized")
    page.wait_for_function("() => window.written.join(' ').includes(' 3 1 4 1 5 ')")


def test_a_number_that_is_not_the_formulas_is_not_explained_by_rounding(page: Page):
    def double(route: Route) -> None:
        answer = route.fetch()
        cell = answer.json()
        cell["lines"][-1]["value"] *= 2
        route.fulfill(response=answer, json=cell)

    page.route("**/walk/*/cell?*", double)
    open_operation(page, WEIGHTS)
    expect(page.get_by_text("differs from this calculation, by more than rounding.")).to_be_visible()
    expect(page.get_by_text("The model computes with about 7 digits")).to_have_count(0)


@pytest.mark.parametrize(("operation", "differs"), [("loss", True), ("labels", False)])
def test_a_calculation_whose_digits_differ_from_the_models_says_why(page: Page, operation: str, differs: bool):
    open_operation(page, operation)
    expect(page.locator(".expression .lines > *").first).to_be_visible()
    expect(page.get_by_text("The model computes with about 7 digits")).to_have_count(int(differs))

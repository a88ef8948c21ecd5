"""Interaction and layout that only a browser can test: pointer, keys, tooltips, widths, messages per click."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.ui.session.pages import PAGES
from tests.browser.test_road import button
from tests.helpers import first

pytestmark = pytest.mark.browser

PATHS = [f"/{path}" for path in PAGES]
FOCUSED = """() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node?.dataset?.part ?? node?.tagName;
}"""


def part(page: Page, name: str):
    return page.locator(f'[data-part="{name}"]')


def head(page: Page):
    return page.locator(".operation")


def tip(page: Page):
    return page.get_by_role("tooltip")


def open_step_through(page: Page) -> None:
    page.goto("/step_through?operation=encoder.tokens")
    expect(page.locator("canvas").first).to_be_visible()
    expect(page.locator(".arch .lit")).to_have_count(1)


def test_a_part_of_the_picture_leads_to_its_numbers(page: Page):
    open_step_through(page)
    part(page, "decoder.layers.0.cross_attention").hover()
    expect(tip(page)).to_contain_text("(B, T, D) = (1, 6, 64)")
    part(page, "decoder.layers.0.cross_attention").click()
    expect(head(page)).to_contain_text("Query projection")
    expect(part(page, "decoder.layers.0.cross_attention")).to_have_class(re.compile(r"\blit\b"))
    expect(page.locator(".arch .lit")).to_have_count(1)
    expect(page.locator("[data-stack=decoder] .times")).to_have_text("layer 1 of 1")
    expect(page.locator("[data-stack=encoder] .times")).to_have_text("× 1")
    part(page, "head").click()
    expect(head(page)).to_contain_text("Logits")
    expect(page.get_by_role("textbox", name="Your input")).to_have_value("3 1 4 1 5")
    page.keyboard.press("ArrowLeft")  # after a click the diagram has the focus, so it handles the arrow key
    expect(head(page)).to_contain_text("Logits")


def test_a_formula_of_several_lines_is_shown_whole(page: Page):
    page.goto("/step_through?operation=decoder.layers.0.feed_forward_add_norm.normalized&gradient=True")
    formula = page.locator(".st-key-slide-operation .katex-display")
    expect(formula).to_contain_text("β")
    lines, room = formula.evaluate(  # both measured at one moment: the page may still move as a whole
        "lines => [lines, lines.closest('.stMarkdown')].map(each => each.getBoundingClientRect().bottom)"
    )
    assert lines <= room


def test_the_picture_on_build_opens_step_through(page: Page):
    page.goto("/")
    part(page, "encoder.layers.0.feed_forward").click()
    expect(page).to_have_url(re.compile("/step_through"))
    expect(head(page)).to_contain_text("Feed-forward, hidden")
    expect(page.locator(".crumbs")).to_contain_text("layer 1")


def test_a_part_that_no_model_has_yet_says_what_to_do(page: Page):
    page.goto("/")
    page.get_by_text("GPT-2-like", exact=True).click()
    expect(page.locator(".arch")).to_have_attribute("aria-label", re.compile("Decoder-only"))
    part(page, "head").click()
    expect(page.get_by_text("There is no model of this architecture yet")).to_be_visible()
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()


def test_a_part_of_a_model_with_other_settings_says_so(page: Page):
    page.goto("/")
    page.get_by_text("Is it sorted?", exact=True).click()
    expect(page.locator(".model-summary")).to_contain_text("121,104 parameters")
    part(page, "encoder.layers.0.feed_forward").click()
    expect(page).to_have_url(re.compile("/step_through"))
    expect(page.get_by_text("is the most similar model there is.")).to_be_visible()


@pytest.mark.wcag("2.1.1")
def test_the_picture_by_keys_alone(page: Page):
    open_step_through(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == "encoder.tokens":
            break
    assert page.evaluate(FOCUSED) == "encoder.tokens"  # the marked part is the diagram's only tab stop
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == "decoder.embeddings"
    expect(tip(page)).to_contain_text("Embeddings")
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()
    page.keyboard.press("Enter")
    expect(head(page)).to_contain_text("Token embedding")
    assert page.evaluate(FOCUSED) == "decoder.embeddings"


def test_the_arrow_keys_reach_every_part(page: Page):
    open_step_through(page)
    names = page.locator("[data-part]").evaluate_all("parts => parts.map((one) => one.dataset.part)")
    seen, ways = {"encoder.tokens"}, ["encoder.tokens"]
    while ways:
        here = ways.pop()
        for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
            part(page, here).focus()
            page.keyboard.press(key)
            there = page.evaluate(FOCUSED)
            if there not in seen:
                seen.add(there)
                ways.append(there)
    assert seen == set(names)


@pytest.mark.wcag("1.4.13")
def test_a_marked_word_tells_its_meaning_to_mouse_and_keys(page: Page):
    open_step_through(page)
    letter = head(page).locator(".shape .term").nth(1)
    expect(letter).to_have_text("S")
    letter.hover()
    expect(tip(page)).to_contain_text("Source length: the number of input tokens.")
    tip(page).hover()  # the pointer can move into it
    expect(tip(page)).to_be_visible()
    page.mouse.move(2, 2)
    expect(tip(page)).to_be_hidden()
    letter.focus()
    expect(tip(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()
    page.keyboard.press("Enter")
    expect(tip(page)).to_be_visible()
    page.keyboard.press("ArrowRight")  # the term and its tooltip are removed
    expect(head(page)).to_contain_text("Operation 2 of")
    expect(tip(page)).to_be_hidden()


def test_a_step_is_small_and_touches_nothing_else(page: Page):
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    open_step_through(page)
    page.evaluate("""() => {
      const hosts = document.querySelectorAll('[data-testid=stBidiComponentIsolated]');
      const roots = [...hosts].map((one) => one.shadowRoot);
      window.kept = ["svg", "canvas"].map((tag) => roots.map((root) => root?.querySelector(tag)).find(Boolean));
    }""")
    top = page.locator(".tensors").bounding_box()["y"]
    for at in range(2, 12):
        received.clear()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text(re.compile(rf"^Operation {at} of"))).to_be_visible()
        assert 0 < sum(received) <= 15_000, at
        assert page.locator(".tensors").bounding_box()["y"] == top, "the numbers jumped"
    assert page.evaluate("window.kept.every((node) => node.isConnected)")


@pytest.fixture
def phone(browser: Browser, server: str):
    def opened(scheme: str) -> Page:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, base_url=server, color_scheme=scheme, has_touch=True
        )
        return context.new_page()

    return opened


@pytest.mark.parametrize("scheme", first(1, ["dark", "light"]))
def test_no_page_is_wider_than_a_phone(phone: Callable[[str], Page], scheme: str):
    page = phone(scheme)
    for path in PATHS:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if path in ("/", "/step_through"):
            expect(page.locator(".arch")).to_be_visible()
        page.wait_for_load_state("networkidle")
        widest = "Math.max(...[...document.querySelectorAll('html, .stApp, .stMain')].map((e) => e.scrollWidth))"
        assert page.evaluate(widest) <= 390, path
    page.context.close()


def test_a_tap_on_a_phone_explains_and_leads(phone: Callable[[str], Page]):
    page = phone("light")
    open_step_through(page)
    head(page).locator(".shape .term").first.tap()
    expect(tip(page)).to_contain_text("Batch")
    box = tip(page).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    part(page, "decoder.layers.0.feed_forward").tap()
    expect(head(page)).to_contain_text("Feed-forward, hidden")
    expect(head(page)).to_be_in_viewport()
    page.context.close()


def test_the_fields_of_a_run_tell_their_meaning_on_a_phone_too(phone: Callable[[str], Page]):
    page = phone("light")
    page.goto("/train")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_test_id("progress")).to_contain_text("paused step 1")
    page.get_by_role("button", name="More", exact=True).click()
    for field in ("Steps", "Learning rate", "Batch size", "Dropout"):
        expect(page.get_by_role("button", name=f"Help for {field}")).to_be_visible()
    page.context.close()


def test_a_page_is_chosen_by_keys_and_one_sees_where_one_is(page: Page):
    page.goto("/")
    menu = page.get_by_role("link", name="Step through").first
    expect(menu).to_be_visible()
    page.keyboard.press("Tab")  # "Skip to main content"
    for name in ("Learn", "Build", "Train", "Step through"):
        page.keyboard.press("Tab")
        reached = page.locator("a:focus")
        expect(reached).to_contain_text(name)
        expect(reached).to_have_css("outline-style", "solid")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/step_through"))


@pytest.mark.parametrize("path", ["/", "/step_through"])
def test_what_matters_is_on_a_projector_s_first_screen(page: Page, path: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(path)
    expect(page.locator(".arch")).to_be_visible()
    if path == "/":
        shown = [page.get_by_role("button", name="Train this model"), page.locator(".arch .part").last]
    else:
        expect(page.locator("canvas").first).to_be_visible()
        shown = [page.locator(".katex").first, page.locator(".statement .box"), page.locator("canvas").first]
    for each in shown:
        box = each.bounding_box()
        assert box["y"] + min(box["height"], 100) <= 720


def test_on_build_the_picture_stays_in_sight_while_settings_are_edited(page: Page):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/")
    page.get_by_role("tab", name="Model").click()
    field = page.locator(".st-key-model-positions")
    field.scroll_into_view_if_needed()
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollTop") > 0
    box = page.locator(".arch").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 900
    page.set_viewport_size({"width": 390, "height": 844})
    field.scroll_into_view_if_needed()
    expect(page.locator(".model-summary")).to_be_in_viewport()
    expect(page.locator(".model-summary")).to_contain_text("87,950 parameters")


@pytest.mark.wcag("3.2.2")
def test_presets_are_radio_buttons(page: Page):
    page.goto("/")
    chosen = page.get_by_role("radio", name="Quick reverse")
    expect(chosen).to_be_checked()
    chosen.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Quick copy")).to_be_checked()
    expect(page.get_by_text("Learns to copy").first).to_be_visible()


def test_a_tab_with_an_error_is_marked(page: Page):
    page.goto("/?model.d_model=12")
    page.get_by_role("tab", name="Model").click()
    width = page.locator(".st-key-model-d_model input")
    width.fill("10")
    width.press("Enter")
    expect(page.get_by_role("tab", name="Model has an error")).to_be_visible()
    page.get_by_role("button", name=re.compile(r"^Use .* 12$")).click()
    expect(page.get_by_role("tab", name="Model", exact=True)).to_be_visible()
    expect(width).to_have_value("12")


def test_settings_go_down_as_json_and_come_back(page: Page):
    page.goto("/?model.n_heads=2&seed=5")
    page.get_by_text("Settings as JSON").click()
    with page.expect_download() as download:
        button(page, "Download settings.json").click()
    text = download.value.path().read_text()
    page.get_by_text("Quick copy", exact=True).click()
    expect(page).not_to_have_url(re.compile("n_heads"))
    page.get_by_role("textbox", name="Settings to use").fill(text)
    button(page, "Use these settings").click()
    expect(page).to_have_url(re.compile(r"n_heads=2.*seed=5"))
    expect(page.get_by_text("Settings used")).to_be_visible()

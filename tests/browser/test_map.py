"""Navigation of Step through in a real browser: outline, breadcrumbs, keys, window of keys, statement."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers import first
from tests.test_assets import module

pytestmark = pytest.mark.browser

WEIGHTS = "decoder.layers.0.cross_attention.attention.weights"


def open_at(page: Page, operation: str = "encoder.tokens") -> None:
    page.goto(f"/step_through?operation={operation}")
    expect(page.locator(".arch .lit")).to_have_count(1)
    expect(page.locator("canvas").first).to_be_visible()
    expect(page.locator(".tree [aria-current]")).to_have_count(1)


def number(page: Page):
    return page.get_by_text(re.compile(r"^Operation \d+ of \d+$"))


def at(page: Page, operation: int) -> None:
    expect(number(page)).to_have_text(re.compile(f"^Operation {operation} of"))


def crumbs(page: Page):
    return page.locator(".crumbs li button")


def item(page: Page, label: str, within: str = ""):
    """A visible line of the outline."""
    scope = page.get_by_role("treeitem", name=within, exact=True) if within else page.locator(".tree")
    return scope.get_by_role("treeitem", name=label, exact=True)


def operations_seen(page: Page) -> int:
    return page.locator(".tree [role=treeitem]:not([aria-expanded]):visible").count()


def press_fast(page: Page, key: str, times: int, **held: bool) -> None:
    """Press keys 20 ms apart, faster than script runs."""
    script = """([key, times, held]) => new Promise(done => {
      let left = times;
      const timer = setInterval(() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, ...held }));
        if (!--left) { clearInterval(timer); done(); }
      }, 20);
    })"""
    page.evaluate(script, [key, times, held])


# --- keys -----------------------------------------------------------------------------------------


def test_no_press_is_lost_however_fast(page: Page):
    open_at(page)
    press_fast(page, "ArrowRight", 10)
    at(page, 11)
    press_fast(page, "PageDown", 30)
    at(page, 41)
    press_fast(page, "ArrowLeft", 15)
    press_fast(page, "PageUp", 5)
    at(page, 21)
    for _ in range(10):
        page.keyboard.press("ArrowRight", delay=1)
    at(page, 31)
    page.reload()  # a new session starts counting again
    expect(page.locator(".arch .lit")).to_have_count(1)
    at(page, 31)
    page.keyboard.press("ArrowRight")
    at(page, 32)


def test_presses_count_on_from_page_to_page(page: Page):
    open_at(page)
    press_fast(page, "ArrowRight", 4)
    at(page, 5)
    page.get_by_role("link", name="Checkpoints").first.click()
    expect(page.get_by_role("heading", name="Checkpoints")).to_be_visible()
    page.keyboard.press("ArrowRight")  # no component handles it here
    page.get_by_role("link", name="Step through").first.click()
    expect(page.locator(".arch .lit")).to_have_count(1)
    at(page, 5)
    page.keyboard.press("ArrowRight")
    at(page, 6)


def test_keys_and_buttons_mix(page: Page):
    open_at(page)
    page.get_by_role("button", name="Next", exact=True).click()
    at(page, 2)
    press_fast(page, "ArrowRight", 3)
    at(page, 5)
    page.get_by_role("button", name="Previous", exact=True).click()
    at(page, 4)
    press_fast(page, "ArrowLeft", 9)
    at(page, 1)
    expect(page.get_by_role("button", name="Previous", exact=True)).to_be_disabled()


def test_shift_walks_by_sublayers(page: Page):
    open_at(page)
    expect(crumbs(page).nth(1)).to_have_text("tokens and masks")
    for sublayer in ("embeddings", "self-attention", "feed-forward"):
        page.keyboard.press("Shift+ArrowRight")
        expect(crumbs(page).nth(-2)).to_have_text(sublayer)
    page.keyboard.press("Shift+ArrowLeft")
    expect(crumbs(page).nth(2)).to_have_text("self-attention")
    expect(crumbs(page).nth(3)).to_have_text("norm")


def test_keys_leave_those_alone_who_type_choose_or_hold_another_key(page: Page):
    open_at(page, WEIGHTS)
    before = number(page).inner_text()
    box = page.get_by_role("combobox", name="Model")
    box.click()
    expect(page.get_by_role("listbox")).to_be_visible()
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    field = page.get_by_role("textbox", name="Your input")
    field.focus()
    for key in ("ArrowRight", "PageDown", "ArrowLeft", "ArrowRight", "."):
        page.keyboard.press(key)
    page.keyboard.press("?")
    expect(page.locator("dialog.keys")).to_be_hidden()
    field.fill("3 1 4 1 5")
    page.evaluate("document.activeElement.blur()")
    for key in ("Control+ArrowRight", "Alt+PageDown", "Meta+ArrowRight", "Control+?"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert number(page).inner_text() == before
    page.keyboard.press("ArrowRight")
    expect(number(page)).not_to_have_text(before)


# --- the window of keys ---------------------------------------------------------------------------


def test_the_window_of_keys_opens_and_closes(page: Page):
    open_at(page)
    window = page.locator("dialog.keys")
    button = page.get_by_role("button", name="Keys", exact=True)
    page.keyboard.press("?")
    expect(window).to_be_visible()
    expect(window).to_contain_text("next sublayer")
    page.keyboard.press("ArrowRight")  # the page below doesn't react
    page.keyboard.press("?")
    expect(window).to_be_hidden()
    at(page, 1)
    button.click()
    expect(window).to_be_visible()
    page.keyboard.press("Escape")
    expect(window).to_be_hidden()
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.innerText").strip() == "Keys"
    button.click()
    page.mouse.click(5, 5)
    expect(window).to_be_hidden()
    button.click()
    window.get_by_role("button", name="Close").click()
    expect(window).to_be_hidden()


# --- the outline ----------------------------------------------------------------------------------


def test_only_the_sublayer_one_is_in_is_unfolded(page: Page):
    open_at(page, WEIGHTS)
    tree = page.locator(".tree")
    expect(tree.locator("[aria-current]")).to_have_attribute("aria-label", "weights")
    assert operations_seen(page) == 15 + 2  # one attention with sum and norm, and the two outputs of stacks
    page.get_by_role("button", name="Unfold all").click()
    assert operations_seen(page) == int(number(page).inner_text().split()[-1])
    page.get_by_role("button", name="Fold to sublayers").click()
    assert operations_seen(page) == 17


def test_a_group_folds_and_unfolds_by_its_sign(page: Page):
    open_at(page, WEIGHTS)
    group = item(page, "feed-forward", "decoder")
    expect(group).to_have_attribute("aria-expanded", "false")
    group.locator(".chevron").first.click()
    expect(group).to_have_attribute("aria-expanded", "true")
    expect(item(page, "activation", "decoder")).to_be_visible()
    page.keyboard.press("PageDown")  # unfolded items stay unfolded
    expect(page.locator(".tree [aria-current]")).to_have_attribute("aria-label", "heads")
    expect(item(page, "activation", "decoder")).to_be_visible()
    here = item(page, "cross-attention", "decoder")
    here.locator(".chevron").first.click()
    expect(here).to_have_attribute("aria-expanded", "false")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowLeft" if _ == 0 else "Shift+ArrowRight")
        expect(page.locator(".tree .within").last).to_have_attribute("aria-expanded", "true")


def test_a_click_in_the_outline_goes_there_and_the_page_stays(page: Page):
    open_at(page)
    page.get_by_role("button", name="Unfold all").click()
    last = item(page, "loss")
    last.scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    last.locator(".row").click()
    expect(crumbs(page)).to_have_text(["output layer and loss", "loss"])
    page.keyboard.press("Home")  # the tree has the focus: its first item
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(crumbs(page)).to_have_text(["encoder", "tokens and masks", "padding mask"])
    assert page.evaluate(scrolled) == before
    item(page, "cross-attention").locator(".row").first.click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "cross-attention", "norm"])


def test_the_lit_line_is_in_sight_inside_its_box_and_the_page_does_not_scroll(page: Page):
    open_at(page)
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    inside = """() => {
      const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot);
      const root = roots.find((r) => r?.querySelector(".tree"));
      const box = root.querySelector(".tree").getBoundingClientRect();
      const row = root.querySelector("[aria-current] > .row").getBoundingClientRect();
      return row.top >= box.top && row.bottom <= box.bottom;
    }"""
    for _ in range(5):
        before = number(page).inner_text()
        press_fast(page, "ArrowRight", 15)
        expect(number(page)).not_to_have_text(before)
        page.wait_for_function(inside)
        assert page.evaluate(scrolled) == 0


def test_the_tree_by_keys(page: Page):
    open_at(page, WEIGHTS)
    focused = """() => {
      let node = document.activeElement;
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
      return node?.getAttribute("aria-label");
    }"""
    page.locator(".tree [aria-current]").focus()
    for key, label in (
        ("ArrowUp", "masked scores"),
        ("ArrowLeft", "cross-attention"),
        ("ArrowLeft", "cross-attention"),  # folds
        ("ArrowDown", "feed-forward"),
        ("ArrowRight", "feed-forward"),  # unfolds
        ("ArrowRight", "norm"),
        ("End", "output layer and loss"),
        ("Home", "encoder"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(focused) == label, key
    assert page.locator(".tree [tabindex='0']").count() == 1
    before = number(page).inner_text()
    page.keyboard.press("PageDown")  # handled by the page, not by the tree
    expect(number(page)).not_to_have_text(before)


def test_backward_the_outline_stands_the_other_way_round(page: Page):
    open_at(page, WEIGHTS)
    page.get_by_role("button", name="Unfold all").click()
    names = (
        "[...root.querySelectorAll('[role=treeitem]:not([aria-expanded])')].map((e) => e.getAttribute('aria-label'))"
    )
    script = f"""async without => {{
      const {{ follow }} = {module("parts/map/follow.ts")};
      const data = {{ lit: "{WEIGHTS}", crumbs: [["decoder", ""], ["weights", "{WEIGHTS}"]], heard: 0 }};
      data.session = String(Math.random());
      const sent = [];
      const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).find((r) => r?.querySelector(".tree"));
      const mount = document.createElement("div");
      root.append(mount);
      const setStateValue = (name, {{ acts }}) => sent.push(...acts.map((act) => act[3].name));
      follow(mount, without ? {{ ...data, without }} : data, {{ parentElement: mount, setStateValue }});
      const items = {names};
      root.querySelector("[aria-disabled] .row")?.click();
      root.querySelector("[role=treeitem] .row").click();
      return [items, sent, root.querySelector("header").innerText];
    }}"""
    forward, _, title = page.evaluate(script, None)
    assert title.startswith(f"All operations {len(forward)}\n")
    backward, sent, title = page.evaluate(script, [0, 1, len(forward) - 1])
    assert backward == forward[::-1]
    assert sent == ["probabilities" if forward[-2] == "probabilities" else "labels"]  # the last one in walk order
    assert title.startswith(f"All operations {len(forward) - 3}, backward")
    assert page.evaluate(script, None)[0] == forward


# --- breadcrumbs ----------------------------------------------------------------------------------


def test_crumbs_lead_to_the_first_operation_of_a_part(page: Page):
    open_at(page, WEIGHTS)
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "cross-attention", "weights"])
    crumbs(page).nth(2).click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "cross-attention", "norm"])
    crumbs(page).nth(1).click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "self-attention", "norm"])
    crumbs(page).nth(0).click()
    expect(crumbs(page)).to_have_text(["decoder", "tokens and masks", "tokens"])


def test_the_last_crumb_lists_its_siblings(page: Page):
    open_at(page, WEIGHTS)
    crumbs(page).last.click()
    menu = page.get_by_role("menu")
    expect(menu.get_by_role("menuitem")).to_have_count(15)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(crumbs(page).last).to_have_text("heads")
    expect(menu).to_be_hidden()
    crumbs(page).last.click()
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    crumbs(page).last.click()
    menu.get_by_role("menuitem", name="scaled scores").click()
    expect(crumbs(page).last).to_have_text("scaled scores")


# --- the diagram ----------------------------------------------------------------------------------


def test_the_picture_lights_the_residual_path_one_is_in(page: Page):
    open_at(page, "encoder.layers.0.feed_forward.hidden")
    path = page.locator(".arch .along")
    expect(path).to_have_count(1)
    expect(path).to_have_attribute("data-along", "encoder.layers.0.feed_forward")
    expect(page.locator(".arch .here")).to_have_attribute("data-stack", "encoder")
    expect(page.locator(".arch .joined")).to_have_count(0)
    page.keyboard.press("Shift+ArrowRight")
    expect(path).to_have_attribute("data-part", "encoder.norm")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".arch .joined")).to_have_attribute("data-along", "encoder.layers.0.feed_forward")


# --- the statement --------------------------------------------------------------------------------


def test_the_statement_is_lit_in_the_middle_of_its_function(page: Page):
    open_at(page, WEIGHTS)
    box = page.locator(".statement .box")
    expect(box.locator(".lit")).to_have_count(1)
    expect(box.locator(".lit")).to_contain_text("weights = self.weights(scores.softmax(-1)")
    expect(page.locator(".statement figcaption")).to_contain_text("playground/model/attention.py:")
    middle = """() => {
      const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot);
      const root = roots.find((r) => r?.querySelector(".statement"));
      const box = root.querySelector(".box").getBoundingClientRect();
      const line = root.querySelector(".lit").getBoundingClientRect();
      return line.top >= box.top && line.bottom <= box.bottom;
    }"""
    page.wait_for_function(middle)
    height = box.bounding_box()["height"]
    for _ in range(4):
        before = number(page).inner_text()
        page.keyboard.press("Shift+ArrowLeft")
        expect(number(page)).not_to_have_text(before)
        page.wait_for_function(middle)
        assert box.bounding_box()["height"] == height
    crumbs(page).first.click()
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("button", name="Show less")).to_be_visible()
    whole = box.bounding_box()["height"]
    assert whole > height
    page.get_by_role("button", name="Show less").click()
    assert box.bounding_box()["height"] == height


# --- a phone --------------------------------------------------------------------------------------


@pytest.fixture
def phone(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server, has_touch=True)
    yield context.new_page()
    context.close()


STORAGE = {
    "kept": "",
    "refused": "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })",
}


@pytest.mark.wcag("2.1.4")
@pytest.mark.parametrize("storage", first(1, STORAGE, of=2))
def test_single_letter_shortcuts_can_be_switched_off(page: Page, storage: str):
    page.add_init_script(STORAGE[storage])
    open_at(page, WEIGHTS)
    window = page.locator("dialog.keys")
    before = number(page).inner_text()
    switch = window.get_by_role("checkbox", name="Single-letter shortcuts")

    def check(acts: bool) -> None:
        """Press a key of each script that handles keys, and one of Streamlit's."""
        for key, again, shows in (
            ("t", "t", page.get_by_role("table", name="Weights, head 2")),  # tensors.ts
            ("3", "0", page.locator(".outputs .note", has_text="head 3 of 4")),
            ("f", "f", page.locator("html[data-present] .stApp")),  # presenter.ts
            ("?", "?", window),  # keys.ts
            ("g", "g", page.get_by_role("heading", name=re.compile(", backward"))),  # follow.ts
        ):
            page.keyboard.press(key)
            if acts:
                expect(shows).to_be_visible()
                expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
                page.keyboard.press(again)
            else:
                page.wait_for_timeout(700)
            expect(shows).to_be_hidden()
        page.evaluate(
            """() => {
              window.last = "";
              document.addEventListener("keydown", ({ key }) => (window.last = key), { once: true });
            }"""
        )
        page.keyboard.press("r")  # reruns the page
        assert page.evaluate("window.last") == ("r" if acts else "")

    check(True)
    page.get_by_role("button", name="Keys", exact=True).click()
    expect(switch).to_be_checked()
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    expect(window).to_be_visible()
    page.keyboard.press("Escape")
    check(False)
    address = page.url
    page.keyboard.press("ArrowRight")
    expect(number(page)).not_to_have_text(before)
    expect(page).not_to_have_url(address)
    address = page.url
    page.keyboard.press("ArrowLeft")
    expect(number(page)).to_have_text(before)
    expect(page).not_to_have_url(address)  # a reload starts from its address

    page.reload()
    expect(number(page)).to_have_text(before)
    expect(page.locator(".outputs .tile")).to_have_count(4)
    check(storage == "refused")
    page.get_by_role("button", name="Keys", exact=True).click()
    switch.set_checked(True)
    page.keyboard.press("Escape")
    check(True)


def test_on_a_phone_the_outline_is_shut_until_it_is_asked_for(phone: Page):
    open_at(phone)
    tree = phone.locator(".tree")
    expect(tree).to_be_hidden()
    phone.get_by_role("button", name=re.compile("All operations")).tap()
    expect(tree).to_be_visible()
    item(phone, "output layer and loss").locator(".row").first.tap()
    expect(crumbs(phone)).to_have_text(["output layer and loss", "logits"])
    expect(phone.locator(".crumbs")).to_be_in_viewport()
    phone.keyboard.press("?")  # without a button there
    window = phone.locator("dialog.keys").bounding_box()
    assert window["x"] >= 0
    assert window["x"] + window["width"] <= 390
    assert window["height"] <= 844


def test_back_leads_to_the_page_before_not_to_the_step_before(page: Page):
    page.goto("/train")
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()
    page.get_by_role("link", name="Step through").first.click()
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("operation=decoder.layers.0.cross_attention.output"))
    page.go_back()
    expect(page).to_have_url(re.compile("/train"))
    expect(page.get_by_role("heading", name="Train", exact=True)).to_be_visible()

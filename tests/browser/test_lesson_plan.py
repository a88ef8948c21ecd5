"""The lesson plan in a real browser: views are added on any page, kept, shared by a link, and presented in order."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_presenter import expect_ready, expect_slide, press
from tests.browser.test_road import button
from tests.helpers import until

pytestmark = pytest.mark.browser

KEPT = "playground lesson plan"
WEIGHTS = "/step_through?operation=decoder.layers.0.cross_attention.attention.weights&input=3+1+4"
SCORES = "/step_through?operation=decoder.layers.0.self_attention.attention.scores&input=5+5"


def panel(page: Page):
    return page.locator("dialog.plan[open]")


def act(page: Page, name: str):
    """A button of the plan."""
    return panel(page).get_by_role("button", name=name, exact=True)


def names(page: Page) -> list[str]:
    return panel(page).locator("input").evaluate_all("all => all.map((one) => one.value)")


def where(page: Page):
    """Line below a slide."""
    return page.locator(".playground-presenter .where")


def add(page: Page, address: str) -> None:
    """Open a page and add what it shows to the plan."""
    page.goto(address)
    expect_ready(page)
    expect(page.locator(".stMain h1").first).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator(".playground-notice").get_by_text("Added to the lesson plan")).to_be_visible()


def open_panel(page: Page) -> None:
    page.keyboard.press("q")
    page.locator(".code[open]").get_by_role("button", name="Lesson plan").click()
    expect(panel(page)).to_be_visible()


def test_a_plan_is_presented_in_order_across_pages_and_survives_a_reload(page: Page):
    for address in (WEIGHTS, "/experiment?view=circuits", SCORES, "/?model.d_model=48"):
        add(page, address)
    loaded = page.evaluate("window.loaded = Math.random()")
    open_panel(page)
    assert len(names(page)) == 4
    act(page, "Present").click()
    expect(where(page)).to_contain_text("1 of 4")
    expect(where(page)).to_contain_text("cross-attention › weights")
    expect(where(page)).to_contain_text("3 1 4")
    press(page, "PageDown", 1)
    expect_slide(page, "circuits")
    expect(where(page)).to_contain_text("2 of 4")
    press(page, "PageDown", 1)
    expect(where(page)).to_contain_text("self-attention › scores")
    expect(where(page)).to_contain_text("5 5")
    press(page, "ArrowRight", 1)  # walks through the operations there
    expect(where(page)).to_contain_text("scaled")
    expect(where(page)).to_contain_text("3 of 4")
    press(page, "PageDown", 1)
    expect_slide(page, "model")
    assert "model.d_model=48" in page.url
    press(page, "PageDown", 1)
    expect(page.locator(".keys-message")).to_have_text("This is the last view of the lesson plan.")
    press(page, "PageUp", 1)
    expect(where(page)).to_contain_text("self-attention › scores")
    assert page.evaluate("window.loaded") == loaded, "no page is loaded again, which would end full screen"
    page.reload()
    expect(where(page)).to_contain_text("3 of 4")
    press(page, "PageUp", 1)
    expect_slide(page, "circuits")
    page.keyboard.press("l")
    menu = page.locator(".playground-presenter .slides")
    expect(menu.get_by_role("heading", name="Lesson plan: 2 of 4")).to_be_visible()
    menu.get_by_role("button", name="1 Step through").click()
    expect(where(page)).to_contain_text("cross-attention › weights")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(where(page)).not_to_contain_text("of 4")


def test_a_plan_is_edited_and_shared_by_a_link_with_a_code(page: Page, browser: Browser):
    add(page, "/generate")
    page.keyboard.press("f")
    expect_slide(page, "token")
    press(page, "PageDown", 1)
    expect_slide(page, "attention")
    page.keyboard.press("a")
    expect(page.locator(".keys-message")).to_contain_text("Attention of this token")
    page.keyboard.press("Escape")
    open_panel(page)
    act(page, "Add this view").click()
    panel(page).get_by_label("Name of view 3").fill("<b>Last</b>")
    panel(page).get_by_role("button", name="Move up").nth(2).click()
    assert names(page) == ["Generate", "<b>Last</b>", "Generate: Attention of this token"]
    panel(page).get_by_role("button", name="Delete").first.click()
    assert len(names(page)) == 2
    act(page, "Undo").click()
    assert len(names(page)) == 3
    page.reload()
    expect_ready(page)
    open_panel(page)
    assert names(page)[1] == "<b>Last</b>"
    act(page, "Share plan").click()
    code = page.locator(".code[open]")
    expect(code.locator("img")).to_be_visible()
    until(lambda: code.locator("img").evaluate("image => image.naturalWidth > 0"))
    expect(code).to_contain_text("closes this")
    link = code.locator(".address").inner_text()
    code.get_by_role("button", name="Close").click()
    expect(code).to_have_count(0)
    other = browser.new_context().new_page()
    other.goto(link)
    expect(panel(other)).to_contain_text("This plan came with the link.")
    assert names(other) == ["Generate", "<b>Last</b>", "Generate: Attention of this token"]
    assert "plan=" not in other.url
    assert not other.locator("dialog.plan b").count()
    panel(other).get_by_role("button", name="Present from here").nth(2).click()
    expect_slide(other, "attention")
    expect(where(other)).to_contain_text("3 of 3")
    other.context.close()


def test_a_plan_of_a_link_leaves_ones_own_within_reach_and_is_not_trusted(page: Page):
    add(page, "/checkpoints")
    wrong = [["Elsewhere", "https://elsewhere.test/"], ["Script", "javascript:alert(1)"]]
    link = page.evaluate(
        """async (views) => {
          const packed = new Blob([JSON.stringify(views)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
          const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
          const word = btoa(String.fromCharCode(...bytes));
          return "#plan=" + word.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        }""",
        [*wrong, ["Train", "train?view=sweep"]],
    )
    page.evaluate("link => void (location.hash = link)", link)
    expect(panel(page)).to_contain_text("2 of its views lead to no page of this app and are left out.")
    assert names(page) == ["Train"]
    act(page, "Undo").click()
    assert names(page) == ["Checkpoints"]
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#plan=nonsense'")
    expect(panel(page)).to_contain_text("This link has no lesson plan that can be read.")
    assert names(page) == ["Checkpoints"]


def test_two_tabs_keep_each_others_views_and_every_window_of_share_adds_to_them(page: Page):
    page.goto("/learn?view=hunt")
    expect_ready(page)
    other = page.context.new_page()
    add(other, "/experiment")
    button(page, "Share").last.click()
    button(page, "Add to plan").last.click()
    kept = json.loads(page.evaluate("name => localStorage[name]", KEPT))
    assert [each["title"] for each in kept] == ["Experiment", "Learn: Bug hunt"]
    button(page, "Lesson plan").last.click()
    other.keyboard.press("a")
    until(lambda: len(names(page)) == 3, lambda: str(names(page)))

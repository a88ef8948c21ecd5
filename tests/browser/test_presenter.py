"""Lecture features in a real browser: presenter view by keys and links, QR codes, settings links, offline use."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.pictures.charts import PANELS
from playground.ui.session.pages import PAGES, TRAIN
from tests.browser.test_road import button, click, open_more, status
from tests.helpers import first

pytestmark = pytest.mark.browser

LOOKED_AT = """
window.awake = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
  const lock = new EventTarget();
  lock.release = async () => { awake.splice(awake.indexOf(lock), 1); lock.dispatchEvent(new Event("release")); };
  awake.push(lock);
  return lock;
} } });
window.loaded = Math.random();
"""
"""Script that runs before the page's own: records the wake lock, and sets a value that a reload loses."""


def slide(page: Page) -> str | None:
    return page.evaluate("document.documentElement.dataset.slide ?? null")


def expect_slide(page: Page, name: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-slide", name)


def slides_after(page: Page) -> int:
    """How many slides of the page follow the current one."""
    dots = page.locator(".playground-presenter .dots")
    expect(dots).to_contain_text("●")
    return dots.inner_text().partition("●")[2].count("○")


def slides_before(page: Page) -> int:
    """How many slides of the page come before the current one."""
    return page.locator(".playground-presenter .dots").inner_text().partition("●")[0].count("○")


def presenting(page: Page):
    return page.locator("html[data-present]")


def expect_in_a_window(page: Page) -> None:
    """Wait until the browser has left full screen, which happens after the page has."""
    for _ in range(100):  # wait_for_function would need eval, which the policy forbids
        if page.evaluate("document.fullscreenElement === null"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("still in full screen")


def expect_ready(page: Page) -> None:
    """Wait until the page handles keys."""
    expect(page.locator(".st-key-present").get_by_text("Present", exact=True)).to_be_attached()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def press(page: Page, key: str, times: int, apart: int = 20) -> None:
    """Press a key repeatedly without waiting, like a clicker's button."""
    page.evaluate(
        """async ([key, times, apart]) => {
          for (let at = 0; at < times; at++) {
            const press = { key, bubbles: true, cancelable: true, composed: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", press));
            await new Promise((done) => setTimeout(done, apart));
          }
        }""",
        [key, times, apart],
    )


def kept_from_the_browser(page: Page, key: str, **held: bool) -> bool:
    """Whether a key press was handled, so that the browser's default action doesn't follow."""
    return page.evaluate(
        """([key, held]) => {
          const press = { key, ...held, bubbles: true, cancelable: true, composed: true };
          return !document.body.dispatchEvent(new KeyboardEvent("keydown", press));
        }""",
        [key, held],
    )


SHORT = "lesson=1&training.steps=20&training.stop_when_solved=false&pace=Full%20speed"
"""A settings link whose run ends quickly."""


def finished(page: Page) -> None:
    page.goto(f"/train?{SHORT}")
    expect(status(page)).to_contain_text("not started step 0 of")
    click(page, "Train")
    expect(status(page)).to_contain_text("finished")


def test_leaving_the_presenter_at_once_also_leaves_full_screen(page: Page):
    page.goto("/train")
    expect_ready(page)
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    expect(presenting(page)).to_have_count(0)
    page.wait_for_timeout(500)  # full screen must not follow this
    expect_in_a_window(page)
    page.set_viewport_size({"width": 1280, "height": 720})


def test_a_clicker_goes_through_the_slides_of_the_train_page(page: Page):
    page.add_init_script(LOOKED_AT)
    finished(page)
    before = page.evaluate("loaded")
    assert not kept_from_the_browser(page, "F5"), "loads the page again where nobody presents"
    page.keyboard.press("f")
    expect_slide(page, "loss")
    expect(page.get_by_role("link", name="Checkpoints")).to_be_hidden()
    expect(button(page, "Train")).to_be_hidden()
    expect(status(page)).to_be_in_viewport()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    assert page.evaluate("awake.length") == 1
    names = [each.name for each in TRAIN.slides]
    box = page.locator(".panel.loss .plot").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chip = page.locator(".panel:visible .chip:visible")
    expect(chip).to_be_visible()
    at = chip.inner_text()
    assert 0 < int(at) < 20
    seen = [slide(page)]
    for _ in range(slides_after(page)):
        page.keyboard.press("PageDown")
        seen.append(slide(page))
        (panels,) = (each.panels for each in TRAIN.slides if each.name == seen[-1])
        expect(page.locator(".panel:visible").first).to_be_in_viewport()
        shown = page.locator(".panel:visible").evaluate_all("all => all.map((one) => one.dataset.panel)")
        assert set(shown) <= set(panels)
        if seen[-1] in ("predictions", "attention"):
            expect(page.locator(".panel:visible .step")).to_have_text(f"step {round(int(at) / 5) * 5}")
        else:
            expect(chip).to_have_text(at)  # the chosen step, on every slide
        expect(page.locator(".st-key-presenter-progress")).to_be_hidden()
    assert seen == [name for name in names if name in seen]
    assert {"loss", "accuracy", "predictions", "attention", "rate"} <= set(seen)
    page.keyboard.press("Escape")
    expect(chip).to_have_count(0)
    expect(page.locator(".panel:visible .step")).to_have_text("step 20")
    press(page, "PageUp", len(seen) - 2)
    assert slide(page) == seen[1], "every press counts"
    page.keyboard.press("b")
    expect(page.locator(".playground-presenter .black")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(page.locator(".playground-presenter .black")).to_be_hidden()
    assert slide(page) == seen[1], "the key that brings the page back does nothing else"
    assert kept_from_the_browser(page, "F5")
    assert kept_from_the_browser(page, "F5", shiftKey=True)
    assert not kept_from_the_browser(page, "r", ctrlKey=True)
    assert not kept_from_the_browser(page, "F5", ctrlKey=True)
    expect_slide(page, seen[1])
    assert page.evaluate("loaded") == before
    expect(page).to_have_url(re.compile(f"present={seen[1]}"))
    page.reload()
    expect_slide(page, seen[1])
    page.keyboard.press("Shift+PageDown")
    expect(page).to_have_url(re.compile(r"/step_through.*present="))
    expect_slide(page, "operation")
    page.keyboard.press("Escape")
    expect(presenting(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("present="))
    expect(page.get_by_role("link", name="Checkpoints")).to_be_visible()
    assert page.evaluate("awake.length") == 0


def test_a_run_is_started_and_held_by_a_key(page: Page):
    page.goto("/train?present=1")
    expect(presenting(page)).to_have_count(1)
    expect(page.get_by_text("No model yet.")).to_be_visible()
    expect_ready(page)
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("running")
    expect_slide(page, "loss")
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("paused")
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("running")


def test_every_press_of_the_step_key_is_a_step(page: Page):
    page.goto("/train?lesson=1&seed=3&present=1")
    expect(status(page)).to_contain_text("not started step 0 of")
    expect_ready(page)
    press(page, "s", 10)
    expect(status(page)).to_contain_text("paused step 10 of")
    press(page, "s", 2)  # anything counted twice would show now
    expect(status(page)).to_contain_text("paused step 12 of")


def test_slow_motion_in_the_presenter_view_from_a_link(page: Page):
    page.goto("/train?lesson=1&seed=3&pace=Slow%20motion&present=slow")
    expect(status(page)).to_contain_text("not started step 0 of")
    expect_ready(page)
    stage_message = page.locator(".slow-motion .words [role=status]")
    press(page, "s", 3)
    expect_slide(page, "slow")
    expect(stage_message).to_have_text("Training step 1 · stage 3 of 12")
    expect(page.locator(".arch .lit")).to_have_attribute("data-part", "encoder.layers.0.self_attention")
    expect(page.locator(".slow-motion canvas").first).to_be_in_viewport()
    page.keyboard.press(" ")
    expect(stage_message).to_have_text("Training step 1 · stage 4 of 12")
    page.keyboard.press(" ")
    page.keyboard.press("PageUp")
    expect_slide(page, PANELS[-1].slide[0])
    press(page, "PageUp", slides_before(page))
    expect_slide(page, "loss")
    expect(status(page)).to_contain_text("paused step 0 of")


def test_every_press_counts_where_one_steps_through(page: Page):
    page.goto("/step_through?present=1&operation=encoder.tokens")
    expect(page.get_by_text(re.compile("^Operation 1 of"))).to_be_visible()
    expect(page.locator("canvas").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Your input")).to_be_hidden()
    where = page.locator(".playground-presenter .where")
    expect(where).to_have_text(re.compile("^reverse-1-16 · [0-9 ]+ · .*Encoder › ", re.IGNORECASE))
    press(page, "PageDown", 10)
    expect(page.get_by_text(re.compile("^Operation 11 of"))).to_be_visible()
    press(page, "PageUp", 10)
    expect(page.get_by_text(re.compile("^Operation 1 of"))).to_be_visible()
    canvas = page.locator("canvas").last
    expect(canvas).to_be_visible()
    box = canvas.evaluate("(node) => node.getBoundingClientRect().toJSON()")  # waits while it is being redrawn
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 0.8 * box["height"])
    expect(page).to_have_url(re.compile("cell="))
    page.keyboard.press("Escape")  # unlocks the cell
    expect(presenting(page)).to_have_count(1)
    expect(page).not_to_have_url(re.compile("cell="))
    page.mouse.move(2, 2)
    page.keyboard.press("Escape")
    expect(presenting(page)).to_have_count(0)


@pytest.mark.parametrize("scheme", first(1, ["dark", "light"]))
def test_a_link_presents_any_page_and_a_pointer_that_rests_is_hidden(browser: Browser, server: str, scheme: str):
    page = browser.new_page(viewport={"width": 1280, "height": 720}, base_url=server, color_scheme=scheme)
    if scheme == "dark":
        page.add_init_script('Object.defineProperty(navigator, "wakeLock", { value: undefined })')
    for path in ("/checkpoints", "/step_through", "/train", "/"):
        page.goto(f"{path}?present=1")
        expect(page.locator(".stMain :is(h1, h2, .arch, .card):visible").first).to_be_attached()
        expect(page.get_by_role("banner")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    if scheme == "dark":
        expect(page.get_by_text("This browser can turn the screen off")).to_be_visible()
    expect_slide(page, "model")
    box = page.locator(".arch").bounding_box()
    assert box["height"] > 600
    assert box["y"] + box["height"] <= 720
    expect_ready(page)
    page.mouse.move(300, 300)
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stMain')).cursor === 'none'")
    page.mouse.move(310, 300)
    page.wait_for_function("() => getComputedStyle(document.querySelector('.stMain')).cursor !== 'none'")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("black screen until the next key")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(presenting(page)).to_have_count(1)
    page.context.close()


def test_a_code_of_the_address_leads_others_to_the_run(page: Page, browser: Browser):
    page.goto("/train?present=1")
    expect(page.get_by_text("No model yet.")).to_be_visible()
    expect_ready(page)
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("running")
    page.keyboard.press("q")
    code = page.locator(".playground-presenter .code")
    expect(code).to_be_visible()
    page.wait_for_function("() => document.querySelector('.playground-presenter img').naturalWidth > 0")
    address = code.locator(".address").inner_text()
    assert set(parse_qs(urlsplit(address).query)) == {"run"}
    assert page.locator(".playground-presenter img").get_attribute("src").endswith(re.sub(r".*=", "", address))
    page.keyboard.press("q")
    expect(code).to_be_hidden()
    other = browser.new_page()
    other.goto(address)
    expect(other.get_by_text("You are watching")).to_be_visible()
    other.context.close()


def test_the_run_of_a_settings_link_starts_by_step_or_train_and_survives_a_reload(page: Page):
    page.goto("/train?lesson=1&task.name=reverse&seed=3&pace=Watch")
    expect(status(page)).to_contain_text("not started step 0 of")
    expect(page.get_by_text("This link has the settings below.")).to_be_visible()
    expect(page.locator(".arch")).to_be_visible()
    open_more(page)
    expect(button(page, "Stop")).to_be_disabled()
    page.reload()
    expect(status(page)).to_contain_text("not started step 0 of")
    click(page, "Step")
    expect(status(page)).to_contain_text("paused step 1 of")
    expect(page).not_to_have_url(re.compile("lesson"))
    click(page, "Share")
    expect(page.get_by_test_id("stCode")).to_have_count(2)
    link = page.get_by_test_id("stCode").nth(1).inner_text().strip()
    page.wait_for_function("() => document.querySelector('img.qr').naturalWidth > 0")
    page.keyboard.press("Escape")
    click(page, "Resume")
    expect(status(page)).to_contain_text(re.compile(r"step ([2-9]|\d\d)"))
    click(page, "Pause")
    expect(status(page)).to_contain_text("paused")
    page.reload()
    expect(status(page)).to_contain_text(re.compile(r"paused step [1-9]"))
    page.goto(link)
    expect(status(page)).to_contain_text("not started step 0 of")
    click(page, "Train")
    expect(status(page)).to_contain_text("running")
    expect(page).not_to_have_url(re.compile("lesson"))
    page.get_by_role("combobox", name="My runs").click()
    expect(page.get_by_role("option")).to_have_count(2)


def test_a_run_is_played_back_by_a_link_in_the_presenter_view(page: Page):
    finished(page)
    click(page, "Play back")
    expect(page).to_have_url(re.compile("playback=1"))
    page.goto(page.url + "&present=1")
    expect_ready(page)
    expect(status(page)).to_contain_text("played back")
    expect_slide(page, "loss")
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("paused")
    paused = status(page).inner_text()
    page.keyboard.press("PageDown")
    expect(page.locator(".panel.accuracy .plot canvas")).to_be_visible()
    page.keyboard.press("PageUp")
    expect(status(page)).to_have_text(paused)
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("finished")
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("running")


def test_everything_works_without_a_network(browser: Browser, server: str):
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, base_url=server)
    page = context.new_page()
    asked: list[str] = []

    def only_here(route, request) -> None:
        if request.url.startswith(server):
            return route.continue_()
        asked.append(request.url)
        return route.abort()

    context.route(re.compile("^https?:"), only_here)
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"/?{SHORT}")
    expect(page.locator(".arch")).to_be_visible()
    page.get_by_role("link", name="Train", exact=True).click()
    expect(status(page)).to_contain_text("not started step 0")
    page.get_by_role("radio", name="Full speed").click()  # leaves the focus on the button, where Space would press it
    expect_ready(page)
    page.keyboard.press("f")
    page.keyboard.press(" ")
    expect(status(page)).to_contain_text("finished")
    page.keyboard.press("q")
    page.wait_for_function("() => document.querySelector('.playground-presenter img').naturalWidth > 0")
    page.keyboard.press("Escape")
    paths = list(PAGES)
    for path in paths[paths.index("train") + 1 :]:
        expect_ready(page)
        page.keyboard.press("Shift+PageDown")
        expect(page).to_have_url(re.compile(f"/{path}"))
        for slide in PAGES[path].slides[:1]:
            expect_slide(page, slide.name)
        if drawn := {"step_through": "canvas", "checkpoints": ".card canvas"}.get(path):
            expect(page.locator(drawn).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    context.close()
    assert not asked
    assert not failed


@pytest.mark.wcag("2.5.1")
def test_fingers_turn_slides_and_pages_and_leave(browser: Browser, server: str):
    page = browser.new_page(viewport={"width": 1024, "height": 768}, base_url=server, has_touch=True)
    page.goto("/experiment?view=change&present=changes")
    expect_slide(page, "changes")
    expect_ready(page)
    expect(page.locator(".playground-presenter .dots")).to_have_text("● ○ ○ ○")
    page.get_by_role("button", name="Next slide").tap()
    expect_slide(page, "changed")
    swipe(page, by=-200)
    expect_slide(page, "scores")
    swipe(page, by=200)
    expect_slide(page, "changed")
    page.get_by_role("button", name="List of slides").tap()
    page.get_by_role("dialog", name="Slides of this page").get_by_role("button", name="Attention of both").tap()
    expect_slide(page, "both-attention")
    swipe(page, by=-200)
    expect(page).to_have_url(re.compile("/generate.*present="))
    expect_slide(page, "token")
    page.get_by_role("button", name="Stop presenting").tap()
    expect(presenting(page)).to_have_count(0)
    page.context.close()


def swipe(page: Page, by: int) -> None:
    """Move a finger across the slide by so many pixels."""
    page.evaluate(
        """(by) => {
          const touch = (clientX) => new Touch({ identifier: 1, target: document.body, clientX, clientY: 300 });
          const send = (type, more) => document.body.dispatchEvent(new TouchEvent(type, { bubbles: true, ...more }));
          send("touchstart", { touches: [touch(500)] });
          send("touchend", { changedTouches: [touch(500 + by)] });
        }""",
        by,
    )

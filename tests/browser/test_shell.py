"""The frame of every page: menu on a phone, theme, Share, focus, lost connection."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit import file_util

from playground.ui.session.pages import PAGES
from tests.browser.conftest import free_port, running_server

pytestmark = pytest.mark.browser


def title(page: Page, name: str):
    return page.get_by_role("heading", level=1, name=name)


def ready(page: Page) -> None:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


@pytest.fixture
def phone(browser: Browser, server: str):
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server, has_touch=True)
    yield context.new_page()
    context.close()


def test_on_a_phone_the_pages_are_a_bar_at_the_bottom(phone: Page):
    phone.goto("/")
    bar = phone.get_by_role("navigation", name="App pages")
    for name in ("Train", "Step through", "Checkpoints", "Build"):
        link = bar.get_by_role("link", name=name)
        link.tap()
        expect(title(phone, name)).to_be_visible()
        expect(link).to_have_attribute("aria-current", "page")
        box = link.bounding_box()
        assert box["y"] >= 844 - 60
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["height"] >= 44
    expect(bar.get_by_role("link")).to_have_count(len(PAGES))
    expect(phone.get_by_test_id("stExpandSidebarButton")).to_be_hidden()
    expect(phone.get_by_role("button", name="Keys", exact=True).first).to_be_hidden()


def test_the_bar_on_a_phone_covers_nothing(phone: Page):
    phone.goto("/checkpoints")
    actions = phone.locator(".st-key-card-actions")
    expect(actions).to_be_visible()
    box, bar = actions.bounding_box(), phone.get_by_test_id("stSidebar").bounding_box()
    assert box["y"] + box["height"] <= bar["y"]


def test_a_theme_is_chosen_at_once_and_kept(page: Page):
    page.goto("/train")
    app, themes = page.locator(".stApp"), page.get_by_role("combobox", name="Theme")
    expect(app).to_have_css("color-scheme", "light")
    for name, scheme in (("Dark theme", "dark"), ("Light theme", "light"), ("Dark theme", "dark")):
        themes.select_option(name)
        expect(app).to_have_css("color-scheme", scheme)
        expect(page.locator("html")).to_have_css("color-scheme", scheme)
    page.goto("/checkpoints")
    expect(app).to_have_css("color-scheme", "dark")
    expect(themes).to_have_value("dark")
    themes.select_option("System theme")
    expect(app).to_have_css("color-scheme", "light")
    page.emulate_media(color_scheme="dark")
    expect(app).to_have_css("color-scheme", "dark")
    themes.select_option("Light theme")
    page.emulate_media(color_scheme="light")
    page.emulate_media(color_scheme="dark")
    expect(app).to_have_css("color-scheme", "light")


def test_a_browser_that_refuses_storage_keeps_the_theme_for_the_page(page: Page):
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })")
    page.goto("/checkpoints")
    page.get_by_role("combobox", name="Theme").select_option("Dark theme")
    expect(page.locator(".stApp")).to_have_css("color-scheme", "dark")


@pytest.mark.wcag("2.4.3")
def test_after_a_change_of_page_the_focus_is_on_its_heading(page: Page):
    page.goto("/")
    ready(page)
    assert page.evaluate("document.activeElement === document.body")
    for name in ("Train", "Checkpoints"):
        page.get_by_role("link", name=name, exact=True).first.click()
        expect(title(page, name)).to_be_focused()
    page.get_by_role("link", name="Train a model").click()
    expect(title(page, "Train")).to_be_focused()


def test_page_down_scrolls_the_page(page: Page):
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto("/")
    ready(page)
    expect(page.locator("svg.arch")).to_be_visible()  # everything above it is drawn first
    page.keyboard.press("PageDown")
    page.wait_for_function("() => document.querySelector('.stMain').scrollTop > 300")
    page.keyboard.press("PageUp")
    page.wait_for_function("() => document.querySelector('.stMain').scrollTop === 0")


@pytest.mark.wcag("3.2.4", "4.1.3")
def test_every_page_shares_what_it_shows(page: Page, server: str):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for path in PAGES:
        page.goto(f"/{path}")
        ready(page)
        page.get_by_role("button", name="Share", exact=True).click()
        shared = page.get_by_role("dialog", name="Share: a link to what this page shows")
        link = shared.locator(".address").inner_text()
        assert link.startswith(f"{server}/{path}")
        page.wait_for_function("() => document.querySelector('.playground-presenter img').naturalWidth > 0")
        expect(shared.get_by_role("button", name="Copy link")).to_be_focused()
        page.keyboard.press("Enter")
        expect(shared.get_by_role("status")).to_have_text("Link copied.")
        assert page.evaluate("navigator.clipboard.readText()") == link
        page.keyboard.press("Escape")
        expect(shared).to_be_hidden()
        expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()


@pytest.mark.wcag("3.2.6")
def test_a_page_without_slides_offers_no_presenter_view(page: Page):
    for path, row in PAGES.items():
        page.goto(f"/{path}")
        ready(page)
        expect(page.get_by_role("button", name="Keys", exact=True).first).to_be_visible()
        button = page.get_by_role("button", name="Present")
        expect(button).to_be_visible() if row.slides else expect(button).to_be_hidden()
        page.keyboard.press("?")
        window = page.get_by_role("dialog", name="Keys")
        expect(window).to_contain_text("share: a link and its QR code")
        starts = window.get_by_text(re.compile("present: "))
        expect(starts).to_have_count(1 if row.slides else 0)
        page.keyboard.press("Escape")
        expect(window).to_be_hidden()
        page.keyboard.press("f")
        expect(page.locator("html[data-present]")).to_have_count(1 if row.slides else 0)


def test_a_lost_connection_is_shown_until_it_is_back(browser: Browser, tmp_path):
    port = free_port()
    lost = "Connection lost. Reconnecting"
    with running_server(tmp_path, port):
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/train")
        expect(title(page, "Train")).to_be_visible()
        expect(page.get_by_text(lost)).to_have_count(0)
    expect(page.get_by_role("dialog", name="Connection lost")).to_contain_text("start it again: streamlit run app.py")
    expect(page.get_by_text("Streamlit server")).to_have_count(0)
    expect(page.locator("[role=status]").get_by_text(lost)).to_be_visible()
    with running_server(tmp_path, port):
        expect(page.get_by_text(lost)).to_have_count(0)
    page.close()


def test_files_that_will_be_needed_are_fetched_after_streamlit_s_script(page: Page):
    early = [next(Path(file_util.get_static_dir()).rglob(f"{name}.*.js")).name for name in ("Selectbox", "Metric")]
    page.goto("/")
    ready(page)
    started = page.wait_for_function(  # an entry is there when its file has arrived
        """early => {
          const started = Object.fromEntries(
            performance.getEntriesByType("resource").map(each => [each.name.split("/").pop(), each.startTime]));
          return early.every(name => name in started) && started;
        }""",
        arg=early,
    ).json_value()
    main = max(time for name, time in started.items() if name.startswith("index."))
    for name in early:
        assert started[name] > main

"""Comparisons and sweeps in a real browser, each opened by a link."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_road import click

pytestmark = pytest.mark.browser

QUICK = "task.max_length=4&model.d_model=16&model.d_ff=32&training.steps=60&training.stop_when_solved=False"
LONG = f"{QUICK.replace('&training.steps=60', '')}&training.steps=1000"


def table(page: Page):
    return page.get_by_role("table", name="Runs")


def rows(page: Page):
    return table(page).locator("tr.run")


def progress(page: Page):
    return page.locator(".progress")


def choose(page: Page, label: str, option: str) -> None:
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    expect(page.get_by_role("option").first).to_have_text(option)  # the list is filtered now, and stays in place
    box.press("Enter")
    expect(box).to_have_value(option)


def test_two_runs_are_compared_and_others_watch_them(page: Page, browser: Browser, server: str):
    page.goto(f"/?{QUICK}")
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()
    page.goto(f"/train?view=compare&{QUICK}")
    expect(page.get_by_text("No runs to compare yet")).to_be_visible()
    page.get_by_role("radio", name="Run", exact=True).click()
    page.get_by_role("radio", name="Full speed").click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(progress(page)).to_contain_text("finished")
    page.get_by_role("radio", name="Compare").click()
    expect(rows(page)).to_have_count(1)

    for setting in ("Layers", "Heads"):  # Heads is the first choice, and choosing it again would filter nothing
        choose(page, "Setting", setting)
    value = page.get_by_role("spinbutton", name="Value")
    expect(value).to_have_value("4")
    value.fill("3")
    value.press("Enter")
    expect(page.get_by_text("Model width 16 is not divisible by Heads 3")).to_be_visible()
    value.fill("1")
    value.press("Enter")
    expect(page.get_by_text("Heads 4 → 1; all other settings and the seed stay")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text("Heads 4 → 1")
    expect(rows(page).first).to_contain_text("finished")
    expect(rows(page).first.get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("Same initial weights")).to_be_visible()

    name = rows(page).last.locator("button.name")
    name.click()
    field = page.get_by_role("textbox", name="Name", exact=True)
    expect(field).to_be_focused()
    field.fill("four heads")
    field.press("Enter")
    expect(name).to_contain_text("four heads")
    page.get_by_role("button", name="Colour 6").click()
    expect(page.get_by_role("button", name="Colour 6")).to_have_attribute("aria-pressed", "true")
    note = page.get_by_role("textbox", name="Note")
    note.fill("the usual one")
    note.press("Enter")
    expect(rows(page).last).to_contain_text("the usual one")
    page.get_by_role("button", name="Best exact match").click()
    expect(page).to_have_url(re.compile("sorted=exact"))

    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").last.click()
    assert "four heads,60,loss," in download.value.path().read_text()

    address = page.url
    page.goto(f"{address}&present=1")
    expect(page.locator(".panel canvas").first).to_be_visible()
    expect(table(page)).to_be_hidden()
    page.goto(f"{address}&present=runs")
    expect(rows(page)).to_have_count(2)
    expect(table(page)).to_be_visible()
    page.keyboard.press("Escape")

    other = browser.new_context(viewport={"width": 390, "height": 844}, base_url=server).new_page()
    other.goto(address)
    expect(rows(other)).to_have_count(2)
    expect(table(other)).to_contain_text("four heads")
    rows(other).filter(has_text="four heads").locator("button.name").click()
    expect(other.get_by_role("button", name="Open this run")).to_be_visible()
    expect(other.get_by_role("button", name="Delete")).to_be_hidden()
    assert other.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    other.context.close()

    rows(page).filter(has_text="four heads").locator("button.name").click()
    page.get_by_role("button", name="Delete").click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(2)


def test_quick_clicks_in_the_table_all_count(page: Page):
    page.goto(f"/train?view=sweep&{QUICK}&vary=training.batch_size&values=4,8,16&seeds=2")
    page.get_by_role("button", name="Start sweep").click()
    expect(progress(page)).to_contain_text("6 of 6 ended")
    page.get_by_role("radio", name="Compare").click()
    boxes = table(page).get_by_role("checkbox")
    expect(boxes).to_have_count(4)
    page.get_by_role("button", name=re.compile(r"Show \d more")).click()
    expect(boxes).to_have_count(6)
    for at in range(6):
        boxes.nth(at).evaluate("box => box.checked && box.click()")
    expect(page.get_by_text("Select runs in the table")).to_be_visible()
    for at in range(6):
        boxes.nth(at).evaluate("box => box.click()")
    expect(page).to_have_url(re.compile(r"with=[\w-]+(%2C[\w-]+){5}"))
    expect(boxes.last).to_be_checked()


def test_the_runs_of_a_sweep_stand_together_below_its_name(page: Page):
    train(page)
    click(page, "Stop")
    expect(progress(page)).to_contain_text("stopped")  # otherwise the press would be lost with the page
    page.goto(f"/train?view=sweep&{QUICK}&vary=training.batch_size&values=4,8&seeds=1")
    page.get_by_role("button", name="Start sweep").click()
    expect(progress(page)).to_contain_text("2 of 2 ended")
    page.get_by_role("radio", name="Compare").click()
    page.get_by_role("button", name="Show 2 more").click()
    sweep = table(page).locator("tr.sweep")
    expect(sweep).to_contain_text(re.compile(r"^Sweep .* 2 runs · \d solved$"))
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("stopped")
    sweep.get_by_role("button").click()
    expect(rows(page)).to_have_count(3)
    expect(rows(page).nth(1)).to_contain_text("finished")


def test_a_sweep_is_started_watched_and_opened_from_a_link(page: Page):
    page.goto(
        f"/train?view=sweep&{QUICK}&vary=model.n_heads&values=1,2&vary2=model.norm_position&values2=pre,post&seeds=2"
    )
    expect(page.get_by_text("4 combinations × 2 seeds = 8 runs")).to_be_visible()
    page.get_by_role("button", name="Start sweep").click()
    expect(progress(page)).to_contain_text("8 of 8 ended")
    cards = page.locator("figure.card")
    expect(cards).to_have_count(4)
    expect(cards.first.locator("path")).to_have_count(2)
    expect(cards.first.locator(".title")).to_have_text("Heads 1, Norm position pre")
    box = cards.nth(1).locator("svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".readout", has_text=re.compile("^step 30: "))).to_have_count(4)  # all of them show that step
    expect(page.locator("table.summary tbody tr")).to_have_count(4)
    page.goto(f"{page.url}&present=1")
    expect(cards).to_have_count(4)
    expect(page.locator("table.summary")).to_be_hidden()
    page.keyboard.press("PageDown")
    expect(page.locator("table.summary")).to_be_visible()
    expect(cards.first).to_be_hidden()
    page.keyboard.press("Escape")
    expect(cards.first).to_be_visible()
    cards.last.get_by_role("button").click()
    expect(rows(page).filter(has=page.get_by_role("checkbox", checked=True))).to_have_count(2)


def test_all_runs_of_a_sweep_are_stopped_at_once(page: Page):
    page.goto("/train?view=sweep&training.steps=100000&training.stop_when_solved=False&values=1,2&seeds=2")
    page.get_by_role("button", name="Start sweep").click()
    page.get_by_role("button", name="Train anyway").click()  # a long sweep asks first
    expect(progress(page)).to_contain_text("running")
    page.get_by_role("button", name="Stop all").click()
    expect(progress(page)).to_contain_text("4 of 4 ended")


def test_settings_of_build_start_a_run_beside_the_one_that_goes_on(page: Page):
    page.goto(f"/train?{QUICK}&training.steps=10000")  # few enough that even a slow machine doesn't ask
    page.get_by_role("button", name="Step", exact=True).click()
    expect(progress(page)).to_contain_text("paused")
    page.get_by_role("link", name="Build").click()
    page.get_by_role("tab", name="Model").click()
    layers = page.get_by_role("spinbutton", name="Layers")
    layers.fill("2")
    layers.press("Enter")
    page.get_by_role("link", name="Train", exact=True).first.click()
    expect(page.get_by_text("Layers 1 → 2")).to_be_visible()
    page.get_by_role("button", name="Start a new run with these").click()
    page.get_by_role("radio", name="Compare").click()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text("Layers 1 → 2")
    expect(rows(page).last).to_contain_text("paused")


def train(page: Page, pace: str = "1 step/s") -> None:
    """Start a long run."""
    page.goto(f"/train?{LONG}")
    page.get_by_role("radio", name=pace).click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(progress(page)).to_contain_text("running")


def stop(page: Page) -> None:
    """Stop the newest run, so that it doesn't disturb other tests."""
    page.goto("/train")
    click(page, "Stop")
    expect(progress(page)).to_contain_text("stopped")


def test_a_second_tab_shows_the_runs_that_are_begun_in_the_first(page: Page):
    other = page.context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()
    other.goto("/train")
    expect(other.get_by_text("No model yet")).to_be_visible()
    train(page)
    expect(progress(other)).to_contain_text("running")
    expect(other.get_by_text("No model yet")).to_have_count(0)
    expect(other.get_by_role("combobox", name="My runs")).to_have_count(0)
    click(page, "Stop")
    expect(progress(page)).to_contain_text("stopped")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(progress(page)).to_contain_text("running")
    choice = other.get_by_role("combobox", name="My runs")
    expect(choice).to_be_visible()
    choice.click()
    expect(other.get_by_role("option")).to_have_count(2)
    other.close()
    stop(page)


def test_what_happens_in_another_tab_is_shown_in_the_table(page: Page, browser: Browser, server: str):
    train(page, "Watch")
    other = page.context.new_page()
    other.goto("/train?view=compare")
    expect(rows(other)).to_have_count(1)
    expect(rows(other)).to_contain_text("running")
    page.get_by_role("button", name="Pause").click()
    expect(rows(other)).to_contain_text("paused")
    click(page, "Reset")  # ends it, and a second one waits at step 0
    expect(rows(other)).to_have_count(2)
    expect(rows(other).filter(has=other.get_by_role("checkbox", checked=True))).to_have_count(2)
    page.get_by_role("radio", name="Compare").click()
    rows(page).last.locator("button.name").click()
    for label, text in (("Name", "first"), ("Note", "the usual one")):
        field = page.get_by_role("textbox", name=label, exact=True)
        field.fill(text)
        field.press("Enter")
        expect(rows(other).last).to_contain_text(text)
    page.get_by_role("button", name="Colour 6").click()
    colour = rows(page).last.evaluate("row => row.style.getPropertyValue('--run')")
    expect(page.get_by_role("button", name="Colour 6")).to_have_attribute("aria-pressed", "true")
    expect(rows(other).last).to_have_attribute("style", re.compile(re.escape(colour)))
    rows(page).first.locator("button.name").click()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
    rows(other).first.locator("button.name").click()
    watching = browser.new_context(base_url=server).new_page()
    watching.goto(page.url)
    expect(rows(watching)).to_have_count(2)
    other.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("button", name="Delete").click()
    expect(rows(other)).to_have_count(1)
    expect(rows(watching)).to_have_count(1)
    expect(watching.get_by_text("1 run in this link no longer exists")).to_be_visible()
    watching.context.close()
    expect(other.get_by_role("button", name="Undo")).to_be_visible()
    other.close()


def drawings(page: Page, address: str) -> list[int]:
    """Open a page; the returned list collects the size of each message from Streamlit."""
    frames: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(len(frame))))
    page.goto(address)
    return frames


def test_nothing_is_drawn_again_while_runs_go_on_and_nobody_acts(page: Page):
    train(page)
    page.get_by_role("radio", name="Compare").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(rows(page).filter(has_text="running")).to_have_count(2)
    compared, swept = page.context.new_page(), page.context.new_page()
    frames = drawings(compared, "/train?view=compare")
    expect(rows(compared).filter(has_text="running")).to_have_count(2)
    sent = drawings(swept, f"/train?view=sweep&{LONG}00&vary=training.batch_size&values=4,8&seeds=1")
    swept.get_by_role("button", name="Start sweep").click()
    anyway = swept.get_by_role("button", name="Train anyway")  # only a slow machine asks
    expect(anyway.or_(swept.locator(".progress")).first).to_be_visible()
    if anyway.is_visible():
        anyway.click()
    expect(progress(swept)).to_contain_text("2 running")
    while frames or sent:  # until everything is drawn
        frames.clear()
        sent.clear()
        compared.wait_for_timeout(1000)
    first, bar = rows(compared).first.inner_text(), swept.locator(".bar i").get_attribute("style")
    line = swept.locator("figure.card path").first.get_attribute("d")
    expect(rows(compared).first).not_to_have_text(first, use_inner_text=True)
    expect(swept.locator(".bar i")).not_to_have_attribute("style", bar)
    expect(swept.locator("figure.card path").first).not_to_have_attribute("d", line)
    assert not frames
    assert not sent
    swept.get_by_role("button", name="Stop all").click()
    expect(progress(swept)).to_contain_text("2 of 2 ended")
    for at in range(2):
        rows(page).nth(at).locator("button.name").click()
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(rows(page).nth(at)).to_contain_text("stopped")


def test_a_sweep_that_is_over_cannot_be_stopped_any_more(page: Page):
    page.goto(f"/train?view=sweep&{QUICK.replace('=60', '=300')}&vary=training.batch_size&values=4,8&seeds=1")
    page.get_by_role("button", name="Start sweep").click()
    expect(page.get_by_role("button", name="Stop all")).to_be_enabled()
    expect(progress(page)).to_contain_text("2 of 2 ended")
    expect(page.get_by_role("button", name="Stop all")).to_be_disabled()
    expect(page.locator("table.summary tbody")).to_contain_text("of 1")

"""Charts of a run in a real browser: linked steps, and the toolbar."""

import csv
import io
import re
import struct

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.common.numbers import wilson
from playground.pictures.charts import PANELS
from playground.settings.config import RunConfig
from tests.browser.test_road import click, open_more, status
from tests.helpers import until

pytestmark = pytest.mark.browser

LINES = ("loss", "accuracy", "entropy", "learning_rate")
TIMES = (*LINES, "predictions", "positions")


@pytest.fixture(scope="module")
def page(browser: Browser, server: str):
    """One visitor with a finished run, shared by all tests; any script error fails them."""
    context = browser.new_context(viewport={"width": 1440, "height": 1400}, base_url=server, has_touch=True)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto("/train")
    opened.get_by_role("radio", name="Full speed").click()
    click(opened, "Train")
    expect(status(opened)).to_contain_text("solved")
    drawn = [panel for panel in PANELS if panel.kind in ("lines", "positions", "predictions")]
    absent = ("gradient_norm", "head_roles", "expert_load")  # on request, or of mixtures alone
    measured = [panel for panel in drawn if panel.name not in absent]
    expect(opened.locator(".panel canvas")).to_have_count(len(measured) + RunConfig().model.n_heads)
    last = re.search(r"at step (\d+)", status(opened).inner_text())[1]
    expect(opened.locator(".bar .now")).to_have_text(f"Step {last} (latest)")
    yield opened
    context.close()
    assert not errors


@pytest.fixture(autouse=True)
def as_at_first(page: Page):
    yield
    page.mouse.move(2, 2)
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement?.blur()")
    if page.get_by_role("button", name="Whole run").is_visible():
        page.get_by_role("button", name="Whole run").click()
    plot(page, "examples").locator(".example").first.click()
    page.get_by_role("combobox", name="Which attention").select_option("decoder, layer 1, cross-attention")
    page.get_by_role("checkbox", name="Log scale").uncheck()
    page.get_by_role("slider", name="Smoothing").fill("0")
    page.mouse.move(2, 2)


def plot(page: Page, name: str):
    return page.locator(f".panel.{name} .plot")


def rule(page: Page, name: str):
    return plot(page, name).locator(".rule")


def point(page: Page, name: str, across: float, down: float = 0.5) -> None:
    """Move the pointer to a fraction of the plot's width."""
    plot(page, name).scroll_into_view_if_needed()
    box = plot(page, name).bounding_box()
    page.mouse.move(box["x"] + 42 + across * (box["width"] - 52), box["y"] + 8 + down * (box["height"] - 40))


def now(page: Page) -> int:
    """The current step of the charts."""
    return int(re.match(r"Step ([\d,]+)", page.locator(".bar .now").inner_text())[1].replace(",", ""))


def step_of(page: Page, name: str) -> int:
    """The step that a panel names."""
    return int(page.locator(f".panel.{name} .step").inner_text().removeprefix("step ").replace(",", ""))


def value(page: Page, name: str, series: str) -> str:
    item = page.locator(f".panel.{name} .item").filter(has=page.get_by_text(series, exact=True))
    return item.locator("b").inner_text()


def records(page: Page) -> dict[int, dict[str, str]]:
    """The run's records by step, from the downloaded file."""
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    lines = csv.DictReader(io.StringIO(download.value.path().read_text()))
    return {int(line["step"]): line for line in lines}


@pytest.mark.parametrize("name", TIMES)
def test_to_point_at_a_step_in_one_chart_is_to_point_at_it_in_all(page: Page, name: str):
    newest = now(page)
    point(page, name, 0.4)
    expect(rule(page, "loss")).to_be_visible()
    at = now(page)
    assert 0 < at < newest
    for other in TIMES:
        expect(rule(page, other)).to_be_visible()
        expect(plot(page, other).locator(".chip")).to_have_text(str(at))
    for panel in (*TIMES, "examples"):
        assert abs(step_of(page, panel) - at) <= 5
    expect(page.locator(".panel.attention .step")).to_have_text(f"step {step_of(page, 'examples')}")
    page.mouse.move(2, 2)
    expect(rule(page, name)).to_be_hidden()
    expect(page.locator(".bar .now")).to_have_text(f"Step {newest} (latest)")
    assert step_of(page, "loss") == newest


def test_every_number_on_screen_is_one_that_was_measured(page: Page):
    measured = records(page)
    for across in (0.1, 0.35, 0.6, 0.9):
        point(page, "loss", across)
        expect(rule(page, "loss")).to_be_visible()
        at, tested = step_of(page, "loss"), step_of(page, "accuracy")
        assert at == now(page)
        assert float(value(page, "loss", "training")) == pytest.approx(float(measured[at]["loss"]), rel=1e-3)
        rate = float(measured[at]["learning_rate"])
        assert float(value(page, "learning_rate", "learning rate")) == pytest.approx(rate, rel=1e-3)
        held_out = page.locator(".panel.loss .item").nth(1)
        apart = held_out.locator("small").inner_text()
        count = int(float(measured[tested]["sequences"]))
        assert apart == ("" if tested == at else f"at {tested}, ") + f"{count:,} sequences"
        exact = float(measured[tested]["validation_loss"])
        assert float(held_out.locator("b").inner_text()) == pytest.approx(exact, rel=1e-3)
        share = value(page, "accuracy", "exact match").removesuffix(" %")
        assert float(share.strip("<>")) == pytest.approx(100 * float(measured[tested]["exact_match"]), abs=0.1)
        shown = page.locator(".panel.accuracy .item").first.locator("small").inner_text()
        low, high = shown.removesuffix(" %").split("-")
        ends = [float(end) / 100 for end in (low.removesuffix(" %"), high)]
        assert ends == pytest.approx(wilson(float(measured[tested]["exact_match"]), count), abs=1e-3)
        tested_on = f" · {count:,} sequences tested · band: 95 % interval"
        expect(page.locator(".panel.accuracy .tested")).to_have_text(tested_on)


def test_the_answers_and_the_strip_show_the_predictions_of_that_step(page: Page):
    box = plot(page, "examples").locator(".example")
    box.nth(2).click()
    expect(box.nth(2)).to_have_attribute("aria-checked", "true")
    page.mouse.move(2, 2)
    expect(box.nth(2).locator(".verdict")).to_have_text("✓")
    right = box.nth(2).locator(".toks").nth(1).locator(".tok").all_inner_texts()
    tokens = len(right) + 1  # the end is announced, too
    expect(page.locator(".panel.predictions .legend")).to_have_text(f"{tokens} of {tokens} tokens right")
    point(page, "predictions", 0.02, 0.5 / tokens)
    expect(page.locator(".panel.predictions .legend")).to_have_text(
        re.compile(rf"position 1: predicted .+, expected {right[0]}")
    )
    assert "Math" not in page.locator(".panel.predictions").inner_text()
    expect(box.nth(2).locator(".tok.wrong, .tok.missing")).not_to_have_count(0)
    expect(box.nth(2).locator(".verdict")).to_have_text("✕")


def test_attention_of_another_sublayer_and_the_weight_below_the_pointer(page: Page):
    legend, canvases = page.locator(".panel.attention .legend"), plot(page, "attention").locator("canvas")
    expect(canvases).to_have_count(4)
    page.get_by_role("combobox", name="Which attention").select_option("decoder, layer 1, self-attention")
    expect(page.locator(".panel.entropy .item")).to_have_count(4)
    box = canvases.nth(1).bounding_box()
    expect(plot(page, "attention").locator("[aria-label*=masked]")).to_have_count(4)
    page.mouse.move(box["x"] + 39, box["y"] + 40)
    expect(legend).to_contain_text(re.compile(r"head 2, row “BOS” \(T 1\), column “BOS” \(T 1\): 1\.0000"))
    page.get_by_role("combobox", name="Which attention").select_option("decoder, layer 1, cross-attention")
    page.mouse.move(2, 2)
    expect(legend).to_have_text("example 1, with the model's own predictions")


@pytest.mark.wcag("1.1.1", "2.1.1", "2.5.7")
def test_keys_move_the_step_and_let_it_go(page: Page):
    loss = plot(page, "loss")
    last = now(page)
    loss.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".bar .now")).to_have_text(f"Step {last - 1}")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".bar .now")).to_have_text(f"Step {last - 11}")
    expect(loss).to_have_attribute("aria-valuetext", re.compile(rf"^step {last - 11}: training [\d.]+, held out"))
    expect(rule(page, "entropy")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator(".bar .now")).to_have_text("Step 1")
    page.keyboard.press("+")
    expect(page.get_by_role("button", name="Whole run")).to_be_visible()
    page.keyboard.press("0")
    expect(page.get_by_role("button", name="Whole run")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".bar .now")).to_have_text(f"Step {last} (latest)")


def test_a_finger_chooses_a_step_that_stays(page: Page):
    box = plot(page, "loss").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 50)
    expect(rule(page, "positions")).to_be_visible()
    at = now(page)
    expect(page.get_by_role("button", name="Step through", exact=True)).to_be_visible()
    page.get_by_role("button", name="Latest").click()
    expect(rule(page, "positions")).to_be_hidden()
    assert now(page) > at


def test_dragging_zooms_all_charts_and_a_double_click_shows_the_whole_run(page: Page):
    newest = now(page)
    point(page, "accuracy", 0.3)
    page.mouse.down()
    point(page, "accuracy", 0.5)
    expect(plot(page, "accuracy").locator(".brush")).to_be_visible()
    point(page, "accuracy", 0.6)
    page.mouse.up()
    expect(page.get_by_role("button", name="Whole run")).to_be_visible()
    seen = []
    for name, across in (("loss", 0.02), ("entropy", 0.98)):
        page.mouse.move(2, 2)
        point(page, name, across)
        expect(rule(page, name)).to_be_visible()
        seen.append(now(page) / newest)
    assert 0.25 <= seen[0] <= 0.38
    assert 0.52 <= seen[1] <= 0.66
    plot(page, "loss").dblclick(position={"x": 200, "y": 50})
    expect(page.get_by_role("button", name="Whole run")).to_be_hidden()
    expect(page).to_have_url(re.compile("/train"))


def svg(page: Page, name: str) -> str:
    """A chart as SVG text."""
    page.get_by_text("Download", exact=True).click()
    page.get_by_role("combobox", name="Which charts").select_option(name)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as SVG").click()
    return download.value.path().read_text()


def test_columns_over_evaluations_fill_the_axis_to_the_newest_step(page: Page):
    spans = {
        tuple(map(float, each)) for each in re.findall(r"step: ([\d.]+); .*?until: ([\d.]+)", svg(page, "positions"))
    }
    starts, ends = zip(*sorted(spans), strict=True)
    assert all(start < end for start, end in spans)
    assert (starts[0], ends[-1]) == (0, now(page))
    assert starts[1:] == ends[:-1]


def test_a_logarithmic_scale_and_smoothing_change_the_picture_and_no_number(page: Page):
    plain, shown = svg(page, "loss"), value(page, "loss", "training")
    page.get_by_role("checkbox", name="Log scale").check()
    page.get_by_role("slider", name="Smoothing").fill("4")
    expect(page.locator(".over")).to_have_text("over 20 steps")
    expect(rule(page, "loss")).to_be_hidden()
    smooth = svg(page, "loss")
    assert ">0.1<" in smooth
    assert ">0.1<" not in plain
    assert smooth.count('stroke-opacity="0.28"') + smooth.count('opacity="0.28"') >= 2, "the raw lines stay, faint"
    assert 'opacity="0.28"' not in plain
    assert value(page, "loss", "training") == shown


def test_pictures_of_all_charts_are_files(page: Page):
    page.get_by_text("Download", exact=True).click()
    page.get_by_role("combobox", name="Which charts").select_option("")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as PNG").click()
    content = download.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    assert all(2400 < side < 4000 for side in struct.unpack(">II", content[16:24])[:1])
    assert len(content) > 50_000
    picture = svg(page, "")
    for title in ("Loss", "Attention", "Learning rate", "exact match", "head 4"):
        assert f">{title}<" in picture
    assert picture.count("<image") == 4


def begun_anew(page: Page, *, steps: int) -> None:
    """Another run with the same settings, paused after so many steps."""
    open_more(page)
    stop = page.get_by_role("button", name="Stop", exact=True)
    if stop.is_enabled():
        stop.click()
        expect(status(page)).to_contain_text("stopped")
    click(page, "Reset")
    expect(status(page)).to_contain_text("paused step 0 of")
    for _ in range(steps):
        click(page, "Step")
    expect(status(page)).to_contain_text(f"paused step {steps} of")


def test_the_gradient_norm_is_measured_where_somebody_asks_for_it(page: Page):
    begun_anew(page, steps=0)
    expect(page.locator(".panel.gradient_norm")).to_have_count(0)
    page.get_by_role("checkbox", name="Gradient norm").check()
    expect(page.locator(".panel.gradient_norm")).to_be_visible()
    click(page, "Step")
    expect(page.locator(".panel.gradient_norm b")).to_have_text(re.compile(r"^\d"))
    page.get_by_role("checkbox", name="Gradient norm").uncheck()
    click(page, "Step")
    expect(status(page)).to_contain_text("step 2 of")
    expect(page.locator(".panel.gradient_norm .step")).to_have_text("step 1")
    page.get_by_role("checkbox", name="Gradient norm").check()
    begun_anew(page, steps=0)
    expect(page.get_by_role("checkbox", name="Gradient norm")).not_to_be_checked()
    page.get_by_role("checkbox", name="Gradient norm").check()
    expect(page.locator(".panel.gradient_norm")).to_be_visible()


def test_what_is_below_a_resting_pointer_goes_on_with_the_run(page: Page):
    begun_anew(page, steps=2)
    point(page, "loss", 0.98)
    expect(page.locator(".bar .now")).to_have_text("Step 2")
    page.get_by_role("button", name="Step", exact=True).dispatch_event("click")
    expect(page.locator(".bar .now")).to_have_text("Step 3")
    expect(plot(page, "accuracy").locator(".chip")).to_have_text("3")


def test_a_change_on_the_way_is_marked(page: Page):
    begun_anew(page, steps=3)
    open_more(page)
    rate = page.get_by_role("spinbutton", name="Learning rate")
    rate.fill("0.25")
    rate.press("Enter")
    click(page, "Step")
    expect(status(page)).to_contain_text("step 4 of")
    expect(page.locator(".bar .now")).to_have_text("Step 4 (latest)")
    words = re.search(r'translate\([\d.]+,(-?[\d.]+)\)"[^>]*>Learning rate 0\.\d+ → 0\.25<', svg(page, "loss"))
    assert float(words[1]) < 0, "above the plot, where it covers no line"
    click(page, "Stop")
    expect(status(page)).to_contain_text("stopped")
    expect(page.get_by_role("checkbox", name="Gradient norm")).to_be_disabled()


def test_charts_side_by_side_have_room(page: Page):
    for width in (680, 840, 940):
        page.set_viewport_size({"width": width, "height": 1400})
        for name in TIMES:
            expect(page.locator(f".panel.{name}")).to_be_visible()
            assert page.locator(f".panel.{name}").bounding_box()["width"] > width / 3
    page.set_viewport_size({"width": 1440, "height": 1400})


def test_rows_of_tokens_are_whole_in_a_small_window(page: Page):
    page.set_viewport_size({"width": 1280, "height": 720})
    rows = plot(page, "examples").locator(".toks")
    expect(rows.first).to_be_visible()
    assert rows.count() > 8
    until(lambda: all(rows.evaluate_all("rows => rows.map((row) => row.scrollWidth <= row.clientWidth + 1)")))
    page.set_viewport_size({"width": 1440, "height": 1400})


def test_sixteen_heads_have_lines_of_their_own(browser: Browser, server: str):
    page = browser.new_page(base_url=server)
    page.goto("/?model.n_heads=16&model.d_model=32")
    click(page, "Train this model")
    lines = page.locator(".panel.entropy .item path")
    expect(lines).to_have_count(16)
    looks = lines.evaluate_all("all => all.map((path) => `${path.style.stroke} ${path.style.strokeDasharray}`)")
    assert len(set(looks)) == 16
    page.context.close()

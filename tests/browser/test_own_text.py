"""A visitor's own text in a browser: loaded from a file, refused or learned, and continued."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


def choose(page: Page, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Use a .txt file").click()
    chooser.value.set_files(file)


def test_a_file_is_learned_and_its_model_continues_it(page: Page, tmp_path: Path):
    own, wrong = tmp_path / "own.txt", tmp_path / "wrong.txt"
    own.write_bytes("".join(f"{n} plus 3 is {n + 3}.\r\n" for n in range(200)).encode())
    wrong.write_bytes(b"PK\x03\x04\x00")
    page.goto("/")
    page.get_by_test_id("stRadio").get_by_text("Text", exact=True).click()
    expect(page.get_by_text("Empty: generated sentences, as the field shows.")).to_be_visible()
    choose(page, own)
    field = page.get_by_role("textbox", name="Text", exact=True)
    expect(field).to_have_value(re.compile(r"^0 plus 3 is 3\.\n1 plus 3 is 4\.\n"))
    expect(
        page.get_by_text("18 different ones. The checkpoint will contain the text. Links leave it out")
    ).to_be_visible()
    choose(page, wrong)
    expect(page.get_by_text("The file isn't text: it has zero bytes. The text hasn't changed.")).to_be_visible()
    expect(field).to_have_value(re.compile(r"^0 plus 3 is 3\."))
    expect(page).not_to_have_url(re.compile("plus"))

    page.get_by_role("tab", name="Training").click()
    steps = page.locator(".st-key-training-steps input")
    steps.fill("50")
    steps.press("Enter")
    page.get_by_role("button", name="Train this model").click()
    ended = re.compile(r"finished\s*step 50 .* perplexity \d")
    expect(page.get_by_test_id("progress").last).to_contain_text(ended)
    expect(page.get_by_text("Perplexity is e to the power of the held-out loss")).to_be_visible()
    right_and_wrong_are_read(page)
    a_beginning_is_continued(page)
    long_rows_pan_under_their_labels(page)

    page.get_by_role("link", name="Generate").click()
    typed = page.get_by_role("textbox", name="Your input")
    typed.fill("12 plus 3 is 15.↵13 plus 3 is 16")
    typed.press("Enter")
    expect(page.get_by_text("Next: token 1,")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    tokens = page.get_by_role("list", name="Answer so far").get_by_role("button")
    expect(tokens).to_have_count(33)
    the_newest_token_is_in_sight(page)
    typed.fill("12 minus")
    typed.press("Enter")
    expect(
        page.get_by_text("“m” at position 4 of the input is not in the text that this model learns.").first
    ).to_be_visible()
    page.goto("/step_through?input=12%20plus&said=30")
    expect(page.get_by_role("button", name="Next token")).to_be_visible()
    predicted = page.locator(".st-key-reading .stButtonGroup").get_by_role("radio")
    expect(predicted).to_have_count(38)  # after BOS and each of 7 + 30 tokens
    expect(predicted.last).to_be_in_viewport(ratio=0.9)
    expect(predicted.first).not_to_be_in_viewport()


def right_and_wrong_are_read(page: Page) -> None:
    """Examples are running text: characters that differ from the text are marked, and heard in brackets."""
    example = page.get_by_role("radio", name=re.compile("^Input: ")).first
    reads, says, text = (example.locator(".prose").nth(at).inner_text() for at in range(3))
    assert re.search(r"\d plus 3 is \d", reads + text)
    wrong = example.locator(".prose .wrong")
    marked = "".join(wrong.all_inner_texts())
    assert len(marked) == sum(one != other for one, other in zip(says.replace("␣", " "), text, strict=True))
    assert "underline" in wrong.first.evaluate("node => getComputedStyle(node).textDecorationLine")
    name = example.get_attribute("aria-label")
    assert f"[{wrong.first.inner_text()}]" in name
    assert name.endswith(f"In the text: {text}.")
    for width, height in ((1440, 900), (820, 1180), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(example.locator(".wanted")).to_be_in_viewport(ratio=1)
        box = example.locator(".says").bounding_box()
        assert example.locator(".says").evaluate("node => node.scrollWidth <= node.clientWidth")
        assert box["x"] + box["width"] <= width
    page.set_viewport_size({"width": 1440, "height": 1000})


def a_beginning_is_continued(page: Page) -> None:
    """One's own input on Train is continued at the shown step; a wrong one stays with a sentence."""
    own, field = page.locator(".panel .own"), page.locator(".panel").get_by_role("textbox", name="Your input")
    field.fill("12 plus")
    expect(own.locator(".at")).to_have_text("step 50")
    expect(own.locator(".prose")).to_have_text(re.compile(r"^12 plus.+"))
    expect(own.locator(".prose .read")).to_have_text("12 plus")
    latest = own.locator(".prose").inner_text()
    page.locator(".panel.loss .plot").focus()
    page.keyboard.press("Home")
    expect(own.locator(".at")).not_to_have_text("step 50")
    expect(own.locator(".prose")).not_to_have_text(latest)
    page.keyboard.press("Escape")
    expect(own.locator(".prose")).to_have_text(latest)
    field.fill("12 minus")
    expect(own.get_by_text("“m” at position 4 of the input is not in the text that this model learns.")).to_be_visible()
    expect(field).to_have_value("12 minus")
    field.fill("12 plus")
    expect(own.locator(".prose")).to_have_text(latest)


def long_rows_pan_under_their_labels(page: Page) -> None:
    """Attention of 65 positions: all heads pan together by wheel and keys, and their labels stay in sight."""
    tiles = page.locator(".panel.attention .tile")
    scroller, canvas = tiles.nth(1).locator(".scroller"), tiles.nth(1).locator("canvas")
    scroller.scroll_into_view_if_needed()
    assert scroller.evaluate("node => node.scrollWidth > node.clientWidth && node.scrollHeight > node.clientHeight")
    where, drawn = canvas.bounding_box(), canvas.evaluate("node => node.toDataURL()")
    scroller.hover()
    page.mouse.wheel(120, 0)
    expect_scrolled(page, scroller, "scrollLeft")
    page.wait_for_function("([node, drawn]) => node.toDataURL() !== drawn", arg=[canvas.element_handle(), drawn])
    assert canvas.bounding_box() == where, "the labels are a part of it"
    expect_scrolled(page, tiles.nth(0).locator(".scroller"), "scrollLeft")
    tiles.nth(0).focus()
    for _ in range(40):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".panel.attention .legend")).to_contain_text("(T 40)")
    expect_scrolled(page, scroller, "scrollTop")


def expect_scrolled(page: Page, scroller: Locator, how: str) -> None:
    page.wait_for_function(f"node => node.{how} > 0", arg=scroller.element_handle())


def the_newest_token_is_in_sight(page: Page) -> None:
    """The last of many tokens, and what it attends to, are in sight on a phone, too."""
    tokens = page.get_by_role("list", name="Answer so far").get_by_role("button")
    expect(tokens.last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(tokens).to_have_count(33)
    expect(tokens.last).to_be_in_viewport(ratio=1)
    page.wait_for_function(
        "node => node.scrollLeft > 0 && node.scrollLeft + node.clientWidth >= node.scrollWidth - 4",
        arg=page.locator(".maps .scroller").first.element_handle(),
    )
    page.set_viewport_size({"width": 1440, "height": 1000})


def test_too_long_a_text_is_refused_with_a_sentence_and_the_old_one_stays(page: Page):
    page.goto("/step_through")
    field = page.get_by_role("textbox", name="Your input")
    field.fill("1 2 3")
    field.press("Enter")
    notice = page.get_by_text("The text is too long: 20,000 characters. Use 10,000 or fewer.")
    field.select_text()
    page.evaluate("document.execCommand('insertText', false, '1 '.repeat(10_000))")
    expect(notice).to_be_visible()
    expect(field).to_have_value("1 2 3")
    field.fill("1 2 3 4")
    expect(notice).to_be_hidden()

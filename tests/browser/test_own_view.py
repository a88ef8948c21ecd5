"""Step through one's own code in a browser: a file is chosen, traced, walked by keys, and shown as text alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.helpers import until

pytestmark = pytest.mark.browser

MINE = """
import torch
from torch import nn

class Mine(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.inner = nn.Linear(wide, wide)

    def forward(self, x):
        y = self.inner(x)  # </script><b>bold</b>
        return torch.softmax(y, -1)

Mine.__name__ = "<img src=x onerror=alert(1)>"
"""


def traced(page: Page) -> None:
    """The pass of `MINE` on the page."""
    page.goto("/step_through?view=own")
    choose = page.get_by_role("button", name="Choose a .py or .ipynb file")
    expect(choose).to_be_visible()
    with page.expect_file_chooser() as chooser:
        choose.click()
    chooser.value.set_files({"name": "mine.py", "mimeType": "text/x-python", "buffer": MINE.encode()})
    expect(page.get_by_text("File: mine.py")).to_be_visible()
    page.get_by_role("textbox", name="Build (--build)").fill("Mine(4)")
    page.get_by_role("textbox", name="Call (--call)").fill("model(torch.eye(3, 4))")
    page.get_by_text("Gradients").click()
    page.get_by_role("button", name="Trace", exact=True).click()
    expect(page.get_by_role("heading", name="1. linear")).to_be_visible()


def derived(page: Page) -> None:
    """What a cell of a gradient was computed from, in this pass."""
    traced(page)
    page.get_by_role("checkbox", name="Show gradients").check()
    page.get_by_role("img", name="result of 1 linear").click(position={"x": 60, "y": 30})
    expect(page.get_by_text(re.compile("^From 2 softmax: "))).to_be_visible()


def test_ones_own_file_is_stepped_through_by_keys_and_is_text_alone(page: Page):
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    traced(page)
    view = page.locator(".st-key-own-pass")
    expect(view.get_by_role("heading", name="mine.py: <img")).to_be_visible()
    expect(view.get_by_text("</script><b>bold</b>")).to_be_visible()
    expect(view.locator("img, b:text('bold'), script")).to_have_count(0)
    page.keyboard.press("?")
    window = page.get_by_role("dialog", name="Keys")
    expect(window.get_by_text("gradient on or off")).to_be_visible()
    expect(window.get_by_text("show one head")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="2. softmax")).to_be_visible()
    expect(view.locator("li.ran")).to_have_text("    return torch.softmax(y, -1)")
    page.keyboard.press("ArrowRight")
    expect(view.get_by_role("button", name="Next")).to_be_disabled()
    view.locator(".result canvas").click(position={"x": 60, "y": 30})
    expect(view.get_by_text("Cell [1, 1] =")).to_be_visible()
    expect(view.get_by_text("total =").last).to_be_visible()
    expect(view.locator(".terms").last.locator("td:first-child")).to_have_text(["0", "1", "2", "3"])
    view.get_by_role("checkbox", name="Show gradients").check()
    expect(view.get_by_text(re.compile(r"Cell \[1, 1\] = \S+, gradient \S+$"))).to_be_visible()
    view.get_by_role("checkbox", name="Show gradients").uncheck()
    view.locator(".result canvas").focus()
    page.keyboard.press("ArrowRight")  # in the tensor, which has the focus
    expect(view.get_by_text("Cell [1, 2] =")).to_be_visible()
    view.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("heading", name="1. linear")).to_be_visible()
    page.keyboard.press("g")
    expect(view.get_by_role("checkbox", name="Show gradients")).to_be_checked()
    view.get_by_role("img", name="result of 1 linear").click(position={"x": 60, "y": 30})
    expect(view.get_by_text(re.compile("^From 2 softmax: "))).to_be_visible()
    expect(view.get_by_text("weighted = sum(gradient[i, k] * out[i, k] for k in J)")).to_be_visible()
    expect(view.get_by_text("Gradient of result of 2 softmax")).to_be_visible()
    expect(view.get_by_text("another way")).to_have_count(0)
    view.get_by_role("img", name="Gradient of parameter inner.weight").click(position={"x": 60, "y": 30})
    expect(view.get_by_text("handed[j, k] = sum(gradient[i, j] * x[i, k] for i in I)")).to_be_visible()
    view.get_by_role("img", name="Gradient of input x").focus()
    page.keyboard.press("ArrowRight")
    expect(view.get_by_text(re.compile("^From 1 linear: "))).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="mine.py: <img")).to_be_visible()


def test_the_pass_follows_the_theme_the_width_and_the_presenter_view(page: Page):
    traced(page)
    view = page.locator(".st-key-own-pass")

    def ink() -> str:
        return view.locator("h2").first.evaluate("(node) => getComputedStyle(node).color")

    def side() -> int:
        return view.locator(".result canvas").evaluate("(node) => parseInt(node.style.width)")

    light, usual = ink(), side()
    page.get_by_label("Theme").select_option("dark")
    until(lambda: ink() != light)
    page.set_viewport_size({"width": 390, "height": 844})
    page.mouse.wheel(0, 300)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    outline, steps = (view.locator(name).bounding_box() for name in (".outline", ".steps"))
    assert outline
    assert steps
    assert outline["y"] + outline["height"] <= steps["y"] + 1
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile("present"))
    until(lambda: side() > 1.2 * usual)
    expect(view.get_by_role("button", name="Next")).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="2. softmax")).to_be_visible()

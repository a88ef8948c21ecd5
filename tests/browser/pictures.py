"""Take the README's pictures from the running app: `.venv/bin/python -m tests.browser.pictures`."""

import os
import re
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.__main__ import BROWSERS
from tests.browser.conftest import ROOT, free_port, running_server

PICTURES = ROOT / ".github" / "pictures"


def take(page: Page, name: str) -> None:
    """Take each picture in the light and the dark theme."""
    page.mouse.move(2, 2)
    for scheme, ending in (("dark", "-dark"), ("light", "")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(1000)  # charts and fonts settle; nothing is asserted here
        page.screenshot(path=PICTURES / f"{name}{ending}.png")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    port = free_port()
    browser_path = os.environ.get("PLAYGROUND_TEST_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)))
    with (
        tempfile.TemporaryDirectory() as library,
        running_server(Path(library), port),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 960}, base_url=f"http://127.0.0.1:{port}")
        page.goto("/")
        expect(page.locator("svg.arch").first).to_be_visible()
        take(page, "build")
        page.get_by_role("button", name="Train this model").click()
        expect(page.get_by_test_id("progress")).to_contain_text(re.compile(r"step [45]\d"), timeout=60_000)
        take(page, "train")
        page.get_by_text("Full speed", exact=True).click()
        expect(page.get_by_test_id("progress")).to_contain_text("solved", timeout=60_000)
        page.get_by_role("link", name="Step through this model").click()
        attention = page.get_by_role("treeitem", name="cross-attention")
        attention.get_by_text("cross-attention", exact=True).click()
        attention.get_by_text("weights", exact=True).click()
        expect(page.get_by_role("heading", name="Attention weights")).to_be_visible()
        page.get_by_test_id("stMain").evaluate("(node) => (node.scrollTop = 0)")  # the outline stands far below
        page.locator(".outputs canvas").nth(1).click(position={"x": 110, "y": 60})
        expect(page.locator(".expression .lines math").first).to_be_visible()
        take(page, "step_through")
        page.goto("/experiment?view=change&model=reverse-1-16&changes=decoder.layers.0.cross_attention.head.2")
        expect(page.get_by_text("Active changes: 1")).to_be_visible()
        expect(page.get_by_text("95 % interval").first).to_be_visible(timeout=30_000)
        take(page, "experiment")
        page.get_by_role("link", name="Checkpoints").first.click()
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".card canvas")).to_have_count(16)
        page.get_by_role("combobox", name="Sort by").select_option("name")
        take(page, "checkpoints")
        page.goto("/learn?lesson=attention")
        page.get_by_role("radiogroup", name="Your prediction").first.get_by_text("The last one").click()
        page.get_by_role("button", name="Check").first.click()
        expect(page.get_by_text("Where the model looks")).to_be_visible()
        take(page, "learn")
        page.goto("/train?view=sweep")
        page.get_by_role("button", name="Start sweep").click()
        expect(page.get_by_test_id("progress")).to_contain_text("16 of 16 ended", timeout=300_000)
        take(page, "sweep")
        browser.close()


if __name__ == "__main__":
    main()

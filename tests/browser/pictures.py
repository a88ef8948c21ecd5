"""Takes the README's pictures from the running app: `.venv/bin/python -m tests.browser.pictures`."""

import os
import re
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.__main__ import BROWSERS
from tests.browser.conftest import ROOT, free_port, running_server
from tests.hub import Hub, running_hub
from tests.hub.samples import TAG, checkpoint

PICTURES = ROOT / ".github" / "pictures"


def take(page: Page, name: str) -> None:
    page.mouse.move(2, 2)
    page.wait_for_timeout(700)  # charts and fonts settle; nothing is asserted here
    page.screenshot(path=PICTURES / f"{name}.png")


def take_hub(page: Page, hub: Hub) -> None:
    """Pushes a checkpoint that ships with the app, and looks at what is on the Hub."""
    for name in ("copy-1-16", "reverse-1-16"):
        files = checkpoint(ROOT / "checkpoints" / name)
        hub.put_repo(f"bob/{name}", files, tags=[TAG], likes=3, downloads=12)
    hub.put_repo("mallory/surprise", {**files, "model.safetensors": b"\x80\x04K\x01."}, tags=[TAG])
    page.goto("/checkpoints?checkpoint=reverse-1-16")
    page.get_by_role("button", name="Push").click()
    form = page.get_by_role("dialog")
    form.get_by_role("textbox", name="Access token").fill(hub.token("alice"))
    form.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    form.get_by_role("textbox", name="Message").fill("Three hundred steps")
    form.get_by_role("textbox", name="Message").press("Enter")
    push = form.get_by_role("button", name="Push", exact=True)
    expect(push).to_be_enabled()
    take(page, "push")
    push.click()
    expect(page.locator(".st-key-dock")).to_contain_text("at commit")
    page.get_by_text("Hub", exact=True).click()
    expect(page.locator(".st-key-gallery .model .name")).to_have_count(4)
    take(page, "hub")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    port = free_port()
    browser_path = os.environ.get("PLAYGROUND_TEST_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)))
    with (
        tempfile.TemporaryDirectory() as library,
        running_hub() as hub,
        running_server(Path(library), port, {"HF_ENDPOINT": hub.url}),
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
        page.get_by_text("Slow motion", exact=True).click()
        expect(page.get_by_text("Decoder layer 1: cross-attention")).to_be_visible(timeout=60_000)
        take(page, "slow_motion")
        page.get_by_text("Full speed", exact=True).click()
        expect(page.get_by_test_id("progress")).to_contain_text("solved", timeout=60_000)
        page.get_by_role("link", name="Step through this model").click()
        attention = page.get_by_role("treeitem", name="cross-attention")
        attention.get_by_text("cross-attention", exact=True).click()
        attention.get_by_text("weights", exact=True).click()
        expect(page.get_by_role("heading", name="Attention weights")).to_be_visible()
        page.locator(".outputs canvas").nth(1).click(position={"x": 110, "y": 60})
        expect(page.locator(".expression .lines math").first).to_be_visible()
        take(page, "step_through")
        page.set_viewport_size({"width": 1440, "height": 1200})
        attention.get_by_text("scaled scores", exact=True).click()
        page.get_by_text("Backward", exact=True).click()
        expect(page.get_by_role("heading", name="Scaled scores, backward")).to_be_visible()
        take(page, "backward")
        page.set_viewport_size({"width": 1440, "height": 960})
        page.get_by_role("link", name="Checkpoints").first.click()
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".card canvas")).to_have_count(12)
        page.get_by_role("combobox", name="Sort by").select_option("name")
        take(page, "checkpoints")
        take_hub(page, hub)
        page.goto("/train?view=sweep")
        page.get_by_role("button", name="Start sweep").click()
        expect(page.get_by_test_id("progress")).to_contain_text("16 of 16 ended", timeout=300_000)
        take(page, "sweep")
        browser.close()


if __name__ == "__main__":
    main()

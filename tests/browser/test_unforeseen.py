"""Unexpected errors in a real browser: a message with a number, and typed text is kept."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import ROOT, app_under_test, free_port, running_server
from tests.browser.test_road import button, click

pytestmark = pytest.mark.browser

SECRET = "a secret of somebody else"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder; while it has a file `page` or `callback`, that part of Build fails."""
    (tmp_path / "library").mkdir()
    failing = f"""
        from pathlib import Path

        from playground.ui.runs import settings_form
        from playground.ui.session import form_settings

        def failing(function, name):
            def fails(*args, **options):
                if (Path({str(tmp_path)!r}) / name).exists():
                    raise ValueError("{SECRET}")
                return function(*args, **options)
            return fails

        if __name__ != "__main__":  # once, in the server
            settings_form.presets = failing(settings_form.presets, "page")
            form_settings.fill = failing(form_settings.fill, "callback")
    """
    app_under_test(tmp_path, failing)
    return tmp_path


def test_an_error_is_a_sentence_with_a_number_and_what_was_typed_stays(browser: Browser, folder: Path):
    port = free_port()
    with running_server(folder / "library", port, script=folder / "app.py"):
        page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
        page.goto("/")
        page.get_by_text("Quick copy", exact=True).click()
        field = page.locator(".st-key-task-max_length input")
        field.fill("7")
        field.press("Enter")
        expect(page).to_have_url(re.compile("max_length=7"))
        (folder / "page").touch()
        page.get_by_text("Paper-like", exact=True).click()
        alert = page.get_by_role("alert").filter(has_text=re.compile("failed .error"))
        expect(alert).to_be_visible()
        expect(page.get_by_role("link", name="Checkpoints")).to_be_visible()
        number = re.search(r"error ([0-9a-f]{8})", alert.inner_text())[1]
        words = page.locator("body").inner_text()
        assert not re.search(rf"Traceback|ChatGPT|Google|{SECRET}|{ROOT}", words)
        log = (folder / "library" / "server.log").read_text()
        assert log.count(f"Error {number}") == 1
        assert log.count(f"ValueError: {SECRET}") == 1
        (folder / "page").unlink()
        click(page, "Try again")
        expect(button(page, "Train this model")).to_be_visible()
        expect(alert).to_have_count(0)

        field.fill("6")
        field.press("Enter")
        expect(page).to_have_url(re.compile("max_length=6"))
        (folder / "callback").touch()
        page.get_by_text("Quick reverse", exact=True).click()
        expect(alert).to_contain_text("The last action failed")
        expect(field).to_have_value("6")
        assert SECRET not in page.locator("body").inner_text()
        page.context.close()

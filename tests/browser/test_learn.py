"""The Learn page in a browser: formulas are rendered, and a row opens its numbers."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_a_row_of_the_table_opens_its_operation(page: Page):
    page.goto("/learn?view=formulas")
    rows = page.locator(".formula-rows .row")
    expect(rows.first.locator("math")).to_be_visible()
    assert rows.count() > 25
    page.get_by_text("Symbols of the papers in this model").click()
    expect(page.locator(".symbols math").first).to_be_visible()
    rows.get_by_role("button", name="Attention weights").click()
    expect(page.locator(".operation")).to_contain_text("Attention weights")

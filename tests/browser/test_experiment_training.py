"""What if in a browser: a run is replayed without one batch."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_axe import QUICK, train

pytestmark = pytest.mark.browser


def test_a_run_is_replayed_without_a_batch(page: Page):
    logged = list[str]()
    page.on("console", lambda message: logged.append(message.text))
    page.goto(f"/train?{QUICK}")
    train(page)
    page.get_by_role("link", name="Experiment", exact=True).click()
    page.get_by_role("radio", name="What if").click()
    expect(page.get_by_role("spinbutton", name="Step")).to_have_value("1")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.locator(".st-key-counterfactual-outcome svg.marks")).to_have_count(2)
    expect(page.locator(".st-key-counterfactual-outcome")).to_contain_text("held-out")
    page.reload()
    expect(page.locator(".st-key-counterfactual-outcome svg.marks")).to_have_count(2)
    assert not [each for each in logged if "Infinite extent" in each], "a chart that is drawn before its rows"

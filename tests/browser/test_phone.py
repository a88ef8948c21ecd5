"""A phone: what changes stays in sight, boxes can be closed, fields for numbers bring a keyboard for numbers."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_shell import ready

pytestmark = pytest.mark.browser


@pytest.fixture(params=[(390, 844), (844, 390)], ids=["upright", "sideways"])
def phone(request: pytest.FixtureRequest, browser: Browser, server: str):
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=server, has_touch=True)
    yield context.new_page()
    context.close()


@pytest.mark.wcag("4.1.3")
def test_what_a_change_did_is_heard_and_stays_in_sight(phone: Page):
    phone.goto("/experiment?view=change&model=reverse-1-16")
    ready(phone)
    outcome = phone.locator(".st-key-outcome [role=status]")
    expect(outcome).to_have_text("")
    phone.get_by_role("button", name="decoder layer 1 cross-attention, head 1", exact=True).tap()
    expect(outcome).to_have_text(re.compile(r"^Exact match: unchanged [\d.]+ % → changed [\d.]+ %$"))
    for name in ("When you click a part", "Attention weights"):
        phone.get_by_text(name, exact=True).first.scroll_into_view_if_needed()
        expect(outcome).to_be_in_viewport(ratio=1)


def test_the_export_box_names_its_model_and_can_be_closed(phone: Page):
    phone.goto("/checkpoints?checkpoint=reverse-1-16")
    phone.get_by_role("button", name="Export").tap()
    box = phone.get_by_test_id("stPopoverBody")
    expect(box).to_contain_text("Export reverse-1-16")
    box.get_by_role("button", name="Close").tap()
    expect(box).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "modes"),
    [
        ("/learn?lesson=residual-and-norm", {"Your prediction, a number": ""}),  # it is negative
        ("/", {"Symbols": "numeric", "This trained model reverses digits. Type your own digits:": "numeric"}),
        ("/step_through?model=reverse-1-16", {"Your input": "numeric", "The decoder reads": "numeric"}),
        ("/learn?lesson=cost", {"Your prediction, a number": "decimal"}),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_a_field_for_numbers_brings_a_keyboard_for_numbers(page: Page, address: str, modes: dict[str, str]):
    page.goto(address)
    ready(page)
    for label, mode in modes.items():
        field = page.get_by_label(label, exact=True).and_(page.locator("input")).first
        field.focus()
        expect(field).to_have_js_property("inputMode", mode)


def test_a_button_leads_back_to_the_latest_step(phone: Page):
    phone.goto("/train?training.steps=20&task.max_length=4&training.stop_when_solved=False")
    phone.get_by_role("button", name="Train", exact=True).tap()
    expect(phone.get_by_test_id("progress")).to_contain_text("finished")
    chart = phone.locator(".panel.loss .plot")
    chart.scroll_into_view_if_needed()
    chart.tap(position={"x": 120, "y": 60})
    latest = phone.get_by_role("button", name="Latest", exact=True)
    expect(latest).to_be_visible()
    latest.tap()
    expect(latest).to_be_hidden()

"""The Development view in a real browser: a transition opens its step in Step through."""

import re

import pytest
from playwright.sync_api import Page, expect

from playground.ui.session.pages import TRAIN
from tests.browser.test_presenter import expect_slide

pytestmark = pytest.mark.browser

RECALL = (
    "task.name=recall&task.vocab_size=3&task.min_length=2&task.max_length=2&model.positions=learned&model.d_model=32"
    "&model.d_ff=32&model.n_layers=1&training.batch_size=32&training.learning_rate=0.003&training.steps=100"
    "&training.eval_every=10&training.stop_when_solved=False"
)


def test_a_transition_opens_its_step_in_step_through(page: Page):
    page.goto(f"/?{RECALL}")
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()
    page.goto(f"/train?view=development&{RECALL}")
    expect(page.get_by_text("No model yet. Train one in the Run view.")).to_be_visible()
    page.get_by_role("radio", name="Run", exact=True).click()
    page.get_by_role("radio", name="Full speed").click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".progress")).to_contain_text("finished")
    page.get_by_role("radio", name="Development").click()
    page.get_by_role("button", name="Measure", exact=True).click()
    opens = page.get_by_role("button", name=re.compile("Open step"))
    expect(opens.first).to_be_visible()
    expect(page.locator("canvas, svg.marks").first).to_be_visible()
    expect(page.get_by_text(re.compile("That is .* times the"))).to_be_visible()
    step = re.search(r"\d+", opens.first.inner_text())
    assert step
    opens.first.click()
    expect(page).to_have_url(re.compile(rf"step_through.*step={step[0]}\b"))
    expect(page.get_by_role("heading", name="Step through")).to_be_visible()
    expect(page.get_by_role("slider", name=re.compile("step", re.IGNORECASE)).first).to_be_visible()


ANSWERS = ".st-key-development-answers canvas"
TRAIN_PARTS = {slide.name: slide.parts[-1] for slide in TRAIN.slides}
MODULAR = (
    "task.name=modular_addition&task.vocab_size=11&model.architecture=decoder-only&model.n_layers=1&model.d_model=32"
    "&model.d_ff=32&training.batch_size=32&training.steps=40&training.eval_every=10&training.stop_when_solved=False"
)


def modular(page: Page) -> None:
    """Train a modular task and measure its development, which has transitions."""
    page.goto(f"/?{MODULAR}")
    expect(page.get_by_role("heading", name="Build a transformer")).to_be_visible()
    page.get_by_role("link", name="Train", exact=False).first.click()
    page.get_by_role("radio", name="Full speed").click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(".progress")).to_contain_text("finished")
    page.get_by_role("radio", name="Development").click()
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.locator(ANSWERS)).to_be_visible()
    expect(page.locator("[class*=st-key-transition-]").first).to_be_visible()


def test_the_slides_of_a_modular_task_open_by_their_address(page: Page):
    modular(page)
    for name in ("answers", "transitions", "development"):
        page.goto(f"/train?view=development&present={name}")
        expect_slide(page, name)
        expect(page.locator(f".st-key-{TRAIN_PARTS[name]}")).to_be_visible()
        if name == "answers":
            expect(page.locator(ANSWERS)).to_be_visible()
            expect(page.locator(".st-key-development-answers svg.marks")).to_be_visible()

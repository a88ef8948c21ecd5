"""Parts newer than 2017 in a real browser: from the settings on Build to their operations in Step through."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_map import crumbs, item

pytestmark = pytest.mark.browser

SMALL = "task.name=copy&task.max_length=4&model.architecture=decoder-only&training.steps=5&training.eval_every=5"


def build(page: Page, settings: str) -> None:
    page.goto(f"/?{SMALL}&{settings}")
    page.get_by_role("tab", name="Model").click()
    expect(page.get_by_role("button", name="Train this model")).to_be_enabled()


def train(page: Page) -> None:
    """Train the model of Build to its end, and open it in Step through."""
    page.get_by_role("button", name="Train this model").click()
    expect(page.locator(".progress").first).to_contain_text(re.compile("finished|solved"))
    page.get_by_role("link", name="Step through this model").click()
    expect(page.locator(".tree [aria-current]")).to_have_count(1)


def picture(page: Page):
    return page.locator("svg.arch")


def test_grouped_queries_are_chosen_trained_and_stepped_through(page: Page):
    build(page, "model.positions=rotary")
    expect(picture(page)).not_to_contain_text("key heads")
    page.get_by_text("Since 2017").click()
    page.get_by_role("radio", name="grouped-query").click()
    expect(picture(page)).to_contain_text("K, V: G = 2 heads")
    heads = page.get_by_role("spinbutton", name="Key heads")
    heads.fill("3")
    heads.press("Enter")
    problem = "Heads 4 is not divisible by Key heads 3. Use Key heads 1 or 2 or 4."
    expect(page.locator(".message.wrong")).to_have_text(problem)
    expect(heads).to_have_value("3")
    page.get_by_role("button", name="Use 2", exact=True).click()
    expect(page.locator(".message.wrong")).to_have_count(0)
    train(page)
    item(page, "self-attention").locator(".row").first.click()
    item(page, "rotated key").click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "self-attention", "rotated key"])
    expect(page.locator(".operation .shape")).to_contain_text("(B, G, T, K) = (1, 2,")
    expect(page.locator(".tensors")).to_contain_text("key head 2")


def test_an_expert_of_a_mixture_is_opened(page: Page):
    build(page, "model.feed_forward=mixture&model.n_shared_experts=1")
    expect(page.get_by_role("spinbutton", name="Shared experts")).to_be_visible()  # unfolded, as it is not the default
    expect(picture(page)).to_contain_text("4 experts, 2 active")
    train(page)
    picture(page).locator("[data-part='decoder.layers.0.feed_forward']").click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "feed-forward", "router scores"])
    expect(item(page, "expert 2")).to_have_attribute("aria-expanded", "false")
    item(page, "expert 2").locator(".row").first.click()
    expect(crumbs(page)).to_have_text(["decoder", "layer 1", "feed-forward", "expert 2", "hidden"])
    expect(item(page, "expert 2")).to_have_attribute("aria-expanded", "true")
    expect(item(page, "expert 3")).to_have_attribute("aria-expanded", "false")
    crumbs(page).nth(2).click()
    item(page, "gates").click()
    expect(page.locator(".operation .shape")).to_contain_text(re.compile(r"\(B, T, E\) = \(1, \d+, 4\)"))
    expect(page.locator(".tensors .legend")).to_contain_text("probability")

"""Attribution in a browser: a circuit is changed by a click in the map and in the scatter, tested, and linked."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ADDRESS = "/experiment?view=attribution&model=reverse-1-16"


def test_a_part_is_kept_by_a_click_and_the_circuit_is_tested(page: Page):
    page.goto(ADDRESS)
    expect(page.get_by_text(re.compile(r"Pearson 0\.99\d, Spearman 0\.99\d"))).to_be_visible()
    circuit, scatter = (page.locator(f".st-key-{key}") for key in ("kept-circuit", "attribution"))
    expect(circuit.get_by_text("Kept: 5 of 14 heads and feed-forward networks.")).to_be_visible()
    head = circuit.get_by_role("button", name="encoder layer 1 self-attention, head 1")
    head.click()
    expect(circuit.get_by_text("Kept: 6 of 14 heads and feed-forward networks.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"parts=hand"))
    expect(scatter.locator('[data-part="encoder.layers.0.self_attention.head.0"]')).to_have_attribute(
        "data-tip", "In the circuit."
    )
    scatter.get_by_role("button", name="decoder layer 1 cross-attention, head 1").press("Enter")
    expect(circuit.get_by_text("Kept: 5 of 14 heads and feed-forward networks.")).to_be_visible()
    page.get_by_role("button", name="Test this circuit").click()
    expect(page.get_by_text(re.compile("With everything outside the circuit replaced by its mean"))).to_be_visible()
    page.reload()
    expect(circuit.get_by_text("Kept: 5 of 14 heads and feed-forward networks.")).to_be_visible()
    page.get_by_role("button", name="Use the threshold").click()
    expect(page).not_to_have_url(re.compile(r"parts=hand"))


def test_edges_are_lines_and_a_box_shows_its_others(page: Page):
    page.goto(f"{ADDRESS}&of=edges")
    circuit = page.locator(".st-key-kept-circuit")
    lines = circuit.locator("[data-part*='->']")
    expect(lines).to_have_count(10)
    circuit.get_by_role("button", name=re.compile("^decoder layer 1 cross-attention, head 4")).click()
    expect(lines.filter(has=page.locator("path.wire[stroke-opacity='0.3']")).first).to_be_attached()
    line = circuit.locator("[data-part='decoder.layers.0.cross_attention.head.3 -> logits']")
    line.press("Enter")
    expect(circuit.get_by_text("Kept: 11 of 116 edges.")).to_be_visible()
    expect(line).to_have_attribute("data-tip", "In the circuit.")

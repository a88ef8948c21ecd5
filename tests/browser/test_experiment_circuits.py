"""Circuits in a browser: programs are measured, and the page ends with their faithfulness."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ADDRESS = "/experiment?view=circuits&model=reverse-1-16"


def test_a_solved_model_ends_with_its_program(page: Page):
    page.goto(ADDRESS)
    expect(page.get_by_text("Copying: for 100.0 % of the symbols")).to_be_visible()
    page.get_by_role("button", name="Find the programs").click()
    ending = page.get_by_text(re.compile(r"This model is this program in \d+\.\d % of the cases"))
    expect(ending).to_be_visible()
    expect(page.get_by_text("attends to the mirror position n+1-t").first).to_be_visible()
    page.reload()
    expect(ending).to_be_visible()


def test_another_head_and_other_vectors_stand_in_the_address(page: Page):
    page.goto(f"{ADDRESS}&vectors=encoder.embeddings&colour=position")
    expect(page.get_by_text(re.compile(r"\d+ hidden states of held-out inputs"))).to_be_visible()
    page.get_by_role("combobox", name="Head").click()
    page.get_by_role("option", name="Head 2 of the encoder self-attention in layer 1").click()
    expect(page.get_by_text("The output layer doesn't read the encoder directly.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"circuit=encoder\.layers\.0\.self_attention\.head\.1"))

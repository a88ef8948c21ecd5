"""Heads in a browser: rows are marked together, a cell shows its score, a head opens in Step through."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.storage.checkpoint import load
from playground.ui.session.walks import ModelSource, walk_of
from tests.browser.conftest import ROOT

pytestmark = pytest.mark.browser

INPUT = "3 1 4 1 5"
CROSS = "decoder.layers.0.cross_attention"
ADDRESS = f"/experiment?view=heads&model=reverse-1-16&input={INPUT.replace(' ', '+')}"


def tiles(page: Page) -> Locator:
    """All heads: four of the encoder, four of the decoder, four of cross-attention."""
    found = page.locator(".maps .tile")
    expect(found).to_have_count(12)
    return found


def middle(tile: Locator, row: int, column: int) -> tuple[float, float]:
    """Pixel position of a cell, from the marks on a tile with 6 rows and 5 columns."""
    box = tile.locator(".marks").bounding_box()
    assert box
    return box["x"] + (column + 0.5) * box["width"] / 5, box["y"] + (row + 0.5) * box["height"] / 6


def test_a_row_lights_in_all_heads_that_have_it_and_a_cell_unfolds(page: Page):
    page.goto(ADDRESS)
    heads = tiles(page)
    last = heads.nth(8)
    last.scroll_into_view_if_needed()
    page.mouse.move(*middle(last, 1, 3))
    model = load(ROOT / "checkpoints" / "reverse-1-16").model
    weights = walk_of(ModelSource("", (), model), INPUT)[f"{CROSS}.attention.weights"].value[0]
    announcement = page.locator(".maps .announcement")
    expect(announcement).to_contain_text("Cross-attention, layer 1, head 1, query “5” (T 2), key “1” (S 4): weight")
    assert float(announcement.inner_text().split()[-1]) == pytest.approx(float(weights[0, 1, 3]), rel=1e-3)
    lit = [tile.locator(".mark.row").count() for tile in heads.all()]
    assert lit == [0] * 4 + [1] * 8, "queries of the decoder; the encoder has others"
    page.mouse.click(*middle(last, 1, 3))
    expect(page.get_by_text("is the sum of 16 products")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"pair={CROSS}.head.0.1.3"))
    page.get_by_role("button", name=re.compile("^Close")).click()
    expect(page.get_by_text("is the sum of 16 products")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_pair_is_in_sight_beside_its_cell(page: Page, width: int, height: int):
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": height})
    page.goto(ADDRESS)
    tile = tiles(page).nth(5)
    tile.scroll_into_view_if_needed()
    tile.locator("canvas").click(position={"x": 60, "y": 60})
    pair = page.locator(".st-key-pair")
    expect(pair).to_be_in_viewport(ratio=1)
    chosen = page.locator(".mark.chosen")
    expect(chosen).to_be_in_viewport(ratio=1)
    edges = [each.bounding_box() for each in (chosen, pair)]
    assert edges[0]
    assert edges[1]
    assert edges[0]["y"] + edges[0]["height"] <= edges[1]["y"], "the pair covers the cell"


def test_the_page_stays_at_its_top_when_one_comes_back_to_a_pair(page: Page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{ADDRESS}&pair={CROSS}.head.2.1.3")
    for _ in range(2):
        tiles(page)
        expect(page.locator(".mark.chosen")).to_have_count(1)
        expect(page.locator(".st-key-pair")).to_be_visible()
        page.wait_for_function("() => !document.querySelector('[data-stale=true]')")
        assert page.locator(".stMain").evaluate("(main) => main.scrollTop") == 0
        page.get_by_role("link", name="Learn", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Learn")
        page.get_by_role("link", name="Experiment", exact=True).click()


def test_the_keyboard_points_and_chooses(page: Page):
    page.goto(ADDRESS)
    tiles(page).nth(8).focus()
    announcement = page.locator(".maps .announcement")
    expect(announcement).to_contain_text("query “BOS” (T 1), key “3” (S 1)")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(announcement).to_contain_text("query “5” (T 2), key “1” (S 2)")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-pair").get_by_text("Query “5” (T 2), key “1” (S 2)")).to_be_visible()


def test_roles_explain_themselves_and_a_head_opens_in_step_through(page: Page):
    page.goto(ADDRESS)
    tiles(page)
    page.get_by_text("Show roles", exact=True).click()
    role = page.locator(".maps .term").nth(8)
    expect(role).to_have_text(re.compile(r"the mirror position n\+1-t: 0\.9\d"))
    page.reload()  # the address has them
    expect(role).to_have_text(re.compile(r"the mirror position"))
    role.focus()
    role.press("Enter")
    expect(page.get_by_role("tooltip")).to_contain_text("Score: mean attention weight on the mirror position")
    page.get_by_role("button", name="Open in Step through: Cross-attention, layer 1, head 3").click()
    expect(page.locator(".operation")).to_contain_text("Attention weights")
    expect(page).to_have_url(re.compile(rf"operation={CROSS}\.attention\.weights.*head=2|head=2.*operation={CROSS}"))
    page.get_by_role("link", name="Experiment", exact=True).click()
    expect(role).to_have_text(re.compile(r"the mirror position"))
    expect(page).to_have_url(re.compile("model=reverse-1-16"))


def test_nothing_is_wider_than_a_phone(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("heads", "circuits"):
        page.goto(ADDRESS.replace("heads", view))
        expect(page.locator(".maps .tile").first).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
        assert page.locator(".maps").first.evaluate("(maps) => maps.scrollWidth - maps.clientWidth") <= 0

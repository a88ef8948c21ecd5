"""axe-core finds no violation on any page or view, in both themes, on a laptop and a phone.

A dark page differs from a light one in its colours alone, so only the rules about colours look at it; and a phone has
the colours of a laptop. With --thorough all rules look at all four.
"""

from itertools import product
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from playground.lessons.assignments.ready import READY
from playground.lessons.mistakes.table import MISTAKES
from playground.ui.session.pages import PAGES
from tests import helpers
from tests.browser.axe import AXE, CHECK, settled
from tests.browser.test_own_view import derived
from tests.browser.test_room import open_room
from tests.browser.test_room_questions import BLOCK, LESSON, WEIGHTS, area, ask, press
from tests.helpers import first
from tests.lessons.wrong import WRONG

pytestmark = pytest.mark.browser

SIZES = {"laptop": (1440, 900), "phone": (390, 844)}
LOOKS = {("laptop", "light"): "", ("laptop", "dark"): "cat.color", ("phone", "light"): ""}
"""Tag of the rules by size and theme; "": all rules."""
QUICK = "task.max_length=4&model.d_model=16&model.d_ff=32&training.steps=20&training.stop_when_solved=False"


def train_both(page: Page) -> None:
    page.get_by_role("button", name="Train both", exact=True).click()
    expect(page.get_by_text("How to detect it")).to_be_visible()


def hunt(page: Page) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("button", name="Check answer")).to_be_visible()


def train(page: Page) -> None:
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_test_id("progress")).to_contain_text("finished")


def changed(page: Page) -> None:
    expect(page.get_by_text("exact match on 1,000 held-out inputs")).to_have_count(2)
    measure = page.get_by_role("button", name="Patch each position and layer", exact=True)
    effects = page.get_by_text("Effect in")
    expect(measure.or_(effects).first).to_be_visible()
    if measure.is_visible():  # first request to this server
        measure.click()
    expect(effects).to_have_count(2)


def replay(page: Page) -> None:
    train(page)
    page.get_by_role("link", name="Experiment", exact=True).click()
    page.get_by_role("radio", name="What if").click()
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_text("held-out answers differ")).to_be_visible()


def answer(page: Page) -> None:
    """Answer the first question of a lesson."""
    page.get_by_role("button", name="Show the answer").first.click()
    expect(page.get_by_text("The answer: ")).to_be_visible()


def check(page: Page) -> None:
    page.get_by_label("Your code").fill(WRONG["no_scaling"].source())
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(MISTAKES["no-scaling"].why)


def examine(page: Page) -> None:
    page.get_by_role("button", name="Run tests").click()
    expect(page.get_by_text("2 of 14 mistakes caught.")).to_be_visible()
    box = page.get_by_role("combobox", name="Look at a mistake")
    box.click()
    box.fill("Mask after")
    box.press("Enter")
    expect(page.get_by_text("the correct code")).to_be_visible()


def export(page: Page) -> None:
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_test_id("stPopoverBody").get_by_role("button", name="Export")).to_be_visible()


def compose(page: Page) -> None:
    page.get_by_role("button", name="Start from it").click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()


def take(page: Page) -> None:
    page.get_by_role("textbox", name="Name or number").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Check answer")).to_be_visible()


def answered_in_room(page: Page) -> None:
    """Answer a question to a room."""
    assert page.context.browser
    host = page.context.browser.new_page(base_url=page.url)
    code = open_room(host, LESSON)
    host.locator(f'[data-block="{BLOCK}"] .ask-room').click()
    page.goto(f"{LESSON}&room={code}")
    area(page).get_by_role("radio").first.check()
    expect(area(page).get_by_text("Your answer: ")).to_be_visible()
    host.close()


def revealed_in_room(page: Page) -> None:
    """Reveal the answer to a question as the host, and open the window for the next one."""
    open_room(page, WEIGHTS)
    ask(page, "A cell")
    press(page, "Reveal")
    expect(area(page).get_by_text("Right answer: ")).to_be_visible()
    press(page, "Ask …")


STATES = {
    "/": None,
    f"/train?{QUICK}": train,
    "/step_through?operation=encoder.layers.0.self_attention.attention.weights": None,
    "/experiment?view=heads&pair=decoder.layers.0.cross_attention.head.0.0.0": None,
    "/learn?view=lessons&lesson=attention": answer,
    "/generate?model=reverse-1-16&tokens=2&decoding=sampling&temperature=4&top_k=9&top_p=0.9&forced=1:9": None,
    "/checkpoints?checkpoint=reverse-1-16": export,
}
STATES |= {f"/{path}": None for path in PAGES if not any(urlsplit(each).path == f"/{path}" for each in STATES)}
"""Addresses, and what a person does there; each page that is not named is opened."""
MORE = {
    "/learn?view=pitfalls&pitfall=padding-scored": train_both,
    "/train?view=compare": None,
    "/step_through?view=own": derived,
    "/experiment?view=change&model=reverse-1-16&changes=decoder.layers.0.cross_attention:mean": changed,
    "/learn": None,
    "/learn?view=check": check,
    f"{LESSON}&numbers=1": answered_in_room,
    f"{WEIGHTS}&": revealed_in_room,
    "/learn?view=examine": examine,
    "/learn?view=assignments&do=compose": compose,
    f"/learn?view=assignments&assignment={READY['attention'].word}": take,
    "/experiment?view=circuits": None,
    "/checkpoints": None,
    "/learn?view=hunt&bug=12": hunt,
    "/train?view=sweep": None,
    "/experiment?view=read&model=reverse-1-16": None,
    f"/train?{QUICK}&": replay,
    "/learn?view=formulas": None,
    "/learn?view=assignments&do=grade": None,
    "/generate?model=reverse-1-16&decoding=beams": None,
    "/checkpoints?view=hub": None,
}
"""The same for further views of these pages: only with --thorough."""


@pytest.mark.wcag("1.1.1", "1.3.1", "1.4.1", "1.4.3", "2.4.4", "2.4.6", "2.5.3", "2.5.8", "3.3.2", "4.1.2")
@pytest.mark.parametrize("address", first(len(STATES), STATES | MORE))
def test_no_page_violates_a_rule_of_axe_core(page: Page, address: str):
    found = []
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if act := (STATES | MORE)[address]:
        act(page)
    page.mouse.move(0, 0)  # Streamlit puts a tooltip outside all landmarks
    expect(page.get_by_role("tooltip")).to_have_count(0)
    page.evaluate(AXE)
    looks = dict.fromkeys(product(SIZES, ("light", "dark")), "") if helpers.THOROUGH else LOOKS
    for (size, scheme), about in looks.items():
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(".stApp")).to_have_css("color-scheme", scheme)
        settled(page)
        found += [f"{size}, {scheme}: {': '.join(words)}" for words in page.evaluate(CHECK, about)]
    assert not found, "\n".join(found)

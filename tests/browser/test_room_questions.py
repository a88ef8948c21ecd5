"""Questions to a room in real browsers: a host and seats ask, answer, close and reveal."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from playground.lessons.lesson import fill, lessons
from tests.helpers import until

pytestmark = pytest.mark.browser

LESSON = "/learn?lesson=attention"
BLOCK = 1
"""Of the lesson: a question with choices."""
QUICK = "task.max_length=4&model.d_model=16&model.d_ff=32&training.steps=150&training.stop_when_solved=False"
WEIGHTS = "/step_through?model=reverse-1-16&input=3+1+4&operation=decoder.layers.0.cross_attention.attention.weights"
MODULES = """async () => {
  const {default: load} = await import(document.querySelector("script[src*='/scripts-']").src);
  window.client = await load("room/room_client");
  window.shown = await load("parts/shown");
}"""
"""Script: modules of the page."""
STATE = "() => client.room.value.state"

Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, server: str, page: Page) -> Visit:
    """Opens a page of the app as another person."""

    def opened(address: str, **options) -> Page:
        one = browser.new_context(
            base_url=server, **({"viewport": {"width": 1440, "height": 1000}} | options)
        ).new_page()
        one.goto(address)
        one.evaluate(MODULES)
        return one

    return opened


def host_of(visit: Visit, address: str) -> tuple[Page, str]:
    """A host at a page, and the code of the new room."""
    host = visit(address)
    assert host.evaluate("() => client.open()") == ""
    return host, host.evaluate("() => client.room.value.code")


def seat_of(visit: Visit, address: str, code: str, **options) -> Page:
    return visit(f"{address}{'&' if '?' in address else '?'}room={code}", **options)


def area(page: Page) -> Locator:
    return page.locator(".room-question .question")


def press(page: Page, name: str) -> None:
    page.locator(".room-question").get_by_role("button", name=name, exact=True).click()


def ask(host: Page, kind: str, text: str = "") -> None:
    """The host's own question."""
    press(host, "Ask …")
    window = host.get_by_role("dialog", name="Ask the room")
    window.get_by_text(kind, exact=True).click()
    if text:
        window.get_by_label("Question", exact=True).fill(text)
    window.get_by_role("button", name="Ask the room", exact=True).click()
    expect(window).to_be_hidden()


def own(page: Page) -> Locator:
    return area(page).locator("p.own")


def test_a_lesson_s_question_is_asked_answered_closed_and_revealed(visit: Visit):
    host, code = host_of(visit, LESSON)
    one, other = seat_of(visit, LESSON, code), seat_of(visit, LESSON, code)
    expect(one.locator(".ask-room").first).to_be_hidden()
    host.get_by_role("button", name="Ask the room: Scores are dot products").click()
    question = lessons()["attention"].questions[BLOCK]
    facts = lessons()["attention"].facts(0)
    choices = [fill(choice, facts) for choice in question.choices]
    for page in (host, one, other):
        expect(area(page).get_by_text("Which key has the largest dot product")).to_be_visible()
        expect(area(page).get_by_role("timer")).to_have_text(re.compile(r"^\d+ s left$"))
        expect(page.locator(f"[data-block='{BLOCK}']")).to_be_in_viewport()
    expect(one.locator(f".st-key-given-{BLOCK + 1}")).to_be_hidden()  # its answer would be seen before the others'
    expect(one.locator(f".st-key-given-{BLOCK}")).to_be_visible()
    for choice in choices[:2]:  # the last one counts
        area(one).get_by_role("radio", name=choice).check()
        expect(own(one)).to_have_text(f"Your answer: {choice}. You can change it until the question closes.")
    press(other, "Pass")
    expect(own(other)).to_contain_text("You passed")
    for page in (host, one, other):
        expect(area(page).get_by_text("2 of 2 answered")).to_be_visible()
        assert not {"result", "truth", "why"} & set(page.evaluate(STATE)["question"])
    one.reload()
    one.evaluate(MODULES)
    expect(area(one).get_by_role("radio", name=choices[1])).to_be_checked()
    expect(own(one)).to_contain_text(f"Your answer: {choices[1]}")
    area(one).get_by_role("radio", name=choices[1]).focus()
    press(host, "Close")
    expect(area(one)).to_be_focused()
    expect(own(one)).to_contain_text("The question is closed. The answer appears when the host reveals it.")
    expect(area(one).get_by_role("radio")).to_have_count(0)
    late = one.evaluate("() => client.send('answer', {question: 1, answer: 0})")
    assert (late["status"], late["why"]) == (409, "This question is closed.")
    expect(host.locator(f".st-key-answer-{BLOCK + 1}")).to_have_count(0)
    press(host, "Reveal")
    truth = fill(question.answer, facts)
    for page, amounts in ((host, ""), (one, "your answer"), (other, "")):
        expect(area(page).get_by_text(f"Right answer: {truth}")).to_be_visible()
        expect(area(page).locator("li").nth(1)).to_contain_text(choices[1])
        expect(area(page).locator("li").nth(1).locator("b")).to_have_text("1")
        expect(area(page).locator("li").nth(1).locator(".tag")).to_have_text(
            ", ".join(filter(None, ("right answer" if choices[1] == truth else "", amounts)))
        )
        expect(area(page).get_by_text("1 passed")).to_be_visible()
        expect(area(page).get_by_text("Why?")).to_be_visible()
    expect(one.locator(f".st-key-given-{BLOCK + 1}")).to_be_visible()
    assert one.evaluate("document.body.innerText").count(one.evaluate("client.room.value.seat.name")) <= 1
    press(host, "Ask again")
    expect(area(one).get_by_role("radio")).to_have_count(len(choices))
    expect(own(one)).to_be_hidden()
    press(host, "Reveal")
    press(host, "Done")
    for page in (host, one, other):
        expect(area(page)).to_be_hidden()


def test_a_cell_is_picked_on_the_heatmap_whose_values_wait_for_reveal(visit: Visit):
    host, code = host_of(visit, WEIGHTS)
    one = seat_of(visit, WEIGHTS, code)
    other = seat_of(visit, "/learn", code, viewport={"width": 390, "height": 844})
    tiles = one.locator(".outputs .tile")
    expect(tiles).to_have_count(4)
    expect(host.locator(".outputs .tile")).to_have_count(4)
    pixels = "(tile) => tile.querySelector('canvas').toDataURL()"
    before = tiles.nth(1).evaluate(pixels)
    ask(host, "A cell")
    for page in (one, other):
        expect(area(page).get_by_text("Where is the largest value of Weights?")).to_be_visible()
    expect(one.locator(".outputs[data-picks]")).to_be_visible()
    expect(tiles.first).to_be_in_viewport(ratio=1)
    assert tiles.nth(1).evaluate(pixels) != before
    address = one.url

    def picks() -> bool:
        marks = tiles.nth(1).locator(".marks").bounding_box()
        assert marks
        one.mouse.click(marks["x"] + marks["width"] * 0.9, marks["y"] + marks["height"] * 0.1)
        return "Your answer: head 2, row 1, column 3." in (own(one).text_content() or "")

    until(picks)  # the output may still be scrolling into view
    expect(tiles.nth(1).locator(".mark.asked.own")).to_be_visible()
    assert one.url == address  # no cell is locked, and no script runs
    tiles.nth(0).focus()
    one.keyboard.press("ArrowDown")
    one.keyboard.press("ArrowDown")
    one.keyboard.press("Enter")
    expect(own(one)).to_contain_text("Your answer: head 1, row 3, column 3.")
    expect(one.locator(".playground-room .where")).to_have_text("Following")  # an answer is no exploring
    area(other).get_by_text("Type it instead").click()
    head, row, column = (area(other).get_by_label(re.compile(name)) for name in ("^Head", "^Row", "^Column"))
    head.fill("2")
    row.fill("1")
    column.fill("4")
    press(other, "Send")
    expect(area(other).get_by_role("alert")).to_have_text("Column is a whole number from 1 to 3.")
    expect(head).to_have_value("2")
    column.fill("3")
    press(other, "Send")
    expect(own(other)).to_contain_text("head 2, row 1, column 3")
    press(host, "Reveal")
    expect(area(host).get_by_text("Right answer: ")).to_be_visible()
    truth = host.evaluate(STATE)["question"]["truth"].split()
    words = ", ".join(f"{name} {int(at) + 1}" for name, at in zip(("head", "row", "column"), truth))
    for page in (host, one, other):
        expect(area(page).get_by_text(f"Right answer: {words}")).to_be_visible()
    for page in (host, one):
        expect(page.locator(".mark.asked.true")).to_have_count(1)
        expect(page.locator(".mark.asked.given")).to_have_text(["1", "1"])
    assert tiles.nth(2).evaluate(pixels) == host.locator(".outputs .tile").nth(2).evaluate(pixels)


def test_a_value_of_a_locked_cell_is_asked_and_stays_hidden(visit: Visit):
    host, code = host_of(visit, f"{WEIGHTS}&cell=1-0-2")
    one = seat_of(visit, WEIGHTS, code)
    expect(host.locator(".outputs .tile")).to_have_count(4)
    expect(one.locator(".outputs .tile")).to_have_count(4)
    host.locator(".outputs .tile").nth(1).click()
    host.wait_for_function("() => shown.output.value.cell")
    ask(host, "A number")
    expect(area(one).get_by_text("Which value has Weights at head 2, row")).to_be_visible()
    field = area(one).get_by_label("Your answer, a number")
    assert field.get_attribute("inputmode") == "decimal"
    field.fill("a lot")
    press(one, "Send")
    expect(area(one).get_by_role("alert")).to_have_text("This isn't a number. Type one such as 1.5.")
    field.fill("87,950")
    expect(area(one).get_by_text("Read as 87,950")).to_be_visible()
    field.fill("0,25")
    field.press("Enter")
    expect(own(one)).to_contain_text("Your answer: 0.25.")
    press(one, "Change the sign")
    expect(field).to_have_value("−0.25")
    expect(host.locator(".outputs .tile").first).to_be_visible()
    expect(host.locator(".tensors").get_by_role("button", name="Show as table")).to_be_disabled()
    press(host, "Reveal")
    expect(area(one).get_by_text("True value: ")).to_be_visible()
    expect(area(one).locator("li.own")).to_contain_text("your answer")
    expect(host.locator(".tensors").get_by_role("button", name="Show as table")).to_be_enabled()


def test_a_point_of_the_loss_is_placed_on_the_chart(visit: Visit):
    host, code = host_of(visit, f"/train?{QUICK}")
    host.get_by_role("button", name="Train", exact=True).click()
    host.wait_for_function("() => shown.curve.value?.step >= 10")
    run = host.evaluate("() => shown.curve.value.run")
    one = seat_of(visit, f"/train?run={run}", code)
    expect(one.locator(".panel.loss canvas")).to_be_visible()
    press(host, "Ask …")
    window = host.get_by_role("dialog", name="Ask the room")
    window.get_by_text("A point of the loss", exact=True).click()
    expect(window.get_by_label("At step")).not_to_have_value("")
    window.get_by_label("At step").fill("40")
    expect(window.get_by_label("Question", exact=True)).to_have_attribute(
        "placeholder", "Where will the loss be at step 40?"
    )
    host.keyboard.press("Escape")
    ask(host, "A point of the loss", "Where will it end?")
    expect(one.locator(".panel.loss .plot[data-picks]")).to_be_visible()
    expect(area(one).get_by_label("Step")).to_have_value("40")
    one.locator(".panel.loss .plot").click()
    expect(own(one)).to_have_text(re.compile(r"^Your answer: loss [\d.]+ at step \d+\."))
    expect(one.locator(".panel.loss .asked .own")).to_be_visible()
    area(one).get_by_label("Step").fill("30")
    area(one).get_by_label("Loss").fill("1,5")
    press(one, "Send")
    expect(own(one)).to_contain_text("Your answer: loss 1.5 at step 30.")
    host.wait_for_function("() => shown.curve.value.step >= 40")
    press(host, "Reveal")
    for page in (host, one):
        expect(area(page).get_by_text("True value: ")).to_be_visible()
    assert host.evaluate(STATE)["question"]["truth"] in area(one).inner_text()
    expect(host.locator(".panel.loss .asked .given")).to_have_text("1")
    expect(area(host).locator("li")).to_contain_text("loss 1.5 at step 30")


def test_a_host_s_own_question_keeps_its_draft_and_shows_what_is_refused(visit: Visit):
    host, code = host_of(visit, "/generate")
    one = seat_of(visit, "/generate", code)
    press(host, "Ask …")
    window = host.get_by_role("dialog", name="Ask the room")
    expect(window.get_by_role("radio", name="60 s")).to_be_focused()
    window.get_by_label("Question", exact=True).fill("Which letter comes next?")
    window.get_by_label("Choice 1", exact=True).fill("a")
    window.get_by_label("Choice 2", exact=True).fill("a")
    host.keyboard.press("Escape")
    press(host, "Ask …")
    window.get_by_role("button", name="Ask the room", exact=True).click()
    expect(window.get_by_role("alert")).to_have_text("This question isn't allowed: two choices are the same.")
    expect(window.get_by_label("Question", exact=True)).to_have_value("Which letter comes next?")
    window.get_by_label("Choice 2", exact=True).fill("<b>b</b>")
    window.get_by_label("Choice 2 is right").check()
    window.get_by_label("Why?").fill("It is the second.")
    window.get_by_text("No limit").click()
    window.get_by_role("button", name="Ask the room", exact=True).click()
    expect(window).to_be_hidden()
    expect(area(one).get_by_role("timer")).to_be_empty()
    area(one).get_by_text("<b>b</b>").click()
    expect(own(one)).to_contain_text("Your answer: <b>b</b>")
    press(host, "Reveal")
    expect(area(one).get_by_text("Right answer: <b>b</b>")).to_be_visible()
    expect(area(one).get_by_text("Why? It is the second.")).to_be_visible()


def test_a_question_closes_by_itself_and_tells_those_who_listen(visit: Visit):
    host, code = host_of(visit, "/generate")
    one = seat_of(visit, "/generate", code)
    assert host.evaluate("() => client.send('ask', {kind: 'number', text: 'How many?', seconds: 1})")["ok"]
    status = one.locator(".room-question > .unseen")
    expect(status).to_have_attribute("role", "status")
    expect(own(one)).to_contain_text("The question is closed.")
    expect(status).to_have_text("The question is closed.")
    press(host, "Reveal")
    expect(status).to_have_text("The answers are revealed.")
    expect(area(one).get_by_text("No answers.")).to_be_visible()
    assert host.evaluate("() => client.send('end')")["ok"]
    expect(area(one)).to_be_hidden()


@pytest.mark.wcag("1.4.10", "2.5.8")
def test_on_a_phone_all_of_a_question_can_be_reached_and_pressed(visit: Visit):
    host, code = host_of(visit, LESSON)
    phone = seat_of(visit, "/learn", code, viewport={"width": 390, "height": 844}, has_touch=True)
    for block in (1, 2):
        host.locator(f'[data-block="{block}"] .ask-room').click()
        expect(area(phone).locator("header b")).to_have_text(f"Question {block}")
        for control in area(phone).locator("label, button").filter(visible=True).all():
            control.scroll_into_view_if_needed()
            box = control.bounding_box()
            assert box
            assert box["width"] >= 24
            assert box["height"] >= 24
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390

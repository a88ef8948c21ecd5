"""Lessons on the Learn page: they ask, wait for an answer, and keep it for the visitor."""

import json
import re

import pytest

from playground.lessons.lesson import fill, lessons
from playground.ui.session.services import services
from tests.helpers import messages, written
from tests.pages import button, fine, host, link_to, page

__all__ = ["host"]  # a fixture that acts by itself

FIRST = next(iter(lessons().values()))
ASKED = next(index for index, question in FIRST.questions.items() if question.choices)


def open_lesson(name: str = FIRST.name, **seeded):
    return page("learn.py", **{"lesson name": name, **seeded})


def choices(seed: int = 0) -> tuple[list[str], str]:
    """The choices of the first question that has some, and the right one."""
    question, facts = FIRST.questions[ASKED], FIRST.facts(seed)
    return [fill(choice, facts) for choice in question.choices], fill(question.answer, facts)


def choose(app, answer: str, seed: int = 0):
    app.radio(key=f"lesson answer {FIRST.name} {ASKED} {seed}").set_value(answer).run()
    return fine(app.button(key=f"check {FIRST.name} {ASKED}").click().run())


@pytest.mark.parametrize("name", lessons())
def test_every_lesson_opens_and_shows_all_it_has_once_everything_is_answered(name):
    found = lessons()[name]
    app = open_lesson(name)
    for index in found.questions:
        app = fine(app.button(key=f"reveal-{index + 1}").click().run())
    for block in found.blocks:
        assert fill(block.title, found.facts(0)) in [each.value for each in app.subheader]
    answered = [each for each in messages(app) if each.startswith("The answer: ")]
    assert len(answered) == sum(block.question is not None and block.exercise is None for block in found.blocks)


@pytest.mark.parametrize("name", lessons())
def test_each_question_tells_what_a_room_asks_for(name):
    lesson = lessons()[name]
    found = re.findall(r'data-lesson="([^"]*)" data-block="(\d+)" data-seed="(\d+)"', written(open_lesson(name)))
    asked = [index for index in lesson.questions if lesson.blocks[index].exercise is None]
    assert found == [(name, str(index), "0") for index in asked]


def test_what_follows_a_question_waits_for_the_answer():
    app = open_lesson()
    reveal = fill(next(part for part in FIRST.blocks[ASKED].reveal if isinstance(part, str)), FIRST.facts(0))
    assert reveal not in [each.value for each in app.markdown]
    assert app.button(key=f"check {FIRST.name} {ASKED}").disabled
    right = choices()[1]
    app = choose(app, right)
    assert f"Right: {right}" in messages(app)
    assert reveal in [each.value for each in app.markdown]


def test_a_wrong_prediction_shows_the_answer_and_can_be_changed():
    options, right = choices()
    wrong = next(option for option in options if option != right)
    app = choose(open_lesson(), wrong)
    assert f"Not quite. You predicted {wrong}; the answer is {right}." in messages(app)
    assert f"Right: {right}" in messages(choose(app, right))


@pytest.mark.parametrize(("times", "verdict"), [(1, "Right: {}"), (1.005, "Right: your {} is close enough to {}.")])
def test_a_number_within_the_tolerance_is_shown_beside_the_exact_one(times, verdict):
    index = len(lessons()["heads"].blocks) - 1
    right = fill(lessons()["heads"].questions[index].answer, lessons()["heads"].facts(0))
    given = f"{float(right) * times:.2f}"
    app = open_lesson("heads")
    app.text_input(key=f"lesson answer heads {index} 0").set_value(given)
    app = fine(app.button(key=f"check heads {index}").click().run())
    assert verdict.format(given, right) in messages(app)


def test_answers_are_kept_for_the_visitor_alone():
    choose(open_lesson(visitor="one"), choices()[1])
    assert f"Right: {choices()[1]}" in messages(open_lesson(visitor="one"))
    assert f"1 of {len(FIRST.questions)} answered" in written(page("learn.py", visitor="one"))
    assert f"0 of {len(FIRST.questions)} answered" in written(page("learn.py", visitor="other"))


def test_answers_given_in_two_tabs_are_all_kept():
    one, other = open_lesson(visitor="one"), open_lesson("heads", visitor="one")
    first, second = FIRST.questions, lessons()["heads"].questions
    for app, asked in ((one, first), (other, second), (one, first)):  # the next question of each
        index = next(index for index in asked if f"reveal-{index + 1}" in {each.key for each in app.button})
        fine(app.button(key=f"reveal-{index + 1}").click().run())
    listed = written(page("learn.py", visitor="one"))
    assert f"2 of {len(first)} answered" in listed
    assert f"1 of {len(second)} answered" in listed
    fine(button(other, "New numbers").click().run())
    assert f"2 of {len(first)} answered" in written(page("learn.py", visitor="one"))


@pytest.mark.parametrize("content", [b"", b"\xff", b"[1]", b'{"attention": 3}', b'{"attention": {"0": 5, "x": "y"}}'])
def test_a_file_of_answers_that_is_damaged_counts_as_none(content):
    choose(open_lesson(visitor="one"), choices()[1])
    (file,) = services().host.private_folder.glob("*/lessons.json")
    assert json.loads(file.read_text())
    file.write_bytes(content)
    assert f"0 of {len(FIRST.questions)} answered" in written(page("learn.py", visitor="one"))


def test_new_numbers_ask_again():
    app = choose(open_lesson(), choices()[1])
    app = fine(button(app, "New numbers").click().run())
    assert app.query_params["numbers"] == "1"
    assert not [each for each in messages(app) if each.startswith(("Right", "Not quite"))]


def test_a_link_opens_a_lesson_and_may_hide_its_buttons():
    app = open_lesson(**{"lesson controls": "off", "lesson seed": 2})
    assert not [each for each in app.button if each.label in ("All lessons", "New numbers")]
    assert app.query_params["lesson"] == FIRST.name
    assert app.query_params["numbers"] == "2"


def test_what_is_not_a_number_is_refused_and_stays():
    name, index = next(
        (name, index)
        for name, found in lessons().items()
        for index, question in found.questions.items()
        if not question.choices
    )
    app = open_lesson(name)
    app.text_input(key=f"lesson answer {name} {index} 0").set_value("about two")
    app = fine(app.button(key=f"check {name} {index}").click().run())
    assert "This isn't a number. Type one such as 1.5." in messages(app)
    assert app.text_input(key=f"lesson answer {name} {index} 0").value == "about two"
    for answer in ("2.5", "e^2"):
        app.text_input(key=f"lesson answer {name} {index} 0").set_value(answer)
        app = fine(app.button(key=f"check {name} {index}").click().run())
    assert "This isn't a number. Type one such as 1.5. Your answer is still 2.5." in messages(app)


def test_a_link_to_a_lesson_that_does_not_exist_leads_to_the_list():
    app = link_to("learn.py", lesson="alchemy<b>")
    assert "There is no lesson “alchemy<b>”. These are all lessons." in messages(app, "care")
    assert f"0 of {len(FIRST.questions)} answered" in written(app)


def test_the_numbers_of_a_lesson_in_a_link_are_no_setting_of_a_run():
    app = link_to("learn.py", lesson=FIRST.name, numbers="7")
    assert app.session_state["lesson seed"] == 7
    assert app.session_state["seed"] == link_to("learn.py").session_state["seed"]
    assert app.query_params["numbers"] == "7"

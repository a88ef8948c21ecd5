"""Assignments in browsers: a lecturer composes one, a student takes it, and the lecturer grades the receipt."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Page, expect

from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.receipt import Receipt
from playground.lessons.assignments.student_work import part_seed, seed_of
from playground.lessons.check.templates import TEMPLATES
from playground.lessons.mistakes.table import MISTAKES
from tests.browser.test_check_view import DROP
from tests.lessons.wrong import WRONG

pytestmark = pytest.mark.browser


def saved(download: Download) -> bytes:
    return Path(download.path()).read_bytes()


def test_an_assignment_goes_from_the_lecturer_to_a_student_and_back(page: Page, browser: Browser, server: str):
    page.goto("/learn?view=assignments&do=compose")
    page.get_by_role("textbox", name="Title", exact=True).fill("Week 3")
    page.get_by_role("button", name="Add", exact=True).click()
    link = page.get_by_role("textbox", name="Link for students")
    expect(link).to_be_visible()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    address = link.input_value()
    assignment = Assignment.of_link(address)

    student = browser.new_page(base_url=server)
    student.goto(address)
    expect(student.get_by_role("heading", name="Week 3")).to_be_visible()
    student.get_by_role("textbox", name="Name or number").fill("Ada Lovelace")
    student.get_by_role("button", name="Begin").click()
    answer = assignment.parts[0].solution(part_seed(seed_of(assignment, "Ada Lovelace"), 0))["answer"]
    question = student.get_by_role("radio", name=answer, exact=True)
    field = student.get_by_role("textbox", name="Answer")
    expect(question.or_(field).first).to_be_visible()
    if field.is_visible():
        field.fill(answer)
        field.press("Tab")
    else:
        question.check(force=True)
    student.get_by_role("button", name="Check answer").click()
    expect(student.get_by_text("Solved: 10 of 10 points.")).to_be_visible()
    student.reload()
    expect(student.get_by_text("Ada Lovelace: 10 of 10 points")).to_be_visible()
    student.get_by_role("button", name="To the receipt").click()
    student.get_by_role("button", name="Make the receipt").click()
    with student.expect_download() as download:
        student.get_by_role("button", name="Download the receipt").click()
    content = saved(download.value)
    receipt = Receipt.of_json(content)
    assert (receipt.work.student, receipt.total) == ("Ada Lovelace", 10)
    expect(student.get_by_role("textbox", name="Code of the receipt")).to_have_value(receipt.code)
    student.close()

    page.get_by_role("radio", name="Grade", exact=True).click()
    expect(page.get_by_role("button", name="Choose receipts")).to_be_visible()
    page.evaluate(DROP, ["ada.json", content.decode()])
    expect(page.get_by_text("1 receipt graded, 0 refused.")).to_be_visible()
    expect(page.get_by_role("cell", name="Ada Lovelace")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Points for Moodle").click()
    assert re.search(r"Ada Lovelace,,10\.0,10\.0", saved(download.value).decode())
    forged = json.loads(content) | {"points": [9.0]}
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose receipts").click()
    chooser.value.set_files(
        [
            {"name": "ada.json", "mimeType": "application/json", "buffer": json.dumps(forged).encode()},
            {"name": "x.json", "mimeType": "application/json", "buffer": b"\xff"},
        ]
    )
    expect(page.get_by_text("0 receipts graded, 2 refused.")).to_be_visible()
    expect(page.get_by_text("somebody changed the receipt")).to_be_visible()
    page.get_by_role("radio", name="Compose", exact=True).click()
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Week 3")


def test_code_is_marked_on_the_students_own_machine_and_stays_after_a_reload(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    assignment = Assignment(title="Attention", parts=(CodePart(), CodePart(part="layer-norm")))
    page.goto(f"/learn?view=assignments&assignment={assignment.word}")
    page.get_by_role("textbox", name="Name or number").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    code = page.get_by_label("Your code")
    expect(code).to_have_value(TEMPLATES["attention"])
    wrong = WRONG["no_scaling"].source()
    page.evaluate(DROP, ["mine.py", wrong])
    expect(code).to_have_value(wrong)
    page.get_by_role("button", name="Check answer").click()
    expect(page.get_by_text(MISTAKES["no-scaling"].why)).to_be_visible()
    expect(page.get_by_text("9 of 10 points left.")).to_be_visible()
    page.get_by_role("button", name="Next part").click()
    expect(code).to_have_value(TEMPLATES["layer-norm"])
    expect(page).to_have_url(re.compile(r"[?&]q=\d"))  # the address has the part: a reload shows it again
    page.reload()
    expect(code).to_have_value(TEMPLATES["layer-norm"])
    page.get_by_role("radio", name="1", exact=True).click()
    expect(code).to_have_value(wrong)
    scrolls = "() => document.querySelector('.stMain').scrollWidth - innerWidth"
    assert page.evaluate(scrolls) <= 0


def test_on_a_phone_the_next_part_and_the_receipt_begin_at_the_top(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    assignment = Assignment(title="Attention", parts=(CodePart(), CodePart(part="layer-norm")))
    page.goto(f"/learn?view=assignments&assignment={assignment.word}")
    page.get_by_role("textbox", name="Name or number").fill("4711")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Next part").click()
    expect(page.get_by_role("heading", name="2. ")).to_be_in_viewport()
    page.get_by_role("button", name="To the receipt").click()
    expect(page.get_by_role("textbox", name="Name beside the number (optional)")).to_be_in_viewport()
    make = page.get_by_role("button", name="Make the receipt")
    expect(make).to_be_in_viewport()
    make.click()
    expect(page.get_by_role("button", name="Download the receipt")).to_be_in_viewport()

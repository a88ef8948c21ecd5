"""The view of assignments, without a browser: taking, composing and grading."""

import io
import json
import zipfile
from secrets import token_urlsafe

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from playground.common.signing import signer
from playground.lessons import hunts
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.kind_table import KINDS
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import Mark
from playground.lessons.assignments.kinds.train_part import TrainPart, run_text
from playground.lessons.assignments.ready import PERSONAL, READY
from playground.lessons.assignments.receipt import PURPOSE, Receipt
from playground.lessons.assignments.student_work import Work, part_seed
from playground.lessons.lesson import lessons
from playground.ui import startup
from playground.ui.learn.assignments import compose_view, receipt_files, stored_work
from playground.ui.parts import measurements
from playground.ui.session.identity import VISITOR_COOKIE, new_visitor
from playground.ui.session.services import services
from tests.foreign_text import LONG, SHORT, markup
from tests.helpers import HANG, messages, prose, until, written
from tests.pages import ROOT, button, fine, host, new_tab, visitor

__all__ = ["host"]  # a fixture that acts by itself

QUESTIONS = Assignment(
    title="Attention and shapes",
    deadline="1 May",
    tries=3,
    parts=(LessonPart(lesson="attention", block=3, points=8), LessonPart(lesson="shapes", block=0, points=2)),
)


def opened(assignment: Assignment = QUESTIONS, **words) -> AppTest:
    return fine(new_tab("learn.py", view="assignments", assignment=assignment.word, **words))


def begun(assignment: Assignment = QUESTIONS, student: str = "Ada Lovelace") -> AppTest:
    app = opened(assignment)
    app.text_input(key="assignment student").set_value(student)
    button(app, "Begin").click().run()
    return fine(app)


def field(app: AppTest, assignment: Assignment, index: int, name: str):
    key = f"assignment answer {assignment.id} {index} {name}"
    return next(each for kind in (app.radio, app.selectbox, app.text_input) for each in kind if each.key == key)


def answer(app: AppTest, index: int, answers: dict[str, str], assignment: Assignment = QUESTIONS) -> AppTest:
    for name, value in answers.items():
        field(app, assignment, index, name).set_value(value)
    button(fine(app.run()), "Check answer").click().run()
    return fine(app)


def right(work: Work, index: int) -> dict[str, str]:
    return dict(work.assignment.parts[index].solution(work.seed_of_part(index)))


def work_of(app: AppTest, assignment: Assignment = QUESTIONS) -> Work:
    file = services().host.private_folder / visitor(app) / "assignments" / f"{assignment.id}.json"
    return stored_work.StoredWork.model_validate_json(file.read_bytes()).work


def same_visitor(app: AppTest, assignment: Assignment = QUESTIONS, **words) -> AppTest:
    """Another tab of the same browser, or this one after a reload."""
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG)
    other.session_state["visitor"] = app.session_state["visitor"]
    other.switch_page("pages/learn.py")
    for word, value in {"view": "assignments", "assignment": assignment.word, **words}.items():
        other.query_params[word] = value
    return fine(other.run())


def shown_part(app: AppTest, part: int) -> AppTest:
    app.segmented_control(key="assignment part").set_value(part)
    return fine(app.run())


def copied(app: AppTest) -> str:
    """The text to copy."""
    drawn = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("copied_text")]
    return json.loads(drawn[0].json)["text"]


def receipt_of(app: AppTest) -> Receipt:
    button(shown_part(app, 0), "Make the receipt").click().run()
    return Receipt.of_json(fine(app).session_state["assignment receipt"].as_json)


# --- taking ---


def test_nothing_is_stored_before_a_student_begins():
    app = opened()
    assert "<h2>Attention and shapes</h2>" in written(app)
    assert "2 parts, 10 points. Each part allows 3 wrong answers. Deadline: 1 May" in prose(app)
    assert "Nothing is stored until you begin." in messages(app, "note")[0]
    assert not list(services().host.private_folder.glob("*/assignments"))
    button(app, "Begin").click().run()
    assert "Use 1 to 80 characters." in messages(fine(app), "wrong")[0]
    assert not list(services().host.private_folder.glob("*/assignments"))


def test_two_students_get_different_questions():
    first, second = begun(student="Ada"), begun(student="Grace")
    assert work_of(first).seed != work_of(second).seed
    assert right(work_of(first), 0) != right(work_of(second), 0)
    grids = [[each.proto.json for each in app.get("bidi_component")] for app in (first, second)]
    assert grids[0] != grids[1]


def test_a_reload_and_another_tab_keep_the_work():
    app = begun()
    field(app, QUESTIONS, 0, "answer").set_value("7")
    fine(app.run())
    again = same_visitor(app)
    assert field(again, QUESTIONS, 0, "answer").value == "7", "what was typed but not checked"
    answer(again, 0, right(work_of(app), 0))
    assert "Solved: 8 of 8 points." in messages(again, "good")
    assert "Ada Lovelace: 8 of 10 points" in prose(fine(app.run()))
    assert field(app, QUESTIONS, 0, "answer").disabled


def test_a_wrong_answer_and_a_hint_cost_points():
    app = begun()
    answer(app, 0, {"answer": "999"})
    assert "That isn't the answer." in messages(app, "care")
    assert "The part closes after 2 more wrong answers." in prose(app)
    answer(app, 0, {"answer": "999"})
    assert work_of(app).attempts[0].wrong == 1, "the same answer again costs nothing"
    hint = next(each for each in app.button if each.label.startswith("Hint 1"))
    assert hint.label == "Hint 1 (costs 1.6 points)"
    hint.click().run()
    assert any("between" in each.value for each in fine(app).info)
    assert not any(each.label.startswith("Hint") for each in app.button)
    answer(app, 0, right(work_of(app), 0))
    assert work_of(app).points_of(0) == 5.6
    assert "Solved: 5.6 of 8 points." in messages(app, "good")


def test_an_answer_that_is_no_number_or_missing_costs_nothing():
    app = begun()
    button(app, "Check answer").click().run()
    assert "“Answer” is empty." in messages(fine(app), "wrong")[0]
    answer(app, 0, {"answer": "two"})
    assert "“Answer” isn't a number." in messages(app, "wrong")[0]
    assert work_of(app).attempts[0].wrong == 0


def test_a_part_closes_when_all_tries_are_used():
    app = begun()
    for guess in ("901", "902", "903"):
        answer(app, 0, {"answer": guess})
    assert "No tries are left: 0 of 8 points." in messages(app, "care")
    assert not any(each.label == "Check answer" for each in app.button)


def test_a_receipt_of_ones_own_machine_has_no_signature():
    app = begun()
    answer(app, 0, right(work_of(app), 0))
    receipt = receipt_of(app)
    assert (receipt.total, receipt.checked(None)) == (8, "unsigned")
    assert "This server doesn't sign receipts. Your lecturer's computer computes every answer again." in prose(app)
    assert copied(app) == receipt.code
    answer(shown_part(app, 2), 1, right(work_of(app), 1))
    assert "You have worked on since." in messages(shown_part(app, 0), "care")[0]
    assert receipt_of(app).total == 10


def test_a_shared_host_signs_the_receipt(host):
    host(mode="shared")
    app = begun()
    answer(app, 0, {"answer": "999"})
    receipt = receipt_of(app)
    assert receipt.checked(signer(services().host.private_folder, PURPOSE)) == "signed"
    assert "This server signs the receipt." in prose(app)


def test_an_assignment_of_another_server_warns():
    app = opened(QUESTIONS.model_copy(update={"server": "a" * 12}))
    assert "must be signed by another server" in messages(app, "care")[0]


def test_a_hunt_of_an_assignment_trains_the_students_own_mistake(monkeypatch):
    small = {"training.steps": 4, "training.warmup_steps": 2, "training.eval_every": 4, "training.batch_size": 8}
    small |= {"task.max_length": 4, "model.d_model": 16, "model.d_ff": 16}
    monkeypatch.setattr(hunts, "SETTINGS", hunts.SETTINGS.updated(small))
    assignment = Assignment(title="Hunt", parts=(HuntPart(),))
    app = begun(assignment)
    button(app, "Start training").click().run()
    (run,) = services().runs.of(visitor(app))
    assert run.wait("finished"), run.message
    assert run.metadata.hides_pitfall
    assert run.metadata.hunt.seed == work_of(app, assignment).seed_of_part(0)
    answer(fine(app.run()), 0, right(work_of(app, assignment), 0), assignment)
    assert work_of(app, assignment).points == 10


def test_a_run_is_handed_in_and_trained_again():
    assignment = Assignment(title="Train", parts=(TrainPart(task="copy", max_steps=20, max_parameters=50_000),))
    app = begun(assignment)
    config = assignment.parts[0].start(work_of(app, assignment).seed_of_part(0))
    run = services().runs.start(visitor(app), config)
    assert run.wait("finished"), run.message
    fine(app.run())
    field(app, assignment, 0, "run").set_value(run.id)
    button(fine(app.run()), "Check answer").click().run()
    fine(app)
    until(lambda: all(job.done for job in services().measurements.jobs(visitor(app))))
    assert "Trained again, the model isn't solved after 20 steps." in messages(fine(app.run()), "care")
    attempt = work_of(app, assignment).attempts[0]
    assert (attempt.wrong, attempt.answer) == (1, {"run": run_text(config)})


def test_a_shared_host_stores_code_and_runs_none(host):
    host(mode="shared")
    assignment = Assignment(title="Code", parts=(CodePart(part="masks"),))
    app = begun(assignment)
    app.text_area(key="assignment code").set_value("def masks(): pass")
    button(fine(app.run()), "Hand in").click().run()
    assert "Your code is stored." in messages(fine(app), "note")
    (attempt,) = work_of(app, assignment).attempts
    assert (attempt.marked, attempt.answer) == (False, {"code": "def masks(): pass"})
    assert app.text_area(key="assignment code").value == "def masks(): pass"
    assert same_visitor(app, assignment).text_area(key="assignment code").value == "def masks(): pass"


def test_work_is_listed_and_can_be_deleted():
    app = begun()
    app.session_state["assignment"] = ""
    assert "0 of 10 points, as Ada Lovelace" in prose(fine(app.run()))
    button(app, "Delete").click().run()
    next(each for each in fine(app).button if each.key == "question agreed").click().run()
    assert not list(services().host.private_folder.glob("*/assignments/*.json"))


@pytest.mark.parametrize("word", ["x", LONG, QUESTIONS.word[:-4], "A" * 5000])
def test_a_damaged_link_gets_one_sentence(word):
    app = fine(new_tab("learn.py", view="assignments", assignment=word))
    assert messages(app, "wrong") == ["The link has no valid assignment. Copy the whole link again."]
    assert not markup(app)


@pytest.mark.parametrize("text", SHORT)
def test_what_a_lecturer_or_a_student_writes_is_text(text):
    assignment = Assignment(title=text, about=text, deadline=text, parts=QUESTIONS.parts)
    assert not markup(opened(assignment))
    app = begun(assignment, student=text)
    assert not markup(app)
    receipt_of(app)
    assert not markup(app)
    other = new_tab("learn.py", view="assignments", do="compose", draft=assignment.word)
    assert not markup(fine(other))


# --- composing ---


def composing(**words) -> AppTest:
    return fine(new_tab("learn.py", view="assignments", do="compose", **words))


def composed(app: AppTest) -> Assignment:
    return Assignment.of_link(copied(app))


def test_a_ready_assignment_becomes_a_link_that_opens():
    app = composing()
    assert "Give the assignment a title." in messages(app, "care")
    app.selectbox(key="draft ready").set_value("homework")
    button(fine(app.run()), "Start from it").click().run()
    assert composed(fine(app)) == READY["homework"]
    app.text_input(key="draft title").set_value("Our homework")
    assignment = composed(fine(app.run()))
    assert (assignment.title, assignment.parts) == ("Our homework", READY["homework"].parts)
    assert "<h2>Our homework</h2>" in written(opened(assignment))
    assert not list(services().host.private_folder.glob("*/assignments"))


@pytest.mark.parametrize("kind", KINDS)
def test_parts_of_each_kind_can_be_added_moved_and_removed(kind):
    app = composing()
    app.text_input(key="draft title").set_value("One of each")
    app.selectbox(key="draft kind").set_value(kind)
    button(fine(app.run()), "Add").click().run()
    button(fine(app), "Add").click().run()
    points = next(each for each in fine(app).number_input if each.key == "draft field 2 points")
    points.set_value(7)
    assert [part.points for part in composed(fine(app.run())).parts] == [10, 7]
    assert {part.kind for part in composed(app).parts} == {kind}
    next(each for each in app.button if each.key == "draft Up 2").click().run()
    assert [part.points for part in composed(fine(app)).parts] == [7, 10]
    next(each for each in app.button if each.key == "draft remove 1").click().run()
    assert [part.points for part in composed(fine(app)).parts] == [7]


def test_a_draft_survives_a_reload_and_another_view():
    app = composing(draft=QUESTIONS.word)
    assert composed(app) == QUESTIONS
    app.text_input(key="draft title").set_value("Changed")
    fine(app.run())
    assert Assignment.of_word(app.query_params["draft"]).title == "Changed"
    app.segmented_control(key="learn view").set_value("hunt")
    fine(app.run())
    app.segmented_control(key="learn view").set_value("assignments")
    assert composed(fine(app.run())).title == "Changed"
    button(app, "Start empty").click().run()
    assert "Give the assignment a title." in messages(fine(app), "care")
    button(app, "Restore my draft").click().run()
    assert composed(fine(app)).title == "Changed"


def test_a_draft_that_is_too_long_for_a_qr_code_says_so():
    words = "".join(chr(0x4E00 + number * 7 % 20000) for number in range(400))
    app = composing(draft=QUESTIONS.word)
    app.text_input(key="draft title").set_value(words[:80])
    app.text_input(key="draft about").set_value(words)
    fine(app.run())
    assert composed(app).about == words
    assert "This link is too long for a QR code." in prose(app)


def test_the_preview_shows_a_random_students_question_and_answer_and_nobodys_by_name(monkeypatch):
    seeds = iter((11, 12))
    monkeypatch.setattr(compose_view.secrets, "randbelow", lambda below: next(seeds))
    app = composing(draft=QUESTIONS.word)
    for seed in (11, 12):
        shown = [each for each in messages(app, "note") if each.startswith("Answer: ")]
        assert shown == [f"Answer: {QUESTIONS.parts[0].solution(part_seed(seed, 0))['answer']}"]
        if seed == 11:
            button(app, "Another sample").click().run()
            fine(app)
    assert not [each for each in app.text_input if each.label in ("Student", "Name or number")]


def test_the_preview_keeps_an_answer_that_all_students_share():
    block = next(each for each in lessons()["attention"].questions if each not in PERSONAL["attention"])
    app = composing(draft=Assignment(title="Same", parts=(LessonPart(lesson="attention", block=block),)).word)
    assert "All students have the same answer, so the preview doesn't show it." in prose(app)
    assert not [each for each in messages(app, "note") if each.startswith("Answer: ")]


def test_no_limit_of_wrong_answers_is_an_empty_field():
    app = composing(draft=QUESTIONS.word)
    tries = app.number_input(key="draft tries")
    assert (tries.value, tries.min, tries.proto.placeholder) == (3, 1, "No limit")
    tries.set_value(None)
    assignment = composed(fine(app.run()))
    assert assignment.tries == 0
    assert "Each part allows any number of wrong answers." in prose(opened(assignment))
    assert composing(draft=assignment.word).number_input(key="draft tries").value is None


@pytest.mark.parametrize(("student", "asks"), [("4711-22", True), ("s123456", True), ("Ada 2", False)])
def test_only_a_number_gets_a_name_beside_it(student, asks):
    app = begun(student=student)
    app.session_state["assignment student name"] = "Ada"
    assert receipt_of(app).name == ("Ada" if asks else "")
    assert [each.label for each in app.text_input if "beside" in each.label] == (
        ["Name beside the number (optional)"] * asks
    )


# --- grading ---


def receipt(student: str, assignment: Assignment = QUESTIONS, answers: int = 2) -> bytes:
    """The receipt of a student who has answered the first parts rightly."""
    work = Work.begin(assignment, student)
    for index in range(answers):
        given = right(work, index)
        work = work.answered(index, given, assignment.parts[index].judge(work.seed_of_part(index), given))
    return Receipt.of(work, None).as_json


def graded(files: dict[str, bytes], **seeded) -> AppTest:
    """The view of a lecturer who has dropped these files."""
    app = fine(new_tab("learn.py", view="assignments", do="grade"))
    batch = token_urlsafe(16)
    receipt_files._kept.put(batch, receipt_files.ReceiptFiles(visitor(app), tuple(files.items())))
    for key, value in {"receipts batch": batch, **seeded}.items():
        app.session_state[key] = value
    fine(app.run())
    until(lambda: all(job.done for job in services().measurements.jobs(visitor(app))))
    return fine(app.run())


def test_receipts_are_graded_and_refused_with_reasons():
    files = {"ada.json": receipt("Ada"), "bob.json": receipt("Bob", answers=1), "notes.json": b"{}"}
    files["eve.json"] = files["ada.json"].replace(b'"Ada"', b'"Eve"')
    app = graded(files)
    assert "2 receipts graded, 2 refused." in prose(app)
    table, refused = (each.proto.body for each in app.get("html") if "<table" in each.proto.body)
    assert table.index("Ada") < table.index("Bob")
    assert "<td>10</td><td>8 + 2</td>" in table
    assert "<td>8</td><td>8 + 0</td>" in table
    assert "2 receipts not signed; computed again: The points follow from the answers." in prose(app)
    assert "notes.json" in refused
    assert "The seed isn&#x27;t this student&#x27;s" in refused
    assert [each.proto.label for each in app.get("download_button")] == ["Points for Moodle", "Points for Canvas"]
    assert not receipt_files._kept.items(), "the receipts are dropped"
    assert not [key for key, _ in measurements._known.items() if key[0] == "grade"], "only this tab has the result"
    button(app, "Clear the points").click().run()
    assert not app.get("download_button")
    assert "receipts graded" not in app.session_state


def test_receipts_of_two_assignments_need_its_link():
    other = QUESTIONS.model_copy(update={"title": "Another one"})
    files = {"ada.json": receipt("Ada"), "bob.json": receipt("Bob", other)}
    app = graded(files)
    assert "The receipts belong to several assignments" in messages(app, "wrong")[0]
    app.text_input(key="receipts link").set_value(f"https://host.test/learn?assignment={other.word}")
    fine(app.run())
    until(lambda: all(job.done for job in services().measurements.jobs(visitor(app))))
    assert "1 receipt graded, 1 refused." in prose(fine(app.run()))


def test_code_runs_only_on_an_own_machine_that_agreed(host):
    assignment = Assignment(title="Code", parts=(CodePart(part="masks"),))
    work = Work.begin(assignment, "Ada").answered(0, {"code": "def masks(): pass"}, Mark(0.0, marked=False))
    app = graded({"ada.json": Receipt.of(work, None).as_json})
    assert "1 answer with code not marked here." in messages(app, "note")[0]
    assert "python -m playground grade" in messages(app, "note")[0]
    host(mode="shared")
    app = graded({"ada.json": Receipt.of(work, None).as_json}, **{"receipts run code": True})
    assert "1 answer with code not marked here." in messages(app, "note")[0]


@pytest.mark.parametrize("text", SHORT[::3])
def test_names_in_receipts_are_text(text):
    assignment = QUESTIONS.model_copy(update={"title": text})
    app = graded({f"{text}.json": receipt(text, assignment), f"{text} 2.json": b"{}"})
    assert "1 receipt graded, 1 refused." in prose(app)
    assert not markup(app)


def packed(files: dict[str, bytes]) -> bytes:
    head = json.dumps([[name, len(content)] for name, content in files.items()])
    return b"\n".join([head.encode(), b"".join(files.values())])


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def sent(client: TestClient, content: bytes):
    return client.post("/receipts", content=content, headers={"sec-fetch-site": "same-origin"})


def test_files_of_a_browser_are_its_own_and_replace_earlier_ones():
    client = TestClient(Starlette(routes=startup.routes()), cookies={VISITOR_COOKIE: new_visitor()})
    files = {"ada.json": b"{}", "all.zip": zipped({"Bob_1/bob.json": b"[]", "Bob_1/read me.txt": b"x"})}
    first, second = (sent(client, packed(files)).json()["batch"] for _ in range(2))
    assert receipt_files._kept.get(first) is None
    assert receipt_files._kept.get(second).files == (("ada.json", b"{}"), ("Bob_1/bob.json", b"[]"))
    assert receipt_files.find(second) == (), "another visitor's"
    client.cookies.clear()
    assert "no cookie" in sent(client, packed(files)).json()["problem"]


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        (b"", 422, "damaged"),
        (b'[["a.json", 5]]\nabc', 422, "damaged"),
        (b"[[1, 2]]\n", 422, "damaged"),
        (packed({f"{number}.json": b"" for number in range(501)}), 422, "damaged"),
        (packed({"a.zip": b"PK"}), 422, "isn't a zip file"),
        (packed({"a.zip": zipped({"a.json": b"{}"})[:-30]}), 422, "isn't a zip file"),
        (packed({"a.zip": zipped({f"{number}.json": b"" for number in range(501)})}), 413, "At most 500 receipts"),
        (packed({"a.zip": zipped({f"{number}.json": bytes(500_000) for number in range(60)})}), 413, "At most 500"),
    ],
    ids=["empty", "short", "names", "many", "cut zip", "cut archive", "many packed", "large packed"],
)
def test_damaged_and_large_uploads_get_a_sentence(content, status, words):
    client = TestClient(Starlette(routes=startup.routes()), cookies={VISITOR_COOKIE: new_visitor()})
    before = receipt_files._kept.items()
    answer = sent(client, content)
    assert (answer.status_code, words in answer.json()["problem"]) == (status, True), answer.json()
    assert receipt_files._kept.items() == before

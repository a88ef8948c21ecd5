"""Personal assignments: links, seeds, marks and receipts."""

import re
from pathlib import Path

import pytest
from itsdangerous import Signer
from pydantic import ValidationError

from playground.common.signing import signer
from playground.lessons.assignments.assignment import MAX_WORD, Assignment
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import AssignmentError, Mark
from playground.lessons.assignments.kinds.train_part import TrainPart, read_run, run_text
from playground.lessons.assignments.receipt import PURPOSE, ForgedError, Receipt, key_id
from playground.lessons.assignments.student_work import Work, part_seed, seed_of
from playground.lessons.hunts import HINT_COSTS, MAX_POINTS
from tests.made_up_class import solved

ATTENTION = LessonPart(lesson="attention", block=3, points=4)
THREE = Assignment(title="Three parts", parts=(ATTENTION, HuntPart(), LessonPart(lesson="shapes", block=0)))
RIGHT, WRONG = Mark(1.0), Mark(0.0)


@pytest.fixture
def key(tmp_path: Path) -> Signer:
    return signer(tmp_path, PURPOSE)


# --- links ---


def test_a_link_carries_all_of_it():
    parts = (*THREE.parts, TrainPart(max_parameters=5000), CodePart(part="masks", points=3))
    assignment = Assignment(title="Wörk", about="Read § 3.", deadline="1 May", tries=2, server="a" * 12, parts=parts)
    assert Assignment.of_link(f"https://host.test/learn?assignment={assignment.word}&view=x") == assignment
    assert Assignment.of_word(assignment.word).id == assignment.id
    assert len(assignment.word) < MAX_WORD / 4


def test_other_contents_have_another_id():
    words = [THREE.model_copy(update=change) for change in ({"title": "x"}, {"tries": 1}, {"parts": THREE.parts[:2]})]
    assert len({THREE.id, *(each.id for each in words)}) == 4


@pytest.mark.parametrize(
    "word", ["", "x", "ä", "=", "A" * 5000, THREE.word[:-3], THREE.word + "AAAA", THREE.word[:9] + "?", "?assignment="]
)
def test_a_damaged_link_gets_a_sentence(word):
    with pytest.raises(AssignmentError, match=r"no valid assignment\. Copy the whole link"):
        Assignment.of_link(word)


def test_a_word_cannot_grow_without_bound():
    bomb = Assignment.model_construct(title="0" * 10**6, parts=())
    with pytest.raises(AssignmentError, match="no valid assignment"):
        Assignment.of_word(bomb.word)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ('"title":"a"', "parts: Field required"),
        ('"title":"a","parts":[]', "parts: "),
        ('"title":"a","parts":[{"kind":"magic"}]', "parts.0: "),
        ('"title":"a","parts":[{"kind":"lesson","lesson":"attention","block":20}]', "The lesson has no question there"),
        ('"title":"a","parts":[{"kind":"hunt","points":0}]', "points"),
        ('"title":"a","parts":[{"kind":"hunt","points":"3"}]', "points"),
        ('"title":"\\u200b","parts":[{"kind":"hunt"}]', "no visible characters"),
        ('"title":"a","evil":1,"parts":[{"kind":"hunt"}]', "evil: "),
    ],
)
def test_an_invalid_assignment_gets_the_place_and_the_problem(changes, says):
    with pytest.raises(AssignmentError) as caught:
        Assignment.of_json(f"{{{changes}}}".encode())
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# --- students ---


def test_one_student_has_one_seed_however_they_write_their_name():
    assert len({seed_of(THREE, name) for name in ("Änne Groß", " änne  GROSS", "ＡＮＮＥ", "anne")}) == 2
    assert len({seed_of(THREE, str(number)) for number in range(1000)}) == 1000
    assert seed_of(THREE, "anne") != seed_of(THREE.model_copy(update={"title": "x"}), "anne")
    assert all(0 <= part_seed(seed_of(THREE, "anne"), index) < 2**31 for index in range(20))


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "x" * 81])
def test_a_student_needs_a_name(name):
    with pytest.raises(AssignmentError, match="Use 1 to 80 characters"):
        Work.begin(THREE, name)


def test_a_right_answer_earns_all_points_and_a_neighbour_s_none():
    anne, bert = solved(THREE, "anne"), Work.begin(THREE, "bert")
    assert anne.points == THREE.points == 24
    for index, part in enumerate(THREE.parts):
        answer = anne.attempts[index].answer
        bert = bert.answered(index, answer, part.judge(bert.seed_of_part(index), answer))
    assert bert.points == 0


def test_hints_and_wrong_answers_cost_tenths():
    work = Work.begin(THREE, "anne").with_hint(1).with_hint(1).answered(1, {"part": "x"}, WRONG)
    work = work.answered(1, {"part": "y"}, RIGHT)
    assert work.points == 10 - 2 * HINT_COSTS - 1 == 5
    assert work.answered(1, {"part": "z"}, WRONG) == work, "it is closed"
    assert work.with_hint(1) == work


def test_the_same_answer_twice_costs_once_and_tries_end():
    work = Work.begin(THREE.model_copy(update={"tries": 2}), "anne").answered(0, {"answer": "1"}, WRONG)
    assert work.answered(0, {"answer": "1"}, WRONG) == work
    work = work.answered(0, {"answer": "2"}, WRONG)
    assert work.is_closed(0)
    assert work.answered(0, {"answer": "3"}, RIGHT).points == 0


def test_guessing_among_choices_earns_nothing_in_the_end():
    part = LessonPart(lesson="shapes", block=3)
    assert part.earned(1, 1.0, wrong=2, hints=0) == 0
    assert part.earned(1, 1.0, wrong=0, hints=0) == MAX_POINTS


def test_partial_work_is_a_file():
    work = solved(THREE, "anne").with_hint(0)
    assert Work.model_validate_json(work.model_dump_json()) == work
    with pytest.raises(ValidationError):
        Work.model_validate_json(work.model_copy(update={"attempts": ()}).model_dump_json())


# --- kinds ---


def test_a_lesson_s_question_and_hint_have_the_student_s_numbers():
    one, other = ATTENTION.asked(5), ATTENTION.asked(6)
    assert one.text != other.text or ATTENTION.solution(5) != ATTENTION.solution(6)
    assert "{{" not in one.text
    low, high = map(float, re.findall(r"-?[\d.]*\d", ATTENTION.hint(5, 0)))
    assert low <= float(ATTENTION.solution(5)["answer"].replace("−", "-")) <= high


@pytest.mark.parametrize(
    "answer", [{}, {"answer": " "}, {"answer": "1", "more": "2"}, {"answer": "two"}, {"answer": "nan"}]
)
def test_an_answer_that_is_none_costs_nothing(answer):
    with pytest.raises(AssignmentError):
        ATTENTION.judge(5, answer)


def test_a_run_must_be_solved_within_the_steps_however_many_it_plans():
    part, seed = TrainPart(task="copy", max_parameters=30_000), 7
    longer = read_run(part.solution(seed)["run"]).updated({"training.steps": 2000})
    mark = part.judge(seed, {"run": run_text(longer)})
    assert mark.right
    solved_at = int(mark.message.split("step ")[1].split()[0])
    short = part.model_copy(update={"max_steps": solved_at - 10})
    assert "isn't solved after" in short.judge(seed, {"run": run_text(longer)}).message


def test_a_run_is_judged_by_training_it_again():
    part, seed = TrainPart(task="copy", max_parameters=30_000), 7
    assert part.judge(seed, part.solution(seed)).right
    config = read_run(part.solution(seed)["run"])
    for changed, says in (
        ({"seed": 8}, "another task or seed"),
        ({"task.vocab_size": 30}, "another task or seed"),
        ({"model.d_model": 128}, "parameters; at most 30,000"),
        ({"training.steps": 10}, "isn't solved"),
    ):
        mark = part.judge(seed, {"run": run_text(config.updated(changed))})
        assert (mark.share, says in mark.message) == (0.0, True)


@pytest.mark.parametrize("run", ["{", "[" * 5000, "{}x", '{"seed": "a"}', '{"evil": 1}', "null"])
def test_a_run_that_is_none_gets_a_sentence(run):
    with pytest.raises(AssignmentError):
        read_run(run)


# --- receipts ---


def test_a_receipt_says_what_was_done_and_is_signed(key):
    receipt = Receipt.of(solved(THREE, "4711"), key, name="Anne")
    assert Receipt.of_json(receipt.as_json) == receipt
    assert receipt.checked(key) == "signed"
    assert (receipt.points, receipt.total, receipt.server) == ((4.0, 10.0, 10.0), 24.0, key_id(key))
    assert Receipt.of(solved(THREE, "4711")).checked(key) == "unsigned"
    assert len(receipt.code) == 11


def test_another_server_s_receipt_is_not_a_forged_one(key, tmp_path):
    other = signer(tmp_path / "other", PURPOSE)
    assert Receipt.of(solved(THREE, "anne"), other).checked(key) == "other server"
    assert Receipt.of(solved(THREE, "anne"), other).checked(None) == "other server"
    visitor = signer(tmp_path, "visitor")
    forged = Receipt.of(solved(THREE, "anne"), visitor).model_copy(update={"server": key_id(key)})
    with pytest.raises(ForgedError, match="changed the receipt, or forged it"):
        forged.checked(key)


@pytest.mark.parametrize("field", ["name", "seed", "points", "time", "version", "work"])
def test_no_field_of_a_signed_receipt_can_change(key, field):
    receipt = Receipt.of(solved(THREE, "anne"), key)
    changed = {
        "name": "Bert",
        "seed": receipt.seed + 1,
        "points": (4.0, 10.0, 9.0),
        "time": "2020-01-01T00:00:00Z",
        "version": "2",
        "work": receipt.work.with_hint(0).model_copy(update={"student": "bert"}),
    }
    with pytest.raises(ForgedError):
        receipt.model_copy(update={field: changed[field]}).checked(key)
    assert receipt.model_copy(update={field: changed[field]}).code != receipt.code

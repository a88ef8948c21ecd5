"""`python -m playground grade`: receipts of a class, right, forged, foreign, doubled and changed."""

import csv
import io
import json
import os
from pathlib import Path
from random import Random

import pytest
from itsdangerous import Signer

from playground.common.signing import signer
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.grading import Grading, csv_of, grade, judge_in
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import AssignmentError, Mark
from playground.lessons.assignments.kinds.train_part import TrainPart
from playground.lessons.assignments.receipt import PURPOSE, Receipt, key_id
from playground.lessons.assignments.student_work import Work
from playground.processes.pool import ComputeError, Pool
from tests import helpers
from tests.benchmarks import graded_class
from tests.made_up_class import CHANGES_POINTS, FORGERIES, copied, forged, handed_in, mutations, solved
from tests.test_cli import refused, run

PARTS = (LessonPart(lesson="attention", block=3, points=4), HuntPart(), LessonPart(lesson="shapes", block=0, points=6))
ASSIGNMENT = Assignment(title="Three parts", parts=PARTS)
OTHER = Assignment(title="Another one", parts=PARTS[:1])
STUDENTS = [f"student {number}" for number in range(12)]


@pytest.fixture
def key(tmp_path: Path) -> Signer:
    return signer(tmp_path / ".runs", PURPOSE)


def graded(*files: tuple[str, bytes], given: Assignment | None = ASSIGNMENT, key: Signer | None = None) -> Grading:
    *_, last = grade(files, given, key)
    return last


def file_of(work: Work, key: Signer | None = None, name: str = "a.json") -> tuple[str, bytes]:
    return name, Receipt.of(work, key).as_json


def why(*files: tuple[str, bytes], key: Signer | None = None) -> str:
    """The reason why the last file is refused."""
    return graded(*files, key=key).graded[-1].refused


# --- right receipts ---


@pytest.mark.parametrize("is_signed", [False, True])
def test_right_receipts_count_with_all_points(key, is_signed):
    grading = graded(*handed_in(ASSIGNMENT, STUDENTS, key if is_signed else None), key=key)
    assert [each.total for each in grading.graded] == [20.0] * 12
    assert {each.signed for each in grading.graded} == {"signed" if is_signed else "unsigned"}
    assert grading.refused == []


def test_a_neighbour_s_answers_are_right_only_where_they_are_one_s_own():
    works = [copied(ASSIGNMENT, student, STUDENTS[index - 1]) for index, student in enumerate(STUDENTS)]
    grading = graded(*(file_of(work, name=f"{work.student}.json") for work in works))
    for work, each in zip(works, grading.graded):
        own = solved(ASSIGNMENT, work.student)
        same = [given.answer == right.answer for given, right in zip(work.attempts, own.attempts)]
        assert [bool(points) for points in each.points] == same
    assert sum(each.total for each in grading.graded) < 12 * 20 / 4


def test_hints_and_wrong_answers_cost_in_the_table_too():
    work = Work.begin(ASSIGNMENT, "anne").with_hint(1).answered(1, {"part": "x", "mistake": "y"}, Mark(0.0))
    seed = work.seed_of_part(1)
    work = work.answered(1, PARTS[1].solution(seed), Mark(1.0))
    (each,) = graded(file_of(work)).graded
    assert each.points == (0.0, 7.0, 0.0)


def test_progress_is_after_each_receipt():
    files = list(handed_in(ASSIGNMENT, STUDENTS[:3], None))
    assert [len(each.graded) for each in grade(files, ASSIGNMENT)] == [1, 2, 3, 3]


def test_everybody_is_judged_rightly():
    students = 200 if helpers.THOROUGH else 20
    found = graded_class.measure(students)
    assert (found["own_right"], found["neighbours_not_full"]) == (students, students)
    assert (found["forged_refused"], found["forged_at_home_refused"]) == (50, 50)
    assert found["neighbours_points"] < 0.2


def test_answers_that_train_are_judged_in_processes_and_the_same():
    assignment = Assignment(title="Trained", parts=(TrainPart(task="copy", max_parameters=30_000), PARTS[0]))
    works = [solved(assignment, student) for student in ("anne", "bert")]
    works.append(copied(assignment, "carl", "anne"))
    files = [file_of(work, name=work.student) for work in works]
    pool = Pool("grading")
    try:
        *_, grading = grade(files, assignment, judge=judge_in(pool), at_once=2)
    finally:
        pool.end()
    assert [each.points[0] for each in grading.graded] == [10.0, 10.0, 0.0]
    assert grading == graded(*files, given=assignment)


def test_a_training_that_ends_unexpectedly_is_not_marked():
    class Dying(Pool):
        def call(self, *_, **__):
            raise ComputeError("The grading ended unexpectedly.", "Try again.")

    assignment = Assignment(title="Trained", parts=(TrainPart(task="copy", max_parameters=30_000),))
    *_, grading = grade([file_of(solved(assignment, "anne"))], assignment, judge=judge_in(Dying("grading")))
    assert grading.graded[0].notes == ("Part 1 isn't marked: The grading ended unexpectedly. Try again.",)


# --- refused ones ---


@pytest.mark.parametrize("how", FORGERIES)
def test_a_signed_receipt_that_was_changed_is_refused(key, how):
    changed = forged(Receipt.of(solved(ASSIGNMENT, "anne"), key), how, Random(1))
    assert why(("a.json", changed), key=key)


@pytest.mark.parametrize("how", CHANGES_POINTS)
def test_a_receipt_without_signature_that_was_changed_is_refused(how):
    changed = forged(Receipt.of(solved(ASSIGNMENT, "anne")), how, Random(1))
    reason = why(("a.json", changed))
    says = ("somebody changed", "another assignment with the same title", "is no receipt")
    assert any(each in reason for each in says)


def test_answers_that_were_exchanged_are_refused():
    """A neighbour's answers under one's own name, claimed to be right."""
    data = json.loads(Receipt.of(solved(ASSIGNMENT, "anne")).as_json)
    data["work"]["attempts"] = json.loads(Receipt.of(solved(ASSIGNMENT, "bert")).as_json)["work"]["attempts"]
    assert why(("a.json", json.dumps(data).encode())) == (
        "Part 1: the receipt claims 100%, and the answer is 0% right: somebody changed the receipt."
    )


def test_a_foreign_receipt_is_refused():
    reason = why(*handed_in(ASSIGNMENT, STUDENTS[:2], None), file_of(solved(OTHER, "carl"), name="c.json"))
    assert reason == f"It belongs to another assignment: “Another one” ({OTHER.id})."


def test_a_given_assignment_counts_even_if_most_receipts_are_of_another():
    files = [file_of(solved(OTHER, student), name=student) for student in STUDENTS[:3]]
    assert len(graded(*files).refused) == 3
    assert graded(*files, given=None).refused == []


@pytest.mark.parametrize(
    ("index", "changes"),
    [
        (0, {"hinted": (0, 0)}),  # there is one
        (1, {"wrong": 4, "share": 0.0}),  # three were allowed
        (1, {"answer": {"part": "x", "mistake": "y"}, "share": 0.0}),  # no wrong answer was counted
        (2, {"answer": {}}),  # right without an answer
        (2, {"answer": {}, "share": 0.0, "wrong": 1}),
        (0, {"marked": False}),  # only code isn't marked
    ],
)
def test_what_cannot_have_happened_is_refused_even_if_the_points_fit(index, changes):
    assignment = ASSIGNMENT.model_copy(update={"tries": 3})
    work = solved(assignment, "anne")
    attempts = list(work.attempts)
    attempts[index] = attempts[index].model_copy(update=changes)
    file = file_of(work.model_copy(update={"attempts": tuple(attempts)}))
    reason = f"Part {index + 1} says what can't have happened: somebody changed the receipt."
    assert graded(file, given=assignment).graded[0].refused == reason


def test_the_last_of_two_receipts_of_a_student_counts():
    early = Receipt.of(solved(ASSIGNMENT, "Anne")).model_copy(update={"time": "2026-01-01T10:00:00Z"})
    late = Receipt.of(solved(ASSIGNMENT, "ANNE")).model_copy(update={"time": "2026-01-02T10:00:00Z"})
    grading = graded(("1.json", late.as_json), ("2.json", early.as_json), ("3.json", late.as_json))
    assert [each.refused for each in grading.graded] == [
        "",
        "Another receipt of the same student counts: 1.json.",
        "The same receipt counts: 1.json.",
    ]


def test_a_forged_receipt_does_not_replace_a_right_one(key):
    right = Receipt.of(solved(ASSIGNMENT, "anne"), key)
    late = forged(right.model_copy(update={"time": "2099-01-01T00:00:00Z"}), "name", Random(1))
    grading = graded(("1.json", right.as_json), ("2.json", late), key=key)
    assert [bool(each.refused) for each in grading.graded] == [False, True]


def test_an_assignment_can_ask_for_a_server_s_signature(key, tmp_path):
    asks = ASSIGNMENT.model_copy(update={"server": key_id(key)})
    work, other = solved(asks, "anne"), signer(tmp_path / "other", PURPOSE)
    for signed_by, here, says in (
        (key, key, ""),
        (key, other, ""),
        (key, None, ""),
        (None, key, "asks for this server's signature"),
        (other, key, "asks for this server's signature"),
        (None, other, "isn't signed by the server that the assignment names"),
        (other, None, "isn't signed by the server that the assignment names"),
    ):
        refusal = graded(file_of(work, signed_by), given=asks, key=here).graded[0].refused
        assert says in refusal
        assert bool(says) == bool(refusal)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"format": 2}', b"[" * 10_000, b" " * 600_000])
def test_what_is_no_receipt_gets_one_line(content):
    reason = why(("a.json", content))
    assert "receipt" in reason
    assert "\n" not in reason


def test_without_an_assignment_it_is_the_most_frequent_one():
    files = [*handed_in(ASSIGNMENT, STUDENTS[:2], None), file_of(solved(OTHER, "carl"), name="c.json")]
    assert graded(*files, given=None).assignment == ASSIGNMENT
    with pytest.raises(AssignmentError, match="several assignments"):
        graded(*files[1:], given=None)


@pytest.mark.parametrize("is_signed", [True, False])
def test_no_mutation_of_a_receipt_gets_through(key, is_signed):
    receipt, random = Receipt.of(solved(ASSIGNMENT, "anne"), key if is_signed else None), Random(7)
    for content in mutations(receipt.as_json, 300, random):
        (each,) = graded(("a.json", content), key=key).graded
        assert "\n" not in each.refused
        if not each.refused:
            assert Receipt.of_json(content).work.attempts == receipt.work.attempts
            assert each.total == 20
            same = Receipt.of_json(content).model_copy(update={"signature": receipt.signature}) == receipt
            assert same or each.signed != "signed"  # several texts are the same signature in base64


# --- code ---


def test_code_is_run_only_if_asked_for_and_the_same_code_is_noted():
    assignment = Assignment(title="Code", parts=(CodePart(part="attention"),))
    code = """
def attention(query, key, value, mask=None):
    scores = query @ key.mT / {}
    scores = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ value
"""
    files = []
    for student, scale in (
        ("anne", "query.size(-1) ** 0.5"),
        ("bert", "query.size(-1)"),
        ("carl", "query.size(-1) **  0.5"),
    ):
        work = Work.begin(assignment, student)
        files.append(file_of(work.answered(0, {"code": code.format(scale)}, Mark(0.0, marked=False)), name=student))
    grading = graded(*files, given=assignment)
    assert [(each.total, each.refused) for each in grading.graded] == [(0.0, "")] * 3
    assert grading.graded[0].notes == ("Part 1 isn't marked: The code was not run.", "The same code as in carl.")
    *_, grading = grade(files[:2], assignment, run_code=True)
    assert [each.total for each in grading.graded] == [10.0, 0.0]
    assert "square root of d_k, not by d_k" in grading.graded[1].marks[0].message


# --- tables ---


def test_moodle_s_table_has_all_parts_and_no_formula():
    assert graded(given=None).assignment is None
    work = solved(ASSIGNMENT, "=1+1")
    grading = graded(("=cmd.json", Receipt.of(work, name="@SUM(A1)").as_json))
    (row,) = csv.DictReader(io.StringIO(csv_of(grading)))
    assert list(row)[:7] == [
        *("Student", "Name", "Part 1 (of 4)", "Part 2 (of 10)", "Part 3 (of 6)", "Total (of 20)", "Feedback"),
    ]
    assert (row["Student"], row["Name"], row["File"]) == ("'=1+1", "'@SUM(A1)", "'=cmd.json")
    assert float(row["Total (of 20)"]) == 20
    assert "\n" not in row["Feedback"]


def test_canvas_s_table_begins_with_its_five_columns():
    grading = graded(*handed_in(ASSIGNMENT, ["anne"], None))
    assert csv_of(grading, "canvas").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Three parts",
        "Points Possible,,,,,20",
        "anne,,,anne,,20.0",
    ]


# --- the command ---


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "receipts"
    (made / "below").mkdir(parents=True)
    for name, content in handed_in(ASSIGNMENT, STUDENTS[:3], None):
        (made / "below" / name).write_bytes(content)
    (made / "bad.json").write_bytes(b"{")
    (made / "notes.txt").write_bytes(b"no receipt")
    return made


def test_the_command_grades_a_folder(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_CHECKPOINTS", str(tmp_path / "server"))
    (folder / "link.json").symlink_to(folder / "bad.json")
    os.mkfifo(folder / "pipe.json")
    out = tmp_path / "out.csv"
    result = run("grade", folder, "--csv", out, "--assignment", f"https://host.test/learn?assignment={ASSIGNMENT.word}")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert sum("20 of 20 points" in line for line in lines) == 3
    assert sum(": refused. " in line for line in lines) == 3
    assert f"({ASSIGNMENT.id}): 3 receipts in {out}, 1 refused." in lines[-1]
    assert len(out.read_text().splitlines()) == 4
    assert not (tmp_path / "server").exists(), "grading makes no key"


def test_the_command_knows_its_server_s_key(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_CHECKPOINTS", str(tmp_path))
    from playground.settings.host import Host

    key = signer(Host.from_environment().private_folder, PURPOSE)
    receipt = Receipt.of(solved(ASSIGNMENT, "anne"), key)
    (tmp_path / "a.json").write_bytes(receipt.as_json)
    (tmp_path / "assignment.json").write_text(ASSIGNMENT.model_dump_json())
    words = ("grade", tmp_path / "a.json", "--csv", tmp_path / "out.csv", "--for", "canvas")
    result = run(*words, "--assignment", tmp_path / "assignment.json")
    assert "1 receipt signed by this server" in result.stdout
    (tmp_path / "a.json").write_bytes(forged(receipt, "points", Random(1)))
    result = run(*words)
    assert (result.exit_code, "refused. The signature doesn't fit" in result.stdout) == (0, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere", "--csv", "out.csv"], "There are no receipts at"),
        (["empty", "--csv", "out.csv"], "has no receipts"),
        (["receipts"], "--csv"),
        (["receipts", "--csv", "no/out.csv"], "can't be written"),
        (["receipts", "--csv", "empty"], "can't be written"),
        (["receipts", "--csv", "out.csv", "--assignment", "x?assignment=damaged"], "no valid assignment"),
        (["receipts", "--csv", "out.csv", "--assignment", "receipts/bad.json"], "The assignment is invalid"),
        (["receipts", "--csv", "out.csv", "--for", "paper"], "--for"),
    ],
)
def test_a_wrong_call_gets_one_line_and_exit_code_2(folder, tmp_path, monkeypatch, words, says):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAYGROUND_CHECKPOINTS", str(tmp_path / "server"))
    refused(tmp_path, "grade", *words, says=says)

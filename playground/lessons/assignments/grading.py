"""Grades receipts: checks signatures, computes every answer again, and refuses what doesn't fit."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from itsdangerous import Signer

from playground.common.errors import one_line
from playground.common.names import skeleton
from playground.common.numbers import as_csv, counted
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.part import Answer, AssignmentError, BasePart, Mark
from playground.lessons.assignments.receipt import Receipt, Signed, key_id, version
from playground.lessons.assignments.student_work import Attempt, points_of
from playground.processes.child import MemoryLimitError
from playground.processes.pool import ComputeError, Limits, Pool

MAX_RECEIPTS = 5000

Judge = Callable[[BasePart, int, Answer], Mark]
"""Judges an answer as `BasePart.judge` does, in this process or in another one."""

LIMITS = Limits(memory_mb=3000, seconds=600)
"""Of one answer that trains a model."""

Platform = Literal["moodle", "canvas"]

SIGNED: dict[Signed, str] = {
    "signed": "signed by this server, and computed again",
    "other server": "signed by another server, whose key isn't here; computed again",
    "unsigned": "not signed; computed again",
}
"""How a receipt was checked, in words."""

PROVES: dict[Signed, str] = {
    "signed": "This server marked these answers, and counted hints and wrong answers. Nothing was changed afterwards.",
    "other server": "The points follow from the answers. Hints and wrong answers are that server's word: grade there.",
    "unsigned": "The points follow from the answers. Hints, wrong answers and the time are the student's word.",
}
"""What a receipt proves."""


@dataclass(frozen=True)
class Graded:
    """One receipt: its points, or why it doesn't count."""

    file: str
    receipt: Receipt | None = None  # None: the file is no receipt
    refused: str = ""  # the reason; empty if it counts
    signed: Signed = "unsigned"
    marks: tuple[Mark, ...] = ()  # for each part, computed here
    points: tuple[float, ...] = ()  # for each part
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """All points."""
        return round(sum(self.points), 2)


@dataclass(frozen=True)
class Grading:
    """All receipts, as far as done."""

    assignment: Assignment | None  # None: there is no receipt
    graded: tuple[Graded, ...]
    total: int

    @property
    def counting(self) -> list[Graded]:
        """Those that count, by student."""
        found = [each for each in self.graded if each.receipt and not each.refused]
        return sorted(found, key=lambda each: skeleton(_student(each)))

    @property
    def refused(self) -> list[Graded]:
        """Those that don't."""
        return [each for each in self.graded if each.refused]


def grade(
    files: Iterable[tuple[str, bytes]],
    assignment: Assignment | None = None,
    signer: Signer | None = None,
    *,
    run_code: bool = False,
    judge: Judge | None = None,
    at_once: int = 1,
) -> Iterator[Grading]:
    """Yield the receipts graded so far, after each. Without `assignment`, it is the one that most receipts have.

    `signer` signs for `receipt.PURPOSE` with this server's key. `run_code` lets `judge` run students' code, which is no
    sandbox. `at_once` receipts are graded at the same time, in threads; see `judge_in`.
    Raises `AssignmentError` for too many files, and if two assignments have equally many receipts.
    """
    read = [_read(*file) for file, _ in zip(files, range(MAX_RECEIPTS + 1))]
    if len(read) > MAX_RECEIPTS:
        raise AssignmentError(f"There are more than {MAX_RECEIPTS:,} files.", "Grade them in parts.")
    assignment = assignment or _usual(read)
    checked = [_checked(each, assignment, signer) for each in read]
    once = _each_student_once(checked)
    with ThreadPoolExecutor(at_once) as threads:
        try:
            for index, each in enumerate(
                threads.map(partial(_marked, run_code=run_code, judge=judge or _judge_here), list(once))
            ):
                once[index] = each
                yield Grading(assignment, tuple(once[: index + 1]), len(once))
        finally:
            threads.shutdown(cancel_futures=True)
    yield Grading(assignment, tuple(_same_code_noted(once)), len(once))


def judge_in(pool: Pool) -> Judge:
    """Judges in processes of a pool what trains a model, with `LIMITS`; everything else here."""

    def judge(part: BasePart, seed: int, answer: Answer) -> Mark:
        if not part.trains:
            return part.judge(seed, answer)
        try:
            return pool.call(part.judge, seed, answer, limits=LIMITS)
        except (ComputeError, MemoryLimitError) as error:
            return Mark(0.0, str(error), marked=False)

    return judge


def csv_of(grading: Grading, platform: Platform = "moodle") -> str:
    """The receipts that count as a table for a learning platform; no cell can run as a formula.

    Moodle asks which column is what. Canvas knows its five first columns; a student is there a login id.
    """
    if grading.assignment is None:
        return ""
    title, parts = grading.assignment.title, grading.assignment.parts
    if platform == "canvas":
        head: list[list[object]] = [
            ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title],
            ["Points Possible", "", "", "", "", grading.assignment.points],
        ]
        rows: Iterable[list[object]] = (
            [each.receipt.name or _student(each), "", "", _student(each), "", each.total]
            for each in grading.counting
            if each.receipt
        )
        return as_csv([*head, *rows])
    names = [f"Part {number} (of {part.points})" for number, part in enumerate(parts, 1)]
    columns = ["Student", "Name", *names, f"Total (of {grading.assignment.points})", "Feedback"]
    return as_csv(
        [
            [*columns, "Time", "Checked", "Version", "Code", "File"],
            *(
                (
                    *(_student(each), each.receipt.name, *each.points, each.total, feedback(each), each.receipt.time),
                    *(SIGNED[each.signed], each.receipt.version, each.receipt.code, each.file),
                )
                for each in grading.counting
                if each.receipt
            ),
        ]
    )


def feedback(graded: Graded) -> str:
    """What a student reads beside the points, on one line: each part, and the notes."""
    assert graded.receipt
    work = graded.receipt.work
    lines = []
    for number, (part, attempt, mark) in enumerate(zip(work.assignment.parts, work.attempts, graded.marks), 1):
        cost = [counted(attempt.wrong, "wrong answer")] if attempt.wrong else []
        cost += [counted(attempt.hints, "hint")] if attempt.hints else []
        words = one_line(mark.message, 200) + (f" ({', '.join(cost)})" if cost else "")
        lines.append(f"{number}. {part.title}: {words}")
    return one_line(" ".join([*lines, *graded.notes]), 4000)


def _read(file: str, content: bytes) -> Graded:
    try:
        return Graded(file, Receipt.of_json(content))
    except AssignmentError as error:
        return Graded(file, refused=str(error))


def _usual(read: Sequence[Graded]) -> Assignment | None:
    """The assignment of most receipts. Raises `AssignmentError` if two have as many."""
    found = {each.receipt.work.assignment.id: each.receipt.work.assignment for each in read if each.receipt}
    counts = Counter(each.receipt.work.assignment.id for each in read if each.receipt).most_common(2)
    if len(counts) == 2 and counts[0][1] == counts[1][1]:
        titles = " and ".join(f"“{one_line(found[name].title)}” ({name})" for name, _ in counts)
        raise AssignmentError(f"The receipts belong to several assignments: {titles}.", "Say which one you grade.")
    return found[counts[0][0]] if counts else None


def _checked(each: Graded, assignment: Assignment | None, signer: Signer | None) -> Graded:
    """With who signed it, or with the reason why it doesn't count."""
    if each.receipt is None or assignment is None:
        return each
    try:
        _require_assignment(each.receipt, assignment)
        signed = each.receipt.checked(signer)
        _require_server(each.receipt, signed, signer)
        _require_consistent(each.receipt)
    except AssignmentError as error:
        return replace(each, refused=str(error))
    notes = () if each.receipt.version == version() else (f"Made with version {each.receipt.version}.",)
    return replace(each, signed=signed, notes=notes)


def _require_assignment(receipt: Receipt, assignment: Assignment) -> None:
    own = receipt.work.assignment
    if own.id != assignment.id:
        changed = " with the same title, but other contents" if own.title == assignment.title else ""
        raise AssignmentError(f"It belongs to another assignment{changed}: “{one_line(own.title)}” ({own.id}).")


def _require_server(receipt: Receipt, signed: Signed, signer: Signer | None) -> None:
    """Raises `AssignmentError` if the assignment asks for the signature of a server, and this one isn't its."""
    asked = receipt.work.assignment.server
    if not asked or signed == "signed":
        return
    if signer is not None and asked == key_id(signer):
        raise AssignmentError("The assignment asks for this server's signature, and the receipt has none of it.")
    if receipt.server != asked:
        raise AssignmentError("The receipt isn't signed by the server that the assignment names.")


def _require_consistent(receipt: Receipt) -> None:
    """Raises `AssignmentError` if what can be known without an answer doesn't fit together."""
    work = receipt.work
    if receipt.seed != work.seed:
        raise AssignmentError("The seed isn't this student's: somebody changed the name, the number or the seed.")
    for number, (part, attempt) in enumerate(zip(work.assignment.parts, work.attempts), 1):
        solved = attempt.marked and attempt.share == 1
        impossible = (
            attempt.hints > part.hints
            or (work.assignment.tries and attempt.wrong > work.assignment.tries)
            or (bool(attempt.answer) and attempt.marked and not solved and not attempt.wrong)
            or (not attempt.answer and (attempt.share or attempt.wrong))
            or (not attempt.marked and not part.runs_code)
        )
        if impossible:
            raise AssignmentError(f"Part {number} says what can't have happened: somebody changed the receipt.")
    same_version = receipt.version == version()  # another one may count otherwise
    if same_version and receipt.points != tuple(map(work.points_of, range(len(work.attempts)))):
        raise AssignmentError("The points don't follow from the answers: somebody changed the receipt.")


def _each_student_once(checked: Sequence[Graded]) -> list[Graded]:
    """With a reason for all but the last receipt of a student."""
    last: dict[str, Graded] = {}
    for each in checked:
        if each.receipt and not each.refused:
            name, known = skeleton(_student(each)), last.get(skeleton(_student(each)))
            if known is None or known.receipt is None or each.receipt.time > known.receipt.time:
                last[name] = each
    once = []
    for each in checked:
        counts = last.get(skeleton(_student(each))) if each.receipt else None
        if each.refused or counts is None or counts is each:
            once.append(each)
            continue
        assert each.receipt
        assert counts.receipt
        what = "The same receipt" if each.receipt == counts.receipt else "Another receipt of the same student"
        once.append(replace(each, refused=f"{what} counts: {one_line(counts.file, 200)}."))
    return once


def _marked(each: Graded, *, run_code: bool, judge: Judge) -> Graded:
    """With marks and points, computed; or with the reason why somebody must have changed it."""
    if each.receipt is None or each.refused:
        return each
    work = each.receipt.work
    marks, points, notes = list[Mark](), list[float](), list(each.notes)
    for index, (part, attempt) in enumerate(zip(work.assignment.parts, work.attempts)):
        mark = _mark(part, work.seed_of_part(index), attempt, judge if run_code or not part.runs_code else _not_run)
        known = attempt.model_copy(update={"share": mark.share, "marked": mark.marked})
        if mark.marked and attempt.marked and abs(mark.share - attempt.share) > 1e-9:
            says = f"Part {index + 1}: the receipt claims {attempt.share:.0%}, and the answer is {mark.share:.0%} right"
            if each.signed != "signed" and each.receipt.version == version() and not (part.trains or part.runs_code):
                return replace(each, refused=f"{says}: somebody changed the receipt.", notes=())
            notes.append(f"{says}, computed on this machine.")
        if attempt.answer and not mark.marked:
            notes.append(f"Part {index + 1} isn't marked: {one_line(mark.message, 200)}")
        marks.append(mark)
        points.append(points_of(part, work.seed_of_part(index), known))
    return replace(each, marks=tuple(marks), points=tuple(points), notes=tuple(notes))


def _judge_here(part: BasePart, seed: int, answer: Answer) -> Mark:
    return part.judge(seed, answer)


def _not_run(part: BasePart, seed: int, answer: Answer) -> Mark:
    return Mark(0.0, "The code was not run.", marked=False)


def _mark(part: BasePart, seed: int, attempt: Attempt, judge: Judge) -> Mark:
    if not attempt.answer:
        return Mark(0.0, "No answer.")
    try:
        return judge(part, seed, attempt.answer)
    except AssignmentError as error:
        return Mark(0.0, str(error))


def _same_code_noted(graded: Sequence[Graded]) -> list[Graded]:
    """With a note where two students handed in the same code."""
    owners: dict[str, list[str]] = {}
    codes: dict[str, list[str]] = {}
    for each in graded:
        if each.receipt and not each.refused:
            codes[each.file] = [
                hashlib.sha256("".join(attempt.answer.get("code", "").split()).encode()).hexdigest()
                for part, attempt in zip(each.receipt.work.assignment.parts, each.receipt.work.attempts)
                if part.runs_code and attempt.answer.get("code")
            ]
            for code in codes[each.file]:
                owners.setdefault(code, []).append(each.file)
    noted = []
    for each in graded:
        others = sorted({file for code in codes.get(each.file, []) for file in owners[code]} - {each.file})
        note = (f"The same code as in {one_line(', '.join(others), 200)}.",) if others else ()
        noted.append(replace(each, notes=each.notes + note))
    return noted


def _student(graded: Graded) -> str:
    return graded.receipt.work.student if graded.receipt else ""

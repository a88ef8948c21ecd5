"""How many receipts of a made-up class are judged as they should be, and how long that takes."""

import time
from random import Random
from typing import Any

from itsdangerous import Signer

from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.grading import grade
from playground.lessons.assignments.kinds.head_part import HeadPart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.pitfall_part import PitfallPart
from playground.lessons.assignments.receipt import Receipt
from tests.made_up_class import CHANGES_POINTS, FORGERIES, copied, forged, solved

CLASS = Assignment(
    title="A class",
    parts=(
        LessonPart(lesson="attention", block=3),
        LessonPart(lesson="training-step", block=0),
        LessonPart(lesson="shapes", block=0),
        LessonPart(lesson="cost", block=1),
        PitfallPart(),
        HuntPart(),
        HeadPart(),
        HeadPart(model="copy-1-16"),
    ),
)
"""Parts of which none trains a model."""

STUDENTS, FORGED = 200, 50


def measure(students: int = 0, forgeries: int = FORGED) -> dict[str, Any]:
    """Counts of the receipts that are judged rightly: one's own answers, a neighbour's, and forged ones.

    Without `students`, there are `STUDENTS`.
    """
    students = students or STUDENTS
    names = [f"Student {number}" for number in range(students)]
    key, random = Signer("a key", salt="a test", key_derivation="hmac"), Random(1)
    own = {name: Receipt.of(solved(CLASS, name), key) for name in names}
    copies = {name: Receipt.of(copied(CLASS, name, names[index - 1]), key) for index, name in enumerate(names)}
    home = {name: Receipt.of(receipt.work) for name, receipt in own.items()}
    start = time.perf_counter()
    right = [each.total for each in _graded(own, key)]
    seconds = time.perf_counter() - start
    neighbours = _graded(copies, key)
    signed = [forged(own[name], FORGERIES[index % len(FORGERIES)], random) for index, name in _first(names, forgeries)]
    plain = [
        forged(home[name], CHANGES_POINTS[index % len(CHANGES_POINTS)], random)
        for index, name in _first(names, forgeries)
    ]
    return {
        "students": students,
        "forgeries": forgeries,
        "own_right": sum(total == CLASS.points for total in right),
        "neighbours_not_full": sum(each.total < CLASS.points for each in neighbours),
        "neighbours_points": sum(each.total for each in neighbours) / (students * CLASS.points),
        "forged_refused": _refused(signed, key),
        "forged_at_home_refused": _refused(plain, None),
        "receipts_per_second": students / seconds,
    }


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    students, forgeries = results["students"], results["forgeries"]
    return [
        f"Receipts of {students} students: {results['own_right']} of {students} right ones get all points, "
        f"{results['neighbours_not_full']} of {students} with a neighbour's answers don't "
        f"(they get {results['neighbours_points']:.1%} of the points); refused: {results['forged_refused']} of "
        f"{forgeries} forged ones, {results['forged_at_home_refused']} of {forgeries} without signature; "
        f"{results['receipts_per_second']:.0f} receipts a second"
    ]


def _first(names: list[str], count: int) -> list[tuple[int, str]]:
    return list(enumerate(names * (1 + count // len(names))))[:count]


def _graded(receipts: dict[str, Receipt], key: Signer | None) -> Any:
    *_, grading = grade([(name, receipt.as_json) for name, receipt in receipts.items()], CLASS, key)
    return grading.graded


def _refused(files: list[bytes], key: Signer | None) -> int:
    """How many are refused, each graded by itself."""
    return sum(bool(grading.graded[-1].refused) for content in files for grading in [_one(content, key)])


def _one(content: bytes, key: Signer | None) -> Any:
    *_, grading = grade([("forged.json", content)], CLASS, key)
    return grading

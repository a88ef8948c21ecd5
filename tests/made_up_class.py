"""Made-up students who answer an assignment, and forged receipts of theirs."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from itsdangerous import Signer

from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.part import Answer
from playground.lessons.assignments.receipt import Receipt
from playground.lessons.assignments.student_work import Work


def solved(assignment: Assignment, student: str) -> Work:
    """All parts answered rightly."""
    return answered(assignment, student, student)


def copied(assignment: Assignment, student: str, neighbour: str) -> Work:
    """The neighbour's right answers, given under one's own name."""
    return answered(assignment, student, neighbour)


def answered(assignment: Assignment, student: str, source: str) -> Work:
    """The right answers of one student, given and marked under the name of another; an invalid answer isn't given."""
    work, of = Work.begin(assignment, student), Work.begin(assignment, source)
    for index, part in enumerate(assignment.parts):
        answer = part.solution(of.seed_of_part(index))
        if fits(part.asked(work.seed_of_part(index)).fields, answer):
            work = work.answered(index, answer, part.judge(work.seed_of_part(index), answer))
    return work


def fits(fields: Any, answer: Answer) -> bool:
    """True if a form with these fields takes the answer."""
    return {each.name for each in fields} == set(answer) and all(
        each.kind != "choice" or answer[each.name] in each.choices for each in fields
    )


CHANGES_POINTS = ("points", "student", "seed", "answer", "wrong", "hints", "share", "assignment")
"""Forgeries that can be seen without a signature."""

FORGERIES = (*CHANGES_POINTS, "time", "signature", "name")


def forged(receipt: Receipt, how: str, random: Random) -> bytes:
    """A receipt's file after somebody has changed it by hand."""
    data = json.loads(receipt.as_json)
    attempt = random.choice(data["work"]["attempts"])
    if how == "points":
        data["points"][0] += 1
    elif how == "student":
        data["work"]["student"] += " II"
    elif how == "seed":
        data["seed"] ^= 1
    elif how == "answer":
        name = next(iter(attempt["answer"]))
        attempt["answer"][name] = "9" + attempt["answer"][name]
    elif how == "wrong":
        attempt["wrong"] += 1
    elif how == "hints":
        attempt["hinted"].append(0)
    elif how == "time":
        data["time"] = "2001-01-01T00:00:00Z"
    elif how == "share":
        attempt["share"] = 0.5
    elif how == "assignment":
        data["work"]["assignment"]["parts"][0]["points"] = 99
    elif how == "signature":
        data["signature"] = data["signature"][::-1]
    else:
        data["name"] = "Somebody else"
    return json.dumps(data).encode()


def handed_in(assignment: Assignment, students: list[str], signer: Signer | None) -> Iterator[tuple[str, bytes]]:
    """Right receipts, a file for each student."""
    for student in students:
        yield f"{student}.json", Receipt.of(solved(assignment, student), signer).as_json


WRONG_VALUES = (None, True, 0, -1, 2**40, 1.5, 1e308, "", "x", "\u202e", "9" * 5000, "NaN", [], {}, [[]], {"a": 1})


def mutations(content: bytes, count: int, random: Random) -> Iterator[bytes]:
    """Copies of a JSON file in which some bytes, or one value anywhere in it, are changed."""
    for index in range(count):
        if index % 3 == 0:
            changed = bytearray(content)
            for _ in range(random.randint(1, 4)):
                changed[random.randrange(len(changed))] = random.randrange(256)
            yield bytes(changed)
        else:
            data = json.loads(content)
            holder, key = random.choice(list(_values(data)))
            holder[key] = random.choice(WRONG_VALUES)
            yield json.dumps(data).encode()


def _values(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in JSON data, as what holds it and its key there."""
    for key in data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from _values(data[key])

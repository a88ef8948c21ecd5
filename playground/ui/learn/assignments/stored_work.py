"""A visitor's work on assignments: a file for each in the visitor's folder, the same in all tabs and after a reload."""

import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.common.files import write_whole
from playground.lessons.assignments.assignment import MAX_PARTS, Assignment
from playground.lessons.assignments.kinds.part import MAX_ANSWER, AssignmentError
from playground.lessons.assignments.student_work import MAX_FIELDS, Work
from playground.ui.session import identity
from playground.ui.session.services import services

MAX_ASSIGNMENTS = 50
"""Of one visitor."""

MAX_BYTES = 1_000_000
"""Of one file."""

_ID = re.compile(r"[0-9A-Z]{8}")
_changing = threading.Lock()  # of any visitor: it takes a moment

_Typed = Mapping[
    Annotated[str, Field(max_length=40)],
    Annotated[str, Field(max_length=MAX_ANSWER)],
]


class StoredWork(BaseModel):
    """A student's work, and what they have typed but not yet handed to the check, by index of the part."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    work: Work
    typed: Annotated[
        Mapping[
            Annotated[str, Field(pattern=r"^\d{1,2}$")],
            Annotated[_Typed, Field(max_length=MAX_FIELDS)],
        ],
        Field(max_length=MAX_PARTS),
    ] = Field(default_factory=dict)

    def typed_for(self, index: int) -> Mapping[str, str]:
        """What stands in the fields of a part: typed, or the last answer."""
        return self.typed.get(str(index), self.work.attempts[index].answer)


def all_works() -> list[StoredWork]:
    """All of this visitor's works, the newest first."""
    dated = []
    with suppress(OSError):
        dated = sorted(((path.stat().st_mtime_ns, path.stem) for path in _folder().glob("*.json")), reverse=True)
    return [stored for _, name in dated[:MAX_ASSIGNMENTS] if (stored := find(name)) is not None]


def find(assignment_id: str) -> StoredWork | None:
    """This visitor's work on an assignment; None if it hasn't begun, or its file can't be read."""
    with suppress(OSError, ValidationError), _file(assignment_id).open("rb") as file:
        return StoredWork.model_validate_json(file.read(MAX_BYTES))
    return None


def begin(assignment: Assignment, student: str) -> StoredWork:
    """Begin an assignment, unless another tab has. Raises `AssignmentError`."""
    work = Work.begin(assignment, student)
    with _changing:
        if (stored := find(assignment.id)) is not None:
            return stored
        if len(all_works()) >= MAX_ASSIGNMENTS:
            raise AssignmentError(f"You have {MAX_ASSIGNMENTS} assignments here.", "Delete one of them first.")
        return _written(StoredWork(work=work))


def change(assignment_id: str, to: Callable[[Work], Work]) -> StoredWork | None:
    """Change the work as it is stored now, maybe by another tab. Raises `AssignmentError`; None if it isn't there."""
    with _changing:
        stored = find(assignment_id)
        return stored and _written(stored.model_copy(update={"work": to(stored.work)}))


def keep_typed(assignment_id: str, index: int, typed: Mapping[str, str]) -> None:
    """Store what stands in the fields of a part. Raises `AssignmentError`."""
    kept = {name: text[:MAX_ANSWER] for name, text in typed.items()}
    with _changing:
        if stored := find(assignment_id):
            _written(stored.model_copy(update={"typed": {**stored.typed, str(index): kept}}))


def delete(assignment_id: str) -> None:
    """Delete the work on an assignment."""
    with _changing, suppress(OSError):
        _file(assignment_id).unlink(missing_ok=True)


def _folder() -> Path:
    return services().host.private_folder / identity.visitor() / "assignments"


def _file(assignment_id: str) -> Path:
    if not _ID.fullmatch(assignment_id):
        raise FileNotFoundError
    return _folder() / f"{assignment_id}.json"


def _written(stored: StoredWork) -> StoredWork:
    content = stored.model_dump_json().encode()
    if len(content) > MAX_BYTES:
        raise AssignmentError("Your answers are too long to be stored.", "Shorten your code.")
    if refused := services().runs.reserve_space(identity.visitor()):
        raise AssignmentError(refused)
    path = _file(stored.work.assignment.id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError:
        raise AssignmentError("Your answer could not be stored: the disk is full or not writable.") from None
    return stored

"""Files as people write them, with what is right for each: `check_corpus`, and in it two more parts.

Those of `second` were written before the check had seen them; `modern` has the parts of today's models.
"""

import json
from pathlib import Path

import pytest

from playground.lessons.check.checking import verdict_here

CORPUS = Path(__file__).parent / "check_corpus"


def entries(folder: Path, *marks: pytest.MarkDecorator):
    """The files of a folder, as parameters."""
    return [
        pytest.param(
            folder / entry["file"],
            entry,
            id=f"{(folder / entry['file']).relative_to(CORPUS)} {entry['part']}",
            marks=marks,
        )
        for entry in json.loads((folder / "index.json").read_text())
    ]


def mask_of(entry) -> str | None:
    """What True in a mask means, where a file has one."""
    return entry["mask"] if entry.get("mask") in ("keep", "hide") else None


@pytest.mark.parametrize(
    ("file", "entry"),
    [*entries(CORPUS), *entries(CORPUS / "modern"), *entries(CORPUS / "second", pytest.mark.thorough)],
)
def test_code_as_people_write_it(file: Path, entry):
    verdict = verdict_here(file, entry["part"], mask_of(entry))
    assert (verdict.verdict, verdict.cause) == (entry["verdict"], entry["cause"]), verdict.message

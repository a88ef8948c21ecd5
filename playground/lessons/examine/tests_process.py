"""`python -m playground.lessons.examine.tests_process FILE SECONDS MEGABYTES`: runs a file and, asked, its tests.

What it sends is only what the tests say: the process that asks checks it, see
`playground.lessons.check.process.code_process`.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import torch
from pydantic import Field

from playground.lessons.check.code.student_code import load
from playground.lessons.check.process import confinement
from playground.lessons.check.process.code_messages import MessageError, Name, Reply, Strict, packed, receive
from playground.lessons.check.process.code_process import failure_of
from playground.lessons.check.verdict import CheckError
from playground.lessons.examine.running import PREFIXES, examined, tests_in
from playground.recording.notebook_cells import in_cell

Names = Annotated[list[Name], Field(max_length=100)]
Words = Annotated[str, Field(max_length=10_000)]
Line = Annotated[int, Field(ge=0, le=10**7)]


class SentTest(Strict):
    """A test of the file and, once it has run, its result; see `Result`."""

    name: Name
    line: Line
    cell: Line = 0
    part: Name | None = None
    catches: Names = []
    misses: Names = []
    false_alarm: Words = ""
    error: Words = ""
    error_line: Line | None = None


class Sent(Reply):
    """A reply: the tests of the file, or the result of one."""

    tests: Annotated[list[SentTest], Field(max_length=200)] = []


def loaded_tests(file: Path) -> list[Callable[..., Any]]:
    """The tests of a file, which is run. Raises `CheckError`."""
    module = load(file)
    if not (tests := tests_in(vars(module), module.__name__)):
        raise CheckError(
            f"{file.name} has no tests.", f"A test is a function whose name begins with {' or '.join(PREFIXES)}."
        )
    return tests[:200]


def _main(file: Path, requests: BinaryIO, replies: BinaryIO) -> None:
    tests: list[Callable[..., Any]] = []
    reply = Sent(ready=True)
    while True:
        replies.write(packed(reply.model_dump(), {}))
        replies.flush()
        fields = receive(requests).fields
        try:
            if "open" in fields:
                tests = loaded_tests(file)
                sent = [_listed(test) for test in tests]
            else:
                result = examined(tests[fields["test"]])
                sent = [SentTest.model_validate(_sendable(vars(result)))]
            reply = Sent(tests=sent)
        except Exception as error:
            reply = Sent(failure=failure_of(error))


def _listed(test: Callable[..., Any]) -> SentTest:
    """A test that has not run."""
    cell, line = in_cell(test.__code__.co_filename, test.__code__.co_firstlineno)
    return SentTest(name=test.__name__[:1000], line=line, cell=cell)


def _sendable(fields: dict[str, Any]) -> dict[str, Any]:
    """Lists in place of tuples, and texts that are not too long."""
    return {
        name: list(value) if isinstance(value, tuple) else value[:1000] if isinstance(value, str) else value
        for name, value in fields.items()
    }


if __name__ == "__main__":
    name, seconds, megabytes = sys.argv[1:4]
    inward, outward = confinement.private_streams()
    torch.set_num_threads(1)
    confinement.limit(int(megabytes), float(seconds))
    try:
        _main(Path(name), inward, outward)
    except (MessageError, OSError):  # the process that asks has ended
        os._exit(0)

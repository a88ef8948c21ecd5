"""Runs of a visitor's own tests in a separate process, only for browsers of the account that runs the server."""

from pathlib import Path

from playground.lessons.examine.examination import Examination
from playground.lessons.examine.examining import ExamineProcess
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.parts.code.code_file import CodeFile
from playground.ui.parts.code.code_jobs import CodeJob, CodeJobs
from playground.ui.server import channels

FILE_NAME = "my_tests.py"
"""Name of the file with the tests."""

EXAMINATIONS = CodeJobs[str, Examination]("examination")
"""By the code that was run."""


def begin(code: str) -> CodeJob[str, Examination]:
    """Run this visitor's tests and cancel an earlier run. Raises `CheckError` if that isn't allowed."""

    def start(folder: Path) -> CodeJob[str, Examination]:
        file = folder / FILE_NAME
        file.write_bytes(CodeFile(FILE_NAME, code).content())
        progress = f"Running the tests: {{}} s. The limit is {MAX_SECONDS:g} s."
        return CodeJob(code, ExamineProcess(file), progress)

    return EXAMINATIONS.begin(start)


channels.own_channel(EXAMINATIONS.name, EXAMINATIONS.fields, EXAMINATIONS.moving)

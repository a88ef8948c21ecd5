"""Checks of a visitor's code in a separate process, only for browsers of the account that runs the server."""

from pathlib import Path
from typing import NamedTuple

from playground.lessons.check.checking import CheckProcess
from playground.lessons.check.verdict import Verdict, part_in_words
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.parts.code.code_file import CodeFile
from playground.ui.parts.code.code_jobs import CodeJob, CodeJobs
from playground.ui.server import channels

FILE_NAME = "my_file.py"
"""Name of the file with the code."""


class AskedCheck(NamedTuple):
    """What is checked, and how."""

    code: str
    part: str
    mask: str | None
    build: str = ""
    call: str = ""


CHECKS = CodeJobs[AskedCheck, Verdict]("check")


def begin(asked: AskedCheck) -> CodeJob[AskedCheck, Verdict]:
    """Start a check of this visitor's code and cancel an earlier one. Raises `CheckError` if that isn't allowed."""

    def start(folder: Path) -> CodeJob[AskedCheck, Verdict]:
        file = folder / FILE_NAME
        file.write_bytes(CodeFile(FILE_NAME, asked.code).content())
        process = CheckProcess(file, asked.part, asked.mask, build=asked.build, call=asked.call)
        progress = f"Checking {part_in_words(asked.part)}: {{}} s. The limit is {MAX_SECONDS:g} s."
        return CodeJob(asked, process, progress)

    return CHECKS.begin(start)


channels.own_channel(CHECKS.name, CHECKS.fields, CHECKS.moving)

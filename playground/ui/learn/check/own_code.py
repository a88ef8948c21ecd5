"""Checks of a visitor's code in a separate process, only for browsers of the account that runs the server."""

from pathlib import Path
from typing import NamedTuple

from playground.common.bounded_cache import BoundedCache
from playground.lessons.check.checking import CheckProcess
from playground.lessons.check.verdict import CheckError, Verdict
from playground.lessons.own_code.processes import MAX_SECONDS
from playground.ui.parts.code import own_machine
from playground.ui.parts.code.code_file import MAX_BYTES, CodeFile
from playground.ui.parts.code.code_jobs import MAX_VISITORS, CodeJob, CodeJobs
from playground.ui.server import channels
from playground.ui.session import identity

FILE_NAME = "my_file.py"
"""Name of the file with the code."""

_codes: BoundedCache[str, str] = BoundedCache(MAX_VISITORS, lambda _: 1)  # by visitor


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
    if len(asked.code.encode("utf-8", "replace")) > MAX_BYTES:
        raise CheckError("The code is longer than 1 MB.", "Keep only the part to check.")
    if not asked.code.strip():
        raise CheckError("There is no code yet.", "Write or paste some, or choose a file.")

    def start(folder: Path) -> CodeJob[AskedCheck, Verdict]:
        file = folder / FILE_NAME
        file.write_bytes(CodeFile(FILE_NAME, asked.code).content())
        process = CheckProcess(file, asked.part, asked.mask, build=asked.build, call=asked.call)
        progress = f"Checking {asked.part.replace('-', ' ')}: {{}} s. The limit is {MAX_SECONDS:g} s."
        return CodeJob(asked, process, progress)

    return CHECKS.begin(start)


def keep(code: str) -> None:
    """Store this visitor's code, so that a reload doesn't lose it."""
    if own_machine.permitted() and len(code) <= MAX_BYTES:
        _codes.put(identity.visitor(), code)


def kept() -> str:
    """This visitor's stored code."""
    return _codes.get(identity.visitor()) or ""


channels.own_channel(CHECKS.name, CHECKS.fields, CHECKS.moving)

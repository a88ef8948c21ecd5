"""`python -m playground grade`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import UsageError, app, note, path, plain_errors, progress
from playground.common.errors import one_line, reason
from playground.common.files import open_regular, write_whole
from playground.common.numbers import counted
from playground.common.signing import known_signer
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.grading import (
    MAX_RECEIPTS,
    PROVES,
    SIGNED,
    Grading,
    Platform,
    csv_of,
    grade,
    judge_in,
)
from playground.lessons.assignments.receipt import MAX_BYTES, PURPOSE
from playground.lessons.check.process.confinement import hide
from playground.processes.pool import Pool
from playground.settings.host import Host


@app.command("grade")
def grade_command(
    receipts: Annotated[
        Path,
        typer.Argument(
            parser=path, metavar="RECEIPTS", help="A folder of receipts (.json), or one.", show_default=False
        ),
    ],
    csv: Annotated[Path, typer.Option("--csv", parser=path, help="The table to write, for a learning platform.")],
    assignment: Annotated[
        str,
        typer.Option(metavar="LINK_OR_FILE", help="The assignment. Default: the one that most receipts have."),
    ] = "",
    platform: Annotated[
        Platform, typer.Option("--for", help="The learning platform. Moodle's table has all parts.")
    ] = "moodle",
    run_code: Annotated[
        bool, typer.Option("--run-code", help="Run students' code, as `check` does. This is no sandbox.")
    ] = False,
) -> None:
    """Grade receipts of assignments: check their signatures and compute every answer again.

    The signature is checked with the key of the server whose folder PLAYGROUND_CHECKPOINTS names. Forged, foreign,
    doubled or changed receipts are refused, each with a reason. Exit code 2 only if the command itself is wrong.
    """
    with plain_errors():
        given = _assignment(assignment) if assignment else None
        files = _files(receipts)
        if csv.is_dir() or not csv.absolute().parent.is_dir():
            raise UsageError(f"--csv {csv} can't be written: use the name of a file in a folder that exists.")
        if run_code:
            hide()
        key, grading = known_signer(Host.from_environment().private_folder, PURPOSE), None
        pool = Pool("grading")
        at_once = os.cpu_count() or 1
        try:
            with progress() as bar:
                contents = _contents(receipts, files)
                for grading in grade(contents, given, key, run_code=run_code, judge=judge_in(pool), at_once=at_once):
                    bar(f"{len(grading.graded)} of {grading.total}", len(grading.graded) / max(1, grading.total))
        finally:
            pool.end()
        assert grading is not None
        try:
            write_whole(csv, csv_of(grading, platform).encode())
        except OSError as error:
            raise UsageError(f"--csv {csv} could not be written: {reason(error)}.") from None
    _tell(grading, csv)


def _assignment(text: str) -> Assignment:
    """From a link or a file."""
    if "?" in text or not Path(text).exists():
        return Assignment.of_link(text)
    try:
        with open_regular(path(text)) as file:
            return Assignment.of_json(file.read(MAX_BYTES))
    except OSError as error:
        raise UsageError(f"--assignment {text} could not be read: {reason(error)}.") from None


def _files(receipts: Path) -> list[Path]:
    """The receipts in a folder and in those below it, without links. Raises `UsageError`."""
    if not receipts.is_dir():
        if not receipts.is_file():
            raise UsageError(f"There are no receipts at {receipts}.", "Name a folder or a file.")
        return [receipts]
    found: list[Path] = []
    for folder, below, names in os.walk(receipts):
        below.sort()
        found += [Path(folder, name) for name in sorted(names) if name.lower().endswith(".json")]
        if len(found) > MAX_RECEIPTS:
            raise UsageError(f"{receipts} has more than {MAX_RECEIPTS:,} files.", "Grade them in parts.")
    if not found:
        raise UsageError(f"{receipts} has no receipts.", "Their names end with .json.")
    return found


def _contents(receipts: Path, files: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Name and contents of each file; one that can't be read gets a line."""
    for file in files:
        name = str(file.relative_to(receipts)) if file != receipts else file.name
        try:
            with open_regular(file) as opened:
                yield name, opened.read(MAX_BYTES + 1)
        except OSError as error:
            print(f"{one_line(name)}: refused. It could not be read: {reason(error)}.")


def _tell(grading: Grading, csv: Path) -> None:
    """A line for each receipt, and what they prove."""
    for each in grading.graded:
        if each.refused or each.receipt is None:
            print(f"{one_line(each.file)}: refused. {one_line(each.refused, 400)}")
        else:
            work = each.receipt.work
            points = f"{each.total:g} of {counted(work.assignment.points, 'point')}"
            print(one_line(" ".join([f"{each.file}: {work.student}, {points}.", *each.notes]), 600))
    for kind, sentence in PROVES.items():
        if number := sum(each.signed == kind for each in grading.counting):
            print(f"{counted(number, 'receipt')} {SIGNED[kind]}: {sentence}")
    which = (
        f"“{one_line(grading.assignment.title)}” ({grading.assignment.id})" if grading.assignment else "no assignment"
    )
    print(f"{which}: {counted(len(grading.counting), 'receipt')} in {csv}, {len(grading.refused)} refused.")
    unmarked = sum(not mark.marked for each in grading.counting for mark in each.marks)
    if unmarked:
        note(f"{counted(unmarked, 'answer')} with code not marked. Add --run-code to run it; it is no sandbox.")

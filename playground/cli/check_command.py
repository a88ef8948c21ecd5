"""`python -m playground check`."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from playground.cli.commands import app, path
from playground.common.errors import one_line
from playground.lessons.check.causes import lesson_of
from playground.lessons.check.checking import PARTS, check_file
from playground.lessons.check.process.confinement import hide

CheckedPart = Literal[*PARTS]  # type: ignore[valid-type]

VERDICT_FIELDS = ("part", "verdict", "cause", "where", "difference", "message")
"""Of the JSON object; scripts read them."""

CODES = {"right": 0, "wrong": 1, "unknown": 3, "error": 2}


@app.command()
def check(
    file: Annotated[
        Path,
        typer.Argument(parser=path, metavar="FILE", help="Your code: a Python file or a notebook.", show_default=False),
    ],
    part: Annotated[CheckedPart, typer.Option("--part", help="What to check in it.")] = "attention",
    mask: Annotated[
        Literal["keep", "hide"] | None, typer.Option("--mask", help="What True in a mask does to a key.")
    ] = None,
    build: Annotated[
        str, typer.Option(help='How to build what is checked, for example "GPT(Config())". Default: with small sizes.')
    ] = "",
    call: Annotated[
        str, typer.Option(help='Which argument is what, for example "model(idx)" or "model(src, tgt, mask=src_mask)".')
    ] = "",
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check your own PyTorch or NumPy code against the reference.

    The code runs in a process of its own with limited time and memory. This is no sandbox: the code can read your
    files. Exit code: 0 right, 1 wrong, 2 error, 3 not judged.
    """
    hide()
    verdict = check_file(file, part, mask, build=build, call=call)
    if as_object:
        print(json.dumps({name: getattr(verdict, name) for name in VERDICT_FIELDS}, allow_nan=False))
    elif verdict.verdict == "error":
        typer.echo(f"Error: {one_line(verdict.message, 2000)}", err=True)
    else:
        print(verdict.message)
        if lesson := lesson_of(verdict.cause):
            print(f"Lesson: {lesson.title} ({lesson.address})")
    raise typer.Exit(CODES[verdict.verdict])

"""`python -m playground examine`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import UsageError, app, path, plain_errors
from playground.common.errors import one_line
from playground.lessons.check.process.confinement import hide
from playground.lessons.examine.examination import as_object
from playground.lessons.examine.examining import examine_file
from playground.lessons.examine.template import TEMPLATE


@app.command()
def examine(
    file: Annotated[
        Path | None,
        typer.Argument(
            parser=path, metavar="TESTS", help="Your tests: a Python file or a notebook.", show_default=False
        ),
    ] = None,
    as_object_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    template: Annotated[bool, typer.Option("--template", help="Print a file of tests to begin with.")] = False,
) -> None:
    """Test your tests: which of 14 classic mistakes do they catch, and do they accuse right code?

    A test is a function whose name begins with test_ or check_. It gets a part of a transformer and returns True or
    False, or asserts. The file runs in a process of its own with limited time and memory. This is no sandbox: the code
    can read your files. Exit code: 0 if all mistakes are caught and no right code is accused, 1 if not, 2 for an error.
    """
    if template:
        print(TEMPLATE, end="")
        return
    with plain_errors():
        if file is None:
            raise UsageError("There is no file of tests.", "Begin with --template.")
        hide()
        result = examine_file(file)
    if as_object_:
        print(json.dumps(as_object(result), allow_nan=False))
    elif result.error:
        typer.echo(f"Error: {one_line(result.error, 2000)}", err=True)
    else:
        print(result)
    raise typer.Exit(2 if result.error else 0 if result.is_complete else 1)

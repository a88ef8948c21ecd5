"""`python -m playground trace`."""

from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import UsageError, app, path, plain_errors
from playground.lessons.own_code.traced_file import traced


@app.command()
def trace(
    file: Annotated[
        Path,
        typer.Argument(parser=path, metavar="FILE", help="Your code: a Python file or a notebook.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("--out", parser=path, help="NAME.html for a page, NAME.json for the graph.")],
    build: Annotated[
        str, typer.Option(help='How to build the module, for example "GPT(Config())". Default: the last class.')
    ] = "",
    call: Annotated[
        str, typer.Option(help='How to call it, for example "model(torch.rand(2, 5, 16))". Default: by its arguments.')
    ] = "",
    gradients: Annotated[
        bool, typer.Option(help="Also the gradients of the sum of the first output, and what they were computed from.")
    ] = False,
) -> None:
    """Step through your own PyTorch code: every operation of one forward pass with its statement and numbers.

    The code runs in this process and can do what you can. Modules run in evaluation mode.
    """
    with plain_errors():
        if out.suffix not in (".html", ".json"):
            raise UsageError(f"--out {out} is neither a page nor JSON.", "Choose a name that ends with .html or .json.")
        graph = traced(file, build, call, gradients=gradients)
        graph.save(out)
        print(f"{len(graph):,} operations in {out}")

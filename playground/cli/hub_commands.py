"""`python -m playground push` and `pull`."""

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, app, plain_errors, progress
from playground.storage import checkpoint


@app.command()
def push(
    folder: CheckpointFolder,
    repo_id: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="Repository on the Hub.", show_default=False)],
    private: Annotated[
        bool, typer.Option("--private", help="Make a new repository a private one; a public one is refused.")
    ] = False,
    branch: Annotated[str, typer.Option(help="Branch to push to; made where it is not there.")] = "main",
    message: Annotated[str | None, typer.Option(help="The commit's message.")] = None,
) -> None:
    """Put a checkpoint on the Hugging Face Hub, with its model card; HF_TOKEN or your login says who you are."""
    from playground.hub import library_use

    with plain_errors(), progress() as tell:
        done = library_use.push(
            folder,
            repo_id,
            commit_message=message,
            private=private,
            branch=branch,
            create_pr=False,
            token=None,
            tell=tell,
        )
    print(f"{done.told} {done.commit_url}")


@app.command()
def pull(
    repo_id: Annotated[
        str, typer.Argument(metavar="OWNER/NAME", help="Model on the Hub, or its address.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the checkpoint; new or empty.")],
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the checkpoint that is there.")] = False,
) -> None:
    """Fetch a model from the Hugging Face Hub as a checkpoint folder."""
    from playground.hub import library_use

    with plain_errors(), progress() as tell, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", library_use.FromCacheWarning)
        checkpoint.check_free(out, overwrite=overwrite)
        origin = library_use.pull_to(repo_id, out, revision=revision, token=None, overwrite=overwrite, tell=tell)
    for warning in told:
        print(f"Note: {warning.message}", file=sys.stderr)
    print(f"{origin.repo_id} at commit {origin.revision}; written to {out}")

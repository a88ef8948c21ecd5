"""`python -m playground push` and `pull`."""

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, app, path, plain_errors, progress
from playground.storage import checkpoint


@app.command()
def push(
    folder: CheckpointFolder,
    repo_id: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="Repository on the Hub.", show_default=False)],
    private: Annotated[
        bool, typer.Option("--private", help="Create the repository as private; fails if it exists and is public.")
    ] = False,
    branch: Annotated[str, typer.Option(help="Branch to push to; created if missing.")] = "main",
    message: Annotated[str | None, typer.Option(help="Commit message.")] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="FORMAT", help="Also push as transformers or transformer-lens; repeatable."),
    ] = None,
    circuit: Annotated[
        Path | None,
        typer.Option(parser=path, metavar="FILE", help="A circuit to test, push, and describe in the model card."),
    ] = None,
) -> None:
    """Push a checkpoint with its model card to the Hugging Face Hub. Uses HF_TOKEN or your Hub login."""
    from playground.hub import library_use
    from playground.laboratory import pushing

    with plain_errors(), progress() as on_progress:
        beside, sections = pushing.additions(folder, formats or (), circuit)
        done = library_use.push(
            folder,
            repo_id,
            commit_message=message,
            private=private,
            branch=branch,
            create_pr=False,
            token=None,
            beside=beside,
            sections=sections,
            on_progress=on_progress,
        )
    print(f"{done.message} {done.commit_url}")


@app.command()
def pull(
    repo_id: Annotated[
        str, typer.Argument(metavar="OWNER/NAME", help="Model on the Hub, or its URL.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", parser=path, help="Folder for the checkpoint; must be new or empty.")],
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing checkpoint.")] = False,
) -> None:
    """Pull a model from the Hugging Face Hub into a checkpoint folder."""
    from playground.hub import library_use

    with plain_errors(), progress() as on_progress, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", library_use.FromCacheWarning)
        checkpoint.check_free(out, overwrite=overwrite)
        origin = library_use.pull_to(
            repo_id, out, revision=revision, token=None, overwrite=overwrite, on_progress=on_progress
        )
    for warning in caught:
        print(f"Warning: {warning.message}", file=sys.stderr)
    print(f"Pulled {origin.repo_id} at commit {origin.revision} to {out}")

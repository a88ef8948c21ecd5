"""`python -m playground ...`: the same work as in the browser, for the command line."""

import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup
from typer.exceptions import TyperException

from playground.config import Change, ConfigError, RunConfig, in_order, most_steps, parameter_counts, parse_changes
from playground.decoding import respond
from playground.errors import PlaygroundError, one_line
from playground.experiments import benchmark as figures
from playground.inspection import as_json, walk
from playground.presets import DEFAULT_PRESET, PRESETS
from playground.storage import checkpoint, validation
from playground.task_model import TaskModel
from playground.tasks import InputError, encode, text_of
from playground.training import TrainingError, train


class _OneLine(TyperGroup):
    """Says what is wrong with a command in one line; without a command it shows the help."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **kwargs: Any) -> Any:
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        kwargs["standalone_mode"] = False
        try:
            code = super().main(words, *rest, **kwargs)
        except TyperException as error:
            print(f"Error: {' '.join(error.format_message().split())}", file=sys.stderr)
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


app = typer.Typer(
    cls=_OneLine,
    help="Train, inspect and use tiny transformers.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

CheckpointFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A checkpoint folder.", show_default=False)]
Input = Annotated[str, typer.Option("--input", help='Symbols separated by spaces, for example "3 1 4".')]


class UsageError(PlaygroundError):
    """An option that cannot be followed."""


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Bad input ends in one line on standard error and exit code 2."""
    try:
        yield
    except (PlaygroundError, ConfigError, InputError, TrainingError) as error:
        print(f"Error: {one_line(error, 2000)}", file=sys.stderr)
        raise typer.Exit(2) from None


@app.command("train")
def train_command(
    out: Annotated[Path, typer.Option("--out", help="Folder for the checkpoint; new or empty.")],
    preset: Annotated[str | None, typer.Option(help=f"One of {', '.join(PRESETS)}.")] = None,
    config: Annotated[
        Path | None, typer.Option(help="A JSON file with settings, or a checkpoint's config.json.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, for example model.d_model=64.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same run.")] = None,
    steps: Annotated[int | None, typer.Option(help="Optimiser steps at most.")] = None,
    as_object: Annotated[bool, typer.Option("--json", help="Close standard output with one JSON object.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the checkpoint that is there.")] = False,
) -> None:
    """Train a model and write it as a checkpoint folder."""
    with _plain_errors():
        settings, on_the_way = _settings(preset, config, changes or [], seed, steps)
        checkpoint.check_free(out, overwrite=overwrite)
        model = TaskModel(settings)
        history, summary = _train(settings, model, on_the_way)
        checkpoint.save(out, model, history, on_the_way, overwrite=overwrite)
    if as_object:
        print(json.dumps(summary))
    else:
        solved = f"solved at step {summary['solved_at_step']}" if summary["solved_at_step"] else "not solved"
        print(f"{summary['steps']} steps, {summary['exact_match']:.1%} exact match, {solved}; written to {out}")


@app.command()
def inspect(
    folder: CheckpointFolder,
    text: Input,
    out: Annotated[Path, typer.Option("--out", help="JSON file to write.")],
    target: Annotated[
        str | None, typer.Option(help="What the decoder reads instead of the model's own answer.")
    ] = None,
) -> None:
    """Write every operation of one forward pass, with formula, statement and numbers."""
    with _plain_errors():
        loaded = checkpoint.load(folder)
        _write(out, json.dumps(as_json(walk(loaded.model, text, target)), allow_nan=False))


@app.command()
def generate(folder: CheckpointFolder, text: Input) -> None:
    """Print the model's answer to an input."""
    with _plain_errors():
        loaded = checkpoint.load(folder)
        answer = respond(loaded.model, encode(text, loaded.config.task))
        print(text_of(answer, loaded.config.task))


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

    with _plain_errors(), _progress() as tell:
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

    with _plain_errors(), _progress() as tell, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", library_use.FromCacheWarning)
        checkpoint.check_free(out, overwrite=overwrite)
        origin = library_use.pull_to(repo_id, out, revision=revision, token=None, overwrite=overwrite, tell=tell)
    for warning in told:
        print(f"Note: {warning.message}", file=sys.stderr)
    print(f"{origin.repo_id} at commit {origin.revision}; written to {out}")


@app.command()
def benchmark(
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Runs of each recipe.")] = 5,
    peer_seeds: Annotated[int, typer.Option(min=1, max=100, help="Runs of each peer's recipe.")] = 1,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Measure this project's figures beside its peers' recipes, in one run on this machine."""
    results = figures.run(seeds, peer_seeds, say=Console(stderr=True).print)
    print(json.dumps(results) if as_object else figures.as_text(results))


@contextmanager
def _progress() -> Iterator[Callable[[str, float | None], None]]:
    """A bar on a terminal for what is told from other threads."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=1.0)

        def tell(stage: str, share: float | None) -> None:
            bar.update(task, description=stage, completed=share or 0.0)

        yield tell


def _settings(
    preset: str | None, file: Path | None, changes: list[str], seed: int | None, steps: int | None
) -> tuple[RunConfig, list[Change]]:
    """The settings, and the changes on the way that a checkpoint's config.json tells; options here replace both."""
    if preset is not None and file is not None:
        raise UsageError("--preset and --config exclude each other; give one of them.")
    if preset is not None and preset not in PRESETS:
        raise UsageError(f"--preset {preset} does not exist; use one of {', '.join(PRESETS)}.")
    config, on_the_way = _read_config(file) if file else (PRESETS[preset or DEFAULT_PRESET].config, ())
    updates: dict[str, Any] = {}
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals:
            raise UsageError(f"--set {change} lacks a value; write it as model.d_model=64.")
        try:
            updates[path.strip()] = json.loads(value)
        except (ValueError, RecursionError):
            updates[path.strip()] = value.strip()
    if seed is not None:
        updates["seed"] = seed
    if steps is not None:
        updates["training.steps"] = steps
    left = [(each.step, {k: v for k, v in each.settings.items() if k not in updates}) for each in on_the_way]
    config = config.updated(updates)
    return config, list(in_order(config, [Change(step, settings) for step, settings in left if settings]))


def _read_config(file: Path) -> tuple[RunConfig, tuple[Change, ...]]:
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise UsageError(f"--config {file} could not be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--config {file} is no JSON: {error}.") from None
    changes: object = []
    if isinstance(data, dict):
        changes = data.pop("changes", [])
        data = {key: value for key, value in data.items() if key not in validation.NO_SETTINGS}
    config = RunConfig.parse(data)
    return config, parse_changes(changes, config)


def _train(
    config: RunConfig, model: TaskModel, changes: Sequence[Change]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Trains `model` behind a progress bar: its history and what was reached."""
    torch.set_num_threads(1)
    history: list[dict[str, Any]] = []
    solved_at: tuple[int | None, float | None] = (None, None)
    start = time.perf_counter()
    columns = (
        TextColumn("step"),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=most_steps(config, changes))
        for progress in train(config, model, changes):
            history.append(progress.record())
            if progress.solved and solved_at[0] is None:
                solved_at = (progress.step, progress.seconds)
            if progress.evaluation:
                said = f"loss {progress.evaluation.loss:.3f}, exact match {progress.evaluation.exact_match:.1%}"
                bar.update(task, completed=progress.step, description=said)
    seconds = time.perf_counter() - start
    last = progress.evaluation
    assert last is not None  # every run ends with an evaluation
    return history, {
        "steps": progress.step,
        "seconds": seconds,
        "steps_per_second": progress.step / seconds,
        "exact_match": last.exact_match,
        "token_accuracy": last.token_accuracy,
        "loss": last.loss,
        "solved_at_step": solved_at[0],
        "solved_at_seconds": solved_at[1],
        "parameters": sum(parameter_counts(config).values()),
    }


def _write(file: Path, text: str) -> None:
    """All of the file or nothing."""
    if not file.name:
        raise UsageError(f"--out {file} is a folder; name a file.")
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        try:
            partial.write_text(text)
            partial.replace(file)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise
    except OSError as error:
        raise UsageError(f"--out {file} could not be written: {error.strerror}.") from None

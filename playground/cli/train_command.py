"""`python -m playground train`."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from playground.cli.commands import Address, BackendName, UsageError, app, backend_named, path, plain_errors, settings
from playground.common.numbers import evidence, percent, perplexity
from playground.model.task_model import TaskModel
from playground.runs import Run
from playground.runs.backends import LOCAL, Backend
from playground.runs.metadata import Device
from playground.settings.config import Change, RunConfig, max_steps, parameter_counts
from playground.settings.presets import PRESETS
from playground.storage import checkpoint
from playground.tasks import task_of
from playground.training import TrainingError, train


@app.command("train")
def train_command(
    out: Annotated[Path, typer.Option("--out", parser=path, help="Folder for the checkpoint; must be new or empty.")],
    preset: Annotated[str | None, typer.Option(help=f"One of {', '.join(PRESETS)}.")] = None,
    config: Annotated[
        Path | None, typer.Option(parser=path, help="A JSON file with settings, or a checkpoint's config.json.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="A setting, for example model.d_model=64. Repeatable.")
    ] = None,
    text: Annotated[
        Path | None, typer.Option(parser=path, help="A .txt file in UTF-8 to learn, of at most 1,000,000 bytes.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed. The same seed gives the same run.")] = None,
    steps: Annotated[int | None, typer.Option(help="Maximum optimizer steps.")] = None,
    backend: BackendName = "local",
    address: Address = "",
    as_object: Annotated[
        bool, typer.Option("--json", help="Print a JSON object as the last line of standard output.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing checkpoint.")] = False,
    device: Annotated[
        Device,
        typer.Option(help="cpu is the reference. cuda trains on the same batches, with slightly different results."),
    ] = "cpu",
) -> None:
    """Train a model and save it as a checkpoint folder."""
    with plain_errors():
        where = backend_named(backend, address)
        chosen, mid_run = settings(preset, config, changes or [], seed, steps, text)
        checkpoint.check_free(out, overwrite=overwrite)
        if where is LOCAL:
            if device == "cuda" and not LOCAL.has_gpu:
                raise UsageError("--device cuda needs a CUDA GPU and a CUDA build of torch. Found none.", "Use cpu.")
            model = TaskModel(chosen).to(device)
            history, summary = _train(chosen, model, mid_run)
        else:
            model, history, summary = _train_on(where, chosen, mid_run, device)
        checkpoint.save(out, model.cpu(), history, mid_run, overwrite=overwrite)
    if as_object:
        print(json.dumps(summary))
    else:
        solved = "not solved" if summary["solved_at_step"] is None else f"solved at step {summary['solved_at_step']}"
        if "perplexity" in summary:
            solved = f"perplexity {summary['perplexity']:.3g}"
        times = f"{summary['seconds']:.1f} s, of which {summary['optimizer_seconds']:.1f} s in optimizer steps"
        print(
            f"{summary['steps']} steps in {times}. Exact match {percent(summary['exact_match'])}, {solved}. "
            f"{evidence(summary['exact_match'], summary['sequences'])} Saved to {out}"
        )


def _train(
    config: RunConfig, model: TaskModel, changes: Sequence[Change]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Train `model` with a progress bar; return its history and the summary."""
    history: list[dict[str, Any]] = []
    solved_at: tuple[int | None, float | None] = (None, None)
    start = time.perf_counter()
    with _bar() as bar:
        task = bar.add_task("", total=max_steps(config, changes))
        for progress in train(config, model, changes):
            history.append(progress.record())
            if progress.solved and solved_at[0] is None:
                solved_at = (progress.step, progress.seconds)
            if progress.evaluation:
                reached = f"loss {progress.evaluation.loss:.3f}, exact match {percent(progress.evaluation.exact_match)}"
                bar.update(task, completed=progress.step, description=reached)
    return history, _summary(config, history[-1], solved_at, time.perf_counter() - start)


def _summary(
    config: RunConfig, last: Mapping[str, Any], solved_at: tuple[int | None, float | None], seconds: float
) -> dict[str, Any]:
    """The summary of a training from its last record; every training ends with an evaluation."""
    own = {"perplexity": perplexity(last["validation_loss"])} if task_of(config.task).continues else {}
    return own | {
        "steps": last["step"],
        "seconds": seconds,
        "optimizer_seconds": last["seconds"],
        "steps_per_second": last["step"] / seconds,
        **{name: last[name] for name in ("exact_match", "exact_match_low", "exact_match_high", "sequences")},
        "token_accuracy": last["token_accuracy"],
        "loss": last["validation_loss"],
        "solved_at_step": solved_at[0],
        "solved_at_seconds": solved_at[1],
        "parameters": sum(parameter_counts(config).values()),
    }


def _train_on(
    backend: Backend, config: RunConfig, changes: Sequence[Change], device: Device
) -> tuple[TaskModel, list[dict[str, Any]], dict[str, Any]]:
    """Train on another backend; return the model, its history and the summary."""
    from playground.experiments import batch
    from playground.experiments.comparison import outcome

    start = time.perf_counter()
    with _bar() as bar:
        task = bar.add_task("", total=max_steps(config, changes))

        def on_progress(runs: Sequence[Run], problem: str) -> None:
            loss = runs[0].last().get("loss")
            bar.update(
                task, completed=runs[0].step, description=problem or ("" if loss is None else f"loss {loss:.3f}")
            )

        with batch.trained([config], backend, on_progress, changes=changes, device=device) as (run,):
            if run.status in ("failed", "stopped"):
                raise TrainingError(run.message or "The training process was lost several times.")
            reached, model, history = outcome(run), run.model_at(run.step), run.exact_records()
    solved_at = reached.solved_step, reached.solved_seconds
    summary = _summary(config, history[-1], solved_at, time.perf_counter() - start)
    return model, history, summary | {"node": run.metadata.node}


def _bar() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("step"),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )

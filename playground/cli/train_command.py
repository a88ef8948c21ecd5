"""`python -m playground train`."""

import json
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from playground.cli.commands import (
    Address,
    BackendName,
    UsageError,
    app,
    backend_named,
    note,
    path,
    plain_errors,
    settings,
)
from playground.cli.interruption import Interruption, interruptible
from playground.cli.terminal_bar import Bar
from playground.common.errors import CheckpointError
from playground.common.numbers import evidence, percent, perplexity
from playground.model.task_model import TaskModel
from playground.runs import Run
from playground.runs.backends import LOCAL, Backend
from playground.runs.metadata import Device
from playground.settings.config import Change, RunConfig, max_steps, parameter_counts
from playground.settings.presets import PRESETS
from playground.storage import checkpoint, training_state
from playground.storage.training_state import Clock
from playground.tasks import task_of
from playground.training import Training, TrainingError


@app.command("train")
def train_command(
    out: Annotated[
        Path | None, typer.Option("--out", parser=path, help="Folder for the checkpoint; must be new or empty.")
    ] = None,
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
    steps: Annotated[
        int | None, typer.Option(help="Maximum optimizer steps. With --resume: a new maximum; schedules stretch to it.")
    ] = None,
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
    save_every: Annotated[
        int | None,
        typer.Option(
            "--save-every", metavar="N", min=1, help="Also save every N steps, with the state that --resume needs."
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="DIR",
            parser=path,
            help="Go on with the interrupted training in this folder, as if it had never stopped.",
        ),
    ] = None,
) -> None:
    """Train a model and save it as a checkpoint folder.

    Ctrl-C or SIGTERM ends the step under way and saves a checkpoint that --resume goes on from; the exit code is 130 or
    143. A second one ends the command at once, without that save.
    """
    with plain_errors(), interruptible() as asked:
        where = backend_named(backend, address)
        if where is not LOCAL and (resume or save_every):
            raise UsageError(f"{'--resume' if resume else '--save-every'} needs --backend local.")
        if device == "cuda" and where is LOCAL and not LOCAL.has_gpu:
            raise UsageError("--device cuda needs a CUDA GPU and a CUDA build of torch. Found none.", "Use cpu.")
        if resume is not None:
            given: dict[str, object] = {
                "--out": out,
                "--preset": preset,
                "--config": config,
                "--set": changes or None,
                "--text": text,
            }
            given |= {"--seed": seed, "--overwrite": overwrite or None}
            _check_alone([name for name, value in given.items() if value is not None])
            work = _LocalTraining.resumed(resume, steps)
        else:
            if out is None:
                raise UsageError("--out is missing.", "Name a folder for the checkpoint.")
            chosen, mid_run = settings(preset, config, changes or [], seed, steps, text)
            checkpoint.check_free(out, overwrite=overwrite)
            if where is LOCAL:
                training = Training(chosen, TaskModel(chosen).to(device), mid_run)
                work = _LocalTraining(training, out, overwrite=overwrite)
            else:
                model, history, summary = _train_on(where, chosen, mid_run, device, asked)
                checkpoint.save(out, model.cpu(), history, mid_run, overwrite=overwrite)
        if where is LOCAL:
            work.train(asked, save_every)
            out, summary = work.out, work.summary()
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


def _check_alone(given: Sequence[str]) -> None:
    """Refuse options beside `--resume`, whose folder has the settings."""
    if given:
        names = " and ".join(given)
        raise UsageError(f"{names} can't be combined with --resume.", "The folder has the settings of its training.")


class _LocalTraining:
    """A training on this machine, and the folder that it is saved to."""

    def __init__(
        self,
        training: Training,
        out: Path,
        *,
        overwrite: bool,
        history: Sequence[Mapping[str, Any]] = (),
        clock: Clock | None = None,
    ) -> None:
        self.training, self.out, self.overwrite = training, out, overwrite
        self.history, self.clock = [*history], clock or Clock()
        self._folder = out.absolute()  # while the working directory exists: a save may replace it
        self._start = time.perf_counter() - self.clock.seconds

    @classmethod
    def resumed(cls, folder: Path, steps: int | None) -> "_LocalTraining":
        """The interrupted training in a folder; raises `CheckpointError`, and `ConfigError` for the number of steps."""
        loaded = checkpoint.load(folder)
        training, clock = training_state.resumed(loaded, has_gpu=LOCAL.has_gpu)
        if steps is not None and steps != training.now.training.steps:
            training.change({"training.steps": steps})
        history = loaded.history if training.step else ()  # the untrained model is evaluated again
        return cls(training, folder, overwrite=True, history=history, clock=clock)

    def train(self, asked: Interruption, save_every: int | None) -> None:
        """Take the steps that are left and save; raises `typer.Exit` after a signal, with all saved."""
        training = self.training
        with _bar() as bar:
            last = training.config.after(training.changes, max_steps(training.config, training.changes))
            task = bar.add_task("", total=last.training.steps, completed=training.step)
            for progress in training.progress():
                self.history.append(progress.record())
                if progress.solved and self.clock.solved_step < 0:
                    self.clock.solved_step, self.clock.solved_seconds = progress.step, progress.seconds
                bar.update(task, completed=progress.step)
                if tested := progress.evaluation:
                    words = f"loss {tested.loss:.3f}, exact match {percent(tested.exact_match)}"
                    bar.update(task, description=words)
                if asked.number and not training.ended:
                    break
                if save_every and progress.step and progress.step % save_every == 0 and not training.ended:
                    try:
                        self._save(ended=False)
                    except CheckpointError as error:  # the training is worth more than this save
                        note(str(error))
        self._save(ended=training.ended)
        if not training.ended:
            go_on = f"python -m playground train --resume {shlex.quote(str(self.out))}"
            steps = f"{training.step:,} of {training.now.training.steps:,} steps"
            print(f"Stopped after {steps}. Saved to {self.out}. To go on: {go_on}", file=sys.stderr)
            raise typer.Exit(asked.exit_code)

    def summary(self) -> dict[str, Any]:
        """The summary of a training that has ended."""
        solved_at = (int(self.clock.solved_step), self.clock.solved_seconds)
        config = self.training.config
        return _summary(config, self.history[-1], (None, None) if solved_at[0] < 0 else solved_at, self.clock.seconds)

    def _save(self, *, ended: bool) -> None:
        self.clock.seconds = time.perf_counter() - self._start
        training = self.training
        state = b"" if ended else training_state.pack(training, self.clock)
        changes = training.changes
        checkpoint.save(self._folder, training.model, self.history, changes, state=state, overwrite=self.overwrite)
        self.overwrite = True  # from now on the checkpoint there is this one


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
    backend: Backend, config: RunConfig, changes: Sequence[Change], device: Device, asked: Interruption
) -> tuple[TaskModel, list[dict[str, Any]], dict[str, Any]]:
    """Train on another backend; return the model, its history and the summary.

    Raises `typer.Exit` after a signal; nothing is saved then.
    """
    from playground.experiments import batch
    from playground.experiments.comparison import outcome

    start = time.perf_counter()
    with _bar() as bar:
        task = bar.add_task("", total=max_steps(config, changes))

        def on_progress(runs: Sequence[Run], problem: str) -> None:
            if asked.number:
                print("Stopped. An interrupted training on Ray isn't saved.", file=sys.stderr)
                raise typer.Exit(asked.exit_code)
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


def _bar() -> Bar:
    counted = TextColumn("step"), MofNCompleteColumn()
    return Bar(*counted, BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn(), TextColumn("left"))

"""`python -m playground sweep`."""

import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from playground.cli.commands import (
    Address,
    BackendName,
    UsageError,
    app,
    backend_named,
    path,
    plain_errors,
    progress,
    settings,
)
from playground.common.errors import CheckpointError
from playground.common.files import written_beside
from playground.experiments import batch
from playground.experiments.comparison import outcome
from playground.experiments.sweeps import MAX_SWEEP_RUNS, Sweep, SweepError, parse
from playground.runs import Run
from playground.settings.config import value_at
from playground.settings.presets import PRESETS
from playground.storage import checkpoint

RESULTS = "sweep.json"


@app.command("sweep")
def sweep_command(
    out: Annotated[
        Path, typer.Option("--out", parser=path, help="Folder for results and checkpoints; must be new or empty.")
    ],
    changes: Annotated[
        list[str], typer.Option("--set", help="A setting and its values, for example model.n_heads=1,2,4. Repeatable.")
    ],
    preset: Annotated[str | None, typer.Option(help=f"One of {', '.join(PRESETS)}.")] = None,
    config: Annotated[
        Path | None, typer.Option(parser=path, help="A JSON file with settings, or a checkpoint's config.json.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(help=f"Number of seeds per combination, 1 or more; at most {MAX_SWEEP_RUNS} runs in all.")
    ] = 1,
    seed: Annotated[int | None, typer.Option(help="First seed.")] = None,
    steps: Annotated[int | None, typer.Option(help="Maximum optimizer steps.")] = None,
    backend: BackendName = "local",
    address: Address = "",
    as_object: Annotated[
        bool, typer.Option("--json", help="Print a JSON object as the last line of standard output.")
    ] = False,
) -> None:
    """Train all combinations of one or two settings, with one or more seeds each."""
    with plain_errors():
        where = backend_named(backend, address)
        axes = [change for change in changes if "," in change.partition("=")[2]]
        base, mid_run = settings(preset, config, [change for change in changes if change not in axes], seed, steps)
        if mid_run:
            raise UsageError(f"--config {config} has mid-run changes. A sweep accepts settings only.")
        sweep = Sweep(base, dict(map(_values, axes)), seeds)
        configs = sweep.configs()
        checkpoint.check_free(out)
        with progress() as report, batch.trained(configs, where, _progress_of(report), title=sweep.title) as runs:
            results = {"runs": [_result(run, list(sweep.axes)) for run in runs]}
            _write(out, runs, results)
    if as_object:
        print(json.dumps(results))
    else:
        solved = sum(run["status"] == "solved" for run in results["runs"])
        print(f"{len(results['runs'])} runs, {solved} solved. Saved to {out}")


def _values(change: str) -> tuple[str, Sequence[Any]]:
    """A setting and its values, from model.n_heads=1,2,4."""
    path, _, values = change.partition("=")
    try:
        return path.strip(), parse(path.strip(), values)
    except KeyError:
        raise SweepError(f"There is no setting {path.strip()!r}.") from None


def _progress_of(report: Any) -> batch.OnBatchProgress:
    def on_progress(runs: Sequence[Run], problem: str) -> None:
        ended = sum(run.ended for run in runs)
        fractions = [1.0 if run.ended else run.step / run.config.training.steps for run in runs]
        report(problem or f"{ended} of {len(runs)} runs have ended", sum(fractions) / len(runs))

    return on_progress


def _result(run: Run, axes: Sequence[str]) -> dict[str, Any]:
    reached = outcome(run)
    return {
        "settings": {path: value_at(run.config, path) for path in axes},
        "seed": run.config.seed,
        "node": run.metadata.node or platform.node(),
        "steps": run.step,
        "exact_match": run.last().get("exact_match"),
        "loss": reached.loss,
        "solved_at_step": reached.solved_step,
        "solved_at_seconds": reached.solved_seconds,
        "status": run.status,
    }


def _write(out: Path, runs: Sequence[Run], results: dict[str, Any]) -> None:
    """Write the results and a checkpoint per run that has not failed, all or nothing."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(out) as partial:
            partial.mkdir()
            for run, result in zip(runs, results["runs"]):
                values = [f"{path.rpartition('.')[2]}-{value}" for path, value in result["settings"].items()]
                name = "-".join([*values, f"seed-{run.config.seed}"])
                result["checkpoint"] = None if run.status == "failed" else name
                if result["checkpoint"]:
                    checkpoint.save(partial / name, run.model_at(run.step), run.exact_records())
            (partial / RESULTS).write_text(json.dumps(results, indent=2), "utf-8")
    except OSError as error:
        raise CheckpointError(f"{out} could not be written: {error.strerror}.") from None

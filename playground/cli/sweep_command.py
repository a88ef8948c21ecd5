"""`python -m playground sweep`."""

import json
import platform
import sys
from collections.abc import Callable, Sequence
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
from playground.cli.interruption import Interruption, interruptible
from playground.common.errors import CheckpointError, reason
from playground.common.files import open_regular, write_whole
from playground.experiments import batch
from playground.experiments.comparison import outcome
from playground.experiments.sweeps import MAX_SWEEP_RUNS, Sweep, SweepError, parse
from playground.runs import Run
from playground.settings.config import ConfigError, RunConfig, value_at
from playground.settings.presets import PRESETS
from playground.storage import checkpoint
from playground.storage.validation import MAX_CONFIG_BYTES

RESULTS = "sweep.json"
_MAX_RESULT_BYTES = MAX_CONFIG_BYTES + 1_000_000
_RESULT = {"settings", "seed", "node", "steps", "exact_match", "loss", "solved_at_step", "solved_at_seconds", "status"}
_RESULT |= {"checkpoint"}


@app.command("sweep")
def sweep_command(
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            parser=path,
            help="Folder for results and checkpoints: new, empty, or of an unfinished sweep with the same settings.",
        ),
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
    """Train all combinations of one or two settings, with one or more seeds each.

    Each run is saved when it ends. After Ctrl-C or SIGTERM (exit code 130 or 143), the same command trains the runs
    that had not ended.
    """
    with plain_errors(), interruptible() as asked:
        where = backend_named(backend, address)
        axes = [change for change in changes if "," in change.partition("=")[2]]
        base, mid_run = settings(preset, config, [change for change in changes if change not in axes], seed, steps)
        if mid_run:
            raise UsageError(f"--config {config} has mid-run changes. A sweep accepts settings only.")
        sweep = Sweep(base, dict(map(_values, axes)), seeds)
        folder = _SweepFolder(out, sweep)
        folder.go_on()
        if left := folder.left():
            with progress() as report, batch.trained(left, where, folder.taking(report, asked), title=sweep.title):
                pass
        results = folder.finish()
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


def _result(run: Run, settings: dict[str, Any]) -> dict[str, Any]:
    reached = outcome(run)
    return {
        "settings": settings,
        "seed": run.config.seed,
        "node": run.metadata.node or platform.node(),
        "steps": run.step,
        "exact_match": run.last().get("exact_match"),
        "loss": reached.loss,
        "solved_at_step": reached.solved_step,
        "solved_at_seconds": reached.solved_seconds,
        "status": run.status,
        "checkpoint": None if run.status == "failed" else _name(settings, run.config.seed),
    }


class _SweepFolder:
    """The folder of a sweep: a checkpoint for each run that has ended, and `RESULTS`, which is written after each.

    Until the last run has ended, `RESULTS` also has the plan: settings, the values to combine, and the number of seeds.
    """

    def __init__(self, out: Path, sweep: Sweep) -> None:
        self.out, self.sweep = out, sweep
        self.configs = {_name(_varied(config, sweep), config.seed): config for config in sweep.configs()}
        self.ended: dict[str, dict[str, Any]] = {}

    def go_on(self) -> None:
        """Take over the runs that have ended; raises `CheckpointError` unless the folder is free or of this sweep."""
        if not (self.out / RESULTS).exists():
            checkpoint.check_free(self.out)
            return
        for result in self._read():
            if (name := self._whole(result)) is not None:
                self.ended[name] = result

    def left(self) -> list[RunConfig]:
        """The settings of the runs that have not ended."""
        return [config for name, config in self.configs.items() if name not in self.ended]

    def taking(self, report: Callable[[str, float | None], None], asked: Interruption) -> batch.OnBatchProgress:
        """Save each run that has ended, and report the progress; raises `typer.Exit` after a signal."""

        def on_progress(runs: Sequence[Run], problem: str) -> None:
            for run in runs:
                name = _name(_varied(run.config, self.sweep), run.config.seed)
                lost = asked.number and run.status in ("failed", "stopped")  # the signal may have ended its process
                if run.ended and name not in self.ended and not lost:
                    self._save(run)
            total = len(self.configs)
            words = f"{len(self.ended)} of {total} runs have ended"
            if asked.number and len(self.ended) < total:
                saved = f" and are saved to {self.out}" if self.ended else ""
                print(f"Stopped. {words}{saved}. To go on: repeat this command.", file=sys.stderr)
                raise typer.Exit(asked.exit_code)
            under_way = sum(run.step / run.config.training.steps for run in runs if not run.ended)
            report(problem or words, (len(self.ended) + under_way) / total)

        return on_progress

    def finish(self) -> dict[str, Any]:
        """Write the results without the plan, and return them."""
        results = {"runs": [self.ended[name] for name in self.configs]}
        self._write(results)
        return results

    def _save(self, run: Run) -> None:
        result = _result(run, _varied(run.config, self.sweep))
        name = _name(result["settings"], result["seed"])
        if not self.ended:
            self._keep()  # so that the folder is one of a sweep from its first checkpoint on
        if result["checkpoint"]:
            checkpoint.save(self.out / name, run.model_at(run.step), run.exact_records(), overwrite=True)
        self.ended[name] = result
        self._keep()

    def _keep(self) -> None:
        """Write the results so far, with the plan."""
        plan = {"settings": self.sweep.base.model_dump(), "vary": dict(self.sweep.axes), "seeds": self.sweep.seeds}
        self._write({"plan": plan, "runs": [self.ended[name] for name in self.configs if name in self.ended]})

    def _write(self, results: dict[str, Any]) -> None:
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            write_whole(self.out / RESULTS, json.dumps(results, indent=2).encode(), durable=True)
        except OSError as error:
            raise CheckpointError(f"{self.out} could not be written: {reason(error)}.", kind="disk") from None

    def _read(self) -> list[Any]:
        """The results so far; raises `CheckpointError` for those of a finished or of another sweep."""
        file = self.out / RESULTS
        try:
            with open_regular(file) as opened:
                found = json.loads(opened.read(_MAX_RESULT_BYTES))
            plan, runs = found.get("plan"), list(found["runs"])
            axes = {path: list(values) for path, values in self.sweep.axes.items()}
            same = plan is not None and RunConfig.parse(plan["settings"]) == self.sweep.base
            same = same and plan["vary"] == axes and plan["seeds"] == self.sweep.seeds
        except OSError as error:
            raise CheckpointError(f"{file} could not be read: {reason(error)}.", kind="disk") from None
        except (ConfigError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise CheckpointError(f"{file} is damaged.", "Choose another folder.") from None
        if plan is None:
            raise CheckpointError(
                f"{self.out} contains a sweep that has ended.", "Choose another folder.", kind="taken"
            )
        if not same:
            problem = f"{self.out} contains an unfinished sweep with other settings."
            raise CheckpointError(problem, "Repeat its command to go on, or choose another folder.", kind="taken")
        return runs

    def _whole(self, result: Any) -> str | None:
        """The name of a run whose result and checkpoint are there; None: it is trained again."""
        try:
            name = _name(result["settings"], result["seed"])
            known = name in self.configs and result.keys() == _RESULT and result["checkpoint"] in (name, None)
            if known and result["checkpoint"]:
                known = checkpoint.check(self.out / name, history=True).config == self.configs[name]
        except (CheckpointError, KeyError, TypeError, AttributeError):
            return None
        return name if known else None


def _varied(config: RunConfig, sweep: Sweep) -> dict[str, Any]:
    """The settings of one run that the sweep varies."""
    return {path: value_at(config, path) for path in sweep.axes}


def _name(settings: dict[str, Any], seed: int) -> str:
    """The name of a run's checkpoint."""
    return "-".join([*(f"{path.rpartition('.')[2]}-{value}" for path, value in settings.items()), f"seed-{seed}"])

"""`python -m playground circuit`."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from playground.cli.commands import CheckpointFolder, app, path, plain_errors, progress
from playground.common.numbers import percent
from playground.interpret.kept_circuit import CircuitReport, circuit_report
from playground.laboratory.tracing_circuits import chosen_circuit
from playground.storage import checkpoint


@app.command()
def circuit(
    folder: CheckpointFolder,
    file: Annotated[
        Path, typer.Argument(parser=path, metavar="FILE", help="A circuit: JSON from `attribute --circuit`.")
    ],
    ablate: Annotated[
        Literal["mean", "other"],
        typer.Option(help="What replaces everything else: its mean over held-out inputs, or that for other inputs."),
    ] = "mean",
    every_input: Annotated[
        int | None,
        typer.Option("--every-input", metavar="LENGTH", help="Test all inputs up to this length, not held-out ones."),
    ] = None,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test a model in which only a circuit is kept, then without each of its parts."""
    with plain_errors(), progress() as bar:
        model = checkpoint.load(folder).model
        kept = chosen_circuit(model, file)
        for done, total, measured in circuit_report(model, kept, ablate, every_input=every_input):
            bar(f"{done} of {total}", done / total)
            report = measured
    print(json.dumps(report.as_json(), allow_nan=False) if as_object else _table(report))


def _table(report: CircuitReport) -> str:
    """The scores as aligned lines, then those without each kept part."""
    rows = [("whole model", report.intact), ("circuit", report.circuit), ("nothing kept", report.nothing)]
    rows += [(f"without {part}", scores) for part, scores in report.parts]
    width = max(len(name) for name, _ in rows)
    lines = [f"{'':{width}}  exact match  logit difference"]
    for name, scores in rows:
        difference = "" if scores.logit_difference is None else f"{scores.logit_difference:.3f}"
        lines.append(f"{name:{width}}  {percent(scores.exact_match):>11}  {difference:>16}".rstrip())
    kept = f"{len(report.kept.kept):,} {report.kept.of} kept."
    faithful = "" if report.faithfulness is None else f" Faithfulness by logit difference: {report.faithfulness:.3f}."
    return "\n".join([*lines, kept + faithful, report.sentence])

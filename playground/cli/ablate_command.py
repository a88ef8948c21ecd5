"""`python -m playground ablate`."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import typer

from playground.cli.commands import CheckpointFolder, app, plain_errors, progress
from playground.common.numbers import interval, percent
from playground.interpret.ablation import report
from playground.laboratory.part_names import plain_names
from playground.storage import checkpoint


@app.command()
def ablate(
    folder: CheckpointFolder,
    off: Annotated[
        list[str] | None,
        typer.Option(
            "--off",
            metavar="PART",
            help="A part to switch off, for example decoder.layers.0.cross_attention.head.0; heads and experts count "
            "from 0. A pattern such as decoder.*.head.0 switches off all that fit. Repeatable.",
        ),
    ] = None,
    with_: Annotated[
        Literal["zero", "mean"],
        typer.Option("--with", help="What replaces its output: 0, or the mean over held-out inputs."),
    ] = "zero",
    each: Annotated[
        Literal["head", "expert", "sublayer"] | None,
        typer.Option("--each", help="Instead of --off: switch off each one in turn, most important first."),
    ] = None,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Switch off parts of a model and test it on 1,000 held-out inputs."""
    with plain_errors(), progress() as bar:
        model = checkpoint.load(folder).model
        parts = plain_names(model, off or ())
        measured = report(model, parts, with_, each, lambda done, total: bar(f"{done} of {total}", done / total))
    if as_object:
        print(json.dumps(measured, allow_nan=False))
    else:
        print(_table(measured, ", ".join(off or ())))


def _table(measured: Mapping[str, Any], off: str) -> str:
    """The scores as aligned lines, intact first."""
    changed = measured.get("parts") or [{"off": off, **measured["changed"]}]
    rows = [("intact", measured["intact"]), *((f"without {part['off']}", part) for part in changed)]
    width = max(len(name) for name, _ in rows)
    lines = [f"{'':{width}}  exact match  95 % interval    token accuracy   loss"]
    for name, scores in rows:
        exact, tokens = percent(scores["exact_match"]), percent(scores["token_accuracy"])
        likely = interval(scores["exact_match"], scores["sequences"])
        lines.append(f"{name:{width}}  {exact:>11}  {likely:<15}  {tokens:>14}  {scores['loss']:5.3f}")
    return "\n".join([*lines, f"Measured on {measured['intact']['sequences']:,} held-out inputs."])

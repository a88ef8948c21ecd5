"""`python -m playground evaluate`."""

import json
from typing import Annotated

import torch
import typer

from playground.cli.commands import CheckpointFolder, UsageError, app, plain_errors, progress
from playground.experiments.lengths import SEQUENCES, Score, by_length, end_of, longest, report
from playground.figures import percent
from playground.storage import checkpoint


@app.command()
def evaluate(
    folder: CheckpointFolder,
    lengths: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Lengths of the inputs, for example 8,16,32. Default: some of training's, and up to 8 times as long.",
        ),
    ] = "",
    sequences: Annotated[int, typer.Option(min=1, max=1000, help="Number of inputs of each length.")] = SEQUENCES,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test a model on inputs of each length, also longer ones than it was trained on."""
    torch.set_num_threads(1)
    with plain_errors(), progress() as bar:
        model = checkpoint.load(folder).model
        scores: list[Score] = []
        for done, total, measured in by_length(model, _numbers(lengths), sequences):
            bar(f"{done} of {total}", done / total)
            scores = measured
        end = "" if lengths else end_of(model.config)
    print(json.dumps(report(model.config, scores), allow_nan=False) if as_object else _table(scores))
    if end and not as_object:
        print(f"The longest possible input has length {longest(model.config)}. {end}")


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in text.split(",") if text]
    except ValueError:
        raise UsageError(f"--lengths {text} is not a list of whole numbers. Write it like 8,16,32.") from None


def _table(scores: list[Score]) -> str:
    """The scores as aligned lines."""
    lines = ["length  exact match  95 % interval  inputs"]
    for each in scores:
        low, high = each.interval
        exact, interval = (
            ("-", "-")
            if each.exact_match is None
            else (
                percent(each.exact_match),
                f"{100 * low:.1f}-{100 * high:.1f} %",
            )
        )
        trained = "" if each.trained else "  not in training"
        lines.append(f"{each.length:6}  {exact:>11}  {interval:<13}  {each.sequences:6}{trained}")
    return "\n".join(lines)

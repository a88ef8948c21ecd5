"""`python -m playground influence`."""

import json
from typing import Annotated, Literal

import typer

from playground.cli.commands import CheckpointFolder, app, note, plain_errors, progress
from playground.common.numbers import MIN_COMPARED, counted
from playground.interpret.influence import MAX_REPLAYS, Influence, Plan, Quantity
from playground.laboratory import influencing
from playground.storage import checkpoint

_SHOWN = 20


@app.command()
def influence(
    folder: CheckpointFolder,
    of: Annotated[
        Literal["loss", "exact_match", "role", "input"],
        typer.Option(help="What is measured: on held-out inputs, of a head (--head, --role), or of one --input."),
    ] = "loss",
    head: Annotated[str, typer.Option(help="A head, from 0: decoder.layers.1.self_attention.head.0.")] = "",
    role: Annotated[str, typer.Option(help="A kind of positions that the head attends to: previous, copied.")] = "",
    text: Annotated[str, typer.Option("--input", help='An input, for example "3 1 4".')] = "",
    first: Annotated[int, typer.Option(help="Step of the first batch to leave out, from 1.")] = 1,
    last: Annotated[int | None, typer.Option(help="Step of the last one. Default: the last of the run.")] = None,
    every: Annotated[
        int | None,
        typer.Option(help=f"Steps between two batches; at most {MAX_REPLAYS} replays. Default: at most 100 replays."),
    ] = None,
    after: Annotated[
        int | None, typer.Option(help="Measure so many steps after that of the batch. Default: at the end of the run.")
    ] = None,
    gradient: Annotated[
        Literal["end", "step"], typer.Option(help="Where the estimate takes the gradient of what is measured.")
    ] = "end",
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Train a model again without each of its batches, and rank them by what that changes."""
    with plain_errors(), progress() as bar:
        for name, value, kind in (("--head", head, "role"), ("--role", role, "role"), ("--input", text, "input")):
            note(f"{name} is ignored. It needs --of {kind}." if value and of != kind else "")
        plan = Plan(Quantity(of, head, role, text), first, last, every, after, gradient)
        for found in influencing.progress(checkpoint.load(folder), plan):
            bar(counted(len(found.rows), "replay"), found.done / max(1, found.total))
    print(json.dumps(found.as_json(), allow_nan=False) if as_object else _table(found))


def _table(found: Influence) -> str:
    """The batches with the largest effect as aligned lines, and how far the estimates agree."""
    lines = ["  step    exact  estimate  sequences"]
    for row in found.ranked[:_SHOWN]:
        estimate = "" if row.estimate is None else f"{row.estimate:+.2g}"
        lines.append(f"{row.step:>6} {row.effect:+8.2g}  {estimate:>8}  {'; '.join(row.sequences)}")
    if len(found.rows) > _SHOWN:
        lines.append(f"The {_SHOWN} largest of {len(found.rows):,}; --json prints all.")
    lines.append(
        f"Change of the {found.plan.quantity.words} without the batch; with all batches it is {found.value:.4g}."
    )
    if found.pearson is not None and found.spearman is not None:
        lines.append(f"Estimates against exact effects: Pearson {found.pearson:.3f}, Spearman {found.spearman:.3f}.")
    elif len(found.rows) < MIN_COMPARED and found.plan.quantity.has_gradient:
        lines.append(f"Estimates are compared with exact effects from {MIN_COMPARED} batches on.")
    if found.reproduced is False:
        lines.append("This machine rounds otherwise: the repeated run has other weights than the checkpoint.")
    return "\n".join(lines)

"""`python -m playground attribute`."""

import json
import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from playground.cli.commands import CheckpointFolder, UsageError, app, note, path, plain_errors, progress
from playground.common.errors import reason
from playground.common.files import write_whole
from playground.common.numbers import counted
from playground.decoding.long_inputs import untrained_input
from playground.interpret.attribution import MAX_STEPS, Attribution, attributions
from playground.interpret.input_pairs import PAIRS
from playground.interpret.kept_circuit import Circuit
from playground.laboratory.tracing_circuits import input_pairs
from playground.storage import checkpoint
from playground.tasks.batches import HELD_OUT_SEQUENCES

_SHOWN = 20


@app.command()
def attribute(
    folder: CheckpointFolder,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", help='An input, for example "3 1 4". Repeatable. Default: held-out inputs.'),
    ] = None,
    other: Annotated[
        list[str] | None,
        typer.Option(
            "--other", help="The input of the same length that patches come from: one for each --input, or one for all."
        ),
    ] = None,
    of: Annotated[
        Literal["heads", "nodes", "edges"],
        typer.Option(help="What is patched: heads, residual stream and sublayers, or edges between parts."),
    ] = "heads",
    metric: Annotated[
        Literal["logit_difference", "probability", "loss"],
        typer.Option(help="What changes: right logit minus the other input's, probability of the right token, loss."),
    ] = "logit_difference",
    steps: Annotated[
        int,
        typer.Option(
            "--integrated-steps",
            min=0,
            max=MAX_STEPS,
            help="Average the gradient over so many points between both inputs. 0: at the input.",
        ),
    ] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="Patch the parts one by one, too, and compare.")] = False,
    pairs: Annotated[
        int, typer.Option(min=1, max=HELD_OUT_SEQUENCES, help="Number of held-out pairs without --input.")
    ] = PAIRS,
    circuit: Annotated[
        Path | None,
        typer.Option(parser=path, metavar="FILE", help="Write the circuit that --keep or --threshold chooses."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file of --circuit.")] = False,
    keep: Annotated[int | None, typer.Option(min=0, help="Keep so many parts, those with the largest change.")] = None,
    threshold: Annotated[float | None, typer.Option(min=0, help="Keep parts whose change is at least this.")] = None,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Estimate from gradients what patching each head, node or edge would change, beside the exact change.

    A change is the metric with the patch minus the metric without it: a patch that destroys the answer lowers the logit
    difference. In both passes the decoder reads the right answer of its own input. The logit difference is the mean
    over the positions where the two answers differ.
    """
    with plain_errors(), progress() as bar:
        if circuit is None and (keep is not None or threshold is not None):
            raise UsageError("--keep and --threshold need --circuit FILE.")
        if circuit is not None and (keep is None) == (threshold is None):
            raise UsageError("--circuit needs --keep N or --threshold X, one of them.")
        if circuit is not None and not overwrite and os.path.lexists(circuit):
            raise UsageError(f"--circuit {circuit} already exists.", "Choose another file or use --overwrite.")
        model = checkpoint.load(folder).model
        for text in (*(inputs or ()), *(other or ())):
            note(untrained_input(model.config, text))
        if inputs and pairs != PAIRS:
            note("--pairs is ignored: --input names the inputs.")
        chosen = input_pairs(model, inputs, other, pairs)
        for found in attributions(model, chosen, of, metric, integrated_steps=steps, exact=exact):
            if found.total:
                bar(f"{found.done} of {found.total}", found.done / found.total)
        if circuit is not None:
            text = Circuit.chosen(model.config, found, keep=keep, threshold=threshold).to_json()
            try:
                write_whole(circuit, text.encode())
            except OSError as error:
                raise UsageError(f"--circuit {circuit} can't be written: {reason(error)}.") from None
    print(json.dumps(found.as_json(), allow_nan=False) if as_object else _table(found))


def _table(found: Attribution) -> str:
    """The parts with the largest change as aligned lines, and how far the estimates agree."""
    ranked = found.ranked[:_SHOWN]
    width = max(len(row.part) for row in ranked)
    lines = [f"{'':{width}}  estimate    exact"]
    for row in ranked:
        exact = "" if row.exact is None else f"{row.exact:+.4f}"
        lines.append(f"{row.part:{width}}  {row.estimate:+8.4f}  {exact:>8}".rstrip())
    if len(found.rows) > _SHOWN:
        lines.append(f"The {_SHOWN} largest of {len(found.rows):,}; --json prints all.")
    metric = found.metric.replace("_", " ")
    lines.append(
        f"Change of the {metric}, mean over {counted(found.pairs, 'pair')}; without a patch it is {found.intact:.4f}."
    )
    if found.pearson is not None and found.spearman is not None:
        lines.append(f"Estimates against exact changes: Pearson {found.pearson:.3f}, Spearman {found.spearman:.3f}.")
    return "\n".join([*lines, found.note])

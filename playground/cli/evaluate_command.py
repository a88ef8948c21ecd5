"""`python -m playground evaluate`."""

import json
from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, UsageError, app, plain_errors, progress
from playground.common.numbers import interval, percent, perplexity
from playground.decoding.long_inputs import MAX_FACTOR, MAX_LENGTH, end_of
from playground.experiments.lengths import SEQUENCES, LengthScore, by_length, longest, report
from playground.model.task_model import TaskModel
from playground.settings.estimate import pass_size
from playground.storage import checkpoint
from playground.tasks import task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.training import evaluate_all


@app.command()
def evaluate(
    folder: CheckpointFolder,
    lengths: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Lengths of the inputs, for example 8,16,32. With sinusoidal, rotary or no positions: 1 to "
            f"{MAX_FACTOR} times max_length, at most {MAX_LENGTH}. Else training's table of positions is the limit. "
            "Default: some of training's, and longer ones.",
        ),
    ] = "",
    sequences: Annotated[int, typer.Option(min=1, max=1000, help="Number of inputs of each length.")] = SEQUENCES,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test a model on inputs of each length, also longer ones, or on the parts of a text that it never trained on."""
    with plain_errors(), progress() as bar:
        model = checkpoint.load(folder).model
        if task_of(model.config.task).continues and not lengths:
            print(_parts(model, as_object=as_object))
            return
        scores: list[LengthScore] = []
        for done, total, measured in by_length(model, _numbers(lengths), sequences):
            bar(f"{done} of {total}", done / total)
            scores = measured
        end = "" if lengths else end_of(model.config)
    print(json.dumps(report(model.config, scores), allow_nan=False) if as_object else _table(scores))
    if end and not as_object:
        print(f"The longest possible input has length {longest(model.config)}. {end}")


def _parts(model: TaskModel, *, as_object: bool) -> str:
    """Loss, perplexity and next-token accuracy on the parts of a text that are kept out of training."""
    results, task = {}, task_of(model.config.task)
    for part in ("validation", "test"):
        source = task.held_out(HELD_OUT_SEQUENCES, part)
        assert source is not None
        groups = source.split(pass_size(model.config))
        measured = evaluate_all((model, group, None) for group in groups)
        results[part] = {
            "loss": measured.loss,
            "perplexity": perplexity(measured.loss),
            "next_token_accuracy": measured.teacher_forced_token_accuracy,
            "sequences": measured.sequences,
        }
    if as_object:
        return json.dumps(results, allow_nan=False)
    lines = ["part        loss    perplexity  next token right  sequences"]
    for part, row in results.items():
        right = percent(row["next_token_accuracy"])
        lines.append(f"{part:10}  {row['loss']:.4f}  {row['perplexity']:10.3f}  {right:>16}  {row['sequences']:9}")
    return "\n".join(lines)


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",") if text]
    except ValueError:
        raise UsageError(f"--lengths {text} is not a list of whole numbers. Write it like 8,16,32.") from None


def _table(scores: list[LengthScore]) -> str:
    """The scores as aligned lines."""
    lines = ["length  exact match  95 % interval  inputs"]
    for score in scores:
        exact, likely = "-", "-"
        if score.exact_match is not None:
            exact, likely = percent(score.exact_match), interval(score.exact_match, score.sequences)
        trained = "" if score.trained else "  not in training"
        lines.append(f"{score.length:6}  {exact:>11}  {likely:<13}  {score.sequences:6}{trained}")
    return "\n".join(lines)

"""`python -m playground evaluate`."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from playground.cli.commands import CheckpointFolder, UsageError, app, note, plain_errors, progress
from playground.common.errors import one_line
from playground.common.numbers import counted, percent, perplexity
from playground.decoding.long_inputs import MAX_FACTOR, MAX_LENGTH, end_of
from playground.experiments.lengths import SEQUENCES, longest
from playground.laboratory.evaluating import ScoreTable, scored, splits_of
from playground.model.task_model import TaskModel
from playground.settings.estimate import pass_size
from playground.storage import checkpoint
from playground.tasks import task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, MAX_ENUMERATED
from playground.training import evaluate_all


@app.command()
def evaluate(
    folder: CheckpointFolder,
    lengths: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Lengths of the inputs, for example 8,16,32, or usual: some of training's, and longer ones. With "
            f"sinusoidal, rotary or no positions: 1 to {MAX_FACTOR} times max_length, at most {MAX_LENGTH}. Else "
            "training's table of positions is the limit.",
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option(
            help="Scores by position of the answer, by length of the input, by class of the answer, or by a split of "
            "the task, for example carries of addition.",
        ),
    ] = "",
    sequences: Annotated[
        str,
        typer.Option(
            metavar="N",
            help=f"Number of held-out inputs, 1 to {MAX_ENUMERATED:,}, or all, if the task has at most as many inputs. "
            "They are all different. A task with more inputs draws them as in training: the larger N, the "
            f"fewer of them are short. Default: {HELD_OUT_SEQUENCES:,}; with --lengths {SEQUENCES} of each length.",
        ),
    ] = "",
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test a model on held-out inputs, together, in groups or at chosen lengths, also longer ones than in training."""
    with plain_errors(), progress() as bar:
        model = checkpoint.load(folder).model
        if task_of(model.config.task).continues and not (lengths or by or sequences):
            print(_parts(model, as_object=as_object))
            return
        count = _count(sequences, SEQUENCES if lengths else HELD_OUT_SEQUENCES)
        if by and by not in (known := splits_of(model.config)):
            raise UsageError(f"--by can't be {one_line(by, 40)}. Use one of {', '.join(known)}.")
        chosen = _lengths(lengths) if lengths else None
        measured = scored(model, count, by or None, chosen, lambda share: bar("Testing", share))
    if sequences and measured.total and count != "all" and measured.total.n < count:
        note(f"Only {counted(measured.total.n, 'held-out input')} could be found, and all are tested.")
    task = model.config.task
    if as_object:
        found = _by_length(model, measured) if lengths else measured.as_json()
        print(json.dumps(found, allow_nan=False))
        return
    print(measured)
    if untrained := [row.length for row in measured.rows if not row.trained]:
        note(f"Training had lengths {task.min_length} to {task.max_length}, and not {_listed(untrained)}.")
    if lengths == "usual" and (end := end_of(model.config)):
        print(f"The longest possible input has length {longest(model.config)}. {end}")


def _by_length(model: TaskModel, measured: ScoreTable) -> dict[str, Any]:
    """Scores by length as plain data, with the lengths of training."""
    rows = measured.as_json()["rows"]
    bounds = {"min_length": model.config.task.min_length, "max_length": model.config.task.max_length}
    plain = [row if measured.by else {key: row[key] for key in row if key != "group"} for row in rows]
    return bounds | {"lengths": [{"sequences": row["n"]} | row for row in plain]}


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


def _lengths(text: str) -> list[int] | Literal["usual"]:
    if text == "usual":
        return "usual"
    try:
        if numbers := [int(number) for number in text.split(",") if text]:
            return numbers
    except ValueError:
        pass
    raise UsageError(f"--lengths {text} is not a list of whole numbers. Write it like 8,16,32.")


def _count(text: str, default: int) -> int | Literal["all"]:
    if text == "all":
        return "all"
    try:
        count = int(text) if text else default
    except ValueError:
        raise UsageError(f"--sequences {text} is not a number. Write a whole number or all.") from None
    if not 1 <= count <= MAX_ENUMERATED:
        raise UsageError(f"--sequences can't be {one_line(text, 40)}. Use 1 to {MAX_ENUMERATED:,}, or all.")
    return count


def _listed(numbers: Sequence[int | None]) -> str:
    return ", ".join(dict.fromkeys(map(str, numbers)))

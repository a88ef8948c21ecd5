"""What to look at in a recorded tensor, and what it shows: sentences computed from the numbers, never made up."""

from itertools import pairwise
from math import exp

from torch import Tensor

from playground.config import SPECIALS
from playground.inspection import Step, Walk
from playground.tasks import PAD, decode

_COLUMNS = {
    "D": "one of the {n} numbers that stand for it",
    "K": "one of the {n} numbers of a head",
    "F": "one of the {n} hidden numbers",
    "V": "a token of the vocabulary",
}


def finding(walk: Walk, step: Step) -> str:
    """How to read the picture of this step and, where the numbers tell something, what they tell."""
    tap = step.operation.tap
    if tap == "loss":
        return f"On average the right token was given {exp(-float(step.value)):.1%} (e to the minus loss)."
    if tap == "weights":
        return f"{_rows_and_columns(walk, step)} {_looks(walk, step)}".strip()
    if tap == "probabilities":
        return f"{_rows_and_columns(walk, step)} {_certainty(walk, step)}".strip()
    return _rows_and_columns(walk, step)


def _rows_and_columns(walk: Walk, step: Step) -> str:
    row, column = step.dims[-2:]
    if row not in ("S", "T"):
        return f"One cell for each {_place(walk, column)}."
    if column in ("S", "T"):
        cross = ".cross_attention." in step.name
        looking = "place being written" if cross else _place(walk, row)
        return f"Row = {looking}, column = {'input token' if cross else 'place'} it looks at."
    meaning = _COLUMNS[column].format(n=step.value.shape[-1])
    return f"Row = {_place(walk, row)}, column = {meaning}."


def _place(walk: Walk, letter: str) -> str:
    if letter == "S":
        return "input token"
    return "place in the row read" if walk.model.config.model.architecture == "decoder-only" else "place of the answer"


def _asked(walk: Walk) -> list[tuple[int, str]]:
    """Row and symbol said there, for each place that is asked for and where a symbol is said."""
    rows = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    said = decode(walk.said, walk.model.config.task)
    return [(row, name) for row, name in zip(rows, said, strict=True) if name not in SPECIALS]


def _looks(walk: Walk, step: Step) -> str:
    """Whether the heads that read the input look at the very token that is said."""
    architecture = walk.model.config.model.architecture
    if architecture == "encoder-decoder" and ".cross_attention." not in step.name:
        return ""
    read = walk.tokens["T" if architecture == "decoder-only" else "S"]
    asked = _asked(walk)
    if not asked:
        return ""
    most = step.value[0].argmax(-1)  # (H, T): the column each row looks at most
    hits = [sum(read[int(head[row])] == said for row, said in asked) for head in most]
    best, total = max(hits), len(asked)
    heads = [head for head, count in enumerate(hits) if count == best]
    if 2 * best < total:
        return f"No head by itself looks at what is said: the best does so in {best} of {total} rows."
    who = _heads(heads, len(hits))
    rows = f"in {best} of {total} rows"
    ways = {_direction(most[head], asked) for head in heads}
    return f"{who} most at the very token that is said there, {rows}{ways.pop() if len(ways) == 1 else ''}."


def _heads(heads: list[int], count: int) -> str:
    if count == 1:
        return "The one head looks"
    if len(heads) == count:
        return f"All {count} heads look"
    names = [str(head + 1) for head in heads]
    if len(names) == 1:
        return f"Head {names[0]} looks"
    return f"Heads {', '.join(names[:-1])} and {names[-1]} look"


def _direction(most: Tensor, asked: list[tuple[int, str]]) -> str:
    """Where the strongest cells go from row to row, if they go evenly."""
    columns = [int(most[row]) for row, _ in asked]
    moves = {after - before for before, after in pairwise(columns)}
    if len(columns) < 3 or moves not in ({1}, {-1}):
        return ""
    return ": a diagonal that falls to the right" if moves == {1} else ": a diagonal that falls to the left, backwards"


def _certainty(walk: Walk, step: Step) -> str:
    rows = (walk.batch.labels[0] != PAD).nonzero()[:, 0]
    least = float(step.value[0][rows].max(-1).values.min())
    return f"What is said is the strongest cell of its row; where the model is least sure, that cell holds {least:.1%}."

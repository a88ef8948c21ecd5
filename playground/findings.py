"""What to look at in a recorded tensor, and what it shows: sentences computed from the numbers, never made up."""

from itertools import pairwise
from math import exp

import torch
from torch import Tensor

from playground.explain import backward
from playground.figures import share
from playground.inspection import Step, Walk
from playground.tasks import PAD, SPECIALS, decode, task_of, token_names

_COLUMNS = {
    "D": "one of the {n} numbers that stand for it",
    "K": "one of the {n} numbers of a head",
    "F": "one of the {n} hidden numbers",
}
_MASKS = ("mask", "causal_mask", "padding_mask")


def finding(walk: Walk, step: Step, *, gradient: bool = False) -> str:
    """How to read the picture of this step and, where the numbers tell something, what they tell.

    With `gradient`, what the gradient of the loss at this step tells instead; this may raise `NotFiniteError`.
    """
    told = (_gradient(walk, step),) if gradient else (_padding(walk, step), _value(walk, step))
    return " ".join(filter(None, (_rows_and_columns(walk, step), *told)))


# --- how to read the picture ----------------------------------------------------------------------


def _rows_and_columns(walk: Walk, step: Step) -> str:
    """What stands at the sides, in the words of what stands there: the tokens read."""
    if not step.dims:
        return ""
    row, column = step.dims[-2:]
    if row not in ("S", "T"):
        asked = ""
        if step.operation.tap == "labels":
            asked = ": the one asked for " + ("in its place" if column == "S" else "after it")
        return f"One cell for each {_token(walk, column)}{asked}."
    if column in ("S", "T"):
        other = "token" if row == column else _token(walk, column)
        meaning = f"{other} it {'may look' if step.operation.tap in _MASKS else 'looks'} at"
    elif column == "V":
        meaning = f"a token that could be said {'in its place' if row == 'S' else 'after it'}"
    else:
        meaning = _COLUMNS[column].format(n=step.value.shape[-1])
    return f"Row = {_token(walk, row)}, column = {meaning}."


def _token(walk: Walk, letter: str) -> str:
    if letter == "S":
        return "input token"
    return "token read" if walk.model.config.model.architecture == "decoder-only" else "token the decoder has read"


def _padded(walk: Walk, letter: str) -> int:
    """How many PAD end this axis."""
    return walk.tokens.get(letter, []).count(SPECIALS[PAD])


def _padding(walk: Walk, step: Step) -> str:
    """Which rows and columns are there for nothing."""
    sides = dict(zip(("row", "column"), step.dims[-2:]))
    if "row" in sides and sides["row"] not in ("S", "T"):
        sides = {"cell": sides.get("column", "")}
    counts = {side: count for side, letter in sides.items() if (count := _padded(walk, letter))}
    if not counts:
        return ""
    (count,) = set(counts.values())  # both sides count the same tokens
    which = " and ".join(f"{side}{'s' if count > 1 else ''}" for side in counts)
    verb = "is" if count == len(counts) == 1 else "are"
    return f"The last {f'{count} ' if count > 1 else ''}{which} {verb} padding: hidden from all, and not asked for."


# --- what the value shows -------------------------------------------------------------------------


def _value(walk: Walk, step: Step) -> str:
    if step.operation.tap == "loss":
        return f"On average the token asked for was given {share(exp(-float(step.value)))} (e to the minus loss)."
    if step.operation.tap == "weights":
        return _looks(walk, step)
    return _certainty(walk, step) if step.operation.tap == "probabilities" else ""


def _asked(walk: Walk) -> list[tuple[int, str]]:
    """Row and what is said there, for each place that is asked for."""
    rows = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    return list(zip(rows, decode(walk.said, walk.model.config.task), strict=True))


def _looks(walk: Walk, step: Step) -> str:
    """Whether the heads that read the input look at the very token that is said."""
    architecture = walk.model.config.model.architecture
    if not task_of(walk.model.config.task).answers_from_source:
        return ""
    if architecture == "encoder-decoder" and ".cross_attention." not in step.name:
        return ""
    read = walk.tokens["T" if architecture == "decoder-only" else "S"]
    asked = [(row, name) for row, name in _asked(walk) if name not in SPECIALS]
    if not asked:
        return ""
    most = step.value[0].argmax(-1)  # (H, T): the column each row looks at most
    hits = [sum(read[int(head[row])] == said for row, said in asked) for head in most]
    best, total = max(hits), len(asked)
    heads = [head for head, count in enumerate(hits) if count == best]
    if 2 * best < total:
        told = f"No head by itself looks at what is said: the best does so in {best} of {total} rows."
    else:
        ways = {_direction(most[head], asked) for head in heads}
        told = (
            f"{_heads(heads, len(hits))} most at the very token that is said there, in {best} of {total} rows"
            f"{ways.pop() if len(ways) == 1 else ''}."
        )
    return f"{told} {_not_counted(walk)}".strip()


def _not_counted(walk: Walk) -> str:
    """Why fewer rows are counted than there are."""
    asked, rows = _asked(walk), walk.batch.labels.size(1)
    specials = [name for _, name in asked if name in SPECIALS]
    padding = _padded(walk, "S" if walk.batch.target is None else "T")
    input_alone = rows - len(asked) - padding  # of a decoder-only model, before SEP
    reasons = (
        _count(input_alone, "row that only reads the input", "rows that only read the input"),
        *(
            _count(specials.count(name), f"row that says {name}", f"rows that say {name}")
            for name in sorted({*specials})
        ),
        _count(padding, "row of padding", "rows of padding"),
    )
    told = _listed([reason for reason in reasons if reason])
    return f"Not counted: {told}." if told else ""


def _count(count: int, one: str, many: str) -> str:
    return "" if count == 0 else f"the {one}" if count == 1 else f"the {count} {many}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _heads(heads: list[int], count: int) -> str:
    if count == 1:
        return "The one head looks"
    if len(heads) == count:
        return f"All {count} heads look"
    names = [str(head + 1) for head in heads]
    return f"Head {names[0]} looks" if len(names) == 1 else f"Heads {_listed(names)} look"


def _direction(most: Tensor, asked: list[tuple[int, str]]) -> str:
    """Where the strongest cells go from row to row, if they go evenly."""
    columns = [int(most[row]) for row, _ in asked]
    moves = {after - before for before, after in pairwise(columns)}
    if len(columns) < 3 or moves not in ({1}, {-1}):
        return ""
    return ": a diagonal that falls to the right" if moves == {1} else ": a diagonal that falls to the left, backwards"


def _certainty(walk: Walk, step: Step) -> str:
    rows = [row for row, _ in _asked(walk)]
    least = float(step.value[0][rows].max(-1).values.min())
    told = (
        f"What is said is the strongest cell of its row; where the model is least sure, that cell holds {share(least)}."
    )
    if walk.next_token is None:
        return told
    name = token_names(walk.model.config.task)[walk.next_token]
    return f"{told} After the last token it says {name}, with {share(walk.next_probability)}."


# --- what the gradient shows ----------------------------------------------------------------------


def _gradient(walk: Walk, step: Step) -> str:
    """Where the loss depends most on this tensor."""
    gradient = walk.gradients().get(step.name)
    if gradient is None:
        return backward(step.name, step.operation.owner, walk.model.config).sentence
    if not step.dims:
        return "Backward begins here: the gradient of the loss at the loss itself is 1."
    hidden = walk.hidden(step.name)
    seen = gradient if hidden is None else gradient.masked_fill(hidden > 0, 0.0)
    the_gradient = "The gradient" if hidden is None or not bool(hidden.any()) else "At visible cells the gradient"
    if not bool(seen.any()):
        return f"{the_gradient} is zero: no small change there would change the loss."
    at = [int(index) for index in torch.unravel_index(seen.abs().argmax(), seen.shape)]
    largest = float(seen[tuple(at)])
    number = f"{'−' if largest < 0 else ''}{abs(largest):.2g}"
    effect = f"so a little more there would {'raise' if largest > 0 else 'lower'} the loss"
    told = f"{the_gradient} is largest at {_where(walk, step, at)}: {number}, {effect}."
    padded = _padded(walk, step.dims[-2])
    if padded and not bool(gradient[..., -padded:, :].any()):
        told += " None of it comes back to the padding."
    return told


def _where(walk: Walk, step: Step, at: list[int]) -> str:
    """A cell in words, each index as it stands at the side of the picture; places count from 1."""
    words = []
    for letter, index in zip(step.dims, at, strict=True):
        if letter == "H":
            words.append(f"head {index + 1}")
        elif letter in walk.tokens:
            looking = "looking at " if any("place" in word for word in words) else ""
            words.append(f"{looking}place {index + 1} (“{walk.tokens[letter][index]}”)")
        elif letter == "V":
            words.append(f"token {token_names(walk.model.config.task)[index]}")
        elif letter != "B":
            words.append(f"column {index}")
    return ", ".join(words)

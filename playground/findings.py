"""What to look at in a recorded tensor, and what it shows: sentences computed from the numbers, never made up."""

import torch

from playground.explain.attention_finding import padded
from playground.inspection import Step, Walk
from playground.tasks import token_names

_COLUMNS = {
    "D": "one of the {n} numbers that stand for it",
    "K": "one of the {n} numbers of a head",
    "F": "one of the {n} hidden numbers",
}


def finding(walk: Walk, step: Step, *, gradient: bool = False) -> str:
    """How to read the picture of this step and, where the numbers tell something, what they tell.

    With `gradient`, what the gradient of the loss at this step tells instead; this may raise `NotFiniteError`.
    """
    if gradient:
        told = [_gradient(walk, step)]
    else:
        own = step.document.finding
        told = [_padding(walk, step), own(walk, step.name, step.value) if own else ""]
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
        meaning = f"{other} it {'may look' if step.value.dtype == torch.bool else 'looks'} at"
    elif column == "V":
        meaning = f"a token that could be said {'in its place' if row == 'S' else 'after it'}"
    else:
        meaning = _COLUMNS[column].format(n=step.value.shape[-1])
    return f"Row = {_token(walk, row)}, column = {meaning}."


def _token(walk: Walk, letter: str) -> str:
    if letter == "S":
        return "input token"
    return "token read" if walk.model.config.model.architecture == "decoder-only" else "token the decoder has read"


def _padding(walk: Walk, step: Step) -> str:
    """Which rows and columns are there for nothing."""
    sides = dict(zip(("row", "column"), step.dims[-2:]))
    if "row" in sides and sides["row"] not in ("S", "T"):
        sides = {"cell": sides.get("column", "")}
    counts = {side: count for side, letter in sides.items() if (count := padded(walk, letter))}
    if not counts:
        return ""
    (count,) = set(counts.values())  # both sides count the same tokens
    which = " and ".join(f"{side}{'s' if count > 1 else ''}" for side in counts)
    verb = "is" if count == len(counts) == 1 else "are"
    return f"The last {f'{count} ' if count > 1 else ''}{which} {verb} padding: hidden from all, and not asked for."


# --- what the gradient shows ----------------------------------------------------------------------


def _gradient(walk: Walk, step: Step) -> str:
    """Where the loss depends most on this tensor."""
    gradient = walk.gradients().get(step.name)
    if gradient is None:
        return step.document.backward.sentence
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
    padding = padded(walk, step.dims[-2])
    if padding and not bool(gradient[..., -padding:, :].any()):
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

"""How to read a recorded tensor and what it shows: sentences computed from its numbers."""

import numpy as np
import torch

from playground.explain.attention_finding import padded
from playground.explain.inspection import Step, Walk
from playground.tasks import token_names

_COLUMNS = {
    "D": "the {n} numbers of each vector",
    "K": "the {n} numbers of a head",
    "F": "the {n} hidden units",
    "M": "the {n} numbers of all key heads",
    "C": "the {n} numbers of the latent",
    "P": "the {n} rotary numbers of a head",
    "U": "the {n} rotary numbers of all heads",
    "Q": "the {n} numbers that a head compares",
    "E": "the {n} experts",
}

_COUNTED = {"H": "head", "G": "key head", "E": "expert"}


def finding(walk: Walk, step: Step, *, gradient: bool = False) -> str:
    """Meaning of the rows and columns of this step and, if the document has one, the finding about its numbers.

    With `gradient`, it is about the gradient of the loss instead; this may raise `NotFiniteError`.
    """
    if gradient:
        sentences = [_gradient(walk, step)]
    else:
        own = step.document.finding
        sentences = [_padding(walk, step), own(walk, step.name, step.value) if own else ""]
    return " ".join(filter(None, (_rows_and_columns(walk, step), *sentences)))


# --- how to read the picture ----------------------------------------------------------------------


def _rows_and_columns(walk: Walk, step: Step) -> str:
    """Meaning of a row and of a column."""
    if not step.dims:
        return ""
    if step.dims == ("E",):
        return "One cell per expert."
    row, column = step.dims[-2:]
    if row not in ("S", "T"):
        label = ""
        if step.operation.tap == "labels":
            label = ": the right token " + ("at its position" if column == "S" else "after it")
        return f"One cell per {_token(walk, column)}{label}."
    if column in ("S", "T"):
        other = "tokens" if row == column else _tokens(walk, column)
        meaning = f"{other} they {'may attend' if step.value.dtype == torch.bool else 'attend'} to"
    elif column == "V":
        meaning = f"candidates for the token {'at each position' if row == 'S' else 'after each'}"
    else:
        meaning = _COLUMNS[column].format(n=step.value.shape[-1])
    return f"Rows: {_tokens(walk, row)}. Columns: {meaning}."


def _tokens(walk: Walk, letter: str) -> str:
    return _token(walk, letter).replace("token", "tokens")


def _token(walk: Walk, letter: str) -> str:
    if letter == "S":
        return "input token"
    return "token read" if walk.model.config.model.architecture == "decoder-only" else "token the decoder has read"


def _padding(walk: Walk, step: Step) -> str:
    """Which rows and columns are padding."""
    sides = dict(zip(("row", "column"), step.dims[-2:]))
    if "row" in sides and sides["row"] not in ("S", "T"):
        sides = {"cell": sides.get("column", "")}
    counts = {side: count for side, letter in sides.items() if (count := padded(walk, letter))}
    if not counts:
        return ""
    (count,) = set(counts.values())  # both sides count the same tokens
    which = " and ".join(f"{side}{'s' if count > 1 else ''}" for side in counts)
    verb = "is" if count == len(counts) == 1 else "are"
    return f"The last {f'{count} ' if count > 1 else ''}{which} {verb} padding: masked and not scored."


# --- what the gradient shows ----------------------------------------------------------------------


def _gradient(walk: Walk, step: Step) -> str:
    """Where the loss depends most on this tensor."""
    gradient = walk.gradients().get(step.name)
    if gradient is None:
        return step.document.backward.sentence
    if not step.dims:
        return "Backward starts here: the gradient of the loss with respect to itself is 1."
    hidden = walk.hidden(step.name)
    seen = gradient if hidden is None else gradient.masked_fill(hidden > 0, 0.0)
    the_gradient = "The gradient" if hidden is None or not bool(hidden.any()) else "At visible cells the gradient"
    if not bool(seen.any()):
        return f"{the_gradient} is zero: a small change there does not change the loss."
    # Not torch.unravel_index: its first call imports sympy, which takes a second and 80 MB of the server.
    at = [int(index) for index in np.unravel_index(int(seen.abs().argmax()), seen.shape)]
    largest = float(seen[tuple(at)])
    number = f"{'−' if largest < 0 else ''}{abs(largest):.2g}"
    effect = f"If the value of this cell increases a little, the loss {'rises' if largest > 0 else 'falls'}."
    sentence = f"{the_gradient} is largest at {_where(walk, step, at)}: {number}. {effect}"
    padding = padded(walk, step.dims[-2])
    if padding and not bool(gradient[..., -padding:, :].any()):
        sentence += " It is zero at the padding."
    return sentence


def _where(walk: Walk, step: Step, at: list[int]) -> str:
    """A cell in words; heads, positions and columns count from 1."""
    words = []
    for position, (letter, index) in enumerate(zip(step.dims, at, strict=True)):
        if letter in _COUNTED:
            words.append(f"{_COUNTED[letter]} {index + 1}")
        elif letter in walk.tokens:
            side = "" if step.dims[-1] not in walk.tokens else "key " if position == len(at) - 1 else "query "
            words.append(f"{side}position {index + 1} (“{walk.tokens[letter][index]}”)")
        elif letter == "V":
            words.append(f"token {token_names(walk.model.config.task)[index]}")
        elif letter not in "B1":
            words.append(f"column {index + 1}")
    return ", ".join(words)

"""Transitions of a training: between which steps a head takes its role, or held-out inputs become right.

One rule finds them all: a measured value rises through half of the way from its first to its final value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal

from playground.common.numbers import percent
from playground.model.head_paths import Head
from playground.training.roles import ROLES

LEAST_RISE = 0.25
"""Smallest rise of a share that is a transition."""

LEAST_FALL = 0.4
"""Smallest fall of an entropy that is a transition, as a fraction of its first value."""

KNOWN = 0.95
"""Exact match on training inputs from which a model knows them."""

STAYS = 3
"""Measured steps that have to stay above half of the way. The final value is their median."""

MAX_EXCEPTIONS = 0.05
"""Fraction of the measured steps before that may be above half of the way, and of those after that may be below it: in
noise, more are."""

MAX_MORE_STEPS = 24
"""Steps that are measured again inside the intervals of transitions."""

TransitionKind = Literal["role", "entropy", "training", "held_out", "grokking", "spectrum"]


@dataclass(frozen=True)
class Transition:
    """A change between two measured steps."""

    kind: TransitionKind
    first: int  # last measured step before it
    last: int  # first measured step after it
    sentence: str
    head: Head | None = None
    role: str = ""  # a name in `ROLES`


def rise(steps: Sequence[int], values: Sequence[float], least: float = LEAST_RISE) -> tuple[int, int] | None:
    """The two neighbouring steps between which values rise through half of the way from the first to the final one.

    The final value is the median of the last `STAYS`. If values cross half of the way several times, the crossing with
    the fewest exceptions counts: earlier values above it and later ones below, each by the steps that it stands for.
    None if the final value is not `least` above the first one, if fewer than `STAYS` values follow, or if there are
    more exceptions than `MAX_EXCEPTIONS`.
    """
    if len(values) <= STAYS:
        return None
    end = median(values[-STAYS:])
    if end - values[0] < least:
        return None
    below = [value < (values[0] + end) / 2 for value in values]
    ends = [steps[0], *((one + other) / 2 for one, other in pairwise(steps)), steps[-1]]
    widths = [after - before for before, after in pairwise(ends)]

    def exceptions(at: int) -> tuple[float, float]:
        """Fractions of the earlier steps that are above half of the way, and of the later ones below it."""
        sides = (False, slice(None, at)), (True, slice(at, None))
        early, late = (
            sum(width for width, is_below in zip(widths[side], below[side]) if is_below is wrong) / sum(widths[side])
            for wrong, side in sides
        )
        return early, late

    crossings = [at for at in range(1, len(below) - STAYS + 1) if below[at - 1] and not below[at]]
    at = min(crossings, key=lambda each: sum(exceptions(each)), default=0)
    if not at or max(exceptions(at)) > MAX_EXCEPTIONS:
        return None
    return steps[at - 1], steps[at]


def of_role(head: Head, role: str, steps: Sequence[int], weights: Sequence[float], uniform: float) -> Transition | None:
    """The step at which a head takes its role, from its weight on positions of this role after each step."""
    if (found := rise(steps, weights)) is None:
        return None
    becomes = f"becomes {ROLES[role].title}" if ROLES[role].title else f"begins to attend to {ROLES[role].words}"
    return Transition(
        "role",
        *found,
        f"{_name(head)} {becomes} {_between(found)}. Weight {median(weights[-STAYS:]):.2f}; even attention "
        f"{uniform:.2f}.",
        head,
        role,
    )


def of_entropy(head: Head, steps: Sequence[int], bits: Sequence[float]) -> Transition | None:
    """The step at which the attention of a head becomes sharp, from its entropy after each step."""
    if not bits or bits[0] <= 0:
        return None
    found = rise(steps, [1 - value / bits[0] for value in bits], LEAST_FALL)
    if found is None:
        return None
    return Transition(
        "entropy",
        *found,
        f"The attention of {head.words} becomes sharp {_between(found)}. Entropy from {bits[0]:.2f} to "
        f"{median(bits[-STAYS:]):.2f} bits.",
        head,
    )


def of_scores(steps: Sequence[int], training: Sequence[float], held_out: Sequence[float]) -> list[Transition]:
    """Rises of the exact match on training inputs and on held-out inputs.

    If the model knows its training inputs before it rises on held-out inputs, this is grokking (Power et al. 2022).
    """
    known = next((index for index, value in enumerate(training) if value >= KNOWN), len(steps))
    late, usual, found = rise(steps[known:], held_out[known:]), rise(steps, held_out), list[Transition]()
    if late is None and usual and known < len(steps) and usual[0] >= steps[known]:
        rest = median(held_out[-STAYS:]) - held_out[known]
        late = usual if rest >= LEAST_RISE else None  # the training ended soon after it
    if late and (learned := rise(steps, training)):
        found.append(Transition("training", *learned, f"The model learns its training inputs {_between(learned)}."))
    if late:
        found.append(
            Transition(
                "grokking",
                *late,
                f"Grokking {_between(late)}: held-out exact match rises from {percent(held_out[known])} to "
                f"{percent(median(held_out[-STAYS:]))}. Training: {percent(training[known])} at step {steps[known]:,}.",
            )
        )
    elif usual:
        final = percent(median(held_out[-STAYS:]))
        found.append(
            Transition(
                "held_out",
                *usual,
                f"Held-out exact match rises through half of its final {final} {_between(usual)}.",
            )
        )
    return found


def of_spectrum(steps: Sequence[int], shares: Sequence[float], peaks: int) -> Transition | None:
    """The step at which token embeddings become periodic, from the share of their power in a few frequencies."""
    if (found := rise(steps, shares)) is None:
        return None
    return Transition(
        "spectrum",
        *found,
        f"The token embedding becomes periodic {_between(found)}: {peaks} frequencies hold "
        f"{percent(median(shares[-STAYS:]))} of its power instead of {percent(shares[0])}.",
    )


def steps_between(transitions: Sequence[Transition], last: int, each: int = 6, most: int = MAX_MORE_STEPS) -> list[int]:
    """Steps inside the intervals of transitions, from which their ends are found more exactly.

    `each` for an interval, but `most` for all of them. None for an interval shorter than 1 % of all `last` steps, and
    none where attention becomes sharp, which is common: replays take long.
    """
    narrow = max(1, last // 100)
    exact = [found for found in transitions if found.kind != "entropy" and found.last - found.first > narrow]
    wide = sorted({(found.first, found.last) for found in exact})
    each = min(each, most // len(wide)) if wide else 0
    inside = {
        first + (end - first) * index // (each + 1)
        for first, end in wide[:most]
        for index in range(1, max(1, each) + 1)
    }
    return sorted(inside - {end for interval in wide for end in interval})


def _name(head: Head) -> str:
    return f"{head.words[0].upper()}{head.words[1:]}"


def _between(steps: tuple[int, int]) -> str:
    return f"between steps {steps[0]:,} and {steps[1]:,}"

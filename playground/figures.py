"""Numbers as text."""

import math


def counted(number: float, noun: str) -> str:
    """A number with its noun: 1 run, 2 runs."""
    return f"{number:g} {noun}" + ("" if number == 1 else "s")


def percent(fraction: float | None) -> str:
    """A fraction in percent, rounded to 0 % or 100 % only if it is exactly that."""
    fraction = fraction or 0.0
    for digits in range(1, 6):
        text = f"{100 * fraction:.{digits}f}"
        if 0 < float(text) < 100 or fraction in (0.0, 1.0):
            return f"{text} %"
    return "almost 100 %" if fraction > 0.5 else "almost 0 %"


def perplexity(loss: float) -> float:
    """The exponential of a loss; of one above 700, which a training that fails can have, that of 700."""
    return math.exp(min(loss, 700.0))


def duration(seconds: float) -> str:
    """A duration, rounded: 40 s, 5 minutes, 2 hours."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}s"
    return f"{max(1, seconds):.0f} s"

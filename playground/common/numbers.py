"""Numbers as text, and the interval of a fraction."""

import csv
import io
import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from unicodedata import normalize

MIN_COMPARED = 3
"""Fewest pairs of numbers whose correlation means something: two points always lie on a line."""

_Z = 1.959964  # two-sided 95 % of a normal distribution


def counted(number: float, noun: str) -> str:
    """A number with its noun: 1 run, 2,000 runs."""
    return f"{number:{',' if isinstance(number, int) else 'g'}} {noun}" + ("" if number == 1 else "s")


def percent(fraction: float | None) -> str:
    """A fraction in percent, rounded to 0 % or 100 % only if it is exactly that; None and NaN are not measured."""
    if fraction is None or math.isnan(fraction):
        return "not measured"
    for digits in range(1, 6):
        text = f"{100 * fraction:.{digits}f}"
        if 0 < float(text) < 100 or fraction in (0.0, 1.0):
            return f"{text} %"
    return "almost 100 %" if fraction > 0.5 else "almost 0 %"


def wilson(fraction: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a fraction measured on `count` inputs (Wilson 1927); without inputs from 0 to 1."""
    if not count:
        return 0.0, 1.0
    centre = fraction + _Z**2 / (2 * count)
    half = _Z * math.sqrt(fraction * (1 - fraction) / count + _Z**2 / (4 * count**2))
    low, high = ((centre + sign * half) / (1 + _Z**2 / count) for sign in (-1, 1))
    return max(0.0, min(low, fraction)), min(1.0, max(high, fraction))  # beyond it only by rounding


def interval(fraction: float, count: int) -> str:
    """The 95 % interval of a fraction measured on `count` inputs: 96.3-99.98 %."""
    low, high = map(percent, wilson(fraction, count))
    return f"{low.removesuffix(' %')}-{high}"


def evidence(fraction: float, count: int) -> str:
    """Sentence with the interval and the count behind an exact match."""
    return f"95 % interval {interval(fraction, count)}, measured on {counted(count, 'held-out input')}."


def perplexity(loss: float) -> float:
    """The exponential of a loss; of one above 700, which a training that fails can have, that of 700."""
    return math.exp(min(loss, 700.0))


def duration(seconds: float) -> str:
    """A duration, rounded: 40 s, 5 minutes, 2 hours."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}s"
    return f"{max(1, seconds):.0f} s"


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV. Numbers keep full precision; no text is one that a spreadsheet would run as a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [_plain(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue()


def _plain(text: str) -> str:
    """A text that no spreadsheet runs as a formula: it may come from another person."""
    return f"'{text}" if normalize("NFKC", text[:1]) in {*"=+-@\t\r\n"} else text


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation of two lists; None where one is constant or they have fewer than `MIN_COMPARED` numbers."""
    if len(one) < MIN_COMPARED:
        return None
    try:
        return statistics.correlation(one, other)
    except statistics.StatisticsError:
        return None


def ranks(numbers: Sequence[float]) -> list[float]:
    """The rank of each number, from 1; equal numbers share the mean of their ranks. Their correlation is Spearman's."""
    below = sorted(numbers)
    return [(bisect_left(below, number) + bisect_right(below, number) + 1) / 2 for number in numbers]

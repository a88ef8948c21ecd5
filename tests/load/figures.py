"""Report of a scenario: measured values, goals and ratios."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """One measured value. It passes at or below its goal or, with `at_least`, at or above it."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    at_least: bool = False

    @property
    def reached(self) -> bool:
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def row(self) -> tuple[str, str, str, str, str]:
        """Cells: name, measured value, goal, ratio, verdict."""
        value = f"{number(self.value)} {self.unit}".strip()
        if self.goal is None:
            return self.name, value, "", "", ""
        goal = f"{'>=' if self.at_least else '<='} {number(self.goal)} {self.unit}".strip()
        ratio = f"{self.value / self.goal:.2f}" if self.goal else "–"
        return self.name, value, goal, ratio, "good" if self.reached else "short"


@dataclass
class Report:
    """All figures of a scenario."""

    figures: list[Figure] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(
        self, name: str, value: float, unit: str = "", goal: float | None = None, *, at_least: bool = False
    ) -> None:
        self.figures.append(Figure(name, value, unit, goal, at_least))

    def add_latencies(self, name: str, seconds: Sequence[float], goal: float | None = None) -> None:
        """Add p50, p95 (with its goal) and p99 in milliseconds."""
        self.add(f"{name}, count", len(seconds))
        self.add(f"{name}, p50", 1000 * quantile(seconds, 0.5), "ms")
        self.add(f"{name}, p95", 1000 * quantile(seconds, 0.95), "ms", goal)
        self.add(f"{name}, p99", 1000 * quantile(seconds, 0.99), "ms")

    def text(self) -> str:
        """The report as a table with a verdict."""
        rows = [("", "measured", "goal", "ratio", ""), *(figure.row() for figure in self.figures)]
        rows.append(("errors", str(len(self.errors)), "<= 0", "–", "short" if self.errors else "good"))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines += [f"  {count} x {error}" for error, count in Counter(self.errors).most_common(10)]
        short = [figure.name for figure in self.figures if not figure.reached] + ["errors"] * bool(self.errors)
        return "\n".join([*lines, f"Fell short: {'; '.join(short)}." if short else "PASS"])


def quantile(values: Iterable[float], share: float) -> float:
    """The nearest-rank percentile for a fraction `share`; NaN for no values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def number(value: float) -> str:
    """Format a number with few digits."""
    if math.isnan(value):
        return "none"
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:.3g}"

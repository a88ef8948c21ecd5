"""What a scenario reports: figures beside their goals, as ratios."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """One measured number. With a goal it passes at or below it or, where `at_least`, at or above it."""

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
        """Name, measured, goal, ratio, verdict."""
        value = f"{number(self.value)} {self.unit}".strip()
        if self.goal is None:
            return self.name, value, "", "", ""
        goal = f"{'>=' if self.at_least else '<='} {number(self.goal)} {self.unit}".strip()
        ratio = f"{self.value / self.goal:.2f}" if self.goal else "–"
        return self.name, value, goal, ratio, "good" if self.reached else "short"


@dataclass
class Report:
    """All that one scenario has found."""

    figures: list[Figure] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(
        self, name: str, value: float, unit: str = "", goal: float | None = None, *, at_least: bool = False
    ) -> None:
        self.figures.append(Figure(name, value, unit, goal, at_least))

    def add_latencies(self, name: str, seconds: Sequence[float], goal: float | None = None) -> None:
        """p50, p95 (in milliseconds, beside its goal) and p99."""
        self.add(f"{name}, count", len(seconds))
        self.add(f"{name}, p50", 1000 * quantile(seconds, 0.5), "ms")
        self.add(f"{name}, p95", 1000 * quantile(seconds, 0.95), "ms", goal)
        self.add(f"{name}, p99", 1000 * quantile(seconds, 0.99), "ms")

    def text(self) -> str:
        """A table and a verdict."""
        rows = [("", "measured", "goal", "ratio", ""), *(figure.row() for figure in self.figures)]
        rows.append(("errors", str(len(self.errors)), "<= 0", "–", "short" if self.errors else "good"))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines += [f"  {count} x {error}" for error, count in Counter(self.errors).most_common(10)]
        short = [figure.name for figure in self.figures if not figure.reached] + ["errors"] * bool(self.errors)
        return "\n".join([*lines, f"Fell short: {'; '.join(short)}." if short else "PASS"])


def quantile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least this share of all do not exceed; NaN of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def number(value: float) -> str:
    """As many digits as one can use."""
    if math.isnan(value):
        return "none"
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:.3g}"

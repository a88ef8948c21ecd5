"""The board of a room: what each configuration has reached, and which ones no other is better than."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from playground.settings.config import RunConfig, parameter_counts


@dataclass(frozen=True)
class TryOutcome:
    """What one finished run has reached."""

    config: RunConfig
    exact_match: float | None
    """The best on the most held-out inputs; None: not measured."""
    steps: int | None
    """Optimizer steps to solved; None: not solved."""
    seconds: float
    """In optimizer steps, on this server."""


@dataclass(frozen=True)
class BoardRow:
    """One configuration: settings without the seed, and the medians of its runs."""

    config: RunConfig
    """With seed 0."""
    runs: int
    exact_match: float | None
    steps: float | None
    """To solved; None: half of the runs or more were not solved."""
    parameters: int
    seconds: float
    best: bool
    """No configuration of this task is at least as good in exact match, parameters and steps, and better in one."""


def board(outcomes: Iterable[TryOutcome]) -> list[BoardRow]:
    """The configurations of these runs by exact match, then parameters, then steps."""
    runs: dict[RunConfig, list[TryOutcome]] = {}
    for outcome in outcomes:
        runs.setdefault(outcome.config.updated({"seed": 0}), []).append(outcome)
    medians = {config: _medians(same) for config, same in runs.items()}
    best: set[RunConfig] = set()
    for task in {config.task for config in runs}:
        alike = [config for config in runs if config.task == task]
        kept = frontier([(-medians[config][0], _parameters(config), medians[config][1]) for config in alike])
        best |= {config for config, is_best in zip(alike, kept, strict=True) if is_best}
    rows = []
    for config, same in runs.items():
        exact_match, steps, seconds = medians[config]
        rows.append(
            BoardRow(
                config,
                len(same),
                None if exact_match < 0 else exact_match,
                None if math.isinf(steps) else steps,
                _parameters(config),
                seconds,
                config in best and exact_match >= 0,
            )
        )
    return sorted(rows, key=lambda row: (-medians[row.config][0], row.parameters, medians[row.config][1]))


def frontier(points: Sequence[tuple[float, ...]]) -> list[bool]:
    """True for each point that no other dominates: one that is at most as large in all values and smaller in one."""
    return [
        not any(other != point and all(a <= b for a, b in zip(other, point, strict=True)) for other in points)
        for point in points
    ]


def _medians(runs: Sequence[TryOutcome]) -> tuple[float, float, float]:
    """Exact match, -1 if not measured; steps, infinity if not solved; seconds."""
    exact_match = median(-1.0 if run.exact_match is None else run.exact_match for run in runs)
    steps = median(math.inf if run.steps is None else run.steps for run in runs)
    return exact_match, steps, median(run.seconds for run in runs)


def _parameters(config: RunConfig) -> int:
    return sum(parameter_counts(config).values())

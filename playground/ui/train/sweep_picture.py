"""A sweep for the browser: its progress, a small chart for each combination and a table, sent value by value."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

import pandas as pd

from playground.common.numbers import percent
from playground.experiments import comparison
from playground.experiments.sweeps import SPREAD, Combination, combinations, summary
from playground.runs import Run
from playground.training.measure import MEASURES
from playground.ui.parts.live import changes
from playground.ui.server import channels
from playground.ui.server.stream import FieldChannel
from playground.ui.session.services import services

SWEEP_MEASURES = {"exact_match": "Exact match", "validation_loss": "Held-out loss", "loss": "Training loss"}
_UNITS = {measure.name: measure.unit for measure in MEASURES}

_MAX_COLUMNS = 5
_POINTS = 2400  # points of all lines together, so that one message stays small
_MANY = 16  # number of runs from which a sweep is read less often


def channel(runs: Sequence[Run], measure: str) -> str:
    """Name of the channel with the `fields` of a sweep with these runs and this measure."""
    return f"sweep/{runs[0].id}/{measure}"


def sweep_of(run_id: str) -> list[Run]:
    """The runs of the sweep that this run belongs to, in the order in which they were started.

    Knowing the id of one gives access to watch all of them. Raises LookupError if the run or sweep doesn't exist.
    """
    run = services().runs.watched(run_id)
    own = services().runs.of(run.owner) if run is not None and run.metadata.sweep else []
    runs = [other for other in reversed(own) if run is not None and other.metadata.sweep == run.metadata.sweep]
    if not runs:
        raise LookupError(run_id)
    return runs


class Picture:
    """The runs of a sweep for the browser; unchanged parts are not recomputed."""

    def __init__(self, runs: Sequence[Run], measure: str) -> None:
        """`measure` is one of `SWEEP_MEASURES`."""
        self.runs, self.measure = list(runs), measure
        self.groups = combinations(runs)
        self._order, self._columns = arranged(self.groups)
        self._points = max(20, _POINTS // len(runs))
        self._cards: list[tuple[object, dict[str, Any]]] = [(None, {})] * len(self.groups)
        self._table: tuple[object, dict[str, Any]] = None, {}
        self._fair: tuple[object, str] = None, ""

    def fields(self) -> dict[str, Any]:
        """All channel fields."""
        return {**self.progress(), **self.charts(), **self.table(), **self.drawn()}

    def progress(self) -> dict[str, Any]:
        """Progress, as fields of a progress bar."""
        runs = self.runs
        status = [run.status for run in runs]
        parts = [f"{sum(run.ended for run in runs)} of {len(runs)} ended", f"{status.count('solved')} solved"]
        if stopped := status.count("stopped"):
            never = sum(run.status == "stopped" and not run.step for run in runs)
            parts.append(f"{stopped} stopped" + (f", {never} of them before step 1" if never else ""))
        if at_work := sum(run.has_worker and not run.ended for run in runs):
            parts.append(f"{at_work} running")
        if waiting := status.count("queued"):
            parts.append(f"{waiting} queued")
        done = sum(1.0 if run.ended else run.step / run.config.training.steps for run in runs) / len(runs)
        return {"status": "", "colour": "gray", "text": " · ".join(parts), "done": round(done, 4)}

    def charts(self) -> dict[str, Any]:
        """The small charts row by row, "card 0" and so on, and their shared data."""
        for index, group in enumerate(self._order):
            seen = [(run.step, run.status) for run in group.runs]
            if self._cards[index][0] != seen:
                card = {"index": self.groups.index(group), **_card(group, self.measure, self._points)}
                self._cards[index] = seen, card
        return {
            "percent": self.measure == "exact_match",
            "unit": f"{SWEEP_MEASURES[self.measure]} ({_UNITS[self.measure]}) by step. One line for each seed."
            + (" Band: 95 % interval." if self.measure == "exact_match" else ""),
            "columns": self._columns,
            "steps": max(run.step for run in self.runs),
            **{f"card {index}": card for index, (_, card) in enumerate(self._cards)},
        }

    def table(self) -> dict[str, Any]:
        """Table of median and spread of steps and seconds to solved: header, "row 0" and so on, and the most steps."""
        came = [(run.status, comparison.outcome(run)) for run in self.runs]
        seen = [(status, outcome.solved_step, outcome.solved_seconds) for status, outcome in came]
        if self._table[0] != seen:
            self._table = seen, _numbers(self.groups)
        return self._table[1]

    def drawn(self) -> dict[str, Any]:
        """Values that only a script run draws; it must rerun when they change."""
        seen = [(run.metadata.name, run.changes) for run in self.runs]
        if self._fair[0] != seen:
            runs = [run for group in self.groups for run in group.runs]
            self._fair = seen, " ".join(comparison.fairness(runs))
        return {
            "ended": all(run.ended for run in self.runs),
            "runs": changes.mark([run.id for run in self.runs]),
            "fair": self._fair[1],
        }


class SweepChannel(FieldChannel):
    """Event stream channel of a sweep, read once or twice a second."""

    def __init__(self, name: str, run_id: str, measure: str) -> None:
        """Raises LookupError for an unknown measure."""
        if measure not in SWEEP_MEASURES:
            raise LookupError(name)
        super().__init__(name, self._look, lambda: not self._drawn.get("ended"))
        self._run_id, self._measure = run_id, measure
        self._picture: Picture | None = None
        self._drawn: dict[str, Any] = {}
        self._next = 0.0  # time of the next read

    def _look(self) -> dict[str, Any]:
        runs, now = sweep_of(self._run_id), monotonic()  # on each read: a run that is watched isn't paused
        if self._picture is None or self._picture.runs != runs:
            self._picture, self._next = Picture(runs, self._measure), now
        if now >= self._next:
            self._drawn, self._next = self._picture.fields(), now + (1.0 if len(runs) > _MANY else 0.5)
        return self._drawn


@channels.channel("sweep")
def _of_sweep(name: str, rest: str, _visitor: str) -> SweepChannel:
    run_id, _, measure = rest.partition("/")
    return SweepChannel(name, run_id, measure)


def arranged(groups: Sequence[Combination]) -> tuple[list[Combination], int]:
    """Combinations row by row, and the number of columns: the setting with more values is horizontal, if it fits.

    With one setting, 0: as many columns as fit.
    """
    axes = [list(dict.fromkeys(values)) for values in zip(*(group.settings.values() for group in groups))]
    whole = len(axes) == 2 and len(groups) == len(axes[0]) * len(axes[1])
    if not whole or min(map(len, axes)) > _MAX_COLUMNS:
        return list(groups), 0
    fitting = [index for index in (0, 1) if len(axes[index]) <= _MAX_COLUMNS]
    across = max(fitting, key=lambda index: len(axes[index]))
    down = axes[1 - across]
    return sorted(groups, key=lambda group: down.index([*group.settings.values()][1 - across])), len(axes[across])


def _card(group: Combination, measure: str, most: int) -> dict[str, Any]:
    lines, best = [], []
    ends = (f"{measure}_low", f"{measure}_high") if measure == "exact_match" else ()
    for run in group.runs:
        points = [point for point in run.points([measure, *ends]) if measure in point]
        points = points[:: -max(1, -(-len(points) // most))][::-1]  # always with the newest point
        outcome = comparison.outcome(run)
        solved = outcome.solved_step
        if run.ended and solved is None and outcome.best_sequences:
            best.append(f"{percent(outcome.best_exact_match)} of {outcome.best_sequences:,}")
        lines.append(
            {
                "name": f"seed {run.config.seed}",
                "solved": solved,
                "result": run.status if solved is None else f"solved at step {solved:,}",
                "steps": [point["step"] for point in points],
                "values": [round(point[measure], 4) for point in points],
                "bands": [[round(point[end], 3) for end in ends] for point in points if ends and ends[0] in point],
            }
        )
    solved_of = sum(line["solved"] is not None for line in lines)
    unsolved = f"Unsolved, best: {', '.join(best)} sequences" if best else ""
    return {"title": group.title, "summary": f"{solved_of} of {len(lines)} solved", "note": unsolved, "lines": lines}


def _numbers(groups: Sequence[Combination]) -> dict[str, Any]:
    solved = [[comparison.outcome(run).solved_step for run in group.runs] for group in groups]
    marks = [[step for step in steps if step is not None] for steps in solved]
    frame = summary([run for group in groups for run in group.runs])
    longest = max([1, *(step for steps in marks for step in steps)])
    head = ["Settings", "Solved", "Steps, median", "middle half of the runs", "lowest to highest", "Seconds, median"]
    head.append("Steps to solved of each run" + (f", 0 to {longest:,}" if any(marks) else ""))
    made: dict[str, Any] = {"head": head, "spread": longest}
    for (_, row), group, steps in zip(frame.iterrows(), groups, marks, strict=True):
        spread = {name: row[f"steps {name}"] for name in SPREAD}
        made[f"row {len(made) - 2}"] = {
            "cells": [
                group.title,
                f"{len(steps)} of {len(group.runs)}",
                _number(spread["median"], "{:,.0f}"),
                _range(spread["lower quartile"], spread["upper quartile"]),
                _range(spread["lowest"], spread["highest"]),
                _number(row["seconds median"], "{:.2f}"),
            ],
            "marks": steps,
            "middle": None if pd.isna(spread["median"]) else float(spread["median"]),
        }
    return made


def _number(value: Any, form: str) -> str:
    return "–" if pd.isna(value) else form.format(value)


def _range(low: Any, high: Any) -> str:
    if pd.isna(low):
        return "–"
    return f"{low:,.0f} or more, some unsolved" if pd.isna(high) else f"{low:,.0f} to {high:,.0f}"

"""Sweeps: runs over all values of one or two settings, and their outcomes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Strict, TypeAdapter, ValidationError

from playground.common.errors import PlaygroundError
from playground.experiments.comparison import format_value, outcome, setting_name
from playground.runs import Run
from playground.settings.config import (
    ConfigError,
    RunConfig,
    allowed,
    choices,
    differences,
    names_of,
    parse_value,
    setting_paths,
    setting_title,
    value_at,
)
from playground.settings.estimate import estimate

if TYPE_CHECKING:
    import pandas as pd

MAX_SWEEP_RUNS = 64
MAX_AXES = 2


class SweepError(PlaygroundError, ValueError):
    """An invalid sweep."""


@dataclass(frozen=True)
class Sweep:
    """All combinations of the values of one or two settings, with one or more seeds starting at the base's."""

    base: RunConfig
    axes: Mapping[str, Sequence[Any]]  # setting path -> values
    seeds: int = 1

    def __len__(self) -> int:
        """Number of runs."""
        return math.prod(map(len, self.axes.values())) * self.seeds

    def configs(self) -> list[RunConfig]:
        """The settings of every run, ordered by seed, then by combination.

        Raises `SweepError` if the sweep is empty or too large, or a combination is not allowed.
        """
        self._check()
        configs = []
        for seed in range(self.base.seed, self.base.seed + self.seeds):
            for values in product(*self.axes.values()):
                settings = dict(zip(self.axes, values))
                try:
                    configs.append(self.base.updated(settings | {"seed": seed}))
                except ConfigError as error:
                    raise SweepError(_refusal(settings | {"seed": seed}, error)) from None
        return configs

    def seconds(self, slots: int) -> float:
        """Estimated seconds with `slots` runs at once, if none is solved early; raises as `configs` does."""
        return sum(estimate(config).seconds for config in self.configs()) / min(slots, len(self))

    @property
    def title(self) -> str:
        """A short title: "Heads 1, 2, 4, 8 × 3 seeds"."""
        parts = [f"{setting_title(path)} {', '.join(map(format_value, values))}" for path, values in self.axes.items()]
        parts = [part if len(part) <= 30 else f"{part[:29].rstrip(', ')} …" for part in parts]
        return " × ".join([*parts, f"{self.seeds} seeds"] if self.seeds > 1 else parts)

    def _check(self) -> None:
        if not 1 <= len(self.axes) <= MAX_AXES:
            raise SweepError(f"A sweep varies one or two settings, not {len(self.axes)}.")
        if "seed" in self.axes:
            raise SweepError("A sweep cannot vary the seed.", "Set the number of seeds instead.")
        for path, values in self.axes.items():
            if not values:
                raise SweepError(f"{setting_name(path)} has no values.", "Type values separated by commas.")
            if len(set(values)) < len(values):
                raise SweepError(f"{setting_name(path)} has a value twice.", "Remove the duplicate.")
        if self.seeds < 1:
            raise SweepError(f"A sweep needs at least 1 seed, not {self.seeds}.")
        if len(self) > MAX_SWEEP_RUNS:
            raise SweepError(
                f"This sweep has {len(self):,} runs. The limit is {MAX_SWEEP_RUNS}.", "Choose fewer values or seeds."
            )


def _refusal(settings: Mapping[str, Any], error: ConfigError) -> str:
    path, sentence = next(iter(error.problems.items()))
    if path in settings and not _is_allowed(path, settings[path]):
        return sentence  # the value is invalid in any combination
    named = (f"{setting_name(path)} {format_value(value)}" for path, value in settings.items() if path != "seed")
    return f"{', '.join(named)} is not allowed: {sentence}"


def _is_allowed(path: str, value: Any) -> bool:
    """True if a setting accepts this value by itself."""
    field = setting_paths().get(path)
    if field is None:
        return False
    kind: Any = Annotated[field.annotation, *field.metadata, Strict()]
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


def _title(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{setting_title(path)} {format_value(value)}" for path, value in settings.items())


def parse(path: str, text: str) -> tuple[Any, ...]:
    """The values of a setting from a text like "1, 2, 4, 8"; duplicates count once.

    Raises `SweepError` for a value of the wrong type. `Sweep.configs` checks the bounds.
    """
    field = setting_paths()[path]
    if names_of(field):
        return (parse_value(path, text),)
    values: list[Any] = []
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            values.append(parse_value(path, word))
        except ConfigError:
            shown = word if len(word) <= 20 else f"{word[:19]}…"
            raise SweepError(f"“{shown}” is not a value of {setting_name(path)}.", f"Use {allowed(field)}.") from None
    return tuple(dict.fromkeys(values))


# --- outcomes -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Combination:
    """Runs that differ only in the seed."""

    settings: Mapping[str, Any]  # the varied settings by path
    runs: tuple[Run, ...]  # by seed

    @property
    def title(self) -> str:
        """ "Heads 4, Norm position pre"."""
        return _title(self.settings) or "same settings"


def combinations(runs: Sequence[Run]) -> list[Combination]:
    """The runs of a sweep grouped by its varied settings, in the order of their values."""
    varied = {path for run in runs for path, *_ in differences(runs[0].config, run.config)} - {"seed"}
    paths = [path for path in setting_paths() if path in varied]
    runs_by_values: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        runs_by_values.setdefault(tuple(value_at(run.config, path) for path in paths), []).append(run)
    ordered = sorted(runs_by_values, key=lambda values: [_rank(path, value) for path, value in zip(paths, values)])
    return [
        Combination(dict(zip(paths, values)), tuple(sorted(runs_by_values[values], key=lambda run: run.config.seed)))
        for values in ordered
    ]


def _rank(path: str, value: Any) -> float:
    options = choices(setting_paths()[path])
    return options.index(value) if options else float(value)


SPREAD = {"lowest": 0.0, "lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75, "highest": 1.0}


def summary(runs: Sequence[Run]) -> "pd.DataFrame":
    """One row per combination: varied settings, runs, ended, solved (fraction of the ended), and the spread.

    The spread of steps and seconds to solved ("steps median" ...) covers the ended runs. A run that ended unsolved
    counts as slower than all others, so the median is missing if half of them did. A stopped run does not count.
    """
    import pandas as pd  # slow to import; the command line does not need it

    rows = []
    for combination in combinations(runs):
        outcomes = [outcome(run) for run in combination.runs]
        counted = [
            (_time(outcome.solved_step), _time(outcome.solved_seconds))
            for run, outcome in zip(combination.runs, outcomes)
            if outcome.solved_step is not None or run.status in ("finished", "failed")
        ]
        row = {setting_name(path): value for path, value in combination.settings.items()}
        row |= {"runs": len(combination.runs), "ended": sum(run.ended for run in combination.runs)}
        row["solved"] = sum(step < math.inf for step, _ in counted) / len(counted) if counted else None
        for column, measure in enumerate(("steps", "seconds")):
            values = sorted(outcome[column] for outcome in counted)
            row |= {f"{measure} {name}": _quantile(values, fraction) for name, fraction in SPREAD.items()}
        rows.append(row)
    made = pd.DataFrame(rows)
    numbers = [name for name in made.columns if name == "solved" or name.startswith(("steps ", "seconds "))]
    return made.astype(dict.fromkeys(numbers, "Float64"))


def _time(value: float | None) -> float:
    return math.inf if value is None else value


def _quantile(values: Sequence[float], fraction: float) -> float | None:
    """Linear interpolation between sorted values; None if there are none or infinity is involved."""
    if not values:
        return None
    rank = fraction * (len(values) - 1)
    below, part = int(rank), rank % 1
    value = values[below] if not part else values[below] * (1 - part) + values[below + 1] * part
    return value if math.isfinite(value) else None

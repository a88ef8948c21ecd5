"""The same training again and again with one or two settings varied: which runs that makes, and what came of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Strict, TypeAdapter, ValidationError

from playground.config import ConfigError, RunConfig, allowed, choices, differences, setting_paths, value_at
from playground.errors import PlaygroundError
from playground.estimate import estimate
from playground.experiments.comparison import outcome, short, written
from playground.runs import Run

if TYPE_CHECKING:
    import pandas as pd

MAX_RUNS = 64
MAX_AXES = 2
_SAID = {"true": True, "on": True, "false": False, "off": False}


class SweepError(PlaygroundError, ValueError):
    """A sweep that is not possible."""


@dataclass(frozen=True)
class Sweep:
    """All combinations of the values of one or two settings, each with several seeds from the base's on."""

    base: RunConfig
    axes: Mapping[str, Sequence[Any]]  # path of a setting -> its values
    seeds: int = 1

    def __len__(self) -> int:
        """How many runs it makes."""
        return math.prod(map(len, self.axes.values())) * self.seeds

    def configs(self) -> list[RunConfig]:
        """The settings of every run; every combination has had its first seed before any gets its second.

        Raises `SweepError` where the sweep is empty or too large, or a combination is not allowed.
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

    def seconds(self, places: int) -> float:
        """How long it computes at most with so many runs at once, if none is solved early; raises as `configs` does."""
        return sum(estimate(config).seconds for config in self.configs()) / min(places, len(self))

    @property
    def title(self) -> str:
        """In a few words: "n_heads 1, 2, 4, 8 × 3 seeds"."""
        parts = [f"{short(path)} {', '.join(map(written, values))}" for path, values in self.axes.items()]
        parts = [part if len(part) <= 30 else f"{part[:29].rstrip(', ')} …" for part in parts]
        return " × ".join([*parts, f"{self.seeds} seeds"] if self.seeds > 1 else parts)

    def _check(self) -> None:
        if not 1 <= len(self.axes) <= MAX_AXES:
            raise SweepError(f"A sweep varies one or two settings, not {len(self.axes)}.")
        if "seed" in self.axes:
            raise SweepError("The seed is no setting to vary here.", "Say how many seeds each combination gets.")
        for path, values in self.axes.items():
            if not values:
                raise SweepError(f"{short(path)} has no values yet.", "Type some, separated by commas.")
            if len(set(values)) < len(values):
                raise SweepError(f"{short(path)} has a value twice. The same settings would give the same run.")
        if self.seeds < 1:
            raise SweepError(f"A sweep needs 1 seed or more, not {self.seeds}.")
        if len(self) > MAX_RUNS:
            raise SweepError(
                f"This sweep would be {len(self):,} runs, and {MAX_RUNS} is the most.", "Take fewer values."
            )


def _refusal(settings: Mapping[str, Any], error: ConfigError) -> str:
    path, sentence = next(iter(error.problems.items()))
    if path in settings and not _is_allowed(path, settings[path]):
        return sentence  # the value is wrong whatever it is combined with
    combination = {path: value for path, value in settings.items() if path != "seed"}
    return f"{_title(combination)} is not possible: {sentence}"


def _is_allowed(path: str, value: Any) -> bool:
    """Whether a setting takes this value on its own."""
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
    return ", ".join(f"{short(path)} {written(value)}" for path, value in settings.items())


def parse(path: str, text: str) -> tuple[Any, ...]:
    """The values of a setting as a person types them, "1, 2, 4, 8"; one that is repeated counts once.

    Raises `SweepError` for what is not of the setting's kind; its bounds are checked by `Sweep.configs`.
    """
    kind = setting_paths()[path]
    values: list[Any] = []
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            if kind.annotation is bool:
                values.append(_SAID[word.lower()])
            elif choices(kind):
                values.append({choice.lower(): choice for choice in choices(kind)}[word.lower()])
            else:
                values.append((int if kind.annotation is int else float)(word))
        except (KeyError, ValueError):
            shown = word if len(word) <= 20 else f"{word[:19]}…"
            raise SweepError(f"“{shown}” is no value of {short(path)}.", f"It takes {allowed(kind)}.") from None
    return tuple(dict.fromkeys(values))


# --- what came of it ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Combination:
    """Runs that differ in nothing but the seed."""

    settings: Mapping[str, Any]  # the settings that vary in the sweep, by path
    runs: tuple[Run, ...]  # by seed

    @property
    def title(self) -> str:
        """ "n_heads 4, norm_position pre"."""
        return _title(self.settings) or "the same settings"


def combinations(runs: Sequence[Run]) -> list[Combination]:
    """The runs of a sweep by what varies in it, in the order of the values."""
    varied = {path for run in runs for path, *_ in differences(runs[0].config, run.config)} - {"seed"}
    paths = [path for path in setting_paths() if path in varied]
    found: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        found.setdefault(tuple(value_at(run.config, path) for path in paths), []).append(run)
    ordered = sorted(found, key=lambda values: [_rank(path, value) for path, value in zip(paths, values)])
    return [
        Combination(dict(zip(paths, values)), tuple(sorted(found[values], key=lambda run: run.config.seed)))
        for values in ordered
    ]


def _rank(path: str, value: Any) -> float:
    words = choices(setting_paths()[path])
    return words.index(value) if words else float(value)


SPREAD = {"lowest": 0.0, "lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75, "highest": 1.0}


def summary(runs: Sequence[Run]) -> "pd.DataFrame":
    """A row a combination: the settings that vary, runs, ended, solved (a share of the ended), and the spread.

    The spread of steps and seconds to solved ("steps median" ...) is over the ended runs. One that ended unsolved
    counts as slower than all others, so a median is missing where half of them did; one that was stopped before does
    not count.
    """
    import pandas as pd  # the command line goes without

    rows = []
    for combination in combinations(runs):
        outcomes = [outcome(run) for run in combination.runs]
        counted = [
            (_time(each.solved_step), _time(each.solved_seconds))
            for run, each in zip(combination.runs, outcomes)
            if each.solved_step is not None or run.status in ("finished", "failed")
        ]
        row = {short(path): value for path, value in combination.settings.items()}
        row |= {"runs": len(combination.runs), "ended": sum(run.ended for run in combination.runs)}
        row["solved"] = sum(step < math.inf for step, _ in counted) / len(counted) if counted else None
        for place, measure in enumerate(("steps", "seconds")):
            values = sorted(each[place] for each in counted)
            row |= {f"{measure} {name}": _quantile(values, share) for name, share in SPREAD.items()}
        rows.append(row)
    made = pd.DataFrame(rows)
    numbers = [name for name in made.columns if name == "solved" or name.startswith(("steps ", "seconds "))]
    return made.astype(dict.fromkeys(numbers, "Float64"))


def _time(value: float | None) -> float:
    return math.inf if value is None else value


def _quantile(values: Sequence[float], share: float) -> float | None:
    """Of sorted values, between two of them in proportion; None of nothing and where infinity has a part in it."""
    if not values:
        return None
    place = share * (len(values) - 1)
    below, part = int(place), place % 1
    value = values[below] if not part else values[below] * (1 - part) + values[below + 1] * part
    return value if math.isfinite(value) else None

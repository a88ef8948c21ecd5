"""Several runs beside each other: how their settings differ, whether the comparison is fair, and what came of each.

Whatever is compared is a run or, before there is one, its settings alone. The first is the one the others are
compared with.
"""

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from playground.batches import Sequences
from playground.config import RunConfig, TaskConfig, differences, initial_differences, parameter_counts
from playground.runs import Run, RunView
from playground.runs.history import EVALUATED, EVERY_STEP
from playground.runs.metadata import COLOURS
from playground.training import SOLVED_AT

if TYPE_CHECKING:
    import pandas as pd

Compared = Run | RunConfig

MAX_OVERLAID = 8
"""As many lines as one can tell apart in a chart."""

_TASK = ("task.name", "task.vocab_size", "task.min_length", "task.max_length")
_BATCHES = (*_TASK, "training.batch_size")
_NAMED = 4  # runs or tensors named in a sentence; the others are counted


@dataclass(frozen=True)
class Outcome:
    """What a run has come to so far; None for what it has not."""

    solved_step: int | None  # of the first evaluation that found it solved
    solved_seconds: float | None  # spent in optimiser steps until then
    best_exact_match: float | None
    loss: float | None  # held out, newest


def colours(runs: Sequence[RunView]) -> list[int]:
    """A colour for each of `MAX_OVERLAID` runs at most, none twice: its own, or a free one where that is taken."""
    given: list[int] = []
    for run in runs:
        free = (colour for colour in range(COLOURS) if colour not in given)
        given.append(run.colour if run.colour not in given else next(free, run.colour))
    return given


def told(changes: Iterable[tuple[str, Any, Any]]) -> str:
    """Settings with their values before and after, in a line: "n_heads 4 → 1, norm_position pre → post"."""
    return ", ".join(f"{short(path)} {written(a)} → {written(b)}" for path, a, b in changes)


def short(path: str) -> str:
    """The name of a setting without its group: no two groups have one in common."""
    return path.rpartition(".")[2]


def written(value: Any) -> str:
    """A setting's value as a person would type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def labels(runs: Sequence[Compared]) -> list[str]:
    """A name for each that no other has: runs of several people may be called alike, and settings have no name."""
    names = [f"run {place}" if isinstance(run, RunConfig) else run.name for place, run in enumerate(runs, 1)]
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def difference(runs: Sequence[Compared]) -> list[str]:
    """One line a run: how its settings differ from those of the first, "the same settings" where they do not.

    What was changed while it trained is told with the step; a branch tells which run it left, where, and with what.
    """
    return [_difference(runs[0], run) for run in runs]


def _difference(first: Compared, run: Compared) -> str:
    parts = [told(differences(_config(first), _config(run)))]
    own, shared = _changes(run), _changes(first) if run is not first else []
    origin = None if isinstance(run, RunConfig) else run.origin
    here = [line for step, line in own if origin and step == origin.step]
    if not isinstance(run, RunConfig) and run.begun_from:
        parts.append(f"begun with the weights of {run.begun_from}")
    if origin:
        parts.append(
            f"from {origin.name} at step {origin.step:,}" + (f": {', '.join(here)}" if here else ", nothing changed")
        )
    parts += [
        f"{line} from step {step + 1:,}"
        for step, line in own
        if (step, line) not in shared and not (origin and step == origin.step)
    ]
    parts += [f"without {line} from step {step + 1:,}" for step, line in shared if (step, line) not in own]
    if run is first:
        parts.insert(0, "reference")
    return "; ".join(filter(None, parts)) or "the same settings"


def _config(run: Compared) -> RunConfig:
    """The settings at the beginning."""
    return run if isinstance(run, RunConfig) else run.config


def _changes(run: Compared, paths: Sequence[str] = ()) -> list[tuple[int, str]]:
    """What was changed while it trained, of all settings or of these: the step after which it holds, and a line."""
    lines: list[tuple[int, str]] = []
    now = _config(run)
    for change in () if isinstance(run, RunConfig) else run.changes:
        before, now = now, now.updated(change.settings)
        if wanted := [each for each in differences(before, now) if not paths or each[0] in paths]:
            lines.append((change.step, told(wanted)))
    return lines


# --- fairness -------------------------------------------------------------------------------------


def fairness(runs: Sequence[Compared]) -> list[str]:
    """What the runs have in common and where they do not, a sentence each; empty for fewer than two.

    Compared are data order, initial weights, task, dropout and how often it is tested, each with the first run's; where
    seeds differ, as in a sweep, what is said holds between runs of one seed.
    """
    if len(runs) < 2:
        return []
    first, others = runs[0], list(zip(labels(runs), runs))[1:]
    seeds = sorted({_config(run).seed for run in runs})
    sentences = []
    within = ""
    if len(seeds) > 1:
        within = "Within one seed: "
        sentences.append(
            f"The runs have {len(seeds)} seeds, and data order and initial weights change with the seed: only runs of "
            "one seed are alike in them."
        )
    if len(seeds) < len(runs):
        sentences += [within + sentence for sentence in (_data_order(first, others), _weights(first, others))]
    name = labels(runs)[0]
    if tasks := _reasons(first, others, _TASK):
        sentences.append(f"Another task than that of {name}, so other questions in the test: {_listed(tasks)}.")
    if len({_config(run).training.eval_every for run in runs}) > 1:
        every = _reasons(first, others, ("training.eval_every",))
        sentences.append(
            f"Solved is noticed at the next evaluation, and these are evaluated at other steps than {name}: "
            f"{_listed(every)}."
        )
    if any(map(_drops, runs)) and len(set(map(_dropped, runs))) > 1:
        sentences.append(
            "Dropout drops the same numbers only where model, task, batch size and dropout are the same; here it adds "
            "chance of its own."
        )
    sentences.append(
        "Steps to solved can be compared exactly; seconds depend on what else the machine did in the meantime."
    )
    return sentences


def _data_order(first: Compared, others: Sequence[tuple[str, Compared]]) -> str:
    if other := _reasons(first, others, _BATCHES):
        rest = "; the rest read the same ones in the same order" if len(other) < len(others) else ""
        return f"Other batches than in {labels([first])[0]}: {_listed(other)}{rest}."
    return "Same data order: step by step, every run reads the same batch."


def _weights(first: Compared, others: Sequence[tuple[str, Compared]]) -> str:
    if loaded := [name for name, run in others if _beginning(run) != _beginning(first)]:
        return (
            f"Other initial weights than in {labels([first])[0]}: {_listed(loaded)}; a run that goes on from a "
            "checkpoint begins with its weights."
        )
    unlike: dict[tuple[str, ...], list[str]] = {}
    for name, run in others:
        if tensors := _unlike(_config(first), _config(run)):
            unlike.setdefault(tensors, []).append(name)
    if not unlike:
        return "Same initial weights: every tensor starts with the same numbers in every run."
    told_of = [
        f"{_listed(names)} ({len(tensors)} {'tensor' if len(tensors) == 1 else 'tensors'} of other shape or missing: "
        f"{_listed(tensors)})"
        for tensors, names in unlike.items()
    ]
    return f"Same initial weights wherever the shape is the same; it is not in {'; '.join(told_of)}."


def _beginning(run: Compared) -> bytes:
    return b"" if isinstance(run, RunConfig) else run.store.beginning_digest


@lru_cache(maxsize=256)
def _unlike(first: RunConfig, other: RunConfig) -> tuple[str, ...]:
    """Parameters that cannot start alike."""
    return tuple(initial_differences(first, other))


def _drops(run: Compared) -> bool:
    return _config(run).model.dropout > 0 or bool(_changes(run, ("model.dropout",)))


def _dropped(run: Compared) -> tuple[Any, ...]:
    """What decides which numbers the dropout of a seed drops."""
    config = _config(run)
    on_the_way = tuple(_changes(run, ("model.dropout", "training.batch_size")))
    return config.model, config.task, config.training.batch_size, on_the_way


def _reasons(first: Compared, others: Sequence[tuple[str, Compared]], paths: Sequence[str]) -> list[str]:
    """Runs that have other values of these settings than the first, from the beginning or since a step, with both."""
    found = []
    for name, run in others:
        lines = [told(each for each in differences(_config(first), _config(run)) if each[0] in paths)]
        theirs, shared = _changes(run, paths), _changes(first, paths)
        lines += [f"{line} after step {step:,}" for step, line in theirs if (step, line) not in shared]
        lines += [f"without {line} after step {step:,}" for step, line in shared if (step, line) not in theirs]
        if reason := ", ".join(filter(None, lines)):
            found.append(f"{name} ({reason})")
    return found


def _listed(names: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = len(names) - _NAMED
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:_NAMED])} and {more} more"


# --- what came of them ----------------------------------------------------------------------------


def outcome(run: RunView) -> Outcome:
    """What the run has come to so far, found in its whole history."""
    known = _outcomes.get(run)
    if known is None or known[0] != run.step:
        known = _outcomes[run] = (run.step, _found(run))
    return known[1]


_outcomes: "WeakKeyDictionary[RunView, tuple[int, Outcome]]" = WeakKeyDictionary()  # with the step it was found at


def _found(run: RunView) -> Outcome:
    tested = run.columns(("exact_match", "sequences", "validation_loss"))
    if not len(tested["step"]):
        return Outcome(None, None, None, None)
    right = (tested["exact_match"] >= SOLVED_AT) & (tested["sequences"] == _held_out(run.config.task))
    best, loss = float(np.max(tested["exact_match"])), float(tested["validation_loss"][-1])
    if not right.any():
        return Outcome(None, None, best, loss)
    step = int(tested["step"][np.argmax(right)])
    timed = run.columns(("seconds",))
    return Outcome(step, float(timed["seconds"][np.searchsorted(timed["step"], step)]), best, loss)


@lru_cache(maxsize=64)
def _held_out(task: TaskConfig) -> int:
    """How many sequences a model must answer to have solved its task."""
    return len(Sequences.of(task).held_out())


COLUMNS: dict[str, Callable[[Run, str, Outcome], Any]] = {
    "name": lambda run, difference, outcome: run.name,
    "difference": lambda run, difference, outcome: difference,
    "status": lambda run, difference, outcome: run.status,
    "steps to solved": lambda run, difference, outcome: outcome.solved_step,
    "seconds to solved": lambda run, difference, outcome: outcome.solved_seconds,
    "best exact match": lambda run, difference, outcome: outcome.best_exact_match,
    "loss": lambda run, difference, outcome: outcome.loss,
    "parameters": lambda run, difference, outcome: sum(parameter_counts(run.config).values()),
    "step": lambda run, difference, outcome: run.step,
}
"""Columns of the table. Seconds are those of optimiser steps, the match is a share of 1, the loss is held out."""

_TYPES = {"steps to solved": "Int64", "seconds to solved": "Float64", "best exact match": "Float64", "loss": "Float64"}


def table(runs: Sequence[Run], by: str | None = None) -> "pd.DataFrame":
    """A row a run with `COLUMNS`, its id as index; `by` sorts, best first and last those that have no value there."""
    import pandas as pd  # the command line goes without

    lines = difference(runs) if runs else []
    rows = [[make(run, line, outcome(run)) for make in COLUMNS.values()] for run, line in zip(runs, lines)]
    index = pd.Index([run.id for run in runs], name="id")
    made = pd.DataFrame(rows, index=index, columns=list(COLUMNS)).astype(_TYPES)
    if by is None:
        return made
    return made.sort_values(by, ascending=by != "best exact match", na_position="last", kind="stable")


# --- to take home ---------------------------------------------------------------------------------

MEASURES = tuple(dict.fromkeys((*EVERY_STEP[1:], *EVALUATED[1:])))
"""Everything that is recorded of a step."""


def to_csv(runs: Sequence[Run], measures: Sequence[str] = MEASURES) -> str:
    """Every recorded value, a line each: run, step, measure, value; numbers read back as exactly what they were."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("run", "step", "measure", "value"))
    for label, run in zip(labels(runs), runs):
        for record in run.records():
            writer.writerows(
                (_plain(label), record["step"], measure, record[measure]) for measure in measures if measure in record
            )
    return text.getvalue()


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula: it may be somebody else's."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def to_json(runs: Sequence[Run]) -> str:
    """Settings, changes, origin, outcome and whole history of each run; without its id, which lets others watch it."""
    return json.dumps({"runs": [_described(*each) for each in zip(labels(runs), difference(runs), runs)]})


def _described(label: str, line: str, run: Run) -> Mapping[str, Any]:
    origin = run.origin
    return {
        "name": label,
        "difference": line,
        "note": run.note,
        "status": run.status,
        "config": run.config.model_dump(),
        "changes": [{"step": change.step, "settings": dict(change.settings)} for change in run.changes],
        "origin": {"name": origin.name, "step": origin.step} if origin else None,
        "outcome": {key: None if _missing(value) else value for key, value in vars(outcome(run)).items()},
        "history": run.records(),
    }


def _missing(value: float | None) -> bool:
    return value is None or math.isnan(value)

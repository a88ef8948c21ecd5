"""Compare runs: differences in settings, fairness of the comparison, and outcomes.

A compared item is a run or the settings of a planned run. The first one is the reference.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.common.numbers import as_csv, counted
from playground.explain.glossary import choice
from playground.runs import Run, RunView
from playground.runs.metadata import COLOURS
from playground.settings.config import (
    RunConfig,
    differences,
    initial_differences,
    setting_paths,
    setting_title,
    typed,
    value_at,
)
from playground.settings.estimate import quick_test
from playground.tasks.batches import sources_tested
from playground.training import SOLVED_AT
from playground.training.measure import EXAMPLES, columns

Compared = Run | RunConfig

MAX_OVERLAID = 8
"""Maximum runs in one chart."""

SAME = "same settings"
"""The difference of two runs that don't differ."""

_TASK = tuple(path for path in setting_paths() if path.startswith("task."))
_BATCHES = (*_TASK, "training.batch_size")
_MAX_NAMED = 4  # runs or tensors named in a sentence; the rest is counted


@dataclass(frozen=True)
class Outcome:
    """Results of a run so far; None: not reached."""

    solved_step: int | None  # of the first evaluation that found it solved
    solved_seconds: float | None  # in optimizer steps until then
    best_exact_match: float | None
    best_sequences: int | None  # tested for it
    loss: float | None  # held out, newest


def colours(runs: Sequence[RunView]) -> list[int]:
    """A unique colour per run, for up to `MAX_OVERLAID` runs: its own, or an unused one if that is taken."""
    given: list[int] = []
    for run in runs:
        free = (colour for colour in range(COLOURS) if colour not in given)
        given.append(run.metadata.colour if run.metadata.colour not in given else next(free, run.metadata.colour))
    return given


def describe_changes(changes: Iterable[tuple[str, Any, Any]]) -> str:
    """Settings with old and new values on one line: "Heads 4 → 1, Activation function ReLU → GELU"."""
    return ", ".join(
        f"{setting_title(path)} {choice(format_value(a))} → {choice(format_value(b))}" for path, a, b in changes
    )


def setting_name(path: str) -> str:
    """The name of a setting without its group; unique across groups."""
    return path.rpartition(".")[2]


def format_value(value: Any) -> str:
    """A setting's value as a person types it."""
    return str(value).lower() if isinstance(value, bool) else typed(value)


def labels(runs: Sequence[Compared]) -> list[str]:
    """A unique label for each: runs of different people may share a name, and settings have none."""
    names = [f"run {number}" if isinstance(run, RunConfig) else run.metadata.name for number, run in enumerate(runs, 1)]
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def difference(runs: Sequence[Compared]) -> list[str]:
    """One line per run: how its settings differ from the first run's, or "same settings".

    Mid-run changes are listed with their steps; a branch lists its parent run, step and changes.
    """
    return [_difference(runs[0], run) for run in runs]


def _difference(first: Compared, run: Compared) -> str:
    parts = [describe_changes(differences(_config(first), _config(run)))]
    own, shared = _changes(run), _changes(first) if run is not first else []
    origin = None if isinstance(run, RunConfig) else run.metadata.origin
    here = [line for step, line in own if origin and step == origin.step]
    if mistake := _mistake(run):
        parts.append(mistake)
    elif mistake := _mistake(first):
        parts.append(f"without {mistake.removeprefix('with ')}")
    if not isinstance(run, RunConfig) and run.metadata.begun_from:
        parts.append(f"initial weights from {run.metadata.begun_from}")
    if origin:
        parts.append(
            f"from {origin.name} at step {origin.step:,}" + (f": {', '.join(here)}" if here else ", unchanged")
        )
    parts += [
        f"{line} from step {step + 1:,}"
        for step, line in own
        if (step, line) not in shared and not (origin and step == origin.step)
    ]
    parts += [f"without {line} from step {step + 1:,}" for step, line in shared if (step, line) not in own]
    if run is first:
        parts.insert(0, "reference")
    return "; ".join(filter(None, parts)) or SAME


def _mistake(run: Compared) -> str:
    """The mistake in a run's model or training; empty without one."""
    if isinstance(run, RunConfig) or not run.metadata.pitfall:
        return ""
    return "with a hidden mistake" if run.metadata.hides_pitfall else f"with the mistake {run.metadata.pitfall}"


def _config(run: Compared) -> RunConfig:
    """The settings at step 0."""
    return run if isinstance(run, RunConfig) else run.config


def _changes(run: Compared, paths: Sequence[str] = ()) -> list[tuple[int, str]]:
    """Mid-run changes of all settings or of `paths`: the step after which each applies, and a line."""
    lines: list[tuple[int, str]] = []
    now = _config(run)
    for change in () if isinstance(run, RunConfig) else run.changes:
        before, now = now, now.updated(change.settings)
        if wanted := [changed for changed in differences(before, now) if not paths or changed[0] in paths]:
            lines.append((change.step, describe_changes(wanted)))
    return lines


# --- fairness -------------------------------------------------------------------------------------


def fairness(runs: Sequence[Compared]) -> list[str]:
    """Sentences on what the runs share and where they differ; empty for fewer than two.

    Compares data order, initial weights, task, dropout and evaluation interval with the first run's. If seeds differ,
    as in a sweep, the sentences apply to runs with the same seed.
    """
    if len(runs) < 2:
        return []
    first, others = runs[0], list(zip(labels(runs), runs))[1:]
    seeds = sorted({_config(run).seed for run in runs})
    sentences = []
    within = ""
    if len(seeds) > 1:
        within = "With the same seed: "
        sentences.append(
            f"The runs have {len(seeds)} seeds. Data order and initial weights depend on the seed: only runs with the "
            "same seed share them."
        )
    if len(seeds) < len(runs):
        sentences += [within + sentence for sentence in (_data_order(first, others), _weights(first, others))]
    name = labels(runs)[0]
    if tasks := _reasons(first, others, _TASK):
        sentences.append(f"Different task than {name}, so different held-out inputs: {_listed(tasks)}.")
    if len({_config(run).training.eval_every for run in runs}) > 1:
        every = _reasons(first, others, ("training.eval_every",))
        sentences.append(
            f"A run counts as solved at an evaluation. Evaluated at other steps than {name}: {_listed(every)}."
        )
    if len({quick_test(_config(run)) for run in runs}) > 1:
        tests = _reasons(first, others, ("training.eval_sequences",))
        sentences.append(f"Evaluations test another number of inputs than those of {name}: {_listed(tests)}.")
    if any(map(_drops, runs)) and len(set(map(_dropped, runs))) > 1:
        sentences.append(
            "Dropout drops the same activations only if model, task, batch size and dropout are equal. Here it adds "
            "randomness."
        )
    sentences.append("Steps to solved are exactly comparable. Seconds depend on the load of the machine.")
    return sentences


def _data_order(first: Compared, others: Sequence[tuple[str, Compared]]) -> str:
    if other := _reasons(first, others, _BATCHES):
        rest = " The others have the same batches in the same order." if len(other) < len(others) else ""
        return f"Different batches than {labels([first])[0]}: {_listed(other)}.{rest}"
    return "Same data order: every run has the same batch at the same step."


def _weights(first: Compared, others: Sequence[tuple[str, Compared]]) -> str:
    if loaded := [name for name, run in others if _beginning(run) != _beginning(first)]:
        return (
            f"Different initial weights than {labels([first])[0]}: {_listed(loaded)}. A run that starts from a "
            "checkpoint has its weights."
        )
    unlike: dict[tuple[str, ...], list[str]] = {}
    for name, run in others:
        if tensors := _unlike(_config(first), _config(run)):
            unlike.setdefault(tensors, []).append(name)
    if not unlike:
        return "Same initial weights in every run."
    differing = [
        f"{_listed(names)} ({counted(len(tensors), 'tensor')} missing or with another shape: {_listed(tensors)})"
        for tensors, names in unlike.items()
    ]
    return f"Same initial weights where the shapes are equal. They differ in {'; '.join(differing)}."


def _beginning(run: Compared) -> bytes:
    return b"" if isinstance(run, RunConfig) else run.store.initial_digest


@lru_cache(maxsize=KEPT_SETTINGS)
def _unlike(first: RunConfig, other: RunConfig) -> tuple[str, ...]:
    """Names of the parameters that cannot have the same initial values."""
    return tuple(initial_differences(first, other))


def _drops(run: Compared) -> bool:
    return _config(run).model.dropout > 0 or bool(_changes(run, ("model.dropout",)))


def _dropped(run: Compared) -> tuple[Any, ...]:
    """Everything besides the seed that determines which activations are dropped."""
    config = _config(run)
    mid_run = tuple(_changes(run, ("model.dropout", "training.batch_size")))
    return config.model, config.task, config.training.batch_size, mid_run


def _reasons(first: Compared, others: Sequence[tuple[str, Compared]], paths: Sequence[str]) -> list[str]:
    """Runs whose values of these settings differ from the first run's, at step 0 or later, with the values."""
    reasons = []
    for name, run in others:
        lines = [
            describe_changes(changed for changed in differences(_config(first), _config(run)) if changed[0] in paths)
        ]
        theirs, shared = _changes(run, paths), _changes(first, paths)
        lines += [f"{line} after step {step:,}" for step, line in theirs if (step, line) not in shared]
        lines += [f"without {line} after step {step:,}" for step, line in shared if (step, line) not in theirs]
        if reason := ", ".join(filter(None, lines)):
            reasons.append(f"{name} ({reason})")
    return reasons


def _listed(names: Sequence[str]) -> str:
    """The first `_MAX_NAMED` names and the number of the others."""
    more = len(names) - _MAX_NAMED
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:_MAX_NAMED])} and {more} more"


# --- outcomes -------------------------------------------------------------------------------------


def outcome(run: RunView) -> Outcome:
    """The outcome of a run so far, from its whole history."""
    known = _outcomes.get(run)
    if known is None or known[0] != run.step:
        known = _outcomes[run] = (run.step, _found(run))
    return known[1]


_outcomes: "WeakKeyDictionary[RunView, tuple[int, Outcome]]" = WeakKeyDictionary()  # run -> step, outcome


def _found(run: RunView) -> Outcome:
    evaluated = run.columns(("exact_match", "sequences", "validation_loss"))
    if not len(evaluated["step"]):
        return Outcome(None, None, None, None, None)
    right = (evaluated["exact_match"] >= SOLVED_AT) & (evaluated["sequences"] == _tested(run.config))
    # Most tests read fewer sequences, and 100 of 100 right says less than 999 of 1,000.
    tested = int(np.max(evaluated["sequences"]))
    best = float(np.max(evaluated["exact_match"][evaluated["sequences"] == tested]))
    loss = float(evaluated["validation_loss"][-1])
    if not right.any():
        return Outcome(None, None, best, tested, loss)
    step = int(evaluated["step"][np.argmax(right)])
    timed = run.columns(("seconds",))
    return Outcome(step, float(timed["seconds"][np.searchsorted(timed["step"], step)]), best, tested, loss)


@lru_cache(maxsize=KEPT_SETTINGS)
def _tested(config: RunConfig) -> int:
    """Number of held-out sequences in an evaluation that can find a task solved."""
    return len(sources_tested(config))


# --- export ---------------------------------------------------------------------------------------


def to_csv(runs: Sequence[Run]) -> str:
    """Every setting and every recorded value on a line: run, step, measure, value. Numbers keep full precision.

    Settings, the seed among them, have no step.
    """
    settings = (
        (label, None, path, typed(value_at(run.config, path)))
        for label, run in zip(labels(runs), runs)
        for path in setting_paths()
    )
    lines = (
        (label, record["step"], measure, value)
        for label, run in zip(labels(runs), runs)
        for record in run.exact_records()
        for measure, value in columns(record).items()
        if measure != "step"
    )
    return as_csv(chain([("run", "step", "measure", "value")], settings, lines))


def to_json(runs: Sequence[Run]) -> str:
    """Settings, changes, origin, outcome and history of each run; without its id, which would let others watch it."""
    return json.dumps({"runs": [_described(*labelled) for labelled in zip(labels(runs), difference(runs), runs)]})


def _described(label: str, line: str, run: Run) -> Mapping[str, Any]:
    origin = run.metadata.origin
    return {
        "name": label,
        "difference": line,
        "note": run.metadata.note,
        "status": run.status,
        "config": run.config.model_dump(),
        "changes": [{"step": change.step, "settings": dict(change.settings)} for change in run.changes],
        "origin": {"name": origin.name, "step": origin.step} if origin else None,
        "outcome": {key: None if _missing(value) else value for key, value in vars(outcome(run)).items()},
        "history": [{name: record[name] for name in record if name != EXAMPLES} for record in run.exact_records()],
    }


def _missing(value: float | None) -> bool:
    return value is None or math.isnan(value)

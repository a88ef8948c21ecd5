"""Everything that a run measures, a row each: records, files, their limits, tables, exports and charts derive from it.

To add one: its function and its row here. A chart of it is a `Panel` in `charts.py`.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import torch

from playground.model.architecture import attention_weights, section
from playground.model.head_paths import attentions, weights_tap
from playground.settings.config import RunConfig, parameter_shapes
from playground.settings.estimate import pass_size
from playground.tasks import task_of
from playground.tasks.batches import make_batch
from playground.training import stages
from playground.training.evaluation import answered_right, expert_names
from playground.training.roles import ROLES, attention_reads, scores

if TYPE_CHECKING:
    from playground.training.loop import Training

EXAMPLES = "predictions"
"""Key of a record that is no measure: token ids of the shown examples. It is kept with a run, not with a checkpoint."""

NUMBER_BYTES = 26
"""The longest number in JSON, with what separates it from the next."""


@dataclass(frozen=True)
class Measure:
    """A measure: one number, or one for each of its groups."""

    name: str  # in files and tables
    at: Literal["step", "evaluation"]
    unit: str = ""  # in the tooltip of its chart
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False  # whether it counts something
    detail: bool = False  # whether it says how exact another measure is
    overflows: bool = False  # whether infinity and NaN are recorded
    on_request: bool = False  # whether it is measured only if a setting needs it or its owner asks for it
    recorded: bool = False  # whether it is measured only if the setting `record` names it
    groups: Callable[[RunConfig], Sequence[str]] | None = None
    """Names of the groups, in order. A value is then a list, a number by name, or a list by name: see `numbers`.

    Only evaluations measure groups.
    """
    function: "Callable[[Training], Any] | None" = None
    """Measures after the step or evaluation, without changing the training; None: these find it themselves.

    It returns a number, or a number by the name of its group; one that is None or missing was not measured. A value
    with names inside names has a number or None for every group.
    """

    def __post_init__(self) -> None:
        if self.groups and self.at == "step":
            raise ValueError(f"{self.name} has groups, which are kept for evaluations only.")

    def allows(self, value: object, groups: Collection[str]) -> bool:
        """True if a value from a file can be a grouped value of this measure; None means not measured."""
        parts = numbers(value)
        return parts.keys() <= set(groups) and all(
            number is None
            or (type(number) in (int, float) and self.low <= number <= self.high and math.isfinite(number))
            for number in parts.values()
        )


def by_position(config: RunConfig) -> list[str]:
    """Positions of the answer from 1, EOS included."""
    return [str(position) for position in range(1, task_of(config.task).max_answer_length + 2)]


def by_head(config: RunConfig) -> list[str]:
    """Taps with attention weights in execution order, with their heads from 1: "encoder...attention.weights.1"."""
    return [f"{tap}.{head}" for tap in attention_weights(config.model) for head in range(1, config.model.n_heads + 1)]


def by_expert(config: RunConfig) -> list[str]:
    """Experts that a router chooses from, in execution order: "decoder layer 1 expert 1"; none without a mixture."""
    return [name for names in expert_names(config).values() for name in names]


def by_part(config: RunConfig) -> list[str]:
    """Parts of the model: "token embedding", "encoder layer 1"."""
    return list(dict.fromkeys(map(section, parameter_shapes(config))))


def weight_norm(training: "Training") -> dict[str, float]:
    """L2 norm of all weights of each part of the model."""
    return stages.by_part({name: weight.detach() for name, weight in training.model.named_parameters()})


def by_role(config: RunConfig) -> list[str]:
    """Taps with attention weights, with each of `ROLES` and heads from 1: "encoder...attention.weights.previous.1"."""
    heads = range(1, config.model.n_heads + 1)
    return [f"{tap}.{role}.{head}" for tap in attention_weights(config.model) for role in ROLES for head in heads]


def training_accuracy(training: "Training") -> float:
    """Fraction of training inputs whose free-running answers are right in every token, as `exact_match`."""
    right = [answered_right(training.model, group) for group in training.trained.split(pass_size(training.config))]
    return float(torch.cat(right).double().mean())


def head_roles(training: "Training") -> dict[str, dict[str, list[float | None]]]:
    """Share of each head's weight on positions of each role, in four digits, by tap and role; see `RoleScore`.

    Over the first held-out inputs, one pass of them, with their right answers. None for a role whose positions no query
    sees.
    """
    config = training.config
    batch = make_batch(config, training.held_out[: pass_size(config)])
    values: dict[str, dict[str, list[float | None]]] = {}
    for path, (weights, read) in attention_reads(training.model, batch, attentions(config.model)).items():
        found = [{score.role: round(score.weight, 4) for score in of_head} for of_head in scores(weights, read)]
        values[weights_tap(path)] = {role: [of_head.get(role) for of_head in found] for role in ROLES}
    return values


MEASURES = (
    Measure("loss", "step", "nats per token"),
    Measure("learning_rate", "step", "at each step"),
    Measure("gradient_norm", "step", "L2 norm", overflows=True, on_request=True),
    Measure("seconds", "step", "seconds", low=0),
    Measure("validation_loss", "evaluation", "nats per token"),
    Measure("exact_match", "evaluation", "% right", low=0, high=1),
    Measure("exact_match_low", "evaluation", low=0, high=1, detail=True),
    Measure("exact_match_high", "evaluation", low=0, high=1, detail=True),
    Measure("token_accuracy", "evaluation", "% right", low=0, high=1),
    Measure("teacher_forced_exact_match", "evaluation", "% right", low=0, high=1),
    Measure("teacher_forced_token_accuracy", "evaluation", "% right", low=0, high=1),
    Measure("sequences", "evaluation", low=0, high=2**31 - 1, whole=True, detail=True),
    Measure("position_accuracy", "evaluation", "% right", low=0, high=1, groups=by_position),
    Measure("attention_entropy", "evaluation", "bits", low=-1, high=64, groups=by_head),
    Measure("expert_load", "evaluation", "% of tokens", low=0, high=1, groups=by_expert),
    Measure("weight_norm", "evaluation", "L2 norm", low=0, groups=by_part, function=weight_norm),
    Measure("training_accuracy", "evaluation", "% right", low=0, high=1, recorded=True, function=training_accuracy),
    Measure("head_roles", "evaluation", "% of weight", 0, 1, recorded=True, groups=by_role, function=head_roles),
)

SINGLE = tuple(measure for measure in MEASURES if not measure.groups)
GROUPED = tuple(measure for measure in MEASURES if measure.groups)


def measured(training: "Training", *, step: bool, evaluation: bool) -> dict[str, Any]:
    """The values of all measures that are due after a step, an evaluation, or both."""
    due, values = {"step": step, "evaluation": evaluation}, {}
    for measure in MEASURES:
        if measure.function and due[measure.at] and _wanted(measure, training.config):
            value = measure.function(training)
            if measure.groups and not isinstance(next(iter((value or {}).values()), None), Mapping):
                value = {group: (value or {}).get(group) for group in measure.groups(training.config)}
            values[measure.name] = value
    return values


def _wanted(measure: Measure, config: RunConfig) -> bool:
    return not measure.recorded or measure.name in config.training.record


def numbers(value: Any, name: str = "") -> dict[str, Any]:
    """The numbers of a value by group: "1", "encoder layer 1"; with the name of its measure, "position_accuracy.1"."""
    if isinstance(value, Mapping):
        inside = value.items()
    elif isinstance(value, list | tuple):
        inside = {str(index): part for index, part in enumerate(value, 1)}.items()
    else:
        return {name: value}
    if name and not inside:
        return {name: None}
    prefix = f"{name}." if name else ""
    return {column: number for key, part in inside for column, number in numbers(part, f"{prefix}{key}").items()}


def columns(record: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a record by column of a table; groups without a number are left out."""
    flat = {
        column: number
        for name, value in record.items()
        if name != EXAMPLES
        for column, number in numbers(value, name).items()
    }
    return {column: number for column, number in flat.items() if number is not None}


def table(records: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Rows of a table with a column for each number: its names, then a row for each record, exact and complete."""
    rows = [columns(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    yield names
    yield from ([row.get(name, "") for name in names] for row in rows)


def groups_of(config: RunConfig) -> dict[str, Sequence[str]]:
    """The names of the groups of each grouped measure in a run with these settings, in order."""
    return {
        measure.name: measure.groups(config) if _wanted(measure, config) else []
        for measure in MEASURES
        if measure.groups
    }

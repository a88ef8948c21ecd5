"""Kinds of long work besides trainings, and how many seconds of computing each needs, from the settings alone."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from playground import export
from playground.decoding.long_inputs import with_length
from playground.experiments import lengths
from playground.interpret import development, patching
from playground.interpret.ablation import PartKind
from playground.interpret.attribution import Of
from playground.interpret.counterfactual import Difference, SwitchedOff
from playground.interpret.edges import edges
from playground.interpret.influence import Plan
from playground.interpret.input_pairs import PAIRS
from playground.interpret.kept_circuit import Ablation, Circuit
from playground.interpret.patching import Metric
from playground.interpret.sites import named, stream
from playground.interpret.transitions import MAX_MORE_STEPS
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.part import AssignmentError, BasePart
from playground.lessons.assignments.kinds.train_part import MAX_SECONDS, read_run
from playground.lessons.assignments.receipt import Receipt
from playground.lessons.hunts import SETTINGS as HUNTED
from playground.lessons.lesson import lessons
from playground.model.head_paths import heads
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.estimate import estimate, test_seconds, training_seconds
from playground.tasks import task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, MAX_ENUMERATED

_ANSWER_SECONDS, _CHECK_SECONDS = 0.1, 5.0  # of an answer that is computed, and of a check of code
_EXPORT_SECONDS = 20.0  # mostly for libraries and drawing, whatever the settings


def held_out_seconds(config: RunConfig, tests: int = 1) -> float:
    """Seconds that so many tests on all held-out inputs take."""
    return tests * test_seconds(config, HELD_OUT_SEQUENCES)


def _each(model: TaskModel, kind: Any, _operation: str) -> float:
    return held_out_seconds(model.config, 2 + len(named(model.config, kind)))


def _patch_map(model: TaskModel, _text: str, _other: str, kind: patching.PatchKind) -> float:
    config = model.config
    sites = len(stream(config) if kind == "stream" else named(config, kind))
    return (1 + sites) * test_seconds(config, config.max_source_length + config.max_target_length)


def _programs(model: TaskModel) -> float:
    return held_out_seconds(model.config, 3 + len(heads(model.config.model)))


def _attribution(model: TaskModel, _text: str, other: str, of: Of, _metric: Metric, steps: int, exact: bool) -> float:
    config, pairs = model.config, 1 if other else PAIRS
    parts = {
        "heads": lambda: len(named(config, "head")),
        "nodes": lambda: len(stream(config)) * config.max_target_length + len(named(config, "sublayer")),
        "edges": lambda: len(edges(config.model)),
    }[of]()
    return (4 + 3 * (1 + steps) + parts * exact) * test_seconds(config, pairs)


def _circuit(model: TaskModel, circuit: Circuit, _ablate: Ablation, every: int) -> float:
    config = model.config
    inputs = HELD_OUT_SEQUENCES
    if every and not task_of(config.task).continues:
        inputs = task_of(config.task.model_copy(update={"max_length": every})).count_sources()
    by_edge = 3 if circuit.of == "edges" else 1
    return by_edge * (3 + len(circuit.kept)) * test_seconds(config, min(inputs, MAX_ENUMERATED))


def _lengths(models: Sequence[RunConfig | TaskModel]) -> float:
    configs = [model.config if isinstance(model, TaskModel) else model for model in models]
    longer = [with_length(config, length) for config in configs for length in lengths.usual(config)]
    return sum(test_seconds(config, lengths.SEQUENCES) for config in longer)


def _counterfactual(config: RunConfig, steps: int, difference: Difference) -> float:
    before = difference.step if isinstance(difference, SwitchedOff) else difference.step - 1
    return (steps - before) / config.training.steps * estimate(config).seconds + held_out_seconds(config, 2)


def _development(config: RunConfig, steps: int, points: int) -> float:
    """Tests at all measured steps, and replays: of the whole run for even steps, then around transitions."""
    symbols = config.task.vocab_size
    pairs = symbols**2 if task_of(config.task).modular and symbols <= development.MAX_GRID else 0
    tests = 3 * test_seconds(config, development.SEQUENCES) + (2 * test_seconds(config, pairs) if pairs else 0)
    replays = (1 + bool(points)) * training_seconds(config, steps)
    return ((points or development.POINTS) + MAX_MORE_STEPS) * tests + replays


def _influence(config: RunConfig, steps: int, plan: Plan) -> float:
    return plan.seconds(config, steps)


def _export(
    config: RunConfig, _folder: Path, format: str = "", _text: str | None = None, figure: str = "", _suffix: str = ""
) -> float:
    return _EXPORT_SECONDS + held_out_seconds(config, 1 + export.tests_needed(format, figure, config))


def _trained(part: BasePart, seed: int, answer: Mapping[str, str]) -> float:
    """Of the runs that a part of an assignment trains again: the student's, its own, or those of an exercise."""
    if run := answer.get("run"):
        return min(MAX_SECONDS, estimate(read_run(run)).seconds)
    asked = part.asked(seed)
    configs = [asked.config] if asked.config else [HUNTED, HUNTED]
    if asked.lesson and (exercise := lessons()[asked.lesson].blocks[asked.block].exercise):
        configs = list(lessons()[asked.lesson].exercises[exercise.name].configs(seed).values())
    return sum(estimate(config).seconds for config in configs)


def _graded(files: Sequence[tuple[str, bytes]], assignment: Assignment | None, _folder: Path, run_code: bool) -> float:
    seconds = 0.0
    for _, content in files:
        with suppress(AssignmentError):
            work = Receipt.of_json(content).work
            if assignment is None or work.assignment.id == assignment.id:
                for index, (part, attempt) in enumerate(zip(work.assignment.parts, work.attempts)):
                    seconds += _marked(part, work.seed_of_part(index), attempt.answer, run_code)
    return seconds


def _marked(part: BasePart, seed: int, answer: Mapping[str, str], run_code: bool) -> float:
    if not answer or (part.runs_code and not run_code):
        return 0.0
    with suppress(AssignmentError):
        return _CHECK_SECONDS if part.runs_code else _trained(part, seed, answer) if part.trains else _ANSWER_SECONDS
    return 0.0


COSTS: Mapping[str, Callable[..., float]] = {
    "average": lambda model, _length: held_out_seconds(model.config),
    "roles": lambda model: held_out_seconds(model.config),
    "hidden": lambda model, _path: held_out_seconds(model.config),
    "programs": _programs,
    "score-intact": lambda model: held_out_seconds(model.config),
    "score-changed": lambda model, _changes: held_out_seconds(model.config),
    **{f"each-{kind}": _each for kind in get_args(PartKind)},
    "patch-map": _patch_map,
    "attribution": _attribution,
    "circuit": _circuit,
    "counterfactual": _counterfactual,
    "influence": _influence,
    "development": _development,
    "lengths": _lengths,
    "export": _export,
    "grade": _graded,
    "mark": _trained,
    "hint": lambda part, seed, _count: _trained(part, seed, {}),
    "material": lambda part, seed: _trained(part, seed, {}),
}
"""By the kind that `measurements.show` is given: from what is `costed` and the arguments of the work."""

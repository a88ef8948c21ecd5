"""A run as code that stands alone: it trains the model again, and compares with the history."""

import ast
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch
from pydantic import BaseModel

from playground.common.errors import PlaygroundError
from playground.export.bundle import Bundle, BundleError, Definition, Section, bundle, chosen, properties
from playground.settings.config import LIVE, ModelConfig, RunConfig, TaskConfig, TrainingConfig
from playground.settings.estimate import pass_size
from playground.storage.checkpoint import Checkpoint
from playground.tasks import task_of
from playground.training.evaluation import expert_names
from playground.training.measure import SINGLE

MAX_RECORDS = 2_000
"""Of a longer history every second, third, ... record is compared, and the last."""

REPEATED = {"step", *(measure.name for measure in SINGLE if not measure.function and measure.name != "seconds")}
"""Measures that `repeat` computes again."""

CONFIG = RunConfig.__module__
ROOTS = [
    *((CONFIG, kind.__name__) for kind in (TaskConfig, ModelConfig, TrainingConfig, RunConfig)),
    ("playground.export.repeat", "repeat"),
]


TABLES: Mapping[str, Callable[[ModelConfig], object]] = {
    "NORMS": lambda model: model.norm,
    "ATTENTIONS": lambda model: model.attention,
    "LIMITS": lambda model: model.limits_attention,
    "NETWORKS": lambda model: model.activation,
    "FEED_FORWARDS": lambda model: model.feed_forward,
    "ENCODER_LAYERS": lambda model: model.feed_forward,
    "DECODER_LAYERS": lambda model: model.feed_forward,
}
"""Tables of the model's classes, and the key of the row that a model needs."""
CHOOSE = {
    "playground.model.part_classes": ("make_norm", "make_attention", "make_feed_forward"),
    "playground.model.transformer": ("Encoder", "Decoder"),
}
"""What looks up a class in these tables, by module."""

_NAMES = {
    *properties(RunConfig), *properties(ModelConfig),
    *(name for kind in (TaskConfig, ModelConfig, TrainingConfig) for name in kind.model_fields),
}  # fmt: skip
"""What code reads of the settings."""


class ScriptError(PlaygroundError, ValueError):
    """A run that code alone can't repeat."""


def content(checkpoint: Checkpoint) -> bytes:
    """The script, which needs Python and torch; raises `ScriptError`."""
    code = bundled(checkpoint)
    parts = [
        f'"""{description(checkpoint)}\n\nRun it with `python FILE.py`; exit code 0: the history is the same.\n"""',
        "\n".join(["import sys", *code.imports]),
        *(f"# {_comment(section)}\n\n{section.text}" for section in code.sections),
        f"# The settings of this run, and what it measured.\n\n{data(checkpoint)}",
        'if __name__ == "__main__":\n    sys.exit(0 if repeat(TaskModel(SETTINGS), CHANGES, HISTORY) else 1)',
    ]
    return ("\n\n\n".join(parts) + "\n").encode()


def description(checkpoint: Checkpoint) -> str:
    """A description of the code."""
    config = checkpoint.config
    return (
        f"Train a transformer to {task_of(config.task).goal}: {config.model.architecture}, seed {config.seed}.\n\n"
        "This code stands alone: it needs nothing but torch. It trains the model again and compares every number with\n"
        f"the history of the run. It was written with torch {torch.__version__}; other releases and processors can "
        "round\ndifferently."
    )


def bundled(checkpoint: Checkpoint) -> Bundle:
    """The code of a run's model, task and training; raises `ScriptError`."""
    if checkpoint.begun_from:
        raise ScriptError(
            f"This run began with the weights of {checkpoint.begun_from}, which code alone can't make. "
            "Export a run that began with new weights."
        )
    if not checkpoint.history:
        raise ScriptError("This checkpoint has no training records, so there is nothing to compare with.")
    kept = {path.rpartition(".")[2] for path in LIVE}
    try:
        while True:
            code = bundle(ROOTS, _instead(checkpoint.config, kept))
            used = {node.attr for node in _attributes(code)} & _NAMES
            if used <= kept:
                more = ["from dataclasses import replace"] * bool(checkpoint.changes)
                return replace(code, imports=[*more, *code.imports])
            kept |= used
    except BundleError as error:
        raise ScriptError(f"The code of this run can't stand alone: {error}") from error


def data(checkpoint: Checkpoint) -> str:
    """The settings, changes and history of a run, as statements."""
    config = checkpoint.config
    changes = {change.step: config.after(checkpoint.changes, change.step) for change in checkpoint.changes}
    records = checkpoint.history
    every = -(-len(records) // MAX_RECORDS)
    records = [*records[:-1:every], records[-1]]
    lines = (json.dumps({key: _whole(value) for key, value in record.items() if key in REPEATED}) for record in records)
    after = "".join(f"    {step}: {_difference(config, then)},\n" for step, then in changes.items())
    return "\n".join([
        "SETTINGS = RunConfig()",
        "CHANGES: dict[int, RunConfig] = {" + (f"\n{after}" if after else "") + "}",
        '"""Settings from the first step after the one named."""',
        "HISTORY: list[dict[str, float]] = [",
        *(f"    {line}," for line in lines),
        "]",
    ])  # fmt: skip


def _instead(config: RunConfig, kept: set[str]) -> dict[Definition, str]:
    """Replacements for the definitions that check settings, list all tasks or estimate costs."""
    task = type(task_of(config.task))
    groups: dict[type[BaseModel], Mapping[str, Any]] = {
        TaskConfig: dict(config.task), ModelConfig: dict(config.model), TrainingConfig: dict(config.training),
    }  # fmt: skip
    texts = {(CONFIG, kind.__name__): _settings(kind, values, kept) for kind, values in groups.items()}
    keys = {table: key(config.model) for table, key in TABLES.items()}
    texts |= {(module, name): chosen(module, name, keys) for module, names in CHOOSE.items() for name in names}
    whole = {"task": config.task, "model": config.model, "training": config.training, "seed": config.seed}
    return texts | {
        (CONFIG, "RunConfig"): _settings(RunConfig, whole, kept),
        ("playground.tasks", "TASKS"): f'TASKS: dict[str, type[Task]] = {{"{task.name}": {task.__name__}}}',
        ("playground.settings.estimate", "pass_size"): (
            "def pass_size(config: RunConfig) -> int:\n"
            '    """How many sequences a test reads at once."""\n'
            f"    return {pass_size(config)}"
        ),
        ("playground.training.evaluation", "expert_names"): (
            "def expert_names(config: RunConfig) -> dict[str, list[str]]:\n"
            '    """The experts that a router chooses from, by the path of their mixture."""\n'
            f"    return {expert_names(config)}"
        ),
    }


def _settings(kind: type[BaseModel], values: Mapping[str, Any], kept: set[str]) -> str:
    """A settings class without its checks; the values of the run are the defaults.

    Left out are usual values that the code does not read, such as those of a part that this model does not have.
    """
    lines = []
    for name, value in values.items():
        if kind is not RunConfig and name not in kept and value == kind.model_fields[name].default:
            continue
        of = type(value).__name__
        shown = f"{of}()" if isinstance(value, BaseModel) else repr(value)
        title = kind.model_fields[name].title
        lines.append(f"    {name}: {of} = {shown}" + f"  # {title}" * bool(title))
    own = [textwrap.indent(textwrap.dedent(text), "    ") for name, text in properties(kind).items() if name in kept]
    sentence = (kind.__doc__ or "").partition("\n")[0]
    body = "\n\n".join([f'    """{sentence}"""', "\n".join(lines), *own])
    return f"from dataclasses import dataclass\n@dataclass(frozen=True)\nclass {kind.__name__}:\n{body}"


def _difference(before: RunConfig, after: RunConfig) -> str:
    """The settings after a change, as an expression."""
    parts = []
    for group in ("model", "training"):
        old, new = getattr(before, group), dict(getattr(after, group))
        if changed := [f"{name}={value!r}" for name, value in new.items() if value != getattr(old, name)]:
            parts.append(f"{group}=replace(SETTINGS.{group}, {', '.join(changed)})")
    return f"replace(SETTINGS, {', '.join(parts)})" if parts else "SETTINGS"


def _attributes(found: Bundle) -> Iterator[ast.Attribute]:
    for section in found.sections:
        yield from (node for node in ast.walk(ast.parse(section.text)) if isinstance(node, ast.Attribute))


def _comment(section: Section) -> str:
    return "\n# ".join(textwrap.wrap(section.sentence, 117))


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else value

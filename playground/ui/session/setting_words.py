"""Settings and their differences in words."""

import re
from collections.abc import Iterable
from functools import partial

from playground.common.numbers import counted
from playground.explain.glossary import choice
from playground.settings.applies import NEEDS, missing
from playground.settings.config import LIVE, Change, RunConfig, setting_paths, setting_title, value_at, value_text
from playground.settings.config import differences as setting_differences
from playground.tasks import task_of


def in_labels(sentence: str) -> str:
    """A sentence with the labels of fields instead of the names of settings.

    A name without an underscore is replaced only before a number.
    """
    for path, setting in setting_paths().items():
        name = path.rpartition(".")[2]
        alone = name if "_" in name else rf"{name}(?= \d)"  # "steps" is also a word
        sentence = re.sub(rf"(?<![\w.])(?:{re.escape(path)}|{alone})(?!\w)", setting.title or name, sentence)
    return sentence


def no_effect(path: str, configs: Iterable[RunConfig]) -> str:
    """A sentence if a setting has no effect in any run; empty otherwise."""
    lacking = [missing(path, partial(value_at, config)) for config in configs]
    if not all(lacking):
        return ""
    needs = " and ".join(f"{setting_title(other)} {choice(value)}" for other, value in NEEDS[path].items())
    return f"“{setting_title(path)}” has an effect only with {needs}."


def lengths(config: RunConfig) -> str:
    """Description of the inputs that the model was trained on."""
    return f"inputs of {task_of(config.task).lengths}"


def architecture(config: RunConfig) -> tuple[str, ...]:
    """Short description of the model: architecture, layers, heads and width."""
    model = config.model
    layers, heads = counted(model.n_layers, "layer"), counted(model.n_heads, "head")
    return model.architecture, layers, heads, f"model width {model.d_model}"


def short(config: RunConfig) -> str:
    """The task and the heads, and what else of the model's size is unusual: "reverse, 3 layers, 8 heads"."""
    usual, model = RunConfig(task=config.task).model, config.model
    unusual = {
        model.architecture: model.architecture != usual.architecture,
        counted(model.n_layers, "layer"): model.n_layers != usual.n_layers,
        counted(model.n_heads, "head"): True,
        f"model width {model.d_model}": model.d_model != usual.d_model,
    }
    return ", ".join([config.task.name, *(words for words, shown in unusual.items() if shown)])


def differences(before: RunConfig, after: RunConfig) -> str:
    """Differences in one line: "Heads 4 → 1, Norm position pre → post"; empty if there is none."""
    changes = setting_differences(before, after)
    return ", ".join(
        f"{setting_title(path)} {choice(value_text(a))} → {choice(value_text(b))}" for path, a, b in changes
    )


def needs_new_run(before: RunConfig, after: RunConfig) -> bool:
    """True if a run can't change to these settings mid-run."""
    return any(path not in LIVE for path, *_ in setting_differences(before, after))


def change_words(before: RunConfig, after: RunConfig) -> str:
    """The same for a mid-run change; notes that a schedule stretches if the number of steps changes."""
    words, schedule = differences(before, after), after.training.schedule
    moved = before.training.steps != after.training.steps and schedule in ("cosine", "exponential")
    return f"{words} ({schedule} to the new end)" if moved else words


def change_lines(begun: RunConfig, changes: Iterable[Change], after: int = -1) -> list[str]:
    """Descriptions of the mid-run changes after step `after` of a run that began with these settings."""
    lines, before = [], begun
    for change in changes:
        changed = before.updated(change.settings)
        if change.step > after and (words := change_words(before, changed)):
            lines.append(f"from step {change.step + 1:,} {words}")
        before = changed
    return lines

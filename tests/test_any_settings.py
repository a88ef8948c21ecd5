"""Any settings that are allowed can be trained, answer, are recorded forward and backward, and are saved and loaded."""

import math
import random
from contextlib import nullcontext, suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from playground.decoding import generate_text
from playground.explain.inspection import NotFiniteError, walk
from playground.model.task_model import TaskModel
from playground.settings.config import ConfigError, RunConfig, bounds, choices, names_of, setting_paths, value_at
from playground.settings.estimate import QUICK_TEST, estimate
from playground.storage import checkpoint
from playground.tasks import example_text
from playground.tasks.batches import Sequences
from playground.training import Training, TrainingError, evaluate
from tests import helpers
from tests.helpers import first, same_weights

CASES = 300 if helpers.THOROUGH else 40
SECONDS = 10.0 if helpers.THOROUGH else 0.25
"""The estimate of the largest run."""

TEXT = "".join(f"{number * number} is the square of {number}.\n" for number in range(200))
SLOW = 1e-9
"""A learning rate that changes next to nothing."""

FEW: dict[str, list[Any]] = {
    "task.text": ["", TEXT],
    "training.steps": [1, 2, 3],
    "training.warmup_steps": [0, 1, 3],
    "training.eval_sequences": [0, 30, 1100],
}
"""Values of settings whose bounds would take too long."""


@lru_cache
def values() -> dict[str, list[Any]]:
    """Each setting by its path: all of its choices, or its lowest value, a middle one, its default and its highest."""
    found: dict[str, list[Any]] = {}
    for path, field in setting_paths().items():
        if path in FEW:
            found[path] = FEW[path]
        elif field.annotation is bool:
            found[path] = [False, True]
        elif names := names_of(field):
            found[path] = [(), names[:1], names]
        elif choices(field):
            found[path] = [*choices(field)]
        elif field.annotation is int:
            low, high = map(int, bounds(field))
            found[path] = [low, round(math.sqrt(max(low, 1) * high)), field.default, high]
        else:
            low, high = bounds(field)
            rules = "".join(dir(rule)[-1] for rule in field.metadata)  # ge or gt, le or lt
            found[path] = [
                math.nextafter(low, high) if "gt" in rules else low,
                field.default,
                math.nextafter(high, low) if "lt" in rules else high,
            ]
    return found


def settings(number: int) -> RunConfig:
    """Settings drawn from `values`, each independently, until they are allowed and cheap enough."""
    draw = random.Random(2000 + number)
    drawn = {path: draw.choice(each) for path, each in values().items()}
    for _ in count():
        try:
            config = RunConfig().updated(drawn)
        except ConfigError as error:
            again = [*error.problems]
        else:
            if estimate(config).seconds <= SECONDS:
                return config
            again = []
        again += draw.sample(sorted(drawn), 2)
        drawn |= {path: draw.choice(values()[path]) for path in again if path in drawn}
    raise AssertionError


def trained(config: RunConfig) -> tuple[TaskModel, list[dict[str, Any]]]:
    training = Training(config)
    records = [progress.record() for progress in training.progress()]
    return training.model.eval(), records


@pytest.mark.parametrize("number", first(6, range(CASES), of=40))
def test_allowed_settings_train_answer_are_recorded_saved_and_loaded(number: int, tmp_path: Path):
    config = settings(number)
    for remedy in ({}, {"training.learning_rate": SLOW}, {"training.learning_rate": SLOW, "model.layer_norm": True}):
        # A high rate may overflow, also a usual one without norms: then the advice helps. A gate multiplies two numbers
        # that grow with its input, so without norms a deep model may overflow before its first step.
        gated = not config.model.layer_norm and config.model.activation == "swiglu"
        config = config.updated(remedy)
        try:
            model, records = trained(config)
            break
        except TrainingError as error:
            assert f"Try a learning rate below {config.training.learning_rate:g}." in str(error)  # noqa: PT017
            assert not remedy or gated
    last, held_out = records[-1], Sequences.of(config.task).held_out()
    assert math.isfinite(last["validation_loss"])
    assert last["sequences"] >= min(config.training.eval_sequences or QUICK_TEST, len(held_out))
    assert 0 <= last["exact_match_low"] <= last["exact_match"] <= last["exact_match_high"] <= 1

    text = example_text(config.task)
    answer = generate_text(model, text)
    walked = walk(model, text, until_overflow=True)
    assert not walked.overflow or config.training.learning_rate > 1
    if not walked.overflow:
        assert walked.predicted
        with nullcontext() if config.training.learning_rate < 1 else suppress(NotFiniteError):
            assert walked.gradients()

    folder = tmp_path / "model"
    checkpoint.save(folder, model, records)
    loaded = checkpoint.load(folder)
    assert loaded.config == config
    assert same_weights(loaded.model, model)
    assert [record["step"] for record in loaded.history] == [record["step"] for record in records]
    assert generate_text(loaded.model, text) == answer


def test_the_cases_have_every_choice_and_every_edge_of_every_setting():
    found = [settings(number) for number in range(CASES)]
    for path, each in values().items():
        wanted = each if choices(setting_paths()[path]) else [each[0], each[-1]]
        assert {value_at(config, path) for config in found} >= {*wanted}, path


@pytest.mark.parametrize("architecture", ["encoder-only", "decoder-only"])
def test_a_model_of_which_a_pass_tests_few_sequences_is_tested_on_as_many_as_any_other(architecture):
    config = RunConfig().updated(
        {"model.architecture": architecture, "model.d_model": 256, "model.n_layers": 4, "task.max_length": 64}
    )
    found = evaluate(TaskModel(config), Sequences.of(config.task).held_out())
    assert found.sequences == QUICK_TEST
    assert math.isfinite(found.loss)

"""Schedules: learning rates in closed form."""

import math
from itertools import pairwise
from typing import Any

import pytest

from playground.optimization.schedules import SCHEDULES
from playground.settings.config import TrainingConfig
from playground.training import learning_rate, train
from tests.small_training import TINY


def rate(step: int, **settings: Any) -> float:
    return learning_rate(TrainingConfig(learning_rate=0.2, steps=100, **settings), step)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_climbs_in_a_straight_line_to_its_peak(schedule):
    for step in range(1, 21):
        assert rate(step, schedule=schedule, warmup_steps=20) == pytest.approx(0.2 * step / 20)
    rates = [rate(step, schedule=schedule, warmup_steps=20) for step in range(1, 101)]
    assert max(rates) == rates[19] == pytest.approx(0.2)
    assert all(later <= earlier for earlier, later in pairwise(rates[19:]))


def test_what_follows_the_peak_is_the_schedules_formula():
    assert rate(1, schedule="constant") == rate(100, schedule="constant") == 0.2
    assert rate(1, schedule="cosine") == 0.2
    assert rate(51, schedule="cosine") == pytest.approx(0.1)
    assert rate(26, schedule="cosine") == pytest.approx(0.1 * (1 + math.cos(math.pi / 4)))
    assert rate(100, schedule="cosine", warmup_steps=20) == pytest.approx(0.1 * (1 - math.cos(math.pi / 81)))
    assert rate(39, schedule="cosine", warmup_steps=19) == pytest.approx(0.1 * (1 + math.cos(math.pi * 20 / 82)))
    assert rate(50, schedule="exponential") == pytest.approx(0.02)
    assert rate(100, schedule="exponential", warmup_steps=20) == pytest.approx(0.002)


def test_noam_is_the_papers_equation_scaled_to_its_peak():
    d_model, warmup = 512, 20

    def paper(step: int) -> float:
        return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)

    for step in (1, 10, 20, 21, 50, 100):
        assert rate(step, schedule="noam", warmup_steps=warmup) == pytest.approx(0.2 * paper(step) / paper(warmup))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_every_step_of_every_schedule_learns(schedule, steps):
    for warmup in range(SCHEDULES[schedule].needs_warmup, steps + 1):
        settings = TrainingConfig(learning_rate=0.2, steps=steps, warmup_steps=warmup, schedule=schedule)
        assert all(0 < learning_rate(settings, step) <= 0.2 for step in range(1, steps + 1))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_row_says_whether_the_number_of_steps_changes_the_rates(schedule):
    first, longer = (
        [learning_rate(TrainingConfig(steps=steps, warmup_steps=5, schedule=schedule), step) for step in range(1, 51)]
        for steps in (50, 100)
    )
    assert (first != longer) == SCHEDULES[schedule].reads_steps


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_run_that_is_all_warm_up_ends_at_the_peak(schedule):
    settings = TrainingConfig(learning_rate=0.2, steps=7, warmup_steps=7, schedule=schedule)
    assert learning_rate(settings, 7) == pytest.approx(0.2)


def test_the_rate_that_is_reported_is_the_scheduled_one():
    config = TINY.updated({"training.schedule": "noam", "training.warmup_steps": 5})
    assert [p.learning_rate for p in train(config)] == [
        None,
        *(learning_rate(config.training, step) for step in range(1, 13)),
    ]

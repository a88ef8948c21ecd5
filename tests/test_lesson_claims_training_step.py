"""Claims in words of the lesson "One training step", for three seeds."""

import math

import pytest
import torch

from playground.lessons.live import training_step_lesson as lesson
from playground.optimization.schedules import learning_rate
from playground.training.stages import smoothing_floor

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_row_of_label_smoothing_is_the_one_with_the_lowest_loss(seed):
    target, _ = lesson._smoothed(lesson._logits(seed)[0], seed, lesson.SMOOTHING)
    assert math.isclose(float(target.sum()), 1, abs_tol=1e-5)
    assert math.isclose(float(target[seed]), 1 - lesson.SMOOTHING + lesson.SMOOTHING / 4, abs_tol=1e-5)
    _, lowest = lesson._smoothed(target.log(), seed, lesson.SMOOTHING)
    assert math.isclose(lowest, smoothing_floor(lesson.SMOOTHING, 4), abs_tol=1e-5)
    for other in lesson._logits(seed + 10), target.log() + torch.tensor([0.1, 0, 0, 0]):
        assert lesson._smoothed(other.reshape(-1), seed, lesson.SMOOTHING)[1] > lowest


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_a_step_is_that_of_the_weights_before_it(seed):
    training, other = lesson._training(seed), lesson._training(seed)
    before = float(other._forward(other._draw()).detach())
    assert training.take_step().loss == before
    assert before > math.log(lesson.SMALL.vocabulary_size)


@pytest.mark.parametrize("seed", SEEDS)
def test_clipping_keeps_the_direction(seed):
    before, after, norm = lesson._clipped(seed, 0.5)
    assert norm > 0.5
    assert all(math.isclose(after[part] / before[part], 0.5 / norm, rel_tol=1e-3) for part in before)
    assert math.isclose(math.hypot(*after.values()), 0.5, rel_tol=1e-3)


def test_adam_moves_a_weight_by_the_learning_rate_in_its_first_step_and_hardly_where_gradients_alternate():
    for gradient in (100.0, 1.0, 0.01):
        ((first, second, weight),) = lesson._adam(torch.tensor([gradient]), 0.01)
        assert math.isclose(first, gradient, rel_tol=1e-4)
        assert math.isclose(second, gradient**2, rel_tol=1e-4)
        assert math.isclose(-weight, 0.01, rel_tol=1e-3)
    series = [lesson.GRADIENTS[name](torch.arange(60), torch.zeros(60)).float() for name in ("Constant", "Alternating")]
    same, alternating = (abs([*lesson._adam(each, 0.01)][-1][2]) for each in series)
    assert same > 10 * alternating


def test_noam_falls_with_the_root_of_the_step_after_its_peak():
    settings = lesson._schedule("noam", lesson.WARM_UP)
    peak, later = (learning_rate(settings, step) for step in (lesson.WARM_UP, 2 * lesson.WARM_UP))
    assert math.isclose(peak, lesson.PEAK)
    assert math.isclose(later, peak / math.sqrt(2))

"""Claims of the lesson "Attention from three vectors" that are facts of mathematics."""

import math

import pytest
import torch

from playground.lessons.lesson import lessons
from playground.lessons.live.attention_lesson import DIVISORS, REVERSED, WIDEST, _drawn, _looks, _softmax
from playground.lessons.live_parts import Slider

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_variance_grows_with_the_width_and_scaling_keeps_it(seed):
    for width in (4, 16, 64, 256):
        assert float(_drawn(seed, width).var()) == pytest.approx(width, rel=0.2)
        assert float((_drawn(seed, width) / math.sqrt(width)).var()) == pytest.approx(1, rel=0.2)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ratio_of_weights_is_the_exponential_of_the_difference(seed):
    facts = lessons()["attention"].facts(seed)
    assert facts["ratio"] == pytest.approx(math.exp(facts["gap"]), rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gradient_vanishes_without_scaling(seed):
    facts = lessons()["attention"].facts(seed)
    assert facts["vanishing"] == "More than 20 times smaller"
    assert facts["scaled_gradient"] > 4 * facts["plain_at_wide"] > 4 * facts["plain_gradient"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norm_is_that_of_the_derivatives(seed):
    row = _drawn(seed, 16)[:1]
    derivatives = torch.autograd.functional.jacobian(lambda scores: scores.softmax(-1), row[0])
    assert _softmax(row)[1] == pytest.approx(float(derivatives.norm()), rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_other_divisors_make_the_weights_too_even(seed):
    largest = {name: _softmax(_drawn(seed, WIDEST) / divisor(WIDEST))[0] for name, divisor in DIVISORS.items()}
    assert largest["1"] > largest["√d_k"] > largest["√d_model"] > largest["d_k"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weighted_mean_lies_between_the_values(seed):
    _, weights, output = lessons()["attention"].live["mixture"](seed)
    value = torch.tensor(lessons()["attention"].live["mixture"].start(seed)["value"])
    assert torch.allclose(weights.values.sum(1), torch.ones(3))
    assert bool(((output.values <= value.max(0).values + 1e-6) & (output.values >= value.min(0).values - 1e-6)).all())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_standard_deviation_of_4_is_within_the_slider(seed):
    width = lessons()["attention"].live["variance"].controls["width"]
    assert isinstance(width, Slider)
    assert float(_drawn(seed, int(width.low)).std()) < 4 < float(_drawn(seed, int(width.high)).std())


@pytest.mark.parametrize("text", REVERSED)
def test_the_model_that_reverses_looks_at_the_token_it_writes(text):
    walk, weights = _looks(text)
    assert walk.tokens["T"][1:] == text.split()[::-1]
    assert weights.argmax(1).tolist() == list(range(len(text.split())))[::-1]
    assert lessons()["attention"].facts(0)["share"] > 0.9

"""Claims in words of the lesson "Dropout", for three seeds."""

import math

import pytest
import torch

from playground.lessons.live import dropout_lesson as lesson

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("p", [0.1, 0.2, 0.5])
def test_kept_numbers_are_divided_by_1_minus_p_and_the_mean_is_kept(seed, p):
    x = lesson._vector(seed)[0].expand(20_000)
    made = lesson._dropped(x, p, seed)
    assert torch.allclose(made[made != 0], x[0] / (1 - p))
    assert math.isclose(float(made.mean()), float(x[0]), rel_tol=0.03)
    assert math.isclose(float((made != 0).float().mean()), 1 - p, rel_tol=0.03)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_passes_differ_in_training_mode_and_agree_in_evaluation_mode(seed):
    one, two = lesson._two_passes(seed, lesson.IN_THE_PAPER, True)
    assert bool((one != two).any(-1).all())
    one, two = lesson._two_passes(seed, 0.9, False)
    assert torch.equal(one, two)
    assert lesson.facts(seed)["off"] in ("A", "B")


@pytest.mark.parametrize("n_layers", [1, 2, 6])
def test_an_encoder_decoder_has_a_dropout_after_each_embedding_and_each_sublayer(n_layers):
    assert lesson._count(n_layers) == 2 + 5 * n_layers


def test_more_dropout_makes_the_mean_of_masks_vary_more():
    spread = [float(lesson._dropped(torch.ones(20_000), p, 0).std()) for p in (0.1, 0.5, 0.9)]
    assert spread == sorted(spread)

"""Claims in words of the lesson "The feed-forward network", for three seeds."""

import pytest
import torch

from playground.lessons.live import feed_forward_lesson as lesson

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_network_reads_each_position_by_itself_and_attention_all_of_them(seed):
    for position in range(1, lesson.LENGTH + 1):
        moved = lesson._after_change(seed, position)
        assert (moved["Feed-forward"] > 1e-6).nonzero().flatten().tolist() == [position - 1]
        assert bool((moved["Self-attention"] > 1e-3).all())
    assert lesson._permuted(seed) < 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_without_its_activation_function_the_network_is_one_linear_map(seed):
    right, linear, merged = lesson._merged(seed)
    assert torch.allclose(linear, merged, atol=1e-4)
    assert float((right - linear).abs().max()) > 1


@pytest.mark.parametrize("seed", SEEDS)
def test_units_that_are_off_add_nothing_to_the_output(seed):
    network, read = lesson._layer().feed_forward, lesson._tap(seed, f"{lesson.PATH}_add_norm.normalized")
    on = lesson._on(seed)
    for position in range(lesson.LENGTH):
        active = network.w_1(read[position]).relu() * on[position]
        assert torch.allclose(network.w_2(active), network(read[position]), atol=1e-5)
        assert 0 < int(on[position].sum()) < len(on[position])


def test_the_slope_of_relu_is_0_where_x_is_negative_and_that_of_gelu_is_not():
    x = torch.tensor([-0.1, -0.3, -0.5], requires_grad=True)
    for name, flat in (("relu", True), ("gelu", False)):
        (slope,) = torch.autograd.grad(lesson._activation(name, x).sum(), x)
        assert bool((slope == 0).all()) == flat

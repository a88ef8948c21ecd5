"""Claims in words of the lesson "Parameters and cost"."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from playground.lessons.live import cost_lesson as lesson
from playground.model.layers import EncoderLayer
from playground.settings.config import ModelConfig


@pytest.mark.parametrize(("d_model", "d_ff", "length"), [(16, 64, 5), (32, 32, 40), (8, 24, 100)])
def test_the_counts_are_those_of_a_real_encoder_layer(d_model, d_ff, length):
    layer = EncoderLayer(ModelConfig(d_model=d_model, n_heads=2, d_ff=d_ff))
    counter = FlopCounterMode(display=False)
    with counter, torch.inference_mode():
        layer(torch.randn(1, length, d_model), torch.ones(1, 1, 1, length, dtype=torch.bool))
    assert counter.get_total_flops() == 2 * sum(lesson._encoder_layer(d_model, d_ff, length))
    assert lesson._attention(d_model) == sum(each.numel() for each in layer.self_attention.parameters())
    assert lesson._overtaking(d_model, d_ff) == 2 * d_model + d_ff


@pytest.mark.parametrize("times", [2, 3, 5])
def test_products_grow_with_the_square_of_the_length_and_linear_maps_with_the_length(times):
    one, longer = (lesson._encoder_layer(64, 256, length) for length in (10, 10 * times))
    assert (longer[0], longer[1]) == (times * one[0], times**2 * one[1])


def test_the_base_model_is_near_the_published_count_only_with_a_shared_matrix():
    counts = lesson._paper()
    shared = sum(counts.values()) - counts["Token embedding"]
    assert abs(shared / lesson.PAPER_PARAMETERS - 1) < 0.05
    assert sum(counts.values()) / lesson.PAPER_PARAMETERS > 1.2
    # By hand: layers of attentions (4 D^2 + 4 D), networks (2 D F + F + D) and norms (2 D).
    attention, network, norm = 4 * 512**2 + 4 * 512, 2 * 512 * 2048 + 2048 + 512, 2 * 512
    assert counts["Encoder, 6 layers"] == 6 * (attention + network + 2 * norm)
    assert counts["Decoder, 6 layers"] == 6 * (2 * attention + network + 3 * norm)
    assert counts["Output layer"] == 37_000 * 512 + 37_000

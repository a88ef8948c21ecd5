"""Claims of the lesson "Multi-head attention"."""

import pytest
import torch
from torch import nn

from playground.lessons.lesson import lessons
from playground.lessons.live.heads_lesson import SELF, _combined, _copied_from, _on_copied, _parts, _seen, _wrong
from playground.lessons.live.reversing_model import CROSS, INPUTS, MODEL, batch_of, input_of, read
from playground.lessons.live_parts import pass_of, shipped

SEEDS = (0, 1, 2, 3)


@pytest.mark.parametrize("text", INPUTS)
def test_a_pass_has_the_tensors_of_a_walk(text):
    walk = pass_of(MODEL, text)
    for name, tensor in read(batch_of(text)).items():
        assert torch.allclose(tensor.float(), walk[name].value.float(), atol=1e-5), name


@pytest.mark.parametrize("seed", SEEDS)
def test_head_1_attends_to_the_position_that_is_copied(seed):
    facts = lessons()["heads"].facts(seed)
    text = input_of(seed)
    assert facts["position"] == _copied_from(text)[facts["row"] - 1] + 1 == len(text.split()) - facts["row"] + 1
    assert facts["hits"] == facts["rows"]


@pytest.mark.parametrize("text", INPUTS)
def test_the_worst_head_has_the_least_weight_and_any_one_can_be_missing(text):
    alone, missing, _ = _wrong(text)
    assert alone.count(max(alone)) == 1
    assert alone.index(max(alone)) == int(_on_copied(text).mean(1).argmin())
    assert max(missing) == 0


@pytest.mark.parametrize("text", INPUTS)
def test_the_parts_of_the_heads_add_up_to_the_output(text):
    parts, bias = _parts(text)
    assert torch.allclose(parts.sum(0) + bias, _seen(text)[f"{CROSS}.output"][0], atol=1e-4)


@pytest.mark.parametrize("text", INPUTS)
def test_one_matrix_gives_what_three_give_and_torch_stores_it_so(text):
    separate, together = _combined(text)
    assert torch.allclose(separate, together, atol=1e-5)
    d_model = shipped(MODEL).config.model.d_model
    assert nn.MultiheadAttention(d_model, 4).in_proj_weight.shape == (separate.size(1), d_model)
    assert _seen(text)[f"{SELF}.concat"].size(-1) == d_model

"""All heads at a glance: the recorded weights by kind and layer, their average, and one score unfolded."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import PlaygroundError
from playground.interpret.heads import _sums, average_grids, grids, pair
from playground.model.head_paths import Head, heads
from playground.recording import Cache, run_with_cache
from playground.tasks import PAD
from playground.tasks.batches import Sequences, make_batch
from tests.helpers import ARCHITECTURES, SMALL, examples, small_batch, small_config, small_model
from tests.modern_models import MODERN, modern_model

KINDS = {
    "encoder-decoder": ["encoder self-attention", "decoder self-attention", "cross-attention"],
    "decoder-only": ["decoder self-attention"],
    "encoder-only": ["encoder self-attention"],
}


def cached(model) -> Cache:
    return run_with_cache(model, small_batch(model.config))[1]


def test_heads_are_named_as_on_the_command_line():
    every = heads(small_config("encoder-decoder", n_layers=2).model)
    assert len(every) == len({head.path for head in every}) == 2 * 3 * 3
    assert "decoder.layers.1.cross_attention.head.2" in {head.path for head in every}
    assert Head("decoder.layers.1.cross_attention", 0).words == "head 1 of the cross-attention in layer 2"
    assert Head("encoder.layers.0.self_attention", 2).words == "head 3 of the encoder self-attention in layer 1"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_grid_holds_the_recorded_weights_of_each_layer_and_the_tokens_they_belong_to(architecture):
    model = small_model(architecture, n_layers=2)
    cache, batch = cached(model), small_batch(model.config)
    found = grids(cache, model.config.model)
    assert [grid.kind for grid in found] == KINDS[architecture]
    tokens = {"encoder": batch.source, "decoder": batch.target}
    for grid in found:
        for layer, path in enumerate(grid.attentions):
            assert path.split(".")[2] == str(layer)
            assert torch.equal(grid.weights[layer], cache[f"{path}.attention.weights"][0])
        stack = grid.attentions[0].split(".")[0]
        assert list(grid.queries) == tokens[stack][0].tolist()
        assert list(grid.keys) == tokens["encoder" if grid.kind == "cross-attention" else stack][0].tolist()
        assert grid.weights.shape == (2, 3, len(grid.queries), len(grid.keys))


@settings(max_examples=examples(10), deadline=None)
@given(st.data())
def test_the_terms_of_a_pair_add_up_to_its_score(data):
    model = small_model(
        data.draw(st.sampled_from(ARCHITECTURES)),
        n_layers=2,
        scale_scores=data.draw(st.booleans()),
        bias=data.draw(st.booleans()),
    )
    cache = cached(model)
    head = data.draw(st.sampled_from(heads(model.config.model)))
    weights = cache[f"{head.attention}.attention.weights"][0, head.number]
    query, key = (data.draw(st.integers(0, size - 1)) for size in weights.shape)
    found = pair(cache, head, query, key)
    assert found.terms.shape == (4,)
    assert float(found.terms.sum()) == pytest.approx(found.score, abs=1e-5)
    assert float(found.query @ found.key) == pytest.approx(found.score, abs=1e-5)
    if found.masked_score > -math.inf:
        scaled = found.score / math.sqrt(4) if model.config.model.scale_scores else found.score
        assert found.masked_score == pytest.approx(scaled, abs=1e-5)
    else:
        assert found.weight == 0
    assert found.weight == float(weights[query, key])


@pytest.mark.parametrize("name", MODERN)
def test_the_terms_of_a_pair_of_later_parts_add_up_to_its_score(name):
    model = modern_model(name)
    cache, config = cached(model), model.config.model
    for head in heads(config):
        found = pair(cache, head, 2, 1)
        latent = config.attention == "latent" and config.positions == "rotary"
        assert len(found.terms) == config.d_head + (config.d_rope if latent else 0)
        assert float(found.terms.sum()) == pytest.approx(found.score, abs=1e-5)
        if config.qk_norm:
            scale = float(model.get_parameter(f"{head.attention}.attention.scale").detach())
            expected = config.logit_cap * math.tanh(found.score * scale / config.logit_cap)
        else:
            expected = found.score / math.sqrt(len(found.terms))
        assert found.scaled_score == pytest.approx(expected, abs=1e-5)
        assert found.masked_score == found.scaled_score


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("length", [2, 3, pytest.param(5, marks=pytest.mark.thorough)])
def test_an_average_is_the_mean_over_passes_with_one_input_each(architecture, length, monkeypatch):
    model = small_model(architecture)
    source = Sequences.of(model.config.task).held_out()
    source = source[(source != PAD).sum(1) == length][:, :length]
    monkeypatch.setattr("playground.training.held_out.pass_size", lambda _: 2)
    *progress, (count, total_count, found) = average_grids(model, length)
    assert count == total_count == len(source) > 0
    assert len(progress) == (count - 1) // 2
    total = [torch.zeros_like(grid.weights) for grid in found]
    for row in source[:, None]:
        _, cache = run_with_cache(model, make_batch(model.config, row))
        for sums, grid in zip(total, grids(cache, model.config.model), strict=True):
            sums += grid.weights
    for sums, grid in zip(total, found, strict=True):
        torch.testing.assert_close(grid.weights, sums / count)
        torch.testing.assert_close(grid.weights.sum(-1), torch.ones(grid.weights.shape[:-1]))


def test_where_answers_differ_in_length_a_row_counts_the_inputs_that_have_it():
    weights = torch.rand(2, 3, 4, 5)
    counted = torch.tensor([[True, True, True, False], [True, True, True, True]])
    sums, queries = _sums(weights, counted)
    assert queries.tolist() == [2, 2, 2, 1]
    torch.testing.assert_close(sums[:, :3], weights[:, :, :3].sum(0))
    torch.testing.assert_close(sums[:, 3], weights[1, :, 3])


def test_a_length_that_no_held_out_input_has_is_refused():
    model = small_model("encoder-only")
    with pytest.raises(PlaygroundError, match=r"No held-out input has length 7\."):
        next(average_grids(model, SMALL.task.max_length + 1))


def test_the_model_is_left_as_it_was():
    model = small_model("encoder-decoder", dropout=0.5).train()
    list(average_grids(model, 3))
    assert model.training
    assert not any(module._forward_hooks for module in model.modules())

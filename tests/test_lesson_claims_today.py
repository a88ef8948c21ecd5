"""Claims in words of the lesson "From 2017 to today"."""

import math

import pytest
import torch

from playground.decoding import batch_to_read
from playground.lessons.live import today_lesson as lesson
from playground.lessons.live_parts import Curves, Numbers, Table, shipped
from playground.model.grouped_query_attention import GroupedQueryAttention
from playground.model.mixture import Mixture
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.tasks import SPECIALS
from playground.tasks.batches import Sequences
from playground.training.evaluation import answered_right
from tests.trained_exercises import outcomes

SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2)))


def facts(name: str, seed: int):
    return lesson.__dict__[name].facts(outcomes("today", name, seed))


# --- RMSNorm ---


def test_the_square_of_the_root_mean_square_is_that_of_the_mean_plus_the_variance():
    x = torch.randn(5, 64, dtype=torch.double) + 2
    torch.testing.assert_close(x.square().mean(-1), x.mean(-1).square() + x.var(-1, correction=0))


def test_a_model_with_layer_norms_answers_as_well_with_rms_norms():
    """With its own tokens, as people use it, and with no norm in which the mean is large."""
    model = shipped(lesson.REVERSES)
    norms = lesson._norms()
    changed = TaskModel(model.config).eval()
    changed.load_state_dict(model.state_dict())
    for path in norms.ratios:
        changed.get_submodule(path).__class__ = lesson._WithoutMean
    held_out = Sequences.of(model.config.task).held_out(lesson.INPUTS)
    assert norms.right == tuple(int(answered_right(each, held_out).sum()) for each in (model, changed))
    assert norms.right[1] > 0.9 * lesson.INPUTS
    assert max(float(ratio.mean()) for ratio in norms.ratios.values()) < 0.2
    assert norms.difference > 0


def test_the_mean_of_random_numbers_is_as_small():
    x = torch.randn(100_000, 64, generator=torch.Generator().manual_seed(0))
    measured = float((x.mean(-1).abs() / x.std(-1, correction=0)).mean())
    assert measured == pytest.approx(lesson.facts(0)["random"], rel=0.03)
    assert lesson.facts(0)["random"] == pytest.approx(0.8 / math.sqrt(64), rel=0.01)


# --- grouping ---


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_cache_of_the_question_holds_what_the_attentions_compute_for_a_token(seed):
    layers, heads, width, groups = lesson._sizes(seed)
    config = lesson._grouped(layers, heads, width, groups)
    model = TaskModel(config).eval()
    numbers = 0
    for module in model.modules():
        if isinstance(module, GroupedQueryAttention):
            numbers += module.w_k.out_features + module.w_v.out_features
    assert numbers == 2 * layers * groups * width == lesson.cache_numbers(config)
    assert lesson.facts(seed)["group_bytes"] == lesson.BYTES * numbers
    assert lesson.facts(seed)["all_bytes"] == lesson.facts(seed)["group_bytes"] * heads // groups
    assert model.head.weight.element_size() == lesson.BYTES


def test_as_many_key_heads_as_heads_need_the_cache_of_multi_head_attention():
    config = lesson._grouped(2, 4, 8, 4)
    plain = config.updated({"model.attention": "multi_head"})
    assert lesson.cache_numbers(config) == lesson.cache_numbers(plain)
    (table,) = lesson.grouping(0, heads=4, width=8, layers=2)
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["4, multi-head", "2", "1, multi-query"]


@pytest.mark.parametrize("seed", SEEDS)
def test_both_models_are_solved_and_one_head_of_keys_needs_a_quarter_of_the_cache(seed):
    found = facts("key_heads", seed)
    assert found["grouping_solved"] == "Both"
    assert found["cache_factor"] == 4
    four, one = outcomes("today", "key_heads", seed).values()
    assert found["fewer"] == sum(p.numel() for p in four.last.parameters()) - sum(
        p.numel() for p in one.last.parameters()
    )


# --- the latent ---


@pytest.mark.parametrize("layer", [0, 1])
def test_keys_and_values_have_the_rank_of_the_latent(layer):
    both, model = lesson._latents(layer).both, shipped(lesson.SORTS)
    assert torch.linalg.matrix_rank(both) == model.config.model.d_latent == lesson.facts(0)["rank"]
    assert both.size(1) == 2 * model.config.model.d_model
    attention = model.get_submodule(f"decoder.layers.{layer}.self_attention")
    assert attention.w_uk.bias is attention.w_uv.bias is None
    curves = lesson.spectrum(0, layer=str(layer + 1))[0]
    assert isinstance(curves, Curves)
    assert curves.lines["Singular value"][model.config.model.d_latent] < 1e-2


@pytest.mark.parametrize("layer", [0, 1])
def test_scores_come_from_the_latent_unless_its_keys_are_turned(layer):
    seen = lesson._latents(layer)
    torch.testing.assert_close(seen.absorbed, seen.scores, rtol=1e-4, atol=1e-4)
    assert lesson._apart(seen.absorbed, seen.turned) > 0.1
    assert lesson.facts(0)["turned"] == "No"


def test_the_cache_of_the_latent_model_is_that_of_its_taps():
    model = shipped(lesson.SORTS)
    cache = run_with_cache(model, batch_to_read(model, lesson.INPUT, None), "decoder.layers.0.self_attention.*")[1]
    at = "decoder.layers.0.self_attention"
    kept = cache[f"{at}.latent"].size(-1) + cache[f"{at}.rotated_key"].size(1) * cache[f"{at}.rotated_key"].size(-1)
    assert kept == lesson.facts(0)["latent_cache"]


# --- experts ---


def test_the_router_chooses_one_expert_and_one_is_shared():
    model = shipped(lesson.SORTS)
    mixtures = [module for module in model.modules() if isinstance(module, Mixture)]
    assert len(mixtures) == model.config.model.n_layers == 2
    for mixture in mixtures:
        assert (mixture.experts_per_token, len(mixture.shared_experts)) == (1, 1)
        assert mixture.balance > 0
    assert lesson.facts(0)["busiest"] < 0.35


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_expert_of_a_symbol_is_counted_at_the_positions_that_read_it(seed):
    found, model = lesson.facts(seed), shipped(lesson.SORTS)
    symbol = int(found["symbol"])
    held_out = Sequences.of(model.config.task).held_out(lesson.INPUTS)
    chosen = []
    for source in held_out[:40]:
        text = " ".join(str(int(token) - len(SPECIALS)) for token in source if token)
        batch = batch_to_read(model, text, None)
        name = "decoder.layers.0.feed_forward.chosen"
        experts = run_with_cache(model, batch, name)[1][name][0].int().argmax(-1)
        at = (source == len(SPECIALS) + symbol).nonzero().flatten()
        chosen += experts[at].tolist()
    share = chosen.count(found["expert"] - 1) / len(chosen)
    assert share == pytest.approx(found["expert_share"], abs=0.2)


def test_the_same_symbol_goes_to_other_experts_in_the_answer():
    picture = [lesson.routing(0, layer="1", part=part)[0] for part in lesson.PARTS]
    first, second = (each.values.argmax(1) for each in picture if isinstance(each, Numbers))
    assert (first != second).sum() >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_without_the_balancing_loss_the_busiest_expert_gets_more_and_fewer_are_used(seed):
    found = facts("balance", seed)
    assert found["busy"] > 1.5 * found["busy_balanced"]
    assert found["in_use"] < 0.75 * found["in_use_balanced"]
    assert found["in_use_balanced"] > 14
    assert found["match"] > 0.9
    assert found["match_balanced"] > 0.9

"""Claims of the lesson "Masks"."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from playground.lessons.lesson import lessons
from playground.lessons.live.masks_lesson import CAUSAL, ORDERS, _causal, _leaked, _mask, _padded, _vectors, _weights
from playground.lessons.live.reversing_model import INPUTS, batch_of
from playground.lessons.live_parts import own_randomness
from playground.lessons.mistakes.pitfall import BASE
from playground.model.task_model import TaskModel
from playground.recording import intervene, run_with_cache

SEEDS = (0, 1, 2)


def facts(seed):
    return lessons()["masks"].facts(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_causal_mask_hides_the_cells_above_the_diagonal(seed):
    length = facts(seed)["length"]
    assert facts(seed)["hidden"] == length * (length - 1) // 2
    assert facts(seed)["sum"] == "not a number"
    assert facts(seed)["even"] == 0.25
    assert facts(seed)["blind"] == f"Query {facts(seed)['size']}"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_inverted_mask_on_show_is_the_one_asked_about(seed):
    mask, inverted, weights = lessons()["masks"].live["inverted"](seed)
    assert {tuple(each.values.shape) for each in (mask, inverted, weights)} == {(facts(seed)["size"],) * 2}
    (blind,) = (row for row, of in zip(inverted.rows, inverted.values, strict=True) if not of.any())
    assert blind == facts(seed)["blind"]
    assert weights.values[weights.rows.index(blind)].isnan().all()


@pytest.mark.parametrize("text", INPUTS)
def test_only_the_mask_without_the_diagonal_leaves_query_1_without_keys(text):
    assert [name for name in ("Right", "Off", "One ahead", "Transposed") if _causal(text, name)[1].isnan().any()] == []
    assert bool(_causal(text, "Without itself")[1][:, 0].isnan().all())
    assert _causal(text, "Right")[3] == 0
    sentence = lessons()["masks"].live["causal"](INPUTS.index(text), name="Without itself")[-1].text
    assert "Query 1 sees no key" in sentence
    assert "logits of position 1 become nan" in sentence


def test_in_a_second_layer_nan_reaches_every_position():
    batch = batch_of(INPUTS[0])
    for layers, lost in ((1, 1), (2, batch.labels.size(1))):
        with own_randomness(0):
            model = TaskModel(BASE.updated({"model.n_layers": layers}))
        with intervene(model, {"decoder.causal_mask": CAUSAL["Without itself"]}) as changed:
            _, cache = run_with_cache(changed, batch, "logits")
        assert int(cache["logits"][0].isnan().any(-1).sum()) == lost


@pytest.mark.parametrize("text", INPUTS)
def test_padding_gets_no_weight_with_a_mask_and_some_without(text):
    for masked, least, most in ((True, 0, 0), (False, 0.01, 1)):
        for weights in _padded(text, masked):
            assert least <= float(weights[:, -3:].sum(-1).mean()) <= most


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mask_after_softmax_leaks_and_dividing_repairs_it(seed):
    before, after, divided = (_weights(order, *_vectors(seed)) for order in ORDERS)
    assert torch.allclose(before, divided, atol=1e-6)
    assert float(after[:-1].sum(1).max()) < 1
    assert _leaked(ORDERS[0], *_vectors(seed)) == 0
    assert _leaked(ORDERS[1], *_vectors(seed)) > 0.05
    assert _leaked(ORDERS[2], *_vectors(seed)) < 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_raised_hidden_scores_give_nan_in_the_third_way_only(seed):
    orders = lessons()["masks"].live["orders"]
    for order in ORDERS:
        weights, sums, change = orders(seed, order=order, raised=150)
        undefined = weights.values.isnan()
        assert undefined.all(1).tolist() == undefined.any(1).tolist() == [order == ORDERS[2]] * 3 + [False]
        assert ("0 is divided by 0" in sums.text) == ("changes: nan." in change.text) == (order == ORDERS[2])
        start, _, change = orders(seed, order=order)
        assert torch.allclose(start.values, _weights(order, *_vectors(seed)), atol=1e-5)
        assert change.text.endswith(f"changes: {_leaked(order, *_vectors(seed)):.3f}.")


def test_true_means_may_look_here_and_hidden_in_multi_head_attention():
    query, key, value = (each[None] for each in _vectors(0))
    scores = (query @ key.mT / 2).masked_fill(~_mask(), -math.inf)
    assert torch.allclose(
        F.scaled_dot_product_attention(query, key, value, _mask()), scores.softmax(-1) @ value, atol=1e-5
    )
    with torch.random.fork_rng():
        attention = nn.MultiheadAttention(4, 1, batch_first=True)
    output, _ = attention(query, key, value, attn_mask=_mask())
    assert bool(output[0, -1].isnan().all())
    assert not bool(output[0, :-1].isnan().any())


@pytest.mark.parametrize("seed", SEEDS)
def test_only_adding_lets_a_gradient_pass_to_hidden_scores(seed):
    (table,) = lessons()["masks"].live["empty_row"](seed)
    gradients = {row[0]: row[2] for row in table.rows}
    assert [code for code, gradient in gradients.items() if set(gradient.split(", ")) != {"0.00"}] == [
        "scores + (~mask) * -1e9"
    ]
    assert facts(seed)["rounded"] == "−1000000000"

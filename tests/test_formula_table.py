"""The table of formulas: complete, without repeats, and true for one head computed by hand."""

import math

import pytest
import torch

from playground.explain.inspection import walk
from playground.lessons.formula_table import attentions, head, rows, symbols
from playground.model.embeddings import rotate
from tests.saved import tiny

ARCHITECTURES = ["encoder-decoder", "decoder-only", "encoder-only"]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_formula_of_the_pass_is_there_once(architecture: str):
    shown = walk(tiny(architecture, n_layers=2), "3 1 4")
    table = rows(shown)
    formulas = [(row.step.operation.owner, row.step.operation.tap, row.step.document.formula) for row in table]
    assert len(set(formulas)) == len(formulas)
    assert sum(row.repeated for row in table) == len(shown.steps)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_head_is_the_attention_of_its_slices(architecture: str):
    model = tiny(architecture)
    shown = walk(model, "3 1 4")
    for path in attentions(shown):
        one = head(shown, path, 1)
        module = model.get_submodule(path)
        width = one.output.size(-1)
        bias = slice(width, 2 * width)
        read = {
            letter: shown[f"{path}.{tap}_projection"] for letter, tap in (("Q", "query"), ("K", "key"), ("V", "value"))
        }
        q, k, v = (
            shown[read[letter].operation.inputs[0]].value[0] @ one.projections[letter].weights + linear.bias[bias]
            for letter, linear in (("Q", module.w_q), ("K", module.w_k), ("V", module.w_v))
        )
        scores = q @ k.T / math.sqrt(width)
        masked = shown[f"{path}.attention.masked_scores"].value[0, 1]
        weights = scores.masked_fill(masked == -math.inf, -math.inf).softmax(-1)
        assert torch.allclose(weights @ v, one.output, atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_symbols_have_the_shapes_of_the_model(architecture: str):
    model = tiny(architecture)
    found = {each.formula: each for each in symbols(walk(model, "3 1 4"))}
    path = attentions(walk(model, "3 1 4"))[-1]
    assert found["W^O"].value == tuple(model.get_parameter(f"{path}.w_o.weight").shape)
    width = model.config.model.d_model // model.config.model.n_heads
    assert found["W_i^Q"].value == (model.config.model.d_model, width)
    assert found["Q"].value[-1] == width


GROUPED = {"attention": "grouped_query", "n_heads": 4, "n_kv_heads": 2}
LATENT = {"attention": "latent", "d_latent": 5, "d_rope": 0}
ROTARY = {"attention": "latent", "d_latent": 5, "d_rope": 2, "positions": "rotary"}


@pytest.mark.parametrize("settings", [GROUPED, LATENT, ROTARY], ids=["grouped", "latent", "rotary"])
def test_one_head_of_a_newer_attention_is_that_of_its_slices(settings):
    model = tiny("decoder-only", **settings)
    shown = walk(model, "3 1 4")
    (path,) = attentions(shown)
    one = head(shown, path, model.config.model.n_heads - 1)
    parts = {letters: part.weights for letters, part in one.projections.items()}
    module = model.get_submodule(path)
    biases = {letters: getattr(module, f"w_{letters.lower()}").bias.detach() for letters in parts}
    x = shown[shown[f"{path}.query_projection"].operation.inputs[0]].value[0]
    made = {}
    for letters in ("Q", "K", "V", "DKV", "UK", "UV", "QR", "KR"):
        if letters in parts:
            read = made["DKV"] if letters.startswith("U") else x
            made[letters] = read @ parts[letters] + biases[letters][-parts[letters].size(1) :]
    q, k, v = made["Q"], made["UK" if "UK" in made else "K"], made["UV" if "UV" in made else "V"]
    if "QR" in made:
        q, k = (torch.cat([one, rotate(two[None, None])[0, 0]], -1) for one, two in ((q, made["QR"]), (k, made["KR"])))
    hidden = shown[f"{path}.attention.masked_scores"].value[0, -1] == -math.inf
    weights = (q @ k.T / math.sqrt(q.size(-1))).masked_fill(hidden, -math.inf).softmax(-1)
    assert torch.allclose(weights @ v, one.output, atol=1e-5)
    assert [part.formula for part in one.projections.values()] == {
        "grouped": ["W_{4}^Q", "W_{2}^K", "W_{2}^V"],
        "latent": ["W_{2}^Q", "W^{DKV}", "W_{2}^{UK}", "W_{2}^{UV}"],
        "rotary": ["W_{2}^Q", "W^{DKV}", "W_{2}^{UK}", "W_{2}^{UV}", "W_{2}^{QR}", "W^{KR}"],
    }[kind_of(settings)]
    found = {each.formula: each for each in symbols(shown)}
    for part in one.projections.values():
        assert found[part.symbol].value == tuple(part.weights.shape)
        assert part.symbol in one.formula


def kind_of(settings) -> str:
    if settings["attention"] == "grouped_query":
        return "grouped"
    return "rotary" if settings["d_rope"] else "latent"


def test_a_head_that_is_not_there_is_refused():
    shown = walk(tiny(), "3 1 4")
    with pytest.raises(IndexError, match="heads"):
        head(shown, attentions(shown)[0], 99)

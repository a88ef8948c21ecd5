"""The table of formulas: complete, without repeats, and true for one head computed by hand."""

import math

import pytest
import torch

from playground.explain.inspection import walk
from playground.lessons.formula_table import attentions, head, rows, symbols
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
            shown[read[letter].operation.inputs[0]].value[0] @ one.projections[letter] + linear.bias[bias]
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


def test_a_head_that_is_not_there_is_refused():
    shown = walk(tiny(), "3 1 4")
    with pytest.raises(IndexError, match="heads"):
        head(shown, attentions(shown)[0], 99)

"""Claims of the lesson "Residual connections and LayerNorm"."""

import math

import pytest
import torch

from playground.lessons.lesson import lessons
from playground.lessons.live.residual_and_norm_lesson import BINS, KINDS, LAYERS, POST, _measured, _vector

SEEDS = (0, 1, 2)


def facts(seed):
    return lessons()["residual-and-norm"].facts(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_norm_by_hand(seed):
    x = _vector(seed)[0]
    spread = math.sqrt(float(((x - x.mean()) ** 2).mean()))
    right = float((float(facts(seed)["asked"].replace("−", "-")) - x.mean()) / spread)
    assert facts(seed)["normalized"] == pytest.approx(right, rel=1e-4)
    width = facts(seed)["width"]
    assert facts(seed)["factor"] == pytest.approx(math.sqrt(width / (width - 1)), rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_by_depth(seed):
    assert facts(seed)["fading"] == BINS[2]
    lost, _ = _measured("No residual", LAYERS, seed)
    assert lost[-1] > 2 ** (3 * (LAYERS - 1)) * lost[0]
    assert facts(seed)["uneven"] == "Post-norm only"
    assert facts(seed)["steady"] == POST
    pre, _ = _measured("Pre-norm", LAYERS, seed)
    assert max(pre) < 2 * min(pre)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_post_norm_keeps_the_size(seed):
    for kind in KINDS:
        size = _measured(kind, LAYERS, seed)[1][-1]
        assert (abs(size - 1) < 0.01) == (kind == "Post-norm"), kind
    growing = _measured("Norm of the sublayer", LAYERS, seed)[1]
    assert growing == sorted(growing)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_norms_over_another_axis_mix_positions(seed):
    part = lessons()["residual-and-norm"].live["wrong_norms"]
    for kind in part.controls["kind"].options:
        _, right, wrong, difference = (each.values for each in part(seed, kind=kind))
        assert torch.allclose(right + difference, wrong, atol=1e-5)
        assert float(difference.abs().max()) > 0.005 or "epsilon" in kind

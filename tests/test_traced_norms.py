"""Norms are known by their numbers, however they are written."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from playground.lessons.check.graph.traced_norms import norm_of
from playground.recording import trace

D = 12


class Written(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gain, self.bias = nn.Parameter(torch.rand(D) + 0.5), nn.Parameter(torch.randn(D))
        self.one, self.norm = nn.Parameter(torch.tensor([1.3])), norm

    def forward(self, x):
        return self.norm(self, x)


def mean(x, axis=-1):
    return x.mean(axis, keepdim=True)


def var(x, axis=-1, *, unbiased=False):
    return x.var(axis, unbiased=unbiased, keepdim=True)


def by_differences(m, x):
    from_mean = x - mean(x)
    return from_mean / torch.sqrt(mean(from_mean**2) + 1e-5) * m.gain + m.bias


def by_moments(m, x):
    spread, middle = torch.var_mean(x, -1, keepdim=True, unbiased=False)
    return (x - middle) * torch.rsqrt(spread + 1e-5) * m.gain + m.bias


RIGHT = {
    "as in the paper": lambda m, x: m.gain * (x - mean(x)) / torch.sqrt(var(x) + 1e-5) + m.bias,
    "one plus gain": lambda m, x: (x - mean(x)) * torch.rsqrt(mean((x - mean(x)) ** 2) + 1e-5) * (1 + m.gain),
    "mean of squares": lambda m, x: (x - mean(x)) / (mean(x * x) - mean(x) ** 2 + 1e-6).sqrt() * m.gain,
    "by differences": by_differences,
    "by moments": by_moments,
    "by torch": lambda m, x: F.layer_norm(x, (D,), m.gain, m.bias),
}  # fmt: skip

WRONG = {
    "unbiased-std": lambda m, x: m.gain * (x - mean(x)) / (var(x, unbiased=True).sqrt() + 1e-6) + m.bias,
    "epsilon-outside-root": lambda m, x: m.gain * (x - mean(x)) / (var(x).sqrt() + 1e-3) + m.bias,
    "variance-without-root": lambda m, x: m.gain * (x - mean(x)) / (var(x) + 1e-3) + m.bias,
    "norm-over-wrong-axis": lambda m, x: m.gain * (x - mean(x, 1)) / (var(x, 1) + 1e-3).sqrt() + m.bias,
    "norm-without-weights": lambda m, x: (x - mean(x)) / (var(x) + 1e-5).sqrt(),
    "one-gain-for-all-features": lambda m, x: m.one * (x - mean(x)) / (var(x) + 1e-5).sqrt(),
}

NONE = {
    "softmax": lambda m, x: x.softmax(-1),
    "a residual sum": lambda m, x: x + F.layer_norm(x, (D,), m.gain, m.bias),
    "a mean": lambda m, x: x - mean(x),
}


def found(norm):
    x = torch.randn(2, 5, D, generator=torch.Generator().manual_seed(0))
    x[:, -1] *= 0.01  # so that epsilon matters
    graph = trace(Written(norm), x)
    norm_found = norm_of(graph.outputs[""])
    assert norm_found is None or norm_found.source is graph.inputs["x"]
    return norm_found


@pytest.mark.parametrize("name", RIGHT)
def test_every_way_to_write_it_is_right(name):
    norm = found(RIGHT[name])
    assert norm is not None
    assert norm.cause is None
    assert {weight.name for weight in norm.weights} <= {"gain", "bias"}


@pytest.mark.parametrize("cause", WRONG)
def test_each_mistake_is_named(cause):
    norm = found(WRONG[cause])
    assert norm is not None
    assert norm.cause == cause


def test_a_gain_for_all_features_is_named_and_the_deviation_a_remark():
    norm = found(lambda m, x: m.one * (x - mean(x)) / (var(x, unbiased=True).sqrt() + 1e-6))
    assert norm is not None
    assert (norm.cause, len(norm.remarks)) == ("one-gain-for-all-features", 1)


def test_rms_norm_is_one_with_a_remark():
    norm = found(lambda m, x: x * torch.rsqrt(mean(x.pow(2)) + 1e-6) * m.gain)
    assert norm is not None
    assert "RMSNorm" in norm.remarks[0]


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_norm_is_none(name):
    assert found(NONE[name]) is None

"""Functional feed-forward part: parameters go in, nothing is hidden in objects."""
import math

import torch


def init_ffn(d_model: int, d_ff: int, generator: torch.Generator | None = None) -> dict:
    def matrix(n_in, n_out):
        bound = 1 / math.sqrt(n_in)
        return (torch.rand(n_in, n_out, generator=generator) * 2 - 1) * bound

    return {
        "w1": matrix(d_model, d_ff),
        "b1": torch.zeros(d_ff),
        "w2": matrix(d_ff, d_model),
        "b2": torch.zeros(d_model),
    }


def feed_forward(params: dict, x: torch.Tensor) -> torch.Tensor:
    """x: (..., d_model)"""
    h = x @ params["w1"] + params["b1"]
    out = h @ params["w2"] + params["b2"]
    return torch.relu(out)

"""Optimizers are torch's own, without what torch wraps around them for its compiler."""

import subprocess
import sys

import pytest
import torch

from playground.recording import REPOSITORY
from playground.training.optimizers import BETAS, OPTIMIZERS


def test_a_training_never_imports_the_compiler():
    """The import takes as long as that of all of torch."""
    script = """
import sys
from playground.config import RunConfig
from playground.training import Training, train

for name in ("adamw", "adam", "sgd"):
    config = RunConfig().updated({"training.optimizer": name, "training.clip_grad_norm": 1.0, "task.max_length": 2})
    list(train(config.updated({"training.steps": 2})))
    training = Training(config)
    training.take_step()
    Training(config).go_on_from(training.state())
assert "torch._dynamo" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=REPOSITORY)


@pytest.mark.parametrize(
    ("name", "kind", "settings"),
    [
        ("adamw", torch.optim.AdamW, {"betas": BETAS}),
        ("adam", torch.optim.Adam, {"betas": BETAS}),
        ("sgd", torch.optim.SGD, {"momentum": 0.9}),
    ],
)
def test_an_optimizer_moves_weights_exactly_as_torchs_does(name, kind, settings):
    weights = [torch.nn.Parameter(torch.arange(6.0)) for _ in range(2)]
    ours = OPTIMIZERS[name](weights[:1], 0.1, 0.01)
    theirs = kind(weights[1:], lr=0.1, weight_decay=0.01, fused=True, **settings)
    for weight, optimizer in zip(weights, (ours, theirs), strict=True):
        for _ in range(3):
            optimizer.zero_grad()
            (weight**2).sum().backward()
            optimizer.step()
    assert torch.equal(*weights)
    assert not torch.equal(weights[0], torch.arange(6.0))
    assert ours.state_dict()["state"].keys() == theirs.state_dict()["state"].keys()

"""Optimizers move weights as their definitions say, without what torch wraps around them for its compiler."""

import subprocess
import sys

import pytest
import torch

from playground.optimization.optimizers import BETAS, optimizer
from playground.recording import REPOSITORY
from playground.settings.config import TrainingConfig

SIGN = """
from functools import partial
from playground.optimization.optimizers import OPTIMIZERS, OptimizerRow

def sign(rate, decay):
    from torch import optim

    class Sign(optim.Optimizer):
        def step(self, closure=None):
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self.state[parameter]["previous"] = parameter.grad.clone()
                        parameter.sub_(group["lr"] * parameter.grad.sign())

    return partial(Sign, defaults={"lr": rate})

def forgetful(rate, decay):
    from torch.optim import SGD

    return partial(SGD, lr=rate)

def counting(rate, decay):
    from torch import optim

    class Counting(optim.Optimizer):
        def step(self, closure=None):
            for group in self.param_groups:
                for parameter in group["params"]:
                    state = self.state[parameter]
                    state["step"] = state.get("step", 0) + 1
                    state["rate"] = group["lr"] / state["step"]
                    parameter.sub_(state["rate"] * parameter.grad)

    return partial(Counting, defaults={"lr": rate})

def by_rows(rate, decay):
    from torch.optim import Adafactor

    return partial(Adafactor, lr=rate)

OPTIMIZERS["sign"] = OptimizerRow(sign, "Sign SGD", "the sign of the gradient", "Sign SGD ignores its size.")
for function in (forgetful, counting, by_rows):
    OPTIMIZERS[function.__name__] = OptimizerRow(function, function.__name__.title(), "the gradient")
"""
"""New rows, written as torch's documentation has it, without a thought of its compiler: they remember the gradient,
nothing, numbers, and tensors of other shapes than the weights have."""

USED = """
import sys
import torch
from playground.settings.config import RunConfig, setting_paths
from playground.explain.glossary import choice
from playground.training import Training, train

for name in OPTIMIZERS:
    config = RunConfig().updated({"training.optimizer": name, "training.clip_grad_norm": 1.0, "task.max_length": 2})
    list(train(config.updated({"training.steps": 2})))
    training, other = Training(config), Training(config)
    training.take_step()
    other.go_on_from(training.state())
    assert training.take_step().loss == other.take_step().loss
    state, again = training.state(), other.state()
    assert all(torch.equal(state[key], again[key]) for key in state if key != "progress")
    *_, last = training.stages()
    assert last.sentence.startswith(f"{choice(name)} moves each weight against")
assert "torch._dynamo" not in sys.modules
assert "Sign SGD ignores its size." in setting_paths()["training.optimizer"].description
"""


def test_a_new_row_is_all_that_an_optimizer_needs_and_no_optimizer_imports_the_compiler():
    """The import takes as long as that of all of torch."""
    subprocess.run([sys.executable, "-c", SIGN + USED], check=True, cwd=REPOSITORY)


@pytest.mark.parametrize("module", ["optimizers", "schedules"])
def test_settings_read_the_rows_without_torch(module):
    program = (
        f"import playground.settings.config, playground.optimization.{module}, sys; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=REPOSITORY)


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
    ours = optimizer(weights[:1], TrainingConfig(optimizer=name, learning_rate=0.1, weight_decay=0.01))
    theirs = kind(weights[1:], lr=0.1, weight_decay=0.01, fused=True, **settings)
    for weight, each in zip(weights, (ours, theirs), strict=True):
        for _ in range(3):
            each.zero_grad()
            (weight**2).sum().backward()
            each.step()
    assert torch.equal(*weights)
    assert not torch.equal(weights[0], torch.arange(6.0))
    assert ours.state_dict()["state"].keys() == theirs.state_dict()["state"].keys()

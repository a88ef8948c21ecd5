"""How one's own code is built and called: expressions, packages, and what is asked for where they fail."""

import json
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from typer.testing import CliRunner, Result

import playground
from playground import cli
from playground.lessons.check.checking import verdict_here
from playground.lessons.check.code.student_code import load
from playground.lessons.check.verdict import CheckError
from playground.lessons.own_code.expressions import called_as, names_of
from playground.recording import trace

ODD = """
import math
from dataclasses import dataclass
from torch import nn

@dataclass
class Shape:
    wide: int = 12
    many: int = 3

class Mine(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.many = shape.many
        self.inner, self.outer = nn.Linear(shape.wide, 3 * shape.wide), nn.Linear(shape.wide, shape.wide)

    def forward(self, bag, who=None):
        q, k, v = (y.unflatten(-1, (self.many, -1)).transpose(1, 2) for y in self.inner(bag["tokens"]).chunk(3, -1))
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if who is not None:
            scores = scores.masked_fill(who == 0, -1e9)
        return {"states": self.outer((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))}
"""
ATTENTION = """
def attention(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(-1) @ v
"""
BUILD, CALL = "Mine(Shape())", "model({'tokens': x}, who=mask)"


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    file = tmp_path / "odd.py"
    file.write_text(ODD)
    return file


def run(*words: object) -> Result:
    return CliRunner().invoke(cli.app, ["check", *map(str, words)])


def test_expressions_say_what_is_built_and_which_argument_is_what(odd: Path):
    part = "multi-head-attention"
    assert verdict_here(odd, part, "keep").verdict == "unknown"
    assert verdict_here(odd, part, "keep", BUILD, CALL).verdict == "right"
    odd.write_text(ODD.replace("math.sqrt(q.size(-1))", "1"), encoding="utf-8")
    assert playground.check(odd, part, "keep", build=BUILD, call=CALL).cause == "no-scaling"
    result = run(odd, "--part", part, "--build", BUILD, "--call", CALL, "--mask", "keep")
    assert (result.exit_code, "sqrt" in result.stdout) == (1, True)


def test_a_function_is_called_in_another_order(tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text(f"{ATTENTION}\n\ndef odd(many):\n    return attention(many[2], many[0], many[1])\n")
    assert verdict_here(file, "attention", None, "odd", "model([k, v, q])").verdict == "right"


@pytest.mark.parametrize(
    ("build", "call", "says", "verdict"),
    [
        ("Mine(", "", "--build Mine( is not a Python expression.", "error"),
        ("Mine(Form())", "", "--build Mine(Form()) raised NameError: name 'Form' is not defined.", "error"),
        (BUILD, "model()", "--call model() takes no input. Name the inputs", "error"),
        (BUILD, "model({'tokens': x.sigh()})", "Say how to call it, for example --call", "unknown"),
        ("", "", 'Say what to check: --build "MultiHeadAttention(...)".', "unknown"),
    ],
)
def test_what_is_missing_is_asked_for_by_its_option(odd: Path, build: str, call: str, says: str, verdict: str):
    found = verdict_here(odd, "multi-head-attention", None, build, call)
    assert found.verdict == verdict
    assert says in found.message


def test_an_argument_that_nothing_tells_is_asked_for(tmp_path: Path):
    (tmp_path / "mine.py").write_text(
        "from torch import nn\n\nclass MultiHeadAttention(nn.Module):\n"
        "    def __init__(self, ein, zwei, drei, vier, purpose): ...\n"
    )
    verdict = verdict_here(tmp_path / "mine.py", "multi-head-attention", None)
    assert verdict.verdict == "unknown"
    assert 'Say how to build it: --build "MultiHeadAttention(...)".' in verdict.message


def test_expressions_are_for_files():
    with pytest.raises(playground.PlaygroundError, match="Build the object yourself"):
        playground.check(nn.LayerNorm(4), "layer-norm", build="nn.LayerNorm(4)")


class Countdown(nn.Module):
    """Calls itself."""

    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Linear(4, 4)

    def forward(self, x: Tensor, times: int = 1) -> Tensor:
        return self.step(x) if times == 1 else self(self.step(x), times - 1)


def test_a_call_keeps_the_names_in_a_module_and_lets_it_call_itself():
    model, x = Countdown(), torch.ones(2, 4)
    expected = model(x, 2)
    wrapped = called_as("model(input.T, times=2)", {"model": model})
    graph = trace(wrapped, input=x.T)
    assert torch.equal(graph.result, expected)
    assert torch.equal(wrapped(x.T), expected)
    assert {*graph.inputs} == {"input"}
    linear = [node for node in graph if node.function == "linear"]
    assert [node.module_call.path for node in linear] == ["step", "step"]
    assert graph.outputs[""].parameters == {"step.weight", "step.bias"}
    assert [*dict(wrapped.named_parameters())] == ["step.weight", "step.bias"]


def test_names_of_the_file_are_no_inputs_but_its_tensors_are(tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text("import torch\nscale, q = 2, torch.ones(3)\ndef attention(a, by):\n    return a * by\n")
    function = called_as("attention(q, scale) + sum(k for k in (x, x))", names_of(load(file)))
    assert torch.equal(function(q=torch.ones(2), x=torch.ones(2)), 4 * torch.ones(2))
    with pytest.raises(CheckError, match="is not a Python expression"):
        called_as("attention(q", names_of(load(file)))


def test_a_file_with_relative_imports_is_a_module_of_its_package(tmp_path: Path):
    inner = tmp_path / "outer_package" / "inner"
    inner.mkdir(parents=True)
    (inner.parent / "__init__.py").touch()
    (inner / "__init__.py").touch()
    (inner.parent / "core.py").write_text(ATTENTION)
    for line in ("from ..core import attention as core", "from outer_package.core import attention as core"):
        (inner / "mine.py").write_text(
            f"{line}\n\ndef attention(q, k, v, mask=None):\n    return core(q, k, v, mask)\n"
        )
        assert verdict_here(inner / "mine.py", "attention", None).verdict == "right"
    (tmp_path / "beside.py").write_text("from .outer_package.inner.mine import attention as core\n")
    assert callable(load(tmp_path / "beside.py").core)


def test_a_notebook_is_built_and_called_by_expressions(tmp_path: Path):
    cells = [
        {"cell_type": "markdown", "source": ["# Mine"]},
        {"cell_type": "code", "source": ["%matplotlib inline\n", *ODD.splitlines(keepends=True)]},
    ]
    (tmp_path / "odd.ipynb").write_text(json.dumps({"cells": cells}))
    assert verdict_here(tmp_path / "odd.ipynb", "multi-head-attention", "keep", BUILD, CALL).verdict == "right"

"""Probes of behaviour: they accuse no right code, and name mistakes where the graph leaves something open."""

from pathlib import Path

import pytest

from playground.lessons.check import judging
from playground.lessons.check.checking import verdict_here
from playground.lessons.check.code.opened_code import OpenedCode
from playground.lessons.check.code_probes import PROBES, Probed, failures
from playground.lessons.check.graph.traced_attention import UnclearError
from playground.lessons.check.readings import Student
from playground.lessons.own_code.expressions import things_to_check
from tests.test_check_corpus import CORPUS, entries, mask_of

FOUND_BY_PROBES = {
    "cross-attention-to-itself",
    "cross-attention-without-mask",
    "dropout-in-evaluation",
    "layers-not-registered",
    "layers-share-weights",
    "no-causal-mask",
    "no-positions",
    "norm-over-wrong-axis",
    "relu-missing",
}


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No graph shows anything."""

    def unclear(_: object) -> None:
        raise UnclearError("Nothing was read.")

    monkeypatch.setattr(judging, "JUDGES", dict.fromkeys(judging.JUDGES, unclear))


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(("file", "entry"), [*entries(CORPUS), *entries(CORPUS / "second", pytest.mark.thorough)])
def test_probes_alone_accuse_no_right_code_and_give_no_other_cause(file: Path, entry):
    if entry["part"] in ("masks", "loss", "positional-encoding"):
        pytest.skip("judged on several calls")
    verdict = verdict_here(file, entry["part"], mask_of(entry))
    assert (verdict.verdict, verdict.cause) in [("unknown", None), (entry["verdict"], entry["cause"])], verdict.message


@pytest.mark.usefixtures("unread")
def test_probes_alone_find_many_causes():
    found = {
        verdict_here(file, entry["part"], mask_of(entry)).cause
        for file, entry in (each.values for each in [*entries(CORPUS), *entries(CORPUS / "second")])
        if entry["cause"] in FOUND_BY_PROBES
    }
    assert found - {None} == FOUND_BY_PROBES


BATCH_NORM = """
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.norm = nn.BatchNorm1d(d_model)

    def forward(self, x):
        return self.norm(x.transpose(1, 2)).transpose(1, 2)
"""

MIXES_BY_FOURIER = """
import torch
from torch import nn

class TinyGPT(nn.Module):
    def __init__(self, vocab_size, n_embd, block_size):
        super().__init__()
        self.tokens, self.at = nn.Embedding(vocab_size, n_embd), nn.Embedding(block_size, n_embd)
        self.norm, self.head = nn.LayerNorm(n_embd), nn.Linear(n_embd, vocab_size)

    def forward(self, idx):
        x = self.tokens(idx) + self.at(torch.arange(idx.size(1)))
        return self.head(self.norm(x + torch.fft.fft(x, dim=1).real))
"""


@pytest.mark.parametrize(
    ("text", "part", "cause"),
    [(BATCH_NORM, "layer-norm", "norm-over-wrong-axis"), (MIXES_BY_FOURIER, "transformer", "no-causal-mask")],
)
def test_what_the_graph_leaves_open_is_probed(text: str, part: str, cause: str, tmp_path: Path):
    (tmp_path / "mine.py").write_text(text)
    verdict = verdict_here(tmp_path / "mine.py", part, None)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message
    assert "yours" in str(verdict.where)
    causal = text.replace("torch.fft.fft(x, dim=1).real", "x.cumsum(1)").replace("BatchNorm1d", "InstanceNorm1d")
    (tmp_path / "mine.py").write_text(causal)
    assert verdict_here(tmp_path / "mine.py", part, None).verdict in (
        "unknown",
        "wrong" if part == "layer-norm" else "",
    )


GROWS = """
def layer_norm(x, gain, bias):
    return gain * (x - x.mean(-1, keepdim=True)) + bias
"""

SIGNS_OF_VALUES = """
def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(-1) @ v.tanh()
"""

ORDERED = """
import torch

def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5 + torch.arange(k.size(-2))).softmax(-1) @ v
"""


@pytest.mark.parametrize(
    ("text", "part", "problem"),
    [
        (GROWS, "layer-norm", "Your output grows with its input."),
        (SIGNS_OF_VALUES, "attention", "Ten times the values don't give ten times the output."),
        (ORDERED, "attention", "In another order of the keys and their values, your output changes."),
    ],
)
def test_scale_and_order_are_probed(text: str, part: str, problem: str, tmp_path: Path):
    (tmp_path / "mine.py").write_text(text)
    student = Student(OpenedCode(things_to_check(tmp_path / "mine.py", part, "", "")[0], part), part)
    reading = next(student.unmasked())
    asked = Probed(student, reading, None)  # type: ignore[arg-type]
    assert problem in [failed.problem for failed in failures(asked, PROBES[1:])]

"""Parts that hold no others, by their own numbers: as people write them, and with one mistake each."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

import playground
from playground.lessons.check.checking import check_file, verdict_here
from playground.lessons.check.code.opened_functions import OPENED
from playground.recording import tracing

CORPUS = Path(__file__).parent / "check_corpus"

HEAD = """
import math
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

def attention(q, k, v, mask=None):
    '''mask: True where a query may attend to a key'''
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    return weights @ v
"""

SCALE, FILL, WEIGHTS = " / math.sqrt(q.size(-1))", "scores.masked_fill(~mask, -1e9)", "weights = scores.softmax(-1)"

SAME = {
    "exp and sum": (
        WEIGHTS,
        "e = (scores - scores.amax(-1, keepdim=True)).exp()\n    weights = e / e.sum(-1, keepdim=True)",
    ),
    "in place": (WEIGHTS, "weights = scores.exp()\n    weights /= weights.sum(-1, keepdim=True)"),
    "a mask of exponentials": (
        f"scores = {FILL}\n    {WEIGHTS}",
        "pass\n    e = scores.exp() * (1 if mask is None else mask)\n    weights = e / e.sum(-1, keepdim=True)",
    ),
    "log": (WEIGHTS, "weights = torch.exp(F.log_softmax(scores, dim=-1))"),
    "in float64": (WEIGHTS, "weights = torch.softmax(scores, -1, dtype=torch.float64).type_as(q)"),
    "a tensor as scale": (SCALE, " / torch.sqrt(torch.tensor(float(k.shape[-1])))"),
    "scaled queries": (f"q @ k.transpose(-2, -1){SCALE}", "(q * q.size(-1) ** -0.5) @ k.mT"),
    "in place scale": (SCALE, "\n    scores /= math.sqrt(q.size(-1))"),
    "einsum": ("q @ k.transpose(-2, -1)", "torch.einsum('...qd,...kd->...qk', q, k)"),
    "where": (FILL, "torch.where(mask, scores, torch.tensor(float('-inf')))"),
    "added": (FILL, "scores + (1.0 - mask.float()) * -1e9"),
    "a product": (FILL, "scores * mask + (~mask) * -1e9"),
    "a kernel of torch": (
        "return weights @ v",
        "return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)",
    ),
    "by bmm": (
        "return weights @ v",
        "return torch.bmm(weights.flatten(0, -3), v.flatten(0, -3)).reshape(*q.shape[:-1], v.size(-1))",
    ),
}
"""Other ways to write it."""

WRONG = {
    "no-scaling": (SCALE, ""),
    "scaled-by-d-model": ("q.size(-1)", "q.size(-1) * q.size(1)"),
    "scaled-without-root": ("math.sqrt(q.size(-1))", "q.size(-1)"),
    "softmax-over-queries": ("softmax(-1)", "softmax(-2)"),
    "softmax-over-heads": ("softmax(-1)", "softmax(1)"),
    "softmax-over-batch": ("softmax(-1)", "softmax(0)"),
    "inverted-mask": ("~mask", "mask"),
    "no-mask": (FILL, "scores"),
    "mask-multiplied": (FILL, "scores * mask"),
    "mask-added-as-one": (FILL, "scores + mask"),
    "mask-after-softmax": (
        f"        scores = {FILL}\n    {WEIGHTS}",
        f"        pass\n    {WEIGHTS}\n    weights = weights if mask is None else weights * mask",
    ),
}


def verdict_of(text: str, part: str, folder: Path):
    (folder / "mine.py").write_text(text)
    return verdict_here(folder / "mine.py", part, None)


def changed(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after)


@pytest.mark.parametrize("way", SAME)
def test_the_same_attention_in_other_words(way: str, tmp_path: Path):
    text = changed(HEAD, *SAME[way])
    verdict = verdict_of(text, "attention", tmp_path)
    assert verdict.verdict == "right", verdict.message
    unscaled = text.replace("k.size", "q.size")
    for scale in ("math.sqrt(q.size(-1))", "q.size(-1) ** -0.5", "torch.sqrt(torch.tensor(float(k.shape[-1])))"):
        unscaled = unscaled.replace(scale, "1.0")
    if way != "a kernel of torch":
        assert verdict_of(unscaled, "attention", tmp_path).cause == "no-scaling"


@pytest.mark.parametrize("cause", WRONG)
def test_a_mistake_of_attention_has_its_cause_and_numbers(cause: str, tmp_path: Path):
    verdict = verdict_of(changed(HEAD, *WRONG[cause]), "attention", tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message
    assert verdict.where
    assert verdict.where.startswith("line ")
    assert "yours" in verdict.where
    assert "by the formula" in verdict.where


TABLE = """
import math
import torch
from torch import nn

class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=100):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        frequency = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * frequency)
        pe[:, 1::2] = torch.cos(position * frequency)
        self.register_buffer("pe", pe)

    def forward(self, x):
        '''x (batch, length, d_model)'''
        return x + self.pe[: x.size(1)]
"""

TABLES = {
    "wrong-frequency": ("10000.0", "500.0"),
    "positions-from-one": ("torch.arange(max_len)", "torch.arange(1, max_len + 1)"),
    "positions-added-twice": ("x + self", "x + 2 * self"),
    "no-positions": ("x + self.pe[: x.size(1)]", "x * 1"),
    "positions-by-batch": ("self.pe[: x.size(1)]", "self.pe[: x.size(0), None]"),
    "sin-cos-swapped": ("pe[:, 0::2] = torch.sin", "pe[:, 0::2] = torch.cos"),
    "dropout-in-evaluation": ("x + self.pe", "torch.dropout(x, 0.1, True) + self.pe"),
}


@pytest.mark.parametrize("cause", TABLES)
def test_a_mistake_of_positions_has_its_cause(cause: str, tmp_path: Path):
    assert verdict_of(TABLE, "positional-encoding", tmp_path).verdict == "right"
    text = changed(TABLE, *TABLES[cause])
    if cause == "sin-cos-swapped":
        text = text.replace("pe[:, 1::2] = torch.cos", "pe[:, 1::2] = torch.sin")
    verdict = verdict_of(text, "positional-encoding", tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message


def test_positions_first_is_right_where_no_comment_says_batch_first(tmp_path: Path):
    text = changed(TABLE, *TABLES["positions-by-batch"])
    verdict = verdict_of(text.replace("(batch, length,", "(length, batch,"), "positional-encoding", tmp_path)
    assert verdict.verdict == "right"
    assert "positions first" in verdict.message


def test_a_table_that_nobody_knows_is_not_judged(tmp_path: Path):
    text = TABLE.replace("torch.sin(", "torch.tan(")
    assert verdict_of(text, "positional-encoding", tmp_path).verdict == "unknown"


MASK = """
import torch

def target_mask(tokens, pad=0):
    '''True where a query may attend to a key'''
    later = torch.ones(tokens.size(1), tokens.size(1)).triu(1).bool()
    return (tokens != pad)[:, None, :] & ~later
"""

MASKS = {
    "inverted-mask": ("(tokens != pad)[:, None, :] & ~later", "(tokens == pad)[:, None, :] | later"),
    "masks-joined-by-or": ("&", "|"),
    "causal-mask-off-by-one": ("triu(1)", "triu(2)"),
    "causal-mask-transposed": ("triu(1)", "tril(-1)"),
    "no-causal-mask": (" & ~later", ""),
    "padding-not-masked": ("(tokens != pad)[:, None, :] & ~later", "~later"),
}


@pytest.mark.parametrize("cause", MASKS)
def test_a_mistake_of_masks_has_its_cause(cause: str, tmp_path: Path):
    assert verdict_of(MASK, "masks", tmp_path).verdict == "right"
    verdict = verdict_of(changed(MASK, *MASKS[cause]), "masks", tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message
    assert verdict.where
    assert verdict.where.startswith("line ")


def test_what_a_mask_hides_counts_more_than_its_name(tmp_path: Path):
    text = changed(MASK, "(tokens != pad)[:, None, :] & ~later", "(tokens != pad)[:, None, :]")
    assert verdict_of(text.replace("target_mask", "padding_mask"), "masks", tmp_path).verdict == "right"
    odd = changed(MASK, "& ~later", "& (torch.arange(tokens.size(1)) % 2 == 0)")
    assert verdict_of(odd, "masks", tmp_path).verdict == "unknown"


NORM = """
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gain, self.bias, self.eps = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model)), eps

    def forward(self, x):
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
        return self.gain * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
"""

NORMS = {
    "unbiased-std": (", unbiased=False", ""),
    "epsilon-outside-root": ("torch.sqrt(variance + self.eps)", "(torch.sqrt(variance) + self.eps)"),
    "variance-without-root": ("torch.sqrt(variance + self.eps)", "(variance + self.eps)"),
    "norm-over-wrong-axis": ("(-1, keepdim=True", "(1, keepdim=True"),
    "norm-without-weights": (
        "self.gain * (x - mean) / torch.sqrt(variance + self.eps) + self.bias",
        "(x - mean) / torch.sqrt(variance + self.eps)",
    ),
    "one-gain-for-all-features": ("(d_model))", "(1))"),
}

TWO_LAYERS = """
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.first, self.second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))
"""

LAYERS = {
    "relu-missing": ("torch.relu(self.first(x))", "self.first(x)"),
    "relu-last": ("self.second(torch.relu(self.first(x)))", "torch.relu(self.second(torch.relu(self.first(x))))"),
}


@pytest.mark.parametrize("cause", [*NORMS, *LAYERS])
def test_a_mistake_of_a_norm_or_of_linear_layers_has_its_cause(cause: str, tmp_path: Path):
    part, text = ("layer-norm", NORM) if cause in NORMS else ("feed-forward", TWO_LAYERS)
    right = verdict_of(text, part, tmp_path)
    assert right.verdict == "right", right.message
    verdict = verdict_of(changed(text, *{**NORMS, **LAYERS}[cause]), part, tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message
    assert verdict.where
    assert verdict.where.startswith("line ")


def test_what_is_not_known_is_not_judged(tmp_path: Path):
    shifted = "scores = scores + torch.linspace(0, 1, k.size(-2))"
    biased = changed(HEAD, "    if mask", f"    {shifted}\n    if mask")
    cosine = changed(HEAD, "scores = q", "q = F.normalize(q, dim=-1)\n    scores = q")
    deep = changed(TWO_LAYERS, "torch.relu(self.first(x))", "self.first(self.second(torch.relu(self.first(x)))).relu()")
    for part, text in (("attention", biased), ("attention", cosine), ("feed-forward", deep)):
        verdict = verdict_of(text, part, tmp_path)
        assert verdict.verdict == "unknown", verdict.message


def test_rms_norm_is_right_unless_it_is_called_layer_norm(tmp_path: Path):
    text = changed(
        NORM, "x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)", "0, (x * x).mean(-1, keepdim=True)"
    )
    verdict = verdict_of(text.replace("LayerNorm", "RMSNorm"), "layer-norm", tmp_path)
    assert verdict.verdict == "right", verdict.message
    assert "RMSNorm" in verdict.message
    verdict = verdict_of(text, "layer-norm", tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", None)
    assert "The mean isn't subtracted" in verdict.message


@pytest.mark.parametrize(
    "after",
    [
        "F.gelu(self.first(x))",
        "self.first(x) * torch.sigmoid(self.first(x))",
        "self.first(x).clamp(min=0)",
        "torch.maximum(self.first(x), torch.zeros(1))",
        "torch.max(self.first(x), torch.tensor(0.0))",
        "torch.where((h := self.first(x)) > 0, h, torch.zeros_like(h))",
        "(h := self.first(x)) * (h > 0).float()",
    ],
)
def test_any_activation_function_is_right(after: str, tmp_path: Path):
    text = changed(TWO_LAYERS, "torch.relu(self.first(x))", after).replace(
        "from torch import nn", "from torch import nn\nfrom torch.nn import functional as F"
    )
    verdict = verdict_of(text, "feed-forward", tmp_path)
    assert verdict.verdict == "right", verdict.message


NUMPY = """
import numpy as np

def attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    e /= e.sum(axis=-1, keepdims=True)
    return e @ v
"""


def test_numpy_code_is_traced(tmp_path: Path):
    assert verdict_of(NUMPY, "attention", tmp_path).verdict == "right"
    (tmp_path / "mine.py").write_text(changed(NUMPY, " / np.sqrt(q.shape[-1])", ""))
    verdict = verdict_here(tmp_path / "mine.py", "attention", None)
    assert verdict.cause == "no-scaling"
    assert verdict.where
    assert verdict.where.startswith("line 5: q @ np.swapaxes(k, -1, -2)")


def test_numpy_code_that_torch_cannot_run_is_compared_by_its_output(tmp_path: Path):
    text = changed(NUMPY, "return e @ v", "return np.apply_along_axis(lambda row: row, -1, e) @ v")
    assert verdict_of(text, "attention", tmp_path).verdict == "right"
    wrong = changed(text, " / np.sqrt(q.shape[-1])", "")
    assert verdict_of(wrong, "attention", tmp_path).verdict == "unknown"


def test_weights_that_a_function_beside_it_makes(tmp_path: Path):
    text = (CORPUS / "mha_np_params.py").read_text()
    assert verdict_of(text, "multi-head-attention", tmp_path).verdict == "right"
    verdict = verdict_of(changed(text, " / np.sqrt(q.shape[-1])", ""), "multi-head-attention", tmp_path)
    assert verdict.cause == "no-scaling"


def test_one_head_with_linear_layers():
    class Attention(torch.nn.Module):
        def __init__(self, d_model, d_k):
            super().__init__()
            self.q, self.k, self.v = (torch.nn.Linear(d_model, d_k) for _ in range(3))

        def forward(self, x):
            return (self.q(x) @ self.k(x).mT / self.q.out_features**0.5).softmax(-1) @ self.v(x)

    assert playground.check(Attention).verdict == "right"


@pytest.mark.parametrize("equation", ["...qd,...kd->...qk", "bhtd,bhsd,bhsv->bhtv", "bhtd,bhsd"])
def test_einsum_is_written_out(equation: str):
    values = [torch.randn(2, 3, 5, 4) for _ in range(equation.count(",") + 1)]
    with tracing(lambda *given: torch.einsum(equation, *given), opened=OPENED) as tracer:
        result = tracer.run(*values)
    assert torch.allclose(result, torch.einsum(equation, *values), atol=1e-5)
    for node in tracer.trace:
        assert "." not in node.arguments[0]
        assert len(node.inputs) == 2
        assert node.expression == "torch.einsum(equation, *given)"


@pytest.mark.parametrize("size", [1, 3])
def test_a_convolution_of_one_position_is_a_linear_layer(size: int):
    x, weight, bias = torch.randn(2, 4, 5), torch.randn(6, 4, size), torch.randn(6)
    with tracing(F.conv1d, opened=OPENED) as tracer:
        result = tracer.run(x, weight, bias)
    assert torch.allclose(result, F.conv1d(x, weight, bias), atol=1e-5)
    assert ("linear" in [node.function for node in tracer.trace]) is (size == 1)


NORM_FIRST = TWO_LAYERS.replace("self.first(x)", "self.first(nn.functional.layer_norm(x, x.shape[-1:]))")
LAZY = TWO_LAYERS.replace(
    "nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)", "nn.LazyLinear(d_ff), nn.LazyLinear(d_model)"
)


@pytest.mark.parametrize("text", [NORM_FIRST, LAZY])
def test_a_norm_inside_and_lazy_layers_are_right(text: str, tmp_path: Path):
    assert text != TWO_LAYERS
    verdict = verdict_of(text, "feed-forward", tmp_path)
    assert verdict.verdict == "right", verdict.message


def test_weights_of_a_class_without_modules(tmp_path: Path):
    text = NORM.replace("(nn.Module)", "").replace("        super().__init__()\n", "").replace("forward", "__call__")
    text = text.replace("nn.Parameter(torch.ones(d_model))", "torch.ones(d_model)")
    text = text.replace("nn.Parameter(torch.zeros(d_model))", "torch.zeros(d_model)")
    assert "nn." not in text
    assert verdict_of(text, "layer-norm", tmp_path).verdict == "right"


def test_a_mask_by_lengths(tmp_path: Path):
    text = changed(HEAD, "mask=None", "valid_lens=None").replace("mask is not", "valid_lens is not")
    text = changed(text, "~mask", "(torch.arange(k.size(-2)) >= valid_lens[..., None])[:, None]")
    text = text.replace(
        "[:, None], -1e9", ".reshape(len(q), *(1,) * (q.dim() - valid_lens.dim() - 1), *valid_lens.shape[1:], -1), -1e9"
    )
    right = verdict_of(text, "attention", tmp_path)
    assert right.verdict == "right", right.message
    assert "each query reads as many keys as its length" in right.message
    assert verdict_of(changed(text, ">= valid", "< valid"), "attention", tmp_path).cause == "inverted-mask"


def test_a_file_of_the_repository_has_its_lines_too():
    verdict = check_file(CORPUS / "length_masks.py", "masks", "keep")
    assert str(verdict.where).startswith("line 22: keys | no_peek (")


MIXED = """
import torch

PAD = 1

def create_mask(src, tgt):
    later = torch.triu(torch.ones(tgt.size(0), tgt.size(0), dtype=torch.bool), diagonal=1)
    return later, (src COMPARED PAD).transpose(0, 1), (tgt COMPARED PAD).transpose(0, 1)
"""


@pytest.mark.parametrize(("compared", "verdict"), [("==", "right"), ("!=", "unknown")])
def test_one_meaning_of_true_in_all_masks_of_a_function(compared: str, verdict: str, tmp_path: Path):
    found = verdict_of(MIXED.replace("COMPARED", compared), "masks", tmp_path)
    assert found.verdict == verdict, found.message
    assert ("hides it in another" in found.message) is (verdict == "unknown")

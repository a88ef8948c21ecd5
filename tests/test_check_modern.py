"""Mistakes in the parts of today's models, one change of a right file each, and choices that are none."""

from pathlib import Path

import pytest

from playground.lessons.check.checking import check_file, verdict_here
from tests.test_check_corpus import CORPUS
from tests.test_check_leaves import changed

NORM = "rms_norm_hand.py"
REPEATED = "v = v.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)"
TURNED = "q, k = apply_rotary(q, cos, sin), apply_rotary(k, cos, sin)"
ROOT = "x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)"

RENORMALISED = "weights = weights / weights.sum(-1, keepdim=True)"
GATED = "weights[rows, nth, None] * expert(x[rows])"

MISTAKES = [
    (NORM, "layer-norm", "norm-over-wrong-axis", "mean(-1, keepdim=True)", "mean(1, keepdim=True)"),
    (NORM, "layer-norm", "norm-over-wrong-axis", "mean(-1, keepdim=True)", "mean((1, 2), keepdim=True)"),
    (NORM, "layer-norm", "variance-without-root", ROOT, ROOT.replace("torch.rsqrt(", "1 / (")),
    (NORM, "layer-norm", "one-gain-for-all-features", "torch.ones(dim)", "torch.ones(1)"),
    (
        "swiglu_w123.py",
        "feed-forward",
        "relu-last",
        "self.w2(F.silu(self.w1(x)) * self.w3(x))",
        "F.silu(self.w2(self.w3(x)))",
    ),
    ("gqa_interleave.py", None, "groups-mixed-up", REPEATED, "v = v.repeat(1, self.n_heads // self.n_kv_heads, 1, 1)"),
    ("gqa_interleave.py", None, "softmax-over-queries", "softmax(dim=-1)", "softmax(dim=-2)"),
    ("gqa_interleave.py", None, "no-scaling", " / math.sqrt(self.head_dim)", ""),
    ("gqa_einsum.py", None, "softmax-over-heads", "scores.softmax(-1)", "scores.softmax(1)"),
    ("gqa_einsum.py", None, "groups-mixed-up", "bgrts,bsgd->btgrd", "bgrts,bsrd->btgrd"),
    (
        "rotary_tables_given.py",
        None,
        "heads-without-transpose",
        "[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)",
        "[:, :, :, None, :].expand(batch, num_key_value_heads, slen, n_rep, head_dim)",
    ),
    ("rotary_halves.py", None, "rotary-on-values", TURNED, f"{TURNED}\n        v = apply_rotary(v, cos, sin)"),
    ("rotary_halves.py", None, "rotary-angles-differ", TURNED, "q = apply_rotary(q, cos, sin)"),
    ("rotary_halves.py", None, "rotary-angles-differ", "apply_rotary(k, cos, sin)", "apply_rotary(k, cos, -sin)"),
    (
        "rotary_halves.py",
        None,
        "rotary-pairs-mixed",
        "torch.cat((angles, angles), dim=-1)",
        "angles.repeat_interleave(2, -1)",
    ),
    (
        "rotary_pairs.py",
        None,
        "rotary-over-wrong-axis",
        "rope(self.query(x).view(b, t, self.heads, -1)).transpose(1, 2)",
        "rope(self.query(x).view(b, t, self.heads, -1).transpose(1, 2))",
    ),
    ("rotary_pairs.py", None, "no-output-projection", "return self.out(", "return ("),
    (
        "latent_attention.py",
        None,
        "rotary-angles-differ",
        "k = self.k_up(latent)",
        "k = rotate(self.k_up(latent)[:, None])[:, 0]",
    ),
    ("llama_attention.py", None, "no-mask", "scores = scores + mask", "pass"),
    ("mixture_loop.py", "feed-forward", "no-gates", GATED, "expert(x[rows])"),
    (
        "mixture_loop.py",
        "feed-forward",
        "router-over-tokens",
        "self.router(x).softmax(-1)",
        "self.router(x).softmax(0)",
    ),
    ("mixture_switch.py", "feed-forward", "no-gates", "out * probability[:, None]", "out"),
    ("deepseek_model.py", "decoder-layer", "no-gates", " * gates[which, nth, None]", ""),
    ("deepseek_model.py", "decoder-layer", "no-residual", "x + self.ffn(", "self.ffn("),
    ("llama_block.py", "decoder-layer", "no-residual", "x = x + self.attention", "x = self.attention"),
    ("llama_block.py", "decoder-layer", "one-norm-shared", "self.ffn_norm(x)", "self.attention_norm(x)"),
    ("llama_block.py", "decoder-layer", "norm-over-wrong-axis", "mean(-1, keepdim=True)", "mean(1, keepdim=True)"),
    ("llama_block.py", "transformer", "pre-norm-without-final-norm", "self.output(self.norm(x))", "self.output(x)"),
    ("llama_block.py", "transformer", "no-positions", "rope(q), rope(k)", "q, k"),
    ("llama_block.py", "transformer", "no-causal-mask", "is_causal=True, ", ""),
    ("llama_block.py", "transformer", "rotary-on-values", "rope(k), v", "rope(k), rope(v)"),
]


@pytest.mark.parametrize(("file", "part", "cause", "old", "new"), MISTAKES)
def test_a_mistake_in_a_modern_part_has_its_cause(
    file: str, part: str | None, cause: str, old: str, new: str, tmp_path: Path
):
    verdict = verdict_of(file, part, old, new, tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message
    assert verdict.where
    assert verdict.where.startswith("line ")


LENGTH_ONE = "F.normalize(q, dim=-1), F.normalize(k, dim=-1)"
TILED = ("repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)", "tile(1, 2, 1, 1)")
PAPER = "x / (x.norm(dim=-1, keepdim=True) * 24**-0.5 + 1e-3)"

CHOICES = [
    (
        "rms_norm_hand.py",
        "layer-norm",
        ROOT,
        "x / (x.norm(dim=-1, keepdim=True) * 24**-0.5 + 1e-3)",
        "epsilon is outside",
    ),
    ("swiglu_w123.py", "feed-forward", "F.silu(self.w1(x)) * self.w3(x)", "self.w1(x) * F.silu(self.w3(x))", "gated"),
    ("swiglu_w123.py", "feed-forward", "F.silu(self.w1(x)) * self.w3(x)", "self.w1(x) * self.w3(x)", "gated"),
    (
        "gqa_interleave.py",
        None,
        "repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)",
        "tile(1, 2, 1, 1)",
        "not neighbours",
    ),
    ("rotary_halves.py", None, "base=10000", "base=500000", "rotary positions"),
    ("rotary_halves.py", None, "nn.RMSNorm", "nn.LayerNorm", "normed"),
    (
        "rotary_halves.py",
        None,
        "self.q_norm(q), self.k_norm(k)",
        "F.normalize(q, dim=-1), F.normalize(k, dim=-1)",
        "normed",
    ),
    ("rotary_halves.py", None, "        q, k = self.q_norm(q), self.k_norm(k)\n", "", "rotary positions"),
    ("mixture_loop.py", "feed-forward", RENORMALISED, "pass", "2 of 4"),
    ("mixture_loop.py", "feed-forward", " + self.shared(x)", "", "2 of 4"),
    ("latent_attention.py", None, "self.kv_norm(self.kv_down(x))", "self.kv_down(x)", "latent vector of 8"),
    ("capped_window.py", None, "(j <= i) & (i - j < self.window)", "(i - j).abs() < self.window", "a window of 3"),
]


@pytest.mark.parametrize(("file", "part", "old", "new", "remark"), CHOICES)
def test_a_choice_is_no_mistake(file, part, old, new, remark, tmp_path: Path):
    verdict = verdict_of(file, part, old, new, tmp_path)
    assert verdict.verdict == "right", verdict.message
    assert remark in verdict.found


def test_what_is_unclear_is_not_called_wrong_by_another_order_of_axes(tmp_path: Path):
    verdict = verdict_of("capped_window.py", None, "(j <= i) & (i - j", "(j >= i) & (j - i", tmp_path)
    assert verdict.verdict == "unknown", verdict.message


def test_another_process_gives_the_same(tmp_path: Path):
    for name in ("llama_attention.py", "rotary_tables_given.py"):  # complex tables, and a tuple
        verdict = check_file(CORPUS / "modern" / name, "multi-head-attention")
        assert verdict.verdict == "right", verdict.message
        assert "rotary positions" in verdict.found


def verdict_of(file: str, part: str | None, old: str, new: str, folder: Path):
    """The verdict on a file of the corpus in which a text takes the place of another one."""
    (folder / file).write_text(changed((CORPUS / "modern" / file).read_text(), old, new))
    return verdict_here(folder / file, part or "multi-head-attention", None)

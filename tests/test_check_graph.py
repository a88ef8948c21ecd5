"""Code that is judged by the graph of its own pass; `check_corpus` holds code as people write it."""

import re
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.lessons.check.checking import check_file, verdict_here
from playground.lessons.check.code.opened_functions import OPENED
from playground.lessons.check.process.code_messages import MessageError
from playground.lessons.check.process.trace_messages import packed_trace, unpacked_trace
from playground.recording import trace, tracing
from tests.traced_models import MODELS

SUBLAYER = """
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, n_head, d_model, d_k):
        super().__init__()
        self.n_head, self.d_k = n_head, d_k
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, n_head * d_k) for _ in range(3))
        self.join, self.norm = nn.Linear(n_head * d_k, d_model), nn.LayerNorm(d_model)

    def forward(self, q, k, v, mask=None):
        b, before = q.size(0), q
        q, k, v = (w(x).view(b, -1, self.n_head, self.d_k).transpose(1, 2) for w, x in zip(self.maps(), (q, k, v)))
        scores = q @ k.mT / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        heads = scores.softmax(-1) @ v
        return self.norm(self.join(heads.transpose(1, 2).reshape(b, -1, self.n_head * self.d_k)) + before)

    def maps(self):
        return self.w_q, self.w_k, self.w_v
"""

SMALL = """
import torch
from torch import nn

WIDTH = 20

class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(WIDTH, size) for _ in range(3))

    def forward(self, x):
        seen = torch.ones(x.size(1), x.size(1)).tril()
        scores = self.q(x) @ self.k(x).mT * self.q.out_features**-0.5
        return scores.masked_fill(seen == 0, float("-inf")).softmax(-1) @ self.v(x)

class MultiHeadAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([Head(5) for _ in range(4)])
        self.join = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return self.join(torch.cat([head(x) for head in self.heads], -1))
"""

CHANGES = {
    "no-scaling": (" / self.d_k**0.5", ""),
    "scaled-without-root": ("self.d_k**0.5", "self.d_k"),
    "softmax-over-queries": ("softmax(-1)", "softmax(-2)"),
    "softmax-over-heads": ("softmax(-1)", "softmax(1)"),
    "softmax-over-batch": ("softmax(-1)", "softmax(0)"),
    "mask-multiplied": ("scores.masked_fill(mask == 0, -1e9)", "scores * mask"),
    "mask-added-as-one": ("scores.masked_fill(mask == 0, -1e9)", "scores + mask"),
    "heads-without-transpose": ("heads.transpose(1, 2).reshape", "heads.reshape"),
    "no-output-projection": ("self.join(heads", "nn.Identity()(heads"),
}


def verdict_of(text: str, folder: Path):
    (folder / "mine.py").write_text(text)
    return verdict_here(folder / "mine.py", "multi-head-attention", "keep")


def test_a_sublayer_inside_is_right_and_named(tmp_path: Path):
    verdict = verdict_of(SUBLAYER, tmp_path)
    assert verdict.verdict == "right"
    assert "the norm is inside; the residual sum is inside" in verdict.message


@pytest.mark.parametrize("cause", CHANGES)
def test_one_change_to_it_is_found_by_its_cause(cause: str, tmp_path: Path):
    before, after = CHANGES[cause]
    assert before in SUBLAYER
    verdict = verdict_of(SUBLAYER.replace(before, after), tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", cause), verdict.message


def test_what_is_right_stands_before_the_mistake(tmp_path: Path):
    verdict = verdict_of(SUBLAYER.replace(*CHANGES["softmax-over-queries"]), tmp_path)
    assert verdict.agrees == ("scale of the scores", "heads")
    assert "Correct up to the first difference: scale of the scores, heads." in verdict.message
    assert str(verdict.where).startswith("line 17: scores.softmax(-2) (yours ")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("encoder_layer_slf.py", "encoder-layer"),
        ("vit_block.py", "encoder-layer"),
        ("encoder_add_norm.py", "encoder-layer"),
        ("ffn_params.py", "feed-forward"),
        ("lm_nn_encoder.py", "transformer"),
        ("tiny_gpt.ipynb", "transformer"),
        ("transformer_pad_masks.py", "transformer"),
        ("decoder_dict_config.py", "decoder-layer"),
    ],
)
def test_a_mistake_is_shown_by_both_numbers(name: str, part: str):
    verdict = verdict_here(Path(__file__).parent / "check_corpus" / name, part, None)
    assert re.fullmatch(
        r"(line \d+|code cell \d+, line \d+): .* \(yours -?[\d.e-]+, by the formula -?[\d.e-]+\)", verdict.where or ""
    )
    assert verdict.difference


@pytest.mark.parametrize(
    ("name", "part", "says"),
    [
        (
            "encoder_layer_typed.py",
            "encoder-layer",
            r"[\w.]*weight takes part in two sublayers, in line \d+ and line \d+\.",
        ),
        ("decoder_block_mixin.py", "decoder-layer", r"[\w.]*weight takes part in two sublayers"),
        ("layer_normalization.py", "layer-norm", r"\w+ has one number for \d+ features\."),
    ],
)
def test_a_shared_weight_is_named(name: str, part: str, says: str):
    verdict = verdict_here(Path(__file__).parent / "check_corpus" / name, part, None)
    assert re.search(says, verdict.message), verdict.message


def test_sizes_are_read_off_the_weights(tmp_path: Path):
    verdict = verdict_of(SMALL, tmp_path)
    assert verdict.verdict == "right", verdict.message
    assert "causal mask inside" in verdict.message


def test_one_projection_for_all_heads(tmp_path: Path):
    shared = SUBLAYER.replace("nn.Linear(d_model, n_head * d_k) for", "nn.Linear(d_k, d_k) for")
    shared = shared.replace("w(x).view(b, -1, self.n_head, self.d_k)", "w(x.view(b, -1, self.n_head, self.d_k))")
    verdict = verdict_of(shared, tmp_path)
    assert (verdict.verdict, verdict.cause) == ("wrong", "one-projection-for-all-heads"), verdict.message


def test_the_process_that_judges_reads_the_same_graph(tmp_path: Path):
    (tmp_path / "mine.py").write_text(SUBLAYER.replace("softmax(-1)", "softmax(0)"))
    verdict = check_file(tmp_path / "mine.py", "multi-head-attention", "keep")
    assert verdict.cause == "softmax-over-batch"
    assert str(verdict.where).startswith("line 17: scores.softmax(0) (yours ")


LAYER = """
from torch import nn

class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x):
        x = self.norm1(x + self.attention(x, x, x)[0])
        return self.norm2(x + self.feed_forward(x))
"""

DECODER = """
from torch import nn

class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.own, self.other = (nn.MultiheadAttention(d_model, n_heads, batch_first=True) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))

    def forward(self, x, memory):
        x = self.norms[0](x + self.own(x, x, x)[0])
        x = self.norms[1](x + self.other(x, memory, memory)[0])
        return self.norms[2](x + self.feed_forward(x))
"""

WHOLE = """
import torch
from torch import nn

class GPT(nn.Module):
    def __init__(self, vocab_size, d_model, n_heads, d_ff, n_layers, max_len=64):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocab_size, d_model), nn.Embedding(max_len, d_model)
        self.layers = nn.ModuleList([
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, batch_first=True) for _ in range(n_layers)
        ])
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, idx):
        x = self.tokens(idx) + self.positions(torch.arange(idx.size(1)))
        for layer in self.layers:
            x = layer(x, src_mask=nn.Transformer.generate_square_subsequent_mask(idx.size(1)))
        return self.head(x)
"""

SHARED = {
    "one-norm-shared": (LAYER, "encoder-layer", "self.norm2(x + ", "self.norm1(x + "),
    "one-attention-shared": (DECODER, "decoder-layer", "self.other(x, memory", "self.own(x, memory"),
    "layers-not-registered": (WHOLE, "transformer", "nn.ModuleList([", "list(["),
    "layers-share-weights": (
        WHOLE,
        "transformer",
        "nn.TransformerEncoderLayer(d_model, n_heads, d_ff, batch_first=True) for _ in range(n_layers)",
        "*[nn.TransformerEncoderLayer(d_model, n_heads, d_ff, batch_first=True)] * n_layers",
    ),
}


@pytest.mark.parametrize("cause", SHARED)
def test_what_is_shared_or_not_registered(cause: str, tmp_path: Path):
    text, part, before, after = SHARED[cause]
    assert before in text
    for code, expected in ((text, None), (text.replace(before, after), cause)):
        (tmp_path / "mine.py").write_text(code)
        verdict = verdict_here(tmp_path / "mine.py", part, "keep")
        assert verdict.cause == expected, verdict.message
        assert verdict.verdict == ("wrong" if expected else "right")


def test_what_is_shared_shows_without_a_call(tmp_path: Path):
    text, part, before, after = SHARED["layers-share-weights"]
    (tmp_path / "mine.py").write_text(
        text.replace(before, after).replace("def forward(self, idx)", "def forward(self)")
    )
    assert verdict_here(tmp_path / "mine.py", part, None).cause == "layers-share-weights"


def test_arguments_in_another_language_come_in_the_usual_order(tmp_path: Path):
    names = ["zi_dian", "kuan_du", "tou_shu", "zhong_jian", "ceng_shu"]
    text = WHOLE
    for name, other in zip(("vocab_size", "d_model", "n_heads", "d_ff", "n_layers"), names):
        text = text.replace(name, other)
    (tmp_path / "mine.py").write_text(text)
    verdict = verdict_here(tmp_path / "mine.py", "transformer", None)
    assert verdict.verdict == "right", verdict.message


def test_a_comment_tells_that_a_mask_is_not_added_as_minus_infinity(tmp_path: Path):
    text = SUBLAYER.replace("scores.masked_fill(mask == 0, -1e9)", "scores + mask  # 1 where a key must not be seen")
    (tmp_path / "mine.py").write_text(text)
    assert verdict_here(tmp_path / "mine.py", "multi-head-attention", None).cause == "mask-added-as-one"


def test_a_second_name_is_no_second_layer(tmp_path: Path):
    alias = WHOLE.replace("        self.head =", "        self.first = self.layers[0]\n        self.head =")
    assert alias != WHOLE
    (tmp_path / "mine.py").write_text(alias)
    assert verdict_here(tmp_path / "mine.py", "transformer", "keep").cause is None


@pytest.mark.parametrize("name", MODELS)
def test_a_graph_in_a_message_is_the_same(name):
    model, given = MODELS[name]()
    graph = trace(model, *given)
    read = unpacked_trace(*packed_trace(graph, ""), "")
    assert [node.function for node in read] == [node.function for node in graph]
    for one, other in zip(graph.values, read.values):
        assert one.shape == other.shape
        assert torch.equal(one.tensor.float().nan_to_num(), other.tensor.float().nan_to_num())
        assert (one.node and one.node.index) == (other.node and other.node.index)


def test_a_graph_that_goes_in_circles_is_refused():
    fields, tensors = packed_trace(trace(nn.Linear(2, 2), torch.ones(1, 2)), "")
    for broken in (
        {},
        fields | {"nodes": [[*fields["nodes"][0][:3], [3], *fields["nodes"][0][4:]]]},
        fields | {"values": [["elsewhere", *value[1:]] for value in fields["values"]]},
        fields | {"outputs": {"": 99}},
    ):
        with pytest.raises(MessageError):
            unpacked_trace(broken, tensors, "")
    wrong = {name: tensor[None] for name, tensor in tensors.items()}
    with pytest.raises(MessageError):
        unpacked_trace(fields, wrong, "")


def opened(module, *given, **named):
    with tracing(module, opened=OPENED) as tracer:
        tracer.run(*given, **named)
    return tracer.trace


@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"scale": 0.3}, {"mask": "bool"}, {"mask": "added"}])
def test_scaled_dot_product_attention_is_written_out(options):
    q, k, v = torch.randn(3, 2, 3, 5, 4, generator=torch.Generator().manual_seed(0))
    if kind := options.pop("mask", None):
        mask = torch.ones(5, 5).tril().bool()
        options = {"attn_mask": mask if kind == "bool" else torch.zeros(5, 5).masked_fill(~mask, -1e9)}
    graph = opened(F.scaled_dot_product_attention, q, k, v, **options)
    assert torch.allclose(graph.result, F.scaled_dot_product_attention(q, k, v, **options), atol=1e-6)
    assert "scaled_dot_product_attention" not in [node.function for node in graph]


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("masks", ["none", "padding", "causal", "both", "alone"])
def test_multi_head_attention_is_written_out(batch_first: bool, masks: str):
    attention = nn.MultiheadAttention(8, 2, batch_first=batch_first).eval()
    x, memory = (torch.randn(2, length, 8, generator=torch.Generator().manual_seed(length)) for length in (4, 4))
    named: dict[str, Tensor | bool] = {}
    if masks in ("padding", "both"):
        named["key_padding_mask"] = torch.tensor([[False] * 4, [False, False, True, True]])
    if masks in ("causal", "both"):
        named["attn_mask"] = torch.ones(4, 4).triu(1).bool()
    given = [x, memory, memory] if batch_first else [x.transpose(0, 1), *[memory.transpose(0, 1)] * 2]
    if masks == "alone":
        given = [each[0] if batch_first else each[:, 0] for each in given]
    output, weights = attention(*given, **named)
    ours, ours_weights = opened(attention, *given, **named).result
    assert torch.allclose(ours, output, atol=1e-6)
    assert torch.allclose(ours_weights, weights, atol=1e-6)

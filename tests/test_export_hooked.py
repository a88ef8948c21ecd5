"""A model as a HookedTransformer: computed as TransformerLens does, its weights give the same logits and answers."""

import json
import math
import sys
import types
import zipfile
from pathlib import Path

import pytest
import torch
from torch.nn import functional

from playground.export.twins import hooked, twin
from playground.model.embeddings import rotate
from playground.tasks import PAD
from playground.tasks.batches import make_batch
from tests.test_cli import done, refused
from tests.test_export_gpt2 import WAYS, saved

WAYS = WAYS | {
    "rotary": {"model.positions": "rotary"},
    "no LayerNorm": {"model.layer_norm": False},
    "no LayerNorm, post-norm": {"model.layer_norm": False, "model.norm_position": "post"},
    "more tokens than widths": {"task.vocab_size": 40},
    "Llama": {"model.norm": "rms_norm", "model.activation": "swiglu", "model.bias": False, "model.positions": "rotary",
              "model.attention": "grouped_query", "model.n_kv_heads": 1},
    "grouped, with biases": {"model.attention": "grouped_query", "model.n_kv_heads": 1, "model.norm": "rms_norm"},
    "limits": {"model.logit_cap": 1.5, "model.window": 3},
}  # fmt: skip


def logits(config: dict, weights: dict, tokens: torch.Tensor) -> torch.Tensor:
    """(B, T) -> (B, T, V), written from the documentation of HookedTransformer."""

    def norm(x: torch.Tensor, at: str) -> torch.Tensor:
        if config["normalization_type"] is None:
            return x
        if config["normalization_type"] == "LN":
            x = x - x.mean(-1, keepdim=True)
        x = x / (x.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * weights[f"{at}.w"]
        return x + weights[f"{at}.b"] if config["normalization_type"] == "LN" else x

    def projected(x: torch.Tensor, at: str, name: str) -> torch.Tensor:
        mark = "_" * (config.get("n_key_value_heads") is not None and name != "Q")
        rows = torch.einsum("btd,hdk->bhtk", x, weights[f"{at}.{mark}W_{name}"])
        rows = rows + weights[f"{at}.{mark}b_{name}"][:, None]
        return rows.repeat_interleave(config["n_heads"] // rows.size(1), 1)

    rotary = config["positional_embedding_type"] == "rotary"
    size = tokens.size(1)
    x = weights["embed.W_E"][tokens]
    if not rotary:
        x = x + weights["pos_embed.W_pos"][:size]
    act = {"gelu": functional.gelu, "relu": functional.relu, "silu": functional.silu}[config["act_fn"]]
    hidden = torch.ones(size, size).triu(1).bool()
    if config.get("use_local_attn"):
        assert config["attn_types"] == ["local"] * config["n_layers"]
        hidden |= torch.ones(size, size).tril(-config["window_size"]).bool()
    for index in range(config["n_layers"]):
        at = f"blocks.{index}"
        y = norm(x, f"{at}.ln1")
        query, key, value = (projected(y, f"{at}.attn", name) for name in "QKV")
        if rotary:
            assert config["rotary_adjacent_pairs"]
            assert config["rotary_dim"] == config["d_head"]
            query, key = rotate(query), rotate(key)
        scores = query @ key.mT / (math.sqrt(config["d_head"]) if config["use_attn_scale"] else 1)
        if (cap := config.get("attn_scores_soft_cap", -1.0)) > 0:
            scores = cap * (scores / cap).tanh()
        heads = scores.masked_fill(hidden, -math.inf).softmax(-1) @ value
        x = x + torch.einsum("bhtk,hkd->btd", heads, weights[f"{at}.attn.W_O"]) + weights[f"{at}.attn.b_O"]
        y = norm(x, f"{at}.ln2")
        if config.get("gated_mlp"):
            y = act(y @ weights[f"{at}.mlp.W_gate"]) * (y @ weights[f"{at}.mlp.W_in"]) + weights[f"{at}.mlp.b_in"]
        else:
            y = act(y @ weights[f"{at}.mlp.W_in"] + weights[f"{at}.mlp.b_in"])
        x = x + y @ weights[f"{at}.mlp.W_out"] + weights[f"{at}.mlp.b_out"]
    return norm(x, "ln_final") @ weights["unembed.W_U"] + weights["unembed.b_U"]


@pytest.mark.parametrize("way", WAYS)
def test_the_weights_give_the_same_logits(tmp_path: Path, way: str):
    found = saved(tmp_path / "model", WAYS[way])
    config, weights = hooked.config(found), hooked.state(found)
    source = torch.tensor([[4, 9, 6, 5, 4], [7, 8, 5, PAD, PAD]])
    batch = make_batch(found.config, source, source)
    assert batch.target is not None
    read = batch.target != PAD
    with torch.no_grad():
        right = found.model(*batch[:3])[0]
        same = logits(config, weights, batch.target)
    torch.testing.assert_close(same[read], right[read], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("updates", "reason"),
    [
        ({"model.architecture": "encoder-decoder"}, "It is decoder-only"),
        ({"model.norm_position": "post"}, "pre-norm"),
        ({"model.residual": False}, "residual"),
        ({"model.causal_mask": False}, "causal mask"),
        ({"model.positions": "two_way"}, "this model's positions: two_way"),
        ({"model.activation": "swiglu"}, "Its SwiGLU has no biases"),
        ({"model.attention": "latent"}, "this model's attention: latent"),
        ({"model.feed_forward": "mixture"}, "this model's feed_forward: mixture"),
        ({"model.qk_norm": True}, "It has no qk_norm"),
    ],
)
def test_what_it_lacks_is_refused(tmp_path: Path, updates: dict, reason: str):
    with pytest.raises(twin.TwinError, match=reason):
        hooked.config(saved(tmp_path / "model", updates))


def test_a_version_without_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    module = types.ModuleType("transformer_lens")
    module.__spec__ = types.SimpleNamespace(name="transformer_lens")  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, "transformer_lens", module)
    saved(tmp_path / "model", {})
    words = ("export", tmp_path / "model", "--format", "transformer-lens", "--out", tmp_path / "hooked")
    refused(tmp_path, *words, says="transformer_lens<4")


@pytest.mark.parametrize("way", WAYS)
def test_the_package_computes_the_same(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("transformer_lens", reason="is not among the packages of the tests")
    saved(tmp_path / "model", WAYS[way])
    output = done("export", tmp_path / "model", "--format", "transformer-lens", "--out", tmp_path / "hooked.zip")
    assert "Compared on 64 inputs" in output
    with zipfile.ZipFile(tmp_path / "hooked.zip") as packed:
        assert set(packed.namelist()) == {"config.json", "weights.safetensors", "tokens.json", "README.md"}
        assert json.loads(packed.read("config.json"))["d_model"] == 20
        packed.extractall(tmp_path / "hooked")
    code = (tmp_path / "hooked" / "README.md").read_text().split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path / "hooked")
    with pytest.warns(DeprecationWarning, match=r"4\.0"):
        exec(code, {})

"""A model as Llama: the package transformers computes the same logits and answers; what Llama lacks is refused."""

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from playground.export.twins import llama, transformers_model, twin
from playground.settings.config import RunConfig
from playground.tasks import EOS, PAD, SEP
from playground.tasks.batches import make_batch
from tests.test_cli import done, refused
from tests.test_export_gpt2 import saved

LLAMA = {
    "model.norm": "rms_norm", "model.activation": "swiglu", "model.positions": "rotary", "model.bias": False,
    "model.n_heads": 4, "model.d_model": 24,
}  # fmt: skip
TIED = {"model.bias": True, "model.tie_embeddings": True}
WAYS = {
    "multi-head": {},
    "grouped-query": {"model.attention": "grouped_query", "model.n_kv_heads": 2},
    "multi-query, scores not scaled": {
        "model.attention": "grouped_query", "model.n_kv_heads": 1, "model.scale_scores": False,
    },
    "biases": TIED,
    "biases, none in attention": TIED | {"model.attention_bias": False},
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_logits_and_the_answer_agree(tmp_path: Path, way: str):
    found = saved(tmp_path / "model", LLAMA | WAYS[way])
    output = done("export", tmp_path / "model", "--format", "transformers", "--out", tmp_path / "llama")
    assert "Llama. Compared on 64 inputs" in output
    config = json.loads((tmp_path / "llama" / "config.json").read_text())
    heads = found.config.model.n_kv_heads if "query" in way else 4
    assert (config["architectures"], config["num_key_value_heads"]) == (["LlamaForCausalLM"], heads)
    twin = AutoModelForCausalLM.from_pretrained(tmp_path / "llama", local_files_only=True).eval()
    source = torch.tensor([[4, 9, 6, 5, 4], [7, 8, 5, PAD, PAD]])
    batch = make_batch(found.config, source, source)
    assert batch.target is not None
    read = batch.target != PAD
    with torch.no_grad():
        right = found.model(*batch[:3])[0]
        logits = twin(input_ids=batch.target, attention_mask=read.long()).logits
    torch.testing.assert_close(logits[read], right[read], atol=1e-4, rtol=1e-4)
    tokens = json.loads((tmp_path / "llama" / "tokens.json").read_text())
    prompt = torch.tensor([[tokens.index(each) for each in ["0", "3", "1"]] + [SEP]])
    longest = found.config.task.max_length
    new = twin.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=longest, do_sample=False)[0]
    read = prompt
    while read.size(1) < new.numel() and int(read[0, -1]) not in (PAD, EOS):
        with torch.no_grad():
            read = torch.cat([read, found.model(None, read)[0][:, -1:].argmax(-1)], 1)
    assert new[: read.size(1)].tolist() == read[0].tolist()


@pytest.mark.parametrize(
    ("updates", "reason"),
    [
        ({"model.bias": True}, "Llama is nearest. Its output layer has no bias"),
        ({"model.attention": "latent", "model.d_rope": 2}, "this model's attention: latent"),
        ({"model.feed_forward": "mixture"}, "this model's feed_forward: mixture"),
        ({"model.window": 3}, "It has no window"),
        ({"model.qk_norm": True}, "It has no qk_norm"),
        ({"model.logit_cap": 3.0}, "It has no logit_cap"),
        ({"model.norm": "layer_norm"}, "Llama is nearest. It doesn't have this model's norm: layer_norm"),
    ],
)  # fmt: skip
def test_what_llama_lacks_is_refused_and_nothing_is_written(tmp_path: Path, updates: dict, reason: str):
    saved(tmp_path / "model", LLAMA | updates)
    words = ("export", tmp_path / "model", "--format", "transformers", "--out", tmp_path / "llama")
    refused(tmp_path, *words, says=reason)


def test_the_table_of_kinds_chooses_by_the_settings():
    gpt = {"model.architecture": "decoder-only", "model.positions": "learned"}
    for updates, name in ((gpt, "GPT-2"), (gpt | LLAMA, "Llama")):
        assert transformers_model.twin_of(RunConfig().updated(updates).model).KIND.name == name


def test_rows_in_the_order_of_this_project_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = saved(tmp_path / "model", LLAMA)
    right = llama.state(found)

    def as_here(checkpoint):
        name, rows = "model.layers.0.self_attn.q_proj.weight", checkpoint.model.decoder.layers[0].self_attention.w_q
        return right | {name: rows.weight.detach()}

    monkeypatch.setattr(llama, "state", as_here)
    with pytest.raises(twin.TwinError, match="differs by"):
        transformers_model.content(found)

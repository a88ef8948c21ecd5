"""A model as GPT-2: the package transformers computes the same logits and answers; what GPT-2 lacks is refused."""

import json
import zipfile
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from playground.export import write
from playground.export.twins import gpt2, transformers_model, twin
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage import checkpoint
from playground.tasks import EOS, PAD, SEP
from playground.tasks.batches import make_batch
from tests.test_cli import done, refused

GPT = {"model.architecture": "decoder-only", "model.norm_position": "pre", "model.positions": "learned"}
SMALL = {
    "model.d_model": 20, "model.n_heads": 2, "model.d_ff": 14, "model.n_layers": 2, "task.vocab_size": 6,
    "task.max_length": 7, "model.dropout": 0.1,
}  # fmt: skip
WAYS = {
    "GELU": {"model.activation": "gelu"},
    "ReLU": {"model.activation": "relu"},
    "sinusoidal": {"model.positions": "sinusoidal"},
    "no positions": {"model.positions": "none"},
    "no biases": {"model.bias": False},
    "scores not scaled": {"model.scale_scores": False},
    "tied": {"model.tie_embeddings": True, "model.attention_bias": False},
    "groups of one head": {"model.attention": "grouped_query"},
}


def saved(folder: Path, updates: dict) -> checkpoint.Checkpoint:
    """A checkpoint whose every parameter, biases and norms included, is random."""
    model = TaskModel(RunConfig().updated(GPT | SMALL | updates))
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=generator)
    checkpoint.save(folder, model, [])
    return checkpoint.load(folder)


@pytest.mark.parametrize("way", WAYS)
def test_logits_and_the_answer_agree(tmp_path, way):
    found = saved(tmp_path / "model", WAYS[way])
    output = done("export", tmp_path / "model", "--format", "transformers", "--out", tmp_path / "gpt")
    assert "Compared on 64 inputs" in output
    twin = AutoModelForCausalLM.from_pretrained(tmp_path / "gpt", local_files_only=True).eval()
    source = torch.tensor([[4, 9, 6, 5, 4], [7, 8, 5, PAD, PAD]])
    batch = make_batch(found.config, source, source)
    read = batch.target != PAD
    with torch.no_grad():
        right = found.model(*batch[:3])[0]
        logits = twin(input_ids=batch.target, attention_mask=read.long()).logits
    torch.testing.assert_close(logits[read], right[read], atol=1e-4, rtol=1e-4)
    tokens = json.loads((tmp_path / "gpt" / "tokens.json").read_text())
    prompt = torch.tensor([[tokens.index(each) for each in ["0", "3", "1"]] + [SEP]])
    longest = found.config.task.max_length
    new = twin.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=longest, do_sample=False)[0, 4:]
    answer = [tokens[token] for token in new if token not in (EOS, PAD)]
    assert answer == found.answer("0 3 1").split()[:longest]


def test_a_zip_file_holds_the_same_folder(tmp_path):
    write(saved(tmp_path / "model", {}), "transformers", tmp_path / "gpt.zip")
    with zipfile.ZipFile(tmp_path / "gpt.zip") as packed:
        assert {"config.json", "model.safetensors", "tokens.json", "README.md"} <= set(packed.namelist())
        assert json.loads(packed.read("config.json"))["model_type"] == "gpt2"


@pytest.mark.parametrize(
    ("updates", "reason"),
    [
        ({"model.architecture": "encoder-decoder"}, "It is decoder-only"),
        ({"model.norm_position": "post"}, "pre-norm"),
        ({"model.layer_norm": False}, "pre-norm"),
        ({"model.residual": False}, "residual"),
        ({"model.causal_mask": False}, "causal mask"),
        ({"model.positions": "two_way"}, "this model's positions: two_way"),
        ({"model.positions": "rotary"}, "this model's positions: rotary"),
        ({"model.norm": "rms_norm"}, "GPT-2 is nearest. It doesn't have this model's norm: rms_norm"),
        ({"model.activation": "swiglu"}, "this model's activation: swiglu"),
        ({"model.attention": "grouped_query", "model.n_kv_heads": 1}, "this model's attention: grouped_query"),
        ({"model.attention": "latent"}, "this model's attention: latent"),
        ({"model.feed_forward": "mixture"}, "this model's feed_forward: mixture"),
        ({"model.qk_norm": True}, "It has no qk_norm"),
        ({"model.logit_cap": 3.0, "model.window": 4}, "It has no logit_cap. It has no window"),
        ({"task.vocab_size": 40}, "output layer has no bias"),
    ],
)
def test_what_gpt_2_lacks_is_refused_and_nothing_is_written(tmp_path, updates, reason):
    saved(tmp_path / "model", updates)
    words = ("export", tmp_path / "model", "--format", "transformers", "--out", tmp_path / "gpt")
    refused(tmp_path, *words, says=reason)


def test_a_folder_that_holds_something_stays(tmp_path):
    saved(tmp_path / "model", {})
    (tmp_path / "gpt").mkdir()
    (tmp_path / "gpt" / "mine").write_text("kept")
    words = ("export", tmp_path / "model", "--format", "transformers", "--out", tmp_path / "gpt")
    refused(tmp_path, *words, says="could not be written")


def test_weights_that_differ_are_not_written(tmp_path, monkeypatch):
    found = saved(tmp_path / "model", {})
    state = gpt2.state
    monkeypatch.setattr(gpt2, "state", lambda it: {key: 1.01 * value for key, value in state(it).items()})
    with pytest.raises(twin.TwinError, match="differs by"):
        transformers_model.content(found)

"""The logit lens: its last row is the model's prediction, and each row is that of a model that ends there."""

import copy

import pytest
import torch
from torch import nn

from playground.decoding import batch_to_read
from playground.interpret.lens import caveat, lens, right_labels
from playground.tasks import EOS, PAD
from playground.tasks.batches import make_batch
from tests.helpers import ARCHITECTURES, small_batch, small_config, small_model
from tests.modern_models import MODERN, modern_model

NORMS = {"pre": {"norm_position": "pre"}, "post": {"norm_position": "post"}, "none": {"layer_norm": False}}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("residual", [True, False])
def test_the_last_row_is_the_models_own_prediction(architecture, norm, residual):
    model = small_model(architecture, n_layers=2, residual=residual, **NORMS[norm])
    batch = small_batch(model.config)
    found = lens(model, batch)
    logits, _ = model(*batch)
    torch.testing.assert_close(found.probabilities[-1], logits[0].softmax(-1).detach())
    per_layer = 3 if architecture == "encoder-decoder" else 2
    assert len(found.depths) == len(set(found.depths)) == 1 + 2 * per_layer
    assert found.probabilities.shape == (1 + 2 * per_layer, *logits[0].shape)


@pytest.mark.parametrize("name", MODERN)
def test_the_last_row_of_a_model_with_later_parts_is_its_own_prediction(name):
    model = modern_model(name)
    batch = small_batch(model.config)
    found = lens(model, batch)
    torch.testing.assert_close(found.probabilities[-1], model(*batch)[0][0].softmax(-1).detach())
    assert ("final RMSNorm" in found.caveat) == (model.config.model.norm == "rms_norm")
    assert ("final LayerNorm" in found.caveat) == (model.config.model.norm == "layer_norm")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm", NORMS)
def test_a_row_is_the_prediction_of_a_model_without_the_layers_behind_it(architecture, norm):
    model = small_model(architecture, n_layers=3, **NORMS[norm])
    batch = small_batch(model.config)
    found = lens(model, batch)
    stack = "encoder" if architecture == "encoder-only" else "decoder"
    for kept in range(4):
        shorter = copy.deepcopy(model)
        layers = getattr(shorter, stack).layers
        getattr(shorter, stack).layers = nn.ModuleList(layers[:kept])
        logits, _ = shorter(*batch)
        depth = found.depths.index(f"{stack}.layers.{kept - 1}.feed_forward" if kept else f"{stack}.embeddings")
        torch.testing.assert_close(found.probabilities[depth], logits[0].softmax(-1).detach())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("target", [None, "1 2 3 4 5", "1 2"])
def test_the_right_token_is_that_of_the_task_whatever_the_decoder_reads(architecture, target):
    if architecture == "encoder-only" and target == "1 2":
        return  # an encoder-only model answers position by position
    model = small_model(architecture)
    batch = batch_to_read(model, "6 5 0 2 1", target)
    source = torch.tensor([[10, 9, 4, 6, 5]])
    expected = make_batch(model.config, source).labels[0].tolist()
    labels = right_labels(model, batch)
    width = min(len(labels), len(expected))
    assert labels.shape == batch.labels[0].shape
    assert labels[:width].tolist() == expected[:width]
    assert not labels[width:].any()
    found = lens(model, batch)
    assert torch.equal(found.right_probability.isnan(), (labels == PAD).expand(len(found.depths), -1))
    for position in range(width):
        if expected[position] != PAD:
            probability = found.probabilities[2, position, expected[position]]
            assert float(found.right_probability[2, position]) == float(probability)
    assert torch.equal(found.top, found.probabilities.argmax(-1))
    assert EOS not in labels.tolist() or architecture != "encoder-only"


def test_the_caveat_names_the_norm_that_is_applied():
    for architecture in ARCHITECTURES:
        words = {norm: caveat(small_config(architecture, **settings).model) for norm, settings in NORMS.items()}
        assert "through the final LayerNorm" in words["pre"]
        assert "LayerNorm of its own sublayer" in words["post"]
        assert "LayerNorm" not in words["none"]
        assert all("Rows of earlier layers can mislead" in text for text in words.values())

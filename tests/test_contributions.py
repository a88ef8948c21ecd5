"""Direct contributions: they add up to the logit in every model, and each is what its part adds."""

from typing import get_args

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import PlaygroundError
from playground.interpret.contributions import contributions, note, residual_norms
from playground.lessons.mistakes.classes import NormAfterSublayer, apply
from playground.model.head_paths import heads
from playground.model.task_model import TaskModel
from playground.recording import intervene, record, run_with_cache
from playground.settings.config import Activation, NormPosition, Positions
from tests.helpers import ARCHITECTURES, small_batch, small_config, small_model
from tests.modern_models import MODERN, modern_model

OPTIONS = {
    "architecture": st.sampled_from(ARCHITECTURES),
    "bias": st.booleans(),
    "tie_embeddings": st.booleans(),
    "attention_bias": st.booleans(),
    "norm_position": st.sampled_from(get_args(NormPosition)),
    "layer_norm": st.booleans(),
    "residual": st.booleans(),
    "activation": st.sampled_from(get_args(Activation)),
    "positions": st.sampled_from(get_args(Positions)),
    "n_layers": st.integers(1, 3),
    "scale_scores": st.booleans(),
    "dropout": st.sampled_from([0.0, 0.5]),
}


def random_model(architecture: str, **options) -> TaskModel:
    """An untrained model in which no bias is 0 and no norm has weight 1."""
    model = small_model(architecture, **options).requires_grad_(False)
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        if parameter.dim() == 1:
            parameter.add_(torch.randn(parameter.shape, generator=generator) / 2)
    return model


@settings(max_examples=60, deadline=None)
@given(st.fixed_dictionaries(OPTIONS), st.data())
def test_contributions_add_up_to_the_logit(options, data):
    model = random_model(**options)
    batch = small_batch(model.config)
    logits, _ = model(*batch)
    position = data.draw(st.integers(0, logits.size(1) - 1))
    token, against = (data.draw(st.integers(0, logits.size(2) - 1)) for _ in range(2))
    one = contributions(model, batch, position, token)
    assert one.logit == pytest.approx(float(logits[0, position, token]), abs=1e-5)
    assert sum(term.value for term in one.terms) == pytest.approx(one.logit, abs=1e-4)
    two = contributions(model, batch, position, token, against)
    expected = float(logits[0, position, token] - logits[0, position, against])
    assert sum(term.value for term in two.terms) == pytest.approx(expected, abs=1e-4)
    paths = [term.path for term in one.terms]
    assert len(paths) == len(set(paths))
    assert any(term.kind == "bias" for term in one.terms) == options["bias"]
    if options["residual"]:
        stack = "encoder" if options["architecture"] == "encoder-only" else "decoder"
        named = {head.path for head in heads(model.config.model) if head.path.startswith(stack)}
        assert {term.path for term in one.terms if term.kind == "head"} == named
        assert any(term.kind == "positions" for term in one.terms) == (options["positions"] not in ("rotary", "none"))
    else:  # only the last sublayer is on a direct path
        assert {term.kind for term in one.terms} <= {"feed-forward", "bias"}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_without_norms_a_contribution_of_the_last_layer_is_what_its_absence_takes_away(architecture):
    model = random_model(architecture, layer_norm=False, n_layers=1)
    batch = small_batch(model.config)
    stack = "encoder" if architecture == "encoder-only" else "decoder"
    path = f"{stack}.layers.0.feed_forward"
    found = contributions(model, batch, 2, 7)
    terms = {term.path: term.value for term in found.terms}
    with intervene(model, {f"{path}.output": torch.zeros_like}) as without:
        logits, _ = without(*batch)
    assert found.logit - float(logits[0, 2, 7]) == pytest.approx(terms[path] + terms[f"{path}.w_2.bias"], abs=1e-5)
    head = f"{stack}.layers.0.self_attention.head.1"
    with record(model) as recording:
        recording.model(*batch)
    output = recording[f"{stack}.layers.0.self_attention.attention.heads"].value[0, 1, 2]
    columns = model.get_submodule(f"{stack}.layers.0.self_attention.w_o").weight[:, 4:8]
    assert terms[head] == pytest.approx(float(model.head.weight[7] @ (columns @ output)), abs=1e-5)


@pytest.mark.parametrize("name", MODERN)
@pytest.mark.parametrize("norm_position", get_args(NormPosition))
def test_contributions_of_later_parts_add_up_to_the_logit(name, norm_position):
    model = modern_model(name, norm_position=norm_position)
    batch, bias = small_batch(model.config), model.config.model.bias
    logits, _ = model(*batch)
    found = contributions(model, batch, 3, 7)
    assert sum(term.value for term in found.terms) == pytest.approx(logits[0, 3, 7].item(), abs=1e-4)
    assert any(term.kind == "bias" for term in found.terms) == bias
    networks = [term.path for term in found.terms if term.kind == "feed-forward"]
    stack = "encoder" if model.decoder is None else "decoder"
    assert networks == [f"{stack}.layers.{layer}.feed_forward" for layer in range(2)]


@pytest.mark.parametrize("name", ["grouped", "latent"])
def test_a_term_behind_an_rms_norm_is_divided_by_the_root_mean_square_alone(name):
    model = modern_model(name)
    batch = small_batch(model.config)
    path = "decoder.layers.1.feed_forward"
    _, cache = run_with_cache(model, batch, [f"{path}.output", f"{path}_add_norm.sum"])
    added, whole = (cache[f"{path}{end}"][0, 3].double().numpy() for end in (".output", "_add_norm.sum"))
    norm, head = (model.get_parameter(f"{part}.weight").detach().double().numpy() for part in ("decoder.norm", "head"))
    expected = (added / np.sqrt(np.mean(whole**2) + 1e-5) * norm) @ head[7]
    found = {term.path: term.value for term in contributions(model, batch, 3, 7).terms}
    assert found[path] == pytest.approx(expected, abs=1e-5)


def test_a_model_whose_norm_stands_elsewhere_is_refused():
    model = random_model("encoder-decoder")
    apply(NormAfterSublayer, model)
    with pytest.raises(PlaygroundError, match="not the sum of its usual terms"):
        contributions(model, small_batch(model.config), 1, 5)


@pytest.mark.parametrize("position", [-1, 7])
def test_a_position_outside_of_the_pass_is_refused(position):
    model = small_model("decoder-only")
    with pytest.raises(PlaygroundError, match="the positions are 0 to 6"):
        contributions(model, small_batch(model.config), position, 5)


def test_the_note_says_what_is_kept_fixed():
    assert "the standard deviations of this forward pass" in note(small_config("decoder-only").model)
    sentences = note(small_config("decoder-only", norm="rms_norm").model)
    assert "RMSNorm divides by the root mean squares" in sentences
    assert "LayerNorm" not in sentences
    assert "LayerNorm" not in note(small_config("decoder-only", layer_norm=False).model)
    assert "only the last sublayer" in note(small_config("decoder-only", residual=False).model)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", get_args(NormPosition))
def test_norms_by_depth_are_the_lengths_of_the_recorded_vectors(architecture, norm_position):
    model = random_model(architecture, n_layers=2, norm_position=norm_position)
    batch = small_batch(model.config)
    with record(model) as recording:
        recording.model(*batch)
    found = residual_norms(model, batch)
    assert {path.split(".")[0] for path in found} == {
        stack for stack in ("encoder", "decoder") if getattr(model, stack) is not None
    }
    for path, lengths in found.items():
        tap = "sum" if path.endswith("embeddings") or norm_position == "pre" else "normalized"
        where = path if path.endswith("embeddings") else f"{path}_add_norm"
        torch.testing.assert_close(lengths, recording[f"{where}.{tap}"].value[0].norm(dim=-1))

"""Circuits: equal to scores and logits of a pass in which only their direct path is left."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from playground.common.errors import PlaygroundError
from playground.interpret.circuits import (
    copying,
    hidden_states,
    note,
    ov_over_tokens,
    position_products,
    position_vectors,
    principal_components,
    qk_over_positions,
    qk_over_tokens,
    token_vectors,
)
from playground.interpret.passes import streams
from playground.model.embeddings import sinusoidal_table
from playground.model.head_paths import Head, heads, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import intervene, record
from playground.tasks import PAD
from tests.helpers import ARCHITECTURES, small_batch, small_config, small_model

NORMS = {"pre": {"norm_position": "pre"}, "post": {"norm_position": "post"}, "none": {"layer_norm": False}}


class Undivided(nn.LayerNorm):
    """A LayerNorm that doesn't divide: the circuits leave the divisor out."""

    def forward(self, x: Tensor) -> Tensor:
        return (x - x.mean(-1, keepdim=True)) * self.weight


class UndividedRMS(nn.RMSNorm):
    """The same of an RMSNorm."""

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


UNDIVIDED = {nn.LayerNorm: Undivided, nn.RMSNorm: UndividedRMS}


def direct_path(architecture: str, kept: Head | None = None, **model) -> TaskModel:
    """A model in which no sublayer adds anything, but for one head, and no norm divides."""
    found = small_model(architecture, n_layers=2, bias=False, **model).requires_grad_(False)
    generator = torch.Generator().manual_seed(3)
    for module in found.modules():
        if type(module) in UNDIVIDED:
            module.__class__ = UNDIVIDED[type(module)]
            module.weight.uniform_(0.5, 1.5, generator=generator)
    for name, parameter in found.named_parameters():
        if name.endswith(("w_2.weight", "w_o.weight")):
            columns = parameter.clone()
            parameter.zero_()
            if kept and name == f"{kept.attention}.w_o.weight":
                width = found.config.model.d_head
                own = slice(width * kept.number, width * (kept.number + 1))
                parameter[:, own] = columns[:, own]
    return found


def scaled_scores(model: TaskModel, head: Head) -> Tensor:
    """(T, S) of the first input."""
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    return recording[f"{head.attention}.attention.scaled_scores"].value[0, head.number]


def read(model: TaskModel, head: Head) -> tuple[Tensor, Tensor]:
    """Tokens of the queries and the keys of the first input."""
    batch = small_batch(model.config)
    queries = batch.source if head.attention.startswith("encoder") else batch.target
    return queries[0], (batch.source if "cross" in head.attention else queries)[0]


CASES = [
    (architecture, norm, head)
    for architecture in ARCHITECTURES
    for norm in NORMS
    for head in heads(small_model(architecture, n_layers=2).config.model)
    if head.number == 2
]


@pytest.mark.parametrize(("architecture", "norm", "head"), CASES, ids=str)
@pytest.mark.parametrize("scaled", [True, False])
def test_qk_over_tokens_gives_the_scores_of_a_model_without_positions(architecture, norm, head, scaled):
    model = direct_path(architecture, positions="none", scale_scores=scaled, **NORMS[norm])
    queries, keys = read(model, head)
    circuit = qk_over_tokens(model, head)
    assert circuit.shape == (11, 11)
    torch.testing.assert_close(circuit[queries][:, keys], scaled_scores(model, head), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("architecture", "norm", "head"), CASES, ids=str)
@pytest.mark.parametrize("positions", ["two_way", "sinusoidal"])
def test_qk_over_positions_gives_the_scores_of_a_model_without_tokens(architecture, norm, head, positions):
    model = direct_path(architecture, positions=positions, **NORMS[norm])
    top = model.decoder or model.encoder
    top.embeddings.token_table.weight.zero_()
    circuit = qk_over_positions(model, head, small_batch(model.config))
    torch.testing.assert_close(circuit, scaled_scores(model, head), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize(("architecture", "norm", "head"), CASES, ids=str)
def test_ov_over_tokens_is_what_attending_to_a_token_adds_to_the_logits(architecture, norm, head):
    model = direct_path(architecture, head, positions="none", **NORMS[norm])
    if architecture == "encoder-decoder" and head.attention.startswith("encoder"):
        with pytest.raises(PlaygroundError, match="doesn't read the encoder directly"):
            ov_over_tokens(model, head)
        return
    check_ov(model, head)


def check_ov(model: TaskModel, head: Head) -> None:
    circuit, batch = ov_over_tokens(model, head), small_batch(model.config)
    _, keys = read(model, head)
    without, _ = model_without(model, head)(*batch)
    for position, token in enumerate(keys.tolist()):

        def attend(weights: Tensor, position: int = position) -> Tensor:
            changed = torch.zeros_like(weights)
            changed[..., position] = 1.0
            return changed

        with intervene(model, {weights_tap(head.attention): attend}) as instance:
            logits, _ = instance(*batch)
        added = (logits - without)[0]
        torch.testing.assert_close(added, circuit[token].expand_as(added), atol=1e-5, rtol=1e-4)


def model_without(model: TaskModel, head: Head) -> TaskModel:
    same = ("norm_position", "layer_norm", "norm", "attention", "n_heads", "n_kv_heads", "d_latent", "feed_forward")
    settings = {name: getattr(model.config.model, name) for name in same}
    return direct_path(model.config.model.architecture, positions="none", **settings)


LATER = {
    "grouped": {"norm": "rms_norm", "n_heads": 6, "attention": "grouped_query", "n_kv_heads": 2},
    "latent": {"norm": "rms_norm", "attention": "latent", "d_latent": 5, "feed_forward": "mixture"},
}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", LATER)
def test_circuits_of_shared_keys_and_of_a_latent_are_those_of_a_pass(architecture, norm, name):
    stack = "encoder" if architecture == "encoder-only" else "decoder"
    for number in (0, 2, LATER[name].get("n_heads", 3) - 1):
        head = Head(f"{stack}.layers.1.self_attention", number)
        model = direct_path(architecture, positions="none", **LATER[name] | NORMS[norm])
        queries, keys = read(model, head)
        found = qk_over_tokens(model, head)[queries][:, keys]
        torch.testing.assert_close(found, scaled_scores(model, head), atol=1e-5, rtol=1e-4)
        kept = direct_path(architecture, head, positions="none", **LATER[name] | NORMS[norm])
        check_ov(kept, head)


def test_the_keys_of_a_latent_leave_out_the_rotary_part():
    settings = LATER["latent"] | {"positions": "rotary", "d_rope": 2}
    model, head = direct_path("decoder-only", **settings), Head("decoder.layers.0.self_attention", 1)
    queries, keys = read(model, head)
    found = qk_over_tokens(model, head)[queries][:, keys]
    assert not torch.allclose(found, scaled_scores(model, head), atol=1e-3)
    model.get_parameter(f"{head.attention}.w_qr.weight").zero_()
    torch.testing.assert_close(found, scaled_scores(model, head), atol=1e-5, rtol=1e-4)


def test_a_query_key_norm_leaves_its_trained_factor():
    model, head = (
        direct_path("encoder-only", positions="none", qk_norm=True),
        Head("encoder.layers.0.self_attention", 1),
    )
    model.get_parameter(f"{head.attention}.attention.scale").fill_(3.0)
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    query, key = (recording[f"{head.attention}.attention.{name}"].value[0, 1] for name in ("query", "key"))
    queries, keys = read(model, head)
    torch.testing.assert_close(qk_over_tokens(model, head)[queries][:, keys], 3 * query @ key.T, atol=1e-5, rtol=1e-4)


def test_the_note_says_what_is_left_out():
    notes = {name: note(small_config("decoder-only", **changes).model) for name, changes in NOTES.items()}
    assert "LayerNorm's division by the standard deviation" in notes["plain"]
    assert "RMSNorm's division by the root mean square" in notes["rms"]
    assert "Norm" not in notes["none"]
    assert "at the same position" in notes["rotary"]
    assert "the rotary part" in notes["latent"]
    for word, name in (("lengths", "limited"), ("score cap", "limited"), ("window", "limited")):
        assert word in notes[name]
        assert word not in notes["plain"]


NOTES = {
    "plain": {},
    "rms": {"norm": "rms_norm"},
    "none": {"layer_norm": False},
    "rotary": {"positions": "rotary"},
    "latent": {"positions": "rotary", "attention": "latent", "d_rope": 2},
    "limited": {"qk_norm": True, "logit_cap": 3.0, "window": 2},
}


def test_a_circuit_without_a_direct_path_is_refused():
    model = small_model("encoder-decoder", n_layers=2, residual=False)
    first, cross = (
        Head("decoder.layers.0.self_attention", 0),
        Head("decoder.layers.0.cross_attention", 0),
    )
    assert qk_over_tokens(model, first).shape == (11, 11)
    for refused in (cross, Head("decoder.layers.1.self_attention", 0)):
        with pytest.raises(PlaygroundError, match="Without residual connections"):
            qk_over_tokens(model, refused)
    with pytest.raises(PlaygroundError, match="no attention writes to the logits"):
        ov_over_tokens(model, first)
    without = small_model("decoder-only", positions="none")
    assert position_vectors(without, small_batch(without.config)) == {}
    with pytest.raises(PlaygroundError, match="adds no vectors for positions"):
        qk_over_positions(without, first, small_batch(without.config))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_with_rotary_positions_qk_over_tokens_gives_the_scores_at_one_position(architecture):
    stack = "decoder" if architecture == "decoder-only" else "encoder"
    head = Head(f"{stack}.layers.0.self_attention", 1)
    model = direct_path(architecture, positions="rotary", **NORMS["post"])
    queries, keys = read(model, head)
    scores = scaled_scores(model, head)
    torch.testing.assert_close(scores.diag(), qk_over_tokens(model, head)[queries, keys], atol=1e-5, rtol=1e-4)


def test_positions_are_those_that_the_stacks_add():
    model = small_model("encoder-decoder", positions="sinusoidal")
    found = position_vectors(model, small_batch(model.config))
    torch.testing.assert_close(found["encoder"], sinusoidal_table(5, 12))
    torch.testing.assert_close(found["decoder"], sinusoidal_table(7, 12))
    products = position_products(model, small_batch(model.config))["encoder"]
    angles = 10000.0 ** (-torch.arange(0, 12, 2) / 12)  # sin a sin b + cos a cos b = cos(a - b)
    steps = torch.arange(5)[:, None] - torch.arange(5)
    torch.testing.assert_close(products, (steps[..., None] * angles).cos().sum(-1))


def test_copying_counts_the_symbols_whose_own_logit_rises_most():
    circuit = torch.zeros(4 + 3, 4 + 3)
    circuit[:4] = 9.0  # special tokens don't count
    circuit[4:, :4] = 9.0
    circuit[4, 4], circuit[5, 5], circuit[6, 4] = 1.0, 2.0, 3.0
    assert copying(circuit) == pytest.approx(2 / 3)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_hidden_states_are_the_vectors_of_all_tokens_with_their_positions(architecture):
    model = small_model(architecture, n_layers=2)
    stack = "encoder" if architecture == "encoder-only" else "decoder"
    path = f"{stack}.layers.1.feed_forward"
    states = hidden_states(model, path, sequences=120)
    assert len(states.vectors) == len(states.tokens) == len(states.positions)
    assert PAD not in states.tokens.tolist()
    assert int((states.positions == 0).sum()) == 120
    embedded = hidden_states(small_model(architecture, positions="none"), f"{stack}.embeddings", sequences=20)
    torch.testing.assert_close(
        embedded.vectors, token_vectors(small_model(architecture, positions="none"))[embedded.tokens]
    )
    assert path in streams(model, small_batch(model.config), stack)
    with pytest.raises(PlaygroundError, match="no vectors at"):
        hidden_states(model, f"{stack}.layers.9.feed_forward")


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 40), st.integers(2, 12), st.integers(0, 99))
def test_principal_components_are_those_of_the_covariance(count, width, seed):
    vectors = torch.randn(count, width, generator=torch.Generator().manual_seed(seed)) @ torch.diag(
        torch.arange(1.0, width + 1)
    )
    found = principal_components(vectors)
    assert found.coordinates.shape == (count, 2)
    values = np.sort(np.linalg.eigvalsh(np.cov(vectors.numpy().T, bias=True)))[::-1]
    variance = found.coordinates.square().mean(0)
    np.testing.assert_allclose(variance.numpy(), values[:2], rtol=1e-3, atol=1e-3 * values[0])
    np.testing.assert_allclose(found.explained.numpy(), values[:2] / values.sum(), atol=1e-4)
    assert abs(float(found.coordinates[:, 0] @ found.coordinates[:, 1])) < 1e-2 * count * values[0]
    torch.testing.assert_close(found.coordinates.max(0).values, found.coordinates.abs().max(0).values)
    assert math.isfinite(float(principal_components(torch.ones(3, width)).explained.sum()))


def test_vectors_that_overflowed_have_no_components():
    with pytest.raises(PlaygroundError, match="not finite"):
        principal_components(torch.tensor([[1.0, 2.0], [3.0, math.inf]]))

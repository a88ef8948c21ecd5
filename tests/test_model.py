"""The model against torch's own modules, against closed forms, and against what masks promise."""

import math
import re
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn import functional as F

from playground.explain.inspection import walk
from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import Embeddings, PositionalEncoding, rotate
from playground.model.layers import DecoderLayer, EncoderLayer
from playground.model.task_model import TaskModel
from playground.recording import intervene, record
from playground.settings.config import ModelConfig, Positions, RunConfig, initial_differences, parameter_counts
from playground.tasks import PAD, SEP, TASKS, answer, encode, task_of, text_of
from playground.tasks.batches import make_batch
from playground.training import train
from tests.helpers import (
    ARCHITECTURES,
    SMALL,
    WITH_DECODER,
    first,
    random_tokens,
    small_batch,
    small_config,
    small_model,
)

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
CLOSER = {"atol": 1e-9, "rtol": 1e-9}  # in float64: normalizing two nearly equal numbers magnifies rounding
POSITIONS = get_args(Positions)


# --- equal to torch's own modules -----------------------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """Sizes that all differ, D and F included."""

    B: int
    H: int
    T: int
    S: int
    K: int
    F: int

    @property
    def D(self) -> int:
        return self.H * self.K


sizes = (
    st.lists(st.integers(1, 7), min_size=6, max_size=6, unique=True)
    .map(lambda drawn: Sizes(*drawn))
    .filter(lambda s: s.D not in (s.B, s.T, s.S, s.F))
)
seeds = st.integers(0, 2**31 - 1)


def filled(module: nn.Module, generator: torch.Generator) -> nn.Module:
    """Random numbers in every parameter, biases and norms included, so that none can be forgotten."""
    for parameter in module.parameters():
        nn.init.uniform_(parameter, -0.6, 0.6, generator=generator)
    return module


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def padding(batch: int, length: int, generator: torch.Generator, padded: bool) -> Tensor:
    """(B, L), True on real positions: the first of each row at least."""
    lengths = torch.randint(1, length + 1, (batch, 1), generator=generator) if padded else length
    return (torch.arange(length) < lengths).expand(batch, -1)


def config_of(s: Sizes, **more: object) -> ModelConfig:
    return ModelConfig(d_model=s.D, n_heads=s.H, d_ff=s.F, **more)


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
    theirs.out_proj.weight.copy_(ours.w_o.weight)
    if ours.w_q.bias is not None:
        theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
        theirs.out_proj.bias.copy_(ours.w_o.bias)


def copy_layer(ours: EncoderLayer | DecoderLayer, theirs: nn.Module) -> None:
    copy_attention(ours.self_attention, theirs.self_attn)
    norms = [ours.self_attention_add_norm.norm, ours.feed_forward_add_norm.norm]
    if hasattr(ours, "cross_attention"):
        copy_attention(ours.cross_attention, theirs.multihead_attn)
        norms.insert(1, ours.cross_attention_add_norm.norm)
    theirs.linear1.load_state_dict(ours.feed_forward.w_1.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.w_2.state_dict())
    for number, norm in enumerate(norms, start=1):
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


def torch_layer(kind: type[nn.Module], s: Sizes, config: ModelConfig) -> nn.Module:
    return kind(
        s.D,
        s.H,
        s.F,
        dropout=0.0,
        activation=config.activation,
        batch_first=True,
        norm_first=config.norm_position == "pre",
        bias=config.bias,
        dtype=torch.float64,
    )


@given(s=sizes, seed=seeds, bias=st.booleans(), padded=st.booleans())
@settings(max_examples=60)
@torch.no_grad()
def test_attention_equals_torchs(s, seed, bias, padded):
    generator = torch.Generator().manual_seed(seed)
    ours = filled(MultiHeadAttention(config_of(s, bias=bias)), generator)
    theirs = nn.MultiheadAttention(s.D, s.H, bias=bias, batch_first=True)
    copy_attention(ours, theirs)
    x = torch.randn(s.B, s.T, s.D, generator=generator)
    memory = torch.randn(s.B, s.S, s.D, generator=generator)
    real = padding(s.B, s.S, generator, padded)

    with record(ours) as recording:
        output = recording.model(x, memory, real[:, None, None, :])
    expected, weights = theirs(x, memory, memory, key_padding_mask=~real, average_attn_weights=False)
    torch.testing.assert_close(output, expected, **CLOSE)
    torch.testing.assert_close(recording["attention.weights"].value, weights, **CLOSE)


@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@given(s=sizes, seed=seeds, bias=st.booleans(), padded=st.booleans(), causal=st.booleans())
@settings(max_examples=25)
@torch.no_grad()
def test_encoder_layer_equals_torchs(norm_position, activation, s, seed, bias, padded, causal):
    generator = torch.Generator().manual_seed(seed)
    config = config_of(s, norm_position=norm_position, activation=activation, bias=bias)
    ours = filled(EncoderLayer(config).double(), generator)
    theirs = torch_layer(nn.TransformerEncoderLayer, s, config)
    copy_layer(ours, theirs)
    x = torch.randn(s.B, s.S, s.D, generator=generator, dtype=torch.float64)
    real = padding(s.B, s.S, generator, padded)
    future = torch.ones(s.S, s.S, dtype=torch.bool).triu(1) if causal else torch.zeros(s.S, s.S, dtype=torch.bool)

    output = ours(x, real[:, None, None, :] & ~future)
    expected = theirs(x, src_mask=future, src_key_padding_mask=~real)
    torch.testing.assert_close(output, expected, **CLOSER)


@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@given(s=sizes, seed=seeds, bias=st.booleans(), padded=st.booleans(), causal=st.booleans())
@settings(max_examples=25)
@torch.no_grad()
def test_decoder_layer_equals_torchs(norm_position, activation, s, seed, bias, padded, causal):
    generator = torch.Generator().manual_seed(seed)
    config = config_of(s, norm_position=norm_position, activation=activation, bias=bias)
    ours = filled(DecoderLayer(config).double(), generator)
    theirs = torch_layer(nn.TransformerDecoderLayer, s, config)
    copy_layer(ours, theirs)
    x = torch.randn(s.B, s.T, s.D, generator=generator, dtype=torch.float64)
    memory = torch.randn(s.B, s.S, s.D, generator=generator, dtype=torch.float64)
    real, memory_real = padding(s.B, s.T, generator, padded), padding(s.B, s.S, generator, padded)
    future = torch.ones(s.T, s.T, dtype=torch.bool).triu(1) if causal else torch.zeros(s.T, s.T, dtype=torch.bool)

    output = ours(x, real[:, None, None, :] & ~future, memory, memory_real[:, None, None, :])
    expected = theirs(x, memory, tgt_mask=future, tgt_key_padding_mask=~real, memory_key_padding_mask=~memory_real)
    torch.testing.assert_close(output, expected, **CLOSER)


# --- closed forms ---------------------------------------------------------------------------------


def test_sinusoidal_positions_follow_the_papers_formula():
    table = PositionalEncoding("sinusoidal", 20, 6)(20, None)[0]
    for position in (0, 1, 7, 19):
        for i in range(3):
            angle = position / 10000 ** (2 * i / 6)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_learned_positions_are_the_rows_of_the_table():
    encoding = filled(PositionalEncoding("learned", 5, 3), torch.Generator().manual_seed(0))
    assert torch.equal(encoding(4, torch.tensor([[2]]))[0], encoding.table[:4])


def test_two_way_positions_count_the_source_from_both_ends_and_what_follows_on_its_own():
    encoding = filled(PositionalEncoding("two_way", 5, 3), torch.Generator().manual_seed(0))
    start, end = encoding.table, encoding.table_from_end
    found = encoding(7, torch.tensor([[4], [2]]))
    for row, n in enumerate((4, 2)):
        for position in range(n):
            torch.testing.assert_close(found[row, position], start[position] + end[n - 1 - position])
        for position in range(n, min(7, n + 5)):
            torch.testing.assert_close(found[row, position], start[position - n])
    assert torch.equal(encoding(5, None)[0], start)  # a decoder that reads no source


@given(s=sizes, first=st.integers(0, 50))
def test_rotary_positions_multiply_pairs_as_complex_numbers(s, first):
    x = torch.randn(s.B, s.H, s.T, 2 * s.K, dtype=torch.float64)
    angle = torch.tensor(
        [[(first + at) * 10000.0 ** (-2 * i / (2 * s.K)) for i in range(s.K)] for at in range(s.T)],
        dtype=torch.float64,
    )
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * torch.polar(torch.ones_like(angle), angle)
    torch.testing.assert_close(rotate(x, first), torch.view_as_real(pairs).flatten(-2), **CLOSER)
    torch.testing.assert_close(rotate(x, first).norm(dim=-1), x.norm(dim=-1), **CLOSER)


@given(s=sizes, seed=seeds, shift=st.integers(1, 40))
@torch.no_grad()
def test_rotary_scores_depend_on_distances_alone(s, seed, shift):
    """The same tokens later in a row have the same scores, and one token everywhere has one score per distance."""
    generator = torch.Generator().manual_seed(seed)
    config = ModelConfig(d_model=2 * s.D, n_heads=s.H)
    attention = filled(MultiHeadAttention(config, rotary=True).double(), generator)
    x = torch.randn(s.B, s.T, 2 * s.D, generator=generator, dtype=torch.float64)
    before = torch.randn(s.B, shift, 2 * s.D, generator=generator, dtype=torch.float64)

    def scores(x: Tensor) -> Tensor:
        with record(attention) as recording:
            recording.model(x, x, torch.ones(1, dtype=torch.bool))
        return recording["attention.scores"].value

    torch.testing.assert_close(scores(torch.cat([before, x], 1))[..., shift:, shift:], scores(x), **CLOSER)
    same = scores(x[:, :1].expand(-1, s.T, -1))
    for distance in range(1 - s.T, s.T):
        diagonal = same.diagonal(distance, -2, -1)
        torch.testing.assert_close(diagonal, diagonal[..., :1].expand_as(diagonal), **CLOSER)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_rotary_positions_add_nothing_and_leave_cross_attention_as_it_is(architecture):
    model, without = (small_model(architecture, positions=kind) for kind in ("rotary", "none"))
    assert [*model.state_dict()] == [*without.state_dict()]
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            turned = {tap for tap in ("rotated_query", "rotated_key") if f"{name}.{tap}" in recording.operations}
            assert len(turned) == 2 * name.endswith("self_attention")
    assert not any(name.endswith("position") for name in recording.operations)


def test_equal_scores_give_uniform_weights_and_the_mean_value():
    query, key, value = torch.zeros(2, 3, 5, 4), normal(2, 3, 7, 4), normal(2, 3, 7, 4, seed=1)
    seen = torch.arange(7) < torch.tensor([7, 3])[:, None]
    heads = ScaledDotProductAttention()(query, key, value, seen[:, None, None, :])
    for row, n in enumerate((7, 3)):
        torch.testing.assert_close(heads[row], value[row, :, :n].mean(1, keepdim=True).expand(-1, 5, -1))


def test_scores_are_divided_by_the_root_of_the_head_width_unless_switched_off():
    query, key, value = normal(1, 1, 2, 9), normal(1, 1, 3, 9, seed=1), torch.eye(3)[None, None]
    everything = torch.ones(1, 1, 1, 3, dtype=torch.bool)
    scores = query @ key.mT
    torch.testing.assert_close(ScaledDotProductAttention()(query, key, value, everything), (scores / 3).softmax(-1))
    torch.testing.assert_close(ScaledDotProductAttention(False)(query, key, value, everything), scores.softmax(-1))


def extreme_attention(mask: Tensor) -> tuple[Tensor, list[Tensor]]:
    """Heads and the gradients of query, key and value where scores are +-1e4."""
    query = torch.full((2, 3, 5, 1), 100.0, requires_grad=True)
    key = torch.tensor([100.0, -100.0, 100.0, -100.0, 0.0, 100.0, 50.0]).view(1, 1, 7, 1).repeat(2, 3, 1, 1)
    key.requires_grad_()
    value = normal(2, 3, 7, 1).requires_grad_()
    heads = ScaledDotProductAttention()(query, key, value, mask)
    heads.square().sum().backward()
    return heads.detach(), [query.grad, key.grad, value.grad]


def test_scores_of_ten_thousand_stay_finite_forwards_and_backwards():
    heads, gradients = extreme_attention(torch.ones(2, 1, 5, 7, dtype=torch.bool))
    assert heads.isfinite().all()
    assert all(gradient.isfinite().all() for gradient in gradients)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("causal_mask", first(1, [True, False]))
def test_every_query_of_every_pass_has_a_key_that_it_may_look_at(architecture, causal_mask, monkeypatch):
    """Softmax makes 0/0 of a row that is hidden as a whole: training, tests, answers and walks make none."""
    forward, masks = ScaledDotProductAttention.forward, []

    def checked(self, query, key, value, mask):
        masks.append(mask)
        assert mask.any(-1).all()
        return forward(self, query, key, value, mask)

    monkeypatch.setattr(ScaledDotProductAttention, "forward", checked)
    shape = {"architecture": architecture, "causal_mask": causal_mask or architecture == "encoder-only"}
    for task in TASKS:
        if architecture == "encoder-only" and not TASKS[task].answers_in_place:
            continue
        config = small_config(architecture).updated({f"model.{name}": value for name, value in shape.items()})
        longer = {"task.max_length": 8} if task == "text" else {}
        config = config.updated({"task.name": task, "training.steps": 2, "training.batch_size": 64} | longer)
        model = TaskModel(config)
        list(train(config, model))
        text = task_of(config.task).example(1)
        right = text_of(answer(encode(text, config.task), config.task), config.task)
        room = task_of(config.task).max_source_length - len(encode(text, config.task))
        for count in range(2 if model.decoder else 0):
            walk(model, text, right, prefix_length=count, padding=min(2, room))
        walk(model, text, padding=min(2, room))
    assert any(not mask.all() for mask in masks), "of different lengths"


@given(smoothing=st.sampled_from([0.0, 0.1, 0.7]), architecture=st.sampled_from(ARCHITECTURES), seed=seeds)
@settings(max_examples=20)
@torch.no_grad()
def test_the_loss_is_the_smoothed_mean_over_labels_that_are_not_padding(smoothing, architecture, seed):
    model = small_model(architecture)
    batch = small_batch(model.config, seed=seed)
    logits, loss = model(*batch, label_smoothing=smoothing)
    terms = []
    for row, labels in zip(logits.log_softmax(-1), batch.labels, strict=True):
        for log_probabilities, label in zip(row, labels.tolist(), strict=True):
            if label != PAD:
                right, all_tokens = log_probabilities[label], log_probabilities.mean()
                terms.append(-(1 - smoothing) * right - smoothing * all_tokens)
    assert 0 < len(terms) < batch.labels.numel()
    torch.testing.assert_close(loss, torch.stack(terms).mean(), **CLOSE)


# --- causality ------------------------------------------------------------------------------------


def change(tokens: Tensor, position: int) -> Tensor:
    """Another symbol at one position of every row."""
    tokens = tokens.clone()
    tokens[:, position] = torch.where(tokens[:, position] == 4, 5, 4)
    return tokens


def reads(architecture: str, source: Tensor, target: Tensor) -> tuple[Tensor | None, Tensor, Tensor | None]:
    """What goes into the model: for decoder-only the source stands before SEP in the same row."""
    if architecture == "decoder-only":
        row = torch.cat([source[:, :3], torch.full((len(source), 1), SEP), target[:, :3]], dim=1)
        return None, row, torch.full((len(source), 1), 3)
    return source, target, None


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize("positions", POSITIONS)
@torch.no_grad()
def test_a_later_token_changes_the_future_and_not_the_past(architecture, norm_position, positions):
    settings = {"norm_position": norm_position, "positions": positions, "n_layers": 2}
    model = small_model(architecture, **settings)
    sees_all = small_model(architecture, causal_mask=False, **settings)
    source, target, lengths = reads(architecture, random_tokens([5, 5], seed=1), random_tokens([7, 7], seed=2))
    for position in (p for p in range(1, 7) if architecture == "encoder-decoder" or p != 3):  # SEP stays
        before, after = (model(source, tokens, lengths)[0] for tokens in (target, change(target, position)))
        assert torch.equal(before[:, :position], after[:, :position])
        assert ((before[:, position:] - after[:, position:]).abs().amax(-1) > 1e-4).all()
        before, after = (sees_all(source, tokens, lengths)[0] for tokens in (target, change(target, position)))
        assert ((before[:, :position] - after[:, :position]).abs().amax(-1) > 1e-6).all()


# --- padding --------------------------------------------------------------------------------------


def pad(tokens: Tensor | None, by: int) -> Tensor | None:
    return None if tokens is None else F.pad(tokens, (0, by), value=PAD)


def real_positions(logits: Tensor, read: Tensor) -> Tensor:
    return logits[:, : read.size(1)][read != PAD]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", POSITIONS)
@torch.no_grad()
def test_more_padding_changes_nothing_and_neither_do_the_neighbours_in_the_batch(architecture, positions):
    config = SMALL.updated({"model.architecture": architecture, "model.positions": positions, "task.max_length": 12})
    model = TaskModel(config).eval()
    batch = small_batch(config)
    read = batch.source if batch.target is None else batch.target
    logits, loss = model(*batch)
    wide, wide_loss = model(pad(batch.source, 3), pad(batch.target, 3), batch.source_lengths, pad(batch.labels, 3))
    torch.testing.assert_close(real_positions(wide, read), real_positions(logits, read), **CLOSE)
    torch.testing.assert_close(wide_loss, loss, **CLOSE)
    if batch.source is not None and batch.target is not None:
        only_source, _ = model(pad(batch.source, 4), batch.target)
        torch.testing.assert_close(real_positions(only_source, read), real_positions(logits, read), **CLOSE)

    n = int((read[1] != PAD).sum())
    alone = [None if part is None else part[1:, : int((part[1] != PAD).sum())] for part in batch[:2]]
    lengths = None if batch.source_lengths is None else batch.source_lengths[1:]
    torch.testing.assert_close(model(*alone, lengths)[0][0], logits[1, :n], **CLOSE)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
@torch.no_grad()
def test_what_stands_on_padding_is_read_by_nobody_and_what_stands_beside_it_is(architecture, norm_position):
    model = small_model(architecture, norm_position=norm_position, n_layers=2, causal_mask=True)
    batch = small_batch(model.config)
    read = batch.source if batch.target is None else batch.target
    logits, _ = model(*batch)
    stacks = {"encoder": batch.source, "decoder": batch.target}
    for stack, tokens in stacks.items():
        if tokens is None:
            continue
        noise = normal(*tokens.shape, model.config.model.d_model)
        on_padding = noise * (tokens == PAD)[..., None]
        first = noise * (torch.arange(tokens.size(1)) == 0)[:, None]
        tap = f"{stack}.embeddings.sum"
        with intervene(model, {tap: lambda x, added=on_padding: x + added}) as changed:
            assert torch.equal(real_positions(changed(*batch)[0], read), real_positions(logits, read))
        with intervene(model, {tap: lambda x, added=first: x + added}) as changed:
            assert (real_positions(changed(*batch)[0], read) != real_positions(logits, read)).any(-1).all()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@torch.no_grad()
def test_a_real_source_token_matters_even_where_other_rows_are_padded(architecture):
    model = small_model(architecture)
    batch = small_batch(model.config)
    read = batch.target if batch.source is None else batch.source
    changed = change(read, 0)
    other = batch._replace(**{"target" if batch.source is None else "source": changed})
    before, after = model(*batch)[0], model(*other)[0]
    scored = batch.labels != PAD
    assert ((before - after).abs().amax(-1)[scored] > 1e-5).all()


# --- devices --------------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", POSITIONS)
def test_masks_and_positions_are_made_on_the_device_of_the_tokens(architecture, positions):
    model = small_model(architecture, positions=positions).to("meta")
    batch = small_batch(small_config(architecture))
    logits, loss = model(*(None if part is None else part.to("meta") for part in batch))
    assert (logits.device.type, loss.device.type) == ("meta", "meta")


# --- initial weights ------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_initial_weights_depend_on_the_seed_alone(architecture):
    config = small_config(architecture)
    torch.manual_seed(1)
    first = TaskModel(config).state_dict()
    torch.manual_seed(2)
    again = TaskModel(config).state_dict()
    other = TaskModel(config.updated({"seed": 1})).state_dict()
    assert first.keys() == again.keys()
    for name, value in first.items():
        assert torch.equal(value, again[name]), name
    matrices = [name for name, value in first.items() if value.dim() > 1]
    assert matrices
    assert not any(torch.equal(first[name], other[name]) for name in matrices)


ONE = {"architecture": "encoder-decoder", "n_layers": 2}


@pytest.mark.parametrize(
    ("changes", "alike"),
    [
        ({"norm_position": "post", "n_heads": 1, "dropout": 0.3, "activation": "gelu"}, 0.9),
        ({"n_layers": 1}, 0.5),
        ({"d_ff": 20}, 0.5),
        ({"bias": False}, 0.3),
        ({"tie_embeddings": True}, 0.9),
        ({"attention_bias": False}, 0.6),
        ({"positions": "learned"}, 0.9),
        ({"architecture": "encoder-only"}, 0.3),
        ({"architecture": "decoder-only"}, 0.3),
        ({"d_model": 15}, 0.0),
    ],
    ids=str,
)
def test_models_with_one_seed_begin_alike_wherever_the_shapes_allow(changes, alike):
    one, other = small_config(**ONE), small_config(**ONE | changes)
    different = initial_differences(one, other)
    weights, others = (dict(TaskModel(config).named_parameters()) for config in (one, other))
    same = [name for name in weights | others if name not in different]
    assert all(torch.equal(weights[name], others[name]) for name in same)
    both = [name for name in different if name in weights and name in others]
    assert all(weights[name].shape != others[name].shape for name in both)
    assert len(same) + len(different) == len(weights | others)
    assert len(same) >= alike * len(weights | others)
    assert not any(torch.equal(a, b) for a, b in combinations([w for w in weights.values() if w.dim() > 1], 2))
    assert initial_differences(one, one) == []


def test_initial_weights_have_the_promised_spread():
    config = RunConfig().updated(
        {"task.vocab_size": 508, "task.max_length": 64, "model.d_model": 64, "model.d_ff": 256}
    )
    model = TaskModel(config)
    tokens = model.encoder.embeddings.token_table.weight
    assert tokens.std().item() == pytest.approx(64**-0.5, rel=0.02)
    assert abs(tokens.mean().item()) < 0.003
    assert model.encoder.embeddings.positions.table.std().item() == pytest.approx(1.0, rel=0.05)
    assert model.encoder.embeddings.positions.table_from_end.std().item() == pytest.approx(1.0, rel=0.05)
    w_1 = model.encoder.layers[0].feed_forward.w_1  # Xavier: uniform within sqrt(6 / (in + out))
    limit = math.sqrt(6 / (64 + 256))
    assert limit * 0.99 < w_1.weight.abs().max().item() <= limit
    assert not w_1.bias.any()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_attention_biases_are_apart_from_all_others(architecture):
    names = {name for name, _ in small_model(architecture).named_parameters()}
    without = {name for name, _ in small_model(architecture, attention_bias=False).named_parameters()}
    assert names - without == {name for name in names if re.search(r"attention\.w_[qkvo]\.bias$", name)} != set()
    assert without < names
    none = {name for name, _ in small_model(architecture, bias=False).named_parameters()}
    assert none == {name for name in names if not name.endswith("bias")}


def untied(model: TaskModel) -> TaskModel:
    """The same function with two matrices and no bias in the output layer."""
    apart = TaskModel(model.config.updated({"model.tie_embeddings": False}))
    apart.load_state_dict(model.state_dict(), strict=False)
    nn.init.zeros_(apart.head.bias)
    return apart.train(model.training)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_tied_output_layer_is_the_token_table(architecture):
    model = small_model(architecture, tie_embeddings=True)
    stack = "decoder" if model.decoder else "encoder"
    first = "encoder" if model.encoder else "decoder"
    table = model.get_parameter(f"{first}.embeddings.token_table.weight")
    assert model.head.weight is table
    assert model.head.bias is None
    assert sum(parameter_counts(model.config).values()) == sum(each.numel() for each in model.parameters())
    assert table.shape == (11, 12)
    batch = small_batch(model.config)
    with record(model) as recording:
        logits, _ = recording.model(*batch)
    x = recording[f"{stack}.output"].value
    torch.testing.assert_close(logits, torch.einsum("btd,vd->btv", x, table))
    assert recording["logits"].parameters == (f"{first}.embeddings.token_table.weight",)
    torch.testing.assert_close(untied(model)(*batch)[0], logits)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_tied_table_gets_the_gradients_of_both_uses(architecture):
    model = small_model(architecture, tie_embeddings=True).double()
    apart = untied(model).double()
    for each in (model, apart):
        each(*small_batch(each.config))[1].backward()
    first = "encoder" if model.encoder else "decoder"
    name = f"{first}.embeddings.token_table.weight"
    both = apart.get_parameter(name).grad + apart.head.weight.grad
    torch.testing.assert_close(model.get_parameter(name).grad, both, **CLOSER)
    assert apart.head.weight.grad.any()


def test_a_tied_table_begins_as_an_embedding():
    changes = {"task.vocab_size": 508, "model.d_model": 64, "model.tie_embeddings": True}
    tied, apart = (TaskModel(RunConfig().updated(changes | more)) for more in ({}, {"model.tie_embeddings": False}))
    assert tied.head.weight.std().item() == pytest.approx(64**-0.5, rel=0.02)
    assert torch.equal(tied.head.weight, apart.encoder.embeddings.token_table.weight)


@torch.no_grad()
def test_token_embeddings_are_multiplied_by_the_root_of_the_width():
    config = ModelConfig(d_model=16, n_heads=2, positions="none")
    table = nn.Embedding(9, 16)
    tokens = torch.tensor([[4, 8, 5]])
    torch.testing.assert_close(Embeddings(config, table, None)(tokens, None), 4 * table.weight[tokens])


def test_both_sides_share_their_tables_and_no_parameter_is_left_without_a_gradient():
    for architecture in ARCHITECTURES:
        model = small_model(architecture)
        if model.encoder and model.decoder:
            assert model.encoder.embeddings.token_table is model.decoder.embeddings.token_table
            assert model.encoder.embeddings.positions is model.decoder.embeddings.positions
        model(*small_batch(model.config))[1].backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None, name
            assert parameter.grad.isfinite().all(), name


@torch.no_grad()
def test_without_residual_paths_or_norms_the_layer_is_the_sublayers_one_after_the_other():
    config = ModelConfig(d_model=12, n_heads=3, d_ff=10, residual=False, layer_norm=False)
    layer = filled(EncoderLayer(config), torch.Generator().manual_seed(0))
    x, mask = normal(2, 5, 12), torch.ones(2, 1, 1, 5, dtype=torch.bool)
    torch.testing.assert_close(layer(x, mask), layer.feed_forward(layer.self_attention(x, x, mask)))


def test_dropout_acts_while_training_only():
    config = small_config("encoder-decoder").updated({"model.dropout": 0.5})
    model = TaskModel(config)
    batch = make_batch(config, random_tokens([5], seed=0), random_tokens([4], seed=1))
    assert not torch.equal(model.train()(*batch)[0], model(*batch)[0])
    assert torch.equal(model.eval()(*batch)[0], model(*batch)[0])

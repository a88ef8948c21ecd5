"""The tree of parts against real models: paths, classes, parameters, shapes and multiplications."""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from playground.model.architecture import architecture, label, locate, section, shape
from playground.model.task_model import TaskModel
from playground.recording import Tap
from playground.settings.config import (
    Activation,
    AttentionKind,
    FeedForwardKind,
    NormKind,
    NormPosition,
    Positions,
    RunConfig,
    parameter_shapes,
)
from playground.tasks.batches import Batch
from tests.helpers import ARCHITECTURES, small_batch, small_config

SWITCHES = ("bias", "attention_bias", "tie_embeddings", "scale_scores", "residual", "layer_norm", "qk_norm")


@st.composite
def configs(draw: st.DrawFn) -> RunConfig:
    heads = draw(st.integers(1, 3))
    made = draw(st.sampled_from(ARCHITECTURES))
    positions, attention = draw(st.sampled_from(get_args(Positions))), draw(st.sampled_from(get_args(AttentionKind)))
    experts = draw(st.integers(1, 3))
    switches = {name: draw(st.booleans()) for name in SWITCHES}
    return small_config(
        made,
        d_model=2 * heads * draw(st.integers(1, 4)),
        n_heads=heads,
        n_layers=draw(st.integers(1, 3)),
        d_ff=draw(st.integers(1, 9)),
        positions=positions,
        norm=draw(st.sampled_from(get_args(NormKind))),
        attention=attention,
        n_kv_heads=draw(st.sampled_from([number for number in (1, 2, 3) if heads % number == 0])),
        d_latent=draw(st.integers(1, 5)),
        d_rope=draw(st.sampled_from([2, 4])) if attention == "latent" and positions == "rotary" else 0,
        logit_cap=draw(st.sampled_from([0.0, 2.0])),
        window=draw(st.sampled_from([0, 2])),
        feed_forward=draw(st.sampled_from(get_args(FeedForwardKind))),
        n_experts=experts,
        experts_per_token=draw(st.integers(1, experts)),
        n_shared_experts=draw(st.integers(0, 2)),
        balance=draw(st.sampled_from([0.0, 0.01])),
        norm_position=draw(st.sampled_from(get_args(NormPosition))),
        activation=draw(st.sampled_from(get_args(Activation))),
        causal_mask=made == "encoder-only" or draw(st.booleans()),
        **switches,
    )


def sizes_of(config: RunConfig, batch: Batch) -> dict[str, int]:
    read = {"S": batch.source, "T": batch.target}
    return config.sizes | {"B": 2} | {letter: ids.size(1) for letter, ids in read.items() if ids is not None}


@settings(max_examples=40, deadline=None)
@given(configs())
def test_the_tree_is_the_model_s(config: RunConfig):
    model, batch, made = TaskModel(config).eval(), small_batch(config), {}
    tree, sizes = architecture(config.model), sizes_of(config, batch)
    shapes = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
    assert list(parameter_shapes(config).items()) == list(shapes.items())

    no_parts = (Tap, nn.ModuleList, nn.Dropout, nn.ReLU, nn.GELU, nn.SiLU)
    modules = {path: module for path, module in model.named_modules() if not isinstance(module, no_parts)}
    assert {part.path for part in tree} == set(modules)
    for part in tree:
        assert part.kind in {each.__name__ for each in type(modules[part.path]).__mro__}

    def note(path: str, result: Tensor | tuple[Tensor, ...]) -> None:
        made.setdefault(path, tuple((result[0] if isinstance(result, tuple) else result).shape))

    for path, module in modules.items():
        module.register_forward_hook(lambda _module, _inputs, result, path=path: note(path, result))
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(*batch)
    assert counter.get_total_flops() == 2 * tree.multiplications(sizes)
    for part in tree:
        if part.kind == "PositionalEncoding":  # serves a whole batch with one sequence where it can
            assert made[part.path][1:] == shape(part.makes, sizes)[1:]
        else:
            assert made[part.path] == shape(part.makes, sizes), part.path


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("encoder.tokens", ("encoder", None, ("tokens",))),
        ("decoder.layers.11.cross_attention.attention.w", ("decoder", 11, ("cross_attention", "attention", "w"))),
        ("decoder.layers.0", ("decoder", 0, ())),
        ("decoder.layers", ("decoder", None, ("layers",))),
        ("decoder.layers.x.sum", ("decoder", None, ("layers", "x", "sum"))),
        ("encoder", ("encoder", None, ())),
        ("logits", ("", None, ("logits",))),
        ("", ("", None, ("",))),
    ],
)
def test_a_path_is_located_by_stack_and_layer(path: str, location: tuple[str, int | None, tuple[str, ...]]):
    assert tuple(locate(path)) == location


def test_a_sublayer_holds_its_add_norm_and_has_a_label():
    sublayers = [locate(f"encoder.layers.0.{name}.w").sublayer for name in ("feed_forward", "feed_forward_add_norm")]
    assert sublayers == ["feed_forward", "feed_forward"]
    assert locate("encoder.norm").sublayer == locate("encoder.layers.0").sublayer == ""
    assert [label(name) for name in ("self_attention", "feed_forward", "token_embedding")] == [
        "self-attention",
        "feed-forward",
        "token embedding",
    ]


@pytest.mark.parametrize(
    ("parameter", "name"),
    [
        ("encoder.embeddings.token_table.weight", "token embedding"),
        ("decoder.embeddings.positions.table_from_end", "positions"),
        ("encoder.layers.1.self_attention_add_norm.norm.weight", "encoder layer 2"),
        ("decoder.norm.bias", "decoder norm"),
        ("head.weight", "output layer"),
    ],
)
def test_a_parameter_belongs_to_a_section(parameter: str, name: str):
    assert section(parameter) == name

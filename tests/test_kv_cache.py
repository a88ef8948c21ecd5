"""The KV cache: every number equals that of a full pass, and what it costs is what is counted.

Equal means within 1e-9, with weights of 64 bits: a product of one row and one of many add their terms in another order.
"""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from playground.batches import make_batch
from playground.config import Positions, RunConfig
from playground.decoding import CachedDecoder, Sampling, answer_multiplications, choices
from playground.recording import hooked, record, taps
from playground.task_model import TaskModel
from playground.tasks import EOS, PAD
from tests.helpers import WITH_DECODER

CONFIG = RunConfig().updated(
    {
        **{"task.vocab_size": 9, "task.max_length": 12, "task.min_length": 1},
        **{"model.d_model": 20, "model.n_heads": 2, "model.d_ff": 14, "model.n_layers": 2},
    }
)
CLOSE = {"atol": 1e-9, "rtol": 1e-9}
tokens = st.lists(st.integers(4, 12), min_size=1, max_size=12)


def model_with(**changes: object) -> TaskModel:
    return TaskModel(CONFIG.updated({f"model.{name}": value for name, value in changes.items()})).double().eval()


def full(model: TaskModel, source: list[int], read: list[int]) -> torch.Tensor:
    """(V,) logits of the token after `read`: one whole pass of the model itself."""
    logits, _ = model(*make_batch(model.config, torch.tensor([source]), torch.tensor([read], dtype=torch.long))[:3])
    return logits[0, -1]


WAYS = [
    *({"positions": each} for each in get_args(Positions)),
    {"norm_position": "post", "activation": "relu"},
    {"bias": False, "scale_scores": False},
    {"layer_norm": False},
    {"residual": False},
    {"causal_mask": False},
    {"tie_embeddings": True, "attention_bias": False},
]


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("way", WAYS, ids=str)
@given(source=tokens, answer=tokens, data=st.data())
@settings(max_examples=8, deadline=None)
@torch.no_grad()
def test_logits_equal_those_of_a_full_pass(architecture, way, source, answer, data):
    model = model_with(architecture=architecture, **way)
    decoder, at = CachedDecoder(model, source), 0
    while True:
        found = decoder.next_logits(torch.tensor([answer[:at]], dtype=torch.long))
        torch.testing.assert_close(found[0], full(model, source, answer[:at]), **CLOSE)
        if at == len(answer):
            break
        at += data.draw(st.integers(1, len(answer) - at))  # one token, or several at once


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("way", [{"norm_position": "pre"}, {"norm_position": "post"}, {"positions": "rotary"}], ids=str)
@torch.no_grad()
def test_every_tensor_equals_the_last_position_of_a_full_pass(architecture, way):
    model, source, answer = model_with(architecture=architecture, **way), [5, 8, 4, 11], [7, 6, 12, 9, 4]
    last: dict[str, torch.Tensor] = {}
    names = [name for name in taps(model.decoder) if not name.startswith(("embeddings", "mask"))]
    with hooked(model.decoder, {name: lambda value, name=name: last.__setitem__(name, value) for name in names}):
        decoder = CachedDecoder(model, source)
        decoder.next_logits(torch.tensor([answer[:4]]))
        decoder.next_logits(torch.tensor([answer]))
    with record(model) as recording:
        recording.model(*make_batch(model.config, torch.tensor([source]), torch.tensor([answer])))
    compared = 0
    for name, value in last.items():
        whole = recording[f"decoder.{name}"].value
        if value.shape != whole.shape:  # of the axis of positions, the last one
            (axis,) = (axis for axis, (one, all_) in enumerate(zip(value.shape, whole.shape)) if one != all_)
            assert value.size(axis) == 1
            whole = whole.narrow(axis, whole.size(axis) - 1, 1)
            compared += 1
        torch.testing.assert_close(value, whole, **CLOSE)
    assert compared > 20


@pytest.mark.parametrize("architecture", WITH_DECODER)
@torch.no_grad()
def test_rows_can_be_dropped_repeated_and_put_in_another_order(architecture):
    model, source = model_with(architecture=architecture), [5, 8, 4]
    decoder = CachedDecoder(model, source)
    decoder.next_logits(torch.empty(1, 0, dtype=torch.long))
    for read, rows in (([[4], [9], [12]], [0, 0, 0]), ([[12, 7], [4, 6], [12, 5], [4, 4]], [2, 0, 2, 0])):
        found = decoder.next_logits(torch.tensor(read), rows)
        for row, each in zip(found, read, strict=True):
            torch.testing.assert_close(row, full(model, source, each), **CLOSE)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@torch.no_grad()
def test_the_model_stays_as_it_was_and_weights_are_not_copied(architecture):
    model = model_with(architecture=architecture)
    names, before = [name for name, _ in model.named_modules()], model(*_batch(model))[0]
    decoder = CachedDecoder(model, [5, 8])
    decoder.next_logits(torch.tensor([[4, 6]]))
    assert [name for name, _ in model.named_modules()] == names
    assert torch.equal(model(*_batch(model))[0], before)
    weights = {id(each) for each in model.parameters()}
    copies = [wrapper.module.__self__ for wrapper in decoder._wrappers if hasattr(wrapper.module, "__self__")]
    found = [id(each) for module in copies for each in vars(module).values() if isinstance(each, torch.Tensor)]
    assert found
    assert set(found) <= weights


def _batch(model: TaskModel):
    return make_batch(model.config, torch.tensor([[5, 8]]), torch.tensor([[4, 6]]))[:3]


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("cached", [True, False])
@torch.no_grad()
def test_what_is_counted_is_what_is_multiplied(architecture, cached):
    model, source, answer = model_with(architecture=architecture), [5, 8, 4, 11, 7], [7, 6, 12]
    decoder = CachedDecoder(model, source, cached=cached)
    begin = len(source) + 1 if architecture == "decoder-only" else 1
    multiplied, positions = 0, 0
    for at in range(len(answer) + 1):
        with FlopCounterMode(display=False) as counter:
            decoder.next_logits(torch.tensor([answer[:at]], dtype=torch.long))
        multiplied += counter.get_total_flops() // 2
        assert multiplied == answer_multiplications(model, len(source), at + 1, cached=cached)
        positions += 1 if cached and at else begin + at
        assert decoder.positions == positions


def test_without_a_causal_mask_every_pass_is_a_full_one():
    model = model_with(causal_mask=False)
    decoder = CachedDecoder(model, [5, 8])
    for at in range(4):
        decoder.next_logits(torch.tensor([[4, 6, 9][:at]], dtype=torch.long))
    assert decoder.positions == 1 + 2 + 3 + 4
    costs = [answer_multiplications(model, 2, 4, cached=cached) for cached in (True, False)]
    assert costs[0] == costs[1]


@pytest.mark.parametrize("architecture", WITH_DECODER)
@given(seed=st.integers(0, 99), source=tokens)
@settings(max_examples=10, deadline=None)
def test_answers_are_those_of_full_passes(architecture, seed, source):
    model = TaskModel(CONFIG.updated({"model.architecture": architecture, "seed": seed})).double().eval()
    read = list[int]()
    for choice in choices(model, source, Sampling(0)):
        logits = full(model, source, read)
        assert logits[choice.token] >= logits.max() - 1e-9
        read.append(choice.token)
    assert len(read) == model.config.task.max_length + 1 or read[-1] in (EOS, PAD)

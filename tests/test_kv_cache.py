"""The KV cache: every number equals that of a full pass, and what it costs is what is counted.

Equal means within 1e-9, with weights of 64 bits: a product of one row and one of many add their terms in another order.
"""

from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from playground import intervene
from playground.decoding import (
    CachedDecoder,
    Sampling,
    absorbed,
    absorbed_saving,
    answer_multiplications,
    beam_search,
    choices,
    generate,
    has_absorbed_form,
    measured_bytes,
    rounds,
    sample,
)
from playground.interpret.interventions import changed_model, parse_all
from playground.model.task_model import TaskModel
from playground.recording import record, taps
from playground.settings.config import Positions, RunConfig
from playground.settings.cost import cache_bytes
from playground.tasks import EOS, PAD
from playground.tasks.batches import make_batch
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


class Keeps(torch.nn.Module):
    """In place of a tap, which the cache leaves out."""

    def __init__(self, kept: dict[str, torch.Tensor], name: str) -> None:
        super().__init__()
        self.kept, self.name = kept, name

    def forward(self, tensor: torch.Tensor) -> torch.Tensor:
        self.kept[self.name] = tensor
        return tensor


WAYS = [
    *({"positions": each} for each in get_args(Positions)),
    {"norm_position": "post", "activation": "relu"},
    {"bias": False, "scale_scores": False},
    {"layer_norm": False},
    {"residual": False},
    {"causal_mask": False},
    {"tie_embeddings": True, "attention_bias": False},
    {"attention": "grouped_query", "n_kv_heads": 1, "positions": "rotary", "norm": "rms_norm", "activation": "swiglu"},
    {"attention": "latent", "d_latent": 6, "positions": "rotary", "d_rope": 4, "feed_forward": "mixture"},
    {"qk_norm": True, "window": 3, "logit_cap": 2.0},
]
PARTS = {
    "multi_head": {},
    "grouped_query": {"attention": "grouped_query", "n_kv_heads": 1},
    "latent": {"attention": "latent", "d_latent": 6, "activation": "swiglu"},
    "latent, rotary": {"attention": "latent", "d_latent": 6, "positions": "rotary", "d_rope": 4},
    "mixture": {"feed_forward": "mixture", "n_experts": 3, "n_shared_experts": 1, "window": 2},
}


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
    with record(model) as recording:
        recording.model(*make_batch(model.config, torch.tensor([source]), torch.tensor([answer])))
    for name in taps(model.decoder):
        if not name.startswith(("embeddings", "mask")):
            model.decoder.set_submodule(name, Keeps(last, name))
    decoder = CachedDecoder(model, source)
    decoder.next_logits(torch.tensor([answer[:4]]))
    decoder.next_logits(torch.tensor([answer]))
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
@pytest.mark.parametrize("part", PARTS)
@torch.no_grad()
def test_what_is_counted_is_what_is_multiplied(architecture, cached, part):
    model, source, answer = model_with(architecture=architecture, **PARTS[part]), [5, 8, 4, 11, 7], [7, 6, 12]
    decoder = CachedDecoder(model, source, cached=cached)
    begin = len(source) + 1 if architecture == "decoder-only" else 1
    multiplied, positions = 0, 0
    for at in range(len(answer) + 1):
        with FlopCounterMode(display=False) as counter:
            decoder.next_logits(torch.tensor([answer[:at]], dtype=torch.long))
        multiplied += counter.get_total_flops() // 2
        assert multiplied == sum(answer_multiplications(model, len(source), at + 1, cached=cached))
        positions += 1 if cached and at else begin + at
        assert decoder.positions == positions


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("part", PARTS)
def test_the_cache_holds_what_the_formula_says(architecture, part):
    """Numbers of a layer for each position: 2 D, 2 G K, or C and, with rotary positions, P."""
    config = CONFIG.updated({f"model.{name}": value for name, value in PARTS[part].items()})
    config = config.updated({"model.architecture": architecture})
    own, source = {"grouped_query": (20, 20), "latent": (6, 6), "latent, rotary": (10, 6)}.get(part, (40, 40))
    layers, number = 2, 4  # bytes
    if architecture == "decoder-only":
        source = 0
    assert (
        cache_bytes(config)
        == measured_bytes(TaskModel(config).eval())
        == (layers * number * own, layers * number * source)
    )


def test_a_model_without_a_cache_keeps_nothing():
    for changes in ({"causal_mask": False}, {"architecture": "encoder-only"}):
        assert measured_bytes(model_with(**changes)) == (0, 0)


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize(
    "way", [{}, {"positions": "rotary", "d_rope": 4}, {"bias": False, "scale_scores": False}], ids=str
)
@torch.no_grad()
def test_the_absorbed_form_of_latent_attention_gives_the_same_numbers(architecture, way):
    model = model_with(architecture=architecture, attention="latent", d_latent=6, **way)
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        parameter += torch.randn(parameter.shape, generator=generator, dtype=torch.double)
    assert has_absorbed_form(model.config.model)
    found = absorbed(model, [5, 8, 4, 11], [7, 6])
    assert max(found) < 1e-8
    part = model.decoder.layers[1].self_attention
    assert part.w_uk.weight.abs().max() > 1  # so that a wrong form would differ
    assert not has_absorbed_form(CONFIG.updated({"model.attention": "latent", "model.qk_norm": True}).model)


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_the_saving_of_the_absorbed_form_is_counted(architecture):
    """For one new position, by hand: no keys and values of T positions, two maps more, products of width C, not K."""
    model, t, s = model_with(architecture=architecture, attention="latent", d_latent=6), 9, 5

    def saved(positions: int) -> int:
        plain, absorbed = 2 * positions * 6 * 20 + 2 * positions * 2 * 10, 2 * 6 * 20 + 2 * positions * 2 * 6
        return 2 * (plain - absorbed)  # layers

    expected = saved(t) + (saved(s) if architecture == "encoder-decoder" else 0)
    assert absorbed_saving(model.config.model, model.config.sizes | {"S": s, "T": t}) == expected


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


@torch.no_grad()
def talkative(architecture: str) -> TaskModel:
    """A model whose answers are long, and change when it does."""
    model = model_with(architecture=architecture, norm_position="post")
    for parameter in model.parameters():
        parameter.mul_(3)
    model.head.bias[[EOS, PAD]] = -99
    return model


def by_definition(model: TaskModel, source: list[int]) -> list[int]:
    """The greedy answer: the most probable token of a whole pass, again and again."""
    read = list[int]()
    while len(read) <= model.config.task.max_length:
        if (token := int(full(model, source, read).argmax())) in (EOS, PAD):
            break
        read.append(token)
    return read


def same_in_all_ways(model: TaskModel, source: list[int]) -> list[int]:
    """The greedy answer, after a look at whether all ways of answering give it."""
    with torch.no_grad():
        answer = by_definition(model, source)
    assert generate(model, source) == answer
    assert sample(model, source, Sampling(0)) == answer
    assert list(beam_search(model, source, 1)[0].tokens) == answer
    assert [each.token for each in choices(model, source, Sampling(1, top_k=1))][: len(answer)] == answer
    best = list(rounds(model, source, 2))[-1].kept[0]
    with torch.no_grad():
        at = [*best.tokens, *([] if best.end is None else [best.end])]
        scores = [full(model, source, at[:n]).log_softmax(-1)[token] for n, token in enumerate(at)]
    assert sum(scores) == pytest.approx(best.log_probability)
    return answer


STACK = "decoder.layers.0.self_attention"


@pytest.mark.parametrize("architecture", WITH_DECODER)
@pytest.mark.parametrize("change", [f"{STACK}:patch", f"{STACK}:mean", "decoder.embeddings.sum[0]:scale=-9", STACK])
def test_a_changed_model_gives_one_answer_in_all_ways(architecture, change):
    model, source = talkative(architecture), [5, 8, 4, 11, 7]
    other = torch.tensor([[9, 4, 12, 6, 5]])
    intact = same_in_all_ways(model, source)
    with changed_model(model, parse_all([change], model.config), other=other) as changed:
        answer = same_in_all_ways(changed, source)
        assert changed.decoding == "in_rounds"  # decoding in rounds is faster than token by token, and exact here
        assert answer_multiplications(changed, 5, 9, cached=True) == answer_multiplications(changed, 5, 9, cached=False)
    assert answer != intact
    assert same_in_all_ways(model, source) == intact


def only_newest(value: torch.Tensor) -> torch.Tensor:
    changed = value.clone()
    changed[:, -1] = -9 * changed[:, -1].flip(-1)
    return changed


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_a_hook_that_knows_no_positions_gives_one_answer_in_all_ways(architecture):
    model, source = talkative(architecture), [5, 8, 4, 11, 7]
    intact = same_in_all_ways(model, source)
    with intervene(model, {f"{STACK}.output": only_newest}) as changed:
        answer = same_in_all_ways(changed, source)
    assert answer != intact
    handles = [  # a person's own hooks, before a module and behind one
        model.decoder.layers[1].register_forward_pre_hook(lambda _, inputs: (only_newest(inputs[0]), *inputs[1:])),
        model.decoder.layers[0].register_forward_hook(lambda _module, _inputs, output: only_newest(output)),
    ]
    hooked_answer = same_in_all_ways(model, source)
    for handle in handles:
        handle.remove()
    assert hooked_answer != intact
    assert same_in_all_ways(model, source) == intact

"""Each part that came after 2017, against implementations that others wrote, and against the papers' closed forms."""

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.explain.inspection import walk
from playground.model.attention import MultiHeadAttention
from playground.model.grouped_query_attention import GroupedQueryAttention
from playground.model.latent_attention import LatentAttention
from playground.model.mixture import Mixture
from playground.recording import record, taps
from playground.recording.hooks import hooked
from tests.helpers import ARCHITECTURES, MODERN, small_config
from tests.test_inspection import INPUT, tiny

D, H, K, F_WIDTH, LENGTH = 24, 4, 6, 10, 7
"""Width, heads, head width, hidden width and length of everything here."""


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def part(kind: str, architecture: str = "decoder-only", **model: Any) -> Any:
    """The attention ("self_attention") or feed-forward network of a model with random biases."""
    made = tiny(architecture, d_model=D, n_heads=H, d_ff=F_WIDTH, n_layers=1, **model)
    (stack,) = filter(None, (made.encoder, made.decoder))
    return getattr(stack.layers[0], kind)


def causal(length: int = LENGTH) -> Tensor:
    return torch.ones(length, length, dtype=torch.bool).tril()[None, None]


def inner(module: nn.Module, *inputs: Any) -> dict[str, Tensor]:
    """What flowed through each tap of a part."""
    with record(module) as recording:
        recording.model(*inputs)
    return {operation.name: operation.value for operation in recording}


def close(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def split(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def theirs(module: str) -> ModuleType:
    """A model of the package transformers."""
    return pytest.importorskip(f"transformers.models.{module}.modeling_{module}")


def filled(made: nn.Module, **weights: Tensor) -> Any:
    """A module of another package with these weights."""
    state = {name.replace("__", "."): weight.detach() for name, weight in weights.items()}
    made.load_state_dict(state, strict=True)
    return made.eval()


# --- norm and feed-forward ------------------------------------------------------------------------


def test_rms_norm_is_that_of_llama_and_of_the_paper():
    model = tiny("encoder-only", norm="rms_norm", norm_position="pre")
    x = numbers(2, LENGTH, 8) * 3
    for norm in (model.encoder.norm, model.encoder.layers[0].feed_forward_add_norm.norm):
        close(norm(x), x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * norm.weight)
        llama = filled(theirs("llama").LlamaRMSNorm(8, eps=1e-5), weight=norm.weight)
        close(norm(x), llama(x))
        assert not hasattr(norm, "bias") or norm.bias is None


def test_swiglu_is_the_network_of_llama():
    network = part("feed_forward", activation="swiglu", bias=False)
    config = theirs("llama").LlamaConfig(
        hidden_size=D, num_attention_heads=H, intermediate_size=F_WIDTH, hidden_act="silu"
    )
    llama = filled(
        theirs("llama").LlamaMLP(config),
        gate_proj__weight=network.w_1.weight,
        up_proj__weight=network.w_3.weight,
        down_proj__weight=network.w_2.weight,
    )
    x = numbers(2, LENGTH, D)
    close(network(x), llama(x))
    seen = inner(network, x)
    close(seen["activation"], F.silu(seen["hidden"]))
    close(seen["gated"], seen["hidden"] * torch.sigmoid(seen["hidden"]) * seen["up"])


# --- grouped-query attention ----------------------------------------------------------------------


@pytest.mark.parametrize("groups", [1, 2, 4])
@pytest.mark.parametrize("positions", ["learned", "rotary"])
def test_grouped_query_attention_is_torch_s(groups: int, positions: str):
    attention = part("self_attention", attention="grouped_query", n_kv_heads=groups, positions=positions)
    assert isinstance(attention, GroupedQueryAttention)
    x = numbers(2, LENGTH, D)
    seen = inner(attention, x, x, causal())
    query = seen.get("rotated_query", split(seen["query_projection"], H))
    key = seen.get("rotated_key", split(seen["key_projection"], groups))
    value = split(seen["value_projection"], groups)
    expected = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    close(seen["attention.heads"], expected)
    assert seen["key_projection"].shape == (2, LENGTH, groups * K)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_grouped_query_attention_is_that_of_llama(groups: int):
    llama = theirs("llama")
    attention = part("self_attention", attention="grouped_query", n_kv_heads=groups, positions="rotary", bias=False)
    config = llama.LlamaConfig(
        hidden_size=D, num_attention_heads=H, num_key_value_heads=groups, attn_implementation="eager"
    )
    order = torch.cat([torch.arange(0, K, 2), torch.arange(1, K, 2)])  # Llama turns column i with column i + K/2

    def turned(weight: Tensor) -> Tensor:
        return weight.unflatten(0, (-1, K))[:, order].flatten(0, 1)

    other = filled(
        llama.LlamaAttention(config, 0),
        q_proj__weight=turned(attention.w_q.weight),
        k_proj__weight=turned(attention.w_k.weight),
        v_proj__weight=attention.w_v.weight,
        o_proj__weight=attention.w_o.weight,
    )
    x = numbers(2, LENGTH, D)
    around = llama.LlamaRotaryEmbedding(config)(x, torch.arange(LENGTH)[None])
    hidden = torch.zeros(1, 1, LENGTH, LENGTH).masked_fill(~causal(), -math.inf)
    close(attention(x, x, causal()), other(x, position_embeddings=around, attention_mask=hidden)[0])


def test_as_many_key_heads_as_heads_are_multi_head_attention():
    one = part("self_attention", positions="rotary")
    other = part("self_attention", attention="grouped_query", n_kv_heads=H, positions="rotary")
    other.load_state_dict(one.state_dict())
    x = numbers(2, LENGTH, D)
    assert type(one) is MultiHeadAttention
    close(other(x, x, causal()), one(x, x, causal()))


# --- latent attention -----------------------------------------------------------------------------


@pytest.mark.parametrize("d_rope", [0, 4])
def test_latent_attention_is_that_of_deepseek(d_rope: int):
    deepseek = theirs("deepseek_v2")
    rotary = {"positions": "rotary", "d_rope": d_rope} if d_rope else {"positions": "none"}
    attention = part("self_attention", attention="latent", d_latent=6, bias=False, **rotary)
    assert isinstance(attention, LatentAttention)
    config = deepseek.DeepseekV2Config(
        hidden_size=D,
        num_attention_heads=H,
        num_key_value_heads=H,
        q_lora_rank=None,
        kv_lora_rank=6,
        qk_nope_head_dim=K,
        qk_rope_head_dim=d_rope or 2,
        v_head_dim=K,
        attn_implementation="eager",
    )

    def of_heads(weight: Tensor) -> Tensor:
        return weight.unflatten(0, (H, -1))

    nothing = torch.zeros(H, 2, D)  # without rotary columns, theirs has some that are zero
    turned = of_heads(attention.w_qr.weight) if d_rope else nothing
    made = deepseek.DeepseekV2Attention(config, 0)
    made.kv_a_layernorm = nn.Identity()  # a norm that the paper does not have
    other = filled(
        made,
        q_proj__weight=torch.cat([of_heads(attention.w_q.weight), turned], 1).flatten(0, 1),
        kv_a_proj_with_mqa__weight=torch.cat([attention.w_dkv.weight, attention.w_kr.weight if d_rope else nothing[0]]),
        kv_b_proj__weight=torch.cat([of_heads(attention.w_uk.weight), of_heads(attention.w_uv.weight)], 1).flatten(
            0, 1
        ),
        o_proj__weight=attention.w_o.weight,
    )
    other.scaling = 1 / math.sqrt(K + d_rope)
    x = numbers(2, LENGTH, D)
    width = d_rope or 2
    angles = torch.arange(LENGTH)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    around = torch.polar(torch.ones_like(angles), angles)[None]
    hidden = torch.zeros(1, 1, LENGTH, LENGTH).masked_fill(~causal(), -math.inf)
    close(attention(x, x, causal()), other(x, position_embeddings=around, attention_mask=hidden)[0])


@pytest.mark.parametrize("d_rope", [0, 4])
def test_absorbed_weights_give_the_same_scores_and_outputs_from_the_latent_alone(d_rope: int):
    rotary = {"positions": "rotary", "d_rope": d_rope} if d_rope else {"positions": "none"}
    attention = part("self_attention", attention="latent", d_latent=5, bias=False, **rotary)
    x = numbers(2, LENGTH, D)
    seen = inner(attention, x, x, causal())
    latent, query = seen["latent"], split(seen["query_projection"], H)
    up_key = attention.w_uk.weight.unflatten(0, (H, K))  # (H, K, C)
    scores = torch.einsum("bhtk,hkc,bsc->bhts", query, up_key, latent)
    if d_rope:
        scores += seen["rotated_query"] @ seen["rotated_key"].transpose(-2, -1)
    close(seen["attention.scores"], scores)
    close(seen["attention.scaled_scores"], scores / math.sqrt(K + d_rope))
    collected = seen["attention.weights"] @ latent[:, None]  # (B, H, T, C): the weighted mean of latents
    heads = torch.einsum("bhtc,hkc->bhtk", collected, attention.w_uv.weight.unflatten(0, (H, K)))
    close(seen["attention.heads"], heads)


def test_decoupled_scores_depend_on_the_distance_alone():
    attention = part("self_attention", attention="latent", d_latent=5, positions="rotary", d_rope=4)
    x = numbers(1, 1, D).expand(1, LENGTH, D)
    scores = inner(attention, x, x, causal())["attention.scores"][0]
    for distance in range(LENGTH):
        row = scores.diagonal(-distance, 1, 2)
        close(row, row[:, :1].expand_as(row))


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("attention_kind", [{}, {"attention": "grouped_query", "n_kv_heads": 2}])
def test_normed_queries_and_keys_give_scaled_cosines(attention_kind: dict[str, Any]):
    attention = part("self_attention", qk_norm=True, positions="none", **attention_kind)
    x = numbers(2, LENGTH, D)
    seen = {name.partition(".")[2]: value for name, value in inner(attention, x, x, causal()).items()}
    cosines = F.cosine_similarity(seen["query"][..., :, None, :], seen["key"][..., None, :, :], dim=-1)
    close(seen["scores"], cosines)
    close(seen["scaled_scores"], cosines * attention.attention.scale)
    untrained = small_config("decoder-only", qk_norm=True)
    assert float(type(attention.attention)(untrained.model, 9, 0).scale.detach()) == 3


def test_capped_scores_are_those_of_gemma():
    attention = part("self_attention", logit_cap=2.0, positions="none")
    x = 9 * numbers(2, LENGTH, D)
    seen = {name.partition(".")[2]: value for name, value in inner(attention, x, x, causal()).items()}
    exponential = torch.exp(2 * seen["scaled_scores"] / 2.0)
    close(seen["capped_scores"], 2.0 * (1 - 2 / (exponential + 1)))
    assert float(seen["scaled_scores"].abs().max()) > 2
    assert float(seen["capped_scores"].abs().max()) <= 2
    gemma = theirs("gemma2")
    config = gemma.Gemma2Config(attn_logit_softcapping=2.0)
    query, key, value = (seen[name] for name in ("query", "key", "value"))
    module = nn.Module()
    module.num_key_value_groups, module.config = 1, config
    hidden = torch.zeros(1, 1, LENGTH, LENGTH).masked_fill(~causal(), -math.inf)
    output, _ = gemma.eager_attention_forward(module, query, key, value, hidden, scaling=K**-0.5, softcap=2.0)
    close(seen["heads"], output.transpose(1, 2))


@pytest.mark.parametrize("window", [1, 2, 3, LENGTH, 99])
@pytest.mark.parametrize("architecture", ["decoder-only", "encoder-only"])
def test_a_window_is_a_band_of_the_mask(architecture: str, window: int):
    attention = part("self_attention", architecture, window=window, positions="none")
    x = numbers(2, LENGTH, D)
    everything = torch.ones(LENGTH, LENGTH, dtype=torch.bool)
    band = everything.tril(window - 1).triu(1 - window)
    mask = causal() if architecture == "decoder-only" else everything[None, None]
    seen = {name.partition(".")[2]: value for name, value in inner(attention, x, x, mask).items()}
    assert torch.equal(seen["window_mask"], band & mask)
    query, key, value = (seen[name] for name in ("query", "key", "value"))
    close(seen["heads"], F.scaled_dot_product_attention(query, key, value, attn_mask=band & mask))


# --- mixture of experts ---------------------------------------------------------------------------


def mixture(**model: Any) -> Mixture:
    settings = {"feed_forward": "mixture", "activation": "swiglu", "bias": False} | model
    found = part("feed_forward", **settings)
    assert isinstance(found, Mixture)
    return found


def packed(found: Mixture) -> dict[str, Tensor]:
    """The weights of the experts as others keep them."""
    return {
        "gate__weight": found.router.weight,
        "experts__gate_up_proj": torch.stack([torch.cat([each.w_1.weight, each.w_3.weight]) for each in found.experts]),
        "experts__down_proj": torch.stack([each.w_2.weight for each in found.experts]),
    }


@pytest.mark.parametrize("chosen", [2, 3])
def test_a_mixture_is_that_of_mixtral(chosen: int):
    mixtral = theirs("mixtral")
    found = mixture(n_experts=4, experts_per_token=chosen)
    config = mixtral.MixtralConfig(
        hidden_size=D, intermediate_size=F_WIDTH, num_local_experts=4, num_experts_per_tok=chosen
    )
    config._experts_implementation = "eager"
    other = filled(mixtral.MixtralSparseMoeBlock(config), **packed(found))
    x = numbers(2, LENGTH, D)
    everywhere = torch.ones(2, LENGTH, dtype=torch.bool)
    close(found(x, everywhere), other(x))


@pytest.mark.parametrize("shared", [1, 2])
def test_a_mixture_with_shared_experts_is_that_of_deepseek(shared: int):
    """Theirs does not divide the gates by their sum, and so does ours with one chosen expert."""
    deepseek = theirs("deepseek_v2")
    found = mixture(n_experts=4, experts_per_token=1, n_shared_experts=shared)
    config = deepseek.DeepseekV2Config(
        hidden_size=D,
        num_attention_heads=H,
        moe_intermediate_size=F_WIDTH,
        n_routed_experts=4,
        n_shared_experts=shared,
        num_experts_per_tok=1,
        routed_scaling_factor=1.0,
        topk_method="greedy",
    )
    config._experts_implementation = "eager"
    together = {
        f"shared_experts__{name}__weight": torch.cat([getattr(each, own).weight for each in found.shared_experts], axis)
        for name, own, axis in (("gate_proj", "w_1", 0), ("up_proj", "w_3", 0), ("down_proj", "w_2", 1))
    }
    other = filled(deepseek.DeepseekV2Moe(config), **packed(found), **together)
    x = numbers(2, LENGTH, D)
    close(found(x, torch.ones(2, LENGTH, dtype=torch.bool)), other(x))


@pytest.mark.parametrize("chosen", [1, 2, 4])
def test_gates_and_loads_are_those_of_the_papers(chosen: int):
    found = mixture(n_experts=4, experts_per_token=chosen, balance=0.25)
    x = numbers(2, LENGTH, D)
    is_token = torch.ones(2, LENGTH, dtype=torch.bool)
    is_token[1, 4:] = False
    seen = inner(found, x, is_token)
    scores, gates = seen["router_scores"], seen["gates"]
    if chosen > 1:  # Shazeer et al. 2017, equations 3 and 5
        kept = scores.masked_fill(scores < scores.topk(chosen, -1).values[..., -1:], -math.inf)
        close(gates, kept.softmax(-1))
    else:  # Fedus et al. 2021, equation 2
        close(gates.sum(-1), scores.softmax(-1).max(-1).values)
    assert (seen["chosen"].sum(-1) == chosen).all()
    assert torch.equal(seen["chosen"], gates > 0)
    tokens = int(is_token.sum())
    counts = [sum(bool(gate > 0) for gate in gates[is_token][:, expert]) for expert in range(4)]
    close(seen["load"], torch.tensor(counts) / (chosen * tokens))
    means = scores.softmax(-1)[is_token].mean(0)
    close(seen["balance_loss"], 0.25 * 4 * (seen["load"] * means).sum())


def test_the_balancing_loss_of_equal_loads_is_its_weight_and_that_of_a_collapse_is_more():
    found = mixture(n_experts=4, experts_per_token=1, balance=0.25)
    everywhere = torch.ones(1, 4, dtype=torch.bool)
    with torch.no_grad():
        found.router.weight.zero_()
        found.router.weight[:, :4] = 50 * torch.eye(4)
    each_another = F.pad(torch.eye(4), (0, D - 4))[None]
    assert float(inner(found, each_another, everywhere)["balance_loss"]) == pytest.approx(0.25)
    all_the_same = each_another[:, :1].expand(1, 4, D)
    assert float(inner(found, all_the_same, everywhere)["balance_loss"]) == pytest.approx(4 * 0.25)


# --- gradients in training ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "architecture"),
    [
        pytest.param(name, made, marks=[pytest.mark.thorough] * (made != "decoder-only"))
        for name in MODERN
        for made in ARCHITECTURES
    ],
)
def test_training_minimizes_the_loss_and_the_balancing_losses(name: str, architecture: str):
    """By finite differences in 64 bits, at the largest entry and another one of every parameter."""
    model = tiny(architecture, **MODERN[name], n_layers=1, dropout=0.0).double()
    batch = walk(model, INPUT, "4 1 3", padding=1).batch
    model.train()
    parameters = dict(model.named_parameters())
    gradients = torch.autograd.grad(model(*batch)[1], list(parameters.values()), allow_unused=True)
    balances = [tap for tap in taps(model) if tap.endswith(".balance_loss")]
    found: list[Tensor] = []
    keep: dict[str, Callable[[Tensor], None]] = dict.fromkeys(balances, found.append)

    def objective() -> float:
        found.clear()
        with torch.no_grad():
            loss = model(*batch)[1]
        return float(loss) + sum(map(float, found))

    with hooked(model, keep):
        for (path, parameter), gradient in zip(parameters.items(), gradients, strict=True):
            slope = torch.zeros_like(parameter) if gradient is None else gradient
            for entry in {int(slope.abs().argmax()), (7 * len(path)) % slope.numel()}:
                ends = []
                for sign in (1, -1):
                    flat = parameter.data.view(-1)
                    flat[entry] += sign * 1e-6
                    ends.append(objective())
                    flat[entry] -= sign * 1e-6
                expected = (ends[0] - ends[1]) / 2e-6
                assert float(slope.view(-1)[entry]) == pytest.approx(expected, rel=1e-4, abs=1e-7), (path, entry)
    assert bool(balances) == (MODERN[name].get("feed_forward") == "mixture" and MODERN[name].get("balance", 1) > 0)


def test_in_evaluation_mode_gradients_are_those_of_the_loss_alone():
    settings: dict[str, Any] = MODERN["switch"]
    one, other = (tiny("decoder-only", **settings | {"balance": balance}, n_layers=1) for balance in (0.5, 0.0))
    batch = walk(one, INPUT, padding=1).batch
    found = []
    for training in (False, True):
        pair = []
        for model in (one, other):
            loss = model.train(training)(*batch)[1]
            pair.append((loss, torch.autograd.grad(loss, model.decoder.layers[0].feed_forward.router.weight)[0]))
        found.append(pair)
    (evaluated, plain), (trained, plainly_trained) = found
    assert torch.equal(evaluated[0], plain[0])
    assert torch.equal(evaluated[1], plain[1])
    assert torch.equal(trained[0], plainly_trained[0]), "the loss is that of the predictions"
    assert not torch.allclose(trained[1], plainly_trained[1]), "the gradient is that of both losses"

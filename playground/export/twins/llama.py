"""A decoder-only model as a Llama model of the package transformers (Touvron 2023): the same logits, other names."""

from typing import Any

import torch
from torch import Tensor

from playground.export.twins import twin
from playground.model.part_classes import EPSILON
from playground.settings.config import ModelConfig
from playground.storage.checkpoint import Checkpoint
from playground.tasks import BOS, EOS, PAD


def _output_bias(settings: ModelConfig) -> str:
    return "Its output layer has no bias, as with bias off or with tied embeddings." if settings.output_bias else ""


KIND = twin.TwinKind(
    "Llama",
    positions=("rotary",),
    norm=("rms_norm",),
    activation=("swiglu",),
    attention=("multi_head", "grouped_query"),
    more=_output_bias,
)


def model(checkpoint: Checkpoint) -> Any:
    """A `LlamaForCausalLM` in evaluation mode; raises `TwinError`. Needs `transformers`."""
    import transformers

    config, settings = checkpoint.config, checkpoint.config.model
    weights = state(checkpoint)
    made = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=config.vocabulary_size,
            hidden_size=settings.d_model,
            intermediate_size=settings.d_ff,
            num_hidden_layers=settings.n_layers,
            num_attention_heads=settings.n_heads,
            num_key_value_heads=_key_heads(settings),
            max_position_embeddings=config.max_positions,
            rms_norm_eps=EPSILON,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
            attention_bias=settings.projection_bias,
            mlp_bias=settings.bias,
            tie_word_embeddings=False,
            bos_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
        )
    ).eval()
    made.load_state_dict(weights)
    return made


def state(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """The weights by the names of `LlamaForCausalLM`; raises `TwinError`.

    Token vectors times sqrt(D) become its table, so it can't share one with its output layer. It turns columns i and
    i + K/2 of a head, not 2i and 2i + 1: the rows of W_q and W_k have another order. It always divides scores by
    sqrt(K), so where this model does not, its queries are multiplied by that.
    """
    source, settings = checkpoint.model, checkpoint.config.model
    KIND.check(settings)
    decoder: Any = source.decoder
    tensors = {
        "model.embed_tokens.weight": twin.token_table(checkpoint),
        "model.norm.weight": decoder.norm.weight.detach().clone(),
        "lm_head.weight": source.head.weight.detach().clone(),
    }

    def put(name: str, part: Any, heads: int = 0, times: float = 1.0) -> None:
        """A linear layer; with `heads`, one that makes rotated rows."""
        for of, value in part.named_parameters():
            if heads:
                value = value.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2)
            tensors[f"{name}.{of}"] = torch.mul(value.detach(), times).contiguous()

    for index in range(settings.n_layers):
        layer: Any = decoder.layers[index]
        attention, network, block = layer.self_attention, layer.feed_forward, f"model.layers.{index}"
        put(f"{block}.input_layernorm", layer.self_attention_add_norm.norm)
        times = 1.0 if settings.scale_scores else settings.d_head**0.5
        put(f"{block}.self_attn.q_proj", attention.w_q, settings.n_heads, times)
        put(f"{block}.self_attn.k_proj", attention.w_k, _key_heads(settings))
        put(f"{block}.self_attn.v_proj", attention.w_v)
        put(f"{block}.self_attn.o_proj", attention.w_o)
        put(f"{block}.post_attention_layernorm", layer.feed_forward_add_norm.norm)
        put(f"{block}.mlp.gate_proj", network.w_1)
        put(f"{block}.mlp.up_proj", network.w_3)
        put(f"{block}.mlp.down_proj", network.w_2)
    return tensors


def _key_heads(settings: ModelConfig) -> int:
    return settings.n_kv_heads if settings.attention == "grouped_query" else settings.n_heads

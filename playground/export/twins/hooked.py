"""A decoder-only model as a HookedTransformer of the package transformer_lens: same logits, a hook at every step."""

import json
import warnings
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor

from playground.export.twins import twin
from playground.settings.config import ModelConfig
from playground.storage.checkpoint import Checkpoint


def _gate_bias(settings: ModelConfig) -> str:
    gated = settings.activation == "swiglu" and settings.bias
    return "Its SwiGLU has no biases (bias)." if gated else ""


KIND = twin.TwinKind(
    "A HookedTransformer",
    positions=("learned", "sinusoidal", "rotary", "none"),
    norm=("layer_norm", "rms_norm"),
    activation=("relu", "gelu", "swiglu"),
    attention=("multi_head", "grouped_query"),
    limits=("logit_cap", "window"),
    needs_norms=False,
    more=_gate_bias,
)
_HOW_TO_OPEN = """from safetensors.torch import load_file
from transformer_lens import HookedTransformer, HookedTransformerConfig  # below version 4

config = HookedTransformerConfig.from_dict(json.loads(Path("config.json").read_bytes()))
model = HookedTransformer(config)
model.load_state_dict(load_file("weights.safetensors"))"""


def content(checkpoint: Checkpoint) -> tuple[bytes, str]:
    """A zip file of a folder with a config and a state dict, and a sentence on how the model compares.

    Raises `TwinError` with the reason if it can't represent something in this model. Needs `transformer_lens` < 4.
    """
    import transformer_lens

    if not hasattr(transformer_lens, "HookedTransformer"):
        problem = "The transformer_lens that is installed has no HookedTransformer: it ended with version 3."
        raise twin.TwinError(problem, 'Run: python -m pip install "transformer_lens<4"')
    options, weights = config(checkpoint), state(checkpoint)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it says that version 4 has none
        model = transformer_lens.HookedTransformer(transformer_lens.HookedTransformerConfig.from_dict(options)).eval()
    kept = model.state_dict()
    weights |= {name: kept[name].clone() for name, _ in model.named_buffers() if name in kept}
    model.load_state_dict(weights)
    note = twin.compare("HookedTransformer", checkpoint, lambda tokens, mask: model(tokens, attention_mask=mask))
    files = {"config.json": json.dumps(options, indent=2).encode(), "weights.safetensors": save(weights)}
    return twin.folder(checkpoint, "TransformerLens", _HOW_TO_OPEN, files), note


def check(settings: ModelConfig) -> None:
    """Raise `TwinError` if a HookedTransformer can't represent a model with these settings."""
    KIND.check(settings)


def config(checkpoint: Checkpoint) -> dict[str, Any]:
    """Arguments of `HookedTransformerConfig`; raises `TwinError`."""
    settings = checkpoint.config.model
    check(settings)
    norm = {"layer_norm": "LN", "rms_norm": "RMS"}[settings.norm]
    turned = {"rotary_dim": settings.d_head, "rotary_base": 10000, "rotary_adjacent_pairs": True}
    rotary = settings.positions == "rotary"
    local = {"use_local_attn": True, "window_size": settings.window, "attn_types": ["local"] * settings.n_layers}
    return {
        "n_layers": settings.n_layers,
        "d_model": settings.d_model,
        "n_ctx": checkpoint.config.max_positions,
        "d_head": settings.d_head,
        "n_heads": settings.n_heads,
        "d_mlp": settings.d_ff,
        "d_vocab": checkpoint.config.vocabulary_size,
        "act_fn": "silu" if settings.activation == "swiglu" else settings.activation,
        "normalization_type": norm if settings.layer_norm else None,
        "use_attn_scale": settings.scale_scores,
        "default_prepend_bos": False,
        "device": "cpu",
        "positional_embedding_type": "rotary" if rotary else "standard",
        **(turned if rotary else {}),
        **({"gated_mlp": True} if settings.activation == "swiglu" else {}),
        **({"n_key_value_heads": settings.n_kv_heads} if settings.attention == "grouped_query" else {}),
        **({"attn_scores_soft_cap": settings.logit_cap} if settings.logit_cap else {}),
        **(local if settings.window else {}),
    }


def state(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """The weights by the names of `HookedTransformer`, as x @ W and with the heads apart.

    Token vectors times sqrt(D) become its table. A bias or scale that this model does not have is 0 or 1.
    """
    model, settings = checkpoint.model, checkpoint.config.model
    decoder, heads = model.decoder, settings.n_heads
    assert decoder
    weights = {"embed.W_E": twin.token_table(checkpoint)}
    grouped = settings.attention == "grouped_query"
    key_heads, kept = (settings.n_kv_heads, "_") if grouped else (heads, "")  # its weights that heads share have a _
    if settings.positions != "rotary":
        weights["pos_embed.W_pos"] = twin.position_table(checkpoint)

    def bias(part: Any) -> Tensor:
        return torch.zeros(len(part.weight)) if part.bias is None else part.bias.detach().clone()

    def linear(prefix: str, name: str, part: Any) -> None:
        weights[f"{prefix}W_{name}"] = part.weight.detach().t().contiguous()
        weights[f"{prefix}b_{name}"] = bias(part)

    def norm(path: str, part: Any) -> None:
        if settings.layer_norm:
            weights[f"{path}.w"] = part.weight.detach().clone()
            if settings.norm == "layer_norm":
                weights[f"{path}.b"] = bias(part)

    for index in range(settings.n_layers):
        layer: Any = decoder.layers[index]
        attention, block = layer.self_attention, f"blocks.{index}"
        norm(f"{block}.ln1", getattr(layer.self_attention_add_norm, "norm", None))
        parts = (
            ("", "Q", attention.w_q, heads),
            (kept, "K", attention.w_k, key_heads),
            (kept, "V", attention.w_v, key_heads),
        )
        for mark, name, part, number in parts:
            rows = part.weight.detach().unflatten(0, (number, -1))  # (H, K, D)
            weights[f"{block}.attn.{mark}W_{name}"] = rows.transpose(1, 2).contiguous()
            weights[f"{block}.attn.{mark}b_{name}"] = bias(part).unflatten(0, (number, -1))
        linear(f"{block}.attn.", "O", attention.w_o)
        weights[f"{block}.attn.W_O"] = weights[f"{block}.attn.W_O"].unflatten(0, (heads, -1))  # (H, K, D)
        norm(f"{block}.ln2", getattr(layer.feed_forward_add_norm, "norm", None))
        network = layer.feed_forward
        if settings.activation == "swiglu":
            weights[f"{block}.mlp.W_gate"] = network.w_1.weight.detach().t().contiguous()
        linear(f"{block}.mlp.", "in", network.w_3 if settings.activation == "swiglu" else network.w_1)
        linear(f"{block}.mlp.", "out", network.w_2)
    norm("ln_final", getattr(decoder, "norm", None))
    linear("unembed.", "U", model.head)
    return weights

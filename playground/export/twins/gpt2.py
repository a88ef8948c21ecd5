"""A decoder-only model as a GPT-2 model of the package transformers (Radford 2019): the same logits, other names."""

from typing import Any

import torch
from torch import Tensor

from playground.export.twins import twin
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import Checkpoint
from playground.tasks import BOS, EOS, PAD

KIND = twin.TwinKind("GPT-2", positions=("learned", "sinusoidal", "none"))
"""Its positions are a table with a vector for each position, counted from the start."""


def model(checkpoint: Checkpoint) -> Any:
    """A `GPT2LMHeadModel` in evaluation mode; raises `TwinError`. Needs `transformers`."""
    import transformers

    config, settings = checkpoint.config, checkpoint.config.model
    weights = state(checkpoint)
    made = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=config.vocabulary_size,
            n_positions=config.max_positions,
            n_embd=settings.d_model,
            n_layer=settings.n_layers,
            n_head=settings.n_heads,
            n_inner=settings.d_ff,
            activation_function=settings.activation,
            embd_pdrop=settings.dropout,
            resid_pdrop=settings.dropout,
            attn_pdrop=0.0,
            scale_attn_weights=settings.scale_scores,
            tie_word_embeddings=False,
            bos_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
        )
    ).eval()
    made.load_state_dict(weights)
    return made


def state(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """The weights by the names of `GPT2LMHeadModel`; raises `TwinError`.

    Its linear layers hold W as (in, out). Token vectors times sqrt(D) become its table, and the bias of the output
    layer, which it does not have, becomes a part of the last LayerNorm's bias: W (b_norm + d) = W b_norm + b.
    """
    source, settings = checkpoint.model, checkpoint.config.model
    KIND.check(settings)
    decoder = source.decoder
    assert decoder
    tensors = {
        "transformer.wte.weight": twin.token_table(checkpoint),
        "transformer.wpe.weight": twin.position_table(checkpoint),
        "lm_head.weight": source.head.weight.detach().clone(),
    }

    def put(name: str, *parts: Any, turn: bool = True) -> None:
        weights = [part.weight.detach() for part in parts]
        tensors[f"{name}.weight"] = (
            torch.cat([weight.t() for weight in weights], 1).contiguous() if turn else weights[0]
        )
        biases = [torch.zeros(len(part.weight)) if part.bias is None else part.bias.detach() for part in parts]
        tensors[f"{name}.bias"] = torch.cat(biases)

    for index in range(settings.n_layers):
        layer: Any = decoder.layers[index]
        attention, block = layer.self_attention, f"transformer.h.{index}"
        put(f"{block}.ln_1", layer.self_attention_add_norm.norm, turn=False)
        put(f"{block}.attn.c_attn", attention.w_q, attention.w_k, attention.w_v)
        put(f"{block}.attn.c_proj", attention.w_o)
        put(f"{block}.ln_2", layer.feed_forward_add_norm.norm, turn=False)
        put(f"{block}.mlp.c_fc", layer.feed_forward.w_1)
        put(f"{block}.mlp.c_proj", layer.feed_forward.w_2)
    put("transformer.ln_f", decoder.norm, turn=False)
    if source.head.bias is not None:
        tensors["transformer.ln_f.bias"] = tensors["transformer.ln_f.bias"] + _moved(source)
    return tensors


def _moved(model: TaskModel) -> Tensor:
    """(D,) d with W d = b, for weight W (V, D) and bias b (V,) of the output layer."""
    weight, bias = model.head.weight.detach().double(), model.head.bias.detach().double()
    moved = torch.linalg.lstsq(weight, bias[:, None]).solution[:, 0]
    if float((weight @ moved - bias).abs().max()) > twin.MAX_DIFFERENCE / 10:
        rows, width = weight.shape
        problem = f"Its output layer has no bias, and a bias of {width} numbers can't replace one of {rows}."
        raise twin.TwinError(f"GPT-2 can't express this model. {problem}")
    return moved.float()

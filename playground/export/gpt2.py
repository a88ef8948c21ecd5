"""A decoder-only model as a GPT-2 model of the package transformers (Radford 2019): the same logits, other names."""

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from playground.batches import Sequences, make_batch
from playground.errors import PlaygroundError
from playground.storage.checkpoint import Checkpoint
from playground.task_model import TaskModel
from playground.tasks import BOS, EOS, PAD, task_of, token_names

MAX_DIFFERENCE = 1e-4
"""Largest difference of a logit, relative to the largest logit where that is above 1."""
INPUTS = 64
"""How many held-out inputs are compared."""
POSITIONS = ("learned", "sinusoidal", "none")
"""What a table with a vector for each position, counted from the start, can hold."""


class Gpt2Error(PlaygroundError, ValueError):
    """A model that GPT-2 can't express."""


def content(checkpoint: Checkpoint) -> tuple[bytes, str]:
    """A zip file of a folder for `AutoModelForCausalLM.from_pretrained`, and a sentence on how it compares.

    Raises `Gpt2Error` with the reason if GPT-2 has no place for something in this model. Needs `transformers`.
    """
    import transformers

    transformers.utils.logging.disable_progress_bar()
    model, config = checkpoint.model, checkpoint.config
    weights = state(model)
    settings, names = config.model, token_names(config.task)
    twin = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(names),
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
    twin.load_state_dict(weights)
    difference = _difference(model, twin)
    if not difference <= MAX_DIFFERENCE:
        raise Gpt2Error(f"A logit of the GPT-2 model differs by {difference:.2g}, so this file was not written.")
    with tempfile.TemporaryDirectory() as folder:
        twin.save_pretrained(folder)
        (Path(folder) / "tokens.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
        (Path(folder) / "README.md").write_text(_readme(checkpoint), encoding="utf-8")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            for path in sorted(Path(folder).iterdir()):
                file.writestr(zipfile.ZipInfo(path.name), path.read_bytes())  # without a time: the same bytes each time
    return packed.getvalue(), f"Compared on {INPUTS} inputs: the largest difference of a logit is {difference:.1e}."


def state(model: TaskModel) -> dict[str, Tensor]:
    """The weights by the names of `GPT2LMHeadModel`; raises `Gpt2Error`.

    Its linear layers hold W as (in, out). Token vectors times sqrt(D) become its table, and the bias of the output
    layer, which it does not have, becomes a part of the last LayerNorm's bias: W (b_norm + d) = W b_norm + b.
    """
    problems = list(_problems(model))
    if problems:
        raise Gpt2Error(f"GPT-2 can't express this model. {' '.join(problems)}")
    settings, decoder = model.config.model, model.decoder
    assert decoder
    table = decoder.embeddings.token_table.weight.detach()
    positions = torch.zeros(model.config.max_positions, settings.d_model)
    if decoder.embeddings.positions is not None:
        positions = decoder.embeddings.positions.table.detach().clone()
    found = {
        "transformer.wte.weight": table * settings.d_model**0.5,
        "transformer.wpe.weight": positions,
        "lm_head.weight": model.head.weight.detach().clone(),
    }

    def put(name: str, *parts: Any, turn: bool = True) -> None:
        weights = [part.weight.detach() for part in parts]
        found[f"{name}.weight"] = torch.cat([each.t() for each in weights], 1).contiguous() if turn else weights[0]
        biases = [torch.zeros(len(part.weight)) if part.bias is None else part.bias.detach() for part in parts]
        found[f"{name}.bias"] = torch.cat(biases)

    for index in range(settings.n_layers):
        layer: Any = decoder.layers[index]
        attention, at = layer.self_attention, f"transformer.h.{index}"
        put(f"{at}.ln_1", layer.self_attention_add_norm.norm, turn=False)
        put(f"{at}.attn.c_attn", attention.w_q, attention.w_k, attention.w_v)
        put(f"{at}.attn.c_proj", attention.w_o)
        put(f"{at}.ln_2", layer.feed_forward_add_norm.norm, turn=False)
        put(f"{at}.mlp.c_fc", layer.feed_forward.w_1)
        put(f"{at}.mlp.c_proj", layer.feed_forward.w_2)
    put("transformer.ln_f", decoder.norm, turn=False)
    if model.head.bias is not None:
        found["transformer.ln_f.bias"] = found["transformer.ln_f.bias"] + _moved(model)
    return found


def _problems(model: TaskModel) -> Iterator[str]:
    settings = model.config.model
    if settings.architecture != "decoder-only":
        yield f"It has a decoder alone, and this model is {settings.architecture}."
    if not settings.layer_norm or settings.norm_position != "pre":
        yield "It normalises before each sublayer (pre-norm)."
    if not settings.residual:
        yield "It has residual connections."
    if not settings.causal_mask:
        yield "It has a causal mask."
    if settings.positions not in POSITIONS:
        yield f"It adds a vector for each position from the start, and this model's positions are {settings.positions}."


def _moved(model: TaskModel) -> Tensor:
    """(D,) d with W d = b, for weight W (V, D) and bias b (V,) of the output layer."""
    weight, bias = model.head.weight.detach().double(), model.head.bias.detach().double()
    moved = torch.linalg.lstsq(weight, bias[:, None]).solution[:, 0]
    if float((weight @ moved - bias).abs().max()) > MAX_DIFFERENCE / 10:
        rows, width = weight.shape
        problem = f"Its output layer has no bias. With {rows} tokens and a model width of {width}, no other bias"
        raise Gpt2Error(f"GPT-2 can't express this model. {problem} can stand for it.")
    return moved.float()


@torch.inference_mode()
def _difference(model: TaskModel, twin: Any) -> float:
    config = model.config
    source = Sequences.of(config.task).draw(INPUTS, torch.Generator().manual_seed(0))
    batch = make_batch(config, source, task_of(config.task).answers(source))
    assert batch.target is not None
    read = batch.target != PAD  # (B, T)
    right = model(*batch[:3])[0]
    found = twin(input_ids=batch.target, attention_mask=read.long()).logits
    return float((found - right)[read].abs().max()) / max(1.0, float(right[read].abs().max()))


def _readme(checkpoint: Checkpoint) -> str:
    config = checkpoint.config
    task = task_of(config.task)
    reads = "The model reads the input and the token SEP, and then predicts the answer, which ends with EOS."
    if task.continues:
        reads = "The model reads the token BOS and the beginning of a text, and continues it."
    return f"""# A tiny transformer for the task {config.task.name}, as a GPT-2 model

```python
import json
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained(".")  # this folder
tokens = json.load(open("tokens.json"))  # a token's number is its index
```

{reads} Task: {task.goal}.
"""

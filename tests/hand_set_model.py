"""A model whose weights are set by hand, so that its circuit is known: it copies by induction."""

import torch

from playground.interpret.input_pairs import Pairs, typed_pairs
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig

SYMBOLS, LENGTH, SHARPNESS = 6, 4, 6.0

CONFIG = RunConfig().updated(
    {
        "task.name": "copy",
        "task.vocab_size": SYMBOLS,
        "task.min_length": LENGTH,
        "task.max_length": LENGTH,
        "model.architecture": "decoder-only",
        "model.positions": "learned",
        "model.layer_norm": False,
        "model.d_model": 64,
        "model.n_heads": 2,
        "model.n_layers": 2,
        "model.d_ff": 8,
    }
)

PREVIOUS, INDUCTION = "decoder.layers.0.self_attention.head.0", "decoder.layers.1.self_attention.head.0"
SUM = "decoder.embeddings.sum"
KNOWN = (
    f"{SUM} -> {PREVIOUS}.value",
    f"{PREVIOUS} -> {INDUCTION}.key",
    f"{SUM} -> {INDUCTION}.query",
    f"{SUM} -> {INDUCTION}.value",
    f"{INDUCTION} -> logits",
)
"""The edges that carry tokens. What the previous-token head compares are positions, which no other input changes."""


@torch.no_grad()
def copying_model() -> TaskModel:
    """s1 s2 s3 s4 SEP a1 a2 a3 a4: each answer token finds the source token after its own copy.

    The stream has four rooms: the token, the token before it, the position, and what is predicted. Head 1 of layer 1
    copies the token before into its room; head 1 of layer 2 looks where that token is the one it reads, and predicts
    the token that stands there. SEP finds the first position, whose vector has SEP in the room of the token before. The
    other heads and the feed-forward networks have small random weights, which change no answer.
    """
    model = TaskModel(CONFIG).eval()
    tokens, positions, d, width = CONFIG.vocabulary_size, CONFIG.max_positions, 64, 32
    token, before, where, predicted = 0, tokens, 2 * tokens, 2 * tokens + positions
    assert predicted + tokens <= d
    sep, eos = 3, 2
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter.copy_(2e-2 * torch.randn(parameter.shape, generator=generator))
    eye = torch.eye(tokens)
    decoder = model.decoder
    assert decoder
    assert decoder.embeddings.positions
    decoder.embeddings.token_table.weight.zero_()[:, token : token + tokens] = eye / d**0.5
    table = decoder.embeddings.positions.table.zero_()
    table[:, where : where + positions] = torch.eye(positions)
    table[0, before : before + tokens] = -1.0  # its head can only copy from itself
    table[0, before + sep] = 1.0
    first, second = (layer.self_attention for layer in decoder.layers)
    rows = slice(0, width)
    for attention in (first, second):
        for linear in (attention.w_q, attention.w_k, attention.w_v):
            linear.weight[rows] = 0
            linear.bias[rows] = 0
        attention.w_o.weight[:, rows] = 0
    strength = (SHARPNESS * width**0.5) ** 0.5
    for position in range(1, positions):
        first.w_q.weight[position - 1, where + position] = strength
    first.w_k.weight[:positions, where : where + positions] = strength * torch.eye(positions)
    first.w_v.weight[:tokens, token : token + tokens] = eye
    first.w_o.weight[before : before + tokens, :tokens] = eye
    second.w_q.weight[:tokens, token : token + tokens] = strength * eye
    second.w_k.weight[:tokens, before : before + tokens] = strength * eye
    second.w_v.weight[:tokens, token : token + tokens] = eye
    second.w_o.weight[predicted : predicted + tokens, :tokens] = eye
    model.head.weight[:, predicted : predicted + tokens] = 10 * eye
    model.head.weight[[sep, eos], predicted + sep] = torch.tensor([0.0, 10.0])  # behind the source stands SEP
    return model


def pairs() -> Pairs:
    """Inputs whose symbols differ, so that each token has one copy."""
    texts = ["0 1 2 3", "4 2 5 0", "3 5 1 4", "2 0 4 1"]
    return typed_pairs(CONFIG, texts, ["5 4 0 1", "1 3 2 5", "0 2 4 3", "3 5 1 0"])

import math

import torch


def init_params(d_model, n_heads, d_ff, seed=0):
    g = torch.Generator().manual_seed(seed)

    def w(*shape):
        return torch.randn(*shape, generator=g) / math.sqrt(shape[-2])

    d_head = d_model // n_heads
    return {
        "attn": {
            "wq": w(n_heads, d_model, d_head),
            "wk": w(n_heads, d_model, d_head),
            "wv": w(n_heads, d_model, d_head),
            "wo": w(n_heads, d_head, d_model),
        },
        "mlp": {"w_in": w(d_model, d_ff), "b_in": torch.zeros(d_ff), "w_out": w(d_ff, d_model), "b_out": torch.zeros(d_model)},
        "ln1": {"scale": torch.ones(d_model), "bias": torch.zeros(d_model)},
        "ln2": {"scale": torch.ones(d_model), "bias": torch.zeros(d_model)},
    }


def layer_norm(p, x, eps=1e-5):
    x = x - x.mean(-1, keepdim=True)
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) * p["scale"] + p["bias"]


def attention(p, x, mask):
    q = torch.einsum("btd,hde->bhte", x, p["wq"])
    k = torch.einsum("btd,hde->bhte", x, p["wk"])
    v = torch.einsum("btd,hde->bhte", x, p["wv"])
    logits = torch.einsum("bhqe,bhke->bhqk", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:  # (batch, time), 1 for words and 0 for padding
        logits = torch.where(mask[:, None, None, :] > 0, logits, torch.tensor(-1e9))
    return torch.einsum("bhqk,bhke,hed->bqd", torch.softmax(logits, -1), v, p["wo"])


def mlp(p, x):
    return torch.relu(x @ p["w_in"] + p["b_in"]) @ p["w_out"] + p["b_out"]


def encoder_block(params, x, mask=None):
    x = x + attention(params["attn"], layer_norm(params["ln1"], x), mask)
    x = x + mlp(params["mlp"], layer_norm(params["ln2"], x))
    return x

import numpy as np


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)

def layer_norm(x, g, b, eps=1e-5):
    return g * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + b

def linear(x, w, b):
    return x @ w + b

def ffn(x, c_fc, c_proj):
    return linear(gelu(linear(x, **c_fc)), **c_proj)

def attention(q, k, v, mask):
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v

def mha(x, c_attn, c_proj, n_head):
    t, d = x.shape
    q, k, v = np.split(linear(x, **c_attn), 3, axis=-1)            # three times [t, d]
    causal_mask = np.triu(np.full((t, t), -1e10), k=1)
    size = d // n_head
    out = np.empty_like(x)
    for h in range(n_head):
        part = slice(h * size, (h + 1) * size)
        out[:, part] = attention(q[:, part], k[:, part], v[:, part], causal_mask)
    return linear(out, **c_proj)

def gpt(inputs, params, n_head=4):
    """inputs: token ids of one text. Returns [t, vocab]."""
    x = params["wte"][inputs] + params["wpe"][: len(inputs)]
    for b in params["blocks"]:
        x = x + mha(layer_norm(x, **b["ln_1"]), **b["attn"], n_head=n_head)
        x = x + ffn(layer_norm(x, **b["ln_2"]), **b["mlp"])
    return layer_norm(x, **params["ln_f"]) @ params["wte"].T       # same matrix as for the input

def random_params(vocab=50, ctx=32, d=16, n_layer=2, seed=0):
    rng = np.random.default_rng(seed)
    lin = lambda i, o: {"w": rng.normal(0, 0.2, (i, o)), "b": np.zeros(o)}
    ln = lambda: {"g": np.ones(d), "b": np.zeros(d)}
    return {
        "wte": rng.normal(0, 0.2, (vocab, d)),
        "wpe": rng.normal(0, 0.2, (ctx, d)),
        "blocks": [
            {
                "attn": {"c_attn": lin(d, 3 * d), "c_proj": lin(d, d)},
                "mlp": {"c_fc": lin(d, 4 * d), "c_proj": lin(4 * d, d)},
                "ln_1": ln(),
                "ln_2": ln(),
            }
            for _ in range(n_layer)
        ],
        "ln_f": ln(),
    }

def generate(inputs, n_tokens, params, n_head=4):
    inputs = list(inputs)
    for _ in range(n_tokens):
        inputs.append(int(np.argmax(gpt(inputs, params, n_head)[-1])))
    return inputs

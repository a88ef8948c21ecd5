import numpy as np


def init_mha(d_model, n_heads, seed=0):
    """Returns the weights of one attention block in a dict."""
    rng = np.random.default_rng(seed)
    s = 1.0 / np.sqrt(d_model)
    params = {name: rng.uniform(-s, s, (d_model, d_model)) for name in ("wq", "wk", "wv", "wo")}
    params["n_heads"] = n_heads
    return params


def _split(x, h):
    b, t, d = x.shape
    return x.reshape(b, t, h, d // h).transpose(0, 2, 1, 3)


def _merge(x):
    b, h, t, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, t, h * d)


def multi_head_attention(params, x, context=None, mask=None):
    # mask is 1 for visible and 0 for hidden keys
    context = x if context is None else context
    h = params["n_heads"]
    q = _split(x @ params["wq"], h)
    k = _split(context @ params["wk"], h)
    v = _split(context @ params["wv"], h)
    a = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    if mask is not None:
        a = a - 1e10 * (1 - mask)
    a = np.exp(a - a.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    return _merge(a @ v) @ params["wo"]

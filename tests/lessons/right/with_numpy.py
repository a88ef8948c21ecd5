"""attention layer-norm feed-forward positional-encoding masks multi-head-attention"""

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask):
    """Q, K, V: (n, d). 1 in the mask marks a position that is hidden."""
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = softmax(scores + mask * -1e9)
    return weights @ V, weights


def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(var + eps) + beta


def feed_forward(x, W1, b1, W2, b2):
    return np.maximum(0, x @ W1 + b1) @ W2 + b2


def positional_encoding(seq_len, d_model):
    angles = np.arange(seq_len)[:, None] / np.power(10000, 2 * (np.arange(d_model)[None] // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles


def causal_mask(n):
    return np.triu(np.full((n, n), -np.inf), k=1)


def multi_head_attention(x, W_q, W_k, W_v, W_o, n_heads, mask):
    def heads(y):
        return y.reshape(*y.shape[:-1], n_heads, -1).swapaxes(-2, -3)

    out, _ = attention(heads(x @ W_q), heads(x @ W_k), heads(x @ W_v), mask)
    return out.swapaxes(-2, -3).reshape(x.shape) @ W_o

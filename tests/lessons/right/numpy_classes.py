"""multi-head-attention layer-norm feed-forward encoder-layer decoder-layer"""

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class MultiHeadAttention:
    def __init__(self, d_model, n_heads):
        self.n_heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) for _ in range(4))

    def __call__(self, query, memory, mask):
        def heads(y):
            return y.reshape(*y.shape[:2], self.n_heads, -1).transpose(0, 2, 1, 3)

        q, k, v = heads(query @ self.W_q), heads(memory @ self.W_k), heads(memory @ self.W_v)
        scores = np.where(mask, q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]), -1e9)
        return (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(query.shape) @ self.W_o


class LayerNorm:
    def __init__(self, d_model):
        self.gamma, self.beta = np.ones(d_model), np.zeros(d_model)

    def __call__(self, x):
        return self.gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + self.beta


class FeedForward:
    def __init__(self, d_model, d_ff):
        self.W1, self.b1 = np.random.randn(d_model, d_ff), np.zeros(d_ff)
        self.W2, self.b2 = np.random.randn(d_ff, d_model), np.zeros(d_model)

    def __call__(self, x):
        return np.maximum(x @ self.W1 + self.b1, 0) @ self.W2 + self.b2


class EncoderLayer:
    def __init__(self, d_model, n_heads, d_ff):
        self.attention, self.feed_forward = MultiHeadAttention(d_model, n_heads), FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

    def __call__(self, x, mask):
        x = self.norm1(x + self.attention(x, x, mask))
        return self.norm2(x + self.feed_forward(x))


class DecoderLayer:
    def __init__(self, d_model, n_heads, d_ff):
        self.self_attention, self.cross_attention = (MultiHeadAttention(d_model, n_heads) for _ in range(2))
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))

    def __call__(self, x, memory, src_mask, tgt_mask):
        y = self.norm1(x)
        x = x + self.self_attention(y, y, tgt_mask)
        x = x + self.cross_attention(self.norm2(x), memory, src_mask)
        return x + self.feed_forward(self.norm3(x))

"""One transformer encoder layer in NumPy, forward pass only (post-norm)."""
import numpy as np


def softmax(x):
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    return x / x.sum(axis=-1, keepdims=True)


def layer_norm(x, g, b, eps=1e-5):
    mu = x.mean(-1, keepdims=True)
    var = x.var(-1, keepdims=True)
    return g * (x - mu) / np.sqrt(var + eps) + b


class EncoderLayer:
    def __init__(self, d_model=16, n_heads=4, d_ff=32, seed=0):
        assert d_model % n_heads == 0
        rng = np.random.RandomState(seed)
        self.h, self.d_k = n_heads, d_model // n_heads
        w = lambda i, o: rng.randn(i, o) * np.sqrt(2.0 / (i + o))
        self.Wq, self.Wk, self.Wv, self.Wo = (w(d_model, d_model) for _ in range(4))
        self.W1, self.b1 = w(d_model, d_ff), np.zeros(d_ff)
        self.W2, self.b2 = w(d_ff, d_model), np.zeros(d_model)
        self.g1, self.be1 = np.ones(d_model), np.zeros(d_model)
        self.g2, self.be2 = np.ones(d_model), np.zeros(d_model)

    def self_attention(self, x, mask):
        B, T, D = x.shape
        heads = []
        q, k, v = x @ self.Wq, x @ self.Wk, x @ self.Wv
        for i in range(self.h):
            s = slice(i * self.d_k, (i + 1) * self.d_k)
            scores = q[..., s] @ k[..., s].transpose(0, 2, 1) / np.sqrt(self.d_k)
            if mask is not None:
                scores = np.where(mask, scores, -1e9)
            heads.append(softmax(scores) @ v[..., s])
        return np.concatenate(heads, axis=-1) @ self.Wo

    def ffn(self, x):
        return np.maximum(0, x @ self.W1 + self.b1) @ self.W2 + self.b2

    def __call__(self, x, mask=None):
        # mask: (B, T, T) or (B, 1, T) bool, True = visible
        x = layer_norm(x + self.self_attention(x, mask), self.g1, self.be1)
        x = layer_norm(x + self.ffn(x), self.g2, self.be2)
        return x


if __name__ == "__main__":
    layer = EncoderLayer()
    print(layer(np.random.randn(2, 7, 16)).shape)

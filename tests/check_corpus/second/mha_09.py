import numpy as np


def softmax(z, axis=-1):
    z = z - z.max(axis=axis, keepdims=True)
    ez = np.exp(z)
    return ez / np.sum(ez, axis=axis, keepdims=True)


class MultiHeadAttention:
    """Multi-head attention in plain numpy (forward only)."""

    def __init__(self, d_model, num_heads, seed=0):
        assert d_model % num_heads == 0
        rng = np.random.default_rng(seed)
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        scale = np.sqrt(1.0 / d_model)
        self.W_q = rng.normal(0, scale, (d_model, d_model))
        self.W_k = rng.normal(0, scale, (d_model, d_model))
        self.W_v = rng.normal(0, scale, (d_model, d_model))
        self.W_o = rng.normal(0, scale, (d_model, d_model))

    def _split(self, x):
        # (B, T, D) -> (B, H, T, D/H)
        B, T, _ = x.shape
        return x.reshape(B, T, self.num_heads, self.d_head).transpose(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        Q = self._split(query @ self.W_q)
        K = self._split(key @ self.W_k)
        V = self._split(value @ self.W_v)

        scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(self.d_head)
        if mask is not None:
            scores = scores + mask      # 0 / -1e9
        self.weights = softmax(scores)
        ctx = self.weights @ V
        B, H, T, d = ctx.shape
        ctx = ctx.transpose(0, 2, 1, 3).reshape(B, T, H * d)
        return ctx @ self.W_o

    __call__ = forward


if __name__ == "__main__":
    x = np.random.randn(2, 5, 16)
    causal = np.triu(np.full((5, 5), -1e9), k=1)
    mha = MultiHeadAttention(16, 4)
    print(mha(x, x, x, causal).shape)

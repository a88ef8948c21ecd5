import numpy as np


def softmax(z):
    z = z - z.max(axis=-1, keepdims=True)   # otherwise exp overflows
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """
    Q: (..., n_q, d_k)
    K: (..., n_k, d_k)
    V: (..., n_k, d_v)
    mask: (..., n_q, n_k), True = allowed
    returns (..., n_q, d_v)
    """
    d_k = K.shape[-1]
    logits = Q @ np.swapaxes(K, -1, -2)
    logits = logits * d_k ** -0.5
    if mask is not None:
        logits = np.where(mask, logits, -1e9)
    return softmax(logits) @ V


# tiny sanity check
rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
assert scaled_dot_product_attention(q, k, v).shape == (3, 2)
assert np.allclose(scaled_dot_product_attention(q, k, np.ones((5, 2))), 1)

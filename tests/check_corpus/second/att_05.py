import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """
    Arguments:
    Q -- queries, shape (..., seq_len_q, depth)
    K -- keys, shape (..., seq_len_k, depth)
    V -- values, shape (..., seq_len_k, depth_v)
    mask -- 1 where a position must NOT be seen, broadcastable to (..., seq_len_q, seq_len_k)

    Returns:
    output, attention_weights
    """
    matmul_qk = np.matmul(Q, np.swapaxes(K, -1, -2))
    dk = K.shape[-1]
    logits = matmul_qk / np.sqrt(dk)
    if mask is not None:
        logits = logits + mask * -1e9
    weights = softmax(logits)
    output = np.matmul(weights, V)
    return output, weights


if __name__ == "__main__":
    np.set_printoptions(precision=3, suppress=True)
    k = np.array([[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]], dtype=float)
    v = np.array([[1, 0], [10, 0], [100, 5], [1000, 6]], dtype=float)
    q = np.array([[0, 10, 0]], dtype=float)
    o, w = scaled_dot_product_attention(q, k, v)
    print(w, o)

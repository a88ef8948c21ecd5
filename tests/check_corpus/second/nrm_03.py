import numpy as np


class LayerNormalization:
    def __init__(self, normalized_dim, eps=1e-5):
        self.eps = eps
        self.gamma = np.ones(normalized_dim)
        self.beta = np.zeros(normalized_dim)

    def forward(self, X):
        self.mean = np.mean(X, axis=-1, keepdims=True)
        self.var = np.var(X, axis=-1, keepdims=True)
        self.std_inv = 1.0 / np.sqrt(self.var + self.eps)
        self.X_hat = (X - self.mean) * self.std_inv
        return self.gamma * self.X_hat + self.beta

    def backward(self, dout):
        axes = tuple(range(dout.ndim - 1))
        self.dgamma = np.sum(dout * self.X_hat, axis=axes)
        self.dbeta = np.sum(dout, axis=axes)
        dX_hat = dout * self.gamma
        D = dout.shape[-1]
        return (self.std_inv / D) * (
            D * dX_hat
            - np.sum(dX_hat, axis=-1, keepdims=True)
            - self.X_hat * np.sum(dX_hat * self.X_hat, axis=-1, keepdims=True)
        )

import torch


class Normalization(torch.nn.Module):
    """Over the last axes. Var[x] = E[x^2] - E[x]^2 saves one pass over the data."""

    def __init__(self, shape, *, epsilon=1e-3, affine=True):
        super().__init__()
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.epsilon = epsilon
        self.affine = affine
        if affine:
            self.gain = torch.nn.Parameter(torch.ones(self.shape))
            self.shift = torch.nn.Parameter(torch.zeros(self.shape))

    def forward(self, x):
        assert x.shape[-len(self.shape):] == self.shape, x.shape
        dims = [-(i + 1) for i in range(len(self.shape))]
        m1 = x.mean(dim=dims, keepdim=True)
        m2 = (x * x).mean(dim=dims, keepdim=True)
        x = (x - m1) * torch.rsqrt((m2 - m1 * m1).clamp(min=0) + self.epsilon)
        return x * self.gain + self.shift if self.affine else x

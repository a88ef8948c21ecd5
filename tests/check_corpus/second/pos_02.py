import torch
from torch import nn, Tensor


class SinusoidalPositionEmbedding(nn.Module):

    def __init__(self, dim: int, max_seq_len: int = 512):
        super().__init__()
        assert dim % 2 == 0
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        t = torch.arange(max_seq_len).float()
        angles = torch.einsum("i,j->ij", t, inv_freq)   # (max_seq_len, dim/2)
        emb = torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(1)
        self.register_buffer("emb", emb, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.emb[None, :x.shape[1], :]


if __name__ == "__main__":
    pe = SinusoidalPositionEmbedding(16)
    print(pe(torch.zeros(1, 4, 16)))

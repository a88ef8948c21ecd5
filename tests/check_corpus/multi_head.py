import torch
import torch.nn as nn
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, n_heads, d_model, dropout = 0.1):
        super().__init__()
        if d_model % n_heads != 0:
            raise ValueError('d_model must be a multiple of n_heads')
        self.n_heads = n_heads
        self.head_size = d_model // n_heads

        self.q_linear = nn.Linear(d_model, d_model)
        self.k_linear = nn.Linear(d_model, d_model)
        self.v_linear = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, q, k, v, mask=None):
        B = q.size(0)

        # batch, heads, words, head size
        q = self.q_linear(q).view(B, self.n_heads, -1, self.head_size)
        k = self.k_linear(k).view(B, self.n_heads, -1, self.head_size)
        v = self.v_linear(v).view(B, self.n_heads, -1, self.head_size)

        att = (q @ k.transpose(2, 3)) / self.head_size ** 0.5
        if mask is not None:
            # (batch, 1 or words, words), 0 = hidden
            att = att.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        att = self.dropout(F.softmax(att, dim=-1))

        # heads side by side again
        y = (att @ v).view(B, -1, self.n_heads * self.head_size)
        return self.out(y)

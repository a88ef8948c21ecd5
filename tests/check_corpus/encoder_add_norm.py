import torch
from torch import nn


class AddNorm(nn.Module):
    """Residual connection and layer normalization"""

    def __init__(self, dim, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x, sublayer_out):
        return x + self.norm(self.dropout(sublayer_out))


class FFN(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.layers(x)


class TransformerEncoderBlock(nn.Module):
    """The block of "Attention is all you need" """

    def __init__(self, num_hiddens, ffn_num_hiddens, num_heads, dropout=0.1):
        super().__init__()
        self.attention = nn.MultiheadAttention(num_hiddens, num_heads, dropout=dropout, batch_first=True)
        self.addnorm1 = AddNorm(num_hiddens, dropout)
        self.ffn = FFN(num_hiddens, ffn_num_hiddens)
        self.addnorm2 = AddNorm(num_hiddens, dropout)

    def forward(self, X, valid_lens=None):
        padding = None
        if valid_lens is not None:
            padding = torch.arange(X.size(1), device=X.device)[None] >= valid_lens[:, None]
        Y, _ = self.attention(X, X, X, key_padding_mask=padding, need_weights=False)
        X = self.addnorm1(X, Y)
        return self.addnorm2(X, self.ffn(X))

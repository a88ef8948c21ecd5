"""attention multi-head-attention layer-norm feed-forward encoder-layer decoder-layer"""

from torch import nn
from torch.nn import functional as F


def attention(q, k, v, attn_mask=None):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask)


class MultiheadAttention(nn.MultiheadAttention):
    pass


class LayerNorm(nn.LayerNorm):
    pass


class FeedForward(nn.Sequential):
    def __init__(self, dim, hidden_dim, dropout=0.0):
        super().__init__(nn.Linear(dim, hidden_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden_dim, dim))


class TransformerEncoderLayer(nn.TransformerEncoderLayer):
    def __init__(self, d_model, nhead, dim_feedforward):
        super().__init__(d_model, nhead, dim_feedforward, batch_first=True)


class TransformerDecoderLayer(nn.TransformerDecoderLayer):
    def __init__(self, d_model, nhead, dim_feedforward):
        super().__init__(d_model, nhead, dim_feedforward, norm_first=True)

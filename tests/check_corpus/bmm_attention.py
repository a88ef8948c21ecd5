import torch
import torch.nn as nn


class ScaledDotProductAttention(nn.Module):
    ''' Scaled Dot-Product Attention '''

    def __init__(self, attn_dropout=0.1):
        super(ScaledDotProductAttention, self).__init__()
        self.dropout = nn.Dropout(attn_dropout)
        self.softmax = nn.Softmax(dim=2)

    def forward(self, q, k, v, attn_mask=None):
        # q: [B, L_q, D], k: [B, L_k, D], v: [B, L_k, D_v]
        scale = k.size(-1)
        attn = torch.bmm(q, k.transpose(1, 2)) / scale
        if attn_mask is not None:
            # attn_mask is True at padding
            attn = attn.masked_fill(attn_mask, float('-inf'))
        attn = self.softmax(attn)
        attn = self.dropout(attn)
        context = torch.bmm(attn, v)
        return context, attn


def test():
    layer = ScaledDotProductAttention()
    q = torch.rand(2, 3, 8)
    k = torch.rand(2, 5, 8)
    context, attn = layer(q, k, k)
    assert context.shape == (2, 3, 8)
    assert attn.shape == (2, 3, 5)


test()

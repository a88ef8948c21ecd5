"""Multi-head attention on PyTorch's own kernel."""
import torch.nn as nn
import torch.nn.functional as F


class FastMultiHeadAttention(nn.Module):
    def __init__(self, hidden_size, num_attention_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_attention_heads
        self.head_size = hidden_size // num_attention_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, hidden_size)
        self.v_proj = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, hidden_size)
        self.dropout = dropout

    def _heads(self, x):
        return x.unflatten(-1, (self.num_heads, self.head_size)).transpose(1, 2)

    def forward(self, query, key, value, key_padding_mask=None):
        """
        key_padding_mask: BoolTensor of shape (batch, key length). As with nn.MultiheadAttention,
        True marks padding, which is ignored.
        """
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask[:, None, None, :]
        y = F.scaled_dot_product_attention(
            self._heads(self.q_proj(query)),
            self._heads(self.k_proj(key)),
            self._heads(self.v_proj(value)),
            attn_mask=key_padding_mask,
            dropout_p=self.dropout if self.training else 0.0,
        )
        return self.out_proj(y.transpose(1, 2).flatten(-2))

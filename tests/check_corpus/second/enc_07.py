import torch
import torch.nn as nn
import torch.nn.functional as F
from argparse import Namespace


class TransformerEncoderLayer(nn.Module):
    """Encoder layer block, T x B x C.

    With args.encoder_normalize_before the norm is applied before each block.
    """

    def __init__(self, args):
        super().__init__()
        self.embed_dim = args.encoder_embed_dim
        self.self_attn = nn.MultiheadAttention(
            self.embed_dim, args.encoder_attention_heads, dropout=args.attention_dropout
        )
        self.self_attn_layer_norm = nn.LayerNorm(self.embed_dim)
        self.dropout = args.dropout
        self.normalize_before = args.encoder_normalize_before
        self.fc1 = nn.Linear(self.embed_dim, args.encoder_ffn_embed_dim)
        self.fc2 = nn.Linear(args.encoder_ffn_embed_dim, self.embed_dim)
        self.final_layer_norm = nn.LayerNorm(self.embed_dim)

    def maybe_layer_norm(self, layer_norm, x, before=False, after=False):
        assert before ^ after
        if after ^ self.normalize_before:
            return layer_norm(x)
        return x

    def forward(self, x, encoder_padding_mask=None):
        """
        Args:
            x: input of shape (seq_len, batch, embed_dim)
            encoder_padding_mask: bool tensor (batch, seq_len), padding is 1
        """
        residual = x
        x = self.maybe_layer_norm(self.self_attn_layer_norm, x, before=True)
        x, _ = self.self_attn(query=x, key=x, value=x, key_padding_mask=encoder_padding_mask)
        x = F.dropout(x, p=self.dropout, training=self.training)
        x = residual + x
        x = self.maybe_layer_norm(self.self_attn_layer_norm, x, after=True)

        residual = x
        x = self.maybe_layer_norm(self.final_layer_norm, x, before=True)
        x = F.relu(self.fc1(x))
        x = self.fc2(x)
        x = F.dropout(x, p=self.dropout, training=self.training)
        x = residual + x
        x = self.maybe_layer_norm(self.final_layer_norm, x, after=True)
        return x


if __name__ == "__main__":
    args = Namespace(encoder_embed_dim=32, encoder_attention_heads=4, attention_dropout=0.1,
                     dropout=0.1, encoder_normalize_before=True, encoder_ffn_embed_dim=64)
    print(TransformerEncoderLayer(args)(torch.randn(5, 2, 32)).shape)

"""transformer positional-encoding"""

import math

import torch
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, emb_size, dropout, maxlen=40):
        super().__init__()
        den = torch.exp(-torch.arange(0, emb_size, 2) * math.log(10000) / emb_size)
        pos = torch.arange(0, maxlen).reshape(maxlen, 1)
        table = torch.stack([torch.sin(pos * den), torch.cos(pos * den)], dim=2).flatten(1)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("table", table)

    def forward(self, token_embedding):
        return self.dropout(token_embedding + self.table[: token_embedding.size(1), :])


class Seq2SeqTransformer(nn.Module):
    def __init__(
        self, num_encoder_layers, num_decoder_layers, emb_size, nhead, src_vocab_size, tgt_vocab_size, dim_feedforward
    ):
        super().__init__()
        self.transformer = nn.Transformer(
            emb_size, nhead, num_encoder_layers, num_decoder_layers, dim_feedforward, batch_first=True
        )
        self.generator = nn.Linear(emb_size, tgt_vocab_size)
        self.src_tok_emb = nn.Embedding(src_vocab_size, emb_size)
        self.tgt_tok_emb = nn.Embedding(tgt_vocab_size, emb_size)
        self.positional_encoding = PositionalEncoding(emb_size, 0.1)
        self.scale = math.sqrt(emb_size)

    def forward(self, src, tgt):
        x = self.positional_encoding(self.src_tok_emb(src) * self.scale)
        y = self.positional_encoding(self.tgt_tok_emb(tgt) * self.scale)
        causal = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool).triu(1)
        padding = src == 0
        x = self.transformer(
            x,
            y,
            tgt_mask=causal,
            src_key_padding_mask=padding,
            tgt_key_padding_mask=tgt == 0,
            memory_key_padding_mask=padding,
        )
        return self.generator(x)

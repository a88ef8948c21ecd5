import math

import torch
from torch import Tensor, nn


class PositionalEncoding(nn.Module):
    def __init__(self, emb_size: int, dropout: float, max_len: int = 500):
        super().__init__()
        rate = 10000.0 ** (-torch.arange(0, emb_size, 2) / emb_size)
        phase = torch.arange(max_len)[:, None] * rate
        table = torch.zeros(1, max_len, emb_size)
        table[0, :, 0::2] = phase.sin()
        table[0, :, 1::2] = phase.cos()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("table", table)

    def forward(self, embedded: Tensor):
        return self.dropout(embedded + self.table[:, :embedded.size(1)])


class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size: int, emb_size: int):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, emb_size)
        self.emb_size = emb_size

    def forward(self, tokens: Tensor):
        return math.sqrt(self.emb_size) * self.embedding(tokens)


class Seq2SeqTransformer(nn.Module):
    def __init__(self, num_encoder_layers: int, num_decoder_layers: int, emb_size: int, nhead: int,
                 src_vocab_size: int, tgt_vocab_size: int, dim_feedforward: int = 512,
                 dropout: float = 0.1, pad_idx: int = 0):
        super().__init__()
        self.pad_idx = pad_idx
        self.transformer = nn.Transformer(
            d_model=emb_size, nhead=nhead, num_encoder_layers=num_encoder_layers,
            num_decoder_layers=num_decoder_layers, dim_feedforward=dim_feedforward,
            dropout=dropout, batch_first=True)
        self.generator = nn.Linear(emb_size, tgt_vocab_size)
        self.src_tok_emb = TokenEmbedding(src_vocab_size, emb_size)
        self.tgt_tok_emb = TokenEmbedding(tgt_vocab_size, emb_size)
        self.positional_encoding = PositionalEncoding(emb_size, dropout=dropout)

    def forward(self, src: Tensor, trg: Tensor):
        """src: (batch, S), trg: (batch, T) of token ids"""
        t = trg.size(1)
        future = torch.ones(t, t, dtype=torch.bool, device=trg.device).triu(1)
        src_padding = src == self.pad_idx
        outs = self.transformer(
            self.positional_encoding(self.src_tok_emb(src)),
            self.positional_encoding(self.tgt_tok_emb(trg)),
            tgt_mask=future,
            src_key_padding_mask=src_padding,
            tgt_key_padding_mask=trg == self.pad_idx,
            memory_key_padding_mask=src_padding)
        return self.generator(outs)

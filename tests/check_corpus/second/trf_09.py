import math
import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return self.dropout(x + self.pe[:, :x.size(1)])


class Embeddings(nn.Module):
    """token embedding + position"""
    def __init__(self, vocab, d_model, dropout):
        super().__init__()
        self.lut = nn.Embedding(vocab, d_model, padding_idx=0)
        self.pos = PositionalEncoding(d_model, dropout)
        self.d_model = d_model

    def forward(self, x):
        return self.pos(self.lut(x) * math.sqrt(self.d_model))


class TranslationModel(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=32, nhead=4, num_layers=2, d_ff=64, dropout=0.1, pad_idx=0):
        super().__init__()
        self.pad_idx = pad_idx
        self.src_embed = Embeddings(src_vocab, d_model, dropout)
        self.tgt_embed = Embeddings(tgt_vocab, d_model, dropout)
        self.pos_encoder = PositionalEncoding(d_model, dropout)
        self.transformer = nn.Transformer(
            d_model, nhead, num_layers, num_layers, d_ff, dropout, batch_first=True
        )
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        src_pad = src == self.pad_idx
        tgt_pad = tgt == self.pad_idx
        L = tgt.size(1)
        tgt_mask = torch.triu(torch.ones(L, L, dtype=torch.bool, device=tgt.device), diagonal=1)

        src = self.pos_encoder(self.src_embed(src))
        tgt = self.pos_encoder(self.tgt_embed(tgt))
        h = self.transformer(
            src, tgt, tgt_mask=tgt_mask,
            src_key_padding_mask=src_pad, tgt_key_padding_mask=tgt_pad,
            memory_key_padding_mask=src_pad,
        )
        return self.out(h)


if __name__ == "__main__":
    m = TranslationModel(50, 60)
    print(m(torch.randint(1, 50, (2, 7)), torch.randint(1, 60, (2, 6))).shape)

import math
import torch
import torch.nn as nn

PAD, BOS, EOS = 0, 1, 2


class TranslationModel(nn.Module):
    """
    nn.Transformer with embeddings and a linear layer.
    Sentences of a batch are filled up with PAD.
    """

    def __init__(self, src_vocab, tgt_vocab, dim=32, heads=4, layers=2, ff=64, dropout=0.1, max_len=200):
        super().__init__()
        self.dim = dim
        self.src_embed = nn.Embedding(src_vocab, dim, padding_idx=PAD)
        self.tgt_embed = nn.Embedding(tgt_vocab, dim, padding_idx=PAD)
        self.transformer = nn.Transformer(dim, heads, layers, layers, ff, dropout, batch_first=True)
        self.out = nn.Linear(dim, tgt_vocab)
        self.dropout = nn.Dropout(dropout)

        pe = torch.zeros(max_len, dim)
        position = torch.arange(max_len, dtype=torch.float).unsqueeze(1)
        freq = torch.pow(10000.0, -torch.arange(0, dim, 2).float() / dim)
        pe[:, 0::2] = torch.sin(position * freq)
        pe[:, 1::2] = torch.cos(position * freq)
        self.register_buffer("pe", pe)

    def embed(self, table, tokens):
        return self.dropout(table(tokens) * math.sqrt(self.dim) + self.pe[: tokens.size(1)])

    def forward(self, src, tgt):
        # padding_idx takes care of the padding, so only the future must be hidden
        tgt_mask = self.transformer.generate_square_subsequent_mask(tgt.size(1)).to(src.device)
        hidden = self.transformer(self.embed(self.src_embed, src), self.embed(self.tgt_embed, tgt), tgt_mask=tgt_mask)
        return self.out(hidden)

    @torch.no_grad()
    def translate(self, src, max_len=20):
        self.eval()
        ys = torch.full((src.size(0), 1), BOS, device=src.device)
        for _ in range(max_len):
            next_word = self(src, ys)[:, -1].argmax(-1, keepdim=True)
            ys = torch.cat([ys, next_word], dim=1)
        return ys

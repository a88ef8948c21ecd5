"""multi-head-attention encoder-layer transformer"""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.heads = heads
        self.values = nn.Linear(embed_size, embed_size)
        self.keys = nn.Linear(embed_size, embed_size)
        self.queries = nn.Linear(embed_size, embed_size)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query, mask):
        rows, length = query.shape[:2]
        v = self.values(values).reshape(rows, values.shape[1], self.heads, -1)
        k = self.keys(keys).reshape(rows, keys.shape[1], self.heads, -1)
        q = self.queries(query).reshape(rows, length, self.heads, -1)
        energy = torch.einsum("nqhd,nkhd->nhqk", [q, k])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))
        attention = torch.softmax(energy / k.shape[-1] ** 0.5, dim=3)
        return self.fc_out(torch.einsum("nhql,nlhd->nqhd", [attention, v]).reshape(rows, length, -1))


class TransformerBlock(nn.Module):
    def __init__(self, embed_size, heads, dropout, ff_dim):
        super().__init__()
        self.attention = SelfAttention(embed_size, heads)
        self.norm1, self.norm2 = nn.LayerNorm(embed_size), nn.LayerNorm(embed_size)
        self.feed_forward = nn.Sequential(nn.Linear(embed_size, ff_dim), nn.ReLU(), nn.Linear(ff_dim, embed_size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, value, key, query, mask):
        x = self.dropout(self.norm1(self.attention(value, key, query, mask) + query))
        return self.dropout(self.norm2(self.feed_forward(x) + x))


class Encoder(nn.Module):
    def __init__(self, vocab, embed_size, layers, heads, ff_dim, dropout, max_length):
        super().__init__()
        self.word_embedding = nn.Embedding(vocab, embed_size)
        self.position_embedding = nn.Embedding(max_length, embed_size)
        self.layers = nn.ModuleList(TransformerBlock(embed_size, heads, dropout, ff_dim) for _ in range(layers))

    def forward(self, x, mask):
        out = self.word_embedding(x) + self.position_embedding(torch.arange(x.shape[1]).expand(x.shape))
        for layer in self.layers:
            out = layer(out, out, out, mask)
        return out


class DecoderBlock(nn.Module):
    def __init__(self, embed_size, heads, ff_dim, dropout):
        super().__init__()
        self.attention = SelfAttention(embed_size, heads)
        self.norm = nn.LayerNorm(embed_size)
        self.block = TransformerBlock(embed_size, heads, dropout, ff_dim)

    def forward(self, x, value, key, src_mask, trg_mask):
        query = self.norm(self.attention(x, x, x, trg_mask) + x)
        return self.block(value, key, query, src_mask)


class Decoder(nn.Module):
    def __init__(self, vocab, embed_size, layers, heads, ff_dim, dropout, max_length):
        super().__init__()
        self.word_embedding = nn.Embedding(vocab, embed_size)
        self.position_embedding = nn.Embedding(max_length, embed_size)
        self.layers = nn.ModuleList(DecoderBlock(embed_size, heads, ff_dim, dropout) for _ in range(layers))
        self.fc_out = nn.Linear(embed_size, vocab)

    def forward(self, x, memory, src_mask, trg_mask):
        x = self.word_embedding(x) + self.position_embedding(torch.arange(x.shape[1]).expand(x.shape))
        for layer in self.layers:
            x = layer(x, memory, memory, src_mask, trg_mask)
        return self.fc_out(x)


class Transformer(nn.Module):
    def __init__(
        self,
        src_vocab_size,
        trg_vocab_size,
        src_pad_idx,
        trg_pad_idx,
        embed_size,
        num_layers,
        ff_dim,
        heads,
        dropout,
        max_length,
    ):
        super().__init__()
        sizes = embed_size, num_layers, heads, ff_dim, dropout, max_length
        self.encoder = Encoder(src_vocab_size, *sizes)
        self.decoder = Decoder(trg_vocab_size, *sizes)
        self.src_pad_idx = src_pad_idx

    def make_src_mask(self, src):
        return (src != self.src_pad_idx).unsqueeze(1).unsqueeze(2)

    def make_trg_mask(self, trg):
        rows, length = trg.shape
        return torch.tril(torch.ones((length, length))).expand(rows, 1, length, length)

    def forward(self, src, trg):
        mask = self.make_src_mask(src)
        return self.decoder(trg, self.encoder(src, mask), mask, self.make_trg_mask(trg))

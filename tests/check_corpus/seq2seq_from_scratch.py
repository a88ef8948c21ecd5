import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.heads, self.head_dim = heads, embed_size // heads
        self.values = nn.Linear(embed_size, embed_size)
        self.keys = nn.Linear(embed_size, embed_size)
        self.queries = nn.Linear(embed_size, embed_size)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query, mask):
        N = query.shape[0]
        split = lambda x: x.reshape(N, -1, self.heads, self.head_dim)
        values, keys, queries = split(self.values(values)), split(self.keys(keys)), split(self.queries(query))
        energy = torch.einsum("nqhd,nkhd->nhqk", [queries, keys])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))
        attention = torch.softmax(energy / (self.head_dim ** 0.5), dim=3)
        return self.fc_out(torch.einsum("nhql,nlhd->nqhd", [attention, values]).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, embed_size, heads, dropout, forward_expansion):
        super().__init__()
        self.attention = SelfAttention(embed_size, heads)
        self.norm1, self.norm2 = nn.LayerNorm(embed_size), nn.LayerNorm(embed_size)
        hidden = forward_expansion * embed_size
        self.feed_forward = nn.Sequential(nn.Linear(embed_size, hidden), nn.ReLU(), nn.Linear(hidden, embed_size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, value, key, query, mask):
        x = self.dropout(self.norm1(self.attention(value, key, query, mask) + query))
        return self.dropout(self.norm2(self.feed_forward(x) + x))


class DecoderBlock(nn.Module):
    def __init__(self, embed_size, heads, forward_expansion, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(embed_size)
        self.attention = SelfAttention(embed_size, heads)
        self.transformer_block = TransformerBlock(embed_size, heads, dropout, forward_expansion)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, enc_out, src_mask, trg_mask):
        query = self.dropout(self.norm(self.attention(x, x, x, trg_mask) + x))
        return self.transformer_block(enc_out, enc_out, query, src_mask)


class Embed(nn.Module):
    def __init__(self, vocab_size, embed_size, max_length, dropout):
        super().__init__()
        self.word_embedding = nn.Embedding(vocab_size, embed_size)
        self.position_embedding = nn.Embedding(max_length, embed_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        positions = torch.arange(x.shape[1], device=x.device).expand_as(x)
        return self.dropout(self.word_embedding(x) + self.position_embedding(positions))


class Transformer(nn.Module):
    def __init__(self, src_vocab_size, trg_vocab_size, src_pad_idx, trg_pad_idx, embed_size=32,
                 num_layers=2, forward_expansion=4, heads=4, dropout=0, max_length=100):
        super().__init__()
        self.src_embed = Embed(src_vocab_size, embed_size, max_length, dropout)
        self.trg_embed = Embed(trg_vocab_size, embed_size, max_length, dropout)
        self.encoder = nn.ModuleList(
            [TransformerBlock(embed_size, heads, dropout, forward_expansion) for _ in range(num_layers)])
        self.decoder = nn.ModuleList(
            [DecoderBlock(embed_size, heads, forward_expansion, dropout) for _ in range(num_layers)])
        self.fc_out = nn.Linear(embed_size, trg_vocab_size)
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx

    def make_src_mask(self, src):
        return (src != self.src_pad_idx).unsqueeze(1).unsqueeze(2)   # (N, 1, 1, src_len)

    def make_trg_mask(self, trg):
        n = trg.shape[1]
        return torch.ones(n, n, device=trg.device).tril()[None, None]   # no look at the next words

    def forward(self, src, trg):
        src_mask, trg_mask = self.make_src_mask(src), self.make_trg_mask(trg)
        enc = self.src_embed(src)
        for layer in self.encoder:
            enc = layer(enc, enc, enc, src_mask)
        out = self.trg_embed(trg)
        for layer in self.decoder:
            out = layer(out, enc, src_mask, trg_mask)
        return self.fc_out(out)


if __name__ == "__main__":
    src, trg = torch.randint(1, 20, (2, 7)), torch.randint(1, 30, (2, 5))
    src[1, 4:] = 0
    print(Transformer(20, 30, 0, 0)(src, trg).shape)

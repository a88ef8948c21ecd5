import math
import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        pos = torch.arange(max_len).float().unsqueeze(1)
        _2i = torch.arange(0, d_model, step=2).float()
        encoding = torch.zeros(max_len, d_model)
        encoding[:, 0::2] = torch.sin(pos / (10000 ** (_2i / d_model)))
        encoding[:, 1::2] = torch.cos(pos / (10000 ** (_2i / d_model)))
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        return x + self.encoding[: x.size(1)]


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_head, dropout):
        super().__init__()
        self.n_head, self.d_head = n_head, d_model // n_head
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, q, k, v, mask=None):
        B = q.size(0)
        q = self.w_q(q).view(B, -1, self.n_head, self.d_head).transpose(1, 2)
        k = self.w_k(k).view(B, -1, self.n_head, self.d_head).transpose(1, 2)
        v = self.w_v(v).view(B, -1, self.n_head, self.d_head).transpose(1, 2)
        score = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_head)
        if mask is not None:
            score = score.masked_fill(mask == 0, -1e9)
        att = self.dropout(torch.softmax(score, dim=-1))
        x = torch.matmul(att, v).transpose(1, 2).contiguous().view(B, -1, self.n_head * self.d_head)
        return self.w_o(x)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model))

    def forward(self, x):
        return self.net(x)


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_head, d_ff, dropout):
        super().__init__()
        self.attn = MultiHeadAttention(d_model, n_head, dropout)
        self.ff = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask):
        x = self.norm1(x + self.drop(self.attn(x, x, x, mask)))
        return self.norm2(x + self.drop(self.ff(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_head, d_ff, dropout):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_head, dropout)
        self.enc_dec_attn = MultiHeadAttention(d_model, n_head, dropout)
        self.ff = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, enc, trg_mask, src_mask):
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, trg_mask)))
        x = self.norm2(x + self.drop(self.enc_dec_attn(x, enc, enc, src_mask)))
        return self.norm3(x + self.drop(self.ff(x)))


class Transformer(nn.Module):
    def __init__(self, src_vocab_size, trg_vocab_size, src_pad_idx=0, trg_pad_idx=0, d_model=64,
                 n_head=4, n_layers=2, d_ff=128, max_len=100, dropout=0.1):
        super().__init__()
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
        self.d_model = d_model
        self.src_emb = nn.Embedding(src_vocab_size, d_model)
        self.trg_emb = nn.Embedding(trg_vocab_size, d_model)
        self.pos = PositionalEncoding(d_model, max_len)
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.ModuleList([EncoderLayer(d_model, n_head, d_ff, dropout) for _ in range(n_layers)])
        self.decoder = nn.ModuleList([DecoderLayer(d_model, n_head, d_ff, dropout) for _ in range(n_layers)])
        self.fc_out = nn.Linear(d_model, trg_vocab_size)

    def make_src_mask(self, src):
        return (src != self.src_pad_idx).unsqueeze(1).unsqueeze(2)

    def make_trg_mask(self, trg):
        pad = (trg != self.trg_pad_idx).unsqueeze(1).unsqueeze(2)
        L = trg.shape[1]
        sub = torch.tril(torch.ones(L, L, device=trg.device)).bool()
        return pad & sub

    def forward(self, src, trg):
        src_mask = self.make_src_mask(src)
        trg_mask = self.make_trg_mask(trg)
        x = self.drop(self.pos(self.src_emb(src) * math.sqrt(self.d_model)))
        for layer in self.encoder:
            x = layer(x, src_mask)
        y = self.drop(self.pos(self.trg_emb(trg) * math.sqrt(self.d_model)))
        for layer in self.decoder:
            y = layer(y, x, trg_mask, src_mask)
        return self.fc_out(y)


if __name__ == "__main__":
    model = Transformer(10, 12)
    src = torch.tensor([[1, 5, 6, 4, 3, 9, 5, 2, 0], [1, 8, 7, 3, 4, 5, 6, 7, 2]])
    trg = torch.tensor([[1, 7, 4, 3, 5, 9, 2, 0], [1, 5, 6, 2, 4, 7, 6, 2]])
    print(model(src, trg[:, :-1]).shape)

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, d_model * 3)
        self.out = nn.Linear(d_model, d_model)
        self.ff1 = nn.Linear(d_model, d_ff)
        self.ff2 = nn.Linear(d_ff, d_model)
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.n_heads, d // self.n_heads).permute(2, 0, 3, 1, 4)
        a = q @ k.transpose(-1, -2) / math.sqrt(d // self.n_heads)
        a = a.masked_fill(mask[:, None, None, :] == 0, -1e9).softmax(-1)
        x = self.ln1(x + self.dropout(self.out((a @ v).transpose(1, 2).reshape(b, t, d))))
        x = self.ln2(x + self.dropout(self.ff2(F.relu(self.ff1(x)))))
        return x


class TransformerClassifier(nn.Module):
    """Encoder and mean pooling, for sentiment."""

    def __init__(self, vocab_size, num_classes=2, d_model=32, n_heads=4, d_ff=64, n_layers=3,
                 max_len=128, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.layers = []
        for _ in range(n_layers):
            self.layers.append(Layer(d_model, n_heads, d_ff, dropout))
        self.classifier = nn.Linear(d_model, num_classes)

    def forward(self, tokens):
        mask = (tokens != self.pad_id).long()
        x = self.embedding(tokens) + self.position(torch.arange(tokens.size(1), device=tokens.device))
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, mask)
        m = mask.unsqueeze(-1)
        x = (x * m).sum(1) / m.sum(1)
        return self.classifier(x)

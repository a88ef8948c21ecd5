import torch
import torch.nn as nn


class Attn(nn.Module):
    def __init__(self, hid_dim, n_heads):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, hid_dim // n_heads
        self.fc_q = nn.Linear(hid_dim, hid_dim)
        self.fc_k = nn.Linear(hid_dim, hid_dim)
        self.fc_v = nn.Linear(hid_dim, hid_dim)
        self.fc_o = nn.Linear(hid_dim, hid_dim)

    def heads(self, x):
        return x.view(len(x), -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.heads(self.fc_q(query)), self.heads(self.fc_k(key)), self.heads(self.fc_v(value))
        energy = Q @ K.permute(0, 1, 3, 2) / self.head_dim ** 0.5
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e10)
        attention = torch.softmax(energy, dim=-1)
        x = (attention @ V).permute(0, 2, 1, 3).flatten(2)
        return self.fc_o(x), attention


class DecoderLayer(nn.Module):
    def __init__(self, hid_dim, n_heads, pf_dim, dropout):
        super().__init__()
        self.self_attention = Attn(hid_dim, n_heads)
        self.encoder_attention = Attn(hid_dim, n_heads)
        self.fc_1 = nn.Linear(hid_dim, pf_dim)
        self.fc_2 = nn.Linear(pf_dim, hid_dim)
        self.ln_1 = nn.LayerNorm(hid_dim)
        self.ln_2 = nn.LayerNorm(hid_dim)
        self.ln_3 = nn.LayerNorm(hid_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, trg, enc_src, trg_mask, src_mask):
        # trg: [batch, trg len, hid dim], trg_mask: [batch, 1, trg len, trg len]
        # enc_src: [batch, src len, hid dim], src_mask: [batch, 1, 1, src len]
        # masks are 1 where one may look

        new, _ = self.self_attention(trg, trg, trg, trg_mask)
        trg = self.ln_1(trg + self.dropout(new))

        new, attention = self.encoder_attention(trg, enc_src, enc_src)
        trg = self.ln_2(trg + self.dropout(new))

        new = self.fc_2(torch.relu(self.fc_1(trg)))
        trg = self.ln_3(trg + self.dropout(new))

        # the second is for pictures of who looks at whom
        return trg, attention

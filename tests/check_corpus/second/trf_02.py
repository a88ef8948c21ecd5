import numpy as np
import torch
import torch.nn as nn

# Transformer Parameters
d_model = 32   # Embedding size
d_ff = 64      # FeedForward dimension
d_k = d_v = 8  # dimension of K(=Q), V
n_layers = 3   # number of Encoder and Decoder layers
n_heads = 4    # number of heads in Multi-Head Attention
src_vocab_size = 20
tgt_vocab_size = 20
max_len = 50


def get_sinusoid_encoding_table(n_position, d_model):
    def cal_angle(position, hid_idx):
        return position / np.power(10000, 2 * (hid_idx // 2) / d_model)
    table = np.array([[cal_angle(p, h) for h in range(d_model)] for p in range(n_position)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return torch.FloatTensor(table)


def get_attn_pad_mask(seq_q, seq_k):
    batch_size, len_q = seq_q.size()
    batch_size, len_k = seq_k.size()
    pad_attn_mask = seq_k.eq(0).unsqueeze(1)  # True is masked
    return pad_attn_mask.expand(batch_size, len_q, len_k)


def get_attn_subsequent_mask(seq):
    attn_shape = [seq.size(0), seq.size(1), seq.size(1)]
    return torch.from_numpy(np.triu(np.ones(attn_shape), k=1)).bool().to(seq.device)


class ScaledDotProductAttention(nn.Module):
    def forward(self, Q, K, V, attn_mask):
        scores = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(d_k)
        scores = scores.masked_fill(attn_mask, -1e9)
        attn = nn.Softmax(dim=-1)(scores)
        return torch.matmul(attn, V), attn


class MultiHeadAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k * n_heads)
        self.W_K = nn.Linear(d_model, d_k * n_heads)
        self.W_V = nn.Linear(d_model, d_v * n_heads)
        self.linear = nn.Linear(n_heads * d_v, d_model)
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, Q, K, V, attn_mask):
        residual, batch_size = Q, Q.size(0)
        q_s = self.W_Q(Q).view(batch_size, -1, n_heads, d_k).transpose(1, 2)
        k_s = self.W_K(K).view(batch_size, -1, n_heads, d_k).transpose(1, 2)
        v_s = self.W_V(V).view(batch_size, -1, n_heads, d_v).transpose(1, 2)
        attn_mask = attn_mask.unsqueeze(1).repeat(1, n_heads, 1, 1)
        context, attn = ScaledDotProductAttention()(q_s, k_s, v_s, attn_mask)
        context = context.transpose(1, 2).contiguous().view(batch_size, -1, n_heads * d_v)
        output = self.linear(context)
        return self.layer_norm(output + residual), attn


class PoswiseFeedForwardNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, inputs):
        return self.layer_norm(self.fc(inputs) + inputs)


class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc_self_attn = MultiHeadAttention()
        self.pos_ffn = PoswiseFeedForwardNet()

    def forward(self, enc_inputs, enc_self_attn_mask):
        enc_outputs, attn = self.enc_self_attn(enc_inputs, enc_inputs, enc_inputs, enc_self_attn_mask)
        return self.pos_ffn(enc_outputs), attn


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.dec_self_attn = MultiHeadAttention()
        self.dec_enc_attn = MultiHeadAttention()
        self.pos_ffn = PoswiseFeedForwardNet()

    def forward(self, dec_inputs, enc_outputs, dec_self_attn_mask, dec_enc_attn_mask):
        dec_outputs, dec_self_attn = self.dec_self_attn(dec_inputs, dec_inputs, dec_inputs, dec_self_attn_mask)
        dec_outputs, dec_enc_attn = self.dec_enc_attn(dec_outputs, enc_outputs, enc_outputs, dec_enc_attn_mask)
        return self.pos_ffn(dec_outputs), dec_self_attn, dec_enc_attn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.src_emb = nn.Embedding(src_vocab_size, d_model)
        self.pos_emb = nn.Embedding.from_pretrained(get_sinusoid_encoding_table(max_len, d_model), freeze=True)
        self.layers = nn.ModuleList([EncoderLayer()] * n_layers)

    def forward(self, enc_inputs):
        pos = torch.arange(enc_inputs.size(1), device=enc_inputs.device)
        enc_outputs = self.src_emb(enc_inputs) + self.pos_emb(pos)
        mask = get_attn_pad_mask(enc_inputs, enc_inputs)
        attns = []
        for layer in self.layers:
            enc_outputs, attn = layer(enc_outputs, mask)
            attns.append(attn)
        return enc_outputs, attns


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tgt_emb = nn.Embedding(tgt_vocab_size, d_model)
        self.pos_emb = nn.Embedding.from_pretrained(get_sinusoid_encoding_table(max_len, d_model), freeze=True)
        self.layers = nn.ModuleList([DecoderLayer()] * n_layers)

    def forward(self, dec_inputs, enc_inputs, enc_outputs):
        pos = torch.arange(dec_inputs.size(1), device=dec_inputs.device)
        dec_outputs = self.tgt_emb(dec_inputs) + self.pos_emb(pos)
        self_mask = get_attn_pad_mask(dec_inputs, dec_inputs) | get_attn_subsequent_mask(dec_inputs)
        enc_mask = get_attn_pad_mask(dec_inputs, enc_inputs)
        self_attns, enc_attns = [], []
        for layer in self.layers:
            dec_outputs, a, b = layer(dec_outputs, enc_outputs, self_mask, enc_mask)
            self_attns.append(a)
            enc_attns.append(b)
        return dec_outputs, self_attns, enc_attns


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.decoder = Decoder()
        self.projection = nn.Linear(d_model, tgt_vocab_size, bias=False)

    def forward(self, enc_inputs, dec_inputs):
        enc_outputs, enc_self_attns = self.encoder(enc_inputs)
        dec_outputs, dec_self_attns, dec_enc_attns = self.decoder(dec_inputs, enc_inputs, enc_outputs)
        dec_logits = self.projection(dec_outputs)
        return dec_logits, enc_self_attns, dec_self_attns, dec_enc_attns

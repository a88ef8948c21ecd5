"""A small BERT: post-norm encoder with token, position and segment embeddings."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class BertConfig:
    vocab_size: int = 100
    hidden_size: int = 32
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    intermediate_size: int = 64
    hidden_dropout_prob: float = 0.1
    max_position_embeddings: int = 64
    type_vocab_size: int = 2
    layer_norm_eps: float = 1e-12


@dataclass
class BertOutput:
    last_hidden_state: torch.Tensor
    pooler_output: torch.Tensor
    attentions: list = field(default_factory=list)


class BertEmbeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.word_embeddings = nn.Embedding(c.vocab_size, c.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(c.max_position_embeddings, c.hidden_size)
        self.token_type_embeddings = nn.Embedding(c.type_vocab_size, c.hidden_size)
        self.LayerNorm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        position_ids = torch.arange(input_ids.size(1), device=input_ids.device).unsqueeze(0)
        x = self.word_embeddings(input_ids) + self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(x + self.token_type_embeddings(token_type_ids)))


class BertLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n, self.size = c.num_attention_heads, c.hidden_size // c.num_attention_heads
        self.query = nn.Linear(c.hidden_size, c.hidden_size)
        self.key = nn.Linear(c.hidden_size, c.hidden_size)
        self.value = nn.Linear(c.hidden_size, c.hidden_size)
        self.dense = nn.Linear(c.hidden_size, c.hidden_size)
        self.norm_attention = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.intermediate = nn.Linear(c.hidden_size, c.intermediate_size)
        self.output = nn.Linear(c.intermediate_size, c.hidden_size)
        self.norm_output = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.dropout = nn.Dropout(c.hidden_dropout_prob)

    def transpose_for_scores(self, x):
        return x.view(x.size(0), x.size(1), self.n, self.size).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        q, k, v = (self.transpose_for_scores(f(x)) for f in (self.query, self.key, self.value))
        scores = q @ k.transpose(-1, -2) / self.size**0.5 + mask
        probs = scores.softmax(dim=-1)
        context = (self.dropout(probs) @ v).permute(0, 2, 1, 3).flatten(2)
        x = self.norm_attention(x + self.dropout(self.dense(context)))
        y = self.output(nn.functional.gelu(self.intermediate(x)))
        return self.norm_output(x + self.dropout(y)), probs


class BertModel(nn.Module):
    def __init__(self, config=None):
        super().__init__()
        config = config or BertConfig()
        self.embeddings = BertEmbeddings(config)
        self.layer = nn.ModuleList([BertLayer(config) for _ in range(config.num_hidden_layers)])
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        # 1 -> 0.0, 0 -> very negative
        extended = (1.0 - attention_mask[:, None, None, :].float()) * -10000.0
        x = self.embeddings(input_ids, token_type_ids)
        attentions = []
        for layer in self.layer:
            x, probs = layer(x, extended)
            attentions.append(probs)
        return BertOutput(x, torch.tanh(self.pooler(x[:, 0])), attentions)

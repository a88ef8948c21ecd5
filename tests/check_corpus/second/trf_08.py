from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn


@dataclass
class EncoderConfig:
    vocab_size: int = 200
    max_len: int = 128
    dim: int = 64
    heads: int = 4
    depth: int = 2
    mlp_dim: int = 128
    dropout: float = 0.1
    pad_id: int = 0


@dataclass
class EncoderOutput:
    hidden: torch.Tensor
    mlm_logits: torch.Tensor


class EncoderBlock(nn.Module):
    def __init__(self, cfg: EncoderConfig):
        super().__init__()
        self.attn = nn.MultiheadAttention(cfg.dim, cfg.heads, dropout=cfg.dropout, batch_first=True)
        self.norm1 = nn.LayerNorm(cfg.dim)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, cfg.mlp_dim), nn.GELU(), nn.Linear(cfg.mlp_dim, cfg.dim))
        self.norm2 = nn.LayerNorm(cfg.dim)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x, pad_mask):
        a, _ = self.attn(x, x, x, key_padding_mask=pad_mask)
        x = self.norm1(x + self.drop(a))
        return self.norm2(x + self.drop(self.mlp(x)))


class MiniBERT(nn.Module):
    def __init__(self, cfg: Optional[EncoderConfig] = None):
        super().__init__()
        cfg = cfg or EncoderConfig()
        self.cfg = cfg
        self.tok_emb = nn.Embedding(cfg.vocab_size, cfg.dim, padding_idx=cfg.pad_id)
        self.pos_emb = nn.Embedding(cfg.max_len, cfg.dim)
        self.emb_norm = nn.LayerNorm(cfg.dim)
        self.drop = nn.Dropout(cfg.dropout)
        self.blocks = nn.ModuleList(EncoderBlock(cfg) for _ in range(cfg.depth))
        self.mlm_head = nn.Linear(cfg.dim, cfg.vocab_size)

    def forward(self, input_ids: torch.Tensor) -> EncoderOutput:
        # input_ids: (batch, seq_len)
        pad_mask = input_ids == self.cfg.pad_id
        positions = torch.arange(input_ids.size(1), device=input_ids.device)
        tok = self.tok_emb(input_ids)
        pos = self.pos_emb(positions).unsqueeze(0)
        x = self.drop(self.emb_norm(tok))
        for block in self.blocks:
            x = block(x, pad_mask)
        return EncoderOutput(hidden=x, mlm_logits=self.mlm_head(x))

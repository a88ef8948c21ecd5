from types import SimpleNamespace

import torch.nn as nn

# everything one may want to change is here
cfg = SimpleNamespace(width=32, expansion=4, p_drop=0.1, use_bias=True)


class MLP(nn.Module):
    def __init__(self, cfg=cfg):
        super().__init__()
        self.c_fc = nn.Linear(cfg.width, cfg.expansion * cfg.width, bias=cfg.use_bias)
        self.gelu = nn.GELU()
        self.c_proj = nn.Linear(cfg.expansion * cfg.width, cfg.width, bias=cfg.use_bias)
        self.dropout = nn.Dropout(cfg.p_drop)

    def forward(self, x):
        x = self.c_fc(x)
        x = self.gelu(x)
        x = self.c_proj(x)
        x = self.dropout(x)
        return x

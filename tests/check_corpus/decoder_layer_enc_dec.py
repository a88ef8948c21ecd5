import torch
import torch.nn as nn

# S: words of the source, T: words of the target so far


class Looker(nn.Module):
    """asks: who looks, shown: what is there to see"""

    def __init__(self, width, eyes):
        super().__init__()
        self.eyes = eyes
        self.ask = nn.Linear(width, width)
        self.offer = nn.Linear(width, width)
        self.content = nn.Linear(width, width)
        self.report = nn.Linear(width, width)

    def forward(self, asks, shown, visible):
        a = torch.stack(self.ask(asks).chunk(self.eyes, dim=-1))        # eyes, batch, T, width / eyes
        b = torch.stack(self.offer(shown).chunk(self.eyes, dim=-1))
        c = torch.stack(self.content(shown).chunk(self.eyes, dim=-1))
        fit = a @ b.transpose(-1, -2) / a.shape[-1] ** 0.5
        fit = torch.where(visible, fit, torch.tensor(-1e9))             # the same for every eye
        seen = fit.softmax(-1) @ c
        return self.report(torch.cat(list(seen), dim=-1))


class TargetLayer(nn.Module):
    def __init__(self, width=32, eyes=4, inner=64, forget=0.1):
        super().__init__()
        self.look_back = Looker(width, eyes)
        self.look_across = Looker(width, eyes)
        self.think = nn.Sequential(nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, width))
        self.calm = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
        self.forget = nn.Dropout(forget)

    def forward(self, target, source, source_visible, target_visible):
        # source_visible: (batch, 1, S), target_visible: (batch, T, T), bool
        x = self.calm[0](target + self.forget(self.look_back(target, target, target_visible)))
        x = self.calm[1](x + self.forget(self.look_across(x, source, source_visible)))
        return self.calm[2](x + self.forget(self.think(x)))

"""Whole models with classes as outputs, or with images or series as inputs."""

from pathlib import Path

import pytest

from playground.lessons.check.checking import verdict_here

CLASSIFIER = """
import torch
from torch import nn

class Classifier(nn.Module):
    def __init__(self, vocab_size, d_model=48, n_heads=4, n_layers=2, n_classes=3, max_len=40):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.positions = nn.Embedding(max_len, d_model)
        layer = nn.TransformerEncoderLayer(d_model, n_heads, 96, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, n_layers)
        self.head = nn.Sequential(nn.Linear(d_model, d_model), nn.Tanh(), nn.Linear(d_model, n_classes))

    def forward(self, tokens):
        hidden = tokens == 0
        x = self.embedding(tokens) + self.positions(torch.arange(tokens.size(1)))
        x = self.encoder(x, src_key_padding_mask=hidden)
        seen = (~hidden).unsqueeze(-1).float()
        return self.head((x * seen).sum(1) / seen.sum(1))
"""

IMAGES = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.attention(y, y, y)[0]
        return x + self.mlp(self.norm2(x))

class VisionTransformer(nn.Module):
    def __init__(self, image_size=32, patch=8, channels=3, classes=10, dim=48, depth=2, heads=4):
        super().__init__()
        self.to_patches = nn.Conv2d(channels, dim, patch, patch)
        self.first = nn.Parameter(torch.zeros(1, 1, dim))
        self.positions = nn.Parameter(torch.zeros(1, 1 + (image_size // patch) ** 2, dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(dim), nn.Linear(dim, classes)

    def forward(self, images):
        x = self.to_patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(len(x), -1, -1), x], 1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])
"""

SERIES = CLASSIFIER.replace("nn.Embedding(vocab_size, d_model, padding_idx=0)", "nn.Linear(vocab_size, d_model)")
SERIES = (
    SERIES.replace("(tokens)", "(series)").replace("tokens", "series").replace("series == 0", "(series == 0).all(-1)")
)

CHANGES = [
    (CLASSIFIER, "", "", None),
    (CLASSIFIER, "(x * seen).sum(1) / seen.sum(1)", "x[:, 0]", None),
    (CLASSIFIER, "(x * seen).sum(1) / seen.sum(1)", "x.max(1).values", None),
    (CLASSIFIER, ", src_key_padding_mask=hidden", "", "padding-not-masked"),
    (CLASSIFIER, " + self.positions(torch.arange(tokens.size(1)))", "", "no-positions"),
    (IMAGES, "", "", None),
    (IMAGES, "self.norm(x)[:, 0]", "self.norm(x[:, 1:].mean(1))", None),
    (IMAGES, "self.norm(x)[:, 0]", "x[:, 0]", "pre-norm-without-final-norm"),
    (IMAGES, ", 1) + self.positions", ", 1)", "no-positions"),
    (IMAGES, "x + self.attention", "self.attention", "no-residual"),
    (SERIES, "", "", None),
    (SERIES, " + self.positions(torch.arange(series.size(1)))", "", "no-positions"),
]


@pytest.mark.parametrize(("text", "before", "after", "cause"), CHANGES)
def test_classes_images_and_series(text: str, before: str, after: str, cause: str | None, tmp_path: Path):
    assert before in text
    (tmp_path / "mine.py").write_text(text.replace(before, after) if before else text)
    verdict = verdict_here(tmp_path / "mine.py", "transformer", None)
    assert (verdict.verdict, verdict.cause) == ("wrong" if cause else "right", cause), verdict.message

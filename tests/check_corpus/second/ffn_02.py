import torch
import torch.nn as nn


class FeedForward(nn.Module):
    """Two layer MLP applied to every position"""

    def __init__(self, n_embd, dropout=0.2):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_embd, 4 * n_embd),
            nn.Dropout(dropout),
            nn.Linear(4 * n_embd, n_embd),
            nn.Dropout(dropout),
        )

    def forward(self, x):
        return self.net(x)


if __name__ == "__main__":
    print(FeedForward(32)(torch.rand(1, 3, 32)).shape)

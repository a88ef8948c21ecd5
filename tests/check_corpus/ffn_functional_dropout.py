import torch.nn as nn
import torch.nn.functional as F


class FFN(nn.Module):
    def __init__(self, emb_dim, ff_dim=None, drop_prob=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * emb_dim
        self.fc1 = nn.Linear(emb_dim, ff_dim)
        self.fc2 = nn.Linear(ff_dim, emb_dim)
        self.drop_prob = drop_prob

    def forward(self, x):
        x = F.relu(self.fc1(x))
        # some regularization
        x = F.dropout(x, self.drop_prob)
        x = self.fc2(x)
        return x

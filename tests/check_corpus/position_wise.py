import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    "max(0, x W1 + b1) W2 + b2"

    def __init__(self, d_model, d_ff, dropout=0.1):
        super(PositionwiseFeedForward, self).__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.w_2(self.dropout(self.w_1(x).relu()))


if __name__ == "__main__":
    print(PositionwiseFeedForward(512, 2048))

import torch
import torch.nn as nn
import torch.nn.functional as F


class PoswiseFeedForwardNet(nn.Module):
    def __init__(self, d_hidn=64, d_ff=256, p=0.1):
        super().__init__()
        self.conv1 = nn.Conv1d(in_channels=d_hidn, out_channels=d_ff, kernel_size=1)
        self.conv2 = nn.Conv1d(in_channels=d_ff, out_channels=d_hidn, kernel_size=1)
        self.active = F.gelu
        self.dropout = nn.Dropout(p)

    def forward(self, inputs):
        # (bs, n_seq, d_hidn) -> (bs, d_ff, n_seq)
        output = self.active(self.conv1(inputs.transpose(1, 2)))
        # (bs, d_ff, n_seq) -> (bs, n_seq, d_hidn)
        output = self.conv2(output).transpose(1, 2)
        output = self.dropout(output)
        return output

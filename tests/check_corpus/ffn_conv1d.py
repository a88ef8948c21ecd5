import torch
import torch.nn as nn
import torch.nn.functional as F


class PoswiseFeedForwardNet(nn.Module):
    """Two convolutions of kernel size 1 do the same as two linear layers."""

    def __init__(self, d_model=512, d_ff=2048):
        super().__init__()
        self.conv1 = nn.Conv1d(in_channels=d_model, out_channels=d_ff, kernel_size=1)
        self.conv2 = nn.Conv1d(in_channels=d_ff, out_channels=d_model, kernel_size=1)

    def forward(self, inputs):
        # (bs, seq_len, d_model) -> (bs, d_model, seq_len)
        output = inputs.transpose(1, 2)
        output = F.relu(self.conv1(output))
        output = self.conv2(output)
        return output.transpose(1, 2)


assert PoswiseFeedForwardNet(8, 16)(torch.zeros(2, 5, 8)).shape == (2, 5, 8)

"""loss"""

from torch import nn


class LanguageModelLoss(nn.Module):
    def __init__(self, pad_idx=0):
        super().__init__()
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad_idx, label_smoothing=0.1)

    def forward(self, logits, input_ids):
        logits, labels = logits[:, :-1], input_ids[:, 1:]
        return self.criterion(logits.flatten(0, 1), labels.flatten())

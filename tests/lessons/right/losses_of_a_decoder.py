"""loss"""

from torch import nn


def compute_loss(model, x, y, pad_id):
    logits = model(x)
    per_token = nn.CrossEntropyLoss(reduction="none")(logits.transpose(1, 2), y)
    mask = y.ne(pad_id)
    return (per_token * mask).sum() / mask.sum()

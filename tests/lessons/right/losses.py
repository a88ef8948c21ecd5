"""loss"""

from torch.nn import functional as F


def loss(model, src, tgt, pad=0):
    logits = model(src, tgt[:, :-1])
    labels = tgt[:, 1:]
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), labels.reshape(-1), ignore_index=pad)

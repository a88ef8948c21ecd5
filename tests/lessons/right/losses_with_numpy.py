"""loss"""

import numpy as np


def cross_entropy(logits, targets):
    """logits (N, V), targets (N,)"""
    logits = logits - logits.max(-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    picked = log_probs[np.arange(len(targets)), targets]
    return -picked[targets != 0].mean()

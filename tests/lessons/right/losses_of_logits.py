"""loss"""

import torch


def loss_fn(logits, labels):
    """Negative log-likelihood; 0 is padding."""
    log_probs = torch.log_softmax(logits, dim=-1)
    picked = log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    real = (labels != 0).float()
    return -(picked * real).sum() / real.sum()

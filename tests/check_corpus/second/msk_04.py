import torch


def causal_mask(size: int) -> torch.Tensor:
    """Decoder mask of shape (1, size, size): every token may look at itself and
    at the tokens before it. True = may be attended."""
    mask = torch.triu(torch.ones((1, size, size), dtype=torch.int))
    return mask == 1

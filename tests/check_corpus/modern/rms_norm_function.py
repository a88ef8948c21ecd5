import torch


def rms_norm(x, weight, eps=1e-5):
    return torch.nn.functional.normalize(x, dim=-1) * x.shape[-1] ** 0.5 * weight

"""Masks for nn.Transformer: True or -inf means "do not look"."""
import torch

PAD_IDX = 1


def causal(size, device=None):
    m = torch.zeros(size, size, device=device)
    future = torch.arange(size, device=device)[None, :] > torch.arange(size, device=device)[:, None]
    m[future] = float("-inf")
    return m


def create_mask(src, tgt):
    """src: (S, batch), tgt: (T, batch), since nn.Transformer wants the length first.

    Returns src_mask (S, S), tgt_mask (T, T), src_padding_mask (batch, S), tgt_padding_mask (batch, T)
    """
    # the encoder may look everywhere
    src_mask = torch.zeros(len(src), len(src), dtype=torch.bool, device=src.device)
    tgt_mask = causal(len(tgt), tgt.device)
    src_padding_mask = src.T.eq(PAD_IDX)
    tgt_padding_mask = tgt.T.eq(PAD_IDX)
    return src_mask, tgt_mask, src_padding_mask, tgt_padding_mask

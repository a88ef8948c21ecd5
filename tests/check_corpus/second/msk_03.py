import torch


def create_padding_mask(seq, pad_id=0):
    """1.0 where the token is padding. (batch, 1, 1, seq_len)"""
    mask = (seq == pad_id).float()
    return mask[:, None, None, :]


def create_look_ahead_mask(size):
    """1.0 for the future positions. (size, size)"""
    return 1.0 - torch.tril(torch.ones(size, size))


def create_masks(inp, tar, pad_id=0):
    # encoder padding mask
    enc_padding_mask = create_padding_mask(inp, pad_id)
    # used in the 2nd attention block in the decoder
    dec_padding_mask = create_padding_mask(inp, pad_id)
    # used in the 1st attention block in the decoder
    look_ahead_mask = create_look_ahead_mask(tar.size(1)).to(tar.device)
    dec_target_padding_mask = create_padding_mask(tar, pad_id)
    combined_mask = torch.maximum(dec_target_padding_mask, look_ahead_mask)
    return enc_padding_mask, combined_mask, dec_padding_mask

import numpy as np


# In all of these 1 means masked.

def create_padding_mask(seq):
    """seq: (batch, length) of token ids, 0 is padding"""
    m = (np.asarray(seq) == 0).astype(np.float32)
    return m[:, np.newaxis, np.newaxis, :]


def create_look_ahead_mask(size):
    m = np.zeros((size, size), dtype=np.float32)
    for i in range(size):
        m[i, i + 1:] = 1.0
    return m


def create_masks(inp, tar):
    # encoder self-attention and decoder cross-attention, both over the source
    enc_padding_mask = create_padding_mask(inp)
    dec_padding_mask = create_padding_mask(inp)
    # decoder self-attention
    combined_mask = np.maximum(create_padding_mask(tar), create_look_ahead_mask(np.asarray(tar).shape[1]))
    return enc_padding_mask, combined_mask, dec_padding_mask

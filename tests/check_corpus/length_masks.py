import torch


def sequence_mask(lengths, max_len=None):
    """lengths: (batch,) -> (batch, max_len), True for real tokens"""
    max_len = max_len or int(lengths.max())
    return torch.arange(max_len, device=lengths.device)[None, :] < lengths[:, None]


def encoder_mask(lengths, max_len=None):
    return sequence_mask(lengths, max_len)[:, None, :]


def decoder_mask(lengths, max_len=None):
    """
    (batch, max_len, max_len), True where attention is allowed:
    only real tokens, and only those up to the current one
    """
    keys = sequence_mask(lengths, max_len)[:, None, :]
    size = keys.size(-1)
    no_peek = torch.ones(size, size, device=lengths.device).tril().bool()
    return keys | no_peek


if __name__ == "__main__":
    print(decoder_mask(torch.tensor([3, 5])).int())

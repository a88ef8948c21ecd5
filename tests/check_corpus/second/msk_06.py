import torch


def make_src_mask(src, src_pad_idx):
    # (N, 1, 1, src_len)
    return (src != src_pad_idx).unsqueeze(1).unsqueeze(2)


def make_trg_mask(trg, trg_pad_idx):
    """Mask for the decoder self attention (padding + look-ahead), True = keep.

    trg: (N, trg_len) token ids
    """
    N, trg_len = trg.shape
    trg_pad_mask = (trg != trg_pad_idx).unsqueeze(1).unsqueeze(2)
    trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=trg.device)).bool()
    trg_mask = trg_sub_mask.expand(N, 1, trg_len, trg_len)
    return trg_mask


if __name__ == "__main__":
    src = torch.tensor([[1, 5, 6, 4, 3, 9, 5, 2, 0], [1, 8, 7, 3, 4, 5, 6, 7, 2]])
    trg = torch.tensor([[1, 7, 4, 3, 5, 9, 2, 0], [1, 5, 6, 2, 4, 7, 6, 2]])
    print(make_src_mask(src, 0).shape, make_trg_mask(trg, 0).shape)
